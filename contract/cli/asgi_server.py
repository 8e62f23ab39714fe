"""
ASGI server: a worker's event loop, which reads and writes its connections itself.

A server that reads and writes in a thread of its own, and hands each event over to the thread of
the loop, spends more on that than the call costs. So an async app is served by uvicorn's protocol
for HTTP.
Nothing else is uvicorn's: the processes, the listening socket and how they end are those of every
worker of ours.

uvicorn leaves it to a proxy to bound what a client may send and how long it may take. `Connection`
bounds both, and knows the protocol's attributes, which are not documented. So the release is pinned
in pyproject.toml, and `tests.test_private_parts` reports what a new one lacks.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import Callable, Iterable
from email.utils import formatdate
from typing import Any, Final, cast, final

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from contract.call.log import log_exception
from contract.cli.bounds import (
    HEADERS,
    INVALID,
    LARGE,
    NEW,
    PAUSE,
    PIPELINED,
    Bounds,
    Fault,
    fault_in,
    refusal,
)
from contract.cli.signals import Draining, Ties
from contract.cli.worker import Plan, follow_server, load

__all__ = ["Connection", "Server", "config_of", "run"]


@final
class _Transport:
    """
    What a connection's answers are written to; to close it is up to the connection.

    Its attributes are those of *transport*: a method in between would cost each call more.
    """

    __slots__ = ("abort", "close", "is_closing", "write", "write_eof")

    def __init__(self, transport: asyncio.Transport, close: Callable[[], None]) -> None:
        self.abort: Final = transport.abort
        self.close: Callable[[], None] = close
        self.is_closing: Callable[[], bool] = transport.is_closing
        self.write: Final = transport.write
        self.write_eof: Final = transport.write_eof


class Connection(HttpToolsProtocol):
    """
    The connection of a client.

    uvicorn's timer for idle connections is running whenever no request is being answered: from the
    beginning, and after each answer, until the headers of the next request are complete. So it also
    ends a connection that brings its headers bit by bit, or goes on with a body that was refused.
    """

    def __init__(self, server: Server) -> None:
        super().__init__(server.config, server.state, server.lifespan.state, server.loop)
        self._server: Final = server
        self._unseen = 0
        """Bytes since the parser last gave the headers, a part of the body or its end."""
        self._earlier: Final[list[Any]] = []
        """The requests before one that waits for their answers."""
        self._is_whole = True
        self._refused = False
        self._fault: Fault | None = None

    @property
    def is_new(self) -> bool:
        """Whether there has been no request."""
        return cast("Any", self).cycle is None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a request."""
        own = cast("asyncio.Transport", transport)
        super().connection_made(own)
        self._close: Callable[[], None] = own.close
        self.transport: Any = _Transport(own, self._end)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        self.transport.close = self._close  # nothing more comes, and a circle would stay in memory
        super().connection_lost(exc)
        self._lose(self._earlier)  # it tells only the last one
        self._stop_waiting()  # the timer would keep the connection in memory
        self._server.open()

    def timeout_keep_alive_handler(self) -> None:
        """Close at once: the client has had its time."""
        self._close()

    def _end(self) -> None:
        """
        Close, as soon as the client does if it is still sending a body, whose rest is not read.

        If that was closed, the kernel would reset the connection, and the client might not get the
        answer; a proxy would send its own 502 (RFC 9112, section 9.6).
        """
        if self._is_whole:
            self._close()
        else:
            self._stop_reading()
            self.transport.is_closing = lambda: True
            self.flow.resume_reading()

    def _stop_reading(self) -> None:
        """Read nothing more, and give the client time to close its end."""
        self._refused = True
        self.transport.write_eof()
        self._wait()

    def _wait(self) -> None:
        self._stop_waiting()
        self.timeout_keep_alive_task = self.loop.call_later(
            self.timeout_keep_alive, self.timeout_keep_alive_handler
        )

    def _stop_waiting(self) -> None:
        if self.timeout_keep_alive_task is not None:
            self.timeout_keep_alive_task.cancel()
            self.timeout_keep_alive_task = None

    def data_received(self, data: bytes) -> None:
        """Parse what has come."""
        if self._refused:
            return
        self._unseen += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._go_on(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self._refuse(self._fault or INVALID)
        else:
            if self._unseen > HEADERS:
                self._refuse(LARGE)

    def _go_on(self, rest: bytes) -> None:
        """
        Read a request again without its ``Upgrade``, which may be ignored (RFC 9110, section 7.8).

        The parser takes what follows for another protocol, but clients that offer HTTP/2 (Java's)
        send their request in this form.
        """
        line = b"%b %b HTTP/%b\r\n" % (
            self.parser.get_method(),
            self.url,
            self.parser.get_http_version().encode(),
        )
        lines = [b"%b: %b\r\n" % each for each in self.headers if each[0] != b"upgrade"]
        self.parser: httptools.HttpRequestParser = httptools.HttpRequestParser(self)
        self.data_received(b"".join((line, *lines, b"\r\n", rest)))

    def on_headers_complete(self) -> None:
        """
        Begin with the answer.

        Raises:
            ValueError: The request is not to be answered, for which the parser raises its own.
        """
        parser, headers = self.parser, self.headers
        if parser.should_upgrade():
            if parser.get_method() == b"CONNECT":
                raise ValueError
            return
        if len(self.pipeline) >= PIPELINED:
            raise ValueError
        self._fault = fault_in(self.url, headers, parser.get_http_version(), self._unseen)
        if self._fault is not None:
            raise ValueError
        self._unseen = 0
        self._stop_waiting()
        before = self.cycle
        HttpToolsProtocol.on_headers_complete(self)
        self._is_whole = False
        if self.pipeline:
            self._earlier.append(before)
        elif self._earlier:
            self._earlier.clear()
        # what comes after the body in the form of headers is none of the request's
        self.headers: list[tuple[bytes, bytes]] = []
        if (
            self._server.draining.on
            or self.scope["http_version"] != "1.1"
            # nobody knows whether a client sends its body if it gets an answer instead of the 100
            or self.expect_100_continue
        ):
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        """Keep a part of the body until it is read."""
        self._unseen = 0
        HttpToolsProtocol.on_body(self, body)

    def on_message_complete(self) -> None:
        """Record that the body is complete."""
        if not self.parser.should_upgrade():
            self._unseen = 0
            self._is_whole = True
            HttpToolsProtocol.on_message_complete(self)

    def _refuse(self, fault: Fault) -> None:
        """Read nothing more; answer if that cannot be taken for the answer to another request."""
        self._refused = True
        if not self._is_whole:  # the wrong bytes are in a body
            if self.cycle.response_started or self.pipeline:
                self.transport.abort()
                return
            self._lose([self.cycle])
        elif not (self.is_new or self.cycle.response_complete):
            # the answers to the requests before come first, and nothing else
            self.cycle.keep_alive = False
            return
        # the parser knows the method if it came to the end of the headers
        self.transport.write(refusal(fault, self.parser.get_method() if self._fault else b""))
        self._stop_reading()

    def _lose(self, cycles: Iterable[Any]) -> None:
        """Tell the calls of *cycles* that the client has gone."""
        for each in cycles:
            each.disconnected = True
            each.message_event.set()


@final
class Server:
    """
    Serves an app on the running event loop.

    Args:
        config: uvicorn's, with the app.
        listening: The socket to accept connections from, which other workers share.
        bounds: What clients may take.
        draining: Whether the worker is about to end.
    """

    def __init__(
        self, config: uvicorn.Config, listening: socket.socket, bounds: Bounds, draining: Draining
    ) -> None:
        self.config: Final = config
        self.draining: Final = draining
        self.lifespan: Final[Any] = config.lifespan_class(config)
        self.loop: Final = asyncio.get_running_loop()
        self.state: Final = ServerState()
        self._away = False
        self._listening: Final = listening
        self._bounds: Final = bounds
        self._is_open = False
        self._coming: Final[set[asyncio.Task[Any]]] = set()

    async def serve(self, ready: Callable[[], None]) -> None:
        """
        Serve until a signal says stop, finish the calls, and return.

        Args:
            ready: Called once the app has started up.

        Raises:
            SystemExit: It has not.
        """
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            self.loop.add_signal_handler(number, stop.set)
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            sys.exit(1)
        self._date()
        self._listening.setblocking(False)  # noqa: FBT003
        self.open()
        ready()
        await stop.wait()
        await self._finish()
        await self.lifespan.shutdown()

    def _date(self) -> None:
        now = formatdate(usegmt=True).encode()
        self.state.default_headers = [(b"date", now)]
        self.loop.call_later(1, self._date)

    def open(self) -> None:
        """Accept connections, unless it does or must not."""
        if not (self._is_open or self._away):
            self._is_open = True
            self.loop.add_reader(self._listening, self._accept)

    def turn_away(self) -> None:
        """Accept nothing more, from the next connection on; any thread may call this."""
        self._away = True

    def _close(self) -> None:
        self._is_open = False
        self.loop.remove_reader(self._listening)

    def _accept(self) -> None:
        """Accept a connection, or close until there is room for one."""
        if (
            self._away
            or len(self.state.connections) + len(self._coming) >= self._bounds.connections
        ):
            self._close()
            return
        try:
            accepted, _ = self._listening.accept()
        except (BlockingIOError, ConnectionError):
            return  # another worker was faster, or the client has gone
        except OSError as error:  # too many open files
            log_exception("a connection could not be accepted", error)
            self._close()
            self.loop.call_later(PAUSE, self.open)
            return
        accepted.setblocking(False)  # noqa: FBT003
        made = self.loop.connect_accepted_socket(lambda: Connection(self), accepted)
        task = self.loop.create_task(made)
        self._coming.add(task)
        task.add_done_callback(self._came)

    def _came(self, task: asyncio.Task[Any]) -> None:
        self._coming.discard(task)
        self.open()  # it was counted twice for a moment

    async def _finish(self) -> None:
        """Answer the requests that are there or on their way, and close the connections."""
        self.draining.on = self._away = True
        self._close()
        self._listening.close()  # the last one to do so makes the kernel refuse connections
        until = self.loop.time() + NEW
        connections = cast("set[Connection]", self.state.connections)
        while self._is_awaited(connections) and self.loop.time() < until:
            await asyncio.sleep(0.01)
        for each in [*connections]:
            each.shutdown()
        while connections or self.state.tasks:
            await asyncio.sleep(0.01)

    def _is_awaited(self, connections: set[Connection]) -> bool:
        """Whether a connection may have sent its first request, which nobody has read."""
        return bool(self._coming) or any(each.is_new for each in connections)


def config_of(app: Callable[..., Any], bounds: Bounds) -> uvicorn.Config:
    """The configuration of uvicorn's protocol."""
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        interface="asgi3",
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=cast("int", bounds.seconds),  # it may have a fraction
    )
    config.load()
    return config


def run(plan: Plan, bounds: Bounds, listening: socket.socket, ties: Ties) -> None:
    """Serve the app of *plan* until the server says stop; a worker's process runs this."""
    served = load(plan)
    draining = Draining()
    draining.on = not bounds.keep_alive
    config = config_of(served.app, bounds)

    async def main() -> None:
        server = Server(config, listening, bounds, draining)
        follow_server(ties, served, draining, server.turn_away)
        await server.serve(ties.ready)

    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(main())
