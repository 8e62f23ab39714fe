"""Built-in: the types of Python that have a shape, as tables."""

from __future__ import annotations

import collections.abc
import inspect
from collections.abc import Mapping
from typing import Any, Final

from contract.shape.nodes import AnyShape, Container, Shape
from contract.shape.scalars import ROWS

__all__ = ["CONTAINERS", "MAPS", "SCALARS", "abstract"]

SCALARS: Final[Mapping[object, Shape]] = {
    Any: AnyShape(),  # a class since Python 3.11
    **{row.python: row.shape for row in ROWS.values()},
}
"""Types without arguments."""

CONTAINERS: Final[Mapping[Any, Container]] = {
    list: "list",
    set: "set",
    frozenset: "frozenset",
    collections.abc.MutableSequence: "list",
    collections.abc.Sequence: "sequence",
    collections.abc.Collection: "sequence",
    collections.abc.MutableSet: "set",
    collections.abc.Set: "frozenset",
}
"""Types of arrays, with one argument."""

MAPS: Final = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
"""Types of objects with free keys."""


def abstract(origin: type[Any]) -> type[Any] | None:
    """*origin*, of those in the two tables, if it is a class of ``collections.abc``."""
    return origin if inspect.isabstract(origin) else None
