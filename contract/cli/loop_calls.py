"""Loop calls: what answers a request on a worker's event loop, the service at once or the app."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast, final

from contract.adapters.asgi import AsgiFront
from contract.adapters.asgi_answers import follow, send_stream
from contract.adapters.asgi_calls import AsgiIncoming, begin
from contract.adapters.asgi_scope import Event
from contract.call.incoming import Refused
from contract.call.log import log_exception
from contract.call.message import Response, Streamed
from contract.call.values import OVER
from contract.cli.loop_connections import LoopConnection

__all__ = ["LoopCall"]

_LOG: Final = logging.getLogger("contract.serve")

_LENGTH: Final = b"content-length"

_GONE: Final[Event] = {"type": "http.disconnect"}


@final
class LoopCall:
    """
    A request that is answered in a task.

    Args:
        connection: Its connection, whose first request it is.
        running: The requests that are being answered, of which it is one until its task ends.

    Attributes:
        exchange: The request.
        is_waiting: Whether it waits for more of the body, or until the client goes.
        task: The task, since the loop itself keeps none.
    """

    __slots__ = (
        "_connection",
        "_has_more",
        "_head",
        "_held",
        "_is_over",
        "_news",
        "_running",
        "exchange",
        "is_waiting",
        "task",
    )

    def __init__(self, connection: LoopConnection, running: set[LoopCall]) -> None:
        self._connection: Final = connection
        self.exchange: Final = connection.exchanges[0]
        self._has_more = True
        """Whether the end of the body has not been received."""
        self._head: tuple[int, list[tuple[bytes, bytes]]] | None = None
        self._held = b""
        """The part that completes the announced length; it waits for the app's last event."""
        self._is_over = False
        self._news: asyncio.Event | None = None
        self._running: Final = running
        running.add(self)
        self.is_waiting: bool = False
        self.task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Look again at what it waits for."""
        if self._news is not None:
            self._news.set()

    async def ask(self, app: Callable[..., Awaitable[None]]) -> None:
        """Have the app answer; whatever it does, there is an answer."""
        try:
            await app(self.exchange.scope, self.receive, self.send)
        except BaseException as exception:  # noqa: BLE001
            self._fail("the app raised", exception)
        else:
            if not (self._is_over or self._connection.gone):
                self._fail("the app gave no whole answer", None)
        finally:
            self._leave()

    async def answer(self, front: AsgiFront, path: str) -> None:
        """Have the service answer, which has nothing in front of it."""
        try:
            incoming = _Incoming(self, front, path)
            # a call that awaits nothing is over after this first step
            rest = begin(front.service, incoming)
            if rest is not None:
                await rest
            await self._send_answer(incoming)
        except asyncio.CancelledError:  # by the resolver itself; the call was logged as cancelled
            if not self._is_over:
                self._connection.break_off()
        except BaseException as exception:  # noqa: BLE001
            self._fail("a request could not be answered", exception)
        finally:
            self._leave()

    async def _send_answer(self, incoming: AsgiIncoming) -> None:
        # the parts of a stream hold their request, which must not hold them
        response, incoming.answered = incoming.answered, b""
        if isinstance(response, Streamed):
            await send_stream(response, response.raw(), self.send)
            await follow(incoming)
            incoming.over = not incoming.cancelled
            return
        connection = self._connection
        if not connection.gone:
            if type(response) is bytes:  # the plain 200, by far the most frequent
                connection.answer_ok(incoming.request_id, response)
            else:
                response = cast("Response", response)
                connection.answer(response.status, response.raw(), response.body)
            self._end()
        values = incoming.values
        if values is not OVER and values is not None and values.after:
            await follow(incoming)
        incoming.over = True

    def _leave(self) -> None:
        self.task = None  # the task has this call, so each would keep the other
        self._running.discard(self)

    def _fail(self, what: str, exception: BaseException | None) -> None:
        # 1. Log it. An app that was refused the rest of a body may well raise for that, which is no
        #    mistake of its own.
        connection, exchange = self._connection, self.exchange
        refused = exchange.body.refused
        where = f"{exchange.scope['method']} {exchange.scope['raw_path'].decode('latin-1')}"
        if refused is None:
            log_exception(f"{what}: {where}", exception)
        elif exception is not None:  # it may be about that
            _LOG.info("%s, whose body was broken off: %s", what, where, exc_info=exception)
        # 2. Answer it, if there is still somebody to answer. What has begun can only be broken off:
        #    its end would say that it is whole.
        if self._is_over or connection.gone:
            return
        if exchange.begun:
            connection.break_off()
        else:
            connection.refuse(refused or Refused("INTERNAL_ERROR"))
        self._end()

    def _end(self) -> None:
        self._is_over = True
        self.wake()
        self._connection.end_exchange()

    # ASGI.

    @property
    def refused(self) -> Refused | None:
        """Why no more of the body will come."""
        return self.exchange.body.refused

    def whole_body(self, length: int) -> bytes | None:
        """The body, if all of it has come, *length* bytes, and none has been received."""
        body = self.exchange.body
        if not body.whole or body.kept != length:
            return None
        self._has_more = False
        return body.release()

    async def receive(self) -> Event:
        """The next event from the client (HTTP specification, "Request" and "Disconnect")."""
        connection, body = self._connection, self.exchange.body
        if not self._is_over:  # the connection may belong to the next request already
            connection.read_on()
        while not (self._is_over or connection.gone or body.refused):
            if self._has_more and (body.kept or body.whole):
                self._has_more = not body.whole
                part = body.release()
                return {"type": "http.request", "body": part, "more_body": self._has_more}
            if connection.has_ended:  # whoever is told so may leave the answer as it is
                connection.break_off()
                break
            if self._has_more:  # whoever asks for a body wants it, so it is time for the 100
                connection.proceed()
            if self._news is None:  # made only now: most calls never wait here
                self._news = asyncio.Event()
            self._news.clear()
            self.is_waiting = True
            try:
                await self._news.wait()
            finally:
                self.is_waiting = False
        return _GONE

    async def send(self, event: Event) -> None:
        """
        Send the next event to the client (HTTP specification, "Response").

        Raises:
            RuntimeError: No such event may come now.
            TypeError: A body is not bytes.
            ValueError: A header would end its line, and begin another one, or is no length.
        """
        # An event at the wrong moment is an error, unless the client has gone: an app that does not
        # know that yet does nothing wrong.
        kind, is_begun = event["type"], self.exchange.begun or self._head is not None
        if kind == "http.response.body" and is_begun and not self._is_over:
            body: Any = event.get("body", b"")
            if type(body) is not bytes:  # the app may change it before it is sent
                body = memoryview(body).tobytes()
            await self._send_body(body, is_last=not event.get("more_body"))
        elif kind == "http.response.start" and not is_begun:
            status, headers = event["status"], list(event.get("headers", ()))
            if self.exchange.is_bare or any(name.lower() == _LENGTH for name, _ in headers):
                # it goes with the body, or the first part of it; to a HEAD it is all of the answer,
                # after which the client may go
                self._head = status, headers
            elif not self._connection.gone:
                self._connection.begin(status, headers)
        elif not self._connection.gone:
            raise RuntimeError(f"the app sent the event {kind!r}, which cannot come now")

    async def _send_body(self, body: bytes, *, is_last: bool) -> None:
        connection, head = self._connection, self._head
        self._head = None
        if connection.gone:
            return
        if head is not None and is_last and not self.exchange.is_bare:
            connection.answer(*head, body)
        else:
            if head is not None:
                connection.begin(*head)
            body, self._held = self._held + body, b""
            owed = self.exchange.owed
            if owed and len(body) >= owed and not is_last:
                self._held = body  # with it the client has all, and may go before the call is over
                return
            await connection.part(self.exchange, body)
            if is_last and not self._is_over:
                connection.end()
        if is_last and not (self._is_over or connection.gone):
            self._end()


@final
class _Incoming(AsgiIncoming):
    """A call whose body may have come already."""

    __slots__ = ("_call",)

    def __init__(self, call: LoopCall, front: AsgiFront, path: str) -> None:
        AsgiIncoming.__init__(
            self, call.exchange.scope, path, front.native, front.lanes, call.receive
        )
        self._call: Final = call

    def plain_body(self, limit: int) -> bytes | None:
        """The body, if all of it has come in the usual form."""
        length = self.plain_length()
        if length is not None and length <= limit and self.first is None:
            body = self._call.whole_body(length)
            if body is not None:
                self.length = length
                return body
        return super().plain_body(limit)

    def broken_off(self) -> Refused:
        """Why the rest of the body will not come."""
        refused = self._call.refused or super().broken_off()
        return Refused(refused.code, refused.headers, **refused.data)
