"""Bounds: what a client may send, and how it is told that a request is not answered."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from string import ascii_letters, digits
from typing import Final, final

from contract.call.message import JSON_HEADERS
from contract.call.process import IDS
from contract.call.replies import failed

__all__ = [
    "HEADERS",
    "INVALID",
    "LARGE",
    "MANY",
    "NEW",
    "PAUSE",
    "PIPELINED",
    "STALLED",
    "STALLED_AT_END",
    "Bounds",
    "Fault",
    "fault_in",
    "refusal",
]

HEADERS: Final = 65_536
"""The most bytes of a request's headers, and of anything else around a body."""

MANY: Final = 100
"""The most headers of a request; Apache and gunicorn take as many."""

PIPELINED: Final = 64
"""The most requests on a connection that wait for the answer to another one."""

NEW: Final = 0.3
"""Seconds that a connection without any request gets for one when the server stops."""

STALLED: Final = 60.0
"""
Seconds in which a client has to take something of what is left for it.

nginx allows as long (``send_timeout``).
"""

STALLED_AT_END: Final = 3.0
"""Seconds for this once the worker ends, since its server stops or has replaced it."""

PAUSE: Final = 1.0
"""Seconds until the next try if a connection could not be accepted."""


@final
@dataclass(frozen=True, slots=True)
class Bounds:
    """
    The most that clients may take.

    Attributes:
        connections: The most connections.
        seconds: The time for the headers of a request, and until an idle connection has another.
        keep_alive: Whether a connection may be used again.
    """

    connections: int
    seconds: float
    keep_alive: bool = True


@final
@dataclass(frozen=True, slots=True)
class Fault:
    """Why a request is refused before the app sees it."""

    status: int
    message: str


INVALID: Final = Fault(400, "The request is not valid HTTP.")
LARGE: Final = Fault(431, "The headers are too many or too long.")
_UNADDRESSED: Final = Fault(400, "Send the header Host, and send it once.")
_NO_HOST: Final = Fault(400, "Host is not the name of a host.")
_UNSUPPORTED: Final = Fault(505, "This HTTP version is not supported.")

_IN_HOSTS: Final = b"-._~%!$&'()*+,;=:[]" + (digits + ascii_letters).encode()
"""The characters of a host and its port (RFC 3986, section 3.2)."""


def fault_in(
    url: bytes, headers: list[tuple[bytes, bytes]], version: str, size: int
) -> Fault | None:
    """
    The fault of a request whose headers have come; None if it has none.

    Args:
        url: Its target.
        headers: Its headers; names are in lower case.
        version: Of HTTP.
        size: The most bytes that these can have.
    """
    if size > HEADERS:  # a part of the body may have come with them
        size = len(url) + sum(len(name) + len(value) for name, value in headers)
    if size > HEADERS or len(headers) > MANY:
        return LARGE
    # its framing may be another one (RFC 9110, section 15.6.6)
    if version not in ("1.1", "1.0"):
        return _UNSUPPORTED
    found = dict(headers)
    # RFC 9112, section 3.2: a server must refuse a request of 1.1 without Host, and any with two or
    # with an invalid one. An empty one is refused as well: it names no host.
    host = found.get(b"host", b"")
    if not host and version == "1.1":
        return _UNADDRESSED
    if host.translate(None, _IN_HOSTS):
        return _NO_HOST
    # counting is worth its time only if some name is repeated, which is rare
    if len(found) < len(headers) and [name for name, _ in headers].count(b"host") > 1:
        return _UNADDRESSED
    return None


def refusal(fault: Fault, method: bytes) -> bytes:
    """
    The whole response to a request with a *fault*; the connection ends with it.

    Args:
        fault: Why it is refused.
        method: The request's; empty if that is unknown.
    """
    body = failed("BAD_REQUEST", message=fault.message).body
    headers = [
        *JSON_HEADERS.raw,
        (b"x-request-id", IDS.new().encode()),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
    ]
    lines = b"".join(b"%b: %b\r\n" % each for each in headers)
    phrase = HTTPStatus(fault.status).phrase.encode()
    if method == b"HEAD":  # it gets the length of the body that another method would get
        body = b""
    return b"HTTP/1.1 %d %b\r\n%b\r\n%b" % (fault.status, phrase, lines, body)
