"""Loops: drives a flow on an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextvars import Context, copy_context
from time import perf_counter
from typing import Any, Final

from contract.call import APART, READ, STREAM, Flow, Outcome, Raised, Run, Value, request_id
from contract.dispatch import Bound, Refused, invoke_now
from contract.drivers.asgi import HTTP_VERSIONS, AsgiIncoming, Receive, Scope, poll, read_body
from contract.drivers.pool import Lanes
from contract.drivers.streams import Stream
from contract.drivers.threads import attempt, awaited
from contract.mcp import Endpoint
from contract.message import Response
from contract.service import Service

__all__ = ["Straight", "answer_straight", "drive"]

Straight = tuple[AsgiIncoming, bytes | Response]
"""A plain call and what came of it: the body of a success, or the response to a failure."""


async def answer_straight(
    service: Service, routes: Mapping[str, Bound], scope: Scope, path: str, receive: Receive, native: Callable[[Scope], Any]
) -> Straight | None:
    """
    What `Service.conclude` gives for a plain call of one of *routes*, run in a context of its own; None for every other request.

    Plain is a POST of ``application/json``, not encoded, not in chunks, with one length that is allowed.
    """
    bound = routes.get(path)
    if bound is None or scope["method"] != "POST" or scope.get("http_version", "1.1") not in HTTP_VERSIONS:
        return None
    incoming = AsgiIncoming(scope, path, native)
    length = incoming.plain_length
    if length is None or length > service.options.max_body_bytes:
        return None
    incoming.request_id = request_id(incoming.sent_id)
    incoming.started = perf_counter()
    incoming.route = bound.name
    incoming.length = length
    context = copy_context()
    body: bytes = b""
    try:
        if length:
            event = poll(incoming, receive)
            found: object = None
            if isinstance(event, dict) and event["type"] == "http.request" and not event.get("more_body"):
                found = event.get("body")
            if type(found) is bytes and len(found) == length:
                body = found  # nearly always
            else:
                body = await read_body(incoming, receive, length, service.options.limits, event)
    except Refused as refused:
        return incoming, context.run(service.unreadable, incoming, bound, refused)
    except asyncio.CancelledError:
        service.cancelled(incoming)
        raise
    return incoming, context.run(service.conclude, incoming, bound, body)


async def drive(service: Service, incoming: AsgiIncoming, receive: Receive, lanes: Lanes) -> Response:
    """
    The response of *service*, with the call run in a context of its own.

    A synchronous route takes one hop to a worker thread, from its input to its output; an async one is stepped right here.
    A cancellation that is true (somebody cancelled this task) is told of, and raised again.

    Args:
        service: Who answers.
        incoming: The request; the service notes in it what must not run on the loop.
        receive: Gives the events of the body.
        lanes: Worker threads.
    """
    context = copy_context()
    found = context.run(service.admit, incoming)
    if isinstance(found, Response):
        return found
    try:
        if not isinstance(found, Endpoint):
            return await _follow(service.proceed(incoming, found), None, service, incoming, receive, lanes, context)
        opened = context.run(service.open, incoming, found, await _body(service, incoming, receive))
        if isinstance(opened, Response):
            return opened
        flow = service.go_on(incoming, found, opened)
        if not opened.ends_with_client:
            return await _follow(flow, None, service, incoming, receive, lanes, context)
        stream = Stream(service, incoming, receive)
        return await stream.of(_follow(flow, None, service, incoming, receive, lanes, context, stream))
    except asyncio.CancelledError:
        service.cancelled(incoming)
        raise


async def _body(service: Service, incoming: AsgiIncoming, receive: Receive) -> Outcome:
    """What came of reading the body."""
    try:
        return Value(await read_body(incoming, receive, service.options.max_body_bytes, service.options.limits))
    except Refused as refused:
        return Raised(refused)


async def _follow(
    flow: Flow[Response],
    outcome: Outcome | None,
    service: Service,
    incoming: AsgiIncoming,
    receive: Receive,
    lanes: Lanes,
    context: Context,
    stream: Stream | None = None,
) -> Response:
    """What *flow* comes to, begun anew or gone on with by *outcome*, in the task of a *stream* or the server's own."""
    limits = service.options.limits
    try:
        step = context.run(next, flow) if outcome is None else context.run(flow.send, outcome)
        while True:
            if step is READ:
                outcome = await _body(service, incoming, receive)
            elif step is STREAM:
                if stream is None:
                    stream = Stream(service, incoming, None)
                    begun = Value(stream.begin())
                    return await stream.of(_follow(flow, begun, service, incoming, receive, lanes, context, stream))
                outcome = Value(stream.begin())
            elif step is APART:
                context, outcome = copy_context(), Value(None)
            elif step.is_async:
                outcome = await (
                    _step(step, context) if limits.deadline_seconds is None else _timed(step, context, limits.deadline_seconds)
                )
            elif incoming.offload:
                outcome = await _hop(step, context, lanes, limits.deadline_seconds)
                if isinstance(outcome, Raised):
                    context = context.copy()  # one thread at a time can be in a context, and one that is late may still be
            else:
                outcome = context.run(attempt, step)
            step = context.run(flow.send, outcome)
    except StopIteration as stop:
        response: Response = stop.value
        return response


async def _hop(step: Run, context: Context, lanes: Lanes, deadline: float | None) -> Outcome:
    """What came of a synchronous step in a worker thread; the thread goes on where the wait ends early."""
    try:
        running = (lanes.routes if step.fn is invoke_now else lanes.hooks).submit(context, attempt, step)
    except Refused as refused:
        return Raised(refused)
    if deadline is None:
        return await running
    try:
        done, _ = await asyncio.wait({running}, timeout=deadline)
    except asyncio.CancelledError:
        running.cancel()  # where it has not begun yet, it will not
        raise
    if done:
        return running.result()
    running.cancel()
    return Raised(Refused("DEADLINE_EXCEEDED"))


async def _step(step: Run, context: Context) -> Outcome:
    """
    What came of an async step; a true cancellation alone is raised.

    A resolver that cancels the task that it runs in (``asyncio.current_task().cancel()``) is taken for one: that task is the server's,
    and asyncio does not keep who has cancelled it. There is no reply then, and the call is told of as cancelled.
    """
    stepping: _InContext | None = None
    try:
        stepping = _InContext(context, context.run(step.fn, *step.args))
        return Value(await stepping)
    except asyncio.CancelledError as cancelled:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return Raised(cancelled)  # the resolver raised it by itself
    except BaseException as exception:
        if stepping is None or not stepping.closed:
            return Raised(exception)
        raise


async def _timed(step: Run, context: Context, deadline: float) -> Outcome:
    """The same, with a *deadline*; in a task of its own, since a resolver may take no notice of being cancelled."""
    task = asyncio.get_running_loop().create_task(awaited(step), context=context)
    _GOING_ON.add(task)
    task.add_done_callback(_GOING_ON.discard)
    try:
        done, _ = await asyncio.wait({task}, timeout=deadline)
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task}, timeout=deadline)  # for it to clean up
        raise
    if done:
        return task.result()
    task.cancel()
    await asyncio.sleep(0)  # the resolver hears of it before the client does
    return Raised(Refused("DEADLINE_EXCEEDED"))


_GOING_ON: Final[set[asyncio.Task[Outcome]]] = set()
"""What may go on when nobody waits for it any more; a loop itself holds its tasks only weakly."""


class _InContext:
    """
    Awaits something with each of its steps run in *context*.

    A task of its own would do the same, at twenty times the cost.
    """

    __slots__ = ("_awaitable", "_context", "closed")

    def __init__(self, context: Context, awaitable: Awaitable[Any]) -> None:
        self._context = context
        self._awaitable = awaitable
        self.closed = False
        """Whether the task itself goes away, as at the end of a loop: nobody waits for a reply."""

    def __await__(self) -> Generator[Any, Any, Any]:
        run = self._context.run
        steps = self._awaitable.__await__()
        try:
            waiting = run(next, steps)
            while True:
                try:
                    sent = yield waiting
                except GeneratorExit:
                    self.closed = True
                    run(steps.close)
                    raise
                except BaseException as exception:  # noqa: BLE001  a cancellation, on its way to the resolver
                    waiting = run(steps.throw, exception)
                else:
                    waiting = run(steps.send, sent)
        except StopIteration as stop:
            return stop.value
