"""
Naming: the parts of a document that are written in Python, and their names in the module.

A name of the document is kept if Python, type checkers and the runtime of clients accept it
(`Naming`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from keyword import kwlist
from typing import Final

from contract.codegen.generics import Generic
from contract.codegen.package import Package, around, members_of
from contract.codegen.python.layout import quoted
from contract.codegen.texts import Names, Style
from contract.document.model import ContractRoute
from contract.shape.exceptions import GenerationError
from contract.shape.graph import compared_by_identity, is_open, nested, parts, reachable
from contract.shape.names import is_identifier, pascal
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

__all__ = [
    "CLIENT_MEMBERS",
    "PUBLIC",
    "Naming",
    "Reach",
    "every_shape",
    "is_attribute",
    "naming_of",
    "reach_of",
]


@record(kw_only=True)
class Reach:
    """The parts of a package that are written."""

    roots: tuple[Shape, ...]
    """The shapes in routes and exports."""
    types: tuple[str, ...]
    """Names of types, sorted."""
    codes: tuple[str, ...]
    """Codes that routes declare, sorted."""
    failures: Mapping[str, str]
    """
    Code -> the name of its data, if no other code and no type uses that data.

    The class of the failure takes this name.
    """
    data: tuple[str, ...]
    """Names of the data of failures, sorted."""


def reach_of(package: Package, *, clients: bool) -> Reach:
    """
    All parts of *package* that its routes and its exports lead to.

    Without *clients*, only those that exports lead to.
    """
    # 1. The shapes and the codes that are named first.
    roots: list[Shape] = [*package.exports.values()]
    declared: set[str] = set()
    if clients:
        roots += package.events.values()
        for operation in package.operations.values():
            if operation.input is not None:
                roots.append(operation.input)
            roots.append(operation.output)
            declared.update(operation.failures, operation.between or ())
    codes = sorted(declared)
    # 2. All types that these lead to. The data of a failure becomes the failure's class; so only
    #    its fields lead to types.
    references = {code: package.failures[code].data for code in codes}
    data = {code: each.definition for code, each in references.items() if each is not None}
    found: set[Definition] = set()
    shapes = [*roots]
    for each in data.values():
        shapes += parts(each)
    for shape in shapes:
        found |= reachable(shape, found)
    # 3. The data that only one code uses gives the class of the failure its name.
    used = Counter(data.values())
    failures: dict[str, str] = {}
    for code, each in data.items():
        if each not in found and used[each] == 1:
            failures[code] = each.name
    return Reach(
        roots=tuple(roots),
        types=tuple(sorted(each.name for each in found)),
        codes=tuple(codes),
        failures=failures,
        data=tuple(sorted(each.name for each in used)),
    )


def every_shape(package: Package, reach: Reach) -> Iterator[Shape]:
    """All shapes that are written, except those inside others."""
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
    "events",
    "schemas",
    "unwrap",
)
"""Names that every generated module needs for itself."""

CLIENT_MEMBERS: Final = ("aclose", "base_url", "close", "options", "with_options")
"""
The members of clients besides their routes.

Names that begin with an underscore are left out, since no route gets such a name.
"""

_KEYWORDS: Final = frozenset(kwlist)


def _public(text: str) -> bool:
    return is_identifier(text) and not text.startswith("_")


def _attribute(text: str) -> bool:
    # Python changes names that begin like this in the body of a class
    return is_identifier(text) and not text.startswith("__")


def is_attribute(text: str) -> bool:
    """Whether a field may have the name *text* in the body of a class."""
    return Names(_FIELD).take(text) == text


_TYPE: Final = Style(reserved=_KEYWORDS | {*PUBLIC, "annotations"}, legal=_public, stem="Type")
# every class has an attribute mro, which dataclasses would take for the default of a field of that
# name
_FIELD: Final = Style(reserved=_KEYWORDS | {"mro"}, legal=_attribute, stem="field")
_OF_FAILURES: Final = ("error_code", "http_status", "response", "_DeclaredFailure__response")
"""The names that a failure has besides those of its fields."""
_FAILURE_FIELD: Final = replace(_FIELD, reserved=_FIELD.reserved | {*_OF_FAILURES})
_POSITION: Final = Style(reserved=_KEYWORDS | {"count", "index"}, legal=_public, stem="item")
_MEMBER: Final = Style(reserved=_KEYWORDS | {"mro", "name", "value"}, legal=_public, stem="MEMBER")
_SCHEMA: Final = Style(reserved=_KEYWORDS, legal=_public, stem="schema")


@record(kw_only=True)
class Naming:
    """The names of one module."""

    types: Mapping[str, str]
    """Type, or generic type -> class or alias, for those that are written."""
    made: Mapping[str, Generic]
    """Type made from a generic one, and so not written itself -> the generic one."""
    failures: Mapping[str, str]
    """Code -> class."""
    fields: Mapping[str, Mapping[str, str]]
    """Type -> name on the wire (position of a named tuple) -> attribute."""
    members: Mapping[str, Mapping[str, str]]
    """Enum -> the member's name on the server -> member."""
    flat: Mapping[str, str]
    """Route -> a name that is unique among all routes, whatever their groups."""
    methods: Mapping[str, str]
    """Route -> method, of the client or of its group."""
    groups: Mapping[str, str]
    """Group -> attribute, of the client or of the group around it."""
    exports: Mapping[str, str]
    """Export -> attribute of ``schemas``."""
    aliases: Mapping[str, str]
    """Export, or input made from a generic type -> a second name of its type, if it needs one."""
    routes: Mapping[str, str]
    """Route -> attribute of ``schemas``."""

    @property
    def attributes(self) -> frozenset[str]:
        """
        All names of fields, methods and groups.

        They are in the body of a class or are parameters, where they may hide names of the module.
        """
        inside = [each for names in self.fields.values() for each in names.values()]
        return frozenset([*inside, *self.methods.values(), *self.groups.values()])

    def path(self, route: ContractRoute) -> str:
        """How clients call *route*: ``orders.create``."""
        groups = [self.groups[each] for each in around(route.group)]
        return ".".join([*groups, self.methods[route.path]])


def naming_of(package: Package, reach: Reach, *, clients: bool) -> Naming:
    """
    The names for *package*.

    Args:
        package: The package to write.
        reach: The parts of it to write.
        clients: Whether to write its routes too, or only its exports.
    """
    # 1. Fields: before types, since types are made from one generic type only if their fields have
    #    the same names.
    declared = {name: package.definitions[name].shape for name in (*reach.types, *reach.data)}
    tags, of_failures = _tags(package, reach), frozenset(reach.data)
    fields = {name: _fields(name, shape, tags, of_failures) for name, shape in declared.items()}
    made = _made(package, reach, fields)
    # 2. Types. Those of the document come first, so that they keep their names.
    types = Names(_TYPE)
    if clients and package.paged:
        types = Names(replace(_TYPE, reserved=_TYPE.reserved | {"pages"}))
    own = {*reach.types} - made.keys()
    named = types.take_all([*own, *reach.failures.values()])
    failures = {code: named[data] for code, data in reach.failures.items()}
    for code in sorted({*reach.codes} - reach.failures.keys()):
        failures[code] = types.take(pascal(code, "Failure"))
    second = package.aliases.keys() - own
    if clients:
        second |= package.made_inputs.keys() & made.keys()
    aliases = types.take_all(second)
    generics = types.take_all({generic.definition.name for generic in made.values()})
    # 3. Names inside them: the fields of generic types, and the members of enums.
    of_generics = {generic.definition.name: fields[name] for name, generic in made.items()}
    members: dict[str, dict[str, str]] = {}
    for name, shape in declared.items():
        if isinstance(shape, EnumShape):
            members[name] = Names(_MEMBER).take_all(member for member, _ in shape.members)
    # 4. Methods and groups, and the attributes of `schemas`: exports first, as above.
    flat: dict[str, str] = {}
    methods: dict[str, str] = {}
    groups: dict[str, str] = {}
    if clients:
        flat = Names(_style(None)).take_all(package.operations)
        methods, groups = members_of(package.root, _style)
    schemas = Names(_SCHEMA)
    exports = schemas.take_all(package.exports)
    routes: dict[str, str] = {}
    for route, method in flat.items():
        wanted = f"{method}_" if method in package.exports else method
        routes[route] = schemas.take(wanted)
    return Naming(
        types={name: named[name] for name in sorted(own)} | generics,
        made=made,
        failures={code: failures[code] for code in reach.codes},
        fields=fields | of_generics,
        members=members,
        flat=flat,
        methods=methods,
        groups=groups,
        exports=exports,
        aliases=aliases,
        routes=routes,
    )


def _made(
    package: Package, reach: Reach, fields: Mapping[str, Mapping[str, str]]
) -> dict[str, Generic]:
    """
    Type -> the generic type that it is made from, for those that are written.

    A generic class has one name for a field and one kind of equality, whatever its arguments.
    """
    by_identity = {each.name for each in compared_by_identity(every_shape(package, reach))}
    found: dict[str, Generic] = {}
    for each in package.generics.values():
        written = [name for name in each.instances if name in reach.types]
        alike = {(name in by_identity, *sorted(fields[name].items())) for name in written}
        if len(alike) == 1 and not {*reach.data} & {*written}:
            found |= dict.fromkeys(written, each)
    return found


def _style(group: str | None) -> Style:
    """The rules for the names of methods of a *group*, or, for None, of the client itself."""
    reserved = _KEYWORDS
    if group is None:
        reserved |= {*CLIENT_MEMBERS}
    return Style(reserved=reserved, legal=_public, stem="route")


def _fields(
    name: str, shape: Shape, tags: Mapping[tuple[str, str], str], of_failures: frozenset[str]
) -> Mapping[str, str]:
    match shape:
        case RecordShape(_, _, fields) if is_open(shape):
            return {each.wire: each.wire for each in fields}  # the keys of a dict
        case RecordShape(_, _, fields):
            given = Names(_FAILURE_FIELD if name in of_failures else _FIELD)
            # a tag has the same name in all records that it tells apart
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
    taken: dict[str, str] = {}
    for name, wires in by_name.items():
        # the first keeps the name, and others get numbers: in the order of their names on the
        # wire, since that of the fields in a document may change
        first, *others = sorted(wires)
        taken[first] = names[name]
        for wire in others:
            taken[wire] = given.take(name)
    return taken


def _tags(package: Package, reach: Reach) -> Mapping[tuple[str, str], str]:
    """
    Record and wire name of a tag -> its attribute.

    All records of a union have one attribute for a tag, which no other tag in them has.
    """
    # Unions overlap: if A and B are told apart by "kind", and B and C too, all three need one
    # attribute for it. So the tags are joined to sets (union-find): `above` leads from each tag to
    # one that stands for its whole set.
    failures = frozenset(reach.data)
    above: dict[tuple[str, str], tuple[str, str]] = {}

    def top(case: tuple[str, str]) -> tuple[str, str]:
        while above[case] != case:
            above[case] = above[above[case]]
            case = above[case]
        return case

    # 1. The tags of each union are one set.
    for union in _tagged_unions(package, reach):
        cases = [(record.definition.name, union.tag) for _, record in union.cases]
        for case in cases:
            above.setdefault(case, case)
            above[top(case)] = top(cases[0])
    together: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for case in above:
        together.setdefault(top(case), []).append(case)
    # 2. Each set gets a name. The keys of dicts come first: such a tag has no other name.
    found: dict[tuple[str, str], str] = {}
    given: dict[str, set[str]] = {}
    keyed = {id(cases): _is_key(package, cases) for cases in together.values()}
    for cases in sorted(together.values(), key=lambda cases: not keyed[id(cases)]):
        record, wire = cases[0]
        if keyed[id(cases)]:
            wanted = wire
        else:
            is_plain = failures.isdisjoint(name for name, _ in cases)
            style = _FIELD if is_plain else _FAILURE_FIELD
            wanted = Names(style).take(_field_name(package.definitions[record].shape, wire))
        # 3. With a number, if another tag of one of these records has the name.
        name = wanted
        number = 2
        while any(name in given.get(each, ()) for each, _ in cases):
            name = f"{wanted}_{number}"
            number += 1
        for each, _ in cases:
            given.setdefault(each, set()).add(name)
        found.update(dict.fromkeys(cases, name))
    return found


def _tagged_unions(package: Package, reach: Reach) -> Iterator[TaggedUnionShape]:
    """All tagged unions that are written."""
    for shape in every_shape(package, reach):
        for each in nested(shape):
            if isinstance(each, TaggedUnionShape):
                yield each


def _is_key(package: Package, cases: Iterable[tuple[str, str]]) -> bool:
    """
    Whether a tag is the key of a dict in any of the *cases*, each a record and its tag.

    Raises:
        GenerationError: It cannot be an attribute of the others.
    """
    records = {name: is_open(package.definitions[name].shape) for name, _ in cases}
    for name, wire in cases:
        if any(records.values()) and not records[name] and not is_attribute(wire):
            raise GenerationError(
                f"$.$defs.{name}",
                f"the tag {quoted(wire)} is not a name in Python, and cannot be renamed, because "
                "of a record with free keys beside this one; call it kind",
            )
    return any(records.values())


def _field_name(record: Shape, wire: str) -> str:
    assert isinstance(record, RecordShape)  # noqa: S101  the cases of a tagged union are records
    return next((each.name for each in record.fields if each.wire == wire), wire)
