"""
Opening: a process opens a spec's resources before its first call, and closes them at its end.

They are opened in the order in which the spec names them, and closed in reverse. A synchronous one
is opened in the thread that asks. An asynchronous one is kept by a separate task, since many can
only be closed by the task that opened them: on the server's event loop, or on the background loop
of a WSGI process.

One that a test replaces by a fake is not opened. Then each call checks whether the fake is still
there, and the first call without it opens the resource.
"""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Final, TypeVar, cast, final

from contract.adapters.background import BACKGROUND
from contract.call.log import log_exception
from contract.call.mount_options import check_spec
from contract.declare.resolver import is_async_callable, simple_name
from contract.declare.resource import Manager, NotOpened, Resource, is_async_manager
from contract.declare.spec import AnySpec

__all__ = ["Checks", "Opened", "Opening", "opened"]

T = TypeVar("T")

READY_SECONDS: Final = 1.0
"""Seconds in which a check must end; load balancers wait for one or two by default."""

_Awaits = Callable[[Callable[[], Awaitable[Any]]], Awaitable[Any]]
"""A way to await an async function: here, or on the background loop."""

_Leave = Callable[[_Awaits], Awaitable[None]]
"""Closes a resource."""


@final
class _Keeper:
    """A task that opens an asynchronous context manager, and closes it."""

    def __init__(self, manager: Any, lost: Callable[[], None]) -> None:
        self._manager: Final = manager
        self._lost: Final = lost
        self._exits: BaseException | None = None
        self._over: asyncio.Event
        self._task: asyncio.Task[None]

    async def open(self) -> Any:
        """Open it, and return its value."""
        loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        opened: asyncio.Future[Any] = loop.create_future()
        self._task = loop.create_task(self._keep(opened))
        try:
            return await opened
        except asyncio.CancelledError:  # nobody else would close it
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            raise

    async def leave(self) -> None:
        """Close it, unless its loop has ended, which has closed it."""
        if self._task.done():
            return
        self._over.set()
        try:
            await asyncio.shield(self._task)
        except asyncio.CancelledError:
            if not self._task.cancelled():
                raise
        if self._exits is not None:
            raise self._exits

    async def _keep(self, opened: asyncio.Future[Any]) -> None:
        _OPEN.add(self)
        try:
            async with self._manager as value:
                opened.set_result(value)
                await self._over.wait()
        except BaseException as exception:
            if opened.done():
                if isinstance(exception, Exception | asyncio.CancelledError):
                    raise
                self._exits = exception  # a task that raised it would end the loop, and the host
                return
            if isinstance(exception, asyncio.CancelledError):
                # a new exception: the caller would take the original one for its own cancellation
                exception = RuntimeError("it was cancelled")
            opened.set_exception(exception)
        finally:
            _OPEN.discard(self)
            if not self._over.is_set():  # its loop is ending, and cancels what is left
                self._lost()


_OPEN: Final[set[_Keeper]] = set()
"""
The resources that are open in this process.

A loop holds its tasks only weakly. Without this, a service that is no longer referenced, such as
one in a test, would be collected with its tasks, which would then close nothing.
"""


@final
class Opening:
    """
    The resources of one service, in this process.

    Attributes:
        done: Whether all of them are open.
    """

    def __init__(self, resources: Sequence[Resource[Any] | Manager]) -> None:
        self._resources: Final = resources
        self._replaced: Sequence[Resource[Any]] = ()
        self._open: Final[list[tuple[str, _Leave]]] = []
        self._lock: Final = threading.Lock()
        self._task: asyncio.Task[None] | None = None
        self.done: bool = False

    def here(self) -> None:
        """
        Open them in this thread, unless they are open; they are closed when the process ends.

        Raises:
            NotOpened: A resource could not be opened.
        """
        with self._lock:
            if not self.done:
                # if a test had replaced some of them, the end of the process is registered already
                is_first = not self._replaced
                _stepped(self._enter(_on_background))
                if is_first:
                    atexit.register(self.leave_here)

    def leave_here(self) -> BaseException | None:
        """Close them in this thread; return the first exception of a resource, which is logged."""
        atexit.unregister(self.leave_here)
        return _stepped(self._leave(_on_background))

    async def on_loop(self) -> None:
        """
        Open them on this event loop, unless they are open; several tasks may call this at once.

        Raises:
            NotOpened: A resource could not be opened.
        """
        if self.done:
            return
        if self._task is None or not _is_under_way(self._task):
            self._task = asyncio.get_running_loop().create_task(self._enter(_on_this_loop))
        await asyncio.shield(self._task)

    async def leave_on_loop(self) -> BaseException | None:
        """
        Close them on this event loop, including those that are being opened.

        Returns the first exception of a resource, which is logged.
        """
        if self._task is not None and _is_under_way(self._task):
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        return await self._leave(_on_this_loop)

    async def _enter(self, awaits: _Awaits) -> None:
        # only those that were replaced by fakes when the others were opened, if there are any
        wanted: Sequence[Resource[Any] | Manager] = self._replaced
        if not wanted:
            await self._leave(awaits)  # left behind by a loop that ended
            wanted = self._resources
        replaced: list[Resource[Any]] = []
        for each in wanted:
            if isinstance(each, Resource) and each.replaced:
                replaced.append(each)
                continue
            name = each.__name__ if isinstance(each, Resource) else type(each).__qualname__
            try:
                self._open.append((name, await self._entered(each, awaits)))
            except BaseException as exception:
                # all or none: the next call, or the next start, begins anew
                await self._leave(awaits)
                # the task of the server is cancelled, which is nothing that the resource raised
                if isinstance(exception, asyncio.CancelledError) and awaits is _on_this_loop:
                    raise
                raise NotOpened(name, exception) from exception
        self._replaced = replaced
        self.done = not replaced

    async def _entered(self, each: Resource[Any] | Manager, awaits: _Awaits) -> _Leave:
        """Open one of them; return the function that closes it."""
        if not isinstance(each, Resource):
            _, leave = await self._managed(each, awaits)
            return leave
        # services of one process share a resource, and the last of them closes it
        if not each.users:
            each.value, each.leave = await self._managed(each.manager(), awaits)
        each.users += 1
        return partial(_leave_resource, each)

    async def _managed(self, manager: Manager, awaits: _Awaits) -> tuple[Any, _Leave]:
        """Open a context manager; return its value, and the function that closes it."""
        if is_async_manager(manager):
            keeper = _Keeper(manager, self._lose)
            return await awaits(keeper.open), lambda awaits: awaits(keeper.leave)
        plain = cast("Any", manager)

        async def leave(_awaits: _Awaits) -> None:
            plain.__exit__(None, None, None)

        return plain.__enter__(), leave

    def _lose(self) -> None:
        """Record that one of them is no longer open, so that all are opened again."""
        self._replaced = ()
        self.done = False

    async def _leave(self, awaits: _Awaits) -> BaseException | None:
        self._replaced = ()
        self.done = False
        first: BaseException | None = None
        while self._open:
            name, leave = self._open.pop()
            try:
                await leave(awaits)
            except BaseException as exception:  # noqa: BLE001  the others are left, too
                log_exception(f"leaving the resource {name} raised", exception)
                first = first or exception
        return first


def _is_under_way(task: asyncio.Task[None]) -> bool:
    """Whether *task* is still running, and not on a loop that was closed before its end."""
    return not task.done() and task.get_loop() is asyncio.get_running_loop()


async def _leave_resource(found: Resource[Any], awaits: _Awaits) -> None:
    """Close a resource, unless another service of this process needs it."""
    found.users -= 1
    if not found.users:
        leave, found.leave = found.leave, None
        await leave(awaits)


async def _on_background(fn: Callable[[], Awaitable[Any]]) -> Any:
    return BACKGROUND.call(fn)


async def _on_this_loop(fn: Callable[[], Awaitable[Any]]) -> Any:
    return await fn()


def _stepped(call: Coroutine[Any, Any, T]) -> T:
    """Step a coroutine that never waits to its end, and return its value."""
    try:
        call.send(None)
    except StopIteration as end:
        return cast("T", end.value)
    raise AssertionError("it waited")


@final
class Opened:
    """The context manager that `opened` returns."""

    def __init__(self, spec: AnySpec) -> None:
        self._opening: Final = Opening(spec.resources)
        self._inside = 0
        """How many blocks it has been entered for, and not left."""

    def __enter__(self) -> None:
        self._inside += 1
        try:
            self._opening.here()
        except BaseException:
            self._inside -= 1
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._inside -= 1
        if not self._inside:
            _fail(self._opening.leave_here(), raised)

    async def __aenter__(self) -> None:
        self._inside += 1
        try:
            await self._opening.on_loop()
        except BaseException as exception:
            await self.__aexit__(None, exception, None)
            raise

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._inside -= 1
        if not self._inside:
            _fail(await self._opening.leave_on_loop(), raised)


def _fail(trouble: BaseException | None, raised: BaseException | None) -> None:
    """Raise what a resource raised when it was closed, unless the block itself *raised*."""
    if trouble is not None and raised is None:
        raise trouble


def opened(spec: AnySpec) -> Opened:
    """
    Have the resources of *spec* open within a block, for a job that serves nothing.

    A job is a worker of a queue, say, or a program that makes the first user. Write `calling`
    within it for values of a call (`provide`). With ``async with`` asynchronous resources are
    opened on the event loop of the job.

    What resources raise when they are closed is logged. If the block itself raised nothing, its end
    raises the first such exception, so that the job does not end with success.

    ::

        with opened(api), calling("add_user"):
            add_user(session(), "ada")

    Args:
        spec: A spec from `contract.spec`.

    Raises:
        MountError: *spec* is no spec.
        NotOpened: A resource could not be opened; raised at the start of the block.
    """
    check_spec("opened(spec=)", spec)
    return Opened(spec)


@final
class Checks:
    """The checks that must pass before a process is ready, each time that they are asked for."""

    def __init__(self, checks: Sequence[Callable[[], object]]) -> None:
        self._checks: Final = checks
        self._logged = False

    async def __call__(self) -> bool:
        """Whether all of them pass in time; never raises."""
        # 1. Start all of them at once, since their time is limited together.
        loop = asyncio.get_running_loop()
        asked: dict[asyncio.Future[BaseException | None], str] = {}
        for each in self._checks:
            if is_async_callable(each):
                task: Any = loop.create_task(_asked(cast("Any", each)))
            else:
                task = loop.run_in_executor(None, _tried, each)
            asked[task] = simple_name(each)

        try:
            await asyncio.wait(asked, timeout=READY_SECONDS)
        finally:  # if the caller is cancelled, nobody waits for the checks any more
            late = [task for task in asked if not task.done()]
            for task in late:
                task.cancel()
        # 2. Find the first that did not pass, in the order of the spec.
        too_late = TimeoutError(f"it took longer than {READY_SECONDS:g} s")
        for task, name in asked.items():
            problem = too_late if task in late else task.result()
            if problem is not None:
                if not self._logged:  # once until it is ready
                    self._logged = True
                    log_exception(f"not ready: the check {name} did not go well", problem)
                return False
        self._logged = False
        return True


async def _asked(check: Callable[[], Awaitable[object]]) -> BaseException | None:
    try:
        return _verdict(await check())
    except BaseException as exception:  # noqa: BLE001  it is told
        return exception


def _tried(check: Callable[[], object]) -> BaseException | None:
    try:
        return _verdict(check())
    except BaseException as exception:  # noqa: BLE001  it is told
        return exception


def _verdict(found: object) -> BaseException | None:
    return ValueError("it gave False") if found is False else None
