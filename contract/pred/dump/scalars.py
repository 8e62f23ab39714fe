"""
Scalars: one value without parts, checked against its shape and turned into its JSON form.

A value of a subclass is written as the value of its base (a ``StrEnum`` member as its text), and
read with the base's own methods. What a subclass overrides never runs here, and an object that only
claims a class (``__class__``) is refused. A ``bool`` is not a number, although Python derives it
from ``int``; a ``datetime`` is not a ``date``.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Context, Decimal
from enum import Enum
from functools import lru_cache
from math import isfinite
from typing import Any, Final, TypeVar, assert_never
from uuid import UUID

from typing_extensions import TypeIs

from contract.shape.bounds import I64_MAX, I64_MIN, Bounds
from contract.shape.nodes import (
    Basic,
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    EnumShape,
    FloatShape,
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
from contract.shape.patterns import matcher
from contract.shape.quoting import with_article
from contract.shape.text_forms import (
    BYTES,
    DATE,
    DATETIME,
    DATETIME_LOCAL,
    DECIMAL,
    TIME_FORMS,
    TIMEDELTA,
    UUID_,
    Form,
)

__all__ = [
    "SCALARS",
    "Plain",
    "Refused",
    "a_value",
    "check_length",
    "class_name",
    "expected",
    "is_a",
    "is_multiple",
    "refuse",
    "scalar",
    "type_name",
]

SCALARS: Final = (Basic, LiteralShape, EnumShape)
"""The classes for ``isinstance``; the most common come first."""

Plain = bool | int | float | str | None
"""A value that JSON has a form for, always of the exact type."""

T = TypeVar("T")

_MAX_NAME: Final = 80
_matcher: Final = lru_cache(maxsize=256)(matcher)
_WHOLE: Final = 2**53
"""The largest whole float of which Python writes all digits, so its text is exact."""
_EXACT: Final = Context(prec=1400)
"""Digits for the quotient of the largest and the smallest float: no remainder is rounded."""


class Refused(Exception):  # noqa: N818  a signal
    """
    A value is refused; the dumper turns this into an `InvalidOutput`.

    Attributes:
        problem: What was expected, and which type was found.
        path: The place, innermost first; it is completed on the way out.
    """

    def __init__(self, problem: str, *path: str | int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path: list[str | int] = list(path)


def is_a(value: object, cls: type[T]) -> TypeIs[T]:
    """
    Whether *value* really is an instance of *cls*, whatever it claims to be.

    ``__class__``, ``__instancecheck__`` and ``__subclasscheck__`` are ignored.
    """
    return type.__subclasscheck__(cls, type(value))


def class_name(cls: type[Any]) -> str:
    """The name of *cls*, short and printable."""
    name = type.__dict__["__name__"].__get__(cls)  # a metaclass may define its own __name__
    return ascii(name)[1:-1][:_MAX_NAME]


def type_name(value: object) -> str:
    """The name of the value's type; messages never say more about a value."""
    return class_name(type(value))


def a_value(value: object) -> str:
    """The name of the value's type with its article: "an Order"."""
    return with_article(type_name(value))


def refuse(wanted: str, value: object, hint: str = "") -> Refused:
    """The refusal of a value of the wrong type."""
    return Refused(f"expected {wanted}, found {type_name(value)}{hint}")


def check_length(length: int, least: int | None, most: int | None, unit: str) -> None:
    """Refuse a *length* beyond its limits."""
    if least is not None and length < least:
        raise Refused(f"expected at least {least} {unit}")
    if most is not None and length > most:
        raise Refused(f"expected at most {most} {unit}")


@lru_cache(maxsize=256)
def _ratio(divisor: float) -> tuple[int, int]:
    return Decimal(repr(divisor)).as_integer_ratio()


def is_multiple(value: Any, divisor: Any) -> bool:
    """
    Whether *value* is an exact multiple of *divisor*, as both are written: 0.3 is one of 0.1.

    JSON Schema defines it so (validation specification, section 6.2.1). As a binary float, 0.3
    would not be one.
    """
    if isinstance(value, float) or isinstance(divisor, float):
        if isinstance(divisor, float) and -_WHOLE <= value <= _WHOLE and value == int(value):
            # most are whole numbers, and ints divide five times as fast as Decimals
            step, scale = _ratio(divisor)
            return not int(value) * scale % step
        value, divisor = Decimal(repr(value)), Decimal(repr(divisor))
    if isinstance(value, Decimal):
        return not _EXACT.remainder(value, divisor)
    return not value % divisor


def scalar(shape: ScalarShape, value: object) -> Plain:
    """
    The JSON form of *value*.

    Raises:
        Refused: It does not fit.
        Exception: The author's own code (a ``tzinfo``) raised.
    """
    match shape:
        case StrShape():
            return _str(shape, value)
        case IntShape():
            return _int(shape, value)
        case FloatShape():
            return _float(shape, value)
        case BoolShape():
            return _bool(value)
        case NullShape():
            if value is not None:
                raise refuse("None", value)
            return None
        case BytesShape():
            return _bytes(shape, value)
        case DecimalShape():
            return _decimal(shape, value)
        case DatetimeShape():
            return _datetime(shape, value)
        case LocalDatetimeShape():
            return _local(shape, value)
        case DateShape():
            return _date(shape, value)
        case TimeShape():
            return _time(shape, value)
        case TimedeltaShape():
            return _timedelta(shape, value)
        case UuidShape():
            return _uuid(value)
        case LiteralShape():
            return _literal(shape, value)
        case EnumShape():
            return _enum(shape, value)
        case _:
            assert_never(shape)


def expected(shape: ScalarShape) -> str:
    """The words for a value of *shape* in a message."""
    match shape:
        case NullShape():
            return "None"
        case LiteralShape():
            return f"Literal[{', '.join(map(_choice_name, shape.choices))}]"[:_MAX_NAME]
        case EnumShape(cls):
            return class_name(cls)
        case _:
            return type(shape).__name__.removesuffix("Shape").lower()


def _bool(value: object) -> bool:
    if value is True or value is False:
        return value
    raise refuse("bool", value)


def _int(shape: IntShape, value: object) -> int:
    if not is_a(value, int) or is_a(value, bool):
        raise refuse("int", value)
    number = int.__int__(value)  # of exactly this type: a subclass may compare as it likes
    if not shape.minimum <= number <= shape.maximum:
        raise Refused(f"expected an int between {shape.minimum} and {shape.maximum}")
    _check_multiple(number, shape.multiple_of)
    return number


def _float(shape: FloatShape, value: object) -> float:
    number: float
    if is_a(value, float):
        number = float.__float__(value)
        if not isfinite(number):
            raise Refused("expected a finite float, found NaN or an infinity")
    elif is_a(value, int) and not is_a(value, bool):
        # an int is a float, as for type checkers; it is written as an integer
        number = int.__int__(value)
        if not I64_MIN <= number <= I64_MAX:
            raise Refused("expected an int of at most 64 bits")
    else:
        raise refuse("float", value)
    _check_bounds(number, shape.bounds)
    return number


def _str(shape: StrShape, value: object) -> str:
    if not is_a(value, str):
        raise refuse("str", value)
    text = _well_formed(str.__str__(value))
    check_length(len(text), shape.min_length, shape.max_length, "characters")
    for pattern in shape.patterns:
        if not _matcher(pattern)(text):
            raise Refused(f"expected a match of the pattern {ascii(pattern)[:_MAX_NAME]}")
    return text


def _bytes(shape: BytesShape, value: object) -> str:
    if not is_a(value, bytes):
        raise refuse("bytes", value)
    data = bytes.__bytes__(value)
    check_length(len(data), shape.min_length, shape.max_length, "bytes")
    return BYTES.write(data)


def _decimal(shape: DecimalShape, value: object) -> str:
    if not is_a(value, Decimal):
        raise refuse("Decimal", value)
    number = Decimal(value)
    text = _written(DECIMAL, number)  # before any comparison: comparing a signalling NaN raises
    _check_bounds(number, shape.bounds)
    return text


def _datetime(shape: DatetimeShape, value: object) -> str:
    if not is_a(value, datetime):
        raise refuse("datetime", value)
    # from the parts that the built-in class gives, since a subclass may override what reads them
    moment = value
    if type(value) is not datetime:
        moment = datetime.combine(datetime.date(value), datetime.timetz(value))
    offset = moment.utcoffset()
    if offset is None:
        raise Refused(
            "expected a datetime with an offset, found one without: use datetime.now(UTC), "
            "or write LocalDatetime"
        )
    if shape.offset is not None and offset != shape.offset:
        raise Refused(f"expected a datetime with the offset {shape.offset}")
    text = _written(DATETIME, moment)
    _check_bounds(moment, shape.bounds)
    return text


def _local(shape: LocalDatetimeShape, value: object) -> str:
    if not is_a(value, datetime):
        raise refuse("LocalDatetime", value)
    if datetime.tzinfo.__get__(value) is not None:
        raise Refused(
            "expected a datetime without an offset, found one with it: use replace(tzinfo=None)"
        )
    moment = datetime.combine(datetime.date(value), datetime.time(value))
    _check_bounds(moment, shape.bounds)
    return DATETIME_LOCAL.write(moment)


def _date(shape: DateShape, value: object) -> str:
    # Python derives datetime from date, but a moment is not a day
    if not is_a(value, date) or is_a(value, datetime):
        raise refuse("date", value)
    day = date.fromordinal(date.toordinal(value))
    _check_bounds(day, shape.bounds)
    return DATE.write(day)


def _time(shape: TimeShape, value: object) -> str:
    if not is_a(value, time):
        raise refuse("time", value)
    # through its text, in which a zone of the author's is an offset, and is asked only once
    moment = time.fromisoformat(time.isoformat(value))
    text = _written(TIME_FORMS[shape.aware], moment)
    _check_bounds(moment, shape.bounds)
    return text


def _timedelta(shape: TimedeltaShape, value: object) -> str:
    if not is_a(value, timedelta):
        raise refuse("timedelta", value)
    span = timedelta.__add__(value, timedelta(0))  # of the built-in class, as every sum is
    text = _written(TIMEDELTA, span)
    _check_bounds(span, shape.bounds)
    return text


def _uuid(value: object) -> str:
    if not is_a(value, UUID):
        raise refuse("UUID", value)
    if _has_slots_of_uuid(value):
        # the slot, not an attribute that a subclass may override; AttributeError without __init__
        number = UUID.__dict__["int"].__get__(value)
    else:
        number = value.int
    return UUID_.write(UUID(int=int.__index__(number)))


def _has_slots_of_uuid(value: object) -> bool:
    """
    Whether *value* is laid out in memory as a UUID is.

    The UUID of asyncpg, which is in the rows of PostgreSQL, is not: it puts `uuid.UUID` among its
    base classes afterwards. A slot read from it would be some other object's memory.
    """
    cls: type | None = type(value)
    while cls is not None and cls is not UUID:
        cls = type.__dict__["__base__"].__get__(cls)
    return cls is UUID


def _choice_name(value: Any) -> str:
    if is_a(value, Enum):
        return f"{class_name(type(value))}.{value._name_}"
    return ascii(value)


def _literal(shape: LiteralShape, value: object) -> str | int | bool:
    plain: object = value
    if is_a(value, str):
        plain = str.__str__(value)
    elif is_a(value, int) and not is_a(value, bool):
        plain = int.__int__(value)
    for wire, chosen in zip(shape.values, shape.choices, strict=True):
        # a member of an enum is meant itself, and no text that equals it
        if is_a(chosen, Enum):
            if chosen is value:
                return wire
        elif type(plain) is type(wire) and plain == wire:
            return wire
    raise refuse(expected(shape), value)


def _enum(shape: EnumShape, value: object) -> str | float | bool:
    if type(value) is not shape.type:
        raise refuse(expected(shape), value)
    name = object.__getattribute__(value, "_name_")
    for member, wire in shape.members:
        if member == name:
            return wire
    raise Refused(f"expected a named member of {expected(shape)}")  # a combination of flags


def _written(form: Form, value: object) -> str:
    problem = f"has no form as {form.name} (digits, exponent, or an offset of seconds)"
    try:
        text = form.write(value)
    except ValueError as reason:
        raise Refused(problem) from reason
    if form.matches(text) is None:
        raise Refused(problem)
    return text


def _well_formed(text: str) -> str:
    # not by catching UnicodeEncodeError, which quotes the text
    if not text.isascii() and len(text.encode(errors="ignore")) != len(
        text.encode(errors="surrogatepass")
    ):
        raise Refused("expected text, found a lone surrogate in it")
    return text


def _check_multiple(value: Any, divisor: Any) -> None:
    if divisor is not None and not is_multiple(value, divisor):
        raise Refused(f"expected a multiple of {divisor}")


def _check_bounds(value: Any, bounds: Bounds) -> None:
    if bounds.ge is not None and not value >= bounds.ge:
        raise Refused(f"expected at least {bounds.ge}")
    if bounds.gt is not None and not value > bounds.gt:
        raise Refused(f"expected more than {bounds.gt}")
    if bounds.le is not None and not value <= bounds.le:
        raise Refused(f"expected at most {bounds.le}")
    if bounds.lt is not None and not value < bounds.lt:
        raise Refused(f"expected less than {bounds.lt}")
    _check_multiple(value, bounds.multiple_of)
