"""Loop connections: how a worker's event loop reads its clients, and sends them answers."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic
from typing import Any, Final, Protocol, final

from contract.cli.connections import PIECE, Connection, untaken
from contract.cli.exchanges import Exchange, Facts

__all__ = ["Answering", "LoopConnection", "Owner"]


class Answering(Protocol):
    """
    A call, as its connection sees it: it answers the first request.

    Attributes:
        is_waiting: Whether it waits for more of the body, or until the client goes.
    """

    is_waiting: bool

    def wake(self) -> None:
        """Look again at what it waits for."""
        ...


class Owner(Protocol):
    """
    A server, as its connections see it.

    Attributes:
        facts: What its connections have in common.
        seconds: How long a client has until its next request.
    """

    facts: Facts
    seconds: float

    def answer(self, connection: LoopConnection) -> Answering:
        """Begin to answer the first request of a connection."""
        ...

    def forget(self, connection: LoopConnection) -> None:
        """Count a connection no longer, which has ended."""
        ...


@final
class LoopConnection(Connection, asyncio.Protocol):
    """
    The connection of a client, on an event loop.

    Attributes:
        answering: What answers its first request; None while nothing does.
        has_ended: Whether the client says no more, though it may wait for its answers.
    """

    __slots__ = (
        "_ahead",
        "_is_full",
        "_is_paused",
        "_owner",
        "_room",
        "_transport",
        "answering",
        "has_ended",
    )

    gone: bool
    is_deaf: bool
    is_hung_up: bool
    until: float | None

    def __init__(self, owner: Owner, peer: Any) -> None:
        super().__init__(peer, owner.facts)
        self._ahead = 0
        """Bytes that have come behind the first request."""
        self._is_full = self._is_paused = False
        self._owner: Final = owner
        self._room: asyncio.Event | None = None
        """Set when the client has room again, for those that wait for it."""
        self._transport: Any = None
        self.answering: Answering | None = None
        self.has_ended: bool = False

    # Called by the loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a request."""
        self._transport = transport
        self._await_client()

    def data_received(self, data: bytes) -> None:
        """Parse what has come, and begin to answer it."""
        if self.is_deaf:
            return
        # 1. Parse it, and count what is behind the first request.
        if self.exchanges and self.exchanges[0].body.whole:
            self._ahead += len(data)
        is_awaited = self.answering is not None and self.answering.is_waiting
        self.parse(data)
        # 2. Go on with the first request.
        if self.answering is None:
            self._begin()
        else:
            self.answering.wake()
        # 3. Keep at most one piece that nobody has asked for. But a call that waits for the client
        #    to go must learn of it, so then reading goes on, and what comes is thrown away.
        if self._ahead > PIECE and is_awaited:
            self._deafen()
        elif self._ahead > PIECE or (self.exchanges and self.exchanges[0].body.kept > PIECE):
            self._pause()

    def eof_received(self) -> bool:
        """
        Record that nothing more comes; whether an answer can still reach the client.

        A client that says so may wait for its answers all the same (RFC 9112, section 9.6), or have
        gone: nobody knows. So it is sent those that are made without a wait, while a call that asks
        whether it has gone hears that it has.
        """
        if not self.exchanges:
            self._tell_gone()  # the loop closes it when the client has taken what is left
            return False
        self.is_deaf = self.has_ended = True
        last = self.exchanges[-1]
        last.keeps = False
        if not last.body.whole:
            last.body.break_off()
        if self.answering is not None:
            self.answering.wake()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        del exc
        self._tell_gone()
        self._parser = None  # it and its parser have each other
        self._owner.forget(self)

    def pause_writing(self) -> None:
        """Record that the client has no room for more."""
        self._is_full = True

    def resume_writing(self) -> None:
        """Go on with those that wait for room."""
        self._is_full = False
        if self._room is not None:
            self._room.set()
        if self.answering is None:
            self._begin()

    # What comes.

    def _tell_gone(self) -> None:
        """Tell those who wait for the client that it has gone."""
        self.lose()
        if self._room is not None:
            self._room.set()
        if self.answering is not None:
            self.answering.wake()
            self.answering = None  # it has this, and must not be kept by it

    def _pause(self) -> None:
        """Read nothing until what has come is taken."""
        self._is_paused = True
        self._transport.pause_reading()

    def _resume(self) -> None:
        if self._is_paused and not self._transport.is_closing():
            self._is_paused = False
            self._transport.resume_reading()

    def read_on(self) -> None:
        """Read more: what had come was taken, or somebody waits for the client to go."""
        if self._is_paused:
            if self._ahead > PIECE:
                self._deafen()
            self._resume()

    def _deafen(self) -> None:
        """
        Forget the requests behind the first one, and close after its answer.

        To hear whether the client goes, all that it sends has to be read, and can not be kept. The
        client sends those requests again (RFC 9112, section 9.3.2).
        """
        self.is_deaf = True
        while len(self.exchanges) > 1:
            self.exchanges.pop()
        self.exchanges[0].keeps = False

    def _begin(self) -> None:
        """Answer the first request, if there is one."""
        if self.exchanges:
            self.until = None
        # a client that asks and takes nothing would fill the memory; nobody hears the answer of one
        # that is closing
        if self._is_full or self._transport.is_closing():
            return
        if self.exchanges:
            self.answering = self._owner.answer(self)
        elif self.gone:
            self.break_off()
        elif self.must_hang_up:
            self.hang_up()

    # What is sent.

    def send(self, data: bytes) -> None:
        """Send; what the client has no room for is kept, and sent later."""
        if not self.gone:
            self._transport.write(data)

    async def part(self, exchange: Exchange, part: bytes) -> None:
        """Send a part of an answer, once the client has room for more."""
        await self.room()
        # meanwhile the exchange may have ended
        if self.exchanges and self.exchanges[0] is exchange:
            self.send(exchange.part(part))

    async def room(self) -> None:
        """Wait until the client has room for more, or has gone."""
        while self._is_full and not self.gone:
            if self._room is None:
                self._room = asyncio.Event()
            self._room.clear()
            await self._room.wait()

    def end_exchange(self) -> None:
        """Go on after an answer, which may still be on its way."""
        exchange = self.end_first()
        exchange.body.drop()
        self.answering = None
        self._ahead = 0
        if self.gone:
            return
        if not exchange.keeps:
            # if anything of the client's is unread, the kernel would reset a closed connection, and
            # the answer could be lost with it (RFC 9112, section 9.6)
            if self.has_ended or (exchange.body.whole and not (self.is_deaf or self.exchanges)):
                self._transport.close()
            else:
                self.hang_up()
        else:
            self._await_client()
            self._resume()
            self._begin()

    @property
    def is_idle(self) -> bool:
        """Whether it waits for its client, to send a request or to go."""
        return self.is_made and self.answering is None and not self.exchanges

    @property
    def is_made(self) -> bool:
        """Whether the loop has it."""
        return self._transport is not None

    def _await_client(self) -> None:
        """Give the client its time for the next request, or to go."""
        self.until = monotonic() + self._owner.seconds

    def hang_up(self) -> None:
        """End our side, take nothing more, and give the client time to close its own."""
        self.is_deaf = self.is_hung_up = True
        self.exchanges.clear()
        self._await_client()
        if not self._transport.is_closing():
            with suppress(OSError):  # the client has gone
                self._transport.write_eof()
            self._resume()

    def left(self) -> int:
        """
        How many bytes the client has not taken of what was sent; 0 if the kernel has all of them.
        """
        left: int = self._transport.get_write_buffer_size()
        if not left:
            return 0
        return left + untaken(self._transport.get_extra_info("socket"))

    def close(self) -> None:
        """Close it, once all is sent."""
        self._transport.close()

    def break_off(self) -> None:
        """End the connection without the rest of an answer that has begun."""
        self._tell_gone()
        self._transport.close()  # the answers before may still be on their way

    def abort(self) -> None:
        """Close it at once."""
        self._transport.abort()
