"""Streams: what is sent for each outcome, over every transport, however resolver and iterator run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import orjson
import pytest

from contract import CallEvent, Limits
from tests.streamed import NOTED, Asks, Kind, make
from tests.tables import rows
from tests.wire.exchange import JSON, RawRequest, RawResponse, Transport, serve

ITEM_0, ITEM_1 = b'data: {"n":0,"text":""}\n\n', b'data: {"n":1,"text":""}\n\n'
ITEMS = ITEM_0 + ITEM_1
END = b"event: end\ndata: {}\n\n"


def failed(body: bytes) -> bytes:
    return b"event: error\ndata: " + body + b"\n\n"


INTERNAL = failed(b'{"error":"INTERNAL_ERROR"}')
INTERRUPTED = failed(b'{"error":"INTERRUPTED","data":{"after":2}}')
BUSY = failed(b'{"error":"SERVICE_UNAVAILABLE","data":{"retry_after":1}}')
STREAMED: dict[Asks, tuple[bytes, str, int]] = {
    "items": (ITEMS + END, "OK", 200),
    "nothing": (END, "OK", 200),
    "interrupted": (ITEMS + INTERRUPTED, "INTERRUPTED", 409),
    "busy": (ITEMS + BUSY, "SERVICE_UNAVAILABLE", 503),
    "wrong": (ITEMS + INTERNAL, "INTERNAL_ERROR", 500),
    "undeclared": (ITEMS + INTERNAL, "INTERNAL_ERROR", 500),
    "raise": (ITEMS + INTERNAL, "INTERNAL_ERROR", 500),
    "raise failure": (ITEMS + INTERNAL, "INTERNAL_ERROR", 500),
    "bad close": (ITEMS + INTERRUPTED, "INTERRUPTED", 409),
    "unicode": (ITEM_0 + b'data: {"n":1,"text":"a\\u2028b\\u0085c"}\n\n' + END, "OK", 200),
}
"""The events, the code and the status in the log."""

LOGGED: dict[str, str] = {
    "wrong": "item 3 of the stream does not fit its declared type: n: expected an int",
    "undeclared": "item 3 of the stream is a Refused, and the resolver declares ",
    "raise": "the iterator of the stream, after 2 items, raised",
    "raise failure": "failures are returned, not raised",
    "bad close": "closing the iterator of a stream raised",
    "bad id": "item 1 of the stream does not fit its declared type: (value): its id= gives no text",
}


def asking(asks: str = "items", *more: tuple[str, str], **input: Any) -> RawRequest:
    headers = (JSON, ("Authorization", "Bearer t"), ("X-Request-Id", "id-1"), *more)
    body = orjson.dumps({"asks": asks, **input})
    return RawRequest(target="/v1/chat", headers=headers, body=body)


def told(response: RawResponse) -> bytes:
    """The events that say something."""
    assert response.status == 200, response.body
    assert response.header("content-type") == "text/event-stream"
    assert response.header("content-length") is None
    assert response.header("x-request-id") == "id-1"
    assert response.header("cache-control") == "no-store"
    assert response.header("x-accel-buffering") == "no"
    assert response.body.startswith(b": working\n\n")
    return response.body.replace(b": working\n\n", b"")


@pytest.fixture(autouse=True)
def nothing_noted() -> Iterator[None]:
    NOTED.clear()
    yield
    NOTED.clear()


ITERATORS = pytest.mark.parametrize("is_async", [False, True], ids=["iterator", "async-iterator"])


@ITERATORS
@rows("kind", *get_args(Kind))
@rows("door, deadline", ("public", None), ("public", 20.0), ("async", None))
def test_a_stream_ends_as_its_iterator_does(
    transport: Transport,
    kind: Kind,
    is_async: bool,
    door: str,
    deadline: float | None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    events: list[CallEvent] = []
    limits = Limits(deadline_seconds=deadline, item_seconds=20, stream_seconds=30)
    api = make(kind, is_async=is_async, door=door)
    exchange = serve(transport, api, limits=limits, on_call=events.append)

    for asks, (body, code, status) in STREAMED.items():
        caplog.clear()
        assert told(exchange(asking(asks))) == body
        assert NOTED == ["closed"], asks
        NOTED.clear()
        assert LOGGED.get(asks, "") in caplog.text
        [event] = events
        assert (event.route, event.code, event.status) == ("chat", code, status)
        events.clear()


@ITERATORS
@rows("kind", *get_args(Kind))
def test_an_answer_before_the_stream_is_like_any_other(
    transport: Transport, kind: Kind, is_async: bool
) -> None:
    exchange = serve(transport, make(kind, is_async=is_async))

    for asks, status, body in (
        ("refused", 403, {"error": "REFUSED"}),
        ("no stream", 500, {"error": "INTERNAL_ERROR"}),
        ("no such input", 400, ...),
    ):
        response = exchange(asking(asks))
        assert (response.status, response.header("content-type")) == (status, "application/json")
        assert body is ... or response.json() == body
        assert NOTED == []


@ITERATORS
def test_a_client_that_names_lines_gets_lines(
    transport: Transport, is_async: bool, caplog: pytest.LogCaptureFixture
) -> None:
    exchange = serve(transport, make("sync", is_async=is_async))
    accept = ("Accept", "application/jsonl")

    found = exchange(asking("items", accept, ids=True))
    found.check(content_type="application/jsonl", x_accel_buffering="no")
    first, second = ({"item": {"n": number, "text": ""}} for number in (0, 1))
    named = [first | {"id": '0"\\'}, second | {"id": '1"\\'}]
    assert [orjson.loads(line) for line in found.body.splitlines()] == [{}, *named, {"end": True}]
    found = exchange(asking("interrupted", accept))
    interrupted = {"error": "INTERRUPTED", "data": {"after": 2}}
    lines = [orjson.loads(line) for line in found.body.splitlines()]
    assert lines == [{}, first, second, interrupted]
    found = exchange(asking("unicode", accept))
    assert found.body.splitlines()[2] == b'{"item":{"n":1,"text":"a\\u2028b\\u0085c"}}'
    both = ("Accept", "application/jsonl, text/event-stream")
    expected = b'id: 0"\\\n' + ITEM_0 + b'id: 1"\\\n' + ITEM_1 + END
    assert told(exchange(asking("items", both, ids=True))) == expected
    assert told(exchange(asking("items", ("Accept", "application/json")))) == ITEMS + END
    caplog.clear()
    assert told(exchange(asking("bad id", ids=True))) == INTERNAL
    assert LOGGED["bad id"] in caplog.text


@ITERATORS
@rows("kind", "sync", "async")
@rows("door", "public", "sync")
@rows("deadline", None, 20.0)
def test_values_live_until_the_stream_ends(
    transport: Transport, kind: Kind, is_async: bool, door: str, deadline: float | None
) -> None:
    api = make(kind, is_async=is_async, door=door)
    exchange = serve(transport, api, limits=Limits(deadline_seconds=deadline))
    here = kind == "sync" or not is_async or door == "sync"
    on_loop = kind == "async" or is_async

    assert told(exchange(asking("items", uses="both"))) == ITEMS + END
    assert NOTED[0] == "closed"
    found = sorted(NOTED[1:])
    assert found == [*(["committed"] if here else []), *(["committed later"] if on_loop else [])]
    NOTED.clear()

    assert told(exchange(asking("interrupted", uses="both"))).startswith(ITEMS)
    assert NOTED[0] == "closed"
    assert sorted(NOTED[1:]) == [
        *(["rolled back later: CallFailed('INTERRUPTED')"] if on_loop else []),
        *(["rolled back: CallFailed('INTERRUPTED')"] if here else []),
    ]


def test_values_that_cannot_end_well_end_the_stream_so(
    transport: Transport, caplog: pytest.LogCaptureFixture
) -> None:
    exchange = serve(transport, make("sync", is_async=False))

    assert told(exchange(asking("items", uses="bad end"))) == ITEMS + INTERNAL
    assert "the provider broken failed at its end" in caplog.text
