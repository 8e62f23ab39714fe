"""
Scalars: loaders of values that contain no others.

Each takes exactly what the JSON Schema says: nothing is coerced, a bool is never a number, and a
string for another type must have the form of `contract.shape.text_forms`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any, Final

from contract.pred.dump.scalars import is_multiple
from contract.pred.report import INVALID, Load, Report, integral, type_name
from contract.shape.bounds import I64_MAX, I64_MIN, Bounds
from contract.shape.graph import as_json_has_it
from contract.shape.json_text import kind_of
from contract.shape.nearest import Finder, finder
from contract.shape.nodes import (
    BoolShape,
    BytesShape,
    DatetimeShape,
    EnumShape,
    FloatShape,
    FormedShape,
    IntShape,
    LiteralShape,
    NullShape,
    ScalarShape,
    StrShape,
)
from contract.shape.patterns import matcher
from contract.shape.scalars import bounds_of, form_of
from contract.shape.text_forms import (
    DATETIME,
    DECIMAL,
    INTEGER_KEY,
    MAX_DECIMAL_DIGITS,
    MAX_DECIMAL_EXPONENT,
    SLIPS,
    Form,
    is_decimal_of_any_size,
)

__all__ = [
    "allowed_params",
    "any_loader",
    "integer_key_loader",
    "limiter",
    "listed_key_loader",
    "meant_params",
    "scalar_loader",
    "text_loader",
]

_MAX_ALLOWED: Final = 50
"""The most allowed values that a refusal lists; longer lists are only in the documents."""

_MAX_LISTED: Final = 10
"""How many of a longer list it shows nevertheless, for its sentence."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """A limit; if it does not hold, an issue of *code* has the *param* with what is *shown*."""

    code: str
    param: str
    holds: Callable[[Any, Any], Any]
    limit: Any
    shown: Any
    measures: bool = False
    """Whether the issue includes the length of what was sent."""


def scalar_loader(shape: ScalarShape) -> Load:
    """The loader of *shape*."""
    match shape:
        case NullShape():
            return _null
        case BoolShape():
            return _bool
        case IntShape():
            return _int_loader(shape)
        case FloatShape(bounds):
            return _float_loader(_bound_rules(bounds, float, _divider(bounds.multiple_of)))
        case StrShape():
            return text_loader(shape)
        case LiteralShape() | EnumShape():
            found = ((as_json_has_it(wire), value) for wire, value in _choices(shape))
            return _choice_loader({(type(wire), wire): value for wire, value in found})
        case _:
            return _form_loader(form_of(shape), (*_rules(shape),))


def limiter(shape: FormedShape) -> Load | None:
    """The step that checks the limits of *shape*; None if it has no limits."""
    rules = (*_rules(shape),)
    if not rules:
        return None
    return lambda value, report: _checked(value, rules, report)


def _rules(shape: FormedShape) -> Iterable[_Rule]:
    match shape:
        case BytesShape(low, high):
            return _length_rules("bytes", low, high)
        case DatetimeShape(bounds, offset):
            return _datetime_rules(bounds, offset)
        case _:
            return _bound_rules(bounds_of(shape), form_of(shape).write)


def any_loader(value: Any, report: Report) -> Any:
    """The loader of `AnyShape`: *value* itself, if it can be written again."""
    # almost every value is writable; only for the others the place is looked for
    if _is_writable(value):
        return value
    return _refuse_unwritable(value, report)


def _is_writable(value: Any) -> bool:
    # no recursion: most of the cost of a megabyte of brackets would be calls
    ahead: list[Iterable[Any]] = [(value,)]
    while ahead:
        for item in ahead.pop():
            kind = kind_of(item)
            if kind is list:
                # down through arrays of one array each, without a place in the queue for each
                inner = item
                while len(inner) == 1 and kind_of(inner[0]) is list:
                    inner = inner[0]
                if inner:
                    ahead.append(inner)
            elif kind is dict:
                if item:
                    ahead.append(item.values())
            elif kind is int:
                if not I64_MIN <= item <= I64_MAX:
                    return False
            elif kind is float and not isfinite(item):
                return False
    return True


def _refuse_unwritable(value: Any, report: Report) -> Any:
    kind = kind_of(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is int:
        if value < I64_MIN:
            return report.add("greater_than_equal", ge=I64_MIN)
        if value > I64_MAX:
            return report.add("less_than_equal", le=I64_MAX)
        return value
    if kind is float:
        # 1e999 is valid JSON, and too large for a float
        if not isfinite(value):
            return report.add("number_type", found=type_name(value))
        return value
    items: Any = enumerate(value)
    if kind is dict:
        items = value.items()
    count = report.count
    good = True
    for key, item in items:
        if _refuse_unwritable(item, report) is INVALID:
            good = False
            report.under(count, key)
            count = report.count
            if report.hasty:
                report.truncated = True
                break
    return value if good else INVALID


def integer_key_loader(shape: IntShape) -> Load:
    """The loader of an int as a key."""
    load_int = _int_loader(shape)

    def load(value: Any, report: Report) -> Any:
        try:
            number = INTEGER_KEY.parse(value)
        except ValueError:
            return report.add("format", format=INTEGER_KEY.name)
        return load_int(number, report)

    return load


def listed_key_loader(shape: LiteralShape | EnumShape) -> Load:
    """The loader of one of some values as a key: an int is written in digits."""
    return _choice_loader({(str, str(wire)): value for wire, value in _choices(shape)})


def _choices(shape: LiteralShape | EnumShape) -> Iterator[tuple[Any, Any]]:
    """The values on the wire, each with its value in Python."""
    if isinstance(shape, LiteralShape):
        return zip(shape.values, shape.choices, strict=True)
    return ((wire, shape.type[name]) for name, wire in shape.members)


def _null(value: Any, report: Report) -> Any:
    return None if value is None else report.add("null_type", found=type_name(value))


def _bool(value: Any, report: Report) -> Any:
    if value is True or value is False:
        return value
    return report.add("boolean_type", found=type_name(value))


def _int_loader(shape: IntShape) -> Load:
    low, high, step = shape.minimum, shape.maximum, shape.multiple_of

    def load(value: Any, report: Report) -> Any:
        if kind_of(value) is not int:
            if kind_of(value) is not float or not integral(value):
                return report.add("integer_type", found=type_name(value))
            value = int(value)
        if value < low:
            return report.add("greater_than_equal", ge=low)
        if value > high:
            return report.add("less_than_equal", le=high)
        if step is not None and value % step:
            return report.add("multiple_of", multiple_of=step)
        return value

    return load


def _float_loader(wanted: Iterable[_Rule]) -> Load:
    rules = (*wanted,)

    def load(value: Any, report: Report) -> Any:
        if kind_of(value) is int:
            # an int of any size is a number in JSON; the largest float has 309 digits
            try:
                value = float(value)
            except OverflowError:
                return report.add("number_type", found=type_name(value))
        elif kind_of(value) is not float or not isfinite(value):
            return report.add("number_type", found=type_name(value))
        return _checked(value, rules, report) if rules else value

    return load


def text_loader(shape: StrShape, form: str | None = None) -> Load:
    """The loader of a text; if it has a *form*, the first pattern is that of the form."""
    found = [
        _Rule("pattern", "pattern", _matches, matcher(pattern), pattern)
        for pattern in shape.patterns
    ]
    params: dict[str, Any] = {}
    if form is not None:
        params["format"] = form
        found[0] = _Rule("format", "format", _matches, found[0].limit, form)
    rules = (*_length_rules("string", shape.min_length, shape.max_length), *found)

    def load(value: Any, report: Report) -> Any:
        if kind_of(value) is not str:
            return report.add("string_type", found=type_name(value), **params)
        return _checked(value, rules, report) if rules else value

    return load


def _form_loader(form: Form, rules: tuple[_Rule, ...]) -> Load:
    matches, convert, name = form.matches, form.convert, form.name
    known = SLIPS.get(name)

    def load(value: Any, report: Report) -> Any:
        if kind_of(value) is not str:
            return report.add("string_type", found=type_name(value), format=name)
        if matches(value) is not None:
            # what has the form may still be no value, as the 30th of February
            try:
                parsed = convert(value)
            except ValueError:
                pass
            else:
                return _checked(parsed, rules, report) if rules else parsed
        if known is not None and not report.full:  # else nobody reads it
            return report.add("format", format=name, **known(value))
        if form is DECIMAL and is_decimal_of_any_size(value):
            return report.add(
                "decimal_size", max_digits=MAX_DECIMAL_DIGITS, max_exponent=MAX_DECIMAL_EXPONENT
            )
        return report.add("format", format=name)

    return load


def _choice_loader(choices: Mapping[tuple[type, Any], Any]) -> Load:
    # keys include the type, since True == 1, but a literal is told apart by its JSON type
    allowed = allowed_params([value for _, value in choices])
    nearest = finder([value for _, value in choices])
    kinds = {kind for kind, _ in choices}

    def load(value: Any, report: Report) -> Any:
        kind = kind_of(value)
        if kind is float and integral(value):
            kind, value = int, int(value)
        if kind is str or kind is int or kind is bool or kind is float:
            chosen = choices.get((kind, value), INVALID)
            if chosen is not INVALID:
                return chosen
        if kind not in kinds:
            return report.add("unknown_value", **allowed, found=type_name(value))
        return report.add("unknown_value", **allowed, **meant_params(value, nearest, report))

    return load


def allowed_params(values: Sequence[Any]) -> Mapping[str, Any]:
    """The params that say which *values* are allowed: all of them, or the first and their count."""
    if len(values) <= _MAX_ALLOWED:
        return {"allowed": values}
    return {"allowed": values[:_MAX_LISTED], "count": len(values)}


def meant_params(sent: object, nearest: Finder, report: Report) -> Mapping[str, Any]:
    """The param with the name that was probably meant by one who *sent* another text."""
    meant: str | None = None
    # in a large document, most issues are never shown
    if isinstance(sent, str) and not report.full:
        meant = nearest(sent, ())
    if meant is None:
        return {}
    return {"meant": meant}


# Rules: the first one that does not hold is reported.


def _checked(value: Any, rules: tuple[_Rule, ...], report: Report) -> Any:
    for rule in rules:
        if not rule.holds(value, rule.limit):
            params = {rule.param: rule.shown}
            if rule.measures:
                params["length"] = len(value)
            return report.add(rule.code, **params)
    return value


def _bound_rules(
    bounds: Bounds, show: Callable[[Any], Any], divides: Callable[[Any, Any], bool] = is_multiple
) -> Iterator[_Rule]:
    limits: tuple[tuple[str, str, Callable[[Any, Any], Any], Any], ...] = (
        ("greater_than_equal", "ge", operator.ge, bounds.ge),
        ("greater_than", "gt", operator.gt, bounds.gt),
        ("less_than_equal", "le", operator.le, bounds.le),
        ("less_than", "lt", operator.lt, bounds.lt),
        ("multiple_of", "multiple_of", divides, bounds.multiple_of),
    )
    for code, param, holds, limit in limits:
        if limit is not None:
            yield _Rule(code, param, holds, limit, show(limit))


def _divider(divisor: float | None) -> Callable[[Any, Any], bool]:
    """
    `is_multiple` for floats and this *divisor*, usually ten times as fast.

    If the divisor has d decimals, each of its multiples is n / 10**d for a whole n. Rounding a
    float times 10**d finds the only n that it can be, if n has at most 15 digits. It is that n if
    the division gives the float again.
    """
    if divisor is None:
        return is_multiple
    numerator, decimals = _digits(divisor)
    # a power of ten above 10**22 is not exact as a float, and neither is what is computed with it
    if not 0 <= decimals <= _EXACT_POWER:
        return is_multiple
    scale = 10.0**decimals

    def divides(value: float, limit: float) -> bool:
        if not -_FEW_DIGITS < value * scale < _FEW_DIGITS:
            return is_multiple(value, limit)
        count = round(value * scale)
        return count / scale == value and not count % numerator

    return divides


def _digits(number: float) -> tuple[int, int]:
    """A whole number, and how many of its digits are decimals: *number* as it is written."""
    _, digits, exponent = Decimal(repr(number)).as_tuple()
    return int("".join(map(str, digits))), -int(exponent)


_EXACT_POWER: Final = 22
"""The largest power of ten that is exact as a float."""

_FEW_DIGITS: Final = 10.0**15
"""
The limit below which two whole numbers of 10**-d are never written as one float.

Rounding errors are below a half there.
"""


def _length_rules(kind: str, low: int | None, high: int | None) -> Iterator[_Rule]:
    if low is not None:
        yield _Rule(f"{kind}_too_short", "min_length", _at_least, low, low, measures=True)
    if high is not None:
        yield _Rule(f"{kind}_too_long", "max_length", _at_most, high, high, measures=True)


def _datetime_rules(bounds: Bounds, offset: timedelta | None) -> Iterator[_Rule]:
    if offset is not None:
        yield _Rule("timezone", "timezone", _has_offset, offset, _offset_text(offset))
    yield from _bound_rules(bounds, DATETIME.write)


def _offset_text(offset: timedelta) -> str:
    minutes = int(offset.total_seconds()) // 60
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def _has_offset(value: datetime, offset: timedelta) -> bool:
    return value.utcoffset() == offset


def _at_least(value: str | bytes, length: int) -> bool:
    return len(value) >= length


def _at_most(value: str | bytes, length: int) -> bool:
    return len(value) <= length


def _matches(value: str, matches: Callable[[str], bool]) -> bool:
    return matches(value)
