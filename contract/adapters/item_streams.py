"""
Item streams: the parts of a stream, between the task that requests items and the sender.

On an event loop a task requests items, and the server's task sends them; elsewhere a thread
requests, and the server's thread sends (`contract.adapters.thread_items`). Between them is a
buffer. While it is full, no item is requested, so a slow client holds no more than that. Everything
in the buffer is sent at once. On a loop, an item that comes alone, between two waits of its
iterator, needs no buffer: the task that requested it sends it, as long as the server takes it at
once.

A stream ends early if its client goes, which cancels it: the iterator is closed, and the values of
the call get the reason. It also ends early if it is cut off, by a limit or because the server
stops: then the client gets a failure that ends the stream.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Coroutine, Generator
from contextlib import suppress
from math import inf
from types import coroutine
from typing import Any, Final, cast, final

from contract.adapters.asgi_scope import Send
from contract.adapters.loops import Watched, become_a_task, gone, in_thread, keep, rest_of
from contract.adapters.pool import full
from contract.adapters.streams import QUIET_SECONDS
from contract.call.incoming import Incoming, Refused
from contract.call.message import DONE, BrokenOff
from contract.call.mount_options import Limits
from contract.call.streaming import Flow, whole

__all__ = ["LEAST", "MOST_BYTES", "MOST_PARTS", "ItemsOnLoop", "whole_seconds"]

MOST_PARTS: Final = 64
"""How many parts may wait to be sent; the next item is requested when there are fewer."""

MOST_BYTES: Final = 65_536
"""How many bytes may wait, besides the last part."""

LEAST: Final = 0.01
"""The least number of seconds between two checks of a late stream, or for a free thread."""

_LONGEST_PAUSE: Final = 0.32
"""The most seconds between two checks for a free thread: hundreds of streams may wait for one."""


def whole_seconds(limits: Limits, stream: Flow) -> float:
    """The seconds for the whole of a *stream*; infinitely many without a limit."""
    if limits.stream_seconds is not None:
        return limits.stream_seconds
    if stream.gathered is not None:
        return stream.gathered.seconds
    return inf


@final
class ItemsOnLoop:
    """
    The parts of a stream that is sent on an event loop; the sender closes it.

    Raises:
        Refused: No thread is free for its first part, and nothing in a part could say so.
    """

    def __init__(self, incoming: Incoming, stream: Flow) -> None:
        self._incoming: Final = cast("Watched", incoming)
        self._stream: Final = stream
        limits = self._incoming.lanes.limits
        self._loop: Final = asyncio.get_running_loop()
        quiet = stream.form.quiet

        if not (quiet or stream.is_async) and self._incoming.lanes.streams.full:
            raise full()
        self._parts: list[bytes] = [quiet] if quiet else []  # sent together with the headers
        self._size = 0
        self._wanted: asyncio.Future[None] | None = None
        self._room: asyncio.Future[None] | None = None
        self._code: str | None = None
        self._items = True
        self._send: Send | None = None
        self._sending = self._alone = False
        self._waited = True
        self._ends_with: Exception | None = None
        """The exception that the sender raises after the last part."""
        self._sent = self._asked = now = self._loop.time()
        self._until: Final = inf if limits.item_seconds is None else limits.item_seconds
        self._wholly: Final = now + whole_seconds(limits, stream)
        # a task that is cancelled before its first step would neither close the iterator nor end
        # the values of the call; so it is stepped once before, which comes no further than `each`
        call = whole(stream, self, incoming)
        call.send(None)
        self._task: Final = self._loop.create_task(call)
        self._task.add_done_callback(self._ended)
        keep(self._task)
        self._gone: asyncio.Task[None] | None = None
        if stream.gathered is None:  # whoever gathers the items watches the client
            self._gone = self._loop.create_task(gone(self._incoming.receive))
            self._gone.add_done_callback(self._left)
        self._timer = self._loop.call_later(self._patience(now), self._tick)
        stream.streams.add(self)

    # Called by the task that requests items.

    async def put(self, part: bytes) -> None:
        """Take a part; wait while there are too many."""
        room = self._keep(part)
        if room is not None:
            await room

    def _take(self, part: bytes) -> Awaitable[None] | None:
        """
        Take a part, or send it where it comes alone; give what there is to wait for.

        To wake the task that sends for each part costs more than to make a small item. It sends all
        of them once a part has had to wait here, since more of them can then go together.
        """
        alone, self._alone = self._alone, self._waited
        send = self._send
        if not (self._waited and alone) or send is None or self._wanted is None:
            self._waited = False
            return self._keep(part)
        self._waited = False
        try:
            event = {"type": "http.response.body", "body": part, "more_body": True}
            steps = send(event).__await__()
            waiting = next(steps, DONE)
        except Exception as exception:  # noqa: BLE001  for the task that sends to raise
            self._fail(exception)
            return asyncio.sleep(0)  # raises the cancellation, which would hit a later wait
        if waiting is not DONE:
            self._send = None
            return self._send_rest(steps, waiting)
        self._sent = self._asked = self._loop.time()
        return None

    def _keep(self, part: bytes) -> Awaitable[None] | None:
        """Keep a part for the task that sends; give what there is to wait for."""
        if self._incoming.cancelled or (self._code is not None and self._items):
            raise asyncio.CancelledError
        self._parts.append(part)
        self._size += len(part)
        if self._wanted is not None:
            self._wake()
        # checked after the part is taken, so that one of any size gets through
        if len(self._parts) >= MOST_PARTS or self._size >= MOST_BYTES:
            self._room = self._loop.create_future()
            return self._room
        if self._until < inf:
            self._asked = self._loop.time()
        return None

    async def _send_rest(self, steps: Generator[Any, Any, None], waiting: Any) -> None:
        self._sending = True
        try:
            await rest_of(steps, waiting)
        except Exception as exception:  # noqa: BLE001  for the task that sends to raise
            self._fail(exception)
        finally:
            self._sending = False
        if self._ends_with is not None:
            await asyncio.sleep(0)  # as in `_take`
        self._sent = self._asked = self._loop.time()

    def _fail(self, exception: Exception) -> None:
        """Note down that nothing can be sent any more, as where the client has gone."""
        self._ends_with = exception
        self._cancel()

    @coroutine
    def _noting_waits(self, asking: Coroutine[Any, Any, None]) -> Generator[Any, Any, None]:
        """Await *asking*, and note that it waits: an item comes alone between two of its waits."""
        try:
            yield  # as in `become_a_task`
        except asyncio.CancelledError:
            # so the iterator is only closed, and `check` raises it again
            self._stream.leaving = self._incoming.cancelled = True
        try:
            waiting = asking.send(None)
            while True:
                self._waited = True
                try:
                    yield waiting
                except BaseException as exception:  # noqa: BLE001  a cancellation, on its way
                    waiting = asking.throw(exception)
                else:
                    waiting = asking.send(None)
        except StopIteration:
            pass

    def break_off(self) -> None:
        """Raise an exception after the last part."""
        self._ends_with = BrokenOff()

    def each(self) -> Awaitable[None]:
        """Put every item."""
        if self._stream.is_async:
            return self._noting_waits(self._stream.each(self._take))
        return self._each_in_threads()

    async def _each_in_threads(self) -> None:
        stream = self._stream
        try:
            await become_a_task()
            while part := await self._next_in_thread():
                await self.put(part[0])
        except BaseException:
            if stream.leave():
                await self._close_iterator()
            raise

    async def _next_in_thread(self) -> list[bytes]:
        """
        The next part, from a thread.

        Nobody has read anything of a stream that has no thread for its first item, so that ends.
        Later ones wait for a thread, unless none comes free any more.
        """
        stream, pause = self._stream, LEAST
        while True:
            try:
                return await in_thread(self._incoming, "items", stream.next_here, ())
            except Refused:
                # asked again and again, since nothing tells when a thread comes free
                if not stream.number or self._incoming.lanes.streams.stuck:
                    raise
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _close_iterator(self) -> None:
        try:
            await in_thread(self._incoming, "items", self._stream.close_here, ())
        except Refused:  # no thread is free, and it must not stay open
            await self._loop.run_in_executor(None, self._stream.close_here)

    def check(self) -> None:
        """Raise a cancellation that the iterator has ended in spite of; none comes after this."""
        # not by what the task says: an iterator may leave it behind with a cancellation of its own
        if self._incoming.cancelled or self._code is not None:
            raise asyncio.CancelledError
        self._items = False

    def cut_off(self) -> str | None:
        """The code that ends it early, if any; takes back the cancellation."""
        self._items = False
        if self._code is None or self._incoming.cancelled:
            return None
        self._task.uncancel()
        return self._code

    # Called by the sender.

    def sends(self, send: Send) -> None:
        """Let parts that come alone be sent by *send*, as they come, and not be waited for."""
        self._send = send

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        parts = self._parts
        while not parts:
            if self._task.done():
                if self._ends_with is not None:
                    raise self._ends_with
                raise StopAsyncIteration
            self._wanted = self._loop.create_future()
            await self._wanted
        found = parts[0] if len(parts) == 1 else b"".join(parts)
        parts.clear()
        self._size = 0
        self._sent = self._loop.time()
        room = self._room
        if room is not None:
            self._room = None
            self._asked = self._sent  # the next item is requested only now, so it is not late
            if not room.done():
                room.set_result(None)
        return found

    async def passed(self) -> None:
        """Drop all parts, for a caller that gathers the items."""
        try:
            async for _ in self:
                pass
        finally:
            await self.close()

    async def close(self) -> None:
        """Wait until it is over; cancel it if it was not sent to its end."""
        if self._task.done():
            return
        self._cancel()
        try:
            await asyncio.wait({self._task})
        except asyncio.CancelledError:
            await asyncio.wait({self._task})
            raise

    # Early ends.

    def end_soon(self) -> None:
        """Cut it off, since the server stops; callable from any thread."""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._cut, "SERVICE_UNAVAILABLE")

    def _cut(self, code: str) -> None:
        if self._items and self._code is None and not self._task.done():
            self._code = code
            self._send = None
            self._task.cancel()

    def _left(self, gone: asyncio.Task[None]) -> None:
        if not gone.cancelled() and not self._task.done():
            self._cancel()

    def _cancel(self) -> None:
        self._incoming.cancelled = True
        self._send = None
        self._task.cancel()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._stream.streams.discard(self)
        self._timer.cancel()
        if self._gone is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._gone.cancel()
        if task.cancelled():
            self._stream.tell_cancelled()
        self._wake()

    def _wake(self) -> None:
        wanted, self._wanted = self._wanted, None
        # it is done if the sender was cancelled while it waited
        if wanted is not None and not wanted.done():
            wanted.set_result(None)

    def _tick(self) -> None:
        """Send a keep-alive if nothing was sent for long; cut the stream off after its time."""
        now = self._loop.time()
        if self._is_late(now):
            self._cut("DEADLINE_EXCEEDED")
        if not (self._parts or self._sending) and now >= self._sent + QUIET_SECONDS:
            self._sent = now
            if self._stream.form.quiet:
                self._parts.append(self._stream.form.quiet)
                self._wake()
        self._timer = self._loop.call_later(self._patience(now), self._tick)

    def _is_late(self, now: float) -> bool:
        # without room, no item is requested
        asks = self._room is None and not self._sending
        return now >= self._wholly or (asks and now >= self._asked + self._until)

    def _patience(self, now: float) -> float:
        """Seconds until the next check."""
        soonest = self._sent + QUIET_SECONDS
        if self._code is None and self._items:
            soonest = min(soonest, self._asked + self._until, self._wholly)
        return max(soonest - now, LEAST)
