"""
Headers of an answer: what a resolver or a hook sends besides its output.

They are checked when they are set, so that the traceback of a wrong one shows the line to fix.
Headers that the framework or the server sets itself are refused: an answer with two of them could
mean one thing to a proxy and another to a client.
"""

from __future__ import annotations

import re
from _thread import allocate_lock
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, final

from contract.shape.header_values import HEADER_WORD
from contract.shape.quoting import described, instead_of_flag, shown

__all__ = ["HeadersOut", "SameSite"]

SameSite = Literal["strict", "lax", "none"]
"""When a browser sends a cookie with requests that another site makes (RFC 6265bis, 4.1.2.7)."""


@final
class HeadersOut:
    """
    More headers and cookies for an answer: ``current_call().headers_out``.

    ::

        current_call().headers_out.set("X-Total-Count", "120")
        current_call().headers_out.set_cookie("session", session.id, max_age=3600)

    They are sent with the output, and with every failure except INTERNAL_ERROR and
    DEADLINE_EXCEEDED. MCP clients do not get them. Each method raises a TypeError or a ValueError
    that says what to write instead. Threads of one call may share the object.
    """

    __slots__ = ("_cookies", "_headers", "_lock")

    def __init__(self) -> None:
        self._headers: Final[dict[str, str]] = {}
        self._cookies: Final[dict[tuple[str, str, str | None], str]] = {}
        self._lock: Final = allocate_lock()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the headers, in lower case, without those of cookies."""
        return tuple(self._headers)

    @property
    def sets_cookies(self) -> bool:
        """Whether a cookie is among them, including one to delete."""
        return bool(self._cookies)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Names in lower case with their values; each cookie is a ``set-cookie``."""
        headers = tuple(self._headers.items())
        if not self._cookies:
            return headers
        return headers + tuple(("set-cookie", cookie) for cookie in self._cookies.values())

    def set(self, name: str, value: str) -> None:
        """
        Set a header; this replaces any earlier value.

        Args:
            name: The name, in any case.
            value: Printable ASCII.
        """
        known = _name("set", name)
        self._headers[known] = _value("set", name, value)

    def append(self, name: str, value: str) -> None:
        """
        Add a value to a header; earlier values stay, separated by a comma.

        Args:
            name: The name, in any case.
            value: Printable ASCII.
        """
        known, more = _name("append", name), _value("append", name, value)
        with self._lock:
            before = self._headers.get(known)
            if before is not None:
                more = f"{before}, {more}"  # RFC 9110, section 5.3
            self._headers[known] = more

    def set_cookie(
        self,
        name: str,
        value: str,
        *,
        max_age: int | None = None,
        path: str = "/",
        domain: str | None = None,
        secure: bool = True,
        http_only: bool = True,
        same_site: SameSite = "lax",
    ) -> None:
        """
        Set a cookie (RFC 6265); this replaces one with the same name, path and domain.

        Args:
            name: The characters of a header's name; case matters.
            value: Printable ASCII without spaces, commas, semicolons, quotes and backslashes.
            max_age: Seconds for which browsers keep it; None to keep it until they are closed.
            path: The path that it is sent to, with everything below.
            domain: The host that it is sent to, with its subdomains; None for this host alone.
            secure: Whether it is sent only over HTTPS (and to localhost).
            http_only: Whether it is hidden from scripts of pages.
            same_site: Whether it is sent with requests that another site makes.
        """
        cookie = _fitting(
            "set_cookie(name=)", name, HEADER_WORD, "not a valid cookie name", "session"
        )
        below = _fitting("set_cookie(path=)", path, r"/[!-:<-~]*", "not a path", "/v1")
        parts = [f"{cookie}={_cookie_value(cookie, value)}"]
        if max_age is not None:
            parts.append(f"Max-Age={_seconds(max_age)}")
        parts.append(f"Path={below}")
        if domain is not None:
            domain = _fitting("set_cookie(domain=)", domain, _HOST, "not a host", "shop.example")
            parts.append(f"Domain={domain}")
        if _flag("secure", secure):
            parts.append("Secure")
        if _flag("http_only", http_only):
            parts.append("HttpOnly")
        parts.append(f"SameSite={_site(same_site, secure=secure)}")
        _check_prefix(cookie, whole_host=below == "/" and domain is None, secure=secure)
        # to a browser, a cookie is the same if all of these are (RFC 6265, section 5.3)
        self._cookies[cookie, below, domain] = "; ".join(parts)

    def delete_cookie(
        self,
        name: str,
        *,
        path: str = "/",
        domain: str | None = None,
        secure: bool = True,
        same_site: SameSite = "lax",
    ) -> None:
        """
        Make browsers delete a cookie.

        They do if all arguments are the same as when the cookie was set.
        """
        self.set_cookie(
            name, "", max_age=0, path=path, domain=domain, secure=secure, same_site=same_site
        )

    def __repr__(self) -> str:
        """Leave out the values: a cookie may be secret."""
        names = [*self._headers, *(f"cookie {name}" for name, _, _ in self._cookies)]
        return f"HeadersOut({', '.join(names)})"


_BODY: Final = "it says what the body is, and the framework does; leave it out"
_SERVER: Final = "the server says it; leave it out"
_KEPT: Final = 'caches keep the answers of reads; write @route(effect="read", cache=Cache({}))'
_OLD: Final = "write @route(deprecated=Deprecated(...))"

_TAKEN: Final[Mapping[str, str]] = {
    **dict.fromkeys(("content-type", "content-length", "content-encoding"), _BODY),
    **dict.fromkeys(("content-range", "accept-ranges"), _BODY),
    **dict.fromkeys(("connection", "keep-alive", "proxy-connection", "te", "trailer"), _SERVER),
    **dict.fromkeys(("proxy-authenticate", "proxy-authorization"), _SERVER),
    **dict.fromkeys(("transfer-encoding", "upgrade", "date", "server", "status"), _SERVER),
    **dict.fromkeys(
        ("cache-control", "etag", "expires", "last-modified"), _KEPT.format("max_age=60")
    ),
    "vary": _KEPT.format('max_age=60, vary=["Accept-Language"]'),
    **dict.fromkeys(("deprecation", "sunset"), _OLD),
    "x-request-id": "every answer has it; current_call().request_id gives it",
    "x-content-type-options": "every answer has it; leave it out",
    "www-authenticate": "a 401 says it; let authenticate return None",
    "allow": "a 405 says it; leave it out",
    "accept-encoding": "a 415 says it; leave it out",
    "retry-after": "return TooManyRequests(retry_after=...) or ServiceUnavailable(retry_after=...)",
    "set-cookie": "write headers_out.set_cookie(...)",
}
"""Headers that cannot be set here -> what to write instead."""

# the mount says which pages may read an answer; a header of a call could let in every page
_CORS: Final = "access-control-"


def _name(method: str, name: object) -> str:
    """The name of a header that may be set, in lower case."""
    if type(name) is str:
        fine = _fine(name)
        if fine is not None:
            return fine
    where = f"{method}(name=)"
    known = _fitting(where, name, HEADER_WORD, "not a valid header name", "X-Total").lower()
    fix = _TAKEN.get(known)
    if known.startswith(_CORS):
        fix = "write mount_spec(cors_origins=[...]); pages then see what is set here, too"
    if fix is not None:
        raise ValueError(f"headers_out.{where}: {described(name)} is not set here: {fix}")
    return known


@lru_cache(256)
def _fine(name: str) -> str | None:
    """The *name* in lower case, if it may be set; cached, since programs set few names."""
    known = name.lower()
    fits = _IS_NAME(name) is not None and known not in _TAKEN and not known.startswith(_CORS)
    return known if fits else None


_IS_NAME: Final = re.compile(HEADER_WORD).fullmatch
_IS_VALUE: Final = re.compile(r"[!-~](?:[\t -~]*[!-~])?").fullmatch


def _fitting(where: str, value: object, grammar: str, problem: str, example: str) -> str:
    """
    The *value*, which must match the *grammar*, as a plain str.

    A subclass of str may have methods that return something else when it is sent.
    """
    if not (isinstance(value, str) and re.fullmatch(grammar, value)):
        kind = ValueError if isinstance(value, str) else TypeError
        raise kind(
            f"headers_out.{where}: {described(value)} is {problem}; write it like {example!r}"
        )
    return str.__str__(value)


def _value(method: str, name: str, value: object) -> str:
    """The value of a header; a line feed would make it two headers (RFC 9110, section 5.5)."""
    if type(value) is str and _IS_VALUE(value) is not None:
        return value
    where = f"{method}({name!r}, value=)"
    advice = "is not printable ASCII; write urllib.parse.quote(...) around it, or leave it out"
    text = _text(where, value, r"[^\t -~]", advice)
    if text != text.strip():
        raise ValueError(
            f"headers_out.{where}: there are spaces around it; write .strip() after it"
        )
    return text


def _cookie_value(name: str, value: object) -> str:
    where = f"set_cookie({name!r}, value=)"
    advice = "is not valid in a cookie; write urllib.parse.quote(..., safe='') around it"
    text = _text(where, value, r"[^!#-+\--:<-\[\]-~]", advice)
    if len(name) + len(text) > _LARGEST:
        raise ValueError(
            f"headers_out.{where}: it is longer than the {_LARGEST} characters, name and "
            "value, that browsers keep; store it, and set its key"
        )
    return text


# Browsers drop a cookie whose name and value have more bytes together (RFC 6265bis).
_LARGEST: Final = 4096
_HOST: Final = r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*"


def _text(where: str, value: object, wrong: str, advice: str) -> str:
    """
    The *value* as a plain str without *wrong* characters; it may be secret, so it is not shown.
    """
    if not isinstance(value, str):
        given = "None" if value is None else f"of type {type(value).__name__}"
        raise TypeError(f"headers_out.{where}: it is {given}; give a text, such as str(...)")
    found = re.search(wrong, value)
    if found is not None:
        raise ValueError(f"headers_out.{where}: {found[0]!a} at {found.start()} {advice}")
    return str.__str__(value)


def _seconds(value: object) -> int:
    where = "headers_out.set_cookie(max_age=)"
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{where}: {described(value)} is not a whole number of seconds; write 3600")
    if value < 0:
        raise ValueError(f"{where}: {shown(value)} is below 0; write headers_out.delete_cookie")
    return int.__int__(value)


def _flag(name: str, value: object) -> bool:
    instead = instead_of_flag(value)
    if instead is not None:
        raise TypeError(
            f"headers_out.set_cookie({name}=): {described(value)} will not do; {instead}"
        )
    return value is True


def _site(value: object, *, secure: bool) -> str:
    where = "headers_out.set_cookie(same_site=)"
    found = _SITES.get(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError(
            f"{where}: {described(value)} is not valid; write 'strict', 'lax' or 'none'"
        )
    if found == "None" and not secure:
        raise ValueError(f"{where}: 'none' is kept only with secure=True; leave it so")
    return found


_SITES: Final[Mapping[str, str]] = {"strict": "Strict", "lax": "Lax", "none": "None"}


def _check_prefix(name: str, *, whole_host: bool, secure: bool) -> None:
    """Check the rules for names with a prefix, since browsers silently drop such cookies."""
    known, where = name.lower(), "headers_out.set_cookie(name=)"
    if known.startswith(("__secure-", "__host-")) and not secure:
        raise ValueError(f"{where}: {name!r} is kept only with secure=True; leave it so")
    if known.startswith("__host-") and not whole_host:
        raise ValueError(
            f"{where}: {name!r} is kept only with path='/' and domain=None; leave them so"
        )
