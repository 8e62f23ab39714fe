"""Messages: what headers say, and how responses carry theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from inspect import unwrap
from typing import Any

import pytest

from contract import Limits, Request
from contract.adapters.pool import Lanes
from contract.call.message import (
    ALLOW_CALLS,
    ALLOW_READS,
    BARE_HEADERS,
    EVENT_HEADERS,
    JSON_HEADERS,
    FixedHeaders,
    Incoming,
    Response,
    Streamed,
    announced_length,
    event,
    is_json,
    one_line,
    origin_of,
    preflight,
    whole,
    with_encoded_slashes,
)
from tests.wire.exchange import Bare, RawRequest


@pytest.mark.parametrize(
    ("text", "length"),
    [("0", 0), ("7", 7), ("007", 7), ("1048577", 1_048_577), ("9" * 18, 10**18 - 1)],
)
def test_a_length_is_a_number(text: str, length: int) -> None:
    assert unwrap(announced_length)(text) == announced_length(text) == length


@pytest.mark.parametrize(
    "text",
    ["", " ", "-1", "+1", "1 ", " 1", "1,1", "0x1", "1_0", "1.0", "1e3", "²", "٣", "9" * 19, "1\n"],
)
def test_what_is_no_number_is_no_length(text: str) -> None:
    assert unwrap(announced_length)(text) is announced_length(text) is None


@pytest.mark.parametrize(
    "value",
    [
        *("application/json", " application/json\t", "Application/JSON"),
        *("application/json;charset=utf-8", 'application/json ; charset="UTF-8" ; x=y'),
        *("application/json;;; charset=utf8;", 'application/json; x="\\"; charset=latin-1"'),
    ],
)
def test_json_in_utf_8_is_json(value: str) -> None:
    assert is_json(value)


@pytest.mark.parametrize(
    "value",
    [
        *("", "json", "text/json", "application/json, application/json", "application/json\xa0"),
        *("application/json; charset=latin-1", "application/json; charset=utf-8; charset=utf-16"),
        *('application/json; charset="', 'application/json; charset=""'),
        *("application/json; charset", "application/json; =utf-8"),
        *("application/json; charset=utf-8 x", "application/json;\ncharset=utf-8"),
    ],
)
def test_anything_else_is_not(value: str) -> None:
    assert not is_json(value)


def test_a_huge_content_type_costs_no_more_than_its_length() -> None:
    """Quadratic matching would take minutes here."""
    for part in (";", "; ", ";a=b", ';a="b"', ';a="', "\\", " "):
        assert is_json("application/json" + part * 50_000) in (True, False)


def test_fixed_headers_have_every_form() -> None:
    headers = FixedHeaders(("content-type", "application/json"), ("x-a", "ä"))

    assert headers.pairs == (("content-type", "application/json"), ("x-a", "ä"))
    assert headers.raw == ((b"content-type", b"application/json"), (b"x-a", b"\xe4"))
    assert headers.mapping == {"content-type": "application/json", "x-a": "ä"}


@pytest.mark.parametrize(
    ("fixed", "more"),
    [
        (BARE_HEADERS, {}),
        (JSON_HEADERS, {"content-type": "application/json"}),
        (EVENT_HEADERS, {"content-type": "text/event-stream", "x-accel-buffering": "no"}),
    ],
)
def test_what_is_sent_is_never_guessed_at_nor_kept(
    fixed: FixedHeaders, more: dict[str, str]
) -> None:
    assert dict(Response(200, b"", "id", fixed, ()).pairs()) == more | {
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "x-request-id": "id",
    }


def test_json_is_one_line_to_every_reader() -> None:
    text = '"a\u0085\u2028é\u2029"'.encode()

    assert one_line(text) == b'"a\\u0085\\u2028\xc3\xa9\\u2029"'


@pytest.mark.parametrize("more", [(), (("retry-after", "7"), ("x-b", "ö"))])
def test_a_response_has_all_its_headers_in_either_form(more: tuple[tuple[str, str], ...]) -> None:
    response = Response(200, b"1", "id", JSON_HEADERS, more)

    assert response.pairs() == [*JSON_HEADERS.pairs, ("x-request-id", "id"), *more]
    assert response.raw() == [
        (name.encode(), value.encode("latin-1")) for name, value in response.pairs()
    ]


LANES = Lanes(Limits())


def test_a_request_is_made_of_what_came_in() -> None:
    incoming = Bare(RawRequest(target="/v1/echo?a=b"), LANES)
    request = incoming.request()

    assert (request.method, request.path, request.client) == ("POST", "/v1/echo", "192.0.2.7")
    assert request.headers["content-type"] == "application/json"
    assert request.native is incoming
    assert incoming.surface == "http"


class Counting(Bare):
    """Counts how often it is asked for what may be dear to make."""

    asked = 0

    @property
    def headers(self) -> Mapping[str, str]:
        self.asked += 1
        return dict(super().headers)

    @property
    def native(self) -> Any:
        self.asked += 1
        return object()


def test_a_request_looks_at_what_came_in_once_and_only_where_somebody_asks() -> None:
    incoming = Counting(RawRequest(), LANES)
    before = incoming.asked
    request = incoming.request()

    assert (request.method, request.path, incoming.asked) == ("POST", "/v1/echo", before)
    assert request.headers is request.headers
    assert request.native is request.native
    assert incoming.asked == before + 2


def test_a_request_that_came_in_is_as_good_as_any_other() -> None:
    incoming = Bare(RawRequest(), LANES)
    request = incoming.request()
    plain = Request(request.method, request.path, request.headers, request.client, request.native)

    assert isinstance(request, Request)
    assert repr(request) == repr(plain) == "Request(POST '/v1/echo')"
    assert replace(request, path="/other") == replace(plain, path="/other")
    assert request == plain == request == incoming.request()
    other: object = "a request"
    assert (request == replace(plain, path="/other"), request == other) == (False, False)
    with pytest.raises(AttributeError):
        request.path = "/other"  # type: ignore[misc]  # what this is about


class Plain(Incoming):
    """An adapter that knows its headers and nothing else."""

    blocks = True
    chunked = False
    peer = None
    native = None
    query = ""
    scheme = "http"

    @property
    def headers(self) -> Mapping[str, str]:
        return {
            "authorization": "Bearer a",
            "origin": "https://app.example",
            "accept": "*/*",
            "x-other": "b",
        }

    def read(self, limit: int) -> bytes:
        raise AssertionError

    def awaited(self, fn: Any, *args: object) -> Any:
        raise AssertionError

    def offload(self, lane: Any, fn: Any, *args: object) -> Any:
        raise AssertionError

    def items(self, bound: Any, opened: Any) -> Any:
        raise AssertionError

    def stream(self, call: Any, cancelled: Any) -> Any:
        raise AssertionError


def test_what_is_seldom_asked_for_is_looked_up() -> None:
    incoming = Plain()
    names = ("accept", "x-other", "x-none", "content-type", "content-length", "content-encoding")

    assert (incoming.authorization(), incoming.origin) == ("Bearer a", "https://app.example")
    assert [incoming.header(name) for name in names] == ["*/*", "b", None, None, None, None]
    assert incoming.root == ""


def test_a_place_that_says_nothing_of_itself_has_nothing_at_hand() -> None:
    incoming = Plain()
    incoming.authenticated()

    assert incoming.plain_length() is None
    assert (incoming.plain_body(1), incoming.read_early(1)) == (None, None)
    assert incoming.awaits_here is False
    assert not incoming.ends(GeneratorExit())


class Later(Plain):
    """One whose body is not there yet."""

    async def read(self, limit: int) -> bytes:  # type: ignore[override]  # it may be awaitable
        return b"x" * limit


def test_a_body_that_comes_in_one_piece_is_poured_at_once() -> None:
    fed: list[bytes] = []
    for incoming in (Bare(RawRequest(body=b"ab"), LANES), Later()):
        asyncio.run(incoming.pour(fed.append, 3))

    assert fed == [b"ab", b"xxx"]


def test_an_output_alone_stands_for_the_response_to_a_success() -> None:
    incoming = Bare(RawRequest(), LANES)
    incoming.request_id = "id"
    response = whole(b"1", incoming)

    assert (response.status, response.body, response.request_id) == (200, b"1", "id")
    assert response.pairs()[:-1] == [*JSON_HEADERS.pairs]
    assert whole(response, incoming) is response


def test_a_page_is_told_once_of_each_header_that_it_may_send() -> None:
    names = ("authorization", "x-a", "authorization")

    assert ALLOW_CALLS == (("allow", "OPTIONS, POST"),)
    assert ALLOW_READS == (("allow", "GET, HEAD, OPTIONS"),)
    for found, allow, methods in (
        (preflight(names), ALLOW_CALLS, "POST"),
        (preflight(names, "GET", ALLOW_READS), ALLOW_READS, "GET"),
    ):
        assert found == (
            *allow,
            ("access-control-allow-methods", methods),
            ("access-control-allow-headers", "authorization, x-a"),
            ("access-control-max-age", "600"),
        )


def test_a_stream_has_no_body_of_its_own() -> None:
    parts = iter([event(b'{"a":1}'), event(b"2")])
    response = Streamed("id", (("vary", "Origin"),), parts)

    assert (response.status, response.body, response.parts) == (200, b"", parts)
    assert ("content-type", "text/event-stream") in response.pairs()
    assert ("x-request-id", "id") in response.pairs()
    assert ("vary", "Origin") in response.pairs()
    assert [*parts] == [b'event: message\ndata: {"a":1}\n\n', b"event: message\ndata: 2\n\n"]


def test_an_adapter_has_to_say_where_a_request_comes_from() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Incoming()  # type: ignore[abstract]  # what this is about

    asked = {"headers", "peer", "native", "query", "scheme", "chunked"}
    assert asked | {"read", "awaited", "offload", "stream"} <= Incoming.__abstractmethods__


def test_the_origin_is_where_the_client_sent_its_request() -> None:
    named = Bare(RawRequest("GET", "/"), LANES)
    twice = Bare(RawRequest("GET", "/", (("Host", "b.example"),)), LANES)

    assert origin_of(named) == f"http://{named.headers['host']}"
    assert origin_of(twice) is None


def test_a_slash_that_was_sent_encoded_stays_so_beside_what_is_no_text() -> None:
    assert with_encoded_slashes("/a\ufffd/b", "/a%FF%2fb?c%2Fd") == "/a\ufffd%2Fb"
