"""
The wire: one table of requests and responses, through the service alone and every adapter, on every lane through the core.

What the wire says is what the document says: every answer is held against the contract of its lane's spec, too.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import cache
from io import StringIO
from itertools import combinations
from types import ModuleType
from typing import Any

import falcon
import falcon.asgi
import orjson
import pytest

from contract import CallEvent, Limits
from contract.call.log import CallHandler
from tests.wire import (
    exchange,
    rows_auth,
    rows_content,
    rows_hooks,
    rows_json,
    rows_outcomes,
    rows_paths,
    site,
)
from tests.wire.case import Case, like, told
from tests.wire.described import check_described
from tests.wire.lanes import HEARD, SEEN, Lane, Lanes, Run, cover, make_lane, runs_of

KINDS = (rows_content, rows_json, rows_paths, rows_auth, rows_hooks, rows_outcomes)
ROWS: list[Case] = [row for kind in KINDS for row in kind.ROWS]

EVENTS: list[CallEvent] = []
LINES = StringIO()
PASSED: list[str] = []
"""What Falcon's middleware saw."""


class Middleware:
    """An app's own, whose say in a response is none."""

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        PASSED.append("request")
        resp.status = "418 I'm a teapot"

    def process_response(self, *args: Any) -> None:
        PASSED.append("response")

    async def process_request_async(self, *args: Any) -> None:
        self.process_request(*args)

    async def process_response_async(self, *args: Any) -> None:
        self.process_response(*args)


@cache
def wire_of(transport: exchange.Transport, lane: Lane) -> exchange.Exchange:
    """One for all rows: pytest would make another for each."""
    return exchange.serve(
        transport,
        make_lane(lane.door, lane.runs),
        middleware=[Middleware()] if lane.middleware else [],
        max_body_bytes=rows_content.LIMIT,
        logging=lane.log,
        on_call=EVENTS.append if lane.told else None,
        limits=Limits(deadline_seconds=60 if lane.deadline else None),
    )


def runs_of_row(case: Case) -> list[Run]:
    return cover(case.name, case.on, case.lanes)


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


def check(case: Case, transport: exchange.Transport, lane: Lane) -> None:
    for each in (site.RAN, site.CALLS, SEEN, HEARD, EVENTS, PASSED):
        each.clear()
    LINES.seek(0)
    LINES.truncate()
    request, ran = on_lane(case, lane)
    response = wire_of(transport, lane)(request)
    if transport in exchange.SERVED and not exchange.is_http(request):
        check_no_http(response)
        return
    sent = told(response.json()) if response.body else b""

    assert response.status == case.status, sent
    assert like(case.body, sent), sent
    for name, value in case.headers.items():
        if value == rows_paths.NEW:
            found = response.header(name)
            assert found not in [sent for key, sent in case.request.headers if key.lower() == name]
        else:
            assert like(value, response.header(name)), name
    assert tuple(site.RAN) == ran
    check_seen(response, ran)
    check_always(response, case.request.method)
    check_told(response, sent, lane)
    check_canaries(response)
    if response.body:
        check_described(
            request.target, response.status, response.body, hooked=lane.door != "public"
        )
    if lane.middleware and response.status != 505:  # HTTP that is none never comes to Falcon
        assert PASSED == ["request", "response"]


def check_no_http(response: exchange.RawResponse) -> None:
    """What the server refuses itself: nobody is asked, and the connection ends."""
    assert (response.status, response.header("connection")) == (400, "close")
    assert response.json() == {"error": "BAD_REQUEST", "data": {"message": NO_HTTP}}
    assert (site.RAN, EVENTS, PASSED) == ([], [], [])


NO_HTTP = "The request is not valid HTTP."


def on_lane(case: Case, lane: Lane) -> tuple[exchange.RawRequest, tuple[str, ...]]:
    """The request of *case* on *lane*, and what runs then: where every route has a hook, it brings a token that is good."""
    if case.of_hook or lane.door == "public":
        return case.request, case.ran
    token = ("Authorization", f"Bearer {site.TOKEN}")
    request = replace(case.request, headers=(*case.request.headers, token))
    is_call = bool(case.ran) or (request.method == "POST" and case.status not in (404, 505))
    return request, ("authenticate", *case.ran) if is_call else case.ran


def check_seen(response: exchange.RawResponse, ran: tuple[str, ...]) -> None:
    """Hooks and resolvers see the call that they are in, and what those before them have given and set."""
    call = ("http", response.header("x-request-id"))
    asked = ran.count("authenticate")
    assert [call] * asked == HEARD
    known = (site.User("ada"), site.TOKEN) if asked else (None, None)
    hooks = [name for name in ran if name.startswith("hook.")]
    assert [(route, *call, *known) for route in ran[asked + len(hooks) :]] == SEEN
    found = [(name, call[1], known[0]) for name in hooks]
    assert found == [(name, request_id, ctx) for name, _, request_id, ctx in site.CALLS]


def check_always(response: exchange.RawResponse, method: str) -> None:
    """What holds for every response."""
    response.check(x_content_type_options="nosniff", cache_control="no-store")
    identifier = response.header("x-request-id")
    assert identifier is not None
    assert 0 < len(identifier) <= 128
    assert identifier.isascii()
    assert (response.header("www-authenticate") is not None) is (response.status == 401)
    assert (response.header("allow") is not None) is (response.status in (204, 405))
    for name in (
        "access-control-allow-origin",
        "set-cookie",
        "server",
        "x-powered-by",
        "vary",
        "location",
    ):
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


def check_told(response: exchange.RawResponse, sent: Any, lane: Lane) -> None:
    """There is one event and one line for each request, where anybody wants them, and both say what was sent."""
    code: Any = "OK"
    if response.status >= 400:
        code = sent["error"] if isinstance(sent, dict) else ...
    identifier = response.header("x-request-id")
    found = [(each.status, each.request_id, each.surface) for each in EVENTS]
    assert found == [(response.status, identifier, "http")] * lane.told
    for event in EVENTS:
        assert like(code, event.code)
        assert 0 <= event.duration < 60
        assert (event.exception is None) or event.code == "INTERNAL_ERROR"
    lines = [orjson.loads(line) for line in LINES.getvalue().split("\n") if line.startswith("{")]
    calls = [line for line in lines if "code" in line]
    expected = [(response.status, identifier, "http")] * lane.log
    assert [(each["status"], each["request_id"], each["surface"]) for each in calls] == expected
    assert all(like(code, line["code"]) for line in calls)


def check_canaries(response: exchange.RawResponse) -> None:
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


@pytest.mark.filterwarnings("ignore:coroutine '_never' was never awaited:RuntimeWarning")
@pytest.mark.parametrize("case", ROWS, ids=lambda case: case.name)
def test_row(case: Case) -> None:
    failed: list[Exception] = []
    for transport, lane in runs_of_row(case):
        if transport not in exchange.TRANSPORTS:
            continue
        try:
            check(case, transport, lane)
        except Exception as exception:
            exception.add_note(f"over {transport}, on {lane}")
            failed.append(exception)
    if failed:
        raise ExceptionGroup(case.name, failed)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_lane_carries_rows_of_each_kind(kind: ModuleType) -> None:
    """Each lane on each transport, each two values of two dimensions, and each value of a dimension on each lane of a transport."""
    rows = Counter(
        place for case in kind.ROWS for run in runs_of_row(case) for place in places(*run)
    )
    possible = frozenset[Place]().union(*(reachable(case.on, case.lanes) for case in kind.ROWS))

    assert {place: rows[place] for place in possible if rows[place] < 3} == {}


Place = tuple[object, ...]


@cache
def places(transport: exchange.Transport, lane: Lane) -> frozenset[Place]:
    values = {"transport": transport, **asdict(lane)}
    return frozenset({("lane", transport, lane.door, lane.runs), *combinations(values.items(), 2)})


@cache
def reachable(on: frozenset[str], lanes: Lanes) -> frozenset[Place]:
    runs = [
        run for each in exchange.EVERY if each in on for run, _ in runs_of(each) if lanes(run[1])
    ]
    return frozenset[Place]().union(*(places(*run) for run in runs))


def test_each_row_takes_a_lane_on_every_transport_that_it_is_for() -> None:
    for case in ROWS:
        assert {transport for transport, _ in runs_of_row(case)} == case.on, case.name
