"""
Module: the names in one dumper's generated code, and what the generator must know of a shape.

Every such module has the names of `NAMESPACE`; a `Module` adds its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from functools import cache
from math import isfinite
from types import CodeType, MappingProxyType, NoneType
from typing import Any, Final, assert_never, cast
from uuid import UUID

import orjson
from pydantic_core import TzInfo

from contract.pred.dump.classes import in_order, python_types
from contract.pred.dump.collector import COLLECTOR
from contract.pred.dump.scalars import is_a
from contract.pred.dump.walk import MAX_DEPTH
from contract.shape.bounds import I64_MAX
from contract.shape.graph import bottom_up, children
from contract.shape.json_text import kind_of
from contract.shape.markers import UNSET
from contract.shape.nodes import (
    MISSING,
    AnyShape,
    ArrayShape,
    Basic,
    Definition,
    EnumShape,
    Formed,
    IntShape,
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
    "FUNCTION",
    "NAMESPACE",
    "NAMES_OF_CLASSES",
    "OPTIONS",
    "Misfit",
    "Module",
    "Traits",
    "by_class",
    "copied",
    "is_native",
    "stamped",
    "zones",
]


FUNCTION: Final = "dump"
"""Where a definition keeps its function."""


class Module:
    """The names that the functions of one dumper share."""

    def __init__(self) -> None:
        self.traits: Final[Traits] = Traits()
        self.names: dict[str, object] = {}
        """The namespace of the generated code: our name -> its value."""
        self.stamps: dict[str, str] = {}
        """Our name -> the author's, see `stamped`."""
        self.waiting: list[tuple[str, Shape]] = []
        """Functions that are called but not yet written."""
        self.function_of: Final[dict[Definition, str]] = {}
        """The functions of named types: each is written once, for all dumpers."""
        self._functions = 0
        self._stamp_of: dict[str, str] = {}
        self._used: set[Definition] = set()

    def bind(self, value: object) -> str:
        """A name for *value* in the namespace."""
        name = f"g{len(self.names)}"
        self.names[name] = value
        return name

    def stamp(self, text: str) -> str:
        """A name that replaces *text* as an attribute or a string in the source."""
        if text not in self._stamp_of:
            name = self._stamp_of[text] = f"n{len(self.stamps)}"
            self.stamps[name] = text
        return self._stamp_of[text]

    def is_first_use(self, definition: Definition) -> bool:
        """Whether *definition* is used for the first time: only that use is written inline."""
        if definition in self._used:
            return False
        self._used.add(definition)
        return True

    def function(self, shape: Shape) -> str:
        """The name of the function for *shape*: one for all uses of a definition."""
        if not isinstance(shape, RefShape):
            return self._later(shape)
        definition = shape.definition
        if definition not in self.function_of:
            known = definition.compiled.get(FUNCTION)
            if known is None:
                self.function_of[definition] = self._later(definition.shape)
            else:
                self.function_of[definition] = self.bind(known)
        return self.function_of[definition]

    def _later(self, shape: Shape) -> str:
        self._functions += 1
        name = f"f{self._functions}"
        self.waiting.append((name, shape))
        return name


def stamped(code: CodeType, stamps: Mapping[str, str]) -> CodeType:
    """*code* with the author's names, in attributes and strings, in place of ours."""
    return code.replace(
        co_names=tuple(stamps.get(name, name) for name in code.co_names),
        co_consts=tuple(_stamped_constant(constant, stamps) for constant in code.co_consts),
    )


def _stamped_constant(constant: Any, stamps: Mapping[str, str]) -> Any:
    if isinstance(constant, CodeType):
        return stamped(constant, stamps)
    if isinstance(constant, tuple):  # the keys of a dict display
        constants = cast("Iterable[Any]", constant)
        return tuple(_stamped_constant(each, stamps) for each in constants)
    return stamps.get(constant, constant)


_ANY_INT = IntShape()


def is_native(shape: Shape) -> bool:
    """
    Whether orjson writes every value of *shape* as it is, once its exact type is checked.

    Nothing can change such a value between the check and the writing.
    """
    match shape:
        case Formed():
            return row_of(shape).orjson == "always"
        case Basic():
            return True
        case LiteralShape(_, members):
            return not members
        case AnyShape() | MapShape() | OwnShape():
            return False
        case EnumShape() | RecordShape() | NamedTupleShape() | TaggedUnionShape():
            return False
        case RefShape(definition):
            return not definition.recursive and is_native(definition.shape)
        case NullableShape(inner) | Refined(inner):
            return is_native(inner)
        case ArrayShape(item, container):
            return container == "tuple" and is_native(item)
        case TupleShape(items):
            return all(map(is_native, items))
        case UnionShape(members):
            # of several members that take one class, the walk finds the one that fits
            return all(map(is_native, members)) and all(
                len(fitting) == 1 for _, fitting in by_class(members)
            )
        case _:
            assert_never(shape)


def by_class(members: Sequence[Shape]) -> list[tuple[list[type[Any]], list[Shape]]]:
    """The exact classes of a union's values, grouped by the *members* that take them, in order."""
    fitting: dict[type[Any], list[Shape]] = {}
    for member in members:
        for cls in dict.fromkeys(python_types(member)):
            fitting.setdefault(cls, []).append(member)
    groups: dict[tuple[int, ...], tuple[list[type[Any]], list[Shape]]] = {}
    for cls, shapes in fitting.items():
        if cls is int and shapes[0] == _ANY_INT:
            shapes = shapes[:1]  # ``int | float``: int takes all that float would
        groups.setdefault(tuple(map(id, shapes)), ([], shapes))[0].append(cls)
    return list(groups.values())


class Traits:
    """Questions about a shape and all definitions below it; each definition is visited once."""

    def __init__(self) -> None:
        self._deep: dict[Definition, bool] = {}
        self._height: dict[Definition, int] = {}

    def deep(self, shape: Shape) -> bool:
        """Whether the height of a value is not known from *shape*."""
        match shape:
            case AnyShape():
                return True
            case RefShape(definition):
                if definition.recursive:
                    return True
                for each in bottom_up(shape, lambda each: each.recursive or each in self._deep):
                    self._deep[each] = self.deep(each.shape)
                return self._deep[definition]
            case _:
                return any(map(self.deep, children(shape)))

    def height(self, shape: Shape) -> int:
        """The most arrays and objects in each other, down to where the depth is checked again."""
        match shape:
            case RefShape(definition):
                if definition.recursive:
                    return 0
                for each in bottom_up(shape, lambda each: each.recursive or each in self._height):
                    self._height[each] = self.height(each.shape)
                return self._height[definition]
            case _:
                inside = max(map(self.height, children(shape)), default=0)
                if isinstance(
                    shape, ArrayShape | TupleShape | MapShape | RecordShape | NamedTupleShape
                ):
                    return inside + 1
                return inside


class Misfit(Exception):  # noqa: N818  a signal
    """The generated code does not accept the value, so the walk decides."""


OPTIONS: Final = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_SUBCLASS
"""Options that make orjson refuse values that it would otherwise write in its own way."""


@cache
def zones() -> frozenset[type[Any]]:
    """Classes of zones with stable answers: orjson asks them again after the check."""
    # it imports threading, which clients that send no datetime do not need
    from zoneinfo import ZoneInfo  # noqa: PLC0415

    return frozenset({timezone, ZoneInfo, TzInfo})


OFFSETS: Final = frozenset(
    timedelta(minutes=quarter * 15) for quarter in range(-12 * 4, 14 * 4 + 1)
)
"""Offsets of zones as they are today; the walk writes others of whole minutes."""


def copied(value: Any, depth: int) -> Any:
    """
    A copy of *value* of exact built-in types, which orjson writes as it is.

    The value is within *depth* arrays and objects.

    Raises:
        Misfit: It contains other types, or the depth limit is near.
    """
    kind = kind_of(value)
    if kind is not _LIST and kind is not _DICT:
        if (
            kind is str
            or value is None
            or kind is bool
            or (kind is int and value <= I64_MAX)  # orjson refuses ints below 64 bits
            or (kind is float and isfinite(value))
        ):
            return value
        raise Misfit
    # no recursion, and all checks inline: most of the cost of half a million lists is calls
    source = value
    root: Any = [] if kind is _LIST else value.copy()
    target = root
    ahead: list[tuple[Any, Any, int]] = []
    items = 0
    paused: bool | None = None
    try:
        while True:
            if depth >= MAX_DEPTH:
                raise Misfit
            depth += 1
            items += len(source)
            if items > _MANY and paused is None:
                paused = COLLECTOR.pause()
            if kind_of(target) is _LIST:
                for item in source:
                    kind = kind_of(item)
                    if kind is str or item is None or kind is bool:
                        target.append(item)
                    elif kind is _LIST or kind is _DICT:
                        copy: Any = [] if kind is _LIST else item.copy()
                        target.append(copy)
                        # an empty one needs no visit, unless it is itself too deep
                        if copy or item or depth == MAX_DEPTH:
                            ahead.append((item, copy, depth))
                    elif (kind is int and item <= I64_MAX) or (kind is float and isfinite(item)):
                        target.append(item)
                    else:
                        raise Misfit
            else:
                # a dict is copied first: adding its items to a new one singly takes twice as long
                for key, item in target.items():
                    if kind_of(key) is not str:
                        raise Misfit
                    kind = kind_of(item)
                    if kind is str or item is None or kind is bool:
                        continue
                    if kind is _LIST or kind is _DICT:
                        # to replace a value does not change the size, so the loop may go on
                        copy = [] if kind is _LIST else item.copy()
                        target[key] = copy
                        if copy or item or depth == MAX_DEPTH:
                            ahead.append((item, copy, depth))
                    elif not (
                        (kind is int and item <= I64_MAX) or (kind is float and isfinite(item))
                    ):
                        raise Misfit
            if not ahead:
                return root
            # the last first, so that a value that contains itself is soon too deep
            source, target, depth = ahead.pop()
    finally:
        if paused:
            COLLECTOR.resume()


# With these types, checkers do not guess at what a value contains.

_LIST: Final[type[Any]] = list
_DICT: Final[type[Any]] = dict

_MANY: Final = 10_000
"""The number of items above which the garbage collector is paused."""


NAMESPACE: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "NoneType": NoneType,
        "UNSET": UNSET,
        "UTC": UTC,
        "UUID": UUID,
        "Exception": Exception,
        "MISSING": MISSING,
        "Decimal": Decimal,
        "Misfit": Misfit,
        "OFFSETS": OFFSETS,
        "bool": bool,
        "copied": copied,
        "date": date,
        "datetime": datetime,
        "dict": dict,
        "dumps": orjson.dumps,
        "float": float,
        "in_order": in_order,
        "int": int,
        "is_a": is_a,
        "isfinite": isfinite,
        "len": len,
        "list": list,
        "positions": tuple[Any, ...].__getitem__,
        "EVERY": slice(None),
        "set": set,
        "frozenset": frozenset,
        "str": str,
        "tuple": tuple,
        "type": type,
    }
)
"""
The names that every module of generated code has.

Built-ins are among them: they are found faster, and nobody can replace them.
"""

NAMES_OF_CLASSES: Final[Mapping[type[Any], str]] = {
    value: name for name, value in NAMESPACE.items() if isinstance(value, type)
}
"""The names of the classes in the namespace."""
