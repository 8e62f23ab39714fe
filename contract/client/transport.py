"""
Transports: how a client sends one request, and what a transport of your own has to be.

A transport sends what it is given, once: no redirects, no retries, no cookies. The client does the
rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, Protocol, final, runtime_checkable

from contract.client.forms import Form
from contract.client.results import NetworkCause
from contract.shape.exceptions import ContractException
from contract.shape.record import record

__all__ = [
    "AsyncOpenResponse",
    "AsyncStreamTransport",
    "AsyncTransport",
    "HttpRequest",
    "HttpResponse",
    "OpenResponse",
    "StreamTransport",
    "Transport",
    "TransportError",
    "is_stream",
]


@final
@record
class HttpRequest:
    """A request; its ``repr`` shows neither headers nor body, which may hold secrets."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    """Names in lower case; all but Host and Content-Length."""
    body: bytes = field(repr=False)
    form: Form | None = field(default=None, repr=False)
    """The body of a call that brings files, in pieces; *body* is empty then."""


@final
@record
class HttpResponse:
    """A response; its ``repr`` shows neither headers nor body."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    """Names in lower case; repeated ones are joined with ", "."""
    body: bytes = field(repr=False)
    truncated: bool = False
    """There is more of the body than stands here: it is too large, or cannot be read."""
    problem: str = ""
    """An English sentence that says why it is truncated, for logs."""


class TransportError(ContractException):
    """
    No answer came back: what a transport raises.

    Attributes:
        cause: Why.
    """

    def __init__(self, cause: NetworkCause, problem: str = "") -> None:
        super().__init__(problem or cause)
        self.cause: Final = cause


class Transport(Protocol):
    """Sends requests; threads may share it."""

    def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        """
        Send *request*, and read the whole answer, whatever its status is.

        Args:
            request: What to send.
            timeout: Seconds until the answer has to be there.
            max_bytes: How much of its body is read.

        Raises:
            TransportError: No answer came back. An OSError is taken for one too; anything else goes
                to the caller.
        """
        ...

    def close(self) -> None:
        """Let go of all connections."""
        ...


class AsyncTransport(Protocol):
    """Sends requests, for event loops."""

    async def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        """
        Send *request*, and read the whole answer, whatever its status is.

        Raises:
            TransportError: No answer came back. An OSError is taken for one too; anything else goes
                to the caller.
        """
        ...

    async def aclose(self) -> None:
        """Let go of all connections."""
        ...


class OpenResponse(Protocol):
    """A response whose body comes part by part."""

    @property
    def status(self) -> int:
        """As `HttpResponse` has it."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """As `HttpResponse` has them."""
        ...

    def read(self, timeout: float) -> bytes:
        """
        The next part of the body, and nothing at its end.

        Args:
            timeout: Seconds until something has to come.

        Raises:
            TransportError: Nothing comes any more. An OSError is taken for one too.
        """
        ...

    def close(self) -> None:
        """End the connection, if there is more to come; closing again does nothing."""
        ...


class AsyncOpenResponse(Protocol):
    """A response whose body comes part by part, for event loops."""

    @property
    def status(self) -> int:
        """As `HttpResponse` has it."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """As `HttpResponse` has them."""
        ...

    async def read(self, timeout: float) -> bytes:
        """
        The next part of the body, and nothing at its end.

        Raises:
            TransportError: Nothing comes any more. An OSError is taken for one too.
        """
        ...

    async def aclose(self) -> None:
        """End the connection, if there is more to come; closing again does nothing."""
        ...


@runtime_checkable
class StreamTransport(Transport, Protocol):
    """A transport that routes with streams can be called by, too."""

    def open(
        self, request: HttpRequest, *, timeout: float, max_bytes: int
    ) -> OpenResponse | HttpResponse:
        """
        Send *request*, and come back with a stream (`is_stream`) as soon as its headers are there.

        Any other answer is read to its end, as `send` does it.

        Raises:
            TransportError: No answer came back. An OSError is taken for one too; anything else goes
                to the caller.
        """
        ...


@runtime_checkable
class AsyncStreamTransport(AsyncTransport, Protocol):
    """A transport that routes with streams can be called by, too, for event loops."""

    async def open(
        self, request: HttpRequest, *, timeout: float, max_bytes: int
    ) -> AsyncOpenResponse | HttpResponse:
        """
        Send *request*, and come back with a stream (`is_stream`) as soon as its headers are there.

        Any other answer is read to its end, as `send` does it.

        Raises:
            TransportError: No answer came back. An OSError is taken for one too; anything else goes
                to the caller.
        """
        ...


def is_stream(status: int, headers: Mapping[str, str]) -> bool:
    """
    Whether an answer is a stream that can be read line by line, or a file.

    A file says what becomes of it (Content-Disposition), as no other answer of ours does.
    """
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    packing = headers.get("content-encoding", "").strip().lower()
    opens = media_type == "application/jsonl" or "content-disposition" in headers
    return status == 200 and opens and packing in ("", "identity")
