"""Requests in the scope of an ASGI server, without their bodies (HTTP specification, 2.3 on)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from functools import lru_cache
from time import perf_counter
from types import MappingProxyType
from typing import Any, Final

from contract.adapters.pool import Lanes
from contract.call.incoming import CLOSING, Incoming, with_encoded_slashes
from contract.call.message import PLAIN_TYPES, length_in
from contract.call.process import IDS, request_id
from contract.call.proxies import Proxies
from contract.call.values import Values
from contract.shape.header_values import Headers

__all__ = [
    "HTTP_VERSIONS",
    "Event",
    "Receive",
    "Scope",
    "ScopeIncoming",
    "Send",
    "path_of",
]

HTTP_VERSIONS: Final[Mapping[str, str]] = MappingProxyType(
    {"1": "1.0", "1.0": "1.0", "1.1": "1.1", "2": "2", "3": "3"}
)
"""Supported HTTP version -> its name in frameworks; other versions get 505."""

Scope = MutableMapping[str, Any]
"""The facts about a connection, from the server."""
Event = MutableMapping[str, Any]
"""A part of a request, or of the server's lifespan."""
Receive = Callable[[], Awaitable[Event]]
"""Gives the next event from the client."""
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
"""Takes the next event to the client."""


def path_of(scope: Scope) -> str:
    """
    The path of a request inside the application.

    The ``path`` of a scope begins with ``root_path`` (HTTP specification, 2.4), which is an option
    of a server (``--root-path``) or added by a framework (``Mount("/rpc", app)``); older servers
    leave it out.
    """
    path: str = scope["path"]
    raw: bytes | None = scope.get("raw_path")
    if raw is not None and b"%2" in raw:
        path = with_encoded_slashes(path, raw.decode("latin-1"))
    root: str | None = scope.get("root_path")
    if root and path.startswith(root):
        below = path[len(root) :]
        if not below or below[0] == "/":
            return below or "/"
    return path


_PLAIN: Final = frozenset(kind.encode() for kind in PLAIN_TYPES)


@lru_cache(1024)
def _announced(length: bytes) -> int:
    return length_in(length.decode("latin-1"))


def _joined(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Each header once; repeated headers joined with ", ", and cookies as in one header."""
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        before = found.get(name)
        if before is None:
            found[name] = value
        elif name == b"cookie":
            # RFC 9113, section 8.2.3: a client may send each cookie in a header of its own
            found[name] = b"%b; %b" % (before, value)
        else:
            # RFC 9110, section 5.3: the values in their order, with a comma between them
            found[name] = b"%b, %b" % (before, value)
    return found


class ScopeIncoming(Incoming):
    """A request in a scope."""

    __slots__ = ("_found", "_native", "lanes", "over", "scope")

    def __init__(
        self, scope: Scope, path: str, native: Callable[[Scope], Any], lanes: Lanes
    ) -> None:
        self.scope: Scope = scope
        self._native = native
        self.lanes: Lanes = lanes
        self.method: str = scope["method"]
        self.path: str = path
        self.cancelled = self.watched = False
        self.over: bool = False
        self.values: Values | None = None
        headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
        if not isinstance(headers, list):
            # any iterable is allowed, even one that can be read only once; hooks may read it again
            headers = scope["headers"] = list(headers)
        found = dict(headers)
        # repeated headers are rare, and a dict has only the last of them
        if len(found) != len(headers):
            found = _joined(headers)
        self._found = found
        sent = self._found.get(b"x-request-id")
        self.request_id: str = IDS.new() if sent is None else request_id(sent.decode("latin-1"))
        self.started: float = perf_counter()

    def plain_length(self) -> int | None:
        """
        The length of a body in the usual form: JSON, not encoded, not in chunks.

        None for any other body.
        """
        found = self._found
        if (
            found.get(b"content-type") not in _PLAIN
            or b"content-encoding" in found
            or b"transfer-encoding" in found
        ):
            return None
        try:
            return _announced(found.get(b"content-length", b""))
        except ValueError:
            return None

    @property
    def chunked(self) -> bool:
        """
        Whether the body comes in chunks, or in frames of unknown length.

        HTTP/2 and 3 have no Transfer-Encoding.
        """
        found = self._found
        return b"transfer-encoding" in found or (
            b"content-length" not in found and self.scope.get("http_version") in ("2", "3")
        )

    def authorization(self) -> str | None:
        """The Authorization header; repeated headers are joined with a comma."""
        value = self._found.get(b"authorization")
        return None if value is None else value.decode("latin-1")

    def header(self, name: str) -> str | None:
        """
        The value of a header; *name* is in lower case, repeated headers are joined with a comma.
        """
        value = self._found.get(name.encode("latin-1"))
        return None if value is None else value.decode("latin-1")

    @property
    def headers(self) -> Mapping[str, str]:
        """All headers; names are in lower case, a lookup takes any case."""
        return Headers(
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in self._found.items()
        )

    @property
    def query(self) -> str:
        """The query as it was sent."""
        query: bytes = self.scope.get("query_string", b"")
        return query.decode("latin-1")

    @property
    def scheme(self) -> str:
        """The scheme that the server sees, which may be behind a proxy."""
        scheme: str = self.scope.get("scheme", "http")
        return scheme

    @property
    def root(self) -> str:
        """The path of the application, from the server or the framework around it."""
        root: str = self.scope.get("root_path", "")
        return root.rstrip("/")

    @property
    def proxies(self) -> Proxies | None:
        """The trusted proxies of the mount."""
        return self.lanes.proxies

    @property
    def peer(self) -> str | None:
        """The address at the other end of the connection."""
        client = self.scope.get("client")
        return None if client is None else str(client[0])

    @property
    def native(self) -> Any:
        """The framework's request, or the scope."""
        return self._native(self.scope)

    @property
    def closing(self) -> tuple[tuple[str, str], ...]:
        """The header that tells the server to close the connection; only HTTP/1 has one."""
        version: str = self.scope.get("http_version", "1.1")
        return CLOSING if version.startswith("1") else ()
