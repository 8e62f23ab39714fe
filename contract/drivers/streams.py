"""
Streams: responses in parts, sent while the call that they come from goes on.

What follows a ``STREAM`` of a flow is set going beside whoever sends: on an event loop in a task of its own, elsewhere in a thread.
The first part is a comment, with which a server sends the headers at once; more of them follow for as long as nothing else is sent.
So nothing between takes the connection for dead, and a client that has gone is noticed, since there is something to write.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final, final

from contract.drivers.asgi import Receive
from contract.message import Incoming, Response, event
from contract.service import Service

__all__ = ["MOST_PARTS", "Leaving", "Stream", "stream_here"]

MOST_PARTS: Final = 100
"""How many parts may wait to be sent; what comes quicker than the client takes it is dropped."""

QUIET_SECONDS: Final = 15.0
"""After so long without a part a comment is sent, as HTML recommends (section 9.2.7); proxies give up after 60 s, and some after 30."""

_COMMENT: Final = b": working\n\n"

_BREAKS: Final = re.compile(rb"\xc2\x85|\xe2\x80[\xa8\xa9]")
"""U+0085, U+2028 and U+2029, which stand in JSON as they are."""


def _event(data: bytes) -> bytes:
    """
    An event that holds the JSON *data*, in one line whatever a client takes for its end.

    Only CR and LF end one; yet what reads events for many clients in Python (httpx-sse before 0.4.2) splits as ``str.splitlines`` does.
    They then find half a message, and wait for the other half for ever.
    """
    return event(_BREAKS.sub(_escaped, data))


def _escaped(found: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(found[0].decode())


@final
class Leaving:
    """Whether the client of a call has gone, where that cancels the call; for threads."""

    __slots__ = ("_cancel", "_lock", "gone")

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._cancel: Callable[[], object] | None = None
        self.gone: bool = False

    def go(self) -> None:
        """The client has gone: cancel what can be cancelled."""
        with self._lock:
            self.gone = True
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
    service: Service, incoming: Incoming, call: Callable[[Callable[[bytes], None]], Response], leaving: Leaving | None = None
) -> Response:
    """
    The response with what comes of *call*, which runs in another thread, and is given what takes the JSON of a part.

    The thread of the server waits for the parts, so that there are no more of the others than there are of these.

    Args:
        service: Who answers.
        incoming: The request.
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
        except BaseException as exception:  # noqa: BLE001  a flow raises nothing; were it to, somebody waits for it
            parts.put(exception)

    threading.Thread(target=rest, name="contract-stream", daemon=True).start()
    return service.streamed(incoming, _Parts(parts, leaving))


@final
class _Parts:
    """What a server sends: a comment, the parts, more comments between them, and in the end the response."""

    __slots__ = ("_begun", "_leaving", "_over", "_parts")

    def __init__(self, parts: SimpleQueue[bytes | Response | BaseException], leaving: Leaving | None) -> None:
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

        Clients that go away after the first part would otherwise start as many calls as they like, each in a thread that nobody counts.
        """
        if self._leaving is not None and not self._over:
            self._leaving.go()
        while not self._over:
            self._over = not isinstance(self._parts.get(), bytes)


@final
class Stream:
    """
    A response in parts: what a call sends while it goes on, in any thread, and in the end what it comes to.

    The call runs in a task of its own, so that it goes on while a part is sent, and can be cancelled.

    Args:
        service: Who answers.
        incoming: The request.
        receive: Tells that the client has gone, where that cancels the call; else None, and the call goes on to its end.
    """

    __slots__ = ("_call", "_events", "_gone", "_incoming", "_loop", "_over", "_service", "_woken")

    _call: asyncio.Task[Response]

    def __init__(self, service: Service, incoming: Incoming, receive: Receive | None) -> None:
        self._service: Final = service
        self._incoming: Final = incoming
        self._loop: Final = asyncio.get_running_loop()
        self._events: Final[deque[bytes]] = deque()
        self._woken: Final = asyncio.Event()
        self._over = False
        self._gone: Final = None if receive is None else self._loop.create_task(_gone(receive))
        if self._gone is not None:
            self._gone.add_done_callback(self._left)

    def begin(self) -> Callable[[bytes], None]:
        """Send the headers now; what is given takes the JSON of a part, in any thread."""
        self._events.append(_COMMENT)
        self._woken.set()
        return self.send

    def send(self, data: bytes) -> None:
        """Take the JSON of a part, in any thread."""
        if len(self._events) < MOST_PARTS and not self._over:
            self._events.append(_event(data))
            with suppress(RuntimeError):  # a thread that is late finds the loop closed
                self._loop.call_soon_threadsafe(self._woken.set)

    async def of(self, call: Coroutine[Any, Any, Response]) -> Response:
        """The response to *call*: a stream where it has begun one, else what it comes to."""
        self._call = self._loop.create_task(call)
        self._call.add_done_callback(self._ended)
        _GOING_ON.add(self._call)
        self._call.add_done_callback(_GOING_ON.discard)
        try:
            await self._next()
        except asyncio.CancelledError:
            self._call.remove_done_callback(self._tell)  # whoever is cancelled tells it
            self._end()
            self._call.cancel()
            await asyncio.wait({self._call})
            raise
        if self._events or self._call.cancelled():
            return self._service.streamed(self._incoming, self)
        self._end()
        return self._call.result()

    def __aiter__(self) -> Stream:
        return self

    async def __anext__(self) -> bytes:
        if not self._events:
            try:
                async with asyncio.timeout(QUIET_SECONDS):
                    await self._next()
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

    async def _next(self) -> None:
        """Wait for a part, or for the end of the call."""
        while not (self._events or self._call.done()):
            self._woken.clear()
            await self._woken.wait()

    def _end(self) -> None:
        self._over = True
        if self._gone is not None:
            self._gone.cancel()

    def _left(self, gone: asyncio.Task[None]) -> None:
        """The client has gone, unless nobody waits for that any more."""
        if not gone.cancelled() and not self._call.done():
            self._cancel()

    def _cancel(self) -> None:
        self._call.remove_done_callback(self._tell)  # it is told once, whoever comes first
        self._call.add_done_callback(self._tell)
        self._call.cancel()

    def _tell(self, call: asyncio.Task[Response]) -> None:
        if call.cancelled():
            self._service.cancelled(self._incoming)

    def _ended(self, _: object) -> None:
        self._woken.set()


_GOING_ON: Final[set[asyncio.Task[Response]]] = set()
"""A call may go on when nobody sends what it gives any more; a loop itself holds its tasks only weakly."""


async def _gone(receive: Receive) -> None:
    """Wait until the client has gone."""
    with suppress(Exception):  # so a server may tell it, too
        if (await receive())["type"] != "http.disconnect":
            await asyncio.Event().wait()  # a body that somebody else has read: nothing more will be known
