"""Checks: what is refused in a field, or in a tree that is complete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final

from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.graph import is_hashable, reachable
from contract.shape.markers import UNSET
from contract.shape.names import label
from contract.shape.nodes import ArrayShape, Basic, Definition, Field, LiteralShape, RefShape, Shape
from contract.shape.records import ClassKind, Declared
from contract.shape.scalars import row_of
from contract.shape.values import is_text

__all__ = [
    "check_bounded",
    "check_hashable",
    "check_key",
    "check_qualifiers",
    "check_unset",
    "check_wires",
]


_ALLOWED: Final[Mapping[ClassKind, tuple[str, ...]]] = {
    "dataclass": ("Final",),
    "typeddict": ("Required", "NotRequired", "ReadOnly"),
}


def check_qualifiers(
    qualifiers: frozenset[str], declared: Declared, kind: ClassKind, where: str
) -> None:
    """
    Refuse a qualifier that this kind of class does not have, or that its maker did not understand.
    """
    allowed: set[str] = {*_ALLOWED.get(kind, ())}
    if declared.init_only:
        allowed.add("InitVar")
    wrong = sorted(qualifiers - allowed)
    if wrong:
        raise UnsupportedAnnotation(
            where,
            (
                f"{wrong[0]} has no meaning here (dataclasses knows it only under its own name); "
                "leave it out"
            ),
        )


def check_unset(declared: Declared, kind: ClassKind, where: str) -> None:
    """Refuse Unset where no value could be absent."""
    if kind == "typeddict":
        raise UnsupportedAnnotation(
            where, "a key of a TypedDict cannot be Unset; write NotRequired[...]"
        )
    if kind == "namedtuple":
        raise UnsupportedAnnotation(
            where, "an item of a named tuple cannot be absent; write T | None, or a dataclass"
        )
    if declared.default is not UNSET:
        raise UnsupportedAnnotation(
            where, "a field that may be Unset has UNSET as its default; write `= UNSET`"
        )


def check_wires(fields: tuple[Field, ...], where: str) -> None:
    """Refuse two fields of one name, and a name that cannot be sent."""
    seen: dict[str, str] = {}
    for field in fields:
        if not is_text(field.wire):
            raise UnsupportedAnnotation(
                where,
                f"the key {field.wire!a} holds a surrogate, which UTF-8 cannot carry; leave it out",
            )
        other = seen.setdefault(field.wire, field.name)
        if other != field.name:
            raise UnsupportedAnnotation(
                where,
                (
                    f"{other} and {field.name} are both {field.wire!r} on the wire; "
                    "write Name(...) on one"
                ),
            )


def check_hashable(array: ArrayShape, where: str) -> None:
    """Refuse a set of what cannot be hashed."""
    if not is_hashable(array.item):
        raise UnsupportedAnnotation(
            where,
            (
                f"{label(array.item)} cannot be hashed, so no set holds it; "
                "write list[...] or a frozen dataclass"
            ),
        )


def check_key(key: Shape, where: str) -> None:
    """Refuse keys that are not written as strings of one form."""
    match key:
        case Basic() if row_of(key).is_key:
            return
        case LiteralShape(values) if all(isinstance(value, str) for value in values):
            return
        case RefShape(definition) if _is_enum_of_strings(definition.key[0]):
            return
        case _:
            pass
    advice = (
        "write str, int, UUID, date, Literal[...] of strings or an Enum of strings; "
        "or a list of pairs"
    )
    raise UnsupportedAnnotation(where, f"{label(key)} cannot be the key of an object; {advice}")


def _is_enum_of_strings(kind: object) -> bool:
    return (
        isinstance(kind, type)
        and issubclass(kind, Enum)
        and all(isinstance(member.value, str) for member in kind)
    )


def check_bounded(arrays: Sequence[Shape], owner: Definition, where: str) -> None:
    """
    Refuse a union that contains itself through two arrays.

    Each level would be tried once for each array, and 110 bytes could cost seconds.
    """
    if any(owner in reachable(array) for array in arrays):
        names = " and ".join(map(label, arrays[:2]))
        raise UnsupportedAnnotation(
            where, f"{names} contain the union that they stand in; write one list of a union"
        )
