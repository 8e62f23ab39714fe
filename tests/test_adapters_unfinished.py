"""Unfinished bodies: which of them are refused once they take too much memory together."""

from __future__ import annotations

import asyncio

import pytest

from contract.adapters import unfinished
from contract.adapters.unfinished import Unfinished, largest_of


@pytest.fixture(autouse=True)
def ten_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert unfinished.MOST_HELD == 256 * 1024**2
    monkeypatch.setattr(unfinished, "MOST_HELD", 10)


def refused(*bodies: Unfinished) -> list[bool]:
    return [each.is_refused for each in bodies]


async def test_of_too_many_bytes_the_largest_bodies_are_refused() -> None:
    a, b, c, d, e = bodies = [Unfinished() for _ in range(5)]
    for each, part in ((a, b"x"), (b, b"bb"), (c, b""), (d, b"ddd"), (e, b"eeee")):
        each.add(part)
    assert not any(refused(*bodies))
    a.add(b"y")  # one byte more, and the largest two of the four that have any are refused

    assert refused(*bodies) == [False, False, False, True, True]
    assert [each.held for each in bodies] == [2, 2, 0, 0, 0]
    for each in (a, c):
        each.add(b"z")
    assert (a.take(), c.take()) == (b"xyz", b"z")


async def test_who_was_refused_is_not_among_the_next() -> None:
    small, *large = [Unfinished() for _ in range(6)]
    small.add(b"x")
    for each in large:
        each.add(b"0123456789")

    assert refused(small, *large) == [False, True, True, True, True, True]
    assert (small.held, len(small)) == (1, 1)


async def test_what_has_been_taken_or_dropped_does_not_count_but_what_is_held_elsewhere() -> None:
    first, second, third = [Unfinished() for _ in range(3)]
    first.add(b"0123456789")
    assert first.take() == b"0123456789"
    second.add(b"0123456789")
    second.drop()
    third.add(b"012345678")
    first.hold(1)
    assert not any(refused(first, second, third))
    first.hold(2)

    assert (refused(first, second, third), first.held, len(first)) == ([False, False, True], 2, 0)


async def test_a_body_that_is_alone_has_its_own_limit() -> None:
    alone = Unfinished()
    alone.add(b"more than ten bytes")

    assert not alone.is_refused
    assert largest_of([alone], len) == []


def test_each_event_loop_counts_for_itself() -> None:
    async def begin() -> Unfinished:
        made = Unfinished()
        made.add(b"0123456")
        return made

    assert not any(refused(asyncio.run(begin()), asyncio.run(begin())))
