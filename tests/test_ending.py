"""The end of a call's values where the call itself does not come to its end, and what follows it."""

from __future__ import annotations

import asyncio
import http.client
import socket
import sqlite3
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import closing, contextmanager, suppress
from contextvars import copy_context
from pathlib import Path
from typing import Any, TypedDict, cast

import falcon
import falcon.asgi
import falcon.testing
import orjson
import pytest

import contract
from contract.adapters.asgi import AsgiApp
from contract.adapters.hops import Kept, hopping
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.adapters.wsgi import WsgiApp
from contract.adapters.wsgi_calls import WsgiIncoming
from contract.call.message import Response
from contract.call.mount_options import Limits, Options
from contract.call.values import ANYWHERE, ON_LOOP, Values
from contract.cli.bounds import Bounds
from contract.cli.signals import Draining
from contract.cli.wsgi_server import Server
from contract.testing import AsyncClient, Client, Reply, check_route
from tests.cli_servers import until as wait_until
from tests.tables import rows
from tests.test_provided import (
    EVERY_WAY,
    Way,
    anybody,
    errors,
    later,
    over_asgi,
    post,
    said,
    session,
    user_of,
    user_of_later,
)
from tests.wire.exchange import Bare, Door, RawRequest, through_server

TIMED_OUT = "TimeoutError the deadline of the call has passed"


@pytest.fixture(autouse=True)
def _fresh() -> None:
    said.clear()


class SoldOut(contract.Failure, status=409):
    """Every copy is sold."""


class Which(TypedDict):
    x: str


GATE = threading.Event()


@pytest.fixture(autouse=True)
def _gate() -> Iterator[None]:
    GATE.clear()
    yield
    GATE.set()


@contract.route(summary="Waits in a thread", tags=["t"])
def waits(input: str, ctx: str) -> str:
    session()
    said.append("waits")
    GATE.wait()
    return input


@contract.route(summary="Waits on the loop", tags=["t"])
async def waits_later(input: str, ctx: str) -> str:
    await later()
    said.append("waits")
    await asyncio.Event().wait()
    return input


PLAIN = contract.spec(authenticate=anybody, routes=contract.routes(waits, waits_later))
HOOKED = contract.spec(authenticate=user_of, routes=contract.routes(waits, waits_later))
HOOKED_LATER = contract.spec(authenticate=user_of_later, routes=contract.routes(waits, waits_later))


async def until(*words: str) -> None:
    while not set(words) <= set(said):
        await asyncio.sleep(0.001)


def until_now(*words: str) -> None:
    while not set(words) <= set(said):
        threading.Event().wait(0.001)


def kept() -> int:
    """How many threads of pools have something to do."""
    return sum(
        1
        for pool_of in POOLS
        for pool in (pool_of.lanes.hooks, pool_of.lanes.routes)
        if len(pool._room) < pool._threads + pool._queue
    )


POOLS: list[AsgiApp | WsgiApp] = []


def idle() -> None:
    """Wait until no thread is kept any more."""
    while kept():
        threading.Event().wait(0.001)
    POOLS.clear()


async def asked(app: Any, name: str, *, slow: bool = False) -> list[Any]:
    """What is sent for a call."""
    sent: list[Any] = []
    body = [b'"x"']

    async def receive() -> dict[str, Any]:
        if slow:
            await asyncio.sleep(0.01)
        if body:
            return {"type": "http.request", "body": body.pop()}
        return await asyncio.Future()

    async def send(event: Any) -> None:
        sent.append(event)

    await app(post(f"/{name}", HEADERS), receive, send)
    return sent


JSON = [(b"content-type", b"application/json"), (b"content-length", b"3")]
HEADERS = [(b"authorization", b"Bearer t"), *JSON]


def serving(api: contract.Spec[Any], **limits: Any) -> AsgiApp:
    app = AsgiApp(service_of(api, Options(limits=contract.Limits(**limits))))
    POOLS.append(app)
    return app


async def cancelled(calling: Coroutine[Any, Any, object], word: str) -> None:
    """Cancel a call once *word* is said."""
    task = asyncio.create_task(calling)
    await until(word)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    GATE.set()


APIS = pytest.mark.parametrize("api", [PLAIN, HOOKED, HOOKED_LATER], ids=["", "sync", "async"])
SLOW = pytest.mark.parametrize("slow", [False, True], ids=["one hop", "two hops"])


@APIS
@rows("slow", False, True, None, ids=["one hop", "two hops", "wsgi"])
@pytest.mark.parametrize("name", ["waits", "waits_later"])
def test_a_deadline_is_thrown_in(api: contract.Spec[Any], name: str, slow: bool | None) -> None:
    options = Options(limits=contract.Limits(deadline_seconds=0.1))
    if slow is None:
        client = Client(api, options=options, token="t")
        POOLS.append(client._app)
        assert client.call(name, "x").status == 504
    else:
        sent = asyncio.run(asked(serving(api, deadline_seconds=0.1), name, slow=slow))
        assert sent[0]["status"] == 504
        assert "commit" not in said
    GATE.set()
    assert_rolled_back(TIMED_OUT, cancelled=slow is not None and name == "waits_later")
    idle()


def assert_rolled_back(cause: str, *, cancelled: bool) -> None:
    """Each value that was made is rolled back, because of this or of a cancellation."""
    begun = [word for word in said if word.startswith("begin")]
    while sum(1 for word in said if word.startswith("rollback")) < len(begun):
        threading.Event().wait(0.001)
    ends = {word for word in said if word.startswith(("rollback", "commit"))}
    reasons = {cause, "CancelledError"} if cancelled else {cause}
    assert ends <= {f"rollback{kind} {why}" for kind in ("", " later") for why in reasons}


@APIS
@SLOW
@pytest.mark.parametrize("name", ["waits", "waits_later"])
@pytest.mark.parametrize("deadline", [None, 20.0])
def test_a_cancellation_is_thrown_in(
    api: contract.Spec[Any], name: str, deadline: float | None, *, slow: bool
) -> None:
    app = serving(api, deadline_seconds=deadline)
    asyncio.run(cancelled(asked(app, name, slow=slow), "waits"))
    assert_rolled_back("CancelledError", cancelled=True)
    idle()


@pytest.mark.parametrize("has_some", [False, True])
def test_a_call_that_was_given_up_makes_no_more_values(*, has_some: bool) -> None:
    """Nothing would end those that its thread still asks for."""

    @contract.route(summary="S", tags=["t"])
    def goes_on(input: str, ctx: str) -> str:
        if has_some:
            contract.after_commit(said.append, "after")
        said.append("waits")
        GATE.wait()
        try:
            session()
        except RuntimeError as error:
            said.append(str(error).partition(";")[0])
        finally:
            said.append("asked")
        return input

    api = contract.spec(authenticate=anybody, routes=contract.routes(goes_on))
    asyncio.run(cancelled(asked(serving(api), "goes_on"), "waits"))
    until_now("asked")
    over = "session was asked for after the call of goes_on had ended"
    assert said == ["waits", over, "asked"]


@pytest.mark.parametrize("api", [HOOKED, HOOKED_LATER], ids=["sync", "async"])
@pytest.mark.parametrize("closed", [False, True])
def test_a_call_that_waits_for_its_body_is_cancelled(
    api: contract.Spec[Any], *, closed: bool
) -> None:
    async def run() -> None:
        async def receive() -> Any:
            return await asyncio.Future()

        async def send(event: Any) -> None:
            raise AssertionError("something was sent")

        answering: Any = serving(api)(post("/waits", HEADERS), receive, send)
        task = asyncio.create_task(answering)
        await until("hook")
        while kept() > (api is HOOKED):
            await asyncio.sleep(0.001)
        for _ in range(9):
            await asyncio.sleep(0.001)
        if closed:
            answering.close()
        task.cancel()
        with suppress(asyncio.CancelledError, RuntimeError):
            await task

    asyncio.run(run())
    if api is HOOKED:
        why = "GeneratorExit" if closed else "CancelledError"
        until_now(f"rollback {why}")
    elif not closed:
        assert said == ["begin later", "hook", "rollback later CancelledError"]
    idle()


def test_a_hook_that_is_cancelled_ends_its_values() -> None:
    def slow_hook(token: str, request: contract.Request) -> str:
        session()
        said.append("hook")
        GATE.wait()
        return token

    app = serving(contract.spec(authenticate=slow_hook, routes=contract.routes(waits)))
    asyncio.run(cancelled(asked(app, "waits", slow=True), "hook"))
    until_now("rollback CancelledError")
    idle()


@contract.provide
def slow() -> Iterator[None]:
    yield
    threading.Event().wait(0.3)
    said.append("commit")


@contract.provide
async def slow_later() -> AsyncIterator[None]:
    try:
        yield
        await asyncio.sleep(5.0)
        said.append("commit")
    except asyncio.CancelledError:
        said.append("cancelled")
        raise


@contract.route(summary="S", tags=["t"], auth="none")
def commits(input: str, ctx: None) -> str:
    slow()
    return input


@contract.route(summary="S", tags=["t"], auth="none")
async def commits_later(input: str, ctx: None) -> str:
    await slow_later()
    said.append("returned")
    return input


COMMITS = contract.spec(routes=contract.routes(commits, commits_later))


@EVERY_WAY
def test_a_deadline_does_not_part_a_commit_from_its_answer(way: Way) -> None:
    """In a thread the commit is waited for, and on a loop it is cancelled."""
    limits = contract.Limits(deadline_seconds=0.1)

    assert way(COMMITS, "commits", "x", limits=limits).status == 200
    assert said == ["commit"]
    assert way(COMMITS, "commits_later", "x", limits=limits).status == 504
    until_now("cancelled")
    assert said == ["commit", "returned", "cancelled"]


@EVERY_WAY
def test_a_deadline_does_not_part_the_commit_of_a_kept_thread_from_its_answer(way: Way) -> None:
    """A thread that is kept for the values of a hook is waited for, too."""

    def authenticate(token: str, request: contract.Request) -> str:
        slow()
        return token

    @contract.route(summary="S", tags=["t"])
    async def there(input: str, ctx: str) -> str:
        return input

    api = contract.spec(authenticate=authenticate, routes=contract.routes(there))

    assert way(api, "there", "x", limits=contract.Limits(deadline_seconds=0.1)).status == 200
    assert said == ["commit"]


@contract.provide
async def stubborn() -> AsyncIterator[None]:
    """Neither its commit nor its rollback comes to an end in time."""
    try:
        yield
        await asyncio.sleep(5.0)
    except asyncio.CancelledError:
        await asyncio.sleep(5.0)
        raise


@EVERY_WAY
@pytest.mark.parametrize("inline", [False, True])
def test_a_deadline_that_passes_at_the_end_ends_every_value(way: Way, *, inline: bool) -> None:
    """What was made before the value that is late is rolled back, since the answer is a 504."""

    @contract.route(summary="S", tags=["t"])
    async def there(input: str, ctx: Any) -> str:
        await stubborn()
        contract.after_commit(said.append, "after")
        return input

    api = contract.spec(
        authenticate=user_of, authenticate_inline=inline, routes=contract.routes(there)
    )

    assert way(api, "there", "x", limits=contract.Limits(deadline_seconds=0.1)).status == 504
    until_now(f"rollback {TIMED_OUT}")
    assert said == ["begin", "hook", f"rollback {TIMED_OUT}"]


def test_a_cancelled_commit_is_a_cancelled_call() -> None:
    asyncio.run(cancelled(AsyncClient(COMMITS).call("commits_later", "x"), "returned"))
    assert said == ["returned", "cancelled"]


def test_a_commit_that_is_thrown_away_ends_its_generator() -> None:
    """At the end of a loop what still waits is closed, and can wait for nothing more."""

    @contract.provide
    async def closing_down() -> AsyncIterator[None]:
        yield
        await asyncio.Event().wait()

    @contract.route(summary="S", tags=["t"])
    async def there(input: str, ctx: str) -> str:
        session()
        await closing_down()
        said.append("there")
        return input

    async def run() -> None:
        call: Any = asked(
            AsgiApp(contract.spec(authenticate=anybody, routes=contract.routes(there))), "there"
        )
        task = asyncio.create_task(call)
        await until("there")
        for _ in range(3):
            await asyncio.sleep(0)
        call.close()
        task.cancel()

    asyncio.run(run())
    assert said == ["begin", "there", "rollback GeneratorExit"]


def test_a_thread_leaves_to_the_loop_what_was_made_there() -> None:
    @contract.route(summary="S", tags=["t"])
    def mixed(input: str, ctx: asyncio.AbstractEventLoop) -> str:
        session()
        asyncio.run_coroutine_threadsafe(later(), ctx).result()
        return input

    async def loop_of(token: str, request: contract.Request) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    assert (
        over_asgi(
            contract.spec(authenticate=loop_of, routes=contract.routes(mixed)), "mixed", "x"
        ).status
        == 200
    )
    assert said == ["begin", "begin later", "commit", "commit later"]


def test_a_value_is_ended_once() -> None:
    """A thread that was given up may end a value for all while the loop waits for another."""
    values = Values()

    async def one() -> AsyncIterator[None]:
        yield
        del values.found[shared]

    def other() -> Iterator[None]:
        yield
        raise AssertionError("it was ended here")

    shared, on_loop = object(), object()

    async def run() -> None:
        made, making = other(), one()
        values.found[shared] = next(made), made, ANYWHERE
        values.found[on_loop] = making, await anext(making), ON_LOOP
        await values.leave_on_loop()

    asyncio.run(run())
    assert not values.found


def test_a_thread_that_goes_away_leaves_what_was_made_before_its_own() -> None:
    values = Values()

    def made(name: str) -> Iterator[None]:
        yield
        said.append(name)

    for name, home in (("before", ANYWHERE), ("own", threading.get_ident()), ("after", ANYWHERE)):
        generator = made(name)
        values.found[name] = generator, next(generator), home
    values.leave_thread()

    assert said == ["after", "own"]
    assert [*values.found] == ["before"]


def test_a_thread_is_not_kept_for_a_loop_that_is_closed() -> None:
    incoming = Bare(RawRequest(), Lanes(contract.Limits()))
    incoming.values = Values()

    def hook() -> None:
        made = session._function()
        assert incoming.values is not None
        incoming.values.found[session] = made, next(iter(made)), threading.get_ident()

    def closed(result: object) -> None:
        raise RuntimeError("Event loop is closed")

    _, work = hopping(incoming, "hooks", copy_context(), hook, closed)
    work()

    assert said == ["begin", "rollback RuntimeError Event loop is closed"]


# What follows a reply.


def following(*, fails: bool = False) -> contract.Spec[Any]:
    async def mail(text: str) -> None:
        await asyncio.sleep(0)
        said.append(text)

    def raises() -> None:
        raise StopIteration("canary")

    async def raises_later() -> None:
        raise SystemExit("canary")

    def follow(input: str) -> str | SoldOut:
        contract.after_commit(said.append, "after")
        contract.after_commit(raises)
        contract.after_commit(raises_later)
        contract.after_commit(mail, text="mail")
        return SoldOut() if fails else input

    @contract.route(summary="S", tags=["t"], auth="none", mcp=contract.McpTool())
    def here(input: Which, ctx: None) -> str | SoldOut:
        session()
        return follow(input["x"])

    @contract.route(summary="S", tags=["t"], auth="none", mcp=contract.McpTool())
    async def there(input: Which, ctx: None) -> str | SoldOut:
        contract.progress(1)
        return follow(input["x"])

    return contract.spec(routes=contract.routes(here, there))


FOLLOWED = ["after", "mail"]
RAISED = [f"{name} raised, which after_commit() was given" for name in ("raises", "raises_later")]


@EVERY_WAY
@pytest.mark.parametrize("origins", [(), ("https://a.example",)])
def test_what_follows_a_success_follows_its_reply(
    way: Way, origins: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    assert way(following(), "here", {"x": "y"}, cors_origins=origins).json == "y"
    assert said == ["begin", "commit", *FOLLOWED]
    assert errors(caplog) == RAISED
    said.clear()
    assert way(following(), "there", {"x": "y"}, cors_origins=origins).json == "y"
    assert said == FOLLOWED


@EVERY_WAY
def test_nothing_follows_a_failure(way: Way) -> None:
    for name in ("here", "there"):
        assert way(following(fails=True), name, {"x": "y"}).error == "SOLD_OUT"
    assert said == ["begin", "rollback CallFailed SOLD_OUT"]


def test_nothing_follows_a_call_whose_client_has_gone() -> None:
    @contract.route(summary="S", tags=["t"])
    async def goes(input: str, ctx: str) -> str:
        contract.after_commit(said.append, "after")
        said.append("waits")
        await asyncio.Event().wait()
        return input

    async def run() -> None:
        events = [{"type": "http.disconnect"}, {"type": "http.request", "body": b'"x"'}]

        async def receive() -> Any:
            return events.pop()

        async def send(event: Any) -> None: ...

        await app(post("/goes", HEADERS), receive, send)

    app = serving(contract.spec(authenticate=anybody, routes=contract.routes(goes)))
    asyncio.run(run())
    assert said == ["waits"]


def parts_of(api: contract.Spec[Any], path: str, input: object) -> Any:
    """What a server is given to send."""
    environ = falcon.testing.create_environ(
        path, method="POST", headers=MCP_HEADERS, body=orjson.dumps(input).decode()
    )
    return WsgiApp(api)(environ, lambda *_: None)


def test_it_follows_once_the_reply_is_on_its_way() -> None:
    parts = parts_of(following(), "/here", {"x": "y"})

    assert [*parts] == [b'"y"']
    assert said == ["begin", "commit"]
    parts.close()
    parts.close()
    assert said == ["begin", "commit", *FOLLOWED]


def in_falcon(app: Any) -> falcon.testing.TestClient:
    contract.mount_spec(app, following())
    return falcon.testing.TestClient(app)


IN_FALCON = pytest.mark.parametrize("make", [falcon.App, falcon.asgi.App], ids=["wsgi", "asgi"])


@IN_FALCON
def test_it_follows_a_reply_that_falcon_sends(make: Callable[[], Any]) -> None:
    client = in_falcon(make())

    found = client.simulate_post("/here", json={"x": "y"})

    assert (found.json, found.headers["content-length"]) == ("y", "3")
    assert said == ["begin", "commit", *FOLLOWED]


def tool_call(name: str, number: int = 1, **meta: Any) -> dict[str, Any]:
    params = {"name": name, "arguments": {"x": "y"}, "_meta": meta}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


MCP_HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


@IN_FALCON
@pytest.mark.parametrize("name", ["here", "there"])
def test_it_follows_a_stream(make: Callable[[], Any], name: str) -> None:
    client = in_falcon(make())
    body = tool_call(name, progressToken=1)

    found = client.simulate_post("/mcp", json=body, headers=MCP_HEADERS)

    assert found.headers["content-type"] == "text/event-stream"
    assert said[-2:] == FOLLOWED


def mcp(client: Any, params: dict[str, Any]) -> Reply:
    """What comes of a call of a tool, with a client of either kind."""

    async def later() -> Any:
        return await client.mcp("tools/call", params)

    is_here = isinstance(client, Client)
    return cast("Reply", client.mcp("tools/call", params) if is_here else asyncio.run(later()))


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("token", [{}, {"progressToken": 1}])
def test_it_follows_a_tool(kind: Any, token: dict[str, Any]) -> None:
    reply = mcp(kind(following()), tool_call("here", **token)["params"])

    assert "isError" not in reply.json["result"]
    assert said == ["begin", "commit", *FOLLOWED]


def test_it_follows_a_batch_once_all_of_it_is_answered() -> None:
    batch = [tool_call("here", 1), tool_call("there", 2), {"jsonrpc": "2.0", "method": "x"}]
    parts = parts_of(following(), "/mcp", batch)

    assert len(orjson.loads(b"".join(parts))) == 2
    assert said == ["begin", "commit"]
    parts.close()
    assert said == ["begin", "commit", *FOLLOWED, *FOLLOWED]


# MCP.


@contract.route(summary="S", tags=["t"], mcp=contract.McpTool())
def buy(input: Which, ctx: str) -> str | SoldOut:
    session()
    said.append("buy")
    contract.progress(1)
    return SoldOut() if input["x"] == "sold" else "done"


@contract.route(summary="S", tags=["t"], mcp=contract.McpTool())
async def buy_later(input: Which, ctx: str) -> str | SoldOut:
    await later()
    said.append("buy")
    if input["x"] == "wait":
        await asyncio.Event().wait()
    return SoldOut() if input["x"] == "sold" else "done"


def tools(hook: Any) -> contract.Spec[Any]:
    return contract.spec(authenticate=hook, routes=contract.routes(buy, buy_later))


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("hook", [anybody, user_of, user_of_later])
@pytest.mark.parametrize("x", ["well", "sold"])
@pytest.mark.parametrize("token", [{}, {"progressToken": 1}])
def test_the_values_of_a_tool_end_with_its_answer(
    kind: Any, hook: Any, x: str, token: dict[str, Any]
) -> None:
    client = kind(tools(hook), token="t")
    POOLS.append(client._app)

    for name in ("buy", "buy_later"):
        said.clear()
        mcp(client, {"name": name, "arguments": {"x": x}, "_meta": token})
        ends = [word for word in said if word.startswith(("commit", "rollback"))]
        begun = [word.removeprefix("begin") for word in said if word.startswith("begin")]
        word = "commit{}" if x == "well" else "rollback{} CallFailed SOLD_OUT"
        assert ends == [word.format(each) for each in reversed(begun)]
        assert "buy" in said
    idle()


@pytest.mark.parametrize("hook", [user_of, user_of_later])
def test_the_values_of_a_hook_end_where_no_tool_runs(hook: Any) -> None:
    kind = " later" if hook is user_of_later else ""
    begun = [f"begin{kind}", "hook"]
    client = Client(tools(hook), options=Options(mcp_challenge="connect"), token="t")

    assert client.mcp("tools/list").status == 200
    assert said == [*begun, f"commit{kind}"]
    said.clear()
    assert client.mcp("tools/list", token="no").status == 401
    assert said == [*begun, f"rollback{kind} CallFailed UNAUTHORIZED"]
    said.clear()
    found = client.mcp("tools/call", {"name": "buy", "arguments": 3})
    assert found.json["error"]["code"] == -32602
    assert said == [*begun, f"rollback{kind} CallFailed BAD_REQUEST"]


def batched(served: Any, *messages: Any) -> falcon.testing.Result:
    headers = {**MCP_HEADERS, "authorization": "Bearer t"}
    return falcon.testing.TestClient(WsgiApp(served)).simulate_post(
        "/mcp", json=messages, headers=headers
    )


def test_a_value_of_a_hook_that_fails_at_its_end_is_an_error_of_the_message() -> None:
    @contract.provide
    def broken() -> Iterator[None]:
        try:
            yield
        finally:
            raise OSError("canary")

    def hook(token: str, request: contract.Request) -> str:
        broken()
        return token

    client = Client(tools(hook), options=Options(mcp_challenge="connect"), token="t")
    assert client.mcp("tools/list").status == 500
    assert client.mcp("tools/call", {"name": "buy", "arguments": 3}).status == 500
    assert batched(client.service, tool_call("buy", 1)).status_code == 500


@pytest.mark.parametrize("hook", [user_of, user_of_later])
def test_each_message_of_a_batch_has_its_own_values(hook: Any) -> None:
    kind = " later" if hook is user_of_later else ""
    asked = [f"begin{kind}", "hook"]
    batched(tools(hook), tool_call("buy", 1), tool_call("buy", 2))

    each = [*asked, "buy", "commit"] if hook is user_of else [*asked, "begin", "buy", "commit"]
    assert said == [*asked, f"commit{kind}", *[*each, *(["commit later"] if kind else [])] * 2]


@pytest.mark.parametrize("meta", [{}, {"progressToken": 1}])
@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("closed", [False, True])
def test_a_message_that_is_cancelled_ends_its_values(
    meta: dict[str, Any], *, many: bool, closed: bool
) -> None:
    message = tool_call("buy_later", **meta)
    message["params"]["arguments"] = {"x": "wait"}
    body = orjson.dumps([message] if many else message)

    async def run() -> None:
        async def receive() -> Any:
            if sent:
                return {"type": "http.request", "body": sent.pop()}
            return await asyncio.Future()

        async def send(event: Any) -> None: ...

        sent = [body]
        headers = [(name.encode(), value.encode()) for name, value in MCP_HEADERS.items()]
        headers += [(b"authorization", b"Bearer t"), (b"content-length", str(len(body)).encode())]
        answering: Any = AsgiApp(tools(anybody))(post("/mcp", headers), receive, send)
        task = asyncio.create_task(answering)
        await until("buy")
        if closed:
            with suppress(RuntimeError):
                answering.close()
        task.cancel()
        with suppress(asyncio.CancelledError, RuntimeError):
            await task

    asyncio.run(run())
    if not closed:
        assert said == ["begin later", "buy", "rollback later CancelledError"]


# `contract serve`.


@contextmanager
def served(api: contract.Spec[Any], **limits: Any) -> Iterator[Door]:
    front = WsgiApp(service_of(api, Options(limits=Limits(**limits))))
    door = Door()
    server = Server(front, (front,), cast("Any", door), 4, Bounds(64, 30.0), Draining())
    server.start()
    yield door
    server.stop()


def half(door: Door, token: str) -> socket.socket:
    """A client that has sent half of its body."""
    client = door.connect()
    head = f"POST /buy HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
    head += "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n"
    client.sendall(head.encode() + b'{"x":')
    return client


def answer_to(client: socket.socket, rest: bytes = b"") -> tuple[int, bytes]:
    """The answer to *client*, when it has sent the *rest*."""
    with client:
        client.settimeout(60)
        client.sendall(rest)
        found = http.client.HTTPResponse(client)
        found.begin()
        return found.status, found.read()


TRIED = ["begin", "hook", "rollback CallFailed REQUEST_TIMEOUT"]


def test_a_hook_whose_values_belong_to_its_thread_is_asked_again_when_the_body_is_there() -> None:
    with served(contract.spec(authenticate=user_of, routes=contract.routes(buy))) as door:
        client = half(door, "t")
        wait_until(lambda: said == TRIED)
        answer = answer_to(client, b'"y"}')
        taken = [*said]
        said.clear()
        other = answer_to(half(door, "no"))

    assert answer == (200, b'"done"')
    assert taken == [*TRIED, "begin", "hook", "buy", "commit"]
    assert other[0] == 401
    assert said == ["begin", "hook", "rollback CallFailed UNAUTHORIZED"]


def test_a_hook_is_asked_for_a_body_that_never_comes_too() -> None:
    made = contract.spec(authenticate=user_of, routes=contract.routes(buy))
    with served(made, read_seconds=0.5) as door:
        never = answer_to(half(door, "t"))

    assert never[0] == 408
    assert said == [*TRIED, *TRIED]


def test_a_loop_keeps_the_values_of_a_hook_until_the_body_is_there() -> None:
    with served(contract.spec(authenticate=user_of_later, routes=contract.routes(buy))) as door:
        client = half(door, "t")
        wait_until(lambda: said == ["begin later", "hook"])
        answer = answer_to(client, b'"y"}')

    assert answer[0] == 200
    assert said == ["begin later", "hook", "begin", "buy", "commit", "commit later"]


def test_it_follows_a_call_under_contract_serve() -> None:
    response = through_server(WsgiApp(following()))(
        RawRequest(
            target="/here", body=b'{"x":"y"}', headers=(("Content-Type", "application/json"),)
        )
    )

    assert response.body == b'"y"'
    wait_until(lambda: said == ["begin", "commit", *FOLLOWED])


# A database.


@EVERY_WAY
def test_a_returned_failure_rolls_back_a_real_transaction(way: Way, tmp_path: Path) -> None:
    file = tmp_path / "shop.db"
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE orders (what TEXT)")

    @contract.provide
    def database() -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(file)) as db, db:
            yield db

    @contract.route(summary="Order", tags=["t"], auth="none")
    def order(input: str, ctx: None) -> int | SoldOut:
        db = database()
        db.execute("INSERT INTO orders VALUES (?)", (input,))
        (count,) = db.execute("SELECT count(*) FROM orders").fetchone()
        if input == "raise":
            raise KeyError("canary")
        return SoldOut() if input == "sold" else int(count)

    api = contract.spec(routes=contract.routes(order))
    statuses = [way(api, "order", each).status for each in ("a", "sold", "raise", "b")]
    assert statuses == [200, 409, 500, 200]
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("SELECT what FROM orders").fetchall() == [("a",), ("b",)]


@contract.route(summary="Checked", tags=["t"], auth="none")
def checked(input: int, ctx: None) -> int:
    return session() * 0 + input


@contract.route(summary="Checked", tags=["t"], auth="none", effect="read")
async def checked_later(input: int, ctx: None) -> int:
    await later()
    return input


test_a_route_with_values_keeps_its_contract = check_route(checked)
test_an_async_route_with_values_keeps_its_contract = check_route(checked_later)


def test_a_kept_thread_that_is_given_up_ends_what_it_has() -> None:
    """A second hook runs in the thread that is kept for the first, and takes too long."""
    incoming = Bare(RawRequest(), Lanes(contract.Limits()))
    incoming.values = values = Values()
    values.kept = kept = Kept()

    def hook() -> None:
        made = session._function()
        values.found[session] = made, next(iter(made)), threading.get_ident()
        assert hop.give_up(TimeoutError("late"))

    hop, work = hopping(incoming, "hooks", copy_context(), hook, said.append)
    work()

    assert said == ["begin", "rollback TimeoutError late"]
    assert values.kept is kept


def test_a_call_that_breaks_in_a_thread_ends_its_values_there() -> None:
    async def breaks(send: object) -> Response:
        made = session._function()
        values.found[session] = made, next(iter(made)), threading.get_ident()
        raise KeyError("canary")

    environ = falcon.testing.create_environ("/mcp", method="POST")
    incoming = WsgiIncoming(environ, "/mcp", dict, Lanes(contract.Limits()))
    incoming.route, incoming.watched = "buy", False
    incoming.values = values = Values()
    parts = incoming.stream(breaks, lambda: None)

    with pytest.raises(KeyError, match="canary"):
        deque(parts, 0)
    assert said == ["begin", "rollback KeyError 'canary'"]
