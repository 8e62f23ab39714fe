"""WSGI: a spec as a bare WSGI callable (PEP 3333), with no framework around it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, Final, final

from contract.drivers.threads import BACKGROUND, drive
from contract.drivers.wsgi import WsgiIncoming
from contract.service import Service

__all__ = ["WsgiApp"]

_LINES: Final = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


@final
class WsgiApp:
    """
    A WSGI application that serves one spec and nothing else.

    Attributes:
        service: What it serves.
    """

    def __init__(self, service: Service) -> None:
        self.service: Final = service

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        service = self.service
        path = environ.get("PATH_INFO", "")
        if not path.isascii():
            path = path.encode("latin-1").decode("utf-8", "replace")  # PEP 3333: bytes, one character for each
        incoming = WsgiIncoming(environ, path, environ)
        response = drive(service, incoming, BACKGROUND)
        headers = response.pairs()
        if response.status != 204:
            headers.append(("content-length", str(len(response.body))))
        start_response(_LINES.get(response.status) or f"{response.status} Unknown", headers)
        return [] if incoming.method == "HEAD" else [response.body]
