"""What a worker wraps around an app."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from contract.call.log import CallHandler
from contract.cli.find import Target
from contract.cli.serving import Interface, Settings
from contract.cli.worker import Plan, own_lines, unavailable
from tests.test_adapters_loops import noting

Sent = list[tuple[str, list[tuple[str, str]]]]


def _through_asgi(app: Any, *received: str, kind: str = "http") -> list[Any]:
    sent: list[Any] = []
    events = [{"type": name} for name in received]

    async def receive() -> Any:
        return events.pop(0)

    asyncio.run(app({"type": kind}, receive, noting(sent)))
    return sent


def _plan(interface: Interface) -> Plan:
    target = Target("shop.py", "shop", Path(), None, None)
    return Plan(target, Settings(), interface, "text", stays=True)


BODY = b'{"error":"SERVICE_UNAVAILABLE","data":{"message":"shop.py cannot be imported; the terminal says why."}}'


def test_an_app_that_cannot_be_imported_is_stood_in_for() -> None:
    sent: Sent = []
    body = unavailable(_plan("wsgi"))({}, lambda status, headers: sent.append((status, headers)))
    start, content = _through_asgi(unavailable(_plan("asgi")))

    assert (body, sent[0][0]) == ([BODY], "503 Service Unavailable")
    assert (content["body"], start["status"]) == (BODY, 503)
    assert dict(start["headers"]) == {name.encode(): value.encode() for name, value in sent[0][1]}


def test_the_stand_in_lives_like_an_app() -> None:
    events = ("lifespan.startup", "lifespan.shutdown")
    sent = _through_asgi(unavailable(_plan("asgi")), *events, kind="lifespan")

    found = [event["type"] for event in sent]
    assert found == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


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

    assert (left_alone, [type(handler) for handler in logger.handlers]) == ([], [CallHandler])


@contextmanager
def app_logger() -> Generator[logging.Logger]:
    """A logger of an app that has configured none, in a process with no others. No fixture, since pytest adds handlers for each phase."""
    ours, root, shop = (logging.getLogger(name) for name in ("contract", None, "shop"))
    levels = ((ours, logging.NOTSET), (root, logging.WARNING), (shop, logging.NOTSET))
    named = {"contract": ours, "shop": shop, "library": logging.PlaceHolder(shop)}
    with pytest.MonkeyPatch.context() as patch:
        for logger, level in levels:
            patch.setattr(logger, "handlers", [])
            patch.setattr(logger, "propagate", True)
            patch.setattr(logger, "level", level)
        patch.setattr(root.manager, "loggerDict", named)
        yield shop
    root.setLevel(root.level)  # so that loggers forget which levels they have found out


def test_loggers_of_the_app_write_in_the_form_of_calls(capsys: pytest.CaptureFixture[str]) -> None:
    with app_logger() as shop:
        shop.addHandler(logging.NullHandler())  # as libraries do
        own_lines("json")
        shop.info("sold %s", "out")
        logging.getLogger("contract").info("ours")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    told = [(line["level"], line.get("logger"), line["message"]) for line in lines]

    assert told == [("info", "shop", "sold out"), ("info", None, "ours")]


@pytest.mark.parametrize("level", [logging.ERROR, logging.DEBUG])
def test_a_level_that_the_app_has_set_stays(level: int) -> None:
    with app_logger():
        logging.getLogger().setLevel(level)
        own_lines("json")

        assert logging.getLogger().level == level


def test_an_app_that_writes_its_own_log_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """A second handler would write each line twice."""
    with app_logger() as shop:
        shop.addHandler(logging.StreamHandler())
        own_lines("json")
        shop.warning("once")

        assert logging.getLogger().handlers == []
    assert capsys.readouterr().err == "once\n"


def test_a_logger_that_keeps_its_lines_to_itself_says_nothing_of_the_others() -> None:
    """That of the server is one."""
    with app_logger() as shop:
        shop.addHandler(logging.StreamHandler())
        shop.propagate = False
        own_lines("json")

        assert [type(handler) for handler in logging.getLogger().handlers] == [CallHandler]
