"""
Markers: what an author writes beside a type.

The constraints are in ``annotated-types``; here is what that package lacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from enum import Enum
from typing import Annotated, Any, Final, Protocol, TypeAlias

from annotated_types import Timezone

from contract.shape.record import record

__all__ = ["UNSET", "Example", "LocalDatetime", "Name", "Pattern", "Texts", "Unset"]

LocalDatetime: TypeAlias = Annotated[datetime, Timezone(None)]
"""
A datetime without an offset: what a clock shows at a known place.

A plain ``datetime`` has an offset.
"""


class Texts(Protocol):
    """
    A list or a tuple of texts, but not a single text.

    For a type checker a str is a ``Sequence[str]`` too; but the ``__contains__`` of a str takes
    only texts, and that of a list takes anything.
    """

    def __contains__(self, value: object, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __reversed__(self) -> Iterator[str]: ...


class Unset(Enum):
    """
    The type of `UNSET`.

    ``nickname: str | None | Unset = UNSET`` is a field with three states: absent, null and a text.
    """

    UNSET = "UNSET"

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET
"""A field that is absent on the wire; never sent."""


@record
class Pattern:
    """
    A regular expression that must be found in a string: ``Annotated[str, Pattern("^[a-z]+$")]``.

    Attributes:
        regex: An ECMAScript expression, as in JSON Schema (core specification, section 6.4),
            without look-around and back-references. ``^`` and ``$`` are the start and the end of
            the text; without them the match may be anywhere in it.
    """

    regex: str


@record
class Name:
    """
    The name of a field on the wire, if Python cannot use it: ``Annotated[str, Name("@id")]``.
    """

    wire: str


@record
class Example:
    """
    A value shown in the documents: ``Annotated[str, Example("p1")]``.

    It must be valid for its type.
    """

    value: Any
