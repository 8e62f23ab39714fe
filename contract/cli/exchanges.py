"""
Exchanges: a request to a worker, and the bytes of its answer (RFC 9110, RFC 9112).

Nothing here knows sockets: what the methods return is to be sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import formatdate
from http import HTTPStatus
from string import ascii_letters, digits
from time import time
from typing import Final, final

from contract.adapters.asgi_scope import Scope
from contract.call.message import JSON_HEADERS
from contract.cli.bodies import Body
from contract.cli.bounds import STALLED
from contract.cli.signals import Draining

__all__ = ["Exchange", "Facts"]

# Most answers begin with this, so it is made once.
_OK: Final = b"HTTP/1.1 200 OK\r\n" + b"".join(b"%b: %b\r\n" % each for each in JSON_HEADERS.raw)

_LINES: Final = {
    status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus
}

_CLOSE: Final = b"connection: close\r\n"

_HOP_BY_HOP: Final = frozenset(
    {b"connection", b"keep-alive", b"proxy-connection", b"transfer-encoding", b"upgrade"}
)
"""Headers that are the server's own, and not the app's (PEP 3333; RFC 9110, section 7.6.1)."""


_TOKEN: Final = b"!#$%&'*+-.^_`|~" + (digits + ascii_letters).encode()
"""The characters of a header's name (RFC 9110, section 5.6.2)."""


@final
class Clock:
    """
    The time in answers.

    Attributes:
        line: The header Date (RFC 9110, section 6.6.1).
    """

    __slots__ = ("line",)

    def __init__(self) -> None:
        self.tick()

    def tick(self) -> None:
        """Set it to the current time; to be called each second."""
        self.line: bytes = b"date: %b\r\n" % formatdate(time(), usegmt=True).encode()


@final
class Facts:
    """
    The facts that all connections of a server have in common.

    Attributes:
        paths: Target -> path of the calls that are known; nearly all requests are for one of them.
        patience: Seconds in which a client has to take something of what is left for it.
    """

    __slots__ = ("clock", "draining", "paths", "patience", "server")

    def __init__(
        self, server: tuple[str, int], paths: Mapping[bytes, str], draining: Draining
    ) -> None:
        self.clock: Final = Clock()
        self.draining: Final = draining
        self.paths: Final = paths
        self.patience: float = STALLED
        self.server: Final = server


@final
class Exchange:
    """
    A request, and what is known of its answer.

    Attributes:
        begun: Whether the answer has begun.
        body: The body of the request.
        expects: Whether the client waits for a 100 before it sends that.
        is_bare: Whether the answer has no body.
        keeps: Whether the connection can be used again after it.
        owed: How many bytes of an answer in parts are left of its announced length, if it has one.
        scope: The request, in the form of ASGI.
    """

    __slots__ = (
        "_facts",
        "_is_chunked",
        "begun",
        "body",
        "expects",
        "is_bare",
        "keeps",
        "owed",
        "scope",
    )

    def __init__(self, scope: Scope, facts: Facts, *, keeps: bool) -> None:
        self._facts: Final = facts
        self._is_chunked = False
        self.owed: int | None = None
        self.begun: bool = False
        self.body: Final = Body()
        self.expects: bool = False
        self.is_bare: bool = scope["method"] == "HEAD"
        self.keeps: bool = keeps
        self.scope: Final = scope

    def head_of_ok(self, request_id: str, length: int) -> bytes:
        """The head of the answer to most calls."""
        self.begun = True
        facts = self._facts
        # nearly always the connection goes on, which is seen here without a function call
        ending = b""
        if not self.keeps or facts.draining.on or self.expects:
            ending = self._ending()
        return b"%bx-request-id: %b\r\ncontent-length: %d\r\n%b%b\r\n" % (
            _OK,
            request_id.encode("ascii"),
            length,
            facts.clock.line,
            ending,
        )

    def head(self, status: int, headers: list[tuple[bytes, bytes]], length: int) -> bytes:
        """
        The head of a whole answer; *length* is added, unless a HEAD was given one, or no body.

        Raises:
            ValueError: A header would end its line, and begin another one, or is no length, or no
                answer has such a status.
        """
        framing = b"content-length: %d\r\n" % length
        is_bodiless = _is_bodiless(status)
        # what a HEAD was given no body for may be long all the same (RFC 9110, section 8.6)
        if is_bodiless or (self.is_bare and (_length_in(headers) is not None or not length)):
            framing = b""
        head = self._head(status, headers, framing)
        self.is_bare = self.is_bare or is_bodiless  # not before: a refusal of this has a body
        return head

    def begin(self, status: int, headers: list[tuple[bytes, bytes]]) -> bytes:
        """
        The head of an answer in parts, which are chunks unless *headers* give its length.

        Raises:
            ValueError: A header would end its line, and begin another one, or is no length, or no
                answer has such a status.
        """
        framing = b""
        is_bodiless = _is_bodiless(status)
        is_bare = self.is_bare or is_bodiless
        owed = None if is_bodiless else _length_in(headers)
        if owed is None and not is_bare:
            # a client of 1.0 knows no chunks (RFC 9112, section 6.1)
            if self.scope["http_version"] == "1.1":
                framing = b"transfer-encoding: chunked\r\n"
            else:
                self.keeps = False  # its end is that of the connection
        head = self._head(status, headers, framing)
        # not before: a refusal of this has a body, and a length
        self.is_bare, self._is_chunked, self.owed = is_bare, bool(framing), owed
        return head

    def part(self, part: bytes) -> bytes:
        """A part of an answer, as it is sent."""
        if self.owed is not None:
            part = part[: self.owed]  # more would be taken for the next answer
            self.owed -= len(part)
        if self.is_bare or not part:  # an empty chunk would be the last one
            return b""
        if self._is_chunked:
            return b"%x\r\n%b\r\n" % (len(part), part)
        return part

    def end(self) -> bytes:
        """The bytes that end an answer in parts, if there are any."""
        if self._is_chunked:
            return b"0\r\n\r\n"  # the last chunk, and no trailers (RFC 9112, section 7.1)
        if self.owed and not self.is_bare:
            self.keeps = False  # the client still waits for the rest
        return b""

    def _head(self, status: int, headers: list[tuple[bytes, bytes]], framing: bytes) -> bytes:
        if not 200 <= status <= 999:
            raise ValueError(f"{status} is not the status of an answer (RFC 9110, section 15)")
        lines = [_LINES.get(status) or b"HTTP/1.1 %d Unknown\r\n" % status]
        has_date = False
        for name, value in headers:
            lowered = name.lower()
            # 1. Leave out what is for the server to say. An app may still end the connection.
            if lowered in _HOP_BY_HOP:
                if lowered == b"connection" and b"close" in value.lower():
                    self.keeps = False
                continue
            if lowered == b"content-length" and (framing or status == 204):
                continue  # the true one follows; a 204 has none (RFC 9110, section 8.6)
            # 2. Let no header become two: an app may have put a client's text into it (RFC 9110,
            #    section 5.5).
            if not name or name.translate(None, _TOKEN):
                raise ValueError(f"{name!r} is not the name of a header (RFC 9110, section 5.1)")
            has_date = has_date or lowered == b"date"
            line = b"%b: %b\r\n" % (name, value)
            if b"\n" in line[:-1] or b"\r" in line[:-2] or b"\0" in line:
                raise ValueError(f"the header {name!r} has a line break")
            lines.append(line)
        # 3. Add what the server knows. Nothing raises from here on, so the answer has begun.
        self.begun = True
        lines.append(framing)
        if not has_date:
            lines.append(self._facts.clock.line)
        lines.append(self._ending())
        return b"%b\r\n" % b"".join(lines)

    def _ending(self) -> bytes:
        """The header that says that the connection ends, if it does."""
        # nobody knows whether a client sends its body if it gets an answer instead of the 100
        if self._facts.draining.on or (self.expects and not self.body.whole):
            self.keeps = False
        return b"" if self.keeps else _CLOSE


def _is_bodiless(status: int) -> bool:
    """Whether an answer with *status* has no body, and no length (RFC 9112, section 6.3)."""
    return status in (204, 304)


def _length_in(headers: list[tuple[bytes, bytes]]) -> int | None:
    """
    The length that *headers* announce.

    Raises:
        ValueError: It is no number.
    """
    found = [value for name, value in headers if name.lower() == b"content-length"]
    if not found:
        return None
    if len(found) > 1 or not found[0].isdigit():  # int() would take +1, -1 and 1_0
        raise ValueError(f"{b', '.join(found)!r} is no length")
    return int(found[0])
