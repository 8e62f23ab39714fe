"""Hooks are part of what is checked: they run, and may answer with what they declare."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from contract import Call, Hook, Request, Route, Spec, hook, hooks, route, routes, spec
from contract.declare.failures import Failure, NotFound, TooManyRequests
from contract.testing import Client, Finding, call, check_route, check_spec
from contract.testing.findings import Crashed, NotRefused, Refused
from contract.testing.fuzzing import Answer, Post
from tests.fuzzed import asking, fuzz, inside_and_outside
from tests.tables import rows

QUICK = settings(max_examples=20, derandomize=True, database=None, deadline=None)


class Blocked(Failure, status=403, code="BLOCKED_HERE"):
    """Not for you."""


@dataclass(frozen=True)
class User:
    name: str


@dataclass(frozen=True)
class Order:
    count: int


SEEN: set[User] = set()


@hook
def seen(call: Call[User]) -> None:
    SEEN.add(call.ctx)


@hook
def big(call: Call[User, Order]) -> Blocked | None:
    return Blocked() if call.input.count > 3 else None


@hook
def closed(call: Call[object]) -> TooManyRequests:
    return TooManyRequests(retry_after=1)


@hook
def undeclared(call: Call[object]) -> Blocked | None:
    return NotFound()  # type: ignore[return-value]


@hook
def raising(call: Call[object]) -> None:
    raise KeyError("x")


def counted(every: int) -> Hook[object]:
    """A hook that refuses some calls, whatever is in them."""
    calls = count(1)

    @hook
    def limited(call: Call[object]) -> TooManyRequests | None:
        return None if next(calls) % every else TooManyRequests()

    return limited


def order_of(*before: Hook[User]) -> Route[Order, int, User]:
    @route(summary="Order", tags=["x"], effect="read", hooks=hooks(*before))
    def order(input: Order, ctx: User) -> int:
        return input.count

    return order


def user_of(token: str, request: Request) -> User | None:
    return User("ada")


def api_of(*before: Hook[User]) -> Spec[User]:
    return spec(authenticate=user_of, routes=routes(order_of(*before)))


@pytest.mark.unwatched
def test_hooks_are_given_the_context_of_the_check() -> None:
    def seen_by(ctx: Any) -> set[User]:
        SEEN.clear()
        check_route(order_of(seen), ctx=ctx, settings=QUICK)()
        return {*SEEN}

    ada, eve = User("ada"), User("eve")
    names = iter("abcdefghijklmnopqrstuvwxyz" * 100)
    assert seen_by(ada) == {ada}
    assert len(seen_by(lambda: User(next(names)))) > 2
    assert seen_by(st.sampled_from([ada, eve])) == {ada, eve}


@pytest.mark.unwatched
@rows("before", (big,), (counted(3),), (counted(4), seen), (closed,), (closed, big))
def test_what_hooks_declare_may_come(before: tuple[Hook[User], ...]) -> None:
    check_route(order_of(*before), ctx=User("ada"), settings=QUICK)()


def test_hooks_of_the_spec_are_known_where_the_spec_is() -> None:
    api = spec(authenticate=user_of, routes=routes(order_of(big)), hooks=[counted(3)])

    check_route("order", api=api, ctx=User("ada"), settings=QUICK)()


test_api = check_spec(api_of(counted(3), big), ctx=User("ada"), settings=QUICK)


@rows(
    "before, kind, problem",
    (undeclared, Refused, r'a valid input is refused: it answers 404 {"error":"NOT_FOUND"}'),
    (raising, Crashed, "it raised KeyError: 'x'"),
)
def test_a_hook_that_does_not_keep_its_promise_is_found(
    before: Hook[User], kind: type[Finding], problem: str
) -> None:
    with pytest.raises(kind) as caught:
        check_route(order_of(before), ctx=User("ada"), settings=QUICK)()

    assert problem in str(caught.value)


def test_a_call_of_the_function_runs_no_hook() -> None:
    assert call(order_of(closed), Order(3), User("ada")) == 3


def test_a_route_is_found_behind_more_hooks() -> None:
    made = order_of()
    api = spec(authenticate=user_of, routes=routes(made.behind(closed)))

    assert Client(api).call(made, {"count": 1}, token="t").error == "TOO_MANY_REQUESTS"
    with pytest.raises(ValueError, match=r"^the spec has no route order; there is order$"):
        Client(api).call(order_of(), {"count": 1}, token="t")


def findings(api: Spec[User], post: Post) -> list[tuple[Finding, ...]]:
    return [fuzz(side["order"], post, most=20).findings for side in inside_and_outside(api)]


@pytest.mark.unwatched
@rows("before", (big,), (closed,), (closed, big))
def test_a_service_with_hooks_is_fuzzed_from_inside_and_from_outside(
    before: tuple[Hook[User], ...],
) -> None:
    post = asking(Client(api_of(*before), token="t"))

    assert findings(api_of(*before), post) == [(), ()]


@pytest.mark.unwatched
def test_a_failure_for_a_wrong_input_alone_is_found() -> None:
    """A hook that runs before the body is read would answer so to everything."""
    api = api_of(big)
    client = Client(api, token="t")

    def post(name: str, body: bytes) -> Answer:
        reply = client.call(name, body=body)
        return Answer(client.call(name, {"count": 4}) if b"count" in body else reply)

    assert [{*map(type, each)} for each in findings(api, post)] == [{NotRefused}] * 2
