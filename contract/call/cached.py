"""
Cached reads: calls by GET, with the input in the URL, and the caching headers of the answer.

They go the way of every other call; only their two ends are here. A GET must do no harm that a POST
would not: only reads are served, refusals are never kept, and an answer for one caller is never
given to another. The rules are those of RFC 9110 and 9111.
"""

from __future__ import annotations

import re
from typing import Final, final
from urllib.parse import unquote_to_bytes

from contract.call.context import Reply
from contract.call.files import AtHand, part_of
from contract.call.headers_out import HeadersOut
from contract.call.incoming import Incoming
from contract.call.message import BARE_HEADERS, FixedHeaders, Response
from contract.call.published import is_known, is_wanted, tag_of
from contract.call.replies import failed
from contract.declare.typed_route import Entry
from contract.shape.header_values import vary_of

__all__ = [
    "ALLOW_CACHED",
    "CACHED_METHODS",
    "CALL_OR_READ",
    "Cached",
    "cached_of",
    "input_in",
    "is_kept",
    "weighed",
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
"""The most characters of a query: servers and proxies accept about this length."""
_TOO_LONG: Final = f"At most {_LONGEST} characters may follow the ? of a URL; use POST instead."
_NO_BODY: Final = "A GET has no body; write its input as JSON into ?input=..., or send a POST."
_NO_INPUT: Final = (
    "A GET of a route takes one parameter, input, which holds the input as percent-encoded JSON: "
    "?input=%7B%7D"
)
_NOT_ENCODED: Final = (
    "The parameter input is not percent-encoded: a % needs two hexadecimal digits behind it, and "
    "a URL has only printable ASCII."
)


def input_in(incoming: Incoming, *, required: bool) -> bytes | Reply:
    """
    The JSON of the input in the URL of a GET; empty if there is none, and none is *required*.

    A body is refused, since caches would ignore it: they know an answer by its URL. So is a query
    that two programs may read differently. A plus is a space, as in HTML forms.
    """
    query = incoming.query
    # 414 (RFC 9110, section 15.5.15) tells a client that a shorter URL, or a POST, would do
    if len(query) > _LONGEST:
        reply = failed("BAD_REQUEST", message=_TOO_LONG)
        reply.status = 414
        return reply
    length = incoming.header("content-length")
    if length not in (None, "0") or incoming.header("transfer-encoding") is not None:
        return failed("BAD_REQUEST", message=_NO_BODY)
    if not query and not required:
        return b""
    if not query.startswith("input=") or "&" in query:
        return failed("BAD_REQUEST", message=_NO_INPUT)
    text = query.removeprefix("input=")
    if required and not text:
        return failed("BAD_REQUEST", message=_NO_INPUT)
    if not _ENCODED.fullmatch(text):
        return failed("BAD_REQUEST", message=_NOT_ENCODED)
    return unquote_to_bytes(text.replace("+", " "))


_ENCODED: Final = re.compile(r"(?:[!-$&-~]|%[0-9A-Fa-f]{2})*")
"""A query. Browsers leave braces unencoded, so more is accepted than in RFC 3986."""


def weighed(incoming: Incoming, found: bytes | Reply) -> bytes | Reply:
    """
    The outcome of a GET with the output *found*, after the conditions of the request.

    It is *found*, a file with the part to send, or the 412 or 416 that refuses it. They are weighed
    before the values of the call end, so that a refusal commits nothing.
    """
    status, headers = 200, _NO_HEADERS
    if isinstance(found, bytes):
        # If-None-Match is left to `Cached.response`: a 304 is a success, so its values commit
        tags = incoming.header("if-match")
        if tags is not None and not is_wanted(tags, tag_of(found)):
            status = 412
    elif isinstance(found, AtHand):
        found.part = part_of(incoming, found)
        status, headers = found.part.status, found.part.headers
    if status not in _REFUSED:
        return found
    if isinstance(found, AtHand) and found.file is not None:
        found.file.close()  # nothing of it is sent
    reply = failed("BAD_REQUEST", headers, message=_REFUSED[status])
    reply.status = status
    return reply


_NO_HEADERS: Final[tuple[tuple[str, str], ...]] = ()
_REFUSED: Final = {
    412: "The output is not the one that If-Match or If-Unmodified-Since asks for.",
    416: "The file has not so many bytes; Content-Range says how many it has.",
}
"""Status -> message, for an output of which nothing is sent."""


def cached_of(entry: Entry) -> Cached | None:
    """
    The caching headers of a route's outputs at GET; None for a route that is not served there.

    A read that gives a file is served there even if nobody may keep the file: pages refer to it by
    URL.
    """
    cache = entry.route.cache
    if cache is None:
        if entry.read_by_url:
            return Cached(None, ())
        return None
    credentials = () if entry.authenticator is None else entry.authenticator.headers
    return Cached(cache.max_age, vary_of(credentials, cache.vary), personal=bool(credentials))


_PERSONAL: Final = frozenset({"authorization", "cookie"})
"""Request headers that identify the caller."""


@final
class Cached:
    """The headers of the outputs of one route at GET; *max_age* is None if none may be kept."""

    def __init__(
        self, max_age: int | None, vary: tuple[str, ...], *, personal: bool = False
    ) -> None:
        self.vary: Final = vary
        """The request headers that an output depends on."""
        # RFC 9111, section 5.2.2: a shared cache may keep what is public, and only the caller's
        # own browser what is private
        whose = "public"
        if personal or _PERSONAL.intersection(name.lower() for name in vary):
            whose = "private"
        nosniff, _ = BARE_HEADERS.pairs
        caching = "no-store" if max_age is None else f"{whose}, max-age={max_age}"
        self.known: Final = FixedHeaders(nosniff, ("cache-control", caching))
        """The headers of every such answer, except its content type."""
        self._shown: Final = FixedHeaders(("content-type", "application/json"), *self.known.pairs)

    def response(
        self, incoming: Incoming, output: bytes, more: tuple[tuple[str, str], ...]
    ) -> Response:
        """
        The response with an *output*, and with *more* headers.

        It is 304 if the client already has this output, else 200.
        """
        tag = tag_of(output)
        more = (("etag", tag), *more)
        # a 304 has the headers of the 200, except what describes a body (RFC 9110, section 15.4.5)
        if is_known(incoming.header("if-none-match") or "", tag):
            return Response(304, b"", incoming.request_id, self.known, more)
        return Response(200, output, incoming.request_id, self._shown, more)


def is_kept(given: HeadersOut | None) -> bool:
    """Whether an answer may be kept: not if it sets cookies, which belong to one caller."""
    return given is None or not given.sets_cookies
