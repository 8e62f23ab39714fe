"""Classes: which exact Python types a value of a shape can have."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from types import NoneType
from typing import Any, Final, assert_never
from uuid import UUID

from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    Container,
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

__all__ = ["CONTAINERS", "python_types"]

CONTAINERS: Final[Mapping[Container, tuple[type[Any], ...]]] = {
    "list": (list,),
    "tuple": (tuple,),
    "set": (set, frozenset),
    "frozenset": (frozenset, set),
    "sequence": (list, tuple),
}
"""
The classes that each kind of array takes.

A set and a frozenset are one array, and ``collections.abc.Set`` is either; a tuple for a list is
somebody's mistake.
"""


def python_types(shape: Shape) -> tuple[type[Any], ...]:
    """The exact types of the values that can fit *shape*, most of them one."""
    match shape:
        case RefShape(definition):
            return python_types(definition.shape)
        case Refined(inner):
            return python_types(inner)
        case NullableShape(inner):
            return (NoneType, *python_types(inner))
        case UnionShape(members):
            return tuple(cls for member in members for cls in python_types(member))
        case TaggedUnionShape(_, _, cases):
            return tuple(cls for _, record in cases for cls in python_types(record))
        case AnyShape():
            return (NoneType, bool, int, float, str, list, dict)
        case ArrayShape(_, container):
            return CONTAINERS[container]
        case TupleShape():
            return (tuple,)
        case MapShape() | RecordShape("typeddict"):
            return (dict,)
        case RecordShape(_, cls) | NamedTupleShape(cls) | EnumShape(cls):
            return (cls,)
        case LiteralShape(values):
            return tuple({type(value): None for value in values})
        case NullShape():
            return (NoneType,)
        case BoolShape():
            return (bool,)
        case IntShape():
            return (int,)
        case FloatShape():
            return (float, int)
        case StrShape():
            return (str,)
        case BytesShape():
            return (bytes,)
        case DecimalShape():
            return (Decimal,)
        case DatetimeShape():
            return (datetime,)
        case DateShape():
            return (date,)
        case TimeShape():
            return (time,)
        case TimedeltaShape():
            return (timedelta,)
        case UuidShape():
            return (UUID,)
        case _:
            assert_never(shape)
