"""
Cached reads: calls by GET, whose input stands in the URL, and what caches are told of the answer.

They take the way of every other call, and only its two ends are here. A GET must do no harm that a
POST would not: only reads are served, what is refused is kept by nobody, and no answer that belongs
to one caller is given to another. The rules are those of RFC 9110 and 9111.
"""

from __future__ import annotations

import re
from typing import Final, final
from urllib.parse import unquote_to_bytes

from contract.call.context import Reply
from contract.call.headers_out import HeadersOut
from contract.call.message import BARE_HEADERS, FixedHeaders, Incoming, Response
from contract.call.published import is_known, tag_of
from contract.call.replies import failed
from contract.declare.typed_route import Entry
from contract.shape.urls import vary_of

__all__ = [
    "ALLOW_CACHED",
    "CACHED_METHODS",
    "CALL_OR_READ",
    "Cached",
    "cached_of",
    "input_in",
    "is_kept",
]

CACHED_METHODS: Final = "GET, HEAD, POST"
"""The methods that call a cached read."""
ALLOW_CACHED: Final = (("allow", "GET, HEAD, OPTIONS, POST"),)
"""The methods of its path."""
CALL_OR_READ: Final = (
    "Call this route with GET, its input as JSON in ?input=..., or with POST, its input as the "
    "JSON body."
)

_LONGEST: Final = 8192
"""
Characters of a query that are read.

Servers and proxies take lines of a request of about this length.
"""
_NO_BODY: Final = "A GET has no body; write its input as JSON into ?input=..., or send a POST."
_NO_INPUT: Final = (
    "A GET of a route takes one parameter, input, which holds the input as percent-encoded JSON: "
    "?input=%7B%7D"
)
_NOT_ENCODED: Final = (
    "The parameter input is not percent-encoded: a % needs two hexadecimal digits behind it, and "
    "only printable ASCII stands in a URL."
)


def input_in(incoming: Incoming) -> bytes | Reply:
    """
    The JSON of the input that the URL of a GET holds, empty where it holds none.

    A body would be passed over by caches, which know the answer by its URL, and is refused. So is
    all that two programs may read in two ways. A plus is a space, as in what forms send.
    """
    query = incoming.query
    if len(query) > _LONGEST:
        long = f"At most {_LONGEST} characters may stand behind the ? of a URL; use POST instead."
        reply = failed("BAD_REQUEST", message=long)
        reply.status = 414
        return reply
    length = incoming.content_length
    if length not in (None, "0") or incoming.header("transfer-encoding") is not None:
        return failed("BAD_REQUEST", message=_NO_BODY)
    if not query:
        return b""
    if not query.startswith("input=") or "&" in query:
        return failed("BAD_REQUEST", message=_NO_INPUT)
    text = query.removeprefix("input=")
    if not _ENCODED.fullmatch(text):
        return failed("BAD_REQUEST", message=_NOT_ENCODED)
    return unquote_to_bytes(text.replace("+", " "))


_ENCODED: Final = re.compile(r"(?:[!-$&-~]|%[0-9A-Fa-f]{2})*")
"""
Text of a query. Browsers leave braces as they are, so more is taken than RFC 3986 would.
"""


def cached_of(entry: Entry) -> Cached | None:
    """
    The caching headers of a route's outputs at GET, or None for a route that is not called so.

    A read that gives a file is, also where nobody may keep that: a page names it by its URL.
    """
    cache = entry.route.cache
    if cache is None:
        return Cached(None, ()) if entry.read_by_url else None
    credentials = () if entry.authenticator is None else entry.authenticator.headers
    return Cached(cache.max_age, vary_of(credentials, cache.vary), personal=bool(credentials))


_PERSONAL: Final = frozenset({"authorization", "cookie"})
"""Headers by which a request is somebody's own."""


@final
class Cached:
    """
    The headers of the outputs of one route at GET.

    Args:
        max_age: Seconds that an output may be kept; None where it may not be.
        vary: The headers of the request that it depends on.
        personal: Some of these say who calls.
    """

    def __init__(
        self, max_age: int | None, vary: tuple[str, ...], *, personal: bool = False
    ) -> None:
        self.vary: Final = vary
        named = [name.lower() for name in vary]
        whose = "private" if personal or _PERSONAL.intersection(named) else "public"
        nosniff, _ = BARE_HEADERS.pairs
        told = "no-store" if max_age is None else f"{whose}, max-age={max_age}"
        self.known: Final = FixedHeaders(nosniff, ("cache-control", told))
        """The headers of every such answer, but its content type."""
        self._shown: Final = FixedHeaders(("content-type", "application/json"), *self.known.pairs)

    def response(
        self, incoming: Incoming, output: bytes, more: tuple[tuple[str, str], ...]
    ) -> Response:
        """
        The response with an *output*, and with *more* headers.

        It is 304 where the client has this output already, else 200.
        """
        tag = tag_of(output)
        more = (("etag", tag), *more)
        if is_known(incoming.header("if-none-match") or "", tag):
            return Response(304, b"", incoming.request_id, self.known, more)
        return Response(200, output, incoming.request_id, self._shown, more)


def is_kept(given: HeadersOut | None) -> bool:
    """Whether an answer may be kept: not where it sets cookies, which are one caller's own."""
    return given is None or not given.sets_cookies
