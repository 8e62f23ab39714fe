"""
Flooding: limits on sets and maps, so that no input can make them slow.

Python's hash of a number, a UUID, a moment or a tuple of them is a formula that anybody can invert.
The hashes of text, bytes and dates are keyed with a secret. Two attacks follow, with a rule against
each:

1. *Values with one path through a table.* A table of n of them takes n² steps. They need not share
   their hashes: if a place is taken, the next one to try depends on less and less of the hash, so
   different hashes lead along one path. 926 kB of such ints took 3.6 seconds. Only walking that
   path tells them from others, so their number is limited unless the author has done so
   (`most_items`, `most_keys`). The limit is part of the type: the schema of the input has it, and
   no other.
2. *Values with one hash.* A set of n of them costs n² comparisons: a megabyte of Decimals took
   fourteen seconds. Hashes are counted first, which costs n (`too_many_equal`). An int of 64 bits
   shares its hash with eight others at most, a float with thirty-five, so neither is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, Final

from contract.shape.graph import children
from contract.shape.nodes import (
    ArrayShape,
    Basic,
    EnumShape,
    IntShape,
    LiteralShape,
    MapShape,
    NullableShape,
    Refined,
    RefShape,
    Shape,
    UnionShape,
)
from contract.shape.scalars import row_of

__all__ = [
    "MAX_FORGEABLE",
    "has_safe_hash",
    "is_capped",
    "is_forgeable",
    "most_items",
    "most_keys",
    "too_many_equal",
]

MAX_FORGEABLE: Final = 4096
"""
The most items of a set, or keys of a map, if an attacker can choose their hashes.

The worst of them cost 5 ms, and all that fit into a megabyte 0.2 s.

A ``MaxLen`` on the set or the map replaces it, whether lower or higher.
"""


def is_forgeable(shape: Shape) -> bool:
    """Whether an attacker can find more than `MAX_FORGEABLE` values that make a set slow."""
    match shape:
        case IntShape(low, high):
            return high - low >= MAX_FORGEABLE  # otherwise there are not so many ints
        case Basic():
            return row_of(shape).hashes != "secret"
        case LiteralShape() | EnumShape():
            return False
        case NullableShape(inner) | Refined(inner):
            return is_forgeable(inner)
        case UnionShape(members):
            return any(map(is_forgeable, members))
        case RefShape(definition):
            # all that a record or a named tuple holds may be chosen by the sender
            return not isinstance(definition.shape, EnumShape)
        case _:
            return True


def most_items(array: ArrayShape) -> int | None:
    """The most items that an input of *array* may have."""
    if array.unique and array.max_items is None and is_forgeable(array.item):
        return MAX_FORGEABLE
    return array.max_items


def most_keys(of: MapShape) -> int | None:
    """The most keys that an input of *of* may have."""
    if of.max_keys is None and is_forgeable(of.key):
        return MAX_FORGEABLE
    return of.max_keys


def is_capped(shape: Shape) -> bool:
    """Whether an input of *shape* has a limit that an output lacks; references are ignored."""
    if isinstance(shape, ArrayShape) and most_items(shape) != shape.max_items:
        return True
    if isinstance(shape, MapShape) and most_keys(shape) != shape.max_keys:
        return True
    return any(map(is_capped, children(shape)))


_MAX_EQUAL: Final = 16
"""The most different values with one hash that are still put into a set."""


def has_safe_hash(shape: Shape) -> bool:
    """Whether nobody can find many values of *shape* with one hash."""
    match shape:
        case Basic():
            return row_of(shape).hashes != "equal"
        case LiteralShape() | EnumShape():
            return True
        case NullableShape(inner) | Refined(inner):
            return has_safe_hash(inner)
        case UnionShape(members):
            return all(has_safe_hash(member) for member in members)
        case RefShape(definition):
            return isinstance(definition.shape, EnumShape)
        case _:
            return False


def too_many_equal(values: Collection[Any]) -> bool:
    """Whether more than `_MAX_EQUAL` of *values* have one hash."""
    return len(values) > _MAX_EQUAL and max(Counter(map(hash, values)).values()) > _MAX_EQUAL
