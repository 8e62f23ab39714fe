"""Support: the namespace of generated code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from functools import cache
from math import isfinite
from types import MappingProxyType, NoneType
from typing import Any, Final
from uuid import UUID

import orjson
from pydantic_core import TzInfo

from contract.pred.dump.collector import COLLECTOR
from contract.pred.dump.scalars import is_a
from contract.pred.dump.walk import MAX_DEPTH, in_order
from contract.shape.bounds import I64_MAX
from contract.shape.markers import UNSET
from contract.shape.nodes import MISSING

__all__ = ["NAMESPACE", "NAMES_OF_CLASSES", "OPTIONS", "Misfit", "copied", "zones"]


class Misfit(Exception):  # noqa: N818  a signal
    """The generated code cannot vouch for the value, so the walk decides."""


OPTIONS: Final = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_SUBCLASS
"""Options that make orjson refuse values that it would write by itself and is never to see."""


@cache
def zones() -> frozenset[type[Any]]:
    """
    Classes of zones that answer always alike: orjson asks again, and is told what was checked.
    """
    # it imports threading, which no client needs that sends no datetime
    from zoneinfo import ZoneInfo  # noqa: PLC0415

    return frozenset({timezone, ZoneInfo, TzInfo})


OFFSETS: Final = frozenset(
    timedelta(minutes=quarter * 15) for quarter in range(-12 * 4, 14 * 4 + 1)
)
"""Offsets of zones as they are today; the walk writes others of whole minutes."""


def copied(value: Any, depth: int) -> Any:
    """
    A copy of *value* of exact built-in types, which orjson writes as it is.

    The value stands within *depth* arrays and objects.

    Raises:
        Misfit: It has others, or the limit of depth is near.
    """
    kind = _kind_of(value)
    if kind is not _LIST and kind is not _DICT:
        if (
            kind is str
            or value is None
            or kind is bool
            or (kind is int and value <= I64_MAX)  # orjson refuses what is below 64 bits
            or (kind is float and isfinite(value))
        ):
            return value
        raise Misfit
    # without recursion, and with every check in its place: most of what half a million lists cost
    # is calls
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
            if _kind_of(target) is _LIST:
                for item in source:
                    kind = _kind_of(item)
                    if kind is str or item is None or kind is bool:
                        target.append(item)
                    elif kind is _LIST or kind is _DICT:
                        copy: Any = [] if kind is _LIST else item.copy()
                        target.append(copy)
                        if copy or item or depth == MAX_DEPTH:
                            ahead.append((item, copy, depth))
                    elif (kind is int and item <= I64_MAX) or (kind is float and isfinite(item)):
                        target.append(item)
                    else:
                        raise Misfit
            else:
                # a dict is copied first: to put its items into another one by one takes twice as
                # long
                for key, item in target.items():
                    if _kind_of(key) is not str:
                        raise Misfit
                    kind = _kind_of(item)
                    if kind is str or item is None or kind is bool:
                        continue
                    if kind is _LIST or kind is _DICT:
                        target[key] = copy = [] if kind is _LIST else item.copy()
                        if copy or item or depth == MAX_DEPTH:
                            ahead.append((item, copy, depth))
                    elif not (
                        (kind is int and item <= I64_MAX) or (kind is float and isfinite(item))
                    ):
                        raise Misfit
            if not ahead:
                return root
            # the last first, so that a value that holds itself is soon too deep
            source, target, depth = ahead.pop()
    finally:
        if paused:
            COLLECTOR.resume()


# Under these names checkers do not guess at what is in a value.

_kind_of: Final[Callable[[object], type[Any]]] = type
_LIST: Final[type[Any]] = list
_DICT: Final[type[Any]] = dict

_MANY: Final = 10_000
"""Items from which on the garbage collector costs more than it is worth."""


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

Built-ins are among them: they are then found at once, and nobody can replace them.
"""

NAMES_OF_CLASSES: Final[Mapping[type[Any], str]] = {
    value: name for name, value in NAMESPACE.items() if isinstance(value, type)
}
"""The names of the classes in the namespace."""
