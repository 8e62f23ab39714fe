"""ASGI: a spec as a plain ASGI callable (HTTP and lifespan), without a framework."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final, final

from contract.adapters.asgi_answers import send_answer
from contract.adapters.asgi_calls import AsgiIncoming, begin
from contract.adapters.asgi_scope import Receive, Scope, Send, path_of
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes, lanes_of
from contract.call.service import Service
from contract.declare.resource import NotOpened
from contract.declare.spec import AnySpec

__all__ = ["AsgiApp", "AsgiFront", "die", "live"]


async def live(service: Service) -> None:
    """
    Open the resources of a spec when the server starts.

    Raises:
        NotOpened: A resource could not be opened.
    """
    if service.opening is not None:
        await service.opening.on_loop()


async def die(service: Service) -> None:
    """Close the resources of a spec when the server stops."""
    if service.opening is not None:
        await service.opening.leave_on_loop()


class AsgiFront(ABC):
    """
    An ASGI callable that answers for a service.

    Attributes:
        service: The service that answers.
        lanes: Threads for code that must not run on the event loop.
    """

    def __init__(self, service: Service, lanes: Lanes) -> None:
        self.service: Final = service
        self.lanes: Final = lanes
        # to make a method for each call costs as much as a call
        self._native: Final = self.native
        # so that the health route answers 503 while no thread comes free
        service.stuck = lanes.stuck

    @abstractmethod
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or handle the server's lifespan."""

    @asynccontextmanager
    async def lifespan(self, _app: object, /) -> AsyncGenerator[None]:
        """Open the resources of the spec, and close them at the end; for the app of a host."""
        try:
            await live(self.service)
            yield
        finally:
            await die(self.service)

    @abstractmethod
    def answers(self, path: str) -> bool:
        """
        Whether nothing is in front of the service for a call of *path*, one of its own.

        The answer may change until the app is complete.
        """

    @abstractmethod
    def native(self, scope: Scope) -> Any:
        """Make the `Request.native` for hooks."""


@final
class AsgiApp(AsgiFront):
    """
    An ASGI application that serves one spec and nothing else.

    Args:
        api: The spec, or a service that `contract.adapters.mount.service_of` has made from it with
            options.
    """

    def __init__(self, api: AnySpec | Service) -> None:
        service = api if isinstance(api, Service) else service_of(api, where="AsgiApp()")
        super().__init__(service, lanes_of(service.options))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or handle the server's lifespan."""
        if scope["type"] == "http":
            incoming = AsgiIncoming(scope, path_of(scope), self._native, self.lanes, receive)
            await send_answer(begin(self.service, incoming), incoming, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            # A websocket: closed before it was accepted, so its client gets 403 for its handshake
            # (ASGI WebSocket specification, "Close"). 1003 says that its data cannot be taken
            # (RFC 6455, section 7.4.1). The event that is read first is websocket.connect.
            await receive()
            await send({"type": "websocket.close", "code": 1003})

    def answers(self, path: str) -> bool:
        """Whether *path* is that of a route, or of the MCP endpoint."""
        return path in self.service.paths

    def native(self, scope: Scope) -> Any:
        """The scope."""
        return scope

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            event = await receive()
            if event["type"] == "lifespan.startup":
                try:
                    await live(self.service)
                except NotOpened as wrong:
                    # the server exits, and sends no more events (ASGI lifespan specification)
                    await send({"type": "lifespan.startup.failed", "message": str(wrong)})
                    return
                await send({"type": "lifespan.startup.complete"})
            elif event["type"] == "lifespan.shutdown":
                # open streams are told to end before the resources that they use are closed
                self.service.drain()
                await die(self.service)
                await send({"type": "lifespan.shutdown.complete"})
                return
