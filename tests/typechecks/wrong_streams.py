"""Streams of something else than what their annotation says, and what is none."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from collections.abc import Iterator

from contract import Stream, route
from tests.typechecks.right_streams import Interrupted, Refused, Token, some, tokens
from tests.typechecks.shop import Order

public = route(summary="Chat", tags=["chat"], auth="none")


def numbers(input: Order) -> Iterator[int]:
    yield len(input.product_id)


def refusing(input: Order) -> Iterator[Token | Refused]:
    yield Refused()


def number(token: Token) -> int: ...


@public
def of_another_type(input: Order, ctx: None) -> Stream[Token | Interrupted]:
    return Stream(numbers(input))  # type: ignore[arg-type]


@public
def with_an_undeclared_failure(input: Order, ctx: None) -> Stream[Token | Interrupted]:
    return Stream(refusing(input))  # type: ignore[arg-type]


@public
def with_a_failure_where_none_is_declared(input: Order, ctx: None) -> Stream[Token]:
    return Stream(some(input))  # type: ignore[arg-type]


@public
def a_bare_generator(input: Order, ctx: None) -> Stream[Token]:
    return tokens(input)  # type: ignore[return-value]


@public
def of_a_text(input: Order, ctx: None) -> Stream[str]:
    return Stream("abc")  # type: ignore[arg-type]


@public
def of_a_list(input: Order, ctx: None) -> Stream[Token]:
    return Stream([Token(1)])  # type: ignore[arg-type]


@public
def by_an_id_that_is_none(input: Order, ctx: None) -> Stream[Token]:
    return Stream(tokens(input), id=number)  # type: ignore[arg-type]


# both checkers refuse it, one where it is declared and the other where it yields
# fmt: off
@public
def that_yields_itself(input: Order, ctx: None) -> Stream[Token]: yield Token(1)  # type: ignore[misc]
# fmt: on
