"""Examples of a strategy, always the same ones."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis.strategies import SearchStrategy

__all__ = ["drawn"]


class _EnoughError(Exception):
    """What was looked for has come."""


def drawn(
    strategy: SearchStrategy[Any],
    count: int = 100,
    enough: Callable[[list[Any]], bool] | None = None,
) -> list[Any]:
    """Many examples; no more of them once they are *enough*."""
    found: list[Any] = []

    @settings(
        max_examples=count, database=None, derandomize=True, phases=[Phase.generate], deadline=None
    )
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)
        if enough is not None and enough(found):
            raise _EnoughError

    with suppress(_EnoughError):
        collect()
    return found
