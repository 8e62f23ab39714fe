"""
Types of Python that have a shape as they are, without parts that must be read.

Those of the standard library are in tables. ``Literal`` and ``Enum`` list their values, each of
which must have its own form in JSON.
"""

from __future__ import annotations

import collections
import collections.abc
import inspect
import math
from collections.abc import Iterable, Mapping
from enum import Enum, Flag
from types import NoneType
from typing import Any, Final, Literal, get_origin

from contract.shape.bounds import I64_MIN
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.nodes import (
    AnyShape,
    Container,
    EnumShape,
    LiteralShape,
    NullableShape,
    NullShape,
    Scalar,
    Shape,
)
from contract.shape.quoting import shown
from contract.shape.scalars import ROWS
from contract.shape.scope import display

__all__ = [
    "CONTAINERS",
    "MAPS",
    "SCALARS",
    "abstract",
    "enum_shape",
    "is_text",
    "literal_of",
    "literal_shape",
    "outline_of",
]

SCALARS: Final[Mapping[object, Shape]] = {
    Any: AnyShape(),  # a class since Python 3.11
    object: AnyShape(),  # a type checker accepts the same values
    **{row.python: row.shape for row in ROWS.values() if row.marker is None},
}
"""Types without arguments."""

CONTAINERS: Final[Mapping[Any, Container]] = {
    list: "list",
    set: "set",
    frozenset: "frozenset",
    collections.deque: "deque",
    collections.abc.MutableSequence: "list",
    collections.abc.Sequence: "sequence",
    collections.abc.Collection: "sequence",
    collections.abc.Iterable: "sequence",
    collections.abc.MutableSet: "set",
    collections.abc.Set: "frozenset",
}
"""Types of arrays, with one argument."""

MAPS: Final = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
"""Types of objects with free keys."""


def outline_of(annotation: object) -> Literal["array", "object"] | None:
    """The JSON type of an *annotation* that is an array or a map; None for any other."""
    origin = get_origin(annotation)
    if origin in MAPS:
        return "object"
    return "array" if origin is tuple or origin in CONTAINERS else None


def abstract(origin: type[Any]) -> type[Any] | None:
    """*origin*, a class from the two tables, if it is one of ``collections.abc``; else None."""
    return origin if inspect.isabstract(origin) else None


def literal_of(values: Iterable[Any], where: str) -> LiteralShape:
    """
    A literal of *values*, each once; true is not 1.

    Raises:
        UnsupportedAnnotation: Two have one form on the wire: a member of an enum and its value.
    """
    chosen: dict[tuple[type, Scalar], Any] = {}
    for value in values:
        wire = _wire_of(value)
        other = chosen.setdefault((type(wire), wire), value)
        if isinstance(value, Enum) or isinstance(other, Enum):
            _check_same(other, value, where)
    wires = tuple(wire for _, wire in chosen)
    has_members = any(isinstance(value, Enum) for value in chosen.values())
    return LiteralShape(wires, tuple(chosen.values()) if has_members else ())


def _wire_of(value: Any) -> Scalar:
    wire: Scalar = value.value if isinstance(value, Enum) else value
    return wire


def _check_same(other: object, value: object, where: str) -> None:
    if other is not value:
        raise UnsupportedAnnotation(
            where,
            (
                f"{shown(other)} and {shown(value)} are both {shown(_wire_of(value))} on the wire; "
                "write one of them"
            ),
        )


def literal_shape(values: tuple[Any, ...], where: str) -> Shape:
    """
    The shape of ``Literal[*values]``.

    Raises:
        UnsupportedAnnotation: A value has no JSON form, or shares it with another.
    """
    if not values:
        raise UnsupportedAnnotation(where, "Literal[()] has no values; write at least one")
    for value in values:
        if type(value) is not NoneType and not _has_form(_wire_of(value)):
            raise UnsupportedAnnotation(
                where,
                (
                    f"Literal[{shown(value)}] has no form on the wire; write str, bool, "
                    "None or an int of 64 bits"
                ),
            )
    literal = literal_of((value for value in values if value is not None), where)
    if None not in values:
        return literal
    return NullableShape(literal) if literal.values else NullShape()


def is_text(value: str) -> bool:
    """Whether *value* can be sent: UTF-8 has no form for a lone surrogate."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def enum_shape(cls: type[Enum], where: str) -> EnumShape:
    """
    The shape of an enum.

    Raises:
        UnsupportedAnnotation: Its values cannot be told apart in JSON, or it has no members.
    """
    if issubclass(cls, Flag):
        raise UnsupportedAnnotation(
            where,
            f"{display(cls)} is a Flag, whose values can be combined; write list[...] of an Enum",
        )
    for member in cls:
        if not _has_form(member.value) and not _is_finite(member.value):
            raise UnsupportedAnnotation(
                where,
                (
                    f"{display(cls)}.{member.name} has no form on the wire; write str, "
                    "bool, a finite float or an int of 64 bits"
                ),
            )
    if not len(cls):
        raise UnsupportedAnnotation(where, f"{display(cls)} has no members; write at least one")
    return EnumShape(cls, tuple((member.name, member.value) for member in cls))


def _is_finite(value: object) -> bool:
    return type(value) is float and math.isfinite(value)


def _has_form(value: object) -> bool:
    if type(value) is str:
        return is_text(value)
    return type(value) is bool or (type(value) is int and I64_MIN <= value < 2**64)
