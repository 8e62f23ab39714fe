"""
Heights: how deep the smallest value of a type is nested, which tells where a recursion can end.

A height is infinite if a value always needs another one of its type.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Mapping

from contract.shape.graph import definitions, parts
from contract.shape.nodes import (
    ArrayShape,
    Definition,
    MapShape,
    NamedTupleShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)

__all__ = ["Heights", "height_of", "heights_of"]

Heights = Mapping[Definition, float]


def heights_of(known: Collection[Definition], level: int) -> Heights:
    """
    The height of each definition among *known*, which has all that these refer to.

    Args:
        known: The definitions.
        level: What each level of a value counts; with 0, only uses of recursive types count.
    """
    # All heights begin as infinite and only decrease. A definition is looked at again whenever one
    # that it refers to has become lower; what never ends stays infinite.
    heights = dict.fromkeys(known, math.inf)
    users: dict[Definition, list[Definition]] = {each: [] for each in known}
    for each in known:
        for shape in parts(each):
            for inner in definitions(shape):
                users[inner].append(each)
    ahead = deque(known)
    waiting = set(known)
    while ahead:
        definition = ahead.popleft()
        waiting.discard(definition)
        height = height_of(definition.shape, heights, level)
        if not level and definition.recursive:
            height += 1
        if height < heights[definition]:
            heights[definition] = height
            for user in users[definition]:  # only the heights of its users can decrease
                if user not in waiting:
                    waiting.add(user)
                    ahead.append(user)
    return heights


def height_of(shape: Shape, known: Heights, level: int) -> float:
    """The height of *shape*, if those of the definitions in it are *known*."""
    match shape:
        case RefShape(definition):
            return known[definition]
        case RecordShape(fields=fields) | NamedTupleShape(fields=fields):
            needed = [each.shape for each in fields if each.init and each.required_in]
            return level + max((height_of(each, known, level) for each in needed), default=0)
        case ArrayShape(item, min_items=least) | MapShape(value=item, min_keys=least):
            if not least:  # it may be empty
                return 0
            return level + height_of(item, known, level)
        case TupleShape(items):
            return level + max((height_of(item, known, level) for item in items), default=0)
        case UnionShape(members):
            return min(height_of(member, known, level) for member in members)
        case TaggedUnionShape(cases=cases):
            return min(known[record.definition] for _, record in cases)
        case Refined(inner):
            return height_of(inner, known, level)
        case _:  # null, and everything without parts
            return 0
