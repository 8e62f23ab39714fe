"""
Hops: a call that moves to a worker thread, and what happens to its values there.

A value belongs to the thread that made it. Those of a resolver end there, with the resolver. Those
of a hook must wait for the resolver, so their thread is kept: it does only what this call needs,
until the call releases it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from contextvars import Context
from queue import SimpleQueue
from typing import Any, Final, Protocol, final

from contract.adapters.pool import Lanes, Pool, Queued
from contract.call.context import Reply
from contract.call.incoming import Lane
from contract.call.provided import cause_of
from contract.call.stream import StreamReply
from contract.call.values import Hop, Values

__all__ = ["Hopping", "Kept", "hopping", "threads_for"]


@final
class Kept:
    """A worker thread that is kept for one call."""

    __slots__ = ("_jobs",)

    def __init__(self) -> None:
        self._jobs: Final[SimpleQueue[Queued | None]] = SimpleQueue()

    def submit(self, run: Callable[[], Any], then: Callable[[Any], object]) -> Queued:
        """Call *run* in the thread, then *then* with its result."""
        job = Queued(run, then)
        self._jobs.put(job)
        return job

    def leave(self, _job: Queued) -> bool:
        """Return False: a job has always begun, as the thread does nothing else."""
        return False

    def release(self) -> None:
        """Release the thread, once it has done its jobs."""
        self._jobs.put(None)

    def serve(self) -> None:
        """Do the jobs for this thread until it is released."""
        while True:
            job = self._jobs.get()
            if job is None:
                return
            result = job.run()
            with suppress(RuntimeError):  # the loop is closed
                job.then(result)
            del job, result  # a waiting thread must not keep the objects of a call alive


class Hopping(Protocol):
    """A call that may go to a thread."""

    values: Values | None
    hop: Hop


def threads_for(call: Hopping, lanes: Lanes, lane: Lane) -> Pool | Kept:
    """The threads for this work of a call."""
    values = call.values
    if values is not None and isinstance(values.kept, Kept):
        return values.kept
    if lane in ("streams", "items"):
        return lanes.streams
    if lane == "hooks":
        return lanes.hooks
    return lanes.routes


def hopping(
    call: Hopping,
    lane: Lane,
    context: Context,
    run: Callable[[], Any],
    then: Callable[[Any], object],
) -> tuple[Hop, Callable[[], Any]]:
    """
    A hop of *call*, and the function that a thread must call for it.

    *run* does the work in *context*, and never raises; *then* takes the result: if the thread is
    kept, it is called early, and again later.
    """
    call.hop = hop = Hop()

    def work() -> Any:
        if lane == "values":
            hop.finish()  # from now on they end normally, and the end is waited for
        result = context.run(run)
        values = call.values
        if values is not None and lane != "values":
            kept = context.run(_settled, values, hop, result)
            if kept is not None:
                try:
                    then(result)
                    kept.serve()
                except RuntimeError as error:  # the loop is closed
                    values.settle(error)
                context.run(values.leave_thread)  # if nobody waited for their end
        return result

    return hop, work


def _settled(values: Values, hop: Hop, result: Any) -> Kept | None:
    """
    End the values that belong to this thread, if its work is the last of the call.

    The values of a hook must wait: return the thread to keep for them, unless it is already kept.
    """
    if isinstance(result, bytes | Reply) and not isinstance(result, StreamReply):
        # 1. A reply, so the call ends with this work.
        given_up = hop.finish()
        if given_up is None:
            values.settle(cause_of(result))
        else:
            values.settle(given_up)
        # a thread that is already kept gets its turn
        if values.kept is None or given_up is not None:
            values.leave_thread()
        return None
    # 2. The call goes on, and some of its values belong to this thread, which is kept for them.
    if not values.is_at_home():
        return None
    kept: Kept | None = None
    if values.kept is None:
        values.kept = kept = Kept()
    given_up = hop.finish()
    if given_up is None:
        return kept
    # 3. Nobody waits any more, so the values end here and now.
    if kept is not None:
        values.kept = None
    values.settle(given_up)
    values.leave_thread()
    return None
