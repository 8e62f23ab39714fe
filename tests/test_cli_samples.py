"""Samples and titles of every kind of shape."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

import pytest
from annotated_types import Ge, Le, Len, MaxLen, MinLen, MultipleOf, Predicate, Timezone

from contract import Example, Name
from contract.cli.routes import title
from contract.pred.compile import compile_pred
from contract.shape import shape_of
from contract.testing.samples import sample


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
    (Annotated[str, MinLen(6)], "textte", "str"),
    (Annotated[str, MaxLen(2)], "te", "str"),
    (Annotated[str, Len(2, 40)], "text", "str"),
    (bytes, "aGVsbG8=", "bytes"),
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
    (
        Tree,
        {
            "name": "text",
            "children": [],
            "parent": None,
            "others": {},
            "maybes": [None],
            "picked": [],
        },
        "Tree",
    ),
    (Pair, {"kind": "pair", "left": {"kind": "leaf"}}, "Pair"),
    (Wide, {"@id": 1, "price": "9.90"}, "Wide"),
    (Loop, {"next": 1}, "Loop"),
    (
        Twig,
        {
            "kind": "twig",
            "up": {"kind": "knot", "above": None},
            "down": [{"kind": "knot", "above": None}],
        },
        "Twig",
    ),
]


@pytest.mark.parametrize(("annotation", "value", "text"), EVERY, ids=lambda given: str(given)[:40])
def test_each_shape_has_a_sample_that_is_valid_and_a_title(
    annotation: object, value: object, text: str
) -> None:
    shape = shape_of(annotation)

    assert json.loads(sample(shape)) == value
    assert title(shape) == text
    compile_pred(shape).load(sample(shape).encode())


@pytest.mark.parametrize("annotation", [Colour, Point, Card])
def test_a_definition_and_what_it_stands_for_have_one_title(annotation: type) -> None:
    shape = shape_of(annotation)

    assert title(shape.definition.shape) == title(shape)  # type: ignore[union-attr]
