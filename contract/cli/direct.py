"""
Direct: calls of routes, and messages of MCP clients, answered without an environ.

All that is needed stands in what the server says of a request. An environ costs as much as the rest
of a small call, and so do headers that are made text for WSGI and bytes again for the server. Where
nothing of the app's stands before a path, what is posted to it needs neither.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Awaitable, Generator, Iterable
from types import coroutine
from typing import Any, Final, cast, final

from contract.adapters.asgi_scope import Scope, ScopeIncoming
from contract.adapters.threads import ABSENT, Paused, ThreadIncoming, respond, respond_or_pause
from contract.adapters.wsgi import WsgiFront
from contract.call.dispatch import Refused, failed
from contract.call.message import JSON_HEADERS, Answered, Streamed
from contract.cli.bodies import Body
from contract.cli.environs import environ_of
from contract.cli.ties import Draining

__all__ = ["CLOSE", "Call", "refuse", "send_parts"]

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
        proto: The server's end of it.
        front: Of the mount.
        draining: Whether the worker is about to end.

    Attributes:
        absent: Set as long as its body cannot be read.
        ahead: Bytes of a body that are waited for before it is answered.
        checked: Whether its headers have been checked before its body came, or need not be.
        body: The body.
        proto: The server's end of it.
        waits: Whether its body is waited for.
    """

    __slots__ = (
        "_begun",
        "_draining",
        "_service",
        "absent",
        "ahead",
        "blocks",
        "body",
        "checked",
        "proto",
        "waits",
    )

    def __init__(
        self, scope: Scope, path: str, proto: Any, front: WsgiFront, draining: Draining
    ) -> None:
        super().__init__(scope, path, front.native, front.lanes)
        service = front.service
        options = service.options
        bound = service.routes.get(path)
        self._begun: Paused | None = None
        self._draining: Final = draining
        self._service: Final = service
        self.blocks: bool = self.lanes.blocks
        self.proto: Final = proto
        self.ahead: Final = options.max_body_bytes + 1
        self.absent: bool = False
        self.checked: bool = bound is not None and not bound.auth
        length: int | None = 0
        if service.awaits(self):
            length = self.length or (None if self.chunked else 0)
        self.waits: Final = length != 0
        self.body: Final = Body(proto.receive, length, options.limits)

    @property
    def native(self) -> Any:
        """The request as WSGI has it, with a body that has been read."""
        environ = environ_of(self._scope)
        environ["wsgi.input"] = io.BytesIO()
        return self._native(environ)

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

    @coroutine
    def _read_later(self, limit: int) -> Generator[Any, Any, bytes]:
        yield ABSENT
        return cast("bytes", self.read(limit))

    def answer(self) -> None:
        """Answer the call."""
        # its context holds this call: what the server gives must not stand in a circle
        begun, self._begun = self._begun, None
        self._send(respond(self._service, self) if begun is None else begun.resume())

    def authenticate(self) -> bool:
        """
        Authenticate the caller before the body is there.

        Return whether that has answered the call, as a refusal does.
        """
        self.checked = self.absent = True
        found = respond_or_pause(self._service, self)
        self.absent = False
        if isinstance(found, Paused):
            self._begun = found
            return False
        self.body.cancel()
        self._send(found)
        return True

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
