"""
Turns: how many of the server's threads run Python at once.

Threads that run Python side by side cost more than one thread that does all of the work: they keep
handing over the interpreter, which makes a small call half as expensive again. But a thread that
waits (for a database, say) must not stop the others. So there is one turn as long as calls are
short. When a look finds that no turn is used for work, their number doubles. A thread without a
turn leaves its job to those that have one, and rests. So does one that has finished its job while
enough others are active. So the server's queue has about as many takers as there are turns.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from threading import get_native_id
from time import monotonic, process_time
from typing import Any, Final, final

__all__ = ["Turns"]

_LOG: Final = logging.getLogger("contract.serve")

_STRIKES: Final = 2.0
"""
How many looks in a row must find every turn taken, but idle.

A single one may happen in the middle of a short call.
"""

_LONG: Final = 0.5
"""
The weight of a look that finds work being done, but no call ended.

So other calls are let in beside one that computes for long.
"""

_RECENT: Final = 1.0
"""
Seconds after its last turn for which a thread surely takes the next request.

The server ends threads that are idle for 30.
"""

_SHRINK: Final = 5.0
"""Seconds after which added turns that are free are removed."""


@final
class Turns:
    """
    The turns of threads, and the jobs that wait for one.

    Args:
        most: The most turns.
        bell: Called when a turn is taken while the watcher sleeps (`look`).

    Attributes:
        asleep: Set by the watcher before it stops looking.
    """

    def __init__(self, most: int, bell: Callable[[], None]) -> None:
        self._most: Final = most
        self._bell: Final = bell
        self._jobs: Final[deque[tuple[Callable[[Any], None], Any]]] = deque()
        self._free: Final[list[None]] = [None]  # pop() and append() need no lock
        self._resting: Final[list[threading.Lock]] = []
        self.granted: int = 1
        self.full: float | None = None
        """When every possible turn became taken by a waiting call; None if one is not."""
        self.asleep: bool = True
        self._done = self._seen = 0
        self._since = self._grown = self._strikes = 0.0
        self._times: dict[int, float] = {}
        self._last: int | None = None
        self._seen_at: Final[dict[int, float]] = {}
        """When each active thread of the server last had a turn."""
        self._choosing: Final = threading.Lock()
        self._holders: Final[set[int]] = set()

    @property
    def busy(self) -> bool:
        """Whether a turn is taken."""
        return len(self._free) < self.granted

    @property
    def done(self) -> int:
        """How many jobs have ended."""
        return self._done

    @property
    def waiting(self) -> int:
        """How many jobs wait for a turn."""
        return len(self._jobs)

    @property
    def resting(self) -> int:
        """How many threads rest."""
        return len(self._resting)

    def run(self, job: Callable[[Any], None], about: Any) -> None:
        """
        Run ``job(about)``, which must not raise, in this thread or in another that has a turn.

        It may or may not be over when this returns. This thread may rest then, unless *about* has a
        body that is ``unread``: its connection is closed when nothing holds it any more.

        Without a turn this thread rests until there are more, unless there can be no more: some
        thread must take the next request.
        """
        if self.asleep:
            self.asleep = False
            self._bell()
        try:
            self._free.pop()
        except IndexError:
            self._jobs.append((job, about))
            # it may have been returned just now, by a thread that found the queue empty
            taken = self._taken()
            if not taken and self.full is None:
                self._rest()
                taken = self._taken()
            if taken:
                self._hold()
        else:
            thread = _THIS.thread
            self._holders.add(thread)
            try:
                job(about)
            except BaseException as exception:  # noqa: BLE001  a turn must not be lost
                _LOG.error("what was to answer a request raised", exc_info=exception)
            self._done += 1
            self._free.append(None)
            # a job may have come before that, from a thread that found no turn
            if self._jobs and self._taken():
                self._run_waiting()
            self._holders.discard(thread)
            self._seen_at[thread] = monotonic()
            if self._last != thread:
                self._last = thread
                # the caller holds the request, and so its connection, until this returns
                if not getattr(about, "unread", False) and self._spare(thread):
                    self._rest()

    def offer(self, job: Callable[[Any], None], about: Any) -> None:
        """
        Have a job run, from a thread that never rests: one outside of the server, or with a turn.
        """
        self.offer_all([(job, about)])

    def offer_all(self, jobs: Iterable[tuple[Callable[[Any], None], Any]]) -> None:
        """Have several jobs run, as in `offer`."""
        if self.asleep:
            self.asleep = False
            self._bell()
        self._jobs.extend(jobs)
        if self._taken():
            self._hold()
            # every thread of the server may have found no turn meanwhile, and then none is left to
            # take the next request
            self._wake()

    def _hold(self) -> None:
        """Run the waiting jobs with the turn that this thread has."""
        thread = _THIS.thread
        self._holders.add(thread)
        self._run_waiting()
        self._holders.discard(thread)

    def look(self) -> None:
        """
        Check whether the threads that have a turn do any work.

        Call this about every hundredth of a second while `busy`.
        """
        now = monotonic()
        gone, self._since = now - self._since, now
        moved = bool(self._free) or self._done != self._seen
        self._seen = self._done
        works = self._free or self._worked(gone) >= gone / 2
        if not works:
            self._strikes += 1.0
        elif not moved:
            self._strikes += _LONG
        else:
            self._strikes = 0.0
        if moved:
            self.full = None
        if self._free:
            if self.granted > 1 and now - self._grown > _SHRINK and self._taken():
                self.granted -= 1
        elif self._strikes >= _STRIKES:
            more = min(self.granted, self._most - self.granted)  # twice as many, up to the limit
            self.granted += more
            self._free.extend([None] * more)
            self._grown = now
            if not more and self.full is None:
                self.full = now
            for _ in range(max(1, more)):
                self._wake()

    def stuck(self) -> list[Any]:
        """
        The subjects of the waiting jobs, taken out of the queue.

        The caller answers them without a turn.
        """
        taken: list[Any] = []
        while True:
            try:
                taken.append(self._jobs.popleft()[1])
            except IndexError:
                return taken

    def _run_waiting(self) -> None:
        """Run the waiting jobs, and return the turn."""
        while True:
            try:
                job, about = self._jobs.popleft()
            except IndexError:
                self._free.append(None)
                # a job may have come after the check, from a thread that found no turn
                if not self._jobs or not self._taken():  # pragma: no branch
                    return
            else:
                try:
                    job(about)
                except BaseException as exception:  # noqa: BLE001  a turn must not be lost
                    _LOG.error("what was to answer a request raised", exc_info=exception)
                self._done += 1

    def _taken(self) -> bool:
        try:
            self._free.pop()
        except IndexError:
            return False
        return True

    def _worked(self, gone: float) -> float:
        """
        The seconds, of the last *gone*, in which threads that have a turn worked.

        A thread works if it uses a processor, or waits only for one.
        """
        worked = 0.0
        times = {thread: ran_of(thread) for thread in list(self._holders)}
        for thread, now in times.items():
            worked += min(now - self._times.get(thread, now), gone)
        self._times = times
        return worked

    def _spare(self, thread: int) -> bool:
        """
        Whether enough others take requests, one for each turn, so that *thread* may rest.

        Threads that alternate cost half as much again: each must wait for the interpreter.
        """
        with self._choosing:  # two threads must not leave it to each other
            recent = monotonic() - _RECENT
            others = sum(
                1 for other, at in list(self._seen_at.items()) if other != thread and at >= recent
            )
            if others < self.granted or self.full is not None:
                return False
            del self._seen_at[thread]
            return True

    def _rest(self) -> None:
        self._seen_at.pop(_THIS.thread, None)
        lock = threading.Lock()
        lock.acquire()
        self._resting.append(lock)
        lock.acquire()

    def _wake(self) -> None:
        with suppress(IndexError):
            self._resting.pop().release()


class _This(threading.local):
    """
    The system's number of this thread.

    Asking the system for it takes as long as the rest of `Turns.run`.
    """

    def __init__(self) -> None:  # called once in each thread
        self.thread: Final = get_native_id()


_THIS: Final = _This()


def ran_of(thread: int) -> float:
    """
    The seconds for which a *thread* has run, or could have run, so far.

    Only Linux tells the second part. Without it, on a machine that is busy with other work, calls
    that compute would seem to wait.
    """
    try:
        with Path(f"/proc/self/task/{thread}/schedstat").open("rb", buffering=0) as file:
            ran, ready, _ = file.read(99).split()
    except OSError:
        return process_time()
    return (int(ran) + int(ready)) / 1e9
