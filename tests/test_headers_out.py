"""Headers and cookies of an answer, checked where they are set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from contract import HeadersOut

SECRET = "canary-of-the-session"


class Changing(str):
    """A text whose class says something else when it is sent."""

    __slots__ = ()

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return b"a\r\nset-cookie: stolen=1"

    def __str__(self) -> str:
        return "a\r\nset-cookie: stolen=1"

    def lower(self) -> str:
        return "set-cookie"


def test_headers_are_set_and_appended() -> None:
    headers = HeadersOut()
    headers.set("X-Total-Count", "1")
    headers.append("Link", "</a>; rel=next")
    headers.set("x-total-count", "120")
    headers.append("LINK", "</b>; rel=last")
    headers.set("X-Empty", "")
    headers.set("X-Tag", '"a\tb c"')

    assert headers.pairs == (
        ("x-total-count", "120"),
        ("link", "</a>; rel=next, </b>; rel=last"),
        ("x-empty", ""),
        ("x-tag", '"a\tb c"'),
    )
    assert headers.names == ("x-total-count", "link", "x-empty", "x-tag")


def test_a_cookie_is_safe_unless_it_is_said() -> None:
    headers = HeadersOut()
    headers.set_cookie("session", "a")
    headers.set_cookie(
        "theme",
        "",
        max_age=3600,
        path="/v1",
        domain="shop.example",
        secure=False,
        http_only=False,
        same_site="strict",
    )
    headers.set_cookie("__Host-id", "b", same_site="none")

    assert headers.pairs == (
        ("set-cookie", "session=a; Path=/; Secure; HttpOnly; SameSite=Lax"),
        ("set-cookie", "theme=; Max-Age=3600; Path=/v1; Domain=shop.example; SameSite=Strict"),
        ("set-cookie", "__Host-id=b; Path=/; Secure; HttpOnly; SameSite=None"),
    )
    assert headers.names == ()


def test_a_cookie_takes_the_place_of_one_that_browsers_would_replace() -> None:
    headers = HeadersOut()
    headers.set_cookie("session", "a")
    headers.set_cookie("session", "b", path="/v1")
    headers.delete_cookie("session")

    assert headers.pairs == (
        ("set-cookie", "session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax"),
        ("set-cookie", "session=b; Path=/v1; Secure; HttpOnly; SameSite=Lax"),
    )


def test_a_cookie_is_deleted_where_it_was_set() -> None:
    headers = HeadersOut()
    headers.delete_cookie("a", path="/v1", domain="shop.example", secure=False, same_site="strict")

    assert headers.pairs == (
        ("set-cookie", "a=; Max-Age=0; Path=/v1; Domain=shop.example; HttpOnly; SameSite=Strict"),
    )


def test_nothing_shows_a_value_in_its_repr() -> None:
    headers = HeadersOut()
    headers.set("X-Key", SECRET)
    headers.set_cookie("session", SECRET)

    assert repr(headers) == "HeadersOut(x-key, cookie session)"


def test_a_text_of_another_class_is_sent_as_what_was_checked() -> None:
    headers = HeadersOut()
    headers.set(Changing("X-A"), Changing("a"))
    headers.set_cookie(Changing("c"), Changing("a"), path=Changing("/"), domain=Changing("d"))

    assert headers.pairs == (
        ("x-a", "a"),
        ("set-cookie", "c=a; Path=/; Domain=d; Secure; HttpOnly; SameSite=Lax"),
    )
    assert {type(text) for pair in headers.pairs for text in pair} == {str}


TAKEN = {
    "Content-Type": "it says what the body is, and the framework does; leave it out",
    "content-length": "it says what the body is",
    "Content-Encoding": "it says what the body is",
    "Connection": "the server says it; leave it out",
    "Keep-Alive": "the server says it",
    "Proxy-Connection": "the server says it",
    "TE": "the server says it",
    "Trailer": "the server says it",
    "Transfer-Encoding": "the server says it",
    "Upgrade": "the server says it",
    "Date": "the server says it",
    "Server": "the server says it",
    "Status": "the server says it",
    "Cache-Control": (
        r"caches keep the answers of reads; "
        r'write @route\(effect="read", cache=Cache\(max_age=60\)\)'
    ),
    "ETag": "caches keep the answers of reads",
    "Expires": "caches keep the answers of reads",
    "Vary": r"caches keep .*cache=Cache\(max_age=60, vary=\[\"Accept-Language\"\]\)",
    "Deprecation": r"write @route\(deprecated=Deprecated\(\.\.\.\)\)",
    "Sunset": r"write @route\(deprecated=Deprecated\(\.\.\.\)\)",
    "X-Request-Id": r"every answer has it; current_call\(\)\.request_id gives it",
    "X-Content-Type-Options": "every answer has it",
    "WWW-Authenticate": "a 401 says it; let authenticate return None",
    "Allow": "a 405 says it",
    "Accept-Encoding": "a 415 says it",
    "Retry-After": r"return TooManyRequests\(retry_after=\.\.\.\)",
    "Set-Cookie": r"write headers_out\.set_cookie\(\.\.\.\)",
    "Access-Control-Allow-Origin": r"write mount_spec\(cors_origins=\[\.\.\.\]\)",
    "access-control-expose-headers": r"write mount_spec\(.*\); pages then see what is set",
}


@pytest.mark.parametrize("method", ["set", "append"])
@pytest.mark.parametrize("name", TAKEN)
def test_what_the_framework_says_itself_is_refused(method: str, name: str) -> None:
    headers = HeadersOut()
    with pytest.raises(
        ValueError,
        match=rf"^headers_out\.{method}\(name=\): '{name}' is not set here: {TAKEN[name]}",
    ):
        getattr(headers, method)(name, "x")

    assert headers.pairs == ()


WRONG: dict[str, tuple[type[Exception], str, Callable[[HeadersOut], Any]]] = {
    "an empty name": (
        ValueError,
        r"set\(name=\): '' is not a valid header name; write it like 'X-Total'",
        lambda out: out.set("", "x"),
    ),
    "a name with a line feed": (
        ValueError,
        r"append\(name=\): 'x-a\\nx-b' is not a valid header name",
        lambda out: out.append("x-a\nx-b", "x"),
    ),
    "a name with a colon": (
        ValueError,
        "'x: a' is not a valid header name",
        lambda out: out.set("x: a", "x"),
    ),
    "a name that is not ASCII": (
        ValueError,
        "is not a valid header name",
        lambda out: out.set("X-Ä", "x"),
    ),
    "a name of another type": (
        TypeError,
        r"set\(name=\): b'x' is not a valid header name; write it like 'X-Total'",
        lambda out: out.set(b"x", "x"),  # type: ignore[arg-type]
    ),
    "a carriage return": (
        ValueError,
        r"set\('X-A', value=\): '\\r' at 1 is not printable ASCII; write urllib\.parse\.quote",
        lambda out: out.set("X-A", f"a\r\nset-cookie: {SECRET}"),
    ),
    "a line feed at the end": (ValueError, r"'\\n' at 1", lambda out: out.append("X-A", "a\n")),
    "a zero": (ValueError, r"'\\x00' at 0", lambda out: out.set("X-A", "\0")),
    "a delete": (ValueError, r"'\\x7f' at 0", lambda out: out.set("X-A", "\x7f")),
    "a letter that is not ASCII": (ValueError, r"'\\xe9' at 3", lambda out: out.set("X-A", "café")),
    "spaces around": (
        ValueError,
        r"set\('X-A', value=\): there are spaces around it; write \.strip\(\)",
        lambda out: out.set("X-A", f" {SECRET}"),
    ),
    "a number": (
        TypeError,
        r"set\('X-A', value=\): it is of type int; give a text, such as str\(\.\.\.\)",
        lambda out: out.set("X-A", 1),  # type: ignore[arg-type]
    ),
    "None": (
        TypeError,
        r"append\('X-A', value=\): it is None; give a text",
        lambda out: out.append("X-A", None),  # type: ignore[arg-type]
    ),
    "a cookie with a wrong name": (
        ValueError,
        r"set_cookie\(name=\): 'a b' is not a valid cookie name; write it like 'session'",
        lambda out: out.set_cookie("a b", SECRET),
    ),
    "a cookie without a name": (
        ValueError,
        "is not a valid cookie name",
        lambda out: out.set_cookie("", SECRET),
    ),
    "a cookie with a name of another type": (
        TypeError,
        "1 is not a valid cookie name",
        lambda out: out.set_cookie(1, SECRET),  # type: ignore[arg-type]
    ),
    "a cookie with a semicolon": (
        ValueError,
        r"set_cookie\('a', value=\): ';' at 1 is not valid in a cookie; write urllib\.parse\.quote",
        lambda out: out.set_cookie("a", f"b; Domain={SECRET}"),
    ),
    "a cookie with a line feed": (
        ValueError,
        r"'\\n' at 1 is not valid in a cookie",
        lambda out: out.set_cookie("a", "b\n"),
    ),
    "a cookie with a quote": (
        ValueError,
        "is not valid in a",
        lambda out: out.set_cookie("a", '"'),
    ),
    "a cookie with a comma": (
        ValueError,
        "is not valid in a",
        lambda out: out.set_cookie("a", ","),
    ),
    "a cookie with a backslash": (ValueError, "'\\\\", lambda out: out.set_cookie("a", "\\")),
    "a cookie with a number": (
        TypeError,
        r"set_cookie\('a', value=\): it is of type int",
        lambda out: out.set_cookie("a", 1),  # type: ignore[arg-type]
    ),
    "a cookie that is too long": (
        ValueError,
        r"it is longer than the 4096 characters, name and value, that browsers keep; store it",
        lambda out: out.set_cookie("a", "x" * 4096),
    ),
    "a path with a semicolon": (
        ValueError,
        r"set_cookie\(path=\): '/;' is not a path; write it like '/v1'",
        lambda out: out.set_cookie("a", "b", path="/;"),
    ),
    "a relative path": (
        ValueError,
        "is not a path",
        lambda out: out.set_cookie("a", "b", path="v1"),
    ),
    "no path": (
        TypeError,
        "None is not a path",
        lambda out: out.set_cookie("a", "b", path=None),  # type: ignore[arg-type]
    ),
    "a domain with a semicolon": (
        ValueError,
        r"set_cookie\(domain=\): 'a;b' is not a host; write it like 'shop\.example'",
        lambda out: out.set_cookie("a", "b", domain="a;b"),
    ),
    "a domain with a dot in front": (
        ValueError,
        "is not a host",
        lambda out: out.set_cookie("a", "b", domain=".shop.example"),
    ),
    "a domain of another type": (
        TypeError,
        "is not a host",
        lambda out: out.set_cookie("a", "b", domain=1),  # type: ignore[arg-type]
    ),
    "an age of another type": (
        TypeError,
        r"set_cookie\(max_age=\): 1\.5 is not a whole number of seconds",
        lambda out: out.set_cookie("a", "b", max_age=1.5),  # type: ignore[arg-type]
    ),
    "an age that is a flag": (
        TypeError,
        "True is not a whole number",
        lambda out: out.set_cookie("a", "b", max_age=True),
    ),
    "an age below zero": (
        ValueError,
        r"-1 is below 0; write headers_out\.delete_cookie",
        lambda out: out.set_cookie("a", "b", max_age=-1),
    ),
    "a flag of another type": (
        TypeError,
        r"set_cookie\(secure=\): 'no' will not do; give True or False",
        lambda out: out.set_cookie("a", "b", secure="no"),  # type: ignore[arg-type]
    ),
    "another flag of another type": (
        TypeError,
        r"set_cookie\(http_only=\): 0 will not do",
        lambda out: out.set_cookie("a", "b", http_only=0),  # type: ignore[arg-type]
    ),
    "another site": (
        ValueError,
        r"set_cookie\(same_site=\): 'Lax' is not valid; write 'strict', 'lax' or 'none'",
        lambda out: out.set_cookie("a", "b", same_site="Lax"),  # type: ignore[arg-type]
    ),
    "a site of another type": (
        ValueError,
        r"same_site=\): None is not valid",
        lambda out: out.set_cookie("a", "b", same_site=None),  # type: ignore[arg-type]
    ),
    "any site, in the clear": (
        ValueError,
        r"same_site=\): 'none' is kept only with secure=True",
        lambda out: out.set_cookie("a", "b", secure=False, same_site="none"),
    ),
    "a secure name in the clear": (
        ValueError,
        r"set_cookie\(name=\): '__Secure-a' is kept only with secure=True",
        lambda out: out.set_cookie("__Secure-a", "b", secure=False),
    ),
    "a name of a host in the clear": (
        ValueError,
        "'__Host-a' is kept only with secure=True",
        lambda out: out.set_cookie("__Host-a", "b", secure=False),
    ),
    "a name of a host below a path": (
        ValueError,
        "'__host-a' is kept only with path='/' and domain=None",
        lambda out: out.set_cookie("__host-a", "b", path="/v1"),
    ),
    "a name of a host for a domain": (
        ValueError,
        "'__Host-a' is kept only with path='/' and domain=None",
        lambda out: out.set_cookie("__Host-a", "b", domain="shop.example"),
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_sent_is_refused_with_the_mend(case: str) -> None:
    kind, said, wrong = WRONG[case]
    headers = HeadersOut()
    with pytest.raises(kind, match=said) as raised:
        wrong(headers)

    assert str(raised.value).startswith("headers_out.")
    assert SECRET not in str(raised.value)
    assert headers.pairs == ()


def test_a_cookie_may_be_as_long_as_browsers_keep() -> None:
    headers = HeadersOut()
    headers.set_cookie("a", "x" * 4095)

    assert len(headers.pairs) == 1
