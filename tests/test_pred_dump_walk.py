"""Defaults and examples are values of the types that they stand beside."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import pytest
from annotated_types import Ge

from contract.pred.dump.walk import check_values
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.graph import definitions
from contract.shape.markers import Example
from contract.shape.nodes import Definition
from contract.shape.reader import shape_of
from tests.samples import Color
from tests.tables import rows

DEFAULT = "the default is not one of its type"


@dataclass
class Good:
    quantity: Annotated[int, Ge(1), Example(3)] = 1
    tags: list[str] = field(default_factory=list)
    again: Good | None = None
    color: Color = Color.RED
    made: int = field(default_factory=lambda: 0)


@dataclass
class BadDefault:
    quantity: Annotated[int, Ge(1)] = 0


@dataclass
class BadExample:
    sizes: Annotated[list[int], Example([1, "2"])]


@dataclass
class BadNull:
    note: str = None  # type: ignore[assignment]
    notes: list[str] = None  # type: ignore[assignment]


@dataclass
class BadNulls:
    notes: list[str] = None  # type: ignore[assignment]


class Nested(NamedTuple):
    inner: dict[str, BadDefault]


@dataclass
class Keyed:
    sizes: Annotated[dict[str, Good], Example({"a": Good(), "b": Good(quantity=0)})]


def check(annotation: Any) -> set[Definition]:
    seen: set[Definition] = set()
    check_values(definitions(shape_of(annotation)), seen, "here", " (there)")
    return seen


def test_values_of_the_type_are_taken_and_each_definition_is_seen_once() -> None:
    assert sorted(definition.name for definition in check(Good)) == ["Color", "Good"]


def test_what_was_seen_is_not_checked_again() -> None:
    found = list(definitions(shape_of(BadDefault)))

    check_values(found, set(found), "here")


@rows(
    "annotation, message",
    (BadDefault, rf"BadDefault\.quantity: {DEFAULT}: expected an int between 1 and .* \(there\)"),
    (list[Nested], rf"BadDefault\.quantity: {DEFAULT}"),
    (
        BadExample,
        r"BadExample\.sizes: the example at \[1\] is not one of its type: expected int, found str; write one that is, or another type \(there\)",
    ),
    (Keyed, r"Keyed\.sizes: the example at \[1\]\.quantity is not one of its type"),
    (BadNull, rf"BadNull\.note: {DEFAULT}: .*; write note: str \| None = None \(there\)"),
    (BadNulls, rf"BadNulls\.notes: {DEFAULT}: .*; write notes: \.\.\. \| None = None \(there\)"),
)
def test_others_are_refused_with_their_place(annotation: Any, message: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=f"^here: {message}"):
        check(annotation)
