"""Samples and titles of every kind of shape; values without parts keep within all limits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from random import Random
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

import pytest
from annotated_types import Ge, Le, Len, MaxLen, MinLen, MultipleOf, Predicate, Timezone

from contract import Example, Name, Pattern
from contract.cli.routes import title
from contract.pred.compile import compile_pred
from contract.shape import nodes
from contract.shape.bounds import Bounds
from contract.shape.exceptions import GenerationError
from contract.shape.reader import shape_of
from contract.testing import samples
from contract.testing.samples import drawn, sample
from tests.tables import rows


class Colour(Enum):
    RED = "red"


class Point(NamedTuple):
    x: int
    y: int = 0


@dataclass
class Card:
    number: Annotated[str, Example("4111")]
    kind: Literal["card"] = "card"


@dataclass
class Cash:
    kind: Literal["cash"] = "cash"


@dataclass
class Tree:
    name: str
    children: list[Tree]
    parent: Tree | None
    others: dict[str, Tree]
    maybes: list[Tree | None]
    picked: list[Annotated[Tree, Predicate(bool)]]
    note: str = ""


@dataclass
class Pair:
    kind: Literal["pair"]
    left: Pair | Leaf


@dataclass
class Leaf:
    kind: Literal["leaf"]


@dataclass
class Wide:
    id: Annotated[int, Name("@id")]
    price: Annotated[Decimal, Example(Decimal("9.90"))] = Decimal(1)
    made: datetime = field(init=False, default_factory=datetime.now)


@dataclass
class Loop:
    next: Loop | int


@dataclass
class Twig:
    kind: Literal["twig"]
    up: Twig | Knot | None
    down: Annotated[list[Twig | Knot], MinLen(0)]


@dataclass
class Knot:
    kind: Literal["knot"]
    above: Twig | Knot | None


EMPTY: dict[str, object] = {"children": [], "others": {}, "picked": []}
KNOT = {"kind": "knot", "above": None}
EVERY: list[tuple[Any, object, str]] = [
    (None, None, "null"),
    (Any, {}, "any"),
    (bool, True, "bool"),
    (int, 1, "int"),
    (Annotated[int, Ge(5)], 5, "int"),
    (Annotated[int, Le(-5)], -5, "int"),
    (Annotated[int, Ge(5), MultipleOf(4)], 8, "int"),
    (float, 1.0, "float"),
    (Annotated[float, Ge(2)], 2.0, "float"),
    (Annotated[float, Le(-2)], -2.0, "float"),
    (str, "text", "str"),
    (Annotated[str, MinLen(6)], "grove meadow", "str"),
    (Annotated[str, MaxLen(2)], "gr", "str"),
    (Annotated[str, Len(2, 40)], "text", "str"),
    (Annotated[str, Pattern("^[A-Z]{2}-[0-9]$")], "ZJ-8", "str"),
    (Annotated[str, Pattern("^t.x"), Pattern("xt$")], "text", "str"),
    (bytes, "aGVsbG8=", "bytes"),
    (Annotated[date, Ge(date(2027, 1, 1))], "2027-01-01", "date"),
    (Decimal, "1.00", "Decimal"),
    (Annotated[Decimal, Ge(Decimal("2.5"))], "2.5", "Decimal"),
    (datetime, "2026-01-31T12:00:00Z", "datetime"),
    (date, "2026-01-31", "date"),
    (time, "12:00:00", "time"),
    (Annotated[time, Timezone(...)], "12:00:00Z", "time"),
    (timedelta, "PT1H", "timedelta"),
    (UUID, "00000000-0000-4000-8000-000000000000", "UUID"),
    (Literal["a", 2], "a", '"a" | 2'),
    (Colour, "red", "Colour"),
    (list[int], [1], "list[int]"),
    (Annotated[list[int], MinLen(2)], [1, 1], "list[int]"),
    (tuple[int, str], [1, "text"], "tuple[int, str]"),
    (dict[str, bool], {"text": True}, "dict[str, bool]"),
    (int | None, 1, "int | null"),
    (int | str, 1, "int | str"),
    (Card | Cash, {"number": "4111", "kind": "card"}, "Card | Cash"),
    (Annotated[int, Predicate(bool)], 1, "int"),
    (Point, [1], "Point"),
    (Tree, {"name": "text", "parent": None, "maybes": [None], **EMPTY}, "Tree"),
    (Pair, {"kind": "pair", "left": {"kind": "leaf"}}, "Pair"),
    (Wide, {"@id": 1, "price": "9.90"}, "Wide"),
    (Loop, {"next": 1}, "Loop"),
    (Twig, {"kind": "twig", "up": KNOT, "down": [KNOT]}, "Twig"),
]


@rows("annotation, value, text", *EVERY, ids=lambda given: str(given)[:40])
def test_each_shape_has_a_sample_that_is_valid_and_a_title(
    annotation: object, value: object, text: str
) -> None:
    shape = shape_of(annotation)

    assert json.loads(sample(shape)) == value
    assert title(shape) == text
    compile_pred(shape).load(sample(shape).encode())


@rows("annotation", Colour, Point, Card)
def test_a_definition_and_what_it_stands_for_have_one_title(annotation: type) -> None:
    shape = shape_of(annotation)

    assert title(shape.definition.shape) == title(shape)  # type: ignore[union-attr]


# Values without parts keep within all limits, and are small where they may be.


def is_valid(shape: nodes.Shape, values: Iterable[object]) -> bool:
    pred = compile_pred(shape)
    return all(pred.dump(pred.load(json.dumps(value).encode())) for value in values)


@rows(
    "shape, low, high",
    (nodes.IntShape(), 1, 1000),
    (nodes.IntShape(0), 1, 1000),
    (nodes.IntShape(5), 5, 1004),
    (nodes.IntShape(maximum=3), 1, 3),
    (nodes.IntShape(-10, -5), -10, -5),
    (nodes.IntShape(maximum=-5), -1005, -5),
    (nodes.IntShape(0, 0), 0, 0),
    (nodes.IntShape(multiple_of=7), 7, 7000),
    (nodes.IntShape(50, multiple_of=7), 56, 7049),
    (nodes.IntShape(maximum=3, multiple_of=7), -6997, 0),
    (nodes.IntShape(2**63, 2**64 - 1), 2**63, 2**63 + 999),
    (nodes.IntShape(2**63 - 1), 2**63 - 1, 2**63 - 1),
    (nodes.IntShape(maximum=5 - 2**63), -(2**63), 5 - 2**63),
    (nodes.IntShape(1, multiple_of=2**62), 2**62, 2**62),
    (nodes.IntShape(maximum=9, multiple_of=2**62), -(2**63), 0),
)
def test_integers(shape: nodes.IntShape, low: int, high: int) -> None:
    found = {drawn(Random(seed), shape, "x") for seed in range(300)}

    assert low <= min(found) <= max(found) <= high
    assert is_valid(shape, found)


NEITHER = nodes.StrShape(patterns=("^a$", "^b$"))


@rows(
    "shape, problem",
    (nodes.IntShape(3, 2), "no integer keeps within these limits"),
    (nodes.IntShape(1, 6, 7), "no integer keeps within these limits"),
    (nodes.DecimalShape(Bounds(ge=Decimal(2), le=Decimal(1))), "no decimal keeps within these"),
    (NEITHER, "no text was found that matches '^a$ and ^b$'; give the field an example"),
)
def test_where_there_is_no_value_it_is_told(shape: Any, problem: str) -> None:
    with pytest.raises(GenerationError, match=f"^x: {re.escape(problem)}"):
        drawn(Random(1), shape, "x")


def test_no_value_of_a_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "_TRIES", 0)

    with pytest.raises(GenerationError, match=r"^x: no UUID was found; give the field an example"):
        drawn(Random(1), nodes.UuidShape(), "x")


def test_a_text_that_nothing_matches_is_as_usual_in_a_sample() -> None:
    assert drawn(Random(1), nodes.StrShape(patterns=("^a$",)), "x") == "a"
    assert sample(NEITHER) == '"text"'


@rows(
    "bounds",
    Bounds(), Bounds(ge=0, lt=1), Bounds(gt=-0.5, le=0.5), Bounds(le=-7), Bounds(ge=1e300),
    Bounds(ge=5.0, le=5.0), Bounds(gt=0.001, lt=0.002), Bounds(multiple_of=0.1, ge=0.0),
    Bounds(multiple_of=0.5, gt=1, lt=2), Bounds(multiple_of=5, le=100),
    Bounds(gt=1e300), Bounds(lt=-1e300), Bounds(ge=0.3, multiple_of=1e22),
)  # fmt: skip
def test_numbers(bounds: Bounds) -> None:
    shape = nodes.FloatShape(bounds)

    assert is_valid(shape, [drawn(Random(seed), shape, "x") for seed in range(50)])


def decimals(**limits: str) -> nodes.DecimalShape:
    return nodes.DecimalShape(Bounds(**{name: Decimal(limit) for name, limit in limits.items()}))


NOON = datetime(2024, 1, 1, tzinfo=UTC)
EAST = timezone(timedelta(hours=2))


@rows(
    "shape",
    nodes.UuidShape(),
    nodes.BytesShape(),
    nodes.BytesShape(max_length=3),
    nodes.BytesShape(9, 9),
    nodes.LocalDatetimeShape(),
    nodes.DecimalShape(),
    decimals(ge="0.01", lt="100"),
    decimals(gt="0", lt="0.00001"),
    decimals(ge="0", multiple_of="0.05"),
    decimals(ge="1E+39", le="2E+39"),
    decimals(le="-5.5"),
    nodes.DatetimeShape(),
    nodes.DatetimeShape(offset=timedelta(0)),
    nodes.DatetimeShape(offset=timedelta(hours=5, minutes=30)),
    nodes.DatetimeShape(offset=timedelta(hours=-3)),
    nodes.DatetimeShape(Bounds(gt=NOON, lt=NOON + timedelta(microseconds=2))),
    nodes.DatetimeShape(Bounds(le=datetime(1969, 1, 1, tzinfo=EAST))),
    nodes.DatetimeShape(Bounds(ge=datetime(2031, 1, 1, tzinfo=UTC))),
    nodes.DatetimeShape(Bounds(ge=datetime(9999, 12, 31, 23, 30, tzinfo=UTC))),
    nodes.DatetimeShape(Bounds(ge=datetime(9999, 12, 31, 20, tzinfo=UTC)), timedelta(hours=2)),
    nodes.LocalDatetimeShape(Bounds(ge=datetime.max)),
    nodes.DateShape(),
    nodes.DateShape(Bounds(gt=date(2024, 1, 1), lt=date(2024, 1, 3))),
    nodes.DateShape(Bounds(ge=date(9999, 12, 30))),
    nodes.DateShape(Bounds(le=date.min)),
    nodes.DateShape(Bounds(ge=date(2020, 1, 1), le=date(2020, 2, 1))),
    nodes.TimeShape(aware=True),
    nodes.TimeShape(aware=False),
    nodes.TimeShape(Bounds(ge=time(9, tzinfo=UTC), lt=time(17, tzinfo=EAST)), aware=True),
    nodes.TimeShape(Bounds(gt=time(23, 59, 58), le=time(23, 59, 59)), aware=False),
    nodes.TimeShape(Bounds(ge=time(22)), aware=False),
    nodes.TimedeltaShape(Bounds(ge=timedelta(days=899_999_999))),
    nodes.TimedeltaShape(),
    nodes.TimedeltaShape(Bounds(gt=timedelta(0), le=timedelta(seconds=1))),
    nodes.TimedeltaShape(Bounds(le=timedelta(days=-3))),
)
def test_values_that_stand_as_texts(shape: Any) -> None:
    assert is_valid(shape, {drawn(Random(seed), shape, "x") for seed in range(40)})
