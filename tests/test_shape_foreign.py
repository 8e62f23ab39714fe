"""What pydantic puts beside a type, which would look like a rule and be none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import pydantic
import pytest

from contract.exceptions import UnsupportedAnnotation
from contract.shape import IntShape, shape_of


class Theirs:
    __module__ = "pydantically.speaking"


@pytest.mark.parametrize(
    ("annotation", "written", "instead"),
    [
        (Annotated[int, pydantic.Field(ge=1)], "Field", "Annotated[int, Ge(1)]"),
        (Annotated[int | None, pydantic.Field(ge=1)], "Field", "Annotated[int, Ge(1)]"),
        (Annotated[str, pydantic.Field], "Field", "Annotated[str, Len(1, 40)]"),
        (Annotated[str, pydantic.StringConstraints(pattern="x")], "StringConstraints", "Annotated[str, Len(1, 40)]"),
        (Annotated[list[int], pydantic.BeforeValidator(list)], "BeforeValidator", "Annotated[list[...], Len(1, 40)]"),
        (Annotated[bool, pydantic.Strict()], "Strict", "Annotated[..., Predicate(...)]"),
    ],
)
def test_metadata_of_pydantic_is_refused(annotation: Any, written: str, instead: str) -> None:
    with pytest.raises(UnsupportedAnnotation) as refused:
        shape_of(annotation, where="A.a")

    assert str(refused.value) == f"A.a: {written}(...) is pydantic's and limits nothing here; write {instead} from annotated_types"


def test_a_default_that_is_pydantic_s_is_refused() -> None:
    @dataclass
    class InDataclass:
        a: int = pydantic.Field(ge=1)

    class InTuple(NamedTuple):
        a: int = pydantic.Field(default=1, ge=1)

    for cls in (InDataclass, InTuple):
        with pytest.raises(UnsupportedAnnotation, match=r"^f\.input\.a: Field\(\.\.\.\) is pydantic's and limits nothing here"):
            shape_of(cls, where="f.input")


def test_metadata_of_everybody_else_is_left_alone() -> None:
    assert shape_of(Annotated[int, Theirs(), "text", 3], where="x") == IntShape()
    assert shape_of(pydantic.PositiveInt, where="x") == IntShape(minimum=1)
