"""
Streams: responses in parts, sent while their call is running.

The call has a separate task on an event loop, and a separate thread elsewhere. The first part is a
comment, which makes a server send the headers at once; more of them follow while there is nothing
else to send. So no proxy takes the connection for dead, and a disconnect is noticed, since there is
something to write.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final, final

from contract.adapters.loops import Watched, gone, keep
from contract.call.incoming import Incoming
from contract.call.message import Response, event

__all__ = ["MOST_PARTS", "QUIET_SECONDS", "Leaving", "Stream", "stream_here"]

MOST_PARTS: Final = 100
"""How many parts may wait to be sent; if the client is too slow, parts are dropped."""

QUIET_SECONDS: Final = 15.0
"""
Seconds without a part after which a comment is sent, as HTML recommends (section 9.2.7).

Proxies give up after 60 s, and some after 30.
"""

_COMMENT: Final = b": working\n\n"


@final
class Leaving:
    """Whether the client of a call has gone, if that cancels the call; for threads."""

    __slots__ = ("_cancel", "_incoming", "_lock", "gone")

    def __init__(self, incoming: Incoming) -> None:
        self._incoming: Final = incoming
        self._lock: Final = threading.Lock()
        self._cancel: Callable[[], object] | None = None
        self.gone: bool = False

    def go(self) -> None:
        """Record that the client has gone, and cancel whatever can be cancelled."""
        with self._lock:
            self.gone = self._incoming.cancelled = True
            cancel = self._cancel
        if cancel is not None:
            cancel()

    def cancel(self) -> None:
        """Cancel whatever can be cancelled, although the client is still there."""
        with self._lock:
            cancel = self._cancel
        if cancel is not None:
            cancel()

    def cancels(self, cancel: Callable[[], object]) -> None:
        """Call *cancel* once the client has gone, or now if it already has."""
        with self._lock:
            self._cancel = cancel
            gone = self.gone
        if gone:
            cancel()


def stream_here(
    call: Callable[[Callable[[bytes], None]], Response], leaving: Leaving | None = None
) -> Iterator[bytes]:
    """
    The events of a response, whose *call* runs in a separate thread.

    The thread of the server waits for the parts; so there are no more threads for calls than the
    server has.

    Args:
        call: Gives the response whose body is the last part. It gets a function that takes the JSON
            of a part.
        leaving: Is told when the client has gone, if that cancels the call. A server finds out when
            it cannot write.
    """
    parts: SimpleQueue[bytes | Response | BaseException] = SimpleQueue()

    def send(data: bytes) -> None:
        if parts.qsize() < MOST_PARTS:
            parts.put(event(data))  # more than a slow client takes are dropped

    def rest() -> None:
        try:
            parts.put(call(send))
        except BaseException as exception:  # noqa: BLE001
            # a cancellation; whatever it is, the other thread waits for it
            parts.put(exception)

    # a daemon: a call that hangs must not keep the process from ending
    threading.Thread(target=rest, name="contract-stream", daemon=True).start()
    return _Parts(parts, leaving)


@final
class _Parts:
    """A comment, the parts of a stream with comments between them, and the response at the end."""

    __slots__ = ("_begun", "_leaving", "_over", "_parts")

    def __init__(
        self, parts: SimpleQueue[bytes | Response | BaseException], leaving: Leaving | None
    ) -> None:
        self._parts: Final = parts
        self._leaving: Final = leaving
        self._begun = False
        self._over = False

    def __iter__(self) -> _Parts:
        return self

    def __next__(self) -> bytes:
        if self._over:
            raise StopIteration
        if not self._begun:
            self._begun = True
            return _COMMENT
        try:
            found = self._parts.get(timeout=QUIET_SECONDS)
        except Empty:
            return _COMMENT
        if isinstance(found, bytes):
            return found
        self._over = True
        if isinstance(found, BaseException):
            raise found
        return event(found.body)

    def close(self) -> None:
        """
        Wait until the call is over, even if not all of it was sent.

        Otherwise clients that disconnect after the first part could start any number of calls, each
        in a thread that is not counted.
        """
        if self._leaving is not None and not self._over:
            self._leaving.go()
        # whatever is no part is the end: the response, or an exception, which nobody is there for
        while not self._over:
            self._over = not isinstance(self._parts.get(), bytes)


@final
class Stream:
    """
    The events of a response, whose call runs in a separate task.

    So the call goes on while a part is sent, and can be cancelled. It may send parts in any thread.

    Args:
        incoming: The request. If it is watched, a disconnect cancels the call; otherwise the call
            goes on to its end.
        call: Gives the response whose body is the last part. It gets a function that takes the JSON
            of a part.
        cancelled: Called if the call is cancelled.
    """

    __slots__ = ("_call", "_cancelled", "_events", "_gone", "_incoming", "_loop", "_over", "_woken")

    def __init__(
        self,
        incoming: Watched,
        call: Callable[[Callable[[bytes], None]], Coroutine[Any, Any, Response]],
        cancelled: Callable[[], None],
    ) -> None:
        self._incoming: Final = incoming
        self._cancelled: Final = cancelled
        self._loop: Final = asyncio.get_running_loop()
        self._events: Final[deque[bytes]] = deque((_COMMENT,))  # sent together with the headers
        self._woken: Final = asyncio.Event()
        self._over = False
        self._call: Final = self._loop.create_task(call(self.send))
        self._call.add_done_callback(self._ended)
        keep(self._call)
        self._gone: asyncio.Task[None] | None = None
        if incoming.watched:
            self._gone = self._loop.create_task(gone(incoming.receive))
            self._gone.add_done_callback(self._left)

    def send(self, data: bytes) -> None:
        """Take the JSON of a part, in any thread."""
        if len(self._events) < MOST_PARTS and not self._over:
            self._events.append(event(data))
            with suppress(RuntimeError):  # a thread that is late finds the loop closed
                self._loop.call_soon_threadsafe(self._woken.set)

    def __aiter__(self) -> Stream:
        return self

    async def __anext__(self) -> bytes:
        if not self._events:
            try:
                async with asyncio.timeout(QUIET_SECONDS):
                    # No part is missed: `send` adds its part first, and only then asks the loop to
                    # set the event, which the loop can do only during the wait.
                    while not (self._events or self._call.done()):
                        self._woken.clear()
                        await self._woken.wait()
            except TimeoutError:
                return _COMMENT
        if self._events:
            return self._events.popleft()
        if self._over or self._call.cancelled():
            raise StopAsyncIteration
        self._end()
        return event(self._call.result().body)

    async def close(self) -> None:
        """
        Wait until the call is over, even if not all of it was sent.

        It is cancelled if it is watched, or if the server stops.
        """
        self._end()
        if self._call.done():
            return
        # a call that is not watched goes on, unless the server cancels the task that sends
        task = asyncio.current_task()
        if self._gone is not None or (task is not None and task.cancelling()):
            self._cancel()
        try:
            await asyncio.wait({self._call})
        except asyncio.CancelledError:
            self._cancel()
            await asyncio.wait({self._call})
            raise

    def _end(self) -> None:
        self._over = True
        if self._gone is not None:
            self._gone.cancel()

    def _left(self, gone: asyncio.Task[None]) -> None:
        """Cancel the call of a client that has gone, unless the call is over."""
        if not gone.cancelled() and not self._call.done():
            self._cancel()

    def _cancel(self) -> None:
        self._incoming.cancelled = True
        self._call.cancel()

    def _ended(self, call: asyncio.Task[Response]) -> None:
        if call.cancelled():
            self._cancelled()
        self._woken.set()
