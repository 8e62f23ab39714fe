"""Batches: several messages in one body, as revision 2025-03-26 has them."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Generator
from dataclasses import dataclass
from types import coroutine
from typing import Any

import orjson

import contract
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.call.mount_options import Options
from contract.mcp.answers import Answer
from tests.mcp.talk import META, MODERN, Talk, error
from tests.tables import rows
from tests.wire.exchange import IN_THREADS, JSON, RawRequest, Transport, abandon, scope_of, serve

COLOUR: contextvars.ContextVar[str] = contextvars.ContextVar("colour", default="none")
ran: list[str] = []


@dataclass(frozen=True)
class Turns:
    turns: int = 0


def paint() -> str:
    """The colour that this call found, and the route that it is of; it leaves another colour behind."""
    was = COLOUR.get()
    COLOUR.set("green")
    contract.progress(1)
    ran.append(contract.current_call().route)
    return f"{was} {contract.current_call().route}"


@contract.route(summary="Paint", tags=["t"], auth="none", mcp=True)
def sync(input: None, ctx: None) -> str:
    return paint()


@contract.route(summary="Paint", tags=["t"], auth="none", mcp=True)
async def later(input: None, ctx: None) -> str:
    return paint()


ended: list[str] = []
"""The colours and the routes of calls that were ended from outside."""


@coroutine
def turn() -> Generator[None]:
    """Wait for one turn of whatever steps this call."""
    yield


@contract.route(summary="Wait", tags=["t"], auth="none", mcp=True)
async def wait(input: Turns, ctx: None) -> str:
    found = paint()
    try:
        for _ in range(input.turns):
            await turn()
            found += f", {COLOUR.get()} {contract.current_call().route}"
    except BaseException as exception:
        ended.append(f"{type(exception).__name__}: {COLOUR.get()} {contract.current_call().route}")
        raise
    return found


@contract.route(summary="Break", tags=["t"], auth="none", mcp=True)
def broken(input: None, ctx: None) -> str:
    raise RuntimeError("canary")


@contract.route(summary="Who", tags=["t"], mcp=True)
def me(input: None, ctx: str) -> str:
    ran.append("me")
    return ctx


hooked: list[str] = []


def authenticate(token: str, request: contract.Request) -> str | contract.Forbidden | None:
    hooked.append(contract.current_call().route)
    return contract.Forbidden() if token == "forbidden" else token if token == "good" else None


API: contract.Spec[str] = contract.spec(
    authenticate=authenticate, routes=contract.routes(sync, later, wait, broken, me)
)
TALK = Talk(API)
CONNECT = Talk(API, mcp_challenge="connect")


def call(name: object, tool: str, **meta: Any) -> dict[str, Any]:
    params = {"name": tool, "_meta": meta}
    return {"jsonrpc": "2.0", "id": name, "method": "tools/call", "params": params}


def waiting(name: object, turns: int) -> dict[str, Any]:
    found = call(name, "wait")
    found["params"]["arguments"] = {"turns": turns}
    return found


def ping(name: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": name, "method": "ping"}


NOTE: dict[str, Any] = {"jsonrpc": "2.0", "method": "notifications/initialized"}
RESPONSE: dict[str, Any] = {"jsonrpc": "2.0", "id": 9, "result": {}}


def post(
    messages: list[Any], version: str | None = None, talk: Talk = TALK, token: str | None = None
) -> Answer:
    headers = {} if version is None else {"mcp-protocol-version": version}
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    ran.clear()
    hooked.clear()
    return talk.post(orjson.dumps(messages), headers)


def answers_in(answer: Answer) -> list[Any]:
    """For each answer its id, and what is in it."""
    assert ("content-type", "application/json") in answer.headers
    found = []
    for each in orjson.loads(answer.body):
        result = each.get("result", {})
        content = each["error"]["code"] if "error" in each else result
        found.append((each.get("id"), result.get("structuredContent", content)))
    return found


@rows("version", None, "2025-03-26")
def test_each_request_of_a_batch_is_answered_by_its_id(version: str | None) -> None:
    unknown = {"jsonrpc": "2.0", "id": 3, "method": "x"}
    calls = call("a", "sync"), call(2, "nobody")
    messages = [ping(1), NOTE, calls[0], RESPONSE, calls[1], unknown, 7, {"id": 4}]
    answer = post(messages, version)

    assert answer.status == 200
    refused = [(2, -32602), (3, -32601), (None, -32600), (4, -32600)]
    assert answers_in(answer) == [(1, {}), ("a", {"result": "none sync"}), *refused]
    codes = ["OK"] * 4 + ["ROUTE_NOT_FOUND"] * 2 + ["BAD_REQUEST"] * 2
    assert [part.code for part in answer.parts] == codes


@rows("version", "2024-11-05", "2025-06-18", "2025-11-25", MODERN, "1999-01-01")
def test_no_other_revision_has_batches(version: str) -> None:
    answer = post([call(1, "sync")], version)

    assert error(answer) == (400, -32600)
    assert ran == []


def test_a_message_that_says_that_it_is_of_another_revision_is_no_part_of_one() -> None:
    assert answers_in(post([call(1, "sync", **META), ping(2)])) == [(1, -32600), (2, {})]


def test_initialize_is_no_part_of_a_batch() -> None:
    initialize = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}

    assert answers_in(post([initialize, ping(2)])) == [(1, -32600), (2, {})]


@rows("count", 0, 21)
def test_a_batch_has_a_size(count: int) -> None:
    assert error(post([call(1, "sync")] * count)) == (400, -32600)
    assert ran == []
    assert len(answers_in(post([call(1, "sync")] * 20))) == 20


def test_a_batch_of_notifications_is_202_and_nothing_is_said() -> None:
    answer = post([NOTE, RESPONSE, NOTE])

    assert (answer.status, answer.body, len(answer.parts)) == (202, b"", 3)


def test_a_batch_within_a_batch_is_no_message() -> None:
    assert answers_in(post([[ping(1)]])) == [(None, -32600)]


def test_of_progress_in_a_batch_nothing_is_answers_in() -> None:
    assert answers_in(post([call(1, "sync", progressToken="t")])) == [(1, {"result": "none sync"})]


def test_the_selection_of_a_url_holds_for_each_message() -> None:
    answer = TALK.post(orjson.dumps([call(1, "sync"), call(2, "later")]), query="tools=later")

    assert [each for each, _ in answers_in(answer)] == [1, 2]
    assert answers_in(answer)[0] == (1, -32602)


@rows("talk", TALK, CONNECT)
@rows("token", None, "bad")
def test_a_batch_whose_token_is_refused_is_not_begun(talk: Talk, token: str | None) -> None:
    """What was done before it would be done again, once the client has another token."""
    answer = post([call(1, "sync"), NOTE, call(2, "me")], talk=talk, token=token)

    assert answer.status == 401
    assert "www-authenticate" in dict(answer.headers)
    assert answers_in(answer) == [(1, -32001), (2, -32001)]
    assert (ran, answer.parts, answer.code) == ([], (), "UNAUTHORIZED")


def test_notifications_alone_may_be_refused_too() -> None:
    assert error(post([NOTE, NOTE], talk=CONNECT)) == (401, -32001)


def test_each_message_of_a_batch_has_a_context_of_its_own_from_the_hook() -> None:
    answer = post([call(1, "me"), call(2, "sync"), call(3, "me")], token="good")

    found = answers_in(answer)
    assert found == [(1, {"result": "good"}), (2, {"result": "none sync"}), (3, {"result": "good"})]
    assert hooked == ["me", "me", "me"]


def test_a_batch_where_everything_needs_a_token_is_let_in_by_one() -> None:
    answer = post([NOTE, ping(1), call(2, "sync")], talk=CONNECT, token="good")

    assert answers_in(answer) == [(1, {}), (2, {"result": "none sync"})]


def asked(body: bytes) -> RawRequest:
    headers = (JSON, ("Accept", "application/json, text/event-stream"))
    return RawRequest(target="/mcp", headers=headers, body=body)


def test_each_message_of_a_batch_is_a_call_of_its_own(transport: Transport) -> None:
    """It has a context of its own, and is told of by itself."""
    events: list[contract.CallEvent] = []
    tools = ["sync", "later", "broken", "later", "sync"]
    before = COLOUR.set("red")
    body = orjson.dumps([call(number, tool) for number, tool in enumerate(tools)])
    exchange = serve(transport, API, prefix="", on_call=events.append)
    found = exchange(asked(body)).json()
    COLOUR.reset(before)

    colours = [each["result"].get("structuredContent", {}).get("result") for each in found]
    assert [each["id"] for each in found] == [0, 1, 2, 3, 4]
    sent = (
        "none" if transport in IN_THREADS else "red"
    )  # calls are answered in threads of the server
    assert colours == [f"{sent} sync", f"{sent} later", None, f"{sent} later", f"{sent} sync"]
    for event, tool in zip(events, tools, strict=True):
        broke = tool == "broken"
        assert (event.tool, event.code) == (tool, "INTERNAL_ERROR" if broke else "OK")
        assert (event.exception is None) is not broke
    assert len({event.request_id for event in events}) == 1


def test_a_message_that_waits_finds_its_own_context_again() -> None:
    answer = post([waiting(1, 2), call(2, "later"), waiting(3, 1)])
    results = "none wait, green wait, green wait", "none later", "none wait, green wait"

    found = [(number, {"result": result}) for number, result in enumerate(results, 1)]
    assert answers_in(answer) == found


def test_a_batch_that_is_ended_from_outside_ends_the_message_that_runs() -> None:
    """A server that stops cancels its tasks; a loop that is closed closes what is left."""
    events: list[contract.CallEvent] = []
    app = AsgiApp(service_of(API, Options(on_call=events.append)))
    body = asked(orjson.dumps([call(1, "later"), waiting(2, 1_000_000), call(3, "later")]))
    ran.clear()
    ended.clear()
    abandon(app, body)
    assert ended == ["CancelledError: green wait"]
    assert [(event.tool, event.code) for event in events] == [("wait", "CANCELLED")]

    async def receive() -> Any:
        return {"type": "http.request", "body": body.body, "more_body": False}

    async def send(event: Any) -> None:
        raise AssertionError

    async def leave() -> None:
        left = app(scope_of(body), receive, send)
        left.send(None)
        left.close()

    asyncio.run(leave())
    assert ended[1:] == ["GeneratorExit: green wait"]
    assert ran == ["later", "wait"] * 2
    assert len(events) == 1
