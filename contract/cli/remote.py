"""
Remote: a call over HTTP, with the standard library alone.

Nothing is followed, retried or sent that was not asked for.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, urlsplit

from contract.cli.fetch import exchanges, refuse_credentials
from contract.cli.output import Stop
from contract.shape.urls import is_server_url

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
    refuse_credentials(url)
    if not is_server_url(url):
        raise Stop(
            2, f"{url!r} is not where a spec is served; write it like https://shop.example/v1"
        )
    parts = urlsplit(url)
    with exchanges(url, seconds) as http:
        response = http.ask(
            "POST",
            parts,
            f"{parts.path.rstrip('/')}/{quote(os.fsencode(name), safe='')}",
            body,
            headers,
        )
        reply = http.body(response, _LIMIT)
    return response.status, {key.lower(): value for key, value in response.getheaders()}, reply
