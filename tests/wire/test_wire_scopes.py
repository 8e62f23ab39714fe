"""Tokens that may be left out, and scopes that are required of them, over every transport."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Literal

import orjson
import pytest

import contract
from tests.tables import rows
from tests.wire.exchange import JSON, RawRequest, RawResponse, Transport, serve
from tests.wire.lanes import DOORS, Door, let_in

RAN: list[str] = []
EVENTS: list[contract.CallEvent] = []
META = contract.Meta(title='The "Shop"')
Hooks = Literal["none", "sync", "async", "late"]
HOOKS: tuple[Hooks, ...] = ("none", "sync", "async", "late")


@dataclass(frozen=True)
class User:
    name: str
    granted: object = ()

    @property
    def scopes(self) -> Any:
        if self.granted == "raise":
            raise RuntimeError("canary")
        return self.granted


USERS = {
    "ada": User("ada", frozenset({"orders:read", "orders:write"})),
    "bob": User("bob", ["orders:read"]),
    "eve": User("eve", "orders:read orders:write"),
    "mal": User("mal", "raise"),
}


@contract.provide
def session() -> Any:
    RAN.append("opened")
    try:
        yield "session"
    except BaseException as cause:
        RAN.append(type(cause).__name__)
        raise
    RAN.append("committed")


def authenticate(token: str, request: contract.Request) -> User | None:
    RAN.append(f"authenticate {token}")
    if request.headers.get("x-session"):
        session()
    return USERS.get(token)


@contract.hook
def seen(call: contract.Call[object]) -> contract.NotFound | None:
    RAN.append("hook")
    return None


@contract.hook
async def seen_async(call: contract.Call[User | None]) -> contract.NotFound | None:
    await asyncio.sleep(0)
    RAN.append("hook")
    return None


@contract.hook
def seen_late(call: contract.Call[object, int]) -> contract.NotFound | None:
    RAN.append("hook")
    return None


BEHIND: dict[Hooks, list[Any]] = {
    "none": [], "sync": contract.hooks(seen), "async": [seen_async], "late": [seen_late],
}  # fmt: skip


def home(input: int, ctx: User | None) -> str:
    RAN.append("home")
    return ctx.name if ctx else "nobody"


async def home_async(input: int, ctx: User | None) -> str:
    RAN.append("home")
    return ctx.name if ctx else "nobody"


def made(door: Door, before: Hooks, auth: Any, *, is_async: bool = False) -> contract.Spec[Any]:
    decorate: Any = contract.route
    resolver: Any = home_async if is_async else home
    decorated = decorate(summary="Home", tags=["t"], auth=auth, name="home", hooks=BEHIND[before])
    return let_in(door, authenticate, decorated(resolver), meta=META)


@pytest.fixture(params=[door for door in DOORS if door != "public"])
def door(request: pytest.FixtureRequest) -> Door:
    found: Door = request.param
    return found


def asked(
    transport: Transport, api: contract.Spec[Any], *headers: tuple[str, str], body: bytes = b"1"
) -> RawResponse:
    RAN.clear()
    EVENTS.clear()
    exchange = serve(transport, api, on_call=EVENTS.append, logging=False)
    return exchange(RawRequest(target="/v1/home", headers=(JSON, *headers), body=body))


def bearer(token: str) -> tuple[str, str]:
    return ("Authorization", f"Bearer {token}")


@rows("before", *HOOKS)
@rows("is_async", False, True)
def test_an_optional_token_may_be_left_out(
    transport: Transport, door: Door, before: Hooks, is_async: bool
) -> None:
    api = made(door, before, "optional", is_async=is_async)
    first = ["hook"] if before != "none" else []

    assert asked(transport, api).json() == "nobody"
    assert [*first, "home"] == RAN
    assert asked(transport, api, bearer("ada")).json() == "ada"
    assert ["authenticate ada", *first, "home"] == RAN


@rows("before", *HOOKS)
def test_an_optional_token_has_to_be_good(transport: Transport, door: Door, before: Hooks) -> None:
    api = made(door, before, "optional")
    response = asked(transport, api, bearer("bad"))

    assert (response.status, response.json()) == (401, {"error": "UNAUTHORIZED"})
    found = response.header("www-authenticate")
    assert found == r'Bearer realm="The \"Shop\"", error="invalid_token"'
    assert RAN == ["authenticate bad"]


@rows(
    "header, status",
    ("Basic YTpi", 200), ("", 200), ("Bearer", 401), ("Bearer a b", 401),
    (f"Bearer {'a' * 5000}", 401), ("Bearer ada, Bearer ada", 400),
)  # fmt: skip
def test_only_a_header_without_a_token_is_no_token(
    transport: Transport, door: Door, header: str, status: int
) -> None:
    response = asked(transport, made(door, "none", "optional"), ("Authorization", header))

    assert response.status == status
    assert (RAN == ["home"]) is (status == 200)


def test_the_body_of_a_call_without_a_token_is_checked(transport: Transport, door: Door) -> None:
    response = asked(transport, made(door, "none", "optional"), body=b'"x"')

    assert (response.status, response.json()["error"]) == (400, "VALIDATION_ERROR")


WRITE = contract.requires("orders:read", "orders:write")


@rows("before", *HOOKS)
@rows("is_async", False, True)
def test_a_caller_with_every_scope_is_let_in(
    transport: Transport, door: Door, before: Hooks, is_async: bool
) -> None:
    response = asked(transport, made(door, before, WRITE, is_async=is_async), bearer("ada"))

    assert (response.status, response.json()) == (200, "ada")
    assert RAN[0] == "authenticate ada"
    assert RAN[-1] == "home"


@rows("before", *HOOKS)
def test_a_caller_without_a_scope_is_told_which_are_needed(
    transport: Transport, door: Door, before: Hooks
) -> None:
    """(RFC 6750, section 3.1)."""
    # which comes before the hooks, and before anybody looks at the body
    response = asked(transport, made(door, before, WRITE), bearer("bob"), body=b"]")

    message = "This needs the scopes orders:read, orders:write."
    assert response.status == 403
    assert response.json() == {"error": "FORBIDDEN", "data": {"message": message}}
    assert response.header("www-authenticate") == (
        r'Bearer realm="The \"Shop\"", error="insufficient_scope", '
        'scope="orders:read orders:write"'
    )
    assert RAN == ["authenticate bob"]
    assert [(event.code, event.status) for event in EVENTS] == [("FORBIDDEN", 403)]


@rows("header", None, "Bearer bad", "Bearer", "Basic YTpi")
def test_scopes_are_told_to_nobody_whose_token_was_not_accepted(
    transport: Transport, door: Door, header: str | None
) -> None:
    headers = [] if header is None else [("Authorization", header)]
    response = asked(transport, made(door, "sync", WRITE), *headers)

    assert (response.status, response.json()) == (401, {"error": "UNAUTHORIZED"})
    assert "scope" not in str(response.header("www-authenticate"))


@rows("token", "eve", "mal")
def test_scopes_that_cannot_be_asked_let_nobody_in(
    transport: Transport, door: Door, token: str
) -> None:
    """One text holds every part of itself, and a property may raise."""
    response = asked(
        transport, made(door, "none", contract.requires("orders:write")), bearer(token)
    )

    assert (response.status, response.json()) == (500, {"error": "INTERNAL_ERROR"})
    assert [f"authenticate {token}"] == RAN


@rows("auth", "optional", WRITE)
def test_a_cached_read_is_let_in_as_by_post(transport: Transport, door: Door, auth: Any) -> None:
    decorate: Any = contract.route
    kept_for: Any = {"effect": "read", "cache": contract.Cache(max_age=60)}
    decorated = decorate(summary="Home", tags=["t"], auth=auth, name="home", **kept_for)
    exchange = serve(transport, let_in(door, authenticate, decorated(home)), logging=False)

    def got(token: str | None) -> RawResponse:
        headers = () if token is None else (bearer(token),)
        return exchange(RawRequest("GET", "/v1/home?input=1", headers=headers))

    statuses = [got(token).status for token in (None, "ada", "bob", "bad")]
    assert statuses == ([200, 200, 200, 401] if auth == "optional" else [401, 200, 403, 401])
    kept = got("ada")
    kept.check(cache_control="private, max-age=60", vary="Authorization")
    assert "scope=" in str(got("bob").header("www-authenticate")) or auth == "optional"


def test_values_of_the_call_are_rolled_back(transport: Transport) -> None:
    api = made("sync", "none", contract.requires("orders:write"))
    response = asked(transport, api, bearer("bob"), ("X-Session", "1"))

    assert response.status == 403
    assert RAN[-2:] == ["opened", "CallFailed"]
    assert orjson.loads(response.body)["data"] == {"message": "This needs the scope orders:write."}
