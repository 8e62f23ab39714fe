"""
Turns: which thread reads the connections of a synchronous worker, and how many run Python at once.

Threads that hand work to each other cost more than a small call. So the thread that reads the
connections, the leader, answers the calls itself (the pattern is called leader/followers). While it
does, it offers the lead, and the clock (`Turns.watch`) passes that on to another thread if the call
waits, for a database say, or computes for long.

There is one turn as long as calls are short. When a look finds that no turn is used for work, their
number doubles; those that are not needed are taken back. While more than one is free, a leader
passes the lead on before it answers a call, so that calls which wait do so side by side.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import get_native_id
from time import monotonic, process_time, sleep
from typing import Any, Final, final

from contract.call.log import log_exception

__all__ = ["Turns"]

_RAISED: Final = "what was to answer a request raised"

_TICK: Final = 0.01
"""Seconds between two looks at running calls."""

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

_SHRINK: Final = 5.0
"""Seconds after which added turns that are free are removed."""

_RETRY: Final = 0.01
"""Seconds until the next try if no thread could be started."""

_IDLE: Final = 30.0
"""Seconds after which a thread that has nothing to do ends."""


@final
class _Thread:
    """
    A thread that leads, answers a call, or rests.

    Attributes:
        holds: Whether it has a turn.
        number: The system's number of it.
        woken: Released when it is to lead.
    """

    __slots__ = ("holds", "number", "woken")

    def __init__(self) -> None:
        self.holds: bool = False
        self.number: Final = get_native_id()
        # a lock that is taken from the beginning, and released by whoever wakes the thread, perhaps
        # before this waits; an Event would do it with a lock, a condition and more steps
        self.woken: Final = threading.Lock()
        self.woken.acquire()


@final
class Turns:
    """
    The lead, the turns, and the jobs that wait for one.

    Args:
        most: The most turns.
        lead: Reads the connections, and has jobs run by `run`, until that says that another thread
            leads. It never raises.
        wake: Wakes the leader, if it waits for connections.

    Attributes:
        asleep: Set by the clock before it stops looking.
        bell: Wakes the clock.
        done: How many jobs have ended.
        jobs: The jobs that wait for a turn.
        full: When every possible turn became stuck; None if one is not.
        granted: How many turns there are.
        idle: How many times the leader had nothing to do.
    """

    def __init__(
        self,
        most: int,
        lead: Callable[[], None],
        wake: Callable[[], None],
    ) -> None:
        self._most: Final = most
        self._lead: Final = lead
        self._wake: Final = wake
        self.jobs: Final[deque[tuple[Callable[[Any], None], Any]]] = deque()
        # one item for each free turn; pop() and append() need no lock
        self._free: Final[list[None]] = [None]
        self._offered: Final[dict[_Thread, None]] = {}
        """The leader, while it runs a job; whoever takes it out of here leads."""
        self._resting: Final[list[_Thread]] = []
        self._threads: Final[dict[_Thread, None]] = {}
        self._leader: _Thread
        # only the clock sets what follows, but for `asleep`, `done` and `idle`
        self._times: dict[_Thread, float] = {}
        self.asleep: bool = True
        self.bell: Final = threading.Event()
        self.done: int = 0
        self.full: float | None = None
        self.granted: int = 1
        self.idle: int = 0
        self._seen = self._seen_idle = 0
        self._since = self._grown = self._strikes = 0.0

    @property
    def busy(self) -> bool:
        """Whether a turn is taken."""
        return len(self._free) < self.granted

    def start(self) -> None:
        """Start the first leader."""
        self._start_thread()

    # The lead.

    def _start_thread(self) -> None:
        threading.Thread(target=self._live, name="contract-call", daemon=True).start()

    def _pass_on(self) -> bool:
        """Have another thread lead; whether there is one."""
        try:
            self._resting.pop().woken.release()
        except IndexError:
            try:
                self._start_thread()
            except (MemoryError, RuntimeError):  # the system allows no more
                return False
        return True

    def _has_lead(self) -> bool:
        """Take the lead, if it is offered."""
        try:
            self._offered.popitem()
        except KeyError:
            return False
        return True

    def _live(self) -> None:
        """Lead, and rest, until there is nothing to do for long."""
        thread = _Thread()
        self._threads[thread] = None
        while True:
            self._leader = thread
            self._lead()
            if self._has_lead():
                continue
            self._wake()  # it has a connection back
            if not self._rests(thread):
                del self._threads[thread]
                return

    def _rests(self, thread: _Thread) -> bool:
        """Rest; whether it is to lead after that."""
        self._resting.append(thread)
        if thread.woken.acquire(timeout=_IDLE):
            return True
        try:
            self._resting.remove(thread)
        except ValueError:  # it is being woken
            return thread.woken.acquire()
        return False

    # The turns.

    def run(self, job: Callable[[Any], None], about: Any) -> bool:
        """
        Run ``job(about)``, which must not raise, or have it run as soon as there is a turn.

        Only the leader calls this. Return whether it still leads.
        """
        # 1. Take a turn.
        free = self._free
        try:
            free.pop()
        except IndexError:
            self.jobs.append((job, about))
            return self.run_waiting()  # a turn may have been returned just now
        if self.asleep:  # not before: the clock falls asleep, and then looks for a taken turn
            self.asleep = False
            self.bell.set()
        # 2. Pass the lead on, since another thread has to read if there may be more calls at once,
        #    or else offer it to the clock.
        thread = self._leader
        thread.holds = True
        if not (free and self._pass_on()):
            self._offered[thread] = None

        try:
            job(about)
        except BaseException as exception:  # noqa: BLE001  a turn must not be lost
            log_exception(_RAISED, exception)
        self.done += 1
        # 3. Take the offer back: None is what an offer holds, so anything else says that the lead
        #    has gone. pop() is one step, so the clock and this thread cannot both have it.
        if self._offered.pop(thread, self) is None:
            thread.holds = False
            free.append(None)
            return True
        # 4. Use the turn for others before it is returned, as there is another leader.
        self._do_waiting()
        thread.holds = False
        free.append(None)
        return False

    def run_waiting(self) -> bool:
        """Run the jobs that wait, as far as there are turns; whether the caller still leads."""
        while self.jobs and self._free:
            try:
                job, about = self.jobs.popleft()
            except IndexError:  # pragma: no cover  another thread has just taken it
                return True
            if not self.run(job, about):
                return False
        return True

    def _do_waiting(self) -> None:
        """Run the jobs that wait, with the turn of one that has ended."""
        while self.jobs:
            self._wake()  # the one that has ended gives its connection back
            try:
                job, about = self.jobs.popleft()
            except IndexError:  # pragma: no cover  another thread has just taken it
                return
            try:
                job(about)
            except BaseException as exception:  # noqa: BLE001  a turn must not be lost
                log_exception(_RAISED, exception)
            self.done += 1

    # The clock.

    def watch(self, finished: threading.Event) -> None:
        """Look at running calls, and sleep while there are none, until all is *finished*."""
        quiet = 0.0
        done = 0
        while not finished.is_set():
            now = monotonic()
            if self.busy:
                try:
                    self.look()
                except Exception as error:  # noqa: BLE001  without it, one call could stop all
                    log_exception("running calls could not be looked at", error)
                quiet = now
            else:
                self.full = None  # every turn is free, so nothing is stuck any more
                if self.done != done:  # between two calls: the next one need not ring
                    done, quiet = self.done, now
            if self.busy or now - quiet < 1:  # for a second more, so that few calls have to ring
                sleep(_TICK)
                continue
            self.bell.clear()
            self.asleep = True
            if not self.busy:  # who takes a turn after this sees that the clock sleeps
                self.bell.wait(1)
            self.asleep = False

    def look(self) -> None:
        """
        Check whether the threads that have a turn do any work; `watch` does so while `busy`.
        """
        # 1. Gather what has become of the calls since the last look.
        now = monotonic()
        gone, self._since = now - self._since, now
        free = len(self._free)
        worked = self._worked(gone) >= gone / 2
        moved = free > 0 or self.done != self._seen
        rested = free > 0 or self.idle != self._seen_idle
        self._seen, self._seen_idle = self.done, self.idle
        # 2. Judge. Calls that wait leave the interpreter to others, so more turns help; calls that
        #    compute, and end, would only have to share it with more.
        if rested or (worked and moved):
            self._strikes = 0.0
        elif worked:
            self._strikes += _LONG
        else:
            self._strikes += 1.0
        if moved:
            self.full = None
        # 3. Take a turn back, or add some.
        if free:
            # one stays free: without it, the leader could not answer a call
            if free > 1 and now - self._grown > _SHRINK:
                with suppress(IndexError):  # they have just been taken
                    self._free.pop()
                    self.granted -= 1
        elif self._strikes >= _STRIKES:
            self._grow(now)

    def _grow(self, now: float) -> None:
        """Add turns, and have another thread lead if the one that does is in a call."""
        more = min(self.granted, self._most - self.granted)  # twice as many, up to the limit
        self.granted += more
        self._free.extend([None] * more)
        self._grown = now
        if not more and self.full is None:
            self.full = now
        if self._has_lead():
            while not self._pass_on():
                sleep(_RETRY)  # the one that had the lead will rest
        elif self.jobs:
            self._wake()

    def waiting(self) -> list[Any]:
        """The subjects of the waiting jobs."""
        return [about for _, about in list(self.jobs)]

    def withdraw(self, about: Any) -> bool:
        """Take the job about a subject out of the queue; False if it has been taken already."""
        for job in list(self.jobs):
            if job[1] is about:
                with suppress(ValueError):  # another thread has just taken it
                    self.jobs.remove(job)
                    return True
        return False

    def stuck(self) -> list[Any]:
        """
        The subjects of the waiting jobs, taken out of the queue.

        The caller answers them without a turn.
        """
        taken: list[Any] = []
        while True:
            try:
                taken.append(self.jobs.popleft()[1])
            except IndexError:
                return taken

    def _worked(self, gone: float) -> float:
        """
        The seconds, of the last *gone*, in which threads that have a turn worked.

        A thread works if it uses a processor, or waits only for one.
        """
        # a copy of the threads, since others start and end meanwhile
        times = {each: ran_of(each.number) for each in list(self._threads) if each.holds}
        before, self._times = self._times, times
        return sum(min(now - before.get(each, now), gone) for each, now in times.items())


def ran_of(thread: int) -> float:
    """
    The seconds for which a *thread* has run, or could have run, so far.

    Only Linux tells the second part. Without it, on a machine that is busy with other work, calls
    that compute would seem to wait.
    """
    try:
        # without a buffer, which would be made for each look
        with Path(f"/proc/self/task/{thread}/schedstat").open("rb", buffering=0) as file:
            # nanoseconds on a processor, and in the queue for one (Documentation/scheduler)
            ran, ready, _ = file.read(99).split()
    except OSError:  # another system, or a thread that has just ended
        return process_time()
    return (int(ran) + int(ready)) / 1e9
