"""
Edges: the values at the ends of what a type allows, where most mistakes are.

Of a number with wide bounds Hypothesis draws the last one once in fifty times; a check of a hundred examples has to try it on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
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

__all__ = ["MOST", "edges_of"]

MOST: Final = 1_000
"""Characters or bytes up to which the longest value is tried."""

_FLOATS: Final = (0.0, -1.7976931348623157e308, 1.7976931348623157e308, 5e-324)
_DECIMALS: Final = (Decimal(0), Decimal("-0.01"), Decimal("1E+20"), Decimal("1E-20"))


def edges_of(shape: Scalar) -> SearchStrategy[Any]:
    """Values at the ends of *shape*, where it has any; else all of them."""
    match shape:
        case IntShape(minimum, maximum, multiple_of):
            step = multiple_of or 1
            first, last = -(-minimum // step) * step, maximum // step * step
            return st.sampled_from([*dict.fromkeys(value for value in (0, first, last) if first <= value <= last)])
        case FloatShape(bounds):
            return _among(shape, bounds, _FLOATS)
        case DecimalShape(bounds):
            return _among(shape, bounds, _DECIMALS)
        case DateShape(bounds) | TimedeltaShape(bounds):
            return _among(shape, bounds, ())
        case DatetimeShape(bounds, offset) if offset is None:
            return _among(shape, bounds, ())
        case StrShape(low, high, ()) | BytesShape(low, high):
            if high is None or high > MOST:
                return scalar_values(shape)
            shortest, longest = replace(shape, max_length=low or 0), replace(shape, min_length=high)
            return st.one_of(scalar_values(shortest), scalar_values(longest))
        case _:
            return scalar_values(shape)


def _among(shape: Scalar, bounds: Bounds, extremes: Iterable[Any]) -> SearchStrategy[Any]:
    limits = [limit for limit in (bounds.ge, bounds.le) if limit is not None]
    found = [
        value
        for value in dict.fromkeys([*limits, *extremes])
        if within(bounds, value) and (bounds.multiple_of is None or is_multiple(value, bounds.multiple_of))
    ]
    return st.sampled_from(found) if found else scalar_values(shape)
