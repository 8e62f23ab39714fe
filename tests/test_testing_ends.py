"""Edges: the values at the ends of what a type allows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Annotated, Any

import pytest
from annotated_types import Ge, Gt, Le, Len, Lt, MaxLen, MinLen, MultipleOf, Timezone

from contract import UNSET, Pattern, Unset
from contract.pred.compile import compile_pred
from contract.shape.bounds import I64_MAX, I64_MIN
from contract.shape.reader import shape_of
from contract.shape.text_forms import MAX_DURATION
from contract.testing.strategies import written_as
from contract.testing.valid_values import Pairs
from tests.drawing import drawn
from tests.tables import rows

UTC1 = timezone(timedelta(hours=1))
LEAP_DAY = datetime(2000, 2, 29)
MOMENTS = (datetime.min, LEAP_DAY, datetime.max)
YEARS = (datetime(2025, 1, 1, tzinfo=UTC1), datetime(2026, 1, 1, tzinfo=UTC1))
DAYS = (date(2023, 1, 1), date(2024, 12, 31))


def values_of(annotation: Any) -> list[Any]:
    shape = shape_of(annotation)
    pred = compile_pred(shape)
    pairs = drawn(Pairs(edges=True).of(shape), 200)
    values = [pair.value for pair in pairs]

    assert [pred.load(written_as(pair.document)) for pair in pairs] == values
    return values


@rows(
    "annotation, ends",
    (int, {0, I64_MIN, I64_MAX}),
    (Annotated[int, Ge(3), Le(9)], {3, 9}),
    (Annotated[int, Gt(0), Lt(20), MultipleOf(7)], {7, 14}),
    (Annotated[float, Ge(0), Lt(1)], {0.0, 5e-324}),
    (Annotated[float, Ge(0.5), MultipleOf(0.25), Le(1000)], {0.5, 1000.0}),
    (Annotated[Decimal, Ge(Decimal(0)), Le(Decimal("1.5"))], {Decimal(0), Decimal("1.5"), Decimal("1E-20")}),
    (date, {date.min, date(2000, 2, 29), date.max}),
    (Annotated[date, Ge(DAYS[0]), Le(DAYS[1])], {*DAYS, date(2024, 2, 29)}),
    (timedelta, {-MAX_DURATION, timedelta(0), MAX_DURATION}),
    (Annotated[timedelta, Ge(timedelta(0))], {timedelta(0), MAX_DURATION}),
    (datetime, {each.replace(tzinfo=UTC) for each in MOMENTS}),
    (Annotated[datetime, Timezone(UTC1)], {each.replace(tzinfo=UTC1) for each in MOMENTS}),
    (Annotated[datetime, Ge(YEARS[0]), Le(YEARS[1])], {*YEARS}),
    (Annotated[datetime, Timezone(None)], {*MOMENTS}),
)  # fmt: skip
def test_only_the_ends_are_drawn(annotation: Any, ends: set[Any]) -> None:
    assert set(values_of(annotation)) == ends


@rows(
    "annotation, lengths",
    (Annotated[str, Len(2, 9)], {2, 9}),
    (Annotated[bytes, MaxLen(4)], {0, 4}),
)
def test_texts_are_as_short_or_as_long_as_they_may_be(annotation: Any, lengths: set[int]) -> None:
    assert {len(value) for value in values_of(annotation)} == lengths


@rows(
    "annotation",
    str,
    bool,
    Annotated[float, Gt(0.1), Lt(0.9), MultipleOf(0.25)],
    Annotated[date, Gt(date(2025, 1, 1)), Lt(date(2026, 1, 1))],
    Annotated[str, Pattern("^a+$"), Len(1, 3)],
    Annotated[str, MinLen(2_000)],
    Annotated[str, MaxLen(10**6)],
)
def test_what_has_no_ends_is_drawn_as_ever(annotation: Any) -> None:
    assert len(set(values_of(annotation))) > 1


@pytest.mark.unwatched
@rows(
    "annotation, text",
    (str, "²"),
    (Annotated[str, Len(2, 9)], "ßß"),
    (Annotated[str, Pattern("^[0-9½]+$"), MinLen(3)], "½½½"),
    (str, "\0"),
)
def test_characters_that_code_seldom_thinks_of_are_drawn(annotation: Any, text: str) -> None:
    assert text in values_of(annotation)


@dataclass(frozen=True)
class Record:
    number: Annotated[int, Ge(1), Le(5)] = 2
    text: Annotated[str, Len(1, 3)] | Unset = UNSET


@dataclass(frozen=True)
class Chain:
    next: Chain | None = None


@pytest.mark.unwatched
def test_nothing_is_left_out() -> None:
    found = values_of(Record)

    assert {record.number for record in found} == {1, 5}
    assert UNSET not in {record.text for record in found}
    assert Chain() in values_of(Chain)
