"""Shapes that are read back from paper."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Annotated, Any, NamedTuple

import pytest

from contract.pred.compile import Pred, compile_pred
from contract.shape import nodes
from contract.shape.exceptions import GenerationError, InvalidInput
from contract.shape.markers import Name
from contract.testing.mock_classes import Classes
from tests.mocks import echo_of, package
from tests.paper import alias, named, named_tuple, record, resolved
from tests.paper import field as field_of
from tests.paper import package as paper_of
from tests.samples import ANNOTATIONS, Derived
from tests.tables import rows
from tests.watched import watched


def pred_of(annotation: Any) -> Pred[Any]:
    paper = package(echo_of(annotation))
    given = paper.operations["echo"].input
    assert given is not None
    return compile_pred(Classes(paper).of(given))


@rows(
    "annotation",
    *watched(
        ANNOTATIONS,
        "dict by enum of ints",
        "dict by Literal of ints",
        "TypedDict with extra items recursive",
        "union of a struct and a model",
    ),
)
def test_every_type_has_its_shape_again(annotation: Any) -> None:
    paper = package(echo_of(annotation))
    shape = Classes(paper).of(paper.operations["echo"].output)

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

    whole = pred.load(b'{"odd":"a b","spot":[3],"more":[]}')
    least = pred.load(b'{"odd":1,"spot":[2,["x"]]}')

    assert pred.dump(whole) == b'{"odd":"a b","spot":[3,[]],"more":[]}'
    assert pred.dump(least).startswith(b'{"odd":1,"spot":[2,["x"]]')


def shape_of(shape: nodes.Shape, *definitions: nodes.Definition) -> nodes.Shape:
    paper = paper_of(*definitions)
    return Classes(paper).of(resolved(shape, paper.definitions))


def test_an_alias_is_inline_unless_it_holds_itself() -> None:
    plain = alias("Plain", nodes.NullableShape(nodes.IntShape(1)))
    empty = record("Empty")
    outer = alias("Outer", nodes.TupleShape((named("Plain"), nodes.StrShape(), named("Empty"))))
    json = alias("Json", nodes.UnionShape((nodes.ArrayShape(named("Json")), nodes.StrShape())))

    outer_pred, json_pred = (
        compile_pred(shape_of(named(name), plain, outer, json, empty)) for name in ("Outer", "Json")
    )

    assert outer_pred.load(b'[null,"a",{}]')[:2] == (None, "a")
    assert json_pred.load(b'[["a"],[]]') == [["a"], []]


def test_an_alias_of_an_endless_one_is_still_inline() -> None:
    ring = [alias("A", nodes.ArrayShape(named("B"))), alias("B", nodes.NullableShape(named("A")))]
    ring.append(alias("C", named("A")))
    assert compile_pred(shape_of(named("C"), *ring)).load(b"[null,[[]]]") == [None, [[]]]


def test_a_position_that_may_be_left_out_needs_a_default() -> None:
    position = field_of("x", nodes.IntShape(1), required=False)
    problem = 'it may be left out, and nothing says what that means; write its "default"'
    with pytest.raises(GenerationError, match=rf"^\$\.\$defs\.Pair\.x: {problem}"):
        shape_of(nodes.IntShape(), named_tuple("Pair", position))


def test_a_default_that_is_none_of_its_type_is_not_believed() -> None:
    paper = package(echo_of(Derived))
    (name,) = paper.definitions.keys() - package(echo_of(int)).definitions.keys() - {"Derived"}
    definition = paper.definitions[name]
    assert isinstance(definition.shape, nodes.RecordShape)
    fields = tuple(
        replace(each, json_default=3) if each.wire == "name" else each
        for each in definition.shape.fields
    )
    definition.close(replace(definition.shape, fields=fields))
    pred = compile_pred(Classes(paper).of(nodes.RefShape(definition)))

    assert pred.dump(pred.load(b'{"id":1}')) == b'{"id":1}'
