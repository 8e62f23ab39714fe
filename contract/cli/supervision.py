"""
Supervision: which worker serves in which seat of a server, and which one replaces it.

A seat gets another worker for two reasons:

- Its worker ended. Another one starts at once. If that ends soon as well, the next one starts after
  a pause, which grows, since starting workers takes processor time from those that serve. The
  server never gives up: callers meanwhile wait in the listening socket, which belongs to the
  server.
- Its worker is to be replaced, because it is old or large, or because of a SIGHUP. Then the new one
  starts first, and the old one stays until that is ready. From then on the old one accepts nothing,
  and closes each connection with its next reply, for as long as a connection may be idle; it
  finishes its calls, and is ended. Workers are replaced one at a time, so one more than usual is in
  memory.

One thread decides all of this. Other threads only wake it, and it checks the state of every worker
again.
"""

from __future__ import annotations

import logging
import os
import queue
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.context import SpawnProcess
from typing import Any, Final, cast, final

from granian.server.mp import MPServer

from contract.cli.signals import Ties
from contract.cli.worker_process import Worker, sizes

__all__ = ["GRACE", "LOG", "Knobs", "Pauses", "Supervisor"]

LOG: Final = logging.getLogger("contract.serve")
"""The log of a server."""

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

GRACE: Final = 0.3
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
        # an idle connection is closed after the header timeout: the longest wait for one
        return max(GRACE, self.header_timeout) if self.keep_alive else GRACE


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


class Supervisor(MPServer, ABC):
    """granian's server, with our own supervision."""

    def __init__(
        self,
        target: str,
        listening: socket.socket,
        knobs: Knobs,
        serving: Callable[[], None] | None,
        **more: Any,
    ) -> None:
        super().__init__(target, **more)
        self._listening: Final = listening
        self._knobs: Final = knobs
        self._serving: Final = serving
        self._news: Final[queue.SimpleQueue[None]] = queue.SimpleQueue()
        self._seats: Final = [_Seat(idx) for idx in range(self.workers)]
        self._leaving: Final[list[_Leaving]] = []
        self._draining = False
        self._ever_ready = False
        self._failures = 0
        self._replace_all = False
        self._looked = time.monotonic()

    # called from elsewhere

    def wake(self) -> None:
        """Check every worker soon; signal handlers may call it, too."""
        self._news.put(None)

    def _hear(self, worker: Worker) -> None:
        if not self.reload_on_changes:
            self.wake()
        elif worker.ended and not worker.asked:
            # in development a worker starts with each change, and is not replaced otherwise
            LOG.error(
                "%s ended (%s); another one starts when a file is saved", worker.name, worker.how
            )

    def drain(self) -> None:
        """Make the workers close their connections with their replies; the server will stop."""
        self._draining = True
        self.wake()

    def signal_handler_interrupt(self, *_: object, **__: object) -> None:
        """Stop."""
        cast("Any", super()).signal_handler_interrupt()  # granian's methods are not annotated
        self.wake()

    def signal_handler_reload(self, *_: object, **__: object) -> None:
        """Replace every worker."""
        if self.reload_on_changes:
            cast("Any", super()).signal_handler_reload()
        self._replace_all = True
        self.wake()

    # called by granian

    def _make(self, idx: int) -> Worker:
        theirs, lifeline = Pipe(duplex=False)
        ready, news = Pipe(duplex=False)
        with theirs, news:
            ties = Ties(theirs, news, os.getpid(), self._listening.fileno())
            process = self.process(idx, ties)
            process.name = "contract-worker"
            worker = Worker(idx, process, lifeline, ready, self._hear)
            worker.start()
        return worker

    @abstractmethod
    def process(self, idx: int, ties: Ties) -> SpawnProcess:
        """The process of a worker in the seat *idx*, before its start."""

    def _spawn_workers(self, spawn_target: Any, target_loader: Any) -> None:  # noqa: ARG002
        for seat in self._seats:
            seat.worker = self._make(seat.idx)

    def _respawn_workers(
        self,
        workers: Any,  # noqa: ARG002
        spawn_target: Any,
        target_loader: Any,
        delay: float = 0,  # noqa: ARG002
    ) -> None:
        # a reload in development, where no calls need to be saved
        self._stop_workers()
        self._spawn_workers(spawn_target, target_loader)

    def _stop_workers(self) -> None:
        # for granian, which sees our workers as its own
        vars(self)["wrks"] = [*self._everyone()]
        for seat in self._seats:
            seat.worker = seat.heir = None
        self._leaving.clear()
        cast("Any", super())._stop_workers()

    def _serve_loop(self, spawn_target: Any, target_loader: Any) -> None:  # noqa: ARG002
        while not self.interrupt_signal:
            pause = self._tend()
            if not self.interrupt_signal:
                with suppress(queue.Empty):
                    self._news.get(timeout=pause)

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
        for seat in self._seats:
            self._seat_heir(seat, now)
            self._fill(seat, now)
        for leaving in [*self._leaving]:
            self._end_leaving(leaving, now)
        self._find_reasons(now)
        if self._draining:
            for worker in self._everyone():
                worker.drain()
        elif not self._leaving and not any(seat.heir for seat in self._seats):
            self._replace_one()
        due = [*self._deadlines()]
        return max(0.0, min(due) - time.monotonic()) if due else None

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
            self._report_end(seat, worker, now)
        if seat.worker is None and now >= seat.not_before and not self.interrupt_signal:
            seat.reason = None
            seat.worker = self._make(seat.idx)

    def _report_end(self, seat: _Seat, worker: Worker, now: float) -> None:
        self._failures += worker.ready_since is None
        if seat.worker is not None:
            heir = "%s ended (%s); the one that was to replace it is starting already"
            LOG.error(heir, worker.name, worker.how)
        elif not self._knobs.respawn:
            alone = "%s ended (%s), and the server with it, as --no-respawn says"
            LOG.error(alone, worker.name, worker.how)
            self._give_up(seat)
        elif not self._ever_ready and self._failures >= self.workers:
            # somebody has just started the server, and must learn that it does not work
            never = "%s ended (%s): no worker has ever been ready, so the server ends"
            LOG.error(never, worker.name, worker.how)
            self._give_up(seat)
        else:
            pause = seat.pauses.after(worker.served)
            seat.not_before = now + pause
            when = f"in {pause:g} s" if pause else "at once"
            LOG.error("%s ended (%s); another one starts %s", worker.name, worker.how, when)

    def _give_up(self, seat: _Seat) -> None:
        # granian takes its exit code 1 from that
        cast("Any", self).interrupt_children.append(seat.idx)
        self.interrupt_signal = True

    def _seat_heir(self, seat: _Seat, now: float) -> None:
        heir, worker = seat.heir, seat.worker
        if heir is None or worker is None:
            return
        if heir.ended:
            LOG.error("the new %s ended (%s); the old one stays", heir.name, heir.how)
            seat.heir = None
            seat.not_before = now + seat.pauses.after(heir.served)
            for other in self._seats:
                other.reason = None  # what does not start here would not start there
        elif heir.ready_since is not None:
            worker.leave()
            self._leaving.append(_Leaving(worker, now + self._knobs.grace))
            seat.worker, seat.heir = heir, None

    def _end_leaving(self, leaving: _Leaving, now: float) -> None:
        worker = leaving.worker
        if worker.ended:
            self._leaving.remove(leaving)
            if not worker.asked:
                LOG.error("%s ended (%s) while another one took over", worker.name, worker.how)
        elif now >= leaving.until:
            if worker.asked:
                LOG.warning(
                    "%s is killed: its calls did not end within %s s",
                    worker.name,
                    self._knobs.stop_timeout,
                )
                worker.kill()
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
                if size >= memory * 1024 * 1024:
                    settled[pid].reason = f"it has grown beyond {memory} MiB"

    def _replace_one(self) -> None:
        for seat in self._seats:
            if (
                seat.reason is not None
                and seat.worker is not None
                and seat.worker.ready_since is not None
            ):
                LOG.info("%s is replaced: %s", seat.worker.name, seat.reason)
                seat.reason = None
                seat.heir = self._make(seat.idx)
                return


def _settled(seat: _Seat) -> bool:
    """Whether *seat* has a ready worker, and no replacement is planned."""
    return (
        seat.worker is not None
        and seat.worker.ready_since is not None
        and seat.heir is None
        and seat.reason is None
    )
