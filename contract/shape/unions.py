"""
Unions: how the members of a union are told apart on the wire.

JSON does not say which member was meant, so a union is taken only if the value itself tells: by its
JSON type, by a tag, or by forms that exclude each other. Anything else would be a guess, and a
round trip could change the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import product
from typing import Any, Final, final

from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.graph import as_json_has_it, json_types
from contract.shape.names import label
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    Definition,
    EnumShape,
    FloatShape,
    Formed,
    IntShape,
    Listed,
    LiteralShape,
    NamedTupleShape,
    NullableShape,
    NullShape,
    OwnShape,
    RecordShape,
    Refined,
    RefShape,
    Scalar,
    Shape,
    StrShape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.shape.python_types import literal_of
from contract.shape.scalars import row_of
from contract.shape.text_forms import APART

__all__ = ["Apart", "Tags", "alias_shape", "merge"]

Tags = Mapping[str, tuple[str, tuple[Scalar, ...]]]
"""
Attribute -> its wire name and its literal values, for the fields of a record that may be tags.
"""

_ITSELF: Final = (BoolShape, IntShape, FloatShape, StrShape, LiteralShape)
"""
Shapes that turn a JSON value into the equal value of Python.

If two of these take a value, it does not matter which of them does.
"""

_ADVICE: Final = (
    "write one of them, or give each a dataclass of its own with a Literal field to tell them apart"
)


def merge(members: Iterable[Shape], where: str, tags: Callable[[Definition], Tags]) -> Shape:
    """
    The union of *members*, as they were written; unions among them are taken apart.

    *tags* gives the fields that could tell a record from others.

    Raises:
        UnsupportedAnnotation: Two members cannot be told apart.
    """
    # 1. one named type, with or without null: it keeps its name
    members = list(members)
    alone = [member for member in members if not isinstance(member, NullShape)]
    if len(alone) == 1 and isinstance(alone[0], RefShape):
        if len(members) > 1:
            return _nullable(alone[0])
        return alone[0]
    # 2. nothing but null, or Any among them
    nullable, flat = _flatten(members, where)
    if not flat:
        return NullShape()
    if any(isinstance(member, AnyShape) for member in flat):
        if len(flat) > 1:
            named = ", ".join(label(member) for member in flat if not isinstance(member, AnyShape))
            raise UnsupportedAnnotation(
                where, f"Any already takes everything that {named} would; write Any"
            )
        return AnyShape()  # which includes null
    # 3. the members by kind: all literals become one, and all records one tagged union
    choices: list[Any] = []
    floats: list[Shape] = []
    records: list[Shape] = []
    others: list[Shape] = []
    for member in flat:
        if isinstance(member, LiteralShape):
            choices += member.choices
        elif _is_record(member):
            records.append(member)
        elif isinstance(member, FloatShape):
            floats.append(member)
        else:
            others.append(member)
    parts: list[Shape] = []
    if choices:
        parts.append(literal_of(choices, where))
    parts += others
    # after int: members are tried in this order, and an int on the wire stays an int
    parts += floats
    # one record stands for all: against other shapes they are alike, being objects
    _check_pairs(parts + records[:1], where, tags)
    if len(records) > 1:
        parts.append(_tagged(records, where, tags))
    else:
        parts += records
    # 4. the union
    shape = parts[0] if len(parts) == 1 else UnionShape(tuple(parts))
    if nullable:
        return NullableShape(shape)
    return shape


def _nullable(member: RefShape) -> Shape:
    """A named type or null; an alias that already includes null keeps its name."""
    known = member.definition
    if known.closed and isinstance(known.shape, NullableShape):
        return member
    return NullableShape(member)


def _flatten(members: Iterable[Shape], where: str) -> tuple[bool, list[Shape]]:
    """Whether *members* include null, and all others without the unions among them, each once."""
    nullable = False
    flat: list[Shape] = []
    for member in members:
        match member:
            case NullShape():
                nullable = True
            case NullableShape(inner):
                nullable = True
                flat += _flatten((inner,), where)[1]
            case UnionShape(parts):
                flat += parts
            case TaggedUnionShape(_, _, cases):
                flat += (record for _, record in cases)
            case RefShape(definition) if _is_outlined(member):
                flat.append(member)
            case RefShape(definition) if _kind(member) == "alias":
                aliased_nullable, aliased = _flatten((alias_shape(definition, where),), where)
                nullable |= aliased_nullable
                flat += aliased
            case _:
                flat.append(member)
    unique: list[Shape] = []
    for member in flat:
        # literals are kept: Literal[1] equals Literal[True] here, and `literal_of` tells them apart
        if member not in unique or isinstance(member, LiteralShape):
            unique.append(member)
    return nullable, unique


def alias_shape(definition: Definition, where: str) -> Shape:
    """The shape of a recursive alias; a union is refused while it is being read."""
    if not definition.closed:
        name = definition.name
        raise UnsupportedAnnotation(
            where,
            f"{name} is a member of another union within itself; write {name} alone there, "
            f"in a list, a dict or a dataclass, and make the others members of {name}",
        )
    return definition.shape


def _kind(member: RefShape) -> str:
    """The kind of type that a reference leads to, known even while the type is being read."""
    definition = member.definition
    named = definition.key[0]
    if isinstance(named, type):
        if issubclass(named, Enum):
            return "enum"
        if issubclass(named, tuple):
            return "namedtuple"
        return "record"
    if definition.closed:
        return _KINDS.get(type(definition.shape), "alias")
    return "alias"


_KINDS: Final[dict[type, str]] = {
    EnumShape: "enum",
    NamedTupleShape: "namedtuple",
    RecordShape: "record",
}
"""Documents have no classes."""


def _is_record(member: Shape) -> bool:
    return isinstance(member, RefShape) and _kind(member) == "record"


# Records are told apart by a tag: a field that all of them have, with one wire name, and whose
# literal values are different in each. The first such field of the first record is taken. If there
# is none, the message names what is wrong with the first candidate.


def _tagged(
    records: Sequence[Shape], where: str, tags: Callable[[Definition], Tags]
) -> TaggedUnionShape:
    found = [
        (record, tags(record.definition)) for record in records if isinstance(record, RefShape)
    ]
    first, first_tags = found[0]
    common: list[str] = []
    for name, (wire, _) in first_tags.items():
        if all(name in of and of[name][0] == wire for _, of in found):
            common.append(name)
    clashes: list[str] = []
    for attribute in common:
        # by type as well: true and 1 are different values in JSON, but equal keys in Python
        cases: dict[tuple[type, Scalar], RefShape] = {}
        clash = None
        for record, of in found:
            for value in of[attribute][1]:
                other = cases.setdefault((type(value), value), record)
                if other is not record:
                    clash = (
                        f"{label(other)} and {label(record)} both have {attribute} = {value!r}; "
                        "write another value in one"
                    )
        if clash is None:
            return TaggedUnionShape(
                first_tags[attribute][0],
                attribute,
                tuple((value, record) for (_, value), record in cases.items()),
            )
        clashes.append(clash)
    if clashes:
        raise UnsupportedAnnotation(where, clashes[0])
    names = " and ".join(label(record) for record, _ in found)
    example = f'kind: Literal["{label(first).lower()}"]'
    raise UnsupportedAnnotation(
        where,
        f"{names} cannot be told apart; "
        f"write a field with a Literal type of its own into each: {example}",
    )


# Everything else is told apart by its value: each member is compared with each before it. Two are
# distinct if they have no JSON type in common. If they have one, they still are if it does not
# matter which member takes a value, or if no value has the form of both.


def _check_pairs(members: Sequence[Shape], where: str, tags: Callable[[Definition], Tags]) -> None:
    apart = Apart(tags, where)
    for index, member in enumerate(members):
        for other in members[:index]:
            if not apart.distinct(other, member):
                raise UnsupportedAnnotation(
                    where, f"{label(other)} and {label(member)} cannot be told apart; {_ADVICE}"
                )


@final
class Apart:
    """
    Checks whether shapes can be told apart.

    Attributes:
        steps: How many comparisons were made: a document by somebody else may need too many.
    """

    def __init__(self, tags: Callable[[Definition], Tags], where: str = "") -> None:
        self.steps: int = 0
        self._where = where
        self._find_tags = tags
        self._tags: dict[Definition, _Exact] = {}
        self._json_types: dict[Definition, frozenset[str]] = {}

    def flat(self, shape: Shape) -> Iterator[Shape]:
        """
        The members of a union, null included.

        Members that are aliases of unions are replaced by the members of those.
        """
        ahead = [shape]
        seen: set[Definition] = set()
        while ahead:
            self.steps += 1
            match ahead.pop():
                case UnionShape(members):
                    ahead += members[::-1]
                case NullableShape(inner):
                    ahead += (inner, NullShape())
                case Refined(inner):
                    ahead.append(inner)
                case RefShape(definition) as member if _kind(
                    member
                ) == "alias" and not _is_outlined(member):
                    if definition not in seen:
                        seen.add(definition)
                        ahead.append(alias_shape(definition, self._where))
                case member:
                    yield member

    def distinct(self, a: Shape, b: Shape) -> bool:
        """Whether no JSON value makes different Python values of *a* and of *b*."""
        self.steps += 1
        a, b = _bare(a), _bare(b)
        unread = [shape for shape in (a, b) if _unfinished(shape)]
        if not all(map(_is_outlined, unread)):
            # two arrays, one of them of the union that is being read: it is recursive, and nothing
            # here tells them apart
            return False
        if not self._types_of(a) & self._types_of(b):
            return True
        if unread:
            return False
        if type(a) is type(b) and isinstance(a, Formed):
            return True
        if _makes_itself(a) and _makes_itself(b):
            return True
        match a, b:
            case ArrayShape(), ArrayShape() if a.container == b.container:
                return self._all_distinct(a.item, b.item)
            case TupleShape(), TupleShape():
                if len(a.items) != len(b.items):
                    return True
                pairs = zip(a.items, b.items, strict=True)
                return all(self._all_distinct(one, other) for one, other in pairs)
            case _:
                records, others = _records(a), _records(b)
                if records and others:
                    return all(self._told_apart(*pair) for pair in product(records, others))
                return a == b or _distinct_texts(a, b)

    def _all_distinct(self, a: Shape, b: Shape) -> bool:
        pairs = product(_alternatives(a), _alternatives(b))
        return all(self.distinct(one, other) for one, other in pairs)

    def _types_of(self, shape: Shape) -> frozenset[str]:
        """The JSON types of the values of *shape*, all numbers alike."""
        # remembered: a named type may have many members, and be compared with many others
        if isinstance(shape, RefShape):
            if shape.definition not in self._json_types:
                self._json_types[shape.definition] = self._own_types(shape)
            return self._json_types[shape.definition]
        return self._own_types(shape)

    def _own_types(self, shape: Shape) -> frozenset[str]:
        found: set[str] = set()
        for member in self.flat(shape):
            found.update(_types_in(member))
        # JSON has one type of numbers: 1 may be the value of an int and of a float
        if "integer" in found:
            found.remove("integer")
            found.add("number")
        return frozenset(found)

    def _told_apart(self, one: Definition, other: Definition) -> bool:
        self.steps += 1
        tags, others = self._tags_of(one), self._tags_of(other)
        if one is other:
            return True
        return any(tag in others and values.isdisjoint(others[tag]) for tag, values in tags.items())

    def _tags_of(self, record: Definition) -> _Exact:
        if record not in self._tags:
            found = self._find_tags(record)
            exact: dict[tuple[str, str], frozenset[tuple[type, Listed]]] = {}
            for attribute, (wire, values) in found.items():
                exact[attribute, wire] = _exact(values)
            self._tags[record] = exact
            self.steps += len(found)
        return self._tags[record]


_Exact = Mapping[tuple[str, str], frozenset[tuple[type, Listed]]]
"""Name and wire name of a field -> its literal values."""

_READ_LATER: Final = {"record": ("object",), "namedtuple": ("array",)}
"""Kind of a named type -> its JSON types, as far as known before it is read."""


def _makes_itself(shape: Shape) -> bool:
    """Whether *shape* turns each JSON value into the equal one of Python, not an enum member."""
    return isinstance(shape, _ITSELF) and not (isinstance(shape, LiteralShape) and shape.python)


def _types_in(member: Shape) -> Iterable[str]:
    if not isinstance(member, RefShape):
        return json_types(member)
    outline = member.definition.outline
    if outline is not None:
        return (outline,)
    kind = _kind(member)
    if kind in _READ_LATER:
        return _READ_LATER[kind]
    return json_types(member)


def _is_outlined(shape: Shape) -> bool:
    """Whether *shape* is an alias that is still being read; only its JSON type is known."""
    return (
        isinstance(shape, RefShape)
        and not shape.definition.closed
        and shape.definition.outline is not None
    )


def _unfinished(shape: Shape) -> bool:
    return isinstance(shape, RefShape) and _kind(shape) == "alias" and not shape.definition.closed


def _records(shape: Shape) -> list[Definition]:
    if isinstance(shape, TaggedUnionShape):
        return [*dict.fromkeys(record.definition for _, record in shape.cases)]
    if isinstance(shape, RefShape) and _kind(shape) == "record":
        return [shape.definition]
    return []


def _distinct_texts(a: Shape, b: Shape) -> bool:
    # 1. two forms: the tables of forms say which have no text in common
    if isinstance(a, OwnShape) and isinstance(b, OwnShape):
        return a.form != b.form and {a.form, b.form} <= APART
    if isinstance(a, Formed) and isinstance(b, Formed):
        one, other = row_of(a), row_of(b)
        return one.label not in other.overlaps and other.label not in one.overlaps
    # 2. a form and a list of values, or two lists
    a_values, b_values = _values(a), _values(b)
    if b_values is None:
        return a_values is not None and _has_none_of(b, a_values)
    if a_values is None:
        return _has_none_of(a, b_values)
    return _exact(a_values).isdisjoint(_exact(b_values))


def _has_none_of(shape: Shape, values: Iterable[Listed]) -> bool:
    """Whether *shape* is of texts with a form, and none of *values* has that form."""
    if not isinstance(shape, Formed):
        return False
    form = row_of(shape).forms[0]  # for a time, the one with or without an offset
    return not any(isinstance(value, str) and form.matches(value) for value in values)


def _bare(shape: Shape) -> Shape:
    while isinstance(shape, Refined):
        shape = shape.inner
    return shape


def _alternatives(shape: Shape) -> list[Shape]:
    match _bare(shape):
        case NullableShape(inner):
            return [NullShape(), *_alternatives(inner)]
        case UnionShape(members):
            return list(members)
        case bare:
            return [bare]


def _values(shape: Shape) -> tuple[Listed, ...] | None:
    """All values of a shape that has only a few."""
    if isinstance(shape, LiteralShape):
        return shape.values
    if not isinstance(shape, RefShape) or _kind(shape) != "enum":
        return None
    enum = shape.definition.shape
    return tuple(value for _, value in enum.members) if isinstance(enum, EnumShape) else None


def _exact(values: Iterable[Listed]) -> frozenset[tuple[type, Listed]]:
    """*values*, told apart by type as well: true is not 1, but 1.0 is."""
    return frozenset((type(value), value) for value in map(as_json_has_it, values))
