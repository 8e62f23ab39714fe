"""
Unions: how the members of a union are told apart on the wire.

JSON does not say which member was meant, so a union is only read where the value itself does: by
its JSON type, by a tag, or by forms that exclude each other. Everything else would be a guess, of
which the round trip would not be true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Final

from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.forms import BYTES, DATE, DATETIME, DECIMAL, TIME, TIMEDELTA, UUID_, Form
from contract.shape.names import label
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    Definition,
    FloatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NullableShape,
    NullShape,
    Refined,
    RefShape,
    Shape,
    StrShape,
    TaggedUnionShape,
    TimedeltaShape,
    TimeShape,
    TupleShape,
    UnionShape,
    UuidShape,
)
from contract.shape.values import literal_of

__all__ = ["Tags", "merge"]

Value = str | int | bool
Tags = Mapping[str, tuple[str, tuple[Value, ...]]]
"""
Of a record: attribute -> its wire name and its literal values, for the fields that could be a tag.
"""

_FORMS: Final[dict[type, Form]] = {
    BytesShape: BYTES,
    DecimalShape: DECIMAL,
    DatetimeShape: DATETIME,
    DateShape: DATE,
    TimeShape: TIME,
    TimedeltaShape: TIMEDELTA,
    UuidShape: UUID_,
}
_OVERLAPPING: Final = frozenset(
    {frozenset({BytesShape, DecimalShape}), frozenset({BytesShape, TimedeltaShape})}
)
"""
``1234`` and ``PT1S`` are base64 too; all other forms have a character that no other form has at
that place.
"""

_SAME_VALUE: Final = (BoolShape, IntShape, FloatShape, StrShape, LiteralShape)
"""
Where two of these take the same JSON, they make equal Python values of it, so it does not matter
which of them did.
"""

_NO_TYPES: Final[frozenset[str]] = frozenset()

_ADVICE: Final = (
    "write one of them, or give each a dataclass of its own with a Literal field to tell them apart"
)


def merge(members: Iterable[Shape], where: str, tags: Callable[[Definition], Tags]) -> Shape:
    """
    The union of *members*.

    Args:
        members: As they were written; unions among them are taken apart.
        where: The place, for messages.
        tags: What could tell a record from others.

    Raises:
        UnsupportedAnnotation: Two members cannot be told apart.
    """
    members = list(members)
    alone = [member for member in members if not isinstance(member, NullShape)]
    if len(alone) == 1 and isinstance(alone[0], RefShape):
        return _nullable(alone[0]) if len(members) > 1 else alone[0]
    nullable, flat = _flatten(members, where)
    if not flat:
        return NullShape()
    if any(isinstance(member, AnyShape) for member in flat):
        if len(flat) > 1:
            named = ", ".join(label(member) for member in flat if not isinstance(member, AnyShape))
            raise UnsupportedAnnotation(
                where, f"Any already takes everything that {named} would; write Any"
            )
        return AnyShape()  # null is among any values
    literals = [member for member in flat if isinstance(member, LiteralShape)]
    records = [member for member in flat if _is_record(member)]
    others = [
        member for member in flat if not isinstance(member, LiteralShape) and not _is_record(member)
    ]
    parts: list[Shape] = (
        [literal_of(value for literal in literals for value in literal.values)] if literals else []
    )
    parts += [member for member in others if not isinstance(member, FloatShape)]
    # an int that came as an int stays one
    parts += [member for member in others if isinstance(member, FloatShape)]
    _check_pairs(parts + records[:1], where, tags)
    if len(records) > 1:
        parts.append(_tagged(records, where, tags))
    else:
        parts += records
    shape = parts[0] if len(parts) == 1 else UnionShape(tuple(parts))
    return NullableShape(shape) if nullable else shape


def _nullable(member: RefShape) -> Shape:
    """A named type or null; an alias that has null already keeps its name."""
    known = member.definition
    return (
        member if known.closed and isinstance(known.shape, NullableShape) else NullableShape(member)
    )


def _flatten(members: Iterable[Shape], where: str) -> tuple[bool, list[Shape]]:
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
            case RefShape(definition) if _kind(member) == "alias":
                aliased_nullable, aliased = _flatten((alias_shape(definition, where),), where)
                nullable |= aliased_nullable
                flat += aliased
            case _:
                flat.append(member)
    unique: list[Shape] = []
    for member in flat:
        if member not in unique or isinstance(member, LiteralShape):
            unique.append(member)
    return nullable, unique


def alias_shape(definition: Definition, where: str) -> Shape:
    """What a recursive alias stands for; refused while it is being read."""
    if not definition.closed:
        raise UnsupportedAnnotation(
            where, f"{definition.name} is its own member; put it into a list, a dict or a dataclass"
        )
    return definition.shape


def _kind(member: RefShape) -> str:
    """What a reference leads to; also known while that is still being read."""
    named = member.definition.key[0]
    if not isinstance(named, type):
        return "alias"
    if issubclass(named, Enum):
        return "enum"
    return "namedtuple" if issubclass(named, tuple) else "record"


def _is_record(member: Shape) -> bool:
    return isinstance(member, RefShape) and _kind(member) == "record"


# Records are told apart by a tag.


def _tagged(
    records: Sequence[Shape], where: str, tags: Callable[[Definition], Tags]
) -> TaggedUnionShape:
    found = [
        (record, tags(record.definition)) for record in records if isinstance(record, RefShape)
    ]
    first, first_tags = found[0]
    common = [
        name
        for name, (wire, _) in first_tags.items()
        if all(name in of and of[name][0] == wire for _, of in found)
    ]
    clashes: list[str] = []
    for attribute in common:
        cases: dict[tuple[type, Value], RefShape] = {}
        clash = None
        for record, of in found:
            for value in of[attribute][1]:
                other = cases.setdefault((type(value), value), record)
                if other is not record:
                    clash = f"{label(other)} and {label(record)} both have {attribute} = {value!r}; write another value in one"
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
        f"{names} cannot be told apart; write a field with a Literal type of its own into each: {example}",
    )


# Everything else by its value.


def _check_pairs(members: Sequence[Shape], where: str, tags: Callable[[Definition], Tags]) -> None:
    for index, member in enumerate(members):
        for other in members[:index]:
            if not _distinct(other, member, where, tags):
                raise UnsupportedAnnotation(
                    where, f"{label(other)} and {label(member)} cannot be told apart; {_ADVICE}"
                )


def _distinct(a: Shape, b: Shape, where: str, tags: Callable[[Definition], Tags]) -> bool:
    """Whether no JSON value makes different Python values of *a* and of *b*."""
    a, b = _bare(a), _bare(b)
    if _unfinished(a) or _unfinished(b):
        # two arrays, one of them of the union that is being read: recursive, and not told apart by
        # anything here
        return False
    if not _json_types(a, where) & _json_types(b, where):
        return True
    if type(a) is type(b) and type(a) in _FORMS:
        return True
    if isinstance(a, _SAME_VALUE) and isinstance(b, _SAME_VALUE):
        return True
    match a, b:
        case ArrayShape(), ArrayShape() if a.container == b.container:
            return all(
                _distinct(one, other, where, tags)
                for one in _alternatives(a.item)
                for other in _alternatives(b.item)
            )
        case TupleShape(), TupleShape():
            if len(a.items) != len(b.items):
                return True
            pairs = zip(a.items, b.items, strict=True)
            return all(
                _distinct(x, y, where, tags)
                for one, other in pairs
                for x in _alternatives(one)
                for y in _alternatives(other)
            )
        case RefShape(), RefShape() if _is_record(a) and _is_record(b):
            return a == b or _tell_apart(a, b, where, tags)
        case _:
            return a == b or _distinct_texts(a, b)


def _unfinished(shape: Shape) -> bool:
    return isinstance(shape, RefShape) and _kind(shape) == "alias" and not shape.definition.closed


def _tell_apart(a: RefShape, b: RefShape, where: str, tags: Callable[[Definition], Tags]) -> bool:
    try:
        _tagged((a, b), where, tags)
    except UnsupportedAnnotation:
        return False
    return True


def _distinct_texts(a: Shape, b: Shape) -> bool:
    if type(a) in _FORMS and type(b) in _FORMS:
        return frozenset({type(a), type(b)}) not in _OVERLAPPING
    a_values, b_values = _values(a), _values(b)
    if a_values is not None and b_values is not None:
        return not {(type(value), value) for value in a_values} & {
            (type(value), value) for value in b_values
        }
    for values, form in ((a_values, _FORMS.get(type(b))), (b_values, _FORMS.get(type(a)))):
        if values is not None and form is not None:
            return not any(isinstance(value, str) and form.matches(value) for value in values)
    return False


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
        case TaggedUnionShape(_, _, cases):
            return [record for _, record in cases]
        case bare:
            return [bare]


def _values(shape: Shape) -> tuple[Value, ...] | None:
    """All values of a shape that has few."""
    if isinstance(shape, LiteralShape):
        return shape.values
    if isinstance(shape, RefShape) and _kind(shape) == "enum":
        enum: type[Enum] = shape.definition.key[0]
        return tuple(member.value for member in enum)
    return None


def _json_types(shape: Shape, where: str) -> frozenset[str]:
    match shape:
        case AnyShape():
            return frozenset({"null", "boolean", "number", "string", "array", "object"})
        case NullShape():
            return frozenset({"null"})
        case BoolShape():
            return frozenset({"boolean"})
        case IntShape() | FloatShape():
            return frozenset({"number"})
        case ArrayShape() | TupleShape():
            return frozenset({"array"})
        case MapShape() | TaggedUnionShape():
            return frozenset({"object"})
        case NullableShape() | UnionShape() | Refined():
            return _NO_TYPES.union(*(_json_types(each, where) for each in _alternatives(shape)))
        case RefShape(definition):
            match _kind(shape):
                case "record":
                    return frozenset({"object"})
                case "namedtuple":
                    return frozenset({"array"})
                case "alias":
                    return _json_types(alias_shape(definition, where), where)
                case _:
                    return _types_of(_values(shape) or ())
        case LiteralShape(values):
            return _types_of(values)
        case _:
            return frozenset({"string"})


def _types_of(values: Iterable[Value]) -> frozenset[str]:
    names: dict[type[object], str] = {bool: "boolean", int: "number", str: "string"}
    return frozenset(names[type(value)] for value in values)
