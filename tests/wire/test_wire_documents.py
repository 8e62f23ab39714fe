"""The documents of a mount, over every transport."""

from __future__ import annotations

import gzip
from datetime import date

import orjson
import pytest

from contract import CallEvent, Deprecated, Meta, Spec, emit_contract, emit_openapi, route, spec
from tests.wire.case import error
from tests.wire.exchange import Exchange, RawRequest, Transport, serve


def ping(input: None, ctx: None) -> str:
    return "pong"


def make_api() -> Spec[None]:
    old = Deprecated(since=date(2026, 1, 1))
    public = route(summary="Ping", tags=["t"], auth="none", deprecated=old)
    private = route(summary="H", tags=["t"], auth="none", scope="private")
    return spec(routes={"ping": public(ping), "hidden": private(ping)}, meta=Meta())


API = make_api()


def get(target: str, *headers: tuple[str, str], method: str = "GET") -> RawRequest:
    return RawRequest(method, target, headers)


DOCUMENTS = {
    "/v1/contract.json": emit_contract(API),
    "/v1/openapi.json": emit_openapi(API, server="/v1"),
}


@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_document_has_the_bytes_that_are_emitted(transport: Transport, path: str) -> None:
    response = serve(transport, API)(get(path))

    assert (response.status, response.body) == (200, DOCUMENTS[path])
    assert response.header("content-type") == "application/json"
    assert response.header("cache-control") == "no-cache"
    assert response.header("vary") == "Accept-Encoding"
    assert response.header("x-content-type-options") == "nosniff"
    assert response.header("x-request-id")


@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_document_that_is_known_is_not_sent(transport: Transport, path: str) -> None:
    exchange = serve(transport, API)
    tag = exchange(get(path)).header("etag")
    assert tag is not None
    for field in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        response = exchange(get(path, ("If-None-Match", field)))
        assert (response.status, response.body, response.header("etag")) == (304, b"", tag)
        assert response.header("content-length") is None
    assert exchange(get(path, ("If-None-Match", '"x"'))).status == 200


def test_gzip_and_head(transport: Transport) -> None:
    exchange = serve(transport, API)
    packed = exchange(get("/v1/contract.json", ("Accept-Encoding", "gzip")))
    head = exchange(get("/v1/contract.json", method="HEAD"))
    whole = DOCUMENTS["/v1/contract.json"]

    assert gzip.decompress(packed.body) == whole
    assert packed.header("content-encoding") == "gzip"
    assert (head.status, head.body) == (200, b"")
    if transport != "service":
        assert head.header("content-length") == str(len(whole))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_other_methods_are_refused(transport: Transport, method: str) -> None:
    response = serve(transport, API)(get("/v1/contract.json", method=method))

    assert response.status == 405
    assert response.json() == error("METHOD_NOT_ALLOWED", message="Ask for this with GET.")
    assert response.header("allow") == "GET, HEAD, OPTIONS"


def test_options(transport: Transport) -> None:
    response = serve(transport, API)(get("/v1/openapi.json", method="OPTIONS"))

    assert (response.status, response.header("allow")) == (204, "GET, HEAD, OPTIONS")


@pytest.mark.parametrize("path", DOCUMENTS)
def test_without_docs_there_are_none(transport: Transport, path: str) -> None:
    response = serve(transport, API, docs=False)(get(path))

    assert (response.status, response.json()["error"]) == (404, "ROUTE_NOT_FOUND")


def test_private_routes_are_shown_to_those_who_ask_for_all(transport: Transport) -> None:
    def names(exchange: Exchange) -> set[str]:
        return set(orjson.loads(exchange(get("/v1/contract.json")).body)["routes"])

    assert names(serve(transport, API)) == {"ping"}
    assert names(serve(transport, API, visibility="all")) == {"ping", "hidden"}


def test_at_the_root_a_mount_has_its_documents_too(transport: Transport) -> None:
    exchange = serve(transport, API, prefix="")

    assert exchange(get("/contract.json")).body == DOCUMENTS["/v1/contract.json"]
    assert orjson.loads(exchange(get("/openapi.json")).body)["servers"] == [{"url": "/"}]


def test_pages_that_are_allowed_may_read_them(transport: Transport) -> None:
    exchange = serve(transport, API, cors_origins=["https://app.example"])
    allowed = exchange(get("/v1/contract.json", ("Origin", "https://app.example")))
    other = exchange(get("/v1/contract.json", ("Origin", "https://evil.example")))

    assert allowed.header("access-control-allow-origin") == "https://app.example"
    assert allowed.header("vary") == other.header("vary") == "Accept-Encoding, Origin"
    assert other.header("access-control-allow-origin") is None


def test_a_document_is_logged_as_a_call_of_no_route(transport: Transport) -> None:
    events: list[CallEvent] = []
    serve(transport, API, on_call=events.append)(get("/v1/contract.json"))

    assert [(event.route, event.code, event.status) for event in events] == [(None, "OK", 200)]


def test_a_document_that_cannot_be_written_is_a_500(
    transport: Transport, caplog: pytest.LogCaptureFixture
) -> None:
    def nested(input: None, ctx: None) -> str:
        return ""

    broken = spec(routes=[route(summary="\ud800", tags=["t"], auth="none")(nested)])
    response = serve(transport, broken)(get("/v1/contract.json"))

    assert (response.status, response.json()) == (500, {"error": "INTERNAL_ERROR"})
    assert "a document could not be written" in caplog.text
