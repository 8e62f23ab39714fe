"""
Falcon: a spec inside a ``falcon.App`` or a ``falcon.asgi.App``.

A mount is one sink, which looks its path up in a dict. Falcon asks its router first, so the app's
own routes win, and a thousand routes cost no more than ten. The app's middleware runs around every
call; its error handlers see no call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, cast, final

import falcon
import falcon.asgi
import falcon.inspect

from contract.adapters.asgi import AsgiFront
from contract.adapters.falcon_inside import (
    FalconAsgi,
    FalconWsgi,
    Life,
    asgi_sink,
    matchers_of,
    wsgi_sink,
)
from contract.adapters.mount import service_of
from contract.adapters.pool import lanes_of
from contract.adapters.wsgi import WsgiFront
from contract.call.context import CallEvent
from contract.call.mount_options import Limits, Options, check_is, check_spec
from contract.call.service import Service
from contract.declare.failures import Failure
from contract.declare.hook import Request
from contract.declare.spec import AnySpec
from contract.document import Document
from contract.document.emit import document_of
from contract.shape.exceptions import MountError

__all__ = ["Mount", "mount_spec", "mounts_of"]

_SINK: Final = "contract_mount"
"""The name of our sinks, by which a second mount finds the first."""


@final
@dataclass(frozen=True, slots=True)
class Mount:
    """
    A spec in an app; made by `mount_spec`.

    Attributes:
        app: The Falcon app.
        service: The spec with the options of this mount.
    """

    app: falcon.App[Any, Any]
    service: Service
    _front: WsgiFront | AsgiFront = field(repr=False, compare=False)

    @property
    def spec(self) -> AnySpec:
        """The spec that is mounted."""
        return self.service.spec

    @property
    def visibility(self) -> Literal["public", "all"]:
        """Which routes the documents show."""
        return self.service.options.visibility

    @property
    def paths(self) -> tuple[str, ...]:
        """The full path of every route."""
        return tuple(self.service.routes)

    @property
    def document(self) -> Document:
        """The document of the spec, as in the mount's contract.json."""
        options = self.service.options
        return document_of(
            self.spec,
            visibility=options.visibility,
            docs_path=options.shown_at,
            mcp_path=options.mcp_path,
        )

    def drain(self) -> None:
        """
        Make the health route (``health_path=``) answer 503 from now on, since the server will stop.

        Nothing else changes: calls in flight go on, and new ones are answered, until a load
        balancer has noticed and sends no more. A signal handler or any thread may call it, more
        than once; `contract serve` calls it itself.
        """
        self.service.drain()

    @property
    def asgi(self) -> AsgiFront:
        """
        The app as an ASGI callable that can refuse a request before its body is awaited.

        Serve this instead of the app. Falcon awaits the first event of a body before it runs any
        code, so it would refuse a caller without credentials, or with a body that is too large,
        only after that. Most calls do not go through Falcon here.

        Raises:
            MountError: The app is a ``falcon.App``.
        """
        return self._on_asgi(
            "Mount.asgi",
            "which speaks WSGI; serve Mount.wsgi, or mount in a falcon.asgi.App",
        )

    @property
    def lifespan(self) -> Callable[[object], AbstractAsyncContextManager[None]]:
        """
        A lifespan for the spec's resources, for a host that does not pass its own to mounted apps.

        They are opened before the host is ready, and closed in reverse when it stops, or if its
        start fails or is cancelled::

            app = FastAPI(lifespan=mount.lifespan)

        You can also use it inside a lifespan of the host::

            @asynccontextmanager
            async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
                async with mount.lifespan(app):
                    yield

        Raises:
            MountError: The app is a ``falcon.App``.
        """
        return self._on_asgi(
            "Mount.lifespan",
            "whose first request opens the resources; mount in a falcon.asgi.App",
        ).lifespan

    def _on_asgi(self, where: str, problem: str) -> AsgiFront:
        if not isinstance(self._front, AsgiFront):
            raise MountError(where, f"the app is a falcon.App, {problem}")
        return self._front

    @property
    def wsgi(self) -> WsgiFront:
        """
        The app as a WSGI callable that answers most calls without Falcon, at half their cost.

        It does so if the app cannot affect a call: if it has no middleware, and no classes of its
        own for requests and responses.

        Raises:
            MountError: The app is a ``falcon.asgi.App``.
        """
        if not isinstance(self._front, WsgiFront):
            raise MountError(
                "Mount.wsgi",
                "the app is a falcon.asgi.App; serve Mount.asgi, or mount in a falcon.App",
            )
        return self._front


def mount_spec(
    app: falcon.App[Any, Any],
    spec: AnySpec,
    *,
    prefix: str = "",
    docs: bool = True,
    docs_path: str = "/docs",
    mcp_path: str | None = "/mcp",
    visibility: Literal["public", "all"] = "public",
    max_body_bytes: int = 1_048_576,
    logging: bool = True,
    on_call: Callable[[CallEvent], None] | None = None,
    handle_unhandled_error: Callable[[Exception, Request], Failure | None] | None = None,
    cors_origins: Sequence[str] = (),
    cors_headers: Sequence[str] = (),
    mcp_origins: Sequence[str] = (),
    mcp_challenge: Literal["call", "connect"] = "call",
    authorization_servers: Sequence[str] = (),
    public_url: str | None = None,
    trusted_proxies: Sequence[str] = (),
    health_path: str | None = None,
    secrets: Sequence[str] = (),
    sentences: Mapping[str, str] = MappingProxyType({}),
    limits: Limits = Limits(),  # noqa: B008  frozen
) -> Mount:
    """
    Serve *spec* in *app*.

    The app keeps its routes, static routes, middleware and error handlers. With a *prefix*, every
    path below it that the app does not serve is answered in JSON; without one, only the spec's own
    names are.

    Args:
        app: A ``falcon.App`` or a ``falcon.asgi.App``.
        spec: A spec from `contract.spec`.
        prefix: The path in front of the routes, such as "/v1".
        docs: Serve the documents and the explorer.
        docs_path: The path of the explorer, below the prefix.
        mcp_path: The path for MCP clients, below the prefix; None to serve no MCP.
        visibility: "all" shows private routes in the documents.
        max_body_bytes: The most bytes of a body; a larger one is answered with 413.
        logging: Write a line for each call to the logger ``contract.calls``.
        on_call: Called with a `CallEvent` after each call; exceptions in it are logged.
        handle_unhandled_error: Turns an exception of a resolver or `authenticate` into a failure: a
            builtin, or one that the route declares. If it returns None, the answer is 500.
        cors_origins: Origins of web pages that may call, such as "https://app.example"; none by
            default.
        cors_headers: Headers that those pages may send, such as "X-Tenant", besides Authorization,
            Content-Type and X-Request-Id; MCP clients that are pages may send them, too.
        mcp_origins: Origins of web pages that may use the MCP endpoint, besides those of this
            machine (``http://localhost:6274``).
        mcp_challenge: When MCP clients are asked for a token: "call" for the calls that need one,
            "connect" for every message, if any route of the spec needs one.
        authorization_servers: URLs of the servers that issue the tokens, such as
            "https://login.example", so that MCP clients can find them. They are listed at
            ``/.well-known/oauth-protected-resource{prefix}{mcp_path}``, as RFC 9728 requires: a
            mount serves that path even with a prefix, unless the app has its own route there. The
            same list is below the prefix, for a proxy that passes on nothing else: configure it to
            pass on that path, too, or give *public_url*, which tells clients where the list is.
        public_url: Where clients reach the app, such as "https://api.example"; ``openapi.json``
            names it. Without it, MCP clients are told the host that they sent in ``Host``.
        trusted_proxies: Networks such as "10.0.0.0/8", whose machines are trusted to say who calls
            (``X-Forwarded-For``, ``-Proto`` and ``-Host``, or ``Forwarded``); none by default. They
            affect `Request.client`, and the URLs that clients are told.
        health_path: A path that answers GET with 200, or 503 while the server stops, a check of
            ``spec(ready=)`` does not pass, or the secret of a webhook is missing.
        secrets: Strings of at least 32 characters that sign the keys of pages. The first one signs,
            and all are accepted, so that a new one can be put before an old one. By default, those
            in the environment variable ``CONTRACT_SECRETS``, separated by commas. Every worker
            needs the same ones. Only specs with pages need them.
        sentences: The texts by which the explorer says what is wrong with an input, such as
            `contract.GERMAN`; English by default. Answers are always in English.
        limits: The limits of time and threads.

    Raises:
        MountError: The mount overlaps another one, or an argument is wrong; the message names it
            and says what to write.
    """
    check_is(
        "mount_spec(app=)",
        app,
        falcon.App,
        "give what falcon.App() or falcon.asgi.App() made, and then the spec: mount_spec(app, api);"
        " an app of another framework takes the mount's asgi or wsgi",
    )
    check_spec("mount_spec(spec=)", spec)
    options = Options(
        prefix=prefix,
        docs=docs,
        docs_path=docs_path,
        mcp_path=mcp_path,
        visibility=visibility,
        max_body_bytes=max_body_bytes,
        logging=logging,
        on_call=on_call,
        handle_unhandled_error=handle_unhandled_error,
        cors_origins=cors_origins,
        cors_headers=cors_headers,
        mcp_origins=mcp_origins,
        mcp_challenge=mcp_challenge,
        authorization_servers=authorization_servers,
        public_url=public_url,
        trusted_proxies=trusted_proxies,
        health_path=health_path,
        secrets=secrets,
        sentences=sentences,
        limits=limits,
    )
    # what can be wrong is refused before the app is touched, so a mount that fails leaves nothing
    # behind in it
    service = service_of(spec, options)
    _refuse_overlap(app, prefix)
    lanes = lanes_of(options)
    is_async = isinstance(app, falcon.asgi.App)
    front: WsgiFront | AsgiFront
    if is_async:
        sink = asgi_sink(service, lanes)
        front = FalconAsgi(app, service, lanes, sink)
    else:
        sink = wsgi_sink(service, lanes)
        front = FalconWsgi(app, service, lanes, sink)
    mount = Mount(app, service, front)
    # Falcon accepts anything that has a match(), but its types allow only patterns
    app.add_sink(cast("Any", sink), cast("Any", _Matcher(mount)))
    # on WSGI there is no event for the start of a server; the first request opens the resources
    if is_async and spec.resources:
        app.add_middleware(cast("Any", Life(service)))
    return mount


def mounts_of(app: falcon.App[Any, Any]) -> tuple[Mount, ...]:
    """Every mount in *app*, the last one first."""
    return tuple(matcher.mount for matcher in matchers_of(app) if isinstance(matcher, _Matcher))


_MATCH: Final = re.match("", "")
"""A match without named groups, which is all that Falcon needs."""


@final
class _Matcher:
    """
    Decides which paths the sink takes.

    A pattern could not leave out the static files of the app: sinks come before static routes,
    however late those are added.
    """

    def __init__(self, mount: Mount) -> None:
        self.mount: Final = mount
        self._routes: Final = mount.service.routes
        self._docs: Final = f"{mount.service.options.prefix}{mount.service.options.docs_path}/"
        self.pattern: Final = f"{mount.service.options.prefix}/"
        """The text that ``falcon.inspect`` shows for a sink."""

    def match(self, path: str) -> re.Match[str] | None:
        # a route wins over a folder of static files that has the same path
        if path in self._routes:
            return _MATCH
        if not self.mount.service.owns(path):
            return None
        # the static routes of now: the app may add some after the mount
        for route in falcon.inspect.inspect_static_routes(self.mount.app):
            folder = f"{route.prefix.rstrip('/')}/"
            # in the folder of the docs there may be pictures of the app beside our files
            is_ours = folder == self._docs and self.mount.service.shows(path)
            if path.startswith(folder) and not is_ours:
                return None
        return _MATCH


def _refuse_overlap(app: falcon.App[Any, Any], prefix: str) -> None:
    where = f"mount_spec(prefix={prefix!r})"
    for sink in falcon.inspect.inspect_sinks(app):
        if sink.name != _SINK:
            continue
        # what Falcon shows as a prefix is `_Matcher.pattern`
        taken = sink.prefix.removesuffix("/")
        if prefix == taken:
            raise MountError(
                where, f"another spec is mounted at {prefix!r} already; choose a different prefix"
            )
        # a mount without a prefix has only its own names, so it may stand beside one with a prefix
        if prefix and taken and (prefix.startswith(f"{taken}/") or taken.startswith(f"{prefix}/")):
            raise MountError(
                where,
                f"overlaps the spec that is mounted at {taken!r}; "
                "choose prefixes that do not contain each other",
            )
