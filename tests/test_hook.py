"""Hooks are functions of one call, and a call is what they see of it."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import inspect
import pickle
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from contract import (
    Call,
    Failure,
    NotFound,
    RouteDeclarationError,
    TooManyRequests,
    hook,
    hooks,
    route,
)
from contract.declare.hook import LiveCall, check_hooks


class Blocked(Failure, status=403, code="BLOCKED_HERE"):
    """Not for you."""


@dataclass(frozen=True)
class User:
    name: str


@hook
def limited(call: Call[User]) -> TooManyRequests | None:
    """Ten calls a minute."""
    return TooManyRequests() if call.ctx.name == "bob" else None


@hook
async def banned(call: Call[User]) -> Blocked | None:
    return Blocked() if call.ctx.name == "eve" else None


@hook
def big(call: Call[object, int]) -> NotFound | None:
    return NotFound() if call.input > 9 else None


@hook(inline=True)
def quick(call: Call[object]) -> None: ...


def test_a_hook_is_called_like_its_function() -> None:
    assert limited(Call(User("bob"))) == TooManyRequests()
    assert limited(Call(User("ada"))) is None
    assert asyncio.run(banned(Call(User("eve")))) == Blocked()
    assert big(Call(None, 10)) == NotFound()


def test_a_hook_keeps_the_names_of_its_function() -> None:
    assert (limited.__name__, limited.__qualname__, limited.__module__) == (
        *["limited"] * 2,
        __name__,
    )
    assert limited.__doc__ == "Ten calls a minute."
    assert inspect.unwrap(limited) is limited.function
    assert repr(limited) == f"<hook {__name__}.limited>"
    assert repr(banned) == f"<hook {__name__}.banned (async)>"
    assert pickle.loads(pickle.dumps(limited)) is limited


def test_a_hook_knows_how_it_runs() -> None:
    assert [each.is_async for each in (limited, banned, quick)] == [False, True, False]
    assert [each.inline for each in (limited, banned, quick)] == [False, False, True]
    assert limited.origin.place.startswith(f"{__name__}.limited, {__file__}:")


def test_a_hook_does_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        limited.inline = True  # type: ignore[misc]


class Guard:
    def __call__(self, call: Call[object]) -> None: ...
    def method(self, call: Call[object]) -> None: ...
    async def later(self, call: Call[object]) -> None: ...


def with_db(db: object, call: Call[object], *, clock: object = None) -> None: ...


@pytest.mark.parametrize(
    ("function", "is_async"),
    [
        (Guard(), False),
        (Guard().method, False),
        (Guard().later, True),
        (functools.partial(with_db, 1), False),
        (functools.partial(with_db, 1, clock=2), False),
    ],
)
def test_methods_objects_and_partials_are_hooks(function: Any, *, is_async: bool) -> None:
    assert hook(function).is_async is is_async


def plain(call: Call[object]) -> None: ...


def none() -> None: ...


def keyword(*, call: Call[object]) -> None: ...


def generator(call: Call[object]) -> Iterator[None]:
    yield None


async def generator_later(call: Call[object]) -> AsyncIterator[None]:
    yield None


@route(summary="x", tags=["x"], auth="none")
def order(input: int, ctx: None) -> None: ...


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        (3, "a hook is a function, a bound method or a callable object"),
        (generator_later, "a hook returns one failure or None, and this one is a generator"),
        (contextmanager(generator), "a hook returns one failure or None, and this one is a"),
        (functools.wraps(plain)(lambda call: Blocked()), r"it is wrapped in another function \("),
        (functools.partial(functools.cache(plain)), r"it is wrapped in another function \("),
        (none, r"it takes \(\), and a hook takes exactly \(call\)"),
        (keyword, r"it takes \(\*, call\), and a hook takes exactly \(call\)"),
        (order, "it is wrapped in another function"),
    ],
)
def test_what_is_no_hook_is_refused_and_told_where_it_stands(function: Any, problem: str) -> None:
    with pytest.raises(RouteDeclarationError, match=rf"^[^:]+: {problem}.* \(.+\)$"):
        hook(function)


def test_hooks_are_put_into_a_list() -> None:
    assert hooks(limited, banned) == [limited, banned]
    assert hooks() == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([limited, plain], r"here\[1\]: plain is not a hook; decorate it with @hook"),
        ([3], r"here\[0\]: 3 is not a hook$"),
        ("ab", r"here\[0\]: 'a' is not a hook$"),
        (None, r"here: None is not a list of hooks"),
    ],
)
def test_what_holds_no_hooks_is_refused(given: object, message: str) -> None:
    with pytest.raises(RouteDeclarationError, match=f"^{message}"):
        check_hooks("here", given)


def test_a_call_is_what_a_test_says() -> None:
    call = Call(
        User("ada"),
        7,
        route="order",
        request_id="r1",
        headers={"X-Tenant": "north"},
        client="192.0.2.1",
    )

    assert (call.ctx, call.input, call.route, call.request_id) == (User("ada"), 7, "order", "r1")
    assert (call.headers, call.client) == ({"x-tenant": "north"}, "192.0.2.1")
    assert repr(call) == "Call('order', 'r1')"


def test_a_call_needs_no_more_than_a_context() -> None:
    call = Call(None)

    assert (call.input, call.route, call.request_id, call.client) == (None, "", "", None)
    assert call.headers == {}


def test_a_call_does_not_change() -> None:
    with pytest.raises(AttributeError):
        Call(None).ctx = 3  # type: ignore[misc, assignment]


def test_the_call_of_a_service_asks_it_for_what_is_rarely_wanted() -> None:
    made = Call(None, request_id="r2", headers={"a": "b"}, client="::1")
    call = LiveCall(User("ada"), 3, "order", made)

    assert (call.ctx, call.input, call.route) == (User("ada"), 3, "order")
    assert (call.request_id, call.headers, call.client) == ("r2", {"a": "b"}, "::1")
