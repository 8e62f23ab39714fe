"""Values of types that have parts: examples and defaults first, and an end in every recursion."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, NamedTuple

import pytest
from annotated_types import Len, MinLen

from contract import Example
from contract.codegen.model import (
    AliasDeclaration,
    ArrayType,
    BoolType,
    BytesType,
    Declaration,
    EnumDeclaration,
    Field,
    IntType,
    Limits,
    MapType,
    NamedTupleDeclaration,
    NamedType,
    NullableType,
    Package,
    RecordDeclaration,
    StrType,
    TaggedType,
    TupleType,
    Type,
    UnionType,
)
from contract.pred.compile import compile_pred
from contract.shape.exceptions import GenerationError
from contract.testing.mock.values import Values
from tests.mocks import echo_of, package
from tests.samples import ANNOTATIONS

EMPTY = package(echo_of(int))
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


def drawn(type_: Type, *declarations: Declaration, seed: int = 1) -> Any:
    paper: Package = replace(EMPTY, declarations={each.name: each for each in declarations})
    return Values(paper).draw(type_, Random(seed), "$.here")


@pytest.mark.parametrize("annotation", VALID.values(), ids=VALID.keys())
def test_what_is_drawn_is_valid(annotation: Any) -> None:
    pred = compile_pred(echo_of(annotation).entries["echo"].output)
    found = [json.dumps(value).encode() for value in draws(annotation)]

    for document in found:
        assert pred.dump(pred.load(document))
    assert found == [json.dumps(value).encode() for value in draws(annotation)]


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
    assert all(
        isinstance(latitude, float) and isinstance(name, str) for latitude, name in draws(Place)
    )


def test_sets_and_maps_have_as_many_as_they_need() -> None:
    assert all(
        len({*each}) == len(each) >= 5 for each in draws(Annotated[set[bool | int], MinLen(5)])
    )
    assert all(len(each) == 3 for each in draws(Annotated[dict[str, int], Len(3, 3)]))
    assert draws(Annotated[list[int], Len(0, 0)], 3) == [[], [], []]


def test_items_of_a_set_are_told_apart_as_they_are_loaded() -> None:
    """Sets that are written in two orders are equal."""
    found = draws(Annotated[set[frozenset[bool]], MinLen(2)])

    assert all(len({frozenset(item) for item in each}) == len(each) >= 2 for each in found)


def test_items_that_are_none_are_told_apart_as_they_are_written() -> None:
    wrong = replace(field("a", IntType(Limits())), examples=("x", "y"))

    assert {
        each["a"] for each in drawn(ArrayType(NamedType("A"), "set", 2, 2), record("A", wrong))
    } == {"x", "y"}


@pytest.mark.parametrize(
    "type_",
    [
        ArrayType(BoolType(), "set", 3, None),
        MapType(StrType(patterns=("^[ab]$",)), BoolType(), 3, None),
    ],
    ids=["set", "map"],
)
def test_more_than_there_are_is_told_with_the_place(type_: Type) -> None:
    with pytest.raises(
        GenerationError,
        match=r"^\$\.here: no 3 different values were found; give the field an example",
    ):
        drawn(type_)


def record(name: str, *fields: Field) -> RecordDeclaration:
    return RecordDeclaration(name=name, fields=fields)


def field(name: str, type_: Type, *, required: bool = True) -> Field:
    return Field(wire=name, name=name, type=type_, required=required)


def test_what_has_no_end_is_told() -> None:
    endless = record("Endless", field("next", NamedType("Endless")))
    with pytest.raises(
        GenerationError,
        match=r"^\$\.here: every Endless needs another one, without end; let one of its fields be null",
    ):
        drawn(NamedType("Endless"), endless)

    assert drawn(UnionType((NamedType("Endless"), IntType(Limits(ge=1, le=1)))), endless) == 1
    assert drawn(ArrayType(NamedType("Endless")), endless) == []
    assert drawn(MapType(StrType(), NamedType("Endless")), endless) == {}
    with pytest.raises(GenerationError, match="without end"):
        drawn(TupleType((NamedType("Endless"),)), endless)


def test_a_pair_of_tuples_has_no_end_either() -> None:
    declared = NamedTupleDeclaration(name="Pair", fields=(field("other", NamedType("Pair")),))
    with pytest.raises(GenerationError, match="every Pair needs another one"):
        drawn(NamedType("Pair"), declared)


def test_recursion_ends_where_it_may() -> None:
    tree = record(
        "Tree",
        field("left", NullableType(NamedType("Tree"))),
        field("right", NamedType("Tree"), required=False),
    )
    alias = AliasDeclaration(
        name="Json",
        type=UnionType((ArrayType(NamedType("Json")), TupleType((IntType(), NamedType("Leaf"))))),
    )
    leaf = EnumDeclaration(name="Leaf", members=(("A", "a"), ("B", 2)))
    node = record(
        "Node",
        field("kind", StrType()),
        field("inner", TaggedType("kind", (("n", NamedType("Node")), ("e", NamedType("End"))))),
    )
    end = record("End", field("kind", StrType()))

    for seed in range(30):
        assert len(json.dumps(drawn(NamedType("Tree"), tree, seed=seed))) < 10_000
        assert len(json.dumps(drawn(NamedType("Json"), alias, leaf, seed=seed))) < 10_000
        assert len(json.dumps(drawn(NamedType("Node"), node, end, seed=seed))) < 10_000


def test_what_must_be_enormous_is_refused() -> None:
    wide = [
        record(f"R{index}", *(field(f"f{each}", NamedType(f"R{index + 1}")) for each in range(10)))
        for index in range(9)
    ]
    deep = [record(f"R{index}", field("f", NamedType(f"R{index + 1}"))) for index in range(200)]

    for declarations in (wide, deep):
        last = record(f"R{len(declarations)}")
        with pytest.raises(
            GenerationError, match="the smallest value is larger than a mock makes them"
        ):
            drawn(NamedType("R0"), *declarations, last)
    with pytest.raises(
        GenerationError, match="the smallest value is larger than a mock makes them"
    ):
        drawn(BytesType(10**10, None))


def test_wide_records_leave_out_what_they_may() -> None:
    many = [
        record(
            "Many",
            *(field(f"f{index}", NamedType("Part"), required=False) for index in range(1000)),
        )
    ]
    part = record(
        "Part", *(field(f"g{index}", ArrayType(IntType()), required=False) for index in range(50))
    )

    assert len(json.dumps(drawn(NamedType("Many"), *many, part))) < 10_000
