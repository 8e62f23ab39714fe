"""ASGI: reads a request from a scope and its events (ASGI HTTP specification, 2.3 and later); for every adapter that has them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator, Mapping, MutableMapping
from types import MappingProxyType, coroutine
from typing import Any, Final, final

from contract.dispatch import Refused
from contract.message import Incoming, Response

__all__ = ["HTTP_VERSIONS", "AsgiIncoming", "Receive", "Scope", "ScopeHeaders", "Send", "read_body", "send_response"]

HTTP_VERSIONS: Final[Mapping[str, str]] = MappingProxyType({"1": "1.0", "1.0": "1.0", "1.1": "1.1", "2": "2", "3": "3"})
"""The versions that are spoken, and what frameworks call them; others are answered with 505."""

Scope = MutableMapping[str, Any]
"""What a server says of a connection."""
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
"""Gives the next event from the client."""
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
"""Takes the next event to the client."""


@final
class ScopeHeaders(Mapping[str, str]):
    """The headers in a scope; repeated ones joined with ", "."""

    __slots__ = ("_found",)

    def __init__(self, scope: Scope) -> None:
        found: dict[str, str] = {}
        for raw_name, raw_value in scope["headers"]:
            name = raw_name.decode("latin-1").lower()
            value = raw_value.decode("latin-1")
            found[name] = f"{found[name]}, {value}" if name in found else value
        self._found: Final = found

    def __getitem__(self, name: str) -> str:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


_WANTED: Final = {
    b"content-type": "content_type",
    b"content-length": "content_length",
    b"content-encoding": "content_encoding",
    b"authorization": "authorization",
    b"origin": "origin",
    b"x-request-id": "sent_id",
    b"transfer-encoding": "transfer_encoding",
}


@final
class AsgiIncoming(Incoming):
    """A request in a scope."""

    __slots__ = ("_found", "_native", "_scope")

    def __init__(self, scope: Scope, path: str, native: Any) -> None:
        self._scope = scope
        self._native = native
        self.method: str = scope["method"]
        self.path: str = path
        found: dict[str, str] = {}
        headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
        if not isinstance(headers, list):  # any iterable is allowed, even one that can be read once; hooks may want to read it again
            headers = scope["headers"] = list(headers)
        for name, value in headers:
            wanted = _WANTED.get(name)
            if wanted is not None:
                text = value.decode("latin-1")
                found[wanted] = f"{found[wanted]},{text}" if wanted in found else text
        get = found.get
        self.content_type: str | None = get("content_type")
        self.content_length: str | None = get("content_length")
        self.content_encoding: str | None = get("content_encoding")
        self._found = found
        self.sent_id: str | None = get("sent_id")
        # HTTP/2 has no Transfer-Encoding: a body whose length is not announced comes in events all the same
        self.chunked: bool = "transfer_encoding" in found or (self.content_length is None and scope.get("http_version") in ("2", "3"))

    @property
    def authorization(self) -> str | None:
        """Repeated headers are joined with a comma."""
        return self._found.get("authorization")

    @property
    def headers(self) -> Mapping[str, str]:
        """All headers, names in lower case."""
        return ScopeHeaders(self._scope)

    @property
    def client(self) -> str | None:
        """The address of the peer."""
        client = self._scope.get("client")
        return None if client is None else str(client[0])

    @property
    def native(self) -> Any:
        """The framework's request, or the scope."""
        return self._native

    @property
    def closing(self) -> tuple[tuple[str, str], ...]:
        """What tells the server to close the connection: only HTTP/1 knows such a header."""
        return (("connection", "close"),) if self._scope.get("http_version", "1.1").startswith("1") else ()


async def read_body(incoming: AsgiIncoming, receive: Receive, limit: int, patience: float) -> bytes:
    """
    The body.

    Args:
        incoming: Whose body; it says whether there is one at all.
        receive: The server's.
        limit: Bytes.
        patience: Seconds to wait for each event.

    Raises:
        Refused: It is too large, of another length than announced, broken off, or too slow.
    """
    announced = None if incoming.content_length is None else incoming.length
    if not announced and not incoming.chunked:
        return b""
    parts = bytearray()  # a list of tiny parts would take forty times their size
    while True:
        try:
            event = await _soon(receive(), patience)
        except TimeoutError:
            raise Refused("REQUEST_TIMEOUT", incoming.closing) from None
        except Exception as error:
            raise Refused("BAD_REQUEST", message="The body could not be read.") from error
        if event["type"] != "http.request":
            raise Refused("BAD_REQUEST", message="The client went away before the end of the body.")
        body: bytes = event.get("body", b"")
        more = event.get("more_body", False)
        size = len(parts) + len(body)
        if announced is None:
            if size > limit:
                raise Refused("PAYLOAD_TOO_LARGE", limit=limit)
        elif size > announced or (size < announced and not more):
            raise Refused("BAD_REQUEST", message="The body is not as long as its Content-Length.")
        if not more:
            return bytes(parts + body) if parts else body
        parts += body


async def send_response(response: Response, method: str, send: Send) -> None:
    """
    Send all of *response*.

    Raises nothing where the client has gone: servers say so with an OSError (ASGI HTTP specification, 2.4), and nobody is left to be told.
    """
    headers = response.raw()
    body = response.body
    if response.status != 204:
        headers.append((b"content-length", b"%d" % len(body)))
    try:
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if method == "HEAD" else body})
    except OSError:
        pass


async def _soon(awaitable: Awaitable[MutableMapping[str, Any]], patience: float) -> MutableMapping[str, Any]:
    """
    What *awaitable* gives, within *patience* seconds.

    A body that has arrived already needs no waiting, and then no timer either: a timer costs more than the rest of a small call.
    """
    steps = awaitable.__await__()
    event: MutableMapping[str, Any]
    try:
        waiting = next(steps)
    except StopIteration as done:
        event = done.value
    else:
        async with asyncio.timeout(patience):
            event = await _rest(steps, waiting)
    return event


@coroutine
def _rest(steps: Generator[Any, Any, Any], waiting: Any) -> Generator[Any, Any, Any]:
    """The rest of an awaitable that has been stepped once, and waits for *waiting*."""
    try:
        yield waiting
    except BaseException as exception:
        if hasattr(steps, "throw"):  # granian's awaitables can be iterated, and nothing else
            steps.throw(exception)
        raise
    return (yield from steps)
