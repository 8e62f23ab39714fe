"""
Scope: the names of everything in a package in TypeScript, and facts about its types.

Some names are never given to a part of a document, because they already have a meaning
(`RESERVED`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, final

from contract.codegen.generics import Generic
from contract.codegen.package import Package, around, members_of
from contract.codegen.texts import Names, Style
from contract.codegen.typescript.runtime import private_names, public_names
from contract.document.model import ContractRoute
from contract.shape.graph import definitions, parts
from contract.shape.names import pascal
from contract.shape.nodes import Definition, EnumShape, RefShape, Shape
from contract.shape.record import record

__all__ = [
    "GLOBALS",
    "NO_LABELS",
    "NO_METHODS",
    "RESERVED",
    "Dates",
    "Scope",
    "closure",
    "resolved",
    "scope_of",
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
"""TypeScript accepts some of these as names in some places, but they would be hard to read."""

GLOBALS: Final = frozenset(
    """
    AbortController AbortSignal Array AsyncGenerator AsyncIterable BigInt Blob Boolean Date Error
    Exclude File FormData Function Headers Infinity JSON Map Math NaN NonNullable Number Object Omit
    Partial Promise RangeError ReadableStream ReadableStreamDefaultController RegExp RequestInit
    Response ReturnType Set String Symbol TextDecoder TransformStream TypeError URL Uint8Array atob
    btoa clearTimeout exports fetch globalThis performance setTimeout
    """.split()  # noqa: SIM905  as a list it is a page long
)
"""Globals that generated code uses, and that a declaration with the same name would hide."""

RESERVED: Final[frozenset[str]] = (
    frozenset(_KEYWORDS.split())
    | GLOBALS
    | {"ApiClient", "CallErrorCode", "FailureData", "schemas", *public_names()}
)
"""Names of types and functions."""

_NO_FUNCTIONS: Final = frozenset({"client", "input", "options", "route", "then"})
"""
Names that functions never get.

The first four are names inside functions, where a function of such a name could not be called. A
module that exports ``then`` looks like a promise when its import is awaited.
"""

NO_LABELS: Final = frozenset(
    """
    break case catch class const continue debugger default delete do else enum export extends
    finally for if implements in instanceof interface let package private protected public return
    static super switch throw try var while with yield
    """.split()  # noqa: SIM905
)
"""
Names that positions of a tuple never get.

No type begins with some of these words; the others are not names in strict mode.
"""

NO_METHODS: Final = frozenset(
    """
    constructor withOptions then catch finally hasOwnProperty isPrototypeOf propertyIsEnumerable
    prototype toJSON toLocaleString toString valueOf
    """.split()  # noqa: SIM905
)
"""Names that methods never get: the client has them, or JavaScript calls them on any object."""


Dates = Literal["Date", "string"]
"""The type of a moment in TypeScript."""


@final
@record(kw_only=True)
class Scope:
    """
    Names of one file.

    Attributes:
        made: Name of a type made from a generic one -> the generic one.
        types: Name of a type, a generic type or a parameter -> its name in TypeScript; without the
            types that are made from generic ones.
        aliases: Export -> a second name of its type, if it needs one.
        checks: Name of a type -> the function that checks it.
        functions: Route -> the function that calls it.
        methods: Route -> the method of the client, or of its group.
        groups: Group -> the property of the client, or of the group around it.
        classes: Group -> its class.
        schemas: Route -> its validators, besides those of the exports.
        ways: Name -> place of each credential that a client may have.
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
    ways: Mapping[str, Literal["bearer", "header", "cookie"]]

    def path(self, route: ContractRoute) -> str:
        """How clients call *route*: ``orders.create``."""
        groups = [self.groups[each] for each in around(route.group)]
        return ".".join([*groups, self.methods[route.path]])


def scope_of(package: Package, dates: Dates) -> Scope:
    """The names of everything in *package*."""
    # 1. Types. Those of the document come first, so that they keep their names; then the second
    #    names that exports give, generic types, and their parameters.
    names = Names(Style(reserved=RESERVED, stem="Type"))
    made = package.made
    types = names.take_all(package.definitions.keys() - made.keys())
    aliases = names.take_all(package.aliases)
    types |= names.take_all(package.generics)
    parameters = {each.name for generic in package.generics.values() for each in generic.parameters}
    types |= {each: names.take(each.strip("<>")) for each in sorted(parameters)}
    # 2. Checks and classes, behind a "$", which no name of a document has.
    private = Names(Style(reserved=private_names()))
    checks = private.take_all(types.get(name, name) for name in package.definitions)
    classes: dict[str, str] = {}
    for name, _ in package.root.all_groups():
        classes[name] = "$" + private.take(f"{pascal(name)}Group")
    # 3. Functions. Types and values have names apart from each other, but an enum is both: a type,
    #    and a constant with its members.
    enums = {each for each in package.definitions.values() if isinstance(each.shape, EnumShape)}
    constants = {types[each.name] for each in enums}
    constants |= {
        aliases[name] for name, alias in package.aliases.items() if alias.definition in enums
    }
    functions = Names(Style(reserved=RESERVED | constants | _NO_FUNCTIONS, stem="route"))
    # 4. Members: of the client and of its groups, and of the object `schemas`. Exports keep their
    #    names there, as keys may be any text.
    flat = Names(_style(None)).take_all(package.operations)
    methods, groups = members_of(package.root, _style)
    validators = Names(Style(legal=lambda _: True))
    for name in package.exports:
        validators.take(name)
    schemas: dict[str, str] = {}
    for name, wanted in flat.items():
        if wanted in package.exports:
            wanted = f"{wanted}_"
        schemas[name] = validators.take(wanted)
    return Scope(
        package=package,
        dates=dates,
        made=made,
        types=types,
        aliases=aliases,
        checks={name: f"${checks[types.get(name, name)]}" for name in package.definitions},
        functions=functions.take_all(package.operations),
        methods=methods,
        groups=groups,
        classes=classes,
        schemas=schemas,
        ways=package.ways,
    )


def _style(group: str | None) -> Style:
    """The rules for the names of methods of a *group*, or, for None, of the client itself."""
    reserved = NO_METHODS
    if group is not None:
        reserved -= {"withOptions"}
    return Style(reserved=reserved, stem="route")


def resolved(shape: Shape) -> Shape:
    """*shape*, or the shape that its name finally refers to."""
    while isinstance(shape, RefShape):
        shape = shape.definition.shape
    return shape


def closure(roots: Iterable[Shape]) -> list[Definition]:
    """
    The named types that *roots* lead to, dependencies first.

    Each comes after those that it leads to, unless they lead back to it.
    """
    # A search in depth that keeps its own stack, since a chain of types may be longer than one of
    # Python's calls. Each entry is a type with what it still leads to.
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
