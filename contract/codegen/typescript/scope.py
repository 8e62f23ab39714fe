"""Scope: what everything of a package is called in TypeScript, and what is known of its types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, final

from contract.codegen.names import Names, Style
from contract.codegen.package import Package
from contract.codegen.typescript.reserved import NO_FUNCTIONS, NO_METHODS, RESERVED
from contract.codegen.typescript.runtime import private_names
from contract.shape.graph import definitions, parts
from contract.shape.nodes import Definition, EnumShape, RefShape, Shape
from contract.shape.record import record

__all__ = ["Dates", "Scope", "closure", "resolved", "scope_of"]

Dates = Literal["Date", "string"]
"""The type of a moment in TypeScript."""


@final
@record(kw_only=True)
class Scope:
    """
    Names of one file.

    Attributes:
        types: Name of a type -> its name in TypeScript.
        aliases: Export -> a second name of its type; only of those that need one.
        checks: Name of a type -> that of the function that checks it.
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


def scope_of(package: Package, dates: Dates) -> Scope:
    """The names of everything in *package*."""
    names = Names(Style(reserved=RESERVED, stem="Type"))
    types = names.take_all(package.definitions)
    aliases = names.take_all(package.aliases)
    checks = Names(Style(reserved=private_names())).take_all(types.values())
    enums = {each for each in package.definitions.values() if isinstance(each.shape, EnumShape)}
    constants = {types[each.name] for each in enums} | {
        aliases[name] for name, of in package.aliases.items() if of.definition in enums
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


def resolved(of: Shape) -> Shape:
    """*of*, or what its name stands for, as far as that is no name again."""
    while isinstance(of, RefShape):
        of = of.definition.shape
    return of


def closure(roots: Iterable[Shape]) -> list[Definition]:
    """
    The named types that *roots* lead to, dependencies first.

    Each stands behind those that it leads to, as far as none of them leads back.
    """
    found: dict[Definition, None] = {}
    begun: set[Definition] = set()
    ahead: list[tuple[Definition | None, Iterator[Definition]]] = [(None, _named_in(roots))]
    while ahead:
        owner, inside = ahead[-1]
        definition = next(inside, None)
        if definition is None:
            ahead.pop()
            if owner is not None:
                found[owner] = None
        elif definition not in begun:
            begun.add(definition)
            ahead.append((definition, _named_in(parts(definition))))
    return [*found]


def _named_in(shapes: Iterable[Shape]) -> Iterator[Definition]:
    return (definition for shape in shapes for definition in definitions(shape))
