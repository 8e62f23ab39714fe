"""Calls on an event loop: when events come, where code runs, and who gives up."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import threading
import time
import weakref
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle, product
from typing import Any, cast

import falcon
import falcon.asgi
import orjson
import pytest

from contract import CallEvent, Request, Spec, current_call, route, routes, spec
from contract.adapters.asgi import AsgiApp
from contract.adapters.asgi_calls import AsgiIncoming
from contract.adapters.falcon import mount_spec
from contract.adapters.loops import apart, gone, in_thread, timed
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.adapters.wsgi import WsgiApp
from contract.call.incoming import Refused
from contract.call.mount_options import Limits, Options
from tests import cli_servers
from tests.tables import rows
from tests.wire import exchange as wire
from tests.wire import site
from tests.wire.case import call
from tests.wire.exchange import JSON, Exchange, RawRequest, RawResponse, scope_of, talk

App = Callable[..., Awaitable[None]]
Make = Callable[..., App]
Serve = Callable[..., Exchange]
Events = list[CallEvent]


def told(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a mount, where those of `Limits` stand among them."""
    limits = {name: options.pop(name) for name in [*options] if hasattr(Limits(), name)}
    return {"prefix": "/v1", "limits": Limits(**limits), **options}


def bare(served: Spec[Any], **options: Any) -> App:
    return AsgiApp(service_of(served, Options(**told(options))))


def in_falcon(served: Spec[Any], **options: Any) -> App:
    return mount_spec(falcon.asgi.App(), served, **told(options)).app  # type: ignore[return-value]


def mounted(served: Spec[Any], **options: Any) -> App:
    return mount_spec(falcon.asgi.App(), served, **told(options)).asgi


def wsgi_bare(served: Spec[Any], **options: Any) -> Callable[..., Any]:
    return WsgiApp(service_of(served, Options(**told(options))))


def wsgi_falcon(served: Spec[Any], **options: Any) -> Callable[..., Any]:
    return mount_spec(falcon.App(), served, **told(options)).app


@pytest.fixture(params=[bare, in_falcon, mounted], ids=["bare", "falcon", "mount"])
def make(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(params=[bare, mounted], ids=["bare", "mount"])
def make_early(request: pytest.FixtureRequest) -> Any:
    return request.param


WAYS: dict[str, tuple[Callable[..., Any], Callable[[Any], Exchange]]] = {
    "bare": (wsgi_bare, wire.through_wsgi),
    "falcon": (wsgi_falcon, wire.through_wsgi),
    "bare on a loop": (bare, wire.through_asgi),
    "falcon on a loop": (in_falcon, wire.through_asgi),
    "mount on a loop": (mounted, wire.through_asgi),
}


@pytest.fixture(params=WAYS)
def serve(request: pytest.FixtureRequest) -> Serve:
    made, through = WAYS[request.param]
    return lambda api, **options: through(made(api, **options))


def public(*resolvers: Callable[[Any, Any], Any], inline: bool = False) -> Spec[None]:
    decorate = route(summary="S", tags=["t"], auth="none", inline=inline)
    return spec(routes=routes(*map(decorate, resolvers)))


def behind(hook: Any, *resolvers: Any) -> Spec[Any]:
    """Routes behind a hook."""
    return spec(authenticate=hook, routes=routes(*map(route(summary="S", tags=["t"]), resolvers)))


def anybody(token: str, request: Request) -> str:
    return token


def me(input: None, ctx: str) -> str:
    return ctx


async def unwanted() -> dict[str, Any]:
    raise AssertionError("the body was asked for")


async def never() -> Any:
    await asyncio.Event().wait()


async def unsent(event: Any) -> None:
    raise AssertionError("something was sent")


def noting(sent: list[Any]) -> Callable[[Any], Awaitable[None]]:
    """A ``send`` that notes what it is given."""

    async def send(event: Any) -> None:
        sent.append(event)

    return send


async def answer(
    app: App, request: RawRequest, receive: Callable[[], Awaitable[Any]]
) -> RawResponse:
    sent: list[dict[str, Any]] = []
    await app(scope_of(request), receive, noting(sent))
    headers = tuple((name.decode(), value.decode()) for name, value in sent[0]["headers"])
    return RawResponse(sent[0]["status"], headers, sent[1].get("body", b""))


class Gate:
    """What a resolver in a thread waits at, until the test lets it through."""

    def __init__(self) -> None:
        self.entered = threading.Semaphore(0)
        self.opened = threading.Event()

    def wait(self) -> None:
        self.entered.release()
        assert self.opened.wait(10)

    async def reached(self) -> None:
        await until(lambda: self.entered.acquire(blocking=False))


@pytest.fixture
def gate() -> Iterator[Gate]:
    found = Gate()
    yield found
    found.opened.set()


@pytest.fixture
def events() -> Events:
    """What is told of the calls."""
    return []


async def answered(app: App, request: RawRequest) -> None:
    """Ask until there is room."""
    end = time.monotonic() + 10
    while (await talk(app, request)).status == 503 and time.monotonic() < end:
        await asyncio.sleep(0)


async def cancelled(task: asyncio.Task[Any]) -> None:
    """Cancel it, and wait for its end."""
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def turns(number: int) -> None:
    """Let the loop turn so often."""
    for _ in range(number):
        await asyncio.sleep(0)


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop turn until it is so."""
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.001)


def is_left(thing: weakref.ref[Any]) -> bool:
    """Whether nobody holds it any more."""
    gc.collect()
    return thing() is None


class Stubborn:
    """What goes on when it is cancelled, until it is let go; what it waits for holds nothing else."""

    def __init__(self) -> None:
        self.ended = threading.Event()

    async def run(self) -> None:
        gate = asyncio.Event()
        self.gate = weakref.ref(gate)
        self.task = weakref.ref(cast("Any", asyncio.current_task()))
        with suppress(asyncio.CancelledError):
            await gate.wait()
        await gate.wait()
        self.ended.set()

    def let_go(self) -> None:
        gc.collect()
        gate = self.gate()
        assert gate is not None
        gate.set()


REFUSED_EARLY = [
    (RawRequest(target="/v1/nope", body=b"x"), 404),
    (RawRequest(method="PUT", body=b"x"), 405),
    (call("guarded", b"x"), 401),
    (call("guarded", b"x", ("Authorization", "Bearer none")), 401),
    (call("guarded", b"x", ("Authorization", "Bearer slow")), 429),
    (call("guarded", b"x", ("Authorization", "Bearer a, Bearer b")), 400),
    (RawRequest(length="999999999"), 413),
    (RawRequest(length="12x"), 400),
    (RawRequest(headers=(("Content-Type", "text/plain"),), body=b"x"), 415),
    (call("echo", b"x", ("Content-Encoding", "gzip")), 415),
    (RawRequest(target="/v1/ping", headers=(), length="0"), 200),
]


@rows("request_, status", *REFUSED_EARLY, (RawRequest(version="9", body=b"x"), 505))
def test_what_can_be_refused_is_refused_before_the_body_is_awaited(
    make_early: Make, request_: RawRequest, status: int
) -> None:
    assert asyncio.run(answer(make_early(site.make_site()), request_, unwanted)).status == status


@pytest.mark.parametrize(("version", "connection"), [("1.1", "close"), ("2", None)])
async def test_a_body_that_does_not_come_is_a_408_while_others_are_served(
    make_early: Make, version: str, connection: str | None
) -> None:
    app = make_early(site.make_site(), read_seconds=0.02)
    slow = asyncio.create_task(answer(app, RawRequest(body=b"{}", version=version), never))
    await asyncio.sleep(0)
    assert ((await talk(app, call("echo.async"))).status, slow.done()) == (200, False)
    response = await slow
    assert (response.status, response.json()) == (408, {"error": "REQUEST_TIMEOUT"})
    assert response.header("connection") == connection


async def test_a_body_that_stops_coming_is_a_408(make: Make) -> None:
    events = iter([{"type": "http.request", "body": b"{", "more_body": True}])

    async def receive() -> Any:
        for event in events:
            return event
        await asyncio.Event().wait()
        raise AssertionError

    app = make(site.make_site(), read_seconds=0.02)
    response = await answer(app, RawRequest(body=b"{}"), receive)

    assert (response.status, response.header("connection")) == (408, "close")


@pytest.mark.parametrize("deadline", [None, 60.0])
async def test_a_cancelled_task_stops_an_async_resolver_and_is_told_of(
    make: Make, deadline: float | None, events: Events
) -> None:
    """The resolver may wait while it cleans up."""
    seen: list[str] = []

    async def slow(input: None, ctx: None) -> None:
        seen.append("begun")
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            seen.append("stopped")

    app = make(public(slow), on_call=events.append, deadline_seconds=deadline)
    task = asyncio.create_task(talk(app, call("slow")))
    await until(lambda: bool(seen))
    await cancelled(task)
    assert task.cancelling() == 1  # as whoever stands around the application has asked for

    assert seen == ["begun", "stopped"]
    assert [(each.code, each.status, each.route) for each in events] == [("CANCELLED", 499, "slow")]


async def test_a_cancelled_task_lets_a_thread_finish_and_drops_its_reply(
    make: Make, gate: Gate, events: Events
) -> None:
    finished = threading.Event()

    def slow(input: None, ctx: None) -> None:
        gate.wait()
        finished.set()

    app = make(public(slow), on_call=events.append, threads=1, queue=0)
    task = asyncio.create_task(talk(app, call("slow")))
    await gate.reached()
    await cancelled(task)
    assert (await talk(app, call("slow"))).status == 503
    gate.opened.set()
    await until(finished.is_set)
    await answered(app, call("slow"))

    codes = Counter(event.code for event in events)
    assert (codes.pop("CANCELLED"), codes.pop("OK"), {*codes}) == (1, 1, {"SERVICE_UNAVAILABLE"})


@pytest.mark.parametrize("deadline", [None, 60.0])
async def test_a_call_that_is_cancelled_while_it_waits_for_a_thread_never_runs(
    make: Make, gate: Gate, deadline: float | None
) -> None:
    ran: list[int] = []

    def slow(input: int, ctx: None) -> None:
        ran.append(input)
        gate.wait()

    app = make(public(slow), deadline_seconds=deadline, threads=1, queue=1)
    first = asyncio.create_task(talk(app, call("slow", b"1")))
    await gate.reached()
    second = asyncio.create_task(talk(app, call("slow", b"2")))
    await turns(5)
    assert (await talk(app, call("slow", b"3"))).status == 503
    await cancelled(second)
    fourth = asyncio.create_task(talk(app, call("slow", b"4")))  # for which there is room again
    await turns(5)
    gate.opened.set()
    assert [(await first).status, (await fourth).status] == [200, 200]
    await answered(app, call("slow", b"5"))

    assert ran == [1, 4, 5]


async def test_a_cancellation_while_the_body_is_read_is_told_of(
    make_early: Make, events: Events
) -> None:
    reading: list[bool] = []

    async def receive() -> Any:
        reading.append(True)
        await asyncio.Event().wait()

    app = make_early(site.make_site(), on_call=events.append)
    task = asyncio.create_task(answer(app, RawRequest(body=b"{}"), receive))
    await until(lambda: bool(reading))
    await cancelled(task)

    assert [(event.code, event.route) for event in events] == [("CANCELLED", "echo")]


class Slow:
    """A spec with one place that waits until it is let go: the route, or the hook before it."""

    def __init__(self, gate: Gate, where: str, *, token: str = "slow") -> None:
        self.gate = gate
        self.where = where
        self.token = token
        self.seen: list[str] = []
        self.ended = threading.Event()

    def _wait(self) -> None:
        self.seen.append("begun")
        self.gate.wait()
        self.ended.set()

    async def _wait_async(self) -> None:
        self.seen.append("begun")
        try:
            await asyncio.Event().wait()
        finally:
            self.seen.append("ended")
            self.ended.set()

    def spec(self) -> Spec[str]:
        def hook(token: str, request: Request) -> str:
            if self.where == "hook" and token == self.token:
                self._wait()
            return token

        async def hook_async(token: str, request: Request) -> str:
            if token == self.token:
                await self._wait_async()
            return token

        def me(input: int, ctx: str) -> str:
            if self.where == "route" and ctx == self.token:
                self._wait()
            return ctx

        async def me_async(input: int, ctx: str) -> str:
            if ctx == self.token:
                await self._wait_async()
            return ctx

        made = route(summary="S", tags=["t"], name="me")(
            me_async if self.where == "async route" else me
        )
        return spec(authenticate=hook_async if self.where == "async hook" else hook, routes=[made])


PLACES = ["route", "async route", "hook", "async hook"]


def by(token: str, **how: Any) -> RawRequest:
    return call("me", b"1", ("Authorization", f"Bearer {token}"), **how)


@pytest.mark.parametrize("deadline", [None, 60.0])
@pytest.mark.parametrize("where", [*PLACES, "body"])
def test_a_call_that_is_thrown_away_has_no_outcome(
    gate: Gate, where: str, deadline: float | None, caplog: pytest.LogCaptureFixture
) -> None:
    """At the end of a loop what still waits is closed, and that must not be taken for what the code of a user raises."""
    events: Events = []
    slow = Slow(gate, where)

    async def receive() -> Any:
        if where == "body":
            slow.seen.append("begun")
            await asyncio.Event().wait()
        return {"type": "http.request", "body": b"1"}

    async def main() -> None:
        app = bare(slow.spec(), on_call=events.append, deadline_seconds=deadline)
        answering: Any = app(scope_of(by("slow")), receive, unsent)
        task = asyncio.create_task(answering)
        await until(lambda: bool(slow.seen))
        await turns(3)
        answering.close()
        task.cancel()  # it cannot be gone on with

    asyncio.run(main())

    assert events == []
    assert [record for record in caplog.records if record.name.startswith("contract")] == []


def test_a_loop_may_be_closed_under_a_call_that_is_watched(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("contract.adapters.loops.PROMPT", 0.0)
    listening: list[bool] = []

    async def slow(input: int, ctx: None) -> None:
        await asyncio.Event().wait()

    async def receive() -> Any:
        listening.append(bool(listening))
        if listening[-1]:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": b"1"}

    loop = asyncio.new_event_loop()
    answering: Any = make(public(slow))(scope_of(call("slow", b"1")), receive, unsent)
    tasks = {loop.create_task(answering)}
    loop.run_until_complete(until(lambda: len(listening) > 1))
    tasks |= asyncio.all_tasks(loop)
    loop.close()
    for task in tasks:
        # asyncio tells of them otherwise
        task._log_destroy_pending = False  # type: ignore[attr-defined]
    answering.close()


@pytest.mark.parametrize("where", PLACES)
def test_each_step_has_a_deadline(serve: Serve, gate: Gate, where: str, events: Events) -> None:
    """What is async is cancelled. A thread goes on, with its reply dropped, and is used again once it has come to its end."""
    slow = Slow(gate, where)
    limits = {"deadline_seconds": 0.02, "threads": 1, "queue": 0}
    exchange = serve(slow.spec(), on_call=events.append, **limits)
    first = exchange(by("slow"))
    assert (first.status, first.json()) == (504, {"error": "DEADLINE_EXCEEDED"})
    assert first.header("x-request-id") == events[0].request_id
    while not slow.seen:  # on a busy machine a thread may begin too late
        assert exchange(by("slow")).status in (503, 504)
    if "async" not in where:  # nor may the hook begin in time
        cli_servers.until(lambda: exchange(by("slow")).status == 503, pause=0)
        gate.opened.set()
    assert slow.ended.wait(10)
    cli_servers.until(lambda: exchange(by("quick")).status == 200, pause=0)

    assert slow.seen[1:] == ["ended"] * ("async" in where)
    assert {event.code for event in events[:-1]} <= {"DEADLINE_EXCEEDED", "SERVICE_UNAVAILABLE"}


@pytest.mark.parametrize("where", ["route", "hook"])
def test_a_deadline_holds_in_the_queue_too(serve: Serve, gate: Gate, where: str) -> None:
    """Who has left the queue is not run, and gives back the room."""
    slow = Slow(gate, where)
    exchange = serve(slow.spec(), deadline_seconds=0.02, threads=1, queue=1)
    while not slow.seen:
        assert exchange(by("slow")).status == 504
    assert [exchange(by("slow")).status for _ in range(3)] == [504] * 3
    gate.opened.set()
    assert slow.ended.wait(10)

    assert slow.seen == ["begun"]


async def test_an_async_resolver_that_ignores_its_deadline_is_not_waited_for(make: Make) -> None:
    seen: list[str] = []

    async def stubborn(input: None, ctx: None) -> str:
        while "answered" not in seen:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0.001)
        seen.append("ended")
        return "late"

    app = make(public(stubborn), deadline_seconds=0.01)
    response = await asyncio.wait_for(talk(app, call("stubborn")), 10)
    assert (response.status, response.json()) == (504, {"error": "DEADLINE_EXCEEDED"})
    seen.append("answered")
    await until(lambda: "ended" in seen)

    assert seen == ["answered", "ended"]


async def test_a_resolver_hears_of_its_deadline_before_its_client_does(make: Make) -> None:
    seen: list[str] = []

    async def slow(input: None, ctx: None) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            seen.append("heard")

    response = await talk(make(public(slow), deadline_seconds=0.01), call("slow"))

    assert (response.status, seen) == (504, ["heard"])


async def test_a_resolver_that_goes_on_after_its_deadline_is_kept_until_its_end() -> None:
    """A loop holds its tasks only weakly."""
    stubborn = Stubborn()
    with suppress(Refused):
        await timed(0.01, stubborn.run, ())
    stubborn.let_go()
    await until(stubborn.ended.is_set)
    await until(lambda: is_left(stubborn.task))


@pytest.mark.parametrize("deadline", [None, 60.0])
def test_what_an_async_resolver_raises_is_told_as_it_is(
    make: Make, deadline: float | None, events: Events
) -> None:
    canary = KeyError("canary")

    async def raises(input: None, ctx: None) -> None:
        raise canary

    app = make(public(raises), on_call=events.append, deadline_seconds=deadline)
    assert asyncio.run(talk(app, call("raises"))).status == 500
    assert [event.exception for event in events] == [canary]


class Thing:
    """Something that can be seen to go away."""


async def test_nothing_is_kept_of_a_call_until_its_deadline() -> None:
    incoming = AsgiIncoming(
        scope_of(call("work")), "/", dict, Lanes(Limits(deadline_seconds=60.0)), unwanted
    )
    found = weakref.ref(await in_thread(incoming, "routes", Thing, ()))
    await until(lambda: is_left(found))


@pytest.mark.parametrize("deadline", [None, 5.0])
async def test_a_resolver_that_cancels_its_own_task(
    make: Make, deadline: float | None, events: Events
) -> None:
    """Without a deadline that is the server's task, and who has cancelled it cannot be known: there is no reply."""

    async def gives_up(input: None, ctx: None) -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.Event().wait()

    app = make(public(gives_up), on_call=events.append, deadline_seconds=deadline)
    calling = asyncio.create_task(talk(app, call("gives_up")))
    await asyncio.wait({calling})

    status = None if calling.cancelled() else calling.result().status
    expected = (None, ["CANCELLED"]) if deadline is None else (500, ["INTERNAL_ERROR"])
    assert (status, [event.code for event in events]) == expected


async def test_a_full_pool_is_a_503_with_retry_after(make: Make, gate: Gate) -> None:
    def slow(input: None, ctx: None) -> str:
        gate.wait()
        return "done"

    app = make(public(slow), threads=2, queue=1)
    running = [asyncio.create_task(talk(app, call("slow"))) for _ in range(3)]
    for _ in range(2):
        await gate.reached()
    refused = await talk(app, call("slow"))

    assert (refused.status, refused.json()) == (503, {"error": "SERVICE_UNAVAILABLE"})
    assert refused.header("retry-after") == "1"
    gate.opened.set()
    assert [(await each).json() for each in running] == ["done"] * 3
    assert (await talk(app, call("slow"))).status == 200


async def test_a_full_pool_refuses_before_a_sync_hook(make: Make, gate: Gate) -> None:
    def authenticate(token: str, request: Request) -> str:
        gate.wait()
        return token

    app = make(behind(authenticate, me), threads=1, queue=0)
    request = call("me", b"", TOKEN)
    first = asyncio.create_task(talk(app, request))
    await gate.reached()
    assert (await talk(app, request)).status == 503
    gate.opened.set()
    assert (await first).json() == "a"


@dataclass(frozen=True)
class Number:
    number: int


def numbered(*names: str) -> list[RawRequest]:
    """Sixty calls of these routes in turn, which bring their number in body and id."""
    return [
        call(name, orjson.dumps({"number": number}), ("X-Request-Id", f"id-{number}"))
        for number, name in zip(range(60), cycle(names), strict=False)
    ]


async def test_interleaved_calls_never_see_each_other(make: Make) -> None:
    var: contextvars.ContextVar[int] = contextvars.ContextVar("var")

    async def swap_async(input: Number, ctx: None) -> list[int | str]:
        var.set(input.number)
        await asyncio.sleep(0.001 * (input.number % 3))
        return [var.get(), current_call().request_id]

    def swap(input: Number, ctx: None) -> list[int | str]:
        var.set(input.number)
        time.sleep(0.001 * (input.number % 3))
        return [var.get(), current_call().request_id]

    app = make(public(swap, swap_async), threads=8)
    requests = numbered("swap_async", "swap")
    responses = await asyncio.gather(*(talk(app, request) for request in requests))

    ids = [f"id-{number}" for number in range(60)]
    assert [response.json() for response in responses] == [[*pair] for pair in enumerate(ids)]
    assert [response.header("x-request-id") for response in responses] == ids


@pytest.mark.parametrize("inline", [False, True])
async def test_a_resolver_may_call_another_route_through_the_app(make: Make, inline: bool) -> None:
    apps: list[App] = []

    async def outer(input: None, ctx: None) -> list[str]:
        before = current_call().route
        return [before, (await talk(apps[0], call("inner"))).json(), current_call().route]

    def inner(input: None, ctx: None) -> str:
        return current_call().route

    made = partial(route, summary="S", tags=["t"], auth="none")
    apps.append(make(spec(routes=[made()(outer), made(inline=inline)(inner)])))
    assert (await talk(apps[0], call("outer"))).json() == ["outer", "inner", "outer"]


def test_tasks_of_a_resolver_and_its_timeouts_work(make: Make) -> None:
    async def busy(input: None, ctx: None) -> list[int]:
        async def one(number: int) -> int:
            await asyncio.sleep(0.001)
            return number

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(number)) for number in range(3)]
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.001):
                await asyncio.sleep(5)
        return [task.result() for task in tasks]

    assert asyncio.run(talk(make(public(busy)), call("busy"))).json() == [0, 1, 2]


@pytest.mark.parametrize("kind", ["wsgi", "asgi"])
def test_a_plain_call_without_its_body_has_a_context_of_its_own(kind: str) -> None:
    leaked: contextvars.ContextVar[str] = contextvars.ContextVar("leaked", default="clean")
    seen: list[tuple[str, str]] = []

    def echo(input: int, ctx: None) -> int:
        return input

    def on_call(event: CallEvent) -> None:
        seen.append((leaked.get(), current_call().route))
        leaked.set("leaked")

    service = service_of(public(echo, inline=True), Options(on_call=on_call))
    exchange = (
        wire.through_wsgi(WsgiApp(service))
        if kind == "wsgi"
        else wire.through_asgi(AsgiApp(service))
    )
    for _ in range(2):
        assert exchange(RawRequest(target="/echo", body=b"12", length="3")).status == 400
    assert seen == [("clean", "echo"), ("clean", "echo")]


@pytest.mark.parametrize("body", [b"", b"null"], ids=["no body", "its body is there"])
async def test_hooks_that_hang_leave_threads_to_routes(
    make: Make, body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where the body is there, a hook takes a thread of the routes, but no more than half of them do.

    Health tells of hooks once nothing has moved for long, also after their clients have gone.
    """
    gate = threading.Event()

    def hangs(token: str, request: Request) -> str:
        gate.wait(10)
        return token

    @route(summary="s", tags=["t"], auth="none")
    def plain(input: None, ctx: None) -> str:
        return "still here"

    api = spec(authenticate=hangs, routes=routes(route(summary="s", tags=["t"])(me), plain))
    app = make(api, health_path="/up", threads=2, queue=5)
    request = call("me", body, TOKEN)
    calls = [asyncio.create_task(talk(app, request)) for _ in range(4)]
    await turns(2)
    for each in calls:
        each.cancel()
    await asyncio.wait(calls)
    health = RawRequest(method="GET", target="/v1/up")

    assert (await asyncio.wait_for(talk(app, call("plain")), 5)).status == 200
    assert (await talk(app, health)).status == 200
    monkeypatch.setattr("contract.adapters.pool.STUCK", 0.0)
    assert (await talk(app, health)).status == 503
    gate.set()


class Client:
    """A client that can go away; a server tells of that by an event, or by raising."""

    def __init__(self, app: App, request: RawRequest, broken: BaseException | None = None) -> None:
        self.request = request
        self.broken = broken
        self.went = asyncio.Event()
        self.reads = 0
        self.ended_reads = 0
        self.sent: list[Any] = []
        self.task = asyncio.create_task(
            cast("Any", app)(scope_of(request), self.receive, self.send)
        )

    async def receive(self) -> Any:
        self.reads += 1
        try:
            if self.reads == 1:
                return {"type": "http.request", "body": self.request.body}
            await self.went.wait()
            if self.broken is not None:
                raise self.broken
            return {"type": "http.disconnect"}
        finally:
            self.ended_reads += 1

    async def send(self, event: Any) -> None:
        if self.went.is_set():
            raise ConnectionResetError
        self.sent.append(event)

    async def ended(self) -> None:
        try:
            await asyncio.wait_for(self.task, 10)
        except ConnectionResetError:
            assert self.went.is_set()  # Falcon lets it through to the server, which raised it


@pytest.fixture
def alert(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether clients are still there is looked after at once."""
    monkeypatch.setattr("contract.adapters.loops.PROMPT", 0.0)


@pytest.mark.unwatched
@pytest.mark.usefixtures("alert")
@pytest.mark.parametrize("error", [None, RuntimeError("gone"), ConnectionResetError()])
@pytest.mark.parametrize("deadline", [None, 60.0])
@pytest.mark.parametrize("body", [b"", b"null"])
async def test_a_client_that_goes_away_cancels_an_async_resolver(
    make: Make, body: bytes, deadline: float | None, error: BaseException | None
) -> None:
    events, seen = Events(), list[object]()

    async def slow(input: None, ctx: None) -> None:
        seen.append("begun")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            seen.append(current_call().cancelled)
            raise

    app = make(public(slow), on_call=events.append, deadline_seconds=deadline)
    client = Client(app, call("slow", body), error)
    await until(lambda: client.reads > 1)
    assert seen == ["begun"]
    client.went.set()
    await client.ended()
    assert client.task.cancelling() == 0  # for whoever stands around the application

    assert seen == ["begun", True]
    assert [(each.code, each.status, each.route) for each in events] == [("CANCELLED", 499, "slow")]


@pytest.mark.unwatched
@pytest.mark.usefixtures("alert")
@pytest.mark.parametrize("deadline", [None, 60.0])
@pytest.mark.parametrize("body", [b"", b"null"])
async def test_a_thread_is_told_that_its_client_left(
    make: Make, gate: Gate, body: bytes, deadline: float | None, events: Events
) -> None:
    """Nothing can end it; its reply is dropped."""
    told: list[bool] = []

    def work(input: None, ctx: str) -> None:
        before = current_call().cancelled
        gate.wait()
        told.extend((before, current_call().cancelled))

    app = make(behind(anybody, work), on_call=events.append, deadline_seconds=deadline)
    client = Client(app, call("work", body, TOKEN))
    await gate.reached()
    client.went.set()
    await client.ended()
    gate.opened.set()
    await until(lambda: bool(told))

    assert (told, [event.code for event in events]) == ([False, True], ["CANCELLED"])


@pytest.mark.usefixtures("alert")
async def test_a_resolver_may_take_no_notice_of_a_client_that_has_gone(
    make: Make, events: Events
) -> None:
    """It is told of as it ends, and the task of the server is none the worse."""
    begun = asyncio.Event()

    async def stubborn(input: int, ctx: None) -> str:
        begun.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return "done"

    client = Client(make(public(stubborn), on_call=events.append), call("stubborn", b"1"))
    await begun.wait()
    client.went.set()
    await client.ended()
    assert client.task.cancelling() == 0

    assert [event.code for event in events] == ["OK"]


@pytest.mark.usefixtures("alert")
@pytest.mark.parametrize("deadline", [None, 60.0])
async def test_a_server_that_stops_is_heard_though_the_client_has_gone(
    make: Make, deadline: float | None, events: Events
) -> None:
    """A cancellation that is not ours goes on to whoever has asked for it."""
    cleaning = asyncio.Event()

    async def slow(input: int, ctx: None) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cleaning.set()
            await asyncio.Event().wait()

    app = make(public(slow), on_call=events.append, deadline_seconds=deadline)
    client = Client(app, call("slow", b"1"))
    await until(lambda: client.reads > 1)
    client.went.set()
    await cleaning.wait()
    client.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(client.task, 10)

    assert [event.code for event in events] == ["CANCELLED"]


@pytest.mark.parametrize("is_async", [False, True])
async def test_nobody_looks_after_the_client_of_a_prompt_call(
    make_early: Make, is_async: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("contract.adapters.loops.PROMPT", 60.0)

    async def quick_async(input: int, ctx: None) -> int:
        await asyncio.sleep(0)
        return input

    def quick(input: int, ctx: None) -> int:
        return input

    resolver: Any = quick_async if is_async else quick
    client = Client(make_early(public(resolver)), call(resolver.__name__, b"1"))
    await client.ended()

    assert (client.sent[0]["status"], client.reads) == (200, 1)
    left = weakref.ref(client)
    del client
    await until(lambda: is_left(left))  # not only then


async def test_who_waits_for_a_client_to_go_takes_the_body_and_no_more() -> None:
    """What comes after it is for whoever has read the body."""
    reads: list[str] = []

    async def receive() -> dict[str, Any]:
        reads.append("read")
        return {"type": "http.request"}

    with suppress(TimeoutError):
        await asyncio.wait_for(gone(receive), 0.01)

    assert len(reads) == 2


@pytest.mark.usefixtures("alert")
@pytest.mark.parametrize("deadline", [None, 60.0])
async def test_who_goes_away_when_all_is_done_cancels_nothing(
    make: Make, deadline: float | None, events: Events
) -> None:
    """Whether a client goes just before the resolver ends, in the same moment, or after the answer: one thing is told, and all is left."""
    clients: list[Client] = []

    async def work(input: int, ctx: None) -> None:
        await until(lambda: clients[-1].reads > 1)
        for turn in range(6):
            if turn == input:
                clients[-1].went.set()
            await asyncio.sleep(0)

    app = make(public(work), on_call=events.append, deadline_seconds=deadline)

    async def goes_on(scope: Any, receive: Any, send: Any) -> None:
        """The task of the server, which does more in it than the call."""
        await cast("Any", app)(scope, receive, send)
        await turns(5)

    for number in range(7):
        client = Client(goes_on, call("work", str(number).encode()))
        clients.append(client)
        await client.ended()
        client.went.set()
        # nobody goes on listening
        await until(lambda: clients[-1].reads == clients[-1].ended_reads)
        assert client.task.cancelling() == 0
        assert not client.task.cancelled()

    assert (events[0].code, events[-1].code, len(events)) == ("CANCELLED", "OK", 7)


@pytest.mark.usefixtures("alert")
async def test_the_end_of_a_body_that_another_gives_is_no_client_that_goes(gate: Gate) -> None:
    """Falcon's stream gives it again and again, and never tells that the client has gone."""

    class Begins:
        async def process_request(self, req: Any, resp: Any) -> None:
            assert req.stream is not None  # from here on the body is Falcon's to give

    def work(input: None, ctx: None) -> str:
        gate.wait()
        return "done"

    app = falcon.asgi.App(middleware=[Begins()])
    mount_spec(app, public(work), prefix="/v1")
    running = asyncio.create_task(talk(app, call("work", b"null")))
    await gate.reached()
    await turns(20)
    gate.opened.set()
    assert (await running).json() == "done"


class Scoped:
    """A ``receive`` that has to end in the task that it began in, and takes its time for that, as those of some frameworks do."""

    def __init__(self, request: RawRequest) -> None:
        self.request = request
        self.came = asyncio.Event()
        self.began: asyncio.Task[Any] | None = None
        self.ends: list[bool] = []

    async def __call__(self) -> Any:
        self.began = asyncio.current_task()
        try:
            await self.came.wait()
            return {"type": "http.request", "body": self.request.body}
        finally:
            await asyncio.sleep(0)
            self.ends.append(asyncio.current_task() is self.began)


async def nowhere(event: Any) -> None:
    """Take an event of a response."""


@rows(
    "what, code",
    ("refused", "UNAUTHORIZED"),
    ("cancelled", "CANCELLED"),
    ("let in", "OK"),
    ("too slow", "REQUEST_TIMEOUT"),
)
async def test_what_was_asked_too_early_is_taken_back(
    make_early: Make, gate: Gate, what: str, code: str, events: Events
) -> None:

    def hook(token: str, request: Request) -> str | None:
        gate.wait()
        return token if token != "refused" else None

    def me(input: int, ctx: str) -> str:
        return ctx

    asked = by(what.replace(" ", "-"))
    receive = Scoped(asked)
    patience = 0.02 if what == "too slow" else 10
    app = make_early(behind(hook, me), on_call=events.append, threads=2, read_seconds=patience)
    task = asyncio.create_task(cast("Any", app)(scope_of(asked), receive, nowhere))
    await gate.reached()
    assert receive.began is task
    assert receive.ends == []
    if what == "cancelled":
        task.cancel()
    gate.opened.set()
    if what == "let in":
        receive.came.set()
    await asyncio.wait({task})

    assert receive.ends == [True]
    assert task.cancelled() is (what == "cancelled")
    assert [event.code for event in events] == [code]


async def test_what_was_asked_too_early_is_taken_back_where_no_thread_is_free(gate: Gate) -> None:
    app: Any = bare(Slow(gate, "hook").spec(), threads=2, queue=0)
    for _ in range(2):
        app.lanes.hooks.submit(gate.wait, print)
    receive = Scoped(by("a"))
    began = time.monotonic()
    assert ((await answer(app, by("a"), receive)).status, receive.ends) == (503, [True])
    assert time.monotonic() - began < 0.9  # it is not waited for


async def test_a_call_that_finds_no_thread_is_no_hook_that_holds_one(gate: Gate) -> None:
    served_, request = threaded()

    app: Any = bare(served_, threads=2, queue=0)
    for _ in range(2):
        app.lanes.routes.submit(gate.wait, print)
    assert ((await talk(app, request)).status, app.lanes.asking) == (503, [])


TOKEN = ("Authorization", "Bearer a")
ENCODED = (JSON, TOKEN, ("Content-Encoding", "identity"))


def threaded(*, body: bytes = b"1") -> tuple[Spec[int], RawRequest]:
    """A spec whose hook and route say where they run."""

    def hook(token: str, request: Request) -> int:
        return threading.get_ident()

    def me(input: int | str, ctx: int) -> list[int]:
        return [ctx, threading.get_ident()]

    return behind(hook, me), call("me", body, TOKEN)


@pytest.mark.unwatched
@rows(
    "body, how, limits, together",
    pytest.param(b"1", {}, {}, True, id="small"),
    pytest.param(b'"%b"' % (b"a" * 65_534), {}, {}, True, id="just small"),
    pytest.param(b'"%b"' % (b"a" * 65_535), {}, {}, False, id="large"),
    pytest.param(b"11", {"part": 1}, {}, False, id="in parts"),
    pytest.param(b"1", {"chunked": True}, {}, False, id="in chunks"),
    pytest.param(b"1", {"headers": ENCODED}, {}, False, id="with an encoding"),
    pytest.param(b"1", {}, {"deadline_seconds": 60.0}, False, id="with deadlines"),
    pytest.param(b"1", {}, {"threads": 1}, False, id="in a small pool"),
)
def test_a_hook_and_a_resolver_share_a_thread(
    make: Make, body: bytes, how: dict[str, Any], limits: dict[str, Any], together: bool
) -> None:
    """Not where they have a deadline each, nor where hooks would take all threads."""
    served_, request = threaded(body=body)
    first, second = asyncio.run(talk(make(served_, **limits), replace(request, **how))).json()

    assert threading.get_ident() not in (first, second)
    assert (first == second) is together


@pytest.mark.unwatched
@pytest.mark.parametrize("deadline", [None, 60.0])
@pytest.mark.parametrize("where", PLACES)
async def test_a_call_that_is_cancelled_anywhere_leaves_its_room_behind(
    gate: Gate, where: str, deadline: float | None
) -> None:
    """After any number of turns of the loop, before its thread begins, while it runs, or just when it ends."""
    gate.opened.set()
    busy = Slow(gate, where)

    async def full() -> list[int]:
        """What comes of as many calls as there is room for, of which two wait in their threads, where threads wait at all."""
        gate.opened.clear()
        request = by("quick" if "async" in where else "slow")
        running = [asyncio.create_task(talk(app, request)) for _ in range(3)]
        await turns(20)
        gate.opened.set()
        return [(await each).status for each in running]

    app: Any = bare(busy.spec(), deadline_seconds=deadline, threads=2, queue=1)
    for number in range(12):
        for token, part in product(("slow", "quick"), (1, 2)):
            request = replace(by(token, part=part), body=b"11")
            task = asyncio.create_task(talk(app, request))
            await turns(number)
            task.cancel()
            await asyncio.wait({task})
    end = time.monotonic() + 10
    while await full() != [200] * 3:  # those that go on in a thread have to end first
        assert time.monotonic() < end
    assert app.lanes.asking == []


def test_an_answer_that_comes_with_its_deadline_counts(gate: Gate) -> None:
    """In one turn of the loop, as where something else has kept it."""
    slow = Slow(gate, "route")

    async def main() -> int:
        app: Any = bare(slow.spec(), threads=2, deadline_seconds=0.1)
        for _ in range(100):  # a busy machine may need more than one
            gate.opened.clear()
            running = asyncio.create_task(talk(app, by("slow")))
            while not (gate.entered.acquire(blocking=False) or running.done()):
                await asyncio.sleep(0.001)
            gate.opened.set()
            await_all(app)
            time.sleep(0.1)
            if (await running).status == 200:
                return 200
        return 504

    def await_all(app: Any) -> None:
        """Wait, and let the loop wait, until the thread has told it."""
        ended = threading.Semaphore(0)
        together = threading.Barrier(2)
        for _ in range(2):
            app.lanes.routes.submit(partial(together.wait, 10), lambda _: ended.release())
        for _ in range(2):
            assert ended.acquire(timeout=10)

    assert asyncio.run(main()) == 200


def test_a_loop_that_is_closed_leaves_the_threads_to_the_next(gate: Gate) -> None:
    slow = Slow(gate, "route")
    app = bare(slow.spec(), threads=2, queue=0)

    async def leave() -> None:
        running = asyncio.create_task(talk(app, by("slow")))
        await until(lambda: bool(slow.seen))
        assert not running.done()

    asyncio.run(leave())
    gate.opened.set()
    assert slow.ended.wait(10)

    async def main() -> list[int]:
        await answered(app, by("quick"))
        return [(await talk(app, by("quick"))).status for _ in range(3)]

    assert asyncio.run(main()) == [200] * 3


async def test_what_goes_on_apart_is_held_until_it_ends() -> None:
    """A loop holds its tasks only weakly, so one that nobody waits for might be collected."""
    tasks: list[weakref.ref[asyncio.Task[Any]]] = []

    async def waits() -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.append(weakref.ref(task))
        del task
        await asyncio.get_running_loop().create_future()

    waiter = asyncio.create_task(apart(waits, contextvars.copy_context()))
    await until(lambda: bool(tasks))
    waiter.cancel()
    await asyncio.wait({waiter})
    assert waiter.cancelled()
    del waiter
    gc.collect()
    going_on = tasks[0]()
    assert going_on is not None
    going_on.cancel()
    await asyncio.wait({going_on})
    del going_on
    await asyncio.sleep(0)
    gc.collect()
    assert tasks[0]() is None


async def test_what_goes_on_apart_and_is_cancelled_before_it_begins_has_raised_nothing() -> None:
    begun: list[str] = []

    async def begins() -> None:
        begun.append("begun")

    before = asyncio.all_tasks()
    waiter = asyncio.create_task(apart(begins, contextvars.copy_context()))
    await asyncio.sleep(0)  # the waiter makes the task, whose first step comes after this
    (task,) = asyncio.all_tasks() - before - {waiter}
    task.cancel()

    assert await waiter is None
    assert begun == []


async def test_a_thread_of_no_call_is_given_up_like_one_of_a_call() -> None:
    """Such as that of a document, which no route gives."""
    begun, opened = threading.Event(), threading.Event()

    def waits() -> None:
        begun.set()
        opened.wait()

    incoming: Any = AsgiIncoming(
        scope_of(call("slow", b"1")), "/v1/slow", dict, Lanes(Limits(threads=1)), cast("Any", None)
    )
    task = asyncio.ensure_future(in_thread(incoming, "routes", waits, ()))
    await until(begun.is_set)
    await cancelled(task)
    opened.set()
    assert incoming.hop.finish() is not None
