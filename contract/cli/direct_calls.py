"""
Direct calls: requests of a synchronous worker that are answered without an environ.

An app is given an environ. That costs as much as the rest of a small call, and so do headers that
become str for WSGI and bytes again for the server. If the app has nothing in front of a path, a
route call or an MCP message needs neither: `Call` answers it from what the parser gave.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Awaitable, Generator, Iterable, Mapping
from functools import lru_cache
from types import coroutine
from typing import Any, Final, cast, final
from urllib.parse import unquote_to_bytes

from contract.adapters.asgi_scope import ScopeIncoming
from contract.adapters.threads import (
    ABSENT,
    Paused,
    ThreadIncoming,
    follow,
    respond,
    respond_or_pause,
)
from contract.adapters.wsgi import WsgiFront
from contract.call.ending import abandon
from contract.call.incoming import Sink
from contract.call.message import Answered, BrokenOff, Streamed
from contract.call.mount_options import Limits
from contract.call.provided import CallFailed
from contract.call.values import OVER
from contract.cli.socket_connections import SocketConnection

__all__ = ["Call", "Place", "environ_of", "send_parts"]

# The environ.

_EVERY: Final[Mapping[str, Any]] = {
    "SCRIPT_NAME": "",
    "SERVER_SOFTWARE": "contract",
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multiprocess": True,
    "wsgi.multithread": True,
    "wsgi.run_once": False,
    "wsgi.version": (1, 0),
}
"""Keys that are equal for every request."""


_SHORT: Final = 64
"""The most bytes of a header's name whose key is kept."""


def _key(name: bytes) -> str:
    """The environ key of a header; empty for a header to leave out."""
    # clients choose the names, so their number is bounded, and their length
    if len(name) <= _SHORT:
        return _short_key(name)
    return _short_key.__wrapped__(name)


@lru_cache(1024)
def _short_key(name: bytes) -> str:
    if b"_" in name:
        return ""  # an environ has one key for X_User and X-User, which a proxy may have checked
    key = name.decode("latin-1").upper().replace("-", "_")
    if key in ("CONTENT_TYPE", "CONTENT_LENGTH"):  # without a prefix (RFC 3875, section 4.1)
        return key
    return f"HTTP_{key}"


def environ_of(scope: Mapping[str, Any]) -> dict[str, Any]:
    """The environ of a request (PEP 3333)."""
    path: str = scope["path"]
    raw: bytes = scope["raw_path"]
    query = scope["query_string"].decode("latin-1")
    target = raw.decode("latin-1")
    if query:
        target = f"{target}?{query}"
    # 1. The request line. Text in an environ is bytes as Latin-1 (PEP 3333, "Unicode Issues").
    if not path.isascii():  # from the bytes: in *path*, invalid UTF-8 has become U+FFFD
        path = unquote_to_bytes(raw).decode("latin-1")
    environ: dict[str, Any] = {
        **_EVERY,
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "RAW_URI": target,  # gunicorn's name for what no standard key tells
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "wsgi.url_scheme": scope["scheme"],
    }
    # 2. The two ends of the connection.
    environ["SERVER_NAME"], environ["SERVER_PORT"] = map(str, scope["server"])
    environ["REMOTE_ADDR"], environ["REMOTE_PORT"] = map(str, scope["client"])
    # 3. The headers.
    for name, value in scope["headers"]:
        key = _key(name)
        if not key:
            continue
        text = value.decode("latin-1")
        if key in environ:
            # repeated headers are one list (RFC 9110, section 5.3), except cookies (RFC 6265)
            separator = ","
            if key == "HTTP_COOKIE":
                separator = ";"
            text = f"{environ[key]}{separator}{text}"
        environ[key] = text
    return environ


# Calls without an environ.


@final
class Place:
    """
    A path of a mount, with all that its calls have in common.

    Args:
        front: The front of the mount.
        path: The path, which only the service answers.

    Attributes:
        ahead: How many bytes of a body to wait for before a call is answered.
        form: Reads the bodies, if these bring files.
        is_open: Whether no header has to be checked before a body comes.
        reads: Whether the path can also be called by GET.
    """

    def __init__(self, front: WsgiFront, path: str) -> None:
        service = front.service
        bound = service.routes.get(path)
        if bound is None:  # the MCP endpoint, whose messages bring no files
            form = None
            most = service.options.max_body_bytes
        else:
            form = bound.form
            most = bound.limit
        if form is not None:
            most = form.max_bytes
        # with one byte more than is allowed, the service can refuse the body as too large
        self.ahead: Final = 1 + most
        self.form: Final = form
        self.front: Final = front
        self.is_open: Final = bound is not None and not bound.guarded
        self.lanes: Final = front.lanes
        self.native: Final = front.native
        self.path: Final = path
        self.reads: Final = service.reads("GET", path)
        self.service: Final = service


@final
class Call(ScopeIncoming, ThreadIncoming):
    """
    A call of a route, or a message to the MCP endpoint.

    Args:
        connection: Its connection, whose first request it is.
        place: What is known of its path.

    Attributes:
        absent: Set while its body cannot be read.
        checked: Whether its headers were checked before its body came, or need no check.
    """

    __slots__ = (
        "_begun",
        "_body",
        "_connection",
        "_forgotten",
        "_place",
        "_waits",
        "absent",
        "blocks",
        "checked",
    )

    def __init__(self, connection: SocketConnection, place: Place) -> None:
        exchange = connection.exchanges[0]
        super().__init__(exchange.scope, place.path, place.native, place.lanes)
        self._begun: Paused | None = None
        self._body: Final = exchange.body
        self._connection: Final = connection
        self._forgotten = False
        self._place: Final = place
        self._waits: bool | None = None
        self.blocks: bool = self.lanes.blocks
        self.absent: bool = False
        self.checked: bool = place.is_open
        if place.form is not None and self.waits:
            self._body.spools(place.form.max_bytes)

    @property
    def ahead(self) -> int:
        """How many bytes of the body to wait for before it is answered."""
        return self._place.ahead

    @property
    def waits(self) -> bool:
        """Whether to wait for the body."""
        if self._waits is None:
            awaited = self._place.service.awaits(self)
            self._waits = awaited and (self.length != 0 or self.chunked)
        return self._waits

    @property
    def limits(self) -> Limits:
        """The limits of its body."""
        return self.lanes.limits

    @property
    def asks_first(self) -> bool:
        """Whether its caller is authenticated before any of its files is kept."""
        return not self.checked and self._place.form is not None

    @property
    def native(self) -> Any:
        """The request as a WSGI environ, with a body that has been read."""
        # made only now: most hooks ask for nothing of it
        environ = environ_of(self.scope)
        environ["wsgi.input"] = io.BytesIO()
        return self._native(environ)

    def plain_body(self, limit: int) -> bytes | None:
        """The body, if all of it has come in the usual form."""
        if self.absent or self._body.refused is not None:
            return None
        length = self.plain_length()
        if length is None or length > limit:
            return None
        self.length = length
        return self._body.release()

    def read(self, limit: int) -> bytes | Awaitable[bytes]:
        """
        The body, if it has come.

        Raises:
            Refused: It is too large (if its length was not announced), was cut off, or is too late.
        """
        if self.absent:
            return self._read_later(limit)
        self._body.check(limit)
        return self._body.release()

    async def pour(self, sink: Sink, limit: int) -> None:
        """Pass the body to *sink* in pieces, once all of it has come."""
        if self.absent:
            await self._later()
        self._body.check(limit)
        self._body.pour(sink.feed)

    @coroutine
    def _later(self) -> Generator[Any, Any, None]:
        yield ABSENT

    @coroutine
    def _read_later(self, limit: int) -> Generator[Any, Any, bytes]:
        yield ABSENT
        return cast("bytes", self.read(limit))

    def answer(self) -> None:
        """Answer the call."""
        begun = self._begun
        if begun is None:  # nearly always: all of the body had come, so nobody was asked before
            response = respond(self._place.service, self)
            if isinstance(response, bytes):  # the plain 200, by far the most frequent
                self._connection.answer_ok(self.request_id, response)
            else:
                self._send(response)
        else:
            self._begun = None
            begun.resume()
            self._send_answered()
        values = self.values
        if values is not OVER and values is not None and values.after:
            follow(self)

    def authenticate(self) -> bool:
        """
        Authenticate the caller before the body has come.

        Return whether that answered the call, as a refusal does.
        """
        self.checked = self.absent = True
        found = respond_or_pause(self._place.service, self)
        self.absent = False
        if found is not None:
            self._begun = found
            if self.values is not None and self.values.is_at_home():
                # the hook's result belongs to this thread
                self._forget(found, "REQUEST_TIMEOUT")
            return False
        self._send_answered()
        return True

    def abandon(self) -> None:
        """End the values of a call that has begun, and waits, since it will not go on."""
        if self._begun is not None:
            self._forget(self._begun, "SERVICE_UNAVAILABLE")

    def _forget(self, begun: Paused, code: str) -> None:
        """Give up what has begun; when the body has come, the call starts again."""
        # `ends` says yes meanwhile, so that no step of the call takes its own end for a failure
        self._begun = None
        self._forgotten = True
        abandon(self, CallFailed(None, code))
        begun.call.close()
        self._forgotten = False

    def ends(self, exception: BaseException) -> bool:
        """Whether its client has gone, or it starts again."""
        return self._forgotten or super().ends(exception)

    def _send_answered(self) -> None:
        # the parts of a stream hold this call, which must not hold them
        answered: Answered = self.answered
        self.answered: Answered = b""
        self._send(answered)

    def _send(self, response: Answered) -> None:
        connection = self._connection
        if isinstance(response, bytes):
            connection.answer_ok(self.request_id, response)
        elif not isinstance(response, Streamed):
            connection.answer(response.status, response.raw(), response.body)
        else:
            parts: Any = response.parts
            try:
                connection.begin(response.status, response.raw())
                send_parts(connection, parts)
            except BrokenOff:
                connection.break_off()
            finally:
                parts.close()


def send_parts(connection: SocketConnection, parts: Iterable[bytes]) -> None:
    """
    Send a body no faster than the client reads it, and stop once the client has gone.

    A client is heard to have gone only after the whole body of its request has come. Before,
    whoever makes the parts may be reading that.
    """
    body = connection.exchanges[0].body
    for part in parts:
        # a write to a client that has gone may succeed, so its end is looked for first
        if connection.gone or (body.whole and connection.has_hung_up):
            return
        connection.part(part)
    connection.end()
