"""
Scalars of the dumper: what fits, what it is written as, and what is said of what does not fit.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from enum import Enum, Flag, IntEnum, StrEnum
from typing import Any
from uuid import UUID

import pytest

from contract.pred.dump.scalars import (
    Refused,
    class_name,
    expected,
    is_a,
    is_multiple,
    scalar,
    type_name,
)
from contract.shape.bounds import Bounds
from contract.shape.nodes import (
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


def never(*args: Any, **kwargs: Any) -> Any:
    """Stands where the value's own code must not run."""
    raise AssertionError(args)


class Text(str):
    __slots__ = ()
    __str__ = __eq__ = __hash__ = __len__ = __contains__ = isascii = encode = never


class Number(int):
    __int__ = __index__ = __eq__ = __hash__ = __le__ = __ge__ = __lt__ = __gt__ = __mod__ = never


class Real(float):
    __float__ = __eq__ = __hash__ = __le__ = __ge__ = __lt__ = __gt__ = never


class Data(bytes):
    __bytes__ = __len__ = __iter__ = never


class Money(Decimal):
    __str__ = as_tuple = __eq__ = __hash__ = __le__ = __ge__ = __lt__ = __gt__ = never


class Moment(datetime):
    isoformat = utcoffset = __eq__ = __hash__ = __le__ = __ge__ = __lt__ = __gt__ = never


class Day(date):
    isoformat = __eq__ = __hash__ = __le__ = __ge__ = __lt__ = __gt__ = never


class Clock(time):
    isoformat = utcoffset = __eq__ = __hash__ = __le__ = __ge__ = __lt__ = __gt__ = never


class Span(timedelta):
    days = seconds = property(never)
    __neg__ = __eq__ = __hash__ = __le__ = __ge__ = __lt__ = __gt__ = never


class Id(UUID):
    __str__ = never


class Liar:
    """Claims to be anything."""

    def __init__(self, claimed: type) -> None:
        self.claimed = claimed

    @property
    def __class__(self) -> Any:
        return self.claimed

    @__class__.setter
    def __class__(self, other: Any) -> None: ...


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Rank(IntEnum):
    LOW = 1
    HIGH = 2


class Word(StrEnum):
    YES = "yes"


class Bits(Flag):
    A = 1
    B = 2


COLOR = EnumShape(Color, (("RED", "red"), ("BLUE", "blue")))
BITS = EnumShape(Bits, (("A", 1), ("B", 2)))
HALF_PAST = datetime(2026, 1, 2, 3, 30, tzinfo=UTC)
ID = UUID("12345678-1234-5678-1234-567812345678")


FITTING: list[tuple[ScalarShape, object, object]] = [
    (NullShape(), None, None),
    (BoolShape(), True, True),
    (IntShape(), -(2**63), -(2**63)),
    (IntShape(0, 2**64 - 1), 2**64 - 1, 2**64 - 1),
    (IntShape(), Rank.HIGH, 2),
    (IntShape(), Number(5), 5),
    (IntShape(multiple_of=5), 15, 15),
    (FloatShape(), 1.5, 1.5),
    (FloatShape(), Real(1.5), 1.5),
    (FloatShape(), 2**53 + 1, 2**53 + 1),
    (FloatShape(), Rank.LOW, 1),
    (FloatShape(Bounds(ge=0.0, le=1.0)), 1.0, 1.0),
    (FloatShape(Bounds(multiple_of=0.1)), 0.3, 0.3),
    (StrShape(), "é", "é"),
    (StrShape(), Word.YES, "yes"),
    (StrShape(), Text("real"), "real"),
    (StrShape(2, 3, ("^a", "z$")), "abz", "abz"),
    (BytesShape(1, 3), b"abc", "YWJj"),
    (BytesShape(), Data(b"abc"), "YWJj"),
    (DecimalShape(), Decimal("1.50"), "1.50"),
    (DecimalShape(), Money("1.50"), "1.50"),
    (
        DecimalShape(Bounds(gt=Decimal(0), multiple_of=Decimal("0.01"))),
        Decimal("12345678901234567890123456789.01"),
        "12345678901234567890123456789.01",
    ),
    (DatetimeShape(), HALF_PAST, "2026-01-02T03:30:00+00:00"),
    (
        DatetimeShape(),
        datetime(5, 1, 1, tzinfo=timezone(timedelta(hours=-3.5))),
        "0005-01-01T00:00:00-03:30",
    ),
    (
        DatetimeShape(),
        Moment(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC),
        "2026-01-02T03:04:05.000006+00:00",
    ),
    (DatetimeShape(offset=timedelta(0)), HALF_PAST, "2026-01-02T03:30:00+00:00"),
    (DateShape(), date(5, 1, 2), "0005-01-02"),
    (DateShape(), Day(2026, 1, 2), "2026-01-02"),
    (TimeShape(), time(3, 4), "03:04:00"),
    (TimeShape(aware=False), Clock(3, 4), "03:04:00"),
    (TimeShape(aware=True), time(3, 4, tzinfo=UTC), "03:04:00+00:00"),
    (TimedeltaShape(), timedelta(days=1, seconds=2), "P1DT2S"),
    (TimedeltaShape(), Span(seconds=2), "PT2S"),
    (UuidShape(), ID, str(ID)),
    (UuidShape(), Id(int=ID.int), str(ID)),
    (LiteralShape(("a", 1, True)), "a", "a"),
    (LiteralShape(("a", 1)), 1, 1),
    (LiteralShape((True,)), True, True),
    (LiteralShape((1,)), Rank.LOW, 1),
    (LiteralShape(("yes",)), Word.YES, "yes"),
    (LiteralShape(("red", 1), (Color.RED, 1)), Color.RED, "red"),
    (LiteralShape(("red", 1), (Color.RED, 1)), 1, 1),
    (COLOR, Color.BLUE, "blue"),
]


@pytest.mark.parametrize(
    ("shape", "value", "written"), FITTING, ids=[str(at) for at in range(len(FITTING))]
)
def test_a_fitting_value_is_written_as_its_exact_base(
    shape: ScalarShape, value: object, written: object
) -> None:
    result = scalar(shape, value)

    assert result == written
    assert type(result) is type(written)


class Seconds(tzinfo):
    """A zone whose offset has seconds, but not on the first question."""

    def __init__(self) -> None:
        self.asked = 0

    def utcoffset(self, dt: datetime | None) -> timedelta:
        self.asked += 1
        return timedelta(seconds=0 if self.asked < 3 else 30)

    tzname = dst = never


def formless(name: str) -> str:
    return f"has no form as {name} (digits, exponent, or an offset of seconds)"


NAIVE = (
    "expected a datetime with an offset, found one without: "
    "use datetime.now(UTC), or write LocalDatetime"
)
INFINITE = "expected a finite float, found NaN or an infinity"
MISFITS: list[tuple[ScalarShape, object, str]] = [
    (NullShape(), 0, "expected None, found int"),
    (BoolShape(), 1, "expected bool, found int"),
    (IntShape(), True, "expected int, found bool"),
    (IntShape(), 1.0, "expected int, found float"),
    (IntShape(), 2**63, f"expected an int between {-(2**63)} and {2**63 - 1}"),
    (IntShape(0, 9), Number(10), "expected an int between 0 and 9"),
    (IntShape(multiple_of=5), 4, "expected a multiple of 5"),
    (FloatShape(), True, "expected float, found bool"),
    (FloatShape(), "1.5", "expected float, found str"),
    (FloatShape(), Decimal(1), "expected float, found Decimal"),
    (FloatShape(), float("nan"), INFINITE),
    (FloatShape(), float("-inf"), INFINITE),
    (FloatShape(), Real("inf"), INFINITE),
    (FloatShape(), 2**63, "expected an int of at most 64 bits"),
    (FloatShape(Bounds(ge=1.0)), 0.5, "expected at least 1.0"),
    (FloatShape(Bounds(gt=1.0)), 1, "expected more than 1.0"),
    (FloatShape(Bounds(le=1.0)), 1.5, "expected at most 1.0"),
    (FloatShape(Bounds(lt=1.0)), 1.0, "expected less than 1.0"),
    (FloatShape(Bounds(multiple_of=0.1)), 0.35, "expected a multiple of 0.1"),
    (StrShape(), b"a", "expected str, found bytes"),
    (StrShape(), "\ud800", "expected text, found a lone surrogate in it"),
    (StrShape(2), "a", "expected at least 2 characters"),
    (StrShape(None, 1), "ab", "expected at most 1 characters"),
    (StrShape(patterns=("^a\n$",)), "b", "expected a match of the pattern '^a\\n$'"),
    (BytesShape(), bytearray(b"a"), "expected bytes, found bytearray"),
    (BytesShape(2), b"a", "expected at least 2 bytes"),
    (DecimalShape(), 1, "expected Decimal, found int"),
    (DecimalShape(), Decimal("NaN"), formless("decimal")),
    (DecimalShape(Bounds(ge=Decimal(0))), Decimal("sNaN"), formless("decimal")),
    (DecimalShape(), Decimal("1E+999999999"), formless("decimal")),
    (DecimalShape(Bounds(ge=Decimal(0))), Decimal("-0.01"), "expected at least 0"),
    (DatetimeShape(), date(2026, 1, 2), "expected datetime, found date"),
    (DatetimeShape(), datetime(2026, 1, 2), NAIVE),
    (LocalDatetimeShape(), date(2026, 1, 2), "expected LocalDatetime, found date"),
    (
        LocalDatetimeShape(),
        datetime(2026, 1, 2, tzinfo=UTC),
        "expected a datetime without an offset, found one with it: use replace(tzinfo=None)",
    ),
    (
        DatetimeShape(),
        datetime(2026, 1, 2, tzinfo=timezone(timedelta(seconds=30))),
        formless("date-time"),
    ),
    (DatetimeShape(), datetime(2026, 1, 2, tzinfo=Seconds()), formless("date-time")),
    (
        DatetimeShape(offset=timedelta(hours=1)),
        HALF_PAST,
        "expected a datetime with the offset 1:00:00",
    ),
    (
        DatetimeShape(Bounds(lt=HALF_PAST)),
        HALF_PAST,
        "expected less than 2026-01-02 03:30:00+00:00",
    ),
    (DateShape(), HALF_PAST, "expected date, found datetime"),
    (DateShape(), "2026-01-02", "expected date, found str"),
    (DateShape(Bounds(ge=date(2026, 1, 1))), date(2025, 1, 1), "expected at least 2026-01-01"),
    (TimeShape(), HALF_PAST, "expected time, found datetime"),
    (TimeShape(aware=True), time(3, 4), formless("time")),
    (TimeShape(aware=False), time(3, 4, tzinfo=UTC), formless("partial-time")),
    (TimeShape(Bounds(le=time(3))), time(4), "expected at most 03:00:00"),
    (TimedeltaShape(), 5, "expected timedelta, found int"),
    (TimedeltaShape(Bounds(gt=timedelta(0))), timedelta(0), "expected more than 0:00:00"),
    (UuidShape(), str(ID), "expected UUID, found str"),
    (LiteralShape((1,)), True, "expected Literal[1], found bool"),
    (LiteralShape((True,)), 1, "expected Literal[True], found int"),
    (LiteralShape(("a",)), Text("b"), "expected Literal['a'], found Text"),
    (LiteralShape(("red",), (Color.RED,)), "red", "expected Literal[Color.RED], found str"),
    (
        LiteralShape(("red", 1), (Color.RED, 1)),
        Word.YES,
        "expected Literal[Color.RED, 1], found Word",
    ),
    (COLOR, "red", "expected Color, found str"),
    (BITS, Bits.A | Bits.B, "expected a named member of Bits"),
]


@pytest.mark.parametrize(
    ("shape", "value", "problem"), MISFITS, ids=[str(at) for at in range(len(MISFITS))]
)
def test_a_misfit_is_told_by_its_type(shape: ScalarShape, value: object, problem: str) -> None:
    with pytest.raises(Refused) as refused:
        scalar(shape, value)

    assert refused.value.problem == problem
    assert refused.value.path == []


@pytest.mark.parametrize(
    ("shape", "cls"),
    [
        (NullShape(), type(None)),
        (BoolShape(), bool),
        (IntShape(), int),
        (FloatShape(), float),
        (StrShape(), str),
        (BytesShape(), bytes),
        (DecimalShape(), Decimal),
        (DatetimeShape(), datetime),
        (DateShape(), date),
        (TimeShape(), time),
        (TimedeltaShape(), timedelta),
        (UuidShape(), UUID),
        (LiteralShape(("a", 1, True)), str),
        (COLOR, Color),
    ],
)
def test_a_claimed_class_is_none(shape: ScalarShape, cls: type) -> None:
    value = Liar(cls)

    assert isinstance(value, cls)
    assert not is_a(value, cls)
    with pytest.raises(Refused, match=r"^expected .*, found Liar$"):
        scalar(shape, value)


@pytest.mark.parametrize("number", [-1, 2**128, "1", None])
def test_a_uuid_that_was_tampered_with_is_refused_or_raises(number: object) -> None:
    broken = object.__new__(UUID)
    object.__setattr__(broken, "int", number)

    with pytest.raises((TypeError, ValueError)):
        scalar(UuidShape(), broken)


def test_a_uuid_that_was_never_initialised_raises() -> None:
    with pytest.raises(AttributeError):
        scalar(UuidShape(), object.__new__(UUID))


def test_names_of_types_are_short_and_printable() -> None:
    class Meta(type):
        __name__ = property(never)

    assert class_name(Meta("Plain", (), {})) == "Plain"
    assert class_name(type("a\nb\u2028é" + "x" * 200, (), {})).startswith("a\\nb\\u2028\\xe9xxx")
    assert len(type_name(type("x" * 10_000, (), {})())) == 80


def test_multiples_are_exact() -> None:
    assert is_multiple(0.3, 0.1)
    assert is_multiple(1, 0.1)
    assert not is_multiple(1e-300, 1e300)
    assert is_multiple(1e300, 1e-300)
    assert not is_multiple(0.30000000000000004, 0.1)
    assert is_multiple(Decimal("1e40"), Decimal("1e-40"))
    assert not is_multiple(Decimal("0.015"), Decimal("0.01"))
    assert is_multiple(10, 5)
    assert not is_multiple(11, 5)


def test_expected_is_in_words() -> None:
    assert expected(NullShape()) == "None"
    assert expected(TimedeltaShape()) == "timedelta"
    assert expected(LiteralShape(("\n", 1, True))) == r"Literal['\n', 1, True]"


def test_the_trap_works() -> None:
    with pytest.raises(AssertionError):
        str(Text("a"))
