from __future__ import annotations

import asyncio
import sys
import time

import pytest
import trio

from contract.client import AsyncSystemClock, SystemClock


def test_the_clock_is_that_of_the_computer() -> None:
    clock = SystemClock()
    before = (time.monotonic(), time.time())

    assert before[0] <= clock.monotonic() <= time.monotonic()
    assert before[1] - 1 <= clock.time() <= time.time() + 1


def test_chance_is_spread_from_0_to_1() -> None:
    drawn = [SystemClock().random() for _ in range(200)]

    assert all(0 <= each < 1 for each in drawn)
    assert len({*drawn}) > 190
    assert min(drawn) < 0.2 < 0.8 < max(drawn)


def test_clocks_wait() -> None:
    started = time.monotonic()
    SystemClock().sleep(0.01)
    assert time.monotonic() - started >= 0.009


def test_the_clock_of_an_event_loop_waits_in_it() -> None:
    async def wait() -> float:
        started = time.monotonic()
        await AsyncSystemClock().sleep(0.01)
        return time.monotonic() - started

    assert asyncio.run(wait()) >= 0.009
    assert trio.run(wait) >= 0.009


def test_without_anyio_the_loop_is_that_of_asyncio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anyio", None)

    asyncio.run(AsyncSystemClock().sleep(0))
