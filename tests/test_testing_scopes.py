"""Optional tokens and required scopes are part of what is checked of a route."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from contract import Cache, Call, NotFound, Request, hook, requires, route, routes, spec
from contract.testing import call, check_route
from contract.testing.findings import Crashed, silence

QUICK = settings(max_examples=20, derandomize=True, database=None, deadline=None)
SEEN: set[object] = set()


@dataclass(frozen=True)
class User:
    name: str
    scopes: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Order:
    count: int


ADA = User("ada", frozenset({"orders:write"}))
BOB = User("bob")


@route(summary="Home", tags=["x"], auth="optional", effect="read")
def home(input: Order, ctx: User | None) -> str:
    SEEN.add(ctx)
    return ctx.name if ctx else "nobody"


@route(summary="Refund", tags=["x"], auth=requires("orders:write"), effect="read")
def refund(input: Order, ctx: User) -> str:
    SEEN.add(ctx)
    return ctx.name


@hook
def seen(call: Call[object]) -> NotFound | None:
    SEEN.add(call.ctx)
    return None


@route(summary="Cancel", tags=["x"], auth=requires("orders:write"), hooks=[seen])
async def cancel(input: Order, ctx: User) -> str:
    return ctx.name


def user_of(token: str, request: Request) -> User | None:
    return ADA


API = spec(authenticate=user_of, routes=routes(home, refund, cancel))


@pytest.fixture(autouse=True)
def nobody_seen() -> None:
    SEEN.clear()


@pytest.mark.unwatched
def test_an_optional_token_is_left_out_where_the_context_is_none() -> None:
    check_route(home, ctx=None, settings=QUICK)()
    assert {None} == SEEN
    check_route(home, ctx=st.sampled_from([None, BOB]), settings=QUICK)()
    assert {None, BOB} == SEEN
    check_route("home", api=API, settings=QUICK)()


def test_a_cached_read_is_called_by_get_as_by_post() -> None:
    kept = route(summary="Kept", tags=["x"], auth="optional", effect="read", cache=Cache(max_age=9))

    check_route(kept(home.resolver), ctx=st.sampled_from([None, BOB]), settings=QUICK)()
    assert {None, BOB} == SEEN


def test_a_call_of_an_optional_token_is_told_as_it_was_made() -> None:
    @route(summary="Broken", tags=["x"], auth="optional")
    def broken(input: Order, ctx: User | None) -> str:
        raise KeyError(input.count)

    for ctx, end in ((None, "}})"), (BOB, "}}, token=...)")):
        with silence(), pytest.raises(Crashed) as caught:
            check_route(broken, ctx=ctx, settings=QUICK)()
        assert f"Client(api).call('broken', {{'count': 0{end[1:]}" in str(caught.value)


@pytest.mark.unwatched
def test_a_context_without_the_scopes_is_forbidden() -> None:
    for scoped in (refund, cancel):
        check_route(scoped, ctx=BOB, settings=QUICK)()
        assert set() == SEEN
    check_route(refund, ctx=st.sampled_from([ADA, BOB]), settings=QUICK)()
    check_route(cancel, ctx=lambda: ADA, settings=QUICK)()
    assert {ADA} == SEEN


def test_a_context_that_cannot_be_asked_is_found() -> None:
    text = User("text", "orders:write")  # type: ignore[arg-type]
    with silence(), pytest.raises(Crashed, match="one text"):
        check_route(refund, ctx=text, settings=QUICK)()


@pytest.mark.unwatched
def test_a_whole_spec_is_checked() -> None:
    for name in ("home", "refund", "cancel"):
        check_route(name, api=API, ctx=ADA, settings=QUICK)()
    assert call(refund, Order(1), BOB) == "bob"
