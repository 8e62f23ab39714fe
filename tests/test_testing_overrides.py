"""Overrides: values of the user's own, for types as they are written and for fields."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from enum import Enum
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple, NewType, TypeAlias

import pytest
from annotated_types import Ge, Len
from hypothesis import find, settings
from hypothesis import strategies as st
from typing_extensions import Doc, TypeAliasType, TypedDict

from contract import UNSET, Example, Pattern, Unset
from contract.testing import strategy
from tests.drawing import drawn
from tests.tables import rows

ProductId: TypeAlias = Annotated[str, Len(1, 40), Pattern("^[a-z]+$"), Doc("Of a product.")]
CategoryId: TypeAlias = Annotated[str, Len(1, 40), Pattern("^[a-z]+$"), Doc("Of a category.")]
UserId = NewType("UserId", str)
Cents = TypeAliasType("Cents", int)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Line:
    product: ProductId
    quantity: Annotated[int, Ge(1)] = 1


class Place(NamedTuple):
    x: int
    y: int = 0


class Card(TypedDict):
    kind: Literal["card"]
    number: str


class Cash(TypedDict):
    kind: Literal["cash"]


@dataclass(frozen=True)
class Order:
    product: ProductId
    category: CategoryId
    user: UserId
    price: Cents
    maybe: ProductId | None
    told: Annotated[ProductId | None, Doc("Another.")]
    twice: Annotated[ProductId, Example("abc")]
    several: list[ProductId]
    keyed: dict[ProductId, UserId]
    lines: tuple[Line, ...]
    place: Place
    colour: Colour
    payment: Card | Cash
    plain: str
    bounded: Annotated[str, Len(2)]
    unset: ProductId | Unset = UNSET
    late: int = field(default=0, init=False)


few = partial(drawn, count=15)


def test_a_type_is_known_by_how_it_is_written() -> None:
    """The ids of products and categories are the same kind of text, and only one of them is given."""
    orders = few(strategy(Order, overrides={ProductId: st.just("given")}))

    for order in orders:
        assert order.product == order.twice == "given"
        assert {*order.several, *order.keyed, *(line.product for line in order.lines)} <= {"given"}
        assert "given" not in (order.category, order.plain)
    assert any(order.several and order.keyed and order.lines for order in orders)
    assert {order.maybe for order in orders} == {order.told for order in orders} == {"given", None}
    assert {order.unset for order in orders} == {"given", UNSET}


@rows(
    "key, value, read",
    (UserId, "ada", lambda order: order.user),
    (Cents, 1250, lambda order: order.price),
    (Colour, Colour.BLUE, lambda order: order.colour),
    (Place, Place(1, 2), lambda order: order.place),
    (str, "any", lambda order: order.plain),
    ((Order, "bounded"), "longer", lambda order: order.bounded),
    ("bounded", "longer", lambda order: order.bounded),
    ((Place, "y"), 7, lambda order: order.place.y),
)
def test_anything_that_has_a_name_can_be_given(
    key: Any, value: object, read: Callable[[Order], object]
) -> None:
    orders = few(strategy(Order, overrides={key: st.just(value)}))

    assert {read(order) for order in orders} == {value}


@pytest.mark.unwatched
def test_a_constrained_text_is_no_plain_one() -> None:
    orders = few(strategy(Order, overrides={str: st.just("a")}))

    assert "a" not in {order.bounded for order in orders}


def test_a_field_may_be_left_out_by_what_is_given_for_it() -> None:
    orders = few(strategy(Order, overrides={(Order, "unset"): st.sampled_from([UNSET, "here"])}))

    assert {order.unset for order in orders} == {UNSET, "here"}


def test_a_field_that_is_given_is_never_left_out() -> None:
    lines = few(strategy(Line, overrides={"quantity": st.just(9)}))

    assert {line.quantity for line in lines} == {9}


@pytest.mark.unwatched
def test_what_is_given_shrinks() -> None:
    given = {"product": st.just("given"), "quantity": st.integers(1, 1000)}
    lines = strategy(Line, overrides=given)
    found = find(lines, lambda line: line.quantity > 20, settings=settings(database=None))

    assert found.quantity == 21


@dataclass(frozen=True)
class Made:
    total: int
    double: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "double", 2 * self.total)


def test_whole_records_are_given() -> None:
    found = few(strategy(Made, overrides={Made: st.builds(Made, st.just(4))}))

    assert {made.double for made in found} == {8}


@dataclass
class Begun:
    start: InitVar[ProductId]
    first: str = field(default="", init=False)

    def __post_init__(self, start: str) -> None:
        self.first = start


def test_what_only_the_constructor_takes_is_given() -> None:
    found = few(strategy(Begun, overrides={ProductId: st.just("given")}))

    assert {begun.first for begun in found} == {"given"}


def test_the_member_of_a_tagged_union_is_given() -> None:
    orders = few(strategy(Order, overrides={Card: st.just({"kind": "card", "number": "4242"})}))

    cards = [order.payment for order in orders if order.payment["kind"] == "card"]
    assert {card["number"] for card in cards} == {"4242"}


def test_what_does_not_fit_is_told_when_it_is_drawn() -> None:
    problem = "the override for Line.quantity gave 0, which does not fit: .value.: expected an int"
    with pytest.raises(ValueError, match=problem):
        few(strategy(Line, overrides={(Line, "quantity"): st.just(0)}))


@rows(
    "key, name",
    ("nothing", "the field 'nothing'"),
    ((Order, "product"), "the field Order.product"),
    ((Line, "nothing"), "the field Line.nothing"),
    (CategoryId, "written as Annotated[str, ...]"),
    (UserId, "written as UserId"),
)
def test_an_override_for_nothing_is_refused(key: Any, name: str) -> None:
    message = f"strategy() overrides: nothing in it is {name}; there is Line(product, quantity)"
    with pytest.raises(ValueError, match=re.escape(message)):
        strategy(Line, overrides={key: st.none()})


def test_an_override_for_nothing_in_a_plain_type_says_so() -> None:
    with pytest.raises(ValueError, match=r"nothing in it is the field 'x'; there is Colour$"):
        strategy(list[Colour], overrides={"x": st.none()})
    with pytest.raises(ValueError, match="nothing in it is the field 'x'; there are no fields"):
        strategy(list[int], overrides={"x": st.none()})


def test_an_enum_has_no_fields_that_could_be_given() -> None:
    with pytest.raises(ValueError, match=r"nothing in it is the field Colour\.RED"):
        strategy(list[Colour], overrides={(Colour, "RED"): st.none()})


FIELD = """is not a field; write (Order, "quantity")"""
NO_STRATEGY = "'product' gets 'p1', which is not a strategy; write st.just('p1'), or another strategy of hypothesis.strategies"


@rows(
    "overrides, message",
    ({("product", "x"): st.none()}, f"('product', 'x') {FIELD}"),
    ({(Line,): st.none()}, FIELD),
    ({"product": "p1"}, NO_STRATEGY),
)
def test_what_is_no_override_is_refused(overrides: Any, message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        strategy(Line, overrides=overrides)
