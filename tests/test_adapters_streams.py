"""Responses in parts: when they are sent, and what becomes of a call whose client has gone."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import replace
from time import monotonic
from typing import Any, cast

import falcon
import falcon.asgi
import orjson
import pytest

from contract import Request, Spec, current_call, mount_spec, progress, provide, route, spec
from contract.adapters.asgi import AsgiApp
from contract.adapters.asgi_calls import AsgiIncoming
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.adapters.streams import MOST_PARTS, Leaving, stream_here
from contract.call.message import JSON_HEADERS, Response
from contract.call.mount_options import Limits, Options
from tests import test_adapters_loops as loops
from tests.mcp.talk import META, MODERN
from tests.test_adapters_loops import App, Events, Make, told, turns, until, wsgi_bare
from tests.test_adapters_loops import bare as asgi_bare
from tests.test_adapters_loops import in_falcon as asgi_falcon
from tests.test_adapters_loops import mounted as asgi_mounted
from tests.wire.exchange import JSON, Bare, RawRequest, environ_of, scope_of

ACCEPT = ("Accept", "application/json, text/event-stream")
HEADERS: tuple[tuple[str, str], ...] = (JSON, ACCEPT)
COLOUR: contextvars.ContextVar[str] = contextvars.ContextVar("colour", default="none")


def tool(resolver: Callable[[Any, Any], Any]) -> Spec[None]:
    return spec(routes={"work": route(summary="Work", tags=["t"], auth="none", mcp=True)(resolver)})


COMMENT = b": working\n\n"


def request(*, modern: bool = False, token: bool = True) -> RawRequest:
    """A call; a client that goes away has cancelled a *modern* one."""
    meta = {**(META if modern else {}), **({"progressToken": "t"} if token else {})}
    params = {"name": "work", "arguments": {}, "_meta": meta}
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    mirrored = (
        (("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/call"), ("Mcp-Name", "work"))
        if modern
        else ()
    )
    return RawRequest(target="/v1/mcp", headers=(*HEADERS, *mirrored), body=body)


def data(part: bytes) -> Any:
    """The message in an event."""
    assert part.startswith(b"event: message\ndata: ")
    assert part.endswith(b"\n\n")
    return orjson.loads(part[len(b"event: message\ndata: ") : -2])


def done(part: bytes) -> Any:
    return data(part)["params"]["progress"]


def result(part: bytes) -> Any:
    found = data(part)["result"]["structuredContent"]
    return found["result"] if isinstance(found, dict) else found


class Gate:
    """What a resolver waits at, until the test lets it through."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.opened = threading.Event()

    def wait(self) -> None:
        self.entered.set()
        assert self.opened.wait(10)

    async def wait_async(self) -> None:
        self.entered.set()
        while not self.opened.is_set():
            await asyncio.sleep(0)


events = loops.events


@pytest.fixture
def gate() -> Gate:
    return Gate()


def telling(gate: Gate, *, is_async: bool) -> Callable[..., Any]:
    """A resolver that tells of its progress before and after the gate."""

    def work(input: None, ctx: None) -> str:
        progress(1)
        gate.wait()
        progress(2)
        return f"done {current_call().surface}"

    async def work_async(input: None, ctx: None) -> str:
        progress(1)
        await gate.wait_async()
        progress(2)
        return f"done {current_call().surface}"

    return work_async if is_async else work


def endless(gate: Gate, noted: list[str], *, tells: bool = False) -> Callable[..., Any]:
    """A resolver that ends only when it is cancelled, and takes its time then."""

    async def work(input: None, ctx: None) -> str:
        if tells:
            progress(1)
        gate.entered.set()
        try:
            await asyncio.Event().wait()
        finally:
            await turns(5)
            noted.append("cancelled")
        raise AssertionError("nobody ends it otherwise")

    return work


WsgiMake = Callable[..., Callable[..., Any]]


def wsgi_falcon(served: Spec[Any], **options: Any) -> Callable[..., Any]:
    return mount_spec(falcon.App(), served, **told(options)).wsgi


@pytest.fixture(params=[wsgi_bare, wsgi_falcon], ids=["bare", "falcon"])
def make(request: pytest.FixtureRequest) -> Any:
    return request.param


def answered(app: Callable[..., Any], asked: RawRequest | None = None) -> Iterator[bytes]:
    """The parts of the response to `request`, as a WSGI server takes them, after the comment that goes out with the headers."""
    started: list[tuple[str, list[tuple[str, str]]]] = []
    parts = app(
        environ_of(asked or request()), lambda status, headers: started.append((status, headers))
    )
    [(status, headers)] = started
    found = {name.lower(): value for name, value in headers}
    assert (status, found["content-type"]) == ("200 OK", "text/event-stream")
    assert "content-length" not in found
    assert not isinstance(parts, list)
    found_parts: Iterator[bytes] = iter(parts)
    assert next(found_parts) == COMMENT
    return found_parts


@pytest.mark.parametrize("modern", [False, True])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_part_is_sent_while_the_call_goes_on(
    make: WsgiMake, is_async: bool, modern: bool, events: Events, gate: Gate
) -> None:

    app = make(tool(telling(gate, is_async=is_async)), on_call=events.append)
    parts = answered(app, request(modern=modern))
    assert (done(next(parts)), events) == (1, [])
    gate.opened.set()
    second, last = parts

    assert (done(second), result(last)) == (2, "done mcp")
    assert [(event.surface, event.tool, event.code) for event in events] == [("mcp", "work", "OK")]


def test_the_call_runs_in_its_own_context_all_the_same(make: WsgiMake) -> None:
    def work(input: None, ctx: None) -> str:
        progress(1)
        was = COLOUR.get()
        COLOUR.set("green")
        return f"{was} {current_call().route} {current_call().surface}"

    COLOUR.set("red")
    _, last = answered(make(tool(work)))

    assert (result(last), COLOUR.get()) == ("red work mcp", "red")


def test_more_parts_than_may_wait_are_dropped(make: WsgiMake, gate: Gate) -> None:

    def work(input: None, ctx: None) -> str:
        progress(1)
        gate.wait()
        for done in range(2, 1000):
            progress(done)
        gate.entered.set()
        return "done"

    parts = answered(make(tool(work)))
    assert done(next(parts)) == 1
    gate.entered.clear()
    gate.opened.set()
    assert gate.entered.wait(10)
    *between, last = parts

    assert [done(part) for part in between] == [*range(2, 2 + MOST_PARTS)]
    assert result(last) == "done"


def test_a_comment_goes_out_for_as_long_as_nothing_else_does(
    make: WsgiMake, monkeypatch: pytest.MonkeyPatch, gate: Gate
) -> None:
    """The headers with the first of them; a proxy would take a silent connection for dead."""
    monkeypatch.setattr("contract.adapters.streams.QUIET_SECONDS", 0.01)

    def work(input: None, ctx: None) -> str:
        gate.wait()
        return "done"

    parts = answered(make(tool(work)))
    assert [next(parts) for _ in range(3)] == [COMMENT] * 3
    gate.opened.set()
    *between, last = parts

    assert set(between) <= {COMMENT}
    assert result(last) == "done"


@pytest.mark.parametrize("modern", [False, True])
def test_on_wsgi_a_client_that_goes_may_cancel_an_async_route(
    make: WsgiMake, modern: bool, events: Events, gate: Gate
) -> None:
    """A server says so when it cannot write, by closing what it sends."""
    ended: list[str] = []

    async def work(input: None, ctx: None) -> str:
        try:
            await gate.wait_async()
            ended.append("done")
        finally:
            ended.append("over")
        return "done"

    parts: Any = answered(make(tool(work), on_call=events.append), request(modern=modern))
    assert gate.entered.wait(10)
    closing = threading.Thread(target=parts.close)
    closing.start()
    if not modern:
        assert ended == []
        gate.opened.set()
    closing.join(10)

    assert not closing.is_alive()
    assert ended == (["over"] if modern else ["done", "over"])
    [event] = events
    assert (event.tool, event.code, [*parts]) == ("work", "CANCELLED" if modern else "OK", [])


def test_on_wsgi_a_route_that_will_not_be_cancelled_is_told_of_as_cancelled(
    make: WsgiMake, events: Events, gate: Gate
) -> None:

    async def stubborn(input: None, ctx: None) -> str:
        gate.entered.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return "done"

    parts: Any = answered(make(tool(stubborn), on_call=events.append), request(modern=True))
    assert gate.entered.wait(10)
    parts.close()

    assert [event.code for event in events] == ["CANCELLED"]


@pytest.mark.parametrize("deadline", [None, 60.0])
@pytest.mark.parametrize("modern", [False, True])
def test_on_wsgi_a_thread_goes_on_to_its_end(
    make: WsgiMake, modern: bool, deadline: float | None, events: Events, gate: Gate
) -> None:
    """Nothing can end it but the end of the process; it may ask whether anybody waits for it still."""
    seen, threads = list[bool](), list[threading.Thread]()

    def work(input: None, ctx: None) -> str:
        threads.append(threading.current_thread())
        call = current_call()
        seen.append(call.cancelled)
        gate.entered.set()
        end = monotonic() + 10
        while modern and not call.cancelled and monotonic() < end:
            gate.opened.wait(0.001)
        gate.wait()
        seen.append(call.cancelled)
        return "done"

    app = make(tool(work), on_call=events.append, deadline_seconds=deadline)
    parts: Any = answered(app, request(modern=modern))
    assert gate.entered.wait(10)
    closing = threading.Thread(target=parts.close)
    closing.start()
    gate.opened.set()
    closing.join(10)

    assert not closing.is_alive()
    assert (seen, [event.code for event in events]) == ([False, modern], ["OK"])
    [thread] = threads
    assert thread.daemon
    assert deadline or thread.name == "contract-stream"


def test_a_client_may_go_before_there_is_anything_to_cancel() -> None:
    incoming = Bare(request(), Lanes(Limits()))
    leaving = Leaving(incoming)
    cancelled: list[str] = []
    leaving.go()
    assert (leaving.gone, incoming.cancelled) == (True, True)
    leaving.cancels(lambda: cancelled.append("late"))
    leaving.go()

    assert cancelled == ["late", "late"]


def quiet(input: None, ctx: None) -> str:
    return "done"


def breaks(parts: int) -> Callable[[Callable[[bytes], None]], Response]:
    """A call that breaks its word, which is to raise nothing, after so many parts."""

    def call(send: Callable[[bytes], None]) -> Response:
        for number in range(parts):
            send(b"%d" % number)
        raise KeyError("canary")

    return call


@pytest.mark.parametrize("sent", [0, 1, 3 * MOST_PARTS])
async def test_whoever_sends_hears_of_what_should_not_be(sent: int) -> None:
    """On a loop after what was sent before, as much of it as a client may be behind."""
    here = stream_here(breaks(sent))
    for thread in {thread for thread in threading.enumerate() if thread.name == "contract-stream"}:
        thread.join(10)
    taken: list[bytes] = []
    with pytest.raises(KeyError, match="canary"):
        taken.extend(here)

    kept = range(min(sent, MOST_PARTS))
    assert taken == [COMMENT, *(b"event: message\ndata: %d\n\n" % number for number in kept)]

    async def call(send: Callable[[bytes], None]) -> Response:
        return breaks(sent)(send)

    incoming = AsgiIncoming(scope_of(request()), "/", dict, Lanes(Limits()), nothing)
    there: Any = incoming.stream(call, nobody)
    given: list[bytes] = []

    async def take() -> None:
        while True:
            given.append(await anext(there))

    with pytest.raises(KeyError, match="canary"):
        await take()
    await there.close()
    assert given == taken


def nobody() -> None:
    raise AssertionError("it was cancelled")


@pytest.fixture(params=[asgi_bare, asgi_falcon, asgi_mounted], ids=["bare", "falcon", "mount"])
def make_async(request: pytest.FixtureRequest) -> Any:
    return request.param


class Client(loops.Client):
    """A client, that can be seen to take parts and can go away."""

    def __init__(
        self, app: App, asked: RawRequest | None = None, broken: BaseException | None = None
    ) -> None:
        super().__init__(app, asked or request(), broken)
        self.parts: asyncio.Queue[Any] = asyncio.Queue()
        self.refuses = False

    async def send(self, event: Any) -> None:
        if self.refuses or (self.went.is_set() and isinstance(self.broken, OSError)):
            raise ConnectionResetError
        self.parts.put_nowait(event)

    async def part(self) -> bytes:
        event = await asyncio.wait_for(self.parts.get(), 10)
        assert event["type"] == "http.response.body", event
        body: bytes = event.get("body", b"")
        return body

    async def begun(self) -> dict[str, str]:
        event = await asyncio.wait_for(self.parts.get(), 10)
        assert (event["type"], event["status"]) == ("http.response.start", 200)
        if (b"content-type", b"text/event-stream") in event["headers"]:
            assert await self.part() == COMMENT
        return {name.decode(): value.decode() for name, value in event["headers"]}

    async def ended(self, *, breaks: bool = False) -> None:
        """Falcon may let through to the server what it *breaks* with."""
        with suppress(ConnectionResetError) if breaks else nullcontext():
            await asyncio.wait_for(self.task, 10)


async def at_rest() -> None:
    """Nothing has been left behind that waits for a client."""
    await turns(5)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def told_of(events: Events) -> None:
    """Where a server refuses the headers, Falcon has no stream to close yet, and gives up before the call is over."""
    await until(lambda: bool(events))


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("modern", [False, True])
async def test_on_a_loop_too_a_part_is_sent_at_once(
    make_async: Make, is_async: bool, modern: bool, events: Events, gate: Gate
) -> None:

    app = make_async(tool(telling(gate, is_async=is_async)), on_call=events.append)
    client = Client(app, request(modern=modern))
    headers = await client.begun()
    assert headers["content-type"] == "text/event-stream"
    assert "content-length" not in headers
    assert (done(await client.part()), events) == (1, [])
    gate.opened.set()
    assert done(await client.part()) == 2
    assert result(await client.part()) == "done mcp"
    assert await client.part() == b""
    await client.ended()

    assert [(event.tool, event.code) for event in events] == [("work", "OK")]
    await at_rest()


@pytest.mark.parametrize(("token", "tells"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("error", [None, RuntimeError("canary"), ConnectionResetError()])
async def test_who_goes_cancels_an_async_route(
    make_async: Make, token: bool, tells: bool, error: BaseException | None, gate: Gate
) -> None:
    """Whether it listens or not, goes before the first part or after it, and however a server says so."""
    events, ended = Events(), list[str]()

    app = make_async(tool(endless(gate, ended, tells=tells)), on_call=events.append)
    client = Client(app, request(modern=True, token=token), error)
    await until(gate.entered.is_set)
    if tells:
        await client.begun()
        assert done(await client.part()) == 1
    client.went.set()
    await client.ended(breaks=isinstance(error, OSError))
    await told_of(events)

    assert ended == ["cancelled"]
    [event] = events
    assert (event.surface, event.route, event.tool) == ("mcp", "work", "work")
    assert (event.code, event.status) == ("CANCELLED", 499)


async def test_who_goes_before_the_headers_ends_the_values(events: Events) -> None:
    noted: list[str] = []

    @provide
    async def value() -> AsyncIterator[None]:
        try:
            yield
        except BaseException as raised:
            await asyncio.sleep(0)
            noted.append(f"rolled back by {type(raised).__name__}")
            raise

    async def authenticate(token: str, request: Request) -> str | None:
        await value()
        return token

    @route(summary="Work", tags=["t"], mcp=True)
    async def work(input: None, ctx: str) -> str:
        raise AssertionError("it does not begin")

    async def receive() -> Any:
        return {"type": "http.request", "body": asked.body}

    async def broken(event: Any) -> None:
        raise OSError

    served = spec(authenticate=authenticate, routes={"work": work})
    app = AsgiApp(service_of(served, Options(prefix="/v1", on_call=events.append)))
    asked = request(modern=True)
    asked = replace(asked, headers=(*asked.headers, ("Authorization", "Bearer t")))
    await app(scope_of(asked), receive, broken)

    assert noted == ["rolled back by CancelledError"]
    assert [event.code for event in events] == ["CANCELLED"]


async def test_a_part_that_cannot_be_sent_cancels_the_call(
    make_async: Make, events: Events, gate: Gate
) -> None:
    """A server that says only so that the client has gone."""

    async def work(input: None, ctx: None) -> str:
        progress(1)
        await gate.wait_async()
        progress(2)
        await asyncio.Event().wait()
        raise AssertionError("nobody ends it otherwise")

    client = Client(make_async(tool(work), on_call=events.append), request(modern=True))
    await client.begun()
    assert done(await client.part()) == 1
    client.refuses = True
    gate.opened.set()
    await client.ended(breaks=make_async is not asgi_bare)
    await told_of(events)

    assert [event.code for event in events] == ["CANCELLED"]
    await at_rest()


async def test_a_route_that_will_not_be_cancelled_is_told_of_as_it_ends(
    make_async: Make, events: Events, gate: Gate
) -> None:

    async def work(input: None, ctx: None) -> str:
        progress(1)
        gate.entered.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            progress(2)
        return "done"

    client = Client(make_async(tool(work), on_call=events.append), request(modern=True))
    await until(gate.entered.is_set)
    client.went.set()
    await client.ended()

    assert [event.code for event in events] == ["OK"]


@pytest.mark.parametrize("token", [False, True])
async def test_a_server_that_stops_cancels_the_call(
    make_async: Make, token: bool, events: Events, gate: Gate
) -> None:
    ended: list[str] = []

    app = make_async(tool(endless(gate, ended)), on_call=events.append)
    client = Client(app, request(modern=True, token=token))
    await until(gate.entered.is_set)
    client.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await client.ended()

    assert (ended, [event.code for event in events]) == (["cancelled"], ["CANCELLED"])


@pytest.mark.parametrize("token", [False, True])
async def test_a_thread_goes_on_without_its_client(
    make_async: Make, token: bool, events: Events, gate: Gate
) -> None:
    ended, seen = threading.Event(), list[bool]()

    def work(input: None, ctx: None) -> str:
        seen.append(current_call().cancelled)
        progress(1)
        gate.wait()
        progress(2)
        seen.append(current_call().cancelled)
        ended.set()
        return "done"

    app = make_async(tool(work), on_call=events.append)
    client = Client(app, request(modern=True, token=token))
    await until(gate.entered.is_set)
    client.went.set()
    await client.ended()
    gate.opened.set()

    assert await asyncio.to_thread(ended.wait, 10)
    assert (seen, [event.code for event in events]) == ([False, True], ["CANCELLED"])


async def test_on_a_loop_too_parts_that_nobody_takes_are_dropped(make_async: Make) -> None:
    async def work(input: None, ctx: None) -> str:
        for done in range(1, 1000):
            progress(done)
        return "done"

    client = Client(make_async(tool(work)))
    await client.begun()
    parts = [await client.part() for _ in range(MOST_PARTS + 2)]
    await client.ended()

    assert [done(part) for part in parts[:-2]] == [*range(1, MOST_PARTS + 1)]
    assert (result(parts[-2]), parts[-1]) == ("done", b"")


@pytest.mark.parametrize("modern", [False, True])
async def test_on_a_loop_too_comments_go_out_meanwhile(
    make_async: Make, monkeypatch: pytest.MonkeyPatch, modern: bool, gate: Gate
) -> None:
    monkeypatch.setattr("contract.adapters.streams.QUIET_SECONDS", 0.01)

    async def work(input: None, ctx: None) -> str:
        await gate.wait_async()
        return "done"

    client = Client(make_async(tool(work)), request(modern=modern))
    await client.begun()
    assert [await client.part() for _ in range(3)] == [COMMENT] * 3
    gate.opened.set()
    while (part := await client.part()) == COMMENT:
        pass
    await client.ended()

    assert result(part) == "done"


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("token", [False, True])
async def test_an_old_call_goes_on_without_its_client(
    make_async: Make, token: bool, is_async: bool, events: Events, gate: Gate
) -> None:
    """A lost connection is not a cancellation there."""
    ended: list[str] = []

    async def work_async(input: None, ctx: None) -> str:
        await gate.wait_async()
        ended.append("done")
        return "done"

    def work(input: None, ctx: None) -> str:
        gate.wait()
        ended.append("done")
        return "done"

    app = make_async(tool(work_async if is_async else work), on_call=events.append)
    client = Client(app, request(token=token))
    await until(gate.entered.is_set)
    client.went.set()
    client.refuses = True
    await turns(5)
    assert ended == []
    gate.opened.set()
    await client.ended(breaks=make_async is not asgi_bare)
    await told_of(events)

    assert (ended, [event.code for event in events]) == (["done"], ["OK"])


@pytest.mark.parametrize("refuses", [False, True])
async def test_a_server_that_stops_cancels_a_call_of_an_earlier_revision_too(
    refuses: bool, events: Events, gate: Gate
) -> None:
    """While it sends, or waits for the end of a call whose client has gone."""
    client = Client(asgi_bare(tool(endless(gate, [], tells=True)), on_call=events.append))
    client.refuses = refuses
    await until(gate.entered.is_set)
    await turns(5)
    client.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await client.ended()

    assert [event.code for event in events] == ["CANCELLED"]


async def test_a_call_whose_parts_nobody_sends_is_kept_until_its_end() -> None:
    """A loop holds its tasks only weakly."""
    stubborn = loops.Stubborn()

    async def call(send: Callable[[bytes], None]) -> Response:
        await stubborn.run()
        return Response(200, b"", "id", JSON_HEADERS, ())

    incoming = AsgiIncoming(scope_of(request()), "/", dict, Lanes(Limits()), nothing)
    there: Any = incoming.stream(call, nobody)
    await turns(3)
    del there
    stubborn.let_go()
    await turns(5)

    assert stubborn.ended.is_set()
    assert loops.is_left(stubborn.task)


async def nothing() -> Any:
    await asyncio.Event().wait()


def test_progress_after_the_loop_has_ended_is_nobodys(gate: Gate) -> None:
    told = threading.Event()

    def work(input: None, ctx: None) -> str:
        context = contextvars.copy_context()

        def late() -> None:
            gate.wait()
            context.run(progress, 1)
            told.set()

        threading.Thread(target=late).start()
        return "done"

    async def main() -> bytes:
        client = Client(asgi_bare(tool(work)))
        await client.begun()
        return await client.part()

    assert result(asyncio.run(main())) == "done"
    gate.opened.set()
    assert told.wait(10)


async def test_a_body_that_middleware_has_begun_to_read_does_not_end_the_call() -> None:
    class Reads:
        async def process_request(self, req: Any, resp: Any) -> None:
            assert req.stream is not None  # from here on the rest of the body is Falcon's to give

    async def work(input: None, ctx: None) -> str:
        progress(1)
        await turns(3)
        return "done"

    app = falcon.asgi.App(middleware=[Reads()])
    mount_spec(app, tool(work), prefix="/v1")
    client = Client(cast("App", app), request(modern=True))
    await client.begun()

    assert done(await client.part()) == 1
    assert result(await client.part()) == "done"
