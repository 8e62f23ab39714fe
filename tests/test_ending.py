"""The end of a call's values where the call itself does not come to its end, and what follows it."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, suppress
from contextvars import copy_context
from pathlib import Path
from typing import Any, TypedDict

import falcon
import falcon.asgi
import falcon.testing
import orjson
import pytest

from contract import (
    Failure,
    Limits,
    McpTool,
    Request,
    Spec,
    after_commit,
    mount_spec,
    progress,
    provide,
    route,
    routes,
    spec,
)
from contract.adapters.asgi import AsgiApp
from contract.adapters.hops import Kept, hopping
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.adapters.wsgi import WsgiApp
from contract.call.mount_options import Options
from contract.call.values import ANYWHERE, ON_LOOP, Values
from contract.cli.bridge import Bridge
from contract.testing import AsyncClient, Client, Reply, check_route
from tests import test_cli_bridge as bridged
from tests.test_provided import anybody, errors, later, post, said, session, user_of, user_of_later
from tests.wire.exchange import Bare, RawRequest

TIMED_OUT = "TimeoutError the deadline of the call has passed"


@pytest.fixture(autouse=True)
def _fresh() -> None:
    said.clear()


class SoldOut(Failure, status=409):
    """Every copy is sold."""


class Which(TypedDict):
    x: str


GATE = threading.Event()


@pytest.fixture(autouse=True)
def _gate() -> Iterator[None]:
    GATE.clear()
    yield
    GATE.set()


@route(summary="Waits in a thread", tags=["t"])
def waits(input: str, ctx: str) -> str:
    session()
    said.append("waits")
    GATE.wait()
    return input


@route(summary="Waits on the loop", tags=["t"])
async def waits_later(input: str, ctx: str) -> str:
    await later()
    said.append("waits")
    await asyncio.Event().wait()
    return input


PLAIN = spec(authenticate=anybody, routes=routes(waits, waits_later))
HOOKED = spec(authenticate=user_of, routes=routes(waits, waits_later))
HOOKED_LATER = spec(authenticate=user_of_later, routes=routes(waits, waits_later))


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

    headers = [
        (b"authorization", b"Bearer t"),
        (b"content-type", b"application/json"),
        (b"content-length", b"3"),
    ]
    await app(post(f"/{name}", headers), receive, send)
    return sent


APIS = pytest.mark.parametrize("api", [PLAIN, HOOKED, HOOKED_LATER], ids=["", "sync", "async"])
SLOW = pytest.mark.parametrize("slow", [False, True], ids=["one hop", "two hops"])


@APIS
@SLOW
@pytest.mark.parametrize("name", ["waits", "waits_later"])
def test_a_deadline_is_thrown_in(api: Spec[Any], name: str, *, slow: bool) -> None:
    limits = Limits(deadline_seconds=0.1)

    async def run() -> None:
        app = AsgiApp(service_of(api, Options(limits=limits)))
        POOLS.append(app)
        assert (await asked(app, name, slow=slow))[0]["status"] == 504
        assert "commit" not in said
        GATE.set()

    asyncio.run(run())
    assert_rolled_back(TIMED_OUT, cancelled=name == "waits_later")
    idle()


@APIS
@pytest.mark.parametrize("name", ["waits", "waits_later"])
def test_a_deadline_is_thrown_in_on_wsgi(api: Spec[Any], name: str) -> None:
    client = Client(api, options=Options(limits=Limits(deadline_seconds=0.1)), token="t")
    POOLS.append(client._app)

    assert client.call(name, "x").status == 504
    GATE.set()
    assert_rolled_back(TIMED_OUT, cancelled=False)
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
@pytest.mark.parametrize("limits", [Limits(), Limits(deadline_seconds=20.0)], ids=["", "deadline"])
def test_a_cancellation_is_thrown_in(
    api: Spec[Any], name: str, limits: Limits, *, slow: bool
) -> None:
    async def run() -> None:
        app = AsgiApp(service_of(api, Options(limits=limits)))
        POOLS.append(app)
        task = asyncio.create_task(asked(app, name, slow=slow))
        await until("waits")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        GATE.set()

    asyncio.run(run())
    assert_rolled_back("CancelledError", cancelled=True)
    idle()


@pytest.mark.parametrize("api", [HOOKED, HOOKED_LATER], ids=["sync", "async"])
@pytest.mark.parametrize("closed", [False, True])
def test_a_call_that_waits_for_its_body_is_cancelled(api: Spec[Any], *, closed: bool) -> None:
    async def run() -> None:
        app = AsgiApp(service_of(api))
        POOLS.append(app)

        async def receive() -> Any:
            return await asyncio.Future()

        async def send(event: Any) -> None:
            raise AssertionError("something was sent")

        headers = [
            (b"authorization", b"Bearer t"),
            (b"content-type", b"application/json"),
            (b"content-length", b"3"),
        ]
        answering: Any = app(post("/waits", headers), receive, send)
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
    def slow_hook(token: str, request: Request) -> str:
        session()
        said.append("hook")
        GATE.wait()
        return token

    async def run() -> None:
        app = AsgiApp(service_of(spec(authenticate=slow_hook, routes=routes(waits))))
        POOLS.append(app)
        task = asyncio.create_task(asked(app, "waits", slow=True))
        await until("hook")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        GATE.set()

    asyncio.run(run())
    until_now("rollback CancelledError")
    idle()


def commits(seconds: float) -> Spec[Any]:
    """A spec whose values take long to end."""

    @provide
    def slow() -> Iterator[None]:
        yield
        threading.Event().wait(seconds)
        said.append("commit")

    @provide
    async def slow_later() -> AsyncIterator[None]:
        try:
            yield
            await asyncio.sleep(seconds)
            said.append("commit")
        except asyncio.CancelledError:
            said.append("cancelled")
            raise

    @route(summary="S", tags=["t"], auth="none")
    def here(input: str, ctx: None) -> str:
        slow()
        return input

    @route(summary="S", tags=["t"], auth="none")
    async def there(input: str, ctx: None) -> str:
        await slow_later()
        return input

    return spec(routes=routes(here, there))


def in_memory(api: Spec[Any], name: str, options: Options | None = None, **more: Any) -> Reply:
    return Client(api, options=options).call(name, more.pop("input", "x"), **more)


def in_memory_later(
    api: Spec[Any], name: str, options: Options | None = None, **more: Any
) -> Reply:
    async def run() -> Reply:
        return await AsyncClient(api, options=options).call(name, more.pop("input", "x"), **more)

    return asyncio.run(run())


WAYS = pytest.mark.parametrize("way", [in_memory, in_memory_later], ids=["wsgi", "asgi"])
Way = Callable[..., Reply]


@WAYS
def test_a_deadline_does_not_part_a_commit_from_its_answer(way: Way) -> None:
    """In a thread the commit is waited for, and on a loop it is cancelled."""
    options = Options(limits=Limits(deadline_seconds=0.1))

    assert way(commits(0.3), "here", options).status == 200
    assert said == ["commit"]
    assert way(commits(5.0), "there", options).status == 504
    while said != ["commit", "cancelled"]:
        threading.Event().wait(0.001)


@WAYS
def test_a_deadline_does_not_part_the_commit_of_a_kept_thread_from_its_answer(way: Way) -> None:
    """A thread that is kept for the values of a hook is waited for, too."""

    @provide
    def slow() -> Iterator[None]:
        yield
        threading.Event().wait(0.3)
        said.append("commit")

    def authenticate(token: str, request: Request) -> str:
        slow()
        return token

    @route(summary="S", tags=["t"])
    async def there(input: str, ctx: str) -> str:
        return input

    api = spec(authenticate=authenticate, routes=routes(there))
    options = Options(limits=Limits(deadline_seconds=0.1))

    assert way(api, "there", options, token="t").status == 200
    assert said == ["commit"]


def test_a_cancelled_commit_is_a_cancelled_call() -> None:
    async def run() -> None:
        task = asyncio.create_task(AsyncClient(commits(5.0)).call("there", "x"))
        for _ in range(9):
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert said == ["cancelled"]


def test_a_commit_that_is_thrown_away_ends_its_generator() -> None:
    """At the end of a loop what still waits is closed, and can wait for nothing more."""

    @provide
    async def closing_down() -> AsyncIterator[None]:
        yield
        await asyncio.Event().wait()

    @route(summary="S", tags=["t"])
    async def there(input: str, ctx: str) -> str:
        session()
        await closing_down()
        said.append("there")
        return input

    async def run() -> None:
        call: Any = asked(
            AsgiApp(service_of(spec(authenticate=anybody, routes=routes(there)))), "there"
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
    @route(summary="S", tags=["t"])
    def mixed(input: str, ctx: asyncio.AbstractEventLoop) -> str:
        session()
        asyncio.run_coroutine_threadsafe(later(), ctx).result()
        return input

    async def loop_of(token: str, request: Request) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    api = spec(authenticate=loop_of, routes=routes(mixed))

    async def run() -> None:
        assert (await AsyncClient(api, token="t").call("mixed", "x")).status == 200

    asyncio.run(run())
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
    incoming = Bare(RawRequest(), Lanes(Limits()))
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


def following(*, fails: bool = False) -> Spec[Any]:
    async def mail(text: str) -> None:
        await asyncio.sleep(0)
        said.append(text)

    def raises() -> None:
        raise StopIteration("canary")

    async def raises_later() -> None:
        raise SystemExit("canary")

    def follow(input: str) -> str | SoldOut:
        after_commit(said.append, "after")
        after_commit(raises)
        after_commit(raises_later)
        after_commit(mail, text="mail")
        return SoldOut() if fails else input

    @route(summary="S", tags=["t"], auth="none", mcp=McpTool())
    def here(input: Which, ctx: None) -> str | SoldOut:
        session()
        return follow(input["x"])

    @route(summary="S", tags=["t"], auth="none", mcp=McpTool())
    async def there(input: Which, ctx: None) -> str | SoldOut:
        progress(1)
        return follow(input["x"])

    return spec(routes=routes(here, there))


FOLLOWED = ["after", "mail"]
RAISED = [
    "raises raised, which after_commit() was given",
    "raises_later raised, which after_commit() was given",
]


@WAYS
@pytest.mark.parametrize("origins", [(), ("https://a.example",)])
def test_what_follows_a_success_follows_its_reply(
    way: Way, origins: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    options = Options(cors_origins=origins)

    assert way(following(), "here", options, input={"x": "y"}).json == "y"
    assert said == ["begin", "commit", *FOLLOWED]
    assert errors(caplog) == RAISED
    said.clear()
    assert way(following(), "there", options, input={"x": "y"}).json == "y"
    assert said == FOLLOWED


@WAYS
def test_nothing_follows_a_failure(way: Way) -> None:
    for name in ("here", "there"):
        assert way(following(fails=True), name, input={"x": "y"}).error == "SOLD_OUT"
    assert said == ["begin", "rollback CallFailed SOLD_OUT"]


def test_it_follows_once_the_reply_is_on_its_way() -> None:
    app = WsgiApp(following())
    environ = falcon.testing.create_environ(
        "/here", method="POST", headers={"content-type": "application/json"}, body=b'{"x":"y"}'
    )
    parts: Any = app(environ, lambda *_: None)

    assert [*parts] == [b'"y"']
    assert said == ["begin", "commit"]
    parts.close()
    parts.close()
    assert said == ["begin", "commit", *FOLLOWED]


def in_falcon(app: Any) -> falcon.testing.TestClient:
    mount_spec(app, following())
    return falcon.testing.TestClient(app)


@pytest.mark.parametrize("make", [falcon.App, falcon.asgi.App], ids=["wsgi", "asgi"])
def test_it_follows_a_reply_that_falcon_sends(make: Callable[[], Any]) -> None:
    client = in_falcon(make())

    found = client.simulate_post("/here", json={"x": "y"})

    assert (found.json, found.headers["content-length"]) == ("y", "3")
    assert said == ["begin", "commit", *FOLLOWED]


def tool_call(name: str, number: int = 1, **meta: Any) -> dict[str, Any]:
    params = {"name": name, "arguments": {"x": "y"}, "_meta": meta}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


MCP_HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


@pytest.mark.parametrize("make", [falcon.App, falcon.asgi.App], ids=["wsgi", "asgi"])
@pytest.mark.parametrize("name", ["here", "there"])
def test_it_follows_a_stream(make: Callable[[], Any], name: str) -> None:
    client = in_falcon(make())
    body = tool_call(name, progressToken=1)

    found = client.simulate_post("/mcp", json=body, headers=MCP_HEADERS)

    assert found.headers["content-type"] == "text/event-stream"
    assert said[-2:] == FOLLOWED


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("token", [{}, {"progressToken": 1}])
def test_it_follows_a_tool(kind: Any, token: dict[str, Any]) -> None:
    client = kind(following())
    params = tool_call("here", **token)["params"]

    async def run() -> Reply:
        reply: Reply = await client.mcp("tools/call", params)
        return reply

    reply = client.mcp("tools/call", params) if kind is Client else asyncio.run(run())

    assert "isError" not in reply.json["result"]
    assert said == ["begin", "commit", *FOLLOWED]


def test_it_follows_a_batch_once_all_of_it_is_answered() -> None:
    app = WsgiApp(following())
    batch = [tool_call("here", 1), tool_call("there", 2), {"jsonrpc": "2.0", "method": "x"}]
    environ = falcon.testing.create_environ(
        "/mcp", method="POST", headers=MCP_HEADERS, body=orjson.dumps(batch).decode()
    )
    parts: Any = app(environ, lambda *_: None)

    assert len(orjson.loads(b"".join(parts))) == 2
    assert said == ["begin", "commit"]
    parts.close()
    assert said == ["begin", "commit", *FOLLOWED, *FOLLOWED]


# MCP.


@route(summary="S", tags=["t"], mcp=McpTool())
def buy(input: Which, ctx: str) -> str | SoldOut:
    session()
    said.append("buy")
    progress(1)
    return SoldOut() if input["x"] == "sold" else "done"


@route(summary="S", tags=["t"], mcp=McpTool())
async def buy_later(input: Which, ctx: str) -> str | SoldOut:
    await later()
    said.append("buy")
    if input["x"] == "wait":
        await asyncio.Event().wait()
    return SoldOut() if input["x"] == "sold" else "done"


def tools(hook: Any) -> Spec[Any]:
    return spec(authenticate=hook, routes=routes(buy, buy_later))


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("hook", [anybody, user_of, user_of_later])
@pytest.mark.parametrize("x", ["well", "sold"])
@pytest.mark.parametrize("token", [{}, {"progressToken": 1}])
def test_the_values_of_a_tool_end_with_its_answer(
    kind: Any, hook: Any, x: str, token: dict[str, Any]
) -> None:
    client = kind(tools(hook), token="t")
    POOLS.append(client._app)

    async def send(params: Any) -> None:
        await client.mcp("tools/call", params)

    for name in ("buy", "buy_later"):
        said.clear()
        params = {"name": name, "arguments": {"x": x}, "_meta": token}
        if kind is Client:
            client.mcp("tools/call", params)
        else:
            asyncio.run(send(params))
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


def test_a_value_of_a_hook_that_fails_at_its_end_is_an_error_of_the_message() -> None:
    @provide
    def broken() -> Iterator[None]:
        try:
            yield
        finally:
            raise OSError("canary")

    def hook(token: str, request: Request) -> str:
        broken()
        return token

    client = Client(tools(hook), options=Options(mcp_challenge="connect"), token="t")
    batch = orjson.dumps([tool_call("buy", 1)])

    assert client.mcp("tools/list").status == 500
    assert client.mcp("tools/call", {"name": "buy", "arguments": 3}).status == 500
    found = falcon.testing.TestClient(WsgiApp(client.service)).simulate_post(
        "/mcp", body=batch, headers={**MCP_HEADERS, "authorization": "Bearer t"}
    )
    assert found.status_code == 500


@pytest.mark.parametrize("hook", [user_of, user_of_later])
def test_each_message_of_a_batch_has_its_own_values(hook: Any) -> None:
    kind = " later" if hook is user_of_later else ""
    asked = [f"begin{kind}", "hook"]
    batch = orjson.dumps([tool_call("buy", 1), tool_call("buy", 2)])

    falcon.testing.TestClient(WsgiApp(tools(hook))).simulate_post(
        "/mcp", body=batch, headers={**MCP_HEADERS, "authorization": "Bearer t"}
    )

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


def test_a_hook_whose_values_belong_to_its_thread_is_asked_again_when_the_body_is_there() -> None:
    app = WsgiApp(spec(authenticate=user_of, routes=routes(buy)))
    taken = Bridge(app, (app,), 4)
    head: dict[str, Any] = {"content_length": "9", "authorization": "Bearer t"}
    client = bridged.through(taken, bridged.Client("/buy", bridged.part(b'{"x":'), **head))
    never = bridged.through(taken, bridged.Client("/buy", bridged.part(b'{"x":'), **head))
    head["authorization"] = "Bearer no"
    other = bridged.through(taken, bridged.Client("/buy", bridged.part(b'{"x":'), **head))
    bridged.late(taken, bridged.soon())
    tried = ["begin", "hook", "rollback CallFailed REQUEST_TIMEOUT"]

    assert other.status == 401
    assert client.sent == never.sent == []
    assert said == [*tried, *tried, "begin", "hook", "rollback CallFailed UNAUTHORIZED"]
    said.clear()
    client.asked[-1].come(bridged.part(b'"y"}'))
    assert (client.status, client.body) == (200, b'"done"')
    assert said == ["begin", "hook", "buy", "commit"]
    said.clear()
    bridged.late(taken)
    assert never.status == 408
    assert said == ["begin", "hook", "rollback CallFailed REQUEST_TIMEOUT"]


def test_a_loop_keeps_the_values_of_a_hook_until_the_body_is_there() -> None:
    app = WsgiApp(spec(authenticate=user_of_later, routes=routes(buy)))
    taken = Bridge(app, (app,), 4)
    head: dict[str, Any] = {"content_length": "9", "authorization": "Bearer t"}
    client = bridged.through(taken, bridged.Client("/buy", bridged.part(b'{"x":'), **head))
    bridged.late(taken, bridged.soon())
    client.asked[-1].come(bridged.part(b'"y"}'))

    assert client.status == 200
    assert said == ["begin later", "hook", "begin", "buy", "commit", "commit later"]


def test_it_follows_a_call_under_contract_serve() -> None:
    app = WsgiApp(following())
    body = b'{"x":"y"}'
    client = bridged.Client("/here", bridged.part(body), content_length=str(len(body)))
    bridged.through(Bridge(app, (app,), 2), client)

    assert client.body == b'"y"'
    assert said == ["begin", "commit", *FOLLOWED]


# A database.


@WAYS
def test_a_returned_failure_rolls_back_a_real_transaction(way: Way, tmp_path: Path) -> None:
    file = tmp_path / "shop.db"
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE orders (what TEXT)")

    @provide
    def database() -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(file)) as db, db:
            yield db

    @route(summary="Order", tags=["t"], auth="none")
    def order(input: str, ctx: None) -> int | SoldOut:
        db = database()
        db.execute("INSERT INTO orders VALUES (?)", (input,))
        (count,) = db.execute("SELECT count(*) FROM orders").fetchone()
        if input == "raise":
            raise KeyError("canary")
        return SoldOut() if input == "sold" else int(count)

    api = spec(routes=routes(order))
    statuses = [way(api, "order", input=each).status for each in ("a", "sold", "raise", "b")]
    assert statuses == [200, 409, 500, 200]
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("SELECT what FROM orders").fetchall() == [("a",), ("b",)]


@route(summary="Checked", tags=["t"], auth="none")
def checked(input: int, ctx: None) -> int:
    return session() * 0 + input


@route(summary="Checked", tags=["t"], auth="none", effect="read")
async def checked_later(input: int, ctx: None) -> int:
    await later()
    return input


test_a_route_with_values_keeps_its_contract = check_route(checked)
test_an_async_route_with_values_keeps_its_contract = check_route(checked_later)


def test_a_kept_thread_that_is_given_up_ends_what_it_has() -> None:
    """A second hook runs in the thread that is kept for the first, and takes too long."""
    incoming = Bare(RawRequest(), Lanes(Limits()))
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
