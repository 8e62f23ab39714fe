"""
Calls in threads: each is stepped to its end by its thread.

Its async functions run on one event loop, in another thread, and are waited for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Iterator
from contextvars import Context, copy_context
from functools import partial
from types import coroutine
from typing import Any, Final, TypeVar, cast, final

from contract.adapters.background import BACKGROUND, OnLoop, Result
from contract.adapters.hops import hopping, threads_for
from contract.adapters.loops import adopt
from contract.adapters.pool import Lanes, full
from contract.adapters.streams import Leaving, stream_here
from contract.adapters.thread_items import ItemsHere
from contract.call.bound import Bound
from contract.call.ending import followers, guarded, tell
from contract.call.incoming import Incoming, Lane, Refused
from contract.call.log import log_exception
from contract.call.message import DONE, Answered, Response
from contract.call.service import Service
from contract.call.stream import StreamReply
from contract.call.streaming import Flow
from contract.call.values import deadline_passed
from contract.declare.resolver import is_async_callable
from contract.declare.resource import NotOpened, Opens
from contract.shape.record import record

__all__ = [
    "ABSENT",
    "Followed",
    "Paused",
    "ThreadIncoming",
    "follow",
    "open_resources",
    "respond",
    "respond_or_pause",
]

T = TypeVar("T")

_IN_LINE: Final = 1.0
"""
Seconds that a call waits for a thread for streams, since the server's own thread waits with it.

Streams may last for ever. If the calls behind them all waited, they would soon have every thread of
the server, and no other route would be answered.
"""

_HELD: Final = 1.0
"""Seconds without the end of a call after which the threads for streams are not waited for."""


class ThreadIncoming(Incoming):
    """A request that a server's thread answers."""

    __slots__ = ()

    lanes: Lanes

    @coroutine
    def awaited(self, fn: Callable[..., Awaitable[T]], *args: object) -> Generator[Any, Any, T]:
        """Have the background loop await the async function; `_step` sends it there."""
        wanted = OnLoop(fn, args, self.lanes.limits.deadline_seconds)
        result: Result = yield wanted
        adopt(wanted.context)
        # raised here, not by `_step`: the call would take a GeneratorExit for its own end
        found: T = result.taken()
        return found

    async def offload(self, lane: Lane, fn: Callable[..., T], *args: object) -> T:
        """Call the synchronous function in a thread that can be abandoned after its deadline."""
        # 1. Hand it to a thread.
        context = copy_context()
        result: Result = Result()
        pool, streams = threads_for(self, self.lanes, lane), self.lanes.streams
        deadline = self.lanes.limits.deadline_seconds
        if pool is streams and streams.is_held(_HELD):
            raise full()
        hop, work = hopping(self, lane, context, partial(fn, *args), result.give)
        queued = pool.submit(work, result.give)
        # 2. Wait until a thread for streams begins, but not for long. A resolver that has begun has
        #    the rest of its deadline.
        if pool is streams:
            in_line = _IN_LINE
            if deadline is not None:
                in_line = min(in_line, deadline)
                deadline -= in_line
            if not result.wait(in_line) and pool.leave(queued):
                raise full()
        # 3. Wait for the result.
        if not result.wait(deadline):
            if hop.give_up(deadline_passed()):
                pool.leave(queued)
                raise Refused("DEADLINE_EXCEEDED")
            result.wait()  # it has ended; only its values have not
        # what runs after a hook sees the context variables that it has set
        if lane == "hooks":
            adopt(context)
        found: T = result.value
        return found

    def items(self, bound: Bound, opened: StreamReply) -> Iterator[bytes]:
        """The parts of a stream, whose items a separate thread requests."""
        return ItemsHere(self, self.lanes, Flow(bound, opened, self), _step, _unhurried)

    def ends(self, exception: BaseException) -> bool:
        """Whether its client has gone, which cancelled it."""
        return self.cancelled and isinstance(exception, asyncio.CancelledError)

    def stream(
        self,
        call: Callable[[Callable[[bytes], None]], Coroutine[Any, Any, Response]],
        cancelled: Callable[[], None],
    ) -> Iterator[bytes]:
        """The events of a response, whose call runs in a separate thread."""
        context = copy_context()
        leaving: Leaving | None = None
        if self.watched:
            leaving = Leaving(self)

        def run(send: Callable[[bytes], None]) -> Response:
            try:
                response: Response = _step(guarded(self, call(send)), context, leaving)
                return response
            except asyncio.CancelledError:
                cancelled()
                raise

        return stream_here(run, leaving)


ABSENT: Final = object()
"""Marks a call that waits for its body."""


@final
@record
class Paused:
    """A call that waits for its body, and holds no thread meanwhile."""

    call: Coroutine[Any, Any, Any]
    context: Context

    def resume(self) -> None:
        """Run to the end, once the body has come; in any thread."""
        _step(self.call, self.context)


def respond(service: Service, incoming: ThreadIncoming) -> Answered:
    """
    Have *service* answer in this thread, in a context for this request alone.

    The thread of a server has one context for all of its requests.
    """
    opening = service.opening
    if opening is not None and not opening.done and not open_resources(opening):
        return service.closed(incoming)
    context = copy_context()
    call = service.answer(incoming)
    # `next` with a default, since `send` would tell of the end by an exception, which costs more
    wanted = context.run(next, call.__await__(), DONE)
    if wanted is not DONE:  # some of it is async, which is rare
        _step(call, context, None, wanted)
    # the parts of a stream hold their request, which must not hold them
    answered, incoming.answered = incoming.answered, b""
    return answered


def open_resources(opening: Opens) -> bool:
    """Open the resources of a spec; return False, and log it, if one cannot be opened."""
    try:
        opening.here()
    except NotOpened as wrong:
        log_exception(str(wrong), wrong.__cause__)
        return False
    return True


def respond_or_pause(service: Service, incoming: ThreadIncoming) -> Paused | None:
    """Answer a call until it reads its body; return the paused call, unless it was refused."""
    found: Paused | None = _step(service.answer(incoming), copy_context())
    return found


def _step(
    call: Coroutine[Any, Any, Any],
    context: Context,
    leaving: Leaving | None = None,
    wanted: Any = None,
) -> Any:
    """
    Step *call* to its end, and return its result; or a `Paused`, if it waits for its body.

    Args:
        call: A call that has not begun, or waits for the function in *wanted*.
        context: The context to run its steps in.
        leaving: Tells when the client has gone, if that cancels the call.
        wanted: The async function that it waits for, or `ABSENT`.
    """
    try:
        if wanted is None:
            wanted = context.run(call.send, None)
        while wanted is not ABSENT:
            result = BACKGROUND.run(wanted, leaving)
            # whatever came of it: nobody is left to be answered, so the call ends here
            if leaving is not None and leaving.gone:
                result.exception = asyncio.CancelledError()
            wanted = context.run(call.send, result)
        return Paused(call, context)
    except StopIteration as done:
        return done.value


@coroutine
def _unhurried(fn: Callable[..., Awaitable[Any]], *args: object) -> Generator[Any, Any, Any]:
    """Have the background loop await the async function, however long that takes."""
    result: Result = yield OnLoop(fn, args, None)
    return result.taken()


def follow(incoming: Incoming) -> None:
    """Call the functions given to `after_commit`, in this thread; never raises."""
    for context, fn, args, kwargs in followers(incoming):
        try:
            if is_async_callable(fn):
                later: Callable[..., Awaitable[object]] = partial(cast("Any", fn), *args, **kwargs)
                context.run(BACKGROUND.call, later)
            else:
                context.run(fn, *args, **kwargs)
        except BaseException as exception:  # noqa: BLE001  the reply has been sent
            tell(incoming, fn, exception)


@final
class Followed:
    """The parts of a body, after which a call goes on: a server closes it when it has sent them."""

    __slots__ = ("_incoming", "_parts")

    def __init__(self, parts: Iterable[bytes], incoming: Incoming) -> None:
        self._parts: Final = iter(parts)
        self._incoming: Final = incoming

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._parts)

    def close(self) -> None:
        """Close the parts, and call the functions that follow."""
        close: Callable[[], object] | None = getattr(self._parts, "close", None)
        try:
            if close is not None:
                close()
        finally:
            follow(self._incoming)
