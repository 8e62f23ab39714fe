"""
Hashes: sets and maps that cannot be made slow.

Python's hash of a Decimal, a UUID or a tuple of numbers is a formula that anybody can invert, and a
set of n values with one hash costs n² comparisons: a megabyte of them took fourteen seconds. Hashes
are counted first, which costs n. Text, bytes and dates have a secret in theirs; an int of 64 bits
shares its hash with eight others at most, a float with thirty-five.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, Final

from contract.shape.nodes import (
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    EnumShape,
    FloatShape,
    IntShape,
    LiteralShape,
    NullableShape,
    NullShape,
    Refined,
    RefShape,
    Shape,
    StrShape,
    UnionShape,
)

__all__ = ["has_safe_hash", "too_many_equal"]

_MAX_EQUAL: Final = 16
"""Different values with one hash that are still put into a set."""


def has_safe_hash(shape: Shape) -> bool:
    """Whether nobody can think up many values of *shape* with one hash."""
    match shape:
        case NullShape() | BoolShape() | IntShape() | FloatShape() | StrShape() | BytesShape():
            return True
        case DateShape() | DatetimeShape() | LiteralShape() | EnumShape():
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
