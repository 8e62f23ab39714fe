"""Graph: questions about a whole tree of shapes, asked once it is complete."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, assert_never, cast

from contract.shape.hashes import hashed_fields
from contract.shape.nodes import (
    NO_CLASS,
    AnyShape,
    ArrayShape,
    Basic,
    Definition,
    EnumShape,
    Formed,
    Listed,
    LiteralShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    OwnShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.shape.scalars import JsonType, form_of, row_of

__all__ = [
    "alternatives",
    "as_json_has_it",
    "bottom_up",
    "children",
    "compared_by_identity",
    "definitions",
    "expected",
    "fingerprint",
    "holds_read_once",
    "is_alias",
    "is_compared_by_identity",
    "is_hashable",
    "is_open",
    "is_read_once",
    "json_types",
    "listed",
    "mark_recursive",
    "nested",
    "parts",
    "reachable",
    "rebuilt",
    "recursive_aliases",
    "takes_nothing",
    "written_sizes",
]


# A definition may contain itself, so a tree of shapes is a graph. The functions that go through all
# definitions keep a list of what is ahead and a set of what was seen: they end on circles, and a
# long chain of types does not overflow the stack. Those that stay within one definition are
# recursive, as the readers limit how many shapes are within each other.


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
        case RecordShape(_, _, fields, extra=extra):
            yield from (field.shape for field in fields)
            if extra is not None:
                yield extra
        case NamedTupleShape(_, fields):
            yield from (field.shape for field in fields)
        case _:
            return  # scalars, enums and references


def nested(shape: Shape) -> Iterator[Shape]:
    """*shape* and all shapes in it; references are not followed."""
    yield shape
    for child in children(shape):
        yield from nested(child)


def rebuilt(shape: Shape, change: Callable[[Shape], Shape]) -> Shape:
    """
    *shape* with each of the shapes directly below it replaced by what *change* makes of it.

    A shape without shapes below it is returned as it is.
    """
    match shape:
        case ArrayShape(item):
            return replace(shape, item=change(item))
        case TupleShape(items):
            return TupleShape(tuple(map(change, items)))
        case MapShape(key, value):
            return replace(shape, key=change(key), value=change(value))
        case NullableShape(inner) | Refined(inner):
            return replace(shape, inner=change(inner))
        case UnionShape(members):
            return UnionShape(tuple(map(change, members)))
        case TaggedUnionShape(_, _, cases):
            return replace(
                shape,
                cases=tuple((value, cast("RefShape", change(record))) for value, record in cases),
            )
        case RecordShape(_, _, fields) | NamedTupleShape(_, fields):
            changed = replace(
                shape, fields=tuple(replace(field, shape=change(field.shape)) for field in fields)
            )
            if isinstance(changed, RecordShape) and changed.extra is not None:
                return replace(changed, extra=change(changed.extra))
            return changed
        case _:
            return shape


def is_open(shape: Shape) -> bool:
    """Whether *shape* is a record that may have undeclared keys."""
    return isinstance(shape, RecordShape) and shape.extra is not None


def alternatives(shape: Shape) -> tuple[Shape, ...]:
    """The shapes of which a value of *shape* has one, without null; aliases are not followed."""
    match shape:
        case NullableShape(inner) | Refined(inner):
            return alternatives(inner)
        case UnionShape(members):
            return members
        case _:
            return (shape,)


def listed(shape: Shape) -> tuple[Listed, ...] | None:
    """The values of *shape* on the wire if it lists each of them; else None."""
    match shape:
        case LiteralShape(values):
            return values
        case EnumShape(_, members):
            return tuple(value for _, value in members)
        case Refined(inner):
            return listed(inner)
        case RefShape(definition):
            return listed(definition.shape)
        case _:
            return None


def is_read_once(shape: Shape) -> bool:
    """Whether the values of *shape* may be iterators, which can be read only once."""
    return isinstance(shape, ArrayShape) and shape.abstract is Iterable


def holds_read_once(shape: Shape) -> bool:
    """Whether any shape in *shape* may be an iterator."""
    return any(map(is_read_once, _everywhere(shape)))


def definitions(shape: Shape) -> Iterator[Definition]:
    """The definitions that *shape* refers to, in order; those that they refer to are left out."""
    if isinstance(shape, RefShape):
        yield shape.definition
    for child in children(shape):
        yield from definitions(child)


def reachable(shape: Shape, known: Collection[Definition] = ()) -> set[Definition]:
    """
    All definitions that can be reached from *shape*.

    Those that are reachable only through *known* ones may be left out.
    """
    found: set[Definition] = set()
    ahead = list(definitions(shape))
    while ahead:
        definition = ahead.pop()
        if definition not in found and definition not in known:
            found.add(definition)
            ahead.extend(definitions(definition.shape))
    return found


def _everywhere(shape: Shape) -> Iterator[Shape]:
    """*shape*, all shapes in it, and those in all definitions that can be reached from it."""
    yield from nested(shape)
    for definition in reachable(shape):
        yield from nested(definition.shape)


def bottom_up(shape: Shape, is_known: Callable[[Definition], bool]) -> list[Definition]:
    """
    All definitions that can be reached from *shape*, each after those that it refers to.

    Of definitions that refer to each other, one has to come first. Known ones are left out, and so
    are those that are reachable only through them.

    Who compiles them in this order needs no recursion from one type to the next, so no number of
    types overflows the stack.
    """
    found: list[Definition] = []
    entered: set[Definition] = set()
    # the definitions that are being walked, outermost first, and what is left to visit from each;
    # a frame goes on with its own iterator after each of its targets
    path: list[tuple[Definition | None, Iterator[Definition]]] = [(None, definitions(shape))]
    while path:
        definition, ahead = path[-1]
        for target in ahead:
            if target not in entered and not is_known(target):
                entered.add(target)
                path.append((target, definitions(target.shape)))
                break
        else:
            # nothing is left to visit, so all that it refers to is found
            path.pop()
            if definition is not None:
                found.append(definition)
    return found


def written_sizes(known: Iterable[Definition]) -> dict[Definition, int]:
    """
    Alias -> the number of shapes in it, where aliases in it are replaced by what they stand for.

    An alias within its own value counts as one shape.
    """
    sizes: dict[Definition, int] = {}
    looked: set[Definition] = set()
    for each in known:
        if each in looked:
            continue
        # each after those that it refers to, so their sizes are known
        for definition in bottom_up(RefShape(each), looked.__contains__):
            looked.add(definition)
            if not is_alias(definition):
                continue
            size = 0
            for part in nested(definition.shape):
                if isinstance(part, RefShape):
                    size += sizes.get(part.definition, 1)
                else:
                    size += 1
            sizes[definition] = size
    return sizes


def fingerprint(shape: Shape) -> tuple[Any, ...]:
    """
    A key that tells *shape* from all others.

    Equality does not tell them apart: ``Literal[1] == Literal[True]``, and predicates may have no
    hash. Nor does the text of an enum member, which does not name its module.
    """
    members: list[int] = []
    for each in nested(shape):
        if isinstance(each, LiteralShape):
            members += map(id, each.python)
    return (repr(shape), *map(id, definitions(shape)), *members)


def mark_recursive(fresh: Iterable[Definition]) -> None:
    """
    Set ``recursive`` on those of *fresh* that can be reached from themselves.

    *fresh* is all that was read since the last time, so nothing older can refer to it.
    """
    for definition in _on_circles(set(fresh), lambda each: definitions(each.shape)):
        definition.recursive = True


def _on_circles(
    known: Collection[Definition], steps: Callable[[Definition], Iterable[Definition]]
) -> set[Definition]:
    """
    Those of *known* from which *steps* lead back to themselves.

    This is Tarjan's algorithm without recursion: a long chain of types must not overflow the stack.
    """
    circles: set[Definition] = set()
    # definition -> how many were entered before it
    order: dict[Definition, int] = {}
    # definition -> the least order that can be reached from it, among those in `component`
    low: dict[Definition, int] = {}
    # the definitions whose circle is not complete yet, in the order of entering
    component: list[Definition] = []
    # the way from the start to here, and what is left to visit from each
    path: list[tuple[Definition, Iterator[Definition]]] = []

    def enter(definition: Definition) -> None:
        order[definition] = low[definition] = len(order)
        component.append(definition)
        path.append((definition, iter(steps(definition))))

    for start in known:
        if start not in order:
            enter(start)
        while path:
            definition, ahead = path[-1]
            for target in ahead:
                if target not in known:
                    continue
                if target is definition:
                    # a circle of one, which has no other members to tell it by
                    circles.add(target)
                if target not in order:
                    enter(target)
                    break
                if target in low:
                    low[definition] = min(low[definition], order[target])
            else:
                path.pop()
                if path:
                    parent = path[-1][0]
                    low[parent] = min(low[parent], low[definition])
                # nothing before it can be reached: what was entered since is one component
                if low[definition] == order[definition]:
                    members = [component.pop()]
                    while members[-1] is not definition:
                        members.append(component.pop())
                    if len(members) > 1:
                        circles.update(members)
                    for member in members:
                        del low[member]
    return circles


def is_compared_by_identity(shape: Shape) -> bool:
    """
    Whether two values of *shape* may be equal in JSON but not in Python.

    They may if *shape* contains a class without an ``__eq__``, such as a dataclass with
    ``eq=False``.
    """
    for part in _everywhere(shape):
        if isinstance(part, RecordShape | OwnShape) and part.type.__eq__ is _BY_IDENTITY:
            return True
    return False


_BY_IDENTITY: Final[Any] = object.__eq__


def is_hashable(shape: Shape, known: set[Definition] | None = None) -> bool:
    """
    Whether every value of *shape* can be in a set.

    The values of *known* definitions can; those that are visited are added to it.
    """
    seen: set[Definition] = set()
    if known is not None:
        # not a copy: the caller's set grows
        seen = known
    ahead = [shape]
    while ahead:
        part = ahead.pop()
        match part:
            case (
                AnyShape()
                | MapShape()
                | ArrayShape(container="list" | "set" | "sequence" | "deque")
            ):
                return False
            case RefShape(definition):
                if definition not in seen:
                    seen.add(definition)
                    ahead.append(definition.shape)
            case OwnShape(type=cls):
                # a class with __eq__ and without __hash__ has None there
                hashed: object = cls.__hash__
                if hashed is None:
                    return False
            case RecordShape("typeddict"):
                return False
            case RecordShape(type=cls, fields=fields):
                # a document has no class for it; one is made that can be hashed, by its fields or
                # by identity
                if cls is not NO_CLASS:
                    names = hashed_fields(cls, [each.name for each in fields])
                    if names is None:
                        return False
                    ahead += (each.shape for each in fields if each.name in names)
            case _:
                # tuples, frozensets and the like are hashed by what is in them
                ahead += children(part)
    return True


def json_types(shape: Shape) -> Iterable[JsonType]:
    """
    The JSON types of the values of *shape*, in order.

    One may come more than once. A float is a ``number``, even if it is whole.
    """
    match shape:
        case AnyShape():
            return ("null", "boolean", "integer", "number", "string", "array", "object")
        case Basic():
            return (row_of(shape).json_type,)
        case LiteralShape(values):
            return [_TYPES[type(value)] for value in values]
        case EnumShape(_, members):
            return [_TYPES[type(value)] for _, value in members]
        case ArrayShape() | TupleShape() | NamedTupleShape():
            return ("array",)
        case MapShape() | RecordShape() | TaggedUnionShape():
            return ("object",)
        case NullableShape(inner):
            return ["null", *json_types(inner)]
        case UnionShape(parts):
            names: list[JsonType] = []
            for part in parts:
                names += json_types(part)
            return names
        case Refined(inner) | OwnShape(inner):
            return json_types(inner)
        case RefShape(definition):
            return json_types(definition.shape)
        case _:
            assert_never(shape)


def as_json_has_it(value: Listed) -> Listed:
    """A *value* of an enum as JSON Schema compares it: 1.0 is the integer 1."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def expected(shape: Shape) -> Iterable[str]:
    """
    The words for a value of *shape* in messages, each once.

    They are its text form if it has one, or else its JSON types.
    """
    match shape:
        case Formed():
            return (form_of(shape).name,)
        case OwnShape(inner) if shape.form is not None:
            return (shape.form,)
        case Refined(inner) | OwnShape(inner):
            return expected(inner)
        case _:
            return dict.fromkeys(json_types(shape))


# by the exact type, since True is an int
_TYPES: Final[dict[type[object], JsonType]] = {
    str: "string",
    int: "integer",
    bool: "boolean",
    float: "number",
}


# For documents.


def parts(definition: Definition) -> Iterable[Shape]:
    """The shapes in *definition*: those of its fields, or the shape that it is an alias of."""
    if is_alias(definition):
        return [definition.shape]
    return [*children(definition.shape)]


def is_alias(definition: Definition) -> bool:
    """Whether *definition* is only a name for a shape, and could be replaced by it."""
    return not isinstance(definition.shape, RecordShape | NamedTupleShape | EnumShape)


def recursive_aliases(known: Iterable[Definition]) -> frozenset[Definition]:
    """The aliases among *known* that lead back to themselves through aliases alone."""
    aliases = set(filter(is_alias, known))
    return frozenset(_on_circles(aliases, lambda alias: definitions(alias.shape)))


def compared_by_identity(shapes: Iterable[Shape]) -> frozenset[Definition]:
    """
    The records without a class that are in sets in *shapes*, although their fields have no hash.

    On the server their classes are compared by identity. A class that a client makes for one has to
    declare the same, or no set could hold its instances.
    """
    found: set[Definition] = set()
    seen: set[Definition] = set()
    # 1. Begin with the items of the sets.
    ahead: list[Shape] = []
    for shape in shapes:
        sets = (each for each in nested(shape) if isinstance(each, ArrayShape) and each.unique)
        ahead += (each.item for each in sets)
    # 2. Follow them: the hash of an item is made of those of its fields.
    while ahead:
        for definition in definitions(ahead.pop()):
            if definition in seen:
                continue
            seen.add(definition)
            inside = parts(definition)
            if isinstance(definition.shape, RecordShape) and not all(map(is_hashable, inside)):
                found.add(definition)
            ahead += inside
    return frozenset(found)


def takes_nothing(shape: Shape) -> bool:
    """
    Whether an input of *shape* need not be sent: it then is the empty object.

    It is if *shape* is a record whose fields may all be left out. A record with extra keys (PEP
    728) is always sent, as a map is: without fields of its own, the documents show it as a map.
    """
    while isinstance(shape, RefShape):
        shape = shape.definition.shape
    return (
        isinstance(shape, RecordShape)
        and shape.extra is None
        and not any(field.init and field.required_in for field in shape.fields)
    )
