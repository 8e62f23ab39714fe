"""
Turns: how many of the server's threads run Python at once.

Threads that run Python side by side cost more than one that does all of the work: each hands the
interpreter to the next and back, and a small call then costs half as much again. But one that waits
(for a database, say) must not stop the others. So there is one turn as long as calls are short, and
more as soon as whoever has a turn does nothing with it: each look that finds it so doubles their
number. A thread that finds no turn leaves its job to those that have one, and rests, and so does
one that has run its job where enough others do the same; so the server's queue has about as many
takers as there are turns.
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
from typing import Any, Final, cast, final

__all__ = ["Turns"]

_LOG: Final = logging.getLogger("contract.serve")

_STRIKES: Final = 2.0
"""
Looks in a row that must find every turn taken, and nothing done with it.

A single one may come in the middle of a short call.
"""

_LONG: Final = 0.5
"""
The weight of a look that finds work being done, and no call ended.

So others are let in beside a call that computes for long.
"""

_RECENT: Final = 1.0
"""
Seconds after its last turn in which a thread is sure to take what comes.

The server ends threads that are idle for 30.
"""

_SHRINK: Final = 5.0
"""Seconds after which turns that were added and are free are taken away again."""


@final
class Turns:
    """
    Turns, and jobs that wait for one.

    Args:
        most: Turns.
        bell: Called when a turn is taken while nobody looks at them (`look`).

    Attributes:
        asleep: Set by whoever looks at them, before he stops doing so.
    """

    __slots__ = (
        "_bell",
        "_choosing",
        "_done",
        "_free",
        "_grown",
        "_holders",
        "_jobs",
        "_last",
        "_most",
        "_resting",
        "_seen",
        "_seen_at",
        "_since",
        "_strikes",
        "_times",
        "asleep",
        "full",
        "granted",
    )

    def __init__(self, most: int, bell: Callable[[], None]) -> None:
        self._most: Final = most
        self._bell: Final = bell
        self._jobs: Final[deque[tuple[Callable[[Any], None], Any]]] = deque()
        self._free: Final[list[None]] = [None]  # pop() and append() need no lock
        self._resting: Final[list[threading.Lock]] = []
        self.granted: int = 1
        self.full: float | None = None
        """
        Since when every turn that may be is taken by a call that waits; None where one is not.
        """
        self.asleep: bool = True
        self._done = self._seen = 0
        self._since = self._grown = self._strikes = 0.0
        self._times: dict[int, float] = {}
        self._last: int | None = None
        self._seen_at: Final[dict[int, float]] = {}
        """When each thread of the server's that does not rest had a turn."""
        self._choosing: Final = threading.Lock()
        self._holders: Final[set[int]] = set()

    @property
    def busy(self) -> bool:
        """Whether a turn is taken."""
        return len(self._free) < self.granted

    @property
    def done(self) -> int:
        """How many jobs have come to their end."""
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
        Run ``job(about)``, which raises nothing, in this thread or in another that has a turn.

        It may be over when this returns, or not. This thread may rest then, but not where *about*
        has a body that is ``unread``: its connection is closed when nothing holds it any more.

        Without a turn this thread rests until there are more. It does not when no more can be had:
        somebody has to take what comes.
        """
        if self.asleep:
            self.asleep = False
            self._bell()
        try:
            self._free.pop()
        except IndexError:
            self._jobs.append((job, about))
            # it may have been given back just now, after a look at a queue that was empty
            taken = self._taken()
            if not taken and self.full is None:
                self._rest()
                taken = self._taken()
            if taken:
                self._hold()
        else:
            thread = _me()
            self._holders.add(thread)
            try:
                job(about)
            except BaseException as exception:  # noqa: BLE001  a turn must not be lost
                _LOG.error("what was to answer a request raised", exc_info=exception)
            self._done += 1
            self._run_waiting()
            self._holders.discard(thread)
            self._seen_at[thread] = monotonic()
            if self._last != thread:
                self._last = thread
                # whoever has called this holds the request, and so its connection, until it returns
                if not getattr(about, "unread", False) and self._spare(thread):
                    self._rest()

    def offer(self, job: Callable[[Any], None], about: Any) -> None:
        """Have a job run, from a thread that is not the server's, or has a turn: it never rests."""
        self.offer_all([(job, about)])

    def offer_all(self, jobs: Iterable[tuple[Callable[[Any], None], Any]]) -> None:
        """Have several jobs run, as `offer` does with one."""
        if self.asleep:
            self.asleep = False
            self._bell()
        self._jobs.extend(jobs)
        if self._taken():
            self._hold()
            # every thread of the server's may have found no turn meanwhile, and then nobody is left
            # to take what comes
            self._wake()

    def _hold(self) -> None:
        """Use a turn that this thread has, for the jobs that wait."""
        thread = _me()
        self._holders.add(thread)
        self._run_waiting()
        self._holders.discard(thread)

    def look(self) -> None:
        """
        See whether those that have a turn do anything with it.

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
            more = min(self.granted, self._most - self.granted)  # twice as many, as far as may be
            self.granted += more
            self._free.extend([None] * more)
            self._grown = now
            if not more and self.full is None:
                self.full = now
            for _ in range(max(1, more)):
                self._wake()

    def stuck(self) -> list[Any]:
        """
        The subjects of the jobs that wait, taken out of the queue.

        For whoever answers them without a turn.
        """
        taken: list[Any] = []
        while True:
            try:
                taken.append(self._jobs.popleft()[1])
            except IndexError:
                return taken

    def _run_waiting(self) -> None:
        """Run the jobs that wait, and give the turn back."""
        while True:
            try:
                job, about = self._jobs.popleft()
            except IndexError:
                self._free.append(None)
                # one may have come after the look, by somebody who found no turn
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
        The seconds of the last *gone* in which threads that have a turn worked.

        A thread works that uses a processor, or waits for nothing but one.
        """
        worked = 0.0
        times = {thread: ran_of(thread) for thread in list(self._holders)}
        for thread, now in times.items():
            worked += min(now - self._times.get(thread, now), gone)
        self._times = times
        return worked

    def _spare(self, thread: int) -> bool:
        """
        Whether as many others as there are turns take what comes, so that *thread* may rest.

        Several that take turns at it cost half as much again: each has to wait for the interpreter.
        """
        with self._choosing:  # two must not leave it to each other
            recent = monotonic() - _RECENT
            others = sum(
                1 for other, at in list(self._seen_at.items()) if other != thread and at >= recent
            )
            if others < self.granted or self.full is not None:
                return False
            del self._seen_at[thread]
            return True

    def _rest(self) -> None:
        self._seen_at.pop(_me(), None)
        lock = threading.Lock()
        lock.acquire()
        self._resting.append(lock)
        lock.acquire()

    def _wake(self) -> None:
        with suppress(IndexError):
            self._resting.pop().release()


_THREADS: Final = threading.local()


def _me() -> int:
    """
    The system's number of this thread.

    Asking the system for it takes as long as all the rest of `Turns.run`.
    """
    try:
        return cast("int", _THREADS.me)
    except AttributeError:
        _THREADS.me = found = get_native_id()
        return found


def ran_of(thread: int) -> float:
    """
    The seconds for which a *thread* has run, or could have, in its life.

    Linux alone tells the second part; without it, on a machine that others keep busy, calls that
    compute would look as if they waited.
    """
    try:
        ran, ready, _ = Path(f"/proc/self/task/{thread}/schedstat").read_bytes().split()
    except OSError:
        return process_time()
    return (int(ran) + int(ready)) / 1e9
