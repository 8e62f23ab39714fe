"""The headers and cookies that a call sets for its answer, over every transport and lane."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextvars import copy_context
from dataclasses import dataclass
from threading import Thread
from typing import Any, Literal

import orjson
import pytest

import contract
from tests.wire.exchange import FALCON, JSON, Exchange, RawRequest, Transport, serve
from tests.wire.lanes import DOORS, RUNS, Door, Runs, let_in

Which = Literal[
    "good", "plain", "gone", "slow down", "not found", "raise", "wrong", "late", "reset"
]


class Gone(contract.Failure, status=410):
    """It was sold."""


def act(which: Which) -> Any:
    """Set headers, and come to the outcome that is asked for."""
    if which == "plain":
        return which
    out = contract.current_call().headers_out
    out.set("X-Total", "1")
    out.append("Link", "</1>; rel=next")
    contract.current_call().headers_out.append("Link", "</9>; rel=last")
    out.set_cookie("session", "canary", max_age=60)
    out.set_cookie("theme", "dark", secure=False, http_only=False, same_site="strict")
    if which == "raise":
        raise RuntimeError("x")
    if which == "reset":
        out.set("X-Total\r\nset-cookie: a=b", "1")
    return OUTCOMES.get(which, which)


OUTCOMES = {
    "gone": Gone(),
    "slow down": contract.TooManyRequests(retry_after=7),
    "not found": contract.NotFound(),
    "wrong": 1,
}


@dataclass(frozen=True)
class Act:
    which: Which


Outcome = str | Gone | contract.TooManyRequests | contract.NotFound


def here(input: Act, ctx: object) -> Outcome:
    if input.which == "late":
        time.sleep(0.2)
    return act(input.which)  # type: ignore[no-any-return]


async def on_loop(input: Act, ctx: object) -> Outcome:
    await asyncio.sleep(0.2 if input.which == "late" else 0)
    return act(input.which)  # type: ignore[no-any-return]


def authenticate(token: str, request: contract.Request) -> str | contract.NotFound | None:
    contract.current_call().headers_out.set("X-Hook", "1")
    if token == "hidden":
        return contract.NotFound()
    return None if token == "bad" else token


def make(door: Door, runs: Runs) -> contract.Spec[str]:
    auth: Any = "none" if door == "public" else "bearer"
    act_on: Any = on_loop if runs == "async" else here
    options: dict[str, Any] = {"summary": "Act", "tags": ["t"], "mcp": True, "name": "act"}
    decorate: Any = contract.route
    made: Any = decorate(auth=auth, inline=runs == "inline", **options)(act_on)
    return let_in(door, authenticate, made)


def asking(which: str, token: str = "good", *more: tuple[str, str]) -> RawRequest:
    headers = (JSON, ("Authorization", f"Bearer {token}"), ("X-Request-Id", "id-1"), *more)
    return RawRequest(target="/v1/act", headers=headers, body=orjson.dumps({"which": which}))


FIXED = {
    "content-type": "application/json",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "x-request-id": "id-1",
}
SET = [
    ("link", "</1>; rel=next, </9>; rel=last"),
    ("set-cookie", "session=canary; Max-Age=60; Path=/; Secure; HttpOnly; SameSite=Lax"),
    ("set-cookie", "theme=dark; Path=/; SameSite=Strict"),
    ("x-total", "1"),
]
HOOK = [("x-hook", "1")]


def told(exchange: Exchange, request: RawRequest) -> tuple[int, list[tuple[str, str]]]:
    """The status, and the headers that are not those of every answer."""
    response = exchange(request)
    headers = dict(response.headers)
    assert headers | FIXED == headers
    assert headers.get("content-length", str(len(response.body))) == str(len(response.body))
    others = FIXED.keys() | {"content-length"}
    return response.status, sorted(pair for pair in response.headers if pair[0] not in others)


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("deadline", [None, 20.0])
def test_what_is_set_goes_out_on_every_lane(
    transport: Transport, door: Door, runs: Runs, deadline: float | None
) -> None:
    exchange = serve(transport, make(door, runs), limits=contract.Limits(deadline_seconds=deadline))
    hook = [] if door == "public" else HOOK

    assert told(exchange, asking("plain")) == (200, hook)
    assert told(exchange, asking("good")) == (200, sorted(hook + SET))
    assert told(exchange, asking("gone")) == (410, sorted(hook + SET))
    assert told(exchange, asking("not found")) == (404, sorted(hook + SET))
    slow = sorted([*hook, *SET, ("retry-after", "7")])
    assert told(exchange, asking("slow down")) == (429, slow)
    for broken in ("raise", "wrong", "reset"):
        assert told(exchange, asking(broken)) == (500, [])
    assert told(exchange, asking("no such input")) == (400, hook)
    assert told(exchange, asking("plain")) == (200, hook)


@pytest.mark.parametrize("door", [door for door in DOORS if door != "public"])
def test_who_lets_calls_in_sets_headers_of_refusals(transport: Transport, door: Door) -> None:
    exchange = serve(transport, make(door, "sync"))
    challenge = ("www-authenticate", 'Bearer realm="Contract API", error="invalid_token"')

    assert told(exchange, asking("good", "hidden")) == (404, HOOK)
    assert told(exchange, asking("good", "bad")) == (401, [challenge, *HOOK])


PLACES = ("sync", "inline", "async")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("late", [False, True])
def test_hooks_set_headers_of_what_they_refuse_and_of_what_they_let_pass(
    transport: Transport, place: str, late: bool
) -> None:
    def limit(call: Any) -> contract.TooManyRequests | None:
        contract.current_call().headers_out.set("X-Limit", "9")
        return (
            contract.TooManyRequests(retry_after=7)
            if call.headers.get("x-which") == "wait"
            else None
        )

    async def limit_later(call: Any) -> contract.TooManyRequests | None:
        return limit(call)

    stop: Any = limit_later if place == "async" else limit
    seen = contract.Call[object, Act] if late else contract.Call[object]
    stop.__annotations__ = {"call": seen, "return": contract.TooManyRequests | None}
    made = contract.hook(inline=True)(stop) if place == "inline" else contract.hook(stop)
    guarded: Any = contract.route(summary="Act", tags=["t"], auth="none", name="act", hooks=[made])(
        here
    )
    exchange = serve(transport, contract.spec(routes=[guarded]))

    limited = [("x-limit", "9")]
    assert told(exchange, asking("plain")) == (200, limited)
    assert told(exchange, asking("gone")) == (410, sorted(limited + SET))
    assert told(exchange, asking("raise")) == (500, [])
    waiting = [("retry-after", "7"), *limited]
    assert told(exchange, asking("plain", "good", ("X-Which", "wait"))) == (429, waiting)


@pytest.mark.parametrize("runs", ["sync", "async"])
def test_a_call_that_is_late_has_no_say(transport: Transport, runs: Runs) -> None:
    exchange = serve(transport, make("sync", runs), limits=contract.Limits(deadline_seconds=0.05))

    assert told(exchange, asking("late")) == (504, [])


@pytest.mark.parametrize("name", sorted(FALCON))
def test_middleware_sees_and_adds_to_what_is_set(name: Transport) -> None:
    seen: list[str | None] = []

    class Middleware:
        def process_response(self, req: Any, resp: Any, resource: Any, succeeded: bool) -> None:
            seen.append(resp.get_header("x-total"))
            resp.append_header("link", "</0>; rel=first")
            resp.set_cookie("own", "1")

        async def process_response_async(self, *args: Any) -> None:
            self.process_response(*args)

    exchange = serve(name, make("public", "sync"), middleware=[Middleware()])
    status, headers = told(exchange, asking("good"))

    assert (status, seen) == (200, ["1"])
    assert ("link", "</1>; rel=next, </9>; rel=last, </0>; rel=first") in headers
    found = [value[:7] for key, value in headers if key == "set-cookie"]
    assert found == ["own=1; ", "session", "theme=d"]


def test_values_of_a_call_have_their_say_until_they_end(transport: Transport) -> None:
    @contract.provide
    def session() -> Iterator[str]:
        yield "s"
        contract.current_call().headers_out.set("X-Committed", "1")
        if contract.current_call().headers.get("x-which") == "fails":
            raise RuntimeError("no commit")

    def resolve(input: Act, ctx: None) -> str:
        contract.current_call().headers_out.set("X-Total", "1")
        return session()

    made = contract.route(summary="Act", tags=["t"], auth="none", name="act")(resolve)
    exchange = serve(transport, contract.spec(routes=[made]))

    assert told(exchange, asking("good")) == (200, [("x-committed", "1"), ("x-total", "1")])
    assert told(exchange, asking("good", "good", ("X-Which", "fails"))) == (500, [])


def test_pages_may_read_what_is_set(transport: Transport) -> None:
    exchange = serve(transport, make("public", "sync"), cors_origins=["https://app.example"])
    page = ("Origin", "https://app.example")

    def exposed(which: str, *more: tuple[str, str]) -> str | None:
        response = exchange(asking(which, "good", *more))
        assert response.header("vary") == "Origin"
        return response.header("access-control-expose-headers")

    both = "x-request-id, retry-after"
    assert exposed("good", page) == f"{both}, x-total, link"
    assert exposed("gone", page) == f"{both}, x-total, link"
    assert exposed("plain", page) == both
    assert exposed("raise", page) == both
    assert exposed("good") is None


def test_a_stream_has_each_header_once(transport: Transport) -> None:
    def count(input: None, ctx: None) -> contract.Stream[int]:
        contract.current_call().headers_out.set("X-Accel-Buffering", "yes")
        contract.current_call().headers_out.set("X-Total", "1")
        return contract.Stream(iter([1]))

    made = contract.route(summary="Count", tags=["t"], auth="none")(count)
    response = serve(transport, contract.spec(routes=[made]))(
        RawRequest(target="/v1/count", headers=())
    )

    sent = [pair for pair in response.headers if pair[0] in ("x-accel-buffering", "x-total")]
    assert sorted(sent) == [("x-accel-buffering", "no"), ("x-total", "1")]


def test_threads_of_a_call_share_what_is_set(transport: Transport) -> None:
    def count(at: int) -> None:
        contract.current_call().headers_out.append("X-Thread", str(at))

    def share(input: None, ctx: None) -> None:
        threads = [Thread(target=copy_context().run, args=(count, at)) for at in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    made = contract.route(summary="S", tags=["t"], auth="none")(share)
    response = serve(transport, contract.spec(routes=[made]))(
        RawRequest(target="/v1/share", headers=())
    )

    assert sorted((response.header("x-thread") or "").split(", ")) == list("01234567")


def test_an_mcp_client_gets_none_of_it(transport: Transport) -> None:
    exchange = serve(transport, make("sync", "sync"))
    call = {"name": "act", "arguments": {"which": "good"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = (JSON, ("Authorization", "Bearer good"), ("Accept", "application/json"))
    request = RawRequest(target="/v1/mcp", headers=headers, body=orjson.dumps(message))
    response = exchange(request)

    assert response.json()["result"]["structuredContent"] == {"result": "good"}
    assert not {"x-total", "x-hook", "link", "set-cookie"} & {name for name, _ in response.headers}


def test_neither_log_nor_event_holds_a_cookie(
    transport: Transport, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    events: list[contract.CallEvent] = []
    exchange = serve(transport, make("public", "sync"), on_call=events.append)
    for which in ("good", "gone", "raise", "reset"):
        exchange(asking(which))

    assert [event.status for event in events] == [200, 410, 500, 500]
    assert "canary" not in caplog.text + repr(events)
    told = "headers_out.set(name=): 'X-Total\\r\\nset-cookie: a=b' is not a valid header name"
    assert told in caplog.text
