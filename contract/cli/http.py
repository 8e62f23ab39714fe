"""
HTTP: to fetch documents, and to send calls.

No other header is sent than those that were asked for.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import field
from http.client import HTTPException
from typing import Final, Protocol, final
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from contract.adapters.exchanges import Exchanges, target_of
from contract.call.bearer import authorization
from contract.cli.output import Stop, escaped
from contract.shape.quoting import shown
from contract.shape.record import record
from contract.shape.urls import has_credentials, is_server_url, is_to_fetch

__all__ = [
    "ANONYMOUS",
    "Access",
    "Fetched",
    "Streamed",
    "access_of",
    "call_headers",
    "fetch",
    "fetch_newer",
    "refuse_credentials",
    "send",
]

_REDIRECTS: Final = 5
_REPLY_BYTES: Final = 16 * 1024 * 1024


@final
@record
class Access:
    """How to request a document."""

    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Headers to send, but never to another origin; names in lower case."""
    seconds: float = 30.0
    """For the whole request, however slowly the answer comes."""


ANONYMOUS: Final = Access()
"""Without any extra headers."""


def access_of(arguments: argparse.Namespace) -> Access:
    """The `Access` for a URL, from the ``header`` and ``timeout`` of a command."""
    headers: dict[str, str] = {}
    for name, value in arguments.header:
        if name in headers:
            raise Stop(2, f"the header {name} is given twice; a request has it once")
        headers[name] = value
    return Access(headers, arguments.timeout or ANONYMOUS.seconds)


def call_headers(access: Access, token: str | None, *, here: bool = False) -> dict[str, str]:
    """
    The given headers of a call, with that of a bearer token.

    A cookie that is typed does not come from another site's page. So ``Sec-Fetch-Site: none`` is
    added, unless that header is given.

    If the call is in this process (*here*), WSGI turns hyphens into underscores.
    """
    headers = dict(access.headers)
    for name in headers:
        if here and "_" in name:
            raise Stop(2, f"in this process {name} would be {name.replace('_', '-')}; write that")
    if token is not None:
        if "authorization" in headers:
            raise Stop(2, "--token and --header 'Authorization: ...' are one header; give one")
        headers["authorization"] = authorization(token)
    if "cookie" in headers and "origin" not in headers:
        headers.setdefault("sec-fetch-site", "none")
    return headers


@final
@record
class Fetched:
    """A response with a document."""

    body: bytes | None
    """None if the server says that it has not changed."""
    tag: str | None
    """Its entity tag (RFC 9110, section 8.8.3), if it has one."""


def fetch(url: str, *, limit: int, access: Access = ANONYMOUS) -> bytes:
    """
    The bytes at *url*.

    A few redirects are followed, but never to another scheme.
    """
    return fetch_newer(url, None, limit=limit, access=access).body or b""


def fetch_newer(url: str, tag: str | None, *, limit: int, access: Access = ANONYMOUS) -> Fetched:
    """The bytes at *url*, or the news that they still match *tag*."""
    if not is_to_fetch(url):
        refuse_credentials(url)
        raise Stop(2, f"{url!r} is not a URL to fetch from; write it like https://shop.example/v1")
    headers = dict(access.headers)
    if tag is not None:
        headers["if-none-match"] = tag
    with _exchanges(url, access.seconds) as http:
        return _follow(http, url, headers, limit)


class Streamed(Protocol):
    """Takes the reply to a call if it comes in parts."""

    def takes(self, status: int, headers: Mapping[str, str], /) -> bool: ...  # noqa: D102
    def show(self, headers: Mapping[str, str], parts: Iterable[bytes], /) -> None: ...  # noqa: D102


def send(
    url: str,
    name: str,
    headers: Mapping[str, str],
    body: bytes,
    seconds: float = 30.0,
    streamed: Streamed | None = None,
    *,
    by_get: bool = False,
    pause: float | None = None,
) -> tuple[int, Mapping[str, str], bytes]:
    """
    The status, the headers (names in lower case) and the body of the reply to a call.

    With *by_get*, the body goes into the URL, and headers about it are left out. If *streamed*
    takes the reply, it gets its body part by part; *pause*, by default *seconds*, then limits how
    long nothing comes.
    """
    refuse_credentials(url)
    if not is_server_url(url):
        raise Stop(
            2, f"{url!r} is not where a spec is served; write it like https://shop.example/v1"
        )
    parts = urlsplit(url)
    path = f"{parts.path.rstrip('/')}/{quote(os.fsencode(name), safe='')}"
    with _exchanges(url, seconds) as http:
        if by_get:
            kept = {key: value for key, value in headers.items() if not key.startswith("content-")}
            response = http.ask("GET", parts, f"{path}?input={quote(body)}", None, kept)
        else:
            response = http.ask("POST", parts, path, body, headers)
        received = {key.lower(): value for key, value in response.getheaders()}
        reply = b""
        if streamed is not None and streamed.takes(response.status, received):
            streamed.show(received, http.parts(response, pause or seconds))
        else:
            reply = http.body(response, _REPLY_BYTES)
    return response.status, received, reply


def refuse_credentials(url: str) -> None:
    """Refuse *url* if it contains credentials, since messages repeat it."""
    if has_credentials(url):
        raise Stop(
            2,
            "the URL contains credentials, which end up in logs; "
            "leave them out, and give them with --header (or --token)",
        )


def _follow(http: Exchanges, url: str, headers: Mapping[str, str], limit: int) -> Fetched:
    first = parts = urlsplit(url)
    for _ in range(_REDIRECTS + 1):
        # 1. Ask. What was typed may be secret, so it goes to no other origin. Nothing here unpacks
        #    an answer, so it must not be compressed.
        sent = {"accept": "application/json"}
        if _origin(parts) == _origin(first):
            sent.update(headers)
        sent["accept-encoding"] = "identity"
        response = http.ask("GET", parts, target_of(parts), None, sent)
        if response.status == 200:
            return Fetched(http.body(response, limit), response.getheader("etag"))
        if response.status == 304 and headers.get("if-none-match"):
            return Fetched(None, response.getheader("etag") or headers["if-none-match"])
        if response.status not in (301, 302, 303, 307, 308):
            raise ValueError(f"the server answers {response.status}")
        # 2. Follow a redirect, but never to another scheme: over http, anybody could read along.
        url = urljoin(url, response.getheader("location") or "")
        there = urlsplit(url)
        if not is_to_fetch(url) or there.scheme != parts.scheme:
            raise ValueError(f"it redirects to {shown(url, 200)}, where it is not followed")
        parts = there
    raise ValueError(f"it redirects more than {_REDIRECTS} times")


def _origin(parts: SplitResult) -> tuple[str, str | None, int]:
    port = 80
    if parts.scheme == "https":
        port = 443
    return parts.scheme, parts.hostname, parts.port or port


@contextmanager
def _exchanges(url: str, seconds: float) -> Generator[Exchanges]:
    """Requests that must all end within so many *seconds*; messages name *url*."""
    try:
        with Exchanges(seconds) as http:
            yield http
    except (OSError, HTTPException, ValueError) as error:
        problem = str(error).strip() or type(error).__name__
        # it may contain the status line, which the server chose
        raise Stop(3, f"cannot fetch {url}: {escaped(problem)}") from None
