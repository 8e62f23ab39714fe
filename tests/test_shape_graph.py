"""Graph: what a tree of shapes refers to, what contains itself, and what can be hashed."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict

import typing_extensions

from contract.shape import graph, nodes
from contract.shape.reader import shape_of
from tests.samples import ANNOTATIONS, Card, Cash, Color
from tests.tables import rows


@dataclass(frozen=True)
class Leaf:
    value: int


@dataclass(frozen=True)
class Lists:
    values: list[int]


@dataclass
class Mutable:
    value: int


@dataclass(frozen=True)
class Branch:
    left: "Branch | None"
    leaf: Leaf


@dataclass(eq=False)
class ByIdentity:
    values: list[int]


@dataclass(frozen=True)
class Holds:
    first: Mutable
    second: Mutable


class Row(TypedDict):
    value: int


class Point(NamedTuple):
    x: int


class Line(NamedTuple):
    points: list[int]


@dataclass(frozen=True)
class Around:
    inner: ByIdentity | None = None


@dataclass(eq=False)
class OwnEquality:
    value: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OwnEquality)

    def __hash__(self) -> int:
        return hash(self.value)


def _definition(shape: nodes.Shape) -> nodes.Definition:
    assert isinstance(shape, nodes.RefShape)
    return shape.definition


def _names(shape: nodes.Shape) -> list[str]:
    return [definition.name for definition in graph.definitions(shape)]


def test_definitions_are_listed_without_being_entered() -> None:
    shape = shape_of(dict[Color, tuple[Leaf, list[Branch | None]]])
    assert _names(shape) == ["Color", "Leaf", "Branch"]
    assert _names(shape_of(Card | Cash | list[Point] | None)) == ["Point", "Card", "Cash", "Cash"]
    assert _names(_definition(shape_of(Branch)).shape) == ["Branch", "Leaf"]
    assert _names(nodes.Refined(shape_of(Leaf), (bool,))) == ["Leaf"]
    assert list(graph.children(nodes.IntShape())) == []


def test_everything_behind_a_reference_is_reachable() -> None:
    found = graph.reachable(shape_of(list[Branch]))
    assert {definition.name for definition in found} == {"Branch", "Leaf"}


def _graph(edges: dict[str, str]) -> dict[str, nodes.Definition]:
    made = {name: nodes.Definition((name,), name, "") for name in edges}
    for name, targets in edges.items():
        made[name].close(nodes.TupleShape(tuple(nodes.RefShape(made[each]) for each in targets)))
    return made


@rows(
    "edges, recursive",
    ({"A": "", "B": "A"}, ""),
    ({"A": "A"}, "A"),
    ({"A": "B", "B": "A"}, "AB"),
    ({"A": "BC", "B": "C", "C": ""}, ""),
    ({"A": "B", "B": "C", "C": "B"}, "BC"),
    ({"A": "B", "B": "CD", "C": "A", "D": "D"}, "ABCD"),
    ({"A": "BC", "B": "D", "C": "D", "D": "A"}, "ABCD"),
    ({"A": "BC", "B": "B", "C": "B", "D": "AE", "E": "D"}, "BDE"),
    ({"A": "BB", "B": "CA", "C": "C"}, "ABC"),
)
def test_what_is_reached_from_itself_is_recursive(edges: dict[str, str], recursive: str) -> None:
    made = _graph(edges)
    graph.mark_recursive(made.values())

    assert "".join(name for name, definition in made.items() if definition.recursive) == recursive


@rows(
    "edges, known, found",
    ({"A": ""}, "", "A"),
    ({"A": "BC", "B": "D", "C": "D", "D": ""}, "", "DBCA"),
    ({"A": "BC", "B": "D", "C": "D", "D": ""}, "D", "BCA"),
    ({"A": "BC", "B": "D", "C": "", "D": ""}, "B", "CA"),
    ({"A": "BC", "B": "A", "C": ""}, "", "BCA"),
    ({"A": "A"}, "", "A"),
    ({"A": "A"}, "A", ""),
)
def test_what_is_referred_to_comes_first(edges: dict[str, str], known: str, found: str) -> None:
    made = _graph(edges)

    ordered = graph.bottom_up(nodes.RefShape(made["A"]), lambda each: each.name in known)
    assert "".join(each.name for each in ordered) == found


def test_older_definitions_are_left_alone() -> None:
    made = _graph({"A": "B", "B": "B"})
    graph.mark_recursive([made["A"]])

    assert not any(each.recursive for each in made.values())


def test_a_long_chain_is_no_recursion() -> None:
    made = [nodes.Definition((index,), str(index), "") for index in range(5000)]
    for definition, following in pairwise(made):
        definition.close(nodes.RefShape(following))
    made[-1].close(nodes.RefShape(made[0]))
    graph.mark_recursive(made)

    assert all(definition.recursive for definition in made)


HASHABLE: list[Any] = [int, int | str | None, tuple[int, ...], tuple[int, str], frozenset[int]]
HASHABLE += [Literal["a"], Color, Leaf, Branch, Point, ByIdentity]
UNHASHABLE: list[Any] = [Any, list[int], set[int], dict[str, int], tuple[list[int], ...]]
UNHASHABLE += [tuple[int, list[int]], Lists, Mutable, Holds, Row, Line, Card | Cash]


def test_what_can_stand_in_a_set() -> None:
    assert [each for each in HASHABLE if not graph.is_hashable(shape_of(each))] == []
    assert [each for each in UNHASHABLE if graph.is_hashable(shape_of(each))] == []


def test_fingerprints_are_exact() -> None:
    assert graph.fingerprint(shape_of(Literal[1])) != graph.fingerprint(shape_of(Literal[True]))
    assert graph.fingerprint(shape_of(list[int])) == graph.fingerprint(shape_of(list[int]))
    # two readers make two definitions
    assert graph.fingerprint(shape_of(Leaf)) != graph.fingerprint(shape_of(Leaf))


def test_alternatives_are_without_null_and_predicates() -> None:
    assert graph.alternatives(shape_of(int | str | None)) == (nodes.IntShape(), nodes.StrShape())
    nullable = nodes.Refined(nodes.NullableShape(nodes.IntShape()), (bool,))
    assert graph.alternatives(nullable) == (nodes.IntShape(),)


def test_shapes_below() -> None:
    assert [*graph.children(shape_of(dict[str, Any]))] == [nodes.StrShape(), nodes.AnyShape()]
    assert [*graph.children(shape_of(list[int] | None))] == [nodes.ArrayShape(nodes.IntShape())]


def test_shapes_are_rebuilt_of_what_is_made_of_those_below() -> None:
    roots = [*map(shape_of, ANNOTATIONS.values())]
    shapes = [*roots, *(each.shape for root in roots for each in graph.reachable(root))]

    assert [each for each in shapes if graph.rebuilt(each, lambda child: child) != each] == []
    for each in shapes:
        found = graph.children(graph.rebuilt(each, lambda _: nodes.AnyShape()))
        assert [*found] == [nodes.AnyShape() for _ in graph.children(each)]


@dataclass(frozen=True)
class Defaults:
    left: int = 0
    kind: Literal["a"] = "a"
    made: int = field(init=False)


class Loose(TypedDict, total=False):
    value: int


class Open(typing_extensions.TypedDict, extra_items=int): ...  # type: ignore[call-arg]


class OpenAndMore(typing_extensions.TypedDict, extra_items=int):  # type: ignore[call-arg]
    a: NotRequired[int]


def test_records_of_defaults_take_nothing() -> None:
    assert graph.takes_nothing(shape_of(Defaults))
    assert graph.takes_nothing(shape_of(Loose))
    # on paper, an open record without fields is a map
    others: list[Any] = [Leaf, Defaults | None, dict[str, int], Any, Open, OpenAndMore]
    assert not any(graph.takes_nothing(shape_of(each)) for each in others)


def test_a_dataclass_without_eq_is_compared_by_identity_wherever_it_stands() -> None:
    assert len({OwnEquality(1), OwnEquality(1)}) == 1
    by_identity: list[Any] = [ByIdentity, tuple[Around, ...], ByIdentity | None]
    others: list[Any] = [int, Branch, OwnEquality, Row, Point]
    assert all(graph.is_compared_by_identity(shape_of(each)) for each in by_identity)
    assert not any(graph.is_compared_by_identity(shape_of(each)) for each in others)
