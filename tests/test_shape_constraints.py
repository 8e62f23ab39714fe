"""Constraints: what narrows a shape, what fits no shape, and what nothing could fulfil."""

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

import annotated_types as at
import pytest
from annotated_types import Ge, Gt, Le, Len, Lt, MaxLen, MinLen, MultipleOf, Predicate, Timezone
from typing_extensions import TypeAliasType

from contract.pred.compile import pred_of
from contract.shape.bounds import I64_MAX, I64_MIN, Bounds
from contract.shape.constraints import constrain
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.markers import LocalDatetime, Pattern
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    FloatShape,
    IntShape,
    LocalDatetimeShape,
    MapShape,
    NullableShape,
    Refined,
    Shape,
    StrShape,
    TimedeltaShape,
    TimeShape,
    UnionShape,
    UuidShape,
)
from contract.shape.reader import shape_of
from contract.shape.text_forms import MAX_DURATION
from tests.tables import rows

NO_LIMIT = "cannot limit this type; write an int of at most 64 bits"
FINITE = "a finite Decimal of at most 40 digits"
DAY = date(2026, 1, 1)
Lower = Annotated[str, Predicate(str.islower)]
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
LOCAL = datetime(2026, 1, 1, 12)
HOUR = timedelta(hours=1)
EIGHT = time(8, tzinfo=UTC)
MOMENT = timedelta.resolution
NEXT_DAY = date(2026, 1, 2)
AFTER_EIGHT = EIGHT.replace(microsecond=1)
HALF_MINUTE = timezone(timedelta(seconds=30))
DATED = datetime(2026, 1, 1, tzinfo=HALF_MINUTE)
A_LENGTH = r"for a length write Len\(1, 40\)"
A_SIZE = r"for the size of a number write Ge\(1\), Le\(40\)"
ELSEWHERE = "put it on the type that it limits, or write a Predicate"
TOGETHER = "only integers take several MultipleOf"
NO_BOUND = "takes no Ge, Gt, Le, Lt"
Afternoon = TypeAliasType("Afternoon", Annotated[datetime, Ge(NOON)])
CENT = Decimal("0.01")


@dataclass(frozen=True)
class Positive(at.GroupedMetadata):
    at_most: int

    def __iter__(self) -> Iterator[object]:
        yield Gt(0)
        yield at.Interval(le=self.at_most)


@dataclass(frozen=True)
class Prime(at.BaseMetadata): ...


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError


UNPRINTABLE: Any = Unprintable()


SOME = UnionShape((StrShape(1), ArrayShape(IntShape(), min_items=1)))
CENTS = Bounds(ge=Decimal(0), lt=CENT, multiple_of=CENT)
STEPS = Bounds(ge=1.0, multiple_of=0.5)


@rows(
    "annotation, shape",
    (Annotated[int, Ge(1)], IntShape(1)),
    (Annotated[int, Gt(1)], IntShape(2)),
    (Annotated[int, Gt(1.5)], IntShape(2)),
    (Annotated[int, Ge(1.5)], IntShape(2)),
    (Annotated[int, Ge(Decimal("1.5"))], IntShape(2)),
    (Annotated[int, Lt(5)], IntShape(maximum=4)),
    (Annotated[int, Lt(4.5)], IntShape(maximum=4)),
    (Annotated[int, Le(4.5)], IntShape(maximum=4)),
    (Annotated[int, at.Interval(gt=0, le=9)], IntShape(1, 9)),
    (Annotated[int, Positive(5)], IntShape(1, 5)),
    (Annotated[int, Ge(1), Ge(3), Le(9), Le(7)], IntShape(3, 7)),
    (Annotated[Annotated[int, Ge(1)], Le(3)], IntShape(1, 3)),
    (Annotated[int, Le(2**64 - 1)], IntShape(I64_MIN, 2**64 - 1)),
    (Annotated[int, Lt(2**64)], IntShape(I64_MIN, 2**64 - 1)),
    (Annotated[int, Ge(0)], IntShape(0, I64_MAX)),
    (Annotated[int, MultipleOf(4), MultipleOf(6)], IntShape(multiple_of=12)),
    (Annotated[int, Ge(5), Le(6), MultipleOf(3)], IntShape(5, 6, 3)),
    (Annotated[int, at.Unit("m"), "text", 3, None], IntShape()),
    (Annotated[float, Ge(0), Lt(1.5)], FloatShape(Bounds(ge=0.0, lt=1.5))),
    (Annotated[float, Gt(0), Gt(1), Le(9), Le(8)], FloatShape(Bounds(gt=1.0, le=8.0))),
    (Annotated[float, MultipleOf(0.5), MultipleOf(0.5)], FloatShape(Bounds(multiple_of=0.5))),
    (Annotated[Decimal, Ge(0), Lt(CENT), MultipleOf(CENT)], DecimalShape(CENTS)),
    (Annotated[date, Ge(DAY)], DateShape(Bounds(ge=DAY))),
    (Annotated[datetime, Gt(NOON)], DatetimeShape(Bounds(gt=NOON))),
    (Annotated[datetime, Timezone(...)], DatetimeShape()),
    (Annotated[datetime, Timezone("UTC"), Timezone(...)], DatetimeShape(offset=timedelta(0))),
    (LocalDatetime, LocalDatetimeShape()),
    (Annotated[LocalDatetime, Gt(LOCAL)], LocalDatetimeShape(Bounds(gt=LOCAL))),
    (Annotated[datetime, Timezone(UTC)], DatetimeShape(offset=timedelta(0))),
    (Annotated[datetime, Timezone(timezone(HOUR))], DatetimeShape(offset=HOUR)),
    (Annotated[datetime, Timezone(ZoneInfo("UTC"))], DatetimeShape(offset=timedelta(0))),
    (Annotated[time, Timezone(None)], TimeShape(aware=False)),
    (Annotated[time, Timezone(...)], TimeShape(aware=True)),
    (Annotated[time, Ge(time(8))], TimeShape(Bounds(ge=time(8)), aware=False)),
    (Annotated[time, Lt(EIGHT)], TimeShape(Bounds(lt=EIGHT), aware=True)),
    (Annotated[timedelta, Le(HOUR)], TimedeltaShape(Bounds(le=HOUR))),
    (Annotated[str, Len(1, 40)], StrShape(1, 40)),
    (Annotated[str, MinLen(0)], StrShape()),
    (Annotated[str, MinLen(2), MinLen(3), MaxLen(9), MaxLen(5)], StrShape(3, 5)),
    (Annotated[str, MaxLen(0), MaxLen(5)], StrShape(max_length=0)),
    (Annotated[str, Pattern("a"), Pattern("b"), Pattern("a")], StrShape(patterns=("a", "b"))),
    (Annotated[bytes, MaxLen(4)], BytesShape(max_length=4)),
    (Annotated[list[int], Len(1, 1)], ArrayShape(IntShape(), min_items=1, max_items=1)),
    (Annotated[set[int], MinLen(1)], ArrayShape(IntShape(), "set", 1)),
    (Annotated[dict[str, int], Len(1, 2)], MapShape(StrShape(), IntShape(), 1, 2)),
    (Annotated[int | None, Ge(0)], NullableShape(IntShape(0))),
    (Annotated[int | float, Ge(0)], UnionShape((IntShape(0), FloatShape(Bounds(ge=0.0))))),
    (Annotated[str | list[int] | None, MinLen(1)], NullableShape(SOME)),
    (Annotated[float, Predicate(math.isfinite)], FloatShape()),
    (at.IsNotNan[float], FloatShape()),
    (at.IsFinite[int], IntShape()),
    (Lower, Refined(StrShape(), (str.islower,))),
    (Annotated[Lower | None, MinLen(1)], NullableShape(Refined(StrShape(1), (str.islower,)))),
    (Annotated[Lower, Predicate(str.isascii)], Refined(StrShape(), (str.islower, str.isascii))),
    (Annotated[bool, Predicate(bool)], Refined(BoolShape(), (bool,))),
    (Annotated[int | str, Predicate(bool)], Refined(shape_of(int | str), (bool,))),
    (Annotated[int | None, Predicate(bool)], NullableShape(Refined(IntShape(), (bool,)))),
    (Annotated[UUID, Predicate(bool)], Refined(UuidShape(), (bool,))),
)
def test_a_constraint_narrows_the_shape(annotation: object, shape: Shape) -> None:
    assert shape_of(annotation) == shape


@rows(
    "shape, metadata, narrowed",
    (IntShape(3, 5, 2), Ge(1), IntShape(3, 5, 2)),
    (IntShape(3, 9, 2), MultipleOf(3), IntShape(3, 9, 6)),
    (FloatShape(STEPS), Le(3), FloatShape(replace(STEPS, le=3.0))),
    (StrShape(2, 5), Len(1, 9), StrShape(2, 5)),
    (StrShape(patterns=("a",)), Pattern("b"), StrShape(patterns=("a", "b"))),
    (DatetimeShape(offset=HOUR), Ge(NOON), DatetimeShape(Bounds(ge=NOON), HOUR)),
    (TimeShape(aware=True), Timezone(...), TimeShape(aware=True)),
    (LocalDatetimeShape(), Timezone(None), LocalDatetimeShape()),
    (LocalDatetimeShape(), Ge(LOCAL), LocalDatetimeShape(Bounds(ge=LOCAL))),
    (shape_of(Lower), Predicate(str.isascii), Refined(StrShape(), (str.islower, str.isascii))),
)
def test_a_shape_can_be_narrowed_again(shape: Shape, metadata: object, narrowed: Shape) -> None:
    assert constrain(shape, [metadata], "x") == narrowed


class Named(tzinfo):
    def utcoffset(self, when: datetime | None, /) -> timedelta | None:
        return None

    dst = utcoffset

    def tzname(self, when: datetime | None, /) -> str | None: ...


@rows(
    "annotation, problem",
    (Annotated[int, MinLen(1)], rf"int takes no MinLen, MaxLen, Len; {A_SIZE}"),
    (Annotated[int, Pattern("a")], "int takes no Pattern"),
    (Annotated[int, Timezone(...)], "int takes no Timezone"),
    (Annotated[str, Ge(1)], rf"str {NO_BOUND}; for the length of a text write Len\(1, 40\)"),
    (Annotated[str, MultipleOf(2)], "str takes no MultipleOf"),
    (Annotated[bool, Ge(0)], f"bool {NO_BOUND}; {ELSEWHERE}"),
    (Annotated[Any, MinLen(1)], "Any takes no MinLen"),
    (Annotated[UUID, Pattern("a")], "UUID takes no Pattern"),
    (Annotated[Literal["a"], MinLen(1)], "Literal_a takes no MinLen"),
    (Annotated[timedelta, MultipleOf(2)], "timedelta takes no MultipleOf"),
    (Annotated[tuple[int, int], MinLen(1)], "its length is fixed"),
    (Annotated[str | int, MinLen(1)], "int takes no MinLen"),
    (Annotated[list[int] | None, Ge(1)], rf"list_int {NO_BOUND}; {A_LENGTH}"),
    (Annotated[int, Ge(5), Le(3)], "no value has at least 5 and at most 3"),
    (Annotated[int, Gt(5), Lt(6)], "no value has at least 6 and at most 5"),
    (Annotated[int, Ge(2**63)], "no value has"),
    (Annotated[int, Ge(7), Le(8), MultipleOf(5)], "no value has a multiple of 5 between 7 and 8"),
    (Annotated[float, Gt(sys.float_info.max)], "no value has more than 1.79"),
    (Annotated[float, Lt(-sys.float_info.max)], "no value has less than -1.79"),
    (Annotated[date, Gt(date.max)], "no value has more than 9999-12-31"),
    (Annotated[LocalDatetime, Lt(datetime.min)], "no value has less than 0001-01-01 00:00:00"),
    (Annotated[time, Gt(time.max)], "no value has more than 23:59:59.999999"),
    (Annotated[timedelta, Gt(MAX_DURATION)], "no value has more than 899999999 days"),
    (Annotated[float, Ge(5), Le(3)], "no value has at least 5.0 and at most 3.0"),
    (Annotated[float, Gt(3), Le(3)], "no value has more than 3.0 and at most 3.0"),
    (Annotated[float, Ge(3), Lt(3)], "no value has at least 3.0 and less than 3.0"),
    (Annotated[float, Gt(1), Lt(math.nextafter(1, 2))], r"more than 1\.0 and less than 1\.0{15}2"),
    (Annotated[date, Gt(DAY), Lt(NEXT_DAY)], "more than 2026-01-01 and less than 2026-01-02"),
    (Annotated[datetime, Gt(NOON), Lt(NOON + MOMENT)], "more than .* and less than .*:00.000001"),
    (Annotated[LocalDatetime, Gt(LOCAL), Lt(LOCAL + MOMENT)], "more than .* and less than"),
    (Annotated[time, Gt(EIGHT), Lt(AFTER_EIGHT)], r"more than 08:00:00\+00:00 and less than"),
    (Annotated[timedelta, Gt(HOUR), Lt(HOUR + MOMENT)], "more than 1:00:00 and less than"),
    (Annotated[Decimal, Ge(6), Le(9), MultipleOf(5)], "a multiple of 5 between 6 and 9"),
    (Annotated[Decimal, Gt(5), Lt(10), MultipleOf(5)], "a multiple of 5 between 5 and 10"),
    (Annotated[float, Gt(0.3), Lt(0.4), MultipleOf(0.1)], r"a multiple of 0\.1 between 0\.3 and"),
    (Annotated[Decimal, Gt(5), Le(9), MultipleOf(5)], "a multiple of 5 between 5 and 9"),
    (Annotated[Decimal, Ge(6), Lt(10), MultipleOf(5)], "a multiple of 5 between 6 and 10"),
    (Annotated[str, Len(5, 3)], "a length of at least 5 and of at most 3"),
    (Annotated[int, Le(2**64)], "at most 2\\*\\*64 - 1"),
    (Annotated[int, Ge(-(2**63) - 1)], "at least -2\\*\\*63"),
    (Annotated[int, Ge(math.inf)], "inf cannot limit this type; write an int"),
    (Annotated[int, Ge(Decimal("NaN"))], "write an int"),
    (Annotated[int, Ge("1")], "write an int"),
    (Annotated[int, MultipleOf(0.5)], "MultipleOf\\(...\\) of a positive int"),
    (Annotated[int, MultipleOf(0)], "positive int"),
    (Annotated[float, Ge(math.nan)], "write a finite float"),
    (Annotated[float, Le(2**53 + 1)], "write a finite float"),
    (Annotated[float, Le(2**2000)], "write a finite float"),
    (Annotated[float, Le(Decimal(1))], "write a finite float"),
    (Annotated[float, MultipleOf(-1.0)], "positive number"),
    (Annotated[float, MultipleOf(1.0), MultipleOf(1.5)], TOGETHER),
    (Annotated[Decimal, Ge(0.1)], 'or an int: Decimal\\("0.01"\\)'),
    (Annotated[Decimal, MultipleOf("0.01")], 'or an int: Decimal\\("0.01"\\)'),
    (Annotated[Decimal, Ge(Decimal("Infinity"))], "finite Decimal"),
    (Annotated[datetime, Ge(datetime(2026, 1, 1))], "a datetime with an offset"),
    (Annotated[datetime, Ge(DAY)], "a datetime with an offset"),
    (Annotated[date, Ge(NOON)], "write a date"),
    (Annotated[date, Ge("2026-01-01")], "write a date"),
    (Annotated[timedelta, Ge(1)], "write a timedelta"),
    (Annotated[time, Ge(1)], "write a time"),
    (Annotated[time, Ge(time(8)), Le(time(9, tzinfo=UTC))], "an offset and none"),
    (Annotated[time, Ge(time(8)), Timezone(...)], "an offset and none"),
    (Annotated[time, Timezone("UTC")], "a time cannot have a certain zone"),
    (Annotated[LocalDatetime, Timezone(...)], "an offset and none"),
    (Annotated[datetime, Timezone("UTC"), Timezone(None)], "an offset and none"),
    (Annotated[Afternoon, Timezone(None)], "an offset and none"),
    (Annotated[LocalDatetime, Ge(NOON)], "write a datetime without a zone"),
    (Annotated[datetime, Timezone("Europe/Paris")], "not a fixed offset"),
    (Annotated[datetime, Timezone(ZoneInfo("Europe/Paris"))], "not a fixed offset"),
    (Annotated[datetime, Timezone(Named())], "not a fixed offset"),
    (Annotated[datetime, Timezone(timezone(timedelta(seconds=1)))], "of whole minutes"),
    (Annotated[datetime, Timezone("UTC"), Timezone(timezone(HOUR))], "two offsets"),
    (Annotated[str, MinLen(-1)], "is not a length"),
    (Annotated[str, MaxLen(2**64)], f"{2**64} is not a length; write an int from 0 to 2"),
    (Annotated[str, Len(10**5000)], "a value of int that cannot be printed is not a length"),
    (Annotated[int, Ge(10**5000)], f"a value of int that cannot be printed {NO_LIMIT}"),
    (Annotated[int, Ge(Decimal("1E+99999"))], NO_LIMIT),
    (Annotated[int, Le(Decimal("-1E+999999999"))], NO_LIMIT),
    (Annotated[int, MultipleOf(10**30)], "a positive int of at most 63 bits"),
    (Annotated[int, MultipleOf(2**62), MultipleOf(3)], "has more than 63 bits; write one of them"),
    (Annotated[Decimal, Le(10**60)], FINITE),
    (Annotated[Decimal, Le(Decimal("1E+140"))], FINITE),
    (Annotated[Decimal, Ge(Decimal("1E-140"))], FINITE),
    (Annotated[Decimal, Ge(Decimal("sNaN"))], FINITE),
    (Annotated[Decimal, MultipleOf(Decimal("1E-999999"))], FINITE),
    (Annotated[datetime, Ge(DATED)], "an offset of whole minutes"),
    (Annotated[time, Ge(time(8, tzinfo=HALF_MINUTE))], "is of whole minutes"),
    (Annotated[int, Predicate(None)], "Predicate\\(None\\) cannot be called; write a function"),  # type: ignore[arg-type]
    (Annotated[int, Ge(UNPRINTABLE)], "a value of Unprintable that cannot be printed cannot limit"),
    (Annotated[str, MaxLen(1.5)], "is not a length"),  # type: ignore[arg-type]
    (Annotated[str, Pattern("(?=a)")], "Pattern\\('\\(\\?=a\\)'\\): it looks around"),
    (Annotated[str, Pattern(b"a")], "holds no text"),  # type: ignore[arg-type]
    (Annotated[int, Prime()], r"Prime\(\) is a constraint that is not known here; write Predicate"),
    (Annotated[int, Ge], "Ge is the class of a constraint; write Ge\\(...\\)"),
    (Annotated[str, Len], "Len is the class of a constraint"),
    (Annotated[str, Pattern], "Pattern is the class of a constraint"),
    (at.IsNan[float], "no form on the wire; leave this predicate out"),
    (at.IsInfinite[float], "leave this predicate out"),
    (at.IsNotFinite[float], "leave this predicate out"),
)
def test_a_constraint_that_keeps_no_promise_is_refused(annotation: object, problem: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=problem) as refused:
        shape_of(annotation, where="f.input.age")

    assert refused.value.where == "f.input.age"


@rows(
    "annotation",
    Annotated[Decimal, Ge(-(10**40) + 1), Le(Decimal("1E+40")), MultipleOf(Decimal("1E-40"))],
    Annotated[int, Ge(-(2**63)), Le(2**64 - 1), MultipleOf(2**63 - 1)],
    Annotated[str, MaxLen(2**63 - 1)],
)
def test_the_widest_limits_compile(annotation: Any) -> None:
    pred_of(annotation).compile()


@rows(
    "annotation, value",
    (Annotated[float, Gt(1), Le(math.nextafter(1, 2))], math.nextafter(1, 2)),
    (Annotated[float, Ge(1), Lt(math.nextafter(1, 2))], 1.0),
    (Annotated[date, Gt(DAY), Lt(NEXT_DAY + timedelta(1))], NEXT_DAY),
    (Annotated[datetime, Ge(NOON), Gt(NOON - HOUR), Lt(NOON + MOMENT)], NOON),
    (Annotated[time, Gt(EIGHT), Le(AFTER_EIGHT), Lt(time(9, tzinfo=UTC))], AFTER_EIGHT),
    (Annotated[timedelta, Gt(HOUR), Lt(HOUR + 2 * MOMENT)], HOUR + MOMENT),
    (Annotated[Decimal, Gt(0), Lt(Decimal("1E-40"))], None),
    (Annotated[Decimal, Ge(5), Lt(10), MultipleOf(5)], Decimal(5)),
    (Annotated[float, Ge(0.3), Lt(0.4), MultipleOf(0.1)], 0.3),
    (Annotated[Decimal, Gt(5), Le(10), MultipleOf(5)], Decimal(10)),
    (Annotated[Decimal, Gt(-5), Lt(5), MultipleOf(5)], Decimal(0)),
)
def test_limits_may_leave_a_single_value(annotation: Any, value: object) -> None:
    pred = pred_of(annotation)

    assert value is None or pred.load(pred.dump(value)) == value


def test_a_bool_is_no_limit() -> None:
    with pytest.raises(UnsupportedAnnotation, match="True cannot limit this type"):
        constrain(IntShape(), [Ge(True)], "x")  # as Annotated it would be the cached one of Ge(1)


def test_no_constraint_changes_nothing() -> None:
    shape = AnyShape()

    assert constrain(shape, ["note", at.Unit("m")], "x") is shape
