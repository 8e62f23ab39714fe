"""Scalars: values without parts as the Python expressions that make them."""

from __future__ import annotations

import base64
from datetime import date, datetime, time, timedelta, tzinfo

from contract.codegen.python.layout import Bracket, Expression, quoted
from contract.codegen.python.naming import CLIENT, Context
from contract.shape.nodes import DatetimeShape, LocalDatetimeShape, OwnShape, Shape, TimeShape

__all__ = ["bytes_literal", "own_name", "timezone_of", "value_of"]


def value_of(value: object, context: Context) -> Expression:
    """The expression that makes *value*, which is a text on the wire."""
    match value:
        case datetime():
            return _datetime(value, context)
        case date():
            return Bracket(
                f"{context.use('datetime', 'date')}(",
                (str(value.year), str(value.month), str(value.day)),
                ")",
            )
        case time():
            return _time(value, context)
        case timedelta():
            return _timedelta(value, context)
        case _:  # a Decimal, a UUID, and every other class that can be called with its text
            cls = type(value)
            return Bracket(
                f"{context.use(cls.__module__, cls.__name__)}(", (quoted(str(value)),), ")"
            )


def own_name(shape: OwnShape, context: Context) -> str:
    """The class of *shape*, from the runtime or the standard library."""
    package = shape.type.__module__.partition(".")[0]
    # in Python 3.13, pathlib._local defines what everybody imports from pathlib
    return context.use(CLIENT if package == "contract" else package, shape.type.__name__)


def bytes_literal(text: str) -> str:
    """
    The bytes that *text* encodes in base64.

    Raises:
        ValueError: It is not base64.
    """
    value = base64.b64decode(text, validate=True)
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
        case DatetimeShape(_, timedelta() as offset):
            return _zone(offset, context) if offset else quoted("UTC")
        case LocalDatetimeShape():
            return "None"
        case TimeShape(_, bool() as aware):
            return "..." if aware else "None"
        case _:
            return None


def _datetime(value: datetime, context: Context) -> Expression:
    parts = [
        value.year,
        value.month,
        value.day,
        value.hour,
        value.minute,
        value.second,
        value.microsecond,
    ]
    while len(parts) > 3 and parts[-1] == 0:
        parts.pop()
    return Bracket(
        f"{context.use('datetime', 'datetime')}(",
        (*map(str, parts), *_tzinfo(value.tzinfo, context)),
        ")",
    )


def _time(value: time, context: Context) -> Expression:
    parts = [value.hour, value.minute, value.second, value.microsecond]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    return Bracket(
        f"{context.use('datetime', 'time')}(",
        (*map(str, parts), *_tzinfo(value.tzinfo, context)),
        ")",
    )


def _tzinfo(zone: tzinfo | None, context: Context) -> list[str]:
    offset = None if zone is None else zone.utcoffset(None)
    return [] if offset is None else [f"tzinfo={_zone(offset, context)}"]


def _zone(offset: timedelta, context: Context) -> str:
    if not offset:
        return context.use("datetime", "UTC")
    delta = _unit(int(offset.total_seconds()))
    return f"{context.use('datetime', 'timezone')}({context.use('datetime', 'timedelta')}({delta}))"


def _unit(seconds: int) -> str:
    return f"hours={seconds // 3600}" if seconds % 3600 == 0 else f"minutes={seconds // 60}"


def _timedelta(value: timedelta, context: Context) -> Expression:
    sign, value = ("-", -value) if value < timedelta(0) else ("", value)
    hours, rest = divmod(value.seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    parts = {
        "days": value.days,
        "hours": hours,
        "minutes": minutes,
        "seconds": seconds,
        "microseconds": value.microseconds,
    }
    given = tuple(f"{name}={number}" for name, number in parts.items() if number)
    return Bracket(f"{sign}{context.use('datetime', 'timedelta')}(", given or ("0",), ")")
