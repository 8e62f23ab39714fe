"""
Foreign: what other packages put beside a type, and why it cannot stay there.

Metadata that is unknown here is somebody else's (PEP 593). Pydantic's is the exception: ``Field(ge=1)`` is a rule to whoever writes it,
and would limit nothing here.
"""

from __future__ import annotations

from typing import Final

from contract.exceptions import UnsupportedAnnotation
from contract.shape.nodes import ArrayShape, BytesShape, DecimalShape, FloatShape, IntShape, MapShape, NullableShape, Shape, StrShape

__all__ = ["refuse_pydantic"]


def refuse_pydantic(item: object, shape: Shape, where: str) -> None:
    """
    Refuse *item*, which stands beside *shape* or is its default, if it is pydantic's.

    Raises:
        UnsupportedAnnotation: It is.
    """
    if str(getattr(item, "__module__", "")).partition(".")[0] != "pydantic":
        return
    name = str(getattr(item, "__name__", type(item).__name__)).lstrip("_")
    instead = _INSTEAD.get(type(shape.inner if isinstance(shape, NullableShape) else shape), "Annotated[..., Predicate(...)]")
    problem = f"{_WRITTEN.get(name, name)}(...) is pydantic's and limits nothing here"
    raise UnsupportedAnnotation(where, f"{problem}; write {instead} from annotated_types")


_WRITTEN: Final = {"FieldInfo": "Field", "PydanticGeneralMetadata": "StringConstraints"}
"""What pydantic makes -> what was written."""

_INSTEAD: Final[dict[type, str]] = {
    IntShape: "Annotated[int, Ge(1)]",
    FloatShape: "Annotated[float, Ge(0.5)]",
    DecimalShape: 'Annotated[Decimal, Ge(Decimal("0.01"))]',
    StrShape: "Annotated[str, Len(1, 40)]",
    BytesShape: "Annotated[bytes, MaxLen(40)]",
    ArrayShape: "Annotated[list[...], Len(1, 40)]",
    MapShape: "Annotated[dict[str, ...], MaxLen(40)]",
}
"""What a constraint of each type looks like."""
