"""Fetch: a document over HTTP, with the standard library alone; bounded in time and size, and told nothing that was not asked for."""

from __future__ import annotations

import socket
import ssl
import threading
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

from contract.cli.output import Stop

__all__ = ["fetch"]

_REDIRECTS: Final = 5


def fetch(url: str, *, limit: int, connect_seconds: float = 10.0, seconds: float = 30.0) -> bytes:
    """
    What is at *url*.

    Redirects are followed, a few of them, but never to another scheme.

    Args:
        url: Of http or https, without credentials.
        limit: In bytes.
        connect_seconds: For each connection to be made.
        seconds: For everything, however slowly it comes.

    Raises:
        Stop: It is no such URL, or cannot be fetched.
    """
    parts = _parts(url)
    if parts is None:
        raise Stop(2, f"{url!r} is no URL to fetch from; write it like https://shop.example/v1")
    fetching = _Fetching(connect_seconds)
    watch = threading.Timer(seconds, fetching.give_up)  # a timeout of a socket begins again with every byte
    watch.daemon = True
    watch.start()
    try:
        return _follow(fetching, url, parts, limit)
    except (OSError, HTTPException, ValueError) as error:
        problem = f"it took longer than {seconds:g} seconds" if fetching.is_over else str(error) or type(error).__name__
        raise Stop(3, f"cannot fetch {url}: {problem}") from None
    finally:
        watch.cancel()
        fetching.close()


def _parts(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # of the port, too
        return None
    is_plain = url.isascii() and url.isprintable() and " " not in url and parts.username is None and parts.password is None
    return parts if is_whole and is_plain else None


def _follow(fetching: _Fetching, url: str, parts: SplitResult, limit: int) -> bytes:
    for _ in range(_REDIRECTS + 1):
        response = fetching.get(parts)
        if response.status == 200:
            body = _body(response, limit)
            if fetching.is_over:
                raise TimeoutError  # what was read is what came until then
            return body
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

    def __init__(self, connect_seconds: float) -> None:
        self.is_over = False
        self._connect_seconds = connect_seconds
        self._connection: HTTPConnection | None = None
        self._response: HTTPResponse | None = None
        self._socket: socket.socket | None = None

    def get(self, parts: SplitResult) -> HTTPResponse:
        """What is answered to a GET."""
        self.close()
        self._connection = connection = _connection(parts, self._connect_seconds)
        connection.connect()
        self._socket = connection.sock  # the connection forgets it once the server has said that it will close
        if self.is_over:
            raise TimeoutError
        path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        connection.request("GET", path, headers={"Accept": "application/json", "Accept-Encoding": "identity"})
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
