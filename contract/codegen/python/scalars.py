"""Scalars: texts of the wire as the Python expressions that make their values."""

from __future__ import annotations

import base64
import re
from datetime import date, datetime, time, timedelta, tzinfo
from decimal import Decimal
from typing import Final, assert_never
from uuid import UUID

from contract.codegen.model import TextKind
from contract.codegen.python.context import Context
from contract.codegen.python.layout import Bracket, Expression, quoted

__all__ = ["bytes_literal", "fixed_offset", "time_zone", "value_of"]

_DURATION: Final = re.compile(
    r"(-)?P(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:\.([0-9]{1,6}))?S)?)?"
)


def value_of(kind: TextKind, text: str, context: Context) -> Expression:
    """
    The value that *text* stands for.

    Raises:
        ValueError: It stands for none.
    """
    match kind:
        case "decimal":
            if not Decimal(text).is_finite():
                raise ValueError(text)
            return Bracket(f"{context.use('decimal', 'Decimal')}(", (quoted(text),), ")")
        case "datetime":
            return _datetime(datetime.fromisoformat(text), context)
        case "date":
            return _date(date.fromisoformat(text), context)
        case "time":
            return _time(time.fromisoformat(text), context)
        case "timedelta":
            return _timedelta(_duration(text), context)
        case "uuid":
            return Bracket(f"{context.use('uuid', 'UUID')}(", (quoted(str(UUID(text))),), ")")
        case "int":
            return str(int(text))
        case _:
            assert_never(kind)


def bytes_literal(text: str) -> str:
    """
    The bytes that *text* is in base64.

    Raises:
        ValueError: It is no base64.
    """
    value = base64.b64decode(text, validate=True)
    shown = repr(value)[2:-1]
    if repr(value)[1] == "'":
        shown = shown.replace('"', '\\"').replace("\\'", "'")
    return f'b"{shown}"'


def fixed_offset(pattern: str, context: Context) -> Expression | None:
    """The zone that a second *pattern* of a datetime asks for."""
    if pattern == "(Z|[+-]00:00)$":
        return quoted("UTC")
    found = re.fullmatch(r"(-|\[\+\])([0-9]{2}):([0-9]{2})\$", pattern)
    if found is None:
        return None
    minutes = int(found[2]) * 60 + int(found[3])
    return _zone(timedelta(minutes=-minutes if found[1] == "-" else minutes), context)


def time_zone(pattern: str) -> str | None:
    """What ``Timezone`` says of times of *pattern*: the ellipsis, None (as text), or nothing."""
    if "Z" not in pattern:
        return "None"
    return None if pattern.endswith(")?$") else "..."


def _date(value: date, context: Context) -> Expression:
    return Bracket(
        f"{context.use('datetime', 'date')}(",
        (str(value.year), str(value.month), str(value.day)),
        ")",
    )


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


def _duration(text: str) -> timedelta:
    found = _DURATION.fullmatch(text)
    if found is None:
        raise ValueError(text)
    sign, days, hours, minutes, seconds, fraction = found.groups()
    try:
        value = timedelta(
            days=int(days or 0),
            hours=int(hours or 0),
            minutes=int(minutes or 0),
            seconds=int(seconds or 0),
            microseconds=int((fraction or "0").ljust(6, "0")),
        )
    except OverflowError:
        raise ValueError(text) from None
    return -value if sign else value


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
