"""
Published documents: bytes under a URL, with what caches need (RFC 9110 and 9111).

A document is rendered once, at its first use; from then on every answer is made of the same bytes.
One that names URLs of the service is `Located`, one that stands elsewhere `Moved`. The sections of
RFC 9110 are 8.8.3 (entity tags), 12.5.3 (codings) and 13.1.2 (If-None-Match).
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable
from typing import Final, final

from contract.call.accept import accepts_gzip
from contract.call.message import FixedHeaders, Incoming, Response

__all__ = ["Located", "Moved", "Published", "Shown", "is_known", "tag_of"]

_NOSNIFF: Final = ("x-content-type-options", "nosniff")


@final
class Published:
    """
    A document.

    Args:
        render: Makes it.
        media_type: What it is.
        caching: Cache-Control; by default a cache asks each time whether what it has is still true.
        headers: More of them; names in lower case.
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
        """Render now what would be rendered at the first request."""
        if self._rendered is None:  # two threads may both do so: what they make is alike
            body = self._render()
            # of the headers too: a cached body is only true along with these
            tagged = body + repr(self._more).encode() if self._more else body
            # an entity tag tells forms of one document apart, as it has to where it is strong
            self._rendered = (
                _Form(body, tag_of(tagged), ()),
                _Form(
                    gzip.compress(body, mtime=0),
                    tag_of(tagged, "-gzip"),
                    (("content-encoding", "gzip"),),
                ),
            )
        return self._rendered

    def response(self, incoming: Incoming, more: tuple[tuple[str, str], ...]) -> Response:
        """
        The answer to a GET or a HEAD, with *more* headers.

        It is 304 where the client has the document already, else 200.
        """
        plain, packed = self.warm_up()
        headers = incoming.headers
        form = packed if accepts_gzip(headers.get("accept-encoding", "")) else plain
        more = (("etag", form.tag), *more)
        if is_known(headers.get("if-none-match", ""), form.tag):
            return Response(304, b"", incoming.request_id, self._known, more)
        return Response(200, form.body, incoming.request_id, self._headers, form.headers + more)


@final
class Located:
    """
    A document that says where the service is reached, which only a request tells.

    Args:
        render: Makes it, of that place.
        media_type: What it is.
        place: Reads that place from a request.
    """

    def __init__(
        self, render: Callable[[str], bytes], media_type: str, place: Callable[[Incoming], str]
    ) -> None:
        self._render: Final = render
        self._media_type: Final = media_type
        self._place: Final = place
        self._last = self._at("")

    def _at(self, place: str) -> tuple[str, Published]:
        return place, Published(lambda: self._render(place), self._media_type)

    def warm_up(self) -> None:
        """Render now what would be rendered at the first request, if that tells of no place."""
        self._last[1].warm_up()

    def response(self, incoming: Incoming, more: tuple[tuple[str, str], ...]) -> Response:
        """The answer to a GET or a HEAD, with *more* headers."""
        place = self._place(incoming)
        last = self._last
        if last[0] != place:  # most services have one: two would only be written again in turn
            self._last = last = self._at(place)
        return last[1].response(incoming, more)


@final
class Moved:
    """
    A document that stands elsewhere, for good (RFC 9110, section 15.4.9).

    Args:
        location: Where; relative to the URL, so that it is right wherever a proxy puts that.
    """

    def __init__(self, location: str) -> None:
        self._headers: Final = FixedHeaders(
            _NOSNIFF, ("cache-control", "no-cache"), ("location", location)
        )

    def warm_up(self) -> None:
        """There is nothing to render."""

    def response(self, incoming: Incoming, more: tuple[tuple[str, str], ...]) -> Response:
        """The answer to a GET or a HEAD, with *more* headers."""
        return Response(308, b"", incoming.request_id, self._headers, more)


Shown = Published | Located | Moved
"""A page, a document or a file at a path of its own."""


@final
class _Form:
    """One form of a document's bytes."""

    __slots__ = ("body", "headers", "tag")

    def __init__(self, body: bytes, tag: str, headers: tuple[tuple[str, str], ...]) -> None:
        self.body: Final = body
        self.tag: Final = tag
        self.headers: Final = headers


def tag_of(body: bytes, form: str = "") -> str:
    """The strong entity tag of *body*; another *form* of it has another."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}{form}"'


def is_known(if_none_match: str, tag: str) -> bool:
    """Whether If-None-Match names *tag*; weak tags count, as it compares weakly."""
    return if_none_match.strip() == "*" or tag in _TAG.findall(if_none_match)


_TAG: Final = re.compile(r'"[^"]*"')
