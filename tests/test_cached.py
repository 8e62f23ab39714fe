"""Cached reads: what is read of a URL, and what caches are told; `tests/wire` has the calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from contract import Cache, Download, Media, Spec, route, routes, spec
from contract.adapters.pool import Lanes
from contract.call.cached import Cached, cached_of, input_in, is_kept, weighed
from contract.call.context import Reply
from contract.call.files import SMALL, AtHand, Files
from contract.call.headers_out import HeadersOut
from contract.call.mount_options import Limits
from contract.document.describe import describe
from contract.document.openapi import openapi
from contract.shape.header_values import vary_of
from tests.tables import rows
from tests.wire.exchange import TRANSPORTS, Bare, RawRequest, Transport, serve

LANES = Lanes(Limits())


def asked(query: str, *headers: tuple[str, str], **more: Any) -> Bare:
    return Bare(RawRequest("GET", f"/find?{query}", headers, **more), LANES)


@rows(
    "query, read",
    ("", b""),
    ("input=", b""),
    ("input=%7B%22a%22%3A%201%7D", b'{"a": 1}'),
    ("input=1+%2B+2", b"1 + 2"),
    ('input={"a":"="}', b'{"a":"="}'),
    ("input=%C3%BC%00%ff", b"\xc3\xbc\x00\xff"),
    (f"input={'x' * 8186}", b"x" * 8186),
)
def test_the_input_is_read_of_the_query(query: str, read: bytes) -> None:
    assert input_in(asked(query), required=False) == read


def refused(query: str, *, required: bool = False) -> Reply:
    reply = input_in(asked(query), required=required)
    assert isinstance(reply, Reply)
    assert reply.code == "BAD_REQUEST"
    return reply


@rows(
    "query",
    *("input", "Input=1", "input =1", "inputs=1", "input=1&input=1", "input=1&", "&input=1"),
    *("input=%", "input=%1g", "input=ü", "input=a b", "input=a\tb", "input=a\x7f"),
)
def test_what_may_be_read_in_two_ways_is_refused(query: str) -> None:
    assert refused(query).status == 400


def test_an_input_that_is_too_long_for_a_url_is_refused() -> None:
    assert refused(f"input={'x' * 8187}").status == 414


@pytest.mark.parametrize("query", ["", "input="])
def test_an_input_that_is_needed_is_asked_for_in_the_url(query: str) -> None:
    reply = refused(query, required=True)

    assert reply.status == 400
    assert b"takes one parameter, input" in reply.body


@rows(
    "more, refused",
    ({"length": "0"}, False),
    ({"length": "1"}, True),
    ({"length": "-0"}, True),
    ({"chunked": True}, True),
    ({"body": b"{}"}, True),
)
def test_a_body_is_refused(more: dict[str, Any], refused: bool) -> None:
    assert isinstance(input_in(asked("input=1", **more), required=True), Reply) is refused


def file_of(source: Any) -> Any:
    return Files(Media("image/png")).dump(Download(source, media_type="image/png"))


@rows(
    "header, of_json, of_file",
    (("If-Match", "*"), None, 200),
    (("If-Match", '"a"'), 412, 412),
    (("If-None-Match", "*"), None, 304),
    (("Range", "bytes=0-0"), None, 206),
    (("Range", "bytes=99999-"), None, 416),
)
def test_the_conditions_of_a_request_are_weighed(
    tmp_path: Path, header: tuple[str, str], of_json: int | None, of_file: int
) -> None:
    path = tmp_path / "large.png"
    path.write_bytes(bytes(SMALL + 1))
    json = weighed(asked("", header), b"1")

    assert json == b"1" if of_json is None else isinstance(json, Reply) and json.status == of_json
    for source in (b"a", path):
        found = weighed(asked("", header), file_of(source))
        if isinstance(found, AtHand):
            assert found.part.status == of_file < 400
        else:
            assert isinstance(found, Reply)
            assert (found.code, found.status) == ("BAD_REQUEST", of_file)


def test_a_failure_and_what_an_iterator_gives_have_no_conditions() -> None:
    for outcome in (Reply(410, "GONE", b"{}"), file_of(iter([b"a"]))):
        assert weighed(asked("", ("If-Match", '"a"')), outcome) is outcome


@rows(
    "vary, named, whose",
    ((), (), "public"),
    (("A", "b", "a"), ("A", "b"), "public"),
    (("Authorization", "authorization"), ("Authorization",), "private"),
    (("X", "cookie"), ("X", "cookie"), "private"),
)
def test_an_answer_that_is_somebody_s_own_is_private(
    vary: tuple[str, ...], named: tuple[str, ...], whose: str
) -> None:
    cached = Cached(7, vary_of((), vary))
    pairs = cached.response(asked(""), b"1", (("x", "y"),)).pairs()

    assert cached.vary == named
    assert ("cache-control", f"{whose}, max-age=7") in pairs
    assert pairs[-1] == ("x", "y")


def test_an_answer_with_cookies_is_not_kept() -> None:
    headers = HeadersOut()
    assert is_kept(None)
    assert is_kept(headers)
    headers.delete_cookie("a")
    assert not is_kept(headers)


@route(summary="F", tags=["t"], effect="read", cache=Cache(max_age=1, vary=["A"]))
def find(input: int, ctx: str) -> int:
    return input


@route(summary="P", tags=["t"], effect="read")
def plain(input: int, ctx: str) -> int:
    return input


API: Spec[str] = spec(
    authenticate=lambda token, request: token if token == "t" else None, routes=routes(find, plain)
)


def test_every_way_to_say_who_calls_is_told() -> None:
    kept = cached_of(API.entries["find"])

    assert kept is not None
    assert kept.vary == ("Authorization", "A")
    assert cached_of(API.entries["plain"]) is None


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_every_answer_at_get_is_described(transport: Transport) -> None:
    described = openapi(describe(API), server="/v1")
    operation = described["paths"]["/find"]["get"]
    exchange = serve(transport, API)
    token = ("Authorization", "Bearer t")
    found: list[int] = []
    for query, *headers in (
        ("input=1", token),
        ("input=1", token, ("If-None-Match", "*")),
        ("input=1", token, ("If-Match", '"a"')),
        ("input=x", token),
        ("input=1",),
        (f"input={'1' * 9000}", token),
    ):
        answer = exchange(RawRequest("GET", f"/v1/find?{query}", tuple(headers)))
        found.append(answer.status)
        told = operation["responses"][str(answer.status)]
        if "$ref" in told:
            told = described["components"]["responses"][told["$ref"].rpartition("/")[2]]
        assert {name.lower() for name in told["headers"]} <= {name for name, _ in answer.headers}
        assert ("content" in told) is bool(answer.body)

    assert found == [200, 304, 412, 400, 401, 414]
