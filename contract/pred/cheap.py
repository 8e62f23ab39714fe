"""
Cheap: records that cost their sender next to nothing, and how many of them are taken.

``{}`` makes a whole record where each field has a default: a megabyte of them was 350,000 records
of 20 fields, 200 MiB and three seconds. So the objects of a large document are counted, where there
is such a type: real records are longer than these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from contract.shape.graph import reachable
from contract.shape.nodes import Field, NamedTupleShape, RecordShape, Shape

__all__ = ["Cheap", "cheap_of"]

_ALWAYS: Final = 32_768
"""Objects that any document may hold."""

_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Cheap:
    """The cheap records of a type."""

    opening: bytes
    """The brackets that open them: of objects, of named tuples, or of both."""
    length: int
    """Bytes of a document for each of them, above the number that every document may hold."""

    def most(self, size: int) -> int:
        """How many objects a document of *size* bytes may hold."""
        return max(_ALWAYS, size // self.length)

    def are_too_many(self, data: bytes) -> bool:
        """Whether a document holds more."""
        most = self.most(len(data))
        # a text may be full of brackets
        return self._count(data) > most and self._count(_STRING.sub(b"", data)) > most

    def _count(self, data: bytes) -> int:
        return sum(data.count(bracket) for bracket in self.opening)


def cheap_of(shape: Shape) -> Cheap | None:
    """The cheap records of *shape*, if it has any."""
    opening: set[bytes] = set()
    weights = [0]
    for definition in reachable(shape):
        of = definition.shape
        if isinstance(of, NamedTupleShape) or (
            isinstance(of, RecordShape) and of.kind != "typeddict"
        ):
            weight = _weight(of.fields)
            if weight:
                weights.append(weight)
                opening.add(b"[" if isinstance(of, NamedTupleShape) else b"{")
    return Cheap(b"".join(sorted(opening)), 10 + max(weights) // 2) if opening else None


def _weight(fields: Sequence[Field]) -> int:
    """What is made without being sent; a factory is a call."""
    return sum(
        3 if field.default_factory is not None else 1 for field in fields if not field.required_in
    )
