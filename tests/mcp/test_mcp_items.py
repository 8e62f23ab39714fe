"""Streams as tools: the items together, each as progress, and what may end them early."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from time import monotonic
from typing import Any, cast, get_args

import orjson
import pytest
from jsonschema.validators import validator_for  # type: ignore[import-untyped]

from contract import CallEvent, Limits, Spec, Stream, provide, route, spec
from contract.adapters import thread_items
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.mount_options import Options
from contract.mcp.items import LONGEST_SECONDS, MOST_BYTES, MOST_ITEMS
from tests.cli_servers import until
from tests.mcp.talk import META, MODERN, called, written
from tests.streamed import NOTED, Asks, Kind, make
from tests.tables import rows
from tests.wire.exchange import JSON, RawRequest, Transport, environ_of, loop, scope_of, serve

BOTH = ("Accept", "application/json, text/event-stream")
TOKEN = ("Authorization", "Bearer t")
PATIENCE = 20.0
"""Seconds until a test gives up."""

ITEM_0, ITEM_1 = {"n": 0, "text": ""}, {"n": 1, "text": ""}
INTERNAL = {"error": "INTERNAL_ERROR"}
ITEM = '{{"n":{},"text":""}}'
INTERRUPTED = {"error": "INTERRUPTED", "data": {"after": 2}}
RESULTS: dict[Asks, tuple[list[Any], Any, str, int]] = {
    "items": ([ITEM_0, ITEM_1], None, "OK", 200),
    "nothing": ([], None, "OK", 200),
    "interrupted": ([ITEM_0, ITEM_1], INTERRUPTED, "INTERRUPTED", 409),
    "wrong": ([ITEM_0, ITEM_1], INTERNAL, "INTERNAL_ERROR", 500),
    "undeclared": ([ITEM_0, ITEM_1], INTERNAL, "INTERNAL_ERROR", 500),
    "raise": ([ITEM_0, ITEM_1], INTERNAL, "INTERNAL_ERROR", 500),
    "unicode": ([ITEM_0, {"n": 1, "text": "a\u2028b\u0085c"}], None, "OK", 200),
}
"""The items, the failure, and the code and the status in the log."""


def asking(
    arguments: Any = None, *, modern: bool = False, progress: bool = False, tool: str = "chat"
) -> RawRequest:
    meta = {**(META if modern else {}), **({"progressToken": "p"} if progress else {})}
    body = written("tools/call", called(tool, arguments or {}, **meta))
    named = (("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/call"), ("Mcp-Name", tool))
    headers = (JSON, BOTH, TOKEN, *(named if modern else ()))
    return RawRequest(target="/v1/mcp", headers=headers, body=body)


def events_in(body: bytes) -> list[Any]:
    """The messages in the events of a *body*."""
    lines = body.decode().split("\n")
    return [orjson.loads(line[6:]) for line in lines if line.startswith("data: ")]


@pytest.fixture(autouse=True)
def nothing_noted() -> Iterator[None]:
    NOTED.clear()
    yield
    NOTED.clear()


@cache
def judge_of(schema: bytes) -> Any:
    """A validator of a tool's *schema*, which is looked at itself once: that takes longest."""
    found = orjson.loads(schema)
    kind = validator_for(found)
    kind.check_schema(found)
    return kind(found)


@pytest.mark.unwatched
@rows("is_async", False, True, ids=["iterator", "async-iterator"])
@rows("door", "public", "bearer", "async")
def test_a_tool_gives_the_items_and_the_failure_that_ended_them(
    transport: Transport, is_async: bool, door: str
) -> None:
    events: list[CallEvent] = []
    for kind in get_args(Kind):
        api = make(kind, is_async=is_async, door=door, mcp=True)
        exchange = serve(transport, api, on_call=events.append)
        listing = written("tools/list")
        request = RawRequest(target="/v1/mcp", headers=(JSON, BOTH, TOKEN), body=listing)
        [tool] = exchange(request).json()["result"]["tools"]
        judge = judge_of(orjson.dumps(tool["outputSchema"]))
        NOTED.clear()
        events.clear()
        for asks, (items, failure, code, status) in RESULTS.items():
            result = exchange(asking({"asks": asks})).json()["result"]
            found = result["structuredContent"]
            judge.validate(found)
            assert found == {"items": items, "complete": failure is None}
            assert result.get("isError", False) is (failure is not None)
            texts = [orjson.loads(content["text"]) for content in result["content"]]
            assert texts == ([found] if failure is None else [failure, found])
            [event] = events
            logged = (event.surface, event.tool, event.code, event.status)
            assert logged == ("mcp", "chat", code, status)
            assert NOTED[0] == "closed"
            events.clear()
            NOTED.clear()
        refused = exchange(asking({"asks": "refused"})).json()["result"]
        assert (refused["isError"], "structuredContent" in refused) == (True, False)
        wrong = exchange(asking({"asks": "no such"})).json()["result"]
        assert "VALIDATION_ERROR" in wrong["content"][0]["text"]
        events.clear()


@pytest.mark.unwatched
@rows("is_async", False, True, ids=["iterator", "async-iterator"])
@rows("modern", False, True)
def test_who_asks_for_progress_hears_each_item_as_it_comes(
    transport: Transport, modern: bool, is_async: bool
) -> None:
    exchange = serve(transport, make("sync", is_async=is_async, door="bearer", mcp=True))
    asked = asking({"asks": "interrupted", "uses": "iterator"}, modern=modern, progress=True)
    response = exchange(asked)
    *notes, last = events_in(response.body)

    assert {note["method"] for note in notes} == {"notifications/progress"}
    assert [note["params"] for note in notes] == [
        {"progressToken": "p", "progress": at + 1, "message": ITEM.format(at)} for at in (0, 1)
    ]
    assert (last["id"], last["result"]["isError"]) == (1, True)
    assert last["result"]["structuredContent"]["items"] == [ITEM_0, ITEM_1]
    assert last["result"].get("resultType") == ("complete" if modern else None)
    assert any("rolled back" in noted for noted in NOTED)


def test_calls_of_a_batch_are_gathered_one_by_one(transport: Transport) -> None:
    one = orjson.loads(asking({"uses": "both"}, progress=True).body)
    body = orjson.dumps([one, {**one, "id": 2}])
    exchange = serve(transport, make("sync", is_async=False, door="bearer", mcp=True))
    request = RawRequest(target="/v1/mcp", headers=(JSON, BOTH, TOKEN), body=body)

    for answer in exchange(request).json():
        assert answer["result"]["structuredContent"]["items"] == [ITEM_0, ITEM_1]


# Bounds.


@provide
def noted() -> Iterator[None]:
    try:
        yield
    except BaseException as raised:
        NOTED.append(f"rolled back: {raised!r}")
        raise
    NOTED.append("committed")


def giving(items: Callable[[], Any]) -> Spec[None]:
    """A spec with the tool ``items``, which gives *items*."""

    def resolver(input: None, ctx: None) -> Stream[int | str]:
        return Stream(items())

    decorate: Any = route(summary="Items", tags=["t"], auth="none", mcp=True)
    return spec(routes={"items": decorate(resolver)})


def counting(most: int, size: int = 0) -> Callable[[], Iterator[int | str]]:
    """Gives so many items, as texts of that *size* where there is one."""

    def items() -> Iterator[int | str]:
        noted()
        try:
            for number in range(most):
                yield "x" * (size - 2) if size else number
        finally:
            NOTED.append("closed")

    return items


@rows("transport", "wsgi", "asgi")
@rows(
    "most, size, kept",
    (MOST_ITEMS, 0, MOST_ITEMS), (MOST_ITEMS + 1, 0, MOST_ITEMS), (10**9, 0, MOST_ITEMS),
    (10, MOST_BYTES // 10, 10), (11, MOST_BYTES // 10, 10), (1, MOST_BYTES + 1, 0),
)  # fmt: skip
def test_a_result_has_a_bound_behind_which_the_stream_is_closed_and_ends_well(
    transport: Transport, most: int, size: int, kept: int
) -> None:
    events: list[CallEvent] = []
    exchange = serve(transport, giving(counting(most, size)), on_call=events.append)
    result = exchange(asking(tool="items")).json()["result"]
    found, complete = result["structuredContent"], most == kept

    assert (len(found["items"]), found["complete"]) == (kept, complete)
    assert "isError" not in result
    cut = [f"The stream was closed after {kept} items, since one result holds no more"]
    expected = [] if complete else cut
    assert [each["text"].partition(";")[0] for each in result["content"][1:]] == expected
    assert NOTED == ["closed", "committed"]
    assert [event.code for event in events] == ["OK"]


@rows("transport", "wsgi", "asgi")
@rows("is_async", False, True, ids=["iterator", "async-iterator"])
@rows("of_mount, ahead", (5.0, 6.0), (None, LONGEST_SECONDS + 1))
def test_a_stream_that_takes_too_long_fails_with_what_there_is(
    transport: Transport,
    is_async: bool,
    of_mount: float | None,
    ahead: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(thread_items, "PATIENCE", 0.02)
    monkeypatch.setattr(thread_items, "LOOK_SECONDS", 0.02)
    passed: list[float] = []
    over = threading.Event()
    of_loop = loop().time
    monkeypatch.setattr(thread_items, "monotonic", lambda: monotonic() + sum(passed))
    monkeypatch.setattr(loop(), "time", lambda: of_loop() + sum(passed))

    def pass_time() -> None:
        passed.append(ahead)
        loop().call_soon_threadsafe(lambda: None)

    async def later() -> AsyncIterator[int]:
        yield 0
        pass_time()
        await asyncio.Event().wait()

    def here() -> Iterator[int]:
        yield 0
        pass_time()
        assert over.wait(PATIENCE)

    limits = Limits(stream_seconds=of_mount)
    exchange = serve(transport, giving(later if is_async else here), limits=limits)
    result = exchange(asking(tool="items")).json()["result"]
    over.set()

    assert result["isError"]
    assert orjson.loads(result["content"][0]["text"]) == {"error": "DEADLINE_EXCEEDED"}
    assert result["structuredContent"] == {"items": [0], "complete": False}


def test_an_iterator_that_cancels_itself_is_broken() -> None:
    async def cancels() -> AsyncIterator[int]:
        yield 0
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)

    result = serve("asgi", giving(cancels))(asking(tool="items")).json()["result"]

    found = [orjson.loads(each["text"]) for each in result["content"]]
    assert found == [INTERNAL, {"items": [0], "complete": False}]


# A client that goes away.


class Waiting:
    """An iterator that gives an item, and then waits until it is let go on."""

    def __init__(self) -> None:
        self.waits = asyncio.Event()
        self.goes_on = asyncio.Event()
        self.ended_by: list[str] = []

    async def items(self) -> AsyncIterator[int]:
        try:
            yield 0
            self.waits.set()
            await self.goes_on.wait()
            yield 1
        except BaseException as raised:
            self.ended_by.append(type(raised).__name__)
            raise


@rows("progress", False, True)
@rows("modern", False, True)
def test_a_client_that_goes_away_closes_the_stream_where_its_revision_says_so(
    modern: bool, progress: bool
) -> None:
    async def run() -> None:
        waiting, events = Waiting(), list[CallEvent]()
        options = Options(prefix="/v1", on_call=events.append)
        request = asking(tool="items", modern=modern, progress=progress)
        body = [{"type": "http.request", "body": request.body}]
        left = asyncio.Event()

        async def receive() -> Any:
            if body:
                return body.pop()
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(event: Any) -> None:
            pass

        app: Any = AsgiApp(service_of(giving(waiting.items), options))
        running = asyncio.create_task(app(scope_of(request), receive, send))
        await waiting.waits.wait()
        left.set()
        if not modern:
            waiting.goes_on.set()
        await running

        code = "CANCELLED" if modern else "OK"
        assert [event.code for event in events] == [code]
        assert waiting.ended_by == (["CancelledError"] if modern else [])

    async def within() -> None:
        async with asyncio.timeout(PATIENCE):
            await run()

    asyncio.run(within())


def test_a_client_of_threads_that_goes_away_closes_the_stream(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(thread_items, "LOOK_SECONDS", 0.02)
    events: list[CallEvent] = []
    closed, goes_on = threading.Event(), threading.Event()

    def items() -> Iterator[int]:
        try:
            yield 0
            assert goes_on.wait(PATIENCE)
            yield 1
        finally:
            closed.set()

    options = Options(prefix="/v1", on_call=events.append)
    service = service_of(giving(items), options)
    request = asking(tool="items", modern=True, progress=True)
    parts: Any = WsgiApp(service)(environ_of(request), lambda *_: None)
    while b"notifications/progress" not in next(parts):
        pass
    [stream] = cast("Any", service.streams)._open
    monkeypatch.setattr(thread_items, "PATIENCE", 0.02)
    parts.close()
    until(lambda: stream._leaving.gone)
    goes_on.set()

    assert closed.wait(PATIENCE)
    assert [event.code for event in events] == ["CANCELLED"]
