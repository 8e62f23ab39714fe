"""
Near bounds: values just outside of what a scalar's bounds and lengths allow.

Candidates are proposed freely around each limit and then judged: one that breaks two rules, or
none, is dropped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, Final

from contract.shape import forms
from contract.shape.bounds import I64_MAX, I64_MIN, Bounds
from contract.shape.nodes import (
    AnyShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    FloatShape,
    IntShape,
    TimedeltaShape,
    TimeShape,
)
from contract.testing.scalars import Scalar, is_multiple

__all__ = ["LONGEST", "Broken", "outside"]

Broken = tuple[Any, str]
"""A JSON value, and the code of the one rule that it breaks."""

LONGEST: Final = 100_000
"""
The greatest limit of length that is tried.

Beyond it, the document would be larger than anybody wants to read.
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
            yield from _judged(bounds, _numbers_around(bounds, _next_decimals), forms.DECIMAL.write)
        case DatetimeShape(bounds, offset):
            zone = None if offset is None else timezone(offset)
            yield from _judged(
                bounds,
                _moments_around(bounds, _MICROSECOND),
                lambda value: (value.astimezone(zone) if zone else value).isoformat(),
            )
        case DateShape(bounds):
            yield from _judged(bounds, _moments_around(bounds, _DAY), forms.DATE.write)
        case TimedeltaShape(bounds):
            yield from _judged(bounds, _moments_around(bounds, _MICROSECOND), forms.TIMEDELTA.write)
        case TimeShape(bounds):
            yield from _judged(bounds, _times_around(bounds), forms.TIME.write)
        case BytesShape(min_length, max_length):
            if min_length:
                yield forms.BYTES.write(bytes(min_length - 1)), "bytes_too_short"
            if max_length is not None and max_length < LONGEST:
                yield forms.BYTES.write(bytes(max_length + 1)), "bytes_too_long"
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
    # Others would give a sum of too many digits.
    if isinstance(exponent, int) and len(digits) < 30 and exponent > -forms.MAX_DECIMAL_EXPONENT:
        step = Decimal((0, (1,), min(exponent, 0) - 1))
        yield from (limit - step, limit + step)


def _moments_around(bounds: Bounds, step: timedelta) -> Iterator[Any]:
    for limit in _limits(bounds):
        for distance in (timedelta(), -step, step, -400 * _DAY, 400 * _DAY):
            try:
                yield limit + distance
            except OverflowError:  # there is nothing outside of the end of the calendar
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
