"""
Streams: responses in parts, sent while the call that they come from goes on.

The call goes on beside whoever sends: on an event loop in a task of its own, elsewhere in a thread.
The first part is a comment, with which a server sends the headers at once; more of them follow for
as long as nothing else is sent. So nothing between takes the connection for dead, and a client that
has gone is noticed, since there is something to write.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final, final

from contract.adapters.loops import Watched, gone
from contract.call.message import Incoming, Response, event

__all__ = ["MOST_PARTS", "Leaving", "Stream", "stream_here"]

MOST_PARTS: Final = 100
"""How many parts may wait to be sent; what comes quicker than the client takes it is dropped."""

QUIET_SECONDS: Final = 15.0
"""
After so long without a part a comment is sent, as HTML recommends (section 9.2.7); proxies give up
after 60 s, and some after 30.
"""

_COMMENT: Final = b": working\n\n"

_BREAKS: Final = re.compile(rb"\xc2\x85|\xe2\x80[\xa8\xa9]")
"""U+0085, U+2028 and U+2029, which stand in JSON as they are."""


def _event(data: bytes) -> bytes:
    """
    An event that holds the JSON *data*, in one line whatever a client takes for its end.

    Only CR and LF end one; yet what reads events for many clients in Python (httpx-sse before
    0.4.2) splits as ``str.splitlines`` does. They then find half a message, and wait for the other
    half for ever.
    """
    return event(_BREAKS.sub(_escaped, data))


def _escaped(found: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(found[0].decode())


@final
class Leaving:
    """Whether the client of a call has gone, where that cancels the call; for threads."""

    __slots__ = ("_cancel", "_incoming", "_lock", "gone")

    def __init__(self, incoming: Incoming) -> None:
        self._incoming: Final = incoming
        self._lock: Final = threading.Lock()
        self._cancel: Callable[[], object] | None = None
        self.gone: bool = False

    def go(self) -> None:
        """The client has gone: cancel what can be cancelled."""
        with self._lock:
            self.gone = self._incoming.cancelled = True
            cancel = self._cancel
        if cancel is not None:
            cancel()

    def cancels(self, cancel: Callable[[], object]) -> None:
        """Call *cancel* once the client has gone, which it may have already."""
        with self._lock:
            self._cancel = cancel
            gone = self.gone
        if gone:
            cancel()


def stream_here(
    call: Callable[[Callable[[bytes], None]], Response], leaving: Leaving | None = None
) -> Iterator[bytes]:
    """
    The events of what comes of *call*, which runs in another thread, and is given what takes the JSON of a part.

    The thread of the server waits for the parts, so that there are no more of the others than there are of these.

    Args:
        call: Gives the response whose body is the last part.
        leaving: Hears when the client has gone, where that cancels the call. A server says so once it cannot write.
    """
    parts: SimpleQueue[bytes | Response | BaseException] = SimpleQueue()

    def send(data: bytes) -> None:
        if parts.qsize() < MOST_PARTS:
            parts.put(_event(data))

    def rest() -> None:
        try:
            parts.put(call(send))
        except BaseException as exception:  # noqa: BLE001
            # a cancellation; whatever it is, somebody waits for it
            parts.put(exception)

    threading.Thread(target=rest, name="contract-stream", daemon=True).start()
    return _Parts(parts, leaving)


@final
class _Parts:
    """What a server sends: a comment, the parts, more comments between them, and in the end the response."""

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
        return _event(found.body)

    def close(self) -> None:
        """
        Be done with it, sent to its end or not: wait until the call is over.

        Clients that go away after the first part would otherwise start as many calls as they like,
        each in a thread that nobody counts.
        """
        if self._leaving is not None and not self._over:
            self._leaving.go()
        while not self._over:
            self._over = not isinstance(self._parts.get(), bytes)


@final
class Stream:
    """
    The events of a response: what a call sends while it goes on, in any thread, and in the end what it comes to.

    The call runs in a task of its own, so that it goes on while a part is sent, and can be cancelled.

    Args:
        incoming: The request; where it is watched, a client that goes away cancels the call, and else the call goes on to its end.
        call: Gives the response whose body is the last part; it is given what takes the JSON of a part.
        cancelled: Is told where the call is cancelled.
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
        self._events: Final[deque[bytes]] = deque((_COMMENT,))  # the headers are sent with it
        self._woken: Final = asyncio.Event()
        self._over = False
        self._call: Final = self._loop.create_task(call(self.send))
        self._call.add_done_callback(self._ended)
        _GOING_ON.add(self._call)
        self._call.add_done_callback(_GOING_ON.discard)
        self._gone: Final = (
            self._loop.create_task(gone(incoming.receive)) if incoming.watched else None
        )
        if self._gone is not None:
            self._gone.add_done_callback(self._left)

    def send(self, data: bytes) -> None:
        """Take the JSON of a part, in any thread."""
        if len(self._events) < MOST_PARTS and not self._over:
            self._events.append(_event(data))
            with suppress(RuntimeError):  # a thread that is late finds the loop closed
                self._loop.call_soon_threadsafe(self._woken.set)

    def __aiter__(self) -> Stream:
        return self

    async def __anext__(self) -> bytes:
        if not self._events:
            try:
                async with asyncio.timeout(QUIET_SECONDS):
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
        return _event(self._call.result().body)

    async def close(self) -> None:
        """Be done with it: a call that still goes on is cancelled, or goes on to its end, unless the server stops."""
        self._end()
        if self._call.done():
            return
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
        """The client has gone, unless nobody waits for that any more."""
        if not gone.cancelled() and not self._call.done():
            self._cancel()

    def _cancel(self) -> None:
        self._incoming.cancelled = True
        self._call.cancel()

    def _ended(self, call: asyncio.Task[Response]) -> None:
        if call.cancelled():
            self._cancelled()
        self._woken.set()


_GOING_ON: Final[set[asyncio.Task[Response]]] = set()
"""
A call may go on when nobody sends what it gives any more; a loop itself holds its tasks only
weakly.
"""
