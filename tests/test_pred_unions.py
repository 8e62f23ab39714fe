from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, Final, Literal, NamedTuple

from annotated_types import Ge, Predicate

from contract.pred.report import INVALID, Report
from contract.pred.unions import MAX_VALUES_COMPARED
from contract.pred.walk import Walker
from contract.shape.nodes import AnyShape, NullableShape, NullShape, UnionShape
from contract.shape.reader import shape_of
from tests.tables import rows


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


@rows(
    "annotation, sent, expected",
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
)
def test_a_value_finds_its_member(annotation: Any, sent: Any, expected: Any) -> None:
    loaded = Walker().loader(shape_of(annotation))(sent, Report())

    assert loaded == expected
    assert type(loaded) is type(expected)


_WIDE: Final = Literal[tuple(f"w{number}" for number in range(51))]
_SOME: Final = [f"w{number}" for number in range(10)]
KINDS: Final = {"allowed": ["cat", "dog"]}
VERSIONS: Final = {"allowed": [1, True, "other"]}
FOUR: Final = {"expected": "boolean, array, date, object", "found": "integer"}
THREE: Final = {"expected": "date, allowed, integer", "allowed": ["one"], "meant": "one"}
WIDE: Final = {"expected": "allowed, date", "allowed": _SOME, "count": 51, "meant": "w1"}
NO_DAY: Final = {"format": "date", "reason": "no_such_day", "days": 28}
NO_OFFSET: Final = {"format": "date-time", "reason": "no_offset"}
TWO_OR_THREE = tuple[int, int] | tuple[str, str, str]
Small = Annotated[int, Ge(1)]
Day = Annotated[date, Predicate(bool)]
Known = Annotated[Word, Predicate(bool)]


@rows(
    "annotation, sent, path, code, params",
    # the only member of its JSON type says what is wrong
    (Small | str, 0, (), "greater_than_equal", {"ge": 1}),
    (Small | str, 0.0, (), "greater_than_equal", {"ge": 1}),
    (list[int] | str, [1, "a"], (1,), "integer_type", {"found": "string"}),
    # else they are named by their JSON types and forms
    (int | str, True, (), "union", {"expected": "integer, string", "found": "boolean"}),
    (int | str, 1.5, (), "union", {"expected": "integer, string", "found": "number"}),
    (date | datetime | int, "today", (), "union", {"expected": "date, date-time, integer"}),
    (Literal[True] | Cat | list[int] | Day, 1, (), "union", FOUR),
    # listed values are told as those of one enum are, where the value is of their JSON type
    (date | Word, "x", (), "union", {"expected": "date, allowed", "allowed": ["one"]}),
    (date | Known | int, "One", (), "union", THREE),
    (date | Word, 1, (), "union", {"expected": "date, string", "found": "integer"}),
    (Literal["a", 1] | Word, "b", (), "unknown_value", {"allowed": ["a", 1, "one"]}),
    (Literal["a", 1] | Word, 2.0, (), "unknown_value", {"allowed": ["a", 1]}),
    (_WIDE | Word, "x", (), "unknown_value", {"allowed": _SOME, "count": 52}),
    (_WIDE | date, "w1x", (), "union", WIDE),
    # a tag is required, and ends the path
    (Cat | Dog, {"lives": 1}, ("kind",), "missing", KINDS),
    (Cat | Dog, {"kind": "cow"}, ("kind",), "unknown_tag", KINDS),
    (Cat | Dog, {"kind": "Cat"}, ("kind",), "unknown_tag", KINDS | {"meant": "cat"}),
    (Cat | Dog, {"kind": ["cat"]}, ("kind",), "unknown_tag", KINDS | {"found": "array"}),
    (Cat | Dog, [], (), "object_type", {"found": "array"}),
    (Cat | Dog, {"kind": "cat", "lives": "9"}, ("lives",), "integer_type", {"found": "string"}),
    (First | Other, {"version": False}, ("version",), "unknown_tag", VERSIONS),
)
def test_a_value_of_no_member_is_told_what_they_take(
    annotation: Any, sent: Any, path: Any, code: str, params: Any
) -> None:
    assert refusals(annotation, sent) == [(path, code, params)]


def test_all_members_are_named_even_those_that_only_a_hand_can_put_there() -> None:
    records = UnionShape((NullShape(), shape_of(Cat | Dog), shape_of(dict[str, int])))
    load = Walker().loader(UnionShape((AnyShape(), NullableShape(records))))
    report = Report()

    assert load(float("nan"), report) is INVALID
    assert [issue.code for issue in report.issues()] == ["number_type"]


@rows(
    "annotation, sent, closest",
    (date | datetime, "today", None),
    (date | datetime, 7, None),
    (date | datetime, "2026-02-30", ([], "format", NO_DAY)),
    (date | datetime, "2026-01-31T10:00:00", ([], "format", NO_OFFSET)),
    (date | Word, "today", None),
    (TWO_OR_THREE, [1, "a"], ([1], "integer_type", {"found": "string"})),
    (Annotated[int, Ge(5)] | Annotated[float, Ge(7)], 1, ([], "greater_than_equal", {"ge": 5})),
)
def test_the_closest_member_says_what_is_missing(annotation: Any, sent: Any, closest: Any) -> None:
    """It is the first that objects to a part, or else to a limit; where none does, none is meant."""
    [(path, code, params)] = refusals(annotation, sent)

    assert (path, code) == ((), "union")
    assert params.get("closest") == (
        None if closest is None else dict(zip(("path", "code", "params"), closest, strict=True))
    )


def test_no_member_is_closest_in_haste() -> None:
    """In large documents it would cost too much, and so would unions in members of unions."""
    report = Report(hasty=True)
    Walker().loader(shape_of(date | datetime))("2026-02-30", report)

    assert dict(report.issues()[0].params) == {"expected": "date, date-time"}


def test_the_closest_member_is_told_of_the_last_of_many_values() -> None:
    """After some values it is looked for only where no member takes the value."""
    days: list[Any] = ["2026-02-28"] * (MAX_VALUES_COMPARED + 1)
    report = Report()
    Walker().loader(shape_of(list[date | datetime]))([*days, "2026-02-30"], report)

    (issue,) = report.issues()
    assert issue.path == (MAX_VALUES_COMPARED + 1,)
    assert dict(issue.params)["closest"]["params"]["reason"] == "no_such_day"
