"""Fronts: a Falcon app as a callable in which calls are answered before Falcon is asked, where nothing of the app's has a say in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace
from typing import Any, Final, cast, final

import falcon
import falcon.asgi
from falcon.routing import CompiledRouter

from contract.adapters.asgi import AsgiFront
from contract.adapters.asgi_calls import (
    HTTP_VERSIONS,
    AsgiIncoming,
    Event,
    Receive,
    Scope,
    Send,
    path_of,
)
from contract.adapters.asgi_calls import respond as respond_on_loop
from contract.adapters.asgi_calls import send_response as send_on_loop
from contract.adapters.falcon_sinks import FIRST, RECEIVE
from contract.adapters.pool import Lanes
from contract.adapters.threads import respond
from contract.adapters.wsgi import WsgiFront
from contract.adapters.wsgi_calls import WsgiIncoming, send_response
from contract.adapters.wsgi_calls import path_of as path_in_environ
from contract.call.service import Service

__all__ = ["FalconAsgi", "FalconWsgi"]


@final
class FalconWsgi(WsgiFront):
    """
    A ``falcon.App`` behind a front.

    Attributes:
        app: What is behind it.
    """

    def __init__(
        self, app: falcon.App[Any, Any], service: Service, lanes: Lanes, sink: object
    ) -> None:
        super().__init__(service, lanes)
        self.app: Final = app
        self._clear: Final = _Clear(app, service, sink)

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        """Answer one request."""
        path = path_in_environ(environ)
        if environ["REQUEST_METHOD"] != "POST" or not self._clear.has(path):
            return cast("Any", self.app)(environ, start_response)  # type: ignore[no-any-return]
        incoming = WsgiIncoming(environ, path, self.native, self.lanes)
        return send_response(respond(self.service, incoming), incoming, start_response)

    def answers(self, path: str) -> bool:
        """
        Whether Falcon would only carry a call of *path* to the service and back.

        That may change until the app is complete.
        """
        return self._clear.has(path)

    def native(self, environ: Mapping[str, Any]) -> falcon.Request:
        """As Falcon would have made it."""
        return falcon.Request(dict(environ), options=self.app.req_options)


@final
class FalconAsgi(AsgiFront):
    """
    A ``falcon.asgi.App`` behind a front.

    Attributes:
        app: What is behind it.
    """

    def __init__(
        self, app: falcon.App[Any, Any], service: Service, lanes: Lanes, sink: object
    ) -> None:
        super().__init__(service, lanes)
        self.app: Final = app
        self._clear: Final = _Clear(app, service, sink)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or follow the life of the server."""
        if scope["type"] == "http":
            path = path_of(scope)
            if scope["method"] == "POST" and self._clear.has(path):
                incoming = AsgiIncoming(scope, path, self.native, self.lanes, receive)
                await send_on_loop(await respond_on_loop(self.service, incoming), incoming, send)
            else:
                await self._ask(scope, path, receive, send)
        elif scope["type"] == "lifespan":
            await cast("Any", self.app)(scope, self._followed(receive), send)
        else:
            await cast("Any", self.app)(_below(scope, path_of(scope)), receive, send)

    def native(self, scope: Scope) -> falcon.asgi.Request:
        """As Falcon would have made it."""
        return falcon.asgi.Request(
            cast("Any", scope),
            cast("Any", None),
            first_event=cast("Any", FIRST),
            options=self.app.req_options,
        )

    async def _ask(self, scope: Scope, path: str, receive: Receive, send: Send) -> None:
        """Let Falcon answer, which gets a first event that is empty: the body is awaited once nothing stands against it."""
        app, service = cast("Any", self.app), self.service
        if not service.owns(path):
            await app(_below(scope, path), receive, send)
            return
        version = HTTP_VERSIONS.get(scope.get("http_version", "1.1"))
        if version is None:
            incoming = AsgiIncoming(scope, path, self.native, self.lanes, receive)
            await send_on_loop(await respond_on_loop(service, incoming), incoming, send)
            return

        first = True

        async def primed() -> Any:
            nonlocal first
            if first:
                first = False
                return FIRST
            return await receive()

        await app({**_below(scope, path), "http_version": version, RECEIVE: receive}, primed, send)

    def _followed(self, receive: Receive) -> Receive:
        """The events in the life of the server, one of which is for the service too."""

        async def events() -> Event:
            event = await receive()
            if event["type"] == "lifespan.shutdown":
                self.service.drain()
            return event

        return events


def _below(scope: Scope, path: str) -> Scope:
    """*scope* for Falcon, which routes by all of the path that it gets."""
    return {**scope, "path": path} if scope.get("root_path") else scope


_PLAIN: Final[set[Any]] = {
    *(falcon.App, falcon.Request, falcon.Response),
    *(falcon.asgi.App, falcon.asgi.Request, falcon.asgi.Response),
    CompiledRouter,
}
"""What an app is made of where its author has put in nothing of another kind."""


@final
class _Clear:
    """The paths whose calls Falcon would only carry to *sink* and back: nothing of the app's is asked on the way."""

    __slots__ = ("_app", "_paths", "_seen", "_service", "_sink")

    def __init__(self, app: Any, service: Service, sink: object) -> None:
        self._app: Final = app
        self._service: Final = service
        self._sink: Final = sink
        self._paths: frozenset[str] = frozenset()
        self._seen: tuple[object, object, object] = (self, self, self)

    def has(self, path: str) -> bool:
        """Whether *path* is one of them; the answer may change until the app is complete."""
        app, seen = self._app, self._seen
        if (  # each of them is replaced where something is added
            app._middleware is not seen[0]
            or app._sink_and_static_routes is not seen[1]
            or getattr(app._router, "_find", None) is not seen[2]
        ):
            self._paths = self._look()
            # looking has compiled it
            self._seen = (
                app._middleware,
                app._sink_and_static_routes,
                getattr(app._router, "_find", None),
            )
        return path in self._paths

    def _look(self) -> frozenset[str]:
        app = self._app
        kinds: set[Any] = {type(app), app._request_type, app._response_type, type(app._router)}
        if any(app._middleware) or not kinds <= _PLAIN:
            return frozenset()

        def taker(path: str) -> object:
            return app._get_responder(
                SimpleNamespace(path=path, method="POST", is_websocket=False)
            )[0]

        return frozenset(path for path in self._service.paths if taker(path) is self._sink)
