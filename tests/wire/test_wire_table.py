"""The wire: one table of requests and responses, through the service alone and every adapter."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import cache
from io import StringIO
from typing import Any

import orjson
import pytest

from contract import CallEvent
from contract.log import CallHandler
from tests.wire import rows_auth, rows_content, rows_json, rows_outcomes, rows_paths, site
from tests.wire.case import Case, like, told
from tests.wire.exchange import TRANSPORTS, Exchange, RawResponse, Transport, serve

ROWS: list[Case] = [*rows_content.ROWS, *rows_json.ROWS, *rows_paths.ROWS, *rows_auth.ROWS, *rows_outcomes.ROWS]

EVENTS: list[CallEvent] = []
LINES = StringIO()


class Wire:
    """The spec behind one transport, with either hook."""

    def __init__(self, transport: Transport) -> None:
        self.exchanges: dict[bool, Exchange] = {
            is_async: serve(transport, site.make_site(async_hook=is_async), max_body_bytes=rows_content.LIMIT, on_call=EVENTS.append)
            for is_async in (False, True)
        }


@cache
def wire_of(transport: Transport) -> Wire:
    """One for all rows: pytest would make another for each."""
    return Wire(transport)


@pytest.fixture(scope="module", autouse=True)
def logs() -> Iterator[None]:
    logger = logging.getLogger("contract")
    handlers = [CallHandler(LINES), CallHandler(LINES, format="text")]
    for handler in handlers:
        logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    yield
    for handler in handlers:
        logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)
    logger.propagate = True


def check(case: Case, wire: Wire, *, async_hook: bool) -> None:
    site.RAN.clear()
    EVENTS.clear()
    LINES.seek(0)
    LINES.truncate()
    response = wire.exchanges[async_hook](case.request)
    sent = told(response.json()) if response.body else b""

    assert response.status == case.status, sent
    assert like(case.body, sent), sent
    for name, value in case.headers.items():
        if value == rows_paths.NEW:
            assert response.header(name) not in [sent for key, sent in case.request.headers if key.lower() == name]
        else:
            assert like(value, response.header(name)), name
    assert tuple(site.RAN) == case.ran or case.request.target.startswith("/v1/trap")
    check_always(response, case.request.method)
    check_event(response, sent)
    check_canaries(response)


def check_always(response: RawResponse, method: str) -> None:
    """What holds for every response."""
    assert response.header("x-content-type-options") == "nosniff"
    assert response.header("cache-control") == "no-store"
    identifier = response.header("x-request-id")
    assert identifier is not None
    assert 0 < len(identifier) <= 128
    assert identifier.isascii()
    assert (response.header("www-authenticate") is not None) is (response.status == 401)
    assert (response.header("allow") is not None) is (response.status in (204, 405))
    for name in ("access-control-allow-origin", "set-cookie", "server", "x-powered-by", "vary", "location"):
        assert response.header(name) is None
    if response.status == 204:
        assert response.body == b""
        return
    assert response.header("content-type") == "application/json"
    length = response.header("content-length")
    if method == "HEAD":
        assert response.body == b""
        assert length != "0"
    else:
        assert orjson.loads(response.body) is not Ellipsis
        assert length in (None, str(len(response.body)))
    if response.status != 200:
        assert len(response.body) < 16_384


def check_event(response: RawResponse, sent: Any) -> None:
    """There is one event for each request, and it says what was sent."""
    [event] = EVENTS
    assert event.status == response.status
    assert event.request_id == response.header("x-request-id")
    assert event.surface == "http"
    assert 0 <= event.duration < 60
    if isinstance(sent, dict) and response.status >= 400:
        assert event.code == sent["error"]
    if response.status < 400:
        assert event.code == "OK"
    assert (event.exception is None) or event.code == "INTERNAL_ERROR"


def check_canaries(response: RawResponse) -> None:
    """Nothing of the inside is sent, and no token is told to anybody."""
    seen = response.body + repr(response.headers).encode()
    assert b"canary-of-the-connection" not in seen
    assert site.SECRET.encode() not in seen
    lines = LINES.getvalue()
    assert site.TOKEN.encode() not in seen
    assert site.TOKEN not in lines
    assert site.TOKEN not in repr(EVENTS)
    if response.status == 500:
        assert str(response.header("x-request-id")) in lines
        assert orjson.loads(response.body) == {"error": "INTERNAL_ERROR"}


def through(transports: tuple[Transport, ...], rows: list[Case]) -> list[Any]:
    """Each row with each transport that it is for."""
    return [pytest.param(each, case, id=f"{each}-{case.name}") for each in transports for case in rows if each in case.on]


@pytest.mark.filterwarnings("ignore:coroutine '_never' was never awaited:RuntimeWarning")
@pytest.mark.parametrize(("transport", "case"), through(TRANSPORTS, ROWS))
def test_row(transport: Transport, case: Case) -> None:
    check(case, wire_of(transport), async_hook=False)


@pytest.mark.filterwarnings("ignore:coroutine '_never' was never awaited:RuntimeWarning")
@pytest.mark.parametrize(("transport", "case"), through(TRANSPORTS, rows_auth.HOOKED))
def test_row_with_an_async_hook(transport: Transport, case: Case) -> None:
    check(case, wire_of(transport), async_hook=True)
