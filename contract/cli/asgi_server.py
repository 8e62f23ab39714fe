"""
ASGI server: a worker's event loop, which reads and writes its connections itself, for async apps.

A server that reads and writes in a thread of its own, and hands each event over to the thread of
the loop, spends more on that than the call costs.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from contextvars import copy_context
from functools import partial
from time import monotonic
from typing import Any, Final, final

from contract.adapters.asgi import AsgiFront
from contract.adapters.asgi_scope import path_of
from contract.call.log import log_exception
from contract.cli.bounds import NEW, PAUSE, STALLED_AT_END, Bounds
from contract.cli.exchanges import Facts
from contract.cli.lifespan import Lifespan
from contract.cli.loop_calls import LoopCall
from contract.cli.loop_connections import LoopConnection
from contract.cli.signals import Draining, Ties
from contract.cli.worker import Plan, follow_server, load

if sys.platform != "win32":  # pragma: no branch  uvloop does not run there
    import uvloop

__all__ = ["Server", "run"]

_LOG: Final = logging.getLogger("contract.serve")

# 2.3 of the HTTP specification: from 2.4 on, `send` has to raise once the client has gone, and here
# it does nothing then.
_ASGI: Final = {"version": "3.0", "spec_version": "2.3"}

_LOOK: Final = 1.0
"""The longest time between two looks at connections that wait for their clients, in seconds."""

_TICK: Final = 0.01
"""Seconds between two looks at what is left, at the end."""


@final
class Server:
    """
    Serves an app on the running event loop.

    Args:
        app: The app.
        fronts: The fronts of its mounts, if they are known.
        listening: The socket to accept connections from, which other workers share.
        bounds: What clients may take.
        draining: Whether the worker is about to end.

    Attributes:
        connections: The connections.
        facts: What these have in common.
        running: The calls that the app has not ended.
        seconds: How long a client has until its next request.
    """

    def __init__(
        self,
        app: Callable[..., Awaitable[None]],
        fronts: tuple[AsgiFront, ...],
        listening: socket.socket,
        bounds: Bounds,
        draining: Draining,
    ) -> None:
        self._app: Final = app
        self._away = False
        self._bounds: Final = bounds
        self._context: Final = copy_context()
        """The context that each call begins with: the loop's own may be that of an earlier call."""
        self._coming: Final[set[asyncio.Task[Any]]] = set()
        self._draining: Final = draining
        self._is_open = False
        self._listening: Final = listening
        self._loop: Final = asyncio.get_running_loop()
        self._look_seconds: Final = min(_LOOK, bounds.seconds / 10)
        self.connections: Final[set[LoopConnection]] = set()
        host, port = listening.getsockname()[:2]
        self._fronts: Final[dict[str, AsgiFront]] = {}
        for front in fronts:
            self._fronts.update(dict.fromkeys(front.service.paths, front))
        paths = {path.encode(): path for path in self._fronts}
        self.facts: Facts = Facts((str(host), int(port)), paths, draining)
        self.lifespan: Final = Lifespan(app)
        self.running: Final[set[LoopCall]] = set()
        self.seconds: float = bounds.seconds

    async def serve(self, ready: Callable[[], None]) -> None:
        """
        Serve until a signal says stop, finish the calls, and return.

        Args:
            ready: Called once the app has started up.

        Raises:
            SystemExit: It has not.
        """
        stop = asyncio.Event()
        # first, since the start of the app may take long: a signal would end it in the middle
        for number in (signal.SIGTERM, signal.SIGINT):
            self._loop.add_signal_handler(number, stop.set)
        if not await self.lifespan.start():
            sys.exit(1)
        self._tick()
        self._look()
        # other workers share the socket, and may take a connection that this one is told of
        self._listening.setblocking(False)  # noqa: FBT003
        self._open()
        ready()  # not before: the server may now end the worker that this one replaces
        await stop.wait()
        await self._finish()
        await self.lifespan.stop()

    def _tick(self) -> None:
        """Set the time in answers, now and each second: the header Date has whole seconds only."""
        self.facts.clock.tick()
        self._loop.call_later(1, self._tick)

    def _look(self) -> None:
        """Close the connections whose clients have had their time, now and again."""
        now = monotonic()
        for connection in [*self.connections]:
            if connection.until is not None and connection.until <= now:
                connection.close()
            if connection.is_made and connection.is_stalled(now):
                connection.abort()
        self._loop.call_later(self._look_seconds, self._look)

    # Connections.

    def _open(self) -> None:
        """Accept connections, unless it does or must not."""
        if not (self._is_open or self._away):
            self._is_open = True
            self._loop.add_reader(self._listening, self._accept)

    def turn_away(self) -> None:
        """Accept nothing more, from the next connection on; any thread may call this."""
        self._away = True

    def _close(self) -> None:
        self._is_open = False
        self._loop.remove_reader(self._listening)

    def _accept(self) -> None:
        """Accept a connection, or close until there is room for one."""
        if self._away or len(self.connections) >= self._bounds.connections:
            self._close()
            return
        try:
            accepted, peer = self._listening.accept()
        except (BlockingIOError, ConnectionError):
            return  # another worker was faster, or the client has gone
        except OSError as error:  # too many open files
            log_exception("a connection could not be accepted", error)
            self._close()
            self._loop.call_later(PAUSE, self._open)
            return
        accepted.setblocking(False)  # noqa: FBT003
        connection = LoopConnection(self, peer)
        made = self._loop.connect_accepted_socket(lambda: connection, accepted)
        task = self._loop.create_task(made)
        self._coming.add(task)  # the loop itself keeps none
        task.add_done_callback(partial(self._came, connection, accepted))
        self.connections.add(connection)

    def _came(
        self, connection: LoopConnection, accepted: socket.socket, task: asyncio.Task[Any]
    ) -> None:
        self._coming.discard(task)
        if not task.cancelled() and task.exception() is not None:  # the client has gone
            accepted.close()
            self.forget(connection)

    def forget(self, connection: LoopConnection) -> None:
        """Count a connection no longer, which has ended."""
        self.connections.discard(connection)
        self._open()

    # Requests.

    def answer(self, connection: LoopConnection) -> LoopCall:
        """Begin to answer the first request of a connection."""
        call = LoopCall(connection, self.running)
        scope = connection.exchanges[0].scope
        scope["asgi"] = _ASGI
        scope["root_path"] = ""
        # each request has a copy of its own (Lifespan specification, "Lifespan State")
        scope["state"] = self.lifespan.state.copy()
        path = self.facts.paths.get(scope["raw_path"]) or path_of(scope)
        front = self._front_of(path, scope["method"])
        if front is None:
            work = call.ask(self._app)
        else:
            work = call.answer(front, path)
        call.task = self._loop.create_task(work, context=self._context.copy())
        return call

    def _front_of(self, path: str, method: str) -> AsgiFront | None:
        """The front that answers a request without the app, if there is one."""
        front = self._fronts.get(path)
        if front is None:
            return None
        try:
            is_clear = front.answers(path)
        except Exception:  # noqa: BLE001  the router of an app may be anybody's; the app will tell
            return None
        if is_clear and front.service.calls(method, path):
            return front
        return None

    # The end.

    async def _finish(self) -> None:
        """Answer the requests that are there or on their way, and close the connections."""
        self._draining.on = self._away = True
        self.facts.patience = STALLED_AT_END
        self._close()
        self._listening.close()  # the last one to do so makes the kernel refuse connections
        until = monotonic() + NEW
        while self.connections or self.running:
            await asyncio.sleep(_TICK)  # first: what has come is read meanwhile
            now = monotonic()
            for each in [*self.connections]:
                # one that is new may have sent its first request, which nobody has read
                if each.is_idle and (now >= until or not (each.is_new or each.is_deaf)):
                    each.close()
                if each.is_made and each.is_stalled(now):
                    each.abort()


def run(plan: Plan, bounds: Bounds, listening: socket.socket, ties: Ties) -> None:
    """Serve the app of *plan* until the server says stop; a worker's process runs this."""
    served = load(plan)
    draining = Draining()
    draining.on = not bounds.keep_alive

    async def main() -> None:
        server = Server(served.app, served.fronts, listening, bounds, draining)
        follow_server(ties, served, draining, server.turn_away)
        await server.serve(ties.ready)

    # the kind of loop that the system has, where there is no uvloop
    make = None if sys.platform == "win32" else uvloop.new_event_loop
    runner = asyncio.Runner(loop_factory=make)
    try:
        runner.run(main())
    finally:
        try:
            runner.close()
        except (MemoryError, RuntimeError) as error:  # the system allows no more threads, say
            _LOG.warning("the event loop could not be closed: %s", error)
