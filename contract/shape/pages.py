"""
Pages: a list that is sent in parts.

A `Cursor` asks for a page and a `Slice` is one. In a resolver both hold the author's own key, such
as the id of the last item. On the wire a `PageKey` takes its place, which the mount signs
(`contract.call.paging`). So the fields are read as page keys, and no document shows the type of the
author's key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, final

from annotated_types import Ge, Le
from typing_extensions import Doc, TypeVar

from contract.shape.defaults import known_default
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.nodes import (
    MISSING,
    Definition,
    Field,
    IntShape,
    NullableShape,
    NullShape,
    OwnShape,
    RecordShape,
    RefShape,
    Shape,
)
from contract.shape.own_texts import PageKey
from contract.shape.quoting import shown
from contract.shape.record import record

__all__ = [
    "MAX_LIMIT",
    "Cursor",
    "MaxLimit",
    "Slice",
    "filter_of",
    "is_page_key",
    "limited",
    "maker_of",
    "paged_by",
    "settled",
    "shown_arguments",
]

F = TypeVar("F")
K = TypeVar("K", default=str)
T_co = TypeVar("T_co", covariant=True)

MAX_LIMIT: Final = 100
"""The most items of a page, unless `MaxLimit` sets another number."""

_LIMIT: Final = 50
"""The most items of a page for callers that ask for no number."""


# Type checkers see the author's key, as resolvers do. At runtime the annotation is that of the
# wire, which is the one that the reader reads.


@final
@dataclass(frozen=True)
class Cursor(Generic[F, K]):
    """Which page of a list is asked for."""

    filter: Annotated[F, Doc("Which items there are; the same for all pages of one list.")]
    if TYPE_CHECKING:
        after: K | None = None
    else:
        after: Annotated[
            PageKey | None, Doc("`next` of the page before this; null for the first page.")
        ] = None
    limit: Annotated[int, Ge(1), Le(MAX_LIMIT), Doc("The most items that the page may have.")] = (
        _LIMIT
    )


@final
@dataclass(frozen=True)
class Slice(Generic[T_co, K]):
    """A page of a list."""

    items: Sequence[T_co]
    if TYPE_CHECKING:
        next: K | None = None
    else:
        next: Annotated[
            PageKey | None,
            Doc("`after` of the page that follows, asked for with the same filter; null: no more."),
        ] = None


@final
@record
class MaxLimit:
    """
    The most items of a page: ``Annotated[Cursor[Filter, int], MaxLimit(500)]``.

    Callers that ask for no number get 50 at most, or this many if it is fewer.
    """

    items: int


_APART: Final = frozenset({Cursor, Slice})
"""The classes whose last argument, the type of the key, is in none of their fields."""


def shown_arguments(cls: type[Any], arguments: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """Those of the type *arguments* of *cls* that documents show."""
    if cls in _APART:
        return arguments[:1]
    return arguments


def settled(cls: type[Any], fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """
    The *fields* of *cls*: a filter may be left out that can only be null, or has defaults alone.

    The latter is a dataclass without code of its author's, which might refuse what says nothing.
    """
    if cls is not Cursor:
        return fields
    first, *others = fields
    if isinstance(first.shape, NullShape):
        return (replace(first, default=None), *others)
    if not isinstance(first.shape, RefShape):
        return fields
    of = first.shape.definition.shape
    if isinstance(of, RecordShape) and of.kind == "dataclass":
        made = replace(first, default_factory=of.type)
        if known_default(made) is not MISSING:
            return (made, *others)
    return fields


def maker_of(record: RecordShape) -> Callable[..., Any]:
    """The class of *record*; a cursor is made with the defaults of its fields, which may differ."""
    if record.type is not Cursor:
        return record.type
    # `settled` and `limited` set defaults that the class does not have
    defaults = {each.name: each.default for each in record.fields if each.default is not MISSING}
    factory = record.fields[0].default_factory
    if factory is None:
        return partial(Cursor, **defaults)

    def make(**given: Any) -> Any:
        # a new filter each time, as a dataclass makes one: it may be changed
        if "filter" not in given:
            given["filter"] = factory()
        return Cursor(**{**defaults, **given})

    return make


def filter_of(cursor: Shape) -> Field:
    """The field of the filter of a *cursor*."""
    assert isinstance(cursor, RefShape)  # noqa: S101  for the type checker
    of = cursor.definition.shape
    assert isinstance(of, RecordShape)  # noqa: S101  for the type checker
    return next(each for each in of.fields if each.wire == "filter")


def limited(shape: Shape, most: MaxLimit, where: str) -> RefShape:
    """
    The cursor *shape*, with at most *most* items per page.

    Raises:
        UnsupportedAnnotation: The shape is not a cursor, or *most* is not a valid number.
    """
    found = _paged(shape, Cursor)
    if found is None:
        raise UnsupportedAnnotation(
            where, "MaxLimit(...) is for pages; write Annotated[Cursor[Filter, int], MaxLimit(500)]"
        )
    # its annotation is not checked, and True is an instance of int
    count: object = most.items
    if type(count) is not int or not 1 <= count <= _MOST:
        raise UnsupportedAnnotation(
            where, f"MaxLimit({shown(count)}) will not do; write an int from 1 to {_MOST:_}"
        )
    of = found.shape
    assert isinstance(of, RecordShape)  # noqa: S101  for the type checker
    # a definition of its own: the same cursor may have another limit, or none, elsewhere
    *others, limit = of.fields
    limit = replace(limit, shape=IntShape(1, count), default=min(_LIMIT, count))
    made = Definition(
        found.key, found.name, found.module, found.description, arguments=found.arguments
    )
    made.close(replace(of, fields=(*others, limit)))
    return RefShape(made)


_MOST: Final = 10_000
"""More items than anybody reads on one page, and few enough to fit in memory."""


def paged_by(shape: Shape | None, cls: type[Any]) -> Shape | None:
    """The shape of the key if *shape* is a *cls*, which is `Cursor` or `Slice`; else None."""
    if shape is None:
        return None
    found = _paged(shape, cls)
    if found is None:
        return None
    return found.arguments[1]


def _paged(shape: Shape, cls: type[Any]) -> Definition | None:
    # the key of a type with a class begins with that class; one of a document begins with its name
    if isinstance(shape, RefShape) and shape.definition.key[0] is cls:
        return shape.definition
    return None


def is_page_key(shape: Shape) -> bool:
    """Whether *shape* is that of page keys, which only a server can make."""
    inner = shape
    if isinstance(shape, NullableShape):
        inner = shape.inner
    return isinstance(inner, OwnShape) and inner.type is PageKey
