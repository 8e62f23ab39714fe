"""Calls that run where they stand: threads, processes, and the loop for what is async."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import logging
import os
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import coroutine
from typing import Any, cast

import falcon
import orjson
import pytest

from contract import CallEvent, Request, Spec, current_call, route, spec
from contract.adapters.background import BACKGROUND, BackgroundLoop
from contract.adapters.falcon import mount_spec
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.adapters.streams import Leaving
from contract.adapters.threads import ABSENT, respond_or_pause
from contract.adapters.wsgi import WsgiApp
from contract.call.incoming import Refused, whole
from contract.call.mount_options import Limits, Options
from tests.test_adapters_loops import COLOUR, PLACES, Gate, Number, Slow, by, painted, public
from tests.wire import site
from tests.wire.case import call
from tests.wire.exchange import Bare, Exchange, RawRequest, environ_of, through_wsgi

App = Callable[..., Any]
Make = Callable[..., App]


def bare(served: Spec[Any], **options: Any) -> App:
    return WsgiApp(service_of(served, Options(prefix="/v1", **options)))


def in_falcon(served: Spec[Any], **options: Any) -> App:
    return mount_spec(falcon.App(), served, prefix="/v1", **options).app


@pytest.fixture(params=[bare, in_falcon], ids=["bare", "falcon"])
def make(request: pytest.FixtureRequest) -> Make:
    found: Make = request.param
    return found


async def where(input: None, ctx: None) -> list[int]:
    return [id(asyncio.get_running_loop()), threading.get_ident(), os.getpid()]


def test_async_resolvers_of_a_process_share_one_loop() -> None:
    exchanges = [through_wsgi(make(public(where))) for make in (bare, in_falcon, bare)]
    places = {tuple(exchange(call("where")).json()) for exchange in exchanges for _ in range(3)}

    assert len(places) == 1
    [(_, thread, process)] = places
    assert thread != threading.get_ident()
    assert process == os.getpid()


def test_the_loop_is_in_a_thread_that_does_not_outlive_the_process() -> None:
    async def here(input: None, ctx: None) -> list[str | bool]:
        thread = threading.current_thread()
        return [thread.name, thread.daemon]

    assert through_wsgi(bare(public(here)))(call("here")).json() == [
        "contract-async-resolvers",
        True,
    ]


def test_the_loop_rests_between_calls() -> None:
    async def rest() -> float:
        before = time.thread_time()
        await asyncio.sleep(0.1)
        return time.thread_time() - before

    BACKGROUND.call(asyncio.sleep, 0)
    assert BACKGROUND.call(rest) < 0.01


def test_what_is_kept_between_calls_stays_usable(make: Make) -> None:
    """Pools belong to one loop."""
    kept: list[asyncio.Queue[int]] = []

    async def put(input: int, ctx: None) -> int:
        if not kept:
            kept.append(asyncio.Queue())
        await kept[0].put(input)
        return kept[0].qsize()

    async def get(input: None, ctx: None) -> int:
        async with asyncio.timeout(5):
            return await kept[0].get()

    exchange = through_wsgi(make(public(put, get)))
    with ThreadPoolExecutor(2) as threads:
        assert exchange(call("put", b"1")).json() == 1
        assert exchange(call("get")).json() == 1
        waiting = threads.submit(exchange, call("get"))
        exchange(call("put", b"2"))
        assert waiting.result(5).json() == 2


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_has_a_loop_of_its_own(make: Make) -> None:
    exchange = through_wsgi(make(public(where)))
    ours = exchange(call("where"))
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        gc.disable()
        response = exchange(call("where"))
        os.write(writer, orjson.dumps([response.json(), response.header("x-request-id")]))
        os._exit(0)
    os.close(writer)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reader, "rb") as pipe:
        (_, _, process), identifier = orjson.loads(pipe.read())

    assert status == 0
    assert process == child
    prefix = identifier.rpartition("-")[0]
    assert prefix != (ours.header("x-request-id") or "").rpartition("-")[0]
    assert exchange(call("where")).json() == ours.json()


def test_a_task_that_was_left_behind_cannot_stop_the_loop(
    make: Make, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a thread of its own: in one in which much was thrown, CPython 3.11 no longer tells of lines
    monkeypatch.setattr("contract.adapters.threads.BACKGROUND", BackgroundLoop())
    tasks: list[asyncio.Task[None]] = []

    async def leave(input: None, ctx: None) -> str:
        async def later() -> None:
            raise SystemExit(3)

        tasks.append(asyncio.create_task(later()))
        return "left"

    async def stop(input: None, ctx: None) -> str:
        asyncio.get_running_loop().stop()
        return "stopped"

    async def again(input: None, ctx: None) -> str:
        await asyncio.sleep(0)
        return "again"

    exchange = through_wsgi(make(public(leave, stop, again)))
    with caplog.at_level(logging.ERROR, "contract"):
        assert exchange(call("leave")).json() == "left"
        assert exchange(call("again")).json() == "again"
        assert exchange(call("stop")).json() == "stopped"
        assert exchange(call("again")).json() == "again"

    assert "a task on the event loop raised" in caplog.text
    with pytest.raises(SystemExit):
        tasks.pop().result()


@pytest.mark.parametrize("deadline", [None, 60.0])
@pytest.mark.parametrize("hook_is_async", [False, True])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_context_belongs_to_one_call(
    make: Make, is_async: bool, hook_is_async: bool, deadline: float | None
) -> None:
    """The resolver sees what the hook has set, and nobody sees what either has set afterwards."""
    exchange = through_wsgi(
        make(
            painted(is_async=is_async, hook_is_async=hook_is_async),
            limits=Limits(deadline_seconds=deadline),
        )
    )
    for token in ("red", "blue"):
        assert exchange(call("look", b"", ("Authorization", f"Bearer {token}"))).json() == [
            "none",
            token,
            "look",
        ]
        assert COLOUR.get() == "none"
    with pytest.raises(LookupError, match="called as a plain function"):
        current_call()


def test_a_context_of_the_server_is_seen_by_the_resolver(make: Make) -> None:
    def look(input: None, ctx: None) -> str:
        return COLOUR.get()

    exchange = through_wsgi(make(public(look)))
    token = COLOUR.set("of the middleware")
    try:
        assert exchange(call("look")).json() == "of the middleware"
    finally:
        COLOUR.reset(token)


@pytest.mark.unwatched
@pytest.mark.parametrize("deadline", [None, 5.0])
@pytest.mark.parametrize(
    "name", ["ValueError", "SystemExit", "StopIteration", "CancelledError", "GeneratorExit"]
)
def test_what_an_async_resolver_raises_stays_on_the_loop(
    make: Make, name: str, deadline: float | None
) -> None:
    async def raises(input: None, ctx: None) -> None:
        site.MISBEHAVIOUR[name]()

    exchange = through_wsgi(make(public(raises, where), limits=Limits(deadline_seconds=deadline)))

    assert exchange(call("raises")).status == 500
    assert exchange(call("where")).status == 200


class Later(Bare):
    """A request whose body is there when somebody says so."""

    __slots__ = ("absent",)

    absent: bool

    def read(self, limit: int) -> Any:
        return self.wait(limit) if self.absent else super().read(limit)

    @coroutine
    def wait(self, limit: int) -> Generator[Any, Any, bytes]:
        yield ABSENT
        return super().read(limit)


@pytest.mark.parametrize("async_hook", [False, True])
@pytest.mark.parametrize(
    ("route", "token", "status"),
    [("me", site.TOKEN, 200), ("me.async", site.TOKEN, 200), ("me", "none", 401)],
)
def test_a_call_goes_as_far_as_it_can_without_its_body(
    route: str, token: str, status: int, async_hook: bool
) -> None:
    """And on from there in any thread."""
    service = service_of(site.make_site(async_hook=async_hook), Options(prefix="/v1"))
    incoming = Later(call(route, b"null", ("Authorization", f"Bearer {token}")), Lanes(Limits()))
    incoming.absent = True
    found = respond_or_pause(service, incoming)

    assert (found is not None) is (status == 200)
    if found is not None:
        with ThreadPoolExecutor(1) as threads:
            threads.submit(found.resume).result(10)
    assert whole(incoming.answered, incoming).status == status


def in_threads(exchange: Exchange, requests: list[RawRequest], threads: int) -> list[Any]:
    with ThreadPoolExecutor(threads) as pool:
        return [response.json() for response in pool.map(exchange, requests)]


def test_interleaved_calls_never_see_each_other(make: Make) -> None:
    var: contextvars.ContextVar[int] = contextvars.ContextVar("var")
    together = threading.Barrier(10)

    def swap(input: Number, ctx: None) -> list[int | str]:
        var.set(input.number)
        together.wait(10)
        return [var.get(), current_call().request_id]

    async def swap_async(input: Number, ctx: None) -> list[int | str]:
        var.set(input.number)
        await asyncio.sleep(0.001)
        return [var.get(), current_call().request_id]

    exchange = through_wsgi(make(public(swap, swap_async)))
    for name in ("swap", "swap_async"):
        requests = [
            call(name, orjson.dumps({"number": number}), ("X-Request-Id", f"id-{number}"))
            for number in range(60)
        ]
        assert in_threads(exchange, requests, 10) == [
            [number, f"id-{number}"] for number in range(60)
        ]


def test_many_first_calls_at_once_compile_one_route(make: Make) -> None:
    def first(input: Number, ctx: None) -> Number:
        return input

    exchange = through_wsgi(make(public(first)))
    requests = [call("first", orjson.dumps({"number": number})) for number in range(200)]

    assert in_threads(exchange, requests, 32) == [{"number": number} for number in range(200)]


@pytest.mark.parametrize("outer_is_async", [False, True])
def test_a_resolver_may_call_another_route_through_the_app(
    make: Make, outer_is_async: bool
) -> None:
    exchanges: list[Exchange] = []

    def outer(input: None, ctx: None) -> list[str]:
        before = current_call().route
        return [before, exchanges[0](call("inner")).json(), current_call().route]

    async def outer_async(input: None, ctx: None) -> list[str]:
        return outer(input, ctx)

    def inner(input: None, ctx: None) -> str:
        return current_call().route

    exchanges.append(through_wsgi(make(public(outer, outer_async, inner))))
    name = "outer_async" if outer_is_async else "outer"

    assert exchanges[0](call(name)).json() == [name, "inner", name]


def test_an_async_resolver_that_takes_no_notice_of_its_deadline_is_not_waited_for(
    make: Make,
) -> None:
    let_go = threading.Event()
    seen: list[str] = []

    async def stubborn(input: None, ctx: None) -> str:
        COLOUR.set("late")
        while not let_go.is_set():
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0.001)
        seen.append(COLOUR.get())
        return "late"

    async def look(input: None, ctx: None) -> list[str]:
        return seen

    exchange = through_wsgi(make(public(stubborn, look), limits=Limits(deadline_seconds=0.02)))
    response = exchange(call("stubborn"))
    let_go.set()
    end = time.monotonic() + 10
    assert any(exchange(call("look")).json() for _ in iter(lambda: time.monotonic() < end, False))

    assert (response.status, response.json()) == (504, {"error": "DEADLINE_EXCEEDED"})
    assert seen == ["late"]


def test_a_reply_is_written_while_a_late_resolver_runs(make: Make) -> None:
    """
    Its context is entered by the loop just then, and one thread at a time can be in a context.
    """
    running, let_go = threading.Event(), threading.Event()
    met: list[bool] = []

    async def stubborn(input: None, ctx: None) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            running.set()
            let_go.wait(10)

    def on_call(_: CallEvent) -> None:
        met.append(running.wait(2))

    exchange = through_wsgi(
        make(public(stubborn), on_call=on_call, limits=Limits(deadline_seconds=0.02))
    )
    try:
        assert exchange(call("stubborn")).status == 504
    finally:
        let_go.set()

    assert met == [True]


def wanted_of(fn: Callable[..., Any], *args: object, deadline: float | None = None) -> Any:
    """What a call asks a loop for: to await *fn*."""
    lanes = Lanes(Limits(deadline_seconds=deadline))
    return Bare(call("echo"), lanes).awaited(fn, *args).send(None)


def test_of_what_a_step_comes_to_only_the_first_counts() -> None:
    """A resolver that ends at once when its deadline cancels it must not change the answer that is being given."""
    ended = threading.Event()

    async def late() -> str:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        ended.set()
        return "late"

    result = BACKGROUND.run(wanted_of(late, deadline=0.001))
    assert ended.wait(10)
    assert BACKGROUND.call(asyncio.sleep, 0, "after it") == "after it"

    assert isinstance(result.exception, Refused)
    assert result.value is None


class Thing:
    """Something that can be seen to go away."""


def until_left(thing: weakref.ref[Any]) -> None:
    """Wait until nobody holds *thing* any more."""
    end = time.monotonic() + 10
    while gc.collect() >= 0 and thing() is not None:
        assert time.monotonic() < end
        time.sleep(0.001)


def test_nothing_is_kept_of_a_step_until_its_deadline() -> None:
    async def thing() -> Thing:
        return Thing()

    result = BACKGROUND.run(wanted_of(thing, deadline=60.0))
    found = weakref.ref(result.value)
    del result
    until_left(found)


def test_a_step_that_goes_on_after_its_deadline_is_kept_until_its_end() -> None:
    """A loop holds its tasks only weakly, and what this one waits for holds nothing else."""
    tasks: list[weakref.ref[Any]] = []
    gates: list[weakref.ref[Any]] = []
    ended = threading.Event()

    async def stubborn() -> None:
        gate = asyncio.Event()
        gates.append(weakref.ref(gate))
        tasks.append(weakref.ref(cast("Any", asyncio.current_task())))
        with suppress(asyncio.CancelledError):
            await gate.wait()
        await gate.wait()
        ended.set()

    async def let_go() -> None:
        gate = gates[0]()
        assert gate is not None
        gate.set()

    assert isinstance(BACKGROUND.run(wanted_of(stubborn, deadline=0.01)).exception, Refused)
    BACKGROUND.call(asyncio.sleep, 0)
    gc.collect()
    BACKGROUND.call(let_go)
    assert ended.wait(10)
    until_left(tasks[0])


def test_a_loop_gives_what_an_async_function_does() -> None:
    async def gives(value: int) -> int:
        if not value:
            raise KeyError(COLOUR.get())
        return value

    assert BACKGROUND.call(gives, 3) == 3
    with pytest.raises(KeyError, match="none"):
        BACKGROUND.call(gives, 0)


def until_in(thread: threading.Thread, function: str) -> None:
    """Wait until *thread* has come to *function*, in which it is kept waiting."""
    end = time.monotonic() + 10
    while (
        thread.ident is None
        or (frame := sys._current_frames().get(thread.ident)) is None
        or frame.f_code.co_name != function
    ):
        assert time.monotonic() < end
        time.sleep(0.001)


def test_a_step_that_is_cancelled_before_it_begins_is_answered_all_the_same(make: Make) -> None:
    """By a resolver that cancels whatever runs on its loop."""
    given: list[Any] = []

    async def never(input: None, ctx: None) -> None:
        raise AssertionError("it has begun")

    async def cancels(input: None, ctx: None) -> str:
        calling = threading.Thread(target=lambda: given.append(exchange(call("never"))))
        calling.start()
        until_in(calling, "wait")
        await asyncio.sleep(0)  # the loop hears of the call
        await asyncio.sleep(0)  # and is about to begin it
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.to_thread(calling.join, 10)
        return "cancelled"

    exchange = through_wsgi(make(public(never, cancels)))

    assert exchange(call("cancels")).json() == "cancelled"
    assert given[0].status == 500


def test_first_calls_at_once_begin_one_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = BackgroundLoop()
    loops: list[asyncio.AbstractEventLoop] = []
    calling = threading.Thread(target=lambda: loop.call(asyncio.sleep, 0))

    def begin() -> asyncio.AbstractEventLoop:
        calling.start()
        until_in(calling, "_running")
        loops.append(new())
        return loops[-1]

    new = asyncio.new_event_loop
    monkeypatch.setattr(asyncio, "new_event_loop", begin)
    assert loop.call(asyncio.sleep, 0, "slept") == "slept"
    calling.join(10)

    assert not calling.is_alive()
    assert len(loops) == 1


def test_a_step_whose_client_has_gone_before_it_begins_is_cancelled() -> None:
    incoming = Bare(call("echo"), Lanes(Limits()))
    leaving = Leaving(incoming)
    leaving.go()
    result = BACKGROUND.run(wanted_of(asyncio.sleep, 60), leaving)

    assert isinstance(result.exception, asyncio.CancelledError)
    assert incoming.cancelled


@pytest.fixture
def gate() -> Iterator[Gate]:
    found = Gate()
    yield found
    found.opened.set()


@pytest.mark.parametrize("where", PLACES)
def test_each_step_has_a_deadline(make: Make, gate: Gate, where: str) -> None:
    """
    What is async is cancelled.

    A thread goes on, with its reply dropped, and is used again once it has come to its end.
    """
    events: list[CallEvent] = []
    slow = Slow(gate, where)
    exchange = through_wsgi(
        make(
            slow.spec(),
            on_call=events.append,
            limits=Limits(deadline_seconds=0.02, threads=1, queue=0),
        )
    )
    first = exchange(by("slow"))
    assert (first.status, first.json()) == (504, {"error": "DEADLINE_EXCEEDED"})
    while not slow.seen:  # on a busy machine a thread may begin too late
        assert exchange(by("slow")).status in (503, 504)
    if "async" not in where:
        assert exchange(by("slow")).status == 503
        gate.opened.set()
    assert slow.ended.wait(10)
    end = time.monotonic() + 10
    while exchange(by("quick")).status != 200:
        assert time.monotonic() < end

    assert {event.code for event in events[:-1]} <= {"DEADLINE_EXCEEDED", "SERVICE_UNAVAILABLE"}


@pytest.mark.parametrize("where", ["route", "hook"])
def test_a_deadline_holds_in_the_queue_too(make: Make, gate: Gate, where: str) -> None:
    """Who has left the queue is not run, and gives back the room."""
    slow = Slow(gate, where)
    exchange = through_wsgi(
        make(slow.spec(), limits=Limits(deadline_seconds=0.02, threads=1, queue=1))
    )
    while not slow.seen:
        assert exchange(by("slow")).status == 504
    assert [exchange(by("slow")).status for _ in range(3)] == [504] * 3
    gate.opened.set()
    assert slow.ended.wait(10)

    assert slow.seen == ["begun"]


def test_hooks_that_hang_leave_the_threads_of_routes_alone(
    make: Make,
    gate: Gate,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def hangs(token: str, request: Request) -> str:
        gate.wait()
        return token

    def secret(input: None, ctx: str) -> str:
        return ctx

    def plain(input: None, ctx: None) -> str:
        return "still here"

    served = spec(
        authenticate=hangs,
        routes=[
            route(summary="S", tags=["t"])(secret),
            route(summary="S", tags=["t"], auth="none")(plain),
        ],
    )
    limits = Limits(deadline_seconds=0.05, threads=1, queue=0)
    exchange = through_wsgi(make(served, limits=limits))
    secretly = call("secret", b"", ("Authorization", "Bearer a"))
    assert exchange(secretly).status == 504
    end = time.monotonic() + 5
    while exchange(call("plain")).status != 200:  # a busy machine may need more than one
        assert time.monotonic() < end
    monkeypatch.setattr("contract.adapters.pool.STUCK", 0.0)
    with caplog.at_level("ERROR", "contract.errors"):
        assert exchange(secretly).status == 503

    assert "all 1 threads for hooks have been busy" in caplog.text


@pytest.mark.parametrize("deadline", [None, 60.0])
def test_what_is_synchronous_runs_beside_the_server_only_where_it_has_a_deadline(
    make: Make, deadline: float | None
) -> None:
    def hook(token: str, request: Request) -> str:
        return threading.current_thread().name

    def me(input: int, ctx: str) -> list[str]:
        return [ctx, threading.current_thread().name]

    served = spec(authenticate=hook, routes=[route(summary="S", tags=["t"])(me)])
    name = threading.current_thread().name if deadline is None else "contract-resolver"

    assert through_wsgi(make(served, limits=Limits(deadline_seconds=deadline)))(by("a")).json() == [
        name,
        name,
    ]


def test_where_the_loop_cannot_begin_it_is_tried_again_at_the_next_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine that has no room for one more thread may have it later."""

    def full(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    loops: list[asyncio.AbstractEventLoop] = []
    new = asyncio.new_event_loop

    def begin() -> asyncio.AbstractEventLoop:
        loops.append(new())
        return loops[-1]

    monkeypatch.setattr("contract.adapters.threads.BACKGROUND", BackgroundLoop())
    exchange = through_wsgi(bare(public(where)))
    with monkeypatch.context() as patched:
        patched.setattr(asyncio, "new_event_loop", begin)
        patched.setattr(threading.Thread, "start", full)
        refused = [exchange(call("where")) for _ in range(2)]

    assert [
        (response.status, response.json(), response.header("retry-after")) for response in refused
    ] == [(503, {"error": "SERVICE_UNAVAILABLE"}, "1")] * 2
    assert [loop.is_closed() for loop in loops] == [True, True]
    assert exchange(call("where")).status == 200


def test_an_async_resolver_that_calls_an_async_route_through_the_app_is_told_what_to_do(
    make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    """The loop would wait for itself, and with it every other call."""
    exchanges: list[Exchange] = []

    async def outer(input: None, ctx: None) -> Any:
        return exchanges[0](call("inner")).json()

    async def inner(input: None, ctx: None) -> str:
        return "inner"

    exchange = through_wsgi(make(public(outer, inner)))
    exchanges.append(exchange)
    with ThreadPoolExecutor(1) as threads:
        response = threads.submit(exchange, call("outer")).result(10)
        after = threads.submit(exchange, call("inner")).result(10)

    assert response.json() == {"error": "INTERNAL_ERROR"}
    assert "await that route's resolver instead" in caplog.text
    assert after.json() == "inner"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (RawRequest(target="/v1/nope", body=b"x"), 404),
        (RawRequest(method="PUT", body=b"x"), 405),
        (call("guarded", b"x"), 401),
        (call("guarded", b"x", ("Authorization", "Bearer none")), 401),
        (RawRequest(length="999999999"), 413),
        (RawRequest(headers=(("Content-Type", "text/plain"),), body=b"x"), 415),
        (RawRequest(body=b"x", chunked=True, terminated=False), 411),
        (RawRequest(target="/v1/ping", headers=()), 200),
    ],
)
def test_what_can_be_refused_is_refused_before_the_body_is_read(
    make: Make, request_: RawRequest, status: int
) -> None:
    environ = environ_of(request_)
    statuses: list[str] = []
    make(site.make_site())(environ, lambda found, _: statuses.append(found))

    assert int(statuses[0][:3]) == status
    assert not environ["wsgi.input"].touched


@pytest.mark.parametrize(
    "exception", [OSError("reset"), ValueError("closed"), SystemExit(1), GeneratorExit()]
)
@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("route", ["echo", "echo.async", "guarded"])
def test_whatever_a_stream_raises_is_a_400(
    make: Make, exception: BaseException, chunked: bool, route: str
) -> None:
    class Stream:
        def read(self, size: int) -> bytes:
            raise exception

    environ = environ_of(
        call(route, b"{}", ("Authorization", f"Bearer {site.TOKEN}"), chunked=chunked)
    ) | {"wsgi.input": Stream()}
    statuses: list[str] = []
    body = b"".join(make(site.make_site())(environ, lambda found, _: statuses.append(found)))

    assert statuses == ["400 Bad Request"]
    assert orjson.loads(body) == {
        "error": "BAD_REQUEST",
        "data": {"message": "The body could not be read."},
    }
