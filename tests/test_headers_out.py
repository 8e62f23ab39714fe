"""Headers and cookies of an answer, checked where they are set."""

from __future__ import annotations

from typing import Any

import pytest

from contract import HeadersOut
from tests.tables import rows

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

    links = ("link", "</a>; rel=next, </b>; rel=last")
    others = (("x-empty", ""), ("x-tag", '"a\tb c"'))
    assert headers.pairs == (("x-total-count", "120"), links, *others)
    assert headers.names == ("x-total-count", "link", "x-empty", "x-tag")


def test_a_cookie_is_safe_unless_it_is_said() -> None:
    headers = HeadersOut()
    headers.set_cookie("session", "a")
    place: dict[str, Any] = {"path": "/v1", "domain": "shop.example", "same_site": "strict"}
    headers.set_cookie("theme", "", max_age=3600, secure=False, http_only=False, **place)
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

    cookie = "c=a; Path=/; Domain=d; Secure; HttpOnly; SameSite=Lax"
    assert headers.pairs == (("x-a", "a"), ("set-cookie", cookie))
    assert {type(text) for pair in headers.pairs for text in pair} == {str}


BODY, SERVER = "it says what the body is, and", "the server says it; leave it out"
CACHED = "caches keep the answers of reads; "
OLD = r"write @route\(deprecated=Deprecated\(\.\.\.\)\)"
TAKEN = {
    **dict.fromkeys(("Content-Type", "content-length", "Content-Encoding"), BODY),
    **dict.fromkeys(("Content-Range", "Accept-Ranges"), BODY),
    **dict.fromkeys(("Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer"), SERVER),
    **dict.fromkeys(("Transfer-Encoding", "Upgrade", "Date", "Server", "Status"), SERVER),
    **dict.fromkeys(("Proxy-Authenticate", "Proxy-Authorization"), SERVER),
    "Cache-Control": rf'{CACHED}write @route\(effect="read", cache=Cache\(max_age=60\)\)',
    **dict.fromkeys(("ETag", "Expires", "Last-Modified"), CACHED),
    "Vary": rf"{CACHED}.*cache=Cache\(max_age=60, vary=\[\"Accept-Language\"\]\)",
    **dict.fromkeys(("Deprecation", "Sunset"), OLD),
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
    why = rf"^headers_out\.{method}\(name=\): '{name}' is not set here: {TAKEN[name]}"
    with pytest.raises(ValueError, match=why):
        getattr(headers, method)(name, "x")

    assert headers.pairs == ()


NOT_ASCII = r"set\('X-A', value=\): '\\r' at 1 is not printable ASCII; write urllib\.parse\.quote"
HEADERS: list[tuple[type[Exception], str, str, Any, Any]] = [
    (ValueError, r"set\(name=\): '' is not a valid header name; write it like 'X-", "set", "", "x"),
    (ValueError, r"append\(name=\): 'x-a\\nx-b' is not a valid header", "append", "x-a\nx-b", "x"),
    (ValueError, "'x: a' is not a valid header name", "set", "x: a", "x"),
    (ValueError, "is not a valid header name", "set", "X-Ä", "x"),
    (TypeError, r"set\(name=\): b'x' is not a valid header name; write it like", "set", b"x", "x"),
    (ValueError, NOT_ASCII, "set", "X-A", f"a\r\nset-cookie: {SECRET}"),
    (ValueError, r"'\\n' at 1", "append", "X-A", "a\n"),
    (ValueError, r"'\\x00' at 0", "set", "X-A", "\0"),
    (ValueError, r"'\\x7f' at 0", "set", "X-A", "\x7f"),
    (ValueError, r"'\\xe9' at 3", "set", "X-A", "café"),
    (ValueError, r"value=\): there are spaces around it; write \.strip", "set", "X-A", f" {SECRET}"),
    (TypeError, r"set\('X-A', value=\): it is of type int; give a text, such", "set", "X-A", 1),
    (TypeError, r"append\('X-A', value=\): it is None; give a text", "append", "X-A", None),
]  # fmt: skip
ONLY_SECURE = "is kept only with secure=True"
NO_VALUE = (
    r"set_cookie\('a', value=\): ';' at 1 is not valid in a cookie; write urllib\.parse\.quote"
)
# the arguments of a cookie that differ from those of a good one
COOKIES: list[tuple[type[Exception], str, dict[str, Any]]] = [
    (ValueError, r"\(name=\): 'a b' is not a valid cookie name; write it like 's", {"name": "a b"}),
    (ValueError, "is not a valid cookie name", {"name": ""}),
    (TypeError, "1 is not a valid cookie name", {"name": 1}),
    (ValueError, NO_VALUE, {"value": f"b; Domain={SECRET}"}),
    (ValueError, r"'\\n' at 1 is not valid in a cookie", {"value": "b\n"}),
    *((ValueError, "is not valid in a cookie", {"value": wrong}) for wrong in ('"', ",", "\\", " ")),
    (TypeError, r"set_cookie\('a', value=\): it is of type int", {"value": 1}),
    (ValueError, "it is longer than the 4096 characters, name and value, that browsers keep; store it", {"value": "x" * 4096}),
    (ValueError, r"\(path=\): '/;' is not a path; write it like '/v1'", {"path": "/;"}),
    (ValueError, "is not a path", {"path": "v1"}),
    (TypeError, "None is not a path", {"path": None}),
    (ValueError, r"\(domain=\): 'a;b' is not a host; write it like 'shop\.ex", {"domain": "a;b"}),
    (ValueError, "is not a host", {"domain": ".shop.example"}),
    (TypeError, "is not a host", {"domain": 1}),
    (TypeError, r"\(max_age=\): 1\.5 is not a whole number of seconds", {"max_age": 1.5}),
    (TypeError, "True is not a whole number", {"max_age": True}),
    (ValueError, r"-1 is below 0; write headers_out\.delete_cookie", {"max_age": -1}),
    (TypeError, r"\(secure=\): 'no' will not do; give True or False", {"secure": "no"}),
    (TypeError, r"\(http_only=\): 0 will not do", {"http_only": 0}),
    (ValueError, r"\(same_site=\): 'Lax' is not valid; write 'strict', ", {"same_site": "Lax"}),
    (ValueError, r"same_site=\): None is not valid", {"same_site": None}),
    (ValueError, rf"same_site=\): 'none' {ONLY_SECURE}", {"secure": False, "same_site": "none"}),
    *((ValueError, f"'{name}' {ONLY_SECURE}", {"name": name, "secure": False}) for name in ("__Secure-a", "__Host-a")),
    *(
        (ValueError, "is kept only with path='/' and domain=None", {"name": name, **more})
        for name in ("__host-a", "__Host-a")
        for more in ({"path": "/v1"}, {"domain": "shop.example"})
    ),
]  # fmt: skip


@rows(
    "kind, said, method, given",
    *(
        (kind, said, method, {"name": name, "value": value})
        for kind, said, method, name, value in HEADERS
    ),
    *(
        (kind, said, "set_cookie", {"name": "a", "value": "b"} | given)
        for kind, said, given in COOKIES
    ),
)
def test_what_cannot_be_sent_is_refused_with_the_mend(
    kind: type[Exception], said: str, method: str, given: dict[str, Any]
) -> None:
    headers = HeadersOut()
    with pytest.raises(kind, match=said) as raised:
        getattr(headers, method)(**given)

    assert str(raised.value).startswith("headers_out.")
    assert SECRET not in str(raised.value)
    assert headers.pairs == ()


def test_a_cookie_may_be_as_long_as_browsers_keep() -> None:
    headers = HeadersOut()
    headers.set_cookie("a", "x" * 4095)

    assert len(headers.pairs) == 1
