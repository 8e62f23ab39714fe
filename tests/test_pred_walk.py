from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any
from uuid import UUID

import pytest
from annotated_types import Len, Predicate
from pydantic_core import from_json

from contract.pred.report import DEAF, INVALID, Load, Report
from contract.pred.scalars import scalar_loader
from contract.pred.walk import Walker
from contract.shape.nodes import IntShape, MapShape, Refined, Shape, StrShape
from contract.shape.reader import shape_of
from tests.tables import rows
from tests.test_pred_core import GOOD, Counted, Line, Patch, Point, Tree

made: list[str] = []


def note(what: str) -> str:
    made.append(what)
    return what


@dataclass
class Noted:
    name: str = field(default_factory=lambda: note("default"))
    size: int = 0

    def __post_init__(self) -> None:
        note("made")


def refusals(annotation: Any, sent: Any, *, hasty: bool = False) -> list[tuple[list[Any], str]]:
    report = Report(hasty=hasty)
    assert Walker().loader(shape_of(annotation))(sent, report) is INVALID
    assert report.truncated == hasty
    return [([*issue.path], issue.code) for issue in report.issues()]


ID = str(UUID(int=10))
NO_INT = "integer_type"
UNKNOWN = [([key], "unknown_key") for key in ("z", "quantity", "a")]
SHORT, SMALL = (["sku"], "string_too_short"), (["qty"], "greater_than_equal")
IN_LINE = [SHORT, SMALL, (["notes", 0], "string_type")]
CHILD = {"value": 2, "parent": {"value": "3"}}


@pytest.mark.parametrize(("annotation", "document", "expected"), GOOD)
def test_good_documents_become_values(annotation: Any, document: bytes, expected: Any) -> None:
    loaded = Walker().loader(shape_of(annotation))(from_json(document), Report())

    assert loaded == expected
    assert type(loaded) is type(expected)


@rows(
    "annotation, sent, expected",
    (list[int], {}, [([], "array_type")]),
    (Annotated[list[int], Len(2, 3)], [1], [([], "too_few_items")]),
    (Annotated[list[int], Len(2, 3)], [1] * 4, [([], "too_many_items")]),
    (
        list[list[int]],
        [[1], ["a", 1, "b"], [True]],
        [(at, NO_INT) for at in ([1, 0], [1, 2], [2, 0])],
    ),
    (set[int], [1, 1], [([], "not_unique")]),
    (tuple[int, str], {}, [([], "array_type")]),
    (tuple[int, str], [1], [([], "too_few_items")]),
    (tuple[int, str], [1, "a", 2], [([], "too_many_items")]),
    (tuple[int, str], ["a", 1], [([0], "integer_type"), ([1], "string_type")]),
    (Point, [], [([], "too_few_items")]),
    (Point, [1, 2, [], 3], [([], "too_many_items")]),
    (dict[str, int], [], [([], "object_type")]),
    (Annotated[dict[str, int], Len(1, 2)], {}, [([], "too_few_keys")]),
    (Annotated[dict[str, int], Len(1, 2)], {"a": 1, "b": 1, "c": 1}, [([], "too_many_keys")]),
    (dict[int, int], {"a": "a", "1": "a"}, [(["a"], "format"), (["1"], "integer_type")]),
    (dict[UUID, int], {ID: 1, ID.upper(): 1}, [([], "not_unique")]),
    (Annotated[int, Predicate(bool)], 0, [([], "predicate")]),
    (Annotated[int, Predicate(bool)], "0", [([], "integer_type")]),
    (Patch, [], [([], "object_type")]),
    (Line, {"notes": [1], "qty": 0, "sku": ""}, IN_LINE),
    (Line, {"z": 1, "quantity": 1, "a": 2}, [(["sku"], "missing"), *UNKNOWN]),
    (Tree, {"value": 1, "children": [CHILD]}, [(["children", 0, "parent", "value"], NO_INT)]),
    (Counted, {"start": 1, "total": 2}, [(["total"], "unknown_key")]),
)
def test_bad_documents_hear_all_that_is_wrong(annotation: Any, sent: Any, expected: Any) -> None:
    assert refusals(annotation, sent) == expected


def test_in_haste_arrays_and_maps_stop_at_their_first_bad_item() -> None:
    bad = {"sku": "", "notes": [1, 2], "x": 1}

    assert refusals(list[Line], [bad, bad], hasty=True) == [
        ([0, "sku"], "string_too_short"),
        ([0, "notes", 0], "string_type"),
        ([0, "x"], "unknown_key"),
    ]
    assert refusals(dict[str, int], {"a": "a", "b": "b"}, hasty=True) == [(["a"], "integer_type")]


WIDE: Any = make_dataclass("WIDE", [(f"field_{index}", list[int]) for index in range(30)])
THIRTY: Any = tuple.__class_getitem__((int,) * 30)


@rows(
    "annotation, sent",
    (WIDE, {f"field_{index}": [""] for index in range(30)}),
    (WIDE, {}),
    (Line, {str(index): 0 for index in range(30)}),
    (list[int], [""] * 30),
    (dict[str, int], {str(index): "" for index in range(30)}),
    (THIRTY, [""] * 30),
)
def test_after_twenty_issues_the_walk_stops(annotation: Any, sent: Any) -> None:
    report = Report()

    assert Walker().loader(shape_of(annotation))(sent, report) is INVALID
    assert (len(report.issues()), report.truncated) == (20, True)


def test_too_many_keys_with_one_hash_are_refused() -> None:
    sent = {str(UUID(int=index * (2**61 - 1))): 0 for index in range(17)}

    assert refusals(dict[UUID, int], sent) == [([], "equal_hashes")]


def test_nothing_is_made_of_a_record_that_is_not_valid() -> None:
    assert refusals(list[Noted], [{"size": ""}]) == [([0, "size"], "integer_type")]
    assert made == []

    Walker().loader(shape_of(Noted))({}, Report())

    assert made == ["default", "made"]


def test_keys_may_be_narrowed() -> None:
    load = Walker().loader(MapShape(Refined(IntShape(), (bool,)), StrShape()))
    report = Report()

    assert load({"1": "a"}, report) == {1: "a"}
    assert load({"0": "a"}, report) is INVALID
    assert [(issue.path, issue.code) for issue in report.issues()] == [(("0",), "predicate")]


def test_definitions_are_made_once_for_all() -> None:
    shape = shape_of(Line)

    assert Walker().loader(shape) is Walker().loader(shape)
    assert Walker().loader(shape) is not Walker(tolerant=True).loader(shape)


@dataclass
class Left:
    right: "Right | None" = None
    size: int = 0


@dataclass
class Right:
    left: Left | None = None


NESTED = {"right": {"left": {"size": 1}}}


def test_what_could_not_be_made_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = shape_of(Left)

    def too_deep(shape: Shape) -> Load:
        raise RecursionError

    with monkeypatch.context() as patched:
        patched.setattr("contract.pred.walk.scalar_loader", too_deep)
        with pytest.raises(RecursionError):
            Walker().loader(shape)
    assert Walker().loader(shape)(NESTED, Report()) == Left(Right(Left(size=1)))


def test_nobody_is_given_what_is_half_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """As another thread would find it that comes in between."""
    shape = shape_of(Left)
    loaded: list[object] = []

    def in_between(of: Any) -> Load:
        if not loaded:
            loaded.append(None)
            loaded[0] = Walker().loader(shape)(NESTED, Report())
        return scalar_loader(of)

    monkeypatch.setattr("contract.pred.walk.scalar_loader", in_between)
    last = Walker().loader(shape)(NESTED, Report())
    assert [*loaded, last] == [Left(Right(Left(size=1)))] * 2


@dataclass
class Wide:
    a: int = 0
    b: list[int] = field(default_factory=list)
    c: int = 2
    d: int = 3
    e: int = 4


@rows(
    "document, expected",
    ({}, Wide()),
    ({"a": 1}, Wide(1)),
    ({"b": [1]}, Wide(b=[1])),
    ({"e": 5, "a": 1}, Wide(1, e=5)),
)
def test_little_of_much_loads_as_all_of_it(document: dict[str, Any], expected: Wide) -> None:
    assert Walker().loader(shape_of(Wide))(document, Report()) == expected


def test_little_of_much_is_told_of_in_the_order_of_the_fields() -> None:
    load = Walker().loader(shape_of(Wide))
    report = Report()

    assert load({"e": "x", "a": "y"}, report) is INVALID
    assert load({"a": "y"}, DEAF) is INVALID
    assert [issue.path for issue in report.issues()] == [("a",), ("e",)]
