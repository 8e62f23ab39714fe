"""How what something costs grows: by a ratio of two times of one process, which says the same on any machine."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

_NOISE: Final = 0.001
"""Seconds of the processor; less than that is measured as that."""


def least(run: Callable[[T], object], of: T) -> float:
    """
    Seconds of the processor, at best.

    Earlier tests leave threads, whose seconds are not counted, and objects, which the garbage
    collector would look at.
    """
    taken: list[float] = []
    gc.disable()
    try:
        for _ in range(3):
            started = time.thread_time()
            run(of)
            taken.append(time.thread_time() - started)
    finally:
        gc.enable()
    return max(min(taken), _NOISE)


def growth(run: Callable[[T], object], small: T, large: T) -> float:
    """How many times as long *large* takes as *small*."""
    return least(run, large) / least(run, small)
