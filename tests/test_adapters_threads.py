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
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import coroutine
from typing import Any

import orjson
import pytest

from contract import CallEvent, Request, Spec, current_call, route, spec
from contract.adapters.background import BACKGROUND, BackgroundLoop
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.adapters.streams import Leaving
from contract.adapters.threads import ABSENT, respond_or_pause
from contract.call.incoming import Refused, whole
from contract.call.mount_options import Limits, Options
from tests import test_adapters_loops as loops
from tests.cli_servers import until
from tests.tables import rows
from tests.test_adapters_loops import Number, behind, by, numbered, public, wsgi_bare, wsgi_falcon
from tests.wire import site
from tests.wire.case import call
from tests.wire.exchange import Bare, Exchange, RawRequest, environ_of, through_wsgi

Make = Callable[..., Callable[..., Any]]


gate, serve = loops.gate, loops.serve


@pytest.fixture(params=[wsgi_bare, wsgi_falcon], ids=["bare", "falcon"])
def make(request: pytest.FixtureRequest) -> Any:
    return request.param


async def where(input: None, ctx: None) -> list[int]:
    return [id(asyncio.get_running_loop()), threading.get_ident(), os.getpid()]


def test_async_resolvers_of_a_process_share_one_loop() -> None:
    exchanges = [through_wsgi(make(public(where))) for make in (wsgi_bare, wsgi_falcon, wsgi_bare)]
    places = {tuple(exchange(call("where")).json()) for exchange in exchanges for _ in range(3)}

    assert len(places) == 1
    [(_, thread, process)] = places
    assert thread != threading.get_ident()
    assert process == os.getpid()


def test_the_loop_is_in_a_thread_that_does_not_outlive_the_process() -> None:
    async def here(input: None, ctx: None) -> list[str | bool]:
        thread = threading.current_thread()
        return [thread.name, thread.daemon]

    found = through_wsgi(wsgi_bare(public(here)))(call("here")).json()
    assert found == ["contract-async-resolvers", True]


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

    assert (status, process) == (0, child)
    assert identifier.rpartition("-")[0] != (ours.header("x-request-id") or "").rpartition("-")[0]
    assert exchange(call("where")).json() == ours.json()


def test_a_task_left_behind_cannot_stop_the_loop(
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


COLOUR: contextvars.ContextVar[str] = contextvars.ContextVar("colour", default="none")


def painted(*, is_async: bool, hook_is_async: bool) -> Spec[str]:
    """Hook and resolver look at a context variable, and set it."""

    def authenticate(token: str, request: Request) -> str:
        found = COLOUR.get()
        COLOUR.set(token)
        return found

    async def authenticate_async(token: str, request: Request) -> str:
        await asyncio.sleep(0)
        return authenticate(token, request)

    def look(input: None, ctx: str) -> list[str]:
        seen = [ctx, COLOUR.get(), current_call().route]
        COLOUR.set("left behind")
        return seen

    async def look_async(input: None, ctx: str) -> list[str]:
        await asyncio.sleep(0)
        seen = look(input, ctx)
        await asyncio.sleep(0)
        assert COLOUR.get() == "left behind"
        return seen

    made = route(summary="S", tags=["t"], name="look")
    hook: Any = authenticate_async if hook_is_async else authenticate
    return spec(authenticate=hook, routes=[made(look_async) if is_async else made(look)])


@pytest.mark.unwatched
@pytest.mark.parametrize("body", [b"", b"null"])
@pytest.mark.parametrize("deadline", [None, 60.0])
@pytest.mark.parametrize("hook_is_async", [False, True])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_context_is_of_one_call(
    serve: loops.Serve, is_async: bool, hook_is_async: bool, deadline: float | None, body: bytes
) -> None:
    """The resolver sees what the hook has set, and nobody sees what either has set afterwards."""
    api = painted(is_async=is_async, hook_is_async=hook_is_async)
    exchange = serve(api, threads=2, deadline_seconds=deadline)
    for token in ("red", "blue"):
        response = exchange(call("look", body, ("Authorization", f"Bearer {token}")))
        assert (response.json(), COLOUR.get()) == (["none", token, "look"], "none")
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
@rows(
    "route, token, status",
    ("me", site.TOKEN, 200),
    ("me.async", site.TOKEN, 200),
    ("me", "none", 401),
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
        found = in_threads(exchange, numbered(name), 10)
        assert found == [[number, f"id-{number}"] for number in range(60)]


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
        return [current_call().route, exchanges[0](call("inner")).json(), current_call().route]

    async def outer_async(input: None, ctx: None) -> list[str]:
        return outer(input, ctx)

    def inner(input: None, ctx: None) -> str:
        return current_call().route

    exchanges.append(through_wsgi(make(public(outer, outer_async, inner))))
    name = "outer_async" if outer_is_async else "outer"

    assert exchanges[0](call(name)).json() == [name, "inner", name]


def test_an_async_resolver_that_ignores_its_deadline_is_not_waited_for(make: Make) -> None:
    let_go, seen = threading.Event(), list[str]()

    async def stubborn(input: None, ctx: None) -> str:
        COLOUR.set("late")
        while not let_go.is_set():
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0.001)
        seen.append(COLOUR.get())
        return "late"

    async def look(input: None, ctx: None) -> list[str]:
        return seen

    exchange = through_wsgi(make(public(stubborn, look), deadline_seconds=0.02))
    response = exchange(call("stubborn"))
    let_go.set()
    until(lambda: exchange(call("look")).json())

    assert (response.status, response.json()) == (504, {"error": "DEADLINE_EXCEEDED"})
    assert seen == ["late"]


def test_a_reply_is_written_while_a_late_resolver_runs(make: Make) -> None:
    """Its context is entered by the loop just then, and one thread at a time can be in a context."""
    running, let_go, met = threading.Event(), threading.Event(), list[bool]()

    async def stubborn(input: None, ctx: None) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            running.set()
            let_go.wait(10)

    def on_call(_: CallEvent) -> None:
        met.append(running.wait(2))

    exchange = through_wsgi(make(public(stubborn), on_call=on_call, deadline_seconds=0.02))
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


def test_nothing_is_kept_of_a_step_until_its_deadline() -> None:
    async def thing() -> loops.Thing:
        return loops.Thing()

    result = BACKGROUND.run(wanted_of(thing, deadline=60.0))
    found = weakref.ref(result.value)
    del result
    until(lambda: loops.is_left(found))


def test_a_step_that_goes_on_after_its_deadline_is_kept_until_its_end() -> None:
    """A loop holds its tasks only weakly."""
    stubborn = loops.Stubborn()

    async def let_go() -> None:
        stubborn.let_go()

    assert isinstance(BACKGROUND.run(wanted_of(stubborn.run, deadline=0.01)).exception, Refused)
    BACKGROUND.call(asyncio.sleep, 0)
    BACKGROUND.call(let_go)
    assert stubborn.ended.wait(10)
    until(lambda: loops.is_left(stubborn.task))


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

    def is_there() -> bool:
        frame = sys._current_frames().get(thread.ident or 0)
        return frame is not None and frame.f_code.co_name == function

    until(is_there, pause=0.001)


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

    assert (exchange(call("cancels")).json(), given[0].status) == ("cancelled", 500)


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


def test_hanging_hooks_leave_routes_alone(
    make: Make, gate: loops.Gate, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def hangs(token: str, request: Request) -> str:
        gate.wait()
        return token

    def plain(input: None, ctx: None) -> str:
        return "still here"

    open_one: Any = route(summary="S", tags=["t"], auth="none")(plain)
    api = spec(authenticate=hangs, routes=[route(summary="S", tags=["t"])(loops.me), open_one])
    exchange = through_wsgi(make(api, deadline_seconds=0.05, threads=1, queue=0))
    secretly = call("me", b"", loops.TOKEN)
    assert exchange(secretly).status == 504
    until(lambda: exchange(call("plain")).status == 200)  # a busy machine may need more than one
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

    name = threading.current_thread().name if deadline is None else "contract-resolver"
    exchange = through_wsgi(make(behind(hook, me), deadline_seconds=deadline))

    assert exchange(by("a")).json() == [name, name]


def test_a_loop_that_cannot_begin_is_tried_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has no room for one more thread may have it later."""

    def full(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    loops: list[asyncio.AbstractEventLoop] = []
    new = asyncio.new_event_loop

    def begin() -> asyncio.AbstractEventLoop:
        loops.append(new())
        return loops[-1]

    monkeypatch.setattr("contract.adapters.threads.BACKGROUND", BackgroundLoop())
    exchange = through_wsgi(wsgi_bare(public(where)))
    with monkeypatch.context() as patched:
        patched.setattr(asyncio, "new_event_loop", begin)
        patched.setattr(threading.Thread, "start", full)
        refused = [exchange(call("where")) for _ in range(2)]

    for response in refused:
        assert (response.status, response.json()) == (503, {"error": "SERVICE_UNAVAILABLE"})
        assert response.header("retry-after") == "1"
    assert [loop.is_closed() for loop in loops] == [True, True]
    assert exchange(call("where")).status == 200


def test_an_async_resolver_that_calls_an_async_route_by_the_app_is_told_what_to_do(
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


@rows(
    "request_, status",
    *loops.REFUSED_EARLY,
    (RawRequest(body=b"x", chunked=True, terminated=False), 411),
)
def test_what_can_be_refused_is_refused_before_the_body_is_read(
    make: Make, request_: RawRequest, status: int
) -> None:
    environ = environ_of(request_)
    statuses: list[str] = []
    make(site.make_site())(environ, lambda found, _: statuses.append(found))

    assert int(statuses[0][:3]) == status
    assert not environ["wsgi.input"].touched


@rows("exception", OSError("reset"), ValueError("closed"), SystemExit(1), GeneratorExit())
@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("route", ["echo", "echo.async", "guarded"])
def test_whatever_a_stream_raises_is_a_400(
    make: Make, exception: BaseException, chunked: bool, route: str
) -> None:
    class Stream:
        def read(self, size: int) -> bytes:
            raise exception

    request = call(route, b"{}", ("Authorization", f"Bearer {site.TOKEN}"), chunked=chunked)
    environ = environ_of(request) | {"wsgi.input": Stream()}
    statuses: list[str] = []
    body = b"".join(make(site.make_site())(environ, lambda found, _: statuses.append(found)))

    assert statuses == ["400 Bad Request"]
    why = {"message": "The body could not be read."}
    assert orjson.loads(body) == {"error": "BAD_REQUEST", "data": why}
