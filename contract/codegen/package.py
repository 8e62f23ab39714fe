"""
Packages: a document as generators of code see it.

A schema says which JSON is valid; a generator must know which type that is. All schemas of a
document are read once, for all languages (`contract.shape.schema_reader`). A language is a function
of the shapes: one ``match`` that ends in ``assert_never``. The names are the document's own here.
Each language renames what it cannot write: keywords, its own names, and names that become equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from hashlib import sha256
from typing import Final, Literal, final

from contract.codegen.generics import Generic, generics_of, made_in
from contract.codegen.texts import Names, Style
from contract.document.contract_json import dump_contract
from contract.document.model import ContractError, ContractRoute, Document, ways_into
from contract.shape.exceptions import GenerationError
from contract.shape.graph import reachable
from contract.shape.json_text import JsonSchema, Place
from contract.shape.names import pascal
from contract.shape.nodes import ArrayShape, Definition, RecordShape, RefShape, Shape
from contract.shape.record import record
from contract.shape.schema_node import Spot, rules_of
from contract.shape.schema_reader import SchemaReader, kind_of

__all__ = [
    "FailureType",
    "Namespace",
    "Operation",
    "Package",
    "around",
    "members_of",
    "option_of",
    "package_of",
]


@final
@record(kw_only=True)
class FailureType:
    """A failure that a route declares, or a builtin code."""

    code: str
    status: int
    description: str
    data: RefShape | None = None
    """A reference to a record; None for a code without data."""
    data_required: bool = False


@final
@record
class Operation:
    """A route, with the types of its input and of its output in place of their schemas."""

    route: ContractRoute
    input: Shape | None
    """None for a route without input."""
    output: Shape
    """The shape of the output; for a stream, that of an item, and for a file that of null."""

    @property
    def failures(self) -> tuple[str, ...]:
        """The codes that it declares, sorted; each is a key of `Package.failures`."""
        return tuple(sorted(self.route.errors))

    @property
    def between(self) -> tuple[str, ...] | None:
        """
        For a route that gives a stream, the codes of failures that may come between items, sorted.

        Each is a key of `Package.failures`, too.
        """
        stream = self.route.stream
        if stream is None:
            return None
        return tuple(sorted(stream.errors))

    @property
    def item(self) -> Shape:
        """
        The shape of the items on its pages, if it has pages.

        Raises:
            GenerationError: Its output is not such a page.
        """
        page = _resolved(self.output)
        fields = page.fields if isinstance(page, RecordShape) else ()
        items = next((_resolved(each.shape) for each in fields if each.wire == "items"), None)
        if not isinstance(items, ArrayShape):
            place = Place() / "routes" / self.route.path / "output"
            raise GenerationError(str(place), "a page has no list of items; write pages as false")
        return items.item


def _resolved(shape: Shape) -> Shape:
    """*shape*, or the shape that its name refers to."""
    while isinstance(shape, RefShape):
        shape = shape.definition.shape
    return shape


@final
@record
class Namespace:
    """The routes and groups at one level of a client."""

    group: str | None
    """The full name of the group; None at the top."""
    routes: Mapping[str, str]
    """Name at this level -> route, sorted by the latter."""
    groups: Mapping[str, Namespace]
    """Name at this level -> group, sorted."""

    def all_groups(self) -> Iterator[tuple[str, Namespace]]:
        """Full name and routes of all groups, each before those inside it."""
        for each in self.groups.values():
            yield f"{each.group}", each
            yield from each.all_groups()


@final
@record(kw_only=True)
class Package:
    """A document, as generators of code see it."""

    document: Document
    digest: str
    """
    The SHA-256 digest of the document, in hexadecimal digits.

    It is made from the bytes that `contract.document.contract_json.dump_contract` writes.
    """
    definitions: Mapping[str, Definition]
    """
    Every named type, sorted by name.

    Objects that were declared in place are named after their place.
    """
    failures: Mapping[str, FailureType]
    """
    Code -> failure: all that routes declare, sorted.

    If two routes declare one code differently (which our own specs refuse), the document is
    refused.
    """
    builtins: Mapping[str, FailureType]
    """
    Code -> failure: the catalogue of the document, sorted.

    A code that routes declare too is in both mappings.

    If its data is declared in place, as for the framework's own codes, the data here is None:
    runtimes already know it.
    """
    exports: Mapping[str, Shape]
    """Name -> type."""
    operations: Mapping[str, Operation]
    """Name -> route, sorted."""
    events: Mapping[str, Shape] = field(default_factory=dict[str, Shape])
    """Name -> message of an event that the service sends, sorted."""
    generics: Mapping[str, Generic] = field(default_factory=dict[str, Generic])
    """Name -> a generic type from which some of the definitions are made, sorted."""

    def for_clients(self) -> Package:
        """
        The package with only the routes that a client calls.

        Webhooks are left out: their senders sign each body with a secret that clients do not have.
        """
        called = {name: each for name, each in self.operations.items() if not each.route.signed}
        return replace(self, operations=called)

    @property
    def paged(self) -> bool:
        """Whether any route gives pages."""
        return any(each.route.pages for each in self.operations.values())

    @property
    def root(self) -> Namespace:
        """The routes and groups at the top level of a client."""
        return _namespace(None, [*self.operations.values()])

    @property
    def ways(self) -> dict[str, Literal["bearer", "header", "cookie"]]:
        """Name -> place of each credential that a client may have: tokens first, others sorted."""
        names: set[str] = set()
        for each in self.operations.values():
            names.update(ways_into(each.route))
        # a document lists the places of keys and cookies alone, so tokens come first
        places = self.document.ways
        inner = sorted(names, key=lambda name: (name in places, name))
        return {name: places.get(name, "bearer") for name in inner}

    @property
    def made(self) -> dict[str, Generic]:
        """Name of a type -> the generic type that it is made from."""
        found: dict[str, Generic] = {}
        for each in self.generics.values():
            found |= dict.fromkeys(each.instances, each)
        return found

    @property
    def made_inputs(self) -> dict[str, RefShape]:
        """
        Name -> type, for types made from generic ones that callers construct.

        The explorer uses these names in the code that it shows, since it knows each type by itself.
        """
        inputs = [each.input for each in self.operations.values() if each.input is not None]
        found = {each.name: each for shape in inputs for each in reachable(shape)}
        for each in inputs:
            if isinstance(each, RefShape):  # its fields are the arguments of the method
                found.pop(each.definition.name, None)
        return {name: RefShape(found[name]) for name in self.made.keys() & found.keys()}

    @property
    def aliases(self) -> dict[str, RefShape]:
        """
        Export -> its type, if the type has another name.

        The name of the export becomes a second name of the type.
        """
        own = self.definitions.keys() - self.made.keys()
        return {
            name: shape
            for name, shape in self.exports.items()
            if isinstance(shape, RefShape) and name not in own
        }


def _namespace(group: str | None, operations: Iterable[Operation]) -> Namespace:
    """The routes of *operations*, which belong to *group* and to the groups inside it."""
    # the full name of a route or a group begins with the names of the groups around it, and a dot
    # after each
    prefix = "" if group is None else f"{group}."
    routes: dict[str, str] = {}
    within: dict[str, list[Operation]] = {}
    for each in operations:
        route = each.route
        if route.group == group:
            routes[route.path.removeprefix(prefix)] = route.path
        else:
            inner = (route.group or "").removeprefix(prefix)
            own, _, _ = inner.partition(".")
            within.setdefault(own, []).append(each)
    groups = {own: _namespace(prefix + own, found) for own, found in sorted(within.items())}
    return Namespace(group, routes, groups)


def members_of(
    root: Namespace, style: Callable[[str | None], Style]
) -> tuple[dict[str, str], dict[str, str]]:
    """
    Route -> method, and group -> attribute, with names that are unique at their level.

    Args:
        root: The top level.
        style: Gives the rules for names in a group, or, for None, in the client itself.
    """
    methods: dict[str, str] = {}
    groups: dict[str, str] = {}
    for level in (root, *(each for _, each in root.all_groups())):
        names = Names(style(level.group)).take_all([*level.routes, *level.groups])
        methods |= {route: names[own] for own, route in level.routes.items()}
        groups |= {f"{each.group}": names[own] for own, each in level.groups.items()}
    return methods, groups


def around(group: str | None) -> list[str]:
    """The full names of *group* and of the groups around it, outermost first."""
    if group is None:
        return []
    return [group[: each.end()] for each in _WORD.finditer(group)]


_WORD: Final = re.compile(r"[^.]+")


def package_of(document: Document) -> Package:
    """
    Read *document* into the types, failures and routes that a generator writes.

    Raises:
        GenerationError: It says something that no type can express; the exception names the place,
            and what to write instead.
        DocumentError: It cannot be written.
    """
    # 1. Types of $defs keep their names; objects that are declared in place get others, which
    #    differ from these in more than case.
    names = Names(Style(stem="Type", ignores_case=True))
    for name in sorted(document.defs):
        names.take(name)
    reader = SchemaReader(document.defs, names.take)
    digest = sha256(dump_contract(document)).hexdigest()
    # 2. All schemas, in an order that depends on names alone, since names are given on the way.
    exports = {
        name: reader.read(Spot(schema, _ROOT / "exports" / name, name))
        for name, schema in sorted(document.exports.items())
    }
    events = {
        name: reader.read(Spot(event.message, _ROOT / "events" / name / "message", pascal(name)))
        for name, event in sorted(document.events.items())
    }
    operations = {
        name: _operation(reader, route) for name, route in sorted(document.routes.items())
    }
    failures = {code: _failure(reader, code, *declared) for code, declared in _declared(document)}
    # 3. The catalogue of errors.
    builtins: dict[str, FailureType] = {}
    for code, error in sorted(document.errors.items()):
        if error.data is not None and "$ref" not in error.data:
            error = replace(error, data=None, data_required=False)
        builtins[code] = _failure(reader, code, error, _ROOT / "errors" / code)
    # 4. The arguments of generic types, before the reader is closed and all types are complete.
    made = made_in(document.defs, reader)
    reader.close()
    for each in operations.values():
        if each.route.pages:
            _ = each.item  # a wrong page is refused here, before any code is made
    taken = [*exports, *map(pascal, failures)]
    return Package(
        document=document,
        digest=digest,
        definitions=dict(sorted(reader.definitions.items())),
        failures=failures,
        builtins=builtins,
        exports=exports,
        operations=operations,
        events=events,
        generics=generics_of(reader.definitions, made, taken),
    )


def option_of(way: str) -> str:
    """The name of the option for a way in: ``x_key`` for ``X-Key``, ``token`` for bearer."""
    if way == "bearer":
        return "token"
    return re.sub(r"[^a-z0-9]+", "_", way.lower()).strip("_")


_ROOT: Final = Place()
_NOT_TO_DECLARE: Final = frozenset(
    {
        "BAD_REQUEST",
        "DEADLINE_EXCEEDED",
        "INTERNAL_ERROR",
        "LENGTH_REQUIRED",
        "METHOD_NOT_ALLOWED",
        "NETWORK_ERROR",
        "PAYLOAD_TOO_LARGE",
        "REQUEST_TIMEOUT",
        "ROUTE_NOT_FOUND",
        "UNAUTHORIZED",
        "UNKNOWN_ERROR",
        "UNSUPPORTED_MEDIA_TYPE",
        "VALIDATION_ERROR",
    }
)
"""
Codes whose meaning does not depend on the route.

They are the framework's, and those that only a client reports.
"""


def _operation(reader: SchemaReader, route: ContractRoute) -> Operation:
    place = _ROOT / "routes" / route.path
    given = None
    if not _is_nothing(route.input):
        given = reader.read(Spot(route.input, place / "input", pascal(f"{route.path}_input")))
    output = reader.read(Spot(route.output, place / "output", pascal(f"{route.path}_output")))
    return Operation(route, given, output)


def _declared(document: Document) -> list[tuple[str, tuple[ContractError, Place]]]:
    """
    The failures that routes declare, sorted by code, each with the first place that declares it.
    """
    declared: dict[str, tuple[ContractError, Place]] = {}
    for name, route in sorted(document.routes.items()):
        for code, error, place in _errors(route, _ROOT / "routes" / name):
            if code in _NOT_TO_DECLARE:
                problem = "this is a code of the framework, which routes cannot declare; rename it"
                raise GenerationError(str(place), problem)
            other, elsewhere = declared.setdefault(code, (error, place))
            if other != error:
                problem = f"this is not what the same code says in {elsewhere}; write the same"
                raise GenerationError(str(place), problem)
    return sorted(declared.items(), key=lambda each: each[0])


def _errors(route: ContractRoute, place: Place) -> Iterator[tuple[str, ContractError, Place]]:
    """The errors of a *route*, and those inside its stream, each with its place."""
    for code, error in route.errors.items():
        yield code, error, place / "errors" / code
    if route.stream is not None:
        for code, error in route.stream.errors.items():
            yield code, error, place / "output" / "errors" / code


def _failure(reader: SchemaReader, code: str, error: ContractError, place: Place) -> FailureType:
    data: RefShape | None = None
    if error.data is not None:
        spot = Spot(error.data, place / "data", pascal(f"{code}_DATA"))
        data = reader.record(spot)
        if data is None:
            raise spot.refuse(
                "the data of a failure must be an object with fields and no free keys; "
                "write it into $defs, and a reference to it here"
            )
    return FailureType(
        code=code,
        status=error.status,
        description=error.description,
        data=data,
        data_required=data is not None and error.data_required,
    )


def _is_nothing(schema: JsonSchema) -> bool:
    """Whether this is the schema of a route without input."""
    return (
        rules_of(schema) == {"type", "properties", "additionalProperties"}
        and kind_of(schema) == "record"
        and not schema["properties"]
    )
