"""
Classes: the exact Python types that values of a shape have, and how containers are read.

An annotation with a class of ``collections.abc`` takes every subclass, as for type checkers: a
deque or a range is a ``Sequence``, a ``MappingProxyType`` is a ``Mapping``, the keys of a dict are
a ``Set``. Subclasses of the built-in containers are read with the built-in methods; all others with
their own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import NoneType
from typing import Any, Final, TypeVar, assert_never

import orjson

from contract.pred.dump.scalars import Plain, Refused, is_a, refuse, type_name
from contract.shape.graph import alternatives
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    Basic,
    Container,
    EnumShape,
    FloatShape,
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
from contract.shape.scalars import row_of

__all__ = [
    "CONTAINERS",
    "Json",
    "abstract_of",
    "are_unique",
    "check_keys",
    "entries_of",
    "in_order",
    "in_order_by_value",
    "is_dict",
    "items_of",
    "map_of",
    "python_types",
    "takes_abstract",
    "texts_of",
]

Json = Plain | list["Json"] | dict[str, "Json"]
"""A JSON value of exact built-in types."""

CONTAINERS: Final[Mapping[Container, tuple[type[Any], ...]]] = {
    "list": (list,),
    "tuple": (tuple,),
    "set": (set, frozenset),
    "frozenset": (frozenset, set),
    "sequence": (list, tuple),
    "deque": (deque,),
}
"""
The classes that each kind of array takes.

A set and a frozenset make the same array, and ``collections.abc.Set`` is either. A tuple for a list
is refused as a mistake.
"""


def python_types(shape: Shape) -> tuple[type[Any], ...]:
    """The exact types of the values that can fit *shape*; most shapes have one."""
    match shape:
        case RefShape(definition):
            return python_types(definition.shape)
        case Refined(inner):
            return python_types(inner)
        case NullableShape(inner):
            return (NoneType, *python_types(inner))
        case UnionShape(members):
            return tuple(chain.from_iterable(map(python_types, members)))
        case TaggedUnionShape(_, _, cases):
            return tuple(chain.from_iterable(python_types(record) for _, record in cases))
        case AnyShape():
            return (NoneType, bool, int, float, str, list, dict)
        case ArrayShape(_, container):
            return CONTAINERS[container]
        case TupleShape():
            return (tuple,)
        case MapShape() | RecordShape("typeddict"):
            return (dict,)
        case RecordShape(_, cls) | NamedTupleShape(cls) | EnumShape(cls) | OwnShape(_, cls):
            return (cls,)
        case LiteralShape():
            return tuple({type(value): None for value in shape.choices})
        case FloatShape():
            return (float, int)
        case Basic():
            return (row_of(shape).python,)
        case _:
            assert_never(shape)


T = TypeVar("T")

_NO_ARRAYS: Final = (str, bytes, bytearray, memoryview, Mapping)
"""
Classes that are sequences or collections for type checkers, but not arrays.

A resolver that returns a text for a ``Sequence[str]`` has a bug.
"""

_items_of_dict: Final = dict[Any, Any].items
"""The method of the built-in class, since a subclass may have its own."""


def takes_abstract(shape: ArrayShape | MapShape, value: object) -> bool:
    """Whether the class of *value* is a subclass of the one that the annotation names."""
    cls = type(value)  # not value.__class__, which may claim anything
    if shape.abstract is None or not issubclass(cls, shape.abstract):
        return False
    return isinstance(shape, MapShape) or not issubclass(cls, _NO_ARRAYS)


def abstract_of(shape: Shape) -> Iterator[ArrayShape | MapShape]:
    """The arrays and maps in *shape* whose annotations name a class of ``collections.abc``."""
    if isinstance(shape, RefShape):
        shape = shape.definition.shape
    for each in alternatives(shape):
        if isinstance(each, ArrayShape | MapShape) and each.abstract is not None:
            yield each


def items_of(shape: ArrayShape, value: Any) -> list[Any]:
    """
    The items of *value*, in a new list.

    Raises:
        Refused: The annotation does not take the class of *value*, or the items cannot be read.
    """
    # the method of the built-in class: a subclass may have its own
    cls: type[Any]
    for cls in CONTAINERS[shape.container]:
        if is_a(value, cls):
            return list(cls.__iter__(value))
    if takes_abstract(shape, value):
        return _read(list, value)
    raise refuse(shape.container, value)


def entries_of(shape: MapShape, value: Any) -> list[tuple[Any, Any]]:
    """
    The entries of *value*, in a new list.

    Raises:
        Refused: As `items_of`.
    """
    if not is_dict(value) and takes_abstract(shape, value):
        return _read(_pairs, value)
    return _dict_entries(value)


def map_of(shape: MapShape, value: object) -> dict[Any, Any]:
    """
    As `items_of`, the entries of *value* as a dict.

    Raises:
        Refused: As `items_of`, or two entries have one key.
    """
    entries = entries_of(shape, value)
    found = dict(entries)
    if len(found) != len(entries):
        raise Refused("has keys that are equal")
    return found


def is_dict(value: object) -> bool:
    """Whether *value* really is a dict."""
    # `is_a` would make it a dict of unknown items for the type checker
    return type.__subclasscheck__(dict, type(value))


def _dict_entries(value: Any) -> list[tuple[Any, Any]]:
    """
    The entries of a dict.

    Raises:
        Refused: *value* is not a dict.
    """
    if not is_dict(value):
        raise refuse("dict", value)
    return list(_items_of_dict(value))


def _pairs(value: Any) -> list[tuple[Any, Any]]:
    return [(key, part) for key, part in value.items()]


def _read(read: Callable[[Any], list[T]], value: object) -> list[T]:
    try:
        return read(value)
    except Exception as error:
        raise Refused(f"cannot be read: {type_name(error)}") from error


def check_keys(keys: Sequence[str]) -> None:
    """Refuse *keys* of an object if two are equal."""
    if len(set(keys)) != len(keys):
        # keys of a subclass of str, which differ in more than their text
        raise Refused("has keys that are equal in JSON")


def texts_of(value: object) -> dict[str, object]:
    """
    The entries of a dict, by the text of their keys.

    The keys may be of a subclass that defines equality differently.
    """
    texts: list[str] = []
    parts: list[object] = []
    for at, (key, part) in enumerate(_dict_entries(value)):
        if not is_a(key, str):
            raise Refused(f"its key: expected str, found {type_name(key)}", at)
        texts.append(str.__str__(key))
        parts.append(part)
    check_keys(texts)
    return dict(zip(texts, parts, strict=True))


def in_order(items: list[Any]) -> list[Any]:
    """
    The *items* of a set in the order of their JSON.

    The order of their hashes differs from process to process.
    """
    # Texts, which have the same order: what orjson gives takes a kilobyte until it is freed.
    written = {orjson.dumps(item).decode(): item for item in items}
    if len(written) != len(items):
        raise Refused("has items that are equal in JSON")
    return [written[key] for key in sorted(written)]


def in_order_by_value(items: list[Any]) -> list[Any]:
    """As `in_order`, for *items* that are never equal in Python."""
    if not are_unique(items):
        raise Refused("has items that are equal in JSON")
    return in_order(items)


def are_unique(items: Iterable[Json]) -> bool:
    """
    Whether no two of *items* are equal, by the rules of JSON Schema.

    1 equals 1.0, and the order of keys does not matter.
    """
    seen = [*map(_hashable, items)]
    return len({*seen}) == len(seen)


def _hashable(value: Json) -> object:
    # without comprehensions, so that there is one frame for each level
    if isinstance(value, list):
        return tuple(map(_hashable, value))
    if isinstance(value, dict):
        return frozenset(zip(value, map(_hashable, value.values()), strict=True))
    if isinstance(value, bool):
        return bool, value  # True == 1
    return value
