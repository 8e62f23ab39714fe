"""
Ends: values at the limits of a type, where most mistakes are, and just beyond them.

Within wide bounds, Hypothesis draws the last number once in fifty times. A check with a hundred
examples must try it on purpose.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal, localcontext
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contract.shape import text_forms
from contract.shape.bounds import I64_MAX, I64_MIN, Bounds
from contract.shape.nodes import (
    AnyShape,
    Basic,
    BasicShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    FloatShape,
    Formed,
    IntShape,
    LocalDatetimeShape,
    StrShape,
    TimedeltaShape,
    TimeShape,
)
from contract.shape.scalars import bounds_of, form_of
from contract.testing.scalars import Scalar, is_multiple, scalar_values, within
from contract.testing.texts import judge

__all__ = ["LONGEST", "MOST", "Broken", "edges_of", "outside"]

MOST: Final = 1_000
"""The longest value that is tried, in characters or bytes."""

# zero, the least and the greatest of all floats, and the smallest one above zero
_FLOATS: Final = (0.0, -1.7976931348623157e308, 1.7976931348623157e308, 5e-324)
_DECIMALS: Final = (Decimal(0), Decimal("-0.01"), Decimal("1E+20"), Decimal("1E-20"))
_TIMEDELTAS: Final = (timedelta(0), text_forms.MAX_DURATION, -text_forms.MAX_DURATION)

_LEAP_YEARS: Final = range(2000, 2100, 4)
"""Their 29th of February is not a day of the next year."""

_CHARACTERS: Final = "²①⁴½ßİ \0"
"""
Characters that code seldom handles.

Digits that ``int`` refuses (``"²".isdigit()`` is true) and a number that is not a digit; letters
that become two in upper or lower case; a blank that ``strip`` removes; and NUL, which databases
refuse.
"""


def edges_of(shape: Scalar) -> SearchStrategy[Any]:
    """Values at the limits of *shape*; if it has none, any values."""
    match shape:
        case IntShape():
            first, last = _multiples(shape)
            ends = (value for value in (0, first, last) if first <= value <= last)
            return st.sampled_from([*dict.fromkeys(ends)])
        case FloatShape():
            return _among(shape, _FLOATS)
        case DecimalShape():
            return _among(shape, _DECIMALS)
        case TimedeltaShape():
            return _among(shape, _TIMEDELTAS)
        case DateShape():
            return _on_calendar(shape, date.min, date.max)
        case DatetimeShape(_, offset):
            zone = timezone(offset) if offset else UTC
            least, greatest = datetime.min.replace(tzinfo=zone), datetime.max.replace(tzinfo=zone)
            return _on_calendar(shape, least, greatest)
        case LocalDatetimeShape():
            return _on_calendar(shape, datetime.min, datetime.max)  # noqa: DTZ901  no offset
        case StrShape():
            return st.one_of(_ends(shape), *_odd_texts(shape))
        case BytesShape():
            return _ends(shape)
        case _:
            return scalar_values(shape)


def _multiples(shape: IntShape) -> tuple[int, int]:
    """The first and the last value of *shape*."""
    step = shape.multiple_of or 1
    # the first is rounded up: -(-a // b) is the ceiling of a / b
    return -(-shape.minimum // step) * step, shape.maximum // step * step


def _ends(shape: StrShape | BytesShape) -> SearchStrategy[Any]:
    low, high = shape.min_length or 0, shape.max_length
    if high is None or high > MOST or (isinstance(shape, StrShape) and shape.patterns):
        return scalar_values(shape)
    return st.one_of(
        scalar_values(replace(shape, max_length=low)),
        scalar_values(replace(shape, min_length=high)),
    )


def _odd_texts(shape: StrShape) -> list[SearchStrategy[str]]:
    """Each of the `_CHARACTERS`, repeated to the least length, if *shape* allows it."""
    broken = judge(shape)
    least = max(shape.min_length or 0, 1)
    if least > MOST:
        return []
    fitting = [text for text in (char * least for char in _CHARACTERS) if not broken(text)]
    if not fitting:
        return []
    return [st.sampled_from(fitting)]


def _on_calendar(shape: BasicShape, least: Any, greatest: Any) -> SearchStrategy[Any]:
    """The ends of the calendar and the first leap day of this century, if *shape* allows them."""
    leap_days = (least.replace(year=year, month=2, day=29) for year in _LEAP_YEARS)
    first = [day for day in leap_days if within(bounds_of(shape), day)][:1]
    return _among(shape, [*first, greatest, least])


def _among(shape: BasicShape, extremes: Iterable[Any]) -> SearchStrategy[Any]:
    bounds = bounds_of(shape)
    limits = [limit for limit in (bounds.ge, bounds.le) if limit is not None]
    found = [value for value in dict.fromkeys([*limits, *extremes]) if within(bounds, value)]
    if bounds.multiple_of is not None:
        found = [value for value in found if is_multiple(value, bounds.multiple_of)]
    if not found:
        return scalar_values(shape)
    return st.sampled_from(found)


# Just beyond the limits. Candidates around each limit are proposed and then judged: one that breaks
# two rules, or no rule, is dropped.


Broken = tuple[Any, str]
"""A JSON value, and the code of the only rule that it breaks."""

LONGEST: Final = 100_000
"""
The greatest limit of length that is tried.

A document with more would be too large to read.
"""

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_MICROSECOND = timedelta(microseconds=1)


def outside(shape: Scalar) -> Iterator[Broken]:
    """
    Values of the right form for *shape* that are too small, too great or between two multiples.
    """
    if isinstance(shape, BytesShape):
        if shape.min_length:
            yield text_forms.BYTES.write(bytes(shape.min_length - 1)), "bytes_too_short"
        if shape.max_length is not None and shape.max_length < LONGEST:
            yield text_forms.BYTES.write(bytes(shape.max_length + 1)), "bytes_too_long"
        return
    bounds = Bounds(ge=I64_MIN, le=I64_MAX)
    if isinstance(shape, Basic):
        bounds = bounds_of(shape)
    if isinstance(shape, IntShape):  # whose bounds are only those that not every int has
        bounds = replace(bounds, ge=shape.minimum, le=shape.maximum)
    for value in dict.fromkeys(_around(shape, bounds)):
        broken = _broken(bounds, value)
        if len(broken) != 1:
            continue
        try:
            document = _written(shape, value)
        # it has too many digits, or its offset leads out of the calendar
        except (OverflowError, ValueError):
            continue
        yield document, broken[0]


def _around(shape: Scalar, bounds: Bounds) -> Iterable[Any]:
    """Values near the limits of *shape*, on both sides."""
    match shape:
        case AnyShape():
            return I64_MIN - 1, I64_MAX + 1
        case IntShape(minimum, maximum):
            first, last = _multiples(shape)
            step = shape.multiple_of or 1
            return first - step, last + step, minimum - 1, maximum + 1, first + 1, last - 1, 1
        case FloatShape():
            return filter(math.isfinite, _numbers_around(bounds, _next_floats))
        case DecimalShape():
            # a quotient of two of them may have as many digits as their exponents are apart
            with localcontext(prec=8 * text_forms.MAX_DECIMAL_DIGITS):
                return [*_numbers_around(bounds, _next_decimals)]
        case DatetimeShape() | LocalDatetimeShape() | TimedeltaShape():
            return _moments_around(bounds, _MICROSECOND)
        case DateShape():
            return _moments_around(bounds, _DAY)
        case TimeShape():
            return _times_around(bounds)
        case _:
            return ()


def _broken(bounds: Bounds, value: Any) -> list[str]:
    """The codes of the limits that *value* is beyond."""
    breaks = {
        "greater_than_equal": bounds.ge is not None and value < bounds.ge,
        "greater_than": bounds.gt is not None and value <= bounds.gt,
        "less_than_equal": bounds.le is not None and value > bounds.le,
        "less_than": bounds.lt is not None and value >= bounds.lt,
        "multiple_of": bounds.multiple_of is not None
        and not is_multiple(value, bounds.multiple_of),
    }
    return [code for code, is_broken in breaks.items() if is_broken]


def _written(shape: Scalar, value: Any) -> Any:
    """A *value* beyond the limits of *shape* as JSON."""
    if isinstance(shape, DatetimeShape):
        if shape.offset is not None:
            value = value.astimezone(timezone(shape.offset))
        return value.isoformat()
    if isinstance(shape, Formed):
        return form_of(shape).write(value)
    return value


def _limits(bounds: Bounds) -> list[Any]:
    return [limit for limit in (bounds.ge, bounds.gt, bounds.le, bounds.lt) if limit is not None]


def _numbers_around(bounds: Bounds, next_to: Callable[[Any], Iterable[Any]]) -> Iterator[Any]:
    for limit in _limits(bounds):
        yield from (limit, limit - 1, limit + 1)
        if bounds.multiple_of is None:
            yield from next_to(limit)
    if bounds.multiple_of is not None:
        step = bounds.multiple_of
        starts = [step * 0, *(limit // step * step for limit in _limits(bounds))]
        for start in starts:
            # multiples, and the middles between them
            yield from (start + step / 2 * halves for halves in range(-4, 5))


def _next_floats(limit: float) -> list[float]:
    both = (math.nextafter(limit, -math.inf), math.nextafter(limit, math.inf))
    return [near for near in both if math.isfinite(near)]


def _next_decimals(limit: Decimal) -> Iterator[Decimal]:
    _, digits, exponent = limit.as_tuple()
    places = text_forms.MAX_DECIMAL_EXPONENT
    # other sums would have too many digits
    if isinstance(exponent, int) and len(digits) < 30 and exponent > -places:
        step = Decimal((0, (1,), min(exponent, 0) - 1))
        yield from (limit - step, limit + step)


def _moments_around(bounds: Bounds, step: timedelta) -> Iterator[Any]:
    for limit in _limits(bounds):
        for distance in (timedelta(), -step, step, -400 * _DAY, 400 * _DAY):
            try:
                yield limit + distance
            except OverflowError:  # nothing is beyond the end of the calendar
                continue


def _times_around(bounds: Bounds) -> Iterator[Any]:
    for limit in _limits(bounds):
        start = datetime(2000, 1, 1)  # noqa: DTZ001  any day will do
        for distance in (timedelta(), -_MICROSECOND, _MICROSECOND, -_HOUR, _HOUR):
            moment = datetime.combine(start, limit) + distance
            if moment.date() == start.date():
                yield moment.timetz()
