"""Routes: strategies of what goes in and comes out, and of what is sent."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest
from annotated_types import Ge, Len
from hypothesis import Phase, find, settings
from hypothesis import strategies as st

from contract import Failure, route, routes, spec
from contract.call.bound import bind
from contract.shape.exceptions import InvalidInput
from contract.shape.issues import CODES
from contract.testing import InvalidBody, bodies, inputs, invalid_bodies, outputs
from tests.drawing import drawn


class SoldOut(Failure, status=409):
    """Gone."""


@dataclass(frozen=True)
class Order:
    product_id: Annotated[str, Len(1, 9)]
    quantity: Annotated[int, Ge(1)] = 1


@dataclass(frozen=True)
class Receipt:
    cents: Annotated[int, Ge(0)]


@route(summary="Order", tags=["t"], auth="none")
def order(input: Order, ctx: None) -> Receipt | SoldOut:
    return Receipt(1)


@route(summary="Ping", tags=["t"], name="ping.now")
def ping(input: None, ctx: str) -> str:
    return "pong"


api = spec(routes=routes(order, ping), rename="camel", authenticate=lambda token, request: token)


LONG = settings(max_examples=10_000, database=None, derandomize=True, deadline=None)


def test_inputs_are_values_of_the_input() -> None:
    found = drawn(inputs(order))

    assert {type(value) for value in found} == {Order}
    assert {value.quantity for value in found} > {1}
    assert drawn(inputs(ping)) == [None]


def test_inputs_are_made_of_what_is_given() -> None:
    found = drawn(inputs(order, overrides={"product_id": st.sampled_from(["p1", "p2"])}))

    assert {value.product_id for value in found} == {"p1", "p2"}


def test_outputs_are_successes() -> None:
    assert {type(value) for value in drawn(outputs(order))} == {Receipt}
    assert {value.cents for value in drawn(outputs(order, overrides={"cents": st.just(5)}))} == {5}


def test_bodies_have_the_names_of_the_wire() -> None:
    found = [json.loads(body) for body in drawn(bodies(api, order))]

    assert {key for body in found for key in body} == {"productId", "quantity"}
    assert {len(body) for body in found} == {1, 2}
    assert set(drawn(bodies(api, "ping.now"))) == {b"", b"null", b"{}"}


@pytest.mark.unwatched
def test_bodies_are_made_of_what_is_given() -> None:
    given = bodies(api, "order", overrides={(Order, "product_id"): st.just("p1")})

    assert {json.loads(body)["productId"] for body in drawn(given)} == {"p1"}


def test_a_record_that_no_input_becomes_is_told() -> None:
    @dataclass(frozen=True)
    class Half:
        a: int
        b: int = field(default=0, init=False)

    @route(summary="Half", tags=["t"], auth="none")
    def half(input: Half, ctx: None) -> None: ...

    given = {Half: st.just(Half(1))}
    problem = "the override for Half gave .*, which no input becomes: b: This key is not known here"

    assert {half.a for half in drawn(inputs(half, overrides=given))} == {1}
    with pytest.raises(ValueError, match=problem):
        drawn(bodies(spec(routes=routes(half)), half, overrides=given))


@pytest.mark.unwatched
@pytest.mark.parametrize("name", ["order", "ping.now"])
def test_every_near_miss_is_refused_in_its_place(name: str) -> None:
    load = bind(api)[name].input.load

    for miss in drawn(invalid_bodies(api, name), 150):
        with pytest.raises(InvalidInput) as caught:
            load(miss.body)
        [issue] = caught.value.issues
        assert (issue.path, issue.code) == (miss.path, miss.code), miss


CODES_OF_ORDER = {
    "json_invalid", "missing", "unknown_key", "object_type", "string_type", "integer_type",
    "string_too_short", "string_too_long", "greater_than_equal", "less_than_equal",
}  # fmt: skip
REASONS = {
    "['quantity']: must be at least ...", "['product_id']: this key is not known here",
    "there is no body", "it is not JSON: it ends too early", "it is not in UTF-8 but in UTF-16",
    "the body: must be an object in curly brackets",
}  # fmt: skip


@pytest.mark.unwatched
def test_near_misses_are_of_every_kind() -> None:
    """Each is looked for until it is found: how soon that is depends on the modules that are loaded, whose constants Hypothesis draws."""
    wanted = {*CODES_OF_ORDER, *REASONS}
    misses: list[InvalidBody] = []

    def is_last(miss: InvalidBody) -> bool:
        misses.append(miss)
        wanted.difference_update((miss.code, miss.reason))
        return not wanted

    find(invalid_bodies(api, order), is_last, settings=settings(LONG, phases=[Phase.generate]))

    assert {miss.code for miss in misses} == CODES_OF_ORDER <= set(CODES)
    assert {miss.path for miss in misses if miss.code == "missing"} == {("productId",)}


def test_near_misses_are_made_of_what_is_given() -> None:
    misses = drawn(invalid_bodies(api, order, overrides={"product_id": st.just("p1")}))
    wrong = [json.loads(miss.body) for miss in misses if miss.path == ("quantity",)]

    assert {body["productId"] for body in wrong} == {"p1"}
    short = repr(InvalidBody(b"[]", (), "object_type", "..."))
    assert short == "InvalidBody(b'[]', path=(), code='object_type')"


def test_a_route_that_is_not_there_is_told() -> None:
    alone = spec(routes=routes(order))

    for made, name, told in ((bodies, "orders", "'orders'"), (invalid_bodies, ping, "ping")):
        with pytest.raises(ValueError, match=f"the spec has no route {told}; there is order"):
            made(alone, name)


def test_what_is_no_route_is_refused() -> None:
    wrong: Any = Order

    problem = r"inputs\(\) takes a route, and <class .*Order'> is not one; decorate it with @route"
    with pytest.raises(TypeError, match=problem):
        inputs(wrong)
