"""Progress: who hears of it, and what they hear."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from contextvars import copy_context
from decimal import Decimal
from enum import IntEnum
from typing import Any

import orjson
import pytest

from contract import calling, progress
from contract.mcp.answers import listens, reporting
from tests.mcp.talk import Bare
from tests.tables import rows

ACCEPT = "application/json, text/event-stream"
Anything = Any
"""Where the type checkers are right to object, and are not asked."""


class Step(IntEnum):
    ONE = 1


def notices(
    work: Callable[[], None], meta: Mapping[str, Any], accept: str | None = ACCEPT
) -> list[Any]:
    """What a client is sent of *work*."""
    sent: list[bytes] = []
    incoming = Bare({} if accept is None else {"accept": accept})

    def run() -> None:
        if listens(meta, incoming):
            reporting(meta, incoming, sent.append)
        work()

    copy_context().run(run)
    return [orjson.loads(data) for data in sent]


def values(work: Callable[[], None], meta: Mapping[str, Any], **how: Any) -> list[Any]:
    return [message["params"]["progress"] for message in notices(work, meta, **how)]


def test_a_notification_has_what_is_told() -> None:
    def work() -> None:
        progress(1)
        progress(1.5, 4)
        progress(3, 4.0, "nearly")

    assert notices(work, {"progressToken": "t"}) == [
        {
            "jsonrpc": "2.0",
            "method": "notifications/progress",
            "params": {"progressToken": "t", **params},
        }
        for params in (
            {"progress": 1},
            {"progress": 1.5, "total": 4},
            {"progress": 3, "total": 4.0, "message": "nearly"},
        )
    ]


@rows("token", "t", "", 0, -1, 2**63 - 1, "t" * 256)
def test_the_token_is_sent_back(token: object) -> None:
    [message] = notices(lambda: progress(1), {"progressToken": token})

    assert message["params"]["progressToken"] == token
    assert type(message["params"]["progressToken"]) is type(token)


@rows("token", None, True, 1.5, [], {}, 2**63, -(2**63) - 1, "t" * 257)
def test_without_a_token_nobody_hears_of_it(token: object) -> None:
    assert notices(lambda: progress(1), {"progressToken": token}) == []
    assert notices(lambda: progress(1), {}) == []


@rows("accept", None, "application/json", "text/event-stream;q=0, */*")
def test_nor_does_a_client_that_takes_no_stream(accept: str | None) -> None:
    assert notices(lambda: progress(1), {"progressToken": "t"}, accept) == []


def test_outside_a_call_it_does_nothing() -> None:
    progress(1, 2, "three")


def test_what_does_not_go_on_is_not_sent() -> None:
    def work() -> None:
        for done in (2, 2, 1, 3, -1, math.nan, math.inf, 4):
            progress(done, math.inf)

    messages = notices(work, {"progressToken": "t"})
    found = [message["params"] for message in messages]
    assert found == [{"progressToken": "t", "progress": done} for done in (2, 3, 4)]


def test_what_comes_in_great_numbers_is_sent_now_and_then() -> None:
    def work() -> None:
        for done in range(5000):
            progress(done)

    sent = values(work, {"progressToken": "t"})
    assert sent[:101] == [*range(101)]
    assert len(sent) < 200
    assert sent == sorted(set(sent))


def test_what_comes_slowly_is_sent_for_as_long_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr("contract.mcp.answers.monotonic", lambda: next(clock))

    def work() -> None:
        for done in range(500):
            progress(done)

    assert values(work, {"progressToken": "t"}) == [*range(500)]


def test_a_message_is_cut() -> None:
    [message] = notices(lambda: progress(1, message="x" * 2000), {"progressToken": "t"})

    assert message["params"]["message"] == "x" * 1000


@rows("wrong", {"done": 2**70}, {"done": 1, "message": "\ud800"})
@rows("route", None, "work")
def test_what_cannot_be_told_costs_no_call(
    wrong: Anything, route: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    def work() -> None:
        progress(**wrong)
        progress(5)

    with nullcontext() if route is None else calling(route):
        assert values(work, {"progressToken": "t"}) == [5]
    named = "request request-1" if route is None else f"route {route}, request request-1"
    assert f"progress could not be told [{named}]" in caplog.text


@rows("meta", {"progressToken": "t"}, {})
@rows(
    "wrong, place",
    ({"done": "1"}, "done=) is of type str"),
    ({"done": None}, "done=) is of type NoneType"),
    ({"done": True}, "done=) is of type bool"),
    ({"done": 1, "total": "x"}, "total=) is of type str"),
    ({"done": 1, "total": Decimal(2)}, "total=) is of type Decimal"),
    ({"done": 1, "message": 7}, "message=) is of type int"),
)
def test_a_mistake_is_told_to_whoever_made_it_be_there_a_listener_or_not(
    wrong: Anything, place: str, meta: Anything
) -> None:
    fix = "an int or a float, such as progress(3, 10)"
    if "message" in wrong:
        fix = "a text, such as f'{name} is stored'"

    def work() -> None:
        with pytest.raises(TypeError) as caught:
            progress(**wrong)
        assert str(caught.value) == f"progress({place}; give {fix}"
        progress(Step.ONE, 2)

    assert values(work, meta) == [1] * len(meta)


def test_a_thread_without_the_context_of_the_call_is_in_none() -> None:
    def work() -> None:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(progress, 1).result(10)
            pool.submit(copy_context().run, progress, 2).result(10)

    assert values(work, {"progressToken": "t"}) == [2]
