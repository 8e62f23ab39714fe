"""
The walk: reads a value along its shape, step by step.

It decides what fits, and says where something does not; generated code
(`contract.pred.dump.compile`) comes to the same verdict faster. Only what the shape declares is
read, so nothing that a subclass adds is sent. Records are never constructed, and only their
attributes are read; everything else is read with the methods of the built-in types.

The path of a refusal has field names, as in Python, and positions. An entry of a dict is named by
its position, since its key is data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from types import NoneType
from typing import Any, Final, assert_never, cast

from contract.pred.dump.classes import (
    Json,
    abstract_of,
    check_keys,
    entries_of,
    in_order,
    in_order_by_value,
    is_dict,
    items_of,
    python_types,
    takes_abstract,
    texts_of,
)
from contract.pred.dump.scalars import (
    SCALARS,
    Refused,
    check_length,
    class_name,
    expected,
    is_a,
    refuse,
    scalar,
    type_name,
)
from contract.shape.defaults import known_default
from contract.shape.exceptions import InvalidOutput, UnsupportedAnnotation, python_path
from contract.shape.graph import definitions, is_compared_by_identity
from contract.shape.markers import UNSET
from contract.shape.names import label
from contract.shape.nodes import (
    MISSING,
    AnyShape,
    ArrayShape,
    BoolShape,
    Definition,
    Field,
    FloatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    NullShape,
    OwnShape,
    RecordShape,
    Refined,
    RefShape,
    ScalarShape,
    Shape,
    StrShape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.shape.text_forms import INTEGER_KEY

__all__ = ["MAX_DEPTH", "check_values", "key_text", "plain", "plain_at"]

MAX_DEPTH: Final = 200
"""The most arrays and objects within each other, as for inputs; orjson allows 254."""


def plain(shape: Shape, value: object) -> Json:
    """
    *value* in its JSON form.

    Raises:
        InvalidOutput: It does not fit *shape*.
    """
    try:
        return plain_at(shape, value, 0)
    except Refused as refused:
        raise InvalidOutput(tuple(reversed(refused.path)), refused.problem) from refused.__cause__
    except Exception as error:
        # RecursionError if the stack is already full
        raise InvalidOutput((), f"cannot be read: {type_name(error)}") from error


def plain_at(shape: Shape, value: object, depth: int) -> Json:
    """
    *value*, which is within *depth* arrays and objects, in its JSON form.

    Raises:
        Refused: It does not fit *shape*.
        RecursionError: The stack is full. Each level of the value takes one frame here, whatever
            the shape has between them.
    """
    conditions: list[Callable[[Any], object]] = []
    result: Json
    # A shape that only stands for another takes the place of it in the loop, and not a call of its
    # own, so that a deep value has one frame for each of its levels.
    while True:
        if isinstance(shape, SCALARS):  # the most common shapes, and the fastest check
            result = _scalar(shape, value)
            break
        match shape:
            case RefShape(definition):
                shape = definition.shape
                continue
            case Refined(inner, predicates):
                conditions.extend(predicates)
                shape = inner
                continue
            case NullableShape(inner):
                shape = _NULL if value is None else inner
                continue
            case AnyShape():
                shape = _shape_of_any(value)
                continue
            case TaggedUnionShape():
                shape = _tagged(shape, value)
                continue
            case OwnShape():
                result = _own(shape, value)
            case UnionShape(members):
                result = _first(_fitting(members, value), value, depth)
            case ArrayShape() | TupleShape() | MapShape() | RecordShape() | NamedTupleShape():
                if depth >= MAX_DEPTH:
                    raise Refused(f"has more than {MAX_DEPTH} levels, or contains itself")
                opened = _open(shape, value)
                done: list[Json] = []
                for place, inner, part in opened.parts:
                    try:
                        done.append(plain_at(inner, part, depth + 1))
                    except Refused as refused:
                        refused.path.append(place)
                        raise
                result = opened.close(done)
            case _:
                assert_never(shape)
        break
    # at the end: the author's code sees only values that have their type
    for condition in conditions:
        _check_condition(condition, value)
    return result


def key_text(shape: Shape, key: object) -> str:
    """*key*, a key of a dict, as the key of an object."""
    written = plain_at(shape, key, 0)
    if isinstance(written, int):
        return INTEGER_KEY.write(written)
    return str(written)


_slice_of: Final = tuple[Any, ...].__getitem__
"""The method of the built-in class, since a subclass may have its own."""

_NULL: Final = NullShape()
_TEXT: Final = StrShape()
_ANY: Final[Mapping[type[Any], Shape]] = {
    NoneType: _NULL,
    bool: BoolShape(),  # before int, its base
    str: StrShape(),
    int: IntShape(),
    float: FloatShape(),
    list: ArrayShape(AnyShape()),
    dict: MapShape(StrShape(), AnyShape()),
}

# A value with parts is opened: it is checked itself, and its parts are listed, each with its shape.
# The loop in `plain_at` reads them and hands the results back. A function that read the parts
# itself would take another frame of Python's stack for each level.

_Part = tuple[str | int, Shape, object]
"""A part of a value: its place in the path, its shape, and the part itself."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A value with parts, before they are read."""

    parts: Sequence[_Part]
    close: Callable[[list[Json]], Json]
    """The function that assembles the JSON of the parts."""


def _open(
    shape: ArrayShape | TupleShape | MapShape | RecordShape | NamedTupleShape, value: object
) -> _Opened:
    match shape:
        case ArrayShape(item):
            items = items_of(shape, value)
            check_length(len(items), shape.min_items, shape.max_items, "items")
            return _Opened([(at, item, part) for at, part in enumerate(items)], _closing(shape))
        case TupleShape(shapes):
            if not is_a(value, tuple):
                raise refuse("tuple", value)
            parts = _positions(value, len(shapes))
            return _Opened(list(zip(range(len(parts)), shapes, parts, strict=True)), _as_it_is)
        case NamedTupleShape(cls, fields):
            if not is_a(value, cls):
                raise refuse(class_name(cls), value)
            parts = _positions(value, len(fields))
            return _Opened(
                [
                    (field.name, field.shape, part)
                    for field, part in zip(fields, parts, strict=True)
                ],
                _as_it_is,
            )
        case MapShape():
            return _open_map(shape, value)
        case RecordShape(kind, cls):
            read = _keys if kind == "typeddict" else _attributes
            found = list(read(shape, value))
            keys = [field.wire for field, _ in found]
            return _Opened(
                [(field.name, field.shape, part) for field, part in found],
                lambda done: dict(zip(keys, done, strict=True)),
            )
        case _:
            assert_never(shape)


def _closing(shape: ArrayShape) -> Callable[[list[Json]], Json]:
    if not shape.unique:
        return _as_it_is
    return in_order_by_value if is_compared_by_identity(shape.item) else in_order


def _as_it_is(done: list[Json]) -> Json:
    return done


def _positions(value: Any, wanted: int) -> Sequence[object]:
    items = _slice_of(value, slice(None))
    if len(items) != wanted:
        raise Refused(f"expected {wanted} items, found {len(items)}")
    return items


def _open_map(shape: MapShape, value: object) -> _Opened:
    entries = entries_of(shape, value)
    check_length(len(entries), shape.min_keys, shape.max_keys, "keys")
    keys: list[str] = []
    for at, (key, _) in enumerate(entries):
        keys.append(_key_at(shape.key, key, at))
    check_keys(keys)
    parts = [(at, shape.value, part) for at, (_, part) in enumerate(entries)]
    return _Opened(parts, lambda done: dict(zip(keys, done, strict=True)))


def _key_at(shape: Shape, key: object, at: int) -> str:
    try:
        return key_text(shape, key)
    except Refused as refused:
        refused.problem = f"its key: {refused.problem}"
        refused.path.append(at)
        raise


def _keys(shape: RecordShape, value: object) -> Iterator[tuple[Field, object]]:
    """The declared keys that a TypedDict has; others are refused."""
    entries = texts_of(value)
    for field in shape.fields:
        if field.name in entries:
            part = entries.pop(field.name)
            if not (field.unset and part is UNSET):
                yield field, part
        elif not (field.optional_key or field.unset):
            raise Refused("is missing", field.name)
    # what is left is not declared; its keys are data, so only their number is told
    if entries and shape.extra is None:
        raise Refused(f"has keys that {class_name(shape.type)} does not declare: {len(entries)}")
    for at, (key, part) in enumerate(entries.items()):
        _key_at(_TEXT, key, at)
        yield Field(key, key, cast("Shape", shape.extra)), part


def _attributes(shape: RecordShape, value: object) -> Iterator[tuple[Field, object]]:
    """The declared attributes of a dataclass that are set."""
    if not is_a(value, shape.type):
        raise refuse(class_name(shape.type), value)
    for field in shape.fields:
        if not field.init_only:
            part = _attribute(value, field.name)
            if not (field.unset and part is UNSET):
                yield field, part


def _attribute(value: object, name: str) -> object:
    try:
        return getattr(value, name)
    except AttributeError as error:
        # an empty slot, say, or an instance that was made without __init__
        raise Refused("is not set", name) from error
    except Exception as error:
        raise Refused("cannot be read: the attribute raised", name) from error


def _shape_of_any(value: object) -> Shape:
    for cls, shape in _ANY.items():
        if is_a(value, cls):
            return shape
    raise refuse("a JSON value (None, bool, int, float, str, list, dict)", value)


def _tagged(shape: TaggedUnionShape, value: object) -> Shape:
    """
    The record of the union for *value*: that of its class, or of the nearest base in the union.

    If several records have one class (all TypedDicts are dicts, a generic dataclass has arguments),
    the tag decides.
    """
    # the classes from `type` itself: a metaclass may define its own __mro__
    for cls in type.__dict__["__mro__"].__get__(type(value)):
        cases = [(tag, record) for tag, record in shape.cases if python_types(record) == (cls,)]
        if len({record.definition for _, record in cases}) > 1:
            return _by_tag(shape, cases, value)
        if cases:
            return cases[0][1]
    raise refuse(_name(shape), value)


def _by_tag(
    shape: TaggedUnionShape, cases: Sequence[tuple[str | int | bool, RefShape]], value: object
) -> Shape:
    if is_dict(value):
        found = texts_of(value).get(shape.attribute)
    else:
        found = _attribute(value, shape.attribute)
    if is_a(found, Enum):
        found = found._value_  # the field itself checks later that it is of the right enum
    for tag, record in cases:
        try:
            _scalar(LiteralShape((tag,)), found)
        except Refused:
            continue
        return record
    raise Refused("expected the tag of one of the records", shape.attribute)


def _fitting(members: Sequence[Shape], value: object) -> Sequence[Shape]:
    """The *members* that take a value of this type; at least one."""
    # the closest relation decides: a bool is for a bool, even if there is a member for ints
    for fits in (_has_its_class, _has_a_base, _names_an_abstract_base):
        fitting = [member for member in members if fits(member, value)]
        if fitting:
            return fitting
    raise refuse(" | ".join(map(_name, members)), value, _hint(members, value))


def _has_its_class(member: Shape, value: object) -> bool:
    return any(cls is type(value) for cls in python_types(member))


def _has_a_base(member: Shape, value: object) -> bool:
    return any(_takes_subclass(cls, value) for cls in python_types(member))


def _names_an_abstract_base(member: Shape, value: object) -> bool:
    return any(takes_abstract(each, value) for each in abstract_of(member))


def _takes_subclass(cls: type[Any], value: object) -> bool:
    if cls is int:
        return is_a(value, int) and not is_a(value, bool)
    if cls is date:
        return is_a(value, date) and not is_a(value, datetime)
    return is_a(value, cls)


def _first(fitting: Sequence[Shape], value: object, depth: int) -> Json:
    """The JSON by the first shape that takes *value*; if none does, the first one's refusal."""
    refusals: list[Refused] = []
    for shape in fitting:
        try:
            return plain_at(shape, value, depth)
        except Refused as refused:
            refusals.append(refused)
    raise refusals[0]


def _scalar(shape: ScalarShape, value: object) -> Json:
    try:
        return scalar(shape, value)
    except Refused:
        raise
    except Exception as error:
        raise Refused(f"cannot be read as {expected(shape)}: {type_name(error)}") from error


def _own(shape: OwnShape, value: object) -> Json:
    if not is_a(value, shape.type):
        raise refuse(class_name(shape.type), value, _hint([shape], value))
    try:
        written: object = shape.dump(value)
    except Exception as error:
        raise Refused(f"its dump raised {type_name(error)}") from error
    try:
        return _scalar(shape.inner, written)
    except Refused as refused:
        raise Refused(f"its dump does not fit: {refused.problem}") from refused


def _hint(members: Sequence[Shape], value: object) -> str:
    """
    How a text becomes a value of one of *members*.

    Type checkers do not see it: what a database gives is ``Any`` to them.
    """
    if type(value) is not str:
        return ""
    for member in members:
        if isinstance(member, OwnShape) and issubclass(member.type, str):
            return f": write {class_name(member.type)}(...)"
    return ""


def _check_condition(condition: Callable[[Any], object], value: object) -> None:
    try:
        holds = bool(condition(value))
    except Exception as error:
        raise Refused("does not fulfil its predicate, which raised") from error
    if not holds:
        raise Refused("does not fulfil its predicate")


def _name(shape: Shape) -> str:
    return " | ".join(class_name(cls) for cls in dict.fromkeys(python_types(shape)))


def check_values(
    start: Iterable[Definition], seen: set[Definition], where: str, place: str = ""
) -> None:
    """
    Check the defaults and examples in *start* and in all definitions that it reaches.

    Args:
        start: Definitions.
        seen: Those already checked, which are skipped; the ones checked now are added.
        where: The start of the place, for messages.
        place: The end of the message.

    Raises:
        UnsupportedAnnotation: A default or an example does not have the type of its field.
    """
    ahead = list(start)
    while ahead:
        definition = ahead.pop()
        if definition in seen:
            continue
        seen.add(definition)
        shape = definition.shape
        ahead.extend(definitions(shape))
        if isinstance(shape, RecordShape | NamedTupleShape):
            for each in shape.fields:
                field_place = f"{where}: {definition.name}.{each.name}"
                default = known_default(each)
                if default is not MISSING:
                    _check_value(each, default, "default", field_place, place)
                for example in each.examples:
                    _check_value(each, example, "example", field_place, place)


def _check_value(of: Field, value: object, kind: str, where: str, place: str) -> None:
    try:
        plain(of.shape, value)
    except InvalidOutput as invalid:
        named = kind
        if invalid.path:
            named = f"{kind} at {python_path(invalid.path)}"
        fix = "write one that is, or another type"
        # the usual mistake: a field that may be left out, whose type says nothing of None
        if value is None:
            type_text = label(of.shape) if isinstance(of.shape, SCALARS) else "..."
            fix = f"write {of.name}: {type_text} | None = None"
        raise UnsupportedAnnotation(
            where, f"the {named} is not one of its type: {invalid.problem}; {fix}{place}"
        ) from None
