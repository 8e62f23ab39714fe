"""The ways in, over every transport: who is let in, who is refused, and what is told."""

from __future__ import annotations

import asyncio
import logging
from typing import Annotated, Any

import pytest

import contract
from contract.call.mount_options import Options
from contract.testing import AsyncClient, Client
from tests.tables import rows
from tests.three_ways import THREE, Robot, User, api, keyed, paged, robot_of, user_of
from tests.wire.exchange import RawRequest, Transport, serve

Headers = tuple[tuple[str, str], ...]
BEARER = ("Authorization", "Bearer user")
KEY = ("X-Key", "robot")
SID = ("Cookie", "theme=dark; sid=page")
SAME = ("Sec-Fetch-Site", "same-origin")
HERE = ("Origin", "http://shop.example")
EVIL = ("Origin", "https://evil.example")
REALM = 'Bearer realm="Contract API"'

IN: dict[str, tuple[Headers, str]] = {
    "a token": ((BEARER,), "ada"),
    "a token beside other cookies": ((BEARER, ("Cookie", "theme=dark")), "ada"),
    "a key": ((KEY,), "r2"),
    "a key in another case": ((("x-key", "robot"),), "r2"),
    "a key beside an empty cookie": ((KEY, ("Cookie", "sid=")), "r2"),
    "a token before a cookie": ((BEARER, SID, HERE), "ada"),
    "a token before a cookie that a page elsewhere may not send": ((BEARER, SID, EVIL), "ada"),
    "a key before two cookies": ((KEY, ("Cookie", "sid=page; sid=page")), "r2"),
    "a cookie from a page of the same origin": ((SID, HERE), "page"),
    "a cookie, read by a page of the same origin": ((SID, SAME), "page"),
    "a cookie, sent by the user": ((SID, ("Sec-Fetch-Site", "none")), "page"),
    "a cookie from a page that is named": ((SID, ("Origin", "https://app.example")), "page"),
}
INVALID = f'{REALM}, error="invalid_token"'
UNKNOWN = (401, "UNAUTHORIZED", REALM)
SEVERAL = (400, "BAD_REQUEST", None)
STRANGE = (403, "FORBIDDEN", None)
OUT: dict[str, tuple[Headers, tuple[int, str, str | None]]] = {
    "nothing": ((), UNKNOWN),
    "a wrong token": ((("Authorization", "Bearer nobody"),), (401, "UNAUTHORIZED", INVALID)),
    "no token at all": ((("Authorization", "Bearer"),), (401, "UNAUTHORIZED", INVALID)),
    "a wrong key": ((("X-Key", "nobody"),), UNKNOWN),
    "an empty key": ((("X-Key", ""),), UNKNOWN),
    "a key with a space": ((("X-Key", "a b"),), UNKNOWN),
    "a long key": ((("X-Key", "a" * 4097),), UNKNOWN),
    "a wrong cookie": ((("Cookie", "sid=nobody"), HERE), UNKNOWN),
    "an odd cookie": ((("Cookie", "sid=a\\b"), HERE), UNKNOWN),
    "two keys": ((("X-Key", "robot,robot"),), SEVERAL),
    "two cookies": ((("Cookie", "sid=page; sid=page"), HERE), SEVERAL),
    "a token and a key": ((BEARER, KEY), SEVERAL),
    "a token and a key beside a cookie": ((BEARER, KEY, SID, HERE), SEVERAL),
    "a wrong key before a cookie": ((("X-Key", "nobody"), SID, HERE), UNKNOWN),
    "no token at all before a cookie": (
        (("Authorization", "Bearer"), SID, HERE),
        (401, "UNAUTHORIZED", INVALID),
    ),
    "a cookie from elsewhere": ((SID, EVIL), STRANGE),
    "a cookie from a page that says it is none": ((SID, ("Origin", "null")), STRANGE),
    "a cookie by another scheme": ((SID, ("Origin", "https://shop.example")), STRANGE),
    "a cookie by another port": ((SID, ("Origin", "http://shop.example:8080")), STRANGE),
    "a cookie from elsewhere that says it is here": ((SID, EVIL, SAME), STRANGE),
    "a cookie from another host of the site": ((SID, ("Sec-Fetch-Site", "same-site")), STRANGE),
    "a cookie from nowhere": ((SID,), STRANGE),
}


def asked(*headers: tuple[str, str], path: str = "/v1/who") -> RawRequest:
    return RawRequest(target=path, headers=headers, length="0")


def test_who_is_let_in(transport: Transport) -> None:
    send = serve(transport, api)
    found = {name: send(asked(*headers)) for name, (headers, _) in IN.items()}

    expected = {name: (200, f"who {who}") for name, (_, who) in IN.items()}
    assert {name: (each.status, each.json()) for name, each in found.items()} == expected


def test_who_is_refused(transport: Transport, caplog: pytest.LogCaptureFixture) -> None:
    send = serve(transport, api)
    with caplog.at_level(logging.DEBUG):
        found = {name: send(asked(*headers)) for name, (headers, _) in OUT.items()}

    told = "www-authenticate"
    for name, each in found.items():
        assert (each.status, each.json()["error"], each.header(told)) == OUT[name][1], name
    assert "nobody" not in caplog.text
    assert "sid" not in caplog.text


def test_the_credential_is_looked_at_before_the_body(transport: Transport) -> None:
    send = serve(transport, keyed)
    large = RawRequest(target="/v1/who", headers=(), body=b"{}", length="999999999")

    assert send(large).status == 401


async def user_later(token: str, request: contract.Request) -> User | None:
    return user_of(token, request)


async def robot_later(key: str, request: contract.Request) -> Robot | None:
    return robot_of(key, request)


@contract.hook
def passing(call: Any) -> None: ...


async def who_later(input: None, ctx: User | Robot) -> str:
    return f"who {ctx.name}"


def who_here(input: None, ctx: User | Robot) -> str:
    return f"who {ctx.name}"


SPECS: dict[str, Any] = {
    "async": (
        contract.ways(contract.bearer(user_later), contract.api_key(robot_later, header="X-Key")),
        who_later,
        False,
    ),
    "in a thread": (THREE, who_here, False),
    "inline": (THREE, who_here, True),
}


@rows("kind", *SPECS)
@rows("deadline", None, 30.0)
def test_wherever_they_run(transport: Transport, kind: str, deadline: float | None) -> None:
    authenticate, resolver, inline = SPECS[kind]
    routes = {"who": contract.route(summary="Who", tags=["w"])(resolver)}
    made: contract.Spec[Any] = contract.spec(
        authenticate=authenticate, authenticate_inline=inline, routes=routes
    )
    send = serve(transport, made, limits=contract.Limits(deadline_seconds=deadline))

    assert [send(asked(*each)).status for each in ((BEARER,), (KEY,), ())] == [200, 200, 401]
    assert send(asked(("X-Key", "nobody"))).header("www-authenticate") == REALM


@rows(
    "made, path, told",
    (keyed, "/v1/who", 'ApiKey realm="Contract API", name="X-Key"'),
    (paged, "/v1/page", 'Cookie realm="Contract API", name="sid"'),
)
def test_what_is_missing_is_told_where_no_token_will_do(
    made: contract.Spec[Any], path: str, told: str
) -> None:
    response = serve("wsgi", made)(asked(BEARER, path=path))

    assert (response.status, response.header("www-authenticate")) == (401, told)


def test_the_public_url_is_an_origin_of_its_own() -> None:
    send = serve("wsgi", paged, public_url="https://shop.example/api")
    origins = ("https://shop.example", "http://shop.example", "https://evil.example")
    found = [send(asked(SID, ("Origin", each), path="/v1/page")).status for each in origins]

    assert found == [200, 403, 403]


def test_trusted_proxies_know_the_origin() -> None:
    headers = {
        "cookie": "sid=page",
        "host": "10.0.0.7:8000",
        "origin": "https://shop.example",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "Shop.Example:443",
        "x-forwarded-for": "192.0.2.1",
    }
    trusting = Client(paged, options=Options(trusted_proxies=["127.0.0.0/8"]))

    assert trusting.call("page", headers=headers).status == 200
    assert Client(paged).call("page", headers=headers).status == 403
    assert trusting.call("page", headers=headers | {"x-forwarded-host": "evil:x"}).status == 403


def test_a_host_that_is_none_has_no_origin() -> None:
    headers = {"cookie": "sid=page", "host": "a b", "origin": "http://a b"}

    assert Client(paged).call("page", headers=headers).status == 403


ORIGINS = ["https://app.example", "https://other.example"]


def test_pages_elsewhere_may_send_a_key_and_those_that_are_named_a_cookie() -> None:
    send = serve("wsgi", api, cors_origins=ORIGINS)
    found = {
        origin: (
            send(RawRequest("OPTIONS", "/v1/who", (("Origin", origin),))),
            send(asked(SID, ("Origin", origin))),
        )
        for origin in (*ORIGINS, "https://evil.example")
    }
    told = "access-control-allow-credentials"

    named, other, evil = found.values()
    assert [each.header(told) for each in named] == ["true", "true"]
    assert [each.header(told) for each in (*other, *evil)] == [None] * 4
    assert [each[1].status for each in found.values()] == [200, 403, 403]
    allowed = named[0].header("access-control-allow-headers")
    assert allowed == "authorization, content-type, x-request-id, x-key"


def test_a_page_that_is_named_may_send_its_cookie_to_public_routes_too() -> None:
    """Generated clients send cookies with every call, or with none."""
    send = serve("wsgi", paged, cors_origins=ORIGINS)
    found = [send(asked(SID, ("Origin", each), path="/v1/ping")) for each in ORIGINS]

    told = [each.header("access-control-allow-credentials") for each in found]
    assert ([each.status for each in found], told) == ([200, 200], ["true", None])


def test_only_a_private_route_tells_pages_of_the_key_that_it_alone_takes() -> None:
    def robots(key: str, request: contract.Request) -> Robot | None:
        raise NotImplementedError

    def films(input: None, ctx: Robot) -> contract.Stream[int]:
        raise NotImplementedError

    def file(input: None, ctx: Robot) -> Annotated[contract.Download, contract.Media("video/mp4")]:
        raise NotImplementedError

    told: Any = {"summary": "s", "tags": ["t"], "effect": "read"}
    private: Any = {**told, "scope": "private"}
    guarded = contract.group(
        "staff",
        authenticate=contract.ways(contract.api_key(robots, header="X-Staff")),
        routes=contract.routes(
            contract.route(**private)(films),
            contract.route(**private, cache=contract.Cache(max_age=9))(file),
        ),
    )

    @contract.route(**told, auth="none", cache=contract.Cache(max_age=9), mcp=True)
    def hours(input: None, ctx: None) -> str:
        raise NotImplementedError

    made = contract.spec(routes=[hours, guarded])

    def named(path: str, **options: Any) -> str | None:
        send = serve("wsgi", made, cors_origins=ORIGINS, **options)
        asking = RawRequest("OPTIONS", f"/v1/{path}", (("Origin", ORIGINS[0]),))
        return send(asking).header("access-control-allow-headers")

    usual = "authorization, content-type, x-request-id"
    assert named("hours") == f"{usual}, if-none-match, if-match"
    assert named("staff.films") == f"{usual}, last-event-id, x-staff"
    assert (
        named("staff.file")
        == f"{usual}, x-staff, if-none-match, if-match, if-range, if-unmodified-since, range"
    )
    assert "x-staff" not in str(named("mcp", mcp_origins=ORIGINS))
    everything = f"{usual}, last-event-id, x-staff, if-none-match, if-match, if-range, if-unmodified-since, range"
    assert named("hours", visibility="all") == everything


def test_no_credential_leaves_the_process() -> None:
    events: list[contract.CallEvent] = []
    made = Client(api, options=Options(on_call=events.append))
    for headers in ({"x-key": "canary"}, {"cookie": "sid=canary", "origin": "http://localhost"}):
        assert b"canary" not in made.call("who", headers=headers).body

    assert "canary" not in repr(events)
    assert "canary" not in repr(THREE)


def test_a_way_may_answer_with_a_failure() -> None:
    def banned(key: str, request: contract.Request) -> Robot | contract.Forbidden:
        return contract.Forbidden(message="You are banned.")

    def go(input: None, ctx: Robot) -> None: ...

    goes = {"go": contract.route(summary="Go", tags=["g"])(go)}
    made = contract.spec(authenticate=contract.api_key(banned, header="X-Key"), routes=goes)
    reply = Client(made).call("go", headers={"x-key": "any"})

    assert (reply.status, reply.error) == (403, "FORBIDDEN")
    assert "www-authenticate" not in reply.headers


# MCP

PAGE = {"origin": "http://localhost", "sec-fetch-site": "same-origin", "cookie": "sid=page"}
CALL = {"name": "who", "arguments": {}}


def test_an_mcp_client_has_a_token_or_a_key() -> None:
    client = Client(api)
    texts = [
        client.mcp("tools/call", CALL, headers=each).json["result"]["structuredContent"]
        for each in ({"authorization": "Bearer user"}, {"x-key": "robot"})
    ]

    assert texts == [{"result": "who ada"}, {"result": "who r2"}]


def test_a_cookie_beside_the_token_of_an_mcp_client_means_nothing() -> None:
    """Nor does the token become the cookie: each is asked of its own function."""
    client = Client(api)
    replies = [
        client.mcp(
            "tools/call",
            CALL,
            headers=PAGE | {"cookie": "sid=x", "authorization": f"Bearer {token}"},
        )
        for token in ("user", "page")
    ]

    assert [reply.status for reply in replies] == [200, 401]


def test_cookies_may_come_in_headers_of_their_own() -> None:
    """A client of HTTP/2 may send them so (RFC 9113, section 8.2.3)."""
    assert serve("asgi", api)(asked(("Cookie", "a=1"), SID, HERE)).json() == "who page"
    assert serve("asgi", api)(asked(SID, SID, HERE)).status == 400


NEEDED = "Send a bearer token in the header Authorization or a key in the header X-Key."
ONE = "Send one credential, once: nobody can say which of two was meant."


@rows(
    "headers, status, message",
    ({}, 401, NEEDED),
    (PAGE, 401, NEEDED),
    ({"x-key": "nobody"}, 401, "The credential is not valid."),
    ({"x-key": "robot", "authorization": "Bearer user"}, 400, ONE),
)
def test_other_mcp_clients_are_refused(headers: dict[str, str], status: int, message: str) -> None:
    reply = Client(api).mcp("tools/call", CALL, headers=headers)

    assert (reply.status, reply.json["error"]["message"]) == (status, message)


def test_only_a_challenge_for_tokens_says_where_they_come_from() -> None:
    options = Options(authorization_servers=["https://login.example"])
    told = [
        Client(made, options=options, headers={"host": "shop.example"})
        .mcp("tools/call", CALL)
        .headers["www-authenticate"]
        for made in (api, keyed)
    ]

    assert "resource_metadata=" in told[0]
    assert told[1] == 'ApiKey realm="Contract API", name="X-Key"'


def test_pages_of_agents_may_send_a_key() -> None:
    send = serve("wsgi", api)
    headers = (("Origin", "http://localhost:3000"),)
    allowed = send(RawRequest("OPTIONS", "/v1/mcp", headers)).header("access-control-allow-headers")

    assert allowed is not None
    assert "x-key" in allowed
    assert "cookie" not in allowed


def test_async_client_in_memory() -> None:
    found = asyncio.run(AsyncClient(api, headers={"X-Key": "robot"}).call("who"))

    assert found.json == "who r2"
