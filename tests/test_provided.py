"""Values of a call: made when they are first asked for, ended with what was answered."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, contextmanager
from contextvars import copy_context
from pathlib import Path
from typing import Any, cast

import falcon
import falcon.asgi
import falcon.testing
import orjson
import pytest

from contract import (
    AsyncProvided,
    CallFailed,
    DeclarationError,
    Failure,
    Forbidden,
    InvalidInput,
    InvalidOutput,
    Limits,
    Provided,
    Request,
    Spec,
    after_commit,
    calling,
    current_call,
    mount_spec,
    provide,
    route,
    routes,
    spec,
)
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.adapters.threads import BACKGROUND
from contract.adapters.wsgi import WsgiApp
from contract.call.mount_options import Options
from contract.call.values import Hop
from contract.testing import AsyncClient, Client, Reply

SAID: list[str] = []
"""What the providers, hooks and resolvers did, in order."""


@pytest.fixture(autouse=True)
def _fresh() -> None:
    SAID.clear()


class SoldOut(Failure, status=409):
    """Every copy is sold."""


def told(cause: BaseException) -> str:
    return f"{type(cause).__name__} {cause}".strip()


@provide
def session() -> Iterator[int]:
    thread = threading.get_ident()
    SAID.append("begin")
    try:
        yield thread
    except BaseException as cause:
        assert threading.get_ident() == thread
        SAID.append(f"rollback {told(cause)}")
        raise
    assert threading.get_ident() == thread
    SAID.append("commit")


@provide
async def later() -> AsyncIterator[asyncio.AbstractEventLoop]:
    loop = asyncio.get_running_loop()
    SAID.append("begin later")
    await asyncio.sleep(0)
    try:
        yield loop
    except BaseException as cause:
        await asyncio.sleep(0)
        assert asyncio.get_running_loop() is loop
        SAID.append(f"rollback later {told(cause)}")
        raise
    await asyncio.sleep(0)
    assert asyncio.get_running_loop() is loop
    SAID.append("commit later")


def answer(input: str) -> Any:
    if input == "raise":
        raise KeyError("canary")
    return {"sold": SoldOut(), "wrong": 3, "undeclared": Forbidden}.get(input, "done")


@route(summary="Here", tags=["t"])
def here(input: str, ctx: str) -> str | SoldOut:
    assert session() == session() == threading.get_ident()
    SAID.append("here")
    return answer(input)  # type: ignore[no-any-return]


@route(summary="On the loop", tags=["t"])
async def on_loop(input: str, ctx: str) -> str | SoldOut:
    assert await later() is await later() is asyncio.get_running_loop()
    SAID.append("on_loop")
    return answer(input)  # type: ignore[no-any-return]


@route(summary="Inline", tags=["t"], inline=True)
def inline(input: str, ctx: str) -> str | SoldOut:
    session()
    SAID.append("inline")
    return answer(input)  # type: ignore[no-any-return]


@route(summary="Asks for nothing", tags=["t"])
def plain(input: str, ctx: str) -> str | SoldOut:
    return answer(input)  # type: ignore[no-any-return]


def user_of(token: str, request: Request) -> str | Forbidden | None:
    session()
    SAID.append("hook")
    return {"no": None, "never": Forbidden()}.get(token, token)


async def user_of_later(token: str, request: Request) -> str | Forbidden | None:
    await later()
    SAID.append("hook")
    return {"no": None, "never": Forbidden()}.get(token, token)


def anybody(token: str, request: Request) -> str | None:
    return token


ROUTES = routes(here, on_loop, inline, plain)
HOOKED = spec(authenticate=user_of, routes=ROUTES)
HOOKED_LATER = spec(authenticate=user_of_later, routes=ROUTES)
PLAIN = spec(authenticate=anybody, routes=ROUTES)


Way = Callable[..., Reply]


def over_wsgi(api: Spec[Any], name: str, input: object, **options: Any) -> Reply:
    token = options.pop("token", "t")
    return Client(api, options=Options(**options), token=token).call(name, input)


def over_asgi(api: Spec[Any], name: str, input: object, **options: Any) -> Reply:
    token = options.pop("token", "t")

    async def run() -> Reply:
        return await AsyncClient(api, options=Options(**options), token=token).call(name, input)

    return asyncio.run(run())


def in_two_hops(api: Spec[Any], name: str, input: object, **options: Any) -> Reply:
    """Over ASGI, with a body that is not there yet when the hook is asked."""
    token = options.pop("token", "t")
    app = AsgiApp(service_of(api, Options(**options)))
    body = orjson.dumps(input)
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": body}

    async def send(event: Any) -> None:
        sent.append(event)

    headers = [
        (b"authorization", f"Bearer {token}".encode()),
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    asyncio.run(app(post(f"/{name}", headers), receive, send))
    return Reply(sent[0]["status"], orjson.loads(sent[1]["body"]), {}, sent[1]["body"])


def post(path: str, headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "headers": headers,
    }


def as_tool(way: type[Client | AsyncClient]) -> Way:
    def call(api: Spec[Any], name: str, input: object, **options: Any) -> Reply:
        arguments = {"name": name.replace("_", "-"), "arguments": {"input": input}}
        token = options.pop("token", "t")
        client = way(api, options=Options(**options), token=token)
        if isinstance(client, Client):
            return client.mcp("tools/call", arguments)

        async def run() -> Reply:
            return await client.mcp("tools/call", arguments)

        return asyncio.run(run())

    return call


WAYS = {"wsgi": over_wsgi, "asgi": over_asgi, "two hops": in_two_hops}
DEADLINES = {"": {}, " deadline": {"limits": Limits(deadline_seconds=20.0)}}

ways = pytest.mark.parametrize(
    ("way", "options"),
    [
        pytest.param(way, options, id=name + deadline)
        for name, way in WAYS.items()
        for deadline, options in DEADLINES.items()
    ],
)

OUTCOMES = {
    "well": (200, None),
    "sold": (409, "CallFailed SOLD_OUT"),
    "raise": (500, "KeyError 'canary'"),
    "wrong": (500, "InvalidOutput (value): expected str, found int"),
}


def ends(*kinds: str, cause: str | None) -> list[str]:
    """What the providers of these *kinds* say at the end."""
    return [f"commit{kind}" if cause is None else f"rollback{kind} {cause}" for kind in kinds]


@ways
@pytest.mark.parametrize("input", OUTCOMES)
def test_a_value_ends_with_what_was_answered(way: Way, options: Any, input: str) -> None:
    status, cause = OUTCOMES[input]

    for name in ("here", "inline"):
        SAID.clear()
        assert way(PLAIN, name, input, **options).status == status
        assert SAID == ["begin", name, *ends("", cause=cause)]
    SAID.clear()
    assert way(PLAIN, "on_loop", input, **options).status == status
    assert SAID == ["begin later", "on_loop", *ends(" later", cause=cause)]


@ways
@pytest.mark.parametrize("input", OUTCOMES)
def test_a_hook_and_a_resolver_have_the_same_values(way: Way, options: Any, input: str) -> None:
    status, cause = OUTCOMES[input]

    assert way(HOOKED, "here", input, **options).status == status
    assert SAID == ["begin", "hook", "here", *ends("", cause=cause)]
    SAID.clear()
    assert way(HOOKED_LATER, "on_loop", input, **options).status == status
    assert SAID == ["begin later", "hook", "on_loop", *ends(" later", cause=cause)]


@ways
@pytest.mark.parametrize("input", OUTCOMES)
def test_values_end_in_the_reverse_order_wherever_they_are(
    way: Way, options: Any, input: str
) -> None:
    status, cause = OUTCOMES[input]

    assert way(HOOKED, "on_loop", input, **options).status == status
    assert SAID == ["begin", "hook", "begin later", "on_loop", *ends(" later", "", cause=cause)]
    SAID.clear()
    assert way(HOOKED_LATER, "here", input, **options).status == status
    assert SAID == ["begin later", "hook", "begin", "here", *ends("", " later", cause=cause)]


@ways
def test_a_refused_call_rolls_its_hook_back(way: Way, options: Any) -> None:
    for token, status, cause in (
        ("no", 401, "CallFailed UNAUTHORIZED"),
        ("never", 403, "CallFailed FORBIDDEN"),
    ):
        for api, kind in ((HOOKED, ""), (HOOKED_LATER, " later")):
            SAID.clear()
            assert way(api, "plain", "x", token=token, **options).status == status
            assert SAID == [f"begin{kind}", "hook", *ends(kind, cause=cause)]
    SAID.clear()
    assert way(HOOKED, "plain", 3, **options).status == 400
    assert SAID == ["begin", "hook", "rollback InvalidInput (value): Must be a string."]
    SAID.clear()
    assert way(HOOKED, "plain", "x" * 99, max_body_bytes=50, **options).status == 413
    assert SAID == ["begin", "hook", "rollback CallFailed PAYLOAD_TOO_LARGE"]
