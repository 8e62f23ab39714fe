"""Traits: what the generator of source asks about a shape before it writes a line for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from contract.pred.dump.classes import python_types
from contract.shape.graph import children
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    Definition,
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

__all__ = ["Traits", "by_class", "is_native"]

_ANY_INT = IntShape()


def is_native(shape: Shape) -> bool:
    """Whether orjson writes every value that is checked for its exact type as it is, and nothing can change it between the two."""
    match shape:
        case (
            NullShape()
            | BoolShape()
            | IntShape()
            | FloatShape()
            | StrShape()
            | DateShape()
            | UuidShape()
            | LiteralShape()
        ):
            return True
        case (
            AnyShape()
            | BytesShape()
            | DecimalShape()
            | DatetimeShape()
            | TimeShape()
            | TimedeltaShape()
            | MapShape()
        ):
            return False
        case EnumShape() | RecordShape() | NamedTupleShape() | TaggedUnionShape():
            return False
        case RefShape(definition):
            return not definition.recursive and is_native(definition.shape)
        case NullableShape(inner) | Refined(inner):
            return is_native(inner)
        case ArrayShape(item, container):
            return container == "tuple" and is_native(item)
        case TupleShape(items):
            return all(map(is_native, items))
        case UnionShape(members):
            return all(map(is_native, members)) and all(
                len(fitting) == 1 for _, fitting in by_class(members)
            )
        case _:
            assert_never(shape)


def by_class(members: Sequence[Shape]) -> list[tuple[list[type[Any]], list[Shape]]]:
    """The exact classes of the values of a union, each group with those of *members* that take it, in order."""
    fitting: dict[type[Any], list[Shape]] = {}
    for member in members:
        for cls in dict.fromkeys(python_types(member)):
            fitting.setdefault(cls, []).append(member)
    groups: dict[tuple[int, ...], tuple[list[type[Any]], list[Shape]]] = {}
    for cls, shapes in fitting.items():
        if cls is int and shapes[0] == _ANY_INT:
            shapes = shapes[:1]  # ``int | float``: nothing is left for the float
        groups.setdefault(tuple(map(id, shapes)), ([], shapes))[0].append(cls)
    return list(groups.values())


class Traits:
    """
    Answers that take a walk through the definitions below a shape; each is walked through once.
    """

    def __init__(self) -> None:
        self._deep: dict[Definition, bool] = {}
        self._height: dict[Definition, int] = {}

    def deep(self, shape: Shape) -> bool:
        """Whether the height of a value is not known from *shape*."""
        match shape:
            case AnyShape():
                return True
            case RefShape(definition):
                if definition not in self._deep:
                    self._deep[definition] = definition.recursive or self.deep(definition.shape)
                return self._deep[definition]
            case _:
                return any(map(self.deep, children(shape)))

    def height(self, shape: Shape) -> int:
        """Arrays and objects within each other in a value of *shape*, at most, down to where the depth is checked again."""
        match shape:
            case RefShape(definition):
                if definition.recursive:
                    return 0
                if definition not in self._height:
                    self._height[definition] = self.height(definition.shape)
                return self._height[definition]
            case _:
                own = isinstance(
                    shape, ArrayShape | TupleShape | MapShape | RecordShape | NamedTupleShape
                )
                return own + max(map(self.height, children(shape)), default=0)
