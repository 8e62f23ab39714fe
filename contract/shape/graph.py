"""Graph: questions about a tree of shapes as a whole, asked when it is complete."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from typing import Any, Final

from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    Definition,
    EnumShape,
    LiteralShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)

__all__ = [
    "alternatives",
    "children",
    "definitions",
    "fingerprint",
    "is_compared_by_identity",
    "is_hashable",
    "mark_recursive",
    "reachable",
    "takes_nothing",
]


def children(shape: Shape) -> Iterator[Shape]:
    """The shapes directly below *shape*; a reference has none."""
    match shape:
        case ArrayShape(item):
            yield item
        case TupleShape(items):
            yield from items
        case MapShape(key, value):
            yield key
            yield value
        case NullableShape(inner) | Refined(inner):
            yield inner
        case UnionShape(members):
            yield from members
        case TaggedUnionShape(_, _, cases):
            yield from (record for _, record in cases)
        case RecordShape(_, _, fields) | NamedTupleShape(_, fields):
            yield from (field.shape for field in fields)
        case _:
            return  # scalars, enums and references


def alternatives(shape: Shape) -> tuple[Shape, ...]:
    """The shapes of which a value of *shape* has one, null apart; no alias is looked into."""
    match shape:
        case NullableShape(inner) | Refined(inner):
            return alternatives(inner)
        case UnionShape(members):
            return members
        case _:
            return (shape,)


def definitions(shape: Shape) -> Iterator[Definition]:
    """The definitions that *shape* refers to, in order, without looking into them."""
    if isinstance(shape, RefShape):
        yield shape.definition
    for child in children(shape):
        yield from definitions(child)


def reachable(shape: Shape) -> set[Definition]:
    """All definitions that can be reached from *shape*."""
    found: set[Definition] = set()
    ahead = list(definitions(shape))
    while ahead:
        definition = ahead.pop()
        if definition not in found:
            found.add(definition)
            ahead.extend(definitions(definition.shape))
    return found


def fingerprint(shape: Shape) -> tuple[Any, ...]:
    """What tells *shape* from all others: equality does not, since ``Literal[1] == Literal[True]``, and predicates may have no hash."""
    return (repr(shape), *map(id, definitions(shape)))


def mark_recursive(fresh: Iterable[Definition]) -> None:
    """
    Set ``recursive`` on those of *fresh* that can be reached from themselves.

    They are all that was read since the last time, so nothing older can refer to them.
    Tarjan's algorithm, without recursion: a long chain of types is no reason to overflow the stack.
    """
    order: dict[Definition, int] = {}
    low: dict[Definition, int] = {}
    component: list[Definition] = []
    waiting = set(fresh)
    for start in list(waiting):
        if start in order:
            continue
        path: list[tuple[Definition, Iterator[Definition]]] = []
        _enter(start, order, low, component, path)
        while path:
            definition, ahead = path[-1]
            for target in ahead:
                if target not in waiting:
                    continue
                if target is definition:
                    definition.recursive = True
                if target not in order:
                    _enter(target, order, low, component, path)
                    break
                if target in low:
                    low[definition] = min(low[definition], order[target])
            else:
                path.pop()
                if path:
                    parent = path[-1][0]
                    low[parent] = min(low[parent], low[definition])
                if low[definition] == order[definition]:
                    at = component.index(definition)
                    for member in component[at:]:
                        member.recursive = member.recursive or len(component) - at > 1
                        del low[member]
                    del component[at:]


def _enter(
    definition: Definition,
    order: dict[Definition, int],
    low: dict[Definition, int],
    component: list[Definition],
    path: list[tuple[Definition, Iterator[Definition]]],
) -> None:
    order[definition] = low[definition] = len(order)
    component.append(definition)
    path.append((definition, definitions(definition.shape)))


def is_compared_by_identity(shape: Shape) -> bool:
    """Whether two values of *shape* may be equal in JSON and not in Python: there are dataclasses with ``eq=False`` in them."""
    records = (each.shape for each in reachable(shape))
    return any(
        isinstance(each, RecordShape) and each.type.__eq__ is _BY_IDENTITY for each in records
    )


_BY_IDENTITY: Final[Any] = object.__eq__


def is_hashable(shape: Shape) -> bool:
    """Whether every value of *shape* can stand in a set."""
    return _is_hashable(shape, set())


def _is_hashable(shape: Shape, seen: set[Definition]) -> bool:
    match shape:
        case AnyShape() | MapShape() | ArrayShape(container="list" | "set" | "sequence"):
            return False
        case RefShape(definition):
            if definition in seen:
                return True
            seen.add(definition)
            return _is_hashable(definition.shape, seen)
        case RecordShape(type=cls):
            own = is_dataclass(cls) and cls.__hash__ is not None
            by_fields = own and "__hash__" in vars(cls)
            return own and (
                not by_fields or all(_is_hashable(child, seen) for child in children(shape))
            )
        case EnumShape() | LiteralShape():
            return True
        case _:
            return all(_is_hashable(child, seen) for child in children(shape))


def takes_nothing(shape: Shape) -> bool:
    """Whether the empty object is an input of *shape* because it is a record each of whose fields may be left out."""
    match shape:
        case RefShape(definition):
            return takes_nothing(definition.shape)
        case RecordShape(_, _, fields):
            return not any(field.init and field.required_in for field in fields)
        case _:
            return False
