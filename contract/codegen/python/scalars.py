"""Scalars: values without parts as the Python expressions that make them."""

from __future__ import annotations

import base64
from datetime import date, datetime, time, timedelta

from contract.codegen.python.context import CLIENT, Context
from contract.codegen.python.layout import Bracket, Expression, quoted
from contract.shape.nodes import DatetimeShape, LocalDatetimeShape, OwnShape, Shape, TimeShape

__all__ = ["bytes_literal", "own_name", "timezone_of", "value_of"]


def value_of(value: object, context: Context) -> Expression:
    """The expression that makes *value*, which is a text on the wire."""
    match value:
        case datetime():
            return _moment("datetime", (value.year, value.month, value.day), value, context)
        case date():
            parts = (str(value.year), str(value.month), str(value.day))
            return Bracket(f"{context.use('datetime', 'date')}(", parts, ")")
        case time():
            return _moment("time", (), value, context)
        case timedelta():
            return _timedelta(value, context)
        case _:  # a Decimal, a UUID, and every other class that can be called with its text
            cls = context.use(type(value).__module__, type(value).__name__)
            return Bracket(f"{cls}(", (quoted(str(value)),), ")")


def own_name(shape: OwnShape, context: Context) -> str:
    """The class of *shape*, from the runtime or the standard library."""
    package = shape.type.__module__.partition(".")[0]
    # in Python 3.13, pathlib._local defines what everybody imports from pathlib
    module = CLIENT if package == "contract" else package
    return context.use(module, shape.type.__name__)


def bytes_literal(text: str) -> str:
    """
    The bytes that *text* encodes in base64.

    Raises:
        ValueError: It is not base64.
    """
    value = base64.b64decode(text, validate=True)
    # between double quotes, as formatters write it, whatever repr() chooses
    shown = repr(value)[2:-1]
    if repr(value)[1] == "'":
        shown = shown.replace('"', '\\"').replace("\\'", "'")
    return f'b"{shown}"'


def timezone_of(shape: Shape, context: Context) -> Expression | None:
    """
    The argument of ``Timezone`` for *shape*: a zone, the ellipsis or None (as text).

    It is None itself (not as text) if any zone is allowed.
    """
    match shape:
        case DatetimeShape(_, timedelta() as offset) if offset:
            return _zone(offset, context)
        case DatetimeShape(_, timedelta()):
            return quoted("UTC")
        case LocalDatetimeShape():
            return "None"
        case TimeShape(_, bool() as aware):
            return "..." if aware else "None"
        case _:
            return None


def _moment(name: str, day: tuple[int, ...], value: datetime | time, context: Context) -> Bracket:
    """A ``datetime`` or ``time`` of *value*: its *day*, if any, and its time of day and offset."""
    parts = [value.hour, value.minute, value.second, value.microsecond]
    least = 0 if day else 1  # a time without its hour is midnight, too, but hard to read
    while len(parts) > least and parts[-1] == 0:
        parts.pop()
    arguments = [str(part) for part in (*day, *parts)]
    # an offset that is read from JSON is fixed, so even a time without a day has it
    offset = value.utcoffset()
    if offset is not None:
        arguments.append(f"tzinfo={_zone(offset, context)}")
    return Bracket(f"{context.use('datetime', name)}(", tuple(arguments), ")")


def _zone(offset: timedelta, context: Context) -> str:
    if not offset:
        return context.use("datetime", "UTC")
    total = int(offset.total_seconds()) // 60
    hours, minutes = divmod(total, 60)
    delta = f"hours={hours}"
    if minutes:
        delta = f"minutes={total}"
    return f"{context.use('datetime', 'timezone')}({context.use('datetime', 'timedelta')}({delta}))"


def _timedelta(value: timedelta, context: Context) -> Expression:
    # a negative timedelta has negative days and positive seconds, which nobody can read
    sign = ""
    if value < timedelta(0):
        sign, value = "-", -value
    minutes, seconds = divmod(value.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = {
        "days": value.days,
        "hours": hours,
        "minutes": minutes,
        "seconds": seconds,
        "microseconds": value.microseconds,
    }
    given = tuple(f"{name}={number}" for name, number in parts.items() if number)
    return Bracket(f"{sign}{context.use('datetime', 'timedelta')}(", given or ("0",), ")")
