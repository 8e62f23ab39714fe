"""Pairwise covers: of the runs of a test of many parameters, so few that every two values still meet."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import pytest

__all__ = ["keep_a_cover"]

_DIMENSIONS: Final = 3
"""From as many on, parameters multiply."""


def keep_a_cover(items: list[pytest.Item], folder: Path) -> None:
    """
    Keep a pairwise cover of each test of many parameters in *folder*, as rows of the table have one.

    Every two values of two parameters meet in one run, so a transport meets each kind of hook,
    resolver and case.
    """
    runs = defaultdict[object, list[pytest.Function]](list)
    for item in items:
        if isinstance(item, pytest.Function) and item.path.parent == folder:
            runs[item.function].append(item)
    kept = {run for each in runs.values() for run in _cover(each)}
    items[:] = [item for item in items if item.path.parent != folder or item in kept]


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
