"""Remote: a call over HTTP, with the standard library alone; nothing is followed, retried or sent that was not asked for."""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import quote, urlsplit

from contract.cli.output import Stop

__all__ = ["post"]

_SECONDS: Final = 30.0
_LIMIT: Final = 16 * 1024 * 1024


def post(url: str, name: str, headers: Mapping[str, str], body: bytes) -> tuple[int, Mapping[str, str], bytes]:
    """
    Status, headers (names in lower case) and body of what the server at *url* replies.

    Raises:
        Stop: It is no URL, nobody is there, or what is there does not speak HTTP.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if parts.scheme not in ("http", "https") or host is None or parts.query or parts.fragment or parts.username is not None:
        raise Stop(2, f"{url!r} is not where a spec is served; write it like https://shop.example/v1")
    connection = (
        HTTPConnection(host, port, timeout=_SECONDS)
        if parts.scheme == "http"
        else HTTPSConnection(host, port, timeout=_SECONDS, context=ssl.create_default_context())
    )
    try:
        connection.request("POST", f"{parts.path.rstrip('/')}/{quote(os.fsencode(name), safe='')}", body, dict(headers))
        response = connection.getresponse()
        reply = response.read(_LIMIT + 1)
    except (OSError, HTTPException, ValueError) as error:
        raise Stop(3, f"cannot fetch from {url}: {str(error) or type(error).__name__}") from None
    finally:
        connection.close()
    if len(reply) > _LIMIT:
        raise Stop(3, f"the reply from {url} is larger than {_LIMIT // 1024 // 1024} MiB")
    return response.status, {key.lower(): value for key, value in response.getheaders()}, reply
