"""Lifespans: what an app is told of its worker's start and stop, and what it may do then."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from contract.cli.lifespan import Lifespan
from tests.http_requests import LAST, status_of
from tests.served_on_loop import GATE, App, echo, rest_of, serving

STARTED = {"type": "lifespan.startup.complete"}
STOPPED = {"type": "lifespan.shutdown.complete"}


def living(*steps: Any, heard: list[Any] | None = None) -> App:
    """An app whose life is these *steps*: events that it sends, exceptions, or ``receive``."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            return await echo(scope, receive, send)
        for step in steps:
            if step == "receive":
                event = await receive()
                if heard is not None:
                    heard.append(event)
            elif isinstance(step, BaseException):
                raise step
            elif step == "wait":
                await GATE.go_on.wait()
            else:
                await send(step)
        return None

    return app


def told(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    """What was logged, and where."""
    return [(record.name, record.message) for record in caplog.records]


async def test_an_app_is_told_of_start_and_stop() -> None:
    heard: list[Any] = []
    lifespan = Lifespan(living("receive", STARTED, "receive", STOPPED, heard=heard))

    assert await lifespan.start()
    assert heard == [{"type": "lifespan.startup"}]
    await lifespan.stop()
    assert heard[1:] == [{"type": "lifespan.shutdown"}]


async def test_its_scope_says_what_it_is() -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)

    lifespan = Lifespan(app)
    assert await lifespan.start()

    versions = {"version": "3.0", "spec_version": "2.0"}
    assert seen == [{"type": "lifespan", "asgi": versions, "state": {}}]
    assert seen[0]["state"] is lifespan.state


async def test_requests_get_what_the_app_has_put_there_and_not_each_others() -> None:
    pool = object()
    seen: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            scope["state"]["pool"] = pool
            await send(STARTED)
            return
        seen.append(dict(scope["state"]))
        scope["state"]["mine"] = 1
        await echo(scope, receive, send)

    async with serving(app) as (_, port):
        for _ in range(2):
            await rest_of(port, LAST)

    assert seen == [{"pool": pool}] * 2


@pytest.mark.parametrize("message", [{}, {"message": "no database"}])
async def test_an_app_may_say_that_it_does_not_start(
    message: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    failed = {"type": "lifespan.startup.failed", **message}
    lifespan = Lifespan(living("receive", failed))

    assert not await lifespan.start()
    await asyncio.sleep(0)
    await lifespan.stop()
    reason = message.get("message", "")
    assert told(caplog) == [("contract.serve", f"the app did not start: {reason}")]


async def test_what_is_raised_after_that_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    failed = {"type": "lifespan.startup.failed", "message": "no database"}
    lifespan = Lifespan(living(failed, ValueError("oh")))

    assert not await lifespan.start()
    assert told(caplog) == [
        ("contract.serve", "the app did not start: no database"),
        ("contract.errors", "the app's lifespan raised"),
    ]


async def test_an_app_may_say_that_it_does_not_stop(caplog: pytest.LogCaptureFixture) -> None:
    failed = {"type": "lifespan.shutdown.failed", "message": "a job runs"}
    lifespan = Lifespan(living(STARTED, "receive", "receive", failed))

    assert await lifespan.start()
    await lifespan.stop()
    assert told(caplog) == [("contract.serve", "the app did not stop: a job runs")]


@pytest.mark.parametrize(
    "error", [NotImplementedError("http only"), SystemExit(3), AssertionError()]
)
async def test_an_app_that_raises_at_once_knows_nothing_of_it_and_is_served(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "contract.serve"):
        async with serving(living(error)) as (_, port):
            answer = await rest_of(port, LAST)

    assert status_of(answer) == 200
    why = f"the app is not told of start and stop, for which it raised {error!r}"
    assert told(caplog) == [("contract.serve", why)]
    assert caplog.records[0].levelno == logging.INFO


async def test_an_app_that_returns_at_once_is_served(caplog: pytest.LogCaptureFixture) -> None:
    async with serving(living()) as (_, port):
        answer = await rest_of(port, LAST)

    assert status_of(answer) == 200
    assert told(caplog) == []


async def test_an_app_that_raises_later_is_served_and_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with serving(living(STARTED, "wait", ValueError("oh"))) as (server, port):
        before = told(caplog)
        GATE.go_on.set()
        answer = await rest_of(port, LAST)
        await server.lifespan.stop()

    assert status_of(answer) == 200
    assert (before, told(caplog)) == ([], [("contract.errors", "the app's lifespan raised")])


async def test_an_app_that_raises_instead_of_stopping_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    lifespan = Lifespan(living(STARTED, "receive", "receive", ValueError("oh")))

    assert await lifespan.start()
    await lifespan.stop()
    assert told(caplog) == [("contract.errors", "the app's lifespan raised")]


async def test_who_says_something_twice_is_heard_once(caplog: pytest.LogCaptureFixture) -> None:
    lifespan = Lifespan(living(STARTED, STARTED, "receive", "receive", STOPPED, STOPPED))

    assert await lifespan.start()
    await lifespan.stop()
    await asyncio.sleep(0)
    assert told(caplog) == []


async def test_who_has_not_started_is_not_told_to_stop() -> None:
    heard: list[Any] = []
    await Lifespan(living("receive", heard=heard)).stop()

    assert heard == []


def test_an_app_that_waits_for_more_when_its_loop_ends_is_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        while True:
            event = await receive()
            await send({"type": f"{event['type']}.complete"})

    async def live() -> None:
        lifespan = Lifespan(app)
        assert await lifespan.start()
        await lifespan.stop()

    asyncio.run(live())

    assert caplog.records == []
