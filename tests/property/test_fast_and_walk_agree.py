"""
The law: what pydantic-core takes, the walk takes, and both make equal values of it, whether the document was parsed before or not.

The walk decides where pydantic-core refuses, so there may be documents that only the walk takes; they are told apart from the others by
an integer that is written as a float, or by a key that stands twice.
"""

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict
from uuid import UUID

import orjson
import pytest
from annotated_types import Ge, Le, Len, MultipleOf, Predicate
from hypothesis import event, given, settings
from hypothesis import strategies as st
from pydantic_core import from_json

from contract.pred.compile import compile_pred, pred_of
from contract.pred.core import REFUSALS, compile_core
from contract.pred.report import INVALID, Report
from contract.pred.walk import Walker
from contract.shape import nodes
from contract.shape.exceptions import InvalidInput
from contract.shape.markers import UNSET, Pattern, Unset
from contract.shape.reader import shape_of
from tests.effort import examples
from tests.words import words


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Level(Enum):
    LOW = 1
    NONE = False


class Point(NamedTuple):
    x: int
    y: float = 0.5


class Patch(TypedDict):
    a: int
    b: NotRequired[str]


@dataclass
class Plain:
    a: int
    b: Annotated[str, Len(1, 2)] = "b"
    c: list[int] = field(default_factory=list)
    d: float | Unset | None = UNSET


@dataclass(frozen=True, slots=True)
class Ordered:
    a: int
    b: int = 1

    def __post_init__(self) -> None:
        if self.a > self.b:
            raise ValueError


@dataclass
class Tree:
    a: int
    b: "list[Tree]" = field(default_factory=list)


@dataclass
class Cat:
    a: Literal["red"]
    b: int = 1


@dataclass
class Dog:
    a: Literal["blue", "a"]
    b: "Cat | Dog | None" = None


LEAVES: list[Any] = [
    *(None, bool, int, float, str, bytes, Decimal, date, datetime, time, timedelta, UUID),
    Annotated[Decimal, Ge(1)],
    Annotated[bytes, Len(2, 3)],
    *(Color, Level, Point, Patch, Plain, Ordered, Tree, Cat | Dog, Any),
    *(Literal[1, "a"], Literal["a", "b"]),
    Annotated[int, Ge(0), Le(5), MultipleOf(2)],
    Annotated[float, Ge(0), Le(5)],
    Annotated[float, MultipleOf(0.1)],
    Annotated[str, Pattern("^[ab]")],
    Annotated[int, Predicate(bool)],
    Annotated[list[int], Len(1, 2)],
    *(int | str, int | float | bool, date | list[int], Plain | str),
    *(set[int], set[Decimal], frozenset[tuple[int, str]]),
    *(dict[int, int], dict[UUID, int], dict[Color, int]),
    Annotated[dict[str, int], Len(1, 2)],
]


def layers(leaf: nodes.Shape) -> list[nodes.Shape]:
    found: list[nodes.Shape] = [
        nodes.ArrayShape(leaf),
        nodes.ArrayShape(leaf, "tuple"),
        nodes.MapShape(shape_of(str), leaf),
        nodes.TupleShape((leaf, shape_of(int))),
    ]
    if not isinstance(leaf, nodes.NullShape | nodes.NullableShape):
        found.append(nodes.NullableShape(leaf))
    return found


LEAF_SHAPES = [shape_of(leaf) for leaf in LEAVES]
SHAPES = [*LEAF_SHAPES, *(shape for leaf in LEAF_SHAPES for shape in layers(leaf))]

IDS = [f"{UUID(int=1)}", f"{UUID(int=10)}".upper(), UUID(int=10).hex, f"{{{UUID(int=10)}}}"]
WORDS = words("""
a b red blue YQ== 1 01 -1 1.5 1.5E-2 1e41 1_0 YWJj 2026-01-01 2026-02-30 2026-W01-1
2026-01-01T00:00:00Z 2026-01-01T00:00:00.5-01:30 2026-02-30T00:00:00Z 2026-01-01T00:00:00
12:30:00 12:30:00+01:00 PT1S 1577836800
""")
TEXTS = st.sampled_from(["", *IDS, UUID(int=10).urn, *WORDS])
NUMBERS = st.sampled_from(
    [0, 1, 2, 4, -1, 7, 2**53 + 1, 2**63, -(2**63), 10**30, 0.5, 0.3, 1.0, 2.0, -0.0, 1e16, 1e300]
)
KEYS = st.sampled_from(["a", "b", "c", "d"]) | TEXTS


class Pairs(list[tuple[str, Any]]):
    """An object as it is written: a key may stand twice."""


def pairs_of(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Pairs]:
    return st.lists(st.tuples(KEYS, values), max_size=3).map(Pairs)


SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
JUNK = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | pairs_of(inner), max_leaves=4
)


@st.composite
def near(draw: st.DrawFn, shape: nodes.Shape, depth: int = 0) -> Any:
    """A value that could be one of *shape*, at least in its outlines."""
    if depth > 6 or draw(st.integers(0, 15)) == 0:
        return draw(JUNK)
    match shape:
        case nodes.RefShape(definition):
            return draw(near(definition.shape, depth + 1))
        case nodes.NullableShape(inner) | nodes.Refined(inner):
            return draw(st.none() | near(inner, depth))
        case nodes.UnionShape(members):
            return draw(near(draw(st.sampled_from(members)), depth))
        case nodes.TaggedUnionShape(_, _, cases):
            return draw(near(draw(st.sampled_from(cases))[1], depth))
        case nodes.ArrayShape(item):
            return draw(st.lists(near(item, depth + 1), max_size=3))
        case nodes.TupleShape(items):
            return [draw(near(item, depth + 1)) for item in items]
        case nodes.NamedTupleShape(_, fields):
            count = draw(st.integers(1, len(fields)))
            return [draw(near(each.shape, depth + 1)) for each in fields[:count]]
        case nodes.MapShape(key, value):
            keys = near(key, depth).map(lambda found: found if isinstance(found, str) else "1")
            return Pairs(draw(st.lists(st.tuples(keys, near(value, depth + 1)), max_size=3)))
        case nodes.RecordShape(_, _, fields, extra=extra):
            sent = [each for each in fields if each.required_in or draw(st.booleans())]
            pairs = [(each.wire, draw(near(each.shape, depth + 1))) for each in sent]
            others = st.tuples(KEYS, JUNK if extra is None else near(extra, depth + 1))
            more = draw(st.just([]) | st.just([]) | st.lists(others, max_size=1))
            return Pairs(pairs + more)
        case nodes.EnumShape(_, members):
            return draw(st.sampled_from([value for _, value in members]))
        case nodes.LiteralShape(values):
            return draw(st.sampled_from(values))
        case nodes.IntShape() | nodes.FloatShape():
            return draw(NUMBERS)
        case nodes.AnyShape():
            return draw(JUNK)
        case nodes.NullShape() | nodes.BoolShape():
            return draw(st.none() | st.booleans())
        case _:
            return draw(TEXTS)


def written(value: Any) -> str:
    match value:
        case Pairs():
            return f"{{{','.join(f'{written(key)}:{written(item)}' for key, item in value)}}}"
        case list():
            return f"[{','.join(map(written, value))}]"
        case int() if abs(value) >= 2**63:
            return str(value)
        case _:
            return orjson.dumps(value).decode()


def is_unusual(value: Any) -> bool:
    """Whether only the walk may take it."""
    match value:
        case Pairs():
            keys = [key for key, _ in value]
            return len({*keys}) < len(keys) or any(is_unusual(item) for _, item in value)
        case list():
            return any(map(is_unusual, value))
        case _:
            return isinstance(value, float) and value.is_integer()


def same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and left == right and repr(left) == repr(right)


# in each profile: whether another release of pydantic-core is one of ours, this law alone says
@settings(max_examples=300)
@given(st.sampled_from(SHAPES).flatmap(lambda shape: st.tuples(st.just(shape), near(shape))))
def test_fast_and_walk_agree(drawn: tuple[nodes.Shape, Any]) -> None:
    shape, value = drawn
    walker = Walker()
    document = written(value).encode()
    parsed = from_json(document, allow_inf_nan=False)
    walked = walker.loader(shape)(parsed, Report())
    core = compile_core(shape, walker)
    for validate, read in ((core.validate, document), (core.validate_parsed, parsed)):
        try:
            fast = validate(read)
        except REFUSALS:
            event("refused by both" if walked is INVALID else "taken by the walk")
            assert walked is INVALID or is_unusual(value)
        else:
            event("taken by both")
            assert same(fast, walked)


@settings(max_examples=examples(300))
@given(st.sampled_from(SHAPES).flatmap(lambda shape: st.tuples(st.just(shape), near(shape))))
def test_a_document_means_the_same_whatever_its_size(drawn: tuple[nodes.Shape, Any]) -> None:
    """Small ones are read from bytes, large ones once they are parsed, and larger ones where Python has a part in it by the walk alone."""
    shape, value = drawn
    document = written(value).encode()
    load = compile_pred(shape).load
    loaded = []
    for size in (0, 20_000, 70_000):
        try:
            loaded.append([load(document.ljust(size))])
        except InvalidInput:
            loaded.append([])

    assert same(loaded[1], loaded[0])
    assert same(loaded[2], loaded[0])


def test_a_record_that_refuses_itself_is_refused_by_both() -> None:
    pred = pred_of(Ordered)

    assert pred.load(b'{"a":1}') == Ordered(1)
    with pytest.raises(InvalidInput):
        pred.load(b'{"a":2}')
