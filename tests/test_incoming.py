"""Requests, as adapters hand them to the service."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from contract import Limits, Request
from contract.adapters.pool import Lanes
from contract.call.incoming import Incoming, Sink, origin_of, whole, with_encoded_slashes
from contract.call.message import JSON_HEADERS
from contract.call.process import IDS, request_id
from contract.call.proxies import Proxies, trusted
from tests.wire.exchange import Bare, RawRequest

LANES = Lanes(Limits())


def test_a_process_gives_no_id_twice() -> None:
    ids = [IDS.new() for _ in range(12_000)]

    assert len(set(ids)) == len(ids)
    assert all(request_id(given) == given for given in ids)


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


def test_a_request_has_nothing_but_its_own_attributes_and_they_stay_as_they_are() -> None:
    request = cast("Any", Bare(RawRequest(), LANES).request())

    with pytest.raises(AttributeError, match="no attribute 'query'"):
        _ = request.query
    for name in ("method", "path", "headers", "client", "native"):
        with pytest.raises(AttributeError):
            setattr(request, name, None)
        with pytest.raises(AttributeError):
            delattr(request, name)


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


def never(*_: object) -> Any:
    raise AssertionError


NEVER: Any = never


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
        credentials = {"authorization": "Bearer a", "origin": "https://app.example"}
        return {**credentials, "accept": "*/*", "x-other": "b"}

    read = awaited = offload = items = stream = NEVER


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
    assert incoming.closing == ()
    assert not incoming.ends(GeneratorExit())


class Later(Plain):
    """One whose body is not there yet."""

    async def read(self, limit: int) -> bytes:
        return b"x" * limit


def test_a_body_that_comes_in_one_piece_is_poured_at_once() -> None:
    fed: list[bytes] = []
    sink = cast("Sink", SimpleNamespace(feed=fed.append))
    for incoming in (Bare(RawRequest(body=b"ab"), LANES), Later()):
        asyncio.run(incoming.pour(sink, 3))

    assert fed == [b"ab", b"xxx"]


def test_an_output_alone_stands_for_the_response_to_a_success() -> None:
    incoming = Bare(RawRequest(), LANES)
    incoming.request_id = "id"
    response = whole(b"1", incoming)

    assert (response.status, response.body, response.request_id) == (200, b"1", "id")
    assert response.pairs()[:-1] == [*JSON_HEADERS.pairs]
    assert whole(response, incoming) is response


def test_an_adapter_has_to_say_where_a_request_comes_from() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Incoming()  # type: ignore[abstract]  # what this is about

    asked = {"headers", "peer", "native", "query", "scheme", "chunked"}
    assert asked | {"read", "awaited", "offload", "stream"} <= Incoming.__abstractmethods__


def test_the_origin_is_where_the_client_sent_its_request() -> None:
    named = Bare(RawRequest("GET", "/"), LANES)
    hosts = (("Host", "shop.example"), ("Host", "b.example"))
    twice = Bare(RawRequest("GET", "/", hosts), LANES)

    assert origin_of(named) == f"http://{named.headers['host']}"
    assert origin_of(twice) is None


class Behind(Bare):
    """A request that comes through a proxy."""

    @property
    def proxies(self) -> Proxies | None:
        return trusted(["192.0.2.7/32"])


def test_the_origin_is_what_a_trusted_proxy_says() -> None:
    headers = (("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "a.example"))

    assert origin_of(Behind(RawRequest("GET", "/", headers), LANES)) == "https://a.example"


def test_a_slash_that_was_sent_encoded_stays_so_beside_what_is_no_text() -> None:
    assert with_encoded_slashes("/a\ufffd/b", "/a%FF%2fb?c%2Fd") == "/a\ufffd%2Fb"
