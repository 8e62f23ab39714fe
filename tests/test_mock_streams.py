"""Mocks of routes that give streams: made-up items, then an end, or the failure that is asked for."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from contract.adapters.wsgi import WsgiApp
from contract.testing.mock import MockService
from contract.testing.received import Receiving, is_stream
from tests.mocks import package
from tests.streamed import make


@pytest.fixture(scope="module")
def mock() -> WsgiApp:
    return WsgiApp(MockService(package(make("sync", is_async=False))))


Answer = tuple[int, list[Any] | None, Any, dict[str, str]]


def ask(mock: WsgiApp, headers: dict[str, str], body: bytes = b"{}") -> Answer:
    """The status, the items of a stream, its end or the body, and the headers."""
    sent: list[Any] = []
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/chat",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.input": io.BytesIO(body),
        "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": "application/json",
        **{f"HTTP_{name.upper()}": value for name, value in headers.items()},
    }

    def start(status: str, pairs: list[tuple[str, str]], *_: Any) -> None:
        sent.extend((int(status[:3]), dict(pairs)))

    data = b"".join(mock(environ, start))
    status, found = sent
    if not is_stream(found["content-type"]):
        return status, None, json.loads(data), found
    reading = Receiving(found["content-type"])
    items = [item.value for item in reading.take(data)]
    return status, items, json.loads(reading.last or b"null"), found


FORMS = pytest.mark.parametrize("form", [{}, {"accept": "application/jsonl"}])


@FORMS
def test_items_are_made_up_and_then_it_ends(mock: WsgiApp, form: dict[str, str]) -> None:
    status, items, end, _ = ask(mock, form)

    assert (status, end) == (200, {})
    assert items is not None
    assert [sorted(item) for item in items] == [["n", "text"]] * 3
    assert ask(mock, form)[1] == items
    assert ask(mock, form, b'{"ids":true}')[1] != items


@FORMS
@pytest.mark.parametrize("prefer", ["code=INTERRUPTED", "status=409"])
def test_a_failure_between_items_comes_after_them(
    mock: WsgiApp, form: dict[str, str], prefer: str
) -> None:
    status, items, end, headers = ask(mock, {"prefer": prefer, **form})

    assert (status, end["error"], len(items or ())) == (200, "INTERRUPTED", 3)
    assert isinstance(end["data"]["after"], int)
    assert headers["preference-applied"] == prefer


def test_one_before_them_is_an_ordinary_reply(mock: WsgiApp) -> None:
    status, items, body, headers = ask(mock, {"prefer": "code=REFUSED"})
    assert (status, items, body["error"]) == (403, None, "REFUSED")
    assert headers["preference-applied"] == "code=REFUSED"

    status, _, body, _ = ask(mock, {"prefer": "code=OTHER"})
    assert (status, body["error"]) == (400, "BAD_REQUEST")
    assert "INTERRUPTED" in body["data"]["message"]
