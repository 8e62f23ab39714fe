"""
Granian calls: requests and responses in granian's form.

An app is given an environ. That costs as much as the rest of a small call, and so do headers that
become str for WSGI and bytes again for the server. If the app has nothing in front of a path, a
route call or an MCP message needs neither: `Call` answers it from the server's scope.
"""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Awaitable, Generator, Iterable, Mapping
from functools import lru_cache
from types import coroutine
from typing import Any, Final, cast, final
from urllib.parse import unquote_to_bytes

from contract.adapters.asgi_scope import Scope, ScopeIncoming
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
from contract.call.incoming import Refused, Sink
from contract.call.message import JSON_HEADERS, Answered, BrokenOff, Streamed
from contract.call.provided import CallFailed
from contract.call.replies import failed
from contract.call.values import OVER
from contract.cli.granian_bodies import Body
from contract.cli.signals import Draining

__all__ = ["CLOSE", "Call", "Place", "environ_of", "is_addressed", "refuse", "send_parts"]

# The environ.

_EVERY: Final[Mapping[str, Any]] = {
    "SCRIPT_NAME": "",
    "SERVER_SOFTWARE": "granian",
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
    return _short_key(name) if len(name) <= _SHORT else _short_key.__wrapped__(name)


@lru_cache(1024)
def _short_key(name: bytes) -> str:
    if b"_" in name:
        return ""  # an environ has one key for X_User and X-User, which a proxy may have checked
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


def is_addressed(scope: Mapping[str, Any]) -> bool:
    """Whether a request names one host, as HTTP/1.1 wants it to (RFC 9112, section 3.2)."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    # granian adds an empty one to a request without any
    return len(hosts) < 2 and (hosts not in ([], [b""]) or scope["http_version"] != "1.1")


def environ_of(scope: Mapping[str, Any]) -> dict[str, Any]:
    """The environ of a request (PEP 3333)."""
    path: str = scope["path"]
    raw: bytes = scope["raw_path"]
    query = scope["query_string"].decode("latin-1")
    target = raw.decode("latin-1")
    version: str = scope["http_version"]  # granian says 1 for 1.0
    if not path.isascii():  # bytes as Latin-1; in *path*, invalid UTF-8 has become U+FFFD
        path = unquote_to_bytes(raw).decode("latin-1")
    environ: dict[str, Any] = {
        **_EVERY,
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "RAW_URI": f"{target}?{query}" if query else target,
        "SERVER_PROTOCOL": "HTTP/1.0" if version == "1" else f"HTTP/{version}",
        "wsgi.url_scheme": scope["scheme"],
    }
    environ["SERVER_NAME"], environ["SERVER_PORT"] = scope["server"]
    environ["REMOTE_ADDR"], environ["REMOTE_PORT"] = scope["client"]
    for name, value in scope["headers"]:
        key = _key(name)
        if not key:
            continue
        text = value.decode("latin-1")
        if key in environ:
            # repeated headers are one list (RFC 9110, section 5.3), except cookies (RFC 6265)
            separator = ";" if key == "HTTP_COOKIE" else ","
            text = f"{environ[key]}{separator}{text}"
        environ[key] = text
    return environ


# Calls without an environ.

_OK: Final = JSON_HEADERS.raw

CLOSE: Final = (b"connection", b"close")
"""The header that closes a connection after its response."""


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
        form = None if bound is None else bound.form
        most = service.options.max_body_bytes if bound is None else bound.limit
        self.ahead: Final = 1 + (most if form is None else form.max_bytes)
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
        scope: The server's description of it.
        place: What is known of its path.
        watcher: The server's object for it.
        proto: The server's side of it, which *watcher* has as well, but is slow to give.
        draining: Whether the worker is about to end.

    Attributes:
        absent: Set while its body cannot be read.
        checked: Whether its headers were checked before its body came, or need no check.
        body: The body.
        proto: The server's side of the request.
        watcher: Tells the server about a body that never ends.
        waits: Whether to wait for its body.
    """

    __slots__ = (
        "_begun",
        "_draining",
        "_forgotten",
        "_place",
        "_usual",
        "absent",
        "blocks",
        "body",
        "checked",
        "proto",
        "waits",
        "watcher",
    )

    def __init__(
        self, scope: Scope, place: Place, watcher: Any, proto: Any, draining: Draining
    ) -> None:
        super().__init__(scope, place.path, place.native, place.lanes)
        self._begun: Paused | None = None
        self._draining: Final = draining
        self._forgotten = False
        self._place: Final = place
        self._usual: Final = ScopeIncoming.plain_length(self)
        self.blocks: bool = self.lanes.blocks
        self.proto: Final = proto
        self.watcher: Final = watcher
        self.absent: bool = False
        self.checked: bool = place.is_open
        length: int | None = 0
        if place.service.awaits(self):
            length = self.length or (None if self.chunked else 0)
        self.waits: Final = length != 0
        self.body: Final = Body(proto.receive, length, self.lanes.limits)
        if place.form is not None and self.waits:
            self.body.spools(place.form.max_bytes)

    @property
    def ahead(self) -> int:
        """How many bytes of the body to wait for before it is answered."""
        return self._place.ahead

    @property
    def is_addressed(self) -> bool:
        """Whether it names one host; the function of this name looks at every header for that."""
        host = self.header("host")  # two of them are joined with a comma
        return bool(host and "," not in host) or is_addressed(self.scope)

    @property
    def unread(self) -> bool:
        """Whether its body may have bytes that nobody has read."""
        if self.waits:
            return not self.body.whole
        length = self.header("content-length")
        return length not in (None, "0") or self.header("transfer-encoding") is not None

    @property
    def native(self) -> Any:
        """The request as a WSGI environ, with a body that has been read."""
        environ = environ_of(self.scope)
        environ["wsgi.input"] = io.BytesIO()
        return self._native(environ)

    def plain_length(self) -> int | None:
        """The length of a body in the usual form; None for any other."""
        return self._usual

    def plain_body(self, limit: int) -> bytes | None:
        """The body, if all of it has come in the usual form."""
        length = self._usual
        if self.absent or self.body.refused is not None or length is None or length > limit:
            return None
        self.length = length
        return self.body.release()

    def read(self, limit: int) -> bytes | Awaitable[bytes]:
        """
        The body, if it has come.

        Raises:
            Refused: It is too large (if its length was not announced), was cut off, or is too late.
        """
        if self.absent:
            return self._read_later(limit)
        self.body.check(limit)
        return self.body.release()

    async def pour(self, sink: Sink, limit: int) -> None:
        """Pass the body to *sink* in pieces, once all of it has come."""
        if self.absent:
            await self._later()
        self.body.check(limit)
        self.body.pour(sink.feed)

    @coroutine
    def _later(self) -> Generator[Any, Any, None]:
        yield ABSENT

    @coroutine
    def _read_later(self, limit: int) -> Generator[Any, Any, bytes]:
        yield ABSENT
        return cast("bytes", self.read(limit))

    def answer(self) -> None:
        """Answer the call."""
        # its context holds this call: the server's object must not be in a reference cycle
        begun = self._begun
        if begun is None:
            self._send(respond(self._place.service, self))
        else:
            self._begun = None
            begun.resume()
            self._send_answered()
        if self.body.spool is not None:
            self.body.drop()
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
                self._forget(found)
            return False
        self.body.cancel()
        self.body.drop()
        self._send_answered()
        return True

    def _forget(self, begun: Paused) -> None:
        """
        Start again when the body has come, and call the hook again.

        The hook's result belongs to this thread, but the call goes on in another.
        """
        self._begun = None
        self._forgotten = True
        abandon(self, CallFailed(None, "REQUEST_TIMEOUT"))
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
        proto, draining = self.proto, self._draining
        if isinstance(response, bytes):  # the plain 200, by far the most frequent
            headers = [*_OK, (b"x-request-id", self.request_id.encode())]
            _send(proto, 200, headers, response, draining)
        elif not isinstance(response, Streamed):
            _send(proto, response.status, response.raw(), response.body, draining)
        else:
            headers = [*response.raw(), CLOSE] if draining.on else response.raw()
            status = response.status
            proto.send({"type": "http.response.start", "status": status, "headers": headers})
            parts: Any = response.parts
            try:
                send_parts(proto, parts, self.body)
            except BrokenOff as broken:
                self.watcher.err(broken)
            finally:
                parts.close()


def refuse(proto: Any, refused: Refused, draining: Draining) -> None:
    """Answer a request with a refusal."""
    reply = failed(refused.code, refused.headers, **refused.data)
    headers = [*_OK, *((name.encode(), value.encode()) for name, value in refused.headers)]
    _send(proto, reply.status, headers, reply.body, draining)


def _send(
    proto: Any, status: int, headers: list[tuple[bytes, bytes]], body: bytes, draining: Draining
) -> None:
    """Send a whole response; *headers* gets its last headers added."""
    if status != 304:  # its length would be that of the body that the client has
        headers.append((b"content-length", b"%d" % len(body)))
    if draining.on:
        headers.append(CLOSE)
    proto.send({"type": "http.response.start", "status": status, "headers": headers})
    proto.send({"type": "http.response.body", "body": body})


def send_parts(proto: Any, parts: Iterable[bytes], request_body: Body) -> None:
    """
    Send a body no faster than the client reads it, and stop once the client has gone.

    A client is heard to have gone only after the whole *request_body* has come. Before, whoever
    makes the parts may be reading that, and two readers would each get a half of it.
    """
    gone: _Gone | None = None
    for part in parts:
        if gone is None and request_body.whole:
            gone = _Gone(proto)
        if gone is not None and gone.now:
            return
        if part:
            _wait_for(proto.send({"type": "http.response.body", "body": part, "more_body": True}))
    _wait_for(proto.send({"type": "http.response.body", "body": b""}))


class _Gone:
    """Whether the client has gone; nothing more is sent then."""

    __slots__ = ("_proto", "now")

    def __init__(self, proto: Any) -> None:
        self._proto: Final = proto
        self.now = False
        self._listen()

    def _listen(self) -> None:
        self._proto.receive().add_done_callback(self._heard)

    def _heard(self, found: Any) -> None:
        if found.result()["type"] == "http.disconnect":
            self.now = True
        else:
            self._listen()


def _wait_for(sent: Any) -> None:
    """Wait until there is room again: a client may read more slowly than the app writes."""
    if hasattr(sent, "add_done_callback"):
        done = threading.Event()

        def then(_found: Any) -> None:
            done.set()

        sent.add_done_callback(then)
        done.wait()
