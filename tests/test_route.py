"""Routes: what `route` makes of a resolver, and what it refuses."""

from __future__ import annotations

import asyncio
import copy
import functools
import inspect
import pickle
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from contract._route import Deprecated, McpTool, PublicRoute, Route, check_name, route, routes
from contract.errors import Failure, define_errors
from contract.exceptions import RouteDeclarationError


class SoldOut(Failure, status=409):
    pass


class User:
    pass


@route(summary="Order a product", tags=["orders"], auth="none", mcp=True)
def order(input: int, ctx: None) -> int | SoldOut:
    """
    Put a product aside.

    And send it.
    """
    return SoldOut() if input > 9 else input


@route(summary="Say who you are", tags=[])
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
    assert (order.summary, order.tags, order.auth, order.scope) == ("Order a product", ("orders",), "none", "public")
    assert (order.mcp, order.errors, order.name, order.inline, order.deprecated) == (McpTool(), None, None, False, False)
    assert (order.effect, order.effect_given) == ("write", False)
    assert order.description == "Put a product aside.\n\nAnd send it."
    assert (me.auth, me.mcp, me.description) == ("bearer", False, None)


def test_every_option_can_be_given() -> None:
    errors = define_errors(SoldOut)
    tool = McpTool(name="do_it", title="Do", open_world=True)
    gone = Deprecated(since=date(2025, 1, 1), remove_on=date(2026, 1, 1), use="other")
    found = made(
        description="More",
        scope="private",
        mcp=tool,
        errors=errors,
        name="do.it",
        effect="read",
        inline=True,
        deprecated=gone,
        tags=("b", "c"),
    )

    assert (found.description, found.scope, found.mcp, found.errors) == ("More", "private", tool, errors)
    assert (found.name, found.effect, found.effect_given, found.inline, found.deprecated) == ("do.it", "read", True, True, gone)
    assert found.tags == ("b", "c")
    assert made(deprecated=True).deprecated == Deprecated()
    assert made(deprecated=Deprecated(since=date(2026, 1, 2))).deprecated.use is None


def test_a_route_is_called_as_its_resolver_is() -> None:
    assert order(3) == order(3, None) == 3
    assert order(10) == SoldOut()
    assert asyncio.run(me(None, User())) == "User"
    assert order.resolver is order.handler


def test_public_and_bearer_routes_have_classes_of_their_own() -> None:
    assert type(order) is PublicRoute
    assert type(me) is Route


def test_a_route_is_named_like_its_function() -> None:
    assert (order.__name__, order.__qualname__, order.__module__) == ("order", "order", __name__)
    assert order.__doc__ == order.description
    assert inspect.unwrap(order) is order.resolver
    assert list(inspect.signature(order).parameters) == ["input", "ctx"]
    assert repr(order) == f"<none route {__name__}.order>"
    assert repr(me) == f"<bearer route {__name__}.me (async)>"


def test_a_route_pickles_by_name_and_is_never_copied() -> None:
    assert pickle.loads(pickle.dumps(order)) is order
    assert copy.copy(order) is copy.deepcopy(order) is order


def test_a_route_cannot_be_changed() -> None:
    changed: Any = order
    with pytest.raises(AttributeError, match="cannot assign to field 'auth'"):
        changed.auth = "bearer"
    with pytest.raises(AttributeError, match="cannot delete field 'auth'"):
        del changed.auth


def test_bound_methods_objects_and_partials_are_resolvers() -> None:
    public = route(summary="Order", tags=[], auth="none")
    bearer = route(summary="Order", tags=[])
    shop = Shop("a")

    def with_shop(shop: Shop, input: str, ctx: None) -> str:
        return shop.prefix + input

    bound, called, partial = public(shop.order), public(shop), public(functools.partial(with_shop, shop))

    assert bound("b") == called("b") == partial("b") == "ab"
    assert (bound.__name__, called.__name__, partial.__name__) == ("order", "Shop", "with_shop")
    later = bearer(shop.order_later)
    assert later.is_async
    assert asyncio.run(later("b", User())) == "ab"


def test_the_origin_knows_the_place_and_the_local_types() -> None:
    class Local: ...

    found = made()

    assert found.origin.place.endswith(f".resolver, {__file__}:{found.resolver.__code__.co_firstlineno}")
    assert found.origin.frame is made.__code__
    assert found.origin.names == {}
    assert order.origin.names == {}

    @route(summary="x", tags=[], auth="none")
    def local(input: Local, ctx: None) -> None: ...

    assert local.origin.names["Local"] is Local
    assert local(Local()) is None


def test_routes_is_a_list() -> None:
    assert routes() == []
    assert routes(order, me) == [order, me]


@pytest.mark.parametrize("name", ["a", "Z9", "getProduct", "users.get", "a_b-c"])
def test_a_name_is_letters_digits_and_three_signs(name: str) -> None:
    assert check_name("here", name) == name


@pytest.mark.parametrize("name", ["", "1a", "_a", "a/b", "a b", "ä", "a\n", ".a", 3, None])
def test_other_names_are_refused(name: object) -> None:
    with pytest.raises(RouteDeclarationError, match=r"here: .* is no name of a route"):
        check_name("here", name)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"summary": ""}, "summary is ''; give a text that says something"),
        ({"summary": "  "}, "summary is '  '"),
        ({"summary": None}, "summary is None"),
        ({"description": ""}, "description is ''"),
        ({"tags": "orders"}, r"tags is 'orders'; give a list: tags=\['orders'\]"),
        ({"tags": None}, "tags is None; give a list"),
        ({"tags": [""]}, "a tag is ''"),
        ({"tags": [3]}, "a tag is 3"),
        ({"tags": ["a", "a"]}, r"tags names one twice: \['a', 'a'\]"),
        ({"auth": "basic"}, "auth is 'basic'; give one of 'none', 'bearer'"),
        ({"scope": "hidden"}, "scope is 'hidden'; give one of 'public', 'private'"),
        ({"effect": "delete"}, "effect is 'delete'; give one of 'read', 'idempotent', 'write', 'destructive'"),
        ({"mcp": "tool"}, "mcp is 'tool'; give True or False"),
        ({"mcp": McpTool(name="a.b")}, "'a.b' is no name of a tool"),
        ({"mcp": McpTool(name="a" * 65)}, "'a{65}' is no name of a tool"),
        ({"mcp": McpTool(title="")}, "McpTool.title is ''"),
        ({"mcp": McpTool(open_world="yes")}, "McpTool.open_world is 'yes'; give True or False"),  # type: ignore[arg-type]
        ({"mcp": McpTool(read_only=1)}, "McpTool.read_only is 1; give True or False"),  # type: ignore[arg-type]
        ({"mcp": McpTool(read_only=True, destructive=True)}, "McpTool says both read_only and destructive"),
        ({"errors": [SoldOut]}, "errors is .*; give what define_errors"),
        ({"name": "a b"}, "'a b' is no name of a route"),
        ({"inline": 1}, "inline is 1; give True or False"),
        ({"deprecated": "yes"}, "deprecated is 'yes'; give True or False"),
        ({"deprecated": Deprecated(since="2.0")}, "Deprecated.since is '2.0'; give a date"),  # type: ignore[arg-type]
        ({"deprecated": Deprecated(remove_on=3)}, "Deprecated.remove_on is 3; give a date"),  # type: ignore[arg-type]
        ({"deprecated": Deprecated(since=date(2026, 1, 2), remove_on=date(2026, 1, 1))}, "Deprecated.remove_on is before since"),
        ({"deprecated": Deprecated(since=date(2026, 1, 2), use="")}, "'' is no name of a route"),
        ({"deprecated": Deprecated(use="a b")}, "'a b' is no name of a route"),
    ],
)
def test_wrong_options_are_refused_with_the_function_and_its_place(options: dict[str, object], message: str) -> None:
    with pytest.raises(RouteDeclarationError, match=rf"^resolver: {message}.* \({__name__}.made.<locals>.resolver, .*test_route.py:\d+\)$"):
        made(**options)


@pytest.mark.parametrize(
    ("effect", "tool", "refused"),
    [
        ("read", McpTool(read_only=False), True),
        ("read", McpTool(destructive=True), True),
        ("read", McpTool(idempotent=False), True),
        ("read", McpTool(read_only=True, destructive=False, idempotent=True), False),
        ("idempotent", McpTool(read_only=True), True),
        ("idempotent", McpTool(idempotent=False), True),
        ("idempotent", McpTool(destructive=True), False),
        ("write", McpTool(read_only=True), True),
        ("write", McpTool(idempotent=True), True),
        ("write", McpTool(destructive=True), True),
        ("write", McpTool(destructive=False), False),
        ("destructive", McpTool(destructive=False), True),
        ("destructive", McpTool(read_only=True), True),
        ("destructive", McpTool(idempotent=True), False),
        (None, McpTool(read_only=True), False),
        (None, McpTool(destructive=True), False),
    ],
)
def test_a_tool_may_not_contradict_an_effect_that_was_given(effect: str | None, tool: McpTool, *, refused: bool) -> None:
    if refused:
        with pytest.raises(RouteDeclarationError, match=rf'effect="{effect}" and McpTool\(.*\) contradict each other'):
            made(effect=effect, mcp=tool)
    else:
        assert made(effect=effect, mcp=tool).mcp is tool


def test_a_route_is_not_decorated_again() -> None:
    again: Callable[..., object] = route(summary="x", tags=[], auth="none")
    with pytest.raises(RouteDeclarationError, match="order: this is a route already; decorate its resolver instead"):
        again(order)


def test_another_signature_is_refused_with_the_place() -> None:
    decorate: Callable[..., object] = route(summary="x", tags=[], auth="none")
    with pytest.raises(RouteDeclarationError, match=r"^Shop.order: it takes \(self, input, ctx\), and .*test_route.py:\d+\)$"):
        decorate(Shop.order)
