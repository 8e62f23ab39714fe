"""Routes: what `route` makes of a resolver, and what it refuses."""

# mypy: disable-error-code="deprecated"
# functions that are marked so are what some of these tests are about

from __future__ import annotations

import asyncio
import copy
import functools
import inspect
import pickle
import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from datetime import date
from typing import Any

import pytest
from typing_extensions import deprecated

from contract.declare.failures import Failure, define_errors
from contract.declare.route import PublicRoute, Route, route, routes
from contract.declare.route_options import Deprecated, McpTool
from contract.shape.exceptions import RouteDeclarationError, SpecError
from tests.tables import rows


class SoldOut(Failure, status=409): ...


class User: ...


@route(summary="Order a product", tags=["orders"], auth="none", mcp=True)
def order(input: int, ctx: None) -> int | SoldOut:
    """
    Put a product aside.

    And send it.
    """
    return SoldOut() if input > 9 else input


@route(summary="Say who you are", tags=["x"])
async def me(input: None, ctx: User) -> str:
    return type(ctx).__name__


class Shop:
    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def order(self, input: str, ctx: None) -> str:
        return self.prefix + input

    async def order_later(self, input: str, ctx: User) -> str:
        return self.prefix + input

    def __call__(self, input: str, ctx: None) -> str:
        return self.prefix + input


def made(**options: Any) -> Any:
    """A route with some options, right or wrong."""

    def resolver(input: None, ctx: None) -> None: ...

    return route(**{"summary": "Do it", "tags": ["a"], **options})(resolver)


def test_a_route_keeps_what_was_said_about_it() -> None:
    assert order.summary == "Order a product"
    assert order.description == "Put a product aside.\n\nAnd send it."
    assert (order.tags, order.auth, order.scope) == (("orders",), "none", "public")
    assert (order.mcp, order.effect) == (McpTool(), "write")
    assert (order.errors, order.name, order.inline, order.deprecated) == (None, None, False, False)
    assert (me.auth, me.mcp, me.description) == ("bearer", False, None)


def test_every_option_can_be_given() -> None:
    tool = McpTool(name="do_it", title="Do", open_world=True)
    gone = Deprecated(since=date(2025, 1, 1), remove_on=date(2026, 1, 1), use="other")
    options: dict[str, Any] = {"description": "More", "scope": "private", "name": "do.it"}
    options |= {"mcp": tool, "deprecated": gone, "effect": "read", "inline": True}
    options |= {"errors": define_errors(SoldOut), "tags": ("b", "c")}
    found = made(**options)

    assert {name: getattr(found, name) for name in options} == options
    assert made(deprecated=True).deprecated == Deprecated()
    assert made(deprecated=Deprecated(since=date(2026, 1, 2))).deprecated.use is None


def test_a_route_is_called_as_its_resolver_is() -> None:
    assert order(3) == order(3, None) == 3
    assert (order(10), asyncio.run(me(None, User()))) == (SoldOut(), "User")
    assert order.resolver is order.handler


def test_public_and_bearer_routes_have_classes_of_their_own() -> None:
    assert [type(order), type(me)] == [PublicRoute, Route]


def test_a_route_is_named_like_its_function() -> None:
    assert (order.__name__, order.__qualname__, order.__module__) == ("order", "order", __name__)
    assert order.__doc__ == order.description
    assert inspect.unwrap(order) is order.resolver
    assert list(inspect.signature(order).parameters) == ["input", "ctx"]
    assert repr(order) == f"<public route {__name__}.order>"
    assert repr(me) == f"<bearer route {__name__}.me (async)>"


def test_a_route_pickles_by_name_and_is_never_copied() -> None:
    assert pickle.loads(pickle.dumps(order)) is order
    assert copy.copy(order) is copy.deepcopy(order) is order


def test_a_route_does_not_change() -> None:
    changed: Any = order
    for name in ("summary", "other"):
        with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(changed, name, "bearer")
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'auth'"):
        del changed.auth


def test_bound_methods_objects_and_partials_are_resolvers() -> None:
    public = route(summary="Order", tags=["x"], auth="none")
    bearer = route(summary="Order", tags=["x"])
    shop = Shop("a")

    def with_shop(shop: Shop, input: str, ctx: None) -> str:
        return shop.prefix + input

    bound, called = public(shop.order), public(shop)
    partial = public(functools.partial(with_shop, shop))

    assert bound("b") == called("b") == partial("b") == "ab"
    assert (bound.__name__, called.__name__, partial.__name__) == ("order", "Shop", "with_shop")
    later = bearer(shop.order_later)
    assert later.is_async
    assert asyncio.run(later("b", User())) == "ab"


def test_the_origin_knows_the_place_and_the_local_types() -> None:
    class Local: ...

    found = made()

    line = found.resolver.__code__.co_firstlineno
    assert found.origin.place.endswith(f".resolver, {__file__}:{line}")
    assert found.origin.frame is made.__code__
    assert (found.origin.names, order.origin.names) == ({}, {})

    @route(summary="x", tags=["x"], auth="none")
    def local(input: Local, ctx: None) -> None: ...

    assert local.origin.names["Local"] is Local
    assert local(Local()) is None


def test_routes_is_a_list() -> None:
    assert (routes(), routes(order, me)) == ([], [order, me])


@functools.wraps(order)
def logged(*arguments: Any) -> Any: ...


@pytest.mark.parametrize("value", [1, [order], made, logged])
def test_routes_takes_nothing_else(value: Any) -> None:
    problem = r"^routes\(\)\[1\]: .* is (not a|another decorator around a) route; "
    with pytest.raises(SpecError, match=problem):
        routes(order, value)


@pytest.mark.parametrize("cls", [Route, PublicRoute])
@rows(
    "given, options", ((made,), {}), ((), {"resolver": made, "summary": "S"}), ((made, "S", {}), {})
)
def test_a_route_is_made_by_the_decorator_alone(cls: Any, given: Any, options: Any) -> None:
    problem = rf"^{cls.__name__}\(\): routes are made by route; write @route\(summary="
    with pytest.raises(RouteDeclarationError, match=problem):
        cls(*given, **options)


def test_the_decorator_for_deprecated_functions_makes_a_deprecated_route() -> None:
    @deprecated("use order")
    def old(input: int, ctx: None) -> int:
        return input

    public = route(summary="Order", tags=["a"], auth="none")

    assert public(old).deprecated == Deprecated()
    assert public(functools.partial(old)).deprecated == Deprecated()
    assert not public(order.resolver).deprecated
    with pytest.warns(DeprecationWarning, match="use order"):
        assert public(old)(3) == 3


def test_a_route_is_not_marked_from_outside() -> None:
    @route(summary="Order", tags=["a"])
    def bearer(input: int, ctx: int) -> int:
        return input

    for made in (order, bearer):
        with pytest.raises(RouteDeclarationError) as caught:
            deprecated("use another")(made)
        where = rf"{made.__name__}: @deprecated is above @route\(...\); write it below @route\(...\), or deprecated=True in it \(.*"
        assert re.search(where, str(caught.value))
        assert f"({made.origin.place})" in str(caught.value)
        assert not hasattr(made, "__deprecated__")


def test_an_async_resolver_that_is_marked_deprecated_stays_async() -> None:
    @deprecated("use order")
    async def old(input: int, ctx: None) -> int:
        return input

    found = route(summary="Order", tags=["a"], auth="none")(old)

    assert (found.is_async, found.deprecated) == (True, Deprecated())
    with pytest.warns(DeprecationWarning, match="use order"):
        assert asyncio.run(found(3)) == 3


def test_another_signature_is_refused_with_the_place() -> None:
    decorate: Callable[..., object] = route(summary="x", tags=["x"], auth="none")
    why = r"^Shop.order: it takes \(self, input, ctx\), and .*test_route.py:\d+\)$"
    with pytest.raises(RouteDeclarationError, match=why):
        decorate(Shop.order)
