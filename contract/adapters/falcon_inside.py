"""
Inside Falcon: a mount's sink in an app, and a front that answers calls before the app.

Falcon calls the sink for the paths of a mount. If the app cannot affect a call, the front answers
it before Falcon is asked.

All code that uses Falcon's private attributes is here. Falcon has no public way to set all headers
of a response at once, to pass on the ``receive`` of a server, or to find out how an app would treat
a path. `tests.test_private_parts` lists the attributes, and reports the ones that a release has
lost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace
from typing import Any, Final, cast, final

import falcon
import falcon.asgi
from falcon.routing import CompiledRouter

from contract.adapters.asgi import AsgiFront, die, live
from contract.adapters.asgi_answers import Followed as FollowedOnLoop
from contract.adapters.asgi_answers import send_answer
from contract.adapters.asgi_calls import AsgiIncoming, begin
from contract.adapters.asgi_scope import HTTP_VERSIONS, Event, Receive, Scope, Send
from contract.adapters.asgi_scope import path_of as path_in_scope
from contract.adapters.pool import Lanes
from contract.adapters.threads import Followed, open_resources, respond
from contract.adapters.wsgi import WsgiFront
from contract.adapters.wsgi_calls import WsgiIncoming, send_response
from contract.adapters.wsgi_calls import path_of as path_in_environ
from contract.call.incoming import Incoming
from contract.call.message import JSON_HEADERS, Answered, Streamed
from contract.call.service import Service
from contract.call.values import OVER

__all__ = [
    "FIRST",
    "RECEIVE",
    "FalconAsgi",
    "FalconWsgi",
    "Life",
    "asgi_sink",
    "matchers_of",
    "wsgi_sink",
]


@final
class FalconWsgi(WsgiFront):
    """
    A ``falcon.App`` behind a front.

    Attributes:
        app: The app behind it.
    """

    def __init__(
        self, app: falcon.App[Any, Any], service: Service, lanes: Lanes, sink: Callable[..., Any]
    ) -> None:
        super().__init__(service, lanes)
        self.app: Final[Any] = app
        self._clear: Final = _Clear(app, service, sink)
        app.add_middleware(self._clear)

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        """Answer one request."""
        clear, service = self._clear.paths(), self.service
        if clear:
            path = path_in_environ(environ)
            if path in clear and service.calls(environ["REQUEST_METHOD"], path):
                incoming = WsgiIncoming(environ, path, self._native, self.lanes)
                return send_response(respond(service, incoming), incoming, start_response)
        opening = service.opening
        if opening is not None and not opening.done:
            open_resources(opening)  # the app's own resources may need them, too
        parts: Iterable[bytes] = self.app(environ, start_response)
        return parts

    def answers(self, path: str) -> bool:
        """
        Whether Falcon would only pass a call of *path* to the service and back.

        The answer may change until the app is complete.
        """
        return path in self._clear.paths()

    def native(self, environ: Mapping[str, Any]) -> falcon.Request:
        """The request that Falcon would have made."""
        return falcon.Request(dict(environ), options=self.app.req_options)


@final
class FalconAsgi(AsgiFront):
    """
    A ``falcon.asgi.App`` behind a front.

    Attributes:
        app: The app behind it.
    """

    def __init__(
        self, app: falcon.App[Any, Any], service: Service, lanes: Lanes, sink: Callable[..., Any]
    ) -> None:
        super().__init__(service, lanes)
        self.app: Final[Any] = app
        self._clear: Final = _Clear(app, service, sink)
        self.app.add_middleware(self._clear)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or handle the server's lifespan."""
        if scope["type"] == "http":
            path = path_in_scope(scope)
            method: str = scope["method"]
            if self.service.calls(method, path) and path in self._clear.paths():
                incoming = AsgiIncoming(scope, path, self._native, self.lanes, receive)
                await send_answer(begin(self.service, incoming), incoming, send)
            else:
                await self._ask(scope, path, receive, send)
        elif scope["type"] == "lifespan":
            await self.app(scope, self._followed(receive), send)
        else:
            await self.app(_below(scope, path_in_scope(scope)), receive, send)

    def answers(self, path: str) -> bool:
        """
        Whether Falcon would only pass a call of *path* to the service and back.

        The answer may change until the app is complete.
        """
        return path in self._clear.paths()

    def native(self, scope: Scope) -> falcon.asgi.Request:
        """The request that Falcon would have made."""
        return falcon.asgi.Request(
            cast("Any", scope),
            cast("Any", None),
            first_event=cast("Any", FIRST),
            options=self.app.req_options,
        )

    async def _ask(self, scope: Scope, path: str, receive: Receive, send: Send) -> None:
        """
        Have Falcon answer, with an empty first event.

        Falcon awaits the first event before anything else. This way the body is only awaited once
        nothing forbids it.
        """
        app, service = self.app, self.service
        if not service.owns(path):
            await app(_below(scope, path), receive, send)
            return
        version = HTTP_VERSIONS.get(scope.get("http_version", "1.1"))
        if version is None:  # `begin` answers 505
            incoming = AsgiIncoming(scope, path, self._native, self.lanes, receive)
            await send_answer(begin(service, incoming), incoming, send)
            return

        passed_on = {**_below(scope, path), "http_version": version, RECEIVE: receive}
        await app(passed_on, _after(FIRST, receive), send)

    def _followed(self, receive: Receive) -> Receive:
        """The events of the server's lifespan, which are also for the service."""

        async def events() -> Event:
            event = await receive()
            if event["type"] == "lifespan.shutdown":
                self.service.drain()
            return event

        return events


@final
class Life:
    """Middleware that follows the server's lifespan, and does not affect requests."""

    def __init__(self, service: Service) -> None:
        self._service: Final = service

    async def process_startup(self, _scope: object, _event: object) -> None:
        """Open the resources of the spec."""
        await live(self._service)

    async def process_shutdown(self, _scope: object, _event: object) -> None:
        """Close the resources of the spec."""
        await die(self._service)


def _below(scope: Scope, path: str) -> Scope:
    """The scope for Falcon, which routes by the whole path."""
    if not scope.get("root_path"):
        return scope
    return {**scope, "path": path}


_PLAIN: Final[set[Any]] = {
    *(falcon.App, falcon.Request, falcon.Response),
    *(falcon.asgi.App, falcon.asgi.Request, falcon.asgi.Response),
    CompiledRouter,
}
"""The default classes of an app, whose author has not replaced them."""


@final
class _Clear:
    """
    The paths whose calls Falcon would only pass to the sink and back.

    Nothing of the app affects them: no middleware, route, other sink or class of its own.

    If there is middleware, this becomes the last of it, and calls the sink where Falcon would look
    for it: Falcon asks its router first, and then each sink, which takes a tenth of a small call.
    """

    def __init__(self, app: Any, service: Service, sink: Callable[..., Any]) -> None:
        self._app: Final = app
        self._service: Final = service
        self._sink: Final = sink
        self._paths: frozenset[str] = frozenset()
        self._behind: frozenset[str] = frozenset()
        """The paths that only middleware affects, all of which has run when this is asked."""
        self._stack: object = None
        self._takers: object = None
        self._finder: object = None
        router: Any = app._router
        if not hasattr(router, "_find"):
            # a router of another class, with which no path is clear
            router = SimpleNamespace(_find=None)
        self._routing: Final = router

    def paths(self) -> frozenset[str]:
        """All clear paths, for now: they may change until the app is complete."""
        app, router = self._app, self._routing
        # Falcon replaces each of the three when something is added, so identity shows a change
        if not (
            app._middleware is self._stack
            and app._sink_and_static_routes is self._takers
            and router._find is self._finder
        ):
            self._look()
            self._stack, self._takers = app._middleware, app._sink_and_static_routes
            # only now: `_look` makes Falcon compile the router, which replaces it
            self._finder = router._find
        return self._paths

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Answer a call; Falcon asks this after the middleware of the app."""
        self.paths()
        if req.path in self._behind and req.method == "POST":
            self._sink(req, resp)
            resp.complete = True

    async def process_request_async(self, req: Any, resp: Any) -> None:
        """Answer a call on an event loop."""
        self.paths()
        if req.path in self._behind and req.method == "POST":
            await self._sink(req, resp)
            resp.complete = True

    def _look(self) -> None:
        app = self._app
        kinds: set[Any] = {type(app), app._request_type, app._response_type, type(app._router)}

        def taker(path: str) -> object:
            return app._get_responder(
                SimpleNamespace(path=path, method="POST", is_websocket=False)
            )[0]

        found = frozenset[str]()
        if kinds <= _PLAIN:
            found = frozenset(path for path in self._service.paths if taker(path) is self._sink)
        # the functions of the middleware for a request, and those for resources and responses
        asking, *others = cast("tuple[list[Any], ...]", app._middleware)
        asked: list[object] = []
        for each in asking:
            function: Any = each
            if isinstance(each, tuple):
                # with the one for the response, if the app's middleware is not independent
                function = function[0]
            asked.append(getattr(function, "__self__", None))
        ours = [isinstance(each, _Clear) for each in asked]
        clear = behind = frozenset[str]()
        if all(ours) and not any(others):
            clear = found
        # if only mounts of ours follow this one, all middleware of the app has run before it
        if all(ours[asked.index(self) :]):
            behind = found
        # last, when both are known: other threads read them while this one looks
        self._paths, self._behind = clear, behind


_PART: Final = 65_536
"""How many bytes are asked of Falcon's stream at a time."""

RECEIVE: Final = "contract.receive"
"""The key in a scope under which `Mount.asgi` passes on the server's own ``receive``."""

FIRST: Final[dict[str, Any]] = {"type": "http.request", "body": b"", "more_body": True}
"""Replaces the first event, which Falcon awaits before any of our code runs."""


def _apply(response: Answered, incoming: Incoming, resp: Any, followed: Any) -> None:
    # one update of the private dict costs a quarter of setting each header by Falcon's method;
    # every name here is in lower case
    headers = resp._headers
    headers["x-request-id"] = incoming.request_id
    if isinstance(response, bytes):
        resp.status = "200 OK"  # middleware may have set another
        if incoming.values is OVER:
            resp.data = response
        else:
            _give(response, incoming, resp, followed)
        headers.update(JSON_HEADERS.mapping)
        return
    resp.status = response.status
    if isinstance(response, Streamed):
        resp.data, resp.stream = None, followed(response.parts, incoming)
    else:
        _give(response.body, incoming, resp, followed)
    headers.update(response.fixed.mapping)
    for name, value in response.headers:
        if name == "set-cookie":  # the only one that may be repeated
            resp.append_header(name, value)
        else:
            headers[name] = value


def _give(body: bytes, incoming: Incoming, resp: Any, followed: Any) -> None:
    """Give Falcon the *body*; if something follows, as a stream that reports its end."""
    if incoming.values is None or not incoming.values.after:
        resp.data = body
    else:
        resp.data, resp.stream = None, followed(body, incoming)
        resp._headers["content-length"] = str(len(body))


def matchers_of(app: object) -> list[object]:
    """
    The matchers that were given to ``add_sink``, last one first.

    `falcon.inspect` gives only their texts.
    """
    return [entry[0] for entry in cast("Any", app)._sinks]


def wsgi_sink(service: Service, lanes: Lanes) -> Callable[..., None]:
    """The sink for a ``falcon.App``."""

    def contract_mount(req: falcon.Request, resp: falcon.Response) -> None:
        path, sent = req.path, path_in_environ(req.env)
        if path != sent:
            path = _path_of(service, path, sent)
        incoming = WsgiIncoming(req.env, path, lambda _: req, lanes)
        _apply(respond(service, incoming), incoming, resp, _followed)
        if incoming.method == "HEAD" and resp.stream is not None:
            _come_to_its_end(resp.stream)

    return contract_mount


def _come_to_its_end(parts: Any) -> None:
    """End the answer to a HEAD, which has no *parts*, here: Falcon does not read them."""
    try:
        deque(parts, 0)  # asks for all of them, and keeps none
    finally:
        parts.close()


async def _come_to_its_end_on_loop(parts: Any) -> None:
    """End the answer to a HEAD on an event loop."""
    try:
        _ = [each async for each in parts]
    finally:
        await parts.close()


def _followed(parts: bytes | Iterable[bytes], incoming: Incoming) -> Followed:
    if isinstance(parts, bytes):
        parts = [parts]
    return Followed(parts, incoming)


def asgi_sink(service: Service, lanes: Lanes) -> Callable[..., Any]:
    """The sink for a ``falcon.asgi.App``."""

    async def contract_mount(req: Any, resp: Any, ws: falcon.asgi.WebSocket | None = None) -> None:
        if ws is not None:
            return  # Falcon closes a connection that nobody accepts
        scope = cast("Scope", req.scope)
        headers = scope["headers"]
        if type(headers) is not list and iter(headers) is headers:  # Falcon has used it up
            scope["headers"] = list(req._asgi_headers.items())
        if req._stream is not None:  # middleware has begun to read the body
            receive = _rest(req)
        else:
            # Falcon's own stream would take a disconnect for the end
            receive = scope.get(RECEIVE) or _after(req._first_event, req._receive)
        path, sent = req.path, path_in_scope(scope)
        if path != sent:
            path = _path_of(service, path, sent)
        incoming = AsgiIncoming(scope, path, lambda _: req, lanes, receive)
        rest = begin(service, incoming)
        if rest is not None:
            await rest
        # the parts of a stream hold their request, which must not hold them
        answered, incoming.answered = incoming.answered, b""
        _apply(answered, incoming, resp, FollowedOnLoop)
        if resp.stream is None:  # else it is over when Falcon has sent all parts
            incoming.over = True
        if incoming.method == "HEAD" and resp.stream is not None:
            await _come_to_its_end_on_loop(resp.stream)

    return contract_mount


def _path_of(service: Service, path: str, sent: str) -> str:
    """
    Falcon's *path* with two details restored from the one that was *sent*.

    The first is a slash at its end, which Falcon can be told to remove: without it, a page would
    redirect to itself. The second is a slash that was sent as ``%2F`` and decoded by the server: it
    must not turn a path into that of a route.
    """
    if "%2F" in sent:
        return sent
    with_slash = f"{path}/"
    if sent.endswith("/") and service.shows(with_slash):
        return with_slash
    return path


# Falcon keeps the server's objects in private attributes of its request, which is therefore Any
# from here on.


def _after(first: Event | None, receive: Receive) -> Receive:
    """The events of *receive*, after the *first*, if there is one."""

    async def events() -> Event:
        nonlocal first
        event, first = first, None
        if event is not None:
            return event
        return await receive()

    return events


def _rest(req: Any) -> Receive:
    """The rest of the body, in Falcon's own stream, which has no part after its end."""

    async def receive() -> Any:
        part = await req.stream.read(_PART)
        return {"type": "http.request", "body": part, "more_body": bool(part)}

    return receive
