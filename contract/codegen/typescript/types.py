"""Types: what a shape is in TypeScript."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

from contract.codegen.typescript.layout import Node, one_of
from contract.codegen.typescript.literals import is_safe, key_of, quoted
from contract.codegen.typescript.scope import Scope, resolved
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
    Scalar,
    Shape,
    StrShape,
    TaggedUnionShape,
    TimedeltaShape,
    TimeShape,
    TupleShape,
    UnionShape,
    UuidShape,
)

__all__ = ["literal_members", "note_on", "type_node", "type_of"]

_TEXTS: Final[dict[type[Shape], str]] = {
    DecimalShape: 'A decimal number in a text, such as "12.50".',
    DatetimeShape: 'A moment with its offset, such as "2026-01-31T10:00:00Z".',
    DateShape: 'A day, such as "2026-01-31".',
    TimeShape: 'A time of the day, such as "10:00:00".',
    TimedeltaShape: 'A duration, such as "P1DT2H".',
    UuidShape: 'A UUID, such as "123e4567-e89b-12d3-a456-426614174000".',
}


def type_of(of: Shape, scope: Scope) -> str:
    """The type of a value of *of*, on one line."""
    return " | ".join(_alternatives(of, scope))


def type_node(of: Shape, scope: Scope) -> Node:
    """The type of *of* in TypeScript, to be laid out."""
    return one_of(_alternatives(of, scope))


def literal_members(values: Iterable[Scalar]) -> list[str]:
    """The types of *values*, without those that no number of JavaScript is."""
    return [
        quoted(value) if isinstance(value, str) else str(value).lower()
        for value in values
        if is_safe(value)
    ] or ["never"]


def note_on(of: Shape, scope: Scope) -> str | None:
    """A note on rules that the type does not show where it says ``string`` or ``[]``."""
    match of:
        case NullableShape(inner):
            return note_on(inner, scope)
        case DatetimeShape() if scope.dates == "Date":
            return None
        case ArrayShape(container="set" | "frozenset"):
            return "No item stands in it twice."
        case _:
            return _TEXTS.get(type(of))


def _alternatives(of: Shape, scope: Scope) -> list[str]:
    match of:
        case AnyShape():
            return ["JsonValue"]
        case NullShape():
            return ["null"]
        case BoolShape():
            return ["boolean"]
        case IntShape() | FloatShape():
            return ["number"]
        case BytesShape():
            return ["Uint8Array"]
        case DatetimeShape():
            return ["Date"] if scope.dates == "Date" else ["string"]
        case (
            StrShape() | DecimalShape() | DateShape() | TimeShape() | TimedeltaShape() | UuidShape()
        ):
            return ["string"]
        case LiteralShape(values):
            return literal_members(values)
        case ArrayShape(item):
            return [f"{_single(item, scope)}[]"]
        case TupleShape(items):
            return [f"[{', '.join(type_of(item, scope) for item in items)}]"]
        case MapShape(key, value):
            return [f"{{ {_key(key, scope)}: {type_of(value, scope)} }}"]
        case NullableShape(inner):
            return _united([*_alternatives(inner, scope), "null"])
        case UnionShape(members):
            return _united(found for member in members for found in _alternatives(member, scope))
        case TaggedUnionShape():
            return _cases(of, scope)
        case Refined() | RecordShape() | NamedTupleShape() | EnumShape():
            raise AssertionError("no document has predicates, and these have names")
        case RefShape(definition):
            return [scope.types[definition.name]]
        case _:
            assert_never(of)


def _single(of: Shape, scope: Scope) -> str:
    found = _alternatives(of, scope)
    return found[0] if len(found) == 1 else f"({' | '.join(found)})"


def _united(found: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(found)]


def _key(key: Shape, scope: Scope) -> str:
    """The key of a map: one of few is the name of a member that may be absent."""
    match resolved(key):
        case LiteralShape() | EnumShape():
            return f"[key in {type_of(key, scope)}]?"
        case _:
            return "[key: string]"


def _cases(of: TaggedUnionShape, scope: Scope) -> list[str]:
    tags: dict[Definition, list[Scalar]] = {}
    for tag, record in of.cases:
        tags.setdefault(record.definition, []).append(tag)
    return [_case(of.tag, record, values, scope) for record, values in tags.items()]


def _case(tag: str, record: Definition, values: list[Scalar], scope: Scope) -> str:
    """
    A record as it stands in a union, where its tag has to be there, be there a default or not.
    """
    name, shape = scope.types[record.name], record.shape
    assert isinstance(shape, RecordShape)  # noqa: S101  a tagged union has no other members
    if all(field.required_in for field in shape.fields if field.wire == tag):
        return name
    return f"({name} & {{ {key_of(tag)}: {' | '.join(literal_members(values))} }})"
