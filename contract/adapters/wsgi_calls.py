"""WSGI calls: a request in an environ (PEP 3333), for every adapter that gets one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from http import HTTPStatus
from time import perf_counter
from typing import Any, Final, cast, final

from contract.adapters.pool import Lanes
from contract.adapters.threads import Followed, ThreadIncoming
from contract.call.incoming import Refused, Sink, with_encoded_slashes
from contract.call.message import JSON_HEADERS, PLAIN_TYPES, Answered, Response, Streamed, length_in
from contract.call.process import IDS, request_id
from contract.call.proxies import Proxies
from contract.call.values import OVER, Values

__all__ = ["EnvironHeaders", "WsgiIncoming", "path_of", "send_response"]

_PART: Final = 65_536
"""How many bytes of a body are read at a time, if its length is not announced."""

_FRAMED: Final = ("HTTP/2", "HTTP/3")
"""Versions whose bodies come in frames: they always have an end, even without a length."""

_BARE: Final = ("CONTENT_TYPE", "CONTENT_LENGTH")
"""Headers without the prefix HTTP_ in an environ; there, an empty one is missing."""

_BARE_NAMES: Final = ("content-type", "content-length")

_OK: Final = JSON_HEADERS.pairs
_FEW: Final = 1024
_LENGTHS: Final = [("content-length", str(size)) for size in range(_FEW)]
"""The header of a short body; to make one costs as much as two function calls."""
_LINES: Final = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


@lru_cache(256)
def _key(name: str) -> str:
    """
    The key of a header in an environ; empty if *name* has an underscore.

    There, the underscores of a key are the hyphens of its header, so none with an underscore can be
    told from one with a hyphen (PEP 3333).
    """
    if "_" in name:
        return ""
    key = name.upper().replace("-", "_")
    return key if key in _BARE else f"HTTP_{key}"


@final
class EnvironHeaders(Mapping[str, str]):
    """The headers in an environ, without copying them."""

    __slots__ = ("_environ",)

    def __init__(self, environ: Mapping[str, Any]) -> None:
        self._environ: Final = environ

    def __getitem__(self, name: str) -> str:
        key = _key(name)
        value: str | None = self._environ.get(key)
        if value is None or (not value and key in _BARE):
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        for key, value in self._environ.items():
            if key.startswith("HTTP_"):
                yield key[5:].lower().replace("_", "-")
            elif key in _BARE and value:
                yield key.lower().replace("_", "-")

    def __len__(self) -> int:
        return sum(1 for _ in self)


def path_of(environ: Mapping[str, Any]) -> str:
    """The path of a request inside the application (after ``SCRIPT_NAME``)."""
    path: str = environ.get("PATH_INFO", "")
    if not path.isascii():
        path = _decoded(path)
    # as it was sent, if the server tells: uWSGI and others by the first name, gunicorn by the
    # second
    if "REQUEST_URI" not in environ and "RAW_URI" not in environ:
        return path
    raw: str | None = environ.get("REQUEST_URI") or environ.get("RAW_URI")
    if raw is None or "%2" not in raw:
        return path
    sent = with_encoded_slashes(path, raw)
    if sent is path:
        return path
    # what was sent begins with SCRIPT_NAME, which PATH_INFO is without
    return sent.removeprefix(_root_of(environ))


def _root_of(environ: Mapping[str, Any]) -> str:
    return _decoded(environ.get("SCRIPT_NAME", "")).rstrip("/")


def _decoded(text: str) -> str:
    """The path from the server's form of bytes, one character for each (PEP 3333)."""
    if text.isascii():
        return text
    return text.encode("latin-1").decode("utf-8", "replace")


@final
class WsgiIncoming(ThreadIncoming):
    """A request in an environ."""

    __slots__ = ("_begun", "_environ", "_native", "blocks", "lanes")

    _begun: bytes | BaseException
    """The beginning of the body, or why it could not be read; set if there is either."""

    def __init__(
        self,
        environ: Mapping[str, Any],
        path: str,
        native: Callable[[Mapping[str, Any]], Any],
        lanes: Lanes,
    ) -> None:
        self._environ = environ
        self._native = native
        self.lanes: Lanes = lanes
        self.blocks: bool = lanes.blocks
        self.cancelled = False
        self.values: Values | None = None
        self.method: str = environ["REQUEST_METHOD"]
        self.path: str = path
        sent = environ.get("HTTP_X_REQUEST_ID")
        self.request_id: str = IDS.new() if sent is None else request_id(sent)
        self.started: float = perf_counter()

    @property
    def chunked(self) -> bool:
        """Whether the body comes in chunks, or in frames of unknown length."""
        return "HTTP_TRANSFER_ENCODING" in self._environ or (
            self.header("content-length") is None and self._framed
        )

    @property
    def _framed(self) -> bool:
        """Whether the protocol itself marks the end of the body."""
        protocol: str = self._environ.get("SERVER_PROTOCOL", "")
        return protocol.startswith(_FRAMED)

    def authorization(self) -> str | None:
        """The Authorization header; the server joins repeated headers."""
        return self._environ.get("HTTP_AUTHORIZATION")

    def header(self, name: str) -> str | None:
        """The value of a header; *name* is in lower case."""
        value: str | None = self._environ.get(_key(name))
        # an empty one is as good as missing (PEP 3333, "environ Variables")
        if not value and name in _BARE_NAMES:
            return None
        return value

    @property
    def headers(self) -> Mapping[str, str]:
        """All headers; names are in lower case, a lookup takes any case."""
        return EnvironHeaders(self._environ)

    @property
    def query(self) -> str:
        """The query as it was sent."""
        query: str = self._environ.get("QUERY_STRING", "")
        return query

    @property
    def scheme(self) -> str:
        """The scheme that the server sees, which may be behind a proxy."""
        scheme: str = self._environ["wsgi.url_scheme"]
        return scheme

    @property
    def root(self) -> str:
        """The path of the application, from the server or the framework around it."""
        return _root_of(self._environ)

    @property
    def proxies(self) -> Proxies | None:
        """The trusted proxies of the mount."""
        return self.lanes.proxies

    @property
    def peer(self) -> str | None:
        """The address at the other end of the connection."""
        return self._environ.get("REMOTE_ADDR")

    @property
    def native(self) -> Any:
        """The framework's request, or the environ."""
        return self._native(self._environ)

    def plain_body(self, limit: int) -> bytes | None:
        """The body, if all of it has come in the usual form."""
        environ = self._environ
        if (
            environ.get("CONTENT_TYPE") not in PLAIN_TYPES
            or "HTTP_CONTENT_ENCODING" in environ
            or "HTTP_TRANSFER_ENCODING" in environ
        ):
            return None
        try:
            length = length_in(environ.get("CONTENT_LENGTH", ""))
        except ValueError:
            return None
        if not length or length > limit:
            return None
        self.length = length
        try:
            body: bytes = environ["wsgi.input"].read(length)
        except BaseException as error:  # noqa: BLE001  `read` raises it
            self._begun = error
            return None
        # too short: `read` asks for the rest, and refuses the body if there is none
        if len(body) != length:
            self._begun = body
            return None
        return body

    def read(self, limit: int) -> bytes:
        """
        The body.

        Raises:
            Refused: It is too large (if its length was not announced), shorter than announced, or
                cannot be read.
        """
        body = bytearray()
        for part in self._parts(limit, self.length or _PART):
            body += part
        return bytes(body)

    async def pour(self, sink: Sink, limit: int) -> None:
        """Pass the body to *sink* in pieces."""
        for part in self._parts(limit, _PART):
            sink.feed(part)

    def _parts(self, limit: int, most: int) -> Iterator[bytes]:
        """The body in parts of at most *most* bytes; the beginning may have been read before."""
        begun: bytes | BaseException = getattr(self, "_begun", b"")
        left = self.length
        # a byte more than may come, by which a body that is too large is known
        if not left and self._has_more():
            left = limit + 1
        while left > 0:
            try:
                if isinstance(begun, BaseException):
                    raise begun
                part = begun or self._environ["wsgi.input"].read(min(most, left))
            except Refused:
                raise
            except Exception as error:
                raise Refused("BAD_REQUEST", message="The body could not be read.") from error
            begun = b""
            left -= len(part)
            if not part:
                if self.length:
                    raise Refused("BAD_REQUEST", message=_SHORT)
                return
            if left <= 0 and not self.length:
                raise Refused("PAYLOAD_TOO_LARGE", limit=limit)
            yield part

    def _has_more(self) -> bool:
        """
        Whether there may be a body although none was announced.

        Raises:
            Refused: Its end could not be found.
        """
        if not self.chunked:
            return False
        # to read past the end would wait for the client's next request, which may never come
        if not (self._framed or self._environ.get("wsgi.input_terminated")):
            raise Refused("LENGTH_REQUIRED")
        return True


_SHORT: Final = "The body is not as long as its Content-Length."


def send_response(
    response: Answered, incoming: WsgiIncoming, start_response: Callable[..., Any]
) -> Iterable[bytes]:
    """Start *response*, and return the parts of its body."""
    if type(response) is bytes:
        size = len(response)
        length = _LENGTHS[size] if size < _FEW else ("content-length", str(size))
        start_response("200 OK", [*_OK, ("x-request-id", incoming.request_id), length])
        if incoming.values is OVER:  # most calls, for which nothing follows
            return [response]
        return _followed([response], incoming)
    response = cast("Response", response)
    headers, status, body = response.pairs(), response.status, response.body
    if isinstance(response, Streamed):
        start_response(_LINES[status], headers)
        return Followed(cast("Iterator[bytes]", response.parts), incoming)
    # a 204 must have none, and that of a 304 would tell the length of a 200 (RFC 9110, section 8.6)
    if status not in (204, 304):
        headers.append(("content-length", str(len(body))))
    start_response(_LINES.get(status) or f"{status} Unknown", headers)
    if incoming.method == "HEAD":
        return _followed([], incoming)
    return _followed([body], incoming)


def _followed(parts: list[bytes], incoming: WsgiIncoming) -> Iterable[bytes]:
    """The parts of a body; if something follows, they report when they have been sent."""
    values = incoming.values
    if values is None or not values.after:
        return parts
    return Followed(parts, incoming)
