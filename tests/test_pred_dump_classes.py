"""Which Python classes belong to a shape."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, TypedDict
from uuid import UUID

import pytest
from annotated_types import Predicate

from contract.pred.dump.classes import python_types
from contract.shape import shape_of
from contract.shape.nodes import AnyShape


class Color(Enum):
    RED = "red"


class Pair(NamedTuple):
    one: int


class Keys(TypedDict):
    one: int


@dataclass
class A:
    kind: Literal["a"]


@dataclass
class B:
    kind: Literal["b"]


@pytest.mark.parametrize(
    ("annotation", "classes"),
    [
        (None, [NoneType]),
        (bool, [bool]),
        (int, [int]),
        (float, [float, int]),
        (str, [str]),
        (bytes, [bytes]),
        (Decimal, [Decimal]),
        (datetime, [datetime]),
        (date, [date]),
        (time, [time]),
        (timedelta, [timedelta]),
        (UUID, [UUID]),
        (Literal["a", 1, "b", True], [str, int, bool]),
        (Color, [Color]),
        (list[int], [list]),
        (set[int], [set, frozenset]),
        (tuple[int, str], [tuple]),
        (dict[str, int], [dict]),
        (Pair, [Pair]),
        (Keys, [dict]),
        (A, [A]),
        (A | B, [A, B]),
        (A | None, [NoneType, A]),
        (int | str, [int, str]),
        (Annotated[int, Predicate(bool)], [int]),
    ],
)
def test_every_shape_has_its_classes(annotation: Any, classes: list[type]) -> None:
    assert list(python_types(shape_of(annotation))) == classes


def test_any_has_those_of_json() -> None:
    assert python_types(AnyShape()) == (NoneType, bool, int, float, str, list, dict)
