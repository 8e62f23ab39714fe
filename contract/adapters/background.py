"""
The background loop: an event loop in a thread of its own, for processes whose server has none.

What is async in a call that a thread steps is awaited there, and the thread waits for it.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, final

from contract.adapters.loops import become_a_task
from contract.adapters.pool import full
from contract.adapters.streams import Leaving
from contract.call.incoming import Refused
from contract.call.log import log_exception
from contract.call.process import restarts

__all__ = ["BACKGROUND", "BackgroundLoop", "OnLoop", "Result"]

T = TypeVar("T")


@final
class Result:
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

    def taken(self) -> Any:
        """
        The value; or raise the exception, which is then dropped here.

        The frames that it passes hold this result: otherwise they would hold each other.
        """
        exception, self.exception = self.exception, None
        if exception is None:
            return self.value
        try:
            raise exception
        finally:
            del exception

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the value; return whether it came in time."""
        timeout = -1.0  # without a limit
        if seconds is not None:
            timeout = seconds
        came = self._lock.acquire(timeout=timeout)
        if came:
            self._lock.release()  # for a second wait
        return came


@final
@dataclass(slots=True, eq=False, repr=False)
class OnLoop:
    """
    An async function that a call needs awaited.

    Its context is a copy of the caller's: each message of a batch has its own.
    """

    fn: Callable[..., Awaitable[Any]]
    args: tuple[object, ...]
    deadline: float | None
    context: Context = field(init=False, default_factory=copy_context)


class BackgroundLoop:
    """
    An event loop in a separate thread, for the async resolvers of a WSGI process.

    It starts on first use, and again in a forked child. Connection pools that resolvers keep
    between calls work, since it is always the same loop.
    """

    def __init__(self) -> None:
        self.restart()
        restarts(self)

    def restart(self) -> None:
        """Forget the loop: after a fork its thread is gone, and the lock may have no owner."""
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: int | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        """The tasks that nobody waits for any more; a loop itself holds them only weakly."""
        self._asked: deque[tuple[OnLoop, Leaving | None, Result]] = deque()
        self._bell: int = -1
        """The file descriptor that wakes up the loop."""

    def call(self, fn: Callable[..., Awaitable[T]], *args: object) -> T:
        """Have the loop await the async function in a copy of this context, and wait for it."""
        found: T = self.run(OnLoop(fn, args, None)).taken()
        return found

    def run(self, wanted: OnLoop, leaving: Leaving | None = None) -> Result:
        """
        Have the loop await *wanted*, and wait for its result.

        After its deadline it is cancelled, and not waited for any more. With a *leaving*, it is
        also cancelled, and waited for, once its client has gone.

        The loop itself cannot wait: an async resolver that calls an async route through the WSGI
        application would block everything for ever. A second loop would not help, since what
        resolvers keep between calls belongs to this one.
        """
        result = Result()
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
        result.wait()  # without a limit, since the loop itself gives up at the deadline
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
            # a daemon: its loop never ends, and must not keep the process from ending
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
        wanted: OnLoop,
        leaving: Leaving | None,
        result: Result,
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

    def _give_up(self, task: asyncio.Task[Any], result: Result) -> None:
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


def _forever(loop: asyncio.AbstractEventLoop) -> None:
    while True:
        try:
            loop.run_forever()
        except BaseException as exception:  # noqa: BLE001
            # a task that a resolver left behind raised SystemExit: calls must go on
            log_exception("a task on the event loop raised", exception)


async def _await(wanted: OnLoop, result: Result) -> None:
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
