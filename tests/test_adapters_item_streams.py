"""Streams on an event loop and in threads: who has gone, who is slow, who is quiet, who is late."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import re
import sys
import threading
import weakref
from asyncio import CancelledError
from collections.abc import AsyncIterator, Awaitable, Callable, Container, Generator, Iterator
from contextlib import closing, nullcontext, suppress
from time import monotonic
from typing import Any, cast

import pytest

from contract import Failure, ServiceUnavailable, Stream, provide, route, spec
from contract.adapters import item_streams, thread_items, threads
from contract.adapters import pool as pools
from contract.adapters.asgi import AsgiApp
from contract.adapters.item_streams import MOST_PARTS
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes, Pool, Queued
from contract.adapters.streams import QUIET_SECONDS
from contract.adapters.wsgi import WsgiApp
from contract.call.context import CallEvent, current_call
from contract.call.incoming import Refused
from contract.call.mount_options import Limits, Options
from contract.call.provided import CallFailed, after_commit
from contract.call.service import Service
from contract.call.streaming import Flow
from tests.cli_servers import until
from tests.tables import rows
from tests.wire.exchange import JSON, Bare, RawRequest, environ_of, scope_of

QUIET = b": working\n\n"
END = b"event: end\ndata: {}\n\n"
BUSY = b'event: error\ndata: {"error":"SERVICE_UNAVAILABLE"}\n\n'
BROKEN = b'event: error\ndata: {"error":"INTERNAL_ERROR"}\n\n'
LATE = b'event: error\ndata: {"error":"DEADLINE_EXCEEDED"}\n\n'
PATIENCE = 60.0
"""Seconds until a test gives up, by the clock that tests move on, too."""

REQUEST = RawRequest(target="/v1/items", headers=(JSON,), body=b"null")


@pytest.fixture
def noted() -> list[str]:
    """What a test is told of, in order."""
    return []


def data(value: object) -> bytes:
    return f"data: {value}\n\n".encode()


Bound = tuple[str, int]
"""The name of a bound, and what it is to be."""
End = Callable[["OnLoop"], object]


def served(resolver: Any, **options: Any) -> Service:
    """A service whose route "items" is *resolver*."""
    decorate: Any = route(summary="Items", tags=["t"], auth="none")
    return service_of(spec(routes={"items": decorate(resolver)}), Options(prefix="/v1", **options))


class Place:
    """A service that gives *items*, and what it has told."""

    def __init__(self, items: Callable[[], Any], *, awaits: bool = False, **limits: Any) -> None:
        def resolver(input: None, ctx: None) -> Stream[int]:
            return Stream(items())

        async def resolver_later(input: None, ctx: None) -> Stream[int]:
            return Stream(items())

        self.events: list[CallEvent] = []
        chosen = resolver_later if awaits else resolver
        self.service = served(chosen, limits=Limits(**limits), on_call=self.events.append)

    @property
    def codes(self) -> list[str]:
        return [event.code for event in self.events]

    @property
    def stream(self) -> Any:
        """The one that is open."""
        [found] = cast("Any", self.service.streams)._open
        return found


class OnLoop(Place):
    """It behind ASGI."""

    def __init__(self, items: Callable[[], Any], *, awaits: bool = False, **limits: Any) -> None:
        super().__init__(items, awaits=awaits, **limits)
        self.app = AsgiApp(self.service)
        self.sent: list[bytes] = []
        self.senders: list[object] = []
        self.status = 0
        self.gone = asyncio.Event()
        self.room = asyncio.Event()
        self.room.set()
        self._body = [{"type": "http.request", "body": b"null"}]
        self.breaks = False
        self.before_sending: Callable[[Any], Awaitable[None]] | None = None

    async def receive(self) -> dict[str, Any]:
        if self._body:
            return self._body.pop()
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, event: Any) -> None:
        if self.before_sending is not None:
            await self.before_sending(event)
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

    async def run(self, patience: float | None = PATIENCE) -> None:
        async with asyncio.timeout(patience):
            await self.app(scope_of(REQUEST), self.receive, self.send)

    def start(self, patience: float | None = PATIENCE) -> asyncio.Task[None]:
        return asyncio.create_task(self.run(patience))

    async def begun(self, also: Callable[[], object] = lambda: True) -> asyncio.Task[None]:
        """A task that serves, once the first item has been sent."""
        running = self.start()
        await self.until(lambda: data(0) in self.body and also())
        return running

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await asyncio.sleep(0.001)

    def look(self) -> None:
        """Let the stream look at the clock."""
        self.stream._timer.cancel()
        self.stream._tick()

    async def looked(self) -> None:
        """Wait until it has."""
        stream, timer = self.stream, self.stream._timer
        await self.until(lambda: stream._timer is not timer)

    def occupy(self, until: threading.Event) -> None:
        """Let a thread for streams wait for an event."""
        self.app.lanes.streams.submit(lambda: until.wait(PATIENCE), lambda _: None)


class Hanging:
    """An iterator of one item, and then none: for ever, or in a thread until an event."""

    def __init__(self, *, is_async: bool = False) -> None:
        self.closed_by: list[str] = []
        self.waiting, self.until = threading.Event(), threading.Event()
        self.items: Callable[[], Any] = self._on_loop if is_async else self._in_thread

    async def _on_loop(self) -> AsyncIterator[int]:
        try:
            yield 0
            self.waiting.set()
            await asyncio.Event().wait()
        except BaseException as raised:
            self.closed_by.append(type(raised).__name__)
            raise

    def _in_thread(self) -> Iterator[int]:
        try:
            yield 0
            self.waiting.set()
            assert self.until.wait(PATIENCE)
            yield 1
        finally:
            self.closed_by.append("closed")


async def later(items: Generator[Any, None, None]) -> AsyncIterator[Any]:
    """An async iterator of *items*, which closes them."""
    with closing(items):
        for item in items:
            yield item


def ones(asked: list[int], *, is_async: bool) -> Any:
    """Nine items, and a note of each."""

    def here() -> Generator[int, None, None]:
        for _ in range(9):
            asked.append(1)
            yield 1

    return later(here()) if is_async else here()


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
    hanging = Hanging(is_async=True)
    place = OnLoop(hanging.items)
    running = await place.begun()
    assert (len(place.service.streams), hanging.closed_by) == (1, [])
    place.gone.set()
    await running

    assert hanging.closed_by == ["CancelledError"]
    assert (place.codes, len(place.service.streams)) == (["CANCELLED"], 0)
    assert place.body == QUIET + data(0)


ENDS = rows(
    "ends, code, last, why",
    (lambda place: place.gone.set(), "CANCELLED", b"", CancelledError),
    (lambda place: place.service.drain(), "SERVICE_UNAVAILABLE", BUSY, CallFailed),
    ids=["client", "server"],
)
"""Who ends a stream, and what is told of it, sent and thrown into its values."""


@ENDS
async def test_an_iterator_that_takes_no_notice_gets_one_more(
    ends: End, code: str, last: bytes, why: object, noted: list[str]
) -> None:

    async def stubborn() -> AsyncIterator[int]:
        yield 0
        with suppress(CancelledError):
            await asyncio.Event().wait()
        try:
            yield 1
        finally:
            noted.append("closed")

    place = OnLoop(stubborn)
    running = await place.begun()
    ends(place)
    await running

    assert (noted, place.codes, place.body) == (["closed"], [code], QUIET + data(0) + last)


@ENDS
async def test_a_stream_that_is_ended_has_failed_however_its_iterator_ends(
    ends: End, code: str, last: bytes, why: object
) -> None:
    noted: list[object] = []

    @provide
    async def value() -> AsyncIterator[None]:
        try:
            yield
        finally:
            task = asyncio.current_task()
            noted.extend([type(sys.exception()), task and task.cancelling()])

    place = OnLoop(lambda: stubborn(value))
    running = await place.begun()
    ends(place)
    await running

    assert noted == [why, int(why is CancelledError)]  # a failure leaves its task as it was
    assert (place.codes, place.body) == ([code], QUIET + data(0) + last)


async def test_a_client_that_goes_away_closes_an_iterator_when_its_thread_comes_back() -> None:
    hanging = Hanging()
    place = OnLoop(hanging.items)
    running = await place.begun(hanging.waiting.is_set)
    place.gone.set()
    await running
    assert (place.codes, hanging.closed_by) == (["CANCELLED"], [])
    hanging.until.set()
    await place.until(lambda: hanging.closed_by)

    assert place.body == QUIET + data(0)


@pytest.mark.parametrize("free", [True, False])
async def test_a_client_that_reads_no_further_closes_an_iterator_nobody_is_in(free: bool) -> None:
    """In a thread for streams, or in another one where none is free."""
    closed_by, until = list[str](), threading.Event()

    def many() -> Iterator[int]:
        try:
            yield from range(10 * MOST_PARTS)
        finally:
            closed_by.append(threading.current_thread().name)

    place = OnLoop(many, awaits=True, stream_threads=1, queue=0)
    place.room.clear()
    running = place.start()
    await place.until(lambda: is_full(place))
    if not free:
        place.occupy(until)
    place.gone.set()
    await place.until(lambda: closed_by)
    until.set()
    place.room.set()
    await running

    assert place.codes == ["CANCELLED"]
    assert (closed_by == ["contract-resolver"]) is free


async def test_a_stream_for_whose_items_there_is_no_thread_ends() -> None:
    until = threading.Event()
    place = OnLoop(lambda: iter([0]), awaits=True, stream_threads=1, queue=0)
    place.occupy(until)
    await place.run()
    until.set()

    assert (place.status, place.body, place.codes) == (200, QUIET + BUSY, ["SERVICE_UNAVAILABLE"])


@pytest.mark.parametrize("stuck", [False, True])
async def test_an_open_stream_waits_where_a_new_one_is_refused(
    stuck: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not broken off in its middle because others are busy, unless they are for ever."""
    until, refused = threading.Event(), list[object]()
    place = OnLoop(lambda: iter(range(3 * MOST_PARTS)), stream_threads=1, queue=0)
    place.room.clear()
    pool = place.app.lanes.streams
    submit = pool.submit

    def noting(run: Callable[[], Any], then: Callable[[Any], object]) -> Queued:
        try:
            return submit(run, then)
        except Refused as refusal:
            refused.append(refusal.code)
            raise

    running = place.start()
    await place.until(lambda: is_full(place))
    place.occupy(until)
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
    hanging = Hanging(is_async=True)
    place = OnLoop(hanging.items)
    place.breaks = True
    await place.run()

    assert (hanging.closed_by, place.codes) == (["CancelledError"], ["CANCELLED"])


async def alone(closed_by: list[str], waits: Container[int] = range(5)) -> AsyncIterator[int]:
    """Five items, and a wait before those that *waits* names."""
    try:
        for number in range(5):
            if number in waits:
                await asyncio.sleep(0)
            yield number
    except BaseException as raised:
        closed_by.append(type(raised).__name__)
        raise


@rows(
    "waits, parts, alone_from",
    (range(5), ["0", "1", "2", "3", "4", "end"], 1),
    ((0, 3), ["012", "34end"], None),
    ((0, 1, 2), ["0", "1", "2", "34end"], 1),
)
async def test_items_that_come_alone_are_sent_by_who_asks_for_them(
    waits: Container[int], parts: list[str], alone_from: int | None
) -> None:
    """Others are sent together, by the server's task, and so is the first."""
    place = OnLoop(lambda: alone([], waits), item_seconds=5.0)
    written = {"end": END, **{str(number): data(number) for number in range(5)}}
    server = place.start()
    await server

    sent = [b"".join(written[each] for each in re.findall("end|.", part)) for part in parts]
    assert place.sent == [QUIET, *sent]
    by_another = [
        part for part, sender in zip(place.sent, place.senders, strict=True) if sender is not server
    ]
    assert by_another == ([] if alone_from is None else sent[alone_from:-1])
    assert len({*place.senders}) == 1 + bool(by_another)


async def stalled(place: OnLoop) -> asyncio.Task[None]:
    """A stream whose third item is sent by the task that asks for them, and waits for room."""

    async def no_room(event: Any) -> None:
        if event.get("body") == data(1):
            place.room.clear()

    place.before_sending = no_room
    running = place.start()
    await place.until(lambda: not place.room.is_set())
    assert place.stream._sending
    return running


async def test_a_client_that_has_to_be_waited_for_is_sent_to_by_the_other_task_from_then_on() -> (
    None
):
    place = OnLoop(lambda: alone([]))
    running = await stalled(place)
    await asyncio.sleep(0)
    assert place.sent == [QUIET, data(0), data(1)]
    place.room.set()
    await running

    assert place.body == QUIET + b"".join(map(data, range(5))) + END
    assert [sender is running for sender in place.senders[:4]] == [True, True, False, True]


async def test_nothing_is_late_or_quiet_while_an_item_is_being_sent() -> None:
    place = OnLoop(lambda: alone([]), item_seconds=5.0)
    clock = clock_of_loop()
    running = await stalled(place)
    clock.ahead = QUIET_SECONDS + 1
    await place.looked()
    place.room.set()
    await running

    assert place.body == QUIET + b"".join(map(data, range(5))) + END


async def test_the_time_of_an_item_begins_when_the_one_before_has_been_sent() -> None:
    async def items() -> AsyncIterator[int]:
        for number in (0, 1):
            await asyncio.sleep(0)
            yield number
        place.look()
        await asyncio.sleep(0)
        yield 2
        clock.ahead += 15.0
        place.look()
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
    closed_by: list[str] = []
    place = OnLoop(lambda: alone(closed_by), stream_seconds=5.0)
    clock = clock_of_loop()
    running = await stalled(place)
    clock.ahead = 6.0
    await place.until(lambda: closed_by)
    place.room.set()
    await running

    assert place.body == QUIET + data(0) + data(1) + LATE
    assert (closed_by, place.codes) == (["GeneratorExit"], ["DEADLINE_EXCEEDED"])


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("error", [OSError, ZeroDivisionError])
async def test_an_item_that_cannot_be_sent_closes_the_iterator(
    waits: bool, error: type[Exception]
) -> None:
    """The server's own task raises what is not the end of a connection."""

    async def fail(event: Any) -> None:
        if event.get("body") == data(1):
            if waits:
                await asyncio.sleep(0)
            raise error

    closed_by: list[str] = []
    place = OnLoop(lambda: alone(closed_by))
    place.before_sending = fail
    with nullcontext() if error is OSError else pytest.raises(error):
        await place.start()

    assert place.body == QUIET + data(0)
    assert (closed_by, place.codes) == (["GeneratorExit"], ["CANCELLED"])


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
    waits: bool, more: int, noted: list[str]
) -> None:
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

    async def wait(event: Any) -> None:
        if place.breaks and waits:
            await asyncio.sleep(0)

    place = OnLoop(alone)
    place.before_sending = wait
    await place.run()

    assert (noted, place.codes) == (["cleaned", "rolled back by CancelledError"], ["CANCELLED"])


class Own:
    """An iterator of somebody's own, that cannot be closed, or not well."""

    def __init__(self) -> None:
        self.items = iter([0])

    def __next__(self) -> int:
        return next(self.items)

    def __iter__(self) -> Own:
        return self


class Later:
    def __init__(self) -> None:
        self.items = iter([0])

    def __aiter__(self) -> Later:
        return self

    async def __anext__(self) -> int:
        for item in self.items:
            return item
        raise StopAsyncIteration


@pytest.mark.parametrize("is_async", [False, True])
async def test_a_client_that_has_gone_before_the_headers_are_sent_ends_the_stream(
    is_async: bool, noted: list[str]
) -> None:
    value = ending(noted)

    class Items(Own):
        __next__: Any = None

        def close(self) -> None:
            noted.append("closed")

    class ItemsLater(Later):
        __anext__: Any = None

        async def aclose(self) -> None:
            noted.append("closed")

    async def items(input: None, ctx: None) -> Stream[int]:
        await value()
        return Stream(cast("Any", ItemsLater() if is_async else Items()))

    async def broken(event: Any) -> None:
        raise OSError

    events: list[CallEvent] = []
    app = AsgiApp(served(items, on_call=events.append))
    await asyncio.create_task(app(scope_of(REQUEST), OnLoop(lambda: None).receive, broken))

    assert noted == ["closed", "rolled back by CancelledError"]
    assert [each.code for each in events] == ["CANCELLED"]


async def test_a_server_that_cancels_its_task_closes_the_iterator() -> None:
    hanging = Hanging(is_async=True)
    place = OnLoop(hanging.items)
    problems: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, problem: problems.append(problem))
    running = await place.begun()
    running.cancel()
    await asyncio.wait({running})

    assert (running.cancelled(), hanging.closed_by, problems) == (True, ["CancelledError"], [])


async def test_a_second_cancellation_waits_for_the_iterator_too(noted: list[str]) -> None:
    slow = asyncio.Event()

    async def slowly() -> AsyncIterator[int]:
        try:
            yield 0
            await asyncio.Event().wait()
        finally:
            noted.append("closing")
            with suppress(CancelledError):
                await slow.wait()
            noted.append("closed")

    place = OnLoop(slowly)
    running = await place.begun()
    running.cancel()
    await place.until(lambda: noted)
    running.cancel()
    await asyncio.sleep(0)
    slow.set()
    await asyncio.wait({running})

    assert (running.cancelled(), noted) == (True, ["closing", "closed"])


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("headers", [False, True], ids=["items", "headers"])
@rows("most, asked_for", (("MOST_PARTS", 3), 3), (("MOST_BYTES", 18), 2), (("MOST_BYTES", 19), 3))
async def test_a_buffer_is_full_by_its_parts_or_bytes(
    most: Bound, asked_for: int, headers: bool, is_async: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client stops at the headers or at the first part, which is no item."""
    monkeypatch.setattr(item_streams, *most)
    asked: list[int] = []
    place = OnLoop(lambda: ones(asked, is_async=is_async), awaits=True, stream_threads=1)

    async def wait(event: Any) -> None:
        if headers:
            await place.room.wait()

    async def full() -> int:
        """How many items were requested until no more were."""
        await place.until(lambda: is_full(place))
        asking = threading.Event()
        # after what else was submitted
        place.app.lanes.streams.submit(asking.set, lambda _: None)
        await place.until(asking.is_set)
        return len(asked)

    place.before_sending = wait
    place.room.clear()
    running = place.start()
    first = asked_for - (headers and most[0] == "MOST_PARTS")
    assert await full() == first
    assert await anext(place.stream) == (QUIET if headers else b"") + first * data(1)
    assert await full() == first + asked_for
    place.room.set()
    await running

    assert place.body == (b"" if headers else QUIET) + (9 - first) * data(1) + END


async def test_a_quiet_stream_says_once_that_it_goes_on_until_that_is_read() -> None:
    place = OnLoop(Hanging(is_async=True).items)
    clock = clock_of_loop()
    running = await place.begun()
    for _ in range(3):  # before the task goes on that sends
        clock.ahead += QUIET_SECONDS + 1
        place.look()
    await place.until(lambda: place.body.endswith(QUIET))
    place.gone.set()
    await running

    assert place.body == QUIET + data(0) + QUIET


@pytest.mark.parametrize("limit", ["item_seconds", "stream_seconds"])
@pytest.mark.parametrize("is_async", [False, True])
async def test_a_stream_that_is_late_is_cut_off(limit: str, is_async: bool) -> None:
    hanging = Hanging(is_async=is_async)
    place = OnLoop(hanging.items, **cast("Any", {limit: 5.0}))
    clock = clock_of_loop()
    running = await place.begun(hanging.waiting.is_set)
    clock.ahead = 6.0
    await running
    hanging.until.set()

    assert place.body == QUIET + data(0) + LATE
    assert (place.codes, place.events[0].status) == (["DEADLINE_EXCEEDED"], 504)


@rows(
    "limits, ahead, last, next_look",
    ({}, 14.0, END, 1.0),
    ({}, 15.0, QUIET + END, 15.0),
    ({"item_seconds": 20.0}, 15.0, QUIET + END, 5.0),
    ({"item_seconds": 5.0}, 4.0, END, 1.0),
    ({"item_seconds": 5.0}, 5.0, LATE, 10.0),
    ({"stream_seconds": 20.0}, 15.0, QUIET + END, 5.0),
    ({"stream_seconds": 5.0}, 4.0, END, 1.0),
    ({"stream_seconds": 5.0}, 5.0, LATE, 10.0),
)
async def test_a_stream_is_quiet_or_late_when_its_time_comes(
    limits: dict[str, float], ahead: float, last: bytes, next_look: float
) -> None:
    """By a clock that stands still, and that the iterator moves on."""
    now, looks = [100.0], list[float]()

    async def items() -> AsyncIterator[int]:
        yield 0
        while place.stream._parts:
            await asyncio.sleep(0)
        now[0] += ahead
        place.look()
        looks.append(place.stream._timer.when() - now[0])
        await asyncio.sleep(0)

    place = OnLoop(items, **cast("Any", limits))
    asyncio.get_running_loop().time = lambda: now[0]  # type: ignore[method-assign]
    await place.run()

    assert (place.body, looks) == (QUIET + data(0) + last, [next_look])


def awaiting(events: list[threading.Event], *, is_async: bool) -> Any:
    """An item, and one more for each of *events*."""

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

    return later() if is_async else here()


@pytest.mark.parametrize("is_async", [False, True])
async def test_each_item_has_its_own_time(is_async: bool) -> None:
    events = [threading.Event(), threading.Event()]
    place = OnLoop(lambda: awaiting(events, is_async=is_async), item_seconds=1000.0)
    running = place.start(patience=None)
    await place.until(lambda: data(0) in place.body)
    clock = clock_of_loop()
    for number, event in enumerate(events, start=1):
        clock.ahead = 800.0 * number
        place.look()
        event.set()
        await place.until(lambda number=number: data(number) in place.body)  # type: ignore[misc]
    await running

    assert place.body.replace(QUIET, b"") == b"".join(map(data, range(3))) + END


def many(*, is_async: bool) -> Any:
    """More items than a buffer has room for."""
    items = (number for number in range(3 * MOST_PARTS))
    return later(items) if is_async else items


async def test_no_item_is_late_while_there_is_no_room_for_it() -> None:
    place = OnLoop(lambda: many(is_async=True), item_seconds=5.0)
    place.room.clear()
    clock = clock_of_loop()
    running = place.start()
    await place.until(lambda: is_full(place))
    clock.ahead = 6.0
    await place.looked()
    await anext(place.stream)
    place.look()  # before the task goes on that asks for items
    place.room.set()
    await running

    assert place.body.endswith(END)


async def test_a_server_that_stops_ends_streams_and_tells_so() -> None:
    hanging = [Hanging(is_async=True), Hanging()]
    places = [OnLoop(each.items) for each in hanging]
    running = [await place.begun() for place in places]
    for place in places:
        place.service.drain()
    await asyncio.gather(*running)
    hanging[1].until.set()

    for place in places:
        assert (place.body, place.codes) == (QUIET + data(0) + BUSY, ["SERVICE_UNAVAILABLE"])
    assert hanging[0].closed_by == ["CancelledError"]
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


async def test_a_client_that_goes_while_its_stream_is_cut_off_is_told_as_gone() -> None:
    async def items() -> AsyncIterator[int]:
        try:
            yield 0
            await asyncio.Event().wait()
        finally:
            place.gone.set()
            with suppress(CancelledError):
                await asyncio.Event().wait()

    place = OnLoop(items)
    running = await place.begun()
    place.service.drain()
    await running

    assert (place.body, place.codes) == (QUIET + data(0), ["CANCELLED"])


async def stubborn(value: Any) -> AsyncIterator[int]:
    """One item, and its end when it is cancelled."""
    await value()
    yield 0
    with suppress(CancelledError):
        await asyncio.Event().wait()


def stopping(place: Callable[[], Place], noted: list[str]) -> Any:
    """A provider at whose end the server stops."""

    @provide
    def value() -> Iterator[None]:
        yield
        place().service.drain()
        noted.append("committed")

    return value


async def test_a_stream_that_is_about_to_end_with_success_is_not_cut_off(noted: list[str]) -> None:
    last, value = ending(noted), stopping(lambda: place, noted)

    async def items() -> AsyncIterator[int]:
        await last()
        value()
        yield 0

    place = OnLoop(items)
    await place.run()

    assert (place.body, place.codes) == (QUIET + data(0) + END, ["OK"])
    assert noted == ["committed", "committed"]


async def test_an_iterator_that_cancels_its_task_and_goes_on_succeeds(noted: list[str]) -> None:
    value = ending(noted)

    async def items() -> AsyncIterator[int]:
        await value()
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        with suppress(CancelledError):
            await asyncio.sleep(0)
        yield 0

    place = OnLoop(items)
    await place.run()

    assert (place.body, place.codes, noted) == (QUIET + data(0) + END, ["OK"], ["committed"])


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

    def whole(self) -> bytes:
        return b"".join(self.start())

    def begun(self) -> Any:
        """The parts after the first item."""
        parts, body = self.start(), b""
        while data(0) not in body:
            body += next(parts)
        assert body.startswith(QUIET)
        assert body.replace(QUIET, b"") == data(0)
        return parts


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that is in an iterator is waited for."""
    monkeypatch.setattr(thread_items, "PATIENCE", PATIENCE)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("is_async", [False, True])
def test_a_server_that_closes_the_response_closes_the_iterator(is_async: bool) -> None:
    hanging = Hanging(is_async=is_async)
    place = Here(hanging.items)
    parts = place.begun()
    assert hanging.waiting.wait(PATIENCE)
    stream = place.stream

    def come_back() -> None:
        until(lambda: stream._leaving.gone)
        hanging.until.set()

    coming = threading.Thread(target=come_back)
    coming.start()
    parts.close()
    coming.join()

    assert hanging.closed_by == ["CancelledError" if is_async else "closed"]
    assert (place.codes, len(place.service.streams)) == (["CANCELLED"], 0)


def test_a_thread_that_does_not_come_back_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, noted: list[str]
) -> None:
    """And commits nothing, however it ends."""
    monkeypatch.setattr(thread_items, "PATIENCE", 0.02)
    back, late = threading.Event(), Kept()
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
        assert back.wait(PATIENCE)
        late.value()  # nothing is made for nobody

    place = Here(items)
    place.begun().close()
    assert noted == []
    back.set()
    until(lambda: noted and place.codes)

    assert (noted, place.codes, late.threads) == (["CancelledError"], ["CANCELLED"], [])


@rows(
    "most, asked_for, then",
    *((("MOST_PARTS", 3), 2, 5), (("MOST_BYTES", 18), 2, 4), (("MOST_BYTES", 19), 3, 6)),
)
@pytest.mark.parametrize("is_async", [False, True])
def test_a_buffer_in_a_thread_is_full_by_its_parts_or_bytes(
    most: Bound, asked_for: int, then: int, is_async: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thread_items, *most)
    asked: list[int] = []
    place = Here(lambda: ones(asked, is_async=is_async))
    parts = place.start()
    until(lambda: is_full(place))
    assert len(asked) == asked_for
    assert next(parts) == QUIET + asked_for * data(1)
    until(lambda: is_full(place))
    assert len(asked) == then

    assert b"".join(parts) == (9 - asked_for) * data(1) + END
    parts.close()


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize(("drains", "code"), [(False, "CANCELLED"), (True, "SERVICE_UNAVAILABLE")])
def test_a_stream_ends_while_the_buffer_is_full(is_async: bool, drains: bool, code: str) -> None:
    """Since its reader goes away, or the server stops."""
    closed: list[str] = []

    def here() -> Generator[int, None, None]:
        try:
            yield from range(1000)
        finally:
            closed.append("closed")

    place = Here(lambda: later(here()) if is_async else here())
    parts = place.start()
    until(lambda: is_full(place))
    if drains:
        place.service.drain()
        until(lambda: closed)
        assert b"".join(parts).endswith(BUSY)
    parts.close()
    until(lambda: closed and place.codes)

    assert place.codes == [code]


@pytest.mark.parametrize("seconds", [0.02, 0.0])
def test_a_quiet_stream_in_a_thread_says_that_it_goes_on(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not seconds:  # the time has come as soon as somebody looks
        monkeypatch.setattr(thread_items, "monotonic", lambda: 100.0)
    monkeypatch.setattr(thread_items, "QUIET_SECONDS", seconds)
    monkeypatch.setattr(thread_items, "LOOK_SECONDS", 3600.0)  # it is for those that are gathered
    hanging = Hanging()
    parts = Here(hanging.items).begun()
    assert [next(parts) for _ in range(2)] == [QUIET, QUIET]
    hanging.until.set()

    assert b"".join(parts).replace(QUIET, b"") == data(1) + END


@pytest.mark.parametrize("limit", ["item_seconds", "stream_seconds"])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_stream_in_a_thread_is_late_when_its_time_has_come(
    limit: str, is_async: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging, now = Hanging(is_async=is_async), [100.0]
    monkeypatch.setattr(thread_items, "monotonic", lambda: now[0])
    monkeypatch.setattr(thread_items, "PATIENCE", PATIENCE if is_async else 0.0)
    place = Here(hanging.items, **cast("Any", {limit: 5.0}))
    parts = place.begun()
    assert hanging.waiting.wait(PATIENCE)
    now[0] = 105.0

    assert b"".join(parts) == LATE
    parts.close()
    hanging.until.set()
    until(lambda: hanging.closed_by)
    assert (place.codes, place.events[0].status) == (["DEADLINE_EXCEEDED"], 504)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("limit", ["item_seconds", "stream_seconds"])
def test_a_stream_in_a_thread_is_looked_at_in_time(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thread_items, "QUIET_SECONDS", 3600.0)
    assert Here(Hanging(is_async=True).items, **cast("Any", {limit: 0.02})).whole().endswith(LATE)


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

    monkeypatch.setattr(thread_items, "monotonic", clock)
    parts = Here(lambda: awaiting([second, third], is_async=is_async), item_seconds=5.0).begun()
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
    clock = Clock(monotonic)
    monkeypatch.setattr(thread_items, "monotonic", clock)
    place = Here(lambda: many(is_async=is_async), item_seconds=5.0)
    parts = place.start()
    until(lambda: is_full(place))
    clock.ahead = 6.0

    assert b"".join(parts).endswith(END)


@pytest.mark.parametrize("is_async", [False, True])
def test_a_server_of_threads_that_stops_ends_streams_and_tells_so(
    is_async: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thread_items, "PATIENCE", PATIENCE if is_async else 0.02)
    hanging = Hanging(is_async=is_async)
    place = Here(hanging.items)
    parts = place.begun()
    place.service.drain()
    place.service.drain()

    assert b"".join(parts) == BUSY
    hanging.until.set()
    until(lambda: hanging.closed_by)
    assert place.codes == ["SERVICE_UNAVAILABLE"]
    parts.close()


@pytest.mark.usefixtures("patient")
def test_a_stream_in_a_thread_that_is_cut_off_has_failed_however_it_ends(noted: list[str]) -> None:
    value = ending(noted)
    place = Here(lambda: stubborn(value))
    parts = place.begun()
    place.service.drain()

    assert b"".join(parts) == BUSY
    parts.close()
    assert (place.codes, noted) == (["SERVICE_UNAVAILABLE"], ["rolled back by CallFailed"])


def test_a_stream_in_a_thread_that_is_about_to_succeed_is_not_cut_off(noted: list[str]) -> None:
    value = stopping(lambda: place, noted)

    def items() -> Iterator[int]:
        value()
        yield 0

    place = Here(items)
    parts = place.start()
    body = b"".join(parts)
    parts.close()

    assert (body, place.codes, noted) == (QUIET + data(0) + END, ["OK"], ["committed"])


REFUSED = b'{"error":"SERVICE_UNAVAILABLE"}'


def test_streams_beyond_the_threads_for_them_are_refused() -> None:
    hanging = Hanging()
    place = Here(hanging.items, awaits=True, stream_threads=1)
    parts = place.begun()

    assert (place.whole(), place.status) == (REFUSED, "503 Service Unavailable")
    hanging.until.set()
    assert b"".join(parts) == data(1) + END
    until(lambda: not place.app.lanes.streams.taken)
    assert place.whole().endswith(END)
    assert place.codes == ["SERVICE_UNAVAILABLE", "OK", "OK"]


def test_a_call_does_not_wait_long_for_a_thread_of_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    hanging = Hanging()
    place = Here(hanging.items, stream_threads=1)
    parts = place.begun()

    for in_line, held in [(0.01, PATIENCE), (PATIENCE, 0.0)]:  # by waiting, and at once
        monkeypatch.setattr(threads, "_IN_LINE", in_line)
        monkeypatch.setattr(threads, "_HELD", held)
        assert (place.whole(), place.status) == (REFUSED, "503 Service Unavailable")
    hanging.until.set()
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
    assert Here(made, deadline_seconds=deadline).whole() == QUIET + data(0) + END


def test_what_is_to_follow_a_stream_follows_its_end(noted: list[str]) -> None:

    def items() -> Iterator[int]:
        after_commit(noted.append, "mail")
        yield 0
        noted.append("item")

    parts = Here(items).start()
    assert (b"".join(parts), noted) == (QUIET + data(0) + END, ["item"])
    parts.close()
    assert noted == ["item", "mail"]


def test_a_resolver_is_told_which_item_the_client_has() -> None:
    def items() -> Iterator[int]:
        last = current_call().last_event_id
        yield from range(int(last or -1) + 1, 3)

    place = Here(items)
    environ = {**environ_of(REQUEST), "HTTP_LAST_EVENT_ID": "1"}
    assert b"".join(place.app(environ, lambda *_: None)) == QUIET + data(2) + END
    assert place.whole() == QUIET + data(0) + data(1) + data(2) + END


class Unclosable(Own):
    def close(self) -> None:
        raise RuntimeError("canary")


class UnclosableLater(Later):
    async def aclose(self) -> None:
        raise RuntimeError("canary")


@rows(
    "items, last, code",
    (Own, END, "OK"),
    (Later, END, "OK"),
    (Unclosable, BROKEN, "INTERNAL_ERROR"),
    (UnclosableLater, BROKEN, "INTERNAL_ERROR"),
)
def test_an_iterator_need_not_be_a_generator(
    items: Any, last: bytes, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    place = Here(items)

    assert (place.whole(), place.codes) == (QUIET + data(0) + last, [code])
    assert str(place.events[0].exception) == ("None" if last is END else "canary")
    assert ("closing the iterator of a stream raised" in caplog.text) == (last is not END)


class Stopped(Failure, status=409):
    """It was stopped."""


class Shut(Failure, status=423):
    """It is closed."""


def failing() -> Iterator[int]:
    yield 0
    raise ValueError("canary")


@rows(
    "mapped, code",
    (Stopped(), "STOPPED"),
    (ServiceUnavailable(), "SERVICE_UNAVAILABLE"),
    (Shut(), "INTERNAL_ERROR"),
    (None, "INTERNAL_ERROR"),
)
def test_what_an_iterator_raises_may_be_mapped_to_what_the_stream_declares(
    mapped: Failure | None, code: str
) -> None:
    def resolver(input: None, ctx: None) -> Stream[int | Stopped] | Shut:
        return Stream(failing())

    events: list[CallEvent] = []
    options = {"handle_unhandled_error": lambda *_: mapped, "on_call": events.append}
    body = b"".join(WsgiApp(served(resolver, **options))(environ_of(REQUEST), lambda *_: None))

    assert body == QUIET + data(0) + f'event: error\ndata: {{"error":"{code}"}}\n\n'.encode()
    assert [event.code for event in events] == [code]
    assert isinstance(events[0].exception, ValueError) is (code == "INTERNAL_ERROR")


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
        assert (place.whole(), len(kept.threads)) == (QUIET + data(0) + END, 3)
        assert {*kept.threads}.isdisjoint({threading.get_ident()})
        assert len({*kept.threads}) == 1
        until(lambda: not place.app.lanes.streams.taken)


def test_a_value_of_another_thread_is_not_waited_for(caplog: pytest.LogCaptureFixture) -> None:
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

    body = Here(made).whole()
    over.set()

    assert body == QUIET + data(0) + BROKEN
    assert "so it cannot end there" in caplog.text


def test_a_failed_stream_is_quiet_until_its_values_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_items, "QUIET_SECONDS", 0.02)
    kept = Kept()

    async def items() -> AsyncIterator[int]:
        yield 0
        raise ValueError("canary")

    def made() -> AsyncIterator[int]:
        assert kept.value() == "value"
        return items()

    parts = Here(made, item_seconds=20).begun()
    assert kept.ending.wait(PATIENCE)
    assert next(parts) == QUIET
    kept.may_end.set()

    assert b"".join(parts).replace(QUIET, b"") == BROKEN


def test_an_id_that_raises_ends_the_stream(caplog: pytest.LogCaptureFixture) -> None:
    def resolver(input: None, ctx: None) -> Stream[int]:
        return Stream(iter([1, 0]), id=lambda item: str(1 // item))

    body = b"".join(WsgiApp(served(resolver))(environ_of(REQUEST), lambda *_: None))

    assert body == QUIET + b"id: 1\n" + data(1) + BROKEN
    assert "writing item 2 of the stream raised" in caplog.text


def flow(items: Iterator[int]) -> Flow:
    """A stream of *items* with no server."""
    [bound] = Here(lambda: items).service.routes.values()
    incoming = Bare(REQUEST, Lanes(Limits()))
    return Flow(bound, cast("Any", bound.output.dump(Stream(items))), incoming)


def test_nobody_asks_an_iterator_that_was_closed() -> None:
    stream = flow(failing())

    assert stream.leave()
    stream.close_here()
    stream.close_here()
    assert (stream.leave(), stream.next_here(), stream.number) == (False, [], 0)


def test_a_thread_that_comes_when_the_client_has_gone_asks_for_no_item() -> None:
    asked: list[int] = []
    given = ones(asked, is_async=False)
    stream = flow(given)

    assert stream.next_here() == [data(1)]
    assert stream.leave()
    assert stream.next_here() == []
    assert (len(asked), list(given), stream.leave()) == (1, [], False)
