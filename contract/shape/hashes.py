"""
Hashes: which values can be thought up so that a set or a map of them is slow, and how many of those are taken.

Python's hash of a number, a UUID, a moment or a tuple of them is a formula that anybody can invert. A table of n values that share
their way through it takes n² steps, and they need not share their hashes for that: where a place is taken, the next one to be tried
depends on less and less of the hash, so that values with different hashes walk one path. 926 kB of such ints took 3.6 seconds.
Nothing tells them from others without walking that path, so their number is bounded, where the author has not done so;
the limit is part of what the type says: it stands in the schema of the input, and nowhere else.
Text, bytes and dates have a secret in their hash.
"""

from __future__ import annotations

from typing import Final

from contract.shape.graph import children
from contract.shape.nodes import (
    ArrayShape,
    BoolShape,
    BytesShape,
    DateShape,
    EnumShape,
    IntShape,
    LiteralShape,
    MapShape,
    NullableShape,
    NullShape,
    Refined,
    RefShape,
    Shape,
    StrShape,
    UnionShape,
)

__all__ = ["MAX_FORGEABLE", "is_capped", "is_forgeable", "most_items", "most_keys"]

MAX_FORGEABLE: Final = 4096
"""
Items of a set, or keys of a map, that anybody can think up: the worst of them cost 5 ms, and all
that fit into a megabyte 0.2 s.

``MaxLen`` on the set or the map, whether it is less or more, takes the place of this.
"""


def is_forgeable(shape: Shape) -> bool:
    """Whether anybody can think up more than `MAX_FORGEABLE` values of *shape* that make a set of them slow."""
    match shape:
        case (
            NullShape()
            | BoolShape()
            | StrShape()
            | BytesShape()
            | DateShape()
            | LiteralShape()
            | EnumShape()
        ):
            return False
        case IntShape(low, high):
            return high - low >= MAX_FORGEABLE
        case NullableShape(inner) | Refined(inner):
            return is_forgeable(inner)
        case UnionShape(members):
            return any(map(is_forgeable, members))
        case RefShape(definition):
            return not isinstance(definition.shape, EnumShape)
        case _:
            return True


def most_items(array: ArrayShape) -> int | None:
    """How many items an input of *array* may have."""
    return (
        MAX_FORGEABLE
        if array.unique and array.max_items is None and is_forgeable(array.item)
        else array.max_items
    )


def most_keys(of: MapShape) -> int | None:
    """How many keys an input of *of* may have."""
    return MAX_FORGEABLE if of.max_keys is None and is_forgeable(of.key) else of.max_keys


def is_capped(shape: Shape) -> bool:
    """
    Whether an input of *shape* has a limit that an output has not; no reference is looked into.
    """
    if isinstance(shape, ArrayShape) and most_items(shape) != shape.max_items:
        return True
    if isinstance(shape, MapShape) and most_keys(shape) != shape.max_keys:
        return True
    return any(map(is_capped, children(shape)))
