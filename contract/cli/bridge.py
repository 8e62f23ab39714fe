"""
Bridge: a WSGI app in a server whose event loop reads the bodies.

granian's WSGI reads a body in the thread that runs the app; there, a slow client cannot be timed
out, and nothing from outside can end the read. Its ASGI reads bodies without a waiting thread, but
wants an event loop in Python, which triples the cost of a small call. The bridge takes granian's
ASGI requests without such a loop. Callbacks run at once, in the granian thread that brings them,
and one at a time as long as that is faster (`contract.cli.turns`).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from time import monotonic, sleep
from typing import Any, Final, cast, final

from contract.adapters.asgi_scope import Scope, path_of
from contract.adapters.pool import Lanes, full
from contract.adapters.unfinished import MOST_HELD, largest_of
from contract.adapters.wsgi import WsgiApp, WsgiFront
from contract.adapters.wsgi_calls import WsgiIncoming
from contract.call.incoming import CLOSING, Refused
from contract.call.message import BrokenOff, announced_length
from contract.call.mount_options import Limits
from contract.call.service import Service
from contract.cli.granian_bodies import Body, Leftovers
from contract.cli.granian_calls import (
    CLOSE,
    Call,
    Place,
    environ_of,
    is_addressed,
    refuse,
    send_parts,
)
from contract.cli.signals import Draining
from contract.cli.turns import Turns

__all__ = ["Bridge", "Request"]

_LOG: Final = logging.getLogger("contract.serve")

_AHEAD: Final = 1_048_576
"""
How many bytes of a body to wait for before the app is called, if no mount sets a limit.
"""

_TICK: Final = 0.01
"""Seconds between two looks at running calls."""

_BODIES: Final = 0.2
"""Seconds between two looks at bodies that have not come to their end."""

_PROMPT: Final = 0.1
"""
Seconds in which nearly every body has come.

If one has not, the caller is authenticated first, in another thread than that of the call.
"""

_STUCK: Final = 10.0
"""
How long all calls may be stuck, in seconds, before those that wait are refused.
"""


@final
class Request:
    """
    A request for the app to answer.

    Attributes:
        ahead: How many bytes of its body to wait for before the app is called.
        body: Its body.
        proto: The server's side of the request.
        watcher: Tells the server about a body that never ends.
    """

    __slots__ = (
        "_app",
        "_begun",
        "_draining",
        "_environ",
        "_foreign",
        "_head",
        "_written",
        "ahead",
        "body",
        "proto",
        "watcher",
    )

    def __init__(
        self,
        app: Callable[..., Iterable[bytes]],
        environ: dict[str, Any],
        watcher: Any,
        body: Body,
        ahead: int,
        draining: Draining,
        *,
        foreign: bool,
    ) -> None:
        self._app: Final = app
        self._environ: Final = environ
        self._foreign: Final = foreign
        self._draining: Final = draining
        self._head: dict[str, Any] | None = None
        self._written: Final[list[bytes]] = []
        self._begun = False
        self.ahead: Final = ahead
        self.body: Final = body
        self.proto: Final[Any] = watcher.proto
        self.watcher: Final = watcher

    @property
    def unread(self) -> bool:
        """Whether its body may have bytes that nobody has read."""
        return not self.body.whole

    def answer(self) -> None:
        """Call the app and send its answer; never raises."""
        body, environ = self.body, self._environ
        if body.refused is not None and self._foreign:
            refuse(self.proto, body.refused, self._draining)
            return
        environ["wsgi.input"] = body.stream()
        try:
            self._send(self._app(environ, self._start))
        except BrokenOff as broken:
            self.watcher.err(broken)
        except BaseException as exception:  # noqa: BLE001
            # whatever an app raises, there is an answer: the thread belongs to the server
            _LOG.error(
                "the app raised: %s %s",
                environ["REQUEST_METHOD"],
                environ["PATH_INFO"],
                exc_info=exception,
            )
            if not self._begun:
                refuse(self.proto, Refused("INTERNAL_ERROR"), self._draining)
        finally:
            body.drop()

    def _start(
        self, status: str, headers: list[tuple[str, str]], exc_info: Any = None
    ) -> Callable[[bytes], None]:
        """``start_response``."""
        if exc_info is not None and self._begun:
            raise exc_info[1].with_traceback(exc_info[2])
        pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        if self._draining.on:
            pairs.append(CLOSE)
        self._head = {"type": "http.response.start", "status": int(status[:3]), "headers": pairs}
        return self._written.append

    def _send(self, body: Iterable[bytes]) -> None:
        """Send all of *body*, and close it."""
        try:
            if isinstance(body, list) and not self._written:
                self._begin()
                self.proto.send({"type": "http.response.body", "body": b"".join(body)})
            else:
                send_parts(self.proto, self._parts(body), self.body)
        finally:
            close = getattr(cast("object", body), "close", None)
            if close is not None:
                close()

    def _begin(self) -> None:
        if self._head is None:
            raise RuntimeError("the app gave a body without calling start_response")
        self._begun = True
        self.proto.send(self._head)

    def _parts(self, body: Iterable[bytes]) -> Iterator[bytes]:
        """
        The non-empty parts of the body, after anything that was written before them.

        The response starts with the first one.
        """
        for part in chain(body, (b"",)):
            whole, self._written[:] = b"".join((*self._written, part)), []
            if whole:
                if not self._begun:
                    self._begin()
                yield whole
        if not self._begun:
            self._begin()


class Bridge:
    """
    Serves a WSGI app to granian.

    Args:
        app: The app.
        fronts: The fronts of its mounts, if they are known.
        threads: How many calls run at once.
        draining: Whether the worker is about to end.
        patience: How many seconds a client may go on with a body that was refused.
    """

    def __init__(
        self,
        app: Callable[..., Iterable[bytes]],
        fronts: tuple[WsgiFront, ...],
        threads: int,
        draining: Draining | None = None,
        patience: float = 10.0,
    ) -> None:
        self._app: Final = app
        self._leftovers: Final = Leftovers(patience)
        self._sole: Final = app.service if isinstance(app, WsgiApp) else None
        """The only service, if every path belongs to it."""
        self._draining: Final = draining or Draining()
        self._services: Final = tuple(front.service for front in fronts)
        places = [Place(front, path) for front in fronts for path in front.service.paths]
        # nearly all requests are found by the bytes that were sent; a path needs no encoding
        self._places: Final[Mapping[str | bytes, Place]] = {
            key: place for place in places for key in (place.path, place.path.encode())
        }
        self._limits: Final = _widest(self._services)
        self._lanes: Final = Lanes(self._limits)
        self._coming: Final[dict[Request | Call, None]] = {}
        """Requests whose bodies have not come; whoever removes one must answer it."""
        self._bell: Final = threading.Event()
        self._told = False
        self.threads: Final = threads
        self.turns: Final = Turns(threads, self._bell.set)

    def start(self) -> None:
        """Start the thread that watches calls and bodies."""
        threading.Thread(target=self._watch, name="contract-clock", daemon=True).start()

    def take(self, watcher: Any) -> None:
        """
        Take a request from the server; never raises.

        The server's thread would swallow the exception and go on.
        """
        proto = watcher.proto
        try:
            scope: Scope = watcher.scope
            place = self._places.get(scope["raw_path"])
            if place is None:
                path = path_of(scope)
                place = self._places.get(path)
                if place is None:
                    self._take_other(scope, path, watcher, None)
                    return
            method = scope["method"]
            if (method != "POST" and not (method == "GET" and place.reads)) or (
                not place.front.answers(place.path)
            ):
                self._take_other(scope, place.path, watcher, place)
                return
            call = Call(scope, place, watcher, proto, self._draining)
            if not call.is_addressed:
                self._refuse(proto, _unaddressed())
            elif not call.waits:
                self.turns.run(self._answer, call)
            elif place.form is None or call.checked:
                self._await_body(call, self.turns.run)
            else:
                self.turns.run(self._ask_first, call)
        except BaseException as exception:  # noqa: BLE001  the router of an app may be anybody's
            _LOG.error("a request could not be taken", exc_info=exception)
            self._refuse(proto, Refused("INTERNAL_ERROR"))

    def _take_other(self, scope: Scope, path: str, watcher: Any, place: Place | None) -> None:
        """
        Take a request that only the app can answer.

        If it is a call, at a known *place*, the app is called when all of the body has come, so
        that no thread waits for it.
        """
        if not is_addressed(scope):
            self._refuse(watcher.proto, _unaddressed())
            return
        owner = next((service for service in self._services if service.owns(path)), self._sole)
        environ = environ_of(scope)
        incoming = WsgiIncoming(environ, path, dict, self._lanes)
        length = (
            None if incoming.chunked else announced_length(incoming.header("content-length") or "0")
        )
        body = Body(
            watcher.proto.receive, length, self._limits if owner is None else owner.options.limits
        )
        ahead = _AHEAD if owner is None else owner.options.max_body_bytes + 1
        request = Request(
            self._app,
            environ,
            watcher,
            body,
            ahead if place is None else place.ahead,
            self._draining,
            foreign=owner is None,
        )
        if length != 0 and (owner is None or owner.awaits(incoming)):
            if place is not None and place.form is not None:
                body.spools(place.form.max_bytes)
            self._await_body(request, self.turns.run)
        else:
            self.turns.run(self._answer, request)

    def _answer(self, request: Request | Call) -> None:
        request.answer()
        self._leave(request)

    def _leave(self, request: Request | Call) -> None:
        """Read what is left of a body, unless its client has gone or is too slow."""
        refused = request.body.refused
        # dropped as it comes, it takes no memory and no disk, for lack of which it may be refused
        if request.unread and (refused is None or refused.code == "SERVICE_UNAVAILABLE"):
            self._leftovers.read(request.proto.receive)

    def _refuse(self, proto: Any, refused: Refused) -> None:
        """Refuse a request without asking the app, and read what is left of its body."""
        refuse(proto, refused, self._draining)
        self._leftovers.read(proto.receive)
        self._ring()

    def _await_body(self, request: Request | Call, run: _Run) -> None:
        """Wait for more of a body, without blocking a thread."""
        self._coming[request] = None
        self._ring()
        request.body.ask(partial(self._take_part, request, run))

    def _ring(self) -> None:
        """Wake the watcher, if it sleeps: there is something to look at."""
        if self.turns.asleep:
            self.turns.asleep = False
            self._bell.set()

    def _take_part(self, request: Request | Call, run: _Run, _found: object = None) -> None:
        """Keep the part that came; then answer the request, or wait for more."""
        body = request.body
        body.came = True
        if not self._taken(request):
            # it came too late, or another thread is authenticating the caller and will look for it
            return
        body.keep(body.take())
        if body.whole or body.refused is not None or body.received >= request.ahead:
            run(self._answer, request)
        else:
            self._await_body(request, run)

    def _ask_first(self, call: Call) -> None:
        """Authenticate the caller of a call with files, then wait for them."""
        if call.authenticate():
            self._leave(call)
        else:
            self._await_body(call, self.turns.offer)  # this thread has a turn

    def _authenticate(self, call: Call) -> None:
        """
        Authenticate the caller while the body is on its way; no other thread handles the call.
        """
        if call.authenticate():
            self._leave(call)
            return
        self._coming[call] = None
        if call.body.came:
            self._take_part(call, self.turns.offer)

    def _taken(self, request: Request | Call) -> bool:
        """Whether this thread is the one that answers *request*, which waited for its body."""
        return self._coming.pop(request, self) is not self

    def _watch(self) -> None:
        turns = self.turns
        looked = quiet = 0.0
        done = 0
        while True:
            now = monotonic()
            if turns.busy:
                turns.look()
                quiet = now
            else:
                turns.full = None  # every turn is free, so nothing is stuck any more
                if turns.done != done:  # between two calls: the next one need not ring
                    done, quiet = turns.done, now
            self._refuse_stuck(now)
            if now - looked >= _BODIES:
                looked = now
                self.hurry(now)
            if turns.busy or now - quiet < 1:
                sleep(_TICK)
                continue
            self._bell.clear()
            turns.asleep = True
            # no longer: a thread may be taking a turn that found nobody asleep
            self._bell.wait(_BODIES if self._coming or self._leftovers.any else 1)
            turns.asleep = False

    def hurry(self, now: float) -> None:
        """Answer requests whose bodies are late or too large, and authenticate waiting calls."""
        late: list[tuple[Request | Call, str]] = []
        unknown: list[Call] = []
        self._leftovers.hurry(now)
        held = 0
        for request in list(self._coming):
            body = request.body
            held += body.held
            if body.due <= now:
                late.append((request, "REQUEST_TIMEOUT"))
            elif isinstance(request, Call) and not request.checked and now - body.began >= _PROMPT:
                unknown.append(request)
        if held > MOST_HELD:
            largest = largest_of(self._coming, lambda request: request.body.held)
            late += [(request, "SERVICE_UNAVAILABLE") for request in largest]
        jobs: list[tuple[Callable[[Any], None], Any]] = []
        for request, code in [each for each in late if self._taken(each[0])]:
            request.body.refuse(code)
            jobs.append((self._answer, request))
        jobs += [(self._authenticate, call) for call in unknown if self._taken(call)]
        if jobs:
            # not in this thread: an app may take long, and the clock must go on
            threading.Thread(
                target=self.turns.offer_all, args=(jobs,), name="contract-late", daemon=True
            ).start()

    def _refuse_stuck(self, now: float) -> None:
        """Refuse the waiting calls and log it, if for long no call has ended and none can start."""
        since = self.turns.full
        if since is None or now - since < _STUCK:
            self._told = False
            return
        if not self._told:
            self._told = True
            _LOG.error(
                "all %s threads have been busy for %g s: calls that wait are answered with 503",
                self.threads,
                _STUCK,
            )
        for request in self.turns.stuck():
            request.body.cancel()  # a part of it may be on its way
            request.body.drop()
            refuse(request.proto, full(), self._draining)
            self._leave(request)


def _unaddressed() -> Refused:
    told = "Send the header Host, and send it once."
    return Refused("BAD_REQUEST", CLOSING, message=told)


_Run = Callable[[Callable[[Any], None], Any], None]
"""A way to have a thread run a job: `Turns.run` or `Turns.offer`."""


def _widest(services: tuple[Service, ...]) -> Limits:
    """The limits of a body that belongs to no service: the widest of all."""
    if not services:
        return Limits()
    every = [service.options.limits for service in services]
    return Limits(
        read_seconds=max(one.read_seconds for one in every),
        body_seconds=max(one.body_seconds for one in every),
    )
