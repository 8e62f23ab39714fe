"""
Published documents: bytes at a URL, with the headers that caches need (RFC 9110 and 9111).

A document is rendered once, at its first use; then every answer has the same bytes. One that
contains URLs of the service is `Located`, one at another URL is `Moved`. The sections of RFC 9110
are 8.8.3 (entity tags), 12.5.3 (codings), 13.1.1 (If-Match) and 13.1.2 (If-None-Match).
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final, final

from contract.call.accept import accepts_gzip
from contract.call.incoming import Incoming
from contract.call.message import FixedHeaders, Response
from contract.shape.record import record

__all__ = ["Located", "Moved", "Published", "Shown", "is_known", "is_wanted", "tag_of"]

_NOSNIFF: Final = ("x-content-type-options", "nosniff")


@final
class Published:
    """
    A document.

    Args:
        render: Makes the bytes.
        media_type: The media type.
        caching: Cache-Control; by default a cache asks each time whether its copy is current.
        headers: More headers; names are in lower case.
    """

    def __init__(
        self,
        render: Callable[[], bytes],
        media_type: str,
        *,
        caching: str = "no-cache",
        headers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self._render: Final = render
        self._more: Final = headers
        self._known: Final = FixedHeaders(_NOSNIFF, ("cache-control", caching), *headers)
        self._headers: Final = FixedHeaders(("content-type", media_type), *self._known.pairs)
        self._rendered: tuple[_Form, _Form] | None = None

    def warm_up(self) -> tuple[_Form, _Form]:
        """Render now instead of at the first request."""
        if self._rendered is None:  # two threads may both do so, with equal results
            body = self._render()
            # also from the headers: a cached body is only right together with these
            tagged = body
            if self._more:
                tagged += repr(self._more).encode()
            # a strong entity tag must tell the forms of one document apart
            plain = _Form(body, tag_of(tagged), ())
            # without a time, so that every worker has the same bytes for the same tag
            packed = gzip.compress(body, mtime=0)
            coding = (("content-encoding", "gzip"),)
            self._rendered = plain, _Form(packed, tag_of(tagged, "-gzip"), coding)
        return self._rendered

    def response(self, incoming: Incoming, more: tuple[tuple[str, str], ...]) -> Response:
        """
        The answer to a GET or a HEAD, with *more* headers.

        It is 304 if the client already has the document, else 200.
        """
        plain, packed = self.warm_up()
        headers = incoming.headers
        form = plain
        if accepts_gzip(headers.get("accept-encoding", "")):
            form = packed
        more = (("etag", form.tag), *more)
        if is_known(headers.get("if-none-match", ""), form.tag):
            return Response(304, b"", incoming.request_id, self._known, more)
        return Response(200, form.body, incoming.request_id, self._headers, form.headers + more)


@final
class Located:
    """
    A document that contains the URL of the service, which only a request tells.

    *render* makes the bytes for that URL, and *url_of* reads it from a request.
    """

    def __init__(
        self, render: Callable[[str], bytes], media_type: str, url_of: Callable[[Incoming], str]
    ) -> None:
        @lru_cache(maxsize=1)  # most services have one URL
        def published_at(url: str) -> Published:
            return Published(partial(render, url), media_type)

        self._published_at: Final = published_at
        self._url_of: Final = url_of

    def warm_up(self) -> None:
        """Render now instead of at the first request, if the URL does not depend on the request."""
        self._published_at("").warm_up()

    def response(self, incoming: Incoming, more: tuple[tuple[str, str], ...]) -> Response:
        """The answer to a GET or a HEAD, with *more* headers."""
        return self._published_at(self._url_of(incoming)).response(incoming, more)


@final
class Moved:
    """
    A document that is permanently at another URL (RFC 9110, section 15.4.9).

    That is relative, so that it is right behind any proxy.
    """

    def __init__(self, location: str) -> None:
        caching = ("cache-control", "no-cache")
        self._headers: Final = FixedHeaders(_NOSNIFF, caching, ("location", location))

    def warm_up(self) -> None:
        """Do nothing: there is nothing to render."""

    def response(self, incoming: Incoming, more: tuple[tuple[str, str], ...]) -> Response:
        """The answer to a GET or a HEAD, with *more* headers."""
        return Response(308, b"", incoming.request_id, self._headers, more)


Shown = Published | Located | Moved
"""A page, a document or a file at its own path."""


@final
@record
class _Form:
    """One form of a document's bytes."""

    body: bytes
    tag: str
    headers: tuple[tuple[str, str], ...]


def tag_of(body: bytes, form: str = "") -> str:
    """The strong entity tag of *body*; another *form* of it has another tag."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}{form}"'


def is_known(if_none_match: str, tag: str) -> bool:
    """Whether If-None-Match names *tag*; the comparison is weak, so weak tags count."""
    return if_none_match.strip() == "*" or tag in _TAG.findall(if_none_match)


_TAG: Final = re.compile(r'"[^"]*"')


def is_wanted(if_match: str, tag: str) -> bool:
    """Whether If-Match names *tag*; the comparison is strong, so a weak tag names nothing."""
    if if_match.strip() == "*":
        return True
    return not tag.startswith("W/") and tag in _TAGS.findall(if_match)


_TAGS: Final = re.compile(r'(?:W/)?"[^"]*"')
