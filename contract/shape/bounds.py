"""
Bounds: the limits of the values of an ordered type.

They are kept as the author wrote them; each has the type that it limits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from contract.shape.record import record

__all__ = ["I64_MAX", "I64_MIN", "UNBOUNDED", "Bounds", "as_written", "whole_limits"]

I64_MIN: Final = -(2**63)
I64_MAX: Final = 2**63 - 1
"""
The range of ``int`` on the wire, unless the annotation declares a wider one.

A wider one goes up to 2**64 - 1 at most, the greatest integer that orjson writes.
"""


@record
class Bounds:
    """Limits of an ordered type; each has the type that it limits, or is None."""

    ge: Any = None
    gt: Any = None
    le: Any = None
    lt: Any = None
    multiple_of: Any = None

    @property
    def any(self) -> bool:
        """Whether there is any limit at all."""
        return self != UNBOUNDED


UNBOUNDED: Final = Bounds()
"""No limits."""


def as_written(number: float | Decimal) -> Fraction:
    """The *number* in its decimal notation: 0.3 is three times 0.1."""
    if isinstance(number, float):
        return Fraction(repr(number))
    return Fraction(number)


def whole_limits(bounds: Bounds, number: Callable[[Any], Any]) -> tuple[int | None, int | None]:
    """The first and the last integer within *bounds*, of each of which *number* makes a number."""
    lows: list[int] = []
    if bounds.ge is not None:
        lows.append(math.ceil(number(bounds.ge)))
    if bounds.gt is not None:
        lows.append(math.floor(number(bounds.gt)) + 1)
    highs: list[int] = []
    if bounds.le is not None:
        highs.append(math.floor(number(bounds.le)))
    if bounds.lt is not None:
        highs.append(math.ceil(number(bounds.lt)) - 1)
    # both kinds of one limit may be given: the narrower one counts
    return max(lows, default=None), min(highs, default=None)
