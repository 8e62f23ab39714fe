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

import contract
from contract.declare.hook import LiveCall, check_hooks
from tests.tables import rows


class Blocked(contract.Failure, status=403, code="BLOCKED_HERE"):
    """Not for you."""


@dataclass(frozen=True)
class User:
    name: str


@contract.hook
def limited(call: contract.Call[User]) -> contract.TooManyRequests | None:
    """Ten calls a minute."""
    return contract.TooManyRequests() if call.ctx.name == "bob" else None


@contract.hook
async def banned(call: contract.Call[User]) -> Blocked | None:
    return Blocked() if call.ctx.name == "eve" else None


@contract.hook
def big(call: contract.Call[object, int]) -> contract.NotFound | None:
    return contract.NotFound() if call.input > 9 else None


@contract.hook(inline=True)
def quick(call: contract.Call[object]) -> None: ...


def test_a_hook_is_called_like_its_function() -> None:
    assert limited(contract.Call(User("bob"))) == contract.TooManyRequests()
    assert limited(contract.Call(User("ada"))) is None
    assert asyncio.run(banned(contract.Call(User("eve")))) == Blocked()
    assert big(contract.Call(None, 10)) == contract.NotFound()


def test_a_hook_keeps_the_names_of_its_function() -> None:
    assert limited.__name__ == limited.__qualname__ == "limited"
    assert limited.__module__ == __name__
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
    def __call__(self, call: contract.Call[object]) -> None: ...
    def method(self, call: contract.Call[object]) -> None: ...
    async def later(self, call: contract.Call[object]) -> None: ...


def with_db(db: object, call: contract.Call[object], *, clock: object = None) -> None: ...


@rows(
    "function, is_async",
    (Guard(), False),
    (Guard().method, False),
    (Guard().later, True),
    (functools.partial(with_db, 1), False),
    (functools.partial(with_db, 1, clock=2), False),
)
def test_methods_objects_and_partials_are_hooks(function: Any, *, is_async: bool) -> None:
    assert contract.hook(function).is_async is is_async


def plain(call: contract.Call[object]) -> None: ...


def none() -> None: ...


def keyword(*, call: contract.Call[object]) -> None: ...


def generator(call: contract.Call[object]) -> Iterator[None]:
    yield None


async def generator_later(call: contract.Call[object]) -> AsyncIterator[None]:
    yield None


@contract.route(summary="x", tags=["x"], auth="none")
def order(input: int, ctx: None) -> None: ...


@rows(
    "function, problem",
    (3, "a hook is a function, a bound method or a callable object"),
    (generator_later, "a hook returns one failure or None, and this one is a generator"),
    (contextmanager(generator), "a hook returns one failure or None, and this one is a"),
    (functools.wraps(plain)(lambda call: Blocked()), r"it is wrapped in another function \("),
    (functools.partial(functools.cache(plain)), r"it is wrapped in another function \("),
    (none, r"it takes \(\), and a hook takes exactly \(call\)"),
    (keyword, r"it takes \(\*, call\), and a hook takes exactly \(call\)"),
    (order, "it is wrapped in another function"),
)
def test_what_is_no_hook_is_refused_and_told_where_it_stands(function: Any, problem: str) -> None:
    with pytest.raises(contract.RouteDeclarationError, match=rf"^[^:]+: {problem}.* \(.+\)$"):
        contract.hook(function)


def test_hooks_are_put_into_a_list() -> None:
    assert contract.hooks(limited, banned) == [limited, banned]
    assert contract.hooks() == []


@rows(
    "given, message",
    ([limited, plain], r"here\[1\]: plain is not a hook; decorate it with @hook"),
    ([3], r"here\[0\]: 3 is not a hook$"),
    ("ab", r"here\[0\]: 'a' is not a hook$"),
    (None, r"here: None is not a list of hooks"),
)
def test_what_holds_no_hooks_is_refused(given: object, message: str) -> None:
    with pytest.raises(contract.RouteDeclarationError, match=f"^{message}"):
        check_hooks("here", given)


def test_a_call_is_what_a_test_says() -> None:
    told: dict[str, Any] = {"headers": {"X-Tenant": "north"}, "client": "192.0.2.1"}
    call = contract.Call(User("ada"), 7, route="order", request_id="r1", **told)

    assert (call.ctx, call.input, call.route, call.request_id) == (User("ada"), 7, "order", "r1")
    assert (call.headers, call.client) == ({"x-tenant": "north"}, "192.0.2.1")
    assert repr(call) == "Call('order', 'r1')"


def test_a_call_needs_no_more_than_a_context() -> None:
    call = contract.Call(None)

    assert (call.input, call.route, call.request_id, call.client) == (None, "", "", None)
    assert call.headers == {}


def test_a_call_does_not_change() -> None:
    with pytest.raises(AttributeError):
        contract.Call(None).ctx = 3  # type: ignore[misc, assignment]


def test_the_call_of_a_service_asks_it_for_what_is_rarely_wanted() -> None:
    made = contract.Call(None, request_id="r2", headers={"a": "b"}, client="::1")
    call = LiveCall(User("ada"), 3, "order", made)

    assert (call.ctx, call.input, call.route) == (User("ada"), 3, "order")
    assert (call.request_id, call.headers, call.client) == ("r2", {"a": "b"}, "::1")
