"""
Falcon: a spec inside a ``falcon.App`` or a ``falcon.asgi.App``.

A mount is one sink, found by looking its path up in a dict: Falcon asks its router first, so the app's own routes win,
and a thousand routes cost what ten do. The app's middleware runs around every call, its error handlers see none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final, Literal, cast, final

import falcon
import falcon.asgi
import falcon.inspect
from falcon.routing import CompiledRouter

from contract._spec import Spec
from contract.adapters.asgi import AsgiFront
from contract.adapters.wsgi import WsgiFront
from contract.call import CallEvent, Request
from contract.dispatch import Bound
from contract.drivers.asgi import HTTP_VERSIONS, AsgiIncoming, Receive, Scope, Send, send_response
from contract.drivers.loops import answer_straight as answer_on_loop
from contract.drivers.loops import drive as drive_on_loop
from contract.drivers.pool import Pool
from contract.drivers.threads import BACKGROUND
from contract.drivers.threads import drive as drive_here
from contract.drivers.wsgi import WsgiIncoming
from contract.drivers.wsgi import answer_straight as answer_here
from contract.errors import Failure
from contract.exceptions import MountError
from contract.message import JSON_HEADERS, Incoming, Response
from contract.service import Limits, Options, Service

__all__ = ["Mount", "mount_spec", "mounts_of"]

_RECEIVE: Final = "contract.receive"
"""The key in a scope under which `Mount.asgi` hands on the server's own ``receive``."""

_SINK: Final = "contract_mount"
"""The name of our sinks, by which a second mount finds the first."""

_FIRST: Final = {"type": "http.request", "body": b"", "more_body": True}
"""Stands in for the first event, which Falcon awaits before any code of ours runs."""


@final
@dataclass(frozen=True, slots=True)
class Mount:
    """
    A spec in an app: what `mount_spec` gives.

    Attributes:
        app: The Falcon app.
        service: The spec with the options of this mount.
    """

    app: falcon.App[Any, Any]
    service: Service
    _front: WsgiFront | AsgiFront = field(repr=False, compare=False)

    @property
    def spec(self) -> Spec[Any]:
        """What is mounted."""
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
    def asgi(self) -> AsgiFront:
        """
        The app as an ASGI callable in which a request is refused before its body is awaited, and most calls do not go through Falcon.

        Serve this instead of the app: Falcon awaits the first event of a body before any resource runs, so without it a caller without
        credentials, or with a body that is too large, is refused only after that.

        Raises:
            MountError: The app is a ``falcon.App``.
        """
        if not isinstance(self._front, AsgiFront):
            raise MountError("Mount.asgi", "the app is a falcon.App, which speaks WSGI; serve Mount.wsgi, or mount in a falcon.asgi.App")
        return self._front

    @property
    def wsgi(self) -> WsgiFront:
        """
        The app as a WSGI callable in which most calls do not go through Falcon, which halves what they cost.

        That is where nothing of the app's could tell: it has no middleware, and no types of its own for requests and responses.

        Raises:
            MountError: The app is a ``falcon.asgi.App``.
        """
        if not isinstance(self._front, WsgiFront):
            raise MountError("Mount.wsgi", "the app is a falcon.asgi.App; serve Mount.asgi, or mount in a falcon.App")
        return self._front


def mount_spec(
    app: falcon.App[Any, Any],
    spec: Spec[Any],
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
    health_path: str | None = None,
    limits: Limits = Limits(),  # noqa: B008  frozen
) -> Mount:
    """
    Serve *spec* in *app*.

    The app keeps its routes, static routes, middleware and error handlers. Below a *prefix* every path that is none of the app's answers
    in JSON; without one, only the spec's own names do.

    Args:
        app: A ``falcon.App`` or a ``falcon.asgi.App``.
        spec: What `contract.spec` made.
        prefix: Such as "/v1".
        docs: Serve the documents.
        docs_path: Of the docs UI, below the prefix.
        mcp_path: Of the MCP endpoint, below the prefix; None for none.
        visibility: "all" shows private routes in the documents.
        max_body_bytes: Larger bodies are answered with 413.
        logging: Write a line for each call to the logger ``contract.calls``.
        on_call: Given a `CallEvent` after each call; what it raises is logged.
        handle_unhandled_error: Maps what a resolver raised to a builtin or a failure that the route declares; None is a 500.
        cors_origins: Origins of web pages that may call, such as "https://app.example"; none by default.
        health_path: Answers GET with 200, or 503 while the server stops.
        limits: Of time and threads.

    Raises:
        MountError: The mount would overlap another one, or a path is wrong.
    """
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
        health_path=health_path,
        limits=limits,
    )
    service = Service(spec, options)
    _refuse_overlap(app, prefix)
    is_async = isinstance(app, falcon.asgi.App)
    sink = _asgi_sink(service) if is_async else _wsgi_sink(service)
    mount = Mount(app, service, _FalconAsgi(app, service, sink) if is_async else _FalconWsgi(app, service, sink))
    app.add_sink(cast("Any", sink), cast("Any", _Matcher(mount)))  # Falcon takes whatever has a match(), and types only patterns
    return mount


def mounts_of(app: falcon.App[Any, Any]) -> tuple[Mount, ...]:
    """Every mount in *app*, the last one first."""
    matchers = [entry[0] for entry in cast("Any", app)._sinks]
    return tuple(matcher.mount for matcher in matchers if isinstance(matcher, _Matcher))


@final
class _FalconWsgi(WsgiFront):
    """A ``falcon.App`` behind a front."""

    def __init__(self, app: falcon.App[Any, Any], service: Service, sink: object) -> None:
        super().__init__(service, {})
        self._app: Final = app
        self._sink: Final = sink
        self._is_known = False

    def native(self, environ: Mapping[str, Any]) -> falcon.Request:
        """As Falcon would have made it."""
        return falcon.Request(dict(environ), options=self._app.req_options)

    def beyond(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Let Falcon answer; at the first request the app is complete, and is looked at."""
        if not self._is_known:
            self._is_known = True
            self.routes = _clear(self._app, self.service.straight, self._sink)
        return cast("Any", self._app)(environ, start_response)  # type: ignore[no-any-return]


@final
class _FalconAsgi(AsgiFront):
    """A ``falcon.asgi.App`` behind a front."""

    def __init__(self, app: falcon.App[Any, Any], service: Service, sink: object) -> None:
        super().__init__(service, {})
        self._app: Final = app
        self._sink: Final = sink
        self._is_known = False

    def native(self, scope: Scope) -> falcon.asgi.Request:
        """As Falcon would have made it."""
        return falcon.asgi.Request(cast("Any", scope), cast("Any", None), first_event=cast("Any", _FIRST), options=self._app.req_options)

    async def beyond(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let Falcon answer, which gets a first event that is empty: the body is awaited once nothing stands against it."""
        app, service = cast("Any", self._app), self.service
        if not self._is_known:
            self._is_known = True
            self.routes = _clear(self._app, service.straight_inline, self._sink)
        if scope["type"] != "http" or not service.owns(scope["path"]):
            await app(scope, receive, send)
            return
        version = HTTP_VERSIONS.get(scope.get("http_version", "1.1"))
        if version is None:
            response = service.broken(AsgiIncoming(scope, scope["path"], self.native), 505, "This HTTP version is not spoken here.")
            await send_response(response, scope["method"], send)
            return

        first = True

        async def primed() -> Any:
            nonlocal first
            if first:
                first = False
                return _FIRST
            return await receive()

        await app({**scope, "http_version": version, _RECEIVE: receive}, primed, send)


_PLAIN: Final[set[Any]] = {
    *(falcon.App, falcon.Request, falcon.Response),
    *(falcon.asgi.App, falcon.asgi.Request, falcon.asgi.Response),
    CompiledRouter,
}
"""What an app is made of where its author has put in nothing of another kind."""


def _clear(app: Any, routes: Mapping[str, Bound], sink: object) -> Mapping[str, Bound]:
    """Those of *routes* whose plain calls Falcon would only carry to *sink* and back: nothing of the app's is asked on the way."""
    kinds: set[Any] = {type(app), app._request_type, app._response_type, type(app._router)}
    if any(app._middleware) or not kinds <= _PLAIN:
        return {}

    def taker(path: str) -> object:
        return app._get_responder(SimpleNamespace(path=path, method="POST", is_websocket=False))[0]

    return {path: bound for path, bound in routes.items() if taker(path) is sink}


@final
class _NoGroups:
    """What Falcon asks of a match: its named groups."""

    def groupdict(self) -> dict[str, Any]:
        return {}


_MATCH: Final = _NoGroups()


@final
class _Matcher:
    """
    Says which paths the sink takes.

    A pattern could not leave out what the app serves statically: sinks are asked before static routes, however late those are added.
    """

    def __init__(self, mount: Mount) -> None:
        self.mount: Final = mount
        self._routes: Final = mount.service.routes
        self.pattern: Final = f"{mount.service.options.prefix}/"
        """What ``falcon.inspect`` shows of a sink."""

    def match(self, path: str) -> _NoGroups | None:
        if path in self._routes:
            return _MATCH
        if not self.mount.service.owns(path):
            return None
        static = falcon.inspect.inspect_static_routes(self.mount.app)
        return None if any(path.startswith(f"{route.prefix.rstrip('/')}/") for route in static) else _MATCH


def _refuse_overlap(app: falcon.App[Any, Any], prefix: str) -> None:
    where = f"mount_spec(prefix={prefix!r})"
    for sink in falcon.inspect.inspect_sinks(app):
        if sink.name != _SINK:
            continue
        taken = sink.prefix.removesuffix("/")
        if prefix == taken:
            raise MountError(where, f"another spec is mounted at {prefix!r} already; choose a different prefix")
        if prefix and taken and (prefix.startswith(f"{taken}/") or taken.startswith(f"{prefix}/")):
            raise MountError(where, f"overlaps the spec that is mounted at {taken!r}; choose prefixes that do not contain each other")


def _apply(response: Response, resp: Any) -> None:
    resp.status = response.status
    resp.data = response.body
    # one update of the private dict costs a quarter of what setting each header by Falcon's method does, and every name here is lower-case
    headers = resp._headers
    headers.update(response.fixed.mapping)
    headers["x-request-id"] = response.request_id
    if response.headers:
        headers.update(response.headers)


def _apply_answer(incoming: Incoming, answer: bytes | Response, resp: Any) -> None:
    if not isinstance(answer, bytes):
        _apply(answer, resp)
        return
    resp.status = "200 OK"  # middleware may have set another
    resp.data = answer
    headers = resp._headers
    headers.update(JSON_HEADERS.mapping)
    headers["x-request-id"] = incoming.request_id


def _wsgi_sink(service: Service) -> Callable[..., None]:

    def contract_mount(req: falcon.Request, resp: falcon.Response) -> None:
        straight = answer_here(service, service.straight, req.env, req.path, lambda _: req)
        if straight is None:
            _apply(drive_here(service, WsgiIncoming(req.env, req.path, lambda _: req), BACKGROUND), resp)
        else:
            _apply_answer(*straight, resp)

    return contract_mount


def _asgi_sink(service: Service) -> Callable[..., Any]:
    pool = Pool(service.options.limits.threads, service.options.limits.queue)

    async def contract_mount(req: Any, resp: Any, ws: falcon.asgi.WebSocket | None = None) -> None:
        if ws is not None:
            await ws.close()
            return
        scope = cast("Scope", req.scope)
        if type(scope["headers"]) is not list and iter(scope["headers"]) is scope["headers"]:  # Falcon has used it up
            scope["headers"] = list(req._asgi_headers.items())
        begun = req._stream is not None
        receive = _rest(req, service.options.max_body_bytes) if begun else scope.get(_RECEIVE) or _events(req)
        straight = await answer_on_loop(service, service.straight_inline, scope, req.path, receive, lambda _: req)
        if straight is None:
            _apply(await drive_on_loop(service, AsgiIncoming(scope, req.path, lambda _: req), receive, pool), resp)
        else:
            _apply_answer(*straight, resp)

    return contract_mount


# What Falcon has already taken from the server it keeps in private attributes of its request, which is why that is Any in what follows.


def _events(req: Any) -> Receive:
    """The events of the body, from the first, which Falcon has awaited; its stream takes a client that goes away for the end."""
    first: Any = req._first_event

    async def receive() -> Any:
        nonlocal first
        event, first = first, None
        return await req._receive() if event is None else event

    return receive


def _rest(req: Any, limit: int) -> Receive:
    """What is left of the body in Falcon's own stream."""

    async def receive() -> Any:
        return {"type": "http.request", "body": await req.stream.read(limit + 1), "more_body": False}

    return receive
