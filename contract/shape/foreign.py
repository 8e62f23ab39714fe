"""
Foreign: what other packages put beside a type, and why it cannot stay there.

Metadata that is unknown here is somebody else's (PEP 593) and is left alone. A constraint is the
exception: pydantic's ``Field(ge=1)`` or msgspec's ``Meta(ge=1)`` is a rule to whoever writes it,
and would limit nothing here. It is known by the package that its class is of, or by limits that it
holds under the names of ``annotated-types``, so that no package has to be imported.
"""

from __future__ import annotations

import re
from inspect import isroutine
from typing import Final

from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.nodes import (
    ArrayShape,
    BytesShape,
    DecimalShape,
    FloatShape,
    IntShape,
    MapShape,
    NullableShape,
    Shape,
    StrShape,
)

__all__ = ["refuse_foreign", "refuse_limits"]

_PACKAGES: Final = frozenset(
    {
        "apischema",
        "beartype",
        "fastapi",
        "litestar",
        "marshmallow",
        "msgspec",
        "pydantic",
        "sqlmodel",
    }
)
"""Packages whose metadata are constraints."""

_LIMITS: Final = (
    "ge",
    "gt",
    "le",
    "lt",
    "multiple_of",
    "min_length",
    "max_length",
    "min_items",
    "max_items",
    "pattern",
    "regex",
)


def refuse_foreign(item: object, shape: Shape, where: str) -> None:
    """
    Refuse *item* if its package writes constraints as metadata.

    It stands beside *shape*, or is its default.

    Raises:
        UnsupportedAnnotation: It is.
    """
    # the instances of a class in C have none of their own
    module = getattr(item, "__module__", None) or type(item).__module__
    package = str(module).partition(".")[0]
    if package in _PACKAGES:
        _refuse(f"{_written(item)}(...) is {package}'s and limits nothing here", shape, where)


def refuse_limits(item: object, shape: Shape, where: str) -> None:
    """
    Refuse *item*, which stands beside *shape* and is of nobody whom we know, if it holds a limit.

    Raises:
        UnsupportedAnnotation: It does.
    """
    if isinstance(item, re.Pattern):
        raise UnsupportedAnnotation(
            where, "re.compile(...) limits nothing here; write Pattern(...) from contract"
        )
    if isinstance(item, type) or isroutine(item):
        return
    for name in _LIMITS:
        limit: object = getattr(item, name, None)
        if limit is not None and not callable(limit):
            _refuse(f"{_written(item)}(...) has {name}=, which limits nothing here", shape, where)


def _written(item: object) -> str:
    name = str(getattr(item, "__name__", type(item).__name__)).lstrip("_")
    return _MADE_BY.get(name, name)


def _refuse(problem: str, shape: Shape, where: str) -> None:
    instead = _INSTEAD.get(
        type(shape.inner if isinstance(shape, NullableShape) else shape),
        "Annotated[..., Predicate(...)]",
    )
    raise UnsupportedAnnotation(where, f"{problem}; write {instead} from annotated_types")


_MADE_BY: Final = {
    "BeartypeValidator": "Is",
    "BodyKwarg": "Body",
    "FieldInfo": "Field",
    "ParameterKwarg": "Parameter",
    "PydanticGeneralMetadata": "StringConstraints",
}
"""The class that another package makes -> the name that was written for it."""

_INSTEAD: Final[dict[type, str]] = {
    IntShape: "Annotated[int, Ge(1)]",
    FloatShape: "Annotated[float, Ge(0.5)]",
    DecimalShape: 'Annotated[Decimal, Ge(Decimal("0.01"))]',
    StrShape: "Annotated[str, Len(1, 40)]",
    BytesShape: "Annotated[bytes, MaxLen(40)]",
    ArrayShape: "Annotated[list[...], Len(1, 40)]",
    MapShape: "Annotated[dict[str, ...], MaxLen(40)]",
}
"""Shape -> an example of a constraint on it."""
