"""
Containers: the items of an array and the entries of a map, whatever class of Python they are in.

An annotation that names a class of ``collections.abc`` takes every class below it, as type checkers
have it: a deque or a range for a ``Sequence``, a ``MappingProxyType`` for a ``Mapping``, the keys
of a dict for a ``Set``. Subclasses of the built-in containers are read with the methods of those;
of all others, what they say themselves is what there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeVar

from contract.pred.dump.classes import CONTAINERS
from contract.pred.dump.scalars import Refused, is_a, refuse, type_name
from contract.shape.graph import alternatives
from contract.shape.nodes import ArrayShape, MapShape, RefShape, Shape

__all__ = [
    "abstract_of",
    "dict_entries",
    "entries_of",
    "is_dict",
    "items_of",
    "map_of",
    "takes_abstract",
]

T = TypeVar("T")

_NO_ARRAYS: Final = (str, bytes, bytearray, memoryview, Mapping)
"""
Classes that type checkers take for sequences or collections, and that are no arrays.

Who returns a text for a ``Sequence[str]`` has made a mistake.
"""

_entries_of: Final = dict[Any, Any].items
"""The method of the built-in class, since a subclass can have its own."""


def takes_abstract(shape: ArrayShape | MapShape, value: object) -> bool:
    """Whether the annotation names a class that the class of *value* is below."""
    cls = type(value)  # and not what the value says of itself
    if shape.abstract is None or not issubclass(cls, shape.abstract):
        return False
    return isinstance(shape, MapShape) or not issubclass(cls, _NO_ARRAYS)


def abstract_of(shape: Shape) -> Iterator[ArrayShape | MapShape]:
    """The arrays and maps in *shape* whose annotations name a class of ``collections.abc``."""
    for each in alternatives(shape.definition.shape if isinstance(shape, RefShape) else shape):
        if isinstance(each, ArrayShape | MapShape) and each.abstract is not None:
            yield each


def items_of(shape: ArrayShape, value: Any) -> list[Any]:
    """
    The items of *value*, in a list of their own.

    Raises:
        Refused: The annotation does not take the class of *value*, or the items cannot be read.
    """
    for cls in CONTAINERS[shape.container]:
        if is_a(value, cls):
            return list(cls.__iter__(value))
    if takes_abstract(shape, value):
        return _read(list, value)
    raise refuse(shape.container, value)


def entries_of(shape: MapShape, value: Any) -> list[tuple[Any, Any]]:
    """
    The entries of *value*, in a list of their own.

    Raises:
        Refused: As `items_of`.
    """
    if not is_dict(value) and takes_abstract(shape, value):
        return _read(_pairs, value)
    return dict_entries(value)


def map_of(shape: MapShape, value: object) -> dict[Any, Any]:
    """
    As `items_of`, the entries of *value* as a dict.

    Raises:
        Refused: As `items_of`, or there are two entries of one key.
    """
    entries = entries_of(shape, value)
    found = dict(entries)
    if len(found) != len(entries):
        raise Refused("has keys that are equal")
    return found


def is_dict(value: object) -> bool:
    """Whether *value* truly is a dict."""
    # `is_a` would make it a dict of unknown items for the type checker
    return type.__subclasscheck__(dict, type(value))


def dict_entries(value: Any) -> list[tuple[Any, Any]]:
    """
    The entries of a dict.

    Raises:
        Refused: *value* is none.
    """
    if not is_dict(value):
        raise refuse("dict", value)
    return list(_entries_of(value))


def _pairs(value: Any) -> list[tuple[Any, Any]]:
    return [(key, part) for key, part in value.items()]


def _read(read: Callable[[Any], list[T]], value: object) -> list[T]:
    try:
        return read(value)
    except Exception as error:
        raise Refused(f"cannot be read: {type_name(error)}") from error
