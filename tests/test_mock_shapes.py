"""Shapes that are read back from paper."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Annotated, Any, NamedTuple

import pytest
from annotated_types import Ge

from contract.codegen.model import (
    AliasDeclaration,
    ArrayType,
    Field,
    IntType,
    Limits,
    NamedTupleDeclaration,
    NamedType,
    NullableType,
    RecordDeclaration,
    StrType,
    TupleType,
    Type,
    UnionType,
)
from contract.pred.compile import Pred, compile_pred
from contract.shape import Name
from contract.shape.exceptions import GenerationError, InvalidInput
from contract.testing.mock.shapes import Shapes
from tests.mocks import echo_of, package
from tests.samples import ANNOTATIONS, Derived

EMPTY = package(echo_of(int))


def pred_of(annotation: Any) -> Pred[Any]:
    paper = package(echo_of(annotation))
    given = paper.operations["echo"].input
    assert given is not None
    return compile_pred(Shapes(paper).of(given))


@pytest.mark.parametrize("annotation", ANNOTATIONS.values(), ids=ANNOTATIONS.keys())
def test_every_type_has_its_shape_again(annotation: Any) -> None:
    paper = package(echo_of(annotation))
    shape = Shapes(paper).of(paper.operations["echo"].output)

    with pytest.raises(InvalidInput):
        compile_pred(shape).load(b'{"nothing": ["of", {"the": "sort"}], "x": NaN}')


@dataclass(frozen=True)
class Hostile:
    a: Annotated[int, Name("class")]
    b: Annotated[int, Name("__proto__")]
    c: Annotated[int, Name("self")]
    d: Annotated[int, Name("error_code")]
    e: Annotated[int, Name("field_61")]
    f: Annotated[int, Name("a")]
    g: Annotated[int, Name("\ufb01")]  # a ligature, which Python would read as two letters
    h: Annotated[int, Name("fi")]
    i: Annotated[int, Name('"\n\\')]
    j: Annotated[int, Name("__init__")]
    k: Annotated[int, Name("list")] = 7


def test_names_of_fields_do_no_harm() -> None:
    pred = pred_of(Hostile)
    document = b'{"class":1,"__proto__":2,"self":3,"error_code":4,"field_61":5,"a":6,"\xef\xac\x81":7,"fi":8,"\\"\\n\\\\":9,"__init__":10'

    assert pred.dump(pred.load(document + b',"list":1}')) == document + b',"list":1}'
    assert pred.dump(pred.load(document + b"}")) == document + b',"list":7}'


def test_values_of_sets_are_hashed() -> None:
    pred = pred_of(set[Hostile])

    assert pred.load(b"[]") == set()
    with pytest.raises(InvalidInput) as caught:
        pred_of(set[tuple[int, str]]).load(b'[[1,"a"],[1,"a"]]')
    assert [issue.code for issue in caught.value.issues] == ["not_unique"]


class Odd(Enum):
    values = "a b"
    keys = 1


class Spot(NamedTuple):
    x: int
    tags: list[str] = []  # noqa: RUF012  a default of a named tuple


@dataclass
class Holder:
    odd: Odd
    spot: Spot = Spot(1)  # noqa: RUF009
    more: list[int] = field(default_factory=lambda: [1])


def test_enums_and_tuples_and_defaults() -> None:
    pred = pred_of(Holder)

    assert (
        pred.dump(pred.load(b'{"odd":"a b","spot":[3],"more":[]}'))
        == b'{"odd":"a b","spot":[3,[]],"more":[]}'
    )
    assert pred.dump(pred.load(b'{"odd":1,"spot":[2,["x"]]}')).startswith(
        b'{"odd":1,"spot":[2,["x"]]'
    )


def shape_of(type_: Type, *declarations: Any) -> Any:
    return Shapes(replace(EMPTY, declarations={each.name: each for each in declarations})).of(type_)


def test_an_alias_is_inline_unless_it_holds_itself() -> None:
    plain = AliasDeclaration(name="Plain", type=NullableType(IntType(Limits(ge=1))))
    empty = RecordDeclaration(name="Empty", fields=())
    outer = AliasDeclaration(
        name="Outer", type=TupleType((NamedType("Plain"), StrType(), NamedType("Empty")))
    )
    json = AliasDeclaration(name="Json", type=UnionType((ArrayType(NamedType("Json")), StrType())))

    pred = compile_pred(shape_of(NamedType("Outer"), plain, outer, json, empty))
    assert pred.load(b'[null,"a",{}]')[:2] == (None, "a")
    assert compile_pred(shape_of(NamedType("Json"), plain, outer, json, empty)).load(
        b'[["a"],[]]'
    ) == [["a"], []]


def test_an_alias_of_an_endless_one_is_still_inline() -> None:
    ring = [
        AliasDeclaration(name="A", type=ArrayType(NamedType("B"))),
        AliasDeclaration(name="B", type=NullableType(NamedType("A"))),
        AliasDeclaration(name="C", type=NamedType("A")),
    ]
    assert compile_pred(shape_of(NamedType("C"), *ring)).load(b"[null,[[]]]") == [None, [[]]]


def test_a_position_that_may_be_left_out_needs_a_default() -> None:
    position = Field(wire="x", name="x", type=IntType(Limits(ge=Ge(1).ge)), required=False)
    with pytest.raises(
        GenerationError,
        match=r'^\$\.\$defs\.Pair\.x: it may be left out, and nothing says what that means; write its "default"',
    ):
        shape_of(IntType(), NamedTupleDeclaration(name="Pair", fields=(position,)))


def test_a_default_that_is_none_of_its_type_is_not_believed() -> None:
    paper = package(echo_of(Derived))
    (name,) = paper.declarations.keys() - package(echo_of(int)).declarations.keys() - {"Derived"}
    declaration = paper.declarations[name]
    assert isinstance(declaration, RecordDeclaration)
    fields = tuple(
        replace(each, default=3) if each.wire == "name" else each for each in declaration.fields
    )
    wrong = replace(
        paper, declarations={**paper.declarations, name: replace(declaration, fields=fields)}
    )
    pred = compile_pred(Shapes(wrong).of(NamedType(name)))

    assert pred.dump(pred.load(b'{"id":1}')) == b'{"id":1}'
