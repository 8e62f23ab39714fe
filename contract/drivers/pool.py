"""Pool: a bounded number of worker threads, and a bounded queue before them, for synchronous resolvers on an event loop."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from functools import partial
from time import monotonic
from typing import Any, Final, TypeVar
from weakref import WeakSet

from contract.dispatch import Refused
from contract.log import log_exception

__all__ = ["STUCK", "Lanes", "Pool"]

STUCK: Final = 10.0
"""Seconds for which every thread is busy and none comes to an end, before the pool is taken for stuck."""

T = TypeVar("T")


class _Call:
    """What waits for a thread; told apart by identity."""

    __slots__ = ("future", "loop", "run")

    def __init__(self, loop: asyncio.AbstractEventLoop, future: asyncio.Future[Any], run: Callable[[], Any]) -> None:
        self.loop: Final = loop
        self.future: Final = future
        self.run: Final = run


class Pool:
    """
    Worker threads.

    Args:
        threads: That run at once.
        queue: Calls that may wait; one more is refused with SERVICE_UNAVAILABLE.
        what: Runs in them, for the log.
    """

    def __init__(self, threads: int, queue: int, what: str = "resolvers") -> None:
        self._what: Final = what
        self._threads: Final = threads
        self._queue: Final = queue
        self.restart()
        _POOLS.add(self)

    def restart(self) -> None:
        """Begin anew: after a fork the threads are gone, and with them the room that they had taken."""
        self._executor = ThreadPoolExecutor(self._threads, thread_name_prefix="contract-resolver")
        # One item for each call that there is room for: pop() and append() need no lock. A call that has begun keeps its room until its
        # thread is free again, whoever still waits for it; one that has not begun gives it back when nobody waits any more.
        self._room: list[None] = [None] * (self._threads + self._queue)
        self._lock = threading.Lock()
        self._waiting: deque[_Call] = deque()
        self._spare = 0
        """Turns of a thread that are asked for already, and whose calls have been taken out of the queue."""
        self._moved = monotonic()
        self._told = False

    @property
    def stuck(self) -> bool:
        """Whether nothing has moved for long: whoever waits now would wait for what may never end."""
        if len(self._room) > self._queue or monotonic() - self._moved < STUCK:
            return False
        if not self._told:
            self._told = True
            message = f"all {self._threads} threads for {self._what} have been busy for {STUCK:g} s, so calls that need one get 503"
            log_exception(message, None, route=None, request_id=None)
        return True

    def submit(self, context: Context, fn: Callable[..., T], *args: object) -> asyncio.Future[T]:
        """
        Run ``fn(*args)`` in *context* in a worker thread; *fn* must raise nothing, and what nobody waits for any more is not begun.

        Raises:
            Refused: Threads and queue are full, or the threads are stuck.
        """
        if len(self._room) > self._queue:  # there is a thread for it
            self._moved = monotonic()
            self._told = False
        elif self.stuck:
            raise Refused("SERVICE_UNAVAILABLE", (("retry-after", "1"),))
        try:
            self._room.pop()
        except IndexError:
            raise Refused("SERVICE_UNAVAILABLE", (("retry-after", "1"),)) from None
        loop = asyncio.get_running_loop()
        call = _Call(loop, loop.create_future(), partial(context.run, fn, *args))
        call.future.add_done_callback(partial(self._left, call))
        with self._lock:
            self._waiting.append(call)
            spare = self._spare > 0
            self._spare -= spare
        if not spare:
            try:
                self._executor.submit(self._work)
            except RuntimeError:  # there is no room for one more thread in the machine either, or the process ends
                if self._taken_back(call):
                    raise Refused("SERVICE_UNAVAILABLE", (("retry-after", "1"),)) from None
        return call.future

    def _taken_back(self, call: _Call) -> bool:
        """Take *call* out of the queue, with its room, unless a thread has taken it."""
        with self._lock:
            if call not in self._waiting:
                return False
            self._waiting.remove(call)
        self._room.append(None)
        return True

    def _left(self, call: _Call, future: asyncio.Future[Any]) -> None:
        """Take a call out of the queue that nobody waits for any more, with its room; its turn goes to the next that comes."""
        if not future.cancelled():
            return
        with self._lock:
            if call not in self._waiting:  # it has begun
                return
            self._waiting.remove(call)
            self._spare += 1
        self._room.append(None)

    def _work(self) -> None:
        with self._lock:
            if not self._waiting:  # its call has been left, and no other has come
                self._spare -= 1
                return
            call = self._waiting.popleft()
        result = call.run()
        self._moved = monotonic()
        self._room.append(None)  # before anybody hears of it: who calls again at once must find room
        call.loop.call_soon_threadsafe(_settle, call.future, result)


class Lanes:
    """
    The pools of one mount.

    Hooks have threads of their own, started when needed: hooks that hang, behind a database that does not answer say, would otherwise
    take those of the routes that need none.

    Attributes:
        routes: For resolvers.
        hooks: For the hook that authenticates.
    """

    __slots__ = ("hooks", "routes")

    def __init__(self, threads: int, queue: int) -> None:
        self.routes: Final = Pool(threads, queue)
        self.hooks: Final = Pool(threads, queue, "hooks")

    def stuck(self) -> bool:
        """Whether calls of some kind cannot be answered any more; a balancer should send them elsewhere."""
        return self.routes.stuck or self.hooks.stuck


_POOLS: Final[WeakSet[Pool]] = WeakSet()
"""All of this process."""


def _restart() -> None:  # pragma: no cover  of forked children, which tell nothing of what they covered; a test forks, and sees it
    for pool in _POOLS:
        pool.restart()


if sys.platform != "win32":  # pragma: no branch  nothing forks there
    os.register_at_fork(after_in_child=_restart)


def _settle(future: asyncio.Future[T], result: T) -> None:
    if not future.done():
        future.set_result(result)
