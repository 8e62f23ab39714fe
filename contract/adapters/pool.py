"""
A pool of worker threads with a queue, both limited.

It runs synchronous code that must not block an event loop, or that has a deadline.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Final, final

from contract.call.incoming import Refused
from contract.call.log import log_exception
from contract.call.mount_options import Limits, Options
from contract.call.process import restarts
from contract.call.proxies import Proxies, trusted

__all__ = ["STUCK", "Lanes", "Pool", "Queued", "full", "lanes_of"]

STUCK: Final = 10.0
"""A pool is stuck if all threads are busy and no call has ended for so many seconds."""

_QUIET: Final = 30.0
"""Seconds without a call after which a thread ends."""


@final
@dataclass(slots=True, eq=False, repr=False)
class Queued:
    """A call that waits for a thread or has one; compared by identity."""

    run: Final[Callable[[], Any]]
    then: Final[Callable[[Any], object]]


class Pool:
    """
    Worker threads.

    Args:
        threads: The most threads.
        queue: The most calls that may wait; any further one is refused with SERVICE_UNAVAILABLE.
        what: The work that runs in them, for the log.
    """

    def __init__(self, threads: int, queue: int, what: str = "resolvers") -> None:
        self._what: Final = what
        self._threads: Final = threads
        self._queue: Final = queue
        self.restart()
        restarts(self)

    def restart(self) -> None:
        """Start again: after a fork the threads are gone, without having returned their room."""
        # One item for each call that there is room for, since pop() and append() need no lock. A
        # call that has begun keeps its room until its thread is free again, even if nobody waits
        # for it any more; a call that has not begun returns it when nobody waits.
        self._room: list[None] = [None] * (self._threads + self._queue)
        self._lock = threading.Lock()
        self._waiting: deque[Queued] = deque()
        self._turns: SimpleQueue[None] = SimpleQueue()
        """A turn for each waiting call; the threads wait for these."""
        self._spare = 0
        """Turns whose calls were taken out of the queue."""
        self._idle = 0
        """Threads without a turn; below zero if more calls wait than threads are free."""
        self._started = 0
        self._moved = monotonic()
        self._logged = False

    @property
    def taken(self) -> bool:
        """Whether each of its threads has a call, so that another one would have to wait."""
        return len(self._room) <= self._queue

    @property
    def stuck(self) -> bool:
        """Whether no call has ended for long, so that another one might wait for ever."""
        if not self.is_held(STUCK):
            return False
        if not self._logged:
            self._logged = True
            busy = f"all {self._threads} threads for {self._what} have been busy for {STUCK:g} s"
            log_exception(f"{busy}, so calls that need one get 503", None)
        return True

    @property
    def full(self) -> bool:
        """Whether threads and queue are full, so that another call would be refused."""
        return not self._room

    def is_held(self, seconds: float) -> bool:
        """Whether each of its threads has a call, and none has ended for so many *seconds*."""
        return self.taken and monotonic() - self._moved >= seconds

    def submit(self, run: Callable[[], Any], then: Callable[[Any], object]) -> Queued:
        """
        Call *run* in a worker thread, then *then* with its result.

        Args:
            run: A function that never raises.
            then: A quick function; it may raise a RuntimeError if its loop is closed.

        Raises:
            Refused: Threads and queue are full, or the threads are stuck.
        """
        if len(self._room) > self._queue:  # there is a thread for it
            self._moved = monotonic()
            self._logged = False
        elif self.stuck:
            raise full()
        # 1. Take its room.
        try:
            self._room.pop()
        except IndexError:
            raise full() from None
        # 2. Queue it, and settle who serves it: whoever gets a turn that a call has left behind, a
        #    thread that rests, one more thread, or else the next that comes free.
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
        # 3. Outside the lock: to start a thread takes long, and `_start` takes the lock itself.
        if not spare:
            self._turns.put(None)
        if wanted:
            self._start(call)
        return call

    def _start(self, call: Queued) -> None:
        """Start one more thread, for the turn of *call*."""
        try:
            threading.Thread(target=self._work, name="contract-resolver", daemon=True).start()
        except RuntimeError:
            # the machine has no room for another thread either, or the process is ending
            with self._lock:
                self._started -= 1
                self._idle -= 1
            # another thread may have taken it meanwhile; then it is answered after all
            if self.leave(call):
                raise full() from None

    def leave(self, call: Queued) -> bool:
        """
        Take *call* out of the queue and return its room, unless it has begun.

        Its turn goes to the next call.
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
                if call is None:  # the call was taken out, and no other has come
                    self._spare -= 1
                    self._idle += 1
            if call is None:
                continue
            result = call.run()
            self._moved = monotonic()
            with self._lock:
                self._idle += 1
            # before the result is passed on: a client that calls again at once must find room
            self._room.append(None)
            with suppress(RuntimeError):  # the loop is closed
                call.then(result)
            del call, result  # a waiting thread must not keep the objects of a call alive


def full() -> Refused:
    """The refusal of a call for which no thread is free."""
    return Refused("SERVICE_UNAVAILABLE", (("retry-after", "1"),))


@final
class Lanes:
    """
    The threads of one mount, its limits, and the proxies that it trusts.

    Hooks have separate threads, started when needed: otherwise hooks that hang (waiting for a
    database, say) would take the threads of routes without hooks. If the hooks and the resolver of
    a call are all synchronous, they share a thread for routes, until hooks hold half of those.

    Attributes:
        limits: The limits of the mount.
        proxies: The proxies that are trusted to say where a request comes from, if there are any.
        routes: The threads for resolvers.
        hooks: The threads for ``authenticate``, and for hooks before resolvers.
        streams: The threads for resolvers that give streams, and for their items.
        asking: An item for each call in a thread for resolvers that has not yet passed the hooks
            before its body.
        blocks: Whether synchronous code may run in the thread of a WSGI server: not if it has a
            deadline, for which another thread must wait.
    """

    def __init__(self, limits: Limits, proxies: Proxies | None = None) -> None:
        self.limits: Final = limits
        self.proxies: Final = proxies
        self.routes: Final = Pool(limits.threads, limits.queue)
        self.hooks: Final = Pool(limits.threads, limits.queue, "hooks")
        self.streams: Final = Pool(limits.stream_threads, limits.queue, "streams")
        self.asking: Final[list[None]] = []
        self.blocks: Final = limits.deadline_seconds is None
        self._most: Final = limits.threads // 2
        restarts(self)

    def restart(self) -> None:
        """Start again: after a fork, the earlier calls are gone."""
        self.asking.clear()

    @property
    def crowded(self) -> bool:
        """Whether hooks hold so many threads for resolvers that the next must run elsewhere."""
        return len(self.asking) >= self._most

    def stuck(self) -> bool:
        """Whether calls of some kind cannot be answered any more; they belong elsewhere."""
        return self.routes.stuck or self.hooks.stuck


def lanes_of(options: Options) -> Lanes:
    """The threads and limits that the calls of a mount with *options* share."""
    return Lanes(options.limits, trusted(options.trusted_proxies))
