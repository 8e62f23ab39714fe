"""Measures: what can be said of a shape without drawing from it."""

from __future__ import annotations

import math

from contract.shape.graph import json_types
from contract.shape.nodes import (
    BoolShape,
    EnumShape,
    IntShape,
    LiteralShape,
    NullableShape,
    NullShape,
    RefShape,
    Shape,
    TupleShape,
    UnionShape,
)
from contract.shape.scalars import JsonType

__all__ = ["Kind", "cardinality", "kinds"]

Kind = JsonType
"""The kind of a JSON value; "number" is one with a fraction."""


def kinds(shape: Shape) -> frozenset[Kind]:
    """The kinds of JSON values that *shape* takes."""
    found: set[Kind] = {*json_types(shape)}
    if "number" in found:
        found.add("integer")
    return frozenset(found)


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
