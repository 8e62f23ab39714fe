"""Echoes: a spec with a route for each type of the fixed list, that returns what it is sent. And the requests to try on it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final
from urllib.parse import quote

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contract import Forbidden, NotFound, ServiceUnavailable, Spec, TooManyRequests, route, spec
from contract.declare.failures import FRAMEWORK
from contract.shape.reader import shape_of
from contract.testing import documents, near_misses
from contract.testing.scalars import any_json
from tests.samples import ANNOTATIONS
from tests.wire.exchange import JSON, RawRequest, RawResponse

__all__ = ["NAMES", "bodies", "check_declared", "echo", "echoes", "posts", "requests"]

NAMES: Final = {
    f"{label.replace(' ', '-').lower()}.{number}": label for number, label in enumerate(ANNOTATIONS)
}
"""Name of a route -> name of its type."""


_SHAPES: Final = {name: shape_of(ANNOTATIONS[label]) for name, label in NAMES.items()}


def echo(annotation: Any, *, is_async: bool = False) -> Any:
    """A route that returns its input."""

    def synchronous(input: Any, ctx: Any) -> Any:
        return input

    async def asynchronous(input: Any, ctx: Any) -> Any:
        return input

    resolver: Any = asynchronous if is_async else synchronous
    resolver.__annotations__ = {"input": annotation, "ctx": None, "return": annotation}
    return route(summary="Echo", tags=["echo"], auth="none")(resolver)


def echoes(*, is_async: bool = False) -> Spec[Any]:
    """An echo of every type."""
    return spec(
        routes={name: echo(ANNOTATIONS[label], is_async=is_async) for name, label in NAMES.items()}
    )


_STATUS: Final = {code: {error.status} for code, error in FRAMEWORK.items()} | {
    failure.error_code: {failure.http_status}
    for failure in (NotFound, Forbidden, TooManyRequests, ServiceUnavailable)
}


def check_declared(response: RawResponse, method: str = "POST") -> str:
    """The outcome of a response: "OK" or its error code. It is one that the contract knows, in the form that the contract knows."""
    assert response.header("x-request-id")
    if method == "HEAD":
        assert response.body == b""
        return str(response.status)
    if response.status == 204:
        assert (method, response.body) == ("OPTIONS", b"")
        return "OK"
    assert response.header("content-type") == "application/json"
    body = response.json()
    if response.status == 200:
        return "OK"
    assert body.keys() in ({"error"}, {"error", "data"})
    assert response.status in _STATUS[body["error"]]
    code: str = body["error"]
    return code


# Bodies and requests.

_ODD: Final = (
    b"", b" ", b"{", b"nul", b"\xff\xfe", b"\xef\xbb\xbf{}", b'"\\ud800"', b'{"a":1,"a":2}',
    b"NaN", b"[Infinity]", b"1e999", b"-0", b"1" * 400, b"[" * 300, b"[" * 300 + b"]" * 300,
    b'{"a":' * 300 + b"1" + b"}" * 300, b"{}{}", b"null\x00",
)  # fmt: skip


def _damaged(body: bytes, at: int, by: bytes) -> bytes:
    at %= len(body) + 1
    return body[:at] + by + body[at + 1 :]


@cache
def bodies(name: str) -> SearchStrategy[bytes]:
    """Whatever may be sent to the echo *name*: what is right, nearly right, damaged, other JSON, or no JSON at all."""
    shape = _SHAPES[name]
    written = st.one_of(
        documents(shape), near_misses(shape).map(lambda miss: miss.document), any_json()
    ).map(lambda document: json.dumps(document).encode())
    damaged = st.builds(_damaged, written, st.integers(0, 10_000), st.binary(max_size=2))
    return st.one_of(written, damaged, st.sampled_from(_ODD), st.binary(max_size=20))


@st.composite
def posts(draw: st.DrawFn) -> RawRequest:
    """Sound calls of an echo, apart from the body."""
    name = draw(st.sampled_from([*NAMES]))
    return RawRequest(target=f"/v1/{name}", body=draw(bodies(name)))


_METHODS: Final = ("POST", "POST", "POST", "GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH")
_HEADERS: Final = (
    JSON,
    ("Content-Type", "application/json; charset=utf-8"),
    ("Content-Type", "application/json; charset=latin-1"),
    ("Content-Type", "text/html"),
    ("Content-Type", ""),
    ("Content-Encoding", "gzip"),
    ("Content-Encoding", "identity"),
    ("Authorization", "Bearer x"),
    ("Authorization", "Basic eDp5"),
    ("Accept", "text/html"),
    ("Origin", "https://evil.example"),
    ("X-Request-Id", "a b\tc"),
    ("X-Request-Id", "é" * 300),
    ("Expect", "100-continue"),
    ("Cookie", "a=b"),
)


@st.composite
def requests(draw: st.DrawFn) -> RawRequest:
    """Requests of all sorts, sound or not, below the prefix of the mount."""
    name = draw(st.sampled_from([*NAMES]))
    paths = st.one_of(
        st.just(name),
        st.text(st.characters(codec="utf-8"), max_size=10).map(lambda text: quote(text, safe="/")),
        st.binary(max_size=5).map(lambda raw: quote(raw, safe="")),
        st.sampled_from(
            [
                f"{name}/",
                f"/{name}",
                f"{name}/x",
                f"%2F{name}",
                name.upper(),
                f"{name}%00",
                f"{name}?q=<html>",
                "..",
                "%2e%2e",
            ]
        ),
    )
    return RawRequest(
        method=draw(st.sampled_from(_METHODS)),
        target=f"/v1/{draw(paths)}",
        headers=tuple(draw(st.lists(st.sampled_from(_HEADERS), max_size=3))),
        body=draw(bodies(name)),
        length=draw(
            st.sampled_from(["true", "true", None, "0", "-1", "1", "abc", "99999999", "1, 1"])
        ),
        chunked=draw(st.booleans()),
        part=draw(st.sampled_from([1, 7, 1 << 30])),
        ends=draw(st.sampled_from(["whole", "whole", "disconnect", "error"])),
        terminated=draw(st.booleans()),
    )
