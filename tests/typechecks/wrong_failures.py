"""Failures that are declared, made or used wrongly."""

from __future__ import annotations

from contract import Failure, Forbidden, NotFound, TooManyRequests, define_errors, route
from tests.typechecks.shop import Blocked, Order, Receipt, SoldOut


class NoStatus(Failure, status="404"): ...  # type: ignore[arg-type]


class NoCode(Failure, code=404): ...  # type: ignore[arg-type]


class NoOption(Failure, http_status=404): ...  # type: ignore[call-arg]


class NoSuchOption(Failure, staus=404): ...  # type: ignore[call-arg]


class Missing(NotFound, code="MISSING"): ...  # type: ignore[misc]


SoldOut()  # type: ignore[call-arg]
SoldOut("3")  # type: ignore[arg-type]
SoldOut(3, 4)  # type: ignore[call-arg]
SoldOut(restock_days=None)  # type: ignore[arg-type]
SoldOut(days=3, restock_days=3)  # type: ignore[call-arg]
NotFound(message=None)  # type: ignore[arg-type]
Forbidden(text="no")  # type: ignore[call-arg]
TooManyRequests(retry_after="3")  # type: ignore[arg-type]
SoldOut(3).restock_days = 4  # type: ignore[misc]
str(SoldOut(3).days)  # type: ignore[attr-defined]
define_errors(SoldOut(3))  # type: ignore[arg-type]
define_errors(int)  # type: ignore[arg-type]


@route(summary="x", tags=["x"], auth="none")
def undeclared(input: Order, ctx: None) -> Receipt | SoldOut:
    if input.quantity > 9:
        return Blocked()  # type: ignore[return-value]
    return Receipt("a")


@route(summary="x", tags=["x"], auth="none")
def undeclared_builtin(input: Order, ctx: None) -> Receipt:
    return NotFound()  # type: ignore[return-value]


@route(summary="x", tags=["x"], auth="none")
async def undeclared_later(input: Order, ctx: None) -> Receipt | NotFound:
    return Blocked()  # type: ignore[return-value]


@route(summary="x", tags=["x"], auth="none")
def wrong_data(input: Order, ctx: None) -> Receipt | SoldOut:
    return SoldOut(restock_days="soon")  # type: ignore[arg-type]


@route(summary="x", tags=["x"], auth="none")
def wrong_output(input: Order, ctx: None) -> Receipt | SoldOut:
    return "a"  # type: ignore[return-value]


@route(summary="x", tags=["x"], auth="none")
def the_class_itself(input: Order, ctx: None) -> Receipt | SoldOut:
    return SoldOut  # type: ignore[return-value]


@route(summary="x", tags=["x"], auth="none")
def raised(input: Order, ctx: None) -> Receipt | SoldOut:
    raise SoldOut(3)  # type: ignore[misc]


@route(summary="x", tags=["x"], auth="none")
async def no_output_later(input: Order, ctx: None) -> Receipt | SoldOut:
    return None  # type: ignore[return-value]
