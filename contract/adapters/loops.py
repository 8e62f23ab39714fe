"""Calls on an event loop: threads, deadlines, and a watch on the client."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping
from contextlib import suppress
from contextvars import Context, copy_context
from functools import partial
from types import coroutine
from typing import Any, Final, Protocol, TypeVar, final

from contract.adapters.hops import Hopping, hopping, threads_for
from contract.adapters.pool import Lanes
from contract.call.context import CURRENT, CallSource, Surface
from contract.call.headers_out import HeadersOut
from contract.call.incoming import Lane, Refused
from contract.call.values import Hop, Values, deadline_passed

__all__ = [
    "Watch",
    "adopt",
    "apart",
    "become_a_task",
    "gone",
    "in_thread",
    "keep",
    "once_a_task",
    "raised_by",
    "rest_of",
    "timed",
]

T = TypeVar("T")

Receive = Callable[[], Awaitable[Any]]
"""Gives the next event from the client."""

PROMPT: Final = 0.05
"""
Seconds in which most calls are answered.

Only a call that takes longer is watched.
"""


class Watched(Hopping, Protocol):
    """A request whose client may disconnect."""

    @property
    def lanes(self) -> Lanes: ...
    def receive(self) -> Awaitable[Any]: ...
    @property
    def watched(self) -> bool: ...

    cancelled: bool

    def asking(self) -> None: ...
    def authenticated(self) -> None: ...


@final
class _Stay:
    """
    The running call as a thread or a task of its own sees it, which may go on after the answer.

    Copies of the server's own context hold the call itself, which is over once it is answered: a
    server may let the next request of the connection see one of them.

    Attributes:
        goes_on: Whether nobody waits any more for what goes on here.
    """

    __slots__ = ("_source", "goes_on")

    def __init__(self, source: CallSource) -> None:
        self._source: Final = source
        self.goes_on: bool = False

    @property
    def over(self) -> bool:
        return self._source.over and not self.goes_on

    @property
    def outgoing(self) -> HeadersOut | None:
        return self._source.outgoing

    @outgoing.setter
    def outgoing(self, headers: HeadersOut | None) -> None:
        self._source.outgoing = headers

    @property
    def values(self) -> Values | None:
        return self._source.values

    @values.setter
    def values(self, values: Values | None) -> None:
        self._source.values = values

    @property
    def request_id(self) -> str:
        return self._source.request_id

    @property
    def route(self) -> str:
        return self._source.route

    @property
    def surface(self) -> Surface:
        return self._source.surface

    @property
    def headers(self) -> Mapping[str, str]:
        return self._source.headers

    @property
    def cancelled(self) -> bool:
        return self._source.cancelled


def _staying() -> tuple[Context, _Stay | None]:
    """A copy of this context, and the call as it is seen there, if one is running."""
    context = copy_context()
    source = context.get(CURRENT)
    if source is None:
        return context, None
    stay = _Stay(source)
    context.run(CURRENT.set, stay)
    return context, stay


@final
class Watch:
    """
    Cancels the current task if the client of a call disconnects, until the call ends.

    It starts only after `PROMPT`: a check costs more than the rest of a small call.
    """

    __slots__ = ("_call", "_listening", "_loop", "_over", "_task", "_timer")

    def __init__(self, call: Watched) -> None:
        self._call: Final = call
        self._loop: Final = asyncio.get_running_loop()
        self._task: Final = asyncio.current_task(self._loop)
        self._listening: asyncio.Task[None] | None = None
        self._over = False
        self._timer: asyncio.TimerHandle | None = None

    def wait(self) -> None:
        """
        Watch the call from now on, as it is about to wait for something.

        This must come after the body was read: otherwise the server would return body events.
        """
        if self._timer is None and self._call.watched:
            self._timer = self._loop.call_later(PROMPT, self._begin)

    def _begin(self) -> None:
        self._listening = self._loop.create_task(gone(self._call.receive))
        self._listening.add_done_callback(self._left)

    def _left(self, listening: asyncio.Task[None]) -> None:
        """Cancel the call of a client that has gone, unless the call is over."""
        # `end` may come too late to stop this callback, which the loop has queued by then
        if not (listening.cancelled() or self._over or self._task is None):
            self._call.cancelled = True
            self._task.cancel()

    @property
    def alone(self) -> bool:
        """Whether nothing else has cancelled the task."""
        return self._task is None or self._task.cancelling() == 1

    def end(self) -> None:
        """Stop watching; the task belongs to its owner again."""
        self._over = True
        if self._timer is not None:
            self._timer.cancel()
        if self._listening is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._listening.cancel()
        # the cancellation was ours, and timeouts and task groups around the call count them
        if self._call.cancelled and self._task is not None:
            self._task.uncancel()


async def gone(receive: Receive) -> None:
    """Wait until the client has gone."""
    with suppress(Exception):  # some servers report a disconnect by an exception
        for _ in range(2):  # the first event may be the body of a call that does not need one
            if (await receive())["type"] == "http.disconnect":
                return
        # something else has read the body: nothing more can be known about the client
        await asyncio.Event().wait()


async def in_thread(call: Watched, lane: Lane, fn: Callable[..., T], args: tuple[object, ...]) -> T:
    """
    Call a synchronous function in a worker thread, in a copy of this context.

    Raises:
        Refused: No thread is free for it, or its deadline has passed.
    """
    # 1. Hand it to a thread.
    lanes = call.lanes
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    context, stay = _staying()
    pool = threads_for(call, lanes, lane)
    if lane == "calls":
        call.asking()

    def then(result: T) -> None:
        loop.call_soon_threadsafe(_settle, future, result)

    hop, work = hopping(call, lane, context, partial(fn, *args), then)
    try:
        queued = pool.submit(work, then)
    except Refused:
        call.authenticated()
        raise
    # 2. Wait for it. The items of a stream have limits of their own (`ItemsOnLoop`).
    deadline = lanes.limits.deadline_seconds
    timer: asyncio.TimerHandle | None = None
    if deadline is not None and lane != "items":
        timer = loop.call_later(deadline, _expire, future, hop)
    try:
        found = await future
    except BaseException as exception:
        hop.give_up(exception)
        if stay is not None:
            stay.goes_on = True
        # a call that never began will not pass its hooks, so it must not count as one of them
        if pool.leave(queued):
            call.authenticated()
        raise
    finally:
        if timer is not None:
            timer.cancel()
    # 3. Show the context variables that a hook has set to everything after it.
    if lane == "hooks":
        adopt(context)
    return found


def _settle(future: asyncio.Future[Any], result: object) -> None:
    # it is done if the wait has ended early; a thread that is kept gives its result twice
    if not future.done():
        future.set_result(result)


def _expire(future: asyncio.Future[Any], hop: Hop) -> None:
    if not future.done() and hop.give_up(deadline_passed()):
        future.set_exception(Refused("DEADLINE_EXCEEDED"))


def adopt(context: Context) -> None:
    """Copy the variables that a hook has set in *context*, for the code that runs after it."""
    for variable, value in context.items():
        # the call is another object in there (`_Stay`)
        if variable is not CURRENT and variable.get(_NOTHING) is not value:
            variable.set(value)


_NOTHING: Final = object()


async def timed(deadline: float, fn: Callable[..., Awaitable[T]], args: tuple[object, ...]) -> T:
    """
    Await an async function for at most *deadline* seconds.

    It runs in a separate task, since it may ignore its cancellation.

    Raises:
        Refused: The deadline has passed.
    """
    context, stay = _staying()
    task = asyncio.get_running_loop().create_task(_awaited(fn, args), context=context)
    keep(task)
    try:
        done, _ = await asyncio.wait({task}, timeout=deadline)
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task}, timeout=deadline)  # time for it to clean up
        raise
    finally:
        if stay is not None:
            stay.goes_on = not task.done()
    if not done:
        task.cancel()
        await asyncio.sleep(0)  # the resolver is told before the client is
        raise Refused("DEADLINE_EXCEEDED")
    adopt(context)
    found, exception = task.result()
    if exception is not None:
        raise exception
    return found  # type: ignore[no-any-return]


async def _awaited(
    fn: Callable[..., Awaitable[Any]], args: tuple[object, ...]
) -> tuple[Any, BaseException | None]:
    """The result or the exception; some exceptions raised in a task would end the loop."""
    try:
        return await fn(*args), None
    except BaseException as exception:  # noqa: BLE001  the call decides what becomes of it
        return None, exception


def raised_by(fn: Callable[..., object], *args: object) -> BaseException | None:
    """Call *fn*, and return its exception: a StopIteration could not pass through a future."""
    try:
        fn(*args)
    except BaseException as exception:  # noqa: BLE001  the caller decides what becomes of it
        return exception
    return None


async def apart(fn: Callable[[], Awaitable[object]], context: Context) -> BaseException | None:
    """
    Await an async function in a separate task, and return its exception.

    It goes on even if this is cancelled.
    """
    task = asyncio.get_running_loop().create_task(_awaited(fn, ()), context=context)
    keep(task)
    await asyncio.wait({task})
    if task.cancelled():
        return None
    _, exception = task.result()
    return exception


@coroutine
def become_a_task() -> Generator[None, None, None]:
    """Wait, in a coroutine that is stepped once before it becomes a task, until it is one."""
    yield


async def once_a_task(call: Coroutine[Any, Any, T]) -> T:
    """
    The result of *call*, which begins when this is a task.

    It is stepped once before, so that it gets a cancellation that comes before the task's first
    step.
    """
    try:
        await become_a_task()
    except BaseException:
        call.close()  # nobody awaits it any more
        raise
    return await call


@coroutine
def rest_of(steps: Generator[Any, Any, Any], waiting: Any) -> Generator[Any, Any, Any]:
    """Await the rest of an awaitable that was stepped once, and now waits for *waiting*."""
    try:
        while True:
            try:
                yield waiting
            except BaseException as exception:
                if not hasattr(steps, "throw"):
                    # granian's awaitables can be iterated, and nothing else
                    raise
                waiting = steps.throw(exception)  # it may have something to wait for before it ends
            else:
                waiting = next(steps)
    except StopIteration as done:
        return done.value


def keep(task: asyncio.Task[Any]) -> None:
    """Hold *task*, which may outlive its caller; a loop holds its tasks only weakly."""
    _GOING_ON.add(task)
    task.add_done_callback(_GOING_ON.discard)


_GOING_ON: Final[set[asyncio.Task[Any]]] = set()
