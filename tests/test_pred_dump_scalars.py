"""Scalars of the dumper: what fits, what it is written as, and what is said of the rest."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from enum import Flag, IntEnum, StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from annotated_types import Ge, Gt, Le, Len, Lt, MaxLen, MinLen, MultipleOf, Timezone

from contract.pred.dump import scalars
from contract.pred.dump.scalars import Refused, expected, is_a, is_multiple, scalar, type_name
from contract.shape.markers import LocalDatetime, Pattern
from contract.shape.nodes import EnumShape, LiteralShape, NullShape, RefShape, TimedeltaShape
from contract.shape.reader import shape_of
from tests.samples import Color
from tests.tables import rows


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


class Rank(IntEnum):
    LOW = 1
    HIGH = 2


class Word(StrEnum):
    YES = "yes"


Bits = Flag("Bits", ["A", "B"])


WEST = timezone(timedelta(hours=-3.5))
HALF_PAST = datetime(2026, 1, 2, 3, 30, tzinfo=UTC)
ID = UUID("12345678-1234-5678-1234-567812345678")


def dumped(annotation: Any, value: object) -> object:
    shape: Any = shape_of(annotation)
    found: Any = shape.definition.shape if isinstance(shape, RefShape) else shape
    return scalar(found, value)


FITTING: list[tuple[Any, object, object]] = [
    (None, None, None),
    (bool, True, True),
    (int, -(2**63), -(2**63)),
    (Annotated[int, Ge(0), Le(2**64 - 1)], 2**64 - 1, 2**64 - 1),
    (int, Rank.HIGH, 2),
    (int, Number(5), 5),
    (Annotated[int, MultipleOf(5)], 15, 15),
    (float, 1.5, 1.5),
    (float, Real(1.5), 1.5),
    (float, 2**53 + 1, 2**53 + 1),
    (float, Rank.LOW, 1),
    (Annotated[float, Ge(0.0), Le(1.0)], 1.0, 1.0),
    (Annotated[float, MultipleOf(0.1)], 0.3, 0.3),
    (str, "é", "é"),
    (str, Word.YES, "yes"),
    (str, Text("real"), "real"),
    (Annotated[str, Len(2, 3), Pattern("^a"), Pattern("z$")], "abz", "abz"),
    (Annotated[bytes, Len(1, 3)], b"abc", "YWJj"),
    (bytes, Data(b"abc"), "YWJj"),
    (Decimal, Decimal("1.50"), "1.50"),
    (Decimal, Money("1.50"), "1.50"),
    (
        Annotated[Decimal, Gt(Decimal(0)), MultipleOf(Decimal("0.01"))],
        Decimal("12345678901234567890123456789.01"),
        "12345678901234567890123456789.01",
    ),
    (datetime, HALF_PAST, "2026-01-02T03:30:00+00:00"),
    (datetime, datetime(5, 1, 1, tzinfo=WEST), "0005-01-01T00:00:00-03:30"),
    (datetime, Moment(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC), "2026-01-02T03:04:05.000006+00:00"),
    (Annotated[datetime, Timezone("UTC")], HALF_PAST, "2026-01-02T03:30:00+00:00"),
    (date, date(5, 1, 2), "0005-01-02"),
    (date, Day(2026, 1, 2), "2026-01-02"),
    (time, time(3, 4), "03:04:00"),
    (Annotated[time, Timezone(None)], Clock(3, 4), "03:04:00"),
    (Annotated[time, Timezone(...)], time(3, 4, tzinfo=UTC), "03:04:00+00:00"),
    (timedelta, timedelta(days=1, seconds=2), "P1DT2S"),
    (timedelta, Span(seconds=2), "PT2S"),
    (UUID, ID, str(ID)),
    (UUID, Id(int=ID.int), str(ID)),
    (Literal["a", 1, True], "a", "a"),
    (Literal["a", 1], 1, 1),
    (Literal[True], True, True),
    (Literal[1], Rank.LOW, 1),
    (Literal["yes"], Word.YES, "yes"),
    (Literal[Color.RED, 1], Color.RED, "red"),
    (Literal[Color.RED, 1], 1, 1),
    (Color, Color.BLUE, "blue"),
]


@rows("annotation, value, written", *FITTING, ids=[str(at) for at in range(len(FITTING))])
def test_what_fits_becomes_its_exact_base(annotation: Any, value: object, written: object) -> None:
    result = dumped(annotation, value)

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
MISFITS: list[tuple[Any, object, str]] = [
    (int, 2**63, f"expected an int between {-(2**63)} and {2**63 - 1}"),
    (Annotated[int, Ge(0), Le(9)], Number(10), "expected an int between 0 and 9"),
    (Annotated[int, MultipleOf(5)], 4, "expected a multiple of 5"),
    (float, True, "expected float, found bool"),
    (float, "1.5", "expected float, found str"),
    (float, Decimal(1), "expected float, found Decimal"),
    (float, float("-inf"), INFINITE),
    (float, Real("inf"), INFINITE),
    (float, 2**63, "expected an int of at most 64 bits"),
    (Annotated[float, Ge(1.0)], 0.5, "expected at least 1.0"),
    (Annotated[float, Gt(1.0)], 1, "expected more than 1.0"),
    (Annotated[float, Le(0.75)], 1.5, "expected at most 0.75"),
    (Annotated[float, Lt(1.0)], 1.0, "expected less than 1.0"),
    (Annotated[float, MultipleOf(0.1)], 0.35, "expected a multiple of 0.1"),
    (str, b"a", "expected str, found bytes"),
    (Annotated[str, MinLen(2)], "a", "expected at least 2 characters"),
    (Annotated[str, MaxLen(1)], "ab", "expected at most 1 characters"),
    (Annotated[str, Pattern("^a\n$")], "b", "expected a match of the pattern '^a\\n$'"),
    (bytes, bytearray(b"a"), "expected bytes, found bytearray"),
    (Annotated[bytes, MinLen(2)], b"a", "expected at least 2 bytes"),
    (Decimal, 1, "expected Decimal, found int"),
    (Annotated[Decimal, Ge(Decimal(0))], Decimal("sNaN"), formless("decimal")),
    (Decimal, Decimal("1E+999999999"), formless("decimal")),
    (Annotated[Decimal, Ge(Decimal(0))], Decimal("-0.01"), "expected at least 0"),
    (datetime, date(2026, 1, 2), "expected datetime, found date"),
    (LocalDatetime, date(2026, 1, 2), "expected LocalDatetime, found date"),
    (
        LocalDatetime,
        datetime(2026, 1, 2, tzinfo=UTC),
        "expected a datetime without an offset, found one with it: use replace(tzinfo=None)",
    ),
    (datetime, datetime(2026, 1, 2, tzinfo=timezone(timedelta(seconds=30))), formless("date-time")),
    (datetime, datetime(2026, 1, 2, tzinfo=Seconds()), formless("date-time")),
    (
        Annotated[datetime, Timezone(timezone(timedelta(hours=1)))],
        HALF_PAST,
        "expected a datetime with the offset 1:00:00",
    ),
    (Annotated[datetime, Lt(HALF_PAST)], HALF_PAST, "expected less than 2026-01-02 03:30:00+00:00"),
    (date, "2026-01-02", "expected date, found str"),
    (Annotated[date, Ge(date(2026, 1, 1))], date(2025, 1, 1), "expected at least 2026-01-01"),
    (time, HALF_PAST, "expected time, found datetime"),
    (Annotated[time, Timezone(...)], time(3, 4), formless("time")),
    (Annotated[time, Timezone(None)], time(3, 4, tzinfo=UTC), formless("partial-time")),
    (Annotated[time, Le(time(3))], time(4), "expected at most 03:00:00"),
    (timedelta, 5, "expected timedelta, found int"),
    (Annotated[timedelta, Gt(timedelta(0))], timedelta(0), "expected more than 0:00:00"),
    (UUID, str(ID), "expected UUID, found str"),
    (Literal[1], True, "expected Literal[1], found bool"),
    (Literal[True], 1, "expected Literal[True], found int"),
    (Literal["a"], Text("b"), "expected Literal['a'], found Text"),
    (Literal[Color.RED], "red", "expected Literal[Color.RED], found str"),
    (Literal[Color.RED, 1], Word.YES, "expected Literal[Color.RED, 1], found Word"),
]


@rows("annotation, value, problem", *MISFITS, ids=[str(at) for at in range(len(MISFITS))])
def test_a_misfit_is_told_by_its_type(annotation: Any, value: object, problem: str) -> None:
    with pytest.raises(Refused) as refused:
        dumped(annotation, value)

    assert (refused.value.problem, refused.value.path) == (problem, [])


@rows(
    "annotation, cls",
    *((cls, cls) for cls in (bool, int, float, str, bytes, Decimal, UUID, Color)),
    *((cls, cls) for cls in (datetime, date, time, timedelta)),
    (None, type(None)),
    (Literal["a", 1, True], str),
)
def test_a_claimed_class_is_none(annotation: Any, cls: type) -> None:
    value = Liar(cls)

    assert isinstance(value, cls)
    assert not is_a(value, cls)
    with pytest.raises(Refused, match=r"^expected .*, found Liar$"):
        dumped(annotation, value)


def test_a_combination_of_members_is_none() -> None:
    with pytest.raises(Refused, match="expected a named member of Bits"):
        scalar(EnumShape(Bits, (("A", 1), ("B", 2))), Bits.A | Bits.B)


def forged(number: object) -> UUID:
    broken = object.__new__(UUID)
    object.__setattr__(broken, "int", number)
    return broken


@pytest.mark.parametrize("number", [-1, 2**128, "1", None])
def test_a_uuid_that_was_forged_with_is_refused_or_raises(number: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        dumped(UUID, forged(number))


def test_names_of_types_are_short_and_printable() -> None:
    class Meta(type):
        __name__ = property(never)

    assert scalars.class_name(Meta("Plain", (), {})) == "Plain"
    assert scalars.class_name(type("a\nb\u2028é" + "x" * 200, (), {})).startswith(
        "a\\nb\\u2028\\xe9xxx"
    )
    assert len(type_name(type("x" * 10_000, (), {})())) == 80


def test_multiples_are_exact() -> None:
    huge, cent = Decimal("1e40"), Decimal("0.01")

    for value, unit in ((0.3, 0.1), (1, 0.1), (1e300, 1e-300), (huge, 1 / huge), (10, 5)):
        assert is_multiple(value, unit)
    near = Decimal("0.015")
    for value, unit in ((1e-300, 1e300), (0.30000000000000004, 0.1), (near, cent), (11, 5)):
        assert not is_multiple(value, unit)


def test_expected_is_in_words() -> None:
    assert (expected(NullShape()), expected(TimedeltaShape())) == ("None", "timedelta")
    assert expected(LiteralShape(("\n", 1, True))) == r"Literal['\n', 1, True]"


def test_the_trap_works() -> None:
    with pytest.raises(AssertionError):
        str(Text("a"))
