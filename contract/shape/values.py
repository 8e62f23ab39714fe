"""Values: shapes that list what they take, ``Literal`` and ``Enum``; each value has to have a form of its own in JSON."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, Flag
from types import NoneType
from typing import Any

from contract.exceptions import UnsupportedAnnotation
from contract.shape.nodes import I64_MIN, EnumShape, LiteralShape, NullableShape, NullShape, Shape
from contract.shape.scope import display

__all__ = ["enum_shape", "literal_of", "literal_shape"]


def literal_of(values: Iterable[str | int | bool]) -> LiteralShape:
    """A literal of *values*, each once; true is not 1."""
    return LiteralShape(tuple({(type(value), value): value for value in values}.values()))


def literal_shape(values: tuple[Any, ...], where: str) -> Shape:
    """
    The shape of ``Literal[*values]``.

    Raises:
        UnsupportedAnnotation: A value has no form of its own in JSON.
    """
    for value in values:
        if isinstance(value, Enum):
            instead = f"Literal[{value.value!r}], or the enum itself"
            raise UnsupportedAnnotation(where, f"Literal[{value}] has a member of an enum; write {instead}")
        if type(value) is not NoneType and not _has_form(value):
            raise UnsupportedAnnotation(where, f"Literal[{value!r}] has no form on the wire; write str, bool, None or an int of 64 bits")
    literal = literal_of(value for value in values if value is not None)
    if None not in values:
        return literal
    return NullableShape(literal) if literal.values else NullShape()


def enum_shape(cls: type[Enum], where: str) -> EnumShape:
    """
    The shape of an enum.

    Raises:
        UnsupportedAnnotation: Its values cannot be told apart in JSON, or it has none.
    """
    if issubclass(cls, Flag):
        raise UnsupportedAnnotation(where, f"{display(cls)} is a Flag, whose values can be combined; write list[...] of an Enum")
    for member in cls:
        if not _has_form(member.value):
            raise UnsupportedAnnotation(
                where, f"{display(cls)}.{member.name} has no form on the wire; write str, bool or an int of 64 bits"
            )
    if not len(cls):
        raise UnsupportedAnnotation(where, f"{display(cls)} has no members; write at least one")
    return EnumShape(cls, tuple((member.name, member.value) for member in cls))


def _has_form(value: object) -> bool:
    if type(value) is str:
        try:
            value.encode()
        except UnicodeEncodeError:  # a lone surrogate
            return False
        return True
    return type(value) is bool or (type(value) is int and I64_MIN <= value < 2**64)
