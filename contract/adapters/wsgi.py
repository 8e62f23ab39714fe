"""WSGI: a spec as a bare WSGI callable (PEP 3333), with no framework around it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final, cast, final

from contract.drivers.pool import Lanes
from contract.drivers.threads import respond
from contract.drivers.wsgi import WsgiIncoming, path_of
from contract.message import JSON_HEADERS, Answered, Incoming, Streamed
from contract.options import check_is
from contract.service import Service

__all__ = ["WsgiApp", "WsgiFront"]

_OK: Final = JSON_HEADERS.pairs
_LINES: Final = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


class WsgiFront(ABC):
    """
    A WSGI callable that answers for a service.

    Attributes:
        service: Who answers.
        lanes: Threads for what has a deadline.
    """

    def __init__(self, service: Service, lanes: Lanes) -> None:
        self.service: Final = service
        self.lanes: Final = lanes
        service.stuck = lanes.stuck

    @abstractmethod
    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""

    @abstractmethod
    def answers(self, path: str) -> bool:
        """Whether a POST to *path* is answered by the service, with nothing of an app's before it."""

    @abstractmethod
    def native(self, environ: Mapping[str, Any]) -> Any:
        """Make what hooks get as `Request.native`."""


@final
class WsgiApp(WsgiFront):
    """A WSGI application that serves one spec and nothing else."""

    def __init__(self, service: Service) -> None:
        check_is("WsgiApp()", service, Service, "write WsgiApp(Service(api))")
        super().__init__(service, Lanes(service.options.limits))

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        incoming = WsgiIncoming(environ, path_of(environ), self.native, self.lanes)
        return send_response(respond(self.service, incoming), incoming, start_response)

    def answers(self, path: str) -> bool:
        """Whether there is such a route, or the endpoint for MCP clients."""
        return self.service.takes(path)

    def native(self, environ: Mapping[str, Any]) -> Any:
        """The environ."""
        return environ


def send_response(response: Answered, incoming: Incoming, start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Start *response*, and give its body."""
    if isinstance(response, bytes):
        start_response("200 OK", [*_OK, ("x-request-id", incoming.request_id), ("content-length", str(len(response)))])
        return [response]
    headers = [*response.fixed.pairs, ("x-request-id", response.request_id), *response.headers]
    status, body = response.status, response.body
    if isinstance(response, Streamed):
        start_response("200 OK", headers)
        return cast("Iterator[bytes]", response.parts)
    if status not in (204, 304):
        headers.append(("content-length", str(len(body))))
    start_response(_LINES.get(status) or f"{status} Unknown", headers)
    return [] if incoming.method == "HEAD" else [body]
