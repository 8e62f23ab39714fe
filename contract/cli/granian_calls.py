"""
Granian calls: requests as granian has them, what is read of them, and what is sent.

A body is read by the server's own event loop, which hands over its parts as they come. No thread
waits for it, since a client may take as long over it as it likes: an app is called when its body is
there, or as much of it as may be kept. Only the rest of a larger one is waited for by the thread
that reads it.

An app is given an environ. It costs as much as the rest of a small call, and so do headers that are
made text for WSGI and bytes again for the server. Where nothing of the app's stands before a path,
a call of a route or a message of an MCP client needs neither: all of it stands in what the server
says of a request, and `Call` answers it.
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

__all__ = ["CLOSE", "Body", "Call", "Unread", "environ_of", "refuse", "send_parts"]

_IN_MEMORY: Final = 65_536
"""Bytes of a form that are in memory before it goes to disk."""
_PIECE: Final = 262_144
"""Bytes of a form that are read at a time."""
_CLOSING: Final = (("connection", "close"),)


@final
class Body:
    """
    The body of one request.

    Attributes:
        began: When it was first waited for, by the clock of `time.monotonic`.
        came: Whether what was asked for has come; set by whoever brings it.
        pending: What has been asked for.
        received: Bytes.
        refused: Why there is no more of it.
        whole: Whether all of it has come.
    """

    # of the class as long as they are those of a body that has just begun, which most are until
    # they are whole: each costs when it is set
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
    """The part that has come of a form, which may be larger than what is kept in memory."""

    def __init__(self, receive: Callable[[], Any], announced: int | None, limits: Limits) -> None:
        self._receive: Final = receive
        self._announced: Final = announced
        self._limits: Final = limits
        self.began: Final = monotonic()
        if announced == 0:
            self.whole = True

    def spools(self, size: int) -> None:
        """Keep it as a form of at most *size* bytes: what is large of it goes to disk."""
        self._size = size
        # `drop` closes it
        self.spool = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115

    @property
    def held(self) -> int:
        """Bytes of it that are in memory."""
        return self.received if self.spool is None else min(self.received, _IN_MEMORY)

    @property
    def due(self) -> float:
        """When its next part is too late."""
        return self.began + self._limits.read_seconds if self._due is None else self._due

    def ask(self, then: Callable[[Any], None]) -> None:
        """
        Ask for the next part.

        *then* is called in a thread of the server's, in this one too, and hands what it is given to
        `take`.
        """
        self.came = False
        self.pending = self._receive()
        self.pending.add_done_callback(then)

    def take(self) -> bytes:
        """The part that was asked for, once it has come."""
        # what the server gives cannot be collected with a circle, and it holds who is called then
        found, self.pending = self.pending, None
        event: dict[str, Any] = found.result()
        if event["type"] != "http.request":
            self.refused = Refused(
                "BAD_REQUEST", message="The client went away before the end of the body."
            )
            return b""
        part: bytes = event["body"]
        self.received += len(part)
        # the server holds a body against its Content-Length, so the event that says that there is
        # no more need not be waited for
        if self.received == self._announced or not event["more_body"]:
            self.whole = True
        else:
            self._pace = self._pace or Pace(self._limits, self._size)
            self._due = monotonic() + self._pace.left(self.received)
        return part

    def keep(self, part: bytes) -> None:
        """Keep *part* until somebody reads it."""
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
        """Wait for no more of it, which is refused with *code*."""
        self.refused = Refused(code, _CLOSING)
        self.cancel()

    def cancel(self) -> None:
        """Wait for no more of it."""
        pending, self.pending = self.pending, None
        if pending is not None:  # pragma: no branch  it comes at this very moment
            pending.cancel()

    def refusal(self) -> Refused:
        """
        A new exception that says what `refused` says.

        It is one of its own: with a traceback in it, the body would hold itself, and its connection
        would stay open as long.
        """
        found = cast("Refused", self.refused)
        return Refused(found.code, found.headers, **found.data)

    def pour(self, feed: Callable[[bytes], None]) -> None:
        """Hand the form to *feed* in pieces."""
        spool = self.spool
        assert spool is not None  # noqa: S101  for the type checker
        with spool:
            spool.seek(0)
            while part := spool.read(_PIECE):
                feed(part)

    def drop(self) -> None:
        """Close the file that a form was kept in, if there is one; then it is gone."""
        if self.spool is not None:
            self.spool.close()

    def release(self) -> bytes:
        """The bytes that have been kept; from then on they are not."""
        kept, self._kept = self._kept, b""
        return kept if isinstance(kept, bytes) else bytes(kept)

    def stream(self) -> Any:
        """The stream that an app reads, as ``wsgi.input``."""
        kept = self.release()
        return io.BytesIO(kept) if self.whole else io.BufferedReader(Unread(self, kept))


class Unread(io.RawIOBase):
    """A stream of a body that has not come to its end; whoever reads it waits for the rest."""

    def __init__(self, body: Body, kept: bytes) -> None:
        super().__init__()
        self._body: Final = body
        self._kept = memoryview(kept)

    def readable(self) -> bool:
        """Whether it can be read, which is always so."""
        return True

    def readinto(self, into: Any) -> int:
        """
        Read what there is, or wait for it.

        Raises:
            Refused: There will be no more, and this is not the end.
        """
        while not self._kept:
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
"""Keys that every request has alike."""


@lru_cache(1024)  # bounded, since clients choose the names
def _key(name: bytes) -> str:
    """The key of a header; none has the empty one."""
    key = name.decode("latin-1").upper().replace("-", "_")
    if key.startswith("X_FORWARDED_") and b"_" in name:
        return ""  # no proxy writes it like that: a client wants to be taken for another
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


def environ_of(scope: Mapping[str, Any]) -> dict[str, Any]:
    """The environ of a request (PEP 3333)."""
    path: str = scope["path"]
    raw: bytes = scope["raw_path"]
    query = scope["query_string"].decode("latin-1")
    target = raw.decode("latin-1")
    version: str = scope["http_version"]  # granian says 1 for 1.0
    if not path.isascii():  # bytes as characters; what was not UTF-8 stands in *path* as U+FFFD
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
            # lines of one name are one list (RFC 9110, section 5.3), but cookies (RFC 6265)
            separator = ";" if key == "HTTP_COOKIE" else ","
            text = f"{environ[key]}{separator}{text}"
        environ[key] = text
    return environ


# Calls without one.

_OK: Final = JSON_HEADERS.raw

CLOSE: Final = (b"connection", b"close")
"""The header that closes a connection after its response."""


@final
class Call(ScopeIncoming, ThreadIncoming):
    """
    A call of a route, or a message to the MCP endpoint.

    Args:
        scope: What the server says of it.
        path: What it is sent to, which is answered by the service alone.
        watcher: Of the server, with its end of it.
        front: Of the mount.
        draining: Whether the worker is about to end.

    Attributes:
        absent: Set as long as its body cannot be read.
        ahead: Bytes of a body that are waited for before it is answered.
        asks_first: Whether nothing of its body is asked for before it is known who calls.
        checked: Whether its headers have been checked before its body came, or need not be.
        body: The body.
        proto: The server's end of it.
        watcher: Tells the server where there is no end of a body.
        waits: Whether its body is waited for.
    """

    __slots__ = (
        "_begun",
        "_draining",
        "_forgotten",
        "_service",
        "absent",
        "ahead",
        "asks_first",
        "blocks",
        "body",
        "checked",
        "proto",
        "waits",
        "watcher",
    )

    def __init__(
        self, scope: Scope, path: str, watcher: Any, front: WsgiFront, draining: Draining
    ) -> None:
        super().__init__(scope, path, front.native, front.lanes)
        service = front.service
        options = service.options
        bound = service.routes.get(path)
        self._begun: Paused | None = None
        self._draining: Final = draining
        self._forgotten = False
        self._service: Final = service
        self.blocks: bool = self.lanes.blocks
        self.proto: Final[Any] = watcher.proto
        self.watcher: Final = watcher
        form = None if bound is None else bound.form
        most = options.max_body_bytes if bound is None else bound.limit
        self.ahead: Final = 1 + (most if form is None else form.max_bytes)
        self.absent: bool = False
        self.checked: bool = bound is not None and not bound.guarded
        length: int | None = 0
        if service.awaits(self):
            length = self.length or (None if self.chunked else 0)
        self.waits: Final = length != 0
        self.body: Final = Body(self.proto.receive, length, options.limits)
        self.asks_first: Final = form is not None and self.waits and not self.checked
        if form is not None and self.waits:
            self.body.spools(form.max_bytes)

    @property
    def unread(self) -> bool:
        """Whether there may be more of its body than anybody has asked for."""
        if self.waits:
            return not self.body.whole
        length = self.header("content-length")
        return length not in (None, "0") or self.header("transfer-encoding") is not None

    @property
    def native(self) -> Any:
        """The request as WSGI has it, with a body that has been read."""
        environ = environ_of(self.scope)
        environ["wsgi.input"] = io.BytesIO()
        return self._native(environ)

    def plain_body(self, limit: int) -> bytes | None:
        """A body in the form that nearly all come in, where all of it is there."""
        length = self.plain_length()
        if self.absent or self.body.refused is not None or length is None or length > limit:
            return None
        self.length = length
        return self.body.release()

    def read(self, limit: int) -> bytes | Awaitable[bytes]:
        """
        The body, if it is there.

        Raises:
            Refused: It is too large (only where it was not announced), it was broken off, or it was
                too late.
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
        """Hand the body to *feed* in pieces, once all of it is there."""
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
        # its context holds this call: what the server gives must not stand in a circle
        begun, self._begun = self._begun, None
        if begun is None:
            self._send(respond(self._service, self))
        else:
            begun.resume()
            self._send_answered()
        self.body.drop()
        values = self.values
        if values is not OVER and values is not None and values.after:
            follow(self)

    def authenticate(self) -> bool:
        """
        Authenticate the caller before the body is there.

        Return whether that has answered the call, as a refusal does.
        """
        self.checked = self.absent = True
        found = respond_or_pause(self._service, self)
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
        Begin anew when the body is there, with the hook asked once more.

        What the hook has made belongs to this thread, and the call goes on in another.
        """
        self._begun = None
        self._forgotten = True
        abandon(self, CallFailed(None, "REQUEST_TIMEOUT"))
        begun.call.close()
        self._forgotten = False

    def ends(self, exception: BaseException) -> bool:
        """Whether its client has gone, or it begins anew."""
        return self._forgotten or super().ends(exception)

    def _send_answered(self) -> None:
        # the parts of a stream hold this call, which must not hold them
        answered: Answered = self.answered
        self.answered: Answered = b""
        self._send(answered)

    def _send(self, response: Answered) -> None:
        proto, draining = self.proto, self._draining
        if isinstance(response, bytes):  # the plain 200 of a call, most of them by far
            headers = [*_OK, (b"x-request-id", self.request_id.encode("ascii"))]
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
    """Send a response at once; *headers* gets the last of its headers."""
    if status != 304:  # its length would be that of the body that the client has
        headers.append((b"content-length", b"%d" % len(body)))
    if draining.on:
        headers.append(CLOSE)
    proto.send({"type": "http.response.start", "status": status, "headers": headers})
    proto.send({"type": "http.response.body", "body": body})


def send_parts(proto: Any, parts: Iterable[bytes]) -> None:
    """Send a body no faster than the client takes it, and stop once the client has gone."""
    gone: _Gone | None = None
    for part in parts:
        gone = gone or _Gone(proto)
        if gone.now:
            return
        if part:
            _wait_for(proto.send({"type": "http.response.body", "body": part, "more_body": True}))
    _wait_for(proto.send({"type": "http.response.body", "body": b""}))


class _Gone:
    """Whether the client has gone; nothing is sent for anybody any more."""

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
    """Wait until there is room again: a client may take a response more slowly than it is made."""
    if hasattr(sent, "add_done_callback"):
        done = threading.Event()

        def then(_found: Any) -> None:
            done.set()

        sent.add_done_callback(then)
        done.wait()
