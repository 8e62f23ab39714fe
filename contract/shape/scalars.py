"""
Scalars: a row of data for each type of Python whose values have no parts.

Facts about a scalar are looked up here. A new scalar needs a class in `contract.shape.nodes`, a
form in `contract.shape.text_forms` and a row in this table. Only code is written elsewhere: how a
value of a subclass is read before it is written (`contract.pred.dump.scalars`), and the check that
a client in TypeScript makes (``texts.ts``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from types import NoneType
from typing import Any, Final, Literal, NoReturn, TypeVar, cast
from uuid import UUID

from annotated_types import Timezone

from contract.shape.bounds import UNBOUNDED, Bounds
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.nodes import (
    Basic,
    BasicShape,
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    FloatShape,
    Formed,
    IntShape,
    LocalDatetimeShape,
    NullShape,
    StrShape,
    TimedeltaShape,
    TimeShape,
    UuidShape,
)
from contract.shape.quoting import shown
from contract.shape.record import record
from contract.shape.text_forms import (
    BYTES,
    DATE,
    DATETIME,
    DATETIME_LOCAL,
    DECIMAL,
    MAX_DECIMAL_DIGITS,
    TIME,
    TIME_AWARE,
    TIME_FORMS,
    TIME_NAIVE,
    TIMEDELTA,
    UUID_,
    Form,
)

__all__ = [
    "Constraint",
    "JsonType",
    "ROWS",
    "Row",
    "bad_bound",
    "bounds_of",
    "datetime_limit",
    "form_of",
    "integral",
    "row_of",
    "time_limit",
]

# Limits: the bounds in a constraint, each as a value of the type that it limits.
#
# Messages and documents write a limit like such a value, so it must have a form on the wire; a
# limit without one is refused here.

_T = TypeVar("_T")

_FAR: Final = 2**70
"""Beyond every limit of an int; numbers that are closer to zero are compared with the limits."""


def bad_bound(where: str, bound: object, instead: str) -> NoReturn:
    """Refuse *bound*, and advise to write something *instead*."""
    raise UnsupportedAnnotation(where, f"{shown(bound)} cannot limit this type; write {instead}")


def integral(bound: Any, where: str, rounded: Callable[[Any], int]) -> int:
    """*bound*, a limit of an int, as an int."""
    kind = cast("type[object]", type(bound))
    if (
        kind is int
        or (kind is float and math.isfinite(bound))
        or (kind is Decimal and bound.is_finite())
    ):
        # before rounding: Decimal("1E+999999999") as an int would fill the memory
        if not -_FAR <= bound <= _FAR:
            bad_bound(where, bound, "an int of at most 64 bits, or no limit")
        return rounded(bound)
    bad_bound(where, bound, "an int")


def _written(form: Form, bound: _T, where: str, instead: str) -> _T:
    try:
        fits = form.matches(form.write(bound)) is not None
    except ValueError:
        fits = False
    if not fits:
        bad_bound(where, bound, instead)
    return bound


def _float_limit(bound: object, where: str) -> float:
    """*bound*, a limit of a float, as a float."""
    if type(bound) is float and math.isfinite(bound):
        return bound
    if type(bound) is int and abs(bound) < 2**1023 and float(bound) == bound:
        return float(bound)
    bad_bound(where, bound, "a finite float")


def _decimal_limit(bound: object, where: str) -> Decimal:
    """*bound*, a limit of a Decimal, as a Decimal."""
    instead = f'a finite Decimal of at most {MAX_DECIMAL_DIGITS} digits, or an int: Decimal("0.01")'
    if type(bound) is Decimal or (type(bound) is int and abs(bound) < 10**MAX_DECIMAL_DIGITS):
        return _written(DECIMAL, Decimal(bound), where, instead)
    bad_bound(where, bound, instead)


def datetime_limit(bound: object, where: str) -> datetime:
    """*bound*, a limit of a datetime, checked."""
    if isinstance(bound, datetime) and bound.utcoffset() is not None:
        return _written(DATETIME, bound, where, "a datetime with an offset of whole minutes")
    bad_bound(where, bound, "a datetime with an offset: datetime(2026, 1, 1, tzinfo=UTC)")


def _local_limit(bound: object, where: str) -> datetime:
    """*bound*, a limit of a datetime without an offset, checked."""
    if isinstance(bound, datetime) and bound.tzinfo is None:
        return bound
    bad_bound(where, bound, "a datetime without a zone: datetime(2026, 1, 1)")


def _date_limit(bound: object, where: str) -> date:
    """*bound*, a limit of a date, checked."""
    if isinstance(bound, date) and not isinstance(bound, datetime):
        return bound
    bad_bound(where, bound, "a date")


def _timedelta_limit(bound: object, where: str) -> timedelta:
    """*bound*, a limit of a timedelta, checked."""
    if isinstance(bound, timedelta):
        return _written(TIMEDELTA, bound, where, "a timedelta below 900,000,000 days")
    bad_bound(where, bound, "a timedelta")


def time_limit(bound: object, where: str) -> time:
    """*bound*, a limit of a time, checked."""
    if isinstance(bound, time):
        return _written(
            TIME, bound, where, "a time whose offset, if it has one, is of whole minutes"
        )
    bad_bound(where, bound, "a time")


# The table.

JsonType = Literal["null", "boolean", "integer", "number", "string", "array", "object"]
"""A type of JSON Schema."""

Constraint = Literal["bounds", "length", "MultipleOf", "Pattern", "Timezone"]
"""A group of constraints (of order, of length), or a single one."""


@record(kw_only=True)
class Row:
    """A scalar."""

    shape: BasicShape
    """Its shape, without limits."""
    python: type[Any]
    """The class of its values."""
    marker: object | None = None
    """The metadata beside *python*, if the plain class is another scalar."""
    label: str
    """Its name in messages and documents, as Python writes it."""
    json_type: JsonType = "string"
    takes: frozenset[Constraint] = frozenset()
    """The constraints that narrow it."""
    limit: Callable[[Any, str], Any] | None = None
    """
    Checks a bound and gives it as a value of *python*, or raises `UnsupportedAnnotation`.

    An int has no such function: its limits may be fractions.
    """
    is_key: bool = False
    """Whether it may be the key of an object."""
    hashes: Literal["secret", "apart", "equal"] = "equal"
    """
    How many values with one hash an attacker can find (`contract.pred.flooding`).

    None, as the hash is keyed with a secret, or as there are few values; few, although the hash is
    a known formula; or any number.
    """

    # For a scalar that is a text on the wire.

    forms: tuple[Form, ...] = ()
    """Its forms; the first one covers the others, and its limits are written in it."""
    kind: str | None = None
    """``x-contract-type`` in its schema, if no ``format`` says what it is."""
    overlaps: frozenset[str] = frozenset()
    """
    The *label* of scalars with which its forms share texts: ``1234`` and ``PT1S`` are base64 too.

    Any two other forms differ in the character at some position.
    """
    orjson: Literal["always", "checked", "never"] = "never"
    """
    Whether orjson writes every value of *python* in its form, or only those that pass a check.

    Values that orjson writes need not be turned into text first.
    """

    # For generated TypeScript.

    typescript: str = "string"
    check: str = ""
    """The function that checks it (``texts.ts``)."""
    note: str | None = None
    """A sentence for readers of the type, if the type does not say it itself."""

    samples: tuple[Any, ...]
    """Plausible values as JSON; the first is valid if there is no limit."""


_NUMBER: Final[frozenset[Constraint]] = frozenset({"bounds", "MultipleOf"})
_MOMENT: Final[frozenset[Constraint]] = frozenset({"bounds", "Timezone"})
_ORDER: Final[frozenset[Constraint]] = frozenset({"bounds"})

_ROWS: Final = (
    Row(
        shape=NullShape(),
        python=NoneType,
        label="None",
        json_type="null",
        hashes="secret",
        typescript="null",
        check="$null",
        samples=(None,),
    ),
    Row(
        shape=BoolShape(),
        python=bool,
        label="bool",
        json_type="boolean",
        hashes="secret",
        typescript="boolean",
        check="$boolean",
        samples=(True,),
    ),
    Row(
        shape=StrShape(),
        python=str,
        label="str",
        takes=frozenset({"length", "Pattern"}),
        is_key=True,
        hashes="secret",
        check="$string",
        samples=("text",),
    ),
    Row(
        shape=IntShape(),
        python=int,
        label="int",
        json_type="integer",
        takes=_NUMBER,
        is_key=True,
        hashes="apart",
        typescript="number",
        check="$integer",
        samples=(1,),
    ),
    Row(
        shape=FloatShape(),
        python=float,
        label="float",
        json_type="number",
        takes=_NUMBER,
        limit=_float_limit,
        hashes="apart",
        typescript="number",
        check="$number",
        samples=(1.0,),
    ),
    Row(
        shape=BytesShape(),
        python=bytes,
        label="bytes",
        takes=frozenset({"length"}),
        is_key=True,
        hashes="secret",
        forms=(BYTES,),
        kind="bytes",
        typescript="Uint8Array",
        check="$bytes",
        samples=("aGVsbG8=",),
    ),
    Row(
        shape=DecimalShape(),
        python=Decimal,
        label="Decimal",
        takes=_NUMBER,
        limit=_decimal_limit,
        is_key=True,
        forms=(DECIMAL,),
        kind="decimal",
        overlaps=frozenset({"bytes"}),
        check="$decimal",
        note='A decimal number in a text, such as "12.50".',
        samples=("1.00",),
    ),
    Row(
        shape=DatetimeShape(),
        python=datetime,
        label="datetime",
        takes=_MOMENT,
        limit=datetime_limit,
        is_key=True,
        hashes="apart",
        forms=(DATETIME,),
        orjson="checked",
        check="$momentText",
        note='A moment with its offset, such as "2026-01-31T10:00:00Z".',
        samples=("2026-01-31T12:00:00Z",),
    ),
    Row(
        shape=LocalDatetimeShape(),
        python=datetime,
        marker=Timezone(None),
        label="LocalDatetime",
        takes=_MOMENT,
        limit=_local_limit,
        is_key=True,
        hashes="secret",
        forms=(DATETIME_LOCAL,),
        kind="date-time-local",
        check="$localMoment",
        note='What a clock shows at its place, such as "2026-01-31T10:00:00".',
        samples=("2026-01-31T12:00:00",),
    ),
    Row(
        shape=DateShape(),
        python=date,
        label="date",
        takes=_ORDER,
        limit=_date_limit,
        is_key=True,
        hashes="secret",
        forms=(DATE,),
        orjson="always",
        check="$date",
        note='A day, such as "2026-01-31".',
        samples=("2026-01-31",),
    ),
    Row(
        shape=TimeShape(),
        python=time,
        label="time",
        takes=_MOMENT,
        limit=time_limit,
        is_key=True,
        forms=(TIME, TIME_NAIVE, TIME_AWARE),
        kind="time",
        # not left to orjson: version 3.13.0 writes 10,000 microseconds as .10000
        orjson="never",
        check="$time",
        note='A time of the day, such as "10:00:00".',
        samples=("12:00:00", "12:00:00Z"),
    ),
    Row(
        shape=TimedeltaShape(),
        python=timedelta,
        label="timedelta",
        takes=_ORDER,
        limit=_timedelta_limit,
        is_key=True,
        forms=(TIMEDELTA,),
        kind="timedelta",
        overlaps=frozenset({"bytes"}),
        check="$duration",
        note='A duration, such as "P1DT2H".',
        samples=("PT1H",),
    ),
    Row(
        shape=UuidShape(),
        python=UUID,
        label="UUID",
        is_key=True,
        forms=(UUID_,),
        orjson="always",
        check="$uuid",
        note='A UUID, such as "123e4567-e89b-12d3-a456-426614174000".',
        samples=("00000000-0000-4000-8000-000000000000",),
    ),
)

ROWS: Final[Mapping[type[Basic], Row]] = {type(row.shape): row for row in _ROWS}
"""Class of a shape -> its row."""


def row_of(shape: Basic) -> Row:
    """The row of *shape*."""
    return ROWS[type(shape)]


def form_of(shape: Formed) -> Form:
    """The form of *shape*."""
    # a time is the only class whose form depends on the shape: with an offset or without
    if isinstance(shape, TimeShape):
        return TIME_FORMS[shape.aware]
    return row_of(shape).forms[0]


def bounds_of(shape: Basic) -> Bounds:
    """The limits of *shape*, if it is ordered."""
    bounds: Bounds = getattr(shape, "bounds", UNBOUNDED)
    return bounds
