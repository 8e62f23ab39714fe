"""What clients send over HTTP, byte by byte: requests, and what is none, with what a server says to it."""

from __future__ import annotations

from typing import Final

__all__ = [
    "CHUNKED",
    "CLOSE",
    "HOSTS",
    "INVALID",
    "JSON",
    "LARGE_HEADERS",
    "LAST",
    "LENGTH",
    "MISNAMED",
    "MUCH_AROUND_A_BODY",
    "NO_HEADERS",
    "NO_HOSTS",
    "NO_REQUESTS",
    "ONLY_REFUSED",
    "UNADDRESSED",
    "UNSUPPORTED",
    "VERSIONS",
    "WRONG_BODIES",
    "bearer",
    "body_of",
    "chunk",
    "get",
    "length",
    "named",
    "post",
    "sent",
    "status_of",
]


def post(path: bytes, *headers: bytes, body: bytes = b"", method: bytes = b"POST") -> bytes:
    lines = b"".join(line + b"\r\n" for line in (b"Host: x", *headers))
    return method + b" " + path + b" HTTP/1.1\r\n" + lines + b"\r\n" + body


def get(path: bytes, *headers: bytes) -> bytes:
    return post(path, *headers, method=b"GET")


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def length(size: object) -> bytes:
    return b"Content-Length: " + str(size).encode()


def bearer(token: str) -> bytes:
    return b"Authorization: Bearer " + token.encode()


def sent(path: bytes, body: bytes, *headers: bytes) -> bytes:
    """A call with a body in the usual form."""
    return post(path, JSON, length(len(body)), *headers, body=body)


def body_of(answer: bytes) -> bytes:
    return answer.partition(b"\r\n\r\n")[2]


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ")[1])


CLOSE: Final = b"Connection: close"
LENGTH: Final = length(4)
CHUNKED: Final = b"Transfer-Encoding: chunked"
JSON: Final = b"Content-Type: application/json"
LAST: Final = post(b"/last", CLOSE)
"""A request after whose answer the connection is closed."""


# What is not a request.

INVALID: Final = b'{"error":"BAD_REQUEST","data":{"message":"The request is not valid HTTP."}}'
UNADDRESSED: Final = (
    b'{"error":"BAD_REQUEST","data":{"message":"Send the header Host, and send it once."}}'
)

MISNAMED: Final = b'{"error":"BAD_REQUEST","data":{"message":"Host is not the name of a host."}}'

UNSUPPORTED: Final = (
    b'{"error":"BAD_REQUEST","data":{"message":"This HTTP version is not supported."}}'
)

_CHUNKS: Final = chunk(b"body") + chunk(b"")
_NO_LENGTHS: Final = (b": 4, 4", b": +4", b": -4", b": 0x4", b" : 4")
_NO_CODINGS: Final = (b" chunked, gzip", b"\r\n chunked")
_NO_CHUNKS: Final = (
    *(b"zz\r\nbody\r\n0\r\n\r\n", b"0x4\r\nbody\r\n0\r\n\r\n", b"4;a=\nb\r\nbody\r\n0\r\n\r\n"),
    *(b"4\r\nbody0\r\n\r\n", b"fffffffffffffffff\r\nbody\r\n0\r\n\r\n"),
)

NO_HEADERS: Final = (
    *(b"X-Folded: a\r\n b", b"X-Value: a\rb", b"X-Value: a\0b", b"X-Bare: a\nX-Line: b"),
    *(b": a", b"no colon"),
)

NO_REQUESTS: Final = (
    post(b"/", LENGTH, CHUNKED, body=_CHUNKS),
    post(b"/", LENGTH, LENGTH, body=b"body"),
    post(b"/", LENGTH, b"Content-Length: 3", body=b"body"),
    *(post(b"/", b"Content-Length" + value, body=b"body") for value in _NO_LENGTHS),
    post(b"/", CHUNKED, CHUNKED, body=_CHUNKS),
    *(post(b"/", b"Transfer-Encoding:" + value, body=_CHUNKS) for value in _NO_CODINGS),
    *(post(b"/", header) for header in NO_HEADERS),
    *(post(path) for path in (b"no-slash", b"/\xc3\xa4", b"/a b")),
    b"POST / HTTP/1.2\r\nHost: x\r\n\r\n",
    b"POST / HTTP/1.1\nHost: x\n\n",
    b"CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
)
"""What no app hears of; `INVALID` is the answer."""

WRONG_BODIES: Final = (
    *(post(b"/", CHUNKED, body=chunks) for chunks in _NO_CHUNKS),
    post(b"/", b"Transfer-Encoding: xchunked", body=_CHUNKS),
)
"""Requests whose headers are right; `INVALID` is the answer of an app that reads them."""

ONLY_REFUSED: Final = ((b"BREW\r\n\r\n", 400), (post(b"/", *[b"X-Many: 1"] * 100), 431))
"""What the server refuses itself, and with which status."""


def named(path: bytes, version: bytes, *hosts: bytes) -> bytes:
    """A request that names its *hosts*, has another header twice, and ends its connection."""
    hosted = [b"Host: " + host for host in hosts]
    lines = b"".join(each + b"\r\n" for each in (*hosted, b"X-More: 1", b"X-More: 2", CLOSE))
    return b"POST " + path + b" HTTP/" + version + b"\r\n" + lines + b"\r\n"


HOSTS: Final = (
    ((b"x",), b"1.1", False),
    ((b"x", b"x"), b"1.1", True),
    ((b"x", b"y"), b"1.1", True),
    ((b"x", b"x"), b"1.0", True),
    ((b"x", b"y"), b"1.0", True),
    ((), b"1.1", True),
    ((), b"1.0", False),
    ((b"",), b"1.1", True),
    ((b"",), b"1.0", False),
)
"""The hosts that a request names, its version, and whether `UNADDRESSED` is the answer."""

NO_HOSTS: Final = (
    b"a b",
    b"a/b",
    b"http://x",
    b"u@x",
    b"a?b",
    b"a#b",
    b'"x"',
    b"\xc3\xa4",
    b"a\\b",
)
"""Hosts that no URL has; `MISNAMED` is the answer."""

VERSIONS: Final = (b" HTTP/0.9", b" HTTP/2.0", b"")
"""How a request line ends that is of no supported version; `UNSUPPORTED` is the answer."""

LARGE_HEADERS: Final = (
    post(b"/", *[b"X-Many: 1"] * 100),
    post(b"/", b"X-Large: " + b"x" * 66_000),
    post(b"/", b"X-Large: " + b"x" * 1_000_000),
    post(b"/" + b"x" * 66_000),
    b"POST /" + b"x" * 200_000,
)

MUCH_AROUND_A_BODY: Final = (
    b"4\r\nbody\r\n0\r\nX-Trailer: " + b"x" * 200_000,
    b"4;x=" + b"x" * 200_000,
)
"""Chunks with more than their data."""
