"""Paths and methods."""

from __future__ import annotations

from dataclasses import replace

import orjson

from tests.wire.case import Case, call, error
from tests.wire.exchange import JSON, SERVERLESS, SERVERS, RawRequest

X = b'{"text":"x"}'
ALLOW = {"allow": "OPTIONS, POST"}
WITH_POST = "Call a route with POST; its input is the JSON body."
NOT_ALLOWED = error("METHOD_NOT_ALLOWED", message=WITH_POST)
LENGTH = str(len(orjson.dumps(NOT_ALLOWED)))
NOPE = error("ROUTE_NOT_FOUND", route="nope")
BROWSER = (JSON, ("Accept", "text/html, application/xml;q=0.9, */*;q=0.1"))
SILENCE = "no-output.silence"
INSIDE = "canary-of-the-inside.example"
NEW = "(a new one)"
"""Stands for a request id that we made."""


def to_nope(method: str, *headers: tuple[str, str]) -> RawRequest:
    return RawRequest(method, "/v1/nope", headers)


def unknown(target: str, route: str, *, name: str | None = None) -> Case:
    request = RawRequest(target=target, headers=BROWSER, body=X)
    return Case(f"path {name or target!r}", request, 404, error("ROUTE_NOT_FOUND", route=route))


NAMES = (
    *("nope", "", "/", "/echo", "echo/", "echo//", "echo/deeper/still", "Echo", "ECHO", "echo."),
    *(".", "..", "./echo", "../v1/echo", "__class__", "__proto__", "constructor", "echo;a=b"),
)
"""What is no name of a route, and told as it was sent."""

ENCODED = RawRequest(target="/v1/%65cho", body=X)
QUERIED = RawRequest(target="/v1/echo?text=y&access_token=z", body=X)

PATHS = [
    *(unknown(f"/v1/{name}", name) for name in NAMES),
    unknown("/v1/%2e%2e/echo", "../echo"),
    unknown("/v1/..%2fecho", "..%2Fecho"),
    unknown("/v1/%2Fecho", "%2Fecho"),
    unknown("/v1/echo%2f", "echo%2F"),
    unknown("/v1/%2f%ff", "%2F\ufffd"),
    # elsewhere it is the host's
    replace(unknown("/v1%2fecho", "/v1%2Fecho"), on=frozenset({"service", "wsgi", "asgi"})),
    unknown("/v1/echo%00", "echo\0"),
    unknown("/v1/%00", "\0"),
    unknown("/v1/%ff", "\ufffd"),
    unknown("/v1/%c3%a9", "é"),
    unknown("/v1/%ed%a0%80", "\ufffd" * 3),
    unknown("/v1/%25", "%"),
    unknown("/v1/echo%20", "echo "),
    unknown("/v1/echo%0d%0aSet-Cookie:%20a=b", "echo\r\nSet-Cookie: a=b"),
    unknown("/v1/%3Cscript%3Ealert(1)%3C/script%3E", "<script>alert(1)</script>"),
    unknown("/v1/%F0%9F%98%80", "\U0001f600"),
    unknown("/v1/" + "a" * 60_000, "a" * 64, name="60 kB"),
    unknown("/v1/" + "%F0%9F%98%80" * 100, "\U0001f600" * 64, name="100 emoji"),
    Case("a path with an encoded letter", ENCODED, 200, ran=("echo",)),
    Case("a path with a query", QUERIED, 200, ran=("echo",)),
    Case("an unknown path with a query", RawRequest(target="/v1/nope?a=b", body=X), 404, NOPE),
    Case("a name with a dot and a hyphen", call(SILENCE), 200, None, ran=(SILENCE,)),
    *(
        Case(f"{method} of an unknown path", to_nope(method), 404, NOPE)
        for method in ("GET", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "BREW")
    ),
    Case("HEAD of an unknown path", to_nope("HEAD"), 404, b""),
]

METHODS = [
    *(
        Case(f"{method} of a route", RawRequest(method=method, headers=headers), 405, NOT_ALLOWED, ALLOW)
        for method in ("GET", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "BREW", "post", "Post")
        for headers in ((), (JSON,))
    ),
    Case("GET with a body", RawRequest(method="GET", body=X), 405, NOT_ALLOWED, ALLOW),
    Case("GET of a bearer route", RawRequest(method="GET", target="/v1/me"), 405, NOT_ALLOWED, ALLOW | {"www-authenticate": None}),
    Case("HEAD of a route", RawRequest(method="HEAD"), 405, b"", ALLOW | {"content-length": LENGTH}, on=SERVERS),
    Case("HEAD of a route", RawRequest(method="HEAD"), 405, b"", ALLOW, on=SERVERLESS),
    *(
        Case(f"OPTIONS of {route}", RawRequest(method="OPTIONS", target=f"/v1/{route}", headers=headers), 204, b"",
             ALLOW | dict.fromkeys(("content-length", "content-type", "access-control-allow-origin", "access-control-allow-methods")))
        for route in ("echo", "me")
        for headers in ((), (("Origin", "https://app.example"), ("Access-Control-Request-Method", "POST")))
    ),
    *(
        Case(f"GET with {header}", RawRequest(method="GET", headers=((header, "POST"), JSON), body=X), 405, NOT_ALLOWED, ALLOW)
        for header in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override")
    ),
    Case("POST with X-HTTP-Method-Override", call("echo", X, ("X-HTTP-Method-Override", "DELETE")), 200, ran=("echo",)),
    Case("_method in the query", RawRequest(method="GET", target="/v1/echo?_method=POST", body=X), 405, NOT_ALLOWED, ALLOW),
]  # fmt: skip


def identified(does: str, expected: str, sent: str) -> Case:
    """A call whose request id is kept, or replaced by a new one."""
    request = replace(call("ping"), headers=(JSON, ("X-Request-Id", sent)))
    return Case(does, request, 200, "pong", {"x-request-id": expected}, ran=("ping",))


TWO_IDS = call("ping", b"", ("X-Request-Id", "a"), ("X-Request-Id", "b"))

IDS = [
    *(identified(f"keeps the request id {sent[:20]!r}", sent, sent) for sent in ("a", "A-Z.a_z-0.9", "x" * 128)),
    *(
        identified(f"replaces the request id {sent[:20]!r}", NEW, sent)
        for sent in (*("", " ", "x" * 129, "a b", "a\tb", 'a"b', "<a>", "a,b", "ä", "a/b", "a;b", "\x7f"), "a\x00")
    ),
    Case("keeps it on errors", to_nope("POST", ("X-Request-Id", "abc")), 404, ..., {"x-request-id": "abc"}),
    Case("two request ids", TWO_IDS, 200, "pong", {"x-request-id": NEW}, ran=("ping",)),
    *(
        Case(f"reflects no {header}", to_nope("POST", (header, INSIDE)), 404, ...)
        for header in (
            *("X-Forwarded-Host", "X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Referer"),
            *("User-Agent", "Cookie", "Origin"),
        )
    ),
]  # fmt: skip

ROWS = [*PATHS, *METHODS, *IDS]
