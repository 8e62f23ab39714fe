"""
Scalars: values of the shapes without parts, and all ways to write each value in JSON.

Values are constructed within their bounds, not filtered: a range of ten microseconds is as easy to
draw from as all of time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal, localcontext
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import Any, Final, assert_never

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contract.pred.report import DEAF, INVALID
from contract.pred.scalars import scalar_loader
from contract.shape import text_forms
from contract.shape.bounds import I64_MAX, I64_MIN, Bounds, as_written, whole_limits
from contract.shape.nodes import (
    AnyShape,
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    EnumShape,
    FloatShape,
    Formed,
    FormedShape,
    IntShape,
    LiteralShape,
    LocalDatetimeShape,
    NullShape,
    ScalarShape,
    StrShape,
    TimedeltaShape,
    TimeShape,
    UuidShape,
)
from contract.shape.scalars import form_of
from contract.testing.texts import CHARACTERS, LONG, repeated, texts

__all__ = [
    "Scalar",
    "any_json",
    "is_multiple",
    "scalar_values",
    "within",
    "written",
]

Scalar = AnyShape | ScalarShape
"""Shapes that contain no other shapes."""

_SAFE_INTEGER: Final = 2**53 - 1
"""Up to here, a float and an integer mean the same number (RFC 8259, section 6)."""

_MICROSECOND: Final = timedelta(microseconds=1)
_DAY: Final = timedelta(days=1)


def scalar_values(shape: Scalar) -> SearchStrategy[Any]:
    """Valid Python values of *shape*."""
    match shape:
        case AnyShape():
            return any_json()
        case NullShape():
            return st.none()
        case BoolShape():
            return st.booleans()
        case IntShape(minimum, maximum, multiple_of):
            if multiple_of is None:
                return st.integers(minimum, maximum)
            first, last = -(-minimum // multiple_of), maximum // multiple_of  # first is rounded up
            return st.integers(first, last).map(lambda count: count * multiple_of)
        case FloatShape(bounds):
            return _floats(bounds)
        case StrShape():
            return texts(shape)
        case BytesShape(min_length, max_length):
            if (min_length or 0) > LONG:
                return repeated(st.binary(min_size=1, max_size=5), min_length or 0, max_length)
            return st.binary(min_size=min_length or 0, max_size=max_length)
        case DecimalShape(bounds):
            return _decimals(bounds)
        case DatetimeShape(bounds, offset):
            return _datetimes(bounds, offset)
        case LocalDatetimeShape(bounds):
            ends = (datetime.min, datetime.max)  # noqa: DTZ901  they have no offset
            moments = st.datetimes(*_limits(bounds, *ends, _MICROSECOND))
            return moments.map(lambda moment: moment.replace(fold=0))
        case DateShape(bounds):
            return st.dates(*_limits(bounds, date.min, date.max, _DAY))
        case TimeShape(bounds, aware):
            return _times(bounds, aware=aware)
        case TimedeltaShape(bounds):
            return _timedeltas(bounds)
        case Formed():
            return _of_form(shape)
        case LiteralShape():
            return st.sampled_from(shape.choices)
        case EnumShape(type_, members):
            return st.sampled_from([type_[name] for name, _ in members])
        case _:
            assert_never(shape)


def written(shape: Scalar, value: Any) -> list[Any]:
    """The JSON values that load as *value*; the first one is how it is dumped."""
    match shape:
        case AnyShape() | NullShape() | BoolShape() | StrShape():
            return [value]
        case LiteralShape():
            if isinstance(value, Enum):
                return [value.value]
            return [value]
        case IntShape():
            if abs(value) > _SAFE_INTEGER:
                return [value]
            return [value, float(value)]
        case FloatShape():
            if not value.is_integer() or abs(value) > _SAFE_INTEGER:
                return [value]
            return [value, int(value)]
        case DecimalShape():
            return list(_decimal_texts(value))
        case DatetimeShape() | LocalDatetimeShape() | TimeShape():
            return list(_clock_texts(form_of(shape), value))
        case TimedeltaShape():
            return list(_duration_texts(value))
        case UuidShape():
            return [str(value), str(value).upper()]
        case Formed():
            return [form_of(shape).write(value)]
        case EnumShape(_, members):
            return [wire for name, wire in members if name == value.name]
        case _:
            assert_never(shape)


def _of_form(shape: FormedShape) -> SearchStrategy[Any]:
    """The values of texts drawn from the pattern of a form."""
    form, load = form_of(shape), scalar_loader(shape)
    drawn = texts(StrShape(patterns=(form.pattern,)))
    return drawn.filter(lambda text: load(text, DEAF) is not INVALID).map(form.parse)


def any_json() -> SearchStrategy[Any]:
    """Every kind of JSON value that ``Any`` accepts; small ones."""
    leaves = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(I64_MIN, I64_MAX),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(CHARACTERS, max_size=5),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(st.text(CHARACTERS, max_size=5), inner, max_size=3),
        ),
        max_leaves=5,
    )


def within(bounds: Bounds, value: Any) -> bool:
    """Whether *value* is within *bounds*, apart from ``multiple_of``."""
    return (
        (bounds.ge is None or value >= bounds.ge)
        and (bounds.gt is None or value > bounds.gt)
        and (bounds.le is None or value <= bounds.le)
        and (bounds.lt is None or value < bounds.lt)
    )


def is_multiple(value: Any, unit: Any) -> bool:
    """Whether *value* is a multiple of *unit* in decimal notation: 0.3 is one of 0.1."""
    return (as_written(value) / as_written(unit)).denominator == 1


def _limits(bounds: Bounds, least: Any, greatest: Any, step: Any) -> tuple[Any, Any]:
    """The first and the last value within *bounds*, for a type whose values are *step* apart."""
    low, high = least, greatest
    if bounds.ge is not None:
        low = max(low, bounds.ge)
    if bounds.gt is not None:
        low = max(low, bounds.gt + step)
    if bounds.le is not None:
        high = min(high, bounds.le)
    if bounds.lt is not None:
        high = min(high, bounds.lt - step)
    return low, high


def _counts(bounds: Bounds, unit: Fraction, most: int) -> SearchStrategy[int]:
    """
    Counts of *unit* within *bounds*, and up to *most* if nothing else limits them.

    Raises:
        ValueError: There is none.
    """
    low, high = whole_limits(bounds, lambda limit: as_written(limit) / unit)
    if low is not None and high is not None and low > high:
        raise ValueError(f"no multiple of {bounds.multiple_of} lies within these bounds")
    if low is None:
        low = -most
        if high is not None:
            low = min(low, high)
    if high is None:
        high = max(most, low)
    return st.integers(low, high)


def _floats(bounds: Bounds) -> SearchStrategy[float]:
    if bounds.multiple_of is not None:
        unit = as_written(bounds.multiple_of)
        return (
            _counts(bounds, unit, 10**6)
            .map(lambda count: float(count * unit))
            .filter(lambda value: is_multiple(value, bounds.multiple_of))
        )
    low = max((limit for limit in (bounds.ge, bounds.gt) if limit is not None), default=None)
    high = min((limit for limit in (bounds.le, bounds.lt) if limit is not None), default=None)
    return st.floats(
        low,
        high,
        exclude_min=low is not None and low == bounds.gt,
        exclude_max=high is not None and high == bounds.lt,
        allow_nan=False,
        allow_infinity=False,
    )


_PLACES: Final = 4
"""How many more decimal places are drawn than the bounds need."""


def _extremes() -> Iterator[Decimal]:
    greatest = text_forms.MAX_DECIMAL_EXPONENT
    for digits in ("0", "-0", "1", "-12", "9" * text_forms.MAX_DECIMAL_DIGITS):
        yield Decimal(digits)
        yield Decimal(f"{digits}E+{greatest}")
        yield Decimal(f"{digits}E-{greatest}")


_EXTREMES: Final = tuple(_extremes())


def _decimals(bounds: Bounds) -> SearchStrategy[Decimal]:
    if bounds.multiple_of is not None:
        _, digits, exponent = bounds.multiple_of.as_tuple()
        multiples = _counts(bounds, as_written(bounds.multiple_of), 10**12).map(
            lambda count: _scaled(count * int("".join(map(str, digits))), exponent)
        )
        return multiples.filter(text_forms.decimal_fits)
    # with so few places that bounds which are close together leave something, and with a few more
    most = text_forms.MAX_DECIMAL_EXPONENT
    places = next((places for places in range(most) if _has_some(bounds, places)), most)
    drawn = [
        _counts(bounds, Fraction(1, 10**scale), 10**12).map(partial(_scaled, exponent=-scale))
        for scale in range(places, min(places + _PLACES, most) + 1)
    ]
    extremes = [value for value in _EXTREMES if within(bounds, value)]
    if extremes:
        drawn.append(st.sampled_from(extremes))
    return st.one_of(drawn).filter(text_forms.decimal_fits)


def _has_some(bounds: Bounds, places: int) -> bool:
    """Whether decimals with so many *places* lie between *bounds*, which may be close together."""
    low, high = whole_limits(bounds, lambda limit: as_written(limit) * 10**places)
    return low is None or high is None or low <= high


def _scaled(digits: int, exponent: int) -> Decimal:
    # the usual context has 28 digits, and a value may have more (text_forms.MAX_DECIMAL_DIGITS)
    with localcontext(prec=100):
        return Decimal(digits).scaleb(exponent)


_MINUTES: Final = 24 * 60 - 1


def _offsets() -> SearchStrategy[timezone]:
    def zone(minutes: int) -> timezone:
        return timezone(timedelta(minutes=minutes)) if minutes else UTC

    return st.one_of(
        st.just(UTC),
        st.sampled_from([60, -300, 330]).map(zone),
        st.integers(-_MINUTES, _MINUTES).map(zone),
    )


def _datetimes(bounds: Bounds, offset: timedelta | None) -> SearchStrategy[datetime]:
    zone = timezone(offset) if offset else UTC
    least, greatest = datetime.min.replace(tzinfo=zone), datetime.max.replace(tzinfo=zone)
    # a day away from the ends of the calendar, which another offset could cross
    low, high = _limits(bounds, least + _DAY, greatest - _DAY, _MICROSECOND)
    zones = st.just(zone) if offset is not None else _offsets()
    if low > high:
        low, high = _limits(bounds, least, greatest, _MICROSECOND)
        zones = st.just(zone)
    low, high = (limit.astimezone(zone).replace(tzinfo=None) for limit in (low, high))
    return st.tuples(st.datetimes(low, high), zones).map(
        lambda drawn: drawn[0].replace(tzinfo=zone).astimezone(drawn[1]).replace(fold=0)
    )


def _times(bounds: Bounds, *, aware: bool | None) -> SearchStrategy[time]:
    limits = [limit for limit in (bounds.ge, bounds.gt, bounds.le, bounds.lt) if limit is not None]
    if not limits:
        plain = st.times().map(lambda moment: moment.replace(fold=0))
        zoned = st.tuples(plain, _offsets()).map(lambda drawn: drawn[0].replace(tzinfo=drawn[1]))
        if aware is None:
            return st.one_of(plain, zoned)
        return zoned if aware else plain
    # drawn as microseconds: Hypothesis takes no limits for times with an offset
    zone = limits[0].tzinfo

    def since_midnight(limit: time) -> int:
        # in microseconds in the zone of the first limit; a limit in another zone may be outside of
        # that day
        clock = datetime.combine(date.min, limit.replace(tzinfo=None)) - datetime.min  # noqa: DTZ901
        offset = (limits[0].utcoffset() or timedelta()) - (limit.utcoffset() or timedelta())
        return (clock + offset) // _MICROSECOND

    low, high = whole_limits(bounds, since_midnight)
    last = _DAY // _MICROSECOND - 1
    low = max(0, low or 0)
    if high is None or high > last:
        high = last
    return st.integers(low, high).map(
        lambda since: (datetime(1, 1, 1, tzinfo=zone) + since * _MICROSECOND).timetz()
    )


_LONGEST: Final = text_forms.MAX_DURATION


def _timedeltas(bounds: Bounds) -> SearchStrategy[timedelta]:
    low, high = _limits(bounds, -_LONGEST, _LONGEST, _MICROSECOND)
    if low > high:
        raise ValueError("no duration lies within these bounds")
    return st.timedeltas(low, high)


def _decimal_texts(value: Decimal) -> Iterator[str]:
    usual = str(value)
    # 1.5 and 1.50 are equal, and so are 2 and 2.0
    longer = f"{usual}0" if "." in usual else f"{usual}.0"
    for text in (text_forms.DECIMAL.write(value), f"{value:f}", longer, f"{usual}e0"):
        # some are none: `longer` of 1E+3, and texts with too many digits
        if _parses(text_forms.DECIMAL, text, value):
            yield text


def _clock_texts(form: text_forms.Form, value: Any) -> Iterator[str]:
    text = form.write(value)
    yield text
    for other in (
        text.replace("+00:00", "Z"),
        text.replace("+00:00", "-00:00"),
        _with_fraction(text),
        _with_nanoseconds(text),
    ):
        if other != text:
            yield other


def _with_fraction(text: str) -> str:
    # "10:00:00+01:00" -> "10:00:00.0+01:00"; "10:00:00.120000" -> "10:00:00.12"
    if "." not in text:
        end = text.index(":") + 6
        return f"{text[:end]}.0{text[end:]}"
    start = text.index(".") + 1
    return f"{text[:start]}{text[start : start + 6].rstrip('0')}{text[start + 6 :]}"


def _with_nanoseconds(text: str) -> str:
    # "10:00:00Z" -> "10:00:00.000000999Z": anything below a microsecond is cut off
    end = text.index(":") + 6
    fraction, zone = "", text[end:]
    if zone.startswith("."):
        fraction, zone = zone[1:7], zone[7:]
    return f"{text[:end]}.{fraction.ljust(6, '0')}999{zone}"


def _duration_texts(value: timedelta) -> Iterator[str]:
    text = text_forms.TIMEDELTA.write(value)
    yield text
    total = 0
    if abs(value.days) < 10**6:
        total = abs(value) // _MICROSECOND
    seconds, microseconds = divmod(total, 10**6)
    sign = "-" if value < timedelta() else ""
    other = f"{sign}PT{seconds}.{microseconds:06}S"
    if _parses(text_forms.TIMEDELTA, other, value):
        yield other


def _parses(form: text_forms.Form, text: str, value: object) -> bool:
    parse: Callable[[str], object] = form.parse
    try:
        return parse(text) == value
    except ValueError:
        return False
