"""What other packages put beside a type, which would look like a rule and be none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, NamedTuple

import pydantic
import pytest
from pydantic.fields import FieldInfo

from contract import Email, Request, SecretStr
from contract.pred.compile import compile_pred
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.nodes import IntShape
from contract.shape.reader import shape_of
from tests.tables import rows


class Theirs:
    __module__ = "pydantically.speaking"


def of(package: str, name: str = "Meta") -> Any:
    """An object of a class of another package, which says so itself or, as one in C, does not."""
    return type(name, (), {"__module__": f"{package}.inside", "__slots__": ()})()


class InC(type):
    """The instances of its classes do not know their module."""

    @property
    def __module__(cls) -> str:  # type: ignore[override]
        return "msgspec"


class Meta(metaclass=InC):
    def __getattribute__(self, name: str) -> Any:
        if name == "__module__":
            raise AttributeError(name)
        return super().__getattribute__(name)


@dataclass
class Limited:
    """Of nobody whom we know."""

    ge: int | None = None
    max_length: int | None = None
    pattern: Any = None

    def le(self) -> None: ...


class Moved(pydantic.BaseModel):
    price: Decimal = pydantic.Field(gt=0, max_digits=12, decimal_places=2)


FROM = "from annotated_types"
BELOW, CENTS = 'Lt(Decimal("1E10"))', 'MultipleOf(Decimal("0.01"))'
CONVERTED = Annotated[list[int], pydantic.BeforeValidator(list)]
UNSTRIPPED = (
    "leave strip_whitespace= out, and do that in the resolver: it gets a value as it was sent"
)


@rows(
    "annotation, where, written, instead",
    (Moved, "A.a.price", "Field", f"write Annotated[Decimal, {BELOW}, {CENTS}] {FROM}"),
    *(
        (annotation, "A.a", written, f"write Annotated[{instead}] {FROM}")
        for annotation, written, instead in (
            (Annotated[int, pydantic.Field(ge=1)], "Field", "int, Ge(1)"),
            (Annotated[int | None, pydantic.Field(ge=1)], "Field", "int, Ge(1)"),
            (Annotated[str, pydantic.Field], "Field", "str, Len(1, 40)"),
            (CONVERTED, "BeforeValidator", "list[...], Len(1, 40)"),
            (Annotated[bool, pydantic.Strict()], "Strict", "..., Predicate(...)"),
            (pydantic.condecimal(max_digits=3), "Field", 'Decimal, Lt(Decimal("1E3"))'),
            (pydantic.condecimal(decimal_places=0), "Field", 'Decimal, MultipleOf(Decimal("1"))'),
            (Annotated[float, pydantic.AllowInfNan(True)], "AllowInfNan", "float, Ge(0.5)"),
        )
    ),
    (
        pydantic.constr(pattern="x", strip_whitespace=True),
        "A.a",
        "StringConstraints",
        "write Annotated[str, Pattern('x')] from contract",
    ),
    *(
        (Annotated[kind, field], "A.a", "Field", f"write {instead}")
        for kind, field, instead in (
            (str, pydantic.Field(max_length=3), f"Annotated[str, MaxLen(3)] {FROM}"),
            (int, pydantic.Field(multiple_of=5), f"Annotated[int, MultipleOf(5)] {FROM}"),
            (Decimal, pydantic.Field(decimal_places=2), f"Annotated[Decimal, {CENTS}] {FROM}"),
            (float, pydantic.Field(gt=0, le=1), f"Annotated[float, Gt(0), Le(1)] {FROM}"),
            (int, pydantic.Field(alias="b"), "Annotated[int, Name('b')] from contract"),
            (
                str,
                pydantic.Field(description="How.", min_length=1, pattern="a"),
                (
                    "Annotated[str, Doc('How.'), MinLen(1), Pattern('a')] "
                    "from typing_extensions, annotated_types, contract"
                ),
            ),
            (int, pydantic.Field(3), "int = 3"),
            (int, pydantic.Field(3, ge=1), f"Annotated[int, Ge(1)] = 3 {FROM}"),
            (int, FieldInfo, f"Annotated[int, Ge(1)] {FROM}"),
        )
    ),
    (pydantic.constr(strip_whitespace=True), "A.a", "StringConstraints", UNSTRIPPED),
    (pydantic.FiniteFloat, "A.a", "AllowInfNan", "leave it out: a number is always finite here"),
)
def test_metadata_of_pydantic_is_refused_with_what_comes_closest(
    annotation: Any, where: str, written: str, instead: str
) -> None:
    with pytest.raises(UnsupportedAnnotation) as refused:
        shape_of(annotation, where="A.a")

    problem = f"{written}(...) is pydantic's and limits nothing here"
    assert str(refused.value) == f"{where}: {problem}; {instead}"


@rows(
    "annotation, instead",
    (pydantic.EmailStr, "Email of contract"),
    (pydantic.HttpUrl, "Url of contract"),
    (pydantic.SecretStr, "SecretStr of contract"),
    (pydantic.AwareDatetime, "datetime, which always has an offset here"),
    (pydantic.PastDate, "date, and compare it in a dataclass with __post_init__"),
)
def test_a_type_of_pydantic_is_refused_with_the_closest_one(annotation: Any, instead: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=f"is not a type .*; write {instead}"):
        shape_of(annotation, where="A.a")


def test_a_model_holds_a_type_of_ours_as_the_refusal_says() -> None:
    class Login(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)

        name: Email
        password: SecretStr

    pred = compile_pred(shape_of(Login, where="f"))

    made = Login(name=Email("ada@example.org"), password=SecretStr("p"))
    assert pred.load(b'{"name": "ada@example.org", "password": "p"}') == made


@rows(
    "item, problem",
    (Meta(), "Meta(...) is msgspec's"),
    (of("msgspec"), "Meta(...) is msgspec's"),
    (of("fastapi", "Query"), "Query(...) is fastapi's"),
    (of("beartype", "BeartypeValidator"), "Is(...) is beartype's"),
    (of("litestar", "ParameterKwarg"), "Parameter(...) is litestar's"),
    (of("marshmallow", "Range"), "Range(...) is marshmallow's"),
    (of("apischema", "Schema"), "Schema(...) is apischema's"),
    (of("sqlmodel", "FieldInfo"), "Field(...) is sqlmodel's"),
)
def test_constraints_of_others_are_refused_and_nothing_is_imported(item: Any, problem: str) -> None:
    with pytest.raises(UnsupportedAnnotation) as refused:
        shape_of(Annotated[int, item], where="A.a")

    instead = f"write Annotated[int, Ge(1)] {FROM}"
    assert str(refused.value) == f"A.a: {problem} and limits nothing here; {instead}"


SHORT = Annotated[list[int], Limited(max_length=0)]
PATTERN = "write Pattern(...) from contract"
A, A_PATTERN = re.compile("a"), "Pattern('a')] from contract"


@rows(
    "annotation, message",
    *(
        (annotation, f"Limited(...) has {option}=, which limits nothing here; write {instead}")
        for annotation, option, instead in (
            (Annotated[int, Limited(ge=0)], "ge", f"Annotated[int, Ge(0)] {FROM}"),
            (SHORT, "max_length", f"Annotated[list[...], MaxLen(0)] {FROM}"),
            (Annotated[str, Limited(pattern=A)], "pattern", f"Annotated[str, {A_PATTERN}"),
        )
    ),
    (Annotated[str, re.compile("a")], f"re.compile(...) limits nothing here; {PATTERN}"),
)
def test_limits_of_nobody_whom_we_know_are_refused(annotation: Any, message: str) -> None:
    with pytest.raises(UnsupportedAnnotation) as refused:
        shape_of(annotation, where="A.a")

    assert str(refused.value) == f"A.a: {message}"


def test_a_default_that_is_pydantic_s_is_refused() -> None:
    @dataclass
    class InDataclass:
        a: int = pydantic.Field(ge=1)

    class InTuple(NamedTuple):
        a: int = pydantic.Field(default=1, ge=1)

    problem = r"^f\.input\.a: Field\(\.\.\.\) is pydantic's and limits nothing here"
    for cls in (InDataclass, InTuple):
        with pytest.raises(UnsupportedAnnotation, match=problem):
            shape_of(cls, where="f.input")


def test_metadata_of_everybody_else_is_left_alone() -> None:
    assert shape_of(Annotated[int, Theirs(), "text", 3], where="x") == IntShape()
    assert shape_of(Annotated[int, Limited(), Limited, len], where="x") == IntShape()
    assert shape_of(pydantic.PositiveInt, where="x") == IntShape(minimum=1)


def test_a_request_is_no_input() -> None:
    """Ours is a dataclass, and would pass for one."""
    with pytest.raises(UnsupportedAnnotation, match=r"^type: Request is not .*current_call\(\)$"):
        shape_of(Request)
