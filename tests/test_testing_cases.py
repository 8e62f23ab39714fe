"""Cases: the routes of a spec, each a case of pytest's."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from typing import Annotated, Any, NewType

import pytest
from annotated_types import Ge
from hypothesis import settings
from hypothesis import strategies as st

from contract import route, routes, spec
from contract.testing import Finding, cases, check_spec

QUICK = settings(max_examples=5, derandomize=True, database=None, deadline=None)
UserId = NewType("UserId", str)
OtherId = NewType("OtherId", str)


@dataclass(frozen=True)
class Ref:
    id: UserId


@route(summary="Know", tags=["t"], effect="read")
def know(input: Ref, ctx: str) -> str:
    return f"{input.id} {ctx}"


@route(summary="Ping", tags=["t"], auth="none")
def ping(input: None, ctx: None) -> Annotated[int, Ge(0)]:
    return -1


api = spec(routes=routes(know, ping), authenticate=lambda token, request: token)

test_right = check_spec(api, ctx="ada", settings=QUICK, without=["ping"], overrides={UserId: st.just("u1")})


def test_every_route_is_a_case() -> None:
    test: Any = check_spec(api, ctx="ada", settings=QUICK)

    assert [mark.args for mark in test.pytestmark] == [("route", ["know", "ping"])]
    test("know")
    with pytest.raises(Finding, match="ping: it returned -1, which does not fit"):
        test("ping")


def test_an_override_may_be_for_some_of_the_routes() -> None:
    seen: set[str] = set()

    @route(summary="See", tags=["t"], auth="none")
    def see(input: Ref, ctx: None) -> None:
        seen.add(input.id)

    test = check_spec(spec(routes=routes(see, ping)), settings=QUICK, overrides={UserId: st.just("u1")})
    test("see")

    assert seen == {"u1"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, r"check_spec\(know\): it is a bearer route, whose resolver needs a context; give ctx="),
        ({"ctx": "ada", "without": ["pong", "a"]}, r"check_spec\(without=\): the spec has no route a, pong"),
        ({"ctx": "ada", "overrides": {OtherId: st.none()}}, r"check_spec\(\) overrides: nothing in any route is written as OtherId"),
    ],
)
def test_what_cannot_be_checked_is_told_at_once(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_spec(api, **arguments)


def test_without_pytest_it_says_what_is_missing() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "pytest", None)
        importlib.reload(cases)
        with pytest.raises(ImportError, match="check_spec needs pytest: pip install pytest"):
            cases.check_spec(api)
    importlib.reload(cases)
