"""Measures: what can be said of a shape without drawing from it."""

from __future__ import annotations

import math
from typing import Final, Literal, assert_never

from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    EnumShape,
    FloatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    NullShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    StrShape,
    TaggedUnionShape,
    TimedeltaShape,
    TimeShape,
    TupleShape,
    UnionShape,
    UuidShape,
)

__all__ = ["Kind", "cardinality", "kinds"]

Kind = Literal["null", "boolean", "integer", "number", "string", "array", "object"]
"""What a JSON value is; "number" is one with a fraction."""

_ALL: Final = frozenset[Kind](["null", "boolean", "integer", "number", "string", "array", "object"])
_KIND_OF: Final[dict[type, Kind]] = {bool: "boolean", int: "integer", str: "string"}


def kinds(shape: Shape) -> frozenset[Kind]:
    """The kinds of JSON values that *shape* takes."""
    match shape:
        case AnyShape():
            return _ALL
        case NullShape():
            return frozenset(["null"])
        case BoolShape():
            return frozenset(["boolean"])
        case IntShape():
            return frozenset(["integer"])
        case FloatShape():
            return frozenset(["integer", "number"])
        case (
            StrShape()
            | BytesShape()
            | DecimalShape()
            | DatetimeShape()
            | DateShape()
            | TimeShape()
            | TimedeltaShape()
            | UuidShape()
        ):
            return frozenset(["string"])
        case LiteralShape(values):
            return frozenset(_KIND_OF[type(value)] for value in values)
        case EnumShape(_, members):
            return frozenset(_KIND_OF[type(value)] for _, value in members)
        case ArrayShape() | TupleShape() | NamedTupleShape():
            return frozenset(["array"])
        case MapShape() | RecordShape() | TaggedUnionShape():
            return frozenset(["object"])
        case NullableShape(inner):
            return kinds(inner).union(frozenset[Kind](["null"]))
        case Refined(inner):
            return kinds(inner)
        case UnionShape(members):
            return frozenset[Kind]().union(*map(kinds, members))
        case RefShape(definition):
            return kinds(definition.shape)
        case _:
            assert_never(shape)


def cardinality(shape: Shape) -> float:
    """
    How many values *shape* has at least, where they are few and easily counted; else infinite.
    """
    match shape:
        case NullShape():
            return 1
        case BoolShape():
            return 2
        case IntShape(minimum, maximum, multiple_of):
            return maximum // (multiple_of or 1) - -(-minimum // (multiple_of or 1)) + 1
        case LiteralShape(values):
            return len(values)
        case EnumShape(_, members):
            return len(members)
        case NullableShape(inner):
            return cardinality(inner) + 1
        case RefShape(definition) if not definition.recursive:
            return cardinality(definition.shape)
        case UnionShape(members):
            # true and 1 are equal in Python: the sum would be too much
            return max(map(cardinality, members))
        case TupleShape(items):
            return math.prod(map(cardinality, items))
        case _:
            return math.inf
