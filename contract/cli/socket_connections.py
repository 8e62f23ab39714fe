"""
Socket connections: how a synchronous worker reads its clients, and sends them answers.

A connection is used by one thread at a time: by the leader (`contract.cli.turns`), or by the thread
that answers its request.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from time import monotonic
from typing import Any, Final, final

from contract.cli.connections import PIECE, Connection, untaken
from contract.cli.exchanges import Facts

__all__ = ["SocketConnection"]

_LOOK: Final = 1.0
"""The longest time between two looks at a client that takes nothing, in seconds."""


@final
class SocketConnection(Connection):
    """
    The connection of a client, on a socket.

    Attributes:
        busy: Whether its first request is being answered, authenticated, or waits for a turn.
        parked: Whether the leader does not look at it.
        socket: Its socket.
        task: What answers the first request; None if that has not been decided.
        unsent: What is still to be sent.
    """

    __slots__ = ("busy", "parked", "socket", "task", "unsent")

    gone: bool
    is_deaf: bool
    is_hung_up: bool

    def __init__(self, accepted: socket.socket, peer: Any, facts: Facts) -> None:
        super().__init__(peer, facts)
        self.socket: Final = accepted
        self.busy: bool = False
        self.parked: bool = False
        self.task: Any = None
        self.unsent: bytearray = bytearray()

    def fileno(self) -> int:
        """The descriptor of its socket, for selectors."""
        return self.socket.fileno()

    # What comes.

    def read(self) -> None:
        """Read and parse what has come."""
        try:
            data = self.socket.recv(PIECE)
        except (BlockingIOError, InterruptedError, TimeoutError):
            return
        except OSError:  # it was reset, say
            data = b""
        if not data:  # the end of what the client sends
            self.lose()
        elif not self.is_deaf:
            self.parse(data)

    def receive(self, seconds: float) -> None:
        """Wait for more of a body, for so many seconds, in the thread that reads it."""
        self.proceed()
        if self.unsent:  # it may be the 100, for which the client waits before it sends the body
            self._drain()
        with suppress(OSError):  # whatever is wrong with the socket, reading it tells
            self.socket.settimeout(seconds)
        self.read()
        self._unblock()

    def _unblock(self) -> None:
        with suppress(OSError):
            self.socket.setblocking(False)  # noqa: FBT003

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

    # What is sent.

    def send(self, data: bytes) -> None:
        """Send; what the client has no room for is kept, and sent by `flush`."""
        if self.unsent:  # not before what is left of an earlier one
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

    @property
    def is_sent(self) -> bool:
        """Whether the client has taken all there is, or never will."""
        return self.gone or not self.unsent

    def flush(self) -> None:
        """Send more of what is left."""
        try:
            # a view of it, so that a large answer is not copied for each piece
            sent = self.socket.send(memoryview(self.unsent)[:PIECE])
            del self.unsent[:sent]
        except (BlockingIOError, InterruptedError, TimeoutError):
            pass
        except OSError:
            self.gone = True

    def _drain(self) -> None:
        """Wait until the client has taken what is left: it may read slowly."""
        # the look at the time comes after each wait, so a wait is no longer than the patience
        with suppress(OSError):
            self.socket.settimeout(min(_LOOK, self.patience))
        while not self.is_sent:
            self.flush()
            if self.is_stalled(monotonic()):
                self.gone = True
        self._unblock()

    def left(self) -> int:
        """
        How many bytes the client has not taken of what was sent; 0 if the kernel has all of them.
        """
        left = len(self.unsent)
        if not left:
            return 0
        return left + untaken(self.socket)

    def part(self, part: bytes) -> None:
        """Send a part of an answer, and wait until the client has room for more."""
        data = self.exchanges[0].part(part)
        if data and not self.gone:
            self.send(data)
            if self.unsent:
                self._drain()

    def break_off(self) -> None:
        """End the connection without the rest of an answer that has begun."""
        self.gone = True

    @property
    def is_answered(self) -> bool:
        """Whether its first request has been answered."""
        return self.task is None and bool(self.exchanges) and self.exchanges[0].begun

    def hang_up(self) -> None:
        """End our side, and take nothing more."""
        # there was room for a refusal, unless the client has read nothing for long
        self.unsent.clear()
        self.is_deaf = self.is_hung_up = True
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
