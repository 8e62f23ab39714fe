"""Types: what a type of a document is in TypeScript."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

from contract.codegen.model import (
    AnyType,
    ArrayType,
    BoolType,
    BytesType,
    FloatType,
    IntType,
    LiteralType,
    MapType,
    NamedType,
    NullableType,
    NullType,
    RecordDeclaration,
    Scalar,
    StrType,
    TaggedType,
    TextKind,
    TextType,
    TupleType,
    Type,
    UnionType,
)
from contract.codegen.typescript.layout import Node, one_of
from contract.codegen.typescript.literals import is_safe, key_of, quoted
from contract.codegen.typescript.scope import Scope

__all__ = ["literal_members", "note_on", "type_node", "type_of"]

_TEXTS: Final[dict[TextKind, str]] = {
    "decimal": 'A decimal number in a text, such as "12.50".',
    "datetime": 'A moment with its offset, such as "2026-01-31T10:00:00Z".',
    "date": 'A day, such as "2026-01-31".',
    "time": 'A time of the day, such as "10:00:00".',
    "timedelta": 'A duration, such as "P1DT2H".',
    "uuid": 'A UUID, such as "123e4567-e89b-12d3-a456-426614174000".',
    "int": 'An integer in a text, such as "42".',
}


def type_of(of: Type, scope: Scope) -> str:
    """The type of a value of *of*, on one line."""
    return " | ".join(_alternatives(of, scope))


def type_node(of: Type, scope: Scope) -> Node:
    """The same, to be laid out."""
    return one_of(_alternatives(of, scope))


def literal_members(values: Iterable[Scalar]) -> list[str]:
    """The types of *values*, without those that no number of JavaScript is."""
    return [
        quoted(value) if isinstance(value, str) else str(value).lower()
        for value in values
        if is_safe(value)
    ] or ["never"]


def note_on(of: Type, scope: Scope) -> str | None:
    """What is not to be seen of a type, where it says ``string`` or ``[]``."""
    match of:
        case NullableType(inner):
            return note_on(inner, scope)
        case TextType("datetime") if scope.dates == "Date":
            return None
        case TextType(kind):
            return _TEXTS[kind]
        case ArrayType(container="set" | "frozenset"):
            return "No item stands in it twice."
        case _:
            return None


def _alternatives(of: Type, scope: Scope) -> list[str]:
    match of:
        case AnyType():
            return ["JsonValue"]
        case NullType():
            return ["null"]
        case BoolType():
            return ["boolean"]
        case IntType() | FloatType():
            return ["number"]
        case StrType():
            return ["string"]
        case BytesType():
            return ["Uint8Array"]
        case TextType(kind):
            return ["Date"] if kind == "datetime" and scope.dates == "Date" else ["string"]
        case LiteralType(values):
            return literal_members(values)
        case ArrayType(item):
            return [f"{_single(item, scope)}[]"]
        case TupleType(items):
            return [f"[{', '.join(type_of(item, scope) for item in items)}]"]
        case MapType(key, value):
            return [f"{{ {_key(key, scope)}: {type_of(value, scope)} }}"]
        case NullableType(inner):
            return _united([*_alternatives(inner, scope), "null"])
        case UnionType(members):
            return _united(found for member in members for found in _alternatives(member, scope))
        case TaggedType():
            return _cases(of, scope)
        case NamedType(name):
            return [scope.types[name]]
        case _:
            assert_never(of)


def _single(of: Type, scope: Scope) -> str:
    found = _alternatives(of, scope)
    return found[0] if len(found) == 1 else f"({' | '.join(found)})"


def _united(found: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(found)]


def _key(key: Type, scope: Scope) -> str:
    """The key of a map: one of few is the name of a member that may be absent."""
    match key:
        case LiteralType(values):
            return f"[key in {' | '.join(literal_members(values))}]?"
        case NamedType(name) if scope.types[name] and not isinstance(
            scope.resolved(key), StrType | TextType
        ):
            return f"[key in {scope.types[name]}]?"
        case _:
            return "[key: string]"


def _cases(of: TaggedType, scope: Scope) -> list[str]:
    tags: dict[NamedType, list[Scalar]] = {}
    for tag, record in of.cases:
        tags.setdefault(record, []).append(tag)
    return [_case(of.tag, record, values, scope) for record, values in tags.items()]


def _case(tag: str, record: NamedType, values: list[Scalar], scope: Scope) -> str:
    """
    A record as it stands in a union, where its tag has to be there, be there a default or not.
    """
    name = scope.types[record.name]
    declaration = scope.resolved(record)
    # a tagged union has no other members
    assert isinstance(declaration, RecordDeclaration)  # noqa: S101
    if all(field.required for field in declaration.fields if field.wire == tag):
        return name
    return f"({name} & {{ {key_of(tag)}: {' | '.join(literal_members(values))} }})"
