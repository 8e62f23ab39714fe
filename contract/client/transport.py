"""
Transports: how a client sends one request, and how to write your own transport.

A transport sends each request once, unchanged: no redirects, no retries, no cookies. The client
does the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, Protocol, final, runtime_checkable

from contract.client.forms import Form
from contract.client.results import NetworkCause
from contract.shape.exceptions import ContractException
from contract.shape.header_values import essence
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
    """A request; its ``repr`` omits headers and body, which may be secret."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    """Names are in lower case; Host and Content-Length are missing."""
    body: bytes = field(repr=False)
    form: Form | None = field(default=None, repr=False)
    """The body of a call that sends files, in pieces; *body* is then empty."""


@final
@record
class HttpResponse:
    """A response; its ``repr`` omits headers and body."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    """Names are in lower case; repeated headers are joined with ", "."""
    body: bytes = field(repr=False)
    truncated: bool = False
    """Whether the body is incomplete: it is too large, or cannot be read."""
    problem: str = ""
    """A sentence in English that says why it is truncated, for logs."""


class TransportError(ContractException):
    """
    The exception of a transport: no answer came.

    Attributes:
        cause: The reason.
    """

    def __init__(self, cause: NetworkCause, problem: str = "") -> None:
        super().__init__(problem or cause)
        self.cause: Final = cause


class Transport(Protocol):
    """Sends requests; threads may share it."""

    def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        """
        Send *request* and read the whole answer, whatever its status is.

        Args:
            request: The request to send.
            timeout: Seconds in which the answer must come.
            max_bytes: How many bytes of its body to read.

        Raises:
            TransportError: No answer came. An OSError counts as one, too; any other exception goes
                to the caller.
        """
        ...

    def close(self) -> None:
        """Close all connections."""
        ...


class AsyncTransport(Protocol):
    """Sends requests from an event loop."""

    async def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        """
        Send *request* and read the whole answer, whatever its status is.

        Raises:
            TransportError: No answer came. An OSError counts as one, too; any other exception goes
                to the caller.
        """
        ...

    async def aclose(self) -> None:
        """Close all connections."""
        ...


class OpenResponse(Protocol):
    """A response whose body is read part by part."""

    @property
    def status(self) -> int:
        """As in `HttpResponse`."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """As in `HttpResponse`."""
        ...

    def read(self, timeout: float) -> bytes:
        """
        The next part of the body; empty at its end.

        Args:
            timeout: Seconds in which something must come.

        Raises:
            TransportError: Nothing more comes. An OSError counts as one, too.
        """
        ...

    def close(self) -> None:
        """Close the connection, if the body has not ended; closing again does nothing."""
        ...


class AsyncOpenResponse(Protocol):
    """A response whose body is read part by part, in an event loop."""

    @property
    def status(self) -> int:
        """As in `HttpResponse`."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """As in `HttpResponse`."""
        ...

    async def read(self, timeout: float) -> bytes:
        """
        The next part of the body; empty at its end.

        Raises:
            TransportError: Nothing more comes. An OSError counts as one, too.
        """
        ...

    async def aclose(self) -> None:
        """Close the connection, if the body has not ended; closing again does nothing."""
        ...


@runtime_checkable
class StreamTransport(Transport, Protocol):
    """A transport that can also call routes with streams."""

    def open(
        self, request: HttpRequest, *, timeout: float, max_bytes: int
    ) -> OpenResponse | HttpResponse:
        """
        Send *request*; return a stream (`is_stream`) as soon as its headers have come.

        Any other answer is read to its end, as in `send`.

        Raises:
            TransportError: No answer came. An OSError counts as one, too; any other exception goes
                to the caller.
        """
        ...


@runtime_checkable
class AsyncStreamTransport(AsyncTransport, Protocol):
    """A transport for event loops that can also call routes with streams."""

    async def open(
        self, request: HttpRequest, *, timeout: float, max_bytes: int
    ) -> AsyncOpenResponse | HttpResponse:
        """
        Send *request*; return a stream (`is_stream`) as soon as its headers have come.

        Any other answer is read to its end, as in `send`.

        Raises:
            TransportError: No answer came. An OSError counts as one, too; any other exception goes
                to the caller.
        """
        ...


def is_stream(status: int, headers: Mapping[str, str]) -> bool:
    """
    Whether an answer is a stream that can be read line by line, or a file.

    A file has the header Content-Disposition, as no other answer of a service does.
    """
    media_type = essence(headers.get("content-type", ""))
    # what a proxy has packed cannot be read line by line; it is read as a whole, and refused
    packing = headers.get("content-encoding", "").strip().lower()
    opens = media_type == "application/jsonl" or "content-disposition" in headers
    return status == 200 and opens and packing in ("", "identity")
