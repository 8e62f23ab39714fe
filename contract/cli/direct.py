"""
Direct: calls of routes, answered from what the server says of a request, without an environ.

An environ costs as much as the rest of a small call, and so do headers that are made text for WSGI and bytes again for the server. Where
nothing of the app's stands before a route, its calls need neither.
"""

from __future__ import annotations

import io
import logging
from contextvars import copy_context
from time import perf_counter
from typing import Any, ClassVar, Final, final

from contract.adapters.wsgi import WsgiFront
from contract.call import Request, request_id
from contract.cli.bodies import Body
from contract.cli.environs import environ_of
from contract.cli.ties import Draining
from contract.dispatch import Bound, Refused, failed
from contract.drivers.asgi import AsgiIncoming, Scope
from contract.drivers.threads import BACKGROUND, Begun, Readable, begin, drive, go_on
from contract.message import JSON_HEADERS, Response

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

    __slots__ = ("_limit", "_straight", "draining", "front", "service")

    def __init__(self, front: WsgiFront, draining: Draining) -> None:
        self.front: Final = front
        self.service: Final = front.service
        self.draining: Final = draining
        self._limit: Final = front.service.options.max_body_bytes
        self._straight: Final = front.service.straight

    def call(self, scope: Scope, path: str, proto: Any) -> Call | None:
        """The call that a request is; None where the app has to be asked."""
        bound = self.front.calls().get(path) if scope["method"] == "POST" else None
        if bound is None:
            return None
        call = Call(scope, path, self, bound, proto)
        length = call.plain_length
        if length is not None and length <= self._limit:
            call.length = length
            call.waits = length != 0 and not (bound.auth and call.authorization is None)
            if path in self._straight:
                call.straight = True
                call.route = bound.name
                call.request_id = request_id(call.sent_id)
                call.started = perf_counter()
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
class Call(AsgiIncoming, Readable):
    """
    A call of a route.

    Attributes:
        absent: Set as long as its body cannot be read.
        ahead: Bytes of a body that are waited for before it is answered.
        asked: Whether it has been seen who calls, before the body was there.
        body: The body.
        proto: The server's end of it.
        straight: Whether it needs no flow (`Service.straight`).
        waits: Whether its body is waited for.
    """

    __slots__ = ("_begun", "_bound", "_direct", "absent", "ahead", "asked", "body", "proto", "straight", "waits")

    on_loop: ClassVar[bool] = False

    def __init__(self, scope: Scope, path: str, direct: Direct, bound: Bound, proto: Any) -> None:
        super().__init__(scope, path, direct.native)
        self._direct: Final = direct
        self._bound: Final = bound
        self._begun: Begun | None = None
        self.proto: Final = proto
        self.body: Body
        self.ahead: Final = direct.service.options.max_body_bytes + 1
        self.absent: bool = False
        self.asked: bool = not bound.auth
        self.straight: bool = False
        self.waits: bool = False

    def request(self) -> Request:
        """The request as hooks see it; few of them look at `native`, whose making costs as much as the rest of a call."""
        return _Asked(self.method, self.path, self.headers, self.client, _Unmade(self))

    def read(self, limit: int) -> bytes:
        """
        The body, which is there.

        Raises:
            Refused: It is too large (only where it was not announced), it was broken off, or it was too late.
        """
        body = self.body
        if body.refused is not None:
            raise body.again()
        if body.received > limit:
            raise Refused("PAYLOAD_TOO_LARGE", limit=limit)
        return body.all()

    def answer(self) -> None:
        """Answer it; raises nothing."""
        service = self._direct.service
        found: bytes | Response
        if self.straight:
            context, body = copy_context(), self.body
            if body.refused is None:
                found = context.run(service.conclude, self, self._bound, body.all())
            else:
                found = context.run(service.unreadable, self, self._bound, body.refused)
        elif self._begun is None:
            found = drive(service, self, BACKGROUND)
        else:
            found = go_on(self._begun, service, self, BACKGROUND)
        self._send(found)

    def ask(self) -> bool:
        """See who calls, since the body keeps everybody waiting; give whether that has answered the call. Raises nothing."""
        self.asked = self.absent = True
        found = begin(self._direct.service, self, BACKGROUND)
        self.absent = False
        if isinstance(found, Begun):
            self._begun = found
            return False
        self.body.leave()
        self._send(found)
        return True

    def _send(self, found: bytes | Response) -> None:
        if isinstance(found, bytes):
            send(self.proto, 200, [*_OK, (b"x-request-id", self.request_id.encode("ascii"))], found, self._direct.draining)
        else:
            send(self.proto, found.status, found.raw(), found.body, self._direct.draining)


class _Unmade:
    """Stands for `Request.native` until somebody looks."""

    __slots__ = ("call",)

    def __init__(self, call: Call) -> None:
        self.call: Final = call


# it is final for those to whom it is given
class _Asked(Request):  # type: ignore[misc]
    """A request whose `native` is made when somebody looks."""

    __slots__ = ("_native",)

    _native: Any

    @property
    def native(self) -> Any:
        found = self._native
        if isinstance(found, _Unmade):
            found = found.call.native
            object.__setattr__(self, "_native", found)
        return found

    @native.setter
    def native(self, given: Any) -> None:  # by ``__init__``
        object.__setattr__(self, "_native", given)


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
