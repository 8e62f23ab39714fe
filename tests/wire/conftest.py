"""What the tests of the wire share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import pytest

from tests.wire.exchange import loop

_HERE: Final = Path(__file__).parent
_DIMENSIONS: Final = 3
"""From as many on, parameters multiply."""


@pytest.fixture(scope="session", autouse=True)
def server_loop() -> Iterator[None]:
    """The loop lives as long as the tests."""
    yield
    loop().close()
    loop.cache_clear()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Keep a pairwise cover of each test of many parameters, as rows of the table have one.

    Every two values of two parameters meet in one run, so a transport meets each kind of hook,
    resolver and case.
    """
    runs = defaultdict[object, list[pytest.Function]](list)
    for item in items:
        if isinstance(item, pytest.Function) and item.path.parent == _HERE:
            runs[item.function].append(item)
    kept = {run for each in runs.values() for run in _cover(each)}
    items[:] = [item for item in items if item.path.parent != _HERE or item in kept]


def _cover(runs: list[pytest.Function]) -> list[pytest.Function]:
    meetings = {run: _meetings(run) for run in runs}
    wanted = set[object]().union(*meetings.values())
    if not wanted:
        return runs
    chosen: list[pytest.Function] = []
    while wanted:
        best = max(runs, key=lambda run: len(meetings[run] & wanted))
        chosen.append(best)
        wanted -= meetings[best]
    return chosen


def _meetings(run: pytest.Function) -> frozenset[object]:
    """The pairs of values that meet in a run; none where it has few parameters."""
    callspec: Any = getattr(run, "callspec", None)
    if callspec is None or len(callspec.params) < _DIMENSIONS:
        return frozenset()
    # the values are those of the decorators, one object for all runs
    return frozenset(combinations(((name, id(each)) for name, each in callspec.params.items()), 2))
