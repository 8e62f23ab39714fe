"""The bare ASGI application."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi import FastAPI

from contract import CallEvent, Request
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.call.mount_options import Options
from tests.tables import rows
from tests.test_adapters_loops import (
    TOKEN,
    bare,
    behind,
    cancelled,
    me,
    never,
    noting,
    nowhere,
    public,
    unwanted,
)
from tests.wire import site
from tests.wire.case import call
from tests.wire.exchange import RawRequest, RawResponse, scope_of, talk


def make(**options: Any) -> AsgiApp:
    return AsgiApp(service_of(site.make_site(), Options(prefix="/v1", **options)))


async def test_a_scope_need_not_have_a_version() -> None:
    sent: list[Any] = []
    scope = scope_of(RawRequest(target="/v1/ping", headers=(), length="0"))
    del scope["http_version"]
    await make()(scope, unwanted, noting(sent))

    assert sent[0]["status"] == 200


async def test_websockets_are_closed() -> None:
    """After they have asked for it, which a server waits for."""
    events: list[Any] = []

    async def receive() -> Any:
        events.append("asked")
        return {"type": "websocket.connect"}

    await make()(scope_of(RawRequest()) | {"type": "websocket"}, receive, noting(events))

    assert events == ["asked", {"type": "websocket.close", "code": 1003}]


async def test_the_lifespan_is_followed() -> None:
    events = iter(["lifespan.startup", "lifespan.of.another.kind", "lifespan.shutdown"])
    sent: list[tuple[str, bool]] = []
    app = make()

    async def receive() -> Any:
        return {"type": next(events)}

    async def send(event: Any) -> None:
        sent.append((event["type"], app.service.draining))

    await app({"type": "lifespan"}, receive, send)

    assert sent == [("lifespan.startup.complete", False), ("lifespan.shutdown.complete", True)]
    assert [*events] == []


def ping(input: None, ctx: None) -> str:
    return "pong"


PING = RawRequest(target="/v1/ping", body=b"null")


@pytest.mark.parametrize("inline", [False, True])
async def test_a_client_that_has_gone_before_its_reply_is_no_error(inline: bool) -> None:
    app = bare(public(ping, inline=inline))
    sent: list[str] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"null"}

    async def send(event: Any) -> None:
        sent.append(event["type"])
        raise OSError

    await app(scope_of(PING), receive, send)
    assert sent == ["http.response.start"]


async def test_hooks_see_the_scope() -> None:
    seen: list[Any] = []

    def who(token: str, request: Request) -> str:
        seen.append(request.native)
        return token

    response = await talk(bare(behind(who, me)), call("me", b"", TOKEN))

    assert (response.json(), [native["path"] for native in seen]) == ("a", ["/v1/me"])


async def test_a_plain_call_whose_body_does_not_come_can_be_cancelled() -> None:
    events: list[CallEvent] = []
    app: Any = bare(public(ping, inline=True), on_call=events.append)
    task = asyncio.create_task(app(scope_of(PING), never, nowhere))
    await asyncio.sleep(0)
    await cancelled(task)
    assert [event.code for event in events] == ["CANCELLED"]


@rows(
    "root, target, status",
    ("/api", "/api/v1/ping", 200),  # the path of HTTP, as the specification has it
    ("/api", "/v1/ping", 200),  # servers of before left the root out
    ("/api/", "/api/v1/ping", 404),
    ("/ap", "/api/v1/ping", 404),
    ("/api", "/api", 404),
    ("/api", "/api/v1%2fping", 404),
    ("/v1", "/v1/v1/ping", 200),
)
def test_a_root_path_is_no_part_of_the_route(root: str, target: str, status: int) -> None:
    assert rooted(make(), root, target).status == status


def rooted(app: Any, root: str, target: str, method: str = "POST") -> RawResponse:
    request = RawRequest(method=method, target=target, headers=())

    async def below(scope: Any, receive: Any, send: Any) -> None:
        await app(scope | {"root_path": root}, receive, send)

    return asyncio.run(talk(below, request))


def test_an_application_inside_another_is_served_whole() -> None:
    outer = FastAPI()
    outer.mount("/rpc", make(authorization_servers=["https://login.example"]))

    assert rooted(outer, "", "/rpc/v1/ping").json() == "pong"
    unknown = {"error": "ROUTE_NOT_FOUND", "data": {"route": "nope"}}
    assert rooted(outer, "", "/rpc/v1/nope").json() == unknown
    openapi = rooted(outer, "", "/rpc/v1/openapi.json", "GET").json()
    assert openapi["servers"] == [{"url": "/rpc/v1"}]
    metadata = rooted(outer, "", "/rpc/.well-known/oauth-protected-resource/v1/mcp", "GET").json()
    assert metadata["resource"] == "http://shop.example/rpc/v1/mcp"
