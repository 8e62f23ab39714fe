"""Content: what a body is, how long it is, and how it arrives."""

from __future__ import annotations

from dataclasses import replace

from tests.wire.case import NOT_JSON, Case, call, error, issues
from tests.wire.exchange import ASGI, EARLY, JSON, SERVED, SERVERS, UNHELD, WSGI, RawRequest

LIMIT = 4096
"""The size of a body that the table's mounts take."""

X = b'{"text":"x"}'
N = b'{"name":"Ada","age":36}'
BIG = b'{"text":"' + b"x" * LIMIT + b'"}'
FITS = b'{"text":"' + b"x" * (LIMIT - 11) + b'"}'

WRONG_TYPE = error("UNSUPPORTED_MEDIA_TYPE", message="Send the body as application/json in UTF-8.")
ENCODED = error("UNSUPPORTED_MEDIA_TYPE", message="Send the body without a Content-Encoding.")
BAD_LENGTH = error(
    "BAD_REQUEST", message="Content-Length is not one number, or is sent with Transfer-Encoding."
)
BAD_CODING = error(
    "BAD_REQUEST", message="Send the body with no other Transfer-Encoding than chunked."
)
OTHER_LENGTH = error("BAD_REQUEST", message="The body is not as long as its Content-Length.")
GONE = error("BAD_REQUEST", message="The client went away before the end of the body.")
UNREADABLE = error("BAD_REQUEST", message="The body could not be read.")
TOO_LARGE = error("PAYLOAD_TOO_LARGE", limit=LIMIT)


def typed(*values: str) -> RawRequest:
    return RawRequest(headers=tuple(("Content-Type", value) for value in values), body=X)


def length(value: str, body: bytes = X) -> RawRequest:
    return RawRequest(body=body, length=value)


def encoded(*values: str, body: bytes = X) -> RawRequest:
    return call("echo", body, *(("Content-Encoding", value) for value in values))


PLAIN = ("Content-Type", "text/plain")
PLAIN_PING = RawRequest(target="/v1/ping", headers=(PLAIN,))
PLAIN_BIG = RawRequest(headers=(PLAIN,), body=BIG)
UNTYPED_CHUNKS = RawRequest(headers=(), body=X, chunked=True)
BESIDE_CHUNKS = RawRequest(body=X, length="12", chunked=True)
IN_PARTS = RawRequest(body=X, length="13", part=1)

TYPES = [
    *(
        Case(f"type {value!r}", typed(value), 200, ran=("echo",))
        for value in (
            *("application/json", "APPLICATION/JSON", "Application/Json; Charset=UTF-8"),
            *("application/json; charset=utf8", 'application/json;charset="utf-8"'),
            *('application/json ; charset="UTF-8" ', "application/json; profile=x; charset=utf-8"),
            *('application/json; profile="a;b\\"charset=latin-1"', "application/json;"),
            *("application/json; ;charset=utf-8", "  application/json"),
        )
    ),
    *(
        Case(f"type {value!r}", typed(value), 415, WRONG_TYPE)
        for value in (
            # other types
            *("", "text/plain", "text/json", "application/x-www-form-urlencoded", "json", "*/*"),
            *("multipart/form-data; boundary=x", "application/json-patch+json", "application/"),
            *("application/problem+json", "application/jsonp"),
            # other charsets, and two of them
            *(
                f"application/json; charset={charset}"
                for charset in ("latin-1", "utf-16", "", '""')
            ),
            "application/json; charset=utf-8; charset=latin-1",
            # two types
            *("application/json, text/plain", "application/json; charset=utf-8, application/json"),
            # what is not written as a type is
            *("application/json charset=utf-8", 'application/json; charset="utf-8'),
            *("application/json\x0b", "\xa0application/json", "application/json;\xa0charset=utf-8"),
        )
    ),
    Case("no type", RawRequest(headers=(), body=X), 415, WRONG_TYPE),
    Case("two types", typed("application/json", "application/json"), 415, WRONG_TYPE),
    Case("no type, in chunks", UNTYPED_CHUNKS, 415, WRONG_TYPE, on=SERVERS),
    Case("a wrong type, and no body", PLAIN_PING, 415, WRONG_TYPE),
]

ENCODINGS = [
    *(
        Case(f"encoding {value!r}", encoded(value), 415, ENCODED, {"accept-encoding": "identity"})
        for value in ("gzip", "deflate", "br", "x-gzip", "identity, gzip", "zstd", "utf-8")
    ),
    *(
        Case(f"encoding {value!r}", encoded(value), 200, ran=("echo",))
        for value in ("identity", "Identity", "", " identity ")
    ),
    Case("two encodings", encoded("gzip", "gzip"), 415, ENCODED),
]

LENGTHS = [
    *(
        Case(f"length {value!r}", length(value), 400, BAD_LENGTH)
        for value in (
            *("-1", "+12", "0x0c", "12, 12", "12,13", "1_2", "12.0", " ", "1e1", "\xb2", "twelve"),
            *("9" * 19, "9" * 5000),
        )
    ),
    Case("lengths of non-ASCII digits", length("\u00b9\u00b2"), 400, BAD_LENGTH),
    *(
        Case(
            f"transfer encoding {value!r}",
            replace(call("echo", X, ("Transfer-Encoding", value)), length=None),
            400,
            BAD_CODING,
        )
        for value in ("gzip, chunked", "gzip", "chunked, chunked", "identity")
    ),
    Case("two lengths", replace(call("echo", X, ("Content-Length", "12"))), 400, BAD_LENGTH),
    Case("length beside chunks", BESIDE_CHUNKS, 400, BAD_LENGTH),
    Case("length with leading zeros", length("0012"), 200, ran=("echo",)),
    Case("length too small by one", length("11"), 400, NOT_JSON, on=WSGI),
    Case("length too small by one", length("11"), 400, OTHER_LENGTH, on=ASGI),
    Case("length too large", length("13"), 400, OTHER_LENGTH, on=UNHELD),
    Case("length beside chunks ends the connection", BESIDE_CHUNKS, 400, BAD_LENGTH, {"connection": "close"}, on=ASGI),
    Case("length too large, whole JSON", length("4000"), 400, OTHER_LENGTH, on=UNHELD),
    Case("length at the limit", RawRequest(body=FITS), 200, ran=("echo",)),
    Case("length past the limit", RawRequest(body=BIG), 413, TOO_LARGE),
    Case("length far past the limit, no body", length("999999999999", b""), 413, TOO_LARGE),
    Case("length too large, in parts", IN_PARTS, 400, OTHER_LENGTH, on=UNHELD),
    Case("length past the limit, wrong type", PLAIN_BIG, 413, TOO_LARGE),
    Case("length past the limit, encoded", encoded("gzip", body=BIG), 413, TOO_LARGE),
]  # fmt: skip

ARRIVALS = [
    Case("in one part", RawRequest(body=X), 200, ran=("echo",)),
    Case("byte for byte", RawRequest(body=X, part=1), 200, ran=("echo",)),
    Case("in chunks", RawRequest(body=X, chunked=True), 200, ran=("echo",), on=SERVERS),
    Case("in chunks, byte for byte", RawRequest(body=X, chunked=True, part=1), 200, ran=("echo",), on=SERVERS),
    Case("in chunks, at the limit", RawRequest(body=FITS, chunked=True, part=64), 200, ran=("echo",), on=SERVERS),
    Case("in chunks, past the limit", RawRequest(body=BIG, chunked=True, part=64), 413, TOO_LARGE, on=SERVERS),
    Case("in chunks, past the limit at once", RawRequest(body=BIG * 40, chunked=True), 413, TOO_LARGE, on=SERVERS),
    Case("in chunks, empty", RawRequest(target="/v1/named", chunked=True), 400, NOT_JSON, on=SERVERS),
    Case("in chunks, to a server that does not say where they end", RawRequest(body=X, chunked=True, terminated=False), 411,
         error("LENGTH_REQUIRED"), on=WSGI),
    Case("HTTP/2, without a length", RawRequest(body=X, length=None, version="2", part=5), 200, ran=("echo",), on=ASGI),
    Case("HTTP/2, without a length", RawRequest(body=X, length=None, version="2", part=5, terminated=False), 200, ran=("echo",), on=WSGI),
    Case("HTTP/2, without a length, past the limit", RawRequest(body=BIG, length=None, version="2", part=500), 413, TOO_LARGE, on=SERVERS),
    Case("HTTP/3, without a length, past the limit", RawRequest(body=BIG, length=None, version="3", part=500), 413, TOO_LARGE, on=SERVERS),
    Case("HTTP/2, without a length or a type", RawRequest(body=X, headers=(), length=None, version="2"), 415, WRONG_TYPE, on=SERVERS),
    Case("HTTP/3, nothing", RawRequest(target="/v1/ping", headers=(), version="3"), 200, "pong", ran=("ping",), on=SERVERS),
    Case("HTTP/1.1, without a length: no body", RawRequest(target="/v1/named", body=X, length=None), 400, NOT_JSON, on=WSGI | SERVED),
    Case("HTTP/1.1, without a length, from a host that has a body all the same", RawRequest(target="/v1/named", body=N, length=None), 200, ran=("named",), on=ASGI),
    Case("HTTP/1.1, without a length, byte for byte", RawRequest(target="/v1/named", body=N, length=None, part=1), 200, ran=("named",), on=ASGI),
    Case("HTTP/1.1, without a length, past the limit", RawRequest(body=BIG, length=None), 413, TOO_LARGE, on=ASGI),
    Case("HTTP/1.1, without a length or a type", RawRequest(body=X, headers=(), length=None), 415, WRONG_TYPE, on=ASGI),
    Case("HTTP/1.1, without a length, gone before the end", RawRequest(body=X, length=None, ends="disconnect"), 400, GONE, on=ASGI),
    Case("HTTP/1.0", RawRequest(body=X, version="1.0"), 200, ran=("echo",), on=SERVERS),
    Case("HTTP 1", RawRequest(body=X, version="1"), 200, ran=("echo",), on=EARLY),
    Case("HTTP 4", RawRequest(body=X, version="4"), 505, error("BAD_REQUEST", message="This HTTP version is not supported."), on=EARLY),
    Case("HTTP 4, HEAD", RawRequest(method="HEAD", version="4"), 505, b"", {"content-length": ...}, on=EARLY),  # type: ignore[dict-item]
    Case("gone before the end", RawRequest(body=X, length="13", ends="disconnect"), 400, OTHER_LENGTH, on=WSGI),
    Case("gone before the end", RawRequest(body=X, length="13", ends="disconnect"), 400, GONE, on=ASGI),
    Case("gone after all of it, but for the end", RawRequest(body=X, ends="disconnect"), 400, GONE, on=ASGI),
    Case("gone in the middle of chunks", RawRequest(body=X, chunked=True, ends="disconnect"), 400, GONE, on=ASGI),
    Case("gone before the first byte", RawRequest(length="12", ends="disconnect"), 400, GONE, on=EARLY),
    Case("broken before the end", RawRequest(body=X, length="13", ends="error"), 400, UNREADABLE, on=UNHELD),
    Case("broken in the middle of chunks", RawRequest(body=X, chunked=True, ends="error"), 400, UNREADABLE, on=UNHELD),
    Case("broken before the first byte", RawRequest(length="12", ends="error"), 400, UNREADABLE, on=WSGI | EARLY),
]  # fmt: skip

EMPTY = [
    *(
        Case(f"no input: {body!r} as {headers}", RawRequest(target="/v1/ping", headers=headers, body=body, length=announced), 200, "pong",
             {"content-length": None if on == {"service"} else "6"}, ran=("ping",), on=on)
        for on in (frozenset({"service"}), SERVERS)
        for body, headers, announced in (
            (b"", (), None),
            (b"", (), "0"),
            (b"", (JSON,), None),
            (b"", (JSON,), "0"),
            (b"null", (JSON,), "true"),
            (b"{}", (JSON,), "true"),
            (b" { } ", (JSON,), "true"),
        )
    ),
    Case("no input: a key", call("ping", b'{"a":1}'), 400, issues((["a"], "unknown_key"))),
    *(Case(f"no input: {body!r}", call("ping", body), 400, issues(([], "object_type"))) for body in (b"1", b"[]", b'""', b"false")),
    Case("no input: no JSON", call("ping", b"nothing"), 400, NOT_JSON),
    Case("no input: white space", call("ping", b" "), 400, NOT_JSON),
    Case("an input, and nothing at all", RawRequest(target="/v1/named", headers=()), 400, NOT_JSON),
    Case("an input, and an empty body", RawRequest(target="/v1/named", length="0"), 400, NOT_JSON),
    Case("an input of defaults, and nothing at all", RawRequest(headers=()), 200, ran=("echo",)),
    Case("an input of defaults, and an empty body", RawRequest(length="0"), 200, ran=("echo",)),
    Case("an input, and white space", RawRequest(body=b" \n"), 400, NOT_JSON),
]  # fmt: skip

ROWS = [*TYPES, *ENCODINGS, *LENGTHS, *ARRIVALS, *EMPTY]
