"""Threads: steps a call to its end where one stands, and sends what is async to one event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator
from contextvars import Context, copy_context
from functools import partial
from types import coroutine
from typing import Any, Final, TypeVar, final

from contract.adapters.loops import adopt
from contract.adapters.pool import Lanes, full
from contract.adapters.streams import Leaving, stream_here
from contract.call.dispatch import Refused
from contract.call.log import log_exception
from contract.call.message import Answered, Incoming, Lane, Response
from contract.call.service import Service

__all__ = ["ABSENT", "BACKGROUND", "BackgroundLoop", "Begun", "ThreadIncoming", "begin", "respond"]

T = TypeVar("T")


class ThreadIncoming(Incoming):
    """A request that is answered in a thread of a server's."""

    __slots__ = ()

    lanes: Lanes

    @coroutine
    def awaited(self, fn: Callable[..., Awaitable[T]], *args: object) -> Generator[Any, Any, T]:
        """
        Have the async function awaited by the background loop; whoever steps this call sees to it.
        """
        wanted = _OnLoop(fn, args, self.lanes.limits.deadline_seconds)
        result: _Result = yield wanted
        adopt(wanted.context)
        if (
            result.exception is not None
        ):  # not thrown in: a call would take GeneratorExit for its own end
            raise result.taken()
        found: T = result.value
        return found

    async def offload(self, lane: Lane, fn: Callable[..., T], *args: object) -> T:
        """Call the synchronous function in a thread that can be left alone when its deadline has passed."""
        context = copy_context()
        result: _Result = _Result()
        pool = self.lanes.hooks if lane == "hooks" else self.lanes.routes
        queued = pool.submit(partial(context.run, fn, *args), result.give)
        if not result.wait(self.lanes.limits.deadline_seconds):
            pool.leave(queued)
            raise Refused("DEADLINE_EXCEEDED")
        if lane == "hooks":
            adopt(context)
        found: T = result.value
        return found

    def ends(self, exception: BaseException) -> bool:
        """Whether its client has gone, which has cancelled it."""
        return self.cancelled and isinstance(exception, asyncio.CancelledError)

    def stream(
        self,
        call: Callable[[Callable[[bytes], None]], Coroutine[Any, Any, Response]],
        cancelled: Callable[[], None],
    ) -> Iterator[bytes]:
        """The events of a response, whose call goes on in a thread of its own, which the thread of the server's waits for."""
        context = copy_context()
        leaving = Leaving(self) if self.watched else None

        def run(send: Callable[[bytes], None]) -> Response:
            try:
                response: Response = _step(call(send), context, leaving)
                return response
            except asyncio.CancelledError:
                cancelled()
                raise

        return stream_here(run, leaving)


@final
class _Result:
    """
    What one thread waits for and another gives.

    A lock costs a tenth of a `concurrent.futures.Future`.
    """

    __slots__ = ("_given", "_lock", "exception", "task", "timer", "value")

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._lock.acquire()
        self._given = False
        self.value: Any = None
        self.exception: BaseException | None = None
        self.task: asyncio.Task[Any] | None = None
        """Gives it, where that is on the loop."""
        self.timer: asyncio.TimerHandle | None = None
        """Ends the task at its deadline."""

    def give(self, value: object, exception: BaseException | None = None) -> None:
        """Give it, always in the same thread; only the first counts."""
        if not self._given:
            self._given = True
            self.value, self.exception = value, exception
            if self.timer is not None:
                self.timer.cancel()
            self._lock.release()

    def taken(self) -> BaseException:
        """Give the exception away: the frame that it was raised in holds this result, and nothing is to go round in a circle."""
        exception, self.exception = self.exception, None
        assert exception is not None  # noqa: S101  whoever takes it has looked
        return exception

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for it, and say whether it came in time."""
        return self._lock.acquire(timeout=-1 if seconds is None else seconds)


@final
class _OnLoop:
    """
    An async function that a call wants to have awaited.

    Its context is a copy of the one that asks for it: each message of a batch has its own.
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
"""A call waits for its body, which is not there."""


@final
class Begun:
    """A call that has come to where it needs its body."""

    __slots__ = ("call", "context")

    def __init__(self, call: Coroutine[Any, Any, Any], context: Context) -> None:
        self.call: Final = call
        self.context: Final = context

    def go_on(self) -> Answered:
        """The response, once the body is there; in any thread."""
        response: Answered = _step(self.call, self.context)
        return response


def respond(service: Service, incoming: ThreadIncoming) -> Answered:
    """The response of *service*, in a context of its own: a server's thread has one for all of its requests."""
    context = copy_context()
    call = service.answer(incoming)
    try:
        wanted = context.run(call.send, None)
    except StopIteration as done:  # nearly always: nothing of it is async
        response: Answered = done.value
        return response
    found: Answered = _step(call, context, None, wanted)
    return found


def begin(service: Service, incoming: ThreadIncoming) -> Answered | Begun:
    """
    The response to a call that is refused before its body is asked for.

    Else what can be gone on with once the body is there.
    """
    found: Answered | Begun = _step(service.answer(incoming), copy_context())
    return found


def _step(
    call: Coroutine[Any, Any, Any],
    context: Context,
    leaving: Leaving | None = None,
    wanted: Any = None,
) -> Any:
    """
    Step *call* to its end, for what it gives, or to where it waits for its body, for a `Begun`.

    Args:
        call: Not begun, or waiting for what it *wanted*.
        context: In which its steps are run.
        leaving: Tells that the client has gone, where that cancels the call.
        wanted: What it waits for.
    """
    try:
        if wanted is None:
            wanted = context.run(call.send, None)
        while wanted is not ABSENT:
            result = BACKGROUND.run(wanted, leaving)
            if leaving is not None and leaving.gone:
                result.exception = asyncio.CancelledError()
            wanted = context.run(call.send, result)
        return Begun(call, context)
    except StopIteration as done:
        return done.value


class BackgroundLoop:
    """
    One event loop in a thread of its own, for the async resolvers of a process that serves WSGI.

    It starts at its first use, and anew in a forked child; pools that resolvers keep between calls
    work, since it is always the same loop.
    """

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Forget the loop: after a fork its thread is gone, and the lock may be held by nobody."""
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: int | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        """Those that nobody waits for any more."""
        self._asked: deque[tuple[_OnLoop, Leaving | None, _Result]] = deque()
        self._bell: int = -1
        """Wakes the loop up."""

    def call(self, fn: Callable[..., Awaitable[T]], *args: object) -> T:
        """What the async function gives, awaited on the loop in a copy of this context."""
        result = self.run(_OnLoop(fn, args, None))
        if result.exception is not None:
            raise result.taken()
        found: T = result.value
        return found

    def run(self, wanted: _OnLoop, leaving: Leaving | None = None) -> _Result:
        """
        What came of *wanted*, awaited on the loop.

        After its deadline it is cancelled, and not waited for any more.

        It is also cancelled, and waited for, once its client has gone, where there is a *leaving*.

        The loop itself cannot wait: an async resolver that calls an async route through the WSGI
        application would stop all for ever. A second loop would not do, since what resolvers keep
        between calls belongs to this one.
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
        if (
            sys.platform == "linux"
        ):  # pragma: no branch  its loops can wait for this, for two thirds of the cost
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
                    # there is no room for one more thread or descriptor
                    raise full() from None
            return self._loop

    def _begun(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.new_event_loop()
        try:
            if sys.platform == "linux":  # pragma: no branch
                self._bell = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
                # in a context of its own: a reader keeps the one that it was added in for as long
                # as the process lasts
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
        """Start what has been asked for; once for several, where they come at once."""
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
        result.task = task = loop.create_task(_await(wanted, result), context=wanted.context)
        if wanted.deadline is not None:
            result.timer = loop.call_later(wanted.deadline, self._give_up, task, result)
        task.add_done_callback(partial(_end, result))
        if leaving is not None:
            leaving.cancels(lambda: loop.call_soon_threadsafe(task.cancel))

    def _give_up(self, task: asyncio.Task[Any], result: _Result) -> None:
        """Cancel *task*; a resolver may take no notice of that, so it is not waited for."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.cancel()
        result.give(None, Refused("DEADLINE_EXCEEDED"))


_NESTED: Final = "an async resolver called an async route through the WSGI application that runs it; await that route's resolver instead"


BACKGROUND: Final = BackgroundLoop()
"""The loop of this process, shared by every WSGI application in it."""

if sys.platform != "win32":  # pragma: no branch  nothing forks there
    os.register_at_fork(after_in_child=BACKGROUND.restart)


def _forever(loop: asyncio.AbstractEventLoop) -> None:
    while True:
        try:
            loop.run_forever()
        except BaseException as exception:  # noqa: BLE001
            # a task that a resolver left behind raised SystemExit: calls go on all the same
            log_exception("a task on the event loop raised", exception, route=None, request_id=None)


def _end(result: _Result, task: asyncio.Task[Any]) -> None:
    """Give the *result* of a task that was cancelled before it began."""
    if task.cancelled():
        result.give(None, asyncio.CancelledError())


async def _await(wanted: _OnLoop, result: _Result) -> None:
    """
    Give what comes of it; raises nothing, since a loop takes some exceptions of a task for its own.

    It is given here, not when the loop is told of the task's end, which takes the loop another
    turn.
    """
    try:
        value = await wanted.fn(*wanted.args)
    except BaseException as exception:  # noqa: BLE001  the call decides what becomes of it
        result.give(None, exception)
    else:
        result.give(value)
