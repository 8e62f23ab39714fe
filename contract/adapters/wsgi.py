"""WSGI: a spec as a plain WSGI callable (PEP 3333), without a framework."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, final

from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes, lanes_of
from contract.adapters.threads import respond
from contract.adapters.wsgi_calls import WsgiIncoming, path_of, send_response
from contract.call.service import Service
from contract.declare.spec import AnySpec

__all__ = ["WsgiApp", "WsgiFront"]


class WsgiFront(ABC):
    """
    A WSGI callable that answers for a service.

    Attributes:
        service: The service that answers.
        lanes: Threads for code that has a deadline.
    """

    def __init__(self, service: Service, lanes: Lanes) -> None:
        self.service: Final = service
        self.lanes: Final = lanes
        # to make a method for each call costs as much as a call
        self._native: Final = self.native
        # so that the health route answers 503 while no thread comes free
        service.stuck = lanes.stuck

    @abstractmethod
    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        """Answer one request."""

    @abstractmethod
    def answers(self, path: str) -> bool:
        """Whether the service answers a POST to *path*, with nothing of an app in front of it."""

    @abstractmethod
    def native(self, environ: Mapping[str, Any]) -> Any:
        """Make the `Request.native` for hooks."""


@final
class WsgiApp(WsgiFront):
    """
    A WSGI application that serves one spec and nothing else.

    Args:
        api: The spec, or a service that `contract.adapters.mount.service_of` has made from it with
            options.
    """

    def __init__(self, api: AnySpec | Service) -> None:
        service = api if isinstance(api, Service) else service_of(api, where="WsgiApp()")
        super().__init__(service, lanes_of(service.options))

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        """Answer one request."""
        incoming = WsgiIncoming(environ, path_of(environ), self._native, self.lanes)
        return send_response(respond(self.service, incoming), incoming, start_response)

    def answers(self, path: str) -> bool:
        """Whether *path* is that of a route, or of the MCP endpoint."""
        return path in self.service.paths

    def native(self, environ: Mapping[str, Any]) -> Any:
        """The environ."""
        return environ
