"""
Fetch: a document over HTTP, with the standard library alone.

Bounded in time and size, and told nothing that was not asked for.
"""

from __future__ import annotations

import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Final, final
from urllib.parse import SplitResult, urljoin, urlsplit

from contract.cli.output import Stop, escaped
from contract.shape.record import record

__all__ = [
    "ANONYMOUS",
    "Access",
    "Fetched",
    "fetch",
    "fetch_newer",
    "has_credentials",
    "refuse_credentials",
    "versions",
]

_REDIRECTS: Final = 5
_CONNECT_SECONDS: Final = 10.0
_CREDENTIALS: Final = re.compile(r"[A-Za-z0-9+.-]*:?//[^/?#]*@")


@final
@record
class Access:
    """How a document is asked for."""

    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Sent along, but never to another origin than the one that was named; names in lower case."""
    seconds: float = 30.0
    """For everything, however slowly it comes."""


ANONYMOUS: Final = Access()
"""Nothing is told to the server that was not asked for."""


@final
@record
class Fetched:
    """An answer."""

    body: bytes | None
    """None where the server says that it has not changed."""
    tag: str | None
    """Its entity tag (RFC 9110, section 8.8.3), if it has one."""


def fetch(url: str, *, limit: int, access: Access = ANONYMOUS) -> bytes:
    """
    What is at *url*.

    Redirects are followed, a few of them, but never to another scheme.

    Args:
        url: Of http or https, without credentials.
        limit: In bytes.
        access: How to ask.

    Raises:
        Stop: It is no such URL, or cannot be fetched.
    """
    return fetch_newer(url, None, limit=limit, access=access).body or b""


def fetch_newer(url: str, tag: str | None, *, limit: int, access: Access = ANONYMOUS) -> Fetched:
    """
    What is at *url*, unless it still is what *tag* stands for.

    Raises:
        Stop: As of `fetch`.
    """
    parts = _parts(url)
    if parts is None:
        refuse_credentials(url)
        raise Stop(2, f"{url!r} is no URL to fetch from; write it like https://shop.example/v1")
    known = {} if tag is None else {"if-none-match": tag}
    fetching = _Fetching(
        max(0.1, min(access.seconds, _CONNECT_SECONDS)), _origin(parts), {**access.headers, **known}
    )
    # a timeout of a socket begins again with every byte
    watch = threading.Timer(access.seconds, fetching.give_up)
    watch.daemon = True
    watch.start()
    try:
        return _follow(fetching, url, parts, limit)
    except (OSError, HTTPException, ValueError) as error:
        problem = (
            f"it took longer than {access.seconds:g} seconds"
            if fetching.is_over
            else str(error) or type(error).__name__
        )
        # a status line may stand in it
        raise Stop(3, f"cannot fetch {url}: {escaped(problem.strip())}") from None
    finally:
        watch.cancel()
        fetching.close()


def versions(
    url: str, *, limit: int, access: Access = ANONYMOUS, every: float = 1.0
) -> Iterator[bytes | Stop]:
    """
    What is at *url* now, and from then on each time that it has changed.

    A `Stop` in between says what is wrong, once.

    Args:
        url: As of `fetch`.
        limit: The same.
        access: The same.
        every: Seconds from one look to the next.
    """
    tag: str | None = None
    last: bytes | str | None = None
    while True:
        try:
            fetched = fetch_newer(url, tag, limit=limit, access=access)
        except Stop as stop:
            tag = None  # what comes next is told, be it what was there before
            if stop.message != last:
                last = stop.message
                yield stop
        else:
            tag = fetched.tag
            if fetched.body is not None and fetched.body != last:
                last = fetched.body
                yield fetched.body
        time.sleep(every)


def has_credentials(url: str) -> bool:
    """Whether *url*, which may be none at all, has something before an @ where its host is: it is not to be repeated."""
    return _CREDENTIALS.match(url) is not None


def refuse_credentials(url: str) -> None:
    """
    See that *url*, which may be none at all, may be repeated.

    Raises:
        Stop: It may not.
    """
    if has_credentials(url):
        raise Stop(
            2,
            "the URL holds credentials, which end up in logs; leave them out, and send a header instead",
        )


def _parts(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # of the port, too
        return None
    is_plain = (
        url.isascii()
        and url.isprintable()
        and " " not in url
        and parts.username is None
        and parts.password is None
    )
    return parts if is_whole and is_plain else None


def _origin(parts: SplitResult) -> tuple[str, str | None, int]:
    return parts.scheme, parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)


def _follow(fetching: _Fetching, url: str, parts: SplitResult, limit: int) -> Fetched:
    for _ in range(_REDIRECTS + 1):
        response = fetching.get(parts)
        if response.status == 200:
            body = _body(response, limit)
            if fetching.is_over:
                raise TimeoutError  # what was read is what came until then
            return Fetched(body, response.getheader("etag"))
        if response.status == 304 and fetching.asks_whether:
            return Fetched(None, response.getheader("etag") or fetching.asks_whether)
        if response.status not in (301, 302, 303, 307, 308):
            raise ValueError(f"the server answers {response.status}")
        url = urljoin(url, response.getheader("location") or "")
        there = _parts(url)
        if there is None or there.scheme != parts.scheme:
            raise ValueError(f"it redirects to {url[:200]!r}, where it is not followed")
        parts = there
    raise ValueError(f"it redirects more than {_REDIRECTS} times")


def _body(response: HTTPResponse, limit: int) -> bytes:
    coding = response.getheader("content-encoding", "identity")
    if coding.lower() != "identity":
        raise ValueError(f"the answer is packed ({coding[:40]!r}), although that was not asked for")
    body = response.read(limit + 1)
    if len(body) > limit:
        raise ValueError(f"the answer is larger than {limit // 1024 // 1024} MiB")
    if response.length:
        raise ValueError("the answer ends early")
    return body


class _Fetching:
    """The connection of the moment, which another thread may end."""

    def __init__(
        self,
        connect_seconds: float,
        origin: tuple[str, str | None, int],
        headers: Mapping[str, str],
    ) -> None:
        self.is_over = False
        self.asks_whether = headers.get("if-none-match")
        self._connect_seconds = connect_seconds
        self._origin = origin
        self._headers = headers
        self._connection: HTTPConnection | None = None
        self._response: HTTPResponse | None = None
        self._socket: socket.socket | None = None

    def get(self, parts: SplitResult) -> HTTPResponse:
        """What is answered to a GET."""
        self.close()
        self._connection = connection = _connection(parts, self._connect_seconds)
        connection.connect()
        # the connection forgets it once the server has said that it will close
        self._socket = connection.sock
        if self.is_over:
            raise TimeoutError
        path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        told: Mapping[str, str] = self._headers if _origin(parts) == self._origin else {}
        connection.request(
            "GET",
            path,
            headers={"accept": "application/json", **told, "accept-encoding": "identity"},
        )
        self._response = connection.getresponse()
        return self._response

    def give_up(self) -> None:
        """End what is going on; called by another thread."""
        self.is_over = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)  # whoever reads finds the end

    def close(self) -> None:
        """Let go of everything."""
        for each in (self._response, self._connection):
            if each is not None:
                each.close()


def _connection(parts: SplitResult, seconds: float) -> HTTPConnection:
    host = parts.hostname or ""
    if parts.scheme == "http":
        return HTTPConnection(host, parts.port, timeout=seconds)
    return HTTPSConnection(host, parts.port, timeout=seconds, context=ssl.create_default_context())
