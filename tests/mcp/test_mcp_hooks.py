"""Hooks stand before the call of a tool, in the same order of answers as over HTTP."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import orjson
import pytest

import contract
from tests.mcp.talk import called, written
from tests.tables import rows
from tests.wire.exchange import JSON, RawRequest, RawResponse, Transport, serve

BOTH = ("Accept", "application/json, text/event-stream")
RAN: list[str] = []


class Closed(contract.Failure, status=423):
    """The shop is closed."""


class TooLarge(contract.Failure, status=422):
    """Ask for an offer."""


@dataclass(frozen=True)
class Order:
    count: int = 1


def _ran(name: str, call: contract.Call[object, Any]) -> bool:
    RAN.append(name)
    assert (contract.current_call().surface, contract.current_call().request_id) == (
        "mcp",
        call.request_id,
    )
    assert contract.current_call().route == call.route
    return call.headers.get("x-stop") == name


@contract.hook
def early(call: contract.Call[object]) -> Closed | None:
    return Closed() if _ran("early", call) else None


@contract.hook
async def early_later(call: contract.Call[object]) -> contract.TooManyRequests | None:
    await asyncio.sleep(0)
    return contract.TooManyRequests(retry_after=3) if _ran("early_later", call) else None


@contract.hook
def late(call: contract.Call[object, Order]) -> TooLarge | None:
    return TooLarge() if _ran("late", call) or call.input.count > 9 else None


@contract.hook
async def of_user(call: contract.Call[str]) -> Closed | None:
    return Closed() if _ran(call.ctx, call) else None


before = contract.hooks(early, early_later, late)


@contract.route(summary="Order", tags=["t"], auth="none", mcp=True, hooks=before)
def order(input: Order, ctx: None) -> int:
    RAN.append("order")
    return input.count


@contract.route(summary="Order, async", tags=["t"], auth="none", mcp=True, hooks=before)
async def order_async(input: Order, ctx: None) -> int:
    RAN.append("order_async")
    return input.count


@contract.route(summary="Me", tags=["t"], mcp=True, hooks=contract.hooks(of_user, late))
def me(input: Order, ctx: str) -> str:
    RAN.append("me")
    return ctx


def authenticate(token: str, request: contract.Request) -> str | None:
    return None if token == "bad" else token


API = contract.spec(authenticate=authenticate, routes=contract.routes(order, order_async, me))
EVENTS: list[contract.CallEvent] = []
SLOW_DOWN = {"error": "TOO_MANY_REQUESTS", "data": {"retry_after": 3}}


def calling(tool: str, arguments: Any = None, *headers: tuple[str, str], **meta: Any) -> RawRequest:
    return sent(written("tools/call", called(tool, arguments, **meta)), *headers)


def sent(body: bytes, *headers: tuple[str, str]) -> RawRequest:
    return RawRequest(target="/v1/mcp", headers=(JSON, BOTH, *headers), body=body)


def exchanged(transport: Transport, request: RawRequest, **options: Any) -> RawResponse:
    RAN.clear()
    EVENTS.clear()
    return serve(transport, API, on_call=EVENTS.append, logging=False, **options)(request)


def failed(response: RawResponse) -> Any:
    """What the result of a call that failed holds."""
    result = response.json()["result"]
    assert (response.status, result["isError"]) == (200, True)
    return orjson.loads(result["content"][0]["text"])


@rows("tool", "order", "order_async")
def test_hooks_run_before_a_tool(transport: Transport, tool: str) -> None:
    response = exchanged(transport, calling(tool, {"count": 3}))

    assert response.json()["result"]["structuredContent"] == {"result": 3}
    assert ["early", "early_later", "late", tool] == RAN
    assert [(event.code, event.tool) for event in EVENTS] == [("OK", tool)]


@pytest.mark.unwatched
@rows("tool", "order", "order_async")
@rows(
    "stops, arguments, answer, ran",
    ("early", {}, {"error": "CLOSED"}, ["early"]),
    ("early", {"count": "x"}, {"error": "CLOSED"}, ["early"]),
    ("early", [], {"error": "CLOSED"}, ["early"]),
    ("early_later", {}, SLOW_DOWN, ["early", "early_later"]),
    ("late", {}, {"error": "TOO_LARGE"}, ["early", "early_later", "late"]),
    ("", {"count": 10}, {"error": "TOO_LARGE"}, ["early", "early_later", "late"]),
)
def test_what_a_hook_returns_is_the_result(
    transport: Transport, tool: str, stops: str, arguments: Any, answer: Any, ran: list[str]
) -> None:
    response = exchanged(transport, calling(tool, arguments, ("X-Stop", stops)))

    assert failed(response) == answer
    assert ran == RAN
    found = [(event.code, event.tool, event.surface) for event in EVENTS]
    assert found == [(answer["error"], tool, "mcp")]


def test_hooks_without_the_input_run_before_it_is_looked_at(transport: Transport) -> None:
    response = exchanged(transport, calling("order", {"count": "x"}, ("X-Stop", "late")))

    assert failed(response)["error"] == "VALIDATION_ERROR"
    assert RAN == ["early", "early_later"]

    response = exchanged(transport, calling("order", [], ("X-Stop", "late")))

    assert response.json()["error"]["message"] == "params.arguments is not an object."
    assert RAN == ["early", "early_later"]


@rows("token", None, "bad")
def test_a_token_is_asked_for_before_any_hook(transport: Transport, token: str | None) -> None:
    headers = [("Authorization", f"Bearer {token}")] if token else []
    response = exchanged(transport, calling("me", {}, *headers))

    assert response.status == 401
    assert RAN == []


def test_a_hook_gets_the_context(transport: Transport) -> None:
    token = ("Authorization", "Bearer ada")

    found = failed(exchanged(transport, calling("me", {}, token, ("X-Stop", "ada"))))
    assert found == {"error": "CLOSED"}
    response = exchanged(transport, calling("me", {}, token))
    assert response.json()["result"]["structuredContent"] == {"result": "ada"}
    assert RAN == ["ada", "late", "me"]


def test_a_public_tool_has_no_context_where_every_request_has_a_token(transport: Transport) -> None:
    token = ("Authorization", "Bearer ada")
    response = exchanged(transport, calling("order", {}, token), mcp_challenge="connect")

    assert response.json()["result"]["structuredContent"] == {"result": 1}
    assert RAN == ["early", "early_later", "late", "order"]


def test_only_calls_of_tools_pass_hooks(transport: Transport) -> None:
    response = exchanged(transport, sent(written("tools/list")))
    tools = response.json()["result"]["tools"]

    assert [tool["name"] for tool in tools] == ["order", "order_async", "me"]
    assert RAN == []
    for code in ("CLOSED", "TOO_MANY_REQUESTS", "TOO_LARGE"):
        assert code in tools[0]["description"]


def test_hooks_run_for_each_call_of_a_batch(transport: Transport) -> None:
    calls = [written("tools/call", called(tool, {})) for tool in ("order", "order_async")]
    headers = [("MCP-Protocol-Version", "2025-03-26"), ("X-Stop", "early_later")]
    response = exchanged(transport, sent(b"[%b]" % b",".join(calls), *headers))

    assert [each["result"]["isError"] for each in response.json()] == [True, True]
    assert RAN == ["early", "early_later"] * 2


def test_progress_is_told_by_a_tool_behind_hooks(transport: Transport) -> None:
    response = exchanged(transport, calling("order", {"count": 10}, progressToken="t"))

    assert b"TOO_LARGE" in response.body
    assert RAN == ["early", "early_later", "late"]
