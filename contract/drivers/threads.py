"""Threads: drives a flow where it stands, and sends what is async to one event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from abc import abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import Context, copy_context
from functools import partial
from typing import Final, TypeVar, cast, final

from contract.call import APART, READ, STREAM, Body, Flow, Outcome, Raised, Run, Value
from contract.dispatch import Bound, Refused
from contract.drivers.streams import Leaving, stream_here
from contract.log import log_exception
from contract.mcp import Endpoint
from contract.message import Incoming, Response
from contract.service import Service

__all__ = ["BACKGROUND", "BackgroundLoop", "Begun", "Readable", "attempt", "awaited", "begin", "drive", "go_on"]

T = TypeVar("T")


class Readable(Incoming):
    """A request whose body can be read where one stands."""

    __slots__ = ()

    absent: bool = False
    """Whether there is no body to read yet, so that a flow that wants it is begun and not gone on with."""

    @abstractmethod
    def read(self, limit: int) -> bytes:
        """The body, of at most *limit* bytes; raises `Refused` where it cannot be had."""


def drive(service: Service, incoming: Readable, loop: BackgroundLoop) -> Response:
    """
    The response of *service*, with the call run in a context of its own.

    Args:
        service: Who answers.
        incoming: The request.
        loop: Where async steps run.
    """
    context = copy_context()
    found = context.run(service.admit, incoming)
    if isinstance(found, Response):
        return found
    if not isinstance(found, Endpoint):
        return _ended(_follow(service.proceed(incoming, found), None, context, service, incoming, loop))
    opened = context.run(service.open, incoming, found, _body(service, incoming))
    if isinstance(opened, Response):
        return opened
    leaving = Leaving() if opened.ends_with_client else None
    return _ended(_follow(service.go_on(incoming, found, opened), None, context, service, incoming, loop, leaving))


@final
class Begun:
    """A call that has come to where it needs its body."""

    __slots__ = ("context", "flow")

    def __init__(self, flow: Flow[Response], context: Context) -> None:
        self.flow: Final = flow
        self.context: Final = context


def begin(service: Service, incoming: Readable, loop: BackgroundLoop) -> Response | Begun:
    """What `drive` gives for a call of a route that is refused before its body is asked for; else what `go_on` goes on with."""
    context = copy_context()
    bound = cast("Bound", context.run(service.admit, incoming))
    return _follow(service.proceed(incoming, bound), None, context, service, incoming, loop)


def go_on(begun: Begun, service: Service, incoming: Readable, loop: BackgroundLoop) -> Response:
    """The response to a call that has begun, and whose body is there now; in any thread."""
    return _ended(_follow(begun.flow, _body(service, incoming), begun.context, service, incoming, loop))


def _ended(found: Response | Begun) -> Response:
    """The response, where nothing is absent that would have to be waited for."""
    return cast("Response", found)


def _body(service: Service, incoming: Readable) -> Outcome:
    """What came of reading the body; raises nothing."""
    try:
        return Value(incoming.read(service.options.max_body_bytes))
    except BaseException as exception:  # noqa: BLE001  the service decides what becomes of it
        return Raised(exception)


def _follow(
    flow: Flow[Response],
    outcome: Outcome | None,
    context: Context,
    service: Service,
    incoming: Readable,
    loop: BackgroundLoop,
    leaving: Leaving | None = None,
) -> Response | Begun:
    """
    What *flow* comes to, begun anew or gone on with by *outcome*; where its body is absent, it goes to where it needs that.

    Raises:
        asyncio.CancelledError: The client has gone, and that cancels the call; it has been told of.
    """
    try:
        step = context.run(_advance, flow, outcome, service, incoming, leaving)
        while True:  # a context can be entered by one thread at a time, so it is left for each async step
            if step is STREAM:
                call = partial(_resume, flow, context, service, incoming, loop, leaving)
                return stream_here(service, incoming, call, leaving)
            if step is READ:
                return Begun(flow, context)
            if step is APART:
                context, outcome = copy_context(), Value(None)
            else:
                outcome = loop.run(step, context, service.options.limits.deadline_seconds, leaving)
                if isinstance(outcome, Raised):
                    context = context.copy()  # one thread at a time can be in a context, and a step that is late may still be
            step = context.run(_advance, flow, outcome, service, incoming, leaving)
    except asyncio.CancelledError:
        service.cancelled(incoming)
        raise
    except StopIteration as stop:
        response: Response = stop.value
        return response


def _resume(
    flow: Flow[Response],
    context: Context,
    service: Service,
    incoming: Readable,
    loop: BackgroundLoop,
    leaving: Leaving | None,
    send: Callable[[bytes], None],
) -> Response:
    """The same, of a flow that waits for what takes the parts of its response."""
    return _ended(_follow(flow, Value(send), context, service, incoming, loop, leaving))


def _advance(flow: Flow[T], outcome: Outcome | None, service: Service, incoming: Readable, leaving: Leaving | None) -> Run | Body:
    """
    Run *flow* to its next async step, to a body that is absent, to where parts may be sent, or to where another context begins.

    Raises:
        StopIteration: There is none; the value is that of the flow.
        asyncio.CancelledError: Nobody waits for that any more.
    """
    while True:
        if leaving is not None and leaving.gone:
            raise asyncio.CancelledError
        step = next(flow) if outcome is None else flow.send(outcome)
        try:
            if step is READ and not incoming.absent:
                outcome = _body(service, incoming)
            elif isinstance(step, Body) or step.is_async:
                return step
            else:
                outcome = Value(step.fn(*step.args))
        except BaseException as exception:  # noqa: BLE001  the flow decides what becomes of it
            outcome = Raised(exception)


def attempt(step: Run) -> Outcome:
    """What came of a synchronous step; raises nothing, so that it may run in a worker thread, which a StopIteration never leaves."""
    try:
        return Value(step.fn(*step.args))
    except BaseException as exception:  # noqa: BLE001  the flow decides what becomes of it
        return Raised(exception)


class BackgroundLoop:
    """
    One event loop in a thread of its own, for the async resolvers of a process that serves WSGI.

    It starts at its first use, and anew in a forked child; pools that resolvers keep between calls work, since it is always the same loop.
    """

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Forget the loop: after a fork its thread is gone, and the lock may be held by nobody."""
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: int | None = None
        self._tasks: set[asyncio.Task[Outcome]] = set()  # a loop itself holds its tasks only weakly

    def run(self, step: Run, context: Context, deadline: float | None, leaving: Leaving | None = None) -> Outcome:
        """
        What came of *step*, awaited on the loop in *context*; after *deadline* seconds it is cancelled, and not waited for any more.

        It is also cancelled, and waited for, once its client has gone, where there is a *leaving*.

        The loop itself cannot wait: an async resolver that calls an async route through the WSGI application would stop all for ever.
        A second loop would not do, since what resolvers keep between calls belongs to this one.
        """
        if threading.get_ident() == self._thread:
            return Raised(RuntimeError(_NESTED))
        result: Future[Outcome] = Future()
        self._running().call_soon_threadsafe(self._start, step, context, deadline, leaving, result)
        return result.result()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                thread = threading.Thread(target=_forever, args=(self._loop,), name="contract-async-resolvers", daemon=True)
                thread.start()
                self._thread = thread.ident
            return self._loop

    def _start(self, step: Run, context: Context, deadline: float | None, leaving: Leaving | None, result: Future[Outcome]) -> None:
        loop = asyncio.get_running_loop()
        task = loop.create_task(awaited(step), context=context)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(partial(_settle, result))
        if deadline is not None:
            timer = loop.call_later(deadline, _give_up, task, result)
            task.add_done_callback(lambda _: timer.cancel())
        if leaving is not None:
            leaving.cancels(lambda: loop.call_soon_threadsafe(task.cancel))


_NESTED: Final = "an async resolver called an async route through the WSGI application that runs it; await that route's resolver instead"


BACKGROUND: Final = BackgroundLoop()
"""The loop of this process, shared by every WSGI application in it."""

if sys.platform != "win32":  # pragma: no branch  nothing forks there
    os.register_at_fork(after_in_child=BACKGROUND.restart)


def _forever(loop: asyncio.AbstractEventLoop) -> None:
    while True:
        try:
            loop.run_forever()
        except BaseException as exception:  # noqa: BLE001  a task that a resolver left behind raised SystemExit: calls go on all the same
            log_exception("a task on the event loop raised", exception, route=None, request_id=None)


def _settle(result: Future[Outcome], task: asyncio.Task[Outcome]) -> None:
    """
    Hand on what came of *task*, which has left its context by now.

    The task itself could not: the thread that waits would sometimes enter that context while the last lines of the task run in it.
    """
    if not result.done():
        result.set_result(Raised(asyncio.CancelledError()) if task.cancelled() else task.result())


def _give_up(task: asyncio.Task[Outcome], result: Future[Outcome]) -> None:
    """Cancel *task*; a resolver may take no notice of that, so it is not waited for."""
    task.cancel()
    if not result.done():  # it may be done this very moment
        result.set_result(Raised(Refused("DEADLINE_EXCEEDED")))


async def awaited(step: Run) -> Outcome:
    """What came of an async step; raises nothing."""
    try:
        return Value(await step.fn(*step.args))
    except BaseException as exception:  # noqa: BLE001  the flow decides what becomes of it
        return Raised(exception)
