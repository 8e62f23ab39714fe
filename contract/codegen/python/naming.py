"""
Naming: which parts of a document are written in Python, and what they are called there.

A name of the document stays as it is wherever Python, its checkers and the runtime of the clients
take it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from keyword import kwlist
from typing import Final

from contract.codegen.names import Names, Style
from contract.codegen.package import Package
from contract.shape.graph import nested, parts, reachable
from contract.shape.identifiers import is_identifier, pascal
from contract.shape.nodes import (
    Definition,
    EnumShape,
    Field,
    NamedTupleShape,
    RecordShape,
    Shape,
    TaggedUnionShape,
)
from contract.shape.record import record

__all__ = ["CLIENT_MEMBERS", "PUBLIC", "Naming", "Reach", "every_shape", "naming_of", "reach_of"]


@record(kw_only=True)
class Reach:
    """The parts of a package that are written."""

    roots: tuple[Shape, ...]
    """The shapes of routes and exports."""
    types: tuple[str, ...]
    """Names of types, sorted."""
    codes: tuple[str, ...]
    """Codes that routes declare, sorted."""
    failures: Mapping[str, str]
    """
    Code -> the name of its data, where no other code and no type has that data.

    The class of the failure takes this name.
    """
    data: tuple[str, ...]
    """Names of the data of failures, sorted."""


def reach_of(package: Package, *, clients: bool) -> Reach:
    """
    All parts of *package* that its routes and its exports lead to.

    Without *clients* the exports alone.
    """
    operations = [*package.operations.values()] if clients else []
    roots: list[Shape] = [*package.exports.values()]
    for each in operations:
        roots += [each.output] if each.input is None else [each.input, each.output]
    codes = sorted({code for each in operations for code in each.failures})
    data = {
        code: of.definition for code in codes if (of := package.failures[code].data) is not None
    }
    found: set[Definition] = set()
    for shape in (*roots, *(part for each in data.values() for part in parts(each))):
        found |= reachable(shape, found)
    held = [*data.values()]
    return Reach(
        roots=tuple(roots),
        types=tuple(sorted(each.name for each in found)),
        codes=tuple(codes),
        failures={
            code: each.name
            for code, each in data.items()
            if each not in found and held.count(each) == 1
        },
        data=tuple(sorted({each.name for each in held})),
    )


def every_shape(package: Package, reach: Reach) -> Iterator[Shape]:
    """All shapes that are written, but for those within others."""
    yield from reach.roots
    for name in (*reach.types, *reach.data):
        yield from parts(package.definitions[name])


PUBLIC: Final = (
    "ApiClient",
    "AsyncApiClient",
    "CallError",
    "CallFailed",
    "Ok",
    "UNSET",
    "Unset",
    "schemas",
    "unwrap",
)
"""Names that every generated module has for itself."""

CLIENT_MEMBERS: Final = ("aclose", "base_url", "close", "options", "with_options")
"""
The members of clients besides their routes.

Names that begin with an underscore are not listed, since no route gets one.
"""

_KEYWORDS: Final = frozenset(kwlist)


def _public(text: str) -> bool:
    return is_identifier(text) and not text.startswith("_")


def _attribute(text: str) -> bool:
    # names that begin so are changed in the body of a class
    return is_identifier(text) and not text.startswith("__")


_TYPE: Final = Style(reserved=_KEYWORDS | {*PUBLIC, "annotations"}, legal=_public, stem="Type")
# every class has an attribute mro, which dataclasses would take for the default of a field of that
# name
_FIELD: Final = Style(reserved=_KEYWORDS | {"mro"}, legal=_attribute, stem="field")
_FAILURE_FIELD: Final = Style(
    reserved=_KEYWORDS | {"mro", "error_code", "http_status"}, legal=_attribute, stem="field"
)
_POSITION: Final = Style(reserved=_KEYWORDS | {"count", "index"}, legal=_public, stem="item")
_MEMBER: Final = Style(reserved=_KEYWORDS | {"mro", "name", "value"}, legal=_public, stem="MEMBER")
_METHOD: Final = Style(reserved=_KEYWORDS | {*CLIENT_MEMBERS}, legal=_public, stem="route")
_SCHEMA: Final = Style(reserved=_KEYWORDS, legal=_public, stem="schema")


@record(kw_only=True)
class Naming:
    """The names of one module."""

    types: Mapping[str, str]
    """Type -> class or alias; only of those that are written."""
    failures: Mapping[str, str]
    """Code -> class."""
    fields: Mapping[str, Mapping[str, str]]
    """Type -> name on the wire (position of a named tuple) -> attribute."""
    members: Mapping[str, Mapping[str, str]]
    """Enum -> name at the server -> member."""
    methods: Mapping[str, str]
    """Route -> method."""
    exports: Mapping[str, str]
    """Export -> attribute of ``schemas``."""
    aliases: Mapping[str, str]
    """Export -> a second name of its type; only of those that need one."""
    routes: Mapping[str, str]
    """Route -> attribute of ``schemas``."""

    @property
    def attributes(self) -> frozenset[str]:
        """
        All names of fields and methods.

        They stand in the body of a class or are parameters, and may hide names of the module there.
        """
        inside = [each for names in self.fields.values() for each in names.values()]
        return frozenset([*inside, *self.methods.values()])


def naming_of(package: Package, reach: Reach, *, clients: bool) -> Naming:
    """
    The names for *package*.

    Args:
        package: What is written.
        reach: Which parts of it.
        clients: Whether its routes are written, and not its exports alone.
    """
    types = Names(_TYPE)
    named = types.take_all([*reach.types, *reach.failures.values()])
    others = {
        code: types.take(pascal(code, "Failure"))
        for code in sorted({*reach.codes} - reach.failures.keys())
    }
    tags = _tags(package, reach)
    declared = {name: package.definitions[name].shape for name in (*reach.types, *reach.data)}
    of_failures = frozenset(reach.data)
    methods = Names(_METHOD).take_all(package.operations) if clients else {}
    schemas = Names(_SCHEMA)
    exports = schemas.take_all(package.exports)
    return Naming(
        types={name: named[name] for name in reach.types},
        failures={
            code: named[reach.failures[code]] if code in reach.failures else others[code]
            for code in reach.codes
        },
        fields={name: _fields(name, shape, tags, of_failures) for name, shape in declared.items()},
        members={
            name: Names(_MEMBER).take_all(member for member, _ in each.members)
            for name, each in declared.items()
            if isinstance(each, EnumShape)
        },
        methods=methods,
        exports=exports,
        aliases=types.take_all(package.aliases),
        routes={
            route: schemas.take(f"{method}_" if method in package.exports else method)
            for route, method in methods.items()
        },
    )


def _fields(
    name: str, shape: Shape, tags: Mapping[tuple[str, str], str], of_failures: frozenset[str]
) -> Mapping[str, str]:
    match shape:
        case RecordShape(_, _, fields):
            given = Names(_FAILURE_FIELD if name in of_failures else _FIELD)
            # a tag has one name in all records that it tells apart
            first = [each for each in fields if (name, each.wire) in tags]
            taken = {each.wire: given.take(tags[name, each.wire]) for each in first}
            return taken | _taken(given, [each for each in fields if each.wire not in taken])
        case NamedTupleShape(_, fields):
            return _taken(Names(_POSITION), fields)
        case _:
            return {}


def _taken(given: Names, fields: Iterable[Field]) -> dict[str, str]:
    by_name: dict[str, list[str]] = {}
    for each in fields:
        by_name.setdefault(each.name, []).append(each.wire)
    names = given.take_all(by_name)
    return {
        wire: names[name] if index == 0 else given.take(name)
        for name, wires in by_name.items()
        for index, wire in enumerate(sorted(wires))
    }


def _tags(package: Package, reach: Reach) -> Mapping[tuple[str, str], str]:
    """
    Record and wire name of a tag -> its attribute.

    All records of a union have one attribute for a tag, and no other tag has it in any of them.
    """
    failures = frozenset(reach.data)
    above: dict[tuple[str, str], tuple[str, str]] = {}

    def top(case: tuple[str, str]) -> tuple[str, str]:
        while above[case] != case:
            above[case] = above[above[case]]
            case = above[case]
        return case

    every = (inner for shape in every_shape(package, reach) for inner in nested(shape))
    for union in (each for each in every if isinstance(each, TaggedUnionShape)):
        cases = [(record.definition.name, union.tag) for _, record in union.cases]
        for case in cases:
            above.setdefault(case, case)
            above[top(case)] = top(cases[0])
    together: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for case in above:
        together.setdefault(top(case), []).append(case)
    found: dict[tuple[str, str], str] = {}
    given: dict[str, set[str]] = {}
    for cases in together.values():
        record, wire = cases[0]
        style = _FIELD if failures.isdisjoint(name for name, _ in cases) else _FAILURE_FIELD
        name = wanted = Names(style).take(_field_name(package.definitions[record].shape, wire))
        number = 2
        while any(name in given.get(each, ()) for each, _ in cases):
            name = f"{wanted}_{number}"
            number += 1
        for each, _ in cases:
            given.setdefault(each, set()).add(name)
        found.update(dict.fromkeys(cases, name))
    return found


def _field_name(record: Shape, wire: str) -> str:
    assert isinstance(record, RecordShape)  # noqa: S101  the cases of a tagged union are records
    return next((each.name for each in record.fields if each.wire == wire), wire)
