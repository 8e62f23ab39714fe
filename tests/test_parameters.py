"""Parameters: which place there is for what other frameworks take as one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from contract.declare.parameters import instead_of_default, instead_of_parameters
from contract.shape.annotations import parameters_of
from tests.tables import rows


@dataclass
class Order:
    product: str


class Depends: ...


class Query: ...


def flat(number: int, name: str, ctx: None) -> None: ...
def one_field(page: int) -> None: ...
def other_name(order: Order) -> None: ...
def beside(input: Order, note: str, ctx: None) -> None: ...
def starred(*, input: Order, ctx: None) -> None: ...
def with_db(input: Order, db: Any, ctx: None) -> None: ...


# docs/declaration-errors.md has the whole texts, and the other parameters
@rows(
    "function, advice",
    (one_field, "put it into a dataclass, `class OneFieldInput` with `page: int`, and write "),
    (other_name, 'write def other_name(order: Order, ctx: None) for a route with auth="none"'),
    (beside, "make note part of the input's type"),
    (starred, "leave out the star: def starred(input, ctx)"),
    (with_db, "a generator that yields it, and db = ...() in the resolver"),
)
def test_each_parameter_has_its_place(function: Callable[..., Any], advice: str) -> None:
    assert advice in instead_of_parameters(function, function.__name__, parameters_of(function))


def test_annotations_may_be_classes_and_may_be_missing() -> None:
    def three(first: object, second: object, ctx: object) -> None: ...

    three.__annotations__ = {"first": int}

    assert instead_of_parameters(three, "three", parameters_of(three)) == (
        "put them into a dataclass, `class ThreeInput` with `first: int` and `second`, "
        "and write def three(input: ThreeInput, ctx)"
    )


def test_annotations_that_cannot_be_read_are_left_to_others() -> None:
    told = instead_of_parameters(object(), "flat", parameters_of(flat))

    assert told.startswith("put them into a dataclass, `class FlatInput` with `number` and `name`")


@rows(
    "default, name, advice",
    (Depends(), "ctx", r"^Depends\(...\) is asked by nobody here; .*@provide gives$"),
    (Query(), "input", r"^Query\(...\) is read by nobody here; make it a field"),
    (None, "ctx", "^ctx has a default, which would never be used; leave it out$"),
    (None, "input", "a route without input says input: None$"),
)
def test_each_default_has_its_advice(default: object, name: str, advice: str) -> None:
    def resolver(input: object = default, ctx: object = default) -> None: ...

    (parameter,) = [each for each in parameters_of(resolver) if each.name == name]

    assert re.search(advice, instead_of_default(resolver, parameter))


def test_a_default_that_no_code_shows_is_a_default() -> None:
    def resolver(input: object = None, ctx: object = None) -> None: ...

    (parameter, *_) = parameters_of(resolver)

    assert "has a default" in instead_of_default(print, parameter)
