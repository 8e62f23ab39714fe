"""Streaming: the parts of a stream and what is told of it, with nobody there who sends them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, final

import pytest

from contract import CallEvent, CallFailed, Failure, Stream, route, spec
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.call.mount_options import Limits, Options
from contract.call.streaming import Flow, whole
from contract.call.values import Values
from contract.shape.exceptions import InvalidOutput
from tests.wire.exchange import Bare, RawRequest

ZERO = b"data: 0\n\n"
END = b"event: end\ndata: {}\n\n"


class Stopped(Failure, status=409):
    """It was stopped."""


class Undeclared(Failure, status=409):
    """No stream declares it."""


def error(code: str) -> bytes:
    return f'event: error\ndata: {{"error":"{code}"}}\n\n'.encode()


@route(summary="Items", tags=["t"], auth="none")
def numbers(input: None, ctx: None) -> Stream[int | Stopped]:
    raise AssertionError


@final
class Sent:
    """Takes the parts, in the task that asks for items."""

    def __init__(self, stream: Flow, code: str | None) -> None:
        self.stream = stream
        self.code = code
        self.parts: list[bytes] = []

    async def put(self, part: bytes) -> None:
        self.parts.append(part)

    def break_off(self) -> None:
        raise AssertionError

    async def each(self) -> None:
        if self.stream.is_async:
            await self.stream.each(self.put)
            return
        while part := self.stream.next_here():
            await self.put(part[0])
        if self.code is not None:
            raise asyncio.CancelledError

    def check(self) -> None:
        """Somebody is there."""

    def cut_off(self) -> str | None:
        return self.code


def opened_of(items: Any, incoming: Bare, on_call: Callable[[CallEvent], None]) -> Flow:
    service = service_of(spec(routes=[numbers]), Options(on_call=on_call))
    [bound] = service.routes.values()
    opened: Any = bound.output.dump(Stream(items))
    return Flow(bound, opened, incoming)


class Run:
    """A stream that has come to its end."""

    def __init__(self, items: Any, method: str = "POST", code: str | None = None) -> None:
        self.events: list[CallEvent] = []
        incoming = Bare(RawRequest(method, "/numbers"), Lanes(Limits()))
        self.values = incoming.values = Values()
        self.stream = opened_of(items, incoming, self.events.append)
        channel = Sent(self.stream, code)
        asyncio.run(whole(self.stream, channel, incoming))
        self.parts = channel.parts

    @property
    def told(self) -> list[tuple[str | None, str, str, int]]:
        return [(each.route, each.surface, each.code, each.status) for each in self.events]


def raising() -> Iterator[int]:
    yield 0
    raise LookupError("canary")


async def later(items: Iterator[Any]) -> AsyncIterator[Any]:
    for item in items:
        yield item


UNFIT = "of the stream does not fit its declared type"
UNDECLARED = "of the stream is an Undeclared, and the resolver declares"
BROKEN = ([ZERO, error("INTERNAL_ERROR")], ("INTERNAL_ERROR", 500))


ENDS: list[tuple[Callable[[], Iterator[Any]], list[bytes], tuple[str, int], type | None, str]] = [
    (lambda: iter([0, 0]), [ZERO, ZERO, END], ("OK", 200), None, ""),
    (lambda: iter([]), [END], ("OK", 200), None, ""),
    (lambda: iter([0, Stopped(), 0]), [ZERO, error("STOPPED")], ("STOPPED", 409), CallFailed, ""),
    (lambda: iter([0, Undeclared(), 0]), *BROKEN, InvalidOutput, f"item 2 {UNDECLARED}"),
    (lambda: iter([0, "one", 0]), *BROKEN, InvalidOutput, f"item 2 {UNFIT}: (value): expected int"),
    (raising, *BROKEN, LookupError, "the iterator of the stream, after 1 items, raised"),
]


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize(("items", "parts", "outcome", "cause", "log"), ENDS)
def test_a_stream_ends_as_it_is_told(
    items: Any, parts: list[bytes], outcome: Any, cause: Any, log: str, is_async: bool, caplog: Any
) -> None:
    run = Run(later(items()) if is_async else items())

    assert (run.parts, run.told) == (parts, [("numbers", "http", *outcome)])
    assert type(run.values.cause) is (type(None) if cause is None else cause)
    assert log in caplog.text


@pytest.mark.parametrize("is_async", [False, True])
def test_nothing_is_asked_of_an_iterator_where_nothing_is_sent(is_async: bool) -> None:
    items = iter([0, 1])
    run = Run(later(items) if is_async else items, "HEAD")

    assert (run.parts, run.stream.number, [*items]) == ([END], 0, [0, 1])


def test_values_are_told_of_the_failure_that_ended_their_stream() -> None:
    cause: Any = Run(iter([Stopped()])).values.cause
    assert cause.failure == Stopped()


def test_what_closing_raises_does_not_hide_why_a_stream_ended(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def items() -> Iterator[Any]:
        try:
            yield Stopped()
        finally:
            raise RuntimeError("canary")

    assert Run(items()).parts == [error("STOPPED")]
    assert "closing the iterator of a stream raised" in caplog.text


def test_a_stream_that_is_cut_off_ends_by_that_code() -> None:
    run = Run(iter([0]), code="SERVICE_UNAVAILABLE")

    assert run.parts == [ZERO, error("SERVICE_UNAVAILABLE")]
    assert run.told == [("numbers", "http", "SERVICE_UNAVAILABLE", 503)]


def test_a_stream_whose_client_has_gone_is_told_as_cancelled() -> None:
    told: list[tuple[str, int]] = []
    incoming = Bare(RawRequest(), Lanes(Limits()))
    stream = opened_of(iter([0]), incoming, lambda event: told.append((event.code, event.status)))
    stream.tell_cancelled()

    assert told == [("CANCELLED", 499)]


def test_of_an_end_that_is_told_twice_the_first_counts() -> None:
    run = Run(iter([0]))
    run.stream.tell_cut("DEADLINE_EXCEEDED")
    run.stream.tell_cancelled()
    run.stream.tell()

    assert [code for _, _, code, _ in run.told] == ["OK"]


class Busy:
    """An iterator that is to be closed while somebody is in it."""

    def __init__(self) -> None:
        self.closed: list[list[None]] = []
        self.inside: list[None] = []
        self.stream = opened_of(self, Bare(RawRequest(), Lanes(Limits())), lambda _: None)

    def __next__(self) -> int:
        self.inside.append(None)
        self.stream.close_here()
        self.inside.clear()
        return 0

    def close(self) -> None:
        self.closed.append([*self.inside])


def test_an_iterator_is_closed_once_nobody_is_in_it() -> None:
    items = Busy()

    assert (items.stream.next_here(), items.closed) == ([ZERO], [[]])
    assert items.stream.next_here() == []
