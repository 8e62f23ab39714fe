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
from decimal import Decimal
from functools import partial
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contract.shape import text_forms
from contract.shape.bounds import I64_MAX, I64_MIN, Bounds
from contract.shape.nodes import (
    AnyShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    FloatShape,
    IntShape,
    LocalDatetimeShape,
    StrShape,
    TimedeltaShape,
    TimeShape,
)
from contract.testing.scalars import Scalar, is_multiple, scalar_values, within
from contract.testing.texts import judge

__all__ = ["LONGEST", "MOST", "Broken", "edges_of", "outside"]

MOST: Final = 1_000
"""The longest value that is tried, in characters or bytes."""

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
        case LocalDatetimeShape(bounds):
            ends = (datetime.max, datetime.min)  # noqa: DTZ901  they have no offset
            return _among(shape, bounds, [*_leap_day(bounds, datetime), *ends])
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
    """Each of the `_CHARACTERS`, repeated to the least length, if *shape* allows it."""
    broken = judge(shape)
    least = max(shape.min_length or 0, 1)
    fitting = (
        []
        if least > MOST
        else [text for text in (char * least for char in _CHARACTERS) if not broken(text)]
    )
    return [st.sampled_from(fitting)] if fitting else []


def _leap_day(bounds: Bounds, make: Callable[[int, int, int], Any]) -> list[Any]:
    """The first leap day of this century within *bounds*, if there is one."""
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
_MICROSECOND = timedelta(microseconds=1)


def outside(shape: Scalar) -> Iterator[Broken]:
    """
    Values of the right form for *shape* that are too small, too great or between two multiples.
    """
    match shape:
        case AnyShape():
            yield from _judged(
                Bounds(ge=I64_MIN, le=I64_MAX), (I64_MIN - 1, I64_MAX + 1), lambda value: value
            )
        case IntShape(minimum, maximum, multiple_of):
            step = multiple_of or 1
            first, last = -(-minimum // step) * step, maximum // step * step
            candidates = (
                first - step,
                last + step,
                minimum - 1,
                maximum + 1,
                first + 1,
                last - 1,
                1,
            )
            yield from _judged(
                Bounds(ge=minimum, le=maximum, multiple_of=multiple_of),
                candidates,
                lambda value: value,
            )
        case FloatShape(bounds):
            yield from _judged(bounds, _numbers_around(bounds, _next_floats), lambda value: value)
        case DecimalShape(bounds):
            yield from _judged(
                bounds, _numbers_around(bounds, _next_decimals), text_forms.DECIMAL.write
            )
        case DatetimeShape(bounds, offset):
            zone = None if offset is None else timezone(offset)
            yield from _judged(
                bounds,
                _moments_around(bounds, _MICROSECOND),
                lambda value: (value.astimezone(zone) if zone else value).isoformat(),
            )
        case LocalDatetimeShape(bounds):
            yield from _judged(
                bounds, _moments_around(bounds, _MICROSECOND), text_forms.DATETIME_LOCAL.write
            )
        case DateShape(bounds):
            yield from _judged(bounds, _moments_around(bounds, _DAY), text_forms.DATE.write)
        case TimedeltaShape(bounds):
            yield from _judged(
                bounds, _moments_around(bounds, _MICROSECOND), text_forms.TIMEDELTA.write
            )
        case TimeShape(bounds):
            yield from _judged(bounds, _times_around(bounds), text_forms.TIME.write)
        case BytesShape(min_length, max_length):
            if min_length:
                yield text_forms.BYTES.write(bytes(min_length - 1)), "bytes_too_short"
            if max_length is not None and max_length < LONGEST:
                yield text_forms.BYTES.write(bytes(max_length + 1)), "bytes_too_long"
        case _:
            return


def _judged(
    bounds: Bounds, candidates: Iterable[Any], write: Callable[[Any], Any]
) -> Iterator[Broken]:
    for value in dict.fromkeys(candidates):
        broken = [
            code
            for code, breaks in (
                ("greater_than_equal", bounds.ge is not None and value < bounds.ge),
                ("greater_than", bounds.gt is not None and value <= bounds.gt),
                ("less_than_equal", bounds.le is not None and value > bounds.le),
                ("less_than", bounds.lt is not None and value >= bounds.lt),
                (
                    "multiple_of",
                    bounds.multiple_of is not None and not is_multiple(value, bounds.multiple_of),
                ),
            )
            if breaks
        ]
        if len(broken) == 1:
            yield write(value), broken[0]


def _limits(bounds: Bounds) -> list[Any]:
    return [limit for limit in (bounds.ge, bounds.gt, bounds.le, bounds.lt) if limit is not None]


def _numbers_around(bounds: Bounds, next_to: Callable[[Any], Iterable[Any]]) -> Iterator[Any]:
    for limit in _limits(bounds):
        yield from (limit, limit - 1, limit + 1)
        if bounds.multiple_of is None:
            yield from next_to(limit)
    if bounds.multiple_of is not None:
        for start in (
            bounds.multiple_of * 0,
            *(limit // bounds.multiple_of * bounds.multiple_of for limit in _limits(bounds)),
        ):
            yield from (start + bounds.multiple_of / 2 * halves for halves in range(-4, 5))


def _next_floats(limit: float) -> list[float]:
    return [
        near
        for near in (math.nextafter(limit, -math.inf), math.nextafter(limit, math.inf))
        if math.isfinite(near)
    ]


def _next_decimals(limit: Decimal) -> Iterator[Decimal]:
    _, digits, exponent = limit.as_tuple()
    # other sums would have too many digits
    if (
        isinstance(exponent, int)
        and len(digits) < 30
        and exponent > -text_forms.MAX_DECIMAL_EXPONENT
    ):
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
        for distance in (
            timedelta(),
            -_MICROSECOND,
            _MICROSECOND,
            -timedelta(hours=1),
            timedelta(hours=1),
        ):
            moment = datetime.combine(start, limit) + distance
            if moment.date() == start.date():
                yield moment.timetz()
