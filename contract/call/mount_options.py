"""
Options: what a mount may be told, checked when it is told.

A wrong option that is found at the first request is found by a caller; here it is found by whoever
wrote it, in an exception that names the option and says what to write instead.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, Literal, cast, final

from contract.call.context import CallEvent
from contract.call.dispatch import ErrorMapper
from contract.declare.arguments import described, quoted
from contract.declare.resolver import is_async_callable, place_of, shown, takes, underlying
from contract.declare.spec import Spec
from contract.declare.urls import check_path
from contract.shape.annotations import parameters_of
from contract.shape.exceptions import MountError
from contract.shape.record import record

__all__ = ["Limits", "Options", "check_is", "check_spec", "own_names"]


@final
@record
class Limits:
    """
    What one mount grants its callers.

    A deadline is counted for each step of a call (the hook that authenticates, the resolver) and
    not for all of them together, so a bearer call may take it twice. It ends the waiting for a
    step, which is not always the step: a thread cannot be stopped, and what a synchronous hook or
    resolver still does after its deadline goes on, with its reply dropped. With a deadline, these
    run in threads of the mount's on WSGI too, while the server's own thread waits.

    Args:
        read_seconds: Without progress of a body before 408. After as many seconds, a body has to
            have brought 512 bytes a second on average. This and *body_seconds* are kept on ASGI and
            by ``contract serve``; other WSGI servers have limits of their own.
        deadline_seconds: For each step of a call, before 504; None for no limit.
        threads: Synchronous resolvers that run at once on ASGI, and on WSGI where there is a
            deadline.
        queue: Calls that may wait for a thread before the answer is 503; 0 for none.
        body_seconds: For the whole of a body, before 408.

    Raises:
        MountError: One of them is no such number.
    """

    read_seconds: float = 10.0
    deadline_seconds: float | None = None
    threads: int = 40
    queue: int = 200
    body_seconds: float = 60.0

    def __post_init__(self) -> None:
        _check_seconds("Limits(read_seconds=)", self.read_seconds, "10.0")
        _check_seconds("Limits(body_seconds=)", self.body_seconds, "60.0")
        if self.deadline_seconds is not None:
            _check_seconds(
                "Limits(deadline_seconds=)", self.deadline_seconds, "30.0, or None for no limit"
            )
        _check_whole("Limits(threads=)", self.threads, 1, _MANY, "40")
        _check_whole("Limits(queue=)", self.queue, 0, _MANY, "200")


@final
@record(kw_only=True)
class Options:
    """
    The options of a mount; `contract.mount_spec` takes each as a keyword of the same name.

    Raises:
        MountError: One of them will not do, or two do not go together.
    """

    prefix: str = ""
    docs: bool = True
    docs_path: str = "/docs"
    mcp_path: str | None = "/mcp"
    visibility: Literal["public", "all"] = "public"
    max_body_bytes: int = 1_048_576
    logging: bool = True
    on_call: Callable[[CallEvent], None] | None = None
    handle_unhandled_error: ErrorMapper | None = None
    cors_origins: Sequence[str] = ()
    cors_headers: Sequence[str] = ()
    mcp_origins: Sequence[str] = ()
    mcp_challenge: Literal["call", "connect"] = "call"
    authorization_servers: Sequence[str] = ()
    public_url: str | None = None
    health_path: str | None = None
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        check_path("mount_spec(prefix=)", self.prefix, none='""')
        check_path("mount_spec(docs_path=)", self.docs_path, none="docs=False")
        for name in ("mcp_path", "health_path"):
            path: object = getattr(self, name)
            if path is not None:
                check_path(f"mount_spec({name}=)", path, none="None")
        _check_apart(self)
        _check_flag("docs", self.docs)
        _check_flag("logging", self.logging)
        if self.visibility not in ("public", "all"):
            raise MountError(
                "mount_spec(visibility=)",
                f'{described(self.visibility)} is none; write "public" or "all"',
            )
        _check_whole("mount_spec(max_body_bytes=)", self.max_body_bytes, 1, None, "1_048_576")
        _check_called("on_call", self.on_call, "event")
        _check_called("handle_unhandled_error", self.handle_unhandled_error, "exception", "request")
        for name in ("cors_origins", "mcp_origins"):
            object.__setattr__(self, name, _origins(name, getattr(self, name)))
        object.__setattr__(self, "cors_headers", _header_names(self.cors_headers))
        if self.cors_headers and not (self.cors_origins or self.mcp_origins):
            raise MountError(
                "mount_spec(cors_headers=)",
                "no page may call yet; give cors_origins=['https://app.example'] too",
            )
        if self.mcp_challenge not in ("call", "connect"):
            raise MountError(
                "mount_spec(mcp_challenge=)",
                f'{described(self.mcp_challenge)} is none; write "call" or "connect"',
            )
        object.__setattr__(self, "authorization_servers", _servers(self.authorization_servers))
        if self.public_url is not None:
            _check_url("mount_spec(public_url=)", self.public_url, "https://api.example")
            object.__setattr__(self, "public_url", self.public_url.rstrip("/"))
        check_is(
            "mount_spec(limits=)",
            self.limits,
            Limits,
            "write Limits(...), from contract import Limits, or leave it out",
        )


def check_is(where: str, value: object, kind: type, advice: str) -> None:
    """
    See whether *value* is a *kind*; the type checker has said so already, to whoever asks one.

    Raises:
        MountError: It is not.
    """
    if not isinstance(value, kind):
        raise MountError(where, f"{described(value)} is no {kind.__name__}; {advice}")


def check_spec(where: str, value: object) -> None:
    """
    See whether *value* is what `contract.spec` made.

    Raises:
        MountError: It is not.
    """
    check_is(where, value, Spec, "write spec(routes=routes(...)), and give what comes of it")


def own_names(options: Options) -> Mapping[str, str]:
    """Names that no route may have, each with the option for whose sake."""
    return {path.split("/")[1]: option for option, path in _own_paths(options)}


def _own_paths(options: Options) -> list[tuple[str, str]]:
    """
    What a mount serves beside its routes: the option that says so, and the path below the prefix.
    """
    documents = (
        [("docs", "/contract.json"), ("docs", "/openapi.json"), ("docs_path", options.docs_path)]
        if options.docs
        else []
    )
    others = (("mcp_path", options.mcp_path), ("health_path", options.health_path))
    return [*documents, *((option, path) for option, path in others if path is not None)]


def _check_apart(options: Options) -> None:
    own = _own_paths(options)
    for index, (option, path) in enumerate(own):
        for other, taken in own[:index]:
            if f"{path}/".startswith(f"{taken}/") or taken.startswith(f"{path}/"):
                whose = "the document" if other == "docs" else f"{other}="
                raise MountError(
                    f"mount_spec({option}=)",
                    f"{path!r} collides with {whose} {taken!r}; choose paths that do not contain each other",
                )


_MANY: Final = 1_000_000
"""More threads, or waiting calls, than any process has room for."""

_ORIGIN: Final = re.compile(
    r"https?://(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::[1-9][0-9]{0,4})?"
)
"""An origin as browsers send it (RFC 6454, section 6.2): in lower case."""


def _origins(name: str, given: object) -> tuple[str, ...]:
    where = f"mount_spec({name}=)"
    if not isinstance(given, Sequence) or isinstance(given, str | bytes | bytearray):
        raise MountError(
            where, f"{described(given)} is no list of origins; write ['https://app.example']"
        )
    origins = tuple(cast("Sequence[object]", given))
    for origin in origins:
        problem = _wrong_origin(origin)
        if problem is not None:
            raise MountError(where, f"{described(origin)} {problem}")
    return cast("tuple[str, ...]", origins)


def _wrong_origin(origin: object) -> str | None:
    if not isinstance(origin, str):
        return "is no origin; write it like 'https://app.example'"
    if origin == "*" or "*" in origin:
        return "would let every page in; name each origin, such as 'https://app.example'"
    if origin == "null":
        return "is the origin of every page that hides its own; serve the page from an origin, and name that"
    if not _ORIGIN.fullmatch(origin):
        rule = (
            "scheme (http or https), host and port, in lower case, with no path and no slash behind"
        )
        return f"is no origin; write it like 'https://app.example': {rule}"
    if origin.startswith("https") and origin.endswith(":443"):
        return f"would never be met, since browsers leave that port out; write {origin.removesuffix(':443')!r}"
    if origin.startswith("http:") and origin.endswith(":80"):
        return f"would never be met, since browsers leave that port out; write {origin.removesuffix(':80')!r}"
    return None


_HEADER: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
"""The name of a header (RFC 9110, section 5.1)."""


def _header_names(given: object) -> tuple[str, ...]:
    where = "mount_spec(cors_headers=)"
    if not isinstance(given, Sequence) or isinstance(given, str | bytes | bytearray):
        raise MountError(
            where, f"{described(given)} is no list of header names; write ['X-Tenant']"
        )
    for name in cast("Sequence[object]", given):
        if name == "*":
            raise MountError(
                where,
                "'*' would let pages send every header but Authorization; name each, such as 'X-Tenant'",
            )
        if not isinstance(name, str) or not _HEADER.fullmatch(name):
            raise MountError(
                where, f"{described(name)} is no name of a header; write it like 'X-Tenant'"
            )
    return tuple(name.lower() for name in cast("Sequence[str]", given))


_URL: Final = re.compile(
    r"https?://(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:/[!$&-;=@-Z_a-z~%]*)?"
)
"""Of a server: nothing in front of its host, no query, no fragment."""

_LOOPBACK_URL: Final = re.compile(r"http://(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?![^:/])")


def _servers(given: object) -> tuple[str, ...]:
    where = "mount_spec(authorization_servers=)"
    if not isinstance(given, Sequence) or isinstance(given, str | bytes | bytearray):
        raise MountError(
            where, f"{described(given)} is no list of URLs; write ['https://login.example']"
        )
    servers = tuple(cast("Sequence[object]", given))
    for server in servers:
        _check_url(where, server, "https://login.example")
    return cast("tuple[str, ...]", servers)


def _check_url(where: str, url: object, example: str) -> None:
    """See whether *url* is that of a server: with https, but on this machine."""
    if not isinstance(url, str) or not _URL.fullmatch(url):
        raise MountError(
            where,
            f"{described(url)} is no URL of a server; write it like {example!r}, with no query and no fragment",
        )
    if not url.startswith("https:") and not _LOOPBACK_URL.match(url):
        raise MountError(
            where,
            f"{quoted(url)} is not safe from whoever stands between; tokens need https, such as {example!r}",
        )


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise MountError(
            f"mount_spec({name}=)", f"{described(value)} will not do; write True or False"
        )


def _check_whole(where: str, value: object, least: int, most: int | None, example: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise MountError(
            where, f"{described(value)} is no whole number; write one, such as {example}"
        )
    if value < least or (most is not None and value > most):
        limits = f"at least {least}" if most is None else f"from {least} to {most:_}"
        raise MountError(
            where, f"{quoted(value)} is not {limits}; write one that is, such as {example}"
        )


def _check_seconds(where: str, value: object, example: str) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise MountError(
            where, f"{described(value)} is no number of seconds; write one, such as {example}"
        )
    if not 0 < value < math.inf:
        raise MountError(
            where,
            f"{quoted(value)} is not above 0 and finite; write a number that is, such as {example}",
        )


def _check_called(name: str, function: Any, *given: str) -> None:
    """
    See whether *function* can be called with what is *given*, and does then what it has to do.
    """
    if function is None:
        return
    where, taken = f"mount_spec({name}=)", f"({', '.join(given)})"
    if not callable(function):
        raise MountError(
            where, f"{described(function)} cannot be called; give a function that takes {taken}"
        )
    place = place_of(function)
    plain = underlying(function)
    if is_async_callable(function) or inspect.isasyncgenfunction(plain):
        raise MountError(
            where,
            f"it is async, and nobody would await it; write `def` instead of `async def` ({place})",
        )
    if inspect.isgeneratorfunction(plain):
        raise MountError(
            where, f"it is a generator, of which nothing would run; leave out `yield` ({place})"
        )
    try:
        parameters = parameters_of(function)
    except TypeError:  # written in C, or a class: then it is seen when it is called
        return
    if not takes(parameters, len(given)):
        raise MountError(
            where, f"it takes {shown(parameters)}, and is called with {taken} ({place})"
        )
