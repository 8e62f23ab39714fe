"""What both transports over httpx2 have in common: how requests and answers are written, and what its exceptions mean."""

from __future__ import annotations

import ssl
import zlib
from collections.abc import Iterator, Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final, cast, final

from contract.client.results import NetworkCause
from contract.client.transport import HttpRequest, HttpResponse, TransportError

try:
    import httpcore2
    import httpx2
except ModuleNotFoundError as _missing:
    if _missing.name not in ("httpcore2", "httpx2"):
        raise
    raise ImportError(
        "clients need httpx2 to talk to a network: pip install 'contract-rpc[client]'"
    ) from None

__all__ = ["Reading", "failed", "httpcore2", "httpx2", "no_cookies", "request_of"]

_UNPACKED: Final = ("", "identity")
_GZIP: Final = ("gzip", "x-gzip")
_GZIP_BITS: Final = 16 + zlib.MAX_WBITS


@final
class Reading:
    """
    The body of an answer, as far as it is wanted.

    Nothing packed is asked for, but there are proxies that pack all the same. What gzip has packed
    is unpacked, no further than *max_bytes*, whatever it would grow to.

    Args:
        response: Its status and its headers are there.
        max_bytes: How much of the body is kept.
    """

    __slots__ = ("_is_begun", "_max_bytes", "_parts", "_problem", "_response", "_size", "_unpacker")

    def __init__(self, response: httpx2.Response, max_bytes: int) -> None:
        self._response = response
        self._max_bytes = max_bytes
        self._parts: list[bytes] = []
        self._size = 0
        self._is_begun = False
        packing = response.headers.get("content-encoding", "").strip().lower()
        self._unpacker = zlib.decompressobj(_GZIP_BITS) if packing in _GZIP else None
        announced = response.headers.get("content-length", "")
        self._problem = ""
        if packing not in (*_UNPACKED, *_GZIP):
            self._problem = f"The answer is packed (content-encoding: {packing[:40]!a}), which was not asked for."
        elif announced.isdigit() and len(announced) < 20 and int(announced) > max_bytes:
            self._problem = self._too_large()

    @property
    def is_full(self) -> bool:
        """There is no use in reading on."""
        return self._problem != ""

    def add(self, part: bytes) -> bool:
        """Take the next part of the body; False where no other is wanted."""
        room = self._max_bytes - self._size
        if self._unpacker is not None:
            self._is_begun = True
            try:
                part = self._unpacker.decompress(part, room + 1)
            except zlib.error:
                self._problem = _DAMAGED
                return False
        self._parts.append(part[:room])
        self._size += len(part)
        if self._size > self._max_bytes:
            self._problem = self._too_large()
        # what stands behind the end of a packed body is none of it, and the unpacker would keep all
        # that comes
        return not (self.is_full or (self._unpacker is not None and self._unpacker.unused_data))

    def done(self) -> HttpResponse:
        """The answer."""
        if self._unpacker is not None and self._is_begun and not self._unpacker.eof:
            self._problem = self._problem or _DAMAGED
        headers = dict(_headers(self._response))
        body = b"".join(self._parts)
        return HttpResponse(
            self._response.status_code, headers, body, truncated=self.is_full, problem=self._problem
        )

    def _too_large(self) -> str:
        return (
            f"The answer is larger than {self._max_bytes} bytes, which is the limit of this client."
        )


_DAMAGED: Final = "The answer is packed by gzip, and cannot be unpacked."


def request_of(request: HttpRequest, timeouts: Mapping[str, Any]) -> httpx2.Request:
    """*request*, as httpx2 has it: nothing is added but Host and Content-Length."""
    return httpx2.Request(
        request.method,
        request.url,
        headers=dict(request.headers),
        content=request.body,
        extensions={"timeout": timeouts},
    )


def no_cookies() -> CookieJar:
    """A jar that stays empty: calls have nothing to do with each other."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=()))


def failed(error: Exception) -> TransportError:
    """What *error* means."""
    made = TransportError(_cause_of(error), str(error) or type(error).__name__)
    made.__cause__ = error
    return made


def _cause_of(error: Exception) -> NetworkCause:
    if isinstance(error, TimeoutError | httpx2.TimeoutException):
        return "timeout"
    within = list(_chain(error))
    if any(
        isinstance(each, ssl.SSLError) and not isinstance(each, ssl.SSLEOFError) for each in within
    ):
        return "tls"
    if any(isinstance(each, ConnectionRefusedError) for each in within):
        return "refused"
    if isinstance(
        error, httpx2.ReadError | httpx2.WriteError | httpx2.CloseError | httpx2.RemoteProtocolError
    ):
        return "aborted"
    return "aborted" if any(isinstance(each, ConnectionError) for each in within) else "other"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """*error*, and what led to it: httpx2 wraps what the socket said several times."""
    for _ in range(20):
        if error is None:
            return
        yield error
        if isinstance(error, BaseExceptionGroup):
            for each in cast("BaseExceptionGroup[BaseException]", error).exceptions:
                yield from _chain(each)
        error = error.__cause__ or error.__context__


def _headers(response: httpx2.Response) -> Iterator[tuple[str, str]]:
    # names in lower case, repeated ones joined
    for name in response.headers:
        yield name.lower(), ", ".join(response.headers.get_list(name))
