"""
Forms: how a scalar that JSON has no type for is written as a string.

Each form has a pattern, which is checked before anything is parsed and is shown in JSON Schemas,
and the ``format`` that tools know it by, if the pattern is within that format. The parsers of
Python and of pydantic-core are more tolerant than the formats that they are named after.
"""

from __future__ import annotations

import re
from binascii import a2b_base64, b2a_base64
from calendar import isleap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final

from pydantic_core import SchemaValidator, core_schema

__all__ = [
    "BYTES",
    "DATE",
    "DATETIME",
    "DATETIME_LOCAL",
    "DECIMAL",
    "INTEGER_KEY",
    "MAX_DECIMAL_DIGITS",
    "MAX_DECIMAL_EXPONENT",
    "MAX_DURATION",
    "TIME",
    "TIMEDELTA",
    "TIME_AWARE",
    "TIME_FORMS",
    "TIME_NAIVE",
    "UUID_",
    "APART",
    "FORMS",
    "Form",
    "READY_FORMS",
    "decimal_fits",
    "is_decimal_of_any_size",
]

MAX_DECIMAL_DIGITS: Final = 40
"""The most digits before the point of a decimal, and the most after it."""

MAX_DECIMAL_EXPONENT: Final = 99
"""``int(Decimal("1E+999999999"))`` never ends, although the text has only 13 bytes."""

MAX_DURATION: Final = timedelta(days=900_000_000) - timedelta(microseconds=1)
"""
The longest duration, forwards and backwards.

A pattern cannot add days and hours: this many days, with any hours beside them, are always in
the range of Python.
"""


@dataclass(frozen=True, slots=True)
class Form:
    """
    A scalar's form on the wire.

    ``parse(text)`` gives the value or raises ValueError. ``write(value)`` gives the text, or raises
    ValueError for a value that cannot be written.
    """

    name: str
    """Its name in params: the format, if it has one."""
    described: str
    """Its name for people, with an example; forms of one name share it."""
    format: str | None
    """The ``format`` of JSON Schema, or None if the pattern is not within one."""
    pattern: str
    """A regular expression, anchored, that Python, Rust and ECMAScript read alike."""
    convert: Callable[[str], Any]
    """
    The value of a text that the pattern matches.

    It raises ValueError for a text without a value: a day that does not exist.

    It is a C function if there is one, so pydantic-core can call it without a Python frame.
    """
    write: Callable[[Any], str]
    matches: Callable[[str], Any]

    @property
    def sample(self) -> str:
        """The example in its description."""
        return self.described.rpartition(" ")[2]

    def parse(self, text: str) -> Any:
        """
        The value of *text*.

        Raises:
            ValueError: *text* is not of this form.
        """
        if self.matches(text) is None:
            raise ValueError(self.name)
        return self.convert(text)


# The pieces of the patterns. Python and Rust run these here, and clients in ECMAScript, so they use
# nothing that only one of the three knows.

# Python has no year 0000; Rust's regular expressions cannot look ahead
_YEAR: Final = r"([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"
_DATE: Final = rf"{_YEAR}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
# those that are divisible by 4, and those divisible by 100 only if by 400
_FOURTH: Final = "(0[48]|[2468][048]|[13579][26])"
_LEAP_YEAR: Final = f"([0-9]{{2}}{_FOURTH}|{_FOURTH}00)"
# for days that do not exist, only `format` says otherwise
_REAL_DATE: Final = (
    rf"({_YEAR}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
    rf"|02-(0[1-9]|1[0-9]|2[0-8]))|{_LEAP_YEAR}-02-29)"
)
_HOUR_AND_MINUTE: Final = "([01][0-9]|2[0-3]):[0-5][0-9]"
# fractions of a microsecond are cut off, as Python's own parsers do
_TIME: Final = rf"{_HOUR_AND_MINUTE}:[0-5][0-9](\.[0-9]{{1,9}})?"
_OFFSET: Final = r"(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"


def _form(
    name: str,
    described: str,
    format: str | None,  # noqa: A002
    pattern: str,
    convert: Callable[[str], Any],
    write: Callable[[Any], str],
) -> Form:
    # fullmatch, not match: Python's $ also matches before a final line feed
    return Form(
        name, described, format, f"^{pattern}$", convert, write, re.compile(pattern).fullmatch
    )


def _whole_minutes(offset: timedelta | None) -> None:
    # RFC 3339, section 5.6, time-numoffset: hours and minutes, while Python has offsets of
    # microseconds
    if offset is not None and offset.total_seconds() % 60:
        raise ValueError("an offset of seconds cannot be written")


def _write_datetime(value: datetime) -> str:
    offset = value.utcoffset()
    if offset is None:
        raise ValueError("a datetime without an offset cannot be written; use datetime.now(UTC)")
    _whole_minutes(offset)
    return value.isoformat()


def _write_local(value: datetime) -> str:
    if value.tzinfo is not None:
        raise ValueError(
            "a datetime without an offset cannot have a zone; use replace(tzinfo=None)"
        )
    return value.isoformat()


def _write_time(value: time) -> str:
    _whole_minutes(value.utcoffset())
    return value.isoformat()


_N: Final = r"[0-9]{1,9}"
_S: Final = rf"{_N}(\.[0-9]{{1,6}})?S"
_CLOCK: Final = rf"T({_N}H({_N}M)?({_S})?|{_N}M({_S})?|{_S})"
_DURATION: Final = rf"-?P([0-8]?[0-9]{{1,8}}D({_CLOCK})?|{_CLOCK})"
_DURATION_PARTS: Final = re.compile(
    r"(-)?P(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:\.([0-9]+))?S)?)?"
)


def _parse_timedelta(text: str) -> timedelta:
    parts = _DURATION_PARTS.fullmatch(text)
    assert parts is not None  # noqa: S101  the form's narrower pattern has matched
    sign, days, hours, minutes, seconds, fraction = parts.groups()
    clock = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds or 0)
    # the digits are read as text: a float of the seconds would round them
    microseconds = int((fraction or "").ljust(6, "0"))
    value = timedelta(int(days or 0), clock, microseconds)
    return -value if sign else value


def _write_timedelta(value: timedelta) -> str:
    if not -MAX_DURATION <= value <= MAX_DURATION:
        raise ValueError("900,000,000 days and more cannot be written")
    if not value:
        return "PT0S"  # a duration has at least one part
    sign = ""
    if value < timedelta(0):
        # Python keeps -1 second as -1 day and 86399 seconds; a text has one sign for all parts
        sign, value = "-", -value
    minutes, seconds = divmod(value.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    clock = ""
    if hours:
        clock += f"{hours}H"
    if minutes:
        clock += f"{minutes}M"
    if value.microseconds:
        clock += f"{seconds}.{value.microseconds:06}S"
    elif seconds:
        clock += f"{seconds}S"
    text = f"{sign}P"
    if value.days:
        text += f"{value.days}D"
    if clock:
        text += f"T{clock}"
    return text


def decimal_fits(value: Decimal) -> bool:
    """Whether *value* is finite and within the limits of digits and exponent."""
    return bool(_places(value))


def _places(value: Decimal) -> range:
    """How many digits may follow the point of *value*."""
    _, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        return range(0)  # NaN and the infinities have a letter for an exponent
    # each digit that is put behind the point is one less before it, and adds 1 to the exponent
    least = max(0, len(digits) - MAX_DECIMAL_DIGITS, -MAX_DECIMAL_EXPONENT - exponent)
    return range(least, min(MAX_DECIMAL_DIGITS, MAX_DECIMAL_EXPONENT - exponent) + 1)


def is_decimal_of_any_size(text: str) -> bool:
    """
    Whether *text* looks like a decimal, within the limits or far beyond them.

    The message for a decimal beyond them is about the limits, not about the form.
    """
    return _DECIMAL_OF_ANY_SIZE(text) is not None


_DECIMAL_OF_ANY_SIZE: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?").fullmatch


def _write_decimal(value: Decimal) -> str:
    text = str(value)
    if _IS_DECIMAL(text) is not None:
        return text
    places = _places(value)
    if not places:
        raise ValueError(
            f"more than {MAX_DECIMAL_DIGITS} digits on a side of the point, "
            f"an exponent beyond {MAX_DECIMAL_EXPONENT}, or not a number"
        )
    # str() has one digit before the point, or more after it than are allowed
    sign, digits, exponent = value.as_tuple()
    after = places[0]
    number = "".join(map(str, digits)).zfill(after + 1)
    if after:
        number = f"{number[:-after]}.{number[-after:]}"
    minus = "-" if sign else ""
    return f"{minus}{number}E{int(exponent) + after:+}"


def _write_bytes(value: bytes) -> str:
    return b2a_base64(value, newline=False).decode()


DATETIME: Final = _form(
    "date-time",
    "a date and time with its offset like 2026-01-31T10:00:00Z",
    "date-time",
    f"{_DATE}T{_TIME}{_OFFSET}",
    datetime.fromisoformat,
    _write_datetime,
)
"""
RFC 3339, section 5.6, with capital T and Z, at most nanoseconds, and no leap seconds.

It is read with a precision of microseconds.
"""

DATETIME_LOCAL: Final = _form(
    "date-time-local",
    "a date and time without an offset like 2026-01-31T10:00:00",
    None,
    f"{_REAL_DATE}T{_TIME}",
    datetime.fromisoformat,
    _write_local,
)
"""
RFC 3339, section 5.6: full-date and partial-time.

The format ``date-time`` demands an offset, so the pattern itself must check the calendar.
"""

DATE: Final = _form(
    "date", "a date like 2026-01-31", "date", _DATE, date.fromisoformat, date.isoformat
)
"""RFC 3339 full-date, from the year 0001 on."""

_CLOCK_TIME: Final = ("time", "a time like 10:00:00Z")
TIME: Final = _form(*_CLOCK_TIME, None, f"{_TIME}{_OFFSET}?", time.fromisoformat, _write_time)
"""RFC 3339 partial-time, with or without an offset; the format ``time`` demands one."""

TIME_NAIVE: Final = _form(
    "partial-time",
    "a time without an offset like 10:00:00",
    None,
    _TIME,
    time.fromisoformat,
    _write_time,
)
TIME_AWARE: Final = _form(
    *_CLOCK_TIME, "time", f"{_TIME}{_OFFSET}", time.fromisoformat, _write_time
)

TIME_FORMS: Final[Mapping[bool | None, Form]] = {None: TIME, True: TIME_AWARE, False: TIME_NAIVE}
"""`TimeShape.aware` -> the form."""

TIMEDELTA: Final = _form(
    "duration", "a duration like P1DT2H", None, _DURATION, _parse_timedelta, _write_timedelta
)
"""ISO 8601 in days and time; RFC 3339's ``duration`` has neither a sign nor fractions."""

_DECIMAL: Final = r"-?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?"
DECIMAL: Final = _form("decimal", "a decimal like 12.50", None, _DECIMAL, Decimal, _write_decimal)
_IS_DECIMAL: Final = DECIMAL.matches

_UUID: Final = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
# UUID() takes five times as long
_parse_uuid: Final = SchemaValidator(core_schema.uuid_schema()).validate_python
UUID_: Final = _form(
    "uuid", "a UUID like 123e4567-e89b-12d3-a456-426614174000", "uuid", _UUID, _parse_uuid, str
)
"""RFC 9562, section 4."""

_B64: Final = "[A-Za-z0-9+/]"
BYTES: Final = _form(
    "byte",
    "base64 with its padding like aGVsbG8=",
    None,
    f"({_B64}{{4}})*({_B64}[AQgw]==|{_B64}{{2}}[AEIMQUYcgkosw048]=)?",
    a2b_base64,
    _write_bytes,
)
"""
Base64 (RFC 4648, section 4), padded, with zeros for the unused bits of the last character.

So each value has exactly one text (section 3.5).
"""

INTEGER_KEY: Final = _form(
    "integer", "an integer like 42", None, r"(0|-?[1-9][0-9]{0,19})", int, str
)
"""An int as the key of an object."""


# Slips: texts that are nearly of a form. They are looked for only in a text that was refused, so
# that its issue can say what is missing: the seconds, the offset, or a day that the month lacks.

_DAY: Final = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])-([0-9]{2})(?:T|\Z)").match
_LOCAL: Final = re.compile(f"{_DATE}T{_TIME}").fullmatch
_LOCAL_TIME: Final = re.compile(_TIME).fullmatch
_MINUTE: Final = re.compile(f"{_HOUR_AND_MINUTE}{_OFFSET}?").fullmatch
_DATED_MINUTE: Final = re.compile(f"{_DATE}T{_HOUR_AND_MINUTE}{_OFFSET}?").fullmatch


def _missing_day(text: str) -> Mapping[str, Any]:
    day = _DAY(text)
    if day is None:
        return {}
    year, month, number = day.groups()
    most = _DAYS[month]
    if month == "02" and isleap(int(year)):
        most = 29
    # in the year 0000 no day exists, whatever its number
    if int(number) <= most or year == "0000":
        return {}
    return {"reason": "no_such_day", "days": most}


_DAYS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("01", "03", "05", "07", "08", "10", "12"), 31),
    **dict.fromkeys(("04", "06", "09", "11"), 30),
    "02": 28,
}
"""Month -> its last day, in a year that is not a leap year."""


def _missing_seconds(text: str) -> Mapping[str, Any]:
    if _MINUTE(text):
        return {"reason": "no_seconds"}
    return {}


def _missing_offset(text: str) -> Mapping[str, Any]:
    if _LOCAL_TIME(text):
        return {"reason": "no_offset"}
    return _missing_seconds(text)


def _missing_day_or_seconds(text: str) -> Mapping[str, Any]:
    known = _missing_day(text)
    if not known and _DATED_MINUTE(text):
        return {"reason": "no_seconds"}
    return known


def _missing_day_or_offset(text: str) -> Mapping[str, Any]:
    known = _missing_day_or_seconds(text)
    if not known and _LOCAL(text):
        return {"reason": "no_offset"}
    return known


SLIPS: Final[Mapping[str, Callable[[str], Mapping[str, Any]]]] = {
    "date": _missing_day,
    "date-time": _missing_day_or_offset,
    "date-time-local": _missing_day_or_seconds,
    "time": _missing_offset,
    "partial-time": _missing_seconds,
}
"""Format -> the function that finds params for a wrong text; other forms have no such params."""


FORMS: Final = (
    DATETIME,
    DATETIME_LOCAL,
    DATE,
    TIME_AWARE,
    TIME_NAIVE,
    TIMEDELTA,
    DECIMAL,
    UUID_,
    BYTES,
    INTEGER_KEY,
)
"""One form for each name."""

READY_FORMS: Final[Mapping[str, str]] = {
    "email": "an address of e-mail like ada@example.org",
    "ipv4": "an IPv4 address like 192.0.2.1",
    "ipv4-network": "an IPv4 network like 192.0.2.0/24",
    "ipv6": "an IPv6 address like 2001:db8::1",
    "ipv6-network": "an IPv6 network like 2001:db8::/32",
    "path": "a path like invoices/2026-01.pdf",
    "semver": "a semantic version like 1.4.0",
    "timezone": "the name of a time zone like Europe/Berlin",
    "url": "a URL like https://example.org/a?b=c",
}
"""
Forms of classes that are text on the wire: name -> name for people, with an example.

The classes are in `contract.shape.python_types` and `contract.shape.own_texts`, by their *kind*.
"""

APART: Final = frozenset({"ipv4", "ipv4-network", "ipv6", "ipv6-network"})
"""Forms that exclude each other: no text has two of them."""
