"""
Unions: whether the members of one can be told apart.

A value says by itself which member it is of: by its JSON type, by a tag, or by forms that exclude
each other. That is so in all that `contract.document.json_schema` writes; where others wrote a
union it is looked after here, since code could only guess which member was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final, final

from contract.codegen.forms import BASE64, PATTERNS
from contract.codegen.model import (
    AliasDeclaration,
    AnyType,
    ArrayType,
    BoolType,
    BytesType,
    Declaration,
    EnumDeclaration,
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
    TextType,
    TupleType,
    Type,
    UnionType,
)
from contract.codegen.spots import Spot

__all__ = ["check_unions"]

_MOST_STEPS: Final = 200_000
"""
Pairs that are looked at in one document; the unions that types have are told apart in some
thousands.
"""

_JSON_TYPES: Final[Mapping[type, frozenset[str]]] = {
    AnyType: frozenset({"null", "boolean", "number", "string", "array", "object"}),
    NullType: frozenset({"null"}),
    BoolType: frozenset({"boolean"}),
    **dict.fromkeys((IntType, FloatType), frozenset({"number"})),
    **dict.fromkeys((StrType, BytesType, TextType), frozenset({"string"})),
    **dict.fromkeys((ArrayType, TupleType), frozenset({"array"})),
    **dict.fromkeys((MapType, TaggedType), frozenset({"object"})),
}
"""Of the types that are not made of others for the same value, and list no values."""

_NOTHING: Final[frozenset[str]] = frozenset()
_OVERLAPPING: Final = ({"bytes", "decimal"}, {"bytes", "timedelta"})
"""
``1234`` and ``PT1S`` are base64, too; of all other forms each has a character where no other has
it.
"""

_PATTERNS: Final[Mapping[str, frozenset[str]]] = {
    "bytes": frozenset({BASE64}),
    **{str(kind): known for kind, known in PATTERNS.items()},
}

_SAME_VALUE: Final = (BoolType, IntType, FloatType, StrType, LiteralType)
"""Where two of these take one JSON value, it is the same value in either."""


def check_unions(
    unions: Iterable[tuple[Spot, UnionType]], declarations: Mapping[str, Declaration]
) -> None:
    """
    Refuse unions whose members cannot be told apart.

    Raises:
        GenerationError: One of *unions* is such a one.
    """
    check = _Check(declarations)
    for spot, union in unions:
        for one, other in combinations(
            [member for member in check.flat(union) if not isinstance(member, NullType)], 2
        ):
            if not check.distinct(one, other):
                raise spot.refuse(
                    "two of these cannot be told apart; write one of them, or oneOf with objects that have a field with a const to tell by"
                )
            if check.steps > _MOST_STEPS:
                raise spot.refuse(
                    "there are too many unions of too many members in this document; write fewer"
                )


@final
class _Check:
    """Compares the types of one document."""

    def __init__(self, declarations: Mapping[str, Declaration]) -> None:
        self.steps = 0
        self._declarations = declarations
        self._json_types: dict[str, frozenset[str]] = {}
        self._tags: dict[str, dict[str, frozenset[tuple[type, Scalar]]]] = {}

    def flat(self, union: Type) -> Iterator[Type]:
        """The members of *union*, and of those among them that are unions by another name."""
        ahead: list[Type] = [union]
        seen: set[str] = set()
        while ahead:
            self.steps += 1
            member = ahead.pop()
            alias = self._declarations[member.name] if isinstance(member, NamedType) else None
            if isinstance(member, UnionType):
                ahead += member.members[::-1]
            elif isinstance(member, NullableType):
                ahead += (member.inner, NullType())
            elif isinstance(alias, AliasDeclaration):
                if alias.name not in seen:
                    seen.add(alias.name)
                    ahead.append(alias.type)
            else:
                yield member

    def distinct(self, a: Type, b: Type) -> bool:
        """Whether no JSON value is another value in *a* than in *b*."""
        self.steps += 1
        if not self.json_types(a) & self.json_types(b):
            return True
        if isinstance(a, _SAME_VALUE) and isinstance(b, _SAME_VALUE):
            return True
        match a, b:
            case ArrayType(), ArrayType() if a.container == b.container:
                return self._all_distinct(a.item, b.item)
            case TupleType(), TupleType():
                pairs = zip(a.items, b.items, strict=False)
                return len(a.items) != len(b.items) or all(
                    self._all_distinct(one, other) for one, other in pairs
                )
            case ((TaggedType() | NamedType()), (TaggedType() | NamedType())) if self._is_record(
                a
            ) and self._is_record(b):
                return all(
                    self._told_apart(one, other) for one in _records(a) for other in _records(b)
                )
            case _:
                return self._are_distinct_texts(a, b)

    def json_types(self, of: Type) -> frozenset[str]:
        """What the values of *of* are in JSON."""
        if isinstance(of, NamedType):
            if of.name not in self._json_types:
                self._json_types[of.name] = _NOTHING.union(*map(self._own_types, self.flat(of)))
            return self._json_types[of.name]
        return self._own_types(of)

    def _own_types(self, of: Type) -> frozenset[str]:
        """The same of what is no union, and no name of one."""
        if isinstance(of, LiteralType):
            return _types_of(of.values)
        if isinstance(of, NamedType):
            declared = self._declarations[of.name]
            if isinstance(declared, EnumDeclaration):
                return _types_of(value for _, value in declared.members)
            return frozenset({"object" if isinstance(declared, RecordDeclaration) else "array"})
        return _JSON_TYPES[type(of)]

    def _all_distinct(self, a: Type, b: Type) -> bool:
        return all(
            self.distinct(one, other) for one in _alternatives(a) for other in _alternatives(b)
        )

    # Records, by a tag.

    def _is_record(self, of: TaggedType | NamedType) -> bool:
        return isinstance(of, TaggedType) or isinstance(
            self._declarations[of.name], RecordDeclaration
        )

    def _told_apart(self, one: str, other: str) -> bool:
        self.steps += 1
        tags, others = self._tags_of(one), self._tags_of(other)
        return one == other or any(
            tag in others and values.isdisjoint(others[tag]) for tag, values in tags.items()
        )

    def _tags_of(self, name: str) -> dict[str, frozenset[tuple[type, Scalar]]]:
        if name not in self._tags:
            record = self._declarations[name]
            fields = record.fields if isinstance(record, RecordDeclaration) else ()
            self._tags[name] = {
                field.wire: _keys(field.type.values)
                for field in fields
                if isinstance(field.type, LiteralType)
            }
            self.steps += len(fields)
        return self._tags[name]

    # Texts, by their forms.

    def _are_distinct_texts(self, a: Type, b: Type) -> bool:
        if a == b:
            return True
        forms = _form(a), _form(b)
        if None not in forms:
            return {*forms} not in _OVERLAPPING
        values = self._values(a), self._values(b)
        if values[0] is not None and values[1] is not None:
            return values[0].isdisjoint(values[1])
        for listed, form in ((values[0], forms[1]), (values[1], forms[0])):
            if listed is not None and form is not None:
                return not any(_has_form(value, form) for _, value in listed)
        return False

    def _values(self, of: Type) -> frozenset[tuple[type, Scalar]] | None:
        """All values of a type that lists them."""
        if isinstance(of, LiteralType):
            return _keys(of.values)
        declared = self._declarations[of.name] if isinstance(of, NamedType) else None
        return (
            _keys(value for _, value in declared.members)
            if isinstance(declared, EnumDeclaration)
            else None
        )


def _alternatives(of: Type) -> tuple[Type, ...]:
    """
    The members of a union, null included.

    What a name stands for is not looked into, since it may be this very union.
    """
    if isinstance(of, NullableType):
        return NullType(), *_alternatives(of.inner)
    return of.members if isinstance(of, UnionType) else (of,)


def _records(of: TaggedType | NamedType) -> list[str]:
    return (
        [of.name]
        if isinstance(of, NamedType)
        else [*dict.fromkeys(record.name for _, record in of.cases)]
    )


def _keys(values: Iterable[Scalar]) -> frozenset[tuple[type, Scalar]]:
    return frozenset((type(value), value) for value in values)


def _form(of: Type) -> str | None:
    if isinstance(of, BytesType):
        return "bytes"
    return of.kind if isinstance(of, TextType) else None


def _has_form(value: Scalar, form: str) -> bool:
    patterns = _PATTERNS[form]
    return isinstance(value, str) and any(
        re.fullmatch(pattern[1:-1], value) is not None for pattern in patterns
    )


def _types_of(values: Iterable[Scalar]) -> frozenset[str]:
    names: dict[type, str] = {bool: "boolean", int: "number", str: "string"}
    return frozenset(names[type(value)] for value in values)
