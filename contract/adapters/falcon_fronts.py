"""Fronts: a Falcon app as a callable in which plain calls are answered before Falcon is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace
from typing import Any, Final, cast, final

import falcon
import falcon.asgi
from falcon.routing import CompiledRouter

from contract.adapters.asgi import AsgiFront
from contract.adapters.falcon_sinks import FIRST, RECEIVE
from contract.adapters.wsgi import WsgiFront
from contract.dispatch import Bound
from contract.drivers.asgi import HTTP_VERSIONS, AsgiIncoming, Event, Receive, Scope, Send, path_of, send_response
from contract.service import Service

__all__ = ["FalconAsgi", "FalconWsgi"]


@final
class FalconWsgi(WsgiFront):
    """
    A ``falcon.App`` behind a front.

    Attributes:
        app: What is behind it.
    """

    def __init__(self, app: falcon.App[Any, Any], service: Service, sink: object) -> None:
        super().__init__(service, {})
        self.app: Final = app
        self._sink: Final = sink
        self._seen: object = None
        self._clear: Mapping[str, Bound] = {}

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        self.calls()
        return super().__call__(environ, start_response)

    def calls(self) -> Mapping[str, Bound]:
        """Those that Falcon would only carry to the service and back; the answer may change until the app is complete."""
        if _parts(self.app) != self._seen:
            self._clear = _clear(self.app, self.service.routes, self._sink)
            self.routes: Mapping[str, Bound] = {path: bound for path, bound in self._clear.items() if path in self.service.straight}
            self._seen = _parts(self.app)  # looking has compiled the router
        return self._clear

    def native(self, environ: Mapping[str, Any]) -> falcon.Request:
        """As Falcon would have made it."""
        return falcon.Request(dict(environ), options=self.app.req_options)

    def beyond(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Let Falcon answer."""
        return cast("Any", self.app)(environ, start_response)  # type: ignore[no-any-return]


@final
class FalconAsgi(AsgiFront):
    """
    A ``falcon.asgi.App`` behind a front.

    Attributes:
        app: What is behind it.
    """

    def __init__(self, app: falcon.App[Any, Any], service: Service, sink: object) -> None:
        super().__init__(service, {})
        self.app: Final = app
        self._sink: Final = sink
        self._seen: object = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or follow the life of the server."""
        if _parts(self.app) != self._seen:
            self.routes: Mapping[str, Bound] = _clear(self.app, self.service.straight_inline, self._sink)
            self._seen = _parts(self.app)
        await super().__call__(scope, receive, send)

    def native(self, scope: Scope) -> falcon.asgi.Request:
        """As Falcon would have made it."""
        return falcon.asgi.Request(cast("Any", scope), cast("Any", None), first_event=cast("Any", FIRST), options=self.app.req_options)

    async def beyond(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let Falcon answer, which gets a first event that is empty: the body is awaited once nothing stands against it."""
        app, service = cast("Any", self.app), self.service
        if scope["type"] == "lifespan":
            await app(scope, self._followed(receive), send)
            return
        path = path_of(scope)
        below = {**scope, "path": path} if scope.get("root_path") else scope  # Falcon routes by all of the path that it gets
        if scope["type"] != "http" or not service.owns(path):
            await app(below, receive, send)
            return
        version = HTTP_VERSIONS.get(scope.get("http_version", "1.1"))
        if version is None:
            response = service.broken(AsgiIncoming(scope, path, self.native), 505, "This HTTP version is not spoken here.")
            await send_response(response, scope["method"], send)
            return

        first = True

        async def primed() -> Any:
            nonlocal first
            if first:
                first = False
                return FIRST
            return await receive()

        await app({**below, "http_version": version, RECEIVE: receive}, primed, send)

    def _followed(self, receive: Receive) -> Receive:
        """The events in the life of the server, one of which is for the service too."""

        async def events() -> Event:
            event = await receive()
            if event["type"] == "lifespan.shutdown":
                self.service.drain()
            return event

        return events


_PLAIN: Final[set[Any]] = {
    *(falcon.App, falcon.Request, falcon.Response),
    *(falcon.asgi.App, falcon.asgi.Request, falcon.asgi.Response),
    CompiledRouter,
}
"""What an app is made of where its author has put in nothing of another kind."""


def _parts(app: Any) -> tuple[object, ...]:
    """What `_clear` depends on, and what may change later: each is replaced where something is added to it."""
    return app._middleware, app._sink_and_static_routes, getattr(app._router, "_find", None)


def _clear(app: Any, routes: Mapping[str, Bound], sink: object) -> Mapping[str, Bound]:
    """Those of *routes* whose plain calls Falcon would only carry to *sink* and back: nothing of the app's is asked on the way."""
    kinds: set[Any] = {type(app), app._request_type, app._response_type, type(app._router)}
    if any(app._middleware) or not kinds <= _PLAIN:
        return {}

    def taker(path: str) -> object:
        return app._get_responder(SimpleNamespace(path=path, method="POST", is_websocket=False))[0]

    return {path: bound for path, bound in routes.items() if taker(path) is sink}
