"""
Remote: a call over HTTP, with the standard library alone.

Nothing is followed, retried or sent that was not asked for.
"""

from __future__ import annotations

import os
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import quote, urlsplit

from contract.cli.fetch import has_credentials
from contract.cli.output import Stop, escaped

__all__ = ["post"]

_LIMIT: Final = 16 * 1024 * 1024


def post(
    url: str, name: str, headers: Mapping[str, str], body: bytes, seconds: float = 30.0
) -> tuple[int, Mapping[str, str], bytes]:
    """
    Status, headers (names in lower case) and body of what the server at *url* replies, within so many *seconds*.

    Raises:
        Stop: It is no URL, nobody is there, or what is there does not speak HTTP.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if (
        parts.scheme not in ("http", "https")
        or host is None
        or parts.query
        or parts.fragment
        or parts.username is not None
    ):
        if has_credentials(url):
            raise Stop(
                2,
                "the URL holds credentials, which end up in logs; leave them out, and give them with --token or --header",
            )
        raise Stop(
            2, f"{url!r} is not where a spec is served; write it like https://shop.example/v1"
        )
    connection = (
        HTTPConnection(host, port, timeout=seconds)
        if parts.scheme == "http"
        else HTTPSConnection(host, port, timeout=seconds, context=ssl.create_default_context())
    )
    is_over = threading.Event()

    def give_up(open_: socket.socket) -> None:
        is_over.set()
        with suppress(OSError):
            open_.shutdown(socket.SHUT_RDWR)  # whoever reads finds the end

    watch: threading.Timer | None = None
    try:
        connection.connect()
        # a timeout of a socket begins again with every byte; and the connection forgets it once the
        # server has said that it will close
        watch = threading.Timer(seconds, give_up, (connection.sock,))
        watch.daemon = True
        watch.start()
        connection.request(
            "POST",
            f"{parts.path.rstrip('/')}/{quote(os.fsencode(name), safe='')}",
            body,
            dict(headers),
        )
        response = connection.getresponse()
        reply = in_time(response.read(_LIMIT + 1), is_over)
    except (OSError, HTTPException, ValueError) as error:
        problem = (
            f"it took longer than {seconds:g} seconds"
            if is_over.is_set()
            else str(error).strip() or type(error).__name__
        )
        # a status line may stand in it
        raise Stop(3, f"cannot fetch from {url}: {escaped(problem)}") from None
    finally:
        if watch is not None:
            watch.cancel()
        connection.close()
    if len(reply) > _LIMIT:
        raise Stop(3, f"the reply from {url} is larger than {_LIMIT // 1024 // 1024} MiB")
    return response.status, {key.lower(): value for key, value in response.getheaders()}, reply


def in_time(reply: bytes, is_over: threading.Event) -> bytes:
    """
    All of a *reply*.

    Raises:
        TimeoutError: Its time was over, so this is only what had come until then.
    """
    if is_over.is_set():
        raise TimeoutError
    return reply
