"""
Transports over httpx2, for threads, and for the event loops of asyncio and Trio.

httpx2 is built on anyio, which runs on both loops; this module uses anyio, too.
"""

from __future__ import annotations

import asyncio
import os
import ssl
import time
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final, cast, final

from contract.client.forms import Form
from contract.client.results import NetworkCause
from contract.client.transport import (
    AsyncOpenResponse,
    HttpRequest,
    HttpResponse,
    OpenResponse,
    TransportError,
    is_stream,
)

try:
    import httpx2
    from anyio import fail_after, to_thread
    from anyio.lowlevel import current_token

    from contract.client.httpx_deadlines import Deadline, keep_deadlines, keeping
except ModuleNotFoundError as _missing:
    if _missing.name not in ("anyio", "httpcore2", "httpx2"):
        raise
    raise ImportError(
        "clients need httpx2 to talk to a network: pip install 'contract-rpc[client]'"
    ) from None

__all__ = ["AsyncHttpxTransport", "HttpxTransport", "transport_error"]


@final
class HttpxTransport:
    """
    Sends requests by httpx2, over connections that are kept open and shared by threads.

    Redirects are not followed, cookies are not kept, and compressed answers are not requested; if a
    proxy uses gzip all the same, they are decompressed, up to the limit. Like httpx2 itself, it
    uses the proxies of the environment (``HTTPS_PROXY``, ``NO_PROXY`` ...) and trusts its
    certificates (``SSL_CERT_FILE``). If you do not want that, pass a client::

        HttpxTransport(httpx2.Client(trust_env=False, verify=context))

    A call never blocks its thread for longer than the timeout, with two exceptions: looking up a
    name, and connecting, where each address of the name may take the whole timeout. If you pass a
    client, the timeout limits each step of a request (connecting, writing, each read) to the time
    left when the step begins; so a server that sends its headers slowly may take longer.

    Args:
        client: Sends the requests. Its own headers and timeouts are not used, and the transport
            does not close it.
    """

    def __init__(self, client: httpx2.Client | None = None) -> None:
        self._is_ours: Final = client is None
        if client is None:
            client = keep_deadlines(httpx2.Client(cookies=_no_cookies(), verify=_trusted()))
        self._client: Final = client

    def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        """
        Send *request* and read the answer.

        Raises:
            TransportError: No answer came.
        """
        deadline = Deadline(timeout, time.monotonic)
        with _as_transport_errors(), keeping(deadline):
            return _read(self._begun(request, deadline), deadline, max_bytes)

    def open(
        self, request: HttpRequest, *, timeout: float, max_bytes: int
    ) -> OpenResponse | HttpResponse:
        """
        Send *request* and read the answer; a stream or a file stays open.

        Raises:
            TransportError: No answer came.
        """
        deadline = Deadline(timeout, time.monotonic)
        with _as_transport_errors(), keeping(deadline):
            response = self._begun(request, deadline)
            opened = _Open(response, deadline)
            if is_stream(opened.status, opened.headers):
                return opened
            return _read(response, deadline, max_bytes)

    def _begun(self, request: HttpRequest, deadline: Deadline) -> httpx2.Response:
        return self._client.send(
            _request_of(request, deadline), stream=True, follow_redirects=False
        )

    def close(self) -> None:
        """Close all connections."""
        if self._is_ours:
            self._client.close()


@final
class AsyncHttpxTransport:
    """
    Sends requests by httpx2, over connections that the tasks of an event loop share.

    Each event loop has its own connections.

    It works like `HttpxTransport`, except that a call never takes longer than its timeout. If you
    pass a client, it belongs to one loop.

    Args:
        client: Sends the requests. Its own headers and timeouts are not used, and the transport
            does not close it.
    """

    def __init__(self, client: httpx2.AsyncClient | None = None) -> None:
        self._given: Final = client
        self._made: dict[object, _Made] = {}
        """Event loop -> its client."""
        self._is_closed = False

    async def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        """
        Send *request* and read the answer.

        Raises:
            TransportError: No answer came.
        """
        deadline = Deadline(timeout, time.monotonic)
        client = self._given or await self._own()
        with _as_transport_errors(), fail_after(timeout):
            return await _read_later(await _begun(client, request, deadline), max_bytes)

    async def open(
        self, request: HttpRequest, *, timeout: float, max_bytes: int
    ) -> AsyncOpenResponse | HttpResponse:
        """
        Send *request* and read the answer; a stream or a file stays open.

        Raises:
            TransportError: No answer came.
        """
        deadline = Deadline(timeout, time.monotonic)
        client = self._given or await self._own()
        with _as_transport_errors(), fail_after(timeout):
            response = await _begun(client, request, deadline)
            opened = _AsyncOpen(response, deadline)
            if is_stream(opened.status, opened.headers):
                return opened
            return await _read_later(response, max_bytes)

    async def aclose(self) -> None:
        """Close all connections."""
        self._is_closed = True
        made, self._made = self._made, {}
        # only the client of this loop: the others are closed when their loops end (`_closing`)
        here = made.get(_running_loop())
        if here is not None:
            await here[1].aclose()

    async def _own(self) -> httpx2.AsyncClient:
        """
        The client of the running loop.

        Connections are bound to the loop that they were made in, and end with it.
        """
        if self._is_closed:
            raise RuntimeError("the transport is closed")
        loop = _running_loop()
        if loop not in self._made or self._made[loop][0].is_closed:
            # what ended is left out: a program that calls asyncio.run() again and again would keep
            # the client of every loop
            kept = {each: made for each, made in self._made.items() if not _has_ended(each, made)}
            self._made = kept
            client = httpx2.AsyncClient(cookies=_no_cookies(), verify=_trusted())
            self._made[loop] = client, _closing(client)
            # a generator that has not begun would end without closing its client
            await self._made[loop][1].asend(None)
        return self._made[loop][0]


_Made = tuple[httpx2.AsyncClient, AsyncGenerator[None, None]]
"""A client, and the generator that closes it."""


async def _closing(client: httpx2.AsyncClient) -> AsyncGenerator[None, None]:
    """
    Wait for the end of the loop, then close *client*.

    A loop closes the generators that were started in it when it ends (``asyncio.run`` and
    ``trio.run`` see to that), or when they are dropped. There is no other signal for its end.
    """
    try:
        yield
    finally:
        await client.aclose()


def _running_loop() -> object:
    """The running event loop, or its counterpart in Trio."""
    token = current_token()
    # before version 4.11 anyio returned the loop itself
    return getattr(token, "native_token", token)


def _has_ended(loop: object, made: _Made) -> bool:
    """Whether the client of a *loop* was closed, or the loop without ending its generators."""
    client, _ = made
    if client.is_closed:
        return True
    return isinstance(loop, asyncio.AbstractEventLoop) and loop.is_closed()


@contextmanager
def _as_transport_errors() -> Generator[None]:
    """
    Turn the exceptions of httpx2 into those of transports.

    Raises:
        TransportError: Instead of any exception of httpx2.
    """
    try:
        yield
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise transport_error(error) from error


def _read(response: httpx2.Response, deadline: Deadline, max_bytes: int) -> HttpResponse:
    try:
        reading = _Reading(response, max_bytes)
        if not reading.is_full:
            for part in response.iter_raw():
                if not reading.add(part):
                    break
                # A client that was passed in has no connections that keep the deadline, and a read
                # that is in time each time may go on for ever.
                if deadline.left < 0:
                    raise TimeoutError("the answer took too long")
    finally:
        response.close()
    return reading.response()


async def _begun(
    client: httpx2.AsyncClient, request: HttpRequest, deadline: Deadline
) -> httpx2.Response:
    made = _request_of(request, deadline, later=True)
    return await client.send(made, stream=True, follow_redirects=False)


async def _read_later(response: httpx2.Response, max_bytes: int) -> HttpResponse:
    try:
        reading = _Reading(response, max_bytes)
        if not reading.is_full:
            async for part in response.aiter_raw():
                if not reading.add(part):
                    break
    finally:
        await response.aclose()
    return reading.response()


@final
class _Open:
    """A response whose body is read part by part, each with its own timeout."""

    __slots__ = ("_deadline", "_parts", "_response", "headers", "status")

    def __init__(self, response: httpx2.Response, deadline: Deadline) -> None:
        self.status: Final[int] = response.status_code
        self.headers: Final[Mapping[str, str]] = dict(_headers(response))
        self._response: Final = response
        self._deadline: Final = deadline
        self._parts: Final = response.iter_raw()

    def read(self, timeout: float) -> bytes:
        self._deadline.begin_again(timeout)
        with _as_transport_errors(), keeping(self._deadline):
            return next(self._parts, b"")

    def close(self) -> None:
        self._response.close()


@final
class _AsyncOpen:
    """A response whose body is read part by part, each with its own timeout."""

    __slots__ = ("_deadline", "_parts", "_response", "headers", "status")

    def __init__(self, response: httpx2.Response, deadline: Deadline) -> None:
        self.status: Final[int] = response.status_code
        self.headers: Final[Mapping[str, str]] = dict(_headers(response))
        self._response: Final = response
        self._deadline: Final = deadline
        self._parts: Final = response.aiter_raw()

    async def read(self, timeout: float) -> bytes:
        self._deadline.begin_again(timeout)
        with _as_transport_errors(), fail_after(timeout):
            return await anext(self._parts, b"")

    async def aclose(self) -> None:
        await self._response.aclose()
        # the generators there are nested, and each must end: Trio warns about generators that are
        # dropped before their end
        with suppress(Exception):
            _ = [each async for each in self._parts]


_UNPACKED: Final = ("", "identity")
_GZIP: Final = ("gzip", "x-gzip")
_GZIP_BITS: Final = 16 + zlib.MAX_WBITS


@final
class _Reading:
    """
    The body of an answer, as far as it is needed.

    Compression is not requested, but some proxies compress all the same. A gzip body is
    decompressed, up to *max_bytes*, however large it would become.

    Args:
        response: A response with status and headers, whose body is not read yet.
        max_bytes: How many bytes of the body are kept.
    """

    __slots__ = ("_body", "_is_begun", "_max_bytes", "_problem", "_response", "_size", "_unpacker")

    def __init__(self, response: httpx2.Response, max_bytes: int) -> None:
        self._response = response
        self._max_bytes = max_bytes
        # a list of tiny parts would take twenty times their size
        self._body = bytearray()
        self._size = 0
        self._is_begun = False
        packing = response.headers.get("content-encoding", "").strip().lower()
        self._unpacker = zlib.decompressobj(_GZIP_BITS) if packing in _GZIP else None
        announced = response.headers.get("content-length", "")
        self._problem = ""
        if packing not in (*_UNPACKED, *_GZIP):
            coding = f"content-encoding: {packing[:40]!a}"
            self._problem = f"The answer is packed ({coding}), which was not asked for."
        # int() refuses texts of thousands of digits; the size is found while reading then
        elif announced.isdigit() and len(announced) < 20 and int(announced) > max_bytes:
            self._problem = self._too_large()

    @property
    def is_full(self) -> bool:
        """Whether reading on is useless."""
        return self._problem != ""

    def add(self, part: bytes) -> bool:
        """Take the next part of the body; return False if no more is needed."""
        room = self._max_bytes - self._size
        if self._unpacker is not None:
            self._is_begun = True
            try:
                # one byte more than there is room for, which shows that the body is too large
                part = self._unpacker.decompress(part, room + 1)
            except zlib.error:
                self._problem = _DAMAGED
                return False
        self._body += part[:room]
        self._size += len(part)
        if self._size > self._max_bytes:
            self._problem = self._too_large()
        # bytes after the end of a compressed body do not belong to it, and the decompressor would
        # keep them all
        return not (self.is_full or (self._unpacker is not None and self._unpacker.unused_data))

    def response(self) -> HttpResponse:
        """The response, once reading is over."""
        # an empty body is complete, whatever the headers say of it
        if self._unpacker is not None and self._is_begun and not self._unpacker.eof:
            self._problem = self._problem or _DAMAGED
        headers = dict(_headers(self._response))
        body = bytes(self._body)
        return HttpResponse(
            self._response.status_code, headers, body, truncated=self.is_full, problem=self._problem
        )

    def _too_large(self) -> str:
        return (
            f"The answer is larger than {self._max_bytes} bytes, which is the limit of this client."
        )


_DAMAGED: Final = "The answer is packed by gzip, and cannot be unpacked."


def _request_of(
    request: HttpRequest, timeouts: Mapping[str, Any], *, later: bool = False
) -> httpx2.Request:
    """
    The *request* for httpx2, with only Host and Content-Length added.

    With *later*, for event loops, the files of a form are read in threads.
    """
    headers, form = dict(request.headers), request.form
    content: bytes | Iterator[bytes] | AsyncIterator[bytes] = request.body
    if form is not None:
        content = _pieces_later(form) if later else iter(form)
        if form.length is not None:
            headers["content-length"] = str(form.length)
    return httpx2.Request(
        request.method,
        request.url,
        headers=headers,
        content=content,
        extensions={"timeout": timeouts},
    )


async def _pieces_later(form: Form) -> AsyncIterator[bytes]:
    pieces = iter(form)
    while piece := await to_thread.run_sync(next, pieces, b""):
        yield piece


def _no_cookies() -> CookieJar:
    """A cookie jar that stays empty, since calls are independent of each other."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=()))


def _trusted() -> ssl.SSLContext:
    """The certificates that our own clients trust."""
    return _read_trusted(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@lru_cache(1)
def _read_trusted(file: str | None, folder: str | None) -> ssl.SSLContext:  # noqa: ARG001
    """
    Read those certificates from *file*, *folder* or the system, as httpx2 does.

    It takes 20 ms, more than all else that a new client does, so all clients share them.
    """
    return httpx2.create_ssl_context()


def transport_error(error: Exception) -> TransportError:
    """The `TransportError` for an *error* of httpx2."""
    made = TransportError(_cause_of(error), str(error) or type(error).__name__)
    made.__cause__ = error
    return made


def _cause_of(error: Exception) -> NetworkCause:
    if isinstance(error, TimeoutError | httpx2.TimeoutException):
        return "timeout"
    within = list(_chain(error))
    for each in within:
        # a connection that was cut within TLS says nothing of certificates
        if isinstance(each, ssl.SSLError) and not isinstance(each, ssl.SSLEOFError):
            return "tls"
    # before "aborted", since ConnectionRefusedError is a ConnectionError too
    if any(isinstance(each, ConnectionRefusedError) for each in within):
        return "refused"
    if isinstance(
        error, httpx2.ReadError | httpx2.WriteError | httpx2.CloseError | httpx2.RemoteProtocolError
    ):
        return "aborted"
    if any(isinstance(each, ConnectionError) for each in within):
        return "aborted"
    return "other"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The *error* and its causes: httpx2 wraps the socket's error several times."""
    # 20, since causes may form a circle
    for _ in range(20):
        if error is None:
            return
        yield error
        # several addresses of one name, each with an error of its own (anyio)
        if isinstance(error, BaseExceptionGroup):
            for each in cast("BaseExceptionGroup[BaseException]", error).exceptions:
                yield from _chain(each)
        error = error.__cause__ or error.__context__


def _headers(response: httpx2.Response) -> Iterator[tuple[str, str]]:
    # names in lower case, repeated headers joined
    for name in response.headers:
        yield name.lower(), ", ".join(response.headers.get_list(name))
