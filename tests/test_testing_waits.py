"""Streams that give nothing for long: the checks leave them, and say so."""

from __future__ import annotations

import asyncio
import time
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import settings as Settings  # noqa: N812  it is a class

from contract import Stream, route, spec
from contract.adapters import thread_items
from contract.call.mount_options import Limits, Options
from contract.testing import Client, Finding, check_route
from contract.testing.fuzzed import fuzzed_of
from contract.testing.fuzzing import Answer, Result
from contract.testing.waits import STREAM_SECONDS, Late, Waits, in_time, is_late, within
from tests.fuzzed import fuzz
from tests.tables import rows

SECONDS = 0.05
ENOUGH = 0.3
"""For a first item, on a busy machine, too."""


async def waits_later(n: int) -> AsyncIterator[Any]:
    yield n
    await asyncio.Event().wait()


def waits(n: int) -> Iterator[Any]:
    yield n
    time.sleep(2)  # a thread cannot be stopped, so it has to end by itself


def drips(n: int) -> Iterator[Any]:
    for each in count():
        yield each
        time.sleep(SECONDS / 5)


async def waits_at_once(n: int) -> AsyncIterator[Any]:
    await asyncio.Event().wait()
    yield n


def following(items: Callable[[int], Any], **options: Any) -> Any:
    """A route with a stream of what *items* gives for a number."""

    @route(summary="Follow", tags=["t"], auth="none", **options)
    def follow(input: int, ctx: None) -> Stream[int]:
        return Stream(items(input))

    return follow


def check(follow: Any, seconds: float = SECONDS) -> None:
    settings = Settings(max_examples=20, database=None, derandomize=True)
    check_route(follow, settings=settings, stream_seconds=seconds)()


LEFT = (
    r"\Afollow: 5 of its streams were left unfinished \(stream_seconds=0.05\); "
    r"what came until then was checked, and it was called no more\Z"
)


@rows("items", waits_later, waits, drips, waits_at_once)
def test_a_check_leaves_streams_that_take_long(items: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_items, "PATIENCE", 0.01)

    with pytest.warns(UserWarning, match=LEFT):
        check(following(items))
    with pytest.warns(UserWarning, match=LEFT):
        check(following(items, effect="read"))


def test_what_comes_before_is_looked_at() -> None:
    async def wrong(n: int) -> AsyncIterator[Any]:
        yield n
        if abs(n) > 10:
            yield "two"
        await asyncio.Event().wait()

    with pytest.raises(Finding, match="item 2 of its stream is 'two'") as found:
        check(following(wrong), ENOUGH)
    assert "well another time" not in str(found.value)


def test_one_of_many_is_no_reason_to_stop() -> None:
    calls: list[int] = []

    async def sometimes(n: int) -> AsyncIterator[Any]:
        calls.append(n)
        yield n
        if n == 0:
            await asyncio.Event().wait()

    with pytest.warns(UserWarning, match=r"\d of its streams (was|were) left unfinished"):
        check(following(sometimes, effect="read"), ENOUGH)
    assert len(set(calls)) > 10


@rows("is_async", True, False)
def test_a_read_that_is_late_as_a_function_is_left_too(is_async: bool) -> None:
    """The first call takes what there is, and the next one waits for more: that may be chance."""
    turns = count()

    async def later(n: int) -> AsyncIterator[Any]:
        if next(turns) % 2:
            await asyncio.sleep(1)
        yield n

    def now(n: int) -> Iterator[Any]:
        if next(turns) % 2:
            time.sleep(1)
        yield n

    with pytest.warns(UserWarning, match=r"of its streams were left unfinished"):
        check(following(later if is_async else now, effect="read"))


def test_calls_that_failed_are_made_again() -> None:
    waited = Waits()
    waited.failed(1)
    waited.late = 4
    assert waited.is_worth(2)

    waited.late = 5
    assert waited.is_worth(1)
    assert not waited.is_worth(2)


@rows(
    "late, told",
    (1, "follow: 1 of its streams was left unfinished (-s 2); what came until then was checked"),
    (4, "follow: 4 of its streams were left unfinished (-s 2); what came until then was checked"),
)
def test_how_many_were_left_is_told(late: int, told: str) -> None:
    waited = Waits()
    waited.late = late
    assert waited.told("follow", "-s 2") == told


@rows("own, seconds, least", (None, 2.0, 2.0), (1.0, 2.0, 1.0), (3.0, 2.0, 2.0))
def test_the_limit_of_a_mount_holds_if_it_is_lower(
    own: float | None, seconds: float, least: float
) -> None:
    options = Options(prefix="/v1", limits=Limits(stream_seconds=own, threads=7))
    found = within(options, seconds)

    assert found.limits == Limits(stream_seconds=least, threads=7)
    assert found.prefix == "/v1"


def test_a_function_is_left_in_its_thread() -> None:
    assert in_time(lambda: 1, 10) == 1
    with pytest.raises(ZeroDivisionError):
        in_time(lambda: 1 // 0, 10)
    with pytest.raises(Late):
        in_time(lambda: time.sleep(0.5), 0.01)


# Fuzzing.


def fuzzed(follow: Any) -> Result:
    api = spec(routes=[follow])
    client = Client(api, options=within(Options(), ENOUGH))
    [known] = fuzzed_of(api)

    def post(name: str, body: bytes) -> Answer:
        reply = client.call(name, body=body, max_items=20)
        late = is_late(reply)
        return Answer(replace(reply, json=None) if late else reply, left=late, late=late)

    return fuzz(known, post)


def test_fuzzing_stops_to_call_what_is_always_left() -> None:
    result = fuzzed(following(waits_later))

    assert result.findings == ()
    assert (result.valid, result.waits.late, result.codes) == (5, 5, {"OK": 5})
    assert result.invalid == 30


def test_a_success_without_an_item_was_not_seen() -> None:
    assert fuzzed(following(waits_at_once)).unseen == ("OK",)


def test_nothing_is_said_of_streams_that_end() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(following(lambda n: iter([n]), effect="read"), 60)
    assert STREAM_SECONDS == 2.0
