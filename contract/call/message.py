"""
Messages: the response that an adapter sends, and how a request's headers describe its body.

A response is as raw as possible, since many calls make one. Nothing here knows sockets; the request
is an `Incoming` (`contract.call.incoming`).
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, final

from contract.shape.header_values import essence, parameters_in

__all__ = [
    "ALLOW_CALLS",
    "ALLOW_READS",
    "BARE_HEADERS",
    "DONE",
    "EVENT_HEADERS",
    "JSON_HEADERS",
    "PLAIN_TYPES",
    "Answered",
    "BrokenOff",
    "FixedHeaders",
    "Response",
    "Streamed",
    "announced_length",
    "event",
    "is_json",
    "length_in",
    "one_line",
    "preflight",
]


@final
class FixedHeaders:
    """Headers that many responses share, in every form that an adapter needs."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self.pairs: Final = pairs
        self.raw: Final = tuple(
            (name.encode("ascii"), value.encode("latin-1")) for name, value in pairs
        )
        self.mapping: Final = dict(pairs)


PLAIN_TYPES: Final = frozenset(
    {
        "application/json",
        "application/json;charset=utf-8",
        "application/json;charset=UTF-8",
        "application/json; charset=utf-8",
        "application/json; charset=UTF-8",
    }
)
"""The values of Content-Type that nearly all clients send."""

# A browser must not guess that an answer is a page, since it may hold what anybody has written; and
# no cache keeps an answer, which may be for one caller alone.
BARE_HEADERS: Final = FixedHeaders(
    ("x-content-type-options", "nosniff"), ("cache-control", "no-store")
)
"""The headers of a response without a body, or with its own content type."""

JSON_HEADERS: Final = FixedHeaders(("content-type", "application/json"), *BARE_HEADERS.pairs)
"""The headers of every RPC response."""


@dataclass(slots=True, eq=False, repr=False)
class Response:
    """
    A response; it is complete before its first byte is sent, unless it is `Streamed`.

    Attributes:
        status: The HTTP status.
        body: The whole body; for HEAD that of a GET, of which the adapter sends only the length.
        request_id: The value of ``X-Request-Id``.
        fixed: Headers that many responses share.
        headers: More headers; names are in lower case.
    """

    status: Final[int]
    body: Final[bytes]
    request_id: Final[str]
    fixed: Final[FixedHeaders]
    headers: Final[tuple[tuple[str, str], ...]]

    def pairs(self) -> list[tuple[str, str]]:
        """Every header except Content-Length, which the adapter adds if it is allowed."""
        return [*self.fixed.pairs, ("x-request-id", self.request_id), *self.headers]

    def raw(self) -> list[tuple[bytes, bytes]]:
        """Every header except Content-Length in bytes, for ASGI."""
        pairs = [*self.fixed.raw, (b"x-request-id", self.request_id.encode("ascii"))]
        if self.headers:
            pairs += [
                (name.encode("ascii"), value.encode("latin-1")) for name, value in self.headers
            ]
        return pairs


Answered = bytes | Response
"""
The answer to a request; bytes are the output of a call, with the headers of every success.

Most calls of most services are answered with bytes; an object for each would cost as much as
checking its output.
"""


DONE: Final = object()
"""Marks a stepped call that has ended, and waits for nothing."""


EVENT_HEADERS: Final = FixedHeaders(
    ("content-type", "text/event-stream"),
    *BARE_HEADERS.pairs,
    ("x-accel-buffering", "no"),  # nginx would hold back events until it has enough of them
)


@final
class Streamed(Response):
    """
    A response whose body is sent in parts: an event stream, unless its headers say otherwise.

    Attributes:
        parts: The parts of the body; async if it is sent on an event loop. The sender closes it,
            even before its end.
    """

    __slots__ = ("parts",)

    def __init__(
        self,
        request_id: str,
        headers: tuple[tuple[str, str], ...],
        parts: Iterator[bytes] | AsyncIterator[bytes],
        fixed: FixedHeaders = EVENT_HEADERS,
        status: int = 200,
    ) -> None:
        super().__init__(status, b"", request_id, fixed, headers)
        self.parts: Final = parts


class BrokenOff(Exception):  # noqa: N818  it is told as it is
    """
    A body cannot be completed, and nothing in it could say so.

    Iterating over the parts raises it. The server then cuts off the connection instead of ending
    the body; the reason has been logged.
    """


def event(data: bytes) -> bytes:
    """One event with the JSON *data* in one line (HTML, section 9.2)."""
    return b"event: message\ndata: " + one_line(data) + b"\n\n"


_BREAKS: Final = re.compile(rb"\xc2\x85|\xe2\x80[\xa8\xa9]")
"""U+0085, U+2028 and U+2029, which JSON may contain unescaped."""


def one_line(data: bytes) -> bytes:
    """
    The JSON *data* in one line, for any client's idea of a line end.

    Only CR and LF end a line; yet many clients in Python (httpx-sse before 0.4.2) split as
    ``str.splitlines`` does. They would then find half a message, and wait for the other half for
    ever.
    """
    return _BREAKS.sub(_escaped, data)


def _escaped(found: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(found[0].decode())


@lru_cache(1024)  # the bodies of a service have few different lengths
def length_in(text: str) -> int:
    """
    The value of a Content-Length (RFC 9110, section 8.6).

    A list of equal values, which the RFC lets a recipient accept, is refused like any other list.

    Raises:
        ValueError: It is not valid. Clients may send very long ones, and an exception is not kept.
    """
    # isdigit() accepts digits of every script; 18 digits are below 2**63
    if text.isdigit() and text.isascii() and len(text) < 19:
        return int(text)
    raise ValueError


def announced_length(text: str) -> int | None:
    """The value of a Content-Length; None if it is not valid."""
    try:
        return length_in(text)
    except ValueError:
        return None


def is_json(content_type: str) -> bool:
    """
    Whether a Content-Type is ``application/json`` in UTF-8.

    RFC 8259 (section 11) defines no charset; clients send one all the same, as RFC 9110 (section
    8.3) allows.
    """
    if content_type in PLAIN_TYPES:
        return True
    parameters = parameters_in(content_type)
    if parameters is None or essence(content_type) != "application/json":
        return False
    charsets = [text.lower() for name, text in parameters if name == "charset"]
    return all(each in ("utf-8", "utf8") for each in charsets)


ALLOW_CALLS: Final = (("allow", "OPTIONS, POST"),)
"""The methods of routes and the MCP endpoint."""
ALLOW_READS: Final = (("allow", "GET, HEAD, OPTIONS"),)
"""The methods of documents."""


def preflight(
    names: Iterable[str], methods: str = "POST", allow: tuple[tuple[str, str], ...] = ALLOW_CALLS
) -> tuple[tuple[str, str], ...]:
    """
    The headers for a page's preflight request (Fetch, section 3.2.3).

    The page may send the headers *names*, in lower case, and use the *methods*.
    """
    return (
        *allow,
        ("access-control-allow-methods", methods),
        ("access-control-allow-headers", ", ".join(dict.fromkeys(names))),
        ("access-control-max-age", "600"),
    )
