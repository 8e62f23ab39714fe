"""
Samples: made-up values, as JSON.

`sample` gives a whole input to start from, for a command line to copy. The author's examples come
first. Everything else is a common value, and valid unless a predicate refuses it. `drawn` gives a
value without parts, from a seed; mocks use it.

Ordered values are drawn as integers: steps from the lowest allowed value, or from a common one.
Unordered strings are drawn from their pattern.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal, localcontext
from random import Random
from typing import Any, Final, assert_never

import orjson

from contract.pred.dump.compile import compile_dumper
from contract.pred.report import DEAF, INVALID
from contract.pred.scalars import scalar_loader
from contract.shape.bounds import I64_MIN, Bounds, whole_limits
from contract.shape.exceptions import GenerationError
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    Basic,
    BasicShape,
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    Definition,
    EnumShape,
    Field,
    FloatShape,
    Formed,
    FormedShape,
    IntShape,
    LiteralShape,
    LocalDatetimeShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    NullShape,
    OwnShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    StrShape,
    TaggedUnionShape,
    TimedeltaShape,
    TimeShape,
    TupleShape,
    UnionShape,
)
from contract.shape.scalars import bounds_of, form_of, row_of
from contract.shape.text_forms import (
    DATE,
    DATETIME,
    DATETIME_LOCAL,
    DECIMAL,
    MAX_DECIMAL_DIGITS,
    MAX_DURATION,
    TIME,
    TIMEDELTA,
    decimal_fits,
)
from contract.testing.sample_contents import matching, plain

__all__ = ["EXAMPLE", "drawn", "sample"]

EXAMPLE: Final = 'give the field an example: "examples": [...]'
"""Advice for a place where no value was found."""

_TOO_LARGE: Final = 1_000_000
"""The most bytes that are drawn."""


def sample(shape: Shape) -> str:
    """A JSON document for *shape*."""
    return orjson.dumps(_sample(shape, frozenset())).decode()


def _sample(shape: Shape, inside: frozenset[Definition]) -> Any:
    """A JSON value; *inside* are the definitions around it, at which a recursion ends."""
    match shape:
        case AnyShape():
            return {}
        case Basic():
            return _usual(shape)
        case LiteralShape(values):
            return values[0]
        case EnumShape(members=members):
            return members[0][1]
        case ArrayShape(item, min_items=least):
            if not least and _recurs(item, inside):
                return []
            # one at least, to show what an item is
            return [_sample(item, inside)] * max(1, least or 0)
        case TupleShape(items):
            return [_sample(item, inside) for item in items]
        case MapShape(key, value):
            if _recurs(value, inside):
                return {}
            return {str(_sample(key, inside)): _sample(value, inside)}
        case NullableShape(inner):
            if _recurs(inner, inside):
                return None
            return _sample(inner, inside)
        case UnionShape(members):
            # the first is the usual one, unless the recursion would go on in it
            ending = (member for member in members if not _recurs(member, inside))
            return _sample(next(ending, members[0]), inside)
        case TaggedUnionShape(tag, cases=cases):
            ending_cases = (each for each in cases if not _recurs(each[1], inside))
            tag_value, case_ = next(ending_cases, cases[0])
            return _sample(case_, inside) | {tag: tag_value}
        case Refined(inner):
            return _sample(inner, inside)
        case OwnShape(inner, examples=examples):
            if examples:
                return examples[0]
            return _usual(inner)
        case RefShape(definition):
            return _sample(definition.shape, inside | {definition})
        case RecordShape(fields=fields):
            return {
                field.wire: _of_field(field, inside)
                for field in fields
                if field.init and (field.required_in or field.examples)
            }
        case NamedTupleShape(fields=fields):
            return [_of_field(field, inside) for field in fields if field.required_in]
        case _:
            assert_never(shape)


def _of_field(field: Field, inside: frozenset[Definition]) -> Any:
    if field.examples:
        # examples are values of Python's
        return orjson.loads(compile_dumper(field.shape)(field.examples[0]))
    return _sample(field.shape, inside)


def _recurs(shape: Shape, inside: frozenset[Definition]) -> bool:
    """
    Tell whether *shape* leads straight back to a type that it is a part of.

    A null or an empty array on the way would end the recursion.
    """
    match shape:
        case RefShape(definition):
            return definition in inside
        case TaggedUnionShape(cases=cases):
            return all(_recurs(case_, inside) for _, case_ in cases)
        case Refined(inner):
            return _recurs(inner, inside)
        case _:
            return False


def _usual(shape: BasicShape) -> Any:
    """A common value; else one at a limit, or one that is drawn."""
    load = scalar_loader(shape)
    samples = row_of(shape).samples
    for each in (*samples, *_ends(shape)):
        if load(each, DEAF) is not INVALID:
            return each
    try:
        return drawn(Random(0), shape, "")  # noqa: S311  no secrets are made of it
    except GenerationError:
        return samples[0]


def _ends(shape: BasicShape) -> Iterator[Any]:
    """The limits of *shape*, or the lowest multiple of its step; some may be beyond another."""
    bounds = bounds_of(shape)
    if isinstance(shape, IntShape) and shape.multiple_of is not None:
        # rounded up: -(-a // b) is the ceiling of a / b
        yield -(-max(shape.minimum, 1) // shape.multiple_of) * shape.multiple_of
    for limit in (bounds.ge, bounds.le):
        if limit is None:
            continue
        if isinstance(shape, Formed):
            yield form_of(shape).write(limit)
        else:
            yield limit


# By a seed.


def drawn(random: Random, shape: BasicShape, where: str) -> Any:
    """
    A value of *shape*, small if possible.

    Raises:
        GenerationError: No value was found at *where*.
    """
    match shape:
        case NullShape():
            return None
        case BoolShape():
            return random.random() < 0.5
        case IntShape():
            return _int(random, shape, where)
        case FloatShape():
            return _float(random, shape)
        case StrShape(low, high, patterns):
            if patterns:
                return _matching(random, patterns, low, high, where)
            return plain(random, low, high)
        case BytesShape(low, high):
            size = low or _BYTES
            if high is not None:
                size = min(size, high)
            return _bytes(random, size, where)
        case DecimalShape(bounds):
            return DECIMAL.write(_decimal(random, bounds, where))
        # Moments are drawn as a number of steps after a usual one: days or minutes in the year from
        # January 2026 on, minutes in the ten hours from eight in the morning on, and durations of
        # whole minutes, up to a day.
        case DateShape(bounds):
            days = _within(
                random, bounds, date.toordinal, date(2026, 1, 1).toordinal(), 1, 365, last=date.max
            )
            return DATE.write(date.fromordinal(days))
        case DatetimeShape(bounds, offset):
            zone = timezone(offset or timedelta(0))
            # the last moment is that of the zone, unless this is only in UTC
            last = min(datetime.max.replace(tzinfo=each) for each in (UTC, zone))
            moment = _moment(random, bounds, UTC, last).astimezone(zone)
            return DATETIME.write(moment).replace("+00:00", "Z")
        case LocalDatetimeShape(bounds):
            return DATETIME_LOCAL.write(_moment(random, bounds, None, datetime.max))  # noqa: DTZ901
        case TimeShape():
            return _time(random, shape)
        case TimedeltaShape(bounds):
            micros = _within(random, bounds, _micros, 0, 60_000_000, 1440, last=MAX_DURATION)
            return TIMEDELTA.write(micros * _MICROSECOND)
        case _:
            return _of_form(random, shape, where)


def _of_form(random: Random, shape: FormedShape, where: str) -> str:
    """A text drawn from the pattern of its form, until it keeps to all other rules."""
    load = scalar_loader(shape)
    pattern = form_of(shape).pattern
    texts = (_matching(random, (pattern,), None, None, where) for _ in range(_TRIES))
    found = next((text for text in texts if load(text, DEAF) is not INVALID), None)
    if found is None:
        raise GenerationError(where, f"no {row_of(shape).label} was found; {EXAMPLE}")
    return found


_TRIES: Final = 100
"""How many texts of a form are tried: most forms have few rules that their pattern lacks."""

_BYTES: Final = 8
"""How many bytes are drawn, if the limits allow it."""


def _bytes(random: Random, size: int, where: str) -> str:
    if size > _TOO_LARGE:
        raise GenerationError(
            where, f"the smallest value is larger than a mock makes them; {EXAMPLE}"
        )
    return base64.b64encode(random.randbytes(size)).decode()


def _matching(
    random: Random, patterns: tuple[str, ...], low: int | None, high: int | None, where: str
) -> str:
    """A text that matches all *patterns*."""
    text = matching(random, patterns, low, high)
    if text is None:
        raise GenerationError(
            where, f"no text was found that matches {' and '.join(patterns)[:200]!r}; {EXAMPLE}"
        )
    return text


# Numbers, and everything that is drawn as a number.


def _steps(random: Random, low: int | None, high: int | None, step: int) -> int | None:
    """
    A multiple of *step* from *low* to *high*; a small positive one, if possible.

    None if there is no such multiple.
    """
    # 1. The lowest: 1, if that is allowed; else the limit, or a thousand steps below the highest.
    if (low is None or low < 1) and (high is None or high >= step):
        low = 1
    elif low is None:
        low = (high or 0) - 1000 * step

    # 2. One of the first thousand multiples from there: small numbers are the usual ones.
    first = -(-low // step)  # rounded up
    last = first + 999
    if high is not None:
        last = min(last, high // step)
    if first > last:
        return None
    return random.randint(first, last) * step


def _whole(random: Random, bounds: Bounds) -> int | None:
    """An integer within *bounds*, which are integers."""
    return _steps(random, *whole_limits(bounds, int), bounds.multiple_of or 1)


def _int(random: Random, shape: IntShape, where: str) -> int:
    """An integer."""
    step = shape.multiple_of or 1
    low, high = shape.minimum, shape.maximum
    if low == I64_MIN:
        low = max(low, min(high, step) - 1000 * step)  # the last ones are the small ones
    number = _steps(random, low, high, step)
    if number is None:
        raise GenerationError(
            where, "no integer keeps within these limits; write limits that leave something"
        )
    return number


def _float(random: Random, shape: FloatShape) -> float:
    """A number; within very narrow limits, it may break them."""
    limits = shape.bounds
    lows: list[float] = [each for each in (limits.ge, limits.gt) if each is not None]
    highs: list[float] = [each for each in (limits.le, limits.lt) if each is not None]
    if lows:
        low = max(lows)
    elif highs:
        low = min(highs) - 1000
    else:
        low = 0.0
    high = min(highs, default=low + 1000)
    if limits.multiple_of is not None:
        # in decimals, as JSON writes them: in floats, 0.3 is no multiple of 0.1
        step = Decimal(str(limits.multiple_of))
        first = math.ceil(Decimal(str(low)) / step)
        if low == limits.gt:
            first += 1
        last = math.floor(Decimal(str(high)) / step)
        if high == limits.lt:
            last -= 1
        # the next multiple may be more than a thousand away
        if not highs:
            last = max(first, last)
        return float(step * random.randint(min(first, last), min(last, first + 999)))
    # away from both ends, which may be excluded
    number = low + (high - low) * random.uniform(0.01, 0.99)
    rounded = round(number, 2)
    inner = next((each for each in (rounded, number) if low < each < high), None)
    if inner is not None:
        return float(inner)
    # a large number is next to none a thousand away
    near = (low, high, math.nextafter(low, math.inf), math.nextafter(high, -math.inf))
    load = scalar_loader(shape)
    return float(next((each for each in near if load(each, DEAF) is not INVALID), low))


_MICROSECOND: Final = timedelta(microseconds=1)


def _micros(duration: timedelta) -> int:
    return duration // _MICROSECOND


def _moment(random: Random, bounds: Bounds, zone: tzinfo | None, last: datetime) -> datetime:
    """A moment in *zone*, and not after the *last* one."""
    epoch, usual = datetime(1970, 1, 1, tzinfo=zone), datetime(2026, 1, 1, tzinfo=zone)

    def micros(moment: datetime) -> int:
        return (moment - epoch) // _MICROSECOND

    found = _within(random, bounds, micros, micros(usual), 60_000_000, 525_600, last=last)
    return epoch + found * _MICROSECOND


def _within(
    random: Random,
    limits: Bounds,
    convert: Callable[[Any], int],
    usual: int,
    step: int,
    most: int,
    *,
    last: object,
) -> int:
    """
    A moment as a number: some steps after *usual*, or after the lowest allowed one.

    It is not after the *last* one that there is.

    The limits allow something, as the reader of the shape has checked. If they allow less than a
    step, it is the first or the last moment.
    """
    low, high = whole_limits(limits, convert)
    start = usual if low is None else max(low, usual)
    if high is not None and start > high:
        start = high if low is None else low
    end = convert(last)
    if high is not None:
        end = min(end, high)
    room = min(most, (end - start) // step)
    return start + random.randint(0, max(room, 0)) * step


def _time(random: Random, shape: TimeShape) -> str:
    midnight = datetime(2000, 1, 1)  # noqa: DTZ001  any day will do

    def micros(moment: time) -> int:
        clock = datetime.combine(midnight, moment.replace(tzinfo=None)) - midnight
        return (clock - (moment.utcoffset() or timedelta(0))) // _MICROSECOND

    usual = 8 * 3_600_000_000
    found = _within(random, shape.bounds, micros, usual, 60_000_000, 600, last=time.max)
    zone = UTC if shape.aware else None
    moment = (midnight + found * _MICROSECOND).time().replace(tzinfo=zone)
    return TIME.write(moment).replace("+00:00", "Z")


def _decimal(random: Random, bounds: Bounds, where: str) -> Decimal:
    limits: list[Decimal | None] = [bounds.ge, bounds.gt, bounds.le, bounds.lt, bounds.multiple_of]
    natural = max(
        (-int(each.as_tuple().exponent) for each in limits if each is not None), default=2
    )
    # in a small enough unit every decimal is an integer: mostly in cents, unless the limits are too
    # narrow or too large for these
    for places in (max(2, natural), max(2, natural) + 2, natural):
        unit = Decimal((0, (1,), -places))
        with localcontext(prec=8 * MAX_DECIMAL_DIGITS):
            found = _whole(random, Bounds(*(_counted(each, unit) for each in limits)))
            if found is not None and decimal_fits(found * unit):
                return found * unit
    raise GenerationError(
        where, "no decimal keeps within these limits; write limits that leave something"
    )


def _counted(limit: Decimal | None, unit: Decimal) -> int | None:
    """How many *unit* a *limit* is."""
    if limit is None:
        return None
    return int(limit / unit)
