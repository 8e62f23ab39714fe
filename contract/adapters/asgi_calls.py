"""ASGI calls: a request whose body comes in events, answered on an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from types import coroutine
from typing import Any, Final, TypeVar, final

from contract.adapters.asgi_scope import HTTP_VERSIONS, Event, Receive, Scope, ScopeIncoming
from contract.adapters.item_streams import ItemsOnLoop
from contract.adapters.loops import Watch, in_thread, once_a_task, raised_by, rest_of, timed
from contract.adapters.pace import Pace
from contract.adapters.pool import Lanes
from contract.adapters.streams import Stream
from contract.adapters.unfinished import Unfinished
from contract.call.bound import Bound
from contract.call.context import CURRENT
from contract.call.ending import abandon, abandoned, guarded
from contract.call.incoming import Lane, Refused, Sink
from contract.call.log import log_exception
from contract.call.message import DONE, JSON_HEADERS, Response
from contract.call.service import Service
from contract.call.stream import StreamReply
from contract.call.streaming import Flow
from contract.declare.resource import NotOpened, Opens

__all__ = ["AsgiIncoming", "begin"]

_VERSIONS: Final = frozenset(HTTP_VERSIONS)

T = TypeVar("T")


class AsgiIncoming(ScopeIncoming):
    """
    A request on an event loop.

    Args:
        scope: The scope of the request.
        path: Its path inside the application.
        native: Makes the `Request.native` for hooks.
        lanes: Threads for code that must not run on the loop.
        receive: The server's function that gives the next event.
    """

    __slots__ = ("_closed", "_hooking", "_receive", "awaits_here", "blocks", "event", "first")

    event: Any
    """The last event that came, until it is taken."""

    def __init__(
        self,
        scope: Scope,
        path: str,
        native: Callable[[Scope], Any],
        lanes: Lanes,
        receive: Receive,
    ) -> None:
        # super() would cost as much as three of the lines below
        ScopeIncoming.__init__(self, scope, path, native, lanes)
        self._receive = receive
        self.blocks: bool = False
        self.awaits_here: bool = lanes.blocks  # not if they have a deadline
        self._closed = self._hooking = False
        self.first: Event | _Waiting | Refused | None = None
        """The first event, if it was requested early and is not the whole body."""

    @property
    def chunked(self) -> bool:
        """
        Whether the length of the body is unknown until its events come.

        A request of HTTP/1.1 without both headers has no body, and a server's first event says so.
        Hosts without a connection send a body there (Mangum, for AWS Lambda), so only the events
        tell.
        """
        return self.header("content-length") is None or self.header("transfer-encoding") is not None

    def receive(self) -> Awaitable[Event]:
        """The next event from the client."""
        return self._receive()

    def _poll(self) -> Event | _Waiting:
        """
        The next event, or the wait for it.

        If the body has already come, there is no need to wait, nor for a timer, which costs more
        than the rest of a small call.
        """
        try:
            steps = self._take_event().__await__()
            until = next(steps, DONE)
        except Exception as error:
            raise _unreadable(self, error) from error
        if until is not DONE:
            return _Waiting(steps, until)
        event: Event
        event, self.event = self.event, None  # a stream keeps its request, and not the body
        return event

    async def _take_event(self) -> None:
        # a coroutine that is stepped passes its result in an exception, which costs more than this
        self.event = await self._receive()

    def plain_body(self, limit: int) -> bytes | None:
        """The body, if all of it has come in the usual form."""
        length = self.plain_length()
        if length is None or length > limit or self.first is not None:
            return None
        self.length = length
        if not length:
            return b""
        try:
            event = self._poll()
        except Refused as refused:
            self.first = refused
            return None
        if (
            not isinstance(event, _Waiting)
            and event["type"] == "http.request"
            and not event.get("more_body")
        ):
            body: object = event.get("body")
            if type(body) is bytes and len(body) == length:
                return body
        self.first = event
        return None

    def read(self, limit: int) -> bytes | Awaitable[bytes]:
        """The body; an awaitable if it may not have come yet."""
        if not self.length and not self.chunked:
            return b""
        event = self.first
        self.first = None
        if event is None:
            event = self._poll()
        if isinstance(event, Refused):
            raise event
        return self._rest_of_body(limit, event)

    async def _rest_of_body(self, limit: int, event: Event | _Waiting) -> bytes:
        """
        The body, from its first *event* on.

        Raises:
            Refused: It is too large, not as long as announced, cut off, or too slow; or it is one
                of the largest, and all unfinished bodies take too much memory.
        """
        kept: Unfinished | None = None  # most bodies come at once
        pace: Pace | None = None
        size = 0
        try:
            while True:
                if isinstance(event, _Waiting):
                    pace = pace or Pace(self.lanes.limits)
                    event = await event.event(self, pace.left(size), kept)
                body, more = self._part_of(event)
                size += len(body)
                _check_size(size, self.length, limit, more=more)
                if kept is None:
                    if not more:
                        return body
                    kept = Unfinished()
                kept.add(body)
                if kept.is_refused:
                    raise _too_much(self)
                if not more:
                    return kept.take()
                event = self._poll()
        finally:
            if kept is not None:
                kept.drop()

    async def pour(self, sink: Sink, limit: int) -> None:
        """
        Pass the body to *sink* in pieces.

        All but the first are passed in a thread, since they may wait for a disk.
        """
        if not self.length and not self.chunked:
            return
        pace = Pace(self.lanes.limits, limit)
        kept, size, more = Unfinished(), 0, True
        try:
            while more:
                event = self._poll()
                if isinstance(event, _Waiting):
                    event = await event.event(self, pace.left(size), kept)
                part, more = self._part_of(event)
                size += len(part)
                _check_size(size, self.length, limit, more=more)
                kept.add(part)

                if len(kept) >= _POURED or (len(kept) and not more):
                    data = kept.take()
                    if size <= _POURED:
                        sink.feed(data)
                    else:
                        raised = await self.offload("routes", raised_by, sink.feed, data)
                        if raised is not None:
                            raise raised
                    # what the form itself keeps in memory counts as well
                    kept.hold(sink.held)
                if kept.is_refused:
                    raise _too_much(self)
        finally:
            kept.drop()

    def _part_of(self, event: Event) -> tuple[bytes, bool]:
        """
        The part of a body in an *event*, and whether more follows.

        Raises:
            Refused: No more will come, and this is not the end.
        """
        if event["type"] != "http.request":
            raise self.broken_off()
        # the specification says bytes; some servers send other buffers
        return bytes(event.get("body", b"")), event.get("more_body", False)

    def broken_off(self) -> Refused:
        """Why the rest of the body will not come."""
        return Refused("BAD_REQUEST", message="The client went away before the end of the body.")

    def read_early(self, limit: int) -> bytes | None:
        """The body, if all of it has come and a thread may run the whole call; else None."""
        if self.lanes.crowded:
            return None
        return self.plain_body(limit)

    async def leave_body(self) -> None:
        """
        Take back a call of ``receive`` whose event is no longer needed.

        It must end in the task that it began in: frameworks wrap ``receive`` in code that requires
        that (``BaseHTTPMiddleware`` of Starlette).
        """
        first, self.first = self.first, None
        if isinstance(first, _Waiting):
            with suppress(Refused):
                await first.event(self, 0)

    def awaited(self, fn: Callable[..., Awaitable[T]], *args: object) -> Awaitable[T]:
        """
        Await the async function in the server's task; with a deadline, in a separate task.

        If a resolver cancels the task that it runs in (``asyncio.current_task().cancel()``), the
        call ends as if its client had gone: that task is the server's, and asyncio does not say who
        cancelled it. There is no reply, and the call is logged as cancelled.
        """
        deadline = self.lanes.limits.deadline_seconds
        if deadline is None:
            return fn(*args)
        return timed(deadline, fn, args)

    def offload(self, lane: Lane, fn: Callable[..., T], *args: object) -> Awaitable[T]:
        """
        Call the synchronous function in one of the threads.

        The thread goes on even if the wait ends early.
        """
        return in_thread(self, lane, fn, args)

    def authenticated(self) -> None:
        """Record that a thread has passed the hooks of this call."""
        if self._hooking:
            self._hooking = False
            self.lanes.asking.pop()

    def asking(self) -> None:
        """Record that a thread for resolvers is about to run the hooks of this call."""
        self._hooking = True
        self.lanes.asking.append(None)

    def close(self) -> None:
        """Record that the task is ending, as at the end of a loop: nobody waits for a reply."""
        self._closed = True

    def ends(self, exception: BaseException) -> bool:
        """
        Whether the task itself was cancelled, or is ending.

        A resolver may raise a CancelledError itself, which is an exception like any other.
        """
        if self._closed:
            return True
        if not isinstance(exception, asyncio.CancelledError):
            return False
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0

    def items(self, bound: Bound, opened: StreamReply) -> AsyncIterator[bytes]:
        """The parts of a stream, whose items a separate task requests."""
        return ItemsOnLoop(self, Flow(bound, opened, self))

    def stream(
        self,
        call: Callable[[Callable[[bytes], None]], Coroutine[Any, Any, Response]],
        cancelled: Callable[[], None],
    ) -> AsyncIterator[bytes]:
        """The events of a response, whose call runs in a separate task."""

        def begun(send: Callable[[bytes], None]) -> Coroutine[Any, Any, Response]:
            found = guarded(self, once_a_task(call(send)))
            found.send(None)  # the first step, before it is a task: see `once_a_task`
            return found

        return Stream(self, begun, cancelled)


_POURED: Final = 262_144
"""How many bytes of a form are read at once; the first of them stay in memory."""


def begin(service: Service, incoming: AsgiIncoming) -> Awaitable[None] | None:
    """
    Have *service* answer in the server's task, and in its context, which is the request's own.

    Return the rest of that, if something must be awaited.
    """
    if incoming.scope.get("http_version", "1.1") not in _VERSIONS:
        incoming.answered = service.broken(incoming, 505, "This HTTP version is not supported.")
        return None
    opening = service.opening
    if opening is not None and not opening.done:
        return _open_first(service, incoming, opening)
    return _begun(service, incoming)


def _begun(service: Service, incoming: AsgiIncoming) -> Awaitable[None] | None:
    """Let *service* answer, whose resources are open, or replaced as a test asks."""
    outer = CURRENT.get(None)
    call = service.answer(incoming).__await__()
    waiting = next(call, DONE)
    if waiting is not DONE:
        return _watched(service, incoming, call, waiting, outer)
    if outer is not None:
        CURRENT.set(outer)  # a resolver called a route through the application, and goes on
    if incoming.first is None:
        return None
    return incoming.leave_body()


async def _open_first(service: Service, incoming: AsgiIncoming, opening: Opens) -> None:
    """Open the resources of a spec, and let *service* answer."""
    try:
        await opening.on_loop()
    except NotOpened as wrong:
        log_exception(str(wrong), wrong.__cause__)
        incoming.answered = service.closed(incoming)
        return
    rest = _begun(service, incoming)
    if rest is not None:
        await rest


@coroutine
def _watched(
    service: Service,
    incoming: AsgiIncoming,
    call: Generator[Any, Any, None],
    waiting: Any,
    outer: Any,
) -> Generator[Any, Any, None]:
    """
    Finish a call that waits for something.

    It is watched: once its client has gone, it is cancelled and logged, and its response is
    dropped.
    """
    watch = Watch(incoming)
    try:
        while True:
            watch.wait()
            try:
                sent = yield waiting
            except GeneratorExit as exception:
                # the server has dropped the task, so nothing can be awaited any more
                incoming.close()
                call.close()
                abandon(incoming, exception)
                raise
            except BaseException as exception:  # noqa: BLE001
                # a cancellation, on its way to the resolver
                waiting = call.throw(exception)
            else:
                waiting = call.send(sent)
    except StopIteration:
        pass
    except asyncio.CancelledError as exception:
        yield from abandoned(incoming, exception).__await__()
        service.cancelled(incoming)
        # the server, or somebody else, has cancelled the task as well, and must be told
        if not (incoming.cancelled and watch.alone):
            yield from incoming.leave_body().__await__()
            raise
        # nobody gets it: 499 is nginx's code for a client that has closed the connection
        incoming.answered = Response(499, b"", incoming.request_id, JSON_HEADERS, ())
    finally:
        watch.end()
    if outer is not None:
        CURRENT.set(outer)
    yield from incoming.leave_body().__await__()


def _too_much(incoming: ScopeIncoming) -> Refused:
    return Refused("SERVICE_UNAVAILABLE", incoming.closing)


def _check_size(size: int, announced: int, limit: int, *, more: bool) -> None:
    """Check the *size* of what has come against the announced length, and against the *limit*."""
    if not announced:  # in chunks, or all of it at once
        if size > limit:
            raise Refused("PAYLOAD_TOO_LARGE", limit=limit)
    elif size > announced or (size < announced and not more):
        raise Refused("BAD_REQUEST", message="The body is not as long as its Content-Length.")


@final
class _Waiting:
    """An event that was requested, but has not come yet."""

    __slots__ = ("_steps", "_until")

    def __init__(self, steps: Generator[Any, Any, Any], until: Any) -> None:
        self._steps: Final = steps
        self._until: Final = until

    async def event(
        self, incoming: AsgiIncoming, patience: float, kept: Unfinished | None = None
    ) -> Event:
        """The event; it has *patience* seconds to come, unless what is *kept* is refused."""
        try:
            async with asyncio.timeout(patience) as wait:
                if kept is not None:
                    kept.wait = wait
                await rest_of(self._steps, self._until)
        except Exception as error:
            if kept is not None and kept.is_refused:
                raise _too_much(incoming) from None
            raise _unreadable(incoming, error) from error
        finally:
            if kept is not None:
                kept.wait = None
        event: Event
        event, incoming.event = incoming.event, None
        return event


def _unreadable(incoming: ScopeIncoming, error: Exception) -> Refused:
    if isinstance(error, TimeoutError):
        return Refused("REQUEST_TIMEOUT", incoming.closing)
    return Refused("BAD_REQUEST", message="The body could not be read.")
