"""WSGI calls: environs and streams."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any, cast

import pytest

from contract.adapters.pool import Lanes
from contract.adapters.wsgi_calls import EnvironHeaders, WsgiIncoming, path_of, send_response
from contract.call.incoming import Refused, Sink, origin_of
from contract.call.message import JSON_HEADERS, Response, announced_length
from contract.call.mount_options import Limits
from contract.shape.header_values import Headers
from tests.tables import rows
from tests.test_adapters_asgi_calls import HEADERS, NOT_PLAIN, PLAIN, assert_read
from tests.wire.exchange import RawRequest, environ_of

LANES = Lanes(Limits())


def incoming_of(request: RawRequest, **environ: Any) -> WsgiIncoming:
    made = environ_of(request) | environ
    incoming = WsgiIncoming(
        made, made["PATH_INFO"], lambda environ: f"native {environ['REQUEST_METHOD']}", LANES
    )
    # as the service notes it down
    incoming.length = announced_length(incoming.header("content-length") or "0") or 0
    return incoming


def test_an_environ_becomes_a_request() -> None:
    assert_read(incoming_of(RawRequest(headers=HEADERS, body=b"abc")))


def test_what_mcp_asks_for() -> None:
    incoming = incoming_of(RawRequest(target="/v1/mcp?tags=a%20b", headers=(("Accept", "*/*"),)))

    assert (incoming.header("accept"), incoming.query) == ("*/*", "tags=a%20b")
    assert incoming.scheme == "http"
    little = {"REQUEST_METHOD": "POST", "wsgi.url_scheme": "https"}
    bare = WsgiIncoming(little, "/", lambda _: None, LANES)
    assert (bare.header("accept"), bare.query) == (None, "")
    assert (bare.scheme, bare.origin) == ("https", None)


def test_where_the_application_stands_is_read_as_paths_are() -> None:
    incoming = incoming_of(RawRequest(), SCRIPT_NAME="/caf\u00c3\u00a9/")

    assert incoming.root == "/café"
    assert origin_of(incoming) == "http://shop.example/caf%C3%A9"
    assert incoming_of(RawRequest(), SCRIPT_NAME="/\u00ff").root == "/\ufffd"


def test_a_slash_that_was_sent_as_data_is_found_below_the_application() -> None:
    def path(script_name: str, path_info: str, raw: str) -> str:
        return path_of({"SCRIPT_NAME": script_name, "PATH_INFO": path_info, "REQUEST_URI": raw})

    assert path("", "/v1/a/b", "/v1/a%2fb?c=%2F") == "/v1/a%2Fb"
    assert path("/api", "/v1/a/b", "/api/v1/a%2Fb") == "/v1/a%2Fb"
    assert path("/caf\u00c3\u00a9", "/v1/a/b", "/caf%C3%A9/v1/a%2Fb") == "/v1/a%2Fb"
    assert path("/api", "/v1/a b", "/api/v1/a%20b") == "/v1/a b"
    assert path_of({"PATH_INFO": "/v1/caf\u00c3\u00a9"}) == "/v1/café"


def test_headers_are_looked_up_in_any_case() -> None:
    sent = (("X-Some-Header", "a"), ("Content-Type", "b"))
    headers = EnvironHeaders(environ_of(RawRequest(headers=sent)))

    assert (headers["x-some-header"], headers["content-type"]) == ("a", "b")
    assert (headers["X-Some-Header"], headers["Content-Type"]) == ("a", "b")
    for name in ("X-Other", "wsgi.input", "server-name", "", "path-info"):
        assert name not in headers
    empty = EnvironHeaders({"CONTENT_LENGTH": "", "HTTP_HOST": "x"})
    assert "content-length" not in empty
    assert "Content-Length" not in empty
    assert list(empty) == ["host"]


def test_what_is_empty_is_missing() -> None:
    incoming = incoming_of(RawRequest(), CONTENT_TYPE="", CONTENT_LENGTH="")

    assert (incoming.header("content-type"), incoming.header("content-length")) == (None, None)


@rows(
    "request_, chunked",
    (RawRequest(), False),
    (RawRequest(chunked=True), True),
    (RawRequest(version="2"), True),
    (RawRequest(version="3"), True),
    (RawRequest(version="2", length="3"), False),
    (RawRequest(version="1.0"), False),
)
def test_a_body_without_a_length_is_known(request_: RawRequest, chunked: bool) -> None:
    assert incoming_of(request_).chunked is chunked


@rows(
    "request_, is_seen",
    *((request, True) for request in PLAIN),
    (RawRequest(length="0"), False),
    *((request, False) for request in NOT_PLAIN),
)
def test_what_nearly_all_bodies_are_is_seen_at_once(request_: RawRequest, is_seen: bool) -> None:
    assert incoming_of(request_).plain_body(3) == (b"abc" if is_seen else None)


@pytest.mark.parametrize(("deadline", "blocks"), [(None, True), (60.0, False)])
def test_whether_synchronous_code_runs_here_is_known(deadline: float | None, blocks: bool) -> None:
    lanes = Lanes(Limits(deadline_seconds=deadline))
    incoming = WsgiIncoming(environ_of(RawRequest()), "/", dict, lanes)

    assert (incoming.blocks, incoming.cancelled) == (blocks, False)
    assert incoming.read_early(10) is None


def test_one_header_is_found_without_the_others() -> None:
    sent = (("X-Some-Header", "a"), ("Content-Type", "b"))
    incoming = incoming_of(RawRequest(headers=sent), CONTENT_LENGTH="")

    assert (incoming.header("x-some-header"), incoming.header("content-type")) == ("a", "b")
    assert [incoming.header(name) for name in ("x-other", "content-length")] == [None, None]


def test_a_server_need_not_say_much() -> None:
    little = {"REQUEST_METHOD": "POST", "wsgi.input": io.BytesIO()}
    incoming = WsgiIncoming(little, "/", dict, LANES)
    incoming.length = 0

    assert incoming.client is incoming.header("content-type") is None
    assert not incoming.chunked
    assert incoming.read(10) == b""


@pytest.mark.parametrize("part", [1, 2, 100])
@rows(
    "request_, body",
    (RawRequest(body=b"0123456789"), b"0123456789"),
    (RawRequest(body=b"0123456789", chunked=True), b"0123456789"),
    (RawRequest(body=b"0123456789", length=None, version="2", terminated=False), b"0123456789"),
    (RawRequest(body=b"0123456789", length="4"), b"0123"),
    (RawRequest(body=b"0123456789", length="0"), b""),
    (RawRequest(body=b"0123456789", length=None), b""),
    (RawRequest(chunked=True), b""),
)
def test_a_body_is_put_together(request_: RawRequest, body: bytes, part: int) -> None:
    found = incoming_of(replace(request_, part=part)).read(10)

    assert found == body
    assert type(found) is bytes


@rows(
    "request_, code",
    (RawRequest(body=b"0123456789a", chunked=True), "PAYLOAD_TOO_LARGE"),
    (RawRequest(body=b"0123456789a", chunked=True, part=3), "PAYLOAD_TOO_LARGE"),
    (RawRequest(body=b"x", chunked=True, terminated=False), "LENGTH_REQUIRED"),
    (RawRequest(body=b"abc", length="4"), "BAD_REQUEST"),
    (RawRequest(body=b"abc", length="4", part=1), "BAD_REQUEST"),
    (RawRequest(body=b"abc", length="4", ends="error"), "BAD_REQUEST"),
    (RawRequest(body=b"abc", chunked=True, ends="error"), "BAD_REQUEST"),
)
def test_a_body_that_is_not_what_it_should_be_is_refused(request_: RawRequest, code: str) -> None:
    with pytest.raises(Refused) as refused:
        incoming_of(request_).read(10)
    assert refused.value.code == code


@rows(
    "response, method, line, length, body",
    (b"12", "POST", "200 OK", "2", [b"12"]),
    (Response(409, b"12", "id", JSON_HEADERS, ()), "POST", "409 Conflict", "2", [b"12"]),
    (Response(499, b"12", "id", JSON_HEADERS, ()), "HEAD", "499 Unknown", "2", []),
    (Response(204, b"", "id", JSON_HEADERS, ()), "OPTIONS", "204 No Content", None, [b""]),
)
def test_a_response_has_line_and_body(
    response: Response | bytes, method: str, line: str, length: str | None, body: list[bytes]
) -> None:
    incoming = incoming_of(RawRequest(method=method))
    incoming.request_id = "id"
    started: list[Any] = []

    assert send_response(response, incoming, lambda *given: started.extend(given)) == body
    status, headers = started
    assert status == line
    lengths = [] if length is None else [("content-length", length)]
    assert headers == [*JSON_HEADERS.pairs, ("x-request-id", "id"), *lengths]


def test_no_more_than_the_limit_is_taken() -> None:
    class Endless:
        taken = 0

        def read(self, size: int) -> bytes:
            self.taken += size
            return b"x" * size

    stream = Endless()
    with pytest.raises(Refused, match="PAYLOAD_TOO_LARGE"):
        incoming_of(RawRequest(chunked=True), **{"wsgi.input": stream}).read(100_000)
    assert stream.taken == 100_001


class Parts:
    """A stream that gives each of its parts once, in the order in which they are listed."""

    def __init__(self, *parts: bytes | Exception) -> None:
        self.parts = list(parts)

    def read(self, _size: int) -> bytes:
        part = self.parts.pop(0)
        if isinstance(part, Exception):
            raise part
        return part


def test_a_body_that_is_there_is_read_at_once() -> None:
    incoming = incoming_of(RawRequest(body=b"[1,2]"), **{"wsgi.input": Parts(b"[1,2]")})

    assert incoming.plain_body(5) == b"[1,2]"
    assert incoming.plain_body(4) is None


def test_a_body_that_comes_in_parts_is_read_on_from_where_it_was() -> None:
    incoming = incoming_of(RawRequest(body=b"[1,2]"), **{"wsgi.input": Parts(b"[1", b",", b"2]")})

    assert incoming.plain_body(5) is None
    assert incoming.read(5) == b"[1,2]"


def test_a_body_that_could_not_be_read_is_not_asked_for_again() -> None:
    stream = Parts(OSError("reset"), b"[1,2]")
    incoming = incoming_of(RawRequest(body=b"[1,2]"), **{"wsgi.input": stream})

    assert incoming.plain_body(5) is None
    with pytest.raises(Refused, match="BAD_REQUEST"):
        incoming.read(5)
    assert stream.parts == [b"[1,2]"]


def test_a_form_that_is_refused_while_it_comes_is_refused_so() -> None:
    class Late:
        def read(self, size: int) -> bytes:
            raise Refused("REQUEST_TIMEOUT")

    environ = environ_of(RawRequest(body=b"form")) | {"wsgi.input": Late()}
    incoming = WsgiIncoming(environ, "/", dict, Lanes(Limits()))
    incoming.length = 4

    with pytest.raises(Refused, match="REQUEST_TIMEOUT"):
        incoming.pour(cast("Sink", None), 100).send(None)


def test_a_name_with_an_underscore_is_none_with_a_hyphen() -> None:
    """As on an event loop: who asks for X_Tenant is not given what a client has sent as X-Tenant."""
    headers = EnvironHeaders({"HTTP_X_TENANT": "north", "CONTENT_TYPE": "application/json"})
    on_loop = Headers([("x-tenant", "north"), ("content-type", "application/json")])

    names = ("x_tenant", "X_Tenant", "content_type", "x-tenant", "Content-Type", "http_x_tenant")
    for name in names:
        assert (headers.get(name), name in headers) == (on_loop.get(name), name in on_loop)
    assert {**headers} == {**on_loop}
