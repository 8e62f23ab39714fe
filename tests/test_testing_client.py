"""Client: whole requests and whole responses, in memory."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import Any

import falcon
import pytest

from contract import Cache, Failure, MountError, NotFound, mount_spec, route, routes, spec
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.context import CallEvent, current_call, progress
from contract.call.mount_options import Options
from contract.testing import AsyncClient, Client, Reply
from tests import grouped
from tests.mcp.talk import META, MODERN
from tests.tables import rows


class SoldOut(Failure, status=409):
    """Gone."""

    days: int


@dataclass(frozen=True)
class Order:
    product_id: str
    quantity: int = 1


@route(summary="Order", tags=["t"], auth="none", mcp=True)
def order(input: Order, ctx: None) -> int | SoldOut | NotFound:
    if input.product_id == "broken":
        raise RuntimeError("the cause")
    if input.product_id == "none":
        return NotFound()
    return input.quantity * 100 if input.quantity < 10 else SoldOut(days=3)


@route(summary="Who", tags=["t"], effect="read", mcp=True)
async def who(input: None, ctx: str) -> str:
    return f"{ctx} from {current_call().headers.get('x-place', 'nowhere')}"


@route(summary="Count", tags=["t"], auth="none", mcp=True)
def count(input: None, ctx: None) -> int:
    for step in range(3):
        progress(step, 3)
    return 3


api = spec(
    routes=routes(order, who, count),
    authenticate=lambda token, request: token if token.startswith("t") else None,
)
PROGRESS = {"name": "count", "_meta": {"progressToken": 1}}


def test_a_call_gives_what_the_wire_gives() -> None:
    reply = Client(api).call("order", {"product_id": "p1", "quantity": 2})

    assert (reply.status, reply.json, reply.body, reply.error) == (200, 200, b"200", None)
    assert reply.headers["content-type"] == "application/json"
    assert repr(reply) == "Reply(200, 200)"
    assert Client(api).call(order, {"product_id": "p1"}).json == 100


def test_a_failure_has_its_code() -> None:
    reply = Client(api).call("order", {"product_id": "p1", "quantity": 10})

    assert (reply.status, reply.error, reply.json["data"]) == (409, "SOLD_OUT", {"days": 3})
    assert Client(api).call("order", {"product_id": "none"}).error == "NOT_FOUND"
    assert Client(api).call("orders").error == "ROUTE_NOT_FOUND"


def test_a_body_is_sent_as_it_is() -> None:
    client = Client(api)

    assert client.call("order", body=b"{").json["data"]["issues"][0]["code"] == "json_invalid"
    assert client.call("count", body=b"null").json == 3
    assert client.call("count").json == 3
    problem = "a call has one body: give the input and its files, or body="
    with pytest.raises(TypeError, match=problem):
        client.call("count", None, body=b"null")


def test_an_input_is_what_callers_send() -> None:
    problem = "Order is no JSON, which is what callers send: write it as they do, with dicts, lists and texts, or call the function with it"
    with pytest.raises(TypeError, match=f"^{problem}$"):
        Client(api).call("order", {"lines": [Order("p1")]})


def test_what_was_raised_comes_along_and_is_not_sent() -> None:
    reply = Client(api).call("order", {"product_id": "broken"})

    assert (reply.status, reply.json) == (500, {"error": "INTERNAL_ERROR"})
    assert isinstance(reply.exception, RuntimeError)
    shown = """Reply(500, {"error":"INTERNAL_ERROR"}, exception=RuntimeError('the cause'))"""
    assert repr(reply) == shown


def test_a_reply_that_was_cut_off_says_so() -> None:
    reply = Reply(200, None, {}, b"ab", broken=True)

    assert repr(reply) == "Reply(200, ab, broken=True)"


def test_tokens_and_headers_are_those_of_the_call_or_of_the_client() -> None:
    client = Client(api, token="t1", headers={"X-Place": "here"})

    assert client.call("who").json == "t1 from here"
    assert client.call("who", token="t2", headers={"x-place": "there"}).json == "t2 from there"
    assert client.call("who", token="wrong").error == "UNAUTHORIZED"
    assert Client(api).call("who").status == 401


@route(summary="Set", tags=["t"], auth="none", mcp=True)
def setting(input: None, ctx: None) -> None:
    out = current_call().headers_out
    out.set("X-Total", "1")
    out.set_cookie("session", "a=b", max_age=60)
    out.set_cookie("theme", "dark", secure=False, http_only=False)


COOKIES = (
    "session=a=b; Max-Age=60; Path=/; Secure; HttpOnly; SameSite=Lax, "
    "theme=dark; Path=/; SameSite=Lax"
)


def test_headers_and_cookies_are_shown() -> None:
    served = spec(routes=[setting])
    reply, again = Client(served).call(setting), asyncio.run(AsyncClient(served).call(setting))

    for each in (reply, again):
        assert (each.headers["x-total"], each.headers["set-cookie"]) == ("1", COOKIES)
        assert each.cookies == {"session": "a=b", "theme": "dark"}
    assert repr(reply) == "Reply(200, null)"
    assert Client(api).call("count").cookies == {}
    assert Client(served).call_tool("setting").cookies == {}


def test_documents_are_got() -> None:
    client = Client(api, options=Options(prefix="/v1"))

    assert client.get("contract.json").json["routes"].keys() == {"order", "who", "count"}
    assert client.get("/openapi.json?x=1").json["openapi"] == "3.1.0"
    tag = {"if-none-match": client.get("contract.json").headers["etag"]}
    assert client.get("contract.json", headers=tag).status == 304
    assert client.call("count").json == 3


def test_tools_are_listed_and_called() -> None:
    client = Client(api, token="t1")

    assert [tool["name"] for tool in client.tools()] == ["order", "who", "count"]
    ordered, asked = client.call_tool("order", {"product_id": "p1"}), client.call_tool("who")
    assert ordered.json["result"]["structuredContent"] == {"result": 100}
    assert asked.json["result"]["structuredContent"] == {"result": "t1 from nowhere"}
    assert client.mcp("ping").json["result"] == {}


def test_a_stream_of_events_ends_with_the_result() -> None:
    reply = Client(api).mcp("tools/call", PROGRESS)

    assert reply.headers["content-type"] == "text/event-stream"
    assert reply.body.count(b"notifications/progress") >= 1
    assert reply.json["result"]["structuredContent"] == {"result": 3}


def test_a_read_that_may_be_kept_is_called_by_get() -> None:
    @route(summary="D", tags=["t"], auth="none", effect="read", cache=Cache(max_age=1))
    def doubled(input: str, ctx: None) -> str:
        return input * 2

    served = spec(routes=[doubled])
    reply = Client(served).get("doubled", "ü&+")
    again = asyncio.run(AsyncClient(served).get("doubled", "ü&+"))

    assert (reply.status, reply.json, again.json) == (200, "ü&+" * 2, "ü&+" * 2)
    assert Client(served).get(doubled, "ü&+").json == reply.json
    assert asyncio.run(AsyncClient(served).get(doubled, "ü&+")).json == again.json
    tag = {"If-None-Match": reply.headers["etag"]}
    assert Client(served).get("doubled", "ü&+", headers=tag).status == 304
    assert Client(served).get("doubled?input=%221%22").json == "11"


def test_without_mcp_there_are_no_tools() -> None:
    with pytest.raises(ValueError, match="this mount has no MCP endpoint: mcp_path is None"):
        Client(api, options=Options(mcp_path=None)).tools()


def test_the_service_of_a_mount_is_called_with_its_options() -> None:
    events: list[CallEvent] = []
    client = Client(service_of(api, Options(prefix="/v1", on_call=events.append)))

    assert client.call("count").json == 3
    assert [(event.route, event.code) for event in events] == [("count", "OK")]
    assert client.service.options.prefix == "/v1"


@rows("make", Client, AsyncClient, WsgiApp, AsgiApp)
def test_whoever_gives_a_mount_is_told_of_its_service(make: Any) -> None:
    mount = mount_spec(falcon.App(), api)
    name = make.__name__
    told = f"{name}(): a Mount is not a Spec; write its .service, which has its options"

    with pytest.raises(MountError, match=f"^{re.escape(told)}$"):
        make(mount)
    assert make(mount.service) is not None
    with pytest.raises(MountError, match=rf"^{name}\(\): a list is not a Spec; write spec\("):
        make([order])


def test_the_same_is_awaited() -> None:
    async def talk() -> None:
        client = AsyncClient(api, token="t1")

        assert (await client.call("order", {"product_id": "p1"})).json == 100
        assert (await client.call("who")).json == "t1 from nowhere"
        assert (await client.get("contract.json")).status == 200
        assert [tool["name"] for tool in await client.tools()] == ["order", "who", "count"]
        none = await client.call_tool("order", {"product_id": "none"})
        assert none.json["result"]["isError"] is True
        counted = await client.mcp("tools/call", PROGRESS)
        assert counted.json["result"]["structuredContent"] == {"result": 3}
        broken = await client.call("order", {"product_id": "broken"})
        assert isinstance(broken.exception, RuntimeError)

    asyncio.run(talk())


def test_a_client_stays_until_it_has_its_reply() -> None:
    """One that goes away cancels its call, so the server listens for that while a call takes its time."""

    @route(summary="Slowly", tags=["t"], auth="none", mcp=True)
    async def slowly(input: None, ctx: None) -> str:
        await asyncio.sleep(0.1)
        return "done"

    client = AsyncClient(spec(routes=[slowly]))
    headers = {"mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": "slowly"}
    called = client.mcp("tools/call", {"name": "slowly", "_meta": META}, headers=headers)

    assert asyncio.run(client.call(slowly)).json == "done"
    assert asyncio.run(called).json["result"]["structuredContent"] == "done"


def test_an_answer_that_is_none_of_the_contracts_has_no_code() -> None:
    assert Reply(502, None, {}, b"<html>").error is None
    assert Reply(502, {"error": 1}, {}, b"").error is None
    assert Reply(200, {"error": "SO_IT_IS_CALLED"}, {}, b"").error is None


@rows(
    "name, meant",
    ("create", "orders.create"), ("class", "orders.items.class"),
    ("orders.creat", "orders.create"), ("nobody-knows", None), ("", None),
)  # fmt: skip
def test_a_name_that_no_route_has_gets_the_one_that_was_meant(name: str, meant: str | None) -> None:
    """A test that calls a route of a group by its bare name fails with a hint."""
    client, awaiting = Client(grouped.api), AsyncClient(grouped.api)
    for reply in (client.call(name, {}), asyncio.run(awaiting.call(name, {}))):
        assert (reply.error, reply.meant) == ("ROUTE_NOT_FOUND", meant)
        assert repr(reply).endswith(f", meant={meant!r})" if meant else "})")
    assert client.get(f"/{name}x").meant is None
    assert client.mcp("ping").meant is None
