"""
Thread items: the parts of a stream that a server's thread sends.

Another thread requests the items: the one that the values of the call belong to, if there is such a
thread, so that the iterator may use them. An asynchronous iterator runs on the background loop, and
that thread waits for it. So a stream holds two threads, which the threads for streams limit.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextvars import Context, copy_context
from functools import partial
from math import inf
from time import monotonic
from typing import Any, Final, cast, final

from contract.adapters.hops import Kept
from contract.adapters.item_streams import LEAST, MOST_BYTES, MOST_PARTS, whole_seconds
from contract.adapters.pool import Lanes, full
from contract.adapters.streams import QUIET_SECONDS, Leaving
from contract.call.incoming import Incoming
from contract.call.message import BrokenOff
from contract.call.replies import failed
from contract.call.streaming import Flow, whole
from contract.call.values import Values

__all__ = ["ItemsHere"]

LOOK_SECONDS: Final = 1.0
"""Seconds between two checks whether the client of a call that gathers all items has gone."""

PATIENCE: Final = 1.0
"""Seconds for an iterator to end when its stream is cut off, or its client has gone."""


@final
class ItemsHere:
    """
    The parts of one stream; the server closes it.

    Args:
        step: Runs a coroutine to its end, in a context.
        unhurried: Has the background loop await an async function, however long that takes.

    Raises:
        Refused: No thread is free for it.
    """

    def __init__(
        self,
        incoming: Incoming,
        lanes: Lanes,
        stream: Flow,
        step: Callable[[Any, Context, Leaving], object],
        unhurried: Callable[..., Awaitable[Any]],
    ) -> None:
        self._incoming: Final = incoming
        self._stream: Final = stream
        self._step: Final = step
        self._unhurried: Final = unhurried
        quiet = stream.form.quiet
        self._parts: Final = [quiet] if quiet else []  # sent together with the headers
        self._broken = False
        self._size = 0
        self._moved: Final = threading.Condition()
        self._room: Callable[[], object] | None = None
        self._code: str | None = None
        self._cut_at: float
        self._items = True
        self._left = self._over = False
        self._asked = began = monotonic()
        limits = lanes.limits
        self._until: Final = inf if limits.item_seconds is None else limits.item_seconds
        self._wholly: Final = began + whole_seconds(limits, stream)
        self._leaving: Final = Leaving(incoming)
        self._context: Final = copy_context()
        values = cast("Values", incoming.values)
        self._kept: Final = values.kept
        if isinstance(self._kept, Kept):
            values.kept = None  # what runs in that thread must not wait for it
            self._kept.submit(self._run, _nothing)
        elif lanes.streams.taken:
            # it would wait for another stream to end, and the server's thread with it
            raise full()
        else:
            lanes.streams.submit(self._run, _nothing)
        stream.streams.add(self)

    # Called by the thread that requests items.

    def _run(self) -> None:
        stream = self._stream
        try:
            self._step(whole(stream, self, self._incoming), self._context, self._leaving)
        except BaseException:  # noqa: BLE001  a cancellation: nobody is left to be told of it
            stream.tell_cancelled()
        if self._kept is not None:
            self._kept.release()
        stream.streams.discard(self)
        with self._moved:
            self._over = True
            self._moved.notify()

    async def put(self, part: bytes) -> None:
        """Take a part; wait while there are too many."""
        with self._moved:
            self._take(part)
            while self._is_full:
                self._moved.wait()
                self._check()
            self._asked = monotonic()

    async def _put_on_loop(self, part: bytes) -> None:
        """Take a part on the background loop, where only the stream itself may wait."""
        room = asyncio.Event()
        with self._moved:
            self._take(part)
            if self._is_full:
                loop = asyncio.get_running_loop()
                self._room = partial(loop.call_soon_threadsafe, room.set)
            else:
                room.set()
        await room.wait()
        self._asked = monotonic()

    def _take(self, part: bytes) -> None:
        self._check()
        self._parts.append(part)
        self._size += len(part)
        self._moved.notify()

    def _check(self) -> None:
        if self._leaving.gone or (self._code is not None and self._items):
            raise asyncio.CancelledError

    @property
    def _is_full(self) -> bool:
        return len(self._parts) >= MOST_PARTS or self._size >= MOST_BYTES

    def break_off(self) -> None:
        """Raise an exception after the last part."""
        self._broken = True

    async def each(self) -> None:
        """Put every item."""
        stream = self._stream
        if stream.is_async:
            await self._unhurried(stream.each, self._put_on_loop)
            return
        try:
            while part := stream.next_here():
                await self.put(part[0])
        finally:
            stream.close_here()

    def check(self) -> None:
        """Raise a cancellation that the iterator has ended in spite of; none comes after this."""
        with self._moved:
            if self._leaving.gone or self._code is not None:
                raise asyncio.CancelledError
            self._items = False

    def cut_off(self) -> str | None:
        """The code that ends it early, if any; takes back the cancellation."""
        with self._moved:
            self._items = False
            return None if self._leaving.gone else self._code

    # Called by the thread of the server.

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        quiet = monotonic() + QUIET_SECONDS
        # gathered items are sent to nobody: `passed` only looks whether the client has gone
        if self._stream.gathered is not None:
            quiet = monotonic() + LOOK_SECONDS
        with self._moved:
            while not self._parts:
                if self._over or self._left:
                    if self._broken:
                        raise BrokenOff
                    raise StopIteration
                # this thread is the clock of the stream: the other may be inside the iterator
                now = monotonic()
                if now >= self._due:
                    self._cut(now, "DEADLINE_EXCEEDED")
                if self._code is not None and self._items and now >= self._cut_at + PATIENCE:
                    return self._give_up(self._code)
                if now >= quiet:
                    return self._stream.form.quiet
                self._moved.wait(max(self._soonest(quiet) - now, LEAST))
            if self._is_full:
                self._asked = monotonic()  # the next item is requested only now, so it is not late
            found = b"".join(self._parts)
            self._parts.clear()
            self._size = 0
            room, self._room = self._room, None
            self._moved.notify()

        if room is not None:
            room()
        return found

    async def passed(self) -> None:
        """
        Drop all parts, for a caller that gathers the items.

        Raises:
            CancelledError: The client of that call has gone.
        """
        try:
            for _ in self:
                if self._incoming.cancelled:
                    raise asyncio.CancelledError
        finally:
            self.close()

    def close(self) -> None:
        """
        Cancel it if it is not over, and wait for its end, but not for long.

        A thread inside an iterator cannot be stopped. It counts as one for streams until it
        returns, so there are never too many.
        """
        if self._over:
            return
        self._leaving.go()
        with self._moved:
            self._moved.notify()
            if self._moved.wait_for(lambda: self._over, PATIENCE):
                return
        # the iterator has not returned; when it does, its values end without a success
        if self._stream.over:
            return
        values = cast("Values", self._incoming.values)
        values.settle(asyncio.CancelledError())
        values.after = ()

    # Early ends.

    def end_soon(self) -> None:
        """Cut it off, since the server stops; callable from any thread."""
        with self._moved:
            self._cut(monotonic(), "SERVICE_UNAVAILABLE")

    def _cut(self, now: float, code: str) -> None:
        if self._items and self._code is None:
            self._code, self._cut_at = code, now
            self._leaving.cancel()
            self._moved.notify_all()

    def _give_up(self, code: str) -> bytes:
        """The last part of a stream whose iterator does not return."""
        self._left = True
        last = self._stream.form.error(failed(code).body)
        self._stream.tell_cut(code)
        if last is None:
            self._broken = True
            raise BrokenOff
        return last

    @property
    def _due(self) -> float:
        """The time when the next item, or the whole stream, is late."""
        return min(self._asked + self._until, self._wholly)

    def _soonest(self, quiet: float) -> float:
        """The time of the next check, if nothing comes before."""
        if self._code is not None:
            return min(quiet, self._cut_at + PATIENCE)
        if self._items:
            return min(quiet, self._due)
        return quiet


def _nothing(_: object) -> None:
    return None
