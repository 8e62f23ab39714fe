"""
Calls in threads: each is stepped to its end by its thread.

Its async functions run on one event loop, in another thread, and are waited for.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Iterator
from contextvars import Context, copy_context
from functools import partial
from types import coroutine
from typing import Any, Final, TypeVar, cast, final

from contract.adapters.hops import hopping, threads_for
from contract.adapters.loops import adopt, become_a_task
from contract.adapters.pool import Lanes, full
from contract.adapters.streams import Leaving, stream_here
from contract.adapters.thread_items import ItemsHere
from contract.call.bound import Bound
from contract.call.ending import followers, guarded, tell
from contract.call.log import log_exception
from contract.call.message import DONE, Answered, Incoming, Lane, Response
from contract.call.replies import Refused
from contract.call.service import NotOpened, Opens, Service
from contract.call.stream import Opened
from contract.call.streaming import Flow
from contract.call.values import deadline_passed
from contract.declare.resolver import is_async_callable

__all__ = [
    "ABSENT",
    "BACKGROUND",
    "BackgroundLoop",
    "Followed",
    "Paused",
    "ThreadIncoming",
    "follow",
    "opened",
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
        wanted = _OnLoop(fn, args, self.lanes.limits.deadline_seconds)
        result: _Result = yield wanted
        adopt(wanted.context)
        # raised here, not by `_step`: the call would take a GeneratorExit for its own end
        if result.exception is not None:
            raise result.taken()
        found: T = result.value
        return found

    async def offload(self, lane: Lane, fn: Callable[..., T], *args: object) -> T:
        """Call the synchronous function in a thread that can be abandoned after its deadline."""
        context = copy_context()
        result: _Result = _Result()
        pool, streams = threads_for(self, self.lanes, lane), self.lanes.streams
        deadline = self.lanes.limits.deadline_seconds
        if pool is streams and streams.is_held(_HELD):
            raise full()
        hop, work = hopping(self, lane, context, partial(fn, *args), result.give)
        queued = pool.submit(work, result.give)
        if pool is streams:
            waited = _IN_LINE if deadline is None else min(_IN_LINE, deadline)
            if not result.wait(waited) and pool.leave(queued):
                raise full()
            deadline = None if deadline is None else deadline - waited
        if not result.wait(deadline):
            if hop.give_up(deadline_passed()):
                pool.leave(queued)
                raise Refused("DEADLINE_EXCEEDED")
            result.wait()  # it has ended; only its values have not
        if lane == "hooks":
            adopt(context)
        found: T = result.value
        return found

    def items(self, bound: Bound, opened: Opened) -> Iterator[bytes]:
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
        leaving = Leaving(self) if self.watched else None

        def run(send: Callable[[bytes], None]) -> Response:
            try:
                response: Response = _step(guarded(self, call(send)), context, leaving)
                return response
            except asyncio.CancelledError:
                cancelled()
                raise

        return stream_here(run, leaving)


@final
class _Result:
    """
    A value that one thread gives and another waits for.

    Its lock costs a tenth of a `concurrent.futures.Future`.
    """

    __slots__ = ("_given", "_lock", "exception", "task", "timer", "value")

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._lock.acquire()
        self._given = False
        self.value: Any = None
        self.exception: BaseException | None = None
        self.task: asyncio.Task[Any] | None = None
        """The task that gives it, if that is on the loop."""
        self.timer: asyncio.TimerHandle | None = None
        """The timer that ends the task at its deadline."""

    def give(self, value: object, exception: BaseException | None = None) -> None:
        """Give the value, always in the same thread; only the first one counts."""
        if not self._given:
            self._given = True
            self.value, self.exception = value, exception
            if self.timer is not None:
                self.timer.cancel()
            self._lock.release()

    def taken(self) -> BaseException:
        """
        The exception, which is then dropped here.

        The frame that raised it holds this result: otherwise they would hold each other.
        """
        exception, self.exception = self.exception, None
        assert exception is not None  # noqa: S101  the callers have looked
        return exception

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the value; return whether it came in time."""
        came = self._lock.acquire(timeout=-1 if seconds is None else seconds)
        if came:
            self._lock.release()  # for a second wait
        return came


@final
class _OnLoop:
    """
    An async function that a call needs awaited.

    Its context is a copy of the caller's: each message of a batch has its own.
    """

    __slots__ = ("args", "context", "deadline", "fn")

    def __init__(
        self, fn: Callable[..., Awaitable[Any]], args: tuple[object, ...], deadline: float | None
    ) -> None:
        self.fn: Final = fn
        self.args: Final = args
        self.context: Final = copy_context()
        self.deadline: Final = deadline


ABSENT: Final = object()
"""Marks a call that waits for its body."""


@final
class Paused:
    """A call that waits for its body, and holds no thread meanwhile."""

    __slots__ = ("call", "context")

    def __init__(self, call: Coroutine[Any, Any, Any], context: Context) -> None:
        self.call: Final = call
        self.context: Final = context

    def resume(self) -> None:
        """Run to the end, once the body has come; in any thread."""
        _step(self.call, self.context)


def respond(service: Service, incoming: ThreadIncoming) -> Answered:
    """
    Have *service* answer in this thread, in a context for this request alone.

    The thread of a server has one context for all of its requests.
    """
    opening = service.opening
    if opening is not None and not opening.done and not opened(opening):
        return service.closed(incoming)
    context = copy_context()
    call = service.answer(incoming)
    wanted = context.run(next, call.__await__(), DONE)
    if wanted is not DONE:  # some of it is async, which is rare
        _step(call, context, None, wanted)
    # the parts of a stream hold their request, which must not hold them
    answered, incoming.answered = incoming.answered, b""
    return answered


def opened(opening: Opens) -> bool:
    """Open the resources of a spec; return False, and log it, if one cannot be opened."""
    try:
        opening.here()
    except NotOpened as wrong:
        log_exception(str(wrong), wrong.__cause__, route=None, request_id=None)
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
            if leaving is not None and leaving.gone:
                result.exception = asyncio.CancelledError()
            wanted = context.run(call.send, result)
        return Paused(call, context)
    except StopIteration as done:
        return done.value


@coroutine
def _unhurried(fn: Callable[..., Awaitable[Any]], *args: object) -> Generator[Any, Any, Any]:
    """Have the background loop await the async function, however long that takes."""
    result: _Result = yield _OnLoop(fn, args, None)
    if result.exception is not None:
        raise result.taken()
    return result.value


class BackgroundLoop:
    """
    An event loop in a separate thread, for the async resolvers of a WSGI process.

    It starts on first use, and again in a forked child. Connection pools that resolvers keep
    between calls work, since it is always the same loop.
    """

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Forget the loop: after a fork its thread is gone, and the lock may have no owner."""
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: int | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        """The tasks that nobody waits for any more; a loop itself holds them only weakly."""
        self._asked: deque[tuple[_OnLoop, Leaving | None, _Result]] = deque()
        self._bell: int = -1
        """The file descriptor that wakes up the loop."""

    def call(self, fn: Callable[..., Awaitable[T]], *args: object) -> T:
        """Have the loop await the async function in a copy of this context, and wait for it."""
        result = self.run(_OnLoop(fn, args, None))
        if result.exception is not None:
            raise result.taken()
        found: T = result.value
        return found

    def run(self, wanted: _OnLoop, leaving: Leaving | None = None) -> _Result:
        """
        Have the loop await *wanted*, and wait for its result.

        After its deadline it is cancelled, and not waited for any more. With a *leaving*, it is
        also cancelled, and waited for, once its client has gone.

        The loop itself cannot wait: an async resolver that calls an async route through the WSGI
        application would block everything for ever. A second loop would not help, since what
        resolvers keep between calls belongs to this one.
        """
        result = _Result()
        if threading.get_ident() == self._thread:
            result.give(None, RuntimeError(_NESTED))
            return result
        try:
            loop = self._loop or self._running()
        except Refused as refusal:
            result.give(None, refusal)
            return result
        self._asked.append((wanted, leaving, result))
        # on Linux a loop can wait for a file descriptor, at two thirds of the cost
        if sys.platform == "linux":  # pragma: no branch
            os.eventfd_write(self._bell, 1)
        else:  # pragma: no cover  nothing is measured there
            loop.call_soon_threadsafe(self._begin, loop)
        result.wait()
        return result

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                try:
                    self._loop = self._begun()
                except (OSError, RuntimeError):
                    # no room for another thread or file descriptor
                    raise full() from None
            return self._loop

    def _begun(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.new_event_loop()
        try:
            if sys.platform == "linux":  # pragma: no branch
                self._bell = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
                # in a separate context: a reader keeps the context in which it was added as long as
                # the process lasts
                Context().run(loop.add_reader, self._bell, self._ring, loop)
            thread = threading.Thread(
                target=_forever, args=(loop,), name="contract-async-resolvers", daemon=True
            )
            thread.start()
        except BaseException:
            loop.close()
            raise
        self._thread = thread.ident
        return loop

    def _ring(self, loop: asyncio.AbstractEventLoop) -> None:
        os.eventfd_read(self._bell)
        self._begin(loop)

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start every function that was sent here; several that come at once ring only once."""
        while self._asked:
            self._start(loop, *self._asked.popleft())

    def _start(
        self,
        loop: asyncio.AbstractEventLoop,
        wanted: _OnLoop,
        leaving: Leaving | None,
        result: _Result,
    ) -> None:
        # the thread that waits for the result holds the task meanwhile; a loop itself holds its
        # tasks only weakly
        call = _await(wanted, result)
        call.send(None)
        result.task = task = loop.create_task(call, context=wanted.context)
        if wanted.deadline is not None:
            result.timer = loop.call_later(wanted.deadline, self._give_up, task, result)
        if leaving is not None:
            leaving.cancels(lambda: loop.call_soon_threadsafe(task.cancel))

    def _give_up(self, task: asyncio.Task[Any], result: _Result) -> None:
        """Cancel *task*; a resolver may ignore that, so it is not waited for."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.cancel()
        result.give(None, Refused("DEADLINE_EXCEEDED"))


_NESTED: Final = (
    "an async resolver called an async route through the WSGI application that runs it; "
    "await that route's resolver instead"
)

BACKGROUND: Final = BackgroundLoop()
"""The loop of this process; all its WSGI applications share it."""

if sys.platform != "win32":  # pragma: no branch  nothing forks there
    os.register_at_fork(after_in_child=BACKGROUND.restart)


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


def _forever(loop: asyncio.AbstractEventLoop) -> None:
    while True:
        try:
            loop.run_forever()
        except BaseException as exception:  # noqa: BLE001
            # a task that a resolver left behind raised SystemExit: calls must go on
            log_exception("a task on the event loop raised", exception, route=None, request_id=None)


async def _await(wanted: _OnLoop, result: _Result) -> None:
    """
    Give the result of *wanted*; never raises, since some exceptions in a task end the loop.

    It is given here, not in a callback at the task's end, which would take another turn of the
    loop. It is stepped once before it becomes a task, so that it gets a cancellation that comes
    before the first step of the task.
    """
    try:
        await become_a_task()
        value = await wanted.fn(*wanted.args)
    except BaseException as exception:  # noqa: BLE001  the call decides what becomes of it
        result.give(None, exception)
    else:
        result.give(value)
