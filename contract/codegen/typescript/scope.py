"""
Scope: what everything of a package is called in TypeScript, and what is known of its types.

Some names nothing of a document is given, because they mean something already (`RESERVED`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, final

from contract.codegen.generics import Generic
from contract.codegen.package import Operation, Package, around, members_of
from contract.codegen.texts import Names, Style
from contract.codegen.typescript.runtime import (
    names_of_downloads,
    names_of_events,
    names_of_streams,
    private_names,
    public_names,
)
from contract.shape.graph import definitions, parts
from contract.shape.identifiers import pascal
from contract.shape.nodes import Definition, EnumShape, RefShape, Shape
from contract.shape.record import record

__all__ = [
    "GLOBALS",
    "NO_LABELS",
    "NO_METHODS",
    "PAGE_NAMES",
    "RESERVED",
    "Dates",
    "Scope",
    "closure",
    "resolved",
    "scope_of",
    "turns",
]

_KEYWORDS: Final = """
    abstract accessor any arguments as asserts assert async await bigint boolean break case catch
    class const constructor continue debugger declare default defer delete do else enum eval export
    extends false finally for from function get global if implements import in infer instanceof
    interface intrinsic is keyof let module namespace never new null number object of out override
    package private protected public readonly require return satisfies set static string super
    switch symbol this throw true try type typeof undefined unique unknown using var void while with
    yield
"""
"""TypeScript accepts some of these as names in some places, where they would be hard to read."""

GLOBALS: Final = frozenset(
    """
    AbortController AbortSignal Array BigInt Boolean Date Error Exclude Function Headers Infinity
    JSON Map Math NaN NonNullable Number Object Omit Partial Promise RangeError RegExp Response Set
    String Symbol TextDecoder TypeError URL Uint8Array atob btoa clearTimeout exports fetch
    globalThis performance setTimeout
    """.split()  # noqa: SIM905  as a list it is a page long
)
"""Globals that the generated code uses, and that a declaration of that name would hide."""

RESERVED: Final[frozenset[str]] = (
    frozenset(_KEYWORDS.split())
    | GLOBALS
    | {"ApiClient", "CallErrorCode", "FailureData", "schemas", *public_names()}
)
"""Names of types and functions."""

PAGE_NAMES: Final = frozenset({"AsyncGenerator", "PageItem", "pages"})
"""Names of what turns pages, where there are any."""

_NO_FUNCTIONS: Final = frozenset({"client", "input", "options", "route", "then"})
"""
Names that no function gets.

The first four are names within functions, where a function of such a name could not be called. A
module that exports ``then`` is a promise to whoever awaits its import.
"""

NO_LABELS: Final = frozenset(
    """
    break case catch class const continue debugger default delete do else enum export extends
    finally for if implements in instanceof interface let package private protected public return
    static super switch throw try var while with yield
    """.split()  # noqa: SIM905
)
"""
Names that no position of a tuple gets.

Some are words that no type begins with; the others are not names in strict code.
"""

NO_METHODS: Final = frozenset(
    """
    constructor withOptions then catch finally hasOwnProperty isPrototypeOf propertyIsEnumerable
    prototype toJSON toLocaleString toString valueOf
    """.split()  # noqa: SIM905
)
"""Names of methods: the client has them itself, or JavaScript asks every object for them."""


Dates = Literal["Date", "string"]
"""The type of a moment in TypeScript."""


@final
@record(kw_only=True)
class Scope:
    """
    Names of one file.

    Attributes:
        made: Name of a type that is made of a generic one -> that.
        types: Name of a type, a generic type or a parameter -> its name in TypeScript; not of the
            types that are made of generic ones.
        aliases: Export -> a second name of its type; only of those that need one.
        checks: Name of a type -> that of the function that checks it.
        functions: Route -> that of the function that calls it.
        methods: Route -> that of the method of the client, or of its group.
        groups: Group -> that of the property of the client, or of the group around it.
        classes: Group -> that of its class.
        schemas: Route -> that of its validators, beside those of the exports.
    """

    package: Package
    dates: Dates
    made: Mapping[str, Generic]
    types: Mapping[str, str]
    aliases: Mapping[str, str]
    checks: Mapping[str, str]
    functions: Mapping[str, str]
    methods: Mapping[str, str]
    groups: Mapping[str, str]
    classes: Mapping[str, str]
    schemas: Mapping[str, str]

    def path(self, route: Operation) -> str:
        """How a client calls *route*: ``orders.create``."""
        return ".".join(
            [*(self.groups[each] for each in around(route.group)), self.methods[route.name]]
        )


def turns(package: Package) -> bool:
    """Whether a route of *package* is asked for pages."""
    return any(each.pages for each in package.operations.values())


def scope_of(package: Package, dates: Dates) -> Scope:
    """The names of everything in *package*."""
    reserved: frozenset[str] = RESERVED
    if package.events:
        reserved |= names_of_events()
    if turns(package):
        reserved |= PAGE_NAMES
    if any(each.stream is not None for each in package.operations.values()):
        reserved |= names_of_streams()
    if any(each.media for each in package.operations.values()):
        reserved |= names_of_downloads()
    names = Names(Style(reserved=reserved, stem="Type"))
    made = package.made
    types = names.take_all(package.definitions.keys() - made.keys())
    aliases = names.take_all(package.aliases)
    types |= names.take_all(package.generics)
    parameters = {each.name for of in package.generics.values() for each in of.parameters}
    types |= {each: names.take(each.strip("<>")) for each in sorted(parameters)}
    private = Names(Style(reserved=private_names()))
    checks = private.take_all(types.get(name, name) for name in package.definitions)
    classes = {
        name: f"${private.take(f'{pascal(name)}Group')}" for name, _ in package.root.all_groups()
    }
    enums = {each for each in package.definitions.values() if isinstance(each.shape, EnumShape)}
    constants = {types[each.name] for each in enums} | {
        aliases[name] for name, of in package.aliases.items() if of.definition in enums
    }
    flat = Names(_style(None)).take_all(package.operations)
    methods, groups = members_of(package.root, _style)
    validators = Names(Style(legal=lambda _: True))
    for name in package.exports:
        validators.take(name)
    return Scope(
        package=package,
        dates=dates,
        made=made,
        types=types,
        aliases=aliases,
        checks={name: f"${checks[types.get(name, name)]}" for name in package.definitions},
        functions=Names(
            Style(reserved=reserved | constants | _NO_FUNCTIONS, stem="route")
        ).take_all(package.operations),
        methods=methods,
        groups=groups,
        classes=classes,
        schemas={
            name: validators.take(f"{found}_" if found in package.exports else found)
            for name, found in flat.items()
        },
    )


def _style(group: str | None) -> Style:
    """The rules for the names of methods of a *group*, or, for None, of the client itself."""
    reserved = NO_METHODS if group is None else NO_METHODS - {"withOptions"}
    return Style(reserved=reserved, stem="route")


def resolved(of: Shape) -> Shape:
    """*of*, or what its name stands for, as far as that is not a name again."""
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
