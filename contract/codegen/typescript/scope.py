"""Scope: what everything of a package is called in TypeScript, and what is known of its types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, assert_never, final

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
    NamedTupleDeclaration,
    NamedType,
    NullableType,
    NullType,
    Package,
    RecordDeclaration,
    Scalar,
    StrType,
    TaggedType,
    TextType,
    TupleType,
    Type,
    UnionType,
)
from contract.codegen.names import Names, Style
from contract.codegen.typescript.reserved import NO_FUNCTIONS, NO_METHODS, RESERVED
from contract.codegen.typescript.runtime import private_names
from contract.shape.record import record

__all__ = ["Dates", "Scope", "closure", "inner_types", "literal_types", "scope_of"]

Dates = Literal["Date", "string"]
"""What a moment is in TypeScript."""


@final
@record(kw_only=True)
class Scope:
    """
    Names of one file.

    Attributes:
        types: Declaration -> its name as a type.
        aliases: Export -> a second name of its type; only of those that need one.
        checks: Declaration -> that of the function that checks it.
        functions: Route -> that of the function that calls it.
        methods: Route -> that of the method of the client.
        schemas: Route -> that of its validators, beside those of the exports.
    """

    package: Package
    dates: Dates
    types: Mapping[str, str]
    aliases: Mapping[str, str]
    checks: Mapping[str, str]
    functions: Mapping[str, str]
    methods: Mapping[str, str]
    schemas: Mapping[str, str]

    def declaration(self, name: str) -> Declaration:
        """The declaration of this name."""
        return self.package.declarations[name]

    def resolved(self, of: Type) -> Type | Declaration:
        """*of*, or what its name stands for, as far as that is no name again."""
        while isinstance(of, NamedType):
            declaration = self.declaration(of.name)
            if not isinstance(declaration, AliasDeclaration):
                return declaration
            of = declaration.type
        return of


def scope_of(package: Package, dates: Dates) -> Scope:
    """The names of everything in *package*."""
    names = Names(Style(reserved=RESERVED, stem="Type"))
    types = names.take_all(package.declarations)
    aliases = names.take_all(package.aliases)
    checks = Names(Style(reserved=private_names())).take_all(types.values())
    enums = {
        name for name, found in package.declarations.items() if isinstance(found, EnumDeclaration)
    }
    constants = {types[name] for name in enums} | {
        aliases[name] for name, of in package.aliases.items() if of.name in enums
    }
    methods = Names(Style(reserved=NO_METHODS, stem="route")).take_all(package.operations)
    validators = Names(Style(legal=lambda _: True))
    for name in package.exports:
        validators.take(name)
    return Scope(
        package=package,
        dates=dates,
        types=types,
        aliases=aliases,
        checks={name: f"${checks[found]}" for name, found in types.items()},
        functions=Names(Style(reserved=RESERVED | constants | NO_FUNCTIONS, stem="route")).take_all(
            package.operations
        ),
        methods=methods,
        schemas={
            name: validators.take(f"{found}_" if found in package.exports else found)
            for name, found in methods.items()
        },
    )


def inner_types(of: Type | Declaration) -> Iterator[Type]:
    """The types that *of* is made of, itself left out."""
    match of:
        case RecordDeclaration() | NamedTupleDeclaration():
            yield from (field.type for field in of.fields)
        case AliasDeclaration():
            yield of.type
        case ArrayType():
            yield of.item
        case TupleType(items):
            yield from items
        case MapType(key, value):
            yield key
            yield value
        case NullableType(inner):
            yield inner
        case UnionType(members):
            yield from members
        case TaggedType(_, cases):
            yield from dict.fromkeys(record for _, record in cases)
        case (
            AnyType()
            | NullType()
            | BoolType()
            | IntType()
            | FloatType()
            | StrType()
            | BytesType()
            | TextType()
            | LiteralType()
        ):
            return
        case EnumDeclaration() | NamedType():
            return
        case _:
            assert_never(of)


def names_in(of: Type | Declaration) -> Iterator[str]:
    """The declarations that *of* refers to, without looking into them, in the order in which they stand there."""
    ahead: list[Type | Declaration] = [of]
    while ahead:
        found = ahead.pop()
        if isinstance(found, NamedType):
            yield found.name
        else:
            ahead.extend(reversed([*inner_types(found)]))


def closure(package: Package, roots: Iterable[Type]) -> list[str]:
    """The declarations that *roots* lead to, each behind those that it leads to itself, as far as none leads back."""
    found: dict[str, None] = {}
    begun: set[str] = set()
    ahead: list[tuple[str | None, Iterator[str]]] = [
        (None, (name for root in roots for name in names_in(root)))
    ]
    while ahead:
        owner, inside = ahead[-1]
        name = next(inside, None)
        if name is None:
            ahead.pop()
            if owner is not None:
                found[owner] = None
        elif name not in begun:
            begun.add(name)
            ahead.append((name, names_in(package.declarations[name])))
    return [*found]


def literal_types(values: Iterable[Scalar]) -> Iterator[str]:
    """The JSON types of *values*."""
    return iter(
        dict.fromkeys(
            {str: "string", int: "integer", bool: "boolean"}[type(value)] for value in values
        )
    )
