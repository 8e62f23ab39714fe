"""ASGI: a spec as a bare ASGI callable (HTTP and lifespan), with no framework around it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final, final

from contract.dispatch import Bound
from contract.drivers.asgi import HTTP_VERSIONS, AsgiIncoming, Receive, Scope, Send, path_of, send_response
from contract.drivers.loops import Straight, answer_straight, drive
from contract.drivers.pool import Lanes
from contract.message import JSON_HEADERS
from contract.options import check_is
from contract.service import Service

__all__ = ["AsgiApp", "AsgiFront"]

_OK: Final = JSON_HEADERS.raw


class AsgiFront(ABC):
    """
    Answers plain calls at once, and passes on what is left.

    Attributes:
        service: Who answers.
        routes: Full path -> route; those that plain calls may be of.
    """

    def __init__(self, service: Service, routes: Mapping[str, Bound]) -> None:
        self.service: Final = service
        self.routes: Mapping[str, Bound] = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or follow the life of the server."""
        straight: Straight | None = None
        if scope["type"] == "http":
            straight = await answer_straight(self.service, self.routes, scope, path_of(scope), receive, self.native)
        if straight is None:
            await self.beyond(scope, receive, send)
            return
        incoming, answer = straight
        if not isinstance(answer, bytes):
            await send_response(answer, "POST", send)
            return
        headers = [*_OK, (b"x-request-id", incoming.request_id.encode("ascii")), (b"content-length", b"%d" % len(answer))]
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": answer})
        except OSError:  # see `send_response`
            pass

    @abstractmethod
    def native(self, scope: Scope) -> Any:
        """What hooks get as `Request.native`."""

    @abstractmethod
    async def beyond(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is no plain call."""


@final
class AsgiApp(AsgiFront):
    """An ASGI application that serves one spec and nothing else."""

    def __init__(self, service: Service) -> None:
        check_is("AsgiApp()", service, Service, "write AsgiApp(Service(api))")
        super().__init__(service, service.straight_inline)
        self._lanes: Final = Lanes(service.options.limits.threads, service.options.limits.queue)
        service.stuck = self._lanes.stuck

    def native(self, scope: Scope) -> Any:
        """The scope."""
        return scope

    async def beyond(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer any request, or follow the life of the server."""
        if scope["type"] == "http":
            incoming = AsgiIncoming(scope, path_of(scope), self.native)
            if scope.get("http_version", "1.1") in HTTP_VERSIONS:
                response = await drive(self.service, incoming, receive, self._lanes)
            else:
                response = self.service.broken(incoming, 505, "This HTTP version is not spoken here.")
            await send_response(response, incoming.method, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1003})

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            event = await receive()
            if event["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            elif event["type"] == "lifespan.shutdown":
                self.service.drain()
                await send({"type": "lifespan.shutdown.complete"})
                return
