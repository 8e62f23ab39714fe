"""ASGI: a spec as a bare ASGI callable (HTTP and lifespan), with no framework around it."""

from __future__ import annotations

from typing import Final, final

from contract.drivers.asgi import HTTP_VERSIONS, AsgiIncoming, Receive, Scope, Send, send_response
from contract.drivers.loops import drive
from contract.drivers.pool import Pool
from contract.service import Service

__all__ = ["AsgiApp"]


@final
class AsgiApp:
    """
    An ASGI application that serves one spec and nothing else.

    Attributes:
        service: What it serves.
    """

    def __init__(self, service: Service) -> None:
        self.service: Final = service
        self._pool: Final = Pool(service.options.limits.threads, service.options.limits.queue)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or follow the life of the server."""
        if scope["type"] == "http":
            incoming = AsgiIncoming(scope, scope["path"], scope)
            if scope.get("http_version", "1.1") in HTTP_VERSIONS:
                response = await drive(self.service, incoming, receive, self._pool)
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
                self.service.draining = True
                await send({"type": "lifespan.shutdown.complete"})
                return
