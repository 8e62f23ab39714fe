"""Support: what the generated code has around it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from math import isfinite
from types import MappingProxyType, NoneType
from typing import Any, Final
from uuid import UUID

import orjson

from contract.dumper.scalars import is_a
from contract.dumper.walk import MAX_DEPTH, in_order
from contract.shape.bounds import I64_MAX, I64_MIN
from contract.shape.markers import UNSET
from contract.shape.nodes import MISSING

__all__ = ["NAMESPACE", "NAMES_OF_CLASSES", "OPTIONS", "Misfit", "copied"]


class Misfit(Exception):  # noqa: N818  a signal
    """The generated code cannot vouch for the value; the walk decides."""


OPTIONS: Final = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_SUBCLASS
"""What orjson would write by itself and is never to see: it is told to refuse it."""


def copied(value: Any, depth: int) -> Any:
    """
    A copy of *value*, which stands within *depth* arrays and objects, of exact built-in types, which orjson writes as it is.

    Raises:
        Misfit: It has others, or the limit of depth is near.
    """
    kind: object = type(value)  # pyright: ignore[reportUnknownVariableType]  the type of anything
    if kind is str or value is None or kind is bool:
        return value
    if kind is int:
        fits = I64_MIN <= value <= I64_MAX
    elif kind is float:
        fits = isfinite(value)
    elif kind is list:
        fits = depth < MAX_DEPTH
        if fits:
            items: list[Any] = []
            for item in value:  # a comprehension makes a function each time, which the garbage collector counts
                items.append(copied(item, depth + 1))  # noqa: PERF401
            return items
    elif kind is dict:
        fits = depth < MAX_DEPTH
        if fits:
            entries: dict[str, Any] = {}
            for key, item in value.items():
                if type(key) is not str:
                    raise Misfit
                entries[key] = copied(item, depth + 1)
            return entries
    else:
        fits = False
    if not fits:
        raise Misfit
    return value


NAMESPACE: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "NoneType": NoneType,
        "UNSET": UNSET,
        "UTC": UTC,
        "UUID": UUID,
        "Exception": Exception,
        "MISSING": MISSING,
        "Misfit": Misfit,
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
"""The names that every module of generated code has; built-ins too, which are then found at once and cannot be replaced."""

NAMES_OF_CLASSES: Final[Mapping[type[Any], str]] = {value: name for name, value in NAMESPACE.items() if isinstance(value, type)}
"""Of the classes among them."""
