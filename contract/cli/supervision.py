"""
Supervision: which worker serves in which seat of a server, and which one replaces it.

A seat gets another worker for two reasons:

- Its worker ended. Another one starts at once. If that ends soon as well, or the system has no room
  for it, the next one starts after a pause, which grows, since starting workers takes processor
  time from those that serve. The server never gives up: callers meanwhile wait in the listening
  socket, which belongs to the server.
- Its worker is to be replaced, because it is old or large, or because of a SIGHUP. Then the new one
  starts first, and the old one stays until that is ready. From then on the old one accepts nothing,
  and closes each connection with its next reply, for as long as a connection may be idle; then it
  ends its streams, finishes its calls, and is ended. Workers are replaced one at a time, so one
  more than usual is in memory.

When the server is to stop, workers are only told so after they have got all that came for them. Two
kinds of calls would be lost otherwise:

- Those on connections that the kernel has completed, but no worker has accepted yet. So the kernel
  is first told to drop new handshakes (Linux), while the workers empty its queue.
- Those that arrive on keep-alive connections just when these are closed. So workers first send
  ``Connection: close`` in their replies for a while (`contract.cli.worker`).

One thread decides all of this. Other threads and signal handlers only wake it, and it checks the
state of every worker again.
"""

from __future__ import annotations

import queue
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, cast, final

from contract.cli.sockets import drop_handshakes, waiting
from contract.cli.worker_process import LOG, NOT_STARTED, Start, Worker, name_of, sizes, stop

__all__ = ["Knobs", "Pauses", "Supervisor"]

_FIRST: Final = 0.5
"""
Seconds of the first pause, if the worker before also ended soon.

Each next pause is twice as long.
"""

_LONGEST: Final = 8.0
"""The longest pause, in seconds: callers wait for its end, and few wait longer than 10."""

_QUIET: Final = 60.0
"""After so many seconds of service, the end of a worker counts as an accident again."""

_LOOK: Final = 5.0
"""Seconds between two checks of the workers' memory."""

_GRACE: Final = 0.3
"""Seconds in which replies announce the end of their connections, before these are closed."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Knobs:
    """How a server runs; each is an option of ``contract serve``, and explained in its help."""

    workers: int = 1
    backlog: int = 1024
    concurrency: int | None = None
    """None for as many as the limit of open files allows, up to 8,192."""
    header_timeout: float = 10.0
    keep_alive: bool = True
    worker_lifetime: int | None = None
    worker_memory: int | None = None
    respawn: bool = True
    linger: float = 0.0
    stop_timeout: int = 8

    @property
    def grace(self) -> float:
        """Seconds for which a replaced worker closes its connections with its replies."""
        if not self.keep_alive:
            return _GRACE
        # an idle connection is closed after the header timeout: the longest wait for one
        return max(_GRACE, self.header_timeout)


@final
class Pauses:
    """How long a seat stays empty after a worker that ended."""

    def __init__(self) -> None:
        self._next = 0.0

    def after(self, served: float) -> float:
        """
        Seconds to wait now.

        Args:
            served: Seconds for which the worker was ready.
        """
        pause = 0.0 if served >= _QUIET else self._next
        self._next = min(_LONGEST, max(_FIRST, 2 * pause))
        return pause


@dataclass(slots=True)
class _Seat:
    """The place of a worker: the worker that has it, the one to come, the reason, and the times."""

    idx: int
    worker: Worker | None = None
    heir: Worker | None = None
    reason: str | None = None
    not_before: float = 0.0
    pauses: Pauses = field(default_factory=Pauses)


@dataclass(slots=True)
class _Leaving:
    """A worker that was replaced, and how long its last calls may take."""

    worker: Worker
    until: float


@final
class Supervisor:
    """
    Keeps a worker in each seat until the server is to stop.

    Args:
        start: Starts a worker.
        listening: The socket that the workers accept connections from.
        knobs: How the server runs.
        serving: Called once, when the first worker is ready.
    """

    def __init__(
        self,
        start: Start,
        listening: socket.socket,
        knobs: Knobs,
        serving: Callable[[], None] | None,
    ) -> None:
        self._start: Final = start
        self._listening: Final = listening
        self._knobs: Final = knobs
        self._serving: Final = serving
        # its put() may be called by a signal handler in the middle of any other step, even of put()
        self._news: Final[queue.SimpleQueue[None]] = queue.SimpleQueue()
        self._seats: Final = [_Seat(idx) for idx in range(knobs.workers)]
        self._leaving: Final[list[_Leaving]] = []
        self._is_stopping = False
        self._is_draining = False
        self._is_over = False
        self._has_failed = False
        self._left: float = knobs.stop_timeout
        self._ever_ready = False
        self._failures = 0
        self._replace_all = False
        self._looked = time.monotonic()

    # called from elsewhere, by signal handlers too

    def stop(self) -> None:
        """Begin to stop; on a second call, do not wait for clients."""
        if self._is_stopping:
            self._is_over = True
        self._is_stopping = True
        self._wake()

    def replace(self) -> None:
        """Replace every worker."""
        self._replace_all = True
        self._wake()

    def _wake(self) -> None:
        self._news.put(None)

    def run(self) -> None:
        """
        Serve until the server is to stop, and end the workers.

        Raises:
            SystemExit: No worker was ever ready, or one ended and is not to be replaced.
        """
        try:
            while not self._is_over:
                pause = self._tend()
                with suppress(queue.Empty):
                    self._news.get(timeout=pause)
        finally:  # after a mistake of ours, too: nobody would be left to end the workers
            self._listening.close()  # the last one to do so makes the kernel refuse connections
            stop([*self._everyone()], self._knobs.stop_timeout, self._left)
        if self._has_failed:
            sys.exit(1)

    def _drain(self) -> None:
        """Make the workers close their connections with their replies, until the server ends."""
        for worker in self._everyone():
            worker.drain()
        if not self._is_draining:
            self._is_draining = True
            thread = threading.Thread(target=self._empty, name="contract-drain", daemon=True)
            try:
                thread.start()
            except (MemoryError, RuntimeError):  # the system allows no more of them
                self._empty()

    def _empty(self) -> None:
        """Let no more connections into the queue of the kernel, wait until it is empty, and end."""
        knobs, listening = self._knobs, self._listening
        LOG.info("stopping: calls in flight get %s s", knobs.stop_timeout)
        # 1. Let a load balancer learn from the health route that this server ends.
        time.sleep(knobs.linger)
        # 2. Let no more in, and tell clients with their replies, before their connections close.
        drop_handshakes(listening)
        ending = time.monotonic() + knobs.stop_timeout
        time.sleep(min(_GRACE, knobs.stop_timeout))
        # 3. Wait until the workers have accepted the rest, but leave a second for its calls.
        while waiting(listening) and time.monotonic() < ending - 1 and not self._is_over:
            time.sleep(0.01)
        self._left = max(1.0, ending - time.monotonic())
        self.stop()

    # the decisions

    def _everyone(self) -> Iterator[Worker]:
        for seat in self._seats:
            yield from (worker for worker in (seat.worker, seat.heir) if worker is not None)
        yield from (leaving.worker for leaving in self._leaving)

    def _tend(self) -> float | None:
        """
        Do what is due, and return the seconds until the next step.

        None if there is none until something happens.
        """
        now = time.monotonic()
        # 1. Let heirs that are ready take over, fill empty seats, and end the workers that leave.
        for seat in self._seats:
            self._seat_heir(seat, now)
            self._fill(seat, now)
        for leaving in [*self._leaving]:
            self._end_leaving(leaving, now)
        # 2. Decide what is next. Only one worker is replaced at a time, to spare memory.
        self._find_reasons(now)
        if self._is_stopping:
            self._drain()
        elif not self._leaving and not any(seat.heir for seat in self._seats):
            self._replace_one(now)
        # 3. Find the time of the next step.
        due = [*self._deadlines()]
        if not due:
            return None
        return max(0.0, min(due) - time.monotonic())

    def _deadlines(self) -> Iterator[float]:
        for seat in self._seats:
            if seat.worker is None:
                yield seat.not_before
            elif self._knobs.worker_lifetime is not None and _settled(seat):
                ready_since = cast("float", seat.worker.ready_since)
                yield max(seat.not_before, ready_since + self._knobs.worker_lifetime)
        yield from (leaving.until for leaving in self._leaving)
        if self._knobs.worker_memory is not None:
            yield self._looked + _LOOK

    def _fill(self, seat: _Seat, now: float) -> None:
        worker = seat.worker
        if worker is not None:
            if worker.ready_since is not None and not self._ever_ready:
                self._ever_ready = True
                if self._serving is not None:
                    self._serving()
            if not worker.ended:
                return
            seat.worker, seat.heir = seat.heir, None
            if worker.ready_since is None:
                self._failures += 1
            self._report(seat, f"{worker.name} ended ({worker.how})", worker.served, now)
        if seat.worker is None and now >= seat.not_before and not self._is_over:
            seat.reason = None
            try:
                seat.worker = self._start(seat.idx, self._wake)
            except NOT_STARTED as error:
                # it tells nothing of the app, so it does not count while another may become ready
                if not any(each.worker for each in self._seats):
                    self._failures += 1
                lacking = f"{name_of(seat.idx)} could not be started ({error})"
                self._report(seat, lacking, 0.0, now)

    def _report(self, seat: _Seat, what: str, served: float, now: float) -> None:
        """Log *what* has become of the worker of *seat*, and see to it that something follows."""
        if seat.worker is not None:
            LOG.error("%s; the one that was to replace it is starting already", what)
        elif not self._knobs.respawn:
            LOG.error("%s: the server ends, as --no-respawn says", what)
            self._give_up()
        elif not self._ever_ready and self._failures >= self._knobs.workers:
            # somebody has just started the server, and must learn that it does not work
            LOG.error("%s: no worker has ever been ready, so the server ends", what)
            self._give_up()
        else:
            pause = seat.pauses.after(served)
            seat.not_before = now + pause
            when = "at once"
            if pause:
                when = f"in {pause:g} s"
            LOG.error("%s; another one starts %s", what, when)

    def _give_up(self) -> None:
        self._has_failed = self._is_over = True
        self._wake()

    def _seat_heir(self, seat: _Seat, now: float) -> None:
        heir, worker = seat.heir, seat.worker
        if heir is None or worker is None:
            return
        if heir.ended:
            LOG.error("the new %s ended (%s); the old one stays", heir.name, heir.how)
            seat.heir = None
            self._put_off(seat, heir.served, now)
        elif heir.ready_since is not None:
            worker.leave()
            self._leaving.append(_Leaving(worker, now + self._knobs.grace))
            seat.worker, seat.heir = heir, None

    def _put_off(self, seat: _Seat, served: float, now: float) -> None:
        """Keep the workers that are there, since that of *seat* could not be replaced."""
        seat.not_before = now + seat.pauses.after(served)
        for other in self._seats:
            other.reason = None  # what does not start here would not start there

    def _end_leaving(self, leaving: _Leaving, now: float) -> None:
        worker = leaving.worker
        if worker.ended:
            self._leaving.remove(leaving)
            if not worker.asked:
                LOG.error("%s ended (%s) while another one took over", worker.name, worker.how)
        elif now >= leaving.until:
            # at first its connections have had their time; after that, its calls
            if worker.asked:
                worker.kill(self._knobs.stop_timeout)
            else:
                worker.terminate()
            leaving.until = now + self._knobs.stop_timeout

    def _find_reasons(self, now: float) -> None:
        lifetime, memory = self._knobs.worker_lifetime, self._knobs.worker_memory
        if self._replace_all:
            self._replace_all = False
            for seat in self._seats:
                seat.reason = "SIGHUP"
        settled = {cast("Worker", seat.worker).pid: seat for seat in self._seats if _settled(seat)}
        for seat in settled.values():
            if (
                lifetime is not None
                and now >= seat.not_before
                and cast("Worker", seat.worker).served >= lifetime
            ):
                seat.reason = f"it has served for {lifetime} s"
        if memory is not None and now >= self._looked + _LOOK:
            self._looked = now
            for pid, size in sizes(settled).items():
                if size >= memory * 1024 * 1024 and now >= settled[pid].not_before:
                    settled[pid].reason = f"it has grown beyond {memory} MiB"

    def _replace_one(self, now: float) -> None:
        for seat in self._seats:
            if (
                seat.reason is not None
                and seat.worker is not None
                and seat.worker.ready_since is not None
            ):
                name = seat.worker.name
                LOG.info("%s is replaced: %s", name, seat.reason)
                seat.reason = None
                try:
                    seat.heir = self._start(seat.idx, self._wake)
                except NOT_STARTED as error:
                    lacking = "the new %s could not be started (%s); the old one stays"
                    LOG.error(lacking, name, str(error))
                    self._put_off(seat, 0.0, now)
                return


def _settled(seat: _Seat) -> bool:
    """Whether *seat* has a ready worker, and no replacement is planned."""
    return (
        seat.worker is not None
        and seat.worker.ready_since is not None
        and seat.heir is None
        and seat.reason is None
    )
