"""
Loops: what a call on an event loop needs beside it: a thread, a deadline, an eye on its client.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import Context, copy_context
from functools import partial
from typing import Any, Final, Protocol, TypeVar, final

from contract.adapters.pool import Lanes
from contract.call.dispatch import Refused
from contract.call.message import Lane

__all__ = ["Watch", "adopt", "gone", "in_thread", "timed"]

T = TypeVar("T")

Receive = Callable[[], Awaitable[Any]]
"""Gives the next event from the client."""

PROMPT: Final = 0.05
"""
Seconds in which most calls are answered, so that nobody has to look whether their clients are still
there.
"""


class Watched(Protocol):
    """A request whose client may go away."""

    @property
    def lanes(self) -> Lanes: ...
    def receive(self) -> Awaitable[Any]: ...

    @property
    def watched(self) -> bool: ...

    cancelled: bool

    def asking(self) -> None: ...
    def authenticated(self) -> None: ...


@final
class Watch:
    """
    Cancels the current task once the client of a call has gone, until its end.

    It begins after a while only: to look costs more than the rest of a small call.
    """

    __slots__ = ("_call", "_listening", "_loop", "_over", "_task", "_timer")

    def __init__(self, call: Watched) -> None:
        self._call: Final = call
        self._loop: Final = asyncio.get_running_loop()
        self._task: Final = asyncio.current_task(self._loop)
        self._listening: asyncio.Task[None] | None = None
        self._over = False
        self._timer: asyncio.TimerHandle | None = None

    def wait(self) -> None:
        """The call is about to wait for something: watch it from now on, once its body is not what the server would give."""
        if self._timer is None and self._call.watched:
            self._timer = self._loop.call_later(PROMPT, self._begin)

    def _begin(self) -> None:
        self._listening = self._loop.create_task(gone(self._call.receive))
        self._listening.add_done_callback(self._left)

    def _left(self, listening: asyncio.Task[None]) -> None:
        """The client has gone, unless nobody waits for that any more."""
        if not (listening.cancelled() or self._over or self._task is None):
            self._call.cancelled = True
            self._task.cancel()

    @property
    def alone(self) -> bool:
        """Whether nobody else has cancelled the task."""
        return self._task is None or self._task.cancelling() == 1

    def end(self) -> None:
        """Watch no more; the task is its owner's again."""
        self._over = True
        if self._timer is not None:
            self._timer.cancel()
        if self._listening is not None:
            with suppress(RuntimeError):  # the loop has been closed
                self._listening.cancel()
        if self._call.cancelled and self._task is not None:
            self._task.uncancel()


async def gone(receive: Receive) -> None:
    """Wait until the client has gone."""
    with suppress(Exception):  # so a server may tell it, too
        for _ in range(2):  # what comes first may be the body of a call that needs none
            if (await receive())["type"] == "http.disconnect":
                return
        # a body that somebody else has read: nothing more will be known
        await asyncio.Event().wait()


async def in_thread(call: Watched, lane: Lane, fn: Callable[..., T], args: tuple[object, ...]) -> T:
    """
    What a synchronous function gives, in a worker thread and in a copy of this context.

    Raises:
        Refused: There is no room for it, or its deadline has passed.
    """
    lanes = call.lanes
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    context = copy_context()
    pool = lanes.hooks if lane == "hooks" else lanes.routes
    if lane == "calls":
        call.asking()
    try:
        queued = pool.submit(
            partial(context.run, fn, *args),
            lambda result: loop.call_soon_threadsafe(_settle, future, result),
        )
    except Refused:
        call.authenticated()
        raise
    deadline = lanes.limits.deadline_seconds
    timer = None if deadline is None else loop.call_later(deadline, _expire, future)
    try:
        found = await future
    except BaseException:
        if pool.leave(queued):
            call.authenticated()
        raise
    finally:
        if timer is not None:
            timer.cancel()
    if lane == "hooks":
        adopt(context)
    return found


def _settle(future: asyncio.Future[Any], result: object) -> None:
    if not future.done():
        future.set_result(result)


def _expire(future: asyncio.Future[Any]) -> None:
    if not future.done():
        future.set_exception(Refused("DEADLINE_EXCEEDED"))


def adopt(context: Context) -> None:
    """
    Take over the variables that a hook has set in *context*: who comes after it may ask for them.
    """
    for variable, value in context.items():
        if variable.get(_NOTHING) is not value:
            variable.set(value)


_NOTHING: Final = object()


async def timed(deadline: float, fn: Callable[..., Awaitable[T]], args: tuple[object, ...]) -> T:
    """
    What an async function gives within *deadline* seconds.

    In a task of its own, since it may take no notice of being cancelled.

    Raises:
        Refused: The deadline has passed.
    """
    context = copy_context()
    task = asyncio.get_running_loop().create_task(_awaited(fn, args), context=context)
    _GOING_ON.add(task)
    task.add_done_callback(_GOING_ON.discard)
    try:
        done, _ = await asyncio.wait({task}, timeout=deadline)
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task}, timeout=deadline)  # for it to clean up
        raise
    if not done:
        task.cancel()
        await asyncio.sleep(0)  # the resolver hears of it before the client does
        raise Refused("DEADLINE_EXCEEDED")
    adopt(context)
    found, exception = task.result()
    if exception is not None:
        raise exception
    return found  # type: ignore[no-any-return]


async def _awaited(
    fn: Callable[..., Awaitable[Any]], args: tuple[object, ...]
) -> tuple[Any, BaseException | None]:
    """What came of it; raises nothing, since a loop takes some exceptions of a task for its own."""
    try:
        return await fn(*args), None
    except BaseException as exception:  # noqa: BLE001  the call decides what becomes of it
        return None, exception


_GOING_ON: Final[set[asyncio.Task[Any]]] = set()
"""What may go on when nobody waits for it any more; a loop itself holds its tasks only weakly."""
