"""
Connections: what a client sends, parsed, and the answers to it, whatever moves their bytes.

The bytes are parsed by httptools, which is Node's parser (llhttp). A synchronous worker reads and
writes sockets (`contract.cli.socket_connections`), an event loop calls back
(`contract.cli.loop_connections`).
"""

from __future__ import annotations

import socket
import sys
from abc import ABC, abstractmethod
from array import array
from collections import deque
from typing import Any, Final
from urllib.parse import unquote_to_bytes

import httptools

if sys.platform == "linux":  # pragma: no branch
    from fcntl import ioctl
    from termios import TIOCOUTQ

from contract.call.incoming import Refused
from contract.call.message import JSON_HEADERS
from contract.call.process import request_id
from contract.call.replies import failed
from contract.cli.bounds import HEADERS, INVALID, LARGE, MANY, PIPELINED, Fault, fault_in, refusal
from contract.cli.exchanges import Exchange, Facts

__all__ = ["PIECE", "Connection", "untaken"]

PIECE: Final = 65_536
"""How many bytes are read, or sent in a stream, at once."""

# A 100 is no answer, but what comes before one (RFC 9110, section 15.2.1).
_CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"


class Connection(ABC):
    """
    The connection of a client.

    It is used by one thread at a time, so nothing here needs a lock.

    Attributes:
        exchanges: The requests that have come and are not answered, in their order.
        gone: Whether the client has gone, so that nothing reaches it any more.
        is_deaf: Whether nothing more is taken from it.
        is_hung_up: Whether our side has ended.
        is_new: Whether there has been no request.
        until: When its client will have had its time; None while a request is answered.
    """

    __slots__ = (
        "_facts",
        "_fault",
        "_headers",
        "_left",
        "_left_since",
        "_parser",
        "_peer",
        "_receiving",
        "_unseen",
        "_url",
        "exchanges",
        "gone",
        "is_deaf",
        "is_hung_up",
        "is_new",
        "until",
    )

    def __init__(self, peer: Any, facts: Facts) -> None:
        self._facts: Final = facts
        self._fault: Fault | None = None
        self._peer: Final = peer[:2]
        self._parser: Any = httptools.HttpRequestParser(self)
        self._receiving: Exchange | None = None
        self._headers: list[tuple[bytes, bytes]] = []
        self._url = b""
        self._left = 0
        self._left_since = 0.0
        self._unseen = 0
        """Bytes since the parser last gave the headers, a part of the body or its end."""
        self.exchanges: Final[deque[Exchange]] = deque()
        self.gone: bool = False
        self.is_deaf: bool = False
        self.is_hung_up: bool = False
        self.is_new: bool = True
        self.until: float | None = None

    @abstractmethod
    def send(self, data: bytes) -> None:
        """Send; what the client has no room for is kept, and sent later."""

    @abstractmethod
    def hang_up(self) -> None:
        """
        End our side, and take nothing more.

        If a client is still sending, and the whole connection was closed, the kernel would reset
        it, and the client might not get the answer; a proxy would send its own 502 (RFC 9112,
        section 9.6).
        """

    @abstractmethod
    def left(self) -> int:
        """
        How many bytes the client has not taken of what was sent; 0 if the kernel has all of them.
        """

    # What comes.

    def proceed(self) -> None:
        """Tell a client that waits for that to send its body."""
        exchange = self.exchanges[0]
        if exchange.expects and not exchange.begun:  # it would come in the middle of the answer
            exchange.expects = False
            self.send(_CONTINUE)

    def lose(self) -> None:
        """Record that the client has gone."""
        self.gone = True
        for exchange in self.exchanges:
            if not exchange.body.whole:
                exchange.keeps = False
                exchange.body.break_off()

    def parse(self, data: bytes) -> None:
        """Parse what has come."""
        self._unseen += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._go_on(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self._reject(self._fault or INVALID)
        else:
            if self._unseen > HEADERS:
                self._reject(LARGE)

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
        self.parse(b"".join((line, *lines, b"\r\n", rest)))

    def _reject(self, fault: Fault) -> None:
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
            method = b""
            if self._fault:  # the parser came to the headers, so it knows the method
                method = self._parser.get_method()
            self.send(refusal(fault, method))

    # Called by the parser.

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._url = b""
        self._headers = []

    def on_url(self, url: bytes) -> None:
        """Keep a part of its target."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """
        Keep a header; what comes after the body in this form is none of the request's.

        Raises:
            ValueError: There are too many. They would take much more memory than their bytes.
        """
        if self._receiving is None:
            if len(self._headers) == MANY:
                self._fault = LARGE
                raise ValueError
            name = name.lower()
            value = value.rstrip(b" \t")  # the parser leaves it there (RFC 9110, section 5.5)
            if name == b"expect":
                value = value.lower()
            self._headers.append((name, value))

    def on_headers_complete(self) -> None:
        """
        Begin an exchange.

        Raises:
            ValueError: The request is not to be answered, for which the parser raises its own.
        """
        # 1. Leave out what has to be read again, and what is not to be answered.
        parser, headers, url = self._parser, self._headers, self._url
        method = parser.get_method()
        if parser.should_upgrade():
            if method == b"CONNECT":  # it asks for a tunnel, and its target has no path
                raise ValueError
            return  # `_go_on` follows
        version = parser.get_http_version()
        self._fault = fault_in(url, headers, version, self._unseen)
        if self._fault is not None or len(self.exchanges) > PIPELINED:
            raise ValueError
        self._unseen = 0
        self.is_new = False
        # 2. Find the path. For nearly all targets, those of known calls, its text is there already.
        facts = self._facts
        raw, path, query = url, facts.paths.get(url), b""
        if path is None:
            raw, path, query = _parts_of(url)
        # 3. Make the exchange. A server need not keep connections of 1.0 (RFC 9112, section 9.3).
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
        # 4. Remember whether it waits for a 100: one of 1.0 knows none (RFC 9110, section 10.1.1).
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

    def _send_whole(self, head: bytes, body: bytes) -> None:
        if len(body) <= PIECE:
            self.send(head + body)
        else:  # to copy it would cost more than another system call
            self.send(head)
            self.send(body)

    def answer_ok(self, request_id: str, body: bytes) -> None:
        """Send the answer of most calls."""
        exchange = self.exchanges[0]
        head = exchange.head_of_ok(request_id, len(body))
        # The body is always sent: `Service.answer` answers with bare bytes only for a POST. A HEAD
        # gets a `Response`, and so comes to `answer`.
        if len(body) <= PIECE:  # `_send_whole` would do this, too, with one more function call
            self.send(head + body)
        else:
            self._send_whole(head, body)

    def answer(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        """
        Send a whole answer; its length is added.

        Raises:
            ValueError: A header would end its line, and begin another one, or is no length.
        """
        exchange = self.exchanges[0]
        head = exchange.head(status, headers, len(body))
        if exchange.is_bare:
            body = b""
        self._send_whole(head, body)

    def begin(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        """
        Begin an answer in parts, in chunks unless *headers* give its length.

        Raises:
            ValueError: A header would end its line, and begin another one, or is no length.
        """
        self.send(self.exchanges[0].begin(status, headers))

    def end(self) -> None:
        """End an answer in parts."""
        self.send(self.exchanges[0].end())

    def refuse(self, refused: Refused) -> None:
        """Answer the first request with a refusal."""
        reply = failed(refused.code, refused.headers, **refused.data)
        # an answer that no service gives has the id of the request all the same
        sent: bytes | None = dict(self.exchanges[0].scope["headers"]).get(b"x-request-id")
        if sent is None:
            identifier = request_id(None)
        else:
            identifier = request_id(sent.decode("latin-1"))
        headers = [(name.encode(), value.encode()) for name, value in refused.headers]
        headers.append((b"x-request-id", identifier.encode()))
        self.answer(reply.status, [*JSON_HEADERS.raw, *headers], reply.body)

    def end_first(self) -> Exchange:
        """Take the first exchange off, which has been answered; the client has its time anew."""
        self._left = 0  # the next answer may leave as much as this one did
        return self.exchanges.popleft()

    @property
    def patience(self) -> float:
        """Seconds in which its client has to take something of what is left for it."""
        return self._facts.patience

    def is_stalled(self, now: float) -> bool:
        """Whether the client has taken nothing of what is left for it, for longer than it may."""
        left = self.left()
        if left != self._left:  # it has taken something, or there is more of it
            self._left, self._left_since = left, now
        return left > 0 and now - self._left_since >= self.patience

    @property
    def must_hang_up(self) -> bool:
        """Whether nothing more is taken from it, and its client has yet to be told so."""
        return self.is_deaf and not self.is_hung_up


def untaken(connected: socket.socket) -> int:
    """
    How many bytes a client has not taken of what the kernel has for it (Linux; man 7 tcp).

    The kernel finds room for more only once it has got rid of a large part of these, which may take
    a slow client minutes.
    """
    if sys.platform != "linux":  # pragma: no cover  it says nothing there
        return 0
    found = array("i", [0])
    try:
        ioctl(connected.fileno(), TIOCOUTQ, found)
    except (OSError, ValueError):  # it has ended
        return 0
    return found[0]


def _parts_of(url: bytes) -> tuple[bytes, str, bytes]:
    """
    The path of a target, as it was sent and decoded, and its query.

    Raises:
        httptools.HttpParserInvalidURLError: It is none.
    """
    # Most targets are a path, which is cheaper to take apart by hand. Another one may be a whole
    # URL, which a server must take, too (RFC 9112, section 3.2.2).
    if url[:1] != b"/" or b"#" in url:
        found = httptools.parse_url(url)
        raw, query = found.path or b"/", found.query or b""
    else:
        raw, _, query = url.partition(b"?")
    if b"%" in raw or not raw.isascii():
        return raw, unquote_to_bytes(raw).decode("utf-8", "replace"), query
    return raw, raw.decode("ascii"), query
