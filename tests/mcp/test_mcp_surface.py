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
from tests.tables import rows
from tests.wire.exchange import JSON, Bare, RawRequest, RawResponse, answered

SECRET = "canary-of-the-inside"
LANES = Lanes(Limits())


class Broken(Bare):
    """A message whose body cannot be read."""

    def __init__(self, exception: BaseException) -> None:
        headers = (JSON, ("X-Request-Id", "request-1"))
        message = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
        super().__init__(RawRequest("POST", "/mcp", headers, message), LANES)
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
    refused = Refused("PAYLOAD_TOO_LARGE", (("connection", "close"),), limit=9)
    response = answer_to(refused, on_call=events.append)
    error = orjson.loads(response.body)["error"]

    assert (response.status, error["code"]) == (413, -32600)
    assert error["message"] == "The message is larger than 9 bytes."
    assert error["data"] == {"error": "PAYLOAD_TOO_LARGE", "data": {"limit": 9}}
    found = [(event.surface, event.route, event.code, event.status) for event in events]
    assert found == [("mcp", None, "PAYLOAD_TOO_LARGE", 413)]
    assert ("connection", "close") in response.headers


OTHER_LENGTH = "The body is not as long as its Content-Length."


@rows(
    "refused, said",
    (Refused("BAD_REQUEST", message=OTHER_LENGTH), OTHER_LENGTH),
    (Refused("LENGTH_REQUIRED"), "The request must state the length of its body."),
    (Refused("REQUEST_TIMEOUT"), "The body did not arrive in time."),
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
    below = {f"{WELL_KNOWN}/v1/mcp", f"/v1{WELL_KNOWN}/mcp", f"/v1{WELL_KNOWN}/v1/mcp"}
    assert below | {f"{WELL_KNOWN}/v1/mcp/"} <= known
    root = rules("", authorization_servers=(LOGIN,))
    assert root.metadata_paths == {f"{WELL_KNOWN}/mcp", f"{WELL_KNOWN}/mcp/"}


@rows(
    "public_url, host, place",
    (None, "shop.example:8080", f"http://shop.example:8080{WELL_KNOWN}/v1/mcp"),
    (None, "[::1]:80", f"http://[::1]:80{WELL_KNOWN}/v1/mcp"),
    ("https://api.example/eu", 'x"y', f"https://api.example/eu/v1{WELL_KNOWN}/mcp"),
)
def test_where_tokens_come_from(public_url: str | None, host: str, place: str) -> None:
    known = rules(public_url=public_url, authorization_servers=(LOGIN,))
    request = incoming("GET", ("Host", host))
    request._headers = {"host": host}  # one Host, and not beside that of every request
    shown = known.show(request)

    found = known.located(request, (("www-authenticate", "Bearer"), ("x", "y")))
    assert found == (("www-authenticate", f'Bearer, resource_metadata="{place}"'), ("x", "y"))
    metadata = orjson.loads(shown.body)
    expected = f"http://{host}/v1/mcp" if public_url is None else f"{public_url}/v1/mcp"
    assert metadata["resource"] == expected
    assert (metadata["authorization_servers"], metadata["resource_name"]) == ([LOGIN], "Shop")
    assert metadata["bearer_methods_supported"] == ["header"]


def test_a_host_that_is_none_names_no_place() -> None:
    known = rules(authorization_servers=(LOGIN,))
    strange = incoming("GET", ("Host", "shop.example"), ("Host", "evil"))

    bearer = (("www-authenticate", "Bearer"),)
    assert known.located(strange, bearer) == bearer
    refused = known.show(strange)
    assert refused.status == 400
    assert b'"Host is not the name of a host."' in refused.body


@rows(
    "method, headers, status",
    ("GET", (), 405),
    ("POST", (), 415),
    ("POST", (JSON, ("Accept", "text/event-stream")), 406),
)
def test_what_is_no_message_is_refused(
    method: str, headers: tuple[tuple[str, str], ...], status: int
) -> None:
    answer = rules().refuse(incoming(method, *headers))

    assert answer is not None
    assert answer.status == answer.outcome == status


@rows("method, status", ("OPTIONS", 204), ("PUT", 405))
def test_metadata_are_read_only(method: str, status: int) -> None:
    answer = rules().show(incoming(method))

    assert answer.status == answer.outcome == status
    assert ("allow", "GET, HEAD, OPTIONS") in answer.headers
