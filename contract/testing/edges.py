"""
Edges: the values at the ends of what a type allows, where most mistakes are.

Of a number with wide bounds Hypothesis draws the last one once in fifty times; a check of a hundred
examples has to try it on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from functools import partial
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contract.shape.bounds import Bounds
from contract.shape.nodes import (
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    FloatShape,
    IntShape,
    StrShape,
    TimedeltaShape,
)
from contract.testing.scalars import Scalar, is_multiple, scalar_values, within
from contract.testing.texts import judge

__all__ = ["MOST", "edges_of"]

MOST: Final = 1_000
"""Characters or bytes up to which the longest value is tried."""

_FLOATS: Final = (0.0, -1.7976931348623157e308, 1.7976931348623157e308, 5e-324)
_DECIMALS: Final = (Decimal(0), Decimal("-0.01"), Decimal("1E+20"), Decimal("1E-20"))
_TIMEDELTAS: Final = (timedelta(0), timedelta.max, timedelta.min)

_LEAP_YEARS: Final = range(2000, 2100, 4)
"""Whose 29th of February is no day of the next year."""

_CHARACTERS: Final = "²①⁴½ßİ \0"
"""
Characters that code seldom thinks of.

Digits that ``int`` refuses (``"²".isdigit()`` holds) and a number that is no digit, letters that
become two in capitals or in small ones, a blank that ``strip`` removes, and NUL, which databases
refuse.
"""


def edges_of(shape: Scalar) -> SearchStrategy[Any]:
    """Values at the ends of *shape*, where it has any; else all of them."""
    match shape:
        case IntShape(minimum, maximum, multiple_of):
            step = multiple_of or 1
            first, last = -(-minimum // step) * step, maximum // step * step
            return st.sampled_from(
                [*dict.fromkeys(value for value in (0, first, last) if first <= value <= last)]
            )
        case FloatShape(bounds):
            return _among(shape, bounds, _FLOATS)
        case DecimalShape(bounds):
            return _among(shape, bounds, _DECIMALS)
        case DateShape(bounds):
            return _among(shape, bounds, [*_leap_day(bounds, date), date.max, date.min])
        case TimedeltaShape(bounds):
            return _among(shape, bounds, _TIMEDELTAS)
        case DatetimeShape(bounds, offset):
            zone = timezone(offset) if offset else UTC
            ends = (datetime.max.replace(tzinfo=zone), datetime.min.replace(tzinfo=zone))
            return _among(
                shape, bounds, [*_leap_day(bounds, partial(datetime, tzinfo=zone)), *ends]
            )
        case StrShape():
            return st.one_of(_ends(shape), *_odd_texts(shape))
        case BytesShape():
            return _ends(shape)
        case _:
            return scalar_values(shape)


def _ends(shape: StrShape | BytesShape) -> SearchStrategy[Any]:
    low, high = shape.min_length or 0, shape.max_length
    if high is None or high > MOST or (isinstance(shape, StrShape) and shape.patterns):
        return scalar_values(shape)
    return st.one_of(
        scalar_values(replace(shape, max_length=low)),
        scalar_values(replace(shape, min_length=high)),
    )


def _odd_texts(shape: StrShape) -> list[SearchStrategy[str]]:
    """Each of the `_CHARACTERS` as often as it takes, where *shape* allows it."""
    broken = judge(shape)
    least = max(shape.min_length or 0, 1)
    fitting = (
        []
        if least > MOST
        else [text for text in (char * least for char in _CHARACTERS) if not broken(text)]
    )
    return [st.sampled_from(fitting)] if fitting else []


def _leap_day(bounds: Bounds, make: Callable[[int, int, int], Any]) -> list[Any]:
    """The first leap day of this century that is within *bounds*, if any is."""
    return [day for day in (make(year, 2, 29) for year in _LEAP_YEARS) if within(bounds, day)][:1]


def _among(shape: Scalar, bounds: Bounds, extremes: Iterable[Any]) -> SearchStrategy[Any]:
    limits = [limit for limit in (bounds.ge, bounds.le) if limit is not None]
    found = [
        value
        for value in dict.fromkeys([*limits, *extremes])
        if within(bounds, value)
        and (bounds.multiple_of is None or is_multiple(value, bounds.multiple_of))
    ]
    return st.sampled_from(found) if found else scalar_values(shape)
