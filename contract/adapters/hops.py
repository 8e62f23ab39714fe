"""
Hops: a call that goes to a worker thread, and what becomes of its values there.

A value belongs to the thread that made it. A resolver's end there, with the resolver. A hook's have
to wait for the resolver, so their thread is kept: it does nothing but what the call still wants of
it, until the call lets it go.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from contextvars import Context
from queue import SimpleQueue
from typing import Any, Final, Protocol, final

from contract.adapters.pool import Lanes, Pool, Queued
from contract.call.context import Reply
from contract.call.message import Lane
from contract.call.provided import cause_of
from contract.call.stream import Opened
from contract.call.values import Hop, Values

__all__ = ["Hopping", "Kept", "hopping", "threads_for"]


@final
class Kept:
    """A worker thread that is kept for one call."""

    __slots__ = ("_jobs",)

    def __init__(self) -> None:
        self._jobs: Final[SimpleQueue[Queued | None]] = SimpleQueue()

    def submit(self, run: Callable[[], Any], then: Callable[[Any], object]) -> Queued:
        """Call *run* in the thread, and there *then* with its result."""
        job = Queued(run, then)
        self._jobs.put(job)
        return job

    def leave(self, _job: Queued) -> bool:
        """Take no job back: it has begun, as the thread does nothing else."""
        return False

    def release(self) -> None:
        """Let the thread go, once it has done what it was given."""
        self._jobs.put(None)

    def serve(self) -> None:
        """Do what is wanted of this thread, until it is let go."""
        while True:
            job = self._jobs.get()
            if job is None:
                return
            result = job.run()
            with suppress(RuntimeError):  # the loop has been closed
                job.then(result)
            del job, result  # a thread that waits must not keep the objects of a call alive


class Hopping(Protocol):
    """A call that may go to a thread."""

    values: Values | None
    hop: Hop


def threads_for(call: Hopping, lanes: Lanes, lane: Lane) -> Pool | Kept:
    """The threads that take this work of a call."""
    values = call.values
    if values is not None and isinstance(values.kept, Kept):
        return values.kept
    if lane in _STREAMING:
        return lanes.streams
    return lanes.hooks if lane == "hooks" else lanes.routes


_STREAMING: Final[frozenset[Lane]] = frozenset({"streams", "items"})


def hopping(
    call: Hopping,
    lane: Lane,
    context: Context,
    run: Callable[[], Any],
    then: Callable[[Any], object],
) -> tuple[Hop, Callable[[], Any]]:
    """
    A hop of *call*, and what a thread has to call for it.

    Args:
        call: The call.
        lane: The work that it is.
        context: The context for the work.
        run: Does the work; raises nothing.
        then: Takes the result. It is called early where the thread is kept, and again later.
    """
    call.hop = hop = Hop()

    def work() -> Any:
        if lane == "values":
            hop.finish()  # from here on they end as they are, and are waited for
        result = context.run(run)
        values = call.values
        if values is not None and lane != "values":
            kept = context.run(_settled, values, hop, result)
            if kept is not None:
                try:
                    then(result)
                    kept.serve()
                except RuntimeError as error:  # the loop has been closed
                    values.settle(error)
                context.run(values.leave_thread)  # where nobody waited for their end
        return result

    return hop, work


def _settled(values: Values, hop: Hop, result: Any) -> Kept | None:
    """
    End the values that belong to this thread, where its work is the last of the call.

    Those of a hook have to wait: the thread that is to be kept for them, unless it is already.
    """
    if isinstance(result, bytes | Reply) and not isinstance(result, Opened):
        given_up = hop.finish()
        values.settle(cause_of(result) if given_up is None else given_up)
        if values.kept is None or given_up is not None:  # one that is kept is asked in its turn
            values.leave_thread()
        return None
    if not values.is_at_home():
        return None
    kept = None if values.kept is not None else Kept()
    values.kept = values.kept or kept
    given_up = hop.finish()
    if given_up is None:
        return kept
    if kept is not None:
        values.kept = None
    values.settle(given_up)
    values.leave_thread()
    return None
