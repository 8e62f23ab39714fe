"""
Direct: calls of routes, answered from what the server says of a request, without an environ.

An environ costs as much as the rest of a small call, and so do headers that are made text for WSGI and bytes again for the server. Where
nothing of the app's stands before a route, its calls need neither.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Awaitable, Generator
from types import coroutine
from typing import Any, Final, cast, final

from contract.adapters.wsgi import WsgiFront
from contract.cli.bodies import Body
from contract.cli.environs import environ_of
from contract.cli.ties import Draining
from contract.dispatch import Bound, Refused, failed
from contract.drivers.asgi import Scope, ScopeIncoming
from contract.drivers.threads import ABSENT, Begun, ThreadIncoming, begin, respond
from contract.message import JSON_HEADERS, Answered

__all__ = ["CLOSE", "Call", "Direct", "refuse", "send"]

_LOG: Final = logging.getLogger("contract.serve")

_OK: Final = JSON_HEADERS.raw

CLOSE: Final = (b"connection", b"close")
"""What closes a connection with a response."""


@final
class Direct:
    """
    Finds the calls of one mount.

    Args:
        front: Of the mount.
        draining: Whether the worker is about to end.
    """

    __slots__ = ("_limit", "draining", "front", "service")

    def __init__(self, front: WsgiFront, draining: Draining) -> None:
        self.front: Final = front
        self.service: Final = front.service
        self.draining: Final = draining
        self._limit: Final = front.service.options.max_body_bytes

    def call(self, scope: Scope, path: str, proto: Any) -> Call | None:
        """The call that a request is; None where the app has to be asked."""
        if scope["method"] != "POST" or not self.front.answers(path):
            return None
        bound = self.service.routes[path]
        call = Call(scope, path, self, bound, proto)
        length = call.plain_length
        if length is not None and length <= self._limit:
            call.waits = length != 0 and not (bound.auth and call.authorization is None)
        elif self.service.awaits(call):
            length = None if call.chunked else call.length
            call.waits = length != 0
        else:
            length = 0  # it is refused, whatever its body
        call.body = Body(proto.receive, length, self.service.options.limits)
        return call

    def native(self, scope: Scope) -> Any:
        """What hooks get as `Request.native`: what WSGI has, with a body that has been read."""
        environ = environ_of(scope)
        environ["wsgi.input"] = io.BytesIO()
        return self.front.native(environ)


@final
class Call(ScopeIncoming, ThreadIncoming):
    """
    A call of a route.

    Attributes:
        absent: Set as long as its body cannot be read.
        ahead: Bytes of a body that are waited for before it is answered.
        asked: Whether it has been seen who calls, before the body was there.
        body: The body.
        proto: The server's end of it.
        waits: Whether its body is waited for.
    """

    __slots__ = ("_begun", "_direct", "absent", "ahead", "asked", "blocks", "body", "proto", "waits")

    def __init__(self, scope: Scope, path: str, direct: Direct, bound: Bound, proto: Any) -> None:
        super().__init__(scope, path, direct.native, direct.front.lanes)
        self._direct: Final = direct
        self._begun: Begun | None = None
        self.blocks = self.lanes.blocks
        self.proto: Final = proto
        self.body: Body
        self.ahead: Final = direct.service.options.max_body_bytes + 1
        self.absent: bool = False
        self.asked: bool = not bound.auth
        self.waits: bool = False

    def read(self, limit: int) -> bytes | Awaitable[bytes]:
        """
        The body, if it is there.

        Raises:
            Refused: It is too large (only where it was not announced), it was broken off, or it was too late.
        """
        if self.absent:
            return self._read_later(limit)
        body = self.body
        if body.refused is not None:
            raise body.again()
        if body.received > limit:
            raise Refused("PAYLOAD_TOO_LARGE", limit=limit)
        return body.all()

    @coroutine
    def _read_later(self, limit: int) -> Generator[Any, Any, bytes]:
        yield ABSENT
        return cast("bytes", self.read(limit))

    def answer(self) -> None:
        """Answer it; raises nothing."""
        begun = self._begun
        self._send(respond(self._direct.service, self) if begun is None else begun.go_on())

    def ask(self) -> bool:
        """See who calls, since the body keeps everybody waiting; give whether that has answered the call. Raises nothing."""
        self.asked = self.absent = True
        found = begin(self._direct.service, self)
        self.absent = False
        if isinstance(found, Begun):
            self._begun = found
            return False
        self.body.leave()
        self._send(found)
        return True

    def _send(self, answered: Answered) -> None:
        if isinstance(answered, bytes):
            send(self.proto, 200, [*_OK, (b"x-request-id", self.request_id.encode("ascii"))], answered, self._direct.draining)
            return
        response = answered
        send(self.proto, response.status, response.raw(), response.body, self._direct.draining)


def refuse(proto: Any, refused: Refused, draining: Draining) -> None:
    """Answer a request that is nobody's."""
    reply = failed(refused.code, refused.headers, **refused.data)
    headers = [*_OK, *((name.encode(), value.encode()) for name, value in refused.headers)]
    send(proto, reply.status, headers, reply.body, draining)


def send(proto: Any, status: int, headers: list[tuple[bytes, bytes]], body: bytes, draining: Draining) -> None:
    """Send a response at once; *headers* gets the last of its headers."""
    headers.append((b"content-length", b"%d" % len(body)))
    if draining.on:
        headers.append(CLOSE)
    proto.send({"type": "http.response.start", "status": status, "headers": headers})
    proto.send({"type": "http.response.body", "body": body})
