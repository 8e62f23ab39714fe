"""
WSGI server: a worker that reads and writes its connections itself, for synchronous apps.

A server that reads in one thread and calls the app in another spends more on handing each call over
than the call costs. Here the thread that reads a request also answers it, until a call waits
(`contract.cli.turns`). Nobody waits for a body: a call is answered when its body has come.
"""

from __future__ import annotations

import logging
import os
import selectors
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import monotonic, sleep
from typing import Any, Final, cast, final

from contract.adapters.pool import full
from contract.adapters.unfinished import MOST_HELD, largest_of
from contract.adapters.wsgi import WsgiFront
from contract.call.incoming import Refused
from contract.call.log import log_exception
from contract.cli.bodies import Body
from contract.cli.bounds import NEW, PAUSE, STALLED_AT_END, Bounds
from contract.cli.direct_calls import Call
from contract.cli.exchanges import Facts
from contract.cli.signals import Draining, Ties
from contract.cli.socket_connections import SocketConnection
from contract.cli.tasks import Tasks
from contract.cli.turns import Turns
from contract.cli.worker import Plan, follow_server, load

__all__ = ["Server", "run"]

_LOG: Final = logging.getLogger("contract.serve")

_RETRY: Final = 0.01
"""Seconds until the connections are served again, after that has failed."""

_LOOK: Final = 0.1
"""Seconds between two looks at bodies, at connections without a request, and at the end."""

_PROMPT: Final = 0.1
"""
Seconds in which nearly every body has come.

If one has not, the caller is authenticated before it.
"""

_STUCK: Final = 10.0
"""
How long all calls may be stuck, in seconds, before those that wait are refused.
"""

_READ: Final = selectors.EVENT_READ
_WRITE: Final = selectors.EVENT_WRITE


@final
class Server:
    """
    Serves a WSGI app in threads of its own.

    Args:
        app: The app.
        fronts: The fronts of its mounts, if they are known.
        listening: The socket to accept connections from, which other workers may share.
        threads: How many calls run at once.
        bounds: What clients may take.
        draining: Whether the worker is about to end.
    """

    def __init__(
        self,
        app: Callable[..., Iterable[bytes]],
        fronts: tuple[WsgiFront, ...],
        listening: socket.socket,
        threads: int,
        bounds: Bounds,
        draining: Draining,
    ) -> None:
        self._bounds: Final = bounds
        self._draining: Final = draining
        self._listening: Final = listening
        host, port = listening.getsockname()[:2]
        self._tasks: Final = Tasks(app, fronts)
        self._facts: Final = Facts((str(host), int(port)), self._tasks.paths, draining)
        # all of these belong to the leader, so they need no lock: it is one thread at a time
        self._selector: Final = selectors.DefaultSelector()
        self._connections: Final[set[SocketConnection]] = set()
        self._coming: Final[dict[SocketConnection, None]] = {}
        """Those whose requests wait for their bodies."""
        self._due: Final[
            deque[tuple[Callable[[SocketConnection], None], SocketConnection, Body]]
        ] = deque()
        """The jobs that are due for some of these, for whoever leads then."""
        self._is_open = False
        self._opens_at: float | None = None
        """When to accept again, after the system could not take a connection."""
        self._stopped_at: float | None = None
        self._looked = self._looks_idle_at = self._ticks_at = 0.0
        self._idle_look: Final = min(1.0, max(_LOOK, bounds.seconds / 10))
        """Seconds between two looks at connections that wait for their clients."""
        # every thread may use the others
        self._away = False
        self._stopping = False
        self._finished: Final = threading.Event()
        self._returned: Final[deque[SocketConnection]] = deque()
        """Connections whose requests have been answered by a thread that does not lead."""
        self._wakes: Final = os.pipe()
        self._woken = False
        """Whether the leader is being woken already, which spares another write."""
        self._told = False
        """Whether the log says that all calls are stuck."""
        self.threads: Final = threads
        self.turns: Final = Turns(threads, self._lead, self._wake)

    # For the process around it.

    def start(self) -> None:
        """Start to serve, in threads."""
        # other workers share the socket, and may take a connection that this one is told of
        self._listening.setblocking(False)  # noqa: FBT003
        for end in self._wakes:
            os.set_blocking(end, False)
        self._selector.register(self._wakes[0], _READ)
        self._open()
        self.turns.start()
        threading.Thread(
            target=self.turns.watch, args=(self._finished,), name="contract-clock", daemon=True
        ).start()

    def turn_away(self) -> None:
        """Accept nothing more; any thread may call this."""
        self._away = True
        self._wake()

    def stop(self) -> None:
        """Answer the requests that are there or on their way, close the connections, and return."""
        self._draining.on = self._away = self._stopping = True
        self._facts.patience = STALLED_AT_END
        self._wake()
        self._finished.wait()

    def _wake(self) -> None:
        """Wake the leader."""
        # without a lock: if two threads come here at once, the leader reads both bytes
        if not self._woken:
            self._woken = True
            with suppress(BlockingIOError):  # there is enough to wake it
                os.write(self._wakes[1], b"x")

    # The leader.

    def _lead(self) -> None:
        """Read the connections and answer, as long as this thread leads."""
        leads = True
        while leads and not self._finished.is_set():
            try:
                leads = self._look()
            except Exception as error:  # noqa: BLE001  the lead must not be lost
                log_exception("connections could not be served", error)
                sleep(_RETRY)  # it may be so for long, if the kernel lacks memory

    def _look(self) -> bool:
        """Go on with what can be read or written, and is due; whether this thread still leads."""
        select = self._selector.select
        # without waiting at first: if there is nothing, the clock learns that turns are not short
        found = select(0)
        if not found:
            self.turns.idle += 1
            found = select(self._pause())
        now = monotonic()
        if now >= self._ticks_at:  # the header Date has whole seconds only
            self._ticks_at = now + 1
            self._facts.clock.tick()
        # first, since each call passes the lead on while several turns are free
        if now - self._looked >= _LOOK and not self._tend(now):
            return False
        for key, events in found:
            if not (self._handle(key.data, key.fileobj, events) and self._settle()):
                return False
        return self._catch_up(now)

    def _pause(self) -> float | None:
        """How long to wait for connections."""
        if self._returned or self._due:
            return 0
        if self._coming or self._stopping or self._opens_at is not None or self.turns.jobs:
            return _LOOK
        if self._connections:
            return self._idle_look
        return None

    def _handle(self, connection: SocketConnection | None, file: Any, events: int) -> bool:
        """Go on with what can be read or written; whether this thread still leads."""
        if connection is None:
            if file is self._listening:
                self._accept()
            else:
                os.read(self._wakes[0], 64)
                self._woken = False  # not before: a byte might be read whose writer has set it
            return True
        if connection not in self._connections:
            return True  # it was closed a moment ago
        try:
            if connection.busy:
                self._park(connection)
            elif connection.unsent or events & _WRITE:
                return self._flush(connection)
            else:
                connection.read()
                return self._begin(connection)
        except Exception as error:  # noqa: BLE001  the lead must not be lost
            log_exception("a connection could not be served", error)
            self._close(connection)
        return True

    def _park(self, connection: SocketConnection) -> None:
        """Hear no more of one that another thread has: the kernel would tell again and again."""
        connection.parked = True
        self._selector.unregister(connection)

    def _flush(self, connection: SocketConnection) -> bool:
        connection.flush()
        if not connection.is_sent:
            return True
        self._selector.modify(connection, _READ, connection)
        if connection.is_answered:
            return self._end_exchange(connection)
        return self._begin(connection)  # that was a 100, so the body is still to come

    def _catch_up(self, now: float) -> bool:
        """Do what other threads left to the leader; whether this thread still leads."""
        # each step may answer a call, with which this thread may lose the lead
        if (self._returned or self.turns.jobs or self._due) and not (
            self._settle() and self.turns.run_waiting() and self._run_due()
        ):
            return False
        if self._away and self._is_open:
            self._close_door()
        if self._stopping:
            self._finish(now)
        return True

    def _tend(self, now: float) -> bool:
        """Do what is due by its time; whether this thread still leads."""
        self._looked = now
        if self._opens_at is not None and now >= self._opens_at:
            self._open()
        if now >= self._looks_idle_at:
            self._looks_idle_at = now + self._idle_look
            self._end_idle(now)
        return self._refuse_stuck(now) and self._hurry(now)

    # Connections.

    def _open(self) -> None:
        """Accept connections, unless it does or must not."""
        self._opens_at = None
        if not (self._is_open or self._away):
            try:
                self._selector.register(self._listening, _READ)
            except OSError as error:  # the kernel lacks memory
                self._open_later(error)
            else:
                self._is_open = True

    def _close_door(self) -> None:
        self._is_open = False
        self._selector.unregister(self._listening)

    def _open_later(self, error: OSError) -> None:
        """Accept nothing for a moment, since the system could not take a connection."""
        log_exception("a connection could not be accepted", error)
        self._opens_at = monotonic() + PAUSE

    def _accept(self) -> None:
        """Accept a connection, or close the door until there is room for one."""
        if self._away or len(self._connections) >= self._bounds.connections:
            self._close_door()
            return
        try:
            accepted, peer = self._listening.accept()
        except (BlockingIOError, ConnectionError):
            return  # another worker was faster, or the client has gone
        except OSError as error:  # too many open files
            self._close_door()
            self._open_later(error)
            return
        accepted.setblocking(False)  # noqa: FBT003
        # what is sent in two writes, as a large answer is, does not wait for an acknowledgement of
        # the first one (Nagle's algorithm; RFC 9293, section 3.7.4)
        with suppress(OSError):
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = SocketConnection(accepted, peer, self._facts)
        try:
            self._selector.register(connection, _READ, connection)
        except OSError as error:  # the kernel lacks memory
            connection.close()
            self._close_door()
            self._open_later(error)
            return
        self._connections.add(connection)
        self._await_client(connection)

    def _await_client(self, connection: SocketConnection) -> None:
        """Give a client its time for the next request, or to go."""
        connection.until = monotonic() + self._bounds.seconds

    def _end_idle(self, now: float) -> None:
        """Close the connections whose clients have had their time, or take nothing any more."""
        for connection in list(self._connections):
            if connection.until is not None and connection.until <= now:
                self._close(connection)
            elif not connection.busy and connection.is_answered and connection.is_stalled(now):
                connection.gone = True
                self._end_exchange(connection)

    def _close(self, connection: SocketConnection) -> None:
        self._coming.pop(connection, None)
        self._connections.discard(connection)
        if not connection.parked:
            with suppress(KeyError):  # the kernel could not watch it for something else
                self._selector.unregister(connection)
        connection.close()
        if not self._is_open and self._opens_at is None:  # there is room for another one now
            self._open()

    def _hang_up(self, connection: SocketConnection) -> None:
        """Close a connection when its client does, or has had its time for that."""
        connection.hang_up()
        self._await_client(connection)

    def _finish(self, now: float) -> None:
        """Close the connections without a request, and end when there are no others."""
        if self._stopped_at is None:
            self._stopped_at = now
            self._listening.close()  # the last one to do so makes the kernel refuse connections
        is_over = now - self._stopped_at >= NEW
        for connection in list(self._connections):
            # what was accepted may have sent its first request, which nobody has read
            is_awaited = not is_over and (connection.is_new or connection.is_deaf)
            if connection.until is not None and not (is_awaited or connection.has_more):
                self._close(connection)
        if not self._connections:
            self._finished.set()

    # Requests.

    def _begin(self, connection: SocketConnection) -> bool:
        """
        Answer the first request of a connection, or wait for what it needs.

        Return whether this thread still leads.
        """
        if not connection.exchanges:
            if connection.gone:
                self._close(connection)
            elif connection.must_hang_up:
                self._hang_up(connection)
            return True
        # 1. Find what answers it, unless it is here again because more of its body has come. From
        #    now on the body has a time, and not the client.
        task = connection.task
        if task is None:
            connection.until = None
            task = connection.task = self._tasks.task_for(connection)
        # 2. Answer it, if nothing more is to be waited for. Most requests come as a whole, so
        #    `_run` is written out here, and `_coming`, which is nearly always empty, is looked at
        #    first.
        body = connection.exchanges[0].body
        if body.whole or body.refused or body.received >= task.ahead or not task.waits:
            if self._coming:
                self._coming.pop(connection, None)
            connection.busy = True
            return self.turns.run(self._answer, connection)
        # 3. Authenticate the caller before files are taken; `_settle` comes back here after that.
        if task.asks_first:
            return self._run(self._authenticate, connection)
        # 4. Wait for the body.
        connection.proceed()
        if connection.unsent:  # the client reads nothing, so it cannot know that it may go on
            self._selector.modify(connection, _WRITE, connection)
        body.wait(task.limits)
        self._coming[connection] = None
        return True

    def _run(self, job: Callable[[SocketConnection], None], connection: SocketConnection) -> bool:
        self._coming.pop(connection, None)
        connection.busy = True
        return self.turns.run(job, connection)

    def _answer(self, connection: SocketConnection) -> None:
        """Answer the first request of a connection; in any thread."""
        try:
            connection.task.answer()
        except BaseException as exception:  # noqa: BLE001  whatever it is, there is an answer
            self._fail(connection, exception)
        connection.task = None
        self._returned.append(connection)  # last: from here on it belongs to the leader

    def _authenticate(self, connection: SocketConnection) -> None:
        """Authenticate the caller while the body is on its way; in any thread."""
        try:
            if cast("Call", connection.task).authenticate():
                connection.task = None
        except BaseException as exception:  # noqa: BLE001  whatever it is, there is an answer
            self._fail(connection, exception)
            connection.task = None
        self._returned.append(connection)  # last: from here on it belongs to the leader

    def _fail(self, connection: SocketConnection, exception: BaseException) -> None:
        log_exception("a request could not be answered", exception)
        if connection.exchanges[0].begun:
            connection.break_off()
        else:
            connection.refuse(Refused("INTERNAL_ERROR"))

    def _settle(self) -> bool:
        """Go on with the connections that have been given back; whether this thread still leads."""
        returned = self._returned
        while returned:
            connection = returned.popleft()
            connection.busy = False
            try:
                if connection.parked:
                    self._selector.register(connection, _READ, connection)
                    connection.parked = False
                if connection.task is None:
                    leads = self._end_exchange(connection)
                else:  # its caller is known now, and its body is still to come
                    leads = self._begin(connection)
                if not leads:
                    return False
            except Exception as error:  # noqa: BLE001  the lead must not be lost
                log_exception("a connection could not be served", error)
                self._close(connection)
        return True

    def _end_exchange(self, connection: SocketConnection) -> bool:
        """
        Go on after an answer, once all of it is sent; whether this thread still leads.
        """
        if connection.unsent and not connection.gone:
            self._selector.modify(connection, _WRITE, connection)
            return True
        exchange = connection.end_first()
        body = exchange.body
        # one that is whole and in memory goes with its exchange; of the others more may come, or a
        # file is to be closed
        if not body.whole or body.is_on_disk:
            body.drop()
        if connection.gone:
            self._close(connection)
        elif not exchange.keeps:
            # if anything of the client's is unread, the kernel would reset a closed connection, and
            # the answer could be lost with it (RFC 9112, section 9.6)
            if body.whole and not (
                connection.is_deaf or connection.exchanges or connection.has_more
            ):
                self._close(connection)
            else:
                self._hang_up(connection)
        else:
            connection.until = monotonic() + self._bounds.seconds
            if connection.exchanges or connection.is_deaf:
                return self._begin(connection)
        return True

    # What is due by its time.

    def _hurry(self, now: float) -> bool:
        """
        Answer requests whose bodies are late or too large, and authenticate waiting calls.

        Return whether this thread still leads.
        """
        # 1. Find the bodies that are late, and the callers that nobody knows yet.
        late: dict[SocketConnection, str] = {}
        unknown: list[SocketConnection] = []
        for connection in self._coming:
            body = connection.exchanges[0].body
            if body.due <= now:
                late[connection] = "REQUEST_TIMEOUT"
            elif not connection.task.checked and now - body.began >= _PROMPT:
                unknown.append(connection)
        # 2. If all take too much memory, with those that wait for a turn, find the largest.
        holding: list[SocketConnection] = [*self._coming, *self.turns.waiting()]
        if sum(map(_held_by, holding)) > MOST_HELD:
            for each in largest_of(holding, _held_by):
                if each in self._coming:
                    late[each] = "SERVICE_UNAVAILABLE"
                elif self.turns.withdraw(each):
                    self._refuse_waiting(each)
        # 3. Do it, but one by one from a queue: with each of them this thread may lose the lead.
        for connection, code in late.items():
            body = connection.exchanges[0].body
            body.refuse(code)
            self._due.append((self._answer, connection, body))
        for connection in unknown:
            self._due.append((self._authenticate, connection, connection.exchanges[0].body))
        return self._run_due()

    def _run_due(self) -> bool:
        """
        Do what is due; whether this thread still leads.

        If it does not, the next one goes on at once: there may be thousands of late bodies.
        """
        while self._due:
            job, connection, body = self._due.popleft()
            # since this was put into the queue, the body may have come, and been answered
            waits = connection in self._coming and connection.exchanges[0].body is body
            if waits and not (self._run(job, connection) and self._settle()):
                return False
        return True

    def _refuse_stuck(self, now: float) -> bool:
        """
        Refuse the waiting calls and log it, if for long no call has ended and none can start.

        Return whether this thread still leads.
        """
        since = self.turns.full
        if since is None or now - since < _STUCK:
            self._told = False
            return True
        if not self._told:
            self._told = True
            _LOG.error(
                "all %s threads have been busy for %g s: calls that wait are answered with 503",
                self.threads,
                _STUCK,
            )
        for connection in self.turns.stuck():
            self._refuse_waiting(connection)
        return self._settle()

    def _refuse_waiting(self, connection: SocketConnection) -> None:
        """Answer a request that waited for a turn, without one."""
        try:
            if isinstance(connection.task, Call):
                connection.task.abandon()
            connection.refuse(full())
        except BaseException as exception:  # noqa: BLE001  whatever it is, there is an answer
            self._fail(connection, exception)
        connection.task = None
        self._returned.append(connection)


def _held_by(connection: SocketConnection) -> int:
    """How many bytes of the body of its first request are in memory."""
    return connection.exchanges[0].body.held


def run(plan: Plan, threads: int, bounds: Bounds, listening: socket.socket, ties: Ties) -> None:
    """Serve the app of *plan* until the server says stop; a worker's process runs this."""
    served = load(plan)
    draining = Draining()
    draining.on = not bounds.keep_alive
    server = Server(served.app, served.fronts, listening, threads, bounds, draining)
    stopped, stop = os.pipe()

    def heard(*_: object) -> None:
        os.write(stop, b"x")  # to set an event could wait for a lock that this very thread has

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, heard)
    follow_server(ties, served, draining, server.turn_away)
    server.start()
    ties.ready()  # not before: the server may now end the worker that this one replaces
    os.read(stopped, 1)
    server.stop()
