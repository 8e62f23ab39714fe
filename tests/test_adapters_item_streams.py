"""Streams on an event loop and in threads: who has gone, who is slow, who is quiet, who is late."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import re
import sys
import threading
import weakref
from collections.abc import AsyncIterator, Callable, Container, Generator, Iterator
from contextlib import closing, nullcontext, suppress
from time import monotonic
from typing import Any, cast

import pytest

from contract import (
    CallEvent,
    CallFailed,
    Failure,
    ServiceUnavailable,
    Spec,
    Stream,
    after_commit,
    current_call,
    provide,
    route,
    spec,
)
from contract.adapters import item_streams, thread_items, threads
from contract.adapters import pool as pools
from contract.adapters.asgi import AsgiApp
from contract.adapters.item_streams import MOST_PARTS
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes, Pool, Queued
from contract.adapters.streams import QUIET_SECONDS
from contract.adapters.wsgi import WsgiApp
from contract.call.incoming import Refused
from contract.call.mount_options import Limits, Options
from contract.call.service import Service
from contract.call.streaming import Flow
from tests.wire.exchange import JSON, Bare, RawRequest, environ_of, scope_of

QUIET = b": working\n\n"
END = b"event: end\ndata: {}\n\n"
BUSY = b'event: error\ndata: {"error":"SERVICE_UNAVAILABLE"}\n\n'
BROKEN = b'event: error\ndata: {"error":"INTERNAL_ERROR"}\n\n'
LATE = b'event: error\ndata: {"error":"DEADLINE_EXCEEDED"}\n\n'
PATIENCE = 60.0
"""Seconds until a test gives up, by the clock that tests move on, too."""

REQUEST = RawRequest(target="/v1/items", headers=(JSON,), body=b"null")


def data(value: object) -> bytes:
    return f"data: {value}\n\n".encode()


def giving(items: Callable[[], Any], *, awaits: bool = False) -> Spec[None]:
    """A spec whose route gives *items*."""

    def resolver(input: None, ctx: None) -> Stream[int]:
        return Stream(items())

    async def resolver_later(input: None, ctx: None) -> Stream[int]:
        return Stream(items())

    decorate: Any = route(summary="Items", tags=["t"], auth="none")
    return spec(routes={"items": decorate(resolver_later if awaits else resolver)})


class Place:
    """A service that gives *items*, and what it has told."""

    def __init__(self, items: Callable[[], Any], *, awaits: bool = False, **limits: Any) -> None:
        self.events: list[CallEvent] = []
        options = Options(prefix="/v1", limits=Limits(**limits), on_call=self.events.append)
        self.service: Service = service_of(giving(items, awaits=awaits), options)

    @property
    def codes(self) -> list[str]:
        return [event.code for event in self.events]


class OnLoop(Place):
    """It behind ASGI."""

    def __init__(self, items: Callable[[], Any], *, awaits: bool = False, **limits: Any) -> None:
        super().__init__(items, awaits=awaits, **limits)
        self.sent: list[bytes] = []
        self.senders: list[object] = []
        self.status = 0
        self.gone = asyncio.Event()
        self.room = asyncio.Event()
        self.room.set()
        self._body = [{"type": "http.request", "body": b"null"}]
        self.breaks = False

    async def receive(self) -> dict[str, Any]:
        if self._body:
            return self._body.pop()
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, event: Any) -> None:
        if "status" in event:
            self.status = event["status"]
        if self.breaks and self.sent:
            raise OSError("the connection was reset")
        if event.get("body"):
            assert (event["type"], event["more_body"]) == ("http.response.body", True)
            self.sent.append(event["body"])
            self.senders.append(asyncio.current_task())
            await self.room.wait()

    @property
    def body(self) -> bytes:
        return b"".join(self.sent)

    async def run(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await AsgiApp(self.service)(scope_of(REQUEST), self.receive, self.send)

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await asyncio.sleep(0.001)


async def begun_on_loop(
    place: OnLoop, also: Callable[[], object] = lambda: True
) -> asyncio.Task[None]:
    """A task that serves *place*, whose first item has been sent."""
    running = asyncio.create_task(place.run())
    await place.until(lambda: data(0) in place.body and also())
    return running


class Closed:
    """Notes that an iterator was closed, and by what; and before, that somebody waits in it."""

    def __init__(self) -> None:
        self.by: list[str] = []
        self.waiting = threading.Event()

    def __bool__(self) -> bool:
        return bool(self.by)


async def waits(closed: Closed) -> AsyncIterator[int]:
    """One item, and then none for ever."""
    try:
        yield 0
        closed.waiting.set()
        await asyncio.Event().wait()
    except BaseException as raised:
        closed.by.append(type(raised).__name__)
        raise


def blocks(closed: Closed, until: threading.Event) -> Iterator[int]:
    """One item, and then none until an event."""
    try:
        yield 0
        closed.waiting.set()
        assert until.wait(PATIENCE)
        yield 1
    finally:
        closed.by.append("closed")


async def later(items: Generator[Any, None, None]) -> AsyncIterator[Any]:
    """An async iterator of *items*, which closes them."""
    with closing(items):
        for item in items:
            yield item


class Clock:
    """A clock that a test moves on."""

    def __init__(self, time: Callable[[], float]) -> None:
        self._time = time
        self.ahead = 0.0

    def __call__(self) -> float:
        return self._time() + self.ahead


def clock_of_loop() -> Clock:
    """The clock of the running loop, and of its timers."""
    loop = asyncio.get_running_loop()
    clock = Clock(loop.time)
    loop.time = clock  # type: ignore[method-assign]
    return clock


def is_full(place: Place) -> bool:
    """Whether the iterator of the one stream of *place* is asked for nothing more."""
    found: list[Any] = list(place.service.streams._open)
    if isinstance(place, OnLoop):
        return any(stream._room is not None for stream in found)
    return any(stream._is_full for stream in found)


async def test_a_client_that_goes_away_closes_an_async_iterator_where_it_waits() -> None:
    closed = Closed()
    place = OnLoop(lambda: waits(closed))
    running = await begun_on_loop(place)
    assert (len(place.service.streams), closed.by) == (1, [])
    place.gone.set()
    await running

    assert closed.by == ["CancelledError"]
    assert (place.codes, len(place.service.streams)) == (["CANCELLED"], 0)
    assert place.body == QUIET + data(0)


@pytest.mark.parametrize(
    ("ends", "code", "last"),
    [
        (lambda place: place.gone.set(), "CANCELLED", b""),
        (lambda place: place.service.drain(), "SERVICE_UNAVAILABLE", BUSY),
    ],
    ids=["client", "server"],
)
async def test_an_iterator_that_takes_no_notice_gets_no_further_than_its_next_item(
    ends: Callable[[OnLoop], object], code: str, last: bytes
) -> None:
    noted: list[str] = []

    async def stubborn() -> AsyncIterator[int]:
        yield 0
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        try:
            yield 1
        finally:
            noted.append("closed")

    place = OnLoop(stubborn)
    running = await begun_on_loop(place)
    ends(place)
    await running

    assert (noted, place.codes, place.body) == (["closed"], [code], QUIET + data(0) + last)


async def test_a_stream_whose_iterator_ends_when_it_is_cancelled_is_cancelled_too() -> None:
    noted: list[str] = []

    @provide
    async def value() -> AsyncIterator[None]:
        try:
            yield
        finally:
            noted.append(type(sys.exception()).__name__)

    async def stubborn() -> AsyncIterator[int]:
        await value()
        yield 0
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()

    place = OnLoop(stubborn)
    running = await begun_on_loop(place)
    place.gone.set()
    await running

    assert (noted, place.codes) == (["CancelledError"], ["CANCELLED"])


async def test_a_client_that_goes_away_closes_an_iterator_when_its_thread_comes_back() -> None:
    closed, until = Closed(), threading.Event()
    place = OnLoop(lambda: blocks(closed, until))
    running = await begun_on_loop(place, closed.waiting.is_set)
    place.gone.set()
    await running
    assert (place.codes, closed.by) == (["CANCELLED"], [])
    until.set()
    await place.until(lambda: closed)

    assert place.body == QUIET + data(0)


@pytest.mark.parametrize("free", [True, False])
async def test_a_client_that_reads_no_further_closes_an_iterator_that_nobody_is_in(
    free: bool,
) -> None:
    """In a thread for streams, or in another one where none is free."""
    closed, until = Closed(), threading.Event()

    def many() -> Iterator[int]:
        try:
            yield from range(10 * MOST_PARTS)
        finally:
            closed.by.append(threading.current_thread().name)

    place = OnLoop(many, awaits=True, stream_threads=1, queue=0)
    place.room.clear()
    app = AsgiApp(place.service)
    running = asyncio.ensure_future(app(scope_of(REQUEST), place.receive, place.send))
    await place.until(lambda: is_full(place))
    if not free:
        app.lanes.streams.submit(lambda: until.wait(PATIENCE), lambda _: None)
    place.gone.set()
    await place.until(lambda: closed)
    until.set()
    place.room.set()
    await running

    assert place.codes == ["CANCELLED"]
    assert (closed.by == ["contract-resolver"]) is free


async def test_a_stream_for_whose_items_there_is_no_thread_ends() -> None:
    until = threading.Event()
    place = OnLoop(lambda: iter([0]), awaits=True, stream_threads=1, queue=0)
    app = AsgiApp(place.service)
    app.lanes.streams.submit(lambda: until.wait(PATIENCE), lambda _: None)
    await app(scope_of(REQUEST), place.receive, place.send)
    until.set()

    assert (place.status, place.body) == (200, QUIET + BUSY)
    assert place.codes == ["SERVICE_UNAVAILABLE"]


@pytest.mark.parametrize("stuck", [False, True])
async def test_an_open_stream_waits_where_a_new_one_is_refused(
    stuck: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not broken off in its middle because others are busy, unless they are for ever."""
    until, refused = threading.Event(), list[object]()
    place = OnLoop(lambda: iter(range(3 * MOST_PARTS)), stream_threads=1, queue=0)
    place.room.clear()
    app = AsgiApp(place.service)
    pool = app.lanes.streams
    submit = pool.submit

    def noting(run: Callable[[], Any], then: Callable[[Any], object]) -> Queued:
        try:
            return submit(run, then)
        except Refused as refusal:
            refused.append(refusal.code)
            raise

    running = asyncio.ensure_future(app(scope_of(REQUEST), place.receive, place.send))
    await place.until(lambda: is_full(place))
    pool.submit(lambda: until.wait(PATIENCE), lambda _: None)
    monkeypatch.setattr(pool, "submit", noting)
    if stuck:
        monkeypatch.setattr(pools, "STUCK", 0.0)
    place.room.set()
    await place.until(lambda: len(refused) >= (1 if stuck else 2))
    until.set()
    await running

    assert place.codes == (["SERVICE_UNAVAILABLE"] if stuck else ["OK"])
    assert place.body.endswith(BUSY if stuck else data(3 * MOST_PARTS - 1) + END)


async def test_a_connection_that_is_lost_when_something_is_sent_closes_the_iterator() -> None:
    closed = Closed()
    place = OnLoop(lambda: waits(closed))
    place.breaks = True
    await place.run()

    assert (closed.by, place.codes) == (["CancelledError"], ["CANCELLED"])


async def alone(closed: Closed, waits: Container[int] = range(5)) -> AsyncIterator[int]:
    """Five items, and a wait before those that *waits* names."""
    try:
        for number in range(5):
            if number in waits:
                await asyncio.sleep(0)
            yield number
    except BaseException as raised:
        closed.by.append(type(raised).__name__)
        raise


@pytest.mark.parametrize(
    ("waits", "parts", "alone_from"),
    [
        (range(5), ["0", "1", "2", "3", "4", "end"], 1),
        ((0, 3), ["012", "34end"], None),
        ((0, 1, 2), ["0", "1", "2", "34end"], 1),
    ],
)
def test_items_that_come_alone_are_sent_by_the_task_that_asks_for_them(
    waits: Container[int], parts: list[str], alone_from: int | None
) -> None:
    """Others are sent together, by the server's task, and so is the first."""
    place = OnLoop(lambda: alone(Closed(), waits), item_seconds=5.0)
    written = {"end": END, **{str(number): data(number) for number in range(5)}}

    async def run() -> object:
        await place.run()
        return asyncio.current_task()

    server = asyncio.run(run())

    sent = [b"".join(written[each] for each in re.findall("end|.", part)) for part in parts]
    assert place.sent == [QUIET, *sent]
    by_another = [
        part for part, sender in zip(place.sent, place.senders, strict=True) if sender is not server
    ]
    assert by_another == ([] if alone_from is None else sent[alone_from:-1])
    assert len({*place.senders}) == 1 + bool(by_another)


async def stalled(place: OnLoop) -> asyncio.Task[None]:
    """A stream whose third item is sent by the task that asks for them, and waits for room."""
    taken = place.send

    async def send(event: Any) -> None:
        if event.get("body") == data(1):
            place.room.clear()
        await taken(event)

    place.send = send  # type: ignore[method-assign]
    running = asyncio.create_task(place.run())
    await place.until(lambda: not place.room.is_set())
    [stream] = cast("Any", place.service.streams)._open
    assert stream._sending
    return running


async def test_a_client_that_has_to_be_waited_for_is_sent_to_by_the_other_task_from_then_on() -> (
    None
):
    place = OnLoop(lambda: alone(Closed()))
    running = await stalled(place)
    await asyncio.sleep(0)
    assert place.sent == [QUIET, data(0), data(1)]
    place.room.set()
    await running

    assert place.body == QUIET + b"".join(map(data, range(5))) + END
    assert [sender is running for sender in place.senders[:4]] == [True, True, False, True]


async def test_nothing_is_late_or_quiet_while_an_item_is_being_sent() -> None:
    place = OnLoop(lambda: alone(Closed()), item_seconds=5.0)
    clock = clock_of_loop()
    running = await stalled(place)
    clock.ahead = QUIET_SECONDS + 1
    [stream] = cast("Any", place.service.streams)._open
    timer = stream._timer
    await place.until(lambda: stream._timer is not timer)  # it has had a look
    place.room.set()
    await running

    assert place.body == QUIET + b"".join(map(data, range(5))) + END


async def test_the_time_of_an_item_begins_when_the_one_before_has_been_sent() -> None:
    def look(ahead: float) -> None:
        clock.ahead += ahead
        [stream] = cast("Any", place.service.streams)._open
        stream._timer.cancel()
        stream._tick()

    async def items() -> AsyncIterator[int]:
        for number in (0, 1):
            await asyncio.sleep(0)
            yield number
        look(0.0)
        await asyncio.sleep(0)
        yield 2
        look(15.0)
        await asyncio.sleep(0)  # it is late, so this is cancelled
        yield 3

    place = OnLoop(items, item_seconds=14.0)
    clock = clock_of_loop()
    running = await stalled(place)
    clock.ahead = QUIET_SECONDS + 1
    place.room.set()
    await running

    assert place.body == QUIET + b"".join(map(data, range(3))) + LATE


async def test_a_stream_that_is_late_ends_where_an_item_is_being_sent() -> None:
    closed = Closed()
    place = OnLoop(lambda: alone(closed), stream_seconds=5.0)
    clock = clock_of_loop()
    running = await stalled(place)
    clock.ahead = 6.0
    await place.until(lambda: closed)
    place.room.set()
    await running

    assert place.body == QUIET + data(0) + data(1) + LATE
    assert (closed.by, place.codes) == (["GeneratorExit"], ["DEADLINE_EXCEEDED"])


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("error", [OSError, ZeroDivisionError])
def test_an_item_that_cannot_be_sent_closes_the_iterator(
    waits: bool, error: type[Exception]
) -> None:
    """The server's own task raises what is not the end of a connection."""

    async def run() -> OnLoop:
        taken = place.send

        async def send(event: Any) -> None:
            if event.get("body") == data(1):
                if waits:
                    await asyncio.sleep(0)
                raise error
            await taken(event)

        place.send = send  # type: ignore[method-assign]
        with nullcontext() if error is OSError else pytest.raises(error):
            await place.run()
        return place

    closed = Closed()
    place = OnLoop(lambda: alone(closed))
    asyncio.run(run())

    assert place.body == QUIET + data(0)
    assert (closed.by, place.codes) == (["GeneratorExit"], ["CANCELLED"])


def ending(noted: list[str]) -> Any:
    """A provider whose value awaits something at its end, and notes how that ended."""

    @provide
    async def value() -> AsyncIterator[None]:
        try:
            yield
            await asyncio.sleep(0)
            noted.append("committed")
        except BaseException as raised:
            await asyncio.sleep(0)
            noted.append(f"rolled back by {type(raised).__name__}")
            raise

    return value


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize("waits", [False, True])
async def test_an_iterator_whose_item_cannot_be_sent_may_wait_for_its_cleaning(
    waits: bool, more: int
) -> None:
    noted: list[str] = []
    value = ending(noted)

    async def alone() -> AsyncIterator[int]:
        await value()
        try:
            yield 0
            await place.until(lambda: place.body.endswith(data(0)))
            place.breaks = True
            yield 1
            for each in range(more):
                yield each
        finally:
            await asyncio.sleep(0)
            noted.append("cleaned")

    async def send(event: Any) -> None:
        if place.breaks and waits:
            await asyncio.sleep(0)
        await taken(event)

    place = OnLoop(alone)
    taken, place.send = place.send, send  # type: ignore[method-assign]
    await place.run()

    assert noted == ["cleaned", "rolled back by CancelledError"]
    assert place.codes == ["CANCELLED"]


@pytest.mark.parametrize("is_async", [False, True])
def test_a_client_that_has_gone_before_the_headers_are_sent_ends_the_stream(is_async: bool) -> None:
    noted: list[str] = []
    value = ending(noted)

    class Items:
        def __iter__(self) -> Items:
            return self

        __next__: Any = None

        def close(self) -> None:
            noted.append("closed")

    class ItemsLater:
        def __aiter__(self) -> ItemsLater:
            return self

        __anext__: Any = None

        async def aclose(self) -> None:
            noted.append("closed")

    @route(summary="Items", tags=["t"], auth="none")
    async def items(input: None, ctx: None) -> Stream[int]:
        await value()
        return Stream(cast("Any", ItemsLater() if is_async else Items()))

    async def broken(event: Any) -> None:
        raise OSError

    events: list[CallEvent] = []
    options = Options(prefix="/v1", on_call=events.append)
    app = AsgiApp(service_of(spec(routes={"items": items}), options))
    place = OnLoop(lambda: None)
    asyncio.run(app(scope_of(REQUEST), place.receive, broken))

    assert noted == ["closed", "rolled back by CancelledError"]
    assert [each.code for each in events] == ["CANCELLED"]


async def test_a_server_that_cancels_its_task_closes_the_iterator() -> None:
    closed = Closed()
    place = OnLoop(lambda: waits(closed))
    problems: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, problem: problems.append(problem))
    running = await begun_on_loop(place)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running

    assert (running.cancelled(), closed.by, problems) == (True, ["CancelledError"], [])


async def test_a_second_cancellation_waits_for_the_iterator_too() -> None:
    noted: list[str] = []
    slow = asyncio.Event()

    async def slowly() -> AsyncIterator[int]:
        try:
            yield 0
            await asyncio.Event().wait()
        finally:
            noted.append("closing")
            with suppress(asyncio.CancelledError):
                await slow.wait()
            noted.append("closed")

    place = OnLoop(slowly)
    running = await begun_on_loop(place)
    running.cancel()
    await place.until(lambda: noted)
    running.cancel()
    await asyncio.sleep(0)
    slow.set()
    with suppress(asyncio.CancelledError):
        await running

    assert (running.cancelled(), noted) == (True, ["closing", "closed"])


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("headers", [False, True], ids=["items", "headers"])
@pytest.mark.parametrize(
    ("most", "number", "asked_for"),
    [("MOST_PARTS", 3, 3), ("MOST_BYTES", 18, 2), ("MOST_BYTES", 19, 3)],
)
async def test_a_buffer_is_full_by_its_parts_or_bytes(
    most: str,
    number: int,
    asked_for: int,
    headers: bool,
    is_async: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The client stops at the headers or at the first part, which is no item."""
    monkeypatch.setattr(item_streams, most, number)
    asked: list[int] = []

    def here() -> Generator[int, None, None]:
        for _ in range(9):
            asked.append(1)
            yield 1

    place = OnLoop(lambda: later(here()) if is_async else here(), awaits=True, stream_threads=1)
    app = AsgiApp(place.service)
    taken = place.send

    async def send(event: Any) -> None:
        if headers:
            await place.room.wait()
        await taken(event)

    async def full() -> int:
        """How many items were requested until no more were."""
        await place.until(lambda: is_full(place))
        asking = threading.Event()
        app.lanes.streams.submit(asking.set, lambda _: None)  # after what else was submitted
        await place.until(asking.is_set)
        return len(asked)

    place.room.clear()
    running = asyncio.ensure_future(app(scope_of(REQUEST), place.receive, send))
    first = asked_for - (headers and most == "MOST_PARTS")
    assert await full() == first
    [stream] = cast("Any", place.service.streams)._open
    assert await anext(stream) == (QUIET if headers else b"") + first * data(1)
    assert await full() == first + asked_for
    place.room.set()
    await running

    assert place.body == (b"" if headers else QUIET) + (9 - first) * data(1) + END


async def test_a_quiet_stream_says_once_that_it_goes_on_until_that_is_read() -> None:
    place = OnLoop(lambda: waits(Closed()))
    clock = clock_of_loop()
    running = await begun_on_loop(place)
    [stream] = cast("Any", place.service.streams)._open
    for _ in range(3):  # before the task goes on that sends
        clock.ahead += QUIET_SECONDS + 1
        stream._timer.cancel()
        stream._tick()
    await place.until(lambda: place.body.endswith(QUIET))
    place.gone.set()
    await running

    assert place.body == QUIET + data(0) + QUIET


@pytest.mark.parametrize("limit", ["item_seconds", "stream_seconds"])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_stream_that_is_late_is_cut_off(limit: str, is_async: bool) -> None:
    closed, until = Closed(), threading.Event()

    async def run() -> OnLoop:
        place = OnLoop(
            lambda: waits(closed) if is_async else blocks(closed, until),
            **cast("Any", {limit: 5.0}),
        )
        clock = clock_of_loop()
        running = await begun_on_loop(place, closed.waiting.is_set)
        clock.ahead = 6.0
        await running
        return place

    place = asyncio.run(run())
    until.set()
    assert place.body == QUIET + data(0) + LATE
    assert (place.codes, place.events[0].status) == (["DEADLINE_EXCEEDED"], 504)


@pytest.mark.parametrize(
    ("limits", "ahead", "last", "next_look"),
    [
        ({}, 14.0, END, 1.0),
        ({}, 15.0, QUIET + END, 15.0),
        ({"item_seconds": 20.0}, 15.0, QUIET + END, 5.0),
        ({"item_seconds": 5.0}, 4.0, END, 1.0),
        ({"item_seconds": 5.0}, 5.0, LATE, 10.0),
        ({"stream_seconds": 20.0}, 15.0, QUIET + END, 5.0),
        ({"stream_seconds": 5.0}, 4.0, END, 1.0),
        ({"stream_seconds": 5.0}, 5.0, LATE, 10.0),
    ],
)
async def test_a_stream_is_quiet_or_late_when_its_time_has_come_and_is_looked_at_then(
    limits: dict[str, float], ahead: float, last: bytes, next_look: float
) -> None:
    """By a clock that stands still, and that the iterator moves on."""
    now, looks = [100.0], list[float]()

    async def items() -> AsyncIterator[int]:
        yield 0
        [stream] = cast("Any", place.service.streams)._open
        while stream._parts:
            await asyncio.sleep(0)
        now[0] += ahead
        stream._timer.cancel()
        stream._tick()
        looks.append(stream._timer.when() - now[0])
        await asyncio.sleep(0)

    place = OnLoop(items, **cast("Any", limits))
    asyncio.get_running_loop().time = lambda: now[0]  # type: ignore[method-assign]
    await place.run()

    assert (place.body, looks) == (QUIET + data(0) + last, [next_look])


@pytest.mark.parametrize("is_async", [False, True])
def test_each_item_has_its_own_time(is_async: bool) -> None:
    events = [threading.Event(), threading.Event()]

    def here() -> Iterator[int]:
        yield 0
        for number, event in enumerate(events, start=1):
            assert event.wait(PATIENCE)
            yield number

    async def later() -> AsyncIterator[int]:
        yield 0
        for number, event in enumerate(events, start=1):
            assert await asyncio.to_thread(event.wait, PATIENCE)
            yield number

    async def run() -> OnLoop:
        place = OnLoop(lambda: later() if is_async else here(), item_seconds=1000.0)
        app = AsgiApp(place.service)(scope_of(REQUEST), place.receive, place.send)
        running = asyncio.ensure_future(app)
        await place.until(lambda: data(0) in place.body)
        [stream] = cast("Any", place.service.streams)._open
        clock = clock_of_loop()
        for number, event in enumerate(events, start=1):
            clock.ahead = 800.0 * number
            stream._timer.cancel()
            stream._tick()
            event.set()
            await place.until(lambda number=number: data(number) in place.body)  # type: ignore[misc]
        await running
        return place

    assert asyncio.run(run()).body.replace(QUIET, b"") == b"".join(map(data, range(3))) + END


def test_no_item_is_late_while_there_is_no_room_for_it() -> None:
    async def many() -> AsyncIterator[int]:
        for number in range(3 * MOST_PARTS):
            yield number

    async def run() -> OnLoop:
        place = OnLoop(many, item_seconds=5.0)
        place.room.clear()
        clock = clock_of_loop()
        running = asyncio.create_task(place.run())
        await place.until(lambda: is_full(place))
        clock.ahead = 6.0
        [stream] = cast("Any", place.service.streams)._open
        timer = stream._timer
        await place.until(lambda: stream._timer is not timer)  # it has had a look
        await anext(stream)
        stream._timer.cancel()
        stream._tick()  # before the task goes on that asks for items
        place.room.set()
        await running
        return place

    assert asyncio.run(run()).body.endswith(END)


async def test_a_server_that_stops_ends_streams_and_tells_so() -> None:
    closed, until = Closed(), threading.Event()
    places = [OnLoop(lambda: waits(closed)), OnLoop(lambda: blocks(closed, until))]
    running = [asyncio.create_task(place.run()) for place in places]
    await places[0].until(lambda: data(0) in places[0].body)
    await places[1].until(lambda: data(0) in places[1].body)
    for place in places:
        place.service.drain()
    await asyncio.gather(*running)
    until.set()

    for place in places:
        assert (place.body, place.codes) == (QUIET + data(0) + BUSY, ["SERVICE_UNAVAILABLE"])
    assert closed.by[0] == "CancelledError"
    late = places[0]
    late.sent.clear()
    late._body.append({"type": "http.request", "body": b"null"})
    await late.run()
    assert late.body.endswith(BUSY)  # one that begins later ends soon, too
    for place in places:
        place.service.streams.end()


async def test_a_stream_that_is_over_hears_of_no_stop() -> None:
    place = OnLoop(lambda: iter([0]))
    kept: list[Any] = []
    discard = place.service.streams.discard
    place.service.streams.discard = lambda each: (kept.append(each), discard(each))  # type: ignore[assignment,method-assign,func-returns-value]
    await place.run()
    await place.until(lambda: kept)
    kept[0].end_soon()
    await asyncio.sleep(0)

    assert place.codes == ["OK"]


async def test_nobody_holds_a_stream_that_is_over() -> None:
    streams: list[weakref.ref[object]] = []

    async def items() -> AsyncIterator[int]:
        streams.extend(map(weakref.ref, cast("Any", place.service.streams)._open))
        yield 0

    place = OnLoop(items)
    await place.run()
    [stream] = streams

    await place.until(lambda: gc.collect() is not None and stream() is None)


async def test_a_stream_that_is_cut_off_is_a_failure_however_its_iterator_ends() -> None:
    noted: list[object] = []

    @provide
    async def value() -> AsyncIterator[None]:
        try:
            yield
        finally:
            task = asyncio.current_task()
            noted.extend([type(sys.exception()), task and task.cancelling()])

    place = OnLoop(lambda: stubborn(value))
    running = await begun_on_loop(place)
    place.service.drain()
    await running

    assert (place.body, place.codes) == (QUIET + data(0) + BUSY, ["SERVICE_UNAVAILABLE"])
    assert noted == [CallFailed, 0]


async def test_a_client_that_goes_while_its_stream_is_cut_off_is_told_as_gone() -> None:
    async def items() -> AsyncIterator[int]:
        try:
            yield 0
            await asyncio.Event().wait()
        finally:
            place.gone.set()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    place = OnLoop(items)
    running = await begun_on_loop(place)
    place.service.drain()
    await running

    assert (place.body, place.codes) == (QUIET + data(0), ["CANCELLED"])


async def stubborn(value: Any) -> AsyncIterator[int]:
    """One item, and its end when it is cancelled."""
    await value()
    yield 0
    with suppress(asyncio.CancelledError):
        await asyncio.Event().wait()


def stopping(place: Callable[[], Place], noted: list[str]) -> Any:
    """A provider at whose end the server stops."""

    @provide
    def value() -> Iterator[None]:
        yield
        place().service.drain()
        noted.append("committed")

    return value


async def test_a_stream_that_is_about_to_end_with_success_is_not_cut_off() -> None:
    noted: list[str] = []
    last, value = ending(noted), stopping(lambda: place, noted)

    async def items() -> AsyncIterator[int]:
        await last()
        value()
        yield 0

    place = OnLoop(items)
    await place.run()

    assert (place.body, place.codes) == (QUIET + data(0) + END, ["OK"])
    assert noted == ["committed", "committed"]


async def test_an_iterator_that_cancels_its_own_task_and_goes_on_ends_with_success() -> None:
    noted: list[str] = []
    value = ending(noted)

    async def items() -> AsyncIterator[int]:
        await value()
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)
        yield 0

    place = OnLoop(items)
    await place.run()

    assert (place.body, place.codes) == (QUIET + data(0) + END, ["OK"])
    assert noted == ["committed"]


# In threads.


class Here(Place):
    """It behind WSGI."""

    def __init__(self, items: Callable[[], Any], *, awaits: bool = False, **limits: Any) -> None:
        super().__init__(items, awaits=awaits, **limits)
        self.app = WsgiApp(self.service)
        self.status = ""

    def start(self) -> Any:
        def start_response(status: str, headers: object) -> None:
            self.status = status

        return self.app(environ_of(REQUEST), start_response)


def begun(parts: Iterator[bytes]) -> bytes:
    """The parts up to the first item."""
    body = b""
    while data(0) not in body:
        body += next(parts)
    return body


def until_true(condition: Callable[[], object]) -> None:
    ending = threading.Event()
    for _ in range(int(PATIENCE / 0.005)):
        if condition():
            return
        ending.wait(0.005)
    raise AssertionError("it never happened")


@pytest.mark.parametrize("is_async", [False, True])
def test_a_server_that_closes_the_response_closes_the_iterator(
    is_async: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thread_items, "PATIENCE", PATIENCE)
    closed, until = Closed(), threading.Event()
    place = Here(lambda: waits(closed) if is_async else blocks(closed, until))
    parts = place.start()
    assert begun(parts) == QUIET + data(0)
    assert closed.waiting.wait(PATIENCE)
    [stream] = cast("Any", place.service.streams)._open

    def come_back() -> None:
        until_true(lambda: stream._leaving.gone)
        until.set()

    coming = threading.Thread(target=come_back)
    coming.start()
    parts.close()
    coming.join()

    assert closed.by == ["CancelledError" if is_async else "closed"]
    assert (place.codes, len(place.service.streams)) == (["CANCELLED"], 0)


def test_a_thread_that_does_not_come_back_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And commits nothing, however it ends."""
    monkeypatch.setattr(thread_items, "PATIENCE", 0.02)
    noted: list[str] = []
    until, late = threading.Event(), Kept()
    late.may_end.set()

    @provide
    def value() -> Iterator[None]:
        try:
            yield
        finally:
            noted.append(type(sys.exception()).__name__)

    def items() -> Iterator[int]:
        after_commit(noted.append, "mail")
        value()
        yield 0
        assert until.wait(PATIENCE)
        late.value()  # nothing is made for nobody

    place = Here(items)
    parts = place.start()
    assert begun(parts) == QUIET + data(0)
    parts.close()
    assert noted == []
    until.set()
    until_true(lambda: noted and place.codes)

    assert (noted, place.codes, late.threads) == (["CancelledError"], ["CANCELLED"], [])


@pytest.mark.parametrize(
    ("most", "number", "asked_for", "then"),
    [("MOST_PARTS", 3, 2, 5), ("MOST_BYTES", 18, 2, 4), ("MOST_BYTES", 19, 3, 6)],
)
@pytest.mark.parametrize("is_async", [False, True])
def test_a_buffer_in_a_thread_is_full_by_its_parts_or_bytes(
    most: str,
    number: int,
    asked_for: int,
    then: int,
    is_async: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(thread_items, most, number)
    asked: list[int] = []

    def here() -> Generator[int, None, None]:
        for _ in range(9):
            asked.append(1)
            yield 1

    place = Here(lambda: later(here()) if is_async else here())
    parts = place.start()
    until_true(lambda: is_full(place))
    assert len(asked) == asked_for
    assert next(parts) == QUIET + asked_for * data(1)
    until_true(lambda: is_full(place))
    assert len(asked) == then

    assert b"".join(parts) == (9 - asked_for) * data(1) + END
    parts.close()


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize(("drains", "code"), [(False, "CANCELLED"), (True, "SERVICE_UNAVAILABLE")])
def test_a_stream_ends_while_the_buffer_is_full(is_async: bool, drains: bool, code: str) -> None:
    """Since its reader goes away, or the server stops."""
    closed = Closed()

    def here() -> Generator[int, None, None]:
        try:
            yield from range(1000)
        finally:
            closed.by.append("closed")

    place = Here(lambda: later(here()) if is_async else here())
    parts = place.start()
    until_true(lambda: is_full(place))
    if drains:
        place.service.drain()
        until_true(lambda: closed)
        assert b"".join(parts).endswith(BUSY)
    parts.close()
    until_true(lambda: closed and place.codes)

    assert place.codes == [code]


@pytest.mark.parametrize("seconds", [0.02, 0.0])
def test_a_quiet_stream_in_a_thread_says_that_it_goes_on(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not seconds:  # the time has come as soon as somebody looks
        monkeypatch.setattr(thread_items, "monotonic", lambda: 100.0)
    monkeypatch.setattr(thread_items, "QUIET_SECONDS", seconds)
    monkeypatch.setattr(thread_items, "LOOK_SECONDS", 3600.0)  # it is for those that are gathered
    closed, until = Closed(), threading.Event()
    place = Here(lambda: blocks(closed, until))
    parts = place.start()
    assert begun(parts).replace(QUIET, b"") == data(0)
    assert [next(parts) for _ in range(2)] == [QUIET, QUIET]
    until.set()

    assert b"".join(parts).replace(QUIET, b"") == data(1) + END


@pytest.mark.parametrize("limit", ["item_seconds", "stream_seconds"])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_stream_in_a_thread_is_late_when_its_time_has_come(
    limit: str, is_async: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed, until, now = Closed(), threading.Event(), [100.0]
    monkeypatch.setattr(thread_items, "monotonic", lambda: now[0])
    monkeypatch.setattr(thread_items, "PATIENCE", PATIENCE if is_async else 0.0)
    place = Here(
        lambda: waits(closed) if is_async else blocks(closed, until), **cast("Any", {limit: 5.0})
    )
    parts = place.start()
    assert begun(parts) == QUIET + data(0)
    assert closed.waiting.wait(PATIENCE)
    now[0] = 105.0

    assert b"".join(parts) == LATE
    parts.close()
    until.set()
    until_true(lambda: closed)
    assert (place.codes, place.events[0].status) == (["DEADLINE_EXCEEDED"], 504)


@pytest.mark.parametrize("limit", ["item_seconds", "stream_seconds"])
def test_a_stream_in_a_thread_is_looked_at_in_time(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thread_items, "QUIET_SECONDS", 3600.0)
    monkeypatch.setattr(thread_items, "PATIENCE", PATIENCE)
    place = Here(lambda: waits(Closed()), **cast("Any", {limit: 0.02}))

    assert b"".join(place.start()).endswith(LATE)


@pytest.mark.parametrize("is_async", [False, True])
def test_each_item_has_its_own_time_in_a_thread(
    is_async: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, second, third = [100.0], threading.Event(), threading.Event()
    looks: list[float] = []

    def clock() -> float:
        if now[0] == 108.0 and threading.current_thread() is threading.main_thread():
            looks.append(now[0])
            if len(looks) > 1:  # it has looked whether the next item is late
                third.set()
        return now[0]

    def here() -> Iterator[int]:
        yield 0
        assert second.wait(PATIENCE)
        yield 1
        assert third.wait(PATIENCE)
        yield 2

    async def later() -> AsyncIterator[int]:
        yield 0
        for number, event in ((1, second), (2, third)):
            assert await asyncio.to_thread(event.wait, PATIENCE)
            yield number

    monkeypatch.setattr(thread_items, "monotonic", clock)
    place = Here(lambda: later() if is_async else here(), item_seconds=5.0)
    parts = place.start()
    assert begun(parts) == QUIET + data(0)
    now[0] = 104.0
    second.set()
    assert next(parts) == data(1)
    now[0] = 108.0

    assert b"".join(parts) == data(2) + END
    parts.close()


@pytest.mark.parametrize("is_async", [False, True])
def test_no_item_is_late_in_a_thread_while_there_is_no_room_for_it(
    is_async: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def later() -> AsyncIterator[int]:
        for number in range(3 * MOST_PARTS):
            yield number

    clock = Clock(monotonic)
    monkeypatch.setattr(thread_items, "monotonic", clock)
    place = Here(lambda: later() if is_async else iter(range(3 * MOST_PARTS)), item_seconds=5.0)
    parts = place.start()
    until_true(lambda: is_full(place))
    clock.ahead = 6.0

    assert b"".join(parts).endswith(END)


@pytest.mark.parametrize("is_async", [False, True])
def test_a_server_of_threads_that_stops_ends_streams_and_tells_so(
    is_async: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thread_items, "PATIENCE", PATIENCE if is_async else 0.02)
    closed, until = Closed(), threading.Event()
    place = Here(lambda: waits(closed) if is_async else blocks(closed, until))
    parts = place.start()
    assert begun(parts) == QUIET + data(0)
    place.service.drain()
    place.service.drain()

    assert b"".join(parts) == BUSY
    until.set()
    until_true(lambda: closed)
    assert place.codes == ["SERVICE_UNAVAILABLE"]
    parts.close()


def test_a_stream_in_a_thread_that_is_cut_off_is_a_failure_however_its_iterator_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(thread_items, "PATIENCE", PATIENCE)
    noted: list[str] = []
    value = ending(noted)
    place = Here(lambda: stubborn(value))
    parts = place.start()
    begun(parts)
    place.service.drain()

    assert b"".join(parts) == BUSY
    parts.close()
    assert place.codes == ["SERVICE_UNAVAILABLE"]
    assert noted == ["rolled back by CallFailed"]


def test_a_stream_in_a_thread_that_is_about_to_end_with_success_is_not_cut_off() -> None:
    noted: list[str] = []
    value = stopping(lambda: place, noted)

    def items() -> Iterator[int]:
        value()
        yield 0

    place = Here(items)
    parts = place.start()
    body = b"".join(parts)
    parts.close()

    assert (body, place.codes) == (QUIET + data(0) + END, ["OK"])
    assert noted == ["committed"]


def test_streams_beyond_the_threads_for_them_are_refused() -> None:
    closed, until = Closed(), threading.Event()
    place = Here(lambda: blocks(closed, until), awaits=True, stream_threads=1)
    parts = place.start()
    assert begun(parts) == QUIET + data(0)

    assert b"".join(place.start()) == b'{"error":"SERVICE_UNAVAILABLE"}'
    assert place.status == "503 Service Unavailable"
    until.set()
    assert b"".join(parts) == data(1) + END
    until_true(lambda: not place.app.lanes.streams.taken)
    assert b"".join(place.start()).endswith(END)
    assert place.codes == ["SERVICE_UNAVAILABLE", "OK", "OK"]


def test_a_call_does_not_wait_long_for_a_thread_of_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    closed, until = Closed(), threading.Event()
    place = Here(lambda: blocks(closed, until), stream_threads=1)
    parts = place.start()
    assert begun(parts) == QUIET + data(0)

    for in_line, held in [(0.01, PATIENCE), (PATIENCE, 0.0)]:  # by waiting, and at once
        monkeypatch.setattr(threads, "_IN_LINE", in_line)
        monkeypatch.setattr(threads, "_HELD", held)
        assert b"".join(place.start()) == b'{"error":"SERVICE_UNAVAILABLE"}'
        assert place.status == "503 Service Unavailable"
    until.set()
    assert b"".join(parts) == data(1) + END


@pytest.mark.parametrize("deadline", [None, PATIENCE])
def test_a_slow_resolver_of_a_stream_is_waited_for(
    deadline: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    running, until = threading.Event(), threading.Event()
    submit, leave = Pool.submit, Pool.leave

    def submit_and_see(pool: Pool, *args: Any) -> Queued:
        queued = submit(pool, *args)
        assert running.wait(PATIENCE)
        return queued

    def leave_and_go_on(pool: Pool, queued: Queued) -> bool:
        left = leave(pool, queued)
        until.set()
        return left

    def made() -> Iterator[int]:
        running.set()
        assert until.wait(PATIENCE)
        return iter([0])

    monkeypatch.setattr(threads, "_IN_LINE", 0.0)
    monkeypatch.setattr(Pool, "submit", submit_and_see)
    monkeypatch.setattr(Pool, "leave", leave_and_go_on)
    assert b"".join(Here(made, deadline_seconds=deadline).start()) == QUIET + data(0) + END


def test_what_is_to_follow_a_stream_follows_its_end() -> None:
    noted: list[str] = []

    def items() -> Iterator[int]:
        after_commit(noted.append, "mail")
        yield 0
        noted.append("item")

    parts = Here(items).start()
    assert b"".join(parts) == QUIET + data(0) + END
    assert noted == ["item"]
    parts.close()
    assert noted == ["item", "mail"]


def test_a_resolver_is_told_which_item_the_client_has() -> None:
    def items() -> Iterator[int]:
        last = current_call().last_event_id
        yield from range(int(last or -1) + 1, 3)

    place = Here(items)
    environ = {**environ_of(REQUEST), "HTTP_LAST_EVENT_ID": "1"}
    assert b"".join(place.app(environ, lambda *_: None)) == QUIET + data(2) + END
    assert b"".join(place.start()) == QUIET + data(0) + data(1) + data(2) + END


class Own:
    """An iterator of somebody's own, that cannot be closed, or not well."""

    def __init__(self) -> None:
        self.items = iter([0])

    def __next__(self) -> int:
        return next(self.items)

    def __iter__(self) -> Own:
        return self


class Unclosable(Own):
    def close(self) -> None:
        raise RuntimeError("canary")


class Later:
    def __init__(self) -> None:
        self.items = iter([0])

    def __aiter__(self) -> Later:
        return self

    async def __anext__(self) -> int:
        for item in self.items:
            return item
        raise StopAsyncIteration


class UnclosableLater(Later):
    async def aclose(self) -> None:
        raise RuntimeError("canary")


@pytest.mark.parametrize(
    ("items", "last", "code"),
    [
        (Own, END, "OK"),
        (Later, END, "OK"),
        (Unclosable, BROKEN, "INTERNAL_ERROR"),
        (UnclosableLater, BROKEN, "INTERNAL_ERROR"),
    ],
)
def test_an_iterator_need_not_be_a_generator(
    items: Any, last: bytes, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    place = Here(items)

    assert b"".join(place.start()) == QUIET + data(0) + last
    assert place.codes == [code]
    assert str(place.events[0].exception) == ("None" if last is END else "canary")
    assert ("closing the iterator of a stream raised" in caplog.text) == (last is not END)


class Stopped(Failure, status=409):
    """It was stopped."""


class Shut(Failure, status=423):
    """It is closed."""


def failing() -> Iterator[int]:
    yield 0
    raise ValueError("canary")


@pytest.mark.parametrize(
    ("mapped", "code"),
    [
        (Stopped(), "STOPPED"),
        (ServiceUnavailable(), "SERVICE_UNAVAILABLE"),
        (Shut(), "INTERNAL_ERROR"),
        (None, "INTERNAL_ERROR"),
    ],
)
def test_what_an_iterator_raises_may_be_mapped_to_what_the_stream_declares(
    mapped: Failure | None, code: str
) -> None:
    def resolver(input: None, ctx: None) -> Stream[int | Stopped] | Shut:
        return Stream(failing())

    events: list[CallEvent] = []
    options = Options(prefix="/v1", handle_unhandled_error=lambda *_: mapped, on_call=events.append)
    decorate = route(summary="Items", tags=["t"], auth="none")
    app = WsgiApp(service_of(spec(routes={"items": decorate(resolver)}), options))
    body = b"".join(app(environ_of(REQUEST), lambda *_: None))

    assert body == QUIET + data(0) + f'event: error\ndata: {{"error":"{code}"}}\n\n'.encode()
    assert [event.code for event in events] == [code]
    assert isinstance(events[0].exception, ValueError) is (code == "INTERNAL_ERROR")


@pytest.mark.parametrize("is_async", [False, True])
def test_what_closing_raises_does_not_hide_why_a_stream_ended(
    is_async: bool, caplog: pytest.LogCaptureFixture
) -> None:
    def here() -> Generator[Any, None, None]:
        try:
            yield 0
            yield ServiceUnavailable()
        finally:
            raise RuntimeError("canary")

    place = Here(lambda: later(here()) if is_async else here())

    assert b"".join(place.start()) == QUIET + data(0) + BUSY
    assert place.codes == ["SERVICE_UNAVAILABLE"]
    assert "closing the iterator of a stream raised" in caplog.text


class Kept:
    """A value of calls, whose end waits for an event."""

    def __init__(self) -> None:
        self.ending, self.may_end = threading.Event(), threading.Event()
        self.threads: list[int] = []
        self.value = provide(self._made)

    def _made(self) -> Iterator[str]:
        self.threads.append(threading.get_ident())
        try:
            yield "value"
        finally:
            self.threads.append(threading.get_ident())
            self.ending.set()
            assert self.may_end.wait(PATIENCE)


def test_items_are_asked_for_in_the_thread_that_is_kept_for_a_value() -> None:
    kept = Kept()
    kept.may_end.set()

    def items() -> Iterator[int]:
        kept.threads.append(threading.get_ident())
        yield 0

    def made() -> Iterator[int]:
        assert kept.value() == "value"
        return items()

    place = Here(made, stream_threads=1, queue=0)

    for _ in range(2):  # it comes back
        kept.threads.clear()
        assert b"".join(place.start()) == QUIET + data(0) + END
        assert len(kept.threads) == 3
        assert {*kept.threads}.isdisjoint({threading.get_ident()})
        assert len({*kept.threads}) == 1
        until_true(lambda: not place.app.lanes.streams.taken)


def test_a_value_of_somebody_elses_thread_is_not_waited_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    kept, other = Kept(), Kept()
    kept.may_end.set()
    other.may_end.set()
    asked, over = threading.Event(), threading.Event()

    def elsewhere() -> None:
        other.value()
        asked.set()
        assert over.wait(PATIENCE)  # so that no other thread gets its number

    def items() -> Iterator[int]:
        threading.Thread(target=contextvars.copy_context().run, args=(elsewhere,)).start()
        assert asked.wait(PATIENCE)
        yield 0

    def made() -> Iterator[int]:
        assert kept.value() == "value"
        return items()

    body = b"".join(Here(made).start())
    over.set()

    assert body == QUIET + data(0) + BROKEN
    assert "so it cannot end there" in caplog.text


def test_a_stream_that_failed_is_quiet_until_its_values_have_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(thread_items, "QUIET_SECONDS", 0.02)
    kept = Kept()

    async def items() -> AsyncIterator[int]:
        yield 0
        raise ValueError("canary")

    def made() -> AsyncIterator[int]:
        assert kept.value() == "value"
        return items()

    parts = Here(made, item_seconds=20).start()
    assert begun(parts).endswith(data(0))
    assert kept.ending.wait(PATIENCE)
    assert next(parts) == QUIET
    kept.may_end.set()

    assert b"".join(parts).replace(QUIET, b"") == BROKEN


def test_an_id_that_raises_ends_the_stream(caplog: pytest.LogCaptureFixture) -> None:
    def resolver(input: None, ctx: None) -> Stream[int]:
        return Stream(iter([1, 0]), id=lambda item: str(1 // item))

    decorate = route(summary="Items", tags=["t"], auth="none")
    service = service_of(spec(routes={"items": decorate(resolver)}), Options(prefix="/v1"))
    body = b"".join(WsgiApp(service)(environ_of(REQUEST), lambda *_: None))

    assert body == QUIET + b"id: 1\n" + data(1) + (
        b'event: error\ndata: {"error":"INTERNAL_ERROR"}\n\n'
    )
    assert "writing item 2 of the stream raised" in caplog.text


def test_nobody_asks_an_iterator_that_was_closed() -> None:
    place = Here(lambda: iter([0]))
    [bound] = place.service.routes.values()
    incoming = Bare(REQUEST, Lanes(Limits()))
    stream = Flow(bound, cast("Any", bound.output.dump(Stream(failing()))), incoming)

    assert stream.leave()
    stream.close_here()
    stream.close_here()
    assert (stream.leave(), stream.next_here(), stream.number) == (False, [], 0)


def test_a_thread_that_comes_when_the_client_has_gone_asks_for_no_item() -> None:
    asked: list[int] = []

    def items() -> Iterator[int]:
        for number in range(3):
            asked.append(number)
            yield number

    place = Here(items)
    [bound] = place.service.routes.values()
    incoming = Bare(REQUEST, Lanes(Limits()))
    given = items()
    stream = Flow(bound, cast("Any", bound.output.dump(Stream(given))), incoming)

    assert stream.next_here() == [data(0)]
    assert stream.leave()
    assert stream.next_here() == []
    assert (asked, list(given), stream.leave()) == ([0], [], False)
