"""
Connections: what a client of a synchronous worker sends, parsed, and what is sent to it.

The bytes are parsed by httptools, which is Node's parser (llhttp). A connection is used by one
thread at a time: by the leader (`contract.cli.turns`), or by the thread that answers its request.
So nothing here needs a lock.
"""

from __future__ import annotations

import socket
from collections import deque
from contextlib import suppress
from typing import Any, Final, final
from urllib.parse import unquote_to_bytes

import httptools

from contract.cli.bounds import HEADERS, INVALID, LARGE, PIPELINED, Fault, fault_in, refusal
from contract.cli.exchanges import Exchange, Facts

__all__ = ["Connection"]

_PIECE: Final = 65_536
"""How many bytes are read, or sent in a stream, at once."""

_STALLED: Final = 60.0
"""Seconds in which a client has to take a piece of a stream that finds no room (64 KiB)."""

_CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"


@final
class Connection:
    """
    The connection of a client.

    Attributes:
        busy: Whether its first request is being answered, authenticated, or waits for a turn.
        exchanges: The requests that have come and are not answered, in their order.
        gone: Whether the client has gone, so that nothing reaches it any more.
        is_deaf: Whether nothing more is taken from it.
        is_new: Whether there has been no request.
        parked: Whether the leader does not look at it.
        socket: Its socket.
        task: What answers the first request; None if that has not been decided.
        unsent: What is still to be sent.
        until: When its client will have had its time; None while a request is answered.
    """

    __slots__ = (
        "_facts",
        "_fault",
        "_headers",
        "_is_hung_up",
        "_parser",
        "_peer",
        "_receiving",
        "_unseen",
        "_url",
        "busy",
        "exchanges",
        "gone",
        "is_deaf",
        "is_new",
        "parked",
        "socket",
        "task",
        "unsent",
        "until",
    )

    def __init__(self, accepted: socket.socket, peer: Any, facts: Facts) -> None:
        self.socket: Final = accepted
        self._facts: Final = facts
        self._fault: Fault | None = None
        self._peer: Final = peer[:2]
        self._parser: Any = httptools.HttpRequestParser(self)
        self._receiving: Exchange | None = None
        self._is_hung_up = False
        self._headers: list[tuple[bytes, bytes]] = []
        self._url = b""
        self._unseen = 0
        """Bytes since the parser last gave the headers, a part of the body or its end."""
        self.busy: bool = False
        self.exchanges: Final[deque[Exchange]] = deque()
        self.gone: bool = False
        self.is_deaf: bool = False
        self.is_new: bool = True
        self.parked: bool = False
        self.task: Any = None
        self.unsent: bytearray = bytearray()
        self.until: float | None = None

    def fileno(self) -> int:
        """The descriptor of its socket, for selectors."""
        return self.socket.fileno()

    # What comes.

    def read(self) -> None:
        """Read and parse what has come."""
        try:
            data = self.socket.recv(_PIECE)
        except (BlockingIOError, InterruptedError, TimeoutError):
            return
        except OSError:
            data = b""
        if not data:
            self.lose()
        elif not self.is_deaf:
            self._parse(data)

    def receive(self, seconds: float) -> None:
        """Wait for more of a body, for so many seconds, in the thread that reads it."""
        self.proceed()
        if self.unsent:
            self._drain()
        with suppress(OSError):
            self.socket.settimeout(seconds)
        self.read()
        self._unblock()

    def _unblock(self) -> None:
        with suppress(OSError):
            self.socket.setblocking(False)  # noqa: FBT003

    def proceed(self) -> None:
        """Tell a client that waits for that to send its body."""
        exchange = self.exchanges[0]
        if exchange.expects:
            exchange.expects = False
            self.send(_CONTINUE)

    def lose(self) -> None:
        """Record that the client has gone."""
        self.gone = True
        for exchange in self.exchanges:
            exchange.body.break_off()

    @property
    def has_hung_up(self) -> bool:
        """Whether the client has closed its end, as far as the kernel knows by now."""
        self.gone = self.gone or self._peek() == b""
        return self.gone

    @property
    def has_more(self) -> bool:
        """Whether the client has sent more, as far as the kernel knows by now."""
        return bool(self._peek())

    def _peek(self) -> bytes | None:
        """The next byte; none at the end, and None if nothing has come."""
        try:
            return self.socket.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError:
            return b""

    def _parse(self, data: bytes) -> None:
        self._unseen += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._go_on(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self._refuse(self._fault or INVALID)
        else:
            if self._unseen > HEADERS:
                self._refuse(LARGE)

    def _go_on(self, rest: bytes) -> None:
        """
        Read a request again without its ``Upgrade``, which may be ignored (RFC 9110, section 7.8).

        The parser takes what follows for another protocol, but clients that offer HTTP/2 (Java's)
        send their request in this form.
        """
        line = b"%b %b HTTP/%b\r\n" % (
            self._parser.get_method(),
            self._url,
            self._parser.get_http_version().encode(),
        )
        lines = [b"%b: %b\r\n" % each for each in self._headers if each[0] != b"upgrade"]
        self._parser = httptools.HttpRequestParser(self)
        self._parse(b"".join((line, *lines, b"\r\n", rest)))

    def _refuse(self, fault: Fault) -> None:
        """Take nothing more; answer, unless that would be taken for the answer to another."""
        self.is_deaf = True
        receiving = self._receiving
        if receiving is not None:  # the wrong bytes are in a body
            receiving.keeps = False
            receiving.body.break_off(fault.message)
            if receiving not in self.exchanges:  # it has been answered without that body
                self.gone = True
        elif self.exchanges:
            self.exchanges[-1].keeps = False
        else:
            # the parser knows the method if it came to the end of the headers
            self.send(refusal(fault, self._parser.get_method() if self._fault else b""))
            self.unsent.clear()  # there is room for it, unless the client has read nothing for long

    # Called by the parser.

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._url = b""
        self._headers = []

    def on_url(self, url: bytes) -> None:
        """Keep a part of its target."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header; what comes after the body in this form is none of the request's."""
        if self._receiving is None:
            name = name.lower()
            if name == b"expect":
                value = value.lower()
            self._headers.append((name, value))

    def on_headers_complete(self) -> None:
        """
        Begin an exchange.

        Raises:
            ValueError: The request is not to be answered, for which the parser raises its own.
        """
        parser, headers, url = self._parser, self._headers, self._url
        method = parser.get_method()
        if parser.should_upgrade():
            if method == b"CONNECT":
                raise ValueError
            return
        version = parser.get_http_version()
        self._fault = fault_in(url, headers, version, self._unseen)
        if self._fault is not None or len(self.exchanges) > PIPELINED:
            raise ValueError
        self._unseen = 0
        self.is_new = False
        facts = self._facts
        raw, path, query = url, facts.paths.get(url), b""
        if path is None:
            raw, path, query = _parts_of(url)
        exchange = Exchange(
            {
                "type": "http",
                "http_version": version,
                "method": method.decode("ascii"),
                "path": path,
                "raw_path": raw,
                "query_string": query,
                "headers": headers,
                "client": self._peer,
                "server": facts.server,
                "scheme": "http",
            },
            facts,
            keeps=version == "1.1" and parser.should_keep_alive(),
        )
        if (b"expect", b"100-continue") in headers and version == "1.1":
            exchange.expects = True
        self._receiving = exchange
        self.exchanges.append(exchange)

    def on_body(self, part: bytes) -> None:
        """Keep a part of the body."""
        self._unseen = 0
        receiving = self._receiving
        if receiving is not None:  # pragma: no branch  it is the body of a request
            receiving.body.feed(part)

    def on_message_complete(self) -> None:
        """End the body."""
        receiving = self._receiving
        if receiving is not None:  # otherwise it is to be read again
            self._unseen = 0
            receiving.body.whole = True
            self._receiving = None

    # What is sent.

    def send(self, data: bytes) -> None:
        """Send; what the client has no room for is kept, and sent by `flush`."""
        if self.unsent:
            self.unsent += data
            return
        try:
            sent = self.socket.send(data)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            self.gone = True
            return
        if sent < len(data):
            self.unsent += memoryview(data)[sent:]

    def _send_whole(self, head: bytes, body: bytes) -> None:
        if len(body) <= _PIECE:
            self.send(head + body)
        else:  # to copy it would cost more than another system call
            self.send(head)
            self.send(body)

    @property
    def is_sent(self) -> bool:
        """Whether the client has taken all there is, or never will."""
        return self.gone or not self.unsent

    def flush(self) -> None:
        """Send more of what is left."""
        try:
            del self.unsent[: self.socket.send(memoryview(self.unsent)[:_PIECE])]
        except (BlockingIOError, InterruptedError):
            pass
        except OSError:
            self.gone = True

    def _drain(self) -> None:
        """Wait until the client has taken what is left: it may read slowly."""
        rest, self.unsent = memoryview(self.unsent), bytearray()
        try:
            self.socket.settimeout(_STALLED)
            while rest:
                rest = rest[self.socket.send(rest[:_PIECE]) :]
        except OSError:  # a timeout is one, too
            self.gone = True
        self._unblock()

    def answer_ok(self, request_id: str, body: bytes) -> None:
        """Send the answer of most calls."""
        exchange = self.exchanges[0]
        head = exchange.head_of_ok(request_id, len(body))
        if len(body) <= _PIECE and not exchange.is_bare:
            self.send(head + body)
        else:
            self._send_whole(head, b"" if exchange.is_bare else body)

    def answer(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        """
        Send a whole answer; its length is added.

        Raises:
            ValueError: A header would end its line, and begin another one, or is no length.
        """
        exchange = self.exchanges[0]
        head = exchange.head(status, headers, len(body))
        self._send_whole(head, b"" if exchange.is_bare else body)

    def begin(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        """
        Begin an answer in parts, in chunks unless *headers* give its length.

        Raises:
            ValueError: A header would end its line, and begin another one, or is no length.
        """
        self.send(self.exchanges[0].begin(status, headers))

    def part(self, part: bytes) -> None:
        """Send a part of an answer, and wait until the client has room for more."""
        data = self.exchanges[0].part(part)
        if data and not self.gone:
            self.send(data)
            if self.unsent:
                self._drain()

    def end(self) -> None:
        """End an answer in parts."""
        self.send(self.exchanges[0].end())

    def abort(self) -> None:
        """End the connection without the rest of an answer that has begun."""
        self.gone = True

    @property
    def is_answered(self) -> bool:
        """Whether its first request has been answered."""
        return self.task is None and bool(self.exchanges) and self.exchanges[0].begun

    @property
    def is_refused(self) -> bool:
        """Whether it was refused, and that has yet to be ended."""
        return self.is_deaf and not self._is_hung_up

    def hang_up(self) -> None:
        """
        End our side, and take nothing more.

        If a client is still sending, and the whole connection was closed, the kernel would reset
        it, and the client might not get the answer; a proxy would send its own 502 (RFC 9112,
        section 9.6).
        """
        self.is_deaf = self._is_hung_up = True
        self.exchanges.clear()
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """
        Close it, and let go of what it holds.

        It and its parser have each other, so it would be kept until the collector comes, with an
        answer that nobody took.
        """
        self.socket.close()
        self._parser = None
        self.unsent = bytearray()


def _parts_of(url: bytes) -> tuple[bytes, str, bytes]:
    """
    The path of a target, as it was sent and decoded, and its query.

    Raises:
        httptools.HttpParserInvalidURLError: It is none.
    """
    if url[:1] != b"/" or b"#" in url:
        found = httptools.parse_url(url)
        raw, query = found.path or b"/", found.query or b""
    else:
        raw, _, query = url.partition(b"?")
    if b"%" in raw or not raw.isascii():
        return raw, unquote_to_bytes(raw).decode("utf-8", "replace"), query
    return raw, raw.decode("ascii"), query
