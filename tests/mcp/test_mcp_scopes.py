"""Tools that take a token or none, and tools that require scopes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson
import pytest

from contract import Meta, NotFound, Request, Spec, group, requires, route, routes, spec
from contract.call.mount_options import Options
from contract.testing import Client
from tests.mcp.talk import Talk, called, written
from tests.tables import rows
from tests.wire.exchange import JSON, RawRequest, RawResponse, Transport, serve
from tests.wire.test_wire_scopes import RAN, User, session

OPTIONS: Any = {
    "authorization_servers": ["https://login.example"],
    "public_url": "https://shop.example",
}
BOTH = ("Accept", "application/json, text/event-stream")
SERVERS = ("https://login.example",)


USERS = {
    "ada": User("ada", ("orders:read", "orders:write")),
    "bob": User("bob", ("orders:read",)),
    "eve": User("eve"),
    "mal": User("mal", "raise"),
    "text": User("text", "orders:read"),
}


def authenticate(token: str, request: Request) -> User | None:
    if request.headers.get("x-session"):
        session()
    return USERS.get(token)


@route(summary="Ping", tags=["t"], auth="none", mcp=True)
def ping(input: None, ctx: None) -> str:
    return "pong"


@route(summary="Home", tags=["t"], auth="optional", mcp=True)
def home(input: None, ctx: User | None) -> str:
    return ctx.name if ctx else "nobody"


@route(summary="Me", tags=["t"], mcp=True)
def me(input: None, ctx: User) -> str:
    return ctx.name


@route(summary="Orders", tags=["t"], auth=requires("orders:read"), mcp=True)
def orders(input: None, ctx: User) -> str:
    return ctx.name


@route(summary="Refund", tags=["t"], auth=requires("orders:write", "orders:read"), mcp=True)
def refund(input: None, ctx: User) -> str:
    RAN.append("refund")
    return ctx.name


@route(summary="Audit", tags=["t"], auth=requires("audit"))
def no_tool(input: None, ctx: User) -> None: ...


@route(summary="Wipe", tags=["t"], auth=requires("wipe"), mcp=True, scope="private")
def private(input: None, ctx: User) -> None: ...


API = spec(
    authenticate=authenticate,
    routes=routes(ping, home, me, orders, refund, no_tool, private),
    meta=Meta(title="Shop"),
)
EVERY = ["ping", "home", "me", "orders", "refund"]


def sent(
    transport: Transport, method: str, token: str | None, *headers: tuple[str, str], **params: Any
) -> RawResponse:
    RAN.clear()
    bearer = [] if token is None else [("Authorization", f"Bearer {token}")]
    exchange = serve(transport, API, logging=False, **OPTIONS)
    headers = (JSON, BOTH, *bearer, *headers)
    request = RawRequest(target="/v1/mcp", headers=headers, body=written(method, params))
    return exchange(request)


def challenge(response: RawResponse) -> str:
    return str(response.header("www-authenticate"))


PLACE = 'resource_metadata="https://shop.example/v1/.well-known/oauth-protected-resource/mcp"'


def test_a_call_without_a_scope_is_refused_so_that_a_client_steps_up(transport: Transport) -> None:
    """(2025-11-25, basic/authorization, "Runtime Insufficient Scope Errors")."""
    response = sent(transport, "tools/call", "bob", name="refund")

    assert response.status == 403
    scope = f'error="insufficient_scope", scope="orders:write orders:read", {PLACE}'
    assert challenge(response) == f'Bearer realm="Shop", {scope}'
    message = "This needs the scopes orders:write, orders:read."
    data = {"error": "FORBIDDEN", "data": {"message": message}}
    error = {"code": -32001, "message": message, "data": data}
    assert response.json() == {"jsonrpc": "2.0", "id": 1, "error": error}
    assert RAN == []


def test_a_call_with_every_scope_is_answered(transport: Transport) -> None:
    response = sent(transport, "tools/call", "ada", name="refund")

    assert response.json()["result"]["structuredContent"] == {"result": "ada"}


@rows("token, error", (None, ""), ("bad", ', error="invalid_token"'))
def test_a_client_is_told_at_once_which_scopes_a_tool_needs(
    transport: Transport, token: str | None, error: str
) -> None:
    """(2025-11-25, basic/authorization, "Protected Resource Metadata Discovery Requirements")."""
    response = sent(transport, "tools/call", token, name="refund")

    assert response.status == 401
    found = challenge(response)
    assert found == f'Bearer realm="Shop"{error}, scope="orders:write orders:read", {PLACE}'
    response = sent(transport, "tools/call", token, name="me")
    assert (response.status, challenge(response)) == (401, f'Bearer realm="Shop"{error}, {PLACE}')


def test_the_metadata_name_the_scopes_of_the_tools_that_are_shown(transport: Transport) -> None:
    """(RFC 9728, section 2)."""
    exchange = serve(transport, API, logging=False, authorization_servers=SERVERS)
    target = "/.well-known/oauth-protected-resource/v1/mcp"
    if exchange(RawRequest("GET", target)).status == 404:  # an app that has the mount alone
        target = f"/v1{target.removesuffix('/v1/mcp')}/mcp"
    found = exchange(RawRequest("GET", target)).json()

    assert found["scopes_supported"] == ["orders:read", "orders:write"]


@pytest.mark.unwatched
@rows(
    "token, names",
    (None, EVERY),
    ("ada", EVERY),
    ("bob", ["ping", "home", "me", "orders"]),
    ("eve", ["ping", "home", "me"]),
)
def test_a_client_sees_the_tools_that_it_may_use(
    transport: Transport, token: str | None, names: list[str]
) -> None:
    response = sent(transport, "tools/list", token)

    assert [tool["name"] for tool in response.json()["result"]["tools"]] == names


def test_a_list_is_not_given_for_a_bad_token(transport: Transport) -> None:
    response = sent(transport, "tools/list", "bad")

    assert response.status == 401
    assert challenge(response) == f'Bearer realm="Shop", error="invalid_token", {PLACE}'
    for token in ("mal", "text"):
        response = sent(transport, "tools/list", token)
        assert response.status == 500
        assert response.json()["error"]["data"] == {"error": "INTERNAL_ERROR"}


def test_an_optional_token_may_be_left_out(transport: Transport) -> None:
    for token, name in ((None, "nobody"), ("ada", "ada")):
        response = sent(transport, "tools/call", token, name="home")
        assert response.json()["result"]["structuredContent"] == {"result": name}

    assert sent(transport, "tools/call", "bad", name="home").status == 401


def test_values_end_with_the_refusal(transport: Transport) -> None:
    response = sent(transport, "tools/call", "bob", ("X-Session", "1"), name="refund")

    assert response.status == 403
    assert RAN == ["opened", "CallFailed"]
    response = sent(transport, "tools/list", "bob", ("X-Session", "1"))
    assert response.status == 200
    assert RAN == ["opened", "committed"]


# Where every request needs a token.


def connected(api: Spec[Any] = API) -> Talk:
    return Talk(api, mcp_challenge="connect")


def test_an_optional_token_is_none_where_every_request_needs_one() -> None:
    talk = connected()

    assert talk.call("home").status == 401
    assert talk.output("home", authorization="Bearer ada") == {"result": "ada"}
    assert talk.tools(authorization="Bearer bob") == ["ping", "home", "me", "orders"]
    # the first route that needs a token is one that requires a scope
    scoped = connected(spec(authenticate=authenticate, routes=routes(orders, me)))
    assert scoped.send("ping", authorization="Bearer eve").status == 200
    assert dict(scoped.send("ping").headers)["www-authenticate"] == 'Bearer realm="Contract API"'


def test_a_list_that_depends_on_the_token_is_kept_for_its_caller() -> None:
    plain = spec(authenticate=authenticate, routes=routes(ping, home, me))

    assert Talk(API).modern_result("tools/list")["cacheScope"] == "private"
    assert Talk(plain).modern_result("tools/list")["cacheScope"] == "public"
    assert Talk(plain).send("tools/list", authorization="Bearer bad").status == 200
    for header in ("Basic YTpi", ""):
        assert Talk(API).send("tools/list", authorization=header).status == 200


# Where groups of routes authenticate for themselves.


@dataclass(frozen=True)
class Partner:
    shop: str
    scopes: tuple[str, ...] = ("stock",)


PARTNERS: list[str] = []


async def partner_of(token: str, request: Request) -> Partner | NotFound | None:
    if request.headers.get("x-session"):
        session()
    PARTNERS.append(token)
    if token == "broken":
        raise RuntimeError("canary")
    if token == "hidden":
        return NotFound()
    return Partner(token) if token in ("acme", "both") else None


@route(summary="Stock", tags=["t"], mcp=True)
def stock(input: None, ctx: Partner) -> str:
    return ctx.shop


@route(summary="Move", tags=["t"], mcp=True, auth=requires("orders:read"))
def move(input: None, ctx: Partner) -> str:
    return ctx.shop


GROUPED = spec(
    authenticate=lambda token, request: User(token) if token in ("ada", "both") else None,
    routes=routes(
        ping, home, me, group("b2b", authenticate=partner_of, routes=routes(stock, move))
    ),
)


@rows(
    "token, listed",
    ("ada", ["ping", "home", "me"]),
    ("acme", ["ping", "b2b_stock"]),
    ("both", ["ping", "home", "me", "b2b_stock"]),
)
@rows("challenge", "call", "connect")
def test_a_token_lists_the_tools_of_those_who_take_it(
    challenge: Any, token: str, listed: list[str]
) -> None:
    talk = Talk(GROUPED, mcp_challenge=challenge)

    for more in ({}, {"x_session": "1"}):
        RAN.clear()
        PARTNERS.clear()
        bearer = f"Bearer {token}"
        assert talk.tools(authorization=bearer, **more) == listed
        assert [token] == PARTNERS
        assert talk.result("ping", authorization=bearer, **more) == {}
    assert RAN[:2] == (["opened", "committed"] if token != "ada" else ["opened", "CallFailed"])


@rows("token", "nobody", "hidden", "broken", "b c")
def test_a_token_that_nobody_takes_is_refused_as_the_first_does(token: str) -> None:
    talk = Talk(GROUPED)

    assert talk.send("tools/list", authorization=f"Bearer {token}").status == 401
    assert len(talk.tools()) == 5
    assert talk.modern_result("tools/list")["cacheScope"] == "private"
    assert talk.call("me", authorization="Bearer acme").status == 401
    refused = talk.call("b2b_move", authorization="Bearer acme")
    assert refused.status == 403


def test_a_page_of_a_list_is_one_of_the_tools_that_the_caller_sees() -> None:
    talk = Talk(API, page_size=2)
    first = talk.result("tools/list", authorization="Bearer eve")
    second = talk.result("tools/list", {"cursor": first["nextCursor"]}, authorization="Bearer eve")

    assert [tool["name"] for tool in second["tools"]] == ["me"]
    assert "nextCursor" not in second


def test_a_batch_is_asked_for_the_token_of_a_tool_that_needs_one() -> None:
    calls = [written("tools/call", called(name)) for name in ("home", "refund")]
    body = b"[%b]" % b",".join(calls)
    talk = Talk(API)
    answer = talk.post(body)

    assert answer.status == 401
    assert "orders:write" in dict(answer.headers)["www-authenticate"]
    both = talk.post(body, {"authorization": "Bearer bob"})
    answers = orjson.loads(both.body)
    assert answers[0]["result"]["structuredContent"] == {"result": "bob"}
    assert answers[1]["error"]["data"]["error"] == "FORBIDDEN"
    answers = orjson.loads(talk.post(b"[%b]" % calls[0]).body)
    assert answers[0]["result"]["structuredContent"] == {"result": "nobody"}


def test_the_client_in_memory_speaks_of_both() -> None:
    client = Client(API, options=Options(authorization_servers=SERVERS))

    assert client.call("home").json == "nobody"
    assert client.call(refund, token="bob").error == "FORBIDDEN"
    assert client.mcp("tools/call", {"name": "refund"}, token="bob").status == 403
