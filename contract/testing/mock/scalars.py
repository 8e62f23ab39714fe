"""
Scalars: values without parts, drawn with a seed.

Everything that has an order is drawn as a whole number: steps from the lowest value that is
allowed, or from a usual one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal, localcontext
from random import Random
from typing import Any, Final, assert_never
from uuid import UUID

from contract.shape import (
    Bounds,
    DateShape,
    DatetimeShape,
    DecimalShape,
    FloatShape,
    IntShape,
    TimedeltaShape,
    TimeShape,
    UuidShape,
)
from contract.shape.exceptions import GenerationError
from contract.shape.forms import (
    DATE,
    DATETIME,
    DECIMAL,
    MAX_DECIMAL_DIGITS,
    TIME,
    TIMEDELTA,
    decimal_fits,
)
from contract.testing.mock.texts import matching

__all__ = ["EXAMPLE", "float_of", "int_of", "matching_text", "text_of"]

EXAMPLE: Final = 'give the field an example: "examples": [...]'
"""Advice for a place where no value was found."""


def matching_text(
    random: Random, patterns: tuple[str, ...], low: int | None, high: int | None, where: str
) -> str:
    """A text that all *patterns* are found in."""
    text = matching(random, patterns, low, high)
    if text is None:
        raise GenerationError(
            where, f"no text was found that matches {' and '.join(patterns)[:200]!r}; {EXAMPLE}"
        )
    return text


# Numbers, and what is drawn like one.


def _steps(random: Random, low: int | None, high: int | None, step: int) -> int | None:
    """
    A multiple of *step* from *low* to *high*, a small positive one where that may be.

    None where there is none.
    """
    if (low is None or low < 1) and (high is None or high >= step):
        low = 1
    elif low is None:
        low = (high or 0) - 1000 * step
    first = -(-low // step)
    last = first + 999 if high is None else min(high // step, first + 999)
    return None if first > last else random.randint(first, last) * step


def _whole(random: Random, bounds: Bounds) -> int | None:
    """An integer within *bounds*, which are integers."""
    lows = [
        each
        for each in (bounds.ge, None if bounds.gt is None else bounds.gt + 1)
        if each is not None
    ]
    highs = [
        each
        for each in (bounds.le, None if bounds.lt is None else bounds.lt - 1)
        if each is not None
    ]
    return _steps(
        random, max(lows, default=None), min(highs, default=None), bounds.multiple_of or 1
    )


def int_of(random: Random, shape: IntShape, where: str) -> int:
    """An integer."""
    number = _whole(random, shape.bounds)
    if number is None:
        raise GenerationError(
            where, "no integer keeps within these limits; write limits that leave something"
        )
    return number


def float_of(random: Random, shape: FloatShape) -> float:
    """A number; where limits leave very little, it may be one that they do not."""
    limits = shape.bounds
    lows: list[float] = [each for each in (limits.ge, limits.gt) if each is not None]
    highs: list[float] = [each for each in (limits.le, limits.lt) if each is not None]
    if lows:
        low = max(lows)
    else:
        low = min(highs) - 1000 if highs else 0.0
    high = min(highs, default=low + 1000)
    if limits.multiple_of is not None:
        step = Decimal(str(limits.multiple_of))
        first = math.ceil(Decimal(str(low)) / step) + (low == limits.gt)
        last = math.floor(Decimal(str(high)) / step) - (high == limits.lt)
        return float(step * random.randint(min(first, last), min(last, first + 999)))
    number = low + (high - low) * random.uniform(0.01, 0.99)
    rounded = round(number, 2)
    return float(next((each for each in (rounded, number) if low < each < high), low))


def text_of(
    random: Random,
    shape: UuidShape | DecimalShape | DateShape | DatetimeShape | TimeShape | TimedeltaShape,
    where: str,
) -> str:
    """A value that stands as a text."""
    match shape:
        case UuidShape():
            return str(UUID(int=random.getrandbits(128), version=4))
        case DecimalShape(bounds):
            return DECIMAL.write(_decimal(random, bounds, where))
        case DateShape(bounds):
            days = _within(random, bounds, date.toordinal, date(2026, 1, 1).toordinal(), 1, 365)
            return DATE.write(date.fromordinal(min(max(days, 1), date.max.toordinal())))
        case DatetimeShape(bounds, offset):
            usual = _microseconds(datetime(2026, 1, 1, tzinfo=UTC))
            micros = _within(random, bounds, _microseconds, usual, 60_000_000, 525_600)
            zone = timezone(offset or timedelta(0))
            return DATETIME.write(
                (_EPOCH + timedelta(microseconds=micros)).astimezone(zone)
            ).replace("+00:00", "Z")
        case TimeShape():
            return _time(random, shape)
        case TimedeltaShape(bounds):
            micros = _within(
                random,
                bounds,
                lambda bound: bound // timedelta(microseconds=1),
                0,
                60_000_000,
                1440,
            )
            return TIMEDELTA.write(timedelta(microseconds=micros))
        case _:
            assert_never(shape)


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def _microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(microseconds=1)


def _within(
    random: Random, limits: Bounds, convert: Callable[[Any], int], usual: int, step: int, most: int
) -> int:
    """
    A moment as a number: some steps after *usual*, or after the lowest one that is allowed.

    Limits leave something, which whoever read them has seen; where they leave less than a step, it
    is the first or the last moment.
    """
    lows = [convert(limits.ge)] if limits.ge is not None else []
    lows += [convert(limits.gt) + 1] if limits.gt is not None else []
    highs = [convert(limits.le)] if limits.le is not None else []
    highs += [convert(limits.lt) - 1] if limits.lt is not None else []
    low, high = max(lows, default=None), min(highs, default=None)
    start = usual if low is None else max(low, usual)
    if high is not None and start > high:
        start = high if low is None else low
    room = most if high is None else min(most, (high - start) // step)
    return start + random.randint(0, max(room, 0)) * step


def _time(random: Random, shape: TimeShape) -> str:
    day = date(2000, 1, 1)

    def micros(moment: time) -> int:
        offset = moment.utcoffset() or timedelta(0)
        return (
            datetime.combine(day, moment.replace(tzinfo=None))
            - offset
            - datetime.combine(day, time())
        ) // timedelta(microseconds=1)

    found = _within(random, shape.bounds, micros, 8 * 3_600_000_000, 60_000_000, 600)
    moment = (
        (datetime.combine(day, time()) + timedelta(microseconds=found))
        .time()
        .replace(tzinfo=UTC if shape.aware else None)
    )
    return TIME.write(moment).replace("+00:00", "Z")


def _decimal(random: Random, bounds: Bounds, where: str) -> Decimal:
    limits: list[Decimal | None] = [bounds.ge, bounds.gt, bounds.le, bounds.lt, bounds.multiple_of]
    natural = max(
        (-int(each.as_tuple().exponent) for each in limits if each is not None), default=2
    )
    # in a small enough unit everything is a whole number: in cents mostly, unless limits are so
    # narrow or so large that these do not fit
    for places in (max(2, natural), max(2, natural) + 2, natural):
        unit = Decimal((0, (1,), -places))
        with localcontext(prec=4 * MAX_DECIMAL_DIGITS):
            found = _whole(
                random, Bounds(*(None if each is None else int(each / unit) for each in limits))
            )
            if found is not None and decimal_fits(found * unit):
                return found * unit
    raise GenerationError(
        where, "no decimal keeps within these limits; write limits that leave something"
    )
