"""Replies: what a call over the wire in memory is answered, read part by part and then whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import field, replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Final, cast, final

import orjson

from contract.shape.quoting import cut
from contract.shape.record import record
from contract.testing.received import Item, Receiving, is_stream

__all__ = ["Reply", "Taking", "route_hint", "route_meant", "shortly", "uninterrupted"]


@final
@record
class Reply:
    """The response to a request."""

    status: int
    """The HTTP status."""
    json: Any
    """
    The body as JSON; None if it is empty or not JSON.

    For a stream it is the last event: ``{}`` if the stream came to its end, the body of the failure
    that ended it, or None if it was cut off or not read to its end.
    """
    headers: Mapping[str, str]
    """Names are in lower case; repeated headers are joined with ", "."""
    body: bytes
    """The raw body."""
    exception: BaseException | None = None
    """The exception behind an INTERNAL_ERROR, which is never sent."""
    cookies: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """The values of the cookies that it sets."""
    items: tuple[Any, ...] | None = field(default=None, repr=False)
    """The items of a stream, read; None if it is not a stream."""
    ids: tuple[str | None, ...] = field(default=(), repr=False)
    """The id of each item; None for an item without one."""
    broken: bool = field(default=False, repr=False)
    """Whether the body was cut off, such as a file that could not be read to its end."""
    meant: str | None = field(default=None, compare=False, repr=False)
    """The routes that may have been meant, if no route has the name that was called."""

    @property
    def error(self) -> str | None:
        """The code of a failure, including one that ended a stream; None for a success."""
        found: object = self.json
        if (self.status < 400 and self.items is None) or not isinstance(found, dict):
            return None
        code = cast("dict[str, object]", found).get("error")
        return code if isinstance(code, str) else None

    def __repr__(self) -> str:
        """Leave out the headers; show the exception and what else is unusual, if anything is."""
        body = self.body.decode(errors="backslashreplace")
        shown = f"{self.status}, {body}"
        if self.broken:
            shown += ", broken=True"
        if self.exception is not None:
            shown += f", exception={self.exception!r}"
        if self.meant is not None:
            shown += f", meant={self.meant!r}"
        return f"Reply({shown})"


def route_meant(name: str, routes: Iterable[str]) -> str | None:
    """
    The ones of *routes* that somebody may have meant by *name*; None if none is near.

    A route of a group has the name of the group before its own, so the end of its name may be what
    is known of it.
    """
    known = [*routes]
    found: list[str] = []
    if name:  # a path may be empty
        found = [each for each in known if each.endswith(f".{name}")]
    return " or ".join(found[:_FEW] or get_close_matches(name, known, 1)) or None


_FEW: Final = 3
"""How many routes of one name a message tells."""


def route_hint(name: str, routes: Iterable[str]) -> str:
    """A hint for *name*: the known routes with a similar name, or else the first of all routes."""
    known = [*routes]
    likely = route_meant(name, known)
    if likely:
        return f"did you mean {likely}?"
    some = ", ".join(known[:_NAMED]) or "none"
    return f"there are {some}"


_NAMED: Final = 10
"""How many of all routes a message tells."""


def uninterrupted(reply: Reply) -> Reply:
    """
    Return *reply*, unless Ctrl-C ended the call.

    A service answers Ctrl-C like any other exception of a resolver.

    Raises:
        KeyboardInterrupt: It did.
    """
    if isinstance(reply.exception, KeyboardInterrupt):
        raise reply.exception
    return reply


def shortly(status: int, body: bytes) -> str:
    """An answer in a message, cut short: ``200 {"id": 1}``."""
    return f"{status} {cut(body.decode(errors='backslashreplace'), _SHOWN)}"


_SHOWN: Final = 200


@final
class Taking:
    """
    Collects the body of a response, part by part.

    Args:
        streams: Whether the route gives a stream.
        most: Stop reading after this many items.
        meant: The routes that may be meant by a name that no route has.
    """

    def __init__(
        self,
        streams: bool,  # noqa: FBT001
        most: int | None,
        meant: str | None = None,
    ) -> None:
        self._streams: Final = streams
        self._meant: Final = meant
        self.most: Final = most
        self.parts: Final[list[bytes]] = []
        self.items: Final[list[Item]] = []
        self.receiving: Receiving | None = None
        self.broken: bool = False

    def take(self, part: bytes, pairs: list[tuple[str, str]]) -> bool:
        """Take a *part* of a response with these headers; return whether that is enough."""
        if self._streams and not self.parts:
            content_type = dict(pairs).get("content-type")
            if is_stream(content_type):  # a failure before the first item is no stream
                self.receiving = Receiving(content_type)
        is_first = not self.parts
        self.parts.append(part)
        if self.receiving is None:
            return False
        found = self.receiving.take(part)
        self.items.extend(found)
        if self.most is None or self.receiving.last is not None:
            return False
        # a later part without an item is a keep-alive line, so nothing has come for some time
        is_quiet = not (found or is_first)
        return is_quiet or len(self.items) >= self.most

    def reply(
        self,
        status: int,
        pairs: list[tuple[str, str]],
        raised: Callable[[str | None], BaseException | None],
    ) -> Reply:
        """
        The whole reply.

        Args:
            status: The HTTP status.
            pairs: The headers.
            raised: Gives the exception of a request by its id.
        """
        headers: dict[str, str] = {}
        for name, value in pairs:
            if name in headers:
                headers[name] = f"{headers[name]}, {value}"
            else:
                headers[name] = value
        # the JSON of a stream is its last event, and so is that of an MCP answer in events
        text = body = b"".join(self.parts)
        if self.receiving is not None:
            text = self.receiving.last or b""
        elif headers.get("content-type") == "text/event-stream":
            text = body.rstrip().rpartition(b"data: ")[2]
        found: Any = None
        with suppress(orjson.JSONDecodeError):
            found = orjson.loads(text)
        exception = raised(headers.get("x-request-id"))
        cookies = _cookies_in(pairs)
        made = Reply(
            status,
            found,
            headers,
            body,
            exception,
            cookies,
            broken=self.broken,
        )
        if made.error == "ROUTE_NOT_FOUND":
            return replace(made, meant=self._meant)
        if self.receiving is None:
            return made
        items = self.items[: self.most]
        values, ids = tuple(each.value for each in items), tuple(each.id for each in items)
        return replace(made, items=values, ids=ids)


def _cookies_in(pairs: list[tuple[str, str]]) -> Mapping[str, str]:
    """The cookies that a response with these headers sets, with their values."""
    found: dict[str, str] = {}
    for name, value in pairs:
        if name == "set-cookie":
            cookie, _, text = value.partition(";")[0].partition("=")
            found[cookie] = text
    return MappingProxyType(found)
