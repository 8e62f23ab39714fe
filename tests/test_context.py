"""The context of a call: its name, its id, and what it tells of itself."""

from __future__ import annotations

import asyncio
import contextvars
import pickle
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import falcon.asgi
import pytest

from contract import Limits, Stream, after_commit, mount_spec, route, spec
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.call.calling import calling
from contract.call.context import CURRENT, CallEvent, CallInfo, Reply, current_call
from contract.call.mount_options import Options
from contract.call.process import request_id
from contract.declare.hook import Request
from tests.tables import rows
from tests.wire.exchange import Bare, RawRequest, through_service

TOKEN = "canary-of-the-token"


@pytest.mark.parametrize("sent", ["a", "0", "A-Z.a_z-0.9", "x" * 128])
def test_a_sane_request_id_is_kept(sent: str) -> None:
    assert request_id(sent) == sent


@rows("sent", None, "", " ", "x" * 129, "a b", "a\n", "\na", "ä", "a,b", "a/b", '"', "\x00", "٣")
def test_what_is_not_sane_is_replaced(sent: str | None) -> None:
    made = request_id(sent)

    assert made != sent
    assert request_id(made) == made


def test_new_request_ids_differ() -> None:
    made = [request_id(None) for _ in range(1000)]

    assert len(set(made)) == 1000
    assert len({each.rpartition("-")[0] for each in made}) == 1


def test_there_is_no_call_outside_of_a_call() -> None:
    with pytest.raises(
        LookupError,
        match=r'^no call is running here: .* in a test, write `with contract\.calling\("order"\):` around it; ',
    ):
        current_call()


def test_a_test_may_say_which_call_runs() -> None:
    with calling("order", headers={"X-Tenant": "north"}) as outer:
        assert outer == CallInfo(outer.request_id, "order", "local", {"x-tenant": "north"})
        assert current_call() == outer
        assert current_call().headers["X-Tenant"] == "north"
        with calling("pay", surface="mcp", request_id="id-1"):
            assert current_call() == CallInfo("id-1", "pay", "mcp", {})
        assert current_call() == outer

    assert request_id(outer.request_id) == outer.request_id


def test_a_test_sees_the_headers_that_are_set() -> None:
    with calling("order") as call:
        current_call().headers_out.set("X-Total", "1")
        with calling("pay") as other:
            current_call().headers_out.append("X-Total", "2")

    assert call.headers_out.pairs == (("x-total", "1"),)
    assert other.headers_out.pairs == (("x-total", "2"),)
    assert call.headers_out is call.headers_out


def test_a_call_that_was_made_by_hand_has_no_answer() -> None:
    with pytest.raises(LookupError, match=r"^no call is running here: "):
        _ = CallInfo("id", "order", "http", {}).headers_out


def test_no_call_is_left_behind_by_a_test_that_fails() -> None:
    with pytest.raises(ValueError, match="x"), calling("order"):
        raise ValueError("x")
    with pytest.raises(LookupError):
        current_call()


def test_the_current_call_is_what_runs() -> None:
    found: list[CallInfo] = []

    @route(summary="Look", tags=["t"], auth="none")
    def order(input: None, ctx: None) -> None:
        found.append(current_call())

    headers = (("Authorization", f"Bearer {TOKEN}"), ("X-Request-Id", "id"))
    through_service(service_of(spec(routes=[order])))(RawRequest(target="/order", headers=headers))

    [info] = found
    assert (info.request_id, info.route) == ("id", "order")
    assert (info.surface, info.cancelled) == ("http", False)
    assert info.headers["authorization"] == f"Bearer {TOKEN}"
    assert TOKEN not in repr(info)
    assert repr(info) == "CallInfo('order', 'http', 'id')"


class Middleware:
    async def process_request(self, req: object, resp: object) -> None: ...


def app_of(served: Any, *, inside: bool, limits: Limits = Limits()) -> Any:  # noqa: B008  frozen
    """What serves it alone, or inside an app of Falcon that has middleware."""
    if not inside:
        return AsgiApp(service_of(served, Options(limits=limits)))
    app = falcon.asgi.App(middleware=[Middleware()])
    mount_spec(app, served, limits=limits)
    return app


def posted(path: str, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    scope = {"type": "http", "http_version": "1.1", "method": "POST", "path": path}
    return {**scope, "asgi": {}, "query_string": b"", "headers": [*headers]}


def name_of_call() -> str:
    with suppress(LookupError):
        return current_call().route
    return "no call"


@pytest.mark.parametrize("inside", [False, True], ids=["alone", "falcon with middleware"])
def test_a_call_that_is_over_is_seen_by_no_other_request(inside: bool) -> None:
    """A server may let the next request of a connection see the context of the one before."""
    seen: list[str] = []

    def note() -> None:
        seen.append(name_of_call())

    async def items() -> AsyncIterator[int]:
        note()
        yield 1

    @route(summary="S", tags=["t"], auth="none")
    async def order(input: None, ctx: None) -> None:
        note()

    @route(summary="S", tags=["t"], auth="none")
    async def after(input: None, ctx: None) -> None:
        after_commit(note)

    @route(summary="S", tags=["t"], auth="none")
    async def many(input: None, ctx: None) -> Stream[int]:
        return Stream(items())

    app = app_of(spec(routes=[order, after, many]), inside=inside)

    async def ask(path: str) -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b""}

        async def send(event: object) -> None: ...

        await app(posted(path), receive, send)
        note()

    for path in ("/order", "/after", "/many"):
        asyncio.run(ask(path))
    assert seen == ["order", "no call", "after", "no call", "many", "no call"]


def test_a_call_within_a_call_has_its_id() -> None:
    with calling("order", request_id="r1"), calling("count"):
        assert (current_call().route, current_call().request_id) == ("count", "r1")


def test_a_call_knows_at_once_that_its_client_has_gone() -> None:
    incoming = Bare(RawRequest(), Lanes(Limits()))
    incoming.request_id = "id"
    incoming.route = "order"
    token = CURRENT.set(incoming)
    info = current_call()
    CURRENT.reset(token)

    before = info.cancelled
    incoming.cancelled = True

    assert (before, info.cancelled) == (False, True)
    with calling("order") as other:
        assert not other.cancelled


def test_nothing_shows_a_token_in_its_repr() -> None:
    headers = {"authorization": f"Bearer {TOKEN}"}

    assert repr(Request("POST", "/v1/order", headers)) == "Request(POST '/v1/order')"
    assert TOKEN not in repr(CallInfo("id", "order", "http", headers))
    assert TOKEN not in repr(
        CallEvent("order", "http", "INTERNAL_ERROR", 500, 0.1, "id", ValueError(TOKEN))
    )


def test_a_request_need_not_be_filled_in() -> None:
    assert Request() == Request("POST", "/", {}, None, None)


def test_a_reply_and_an_event_hold_what_they_were_given() -> None:
    error = ValueError()
    reply = Reply(500, "INTERNAL_ERROR", b"{}", (("a", "b"),), error)
    event = CallEvent("order", "http", "OK", 200, 0.1, "id")

    assert (reply.status, reply.code, reply.body) == (500, "INTERNAL_ERROR", b"{}")
    assert (reply.headers, reply.exception, reply.cause) == ((("a", "b"),), error, error)
    assert pickle.loads(pickle.dumps(event)) == event


@pytest.mark.parametrize("inside", [False, True], ids=["alone", "falcon with middleware"])
@pytest.mark.parametrize("asynchronous", [False, True], ids=["thread", "task"])
@pytest.mark.parametrize("ending", ["deadline", "client"])
def test_a_call_that_nobody_waits_for_is_seen_only_by_what_goes_on_with_it(
    ending: str, asynchronous: bool, inside: bool
) -> None:
    """
    Servers let the next request of a connection see the context in which they were last asked.

    uvicorn reads on in a copy of the context that first asked for a body, and makes the task of a
    pipelined request in one of that of the answer.
    """
    answered, told = threading.Event(), threading.Event()
    contexts: list[contextvars.Context] = []
    seen: list[str] = []

    def note() -> None:
        seen.append(name_of_call())

    @route(summary="S", tags=["t"], auth="none")
    def slow(input: None, ctx: None) -> None:
        begun.set()
        answered.wait()
        note()
        told.set()

    @route(summary="S", tags=["t"], auth="none")
    async def stubborn(input: None, ctx: None) -> None:
        begun.set()
        while not answered.is_set():
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0.001)
        note()
        told.set()

    begun = threading.Event()
    served = spec(routes={"slow": stubborn if asynchronous else slow})
    limits = Limits(deadline_seconds=0.1 if ending == "deadline" else 1)
    app = app_of(served, inside=inside, limits=limits)

    async def ask() -> None:
        sent: list[Any] = []
        asked = 0

        async def receive() -> dict[str, Any]:
            nonlocal asked
            asked += 1
            contexts.append(contextvars.copy_context())
            if asked == 1:
                await asyncio.sleep(0)
                return {"type": "http.request", "body": b"null"}
            while not (ending == "client" and begun.is_set()):
                await asyncio.sleep(0.001)
            return {"type": "http.disconnect"}

        async def send(event: Any) -> None:
            sent.append(event)

        headers = [(b"content-type", b"application/json"), (b"content-length", b"4")]
        await app(posted("/slow", *headers), receive, send)
        contexts.append(contextvars.copy_context())
        for context in contexts:
            context.run(note)
        answered.set()
        while not told.is_set():
            await asyncio.sleep(0.001)

        assert sent[0]["status"] == (504 if ending == "deadline" else 499)

    asyncio.run(ask())
    assert len(contexts) > 2
    assert seen == ["no call"] * len(contexts) + ["slow"]
