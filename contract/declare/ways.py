"""
Ways in: the credentials that identify a caller, each with the function that checks them.

A bearer token is the default, and needs nothing from here. An API key has its own header, and a
cookie is in ``Cookie``. Browsers also send a cookie when another site's page makes a request, so it
is accepted only from pages of the same origin, and from the *origins* that its way names.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import field
from typing import Any, Final, Generic, Literal, TypeVar, cast, final, overload

from contract.declare.failures import Builtin
from contract.declare.hook import Request
from contract.shape.exceptions import SpecError
from contract.shape.quoting import described, shown
from contract.shape.record import record
from contract.shape.urls import instead_of_origin

__all__ = [
    "Credential",
    "Kind",
    "Shown",
    "Way",
    "api_key",
    "bearer",
    "cookie",
    "cookies_in",
    "ways",
]

C = TypeVar("C")
C_co = TypeVar("C_co", covariant=True)
C1 = TypeVar("C1")
C2 = TypeVar("C2")
C3 = TypeVar("C3")
C4 = TypeVar("C4")

_AtOnce = Callable[[str, Request], C | Builtin | None]
"""A function from a credential and the request to the context."""
_Later = Callable[[str, Request], Awaitable[C | Builtin | None]]
"""An async one."""

Kind = Literal["bearer", "header", "cookie"]
"""The place of a credential in a request."""


@final
@record(eq=False)
class Credential:
    """A kind of credential that callers may send, and the function that checks it."""

    kind: Kind
    name: str
    """The name of its header as given, or of its cookie; "bearer" for a token."""
    function: Callable[[str, Request], Any] = field(repr=False)
    origins: tuple[str, ...] = ()
    """The origins of other pages that may send the cookie."""

    @property
    def header(self) -> str:
        """The name of the header that holds it, in lower case."""
        return _HEADERS.get(self.kind) or self.name.lower()

    @property
    def shown_header(self) -> str:
        """The name of that header as people write it."""
        return self.name if self.kind == "header" else self.header.capitalize()


_HEADERS: Final = {"bearer": "authorization", "cookie": "cookie"}


@final
class Shown(str):
    """
    The credential of a call, with its kind.

    Whoever reads the request settles the kind once; `Way` relies on it.
    """

    __slots__ = ("credential",)

    credential: Credential

    @classmethod
    def of(cls, credential: Credential, value: str) -> Shown:
        """The *value* of this kind of credential."""
        shown_ = cls(value)
        shown_.credential = credential
        return shown_


@final
class Way(Generic[C_co]):
    """
    One way in, or several: the result of `bearer`, `api_key`, `cookie` or `ways`.

    It is called like any ``authenticate``: with a credential and the request that carried it.

    Attributes:
        credentials: The kinds that it takes.
    """

    __slots__ = ("credentials",)

    def __init__(self, credentials: tuple[Credential, ...]) -> None:
        self.credentials: Final = credentials

    def __repr__(self) -> str:
        names = ", ".join(each.name for each in self.credentials)
        return f"<way in by {names}>"

    def __call__(self, token: str, request: Request, /) -> C_co | Builtin | None:
        """The context, from the function for the kind of *token*; by default the first function."""
        credential = token.credential if isinstance(token, Shown) else self.credentials[0]
        found: Any = credential.function(str(token), request)
        return cast("C_co | Builtin | None", found)


def cookies_in(header: str | None, name: str) -> list[str]:
    """
    The non-empty values of the cookies of this *name* (RFC 6265, section 5.4).

    A comma does not end a cookie: browsers keep it in values, which other hosts may have set.
    """
    if header is None:
        return []
    found: list[str] = []
    for part in header.split(";"):
        its_name, _, value = part.strip(" \t").partition("=")
        if its_name == name and value:
            found.append(value)
    return found


@overload
def bearer(authenticate: _Later[C], /) -> Way[C]: ...
@overload
def bearer(authenticate: _AtOnce[C], /) -> Way[C]: ...
def bearer(authenticate: Callable[[str, Request], Any], /) -> Way[Any]:
    """
    Let callers in by a bearer token, as `spec` does by default; for use in `ways`.

    Args:
        authenticate: From the token and the request to the context.
    """
    return Way((Credential("bearer", "bearer", authenticate),))


@overload
def api_key(authenticate: _Later[C], /, *, header: str) -> Way[C]: ...
@overload
def api_key(authenticate: _AtOnce[C], /, *, header: str) -> Way[C]: ...
def api_key(authenticate: Callable[[str, Request], Any], /, *, header: str) -> Way[Any]:
    """
    Let callers in by a key in its own header.

    ::

        api = spec(authenticate=api_key(robot_of, header="X-Key"), routes=routes(order))

    Args:
        authenticate: From the key and the request to the context.
        header: The name of the header.

    Raises:
        SpecError: The header already means something else.
    """
    where = "api_key(header=)"
    if not isinstance(cast("object", header), str) or not _HEADER.fullmatch(header):
        raise SpecError(
            where, f"{described(header)} is not a valid header name; write it like 'X-Key'"
        )
    if _MEANT.fullmatch(header.lower()):
        raise SpecError(where, f"{header} means something else already; write it like 'X-Key'")
    return Way((Credential("header", header, authenticate),))


_HEADER: Final = re.compile(r"[A-Za-z](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?")
"""Letters, digits and hyphens. WSGI reads an underscore as a hyphen: X_Key would be X-Key."""
# Headers that mean something in HTTP, in browsers, in tracing or to this package. A key in one of
# them would be read, or changed, by others. "bearer" is the name of the way in by a token.
_MEANT: Final = re.compile(
    r"(?:accept|access-control|content|if|mcp|proxy|sec|x-forwarded)(?:-.*)?"
    r"|age|alt-svc|authorization|bearer|cache-control|connection|cookie|date|expect|forwarded|from"
    r"|host|keep-alive|last-event-id|max-forwards|origin|pragma|range|referer|set-cookie|te"
    r"|traceparent|tracestate|trailer|transfer-encoding|upgrade|user-agent|vary|via|warning"
    r"|www-authenticate|x-request-id"
)


@overload
def cookie(authenticate: _Later[C], /, *, name: str, origins: Sequence[str] = ...) -> Way[C]: ...
@overload
def cookie(authenticate: _AtOnce[C], /, *, name: str, origins: Sequence[str] = ...) -> Way[C]: ...
def cookie(
    authenticate: Callable[[str, Request], Any], /, *, name: str, origins: Sequence[str] = ()
) -> Way[Any]:
    """
    Let pages in by a cookie.

    A browser also sends the cookie with requests that another site's page makes. So it is accepted
    only if ``Origin`` is the origin of the service or one of *origins*; without ``Origin``, only if
    ``Sec-Fetch-Site`` is ``same-origin`` or ``none``. Any other call is answered with 403. A cookie
    is not accepted over MCP.

    Args:
        authenticate: From the value of the cookie and the request to the context.
        name: The name of the cookie; with the prefix ``__Host-``, other hosts cannot set it.
        origins: Pages elsewhere that may send it, such as "https://app.example". To read the
            answers they also need ``cors_origins`` of the mount.

    Raises:
        SpecError: The cookie's name or an origin is not valid.
    """
    if not isinstance(cast("object", name), str) or not _COOKIE.fullmatch(name):
        raise SpecError(
            "cookie(name=)", f"{described(name)} is not a valid cookie name; write it like 'sid'"
        )
    if isinstance(cast("object", origins), str):
        raise SpecError("cookie(origins=)", f"it takes several; write [{shown(origins)}]")
    for at, origin in enumerate(origins):
        problem = instead_of_origin(origin)
        if problem is not None:
            raise SpecError(f"cookie(origins=)[{at}]", f"{described(origin)} {problem}")
    return Way((Credential("cookie", name, authenticate, tuple(origins)),))


# not "bearer", which is the name of the way in by a token
_COOKIE: Final = re.compile(r"(?!(?i:bearer)\Z)[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")


@overload
def ways(first: Way[C1], /) -> Way[C1]: ...
@overload
def ways(first: Way[C1], second: Way[C2], /) -> Way[C1 | C2]: ...
@overload
def ways(first: Way[C1], second: Way[C2], third: Way[C3], /) -> Way[C1 | C2 | C3]: ...
@overload
def ways(
    first: Way[C1], second: Way[C2], third: Way[C3], fourth: Way[C4], /
) -> Way[C1 | C2 | C3 | C4]: ...
@overload
def ways(*each: Way[C]) -> Way[C]: ...
def ways(*each: Way[Any]) -> Way[Any]:
    """
    Let callers in by one of several credentials; a call with two of them is a BAD_REQUEST.

    ::

        authenticate = ways(
            bearer(user_of), api_key(robot_of, header="X-Key"), cookie(page_of, name="sid")
        )

    The context is the result of the function for the credential that was sent.

    Args:
        each: Results of `bearer`, `api_key` and `cookie`.

    Raises:
        SpecError: There is none, or two have the same name.
    """
    taken: dict[str, Credential] = {}
    for at, way in enumerate(each):
        if not isinstance(cast("object", way), Way):
            raise SpecError(
                f"ways()[{at}]",
                f"{shown(way)} is not a way in; write bearer(...), api_key(...) or cookie(...)",
            )
        for credential in way.credentials:
            if taken.setdefault(credential.name.lower(), credential) is not credential:
                raise SpecError(
                    f"ways()[{at}]",
                    f"two ways in are called {credential.name}; documents and clients tell them "
                    "apart by that; give one of them another name",
                )
    if not taken:
        raise SpecError("ways()", "there is none; write ways(bearer(user_of), ...)")
    return Way(tuple(taken.values()))
