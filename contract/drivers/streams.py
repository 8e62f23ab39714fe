"""
Streams: responses in parts, sent while the call that they come from goes on.

What follows a ``STREAM`` of a flow is set going beside whoever sends: on an event loop in a task of its own, elsewhere in a thread.
Whether there is a stream at all is known at the first part; a call that ends without one is answered like any other.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Final, final

from contract.drivers.asgi import Receive
from contract.message import Incoming, Response, event
from contract.service import Service

__all__ = ["MOST_PARTS", "Stream", "stream_here"]

MOST_PARTS: Final = 100
"""How many parts may wait to be sent; what comes quicker than the client takes it is dropped."""


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


def stream_here(service: Service, incoming: Incoming, call: Callable[[Callable[[bytes], None]], Response]) -> Response:
    """
    The response of *call*, which runs in another thread, and is given what takes the JSON of a part.

    This thread is the server's: it waits for the parts, so that there are no more of the others than there are of these.
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
    first = parts.get()
    if isinstance(first, bytes):
        return service.streamed(incoming, _Parts(first, parts))
    if isinstance(first, Response):
        return first
    raise first


@final
class _Parts:
    """What a server sends: a first part, what follows it, and in the end the response."""

    __slots__ = ("_first", "_over", "_parts")

    def __init__(self, first: bytes, parts: SimpleQueue[bytes | Response | BaseException]) -> None:
        self._first: bytes | None = first
        self._parts: Final = parts
        self._over = False

    def __iter__(self) -> _Parts:
        return self

    def __next__(self) -> bytes:
        if self._over:
            raise StopIteration
        found = self._parts.get() if self._first is None else self._first
        self._first = None
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
        while not self._over:
            self._over = not isinstance(self._parts.get(), bytes)


@final
class Stream:
    """
    A response in parts: what a call sends while it goes on, in any thread, and in the end what it comes to.

    The call runs in a task of its own, so that it goes on while a part is sent; it is cancelled once the client has gone.
    """

    __slots__ = ("_call", "_events", "_gone", "_incoming", "_loop", "_over", "_service", "_woken")

    _call: asyncio.Task[Response]

    def __init__(self, service: Service, incoming: Incoming, receive: Receive) -> None:
        self._service: Final = service
        self._incoming: Final = incoming
        self._loop: Final = asyncio.get_running_loop()
        self._events: Final[deque[bytes]] = deque()
        self._woken: Final = asyncio.Event()
        self._over = False
        self._gone: Final = self._loop.create_task(_gone(receive))
        self._gone.add_done_callback(self._left)

    def send(self, data: bytes) -> None:
        """Take the JSON of a part, in any thread."""
        if len(self._events) < MOST_PARTS and not self._over:
            self._events.append(_event(data))
            with suppress(RuntimeError):  # a thread that is late finds the loop closed
                self._loop.call_soon_threadsafe(self._woken.set)

    async def of(self, call: Coroutine[Any, Any, Response]) -> Response:
        """The response to *call*: what it comes to where it sends no part, else a stream."""
        self._call = self._loop.create_task(call)
        self._call.add_done_callback(self._ended)
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
        await self._next()
        if self._events:
            return self._events.popleft()
        if self._over or self._call.cancelled():
            raise StopAsyncIteration
        self._end()
        return _event(self._call.result().body)

    async def close(self) -> None:
        """Be done with it; a call that still goes on is cancelled."""
        self._end()
        if not self._call.done():
            self._cancel()
            await asyncio.wait({self._call})

    async def _next(self) -> None:
        """Wait for a part, or for the end of the call."""
        while not (self._events or self._call.done()):
            self._woken.clear()
            await self._woken.wait()

    def _end(self) -> None:
        self._over = True
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


async def _gone(receive: Receive) -> None:
    """Wait until the client has gone."""
    with suppress(Exception):  # so a server may tell it, too
        if (await receive())["type"] != "http.disconnect":
            await asyncio.Event().wait()  # a body that somebody else has read: nothing more will be known
