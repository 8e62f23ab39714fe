"""
Granian calls: requests and responses in granian's form.

The server's event loop reads a body and hands over its parts as they come. No thread waits for it,
since a client may be slow: an app is called when its body has come, or as much of it as may be
kept. Only the rest of a larger body is waited for, by the thread that reads it.

An app is given an environ. That costs as much as the rest of a small call, and so do headers that
become str for WSGI and bytes again for the server. If the app has nothing in front of a path, a
route call or an MCP message needs neither: `Call` answers it from the server's scope.
"""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from functools import lru_cache
from tempfile import SpooledTemporaryFile
from time import monotonic
from types import coroutine
from typing import Any, Final, cast, final
from urllib.parse import unquote_to_bytes

from contract.adapters.asgi_scope import Scope, ScopeIncoming
from contract.adapters.pace import Pace
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
from contract.call.message import JSON_HEADERS, Answered, BrokenOff, Streamed
from contract.call.mount_options import Limits
from contract.call.provided import CallFailed
from contract.call.replies import Refused, failed
from contract.call.values import OVER
from contract.cli.signals import Draining

__all__ = ["CLOSE", "Body", "Call", "Place", "Unread", "environ_of", "refuse", "send_parts"]

_IN_MEMORY: Final = 65_536
"""How many bytes of a form are kept in memory before it goes to disk."""
_PIECE: Final = 262_144
"""How many bytes of a form are read at a time."""
_CLOSING: Final = (("connection", "close"),)


@final
class Body:
    """
    The body of one request.

    Attributes:
        began: When the wait for it began, by `time.monotonic`.
        came: Whether the requested part has come; set by the thread that brings it.
        pending: The pending request for a part.
        received: How many bytes have come.
        refused: Why no more of it is read.
        whole: Whether all of it has come.
    """

    # class attributes until they differ from those of a body that has just begun, as most do until
    # the end: setting each of them costs time
    came: bool = False
    pending: Any = None
    received: int = 0
    refused: Refused | None = None
    whole: bool = False
    _due: float | None = None
    _kept: bytes | bytearray = b""
    _pace: Pace | None = None
    _size: int = 0
    spool: SpooledTemporaryFile[bytes] | None = None
    """The part of a form that has come; it may be too large for memory."""

    def __init__(self, receive: Callable[[], Any], announced: int | None, limits: Limits) -> None:
        self._receive: Final = receive
        self._announced: Final = announced
        self._limits: Final = limits
        self.began: Final = monotonic()
        if announced == 0:
            self.whole = True

    def spools(self, size: int) -> None:
        """Keep it as a form of at most *size* bytes, whose large parts go to disk."""
        self._size = size
        # `drop` closes it
        self.spool = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115

    @property
    def held(self) -> int:
        """How many of its bytes are in memory."""
        return self.received if self.spool is None else min(self.received, _IN_MEMORY)

    @property
    def due(self) -> float:
        """The time at which its next part is too late."""
        return self.began + self._limits.read_seconds if self._due is None else self._due

    def ask(self, then: Callable[[Any], None]) -> None:
        """
        Request the next part.

        *then* is called in a thread of the server, perhaps this one, with an argument for `take`.
        """
        self.came = False
        self.pending = pending = self._receive()
        pending.add_done_callback(then)

    def take(self) -> bytes:
        """The requested part, once it has come."""
        # the server's object cannot be collected in a reference cycle, and it holds the callback
        found, self.pending = self.pending, None
        event: dict[str, Any] = found.result()
        if event["type"] != "http.request":
            self.refused = Refused(
                "BAD_REQUEST", message="The client went away before the end of the body."
            )
            return b""
        part: bytes = event["body"]
        self.received += len(part)
        # the server checks a body against its Content-Length, so there is no need to wait for the
        # event that says that it has ended
        if self.received == self._announced or not event["more_body"]:
            self.whole = True
        else:
            self._pace = self._pace or Pace(self._limits, self._size)
            self._due = monotonic() + self._pace.left(self.received)
        return part

    def keep(self, part: bytes) -> None:
        """Keep *part* until it is read."""
        if self.spool is not None:
            try:
                self.spool.write(part)
            except OSError:  # the disk is full
                self.refuse("SERVICE_UNAVAILABLE")
            return
        if not self._kept:
            self._kept = part
            return
        if isinstance(self._kept, bytes):
            # a list of tiny parts would take forty times their size
            self._kept = bytearray(self._kept)
        self._kept += part

    def refuse(self, code: str = "REQUEST_TIMEOUT") -> None:
        """Stop waiting for it, and refuse it with *code*."""
        self.refused = Refused(code, _CLOSING)
        self.cancel()

    def cancel(self) -> None:
        """Stop waiting for it."""
        pending, self.pending = self.pending, None
        if pending is not None:  # pragma: no branch  it comes at this very moment
            pending.cancel()

    def refusal(self) -> Refused:
        """
        A new exception for `refused`.

        It must be new: a stored exception has a traceback, through which the body would hold
        itself, and its connection would stay open.
        """
        found = cast("Refused", self.refused)
        return Refused(found.code, found.headers, **found.data)

    def pour(self, feed: Callable[[bytes], None]) -> None:
        """Pass the form to *feed* in pieces."""
        spool = self.spool
        assert spool is not None  # noqa: S101  for the type checker
        with spool:
            spool.seek(0)
            while part := spool.read(_PIECE):
                feed(part)

    def drop(self) -> None:
        """Close the temporary file of a form, if there is one."""
        if self.spool is not None:
            self.spool.close()

    def release(self) -> bytes:
        """Return the bytes that were kept, and forget them."""
        kept, self._kept = self._kept, b""
        return kept if isinstance(kept, bytes) else bytes(kept)

    def stream(self) -> Any:
        """The stream that an app reads as ``wsgi.input``."""
        kept = self.release()
        if self.whole and self.spool is None:
            return io.BytesIO(kept)
        if self.spool is not None:
            self.spool.seek(0)
        return io.BufferedReader(Unread(self, kept))


class Unread(io.RawIOBase):
    """A stream of a body that is not in memory as a whole; at its end it waits for the rest."""

    def __init__(self, body: Body, kept: bytes) -> None:
        super().__init__()
        self._body: Final = body
        self._kept = memoryview(kept)
        self._spool = body.spool

    def readable(self) -> bool:
        """Whether it can be read: always."""
        return True

    def readinto(self, into: Any) -> int:
        """
        Read what has come, or wait for it.

        Raises:
            Refused: No more will come, and this is not the end.
        """
        while not self._kept:
            if self._spool is not None:
                self._kept = memoryview(self._spool.read(_PIECE))
                if not self._kept:
                    self._spool = None
                continue
            if self._body.refused is not None:
                raise self._body.refusal()
            if self._body.whole:
                return 0
            self._wait()
        count = min(len(into), len(self._kept))
        into[:count] = self._kept[:count]
        self._kept = self._kept[count:]
        return count

    def _wait(self) -> None:
        body = self._body
        came = threading.Event()
        body.ask(lambda _: came.set())
        if came.wait(max(0.0, body.due - monotonic())):
            self._kept = memoryview(body.take())
        else:
            body.refuse()


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


@lru_cache(1024)  # bounded, since clients choose the names
def _key(name: bytes) -> str:
    """The environ key of a header; empty for a header to leave out."""
    key = name.decode("latin-1").upper().replace("-", "_")
    if key.startswith("X_FORWARDED_") and b"_" in name:
        return ""  # a proxy never writes it so: the client is trying to forge another header
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


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

    __slots__ = (
        "ahead",
        "form",
        "front",
        "is_open",
        "lanes",
        "limits",
        "native",
        "path",
        "reads",
        "service",
    )

    def __init__(self, front: WsgiFront, path: str) -> None:
        service = front.service
        options = service.options
        bound = service.routes.get(path)
        form = None if bound is None else bound.form
        most = options.max_body_bytes if bound is None else bound.limit
        self.ahead: Final = 1 + (most if form is None else form.max_bytes)
        self.form: Final = form
        self.front: Final = front
        self.is_open: Final = bound is not None and not bound.guarded
        self.lanes: Final = front.lanes
        self.limits: Final = options.limits
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
        self.body: Final = Body(proto.receive, length, place.limits)
        if place.form is not None and self.waits:
            self.body.spools(place.form.max_bytes)

    @property
    def ahead(self) -> int:
        """How many bytes of the body to wait for before it is answered."""
        return self._place.ahead

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
        body = self.body
        if body.refused is not None:
            raise body.refusal()
        if body.received > limit:
            raise Refused("PAYLOAD_TOO_LARGE", limit=limit)
        return body.release()

    async def pour(self, feed: Callable[[bytes], None], limit: int) -> None:
        """Pass the body to *feed* in pieces, once all of it has come."""
        if self.absent:
            await self._later()
        body = self.body
        if body.refused is not None:
            raise body.refusal()
        if body.received > limit:
            raise Refused("PAYLOAD_TOO_LARGE", limit=limit)
        if self.waits:
            body.pour(feed)

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
                send_parts(proto, parts)
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


def send_parts(proto: Any, parts: Iterable[bytes]) -> None:
    """Send a body no faster than the client reads it, and stop once the client has gone."""
    gone: _Gone | None = None
    for part in parts:
        gone = gone or _Gone(proto)
        if gone.now:
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
