"""The annotations of hooks are read once for a spec, and held against every route behind them."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, TypeVar

import pytest
from annotated_types import Ge

from contract import Call, Hook, Request, Spec, hook, hooks, route, routes, spec
from contract.declare.failures import Failure, NotFound, TooManyRequests
from contract.shape.exceptions import DeclarationError, RouteDeclarationError, SpecError
from tests.tables import rows


class Blocked(Failure, status=403, code="BLOCKED_HERE"):
    """Not for you."""


class Odd(Failure):
    what: complex


class SoldOut(Failure, status=409):
    days: int


class Stopped(Failure, status=403, code="BLOCKED_HERE"): ...


@dataclass(frozen=True)
class User:
    name: str


class Admin(User): ...


class Partner: ...


class Named(Protocol):
    name: str


@dataclass(frozen=True)
class Order:
    count: int


@dataclass(frozen=True)
class Gift(Order):
    text: str


# mypy: disable-error-code="empty-body"
# the resolvers below are read and never called


def user_of(token: str, request: Request) -> User | None: ...


def anybody(token: str, request: Request): ...  # type: ignore[no-untyped-def]


@hook
def limited(call: Call[User]) -> TooManyRequests | Blocked | None: ...


@hook
async def audit(call: Call[object]) -> None: ...


@hook
def big(call: Call[User, Order]) -> Blocked | NotFound | None: ...


@hook
def maybe(call: Call[User | None]) -> NotFound | None: ...


@hook
def nobody(call: Call[None]) -> Blocked | None: ...


@hook
def of_partner(call: Call[Partner]) -> Blocked | None: ...


def order_of(before: Any = (), **options: Any) -> Any:
    def order(input: Order, ctx: User) -> str | SoldOut | NotFound: ...

    return route(summary="Order", tags=["x"], hooks=before, **options)(order)


def ping_of(before: Any = ()) -> Any:
    @route(summary="Ping", tags=["x"], auth="none", hooks=before)
    def ping(input: None, ctx: None) -> str: ...

    return ping


def api_of(*each: Any, before: Any = ()) -> Spec[Any]:
    return spec(authenticate=user_of, routes=routes(*each), hooks=before)


def standing(api: Spec[Any], name: str) -> list[str]:
    return [typed.name for typed in api.entries[name].hooks]


def test_the_failures_of_hooks_join_those_of_the_resolver() -> None:
    entry = api_of(order_of(hooks(audit, limited, big))).entries["order"]

    assert list(entry.failures) == [SoldOut, NotFound, TooManyRequests, Blocked]
    assert list(entry.own_failures) == [SoldOut, NotFound]
    of_each = [list(typed.failures) for typed in entry.hooks]
    assert of_each == [[], [TooManyRequests, Blocked], [Blocked, NotFound]]


def home_of(before: Any = ()) -> Any:
    def home(input: Order, ctx: User | None) -> str: ...

    decorate: Any = route
    return decorate(summary="Home", tags=["x"], auth="optional", hooks=before)(home)


def test_a_hook_before_an_optional_token_takes_none() -> None:
    assert standing(api_of(home_of(hooks(audit, maybe))), "home") == ["audit", "maybe"]
    assert standing(api_of(home_of(), before=[audit, maybe]), "home") == ["audit", "maybe"]
    fix = (
        r'it takes Call\[User\], and with auth="optional" the context may be None; '
        r"write Call\[User \| None\], or Call\[object\] \(.*limited.*\)$"
    )
    for own, outer in (([limited], []), ([], [limited])):
        # one of the spec's is not left out, as before public routes: it may be a guard
        with pytest.raises(SpecError, match=rf"^home hook limited: {fix}"):
            api_of(home_of(own), before=outer)
    with pytest.raises(SpecError, match=r"it takes Call\[None\], and authenticate gives User"):
        api_of(home_of([nobody]))


def test_a_route_without_hooks_has_its_own_failures_alone() -> None:
    entry = api_of(order_of()).entries["order"]

    assert entry.own_failures is entry.failures


def test_hooks_of_the_spec_stand_before_those_of_the_route_and_what_is_behind_comes_last() -> None:
    api = api_of(order_of(hooks(limited)).behind(maybe, big), before=[audit])

    assert standing(api, "order") == ["audit", "limited", "maybe", "big"]


def test_a_hook_of_the_spec_stands_before_the_routes_that_have_its_context() -> None:
    api = api_of(order_of(), ping_of(), before=hooks(audit, limited, maybe))

    assert standing(api, "order") == ["audit", "limited", "maybe"]
    assert standing(api, "ping") == ["audit", "maybe"]


def test_a_public_spec_has_hooks_too() -> None:
    api = spec(routes=routes(ping_of(hooks(maybe))), hooks=[audit, nobody])

    assert standing(api, "ping") == ["audit", "nobody", "maybe"]


def test_a_hook_is_read_once_for_many_routes() -> None:
    def other(input: None, ctx: User) -> None: ...

    second_route = route(summary="x", tags=["x"], hooks=hooks(limited))(other)
    api = api_of(order_of(hooks(limited)), second_route)
    first, second = (entry.hooks[0] for entry in api.entries.values())

    assert first is second


def test_a_hook_takes_a_wider_context_than_the_route_has() -> None:
    @hook
    def named(call: Call[Named]) -> None: ...

    def admin_of(token: str, request: Request) -> Admin | None: ...

    api = spec(authenticate=admin_of, routes=routes(order_of(hooks(limited, named))))

    assert standing(api, "order") == ["limited", "named"]


def test_where_the_context_is_not_known_any_hook_may_stand() -> None:
    api = spec(authenticate=anybody, routes=routes(order_of(hooks(of_partner))))

    assert standing(api, "order") == ["of_partner"]


Count = Annotated[int, Ge(1)]
T = TypeVar("T")


def asks(of: Any) -> Hook[Any]:
    def asked(call: Any) -> None: ...

    asked.__annotations__ = {"call": Call[object, of], "return": None}
    return hook(asked)


@rows(
    "asked, given",
    *((object, Order), (object, None), (Any, None), (Order, Gift), (Order | None, None)),
    *((Order | int, Order), (int, Count), (Count, int), (float, int), (T, int)),
    (dict[str, Any], dict[str, int]),
    ids=repr,
)
def test_a_hook_asks_for_the_input_of_its_route_or_a_wider_one(asked: Any, given: Any) -> None:
    def order(input: Any, ctx: None) -> None: ...

    order.__annotations__["input"] = given
    made = route(summary="x", tags=["x"], auth="none", hooks=[asks(asked)])(order)
    api = spec(routes=routes(made))

    assert [typed.inputs is not None for typed in api.entries["order"].hooks] == [True]


def test_a_hook_that_asks_for_nothing_says_none_or_nothing() -> None:
    api = api_of(order_of(hooks(limited)), ping_of(hooks(asks(None))))

    assert [entry.hooks[0].inputs for entry in api.entries.values()] == [None, None]


def test_annotations_of_hooks_may_be_local_names_and_aliases() -> None:
    class Local: ...

    alias = Call["Local"]

    @hook
    def later(call: alias) -> Late | None: ...

    class Late(Failure): ...

    def local_of(token: str, request: Request) -> Local | None: ...

    @route(summary="x", tags=["x"], hooks=hooks(later))
    def order(input: None, ctx: Local) -> None: ...

    entry = spec(authenticate=local_of, routes=routes(order)).entries["order"]

    assert [typed.contexts for typed in entry.hooks] == [(Local,)]
    assert list(entry.failures) == [Late]


def written(call: Any = ..., returns: Any = ...) -> Hook[Any]:
    """A hook with these annotations."""

    def wrong(call: Any) -> None: ...

    given = {"call": call, "return": returns}
    wrong.__annotations__ = {name: each for name, each in given.items() if each is not ...}
    return hook(wrong)


PLACE = rf"\({__name__}.written.<locals>.wrong, {__file__}:\d+\)"


@rows(
    "wrong, message",
    (written("Call[Usr]", None), r"call: 'Call\[Usr\]' cannot be resolved: .*; define or import it"),
    (written("Call['Usr']", None), "call: .*Usr.* "),
    (written(Call[User] | None, None), "call: a hook takes a call, and not "),
    (written(Call, None), r"call: Call\[Any\] says nothing of the context, "),
    (written(Call[User]), "return: it has no annotation; say which failures it returns, as in "),
    (written(Call[User], Failure | None), "return: Failure itself has no code; name the fail"),
    (written(Call[User], "Blockd | None"), r"return: 'Blockd \| None' cannot be resolved: "),
    (
        written(Call[User], Awaitable[Blocked | None]),
        r"return: a hook returns a failure or None, and Awaitable\[.*\] is neither; make the hook `async def` ",
    ),
    (written(Call[User], Odd | None), "return.Odd.what: complex is not a type "),
    (written(Call[User], Blocked | Stopped), "return: .* have the same code BLOCKED_HERE; "),
)  # fmt: skip
def test_an_annotation_that_will_not_do_is_refused_with_route_function_and_line(
    wrong: Hook[Any], message: str
) -> None:
    for own, outer in (([wrong], []), ([], [wrong])):
        with pytest.raises(DeclarationError, match=f"^order hook wrong.{message}.*{PLACE}$"):
            api_of(order_of(own), before=outer)


def place(function: Hook[Any]) -> str:
    return rf"\({__name__}.{function.__qualname__}, {__file__}:\d+\)"


def test_a_hook_for_another_context_is_refused() -> None:
    message = r"^order hook of_partner: it takes Call\[Partner\], and authenticate gives User; "

    with pytest.raises(SpecError, match=f"{message}.*{place(of_partner)}$"):
        api_of(order_of(), before=[of_partner])
    with pytest.raises(SpecError, match=r"^order hook nobody: it takes Call\[None\], and authent"):
        api_of(order_of(), before=[nobody])


def test_a_hook_of_a_public_route_has_no_context() -> None:
    message = r'^ping hook limited: it takes Call\[User\], and with auth="none" the context is None; write Call\[object\] '

    for make in (api_of, lambda ping: spec(routes=routes(ping))):
        with pytest.raises(SpecError, match=message + place(limited) + "$"):
            make(ping_of(hooks(limited)))


def test_a_hook_of_a_spec_that_stands_before_nothing_is_refused() -> None:
    with pytest.raises(
        SpecError, match=r"^spec\(hooks=\): limited runs before no route, since none"
    ):
        api_of(ping_of(), before=[audit, limited])
    assert spec(routes=[], hooks=[audit]).entries == {}


def test_a_hook_that_asks_for_another_input_is_refused() -> None:
    @route(summary="x", tags=["x"])
    def look(input: None, ctx: User) -> None: ...

    problem = "hook big: it asks for the input Order, and that of this route is None"
    with pytest.raises(RouteDeclarationError, match=rf"^look {problem}; .* {place(big)} "):
        api_of(look, before=[big])


def test_two_failures_of_one_code_are_refused() -> None:
    @hook
    def stops(call: Call[User]) -> Stopped | None: ...

    @route(summary="x", tags=["x"])
    def other(input: None, ctx: User) -> Blocked | None: ...

    same = " have the same code BLOCKED_HERE"
    with pytest.raises(SpecError, match=rf"^order hook .*stops: .*{same}"):
        api_of(order_of(hooks(limited, stops)))
    with pytest.raises(SpecError, match=rf"^order and other: .*{same}"):
        api_of(order_of(hooks(stops)), other)


def test_a_route_behind_more_hooks_is_another_route() -> None:
    one = order_of(hooks(limited))
    two = one.behind(maybe)

    assert (one.hooks, two.hooks) == ((limited,), (limited, maybe))
    assert (two.resolver, two.__name__, type(two)) == (one.resolver, "order", type(one))
    assert type(ping_of().behind(maybe)) is type(ping_of())
    with pytest.raises(RouteDeclarationError, match=r"order.behind\(\)\[0\]: .* is not a hook"):
        one.behind(user_of)


def test_what_is_no_hook_is_refused_by_specs() -> None:
    with pytest.raises(RouteDeclarationError, match=r"^spec\(hooks=\)\[0\]: user_of is not a hook"):
        api_of(order_of(), before=[user_of])


def test_calling_the_route_runs_no_hook() -> None:
    ran: list[str] = []

    @hook
    def noted(call: Call[object]) -> None:
        ran.append("noted")

    @route(summary="x", tags=["x"], auth="none", hooks=hooks(noted))
    def order(input: int, ctx: None) -> int:
        return input

    assert (order(3), ran) == (3, [])
