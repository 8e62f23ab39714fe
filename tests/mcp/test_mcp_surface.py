"""The surface: what a mount makes of a request to its MCP endpoint, around the message."""

from __future__ import annotations

import logging
from typing import Any

import orjson
import pytest

from contract import CallEvent, route, spec
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.call.dispatch import Refused
from contract.call.mount_options import Limits, Options
from tests.wire.exchange import Bare, RawRequest, RawResponse, answered

SECRET = "canary-of-the-inside"
LANES = Lanes(Limits())


class Broken(Bare):
    """A message whose body cannot be read."""

    def __init__(self, exception: BaseException) -> None:
        message = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
        super().__init__(
            RawRequest(
                "POST",
                "/mcp",
                (("Content-Type", "application/json"), ("X-Request-Id", "request-1")),
                message,
            ),
            LANES,
        )
        self.exception = exception

    def read(self, limit: int) -> bytes:
        raise self.exception


def ping(input: None, ctx: None) -> None:
    """Do nothing."""


def answer_to(exception: BaseException, **options: Any) -> RawResponse:
    """The response to a message where reading its body raises *exception*."""
    api = spec(routes=[route(summary="S", tags=["t"], auth="none")(ping)])
    return answered(service_of(api, Options(**options)), Broken(exception))


def test_a_body_that_was_refused_is_answered_with_its_status() -> None:
    events: list[CallEvent] = []
    response = answer_to(
        Refused("PAYLOAD_TOO_LARGE", (("connection", "close"),), limit=9), on_call=events.append
    )
    error = orjson.loads(response.body)["error"]

    assert (response.status, error["code"]) == (413, -32600)
    assert error["message"] == "The message is larger than 9 bytes."
    assert error["data"] == {"error": "PAYLOAD_TOO_LARGE", "data": {"limit": 9}}
    assert [(event.surface, event.route, event.code, event.status) for event in events] == [
        ("mcp", None, "PAYLOAD_TOO_LARGE", 413)
    ]
    assert ("connection", "close") in response.headers


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (
            Refused("BAD_REQUEST", message="The body is not as long as its Content-Length."),
            "The body is not as long as its Content-Length.",
        ),
        (Refused("LENGTH_REQUIRED"), "The body has to be announced by its length."),
        (Refused("REQUEST_TIMEOUT"), "The body did not arrive in time."),
    ],
)
def test_a_body_that_was_refused_is_told_why(refused: Refused, said: str) -> None:
    assert orjson.loads(answer_to(refused).body)["error"]["message"] == said


def test_a_body_that_could_not_be_read_is_400(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "contract.errors"):
        response = answer_to(OSError(SECRET))

    assert (response.status, orjson.loads(response.body)["error"]["code"]) == (400, -32600)
    assert SECRET.encode() not in response.body
    assert "reading the body raised [request request-1]" in caplog.text
