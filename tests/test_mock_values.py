"""Values of types that have parts: examples and defaults first, and an end in every recursion."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, NamedTuple

import pytest
from annotated_types import Len, MinLen

from contract import Example
from contract.codegen.package import Package
from contract.pred.compile import compile_pred
from contract.shape import nodes
from contract.shape.exceptions import GenerationError
from contract.testing.mock_values import Values
from tests.mocks import echo_of, package
from tests.paper import alias, enum, field, named, named_tuple, record, resolved
from tests.paper import package as paper_of
from tests.samples import ANNOTATIONS
from tests.tables import rows
from tests.watched import watched

VALID = {
    name: each
    for name, each in ANNOTATIONS.items()
    if name not in ("int predicate", "dataclass with a condition")
}


def draws(annotation: Any, count: int = 40) -> list[Any]:
    paper = package(echo_of(annotation))
    return [
        Values(paper).draw(paper.operations["echo"].output, Random(seed), "echo")
        for seed in range(count)
    ]


def drawn(shape: nodes.Shape, *definitions: nodes.Definition, seed: int = 1) -> Any:
    paper: Package = paper_of(*definitions)
    return Values(paper).draw(resolved(shape, paper.definitions), Random(seed), "$.here")


@rows(
    "annotation",
    *watched(VALID, "dict", "dict by limited int", "TypedDict with extra items recursive", "tagged union of TypedDicts by enum members"),
)  # fmt: skip
def test_what_is_drawn_is_valid(annotation: Any) -> None:
    pred = compile_pred(echo_of(annotation).entries["echo"].output)
    found = [json.dumps(value).encode() for value in draws(annotation, 20)]

    for document in found:
        assert pred.dump(pred.load(document))
    assert found[:5] == [json.dumps(value).encode() for value in draws(annotation, 5)]


@dataclass
class Product:
    id: Annotated[str, Example("p1"), Example("p2")]
    colour: str = "red"
    note: Annotated[str, Example("fragile")] | None = None


def test_examples_go_first_and_then_defaults() -> None:
    paper = package(echo_of(Product))
    given = paper.operations["echo"].input
    assert given is not None
    found = [Values(paper).draw(given, Random(seed), "echo") for seed in range(100)]

    assert {each["id"] for each in found} == {"p1", "p2"}
    assert {each["note"] for each in found} == {"fragile"}
    assert {"red", None} < {each.get("colour") for each in found}


class Place(NamedTuple):
    latitude: float
    name: str = "here"


def test_positions_are_drawn_in_order() -> None:
    for latitude, name in draws(Place):
        assert isinstance(latitude, float)
        assert isinstance(name, str)


def test_sets_and_maps_have_as_many_as_they_need() -> None:
    sets = draws(Annotated[set[bool | int], MinLen(5)])

    assert all(len({*each}) == len(each) >= 5 for each in sets)
    assert all(len(each) == 3 for each in draws(Annotated[dict[str, int], Len(3, 3)]))
    assert draws(Annotated[list[int], Len(0, 0)], 3) == [[], [], []]


def test_items_of_a_set_are_told_apart_as_they_are_loaded() -> None:
    """Sets that are written in two orders are equal."""
    found = draws(Annotated[set[frozenset[bool]], MinLen(2)])

    assert all(len({frozenset(item) for item in each}) == len(each) >= 2 for each in found)


def test_items_that_are_none_are_told_apart_as_they_are_written() -> None:
    wrong = replace(field("a", nodes.IntShape()), examples=("x", "y"))
    found = drawn(nodes.ArrayShape(named("A"), "set", 2, 2), record("A", wrong))

    assert {each["a"] for each in found} == {"x", "y"}


@rows(
    "type_",
    nodes.ArrayShape(nodes.BoolShape(), "set", 3, None),
    nodes.MapShape(nodes.StrShape(patterns=("^[ab]$",)), nodes.BoolShape(), 3, None),
    ids=["set", "map"],
)
def test_more_than_there_are_is_told_with_the_place(type_: nodes.Shape) -> None:
    problem = r"^\$\.here: no 3 different values were found; give the field an example"
    with pytest.raises(GenerationError, match=problem):
        drawn(type_)


def test_what_has_no_end_is_told() -> None:
    endless = record("Endless", field("next", named("Endless")))
    problem = "every Endless needs another one, without end; let one of its fields be null"
    with pytest.raises(GenerationError, match=rf"^\$\.here: {problem}"):
        drawn(named("Endless"), endless)

    assert drawn(nodes.UnionShape((named("Endless"), nodes.IntShape(1, 1))), endless) == 1
    assert drawn(nodes.ArrayShape(named("Endless")), endless) == []
    assert drawn(nodes.MapShape(nodes.StrShape(), named("Endless")), endless) == {}
    with pytest.raises(GenerationError, match="without end"):
        drawn(nodes.TupleShape((named("Endless"),)), endless)


def test_a_pair_of_tuples_has_no_end_either() -> None:
    declared = named_tuple("Pair", field("other", named("Pair")))
    with pytest.raises(GenerationError, match="every Pair needs another one"):
        drawn(named("Pair"), declared)


def test_recursion_ends_where_it_may() -> None:
    left = field("left", nodes.NullableShape(named("Tree")))
    right = field("right", named("Tree"), required=False)
    pair = nodes.TupleShape((nodes.IntShape(), named("Leaf")))
    kind = field("kind", nodes.StrShape())
    inner = nodes.TaggedUnionShape("kind", "kind", (("n", named("Node")), ("e", named("End"))))
    definitions = (
        record("Tree", left, right),
        alias("Json", nodes.UnionShape((nodes.ArrayShape(named("Json")), pair))),
        enum("Leaf", ("A", "a"), ("B", 2)),
        record("Node", kind, field("inner", inner)),
        record("End", kind),
    )

    for name in ("Tree", "Json", "Node"):
        for seed in range(30):
            found = drawn(named(name), *definitions, seed=seed)
            assert len(json.dumps(found)) < 10_000


def test_what_must_be_enormous_is_refused() -> None:
    wide = [
        record(f"R{index}", *(field(f"f{each}", named(f"R{index + 1}")) for each in range(10)))
        for index in range(9)
    ]
    deep = [record(f"R{index}", field("f", named(f"R{index + 1}"))) for index in range(200)]

    problem = "the smallest value is larger than a mock makes them"
    for declarations in (wide, deep):
        last = record(f"R{len(declarations)}")
        with pytest.raises(GenerationError, match=problem):
            drawn(named("R0"), *declarations, last)
    with pytest.raises(GenerationError, match=problem):
        drawn(nodes.BytesShape(10**10, None))


def test_wide_records_leave_out_what_they_may() -> None:
    many = [field(f"f{index}", named("Part"), required=False) for index in range(1000)]
    few = [
        field(f"g{index}", nodes.ArrayShape(nodes.IntShape()), required=False)
        for index in range(50)
    ]
    found = drawn(named("Many"), record("Many", *many), record("Part", *few))

    assert len(json.dumps(found)) < 10_000
