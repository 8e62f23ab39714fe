"""Walk: which parts of a package are written, and what has to stand before what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import assert_never

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
    StrType,
    TaggedType,
    TextType,
    TupleType,
    Type,
    UnionType,
)
from contract.shape.record import record

__all__ = [
    "Reach",
    "compared_by_identity",
    "every_type",
    "in_order",
    "names_in",
    "nested",
    "reach_of",
    "recursive_aliases",
    "types_of",
]


def nested(type_: Type) -> Iterator[Type]:
    """*type_* and the types within it; no declaration is looked into."""
    yield type_
    match type_:
        case ArrayType(item):
            yield from nested(item)
        case TupleType(items):
            for item in items:
                yield from nested(item)
        case MapType(key, value):
            yield from nested(key)
            yield from nested(value)
        case NullableType(inner):
            yield from nested(inner)
        case UnionType(members):
            for member in members:
                yield from nested(member)
        case TaggedType(_, cases):
            yield from (record for _, record in cases)
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
            pass
        case NamedType():
            pass
        case _:
            assert_never(type_)


def names_in(type_: Type) -> Iterator[str]:
    """The declarations that *type_* names."""
    return (each.name for each in nested(type_) if isinstance(each, NamedType))


def types_of(declaration: Declaration) -> Iterator[Type]:
    """The types that stand in *declaration*."""
    match declaration:
        case RecordDeclaration(fields=fields) | NamedTupleDeclaration(fields=fields):
            yield from (field.type for field in fields)
        case AliasDeclaration(type=type_):
            yield type_
        case EnumDeclaration():
            return
        case _:
            assert_never(declaration)


@record(kw_only=True)
class Reach:
    """What is written of a package."""

    roots: tuple[Type, ...]
    """The types of routes and exports."""
    types: tuple[str, ...]
    """Declarations that are types, sorted."""
    codes: tuple[str, ...]
    """Codes that routes declare, sorted."""
    failures: Mapping[str, str]
    """
    Code -> the declaration of its data, where that is the data of no other code and no type: the
    class takes its name.
    """
    data: tuple[str, ...]
    """Declarations that are the data of failures, sorted."""


def reach_of(package: Package, *, clients: bool) -> Reach:
    """
    What is written of *package*: all that its routes and its exports lead to.

    Without *clients* the exports alone.
    """
    operations = [*package.operations.values()] if clients else []
    roots: list[Type] = [*package.exports.values()]
    for each in operations:
        roots += [each.output] if each.input is None else [each.input, each.output]
    codes = sorted({code for each in operations for code in each.failures})
    data = {code: of.name for code in codes if (of := package.failures[code].data) is not None}
    found = _closure(
        package,
        [
            *roots,
            *(type_ for name in data.values() for type_ in types_of(package.declarations[name])),
        ],
    )
    names = [*data.values()]
    return Reach(
        roots=tuple(roots),
        types=tuple(sorted(found)),
        codes=tuple(codes),
        failures={
            code: name
            for code, name in data.items()
            if name not in found and names.count(name) == 1
        },
        data=tuple(sorted({*names})),
    )


def _closure(package: Package, roots: Iterable[Type]) -> set[str]:
    found: set[str] = set()
    ahead = [name for root in roots for name in names_in(root)]
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += [
                inner for type_ in types_of(package.declarations[name]) for inner in names_in(type_)
            ]
    return found


def recursive_aliases(package: Package, names: Iterable[str]) -> frozenset[str]:
    """Those of *names* that are aliases which lead back to themselves through aliases alone."""
    steps = {
        name: {
            inner
            for inner in names_in(alias.type)
            if isinstance(package.declarations[inner], AliasDeclaration)
        }
        for name in names
        if isinstance(alias := package.declarations[name], AliasDeclaration)
    }

    def leads_back(start: str) -> bool:
        seen: set[str] = set()
        ahead = [*steps[start]]
        while ahead:
            name = ahead.pop()
            if name == start:
                return True
            if name not in seen:
                seen.add(name)
                ahead += steps[name]
        return False

    # whatever only leads to an end is in no circle, and no chain of those is walked more than once
    users: dict[str, list[str]] = {name: [] for name in steps}
    for name, inner in steps.items():
        for each in inner:
            users[each].append(name)
    left = {name: len(inner) for name, inner in steps.items()}
    ended = [name for name, count in left.items() if count == 0]
    while ended:
        for user in users[ended.pop()]:
            left[user] -= 1
            if left[user] == 0:
                ended.append(user)
    return frozenset(name for name in steps if left[name] and leads_back(name))


def every_type(package: Package, reach: Reach) -> Iterator[Type]:
    """All types that are written, those within others included."""
    for root in reach.roots:
        yield from nested(root)
    for name in (*reach.types, *reach.data):
        for type_ in types_of(package.declarations[name]):
            yield from nested(type_)


def compared_by_identity(package: Package, reach: Reach) -> frozenset[str]:
    """
    The records that stand in sets although their fields could not.

    At the server such a class says so itself; here it says that it is compared by identity, or no
    set could hold it.
    """
    found: set[str] = set()
    seen: set[str] = set()
    ahead: list[Type] = [
        each.item
        for each in every_type(package, reach)
        if isinstance(each, ArrayType) and _is_set(each)
    ]
    while ahead:
        for name in names_in(ahead.pop()):
            if name not in seen:
                seen.add(name)
                declaration = package.declarations[name]
                fields = [*types_of(declaration)]
                if isinstance(declaration, RecordDeclaration) and any(
                    _is_unhashable(each, package, set()) for each in fields
                ):
                    found.add(name)
                ahead += fields
    return frozenset(found)


def _is_set(array: ArrayType) -> bool:
    return array.container in ("set", "frozenset")


def _is_unhashable(type_: Type, package: Package, seen: set[str]) -> bool:
    """
    Whether values of *type_* have no hash; records have one, by their fields or by their identity.
    """
    for each in nested(type_):
        if isinstance(each, AnyType | MapType) or (
            isinstance(each, ArrayType) and each.container in ("list", "set")
        ):
            return True
        if isinstance(each, NamedType) and each.name not in seen:
            seen.add(each.name)
            declaration = package.declarations[each.name]
            if isinstance(declaration, RecordDeclaration):
                continue
            if any(_is_unhashable(inner, package, seen) for inner in types_of(declaration)):
                return True
    return False


def in_order(names: Iterable[str], needs: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    """*names*, each behind what it *needs*; in a circle, whatever was met first comes last."""
    wanted = [*names]
    known = frozenset(wanted)
    placed: dict[str, None] = {}
    opened: set[str] = set()
    for start in wanted:
        path = [start]
        while path:
            name = path[-1]
            opened.add(name)
            missing = next(
                (
                    each
                    for each in needs(name)
                    if each in known and each not in placed and each not in opened
                ),
                None,
            )
            if missing is None:
                path.pop()
                placed[name] = None
            else:
                path.append(missing)
    return tuple(placed)
