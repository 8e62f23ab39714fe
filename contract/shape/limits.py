"""
Limits: the bounds in a constraint, each as a value of the type that it limits.

A limit is written like such a value, in messages and documents, so it has to have that form; it is
found here that it has not.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final, NoReturn, TypeVar, cast

from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.forms import DATETIME, DECIMAL, MAX_DECIMAL_DIGITS, TIME, TIMEDELTA, Form
from contract.shape.quoting import shown

__all__ = [
    "bad_bound",
    "date_limit",
    "datetime_limit",
    "decimal_limit",
    "float_limit",
    "integral",
    "time_limit",
    "timedelta_limit",
]

_T = TypeVar("_T")

_FAR: Final = 2**70
"""Beyond every limit that an int can have; what is not as far is compared with those."""


def bad_bound(where: str, bound: object, what: str) -> NoReturn:
    """Refuse *bound*, with *what* to write instead."""
    raise UnsupportedAnnotation(where, f"{shown(bound)} cannot limit this type; write {what}")


def integral(bound: Any, where: str, rounded: Callable[[Any], int]) -> int:
    """*bound* of an int, as an int."""
    kind = cast("type[object]", type(bound))
    if (
        kind is int
        or (kind is float and math.isfinite(bound))
        or (kind is Decimal and bound.is_finite())
    ):
        # before it is rounded: Decimal("1E+999999999") as an int would fill the memory
        if not -_FAR <= bound <= _FAR:
            bad_bound(where, bound, "an int of at most 64 bits, or no limit")
        return rounded(bound)
    bad_bound(where, bound, "an int")


def _written(form: Form, bound: _T, where: str, what: str) -> _T:
    try:
        fits = form.matches(form.write(bound)) is not None
    except ValueError:
        fits = False
    if not fits:
        bad_bound(where, bound, what)
    return bound


def float_limit(bound: object, where: str) -> float:
    """*bound* of a float."""
    if type(bound) is float and math.isfinite(bound):
        return bound
    if type(bound) is int and abs(bound) < 2**1023 and float(bound) == bound:
        return float(bound)
    bad_bound(where, bound, "a finite float")


def decimal_limit(bound: object, where: str) -> Decimal:
    """*bound* of a Decimal."""
    what = (
        f"a finite Decimal of at most {MAX_DECIMAL_DIGITS} digits, and an exponent within that, "
        'or an int: Ge(Decimal("0.01"))'
    )
    if type(bound) is Decimal or (type(bound) is int and abs(bound) < 10**MAX_DECIMAL_DIGITS):
        return _written(DECIMAL, Decimal(bound), where, what)
    bad_bound(where, bound, what)


def datetime_limit(bound: object, where: str) -> datetime:
    """*bound* of a datetime."""
    if isinstance(bound, datetime) and bound.utcoffset() is not None:
        return _written(DATETIME, bound, where, "a datetime with an offset of whole minutes")
    bad_bound(where, bound, "a datetime with an offset: datetime(2026, 1, 1, tzinfo=UTC)")


def date_limit(bound: object, where: str) -> date:
    """*bound* of a date."""
    if isinstance(bound, date) and not isinstance(bound, datetime):
        return bound
    bad_bound(where, bound, "a date")


def timedelta_limit(bound: object, where: str) -> timedelta:
    """*bound* of a timedelta."""
    if isinstance(bound, timedelta):
        return _written(TIMEDELTA, bound, where, "a timedelta that can be sent")
    bad_bound(where, bound, "a timedelta")


def time_limit(bound: object, where: str) -> time:
    """*bound* of a time."""
    if isinstance(bound, time):
        return _written(
            TIME, bound, where, "a time whose offset, if it has one, is of whole minutes"
        )
    bad_bound(where, bound, "a time")
