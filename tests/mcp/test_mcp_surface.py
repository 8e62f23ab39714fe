"""The surface: what a mount makes of a request to its MCP endpoint, around the message."""

from __future__ import annotations

import logging
from typing import Any

import orjson
import pytest

from contract import CallEvent, Limits, route, spec
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.call.incoming import Refused
from contract.call.mount_options import Options
from contract.mcp.surface import HttpRules
from tests.wire.exchange import JSON, Bare, RawRequest, RawResponse, answered

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
        (Refused("LENGTH_REQUIRED"), "The request must state the length of its body."),
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


# What HTTP decides before there is a message.


ORIGIN = "https://app.example"
LOGIN = "https://login.example"
WELL_KNOWN = "/.well-known/oauth-protected-resource"


def rules(prefix: str = "/v1", **options: Any) -> HttpRules:
    return HttpRules("/mcp", "Shop", Options(prefix=prefix, **options))


def incoming(method: str = "POST", *headers: tuple[str, str]) -> Bare:
    return Bare(RawRequest(method, "/v1/mcp", headers), LANES)


def test_its_paths() -> None:
    assert rules().paths == {"/v1/mcp", "/v1/mcp/"}
    assert rules().metadata_paths == frozenset()
    known = rules(authorization_servers=(LOGIN,)).metadata_paths
    assert {
        f"{WELL_KNOWN}/v1/mcp",
        f"/v1{WELL_KNOWN}/mcp",
        f"/v1{WELL_KNOWN}/v1/mcp",
        f"{WELL_KNOWN}/v1/mcp/",
    } <= known
    assert rules("", authorization_servers=(LOGIN,)).metadata_paths == {
        f"{WELL_KNOWN}/mcp",
        f"{WELL_KNOWN}/mcp/",
    }


def test_a_message_passes() -> None:
    for headers in (
        (JSON,),
        (JSON, ("Origin", ORIGIN)),
        (JSON, ("Origin", "http://localhost:1")),
        (JSON, ("Accept", "*/*")),
    ):
        assert rules(mcp_origins=(ORIGIN,)).refuse(incoming("POST", *headers)) is None


SAID = {
    403: "This origin is not allowed.",
    405: "Send messages by POST; there is no stream to GET, and no session to DELETE.",
    406: "Accept application/json, and text/event-stream for progress.",
    415: "Send the message as application/json in UTF-8.",
}


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("POST", (JSON, ("Origin", "null")), 403),
        ("POST", (JSON, ("Origin", "http://shop.example")), 403),
        ("OPTIONS", (("Origin", "https://evil.example"),), 403),
        ("GET", (), 405),
        ("DELETE", (), 405),
        ("POST", (), 415),
        ("POST", (("Content-Type", "text/plain"),), 415),
        ("POST", (JSON, ("Accept", "text/event-stream")), 406),
    ],
)
def test_what_is_refused(method: str, headers: tuple[tuple[str, str], ...], status: int) -> None:
    answer = rules(mcp_origins=(ORIGIN,)).refuse(incoming(method, *headers))

    assert answer is not None
    assert (answer.status, answer.outcome) == (status, status)
    body = orjson.loads(answer.body)
    assert body.keys() == {"jsonrpc", "error"}
    assert body["error"]["data"]["error"] == answer.code
    assert body["error"]["message"] == SAID[status]
    assert (("allow", "POST") in answer.headers) == (status == 405)


def test_options_are_told() -> None:
    program = rules().refuse(incoming("OPTIONS"))
    page = rules(mcp_origins=(ORIGIN,)).refuse(incoming("OPTIONS", ("Origin", ORIGIN)))

    assert program is not None
    assert page is not None
    assert (program.status, program.outcome, program.body, program.headers) == (
        204,
        204,
        b"",
        (("allow", "OPTIONS, POST"),),
    )
    assert dict(page.headers)["access-control-allow-methods"] == "POST"


def test_a_page_sees_what_it_may() -> None:
    allowing = rules(mcp_origins=(ORIGIN,))

    assert (
        allowing.cors(incoming())
        == allowing.cors(incoming("POST", ("Origin", "null")))
        == (("vary", "Origin"),)
    )
    assert (
        dict(allowing.cors(incoming("POST", ("Origin", ORIGIN))))["access-control-allow-origin"]
        == ORIGIN
    )


@pytest.mark.parametrize(
    ("public_url", "host", "place"),
    [
        (None, "shop.example:8080", f"http://shop.example:8080{WELL_KNOWN}/v1/mcp"),
        (None, "[::1]:80", f"http://[::1]:80{WELL_KNOWN}/v1/mcp"),
        ("https://api.example/eu", 'x"y', f"https://api.example/eu/v1{WELL_KNOWN}/mcp"),
    ],
)
def test_where_tokens_come_from(public_url: str | None, host: str, place: str) -> None:
    known = rules(public_url=public_url, authorization_servers=(LOGIN,))
    request = incoming("GET", ("Host", host))
    request._headers = {"host": host}  # one Host, and not beside that of every request
    shown = known.show(request)

    assert known.located(request, (("www-authenticate", "Bearer"), ("x", "y"))) == (
        ("www-authenticate", f'Bearer, resource_metadata="{place}"'),
        ("x", "y"),
    )
    metadata = orjson.loads(shown.body)
    assert metadata["resource"] == (
        f"http://{host}/v1/mcp" if public_url is None else f"{public_url}/v1/mcp"
    )
    assert (metadata["authorization_servers"], metadata["resource_name"]) == ([LOGIN], "Shop")
    assert metadata["bearer_methods_supported"] == ["header"]


def test_without_servers_nothing_is_added() -> None:
    challenge = (("www-authenticate", "Bearer"),)

    assert rules().located(incoming(), challenge) == challenge


def test_a_host_that_is_none_names_no_place() -> None:
    known = rules(authorization_servers=(LOGIN,))
    strange = incoming("GET", ("Host", "evil"))  # beside the one of every request

    assert known.located(strange, (("www-authenticate", "Bearer"),)) == (
        ("www-authenticate", "Bearer"),
    )
    refused = known.show(strange)
    assert refused.status == 400
    assert b'"Host is not the name of a host."' in refused.body


@pytest.mark.parametrize(
    ("method", "status"),
    [("GET", 200), ("HEAD", 200), ("OPTIONS", 204), ("POST", 405), ("PUT", 405)],
)
def test_metadata_are_read_only(method: str, status: int) -> None:
    answer = rules(authorization_servers=(LOGIN,)).show(incoming(method))

    assert answer.status == answer.outcome == status
    assert (answer.body == b"") == (status == 204)
    assert (b'"Send a GET."' in answer.body) == (status == 405)
    assert (("allow", "GET, HEAD, OPTIONS") in answer.headers) == (status != 200)
