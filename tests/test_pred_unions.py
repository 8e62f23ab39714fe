from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from annotated_types import Ge, Predicate

from contract.pred.report import INVALID, Report
from contract.pred.walk import Walker
from contract.shape import (
    AnyShape,
    NullableShape,
    NullShape,
    TaggedUnionShape,
    UnionShape,
    shape_of,
)


class Word(Enum):
    ONE = "one"


class Pair(NamedTuple):
    left: int
    right: int


@dataclass
class Cat:
    kind: Literal["cat"] = "cat"
    lives: int = 9


@dataclass
class Dog:
    kind: Literal["dog"]


@dataclass
class First:
    version: Literal[1]


@dataclass
class Other:
    version: Literal[True, "other"]


def refusals(annotation: Any, sent: Any) -> list[tuple[tuple[str | int, ...], str, dict[str, Any]]]:
    report = Report()
    assert Walker().loader(shape_of(annotation))(sent, report) is INVALID
    return [(issue.path, issue.code, dict(issue.params)) for issue in report.issues()]


@pytest.mark.parametrize(
    ("annotation", "sent", "expected"),
    [
        (int | str, 1, 1),
        (int | str, "a", "a"),
        (int | str, 1.0, 1),
        (int | float, 1, 1),
        (int | float, 1.0, 1.0),
        (int | float, 1.5, 1.5),
        (float | bool, 1, 1.0),
        (float | bool, True, True),
        (date | datetime, "2026-01-01", date(2026, 1, 1)),
        (Literal[1] | str, 1.0, 1),
        (list[int] | dict[str, int], {"a": 1}, {"a": 1}),
        (tuple[int] | tuple[int, int], [1, 2], (1, 2)),
        (Cat | str | list[int], {"kind": "cat"}, Cat()),
        (Cat | Dog | None, {"kind": "dog"}, Dog("dog")),
        (First | Other, {"version": 1.0}, First(1)),
        (First | Other, {"version": True}, Other(version=True)),
        (Pair | Word | None, [1, 2], Pair(1, 2)),
        (Annotated[int, Predicate(bool)] | Word, "one", Word.ONE),
    ],
)
def test_a_value_finds_its_member(annotation: Any, sent: Any, expected: Any) -> None:
    loaded = Walker().loader(shape_of(annotation))(sent, Report())

    assert loaded == expected
    assert type(loaded) is type(expected)


def test_the_only_member_of_its_json_type_says_what_is_wrong() -> None:
    assert refusals(Annotated[int, Ge(1)] | str, 0) == [((), "greater_than_equal", {"ge": 1})]
    assert refusals(list[int] | str, [1, "a"]) == [((1,), "integer_type", {})]
    assert refusals(Annotated[int, Ge(1)] | str, 0.0) == [((), "greater_than_equal", {"ge": 1})]


def test_else_the_members_are_named_by_their_json_types_and_forms() -> None:
    assert refusals(int | str, True) == [((), "union", {"expected": "integer, string"})]
    assert refusals(int | str, 1.5) == [((), "union", {"expected": "integer, string"})]
    assert refusals(date | datetime | int, "today") == [
        ((), "union", {"expected": "date, date-time, integer"})
    ]
    assert refusals(Literal[True] | Cat | list[int] | Annotated[date, Predicate(bool)], 1) == [
        ((), "union", {"expected": "boolean, array, date, object"})
    ]


def test_all_members_are_named_even_those_that_only_a_hand_can_put_there() -> None:
    load = Walker().loader(
        UnionShape(
            (
                AnyShape(),
                NullableShape(
                    UnionShape((NullShape(), shape_of(Cat | Dog), shape_of(dict[str, int])))
                ),
            )
        )
    )
    report = Report()

    assert load(float("nan"), report) is INVALID
    assert [issue.code for issue in report.issues()] == ["number_type"]


def test_a_tag_is_required_and_ends_the_path() -> None:
    assert isinstance(shape_of(Cat | Dog), TaggedUnionShape)
    assert refusals(Cat | Dog, {"lives": 1}) == [(("kind",), "missing", {})]
    assert refusals(Cat | Dog, {"kind": "cow"}) == [
        (("kind",), "unknown_tag", {"allowed": ["cat", "dog"]})
    ]
    assert refusals(Cat | Dog, {"kind": ["cat"]}) == [
        (("kind",), "unknown_tag", {"allowed": ["cat", "dog"]})
    ]
    assert refusals(Cat | Dog, []) == [((), "object_type", {})]
    assert refusals(Cat | Dog, {"kind": "cat", "lives": "9"}) == [(("lives",), "integer_type", {})]
    assert refusals(First | Other, {"version": False}) == [
        (("version",), "unknown_tag", {"allowed": [1, True, "other"]})
    ]
