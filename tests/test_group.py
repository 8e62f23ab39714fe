"""Groups: names, tags, hooks and contexts of routes in groups, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from contract.declare.failures import Failure, Forbidden
from contract.declare.group import Group, group
from contract.declare.hook import Call, Request, hook, hooks
from contract.declare.route import PublicRoute, Route, route, routes
from contract.declare.route_options import Deprecated
from contract.declare.spec import Spec, spec
from contract.shape.exceptions import RouteDeclarationError, SpecError
from contract.testing import Client
from tests.tables import rows

# a file of its own has the names of Python for what it tests
HERE = r"\(test_group, .*test_group.py:\d+\)"


@dataclass(frozen=True)
class User:
    name: str


@dataclass(frozen=True)
class Partner:
    shop: str


class Blocked(Failure, status=403):
    pass


ran: list[str] = []


def user_of(token: str, request: Request) -> User | None:
    return User(token) if token in ("ada", "bob") else None


async def partner_of(token: str, request: Request) -> Partner | Forbidden | None:
    if token == "thief":
        return Forbidden()
    return Partner(token) if token == "acme" else None


@hook
def everywhere(call: Call[object]) -> None:
    ran.append(f"everywhere {call.route}")


@hook
def of_user(call: Call[User]) -> Blocked | None:
    ran.append(f"of_user {call.ctx.name}")
    return Blocked() if call.ctx.name == "bob" else None


@hook
def also_of_user(call: Call[User]) -> None:
    ran.append("also_of_user")


@hook
def of_partner(call: Call[Partner]) -> None:
    ran.append(f"of_partner {call.ctx.shop}")


@route(summary="Create", tags=["orders", "new"])
def create(input: None, ctx: User) -> str:
    ran.append("create")
    return ctx.name


@route(summary="Cancel", tags=["orders"])
async def cancel(input: None, ctx: User) -> str:
    return ctx.name


@route(summary="Stock", tags=["stock"], mcp=True)
def stock(input: None, ctx: Partner) -> str:
    ran.append("stock")
    return ctx.shop


@route(summary="Ping", tags=["x"], auth="none")
def ping(input: None, ctx: None) -> str:
    return "pong"


def orders(**options: Any) -> Group[Any]:
    return group("orders", **{"routes": routes(create, cancel, ping), **options})


def partners(**options: Any) -> Group[object]:
    return group("partners", **{"routes": [stock], "authenticate": partner_of, **options})


def api_of(*members: Any, **options: Any) -> Spec[Any]:
    return spec(**{"authenticate": user_of, "routes": [*members], **options})


def standing(api: Spec[Any], name: str) -> list[str]:
    return [typed.name for typed in api.entries[name].hooks]


def test_routes_of_a_group_have_its_name_before_theirs() -> None:
    api = api_of(orders(), ping)

    assert list(api.entries) == ["orders.create", "orders.cancel", "orders.ping", "ping"]
    assert [each.group for each in api.entries.values()] == ["orders", "orders", "orders", None]
    assert api.entries["orders.create"].route is create
    assert repr(orders()) == "<group 'orders' of 3>"


def test_groups_stand_in_groups() -> None:
    inner = group("old", routes={"make.it": create}, tags=["old"])
    outer = group("orders", routes=routes(inner, cancel), tags=["orders", "all"])
    api = api_of(outer, group("again", routes={"shop-2": outer, "create": create}))

    assert {name: entry.group for name, entry in api.entries.items()} == {
        "orders.old.make.it": "orders.old",
        "orders.cancel": "orders",
        "again.shop-2.old.make.it": "again.shop-2.old",
        "again.shop-2.cancel": "again.shop-2",
        "again.create": "again",
    }
    assert api.entries["orders.old.make.it"].tags == ("orders", "all", "old", "new")
    assert api.entries["orders.cancel"].tags == ("orders", "all")
    assert api.entries["again.create"].tags == ("orders", "new")


def test_replacements_and_tools_have_full_names() -> None:
    @route(summary="Make", tags=["x"], deprecated=Deprecated(use="orders.create"))
    def make(input: None, ctx: User) -> None: ...

    api = api_of(orders(routes=routes(create, make)), partners())

    assert getattr(api.entries["partners.stock"].tool, "name", None) == "partners_stock"
    with pytest.raises(SpecError, match=r"shop.make: Deprecated\(use='orders.create'\) names no"):
        api_of(group("shop", routes=routes(create, make)))


def test_hooks_run_from_the_outside_to_the_inside() -> None:
    inner = group("inner", routes=[create.behind(also_of_user)], hooks=hooks(of_user))
    outer = group("outer", routes=routes(inner, ping), hooks=[everywhere])
    api = api_of(outer)

    assert standing(api, "outer.inner.create") == ["everywhere", "of_user", "also_of_user"]
    assert standing(api, "outer.ping") == ["everywhere"]
    assert list(api.entries["outer.inner.create"].failures) == [Blocked]
    ran.clear()
    assert Client(api).call("outer.inner.create", None, token="ada").json == "ada"
    assert ran == ["everywhere outer.inner.create", "of_user ada", "also_of_user", "create"]
    assert Client(api).call("outer.inner.create", None, token="bob").error == "BLOCKED"


def test_a_group_may_authenticate_by_itself() -> None:
    """Hooks for the context of the spec are left out there, and those for any stand before."""
    inner = group("stock", routes=routes(stock, ping), hooks=[of_partner])
    own = group("partners", authenticate=partner_of, routes=[inner])
    api = api_of(orders(), own, hooks=[everywhere, of_user])
    client = Client(api)

    assert standing(api, "partners.stock.stock") == ["everywhere", "of_partner"]
    assert standing(api, "partners.stock.ping") == ["everywhere"]
    assert standing(api, "orders.create") == ["everywhere", "of_user"]
    ran.clear()
    assert client.call("partners.stock.stock", None, token="acme").json == "acme"
    assert ran == ["everywhere partners.stock.stock", "of_partner acme", "stock"]
    assert client.call("partners.stock.stock", None, token="ada").error == "UNAUTHORIZED"
    assert client.call("partners.stock.stock", None, token="thief").error == "FORBIDDEN"
    assert client.call("orders.create", None, token="acme").error == "UNAUTHORIZED"
    assert client.call(create, None, token="ada").json == "ada"


def test_the_innermost_group_that_authenticates_does() -> None:
    inner = group("own", authenticate=user_of, authenticate_inline=True, routes=[create])
    again = {"one": inner, "two": inner}
    api = spec(routes=[group("partners", authenticate=partner_of, routes={**again, "s": stock})])
    one, two, other = (each.authenticator for each in api.entries.values())

    assert api.authenticator is None
    assert one is two
    assert one is not None
    assert other is not None
    assert (one.function, one.inline, other.function) == (user_of, True, partner_of)


def test_a_group_without_an_authenticate_gets_what_is_around_it() -> None:
    with pytest.raises(
        SpecError,
        match=r"^orders.create: it needs a token; give group\(authenticate=...\) or "
        r'spec\(authenticate=...\), or write auth="none" \(test_group.create, ',
    ):
        spec(routes=[orders()])
    with pytest.raises(
        SpecError, match=r"^p.stock.ctx: it takes Partner, and authenticate gives User; .*stock, "
    ):
        api_of(group("p", routes=[stock]))


def test_a_hook_that_guards_nothing_in_its_group_is_refused() -> None:
    with pytest.raises(
        SpecError,
        match=r"^group\('open', hooks=\): of_user runs before no route, .*test_group.of_user, ",
    ):
        api_of(group("open", routes=[ping], hooks=[of_user]), orders(hooks=[of_user]))
    with pytest.raises(SpecError, match=r"^spec\(hooks=\): of_user runs before no route"):
        api_of(partners(), hooks=[of_user])


@rows("make",
    lambda: api_of(partners(hooks=[of_user])), lambda: api_of(orders(hooks=[of_partner])),
    lambda: api_of(orders(), hooks=[of_partner]),
)  # fmt: skip
def test_a_hook_for_another_context_is_refused(make: Any) -> None:
    with pytest.raises(
        SpecError, match=r"(partners.stock|orders.create) hook of_\w+: it takes Call\[\w+\], and "
    ):
        make()


def test_names_are_told_apart() -> None:
    @route(summary="x", tags=["x"], auth="none", name="orders.ping")
    def dotted(input: None, ctx: None) -> None: ...

    assert len(routes(orders(), create)) == 2
    with pytest.raises(SpecError, match=r"^orders.ping: two routes have this name"):
        api_of(orders(), dotted)


def test_a_full_name_is_no_longer_than_any_other() -> None:
    long = group("a" * 60, routes={"b" * 39: ping})

    assert [len(name) for name in spec(routes=[long]).entries] == [100]
    with pytest.raises(
        SpecError,
        match=r"^c\.a{60}\.b{39}: with the names of its groups this has more than 100 characters; "
        r"give one of them a shorter name \(test_group.ping, ",
    ):
        spec(routes=[group("c", routes=[long])])
    with pytest.raises(SpecError, match=rf"has more than 100 .* a shorter name {HERE}$"):
        spec(routes=[group("c" * 60, routes=[group("d" * 60, routes=[ping])])])


@rows(
    "options, message",
    ({"name": 1}, r"^group\(\): 1 is not a valid group name; take"),
    ({"routes": {"a.b": group("x", routes=[])}}, r"^group\('g', routes=\)\['a.b'\]: 'a.b' is"),
    ({"routes": {"a b": ping}}, r"^group\('g', routes=\)\['a b'\]: 'a b' is not a valid route"),
    ({"routes": [print]}, r"^group\('g', routes=\)\[0\]: print is not a route; decorate it"),
    ({"routes": "x"}, r"^group\('g', routes=\): 'x' holds no routes; write routes\("),
    ({"tags": "x"}, r"^group\('g', tags=\): tags is 'x'; give a list"),
    ({"tags": ["x", "x"]}, r"^group\('g', tags=\): tags names one twice"),
    ({"hooks": [print]}, r"^group\('g', hooks=\)\[0\]: print is not a hook; decorate it"),
    ({"authenticate": 3}, r"^group\('g', authenticate=\): 3 is not a function"),
    ({"authenticate_inline": True}, r"^group\('g', authenticate_inline=\): it says where auth"),
    ({"authenticate": partner_of, "authenticate_inline": True}, r"^group\('g', authenticate_inline=\): an async authenticate= always runs"),
)  # fmt: skip
def test_a_group_that_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    made: Any = group
    with pytest.raises((RouteDeclarationError, SpecError), match=message) as refused:
        spec(routes=[made(**{"name": "g", "routes": [ping, stock], **options})])

    assert "test_group.py:" in str(refused.value) or "authenticate" in options


def test_types_beside_a_group_are_known_in_it() -> None:
    """Annotations may name what stands in the function that made the group, after the route."""

    def partner(token: str, request: Request) -> Local | None: ...

    @hook
    def look(call: Call[Local]) -> None: ...

    @route(summary="x", tags=["x"])
    def show(input: None, ctx: Local) -> Local:
        return ctx

    @dataclass
    class Local:
        value: int

    made = group("a", authenticate=partner, hooks=[look], routes=[show])
    api: Spec[Any] = spec(routes=[made])
    entry = api.entries["a.show"]

    assert entry.authenticator is not None
    assert entry.authenticator.contexts == (Local,)
    assert [typed.contexts for typed in entry.hooks] == [(Local,)]


def test_routes_in_groups_are_found_by_themselves() -> None:
    public: PublicRoute[None, str] = ping
    bearer: Route[None, str, User] = create

    assert bearer(None, User("ada")) == "ada"
    assert Client(api_of(orders())).call(public, None).json == "pong"
