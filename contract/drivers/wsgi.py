"""WSGI: reads a request from an environ (PEP 3333); for every adapter that has one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, final

from contract.dispatch import Refused
from contract.drivers.threads import Readable

__all__ = ["EnvironHeaders", "WsgiIncoming"]

_PART: Final = 65_536
"""How much of a body is read at a time."""

_FRAMED: Final = ("HTTP/2", "HTTP/3")
"""Where a body comes in frames: it need not announce its length, and always has an end."""


_BARE: Final = ("CONTENT_TYPE", "CONTENT_LENGTH")
"""Headers that stand in an environ by their own name; there, empty is missing."""


@final
class EnvironHeaders(Mapping[str, str]):
    """The headers in an environ, without copying them."""

    __slots__ = ("_environ",)

    def __init__(self, environ: Mapping[str, Any]) -> None:
        self._environ: Final = environ

    def __getitem__(self, name: str) -> str:
        key = name.upper().replace("-", "_")
        if name != name.lower():
            raise KeyError(name)
        value: str = self._environ[key if key in _BARE else "HTTP_" + key]
        if not value and key in _BARE:
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


@final
class WsgiIncoming(Readable):
    """A request in an environ."""

    __slots__ = ("_environ", "_native")

    def __init__(self, environ: Mapping[str, Any], path: str, native: Any) -> None:
        get = environ.get
        self._environ = environ
        self._native = native
        self.method: str = environ["REQUEST_METHOD"]
        self.path: str = path
        self.content_type: str | None = get("CONTENT_TYPE") or None  # PEP 3333: this and the next may be empty or missing
        self.content_length: str | None = get("CONTENT_LENGTH") or None
        self.content_encoding: str | None = get("HTTP_CONTENT_ENCODING")
        self.sent_id: str | None = get("HTTP_X_REQUEST_ID")
        self.chunked: bool = "HTTP_TRANSFER_ENCODING" in environ or (self.content_length is None and self._framed)

    @property
    def _framed(self) -> bool:
        """The protocol itself says where the body ends."""
        protocol: str = self._environ.get("SERVER_PROTOCOL", "")
        return protocol.startswith(_FRAMED)

    @property
    def authorization(self) -> str | None:
        """As the server joins repeated headers."""
        return self._environ.get("HTTP_AUTHORIZATION")

    @property
    def headers(self) -> Mapping[str, str]:
        """All headers, names in lower case."""
        return EnvironHeaders(self._environ)

    @property
    def client(self) -> str | None:
        """The address of the peer."""
        return self._environ.get("REMOTE_ADDR")

    @property
    def native(self) -> Any:
        """The framework's request, or the environ."""
        return self._native

    def read(self, limit: int) -> bytes:
        """
        The body.

        Raises:
            Refused: It is too large (only where it was not announced), shorter than announced, or cannot be read.
        """
        stream: Any = self._environ["wsgi.input"]
        try:
            if not self.chunked:
                length = self.length
                return _exactly(stream, length) if length else b""
            if not (self._framed or self._environ.get("wsgi.input_terminated")):
                raise Refused("LENGTH_REQUIRED")
            return _at_most(stream, limit)
        except Refused:
            raise
        except Exception as error:
            raise Refused("BAD_REQUEST", message="The body could not be read.") from error


def _exactly(stream: Any, length: int) -> bytes:
    body: bytes = stream.read(length)
    if len(body) == length:
        return body
    parts = bytearray(body)
    while len(parts) < length:
        more: bytes = stream.read(length - len(parts))
        if not more:
            raise Refused("BAD_REQUEST", message="The body is not as long as its Content-Length.")
        parts += more
    return bytes(parts)


def _at_most(stream: Any, limit: int) -> bytes:
    parts = bytearray()
    while more := stream.read(min(_PART, limit + 1 - len(parts))):
        parts += more
        if len(parts) > limit:
            raise Refused("PAYLOAD_TOO_LARGE", limit=limit)
    return bytes(parts)
