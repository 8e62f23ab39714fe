"""What a worker wraps around an app."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from contract import spec
from contract.cli.find import Target
from contract.cli.serving import Interface, Served, Settings
from contract.cli.worker import Draining, Plan, _follow, closing_asgi, closing_wsgi, own_lines, unavailable
from contract.log import CallHandler
from contract.service import Service

Sent = list[tuple[str, list[tuple[str, str]]]]


def _wsgi(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    start_response("200 OK", [("x-proxy", environ.get("HTTP_PROXY", "none"))])
    return [b"body"]


def _through_wsgi(app: Any, **environ: Any) -> Sent:
    sent: Sent = []
    assert app({"wsgi.input": BytesIO(), **environ}, lambda status, headers, *_: sent.append((status, headers))) == [b"body"]
    return sent


def test_a_wsgi_reply_closes_its_connection_while_the_server_drains() -> None:
    draining = Draining()
    app = closing_wsgi(_wsgi, draining)
    before = _through_wsgi(app)
    draining.on = True

    assert before == [("200 OK", [("x-proxy", "none")])]
    assert _through_wsgi(app) == [("200 OK", [("x-proxy", "none"), ("connection", "close")])]


async def _asgi(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200})
    await send({"type": "http.response.body", "body": scope["type"].encode()})


def _through_asgi(app: Any, *received: str, kind: str = "http") -> list[Any]:
    sent: list[Any] = []
    events = [{"type": name} for name in received]

    async def receive() -> Any:
        return events.pop(0)

    async def send(event: Any) -> None:
        sent.append(event)

    asyncio.run(app({"type": kind}, receive, send))
    return sent


def test_an_asgi_reply_closes_its_connection_while_the_server_drains() -> None:
    draining = Draining()
    app = closing_asgi(_asgi, draining)
    before = _through_asgi(app)
    draining.on = True

    assert before[0] == {"type": "http.response.start", "status": 200}
    assert _through_asgi(app) == [
        {"type": "http.response.start", "status": 200, "headers": [(b"connection", b"close")]},
        {"type": "http.response.body", "body": b"http"},
    ]
    assert _through_asgi(app, kind="lifespan") == [before[0], {"type": "http.response.body", "body": b"lifespan"}]


def _plan(interface: Interface) -> Plan:
    return Plan(Target("shop.py", "shop", Path(), None, None), Settings(), interface, "text", stays=True)


BODY = b'{"error":"SERVICE_UNAVAILABLE","data":{"message":"shop.py cannot be imported; the terminal says why."}}'


def test_an_app_that_cannot_be_imported_is_stood_in_for() -> None:
    sent: Sent = []
    body = unavailable(_plan("wsgi"))({}, lambda status, headers: sent.append((status, headers)))
    start, content = _through_asgi(unavailable(_plan("asgi")))

    assert (body, sent[0][0]) == ([BODY], "503 Service Unavailable")
    assert (content["body"], start["status"]) == (BODY, 503)
    assert dict(start["headers"]) == {name.encode(): value.encode() for name, value in sent[0][1]}


def test_the_stand_in_lives_like_an_app() -> None:
    sent = _through_asgi(unavailable(_plan("asgi")), "lifespan.startup", "lifespan.shutdown", kind="lifespan")

    assert [event["type"] for event in sent] == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


def test_an_orphan_ends_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks several times, since the first may come before anybody listens."""
    sent: list[int] = []
    monkeypatch.setattr(os, "kill", lambda _, number: sent.append(number))
    monkeypatch.setattr("time.sleep", lambda _: None)
    parents = [7, 7, 1]
    monkeypatch.setattr(os, "getppid", lambda: parents.pop(0))
    ours, theirs = multiprocessing.Pipe(duplex=False)
    theirs.close()
    draining = Draining()
    service = Service(spec(routes=[]))
    with ours:
        _follow(ours, 7, draining, Served("wsgi", _wsgi, (service,)))

    assert (draining.on, service.draining) == (True, True)
    assert sent == [signal.SIGTERM] * 10 + [signal.SIGKILL]


def test_the_log_is_written_only_where_the_app_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    logger, root = logging.getLogger("contract"), logging.getLogger()
    monkeypatch.setattr(logger, "handlers", [])
    monkeypatch.setattr(logger, "propagate", True)
    monkeypatch.setattr(logger, "level", logger.level)
    monkeypatch.setattr(root, "handlers", [logging.NullHandler()])
    own_lines("text")
    left_alone = list(logger.handlers)
    monkeypatch.setattr(root, "handlers", [])
    own_lines("text")
    logger.setLevel(logging.NOTSET)

    assert left_alone == []
    assert [type(handler) for handler in logger.handlers] == [CallHandler]
