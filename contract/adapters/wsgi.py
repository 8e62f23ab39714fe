"""WSGI: a spec as a bare WSGI callable (PEP 3333), with no framework around it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final, cast, final

from contract.dispatch import Bound
from contract.drivers.threads import BACKGROUND, drive
from contract.drivers.wsgi import WsgiIncoming, answer_straight, path_of
from contract.message import JSON_HEADERS, Incoming, Response, Streamed
from contract.options import check_is
from contract.service import Service

__all__ = ["WsgiApp", "WsgiFront"]

_OK: Final = JSON_HEADERS.pairs
_LINES: Final = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


class WsgiFront(ABC):
    """
    Answers plain calls at once, and passes on what is left.

    Attributes:
        service: Who answers.
        routes: Full path -> route; those that plain calls may be of.
    """

    def __init__(self, service: Service, routes: Mapping[str, Bound]) -> None:
        self.service: Final = service
        self.routes: Mapping[str, Bound] = routes

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        straight = answer_straight(self.service, self.routes, environ, path_of(environ), self.native)
        if straight is None:
            return self.beyond(environ, start_response)
        incoming, answer = straight
        if not isinstance(answer, bytes):
            return send_response(answer, incoming, start_response)
        start_response("200 OK", [*_OK, ("x-request-id", incoming.request_id), ("content-length", str(len(answer)))])
        return [answer]

    @abstractmethod
    def calls(self) -> Mapping[str, Bound]:
        """Full path -> route; those whose calls may be answered by the service alone, plain or not."""

    @abstractmethod
    def native(self, environ: Mapping[str, Any]) -> Any:
        """What hooks get as `Request.native`."""

    @abstractmethod
    def beyond(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request that is no plain call."""


@final
class WsgiApp(WsgiFront):
    """A WSGI application that serves one spec and nothing else."""

    def __init__(self, service: Service) -> None:
        check_is("WsgiApp()", service, Service, "write WsgiApp(Service(api))")
        super().__init__(service, service.straight)

    def calls(self) -> Mapping[str, Bound]:
        """All."""
        return self.service.routes

    def native(self, environ: Mapping[str, Any]) -> Any:
        """The environ."""
        return environ

    def beyond(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer any request."""
        incoming = WsgiIncoming(environ, path_of(environ), self.native)
        return send_response(drive(self.service, incoming, BACKGROUND), incoming, start_response)


def send_response(response: Response, incoming: Incoming, start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Start *response*, and give its body."""
    headers = response.pairs()
    if isinstance(response, Streamed):
        start_response("200 OK", headers)
        return cast("Iterator[bytes]", response.parts)
    if response.status not in (204, 304):
        headers.append(("content-length", str(len(response.body))))
    start_response(_LINES.get(response.status) or f"{response.status} Unknown", headers)
    return [] if incoming.method == "HEAD" else [response.body]
