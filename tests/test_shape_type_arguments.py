"""Type arguments: what a parameter stands for, and what its bound keeps out."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, NewType, ParamSpec, Protocol, TypeVar

import pytest
import typing_extensions
from annotated_types import Ge, MaxLen

from contract.shape import RefShape, shape_of
from contract.shape.exceptions import UnsupportedAnnotation


class HasLength(Protocol):
    def __len__(self) -> int: ...


Text = TypeVar("Text", bound=str)
Real = TypeVar("Real", bound=float)
Either = TypeVar("Either", int, str)
Sized = TypeVar("Sized", bound=HasLength)
Later = TypeVar("Later", bound="str")


Listed = TypeVar("Listed", bound=list[Any] | deque[Any])
Nullable = TypeVar("Nullable", bound=int | None)
Whatever = TypeVar("Whatever", bound=Any)
P = ParamSpec("P")
Name = NewType("Name", str)
Number = NewType("Number", int)


@dataclass
class OfList(Generic[Listed]):
    value: Listed


@dataclass
class OfNullable(Generic[Nullable]):
    value: Nullable


@dataclass
class OfAny(Generic[Whatever]):
    value: Whatever


@dataclass
class OfMany(Generic[P]):
    value: int


Kind = typing_extensions.TypeVar("Kind", default=int)


@dataclass
class OfDefault(Generic[Kind]):
    value: Kind


@dataclass
class OfText(Generic[Text]):
    value: Text


@dataclass
class OfReal(Generic[Real]):
    value: Real


@dataclass
class OfEither(Generic[Either]):
    value: Either


@dataclass
class OfSized(Generic[Sized]):
    value: Sized


@dataclass
class OfLater(Generic[Later]):
    value: Later


@pytest.mark.parametrize(
    "annotation",
    [
        OfText[str],
        OfText[Any],
        OfText[Annotated[str, MaxLen(3)]],
        OfReal[int],
        OfEither[str],
        OfSized[list[int]],
        OfSized[str],
        OfLater[str],
        OfText[Name],
        OfDefault,
        OfText[Literal["a"]],
        OfReal[int | float],
        OfReal["int"],
        OfList[list[int]],
        OfList[deque[str]],
        OfNullable[None],
        OfNullable[int | None],
        OfAny[int],
    ],
)
def test_an_argument_is_within_its_bound(annotation: object) -> None:
    assert isinstance(shape_of(annotation), RefShape)


@pytest.mark.parametrize(
    ("annotation", "problem"),
    [
        (OfText[int], "int is not a str, for which Text of OfText stands; write one of those"),  # type: ignore[type-var]
        (OfReal[str], "str is not a float"),  # type: ignore[type-var]
        (OfEither[float], "float is not an int or str"),  # type: ignore[type-var]
        (OfText[Annotated[int, Ge(1)]], "int is not a str"),  # type: ignore[type-var]
        (OfReal[int | str], "str is not a float"),  # type: ignore[type-var]
        (OfText[Number], "int is not a str"),  # type: ignore[type-var]
        (OfText[Literal["a", 1]], "int is not a str"),  # type: ignore[type-var]
        (OfText[list[str]], "list is not a str"),  # type: ignore[type-var]
        (OfList[tuple[int, ...]], "tuple is not a list or deque"),  # type: ignore[type-var]
        (OfNullable[str], "str is not an int or None"),  # type: ignore[type-var]
        (OfLater[int], "int is not a str"),  # type: ignore[type-var]
        (OfMany[int], "is generic in ~P; write a TypeVar"),
        (OfText, r"OfText is generic; write OfText\[...\] with types for Text"),
    ],
)
def test_an_argument_beyond_its_bound_is_refused(annotation: object, problem: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=problem):
        shape_of(annotation)
