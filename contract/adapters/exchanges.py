"""Exchanges: HTTP requests with the standard library alone, limited in time and size."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from types import TracebackType
from typing import Final, cast, final
from urllib.parse import SplitResult

__all__ = ["Exchanges", "target_of"]

_CONNECT_SECONDS: Final = 10.0
_PART_BYTES: Final = 64 * 1024


def target_of(url: SplitResult) -> str:
    """The path of a *url*, with its query."""
    path = url.path or "/"
    if url.query:
        return f"{path}?{url.query}"
    return path


@final
class Exchanges:
    """
    One request after another, all of which must end in time; nothing is retried or followed.

    Args:
        seconds: Seconds for all of them, after which another thread ends the current one.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds: Final = seconds
        self._is_over = False
        # a socket's timeout starts again with every byte
        self._watch: Final = threading.Timer(seconds, self._give_up)
        self._watch.daemon = True
        self._connection: HTTPConnection | None = None
        self._response: HTTPResponse | None = None
        self._socket: socket.socket | None = None

    def __enter__(self) -> Exchanges:
        self._watch.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._watch.cancel()
        self._close()
        # the socket was shut down: whatever was read, or went wrong, does not count
        if self._is_over:
            raise TimeoutError(f"it took longer than {self._seconds:g} seconds") from None

    def ask(
        self,
        method: str,
        url: SplitResult,
        target: str,
        body: bytes | None,
        headers: Mapping[str, str],
    ) -> HTTPResponse:
        """Send a request for a *target* to the host of *url*; return the response without body."""
        self._close()
        host, port = url.hostname or "", url.port
        seconds = max(0.1, min(self._seconds, _CONNECT_SECONDS))
        if url.scheme == "http":
            connection = HTTPConnection(host, port, timeout=seconds)
        else:
            connection = HTTPSConnection(
                host, port, timeout=seconds, context=ssl.create_default_context()
            )
        self._connection = connection
        connection.connect()
        # kept for `_give_up`: the connection drops it once the server announces that it will close
        self._socket = connection.sock
        self._see_time()
        # a server may answer, and close the connection, before it has read all of a large body
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.request(method, target, body, dict(headers))
        self._response = connection.getresponse()
        return self._response

    def body(self, response: HTTPResponse, limit: int) -> bytes:
        """The body of a response, of at most *limit* bytes."""
        coding = response.getheader("content-encoding", "identity")
        if coding.lower() != "identity":
            raise ValueError(
                f"the answer is packed ({coding[:40]!r}), although that was not asked for"
            )
        body = response.read(limit + 1)  # a byte more, by which one that is too large is known
        self._see_time()  # the body may have been cut off by the time limit
        if len(body) > limit:
            kib = limit // 1024
            size = f"{kib} KiB"
            if kib >= 1024:
                size = f"{kib // 1024} MiB"
            raise ValueError(f"the answer is larger than {size}")
        # what is left of the announced length; `http.client` does not raise for a limited read
        if response.length:
            raise ValueError("the answer ends early")
        return body

    def parts(self, response: HTTPResponse, seconds: float) -> Iterator[bytes]:
        """
        The parts of a body, however long they take together.

        Raises:
            TimeoutError: Nothing came for so many *seconds*.
        """
        # from now on each part has its own time
        self._watch.cancel()
        cast("socket.socket", self._socket).settimeout(seconds)
        try:
            while part := response.read1(_PART_BYTES):
                yield part
        except TimeoutError:
            raise TimeoutError(f"nothing came for {seconds:g} seconds") from None

    def _see_time(self) -> None:
        if self._is_over:
            raise TimeoutError

    def _give_up(self) -> None:
        self._is_over = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)  # a blocked read ends

    def _close(self) -> None:
        for each in (self._response, self._connection):
            if each is not None:
                each.close()
