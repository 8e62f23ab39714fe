"""Pool: a bounded number of worker threads, and a bounded queue before them, for synchronous code that somebody else must not wait in."""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Final, final
from weakref import WeakSet

from contract.call.dispatch import Refused
from contract.call.log import log_exception
from contract.call.mount_options import Limits

__all__ = ["STUCK", "Lanes", "Pool", "Queued", "full"]

STUCK: Final = 10.0
"""
Seconds for which every thread is busy and none comes to an end, before the pool is taken for stuck.
"""

_QUIET: Final = 30.0
"""Seconds without a call, after which a thread ends."""


@final
class Queued:
    """A call that waits for a thread, or has one; told apart by identity."""

    __slots__ = ("run", "then")

    def __init__(self, run: Callable[[], Any], then: Callable[[Any], object]) -> None:
        self.run: Final = run
        self.then: Final = then


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
        """
        Begin anew: after a fork the threads are gone, and with them the room that they had taken.
        """
        # One item for each call that there is room for: pop() and append() need no lock. A call
        # that has begun keeps its room until its thread is free again, whoever still waits for it;
        # one that has not begun gives it back when nobody waits any more.
        self._room: list[None] = [None] * (self._threads + self._queue)
        self._lock = threading.Lock()
        self._waiting: deque[Queued] = deque()
        self._turns: SimpleQueue[None] = SimpleQueue()
        """What the threads wait for: a turn for each call that waits."""
        self._spare = 0
        """Turns whose calls have been taken out of the queue."""
        self._idle = 0
        """
        Threads that nobody has given a turn to; below zero where more calls wait than there are
        threads for.
        """
        self._started = 0
        self._moved = monotonic()
        self._told = False

    @property
    def stuck(self) -> bool:
        """
        Whether nothing has moved for long: whoever waits now would wait for what may never end.
        """
        if len(self._room) > self._queue or monotonic() - self._moved < STUCK:
            return False
        if not self._told:
            self._told = True
            message = f"all {self._threads} threads for {self._what} have been busy for {STUCK:g} s, so calls that need one get 503"
            log_exception(message, None, route=None, request_id=None)
        return True

    def submit(self, run: Callable[[], Any], then: Callable[[Any], object]) -> Queued:
        """
        Call *run* in a worker thread, and there *then* with what it gives.

        Args:
            run: Must raise nothing.
            then: Must not take long; that the loop it tells has been closed is nobody's business.

        Raises:
            Refused: Threads and queue are full, or the threads are stuck.
        """
        if len(self._room) > self._queue:  # there is a thread for it
            self._moved = monotonic()
            self._told = False
        elif self.stuck:
            raise full()
        try:
            self._room.pop()
        except IndexError:
            raise full() from None
        call = Queued(run, then)
        with self._lock:
            self._waiting.append(call)
            spare = self._spare > 0
            if spare:
                self._spare -= 1
            else:
                self._idle -= 1
            wanted = self._idle < 0 and self._started < self._threads
            if wanted:
                self._started += 1
                self._idle += 1
        if not spare:
            self._turns.put(None)
        if wanted:
            self._start(call)
        return call

    def _start(self, call: Queued) -> None:
        """One more thread, for the turn of *call*."""
        try:
            threading.Thread(target=self._work, name="contract-resolver", daemon=True).start()
        except RuntimeError:
            # there is no room for one more thread in the machine either, or the process ends
            with self._lock:
                self._started -= 1
                self._idle -= 1
            if self.leave(call):
                raise full() from None

    def leave(self, call: Queued) -> bool:
        """
        Take *call* out of the queue, and give back its room, unless it has begun.

        Its turn goes to the next that comes.
        """
        with self._lock:
            if call not in self._waiting:
                return False
            self._waiting.remove(call)
            self._spare += 1
        self._room.append(None)
        return True

    def _work(self) -> None:
        while True:
            try:
                self._turns.get(timeout=_QUIET)
            except Empty:
                with self._lock:
                    if self._idle > 0:  # nobody has given it a turn meanwhile
                        self._idle -= 1
                        self._started -= 1
                        return
                continue
            with self._lock:
                call = self._waiting.popleft() if self._waiting else None
                if call is None:  # it has been left, and no other has come
                    self._spare -= 1
                    self._idle += 1
            if call is None:
                continue
            result = call.run()
            self._moved = monotonic()
            with self._lock:
                self._idle += 1
            # before anybody hears of it: who calls again at once must find room
            self._room.append(None)
            with suppress(RuntimeError):  # the loop has been closed
                call.then(result)
            del call, result  # while this thread waits, it keeps nothing of anybody's


def full() -> Refused:
    """There is no thread for a call now, and there may be soon."""
    return Refused("SERVICE_UNAVAILABLE", (("retry-after", "1"),))


@final
class Lanes:
    """
    The threads of one mount, and how long something may take in them.

    Hooks have threads of their own, started when needed: hooks that hang, behind a database that
    does not answer say, would otherwise take those of the routes that need none. A hook and a
    resolver that are both synchronous share a thread of the routes, as long as hooks are not about
    to take too many of those.

    Attributes:
        limits: Of the mount.
        routes: For resolvers.
        hooks: For the hook that authenticates.
        asking: An item for each call in the threads for resolvers that has not come past its hook.
        blocks: Synchronous code may run in the thread of a WSGI server: nobody has to wait for its
            deadline beside it.
    """

    __slots__ = ("_most", "asking", "blocks", "hooks", "limits", "routes")

    def __init__(self, limits: Limits) -> None:
        self.limits: Final = limits
        self.routes: Final = Pool(limits.threads, limits.queue)
        self.hooks: Final = Pool(limits.threads, limits.queue, "hooks")
        self.asking: Final[list[None]] = []
        self.blocks: Final = limits.deadline_seconds is None
        self._most: Final = limits.threads // 2

    @property
    def crowded(self) -> bool:
        """
        Whether so many hooks hold threads for resolvers that one more is better asked elsewhere.
        """
        return len(self.asking) >= self._most

    def stuck(self) -> bool:
        """
        Whether calls of some kind cannot be answered any more.

        A balancer should send them elsewhere.
        """
        return self.routes.stuck or self.hooks.stuck


_POOLS: Final[WeakSet[Pool]] = WeakSet()
"""All of this process."""


# of forked children, which tell nothing of what they covered; a test forks, and sees it
def _restart() -> None:  # pragma: no cover
    for pool in _POOLS:
        pool.restart()


if sys.platform != "win32":  # pragma: no branch  nothing forks there
    os.register_at_fork(after_in_child=_restart)
