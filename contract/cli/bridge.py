"""
Bridge: a WSGI app in a server that reads bodies on an event loop of its own.

granian's WSGI reads a body in the thread that runs the app; no client can be hurried there, and nothing from outside can end it. Its ASGI
reads bodies while no thread waits, but wants an event loop in Python, by which a small call costs three times as much. What stands here
takes granian's requests for ASGI without such a loop: what would be scheduled on one runs at once, in the thread of granian's that
brings it, one at a time as long as that is quicker (`contract.cli.turns`).
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from time import monotonic
from typing import Any, Final, cast, final
from urllib.parse import unquote_to_bytes

from contract.cli.bodies import Body
from contract.cli.turns import Turns
from contract.dispatch import Refused, failed
from contract.drivers.wsgi import WsgiIncoming
from contract.message import JSON_HEADERS, PLAIN_TYPES, announced_length
from contract.options import Limits
from contract.service import Service

__all__ = ["Bridge", "Request"]

_LOG: Final = logging.getLogger("contract.serve")

_AHEAD: Final = 1_048_576
"""Bytes of a body that are waited for before an app is called that is not ours; ours says itself how many it takes."""

_HELD: Final = 268_435_456
"""Bytes of bodies that have not come to their end; beyond, the largest are refused."""

_TICK: Final = 0.01
"""Seconds between two looks at calls that are running."""

_BODIES: Final = 0.2
"""Seconds between two looks at the bodies that have not come."""

_STUCK: Final = 10.0
"""Seconds for which no call comes to its end, and none can begin, before those that wait are told so."""


@final
class Request:
    """A request on its way to the app."""

    __slots__ = ("body", "environ", "owner", "proto")

    def __init__(self, proto: Any, environ: dict[str, Any], body: Body, owner: Service | None) -> None:
        self.proto: Final = proto
        self.environ: Final = environ
        self.body: Final = body
        self.owner: Final = owner


class Bridge:
    """
    Serves a WSGI app.

    Args:
        app: The app.
        services: What is behind it, where that is known.
        threads: Calls that run at once.
        sole: Whose every path is.
    """

    def __init__(
        self, app: Callable[..., Iterable[bytes]], services: tuple[Service, ...], threads: int, sole: Service | None = None
    ) -> None:
        self._app: Final = app
        self._sole: Final = sole
        self._services: Final = services
        self._straight: Final = {path: service for service in services for path in service.straight}
        self._limits: Final = _widest(services)
        self._ahead: Final = max([_AHEAD, *(service.options.max_body_bytes + 1 for service in services)])
        self._coming: Final[dict[Request, None]] = {}
        """Whose bodies have not come; whoever takes one out answers it."""
        self._bell: Final = threading.Event()
        self._told = False
        self.threads: Final = threads
        self.turns: Final = Turns(threads, self._bell.set)

    def start(self) -> None:
        """Begin to look at what does not move."""
        threading.Thread(target=self._watch, name="contract-clock", daemon=True).start()

    def take(self, watcher: Any) -> None:
        """A request, from the server."""
        scope: Mapping[str, Any] = watcher.scope
        environ = _environ(scope)
        path: str = environ["PATH_INFO"]
        length = None if "HTTP_TRANSFER_ENCODING" in environ else announced_length(environ.get("CONTENT_LENGTH", "0"))
        proto = watcher.proto
        owner = self._straight.get(path)
        if owner is not None and environ["REQUEST_METHOD"] == "POST" and environ.get("CONTENT_TYPE") in PLAIN_TYPES:
            waits = length is not None and 0 < length <= owner.options.max_body_bytes
        else:
            owner = next((service for service in self._services if service.owns(path)), self._sole)
            waits = length != 0 and (owner is None or owner.awaits(WsgiIncoming(environ, path, _no_native)))
        body = Body(proto.receive, length, self._limits if owner is None else owner.options.limits)
        request = Request(proto, environ, body, owner)
        if waits:
            self._more(request)
        else:
            self.turns.run(self._call, request)

    def _more(self, request: Request) -> None:
        """Wait for more of a body; nobody stands still for it."""
        self._coming[request] = None

        def then(found: Any) -> None:
            if self._coming.pop(request, self) is self:
                return  # it was too late
            body = request.body
            body.keep(body.take(found))
            if body.whole or body.refused is not None or body.received >= self._ahead:
                self.turns.run(self._call, request)
            else:
                self._more(request)

        if self.turns.asleep:
            self.turns.asleep = False
            self._bell.set()
        request.body.ask(then)

    def _call(self, request: Request) -> None:
        """Call the app, and send what it answers; raises nothing."""
        body = request.body
        if body.refused is not None and request.owner is None:
            _refuse(request.proto, body.refused)
            return
        request.environ["wsgi.input"] = body.stream()
        answer = _Answer(request)
        try:
            answer.send(self._app(request.environ, answer.start))
        except BaseException as exception:  # noqa: BLE001  whatever an app raises, there is an answer, and the thread is the server's
            _LOG.error("the app raised: %s %s", request.environ["REQUEST_METHOD"], request.environ["PATH_INFO"], exc_info=exception)
            if not answer.begun:
                _refuse(request.proto, Refused("INTERNAL_ERROR"))

    def _watch(self) -> None:
        turns = self.turns
        looked = quiet = 0.0
        while True:
            now = monotonic()
            if turns.busy:
                turns.look()
                quiet = now
            self._stuck(now)
            if now - looked >= _BODIES:
                looked = now
                self.hurry(now)
            if turns.busy or now - quiet < 1:
                threading.Event().wait(_TICK)
                continue
            self._bell.clear()
            turns.asleep = True
            self._bell.wait(_BODIES if self._coming else 1)  # no longer: one may be taking a turn who has found nobody asleep
            turns.asleep = False

    def hurry(self, now: float) -> None:
        """Answer those whose bodies are too late, or too much for all of them together."""
        late = [(request, "REQUEST_TIMEOUT") for request in list(self._coming) if request.body.due <= now]
        held = sum(request.body.received for request in list(self._coming))
        if held > _HELD:
            largest = sorted(self._coming, key=lambda request: -request.body.received)
            late += [(request, "SERVICE_UNAVAILABLE") for request in largest[: len(largest) // 4 + 1]]
        mine = [(request, code) for request, code in late if self._coming.pop(request, self) is not self]
        if mine:
            threading.Thread(target=self._refuse_late, args=(mine,), name="contract-late", daemon=True).start()

    def _refuse_late(self, late: list[tuple[Request, str]]) -> None:
        for request, code in late:
            request.body.late(code)
            self.turns.offer(self._call, request)

    def _stuck(self, now: float) -> None:
        """Where no call can begin, and none has ended for long, say so, in the log and to those that wait."""
        full = self.turns.full
        if full is None or now - full < _STUCK:
            self._told = False
            return
        if not self._told:
            self._told = True
            _LOG.error("all %s threads have been busy for %g s: calls that wait are answered with 503", self.threads, _STUCK)
        for request in self.turns.stuck():
            _refuse(request.proto, Refused("SERVICE_UNAVAILABLE", (("retry-after", "1"),)))


def _widest(services: tuple[Service, ...]) -> Limits:
    """The limits of bodies that are nobody's: the widest that somebody grants."""
    if not services:
        return Limits()
    every = [service.options.limits for service in services]
    return Limits(read_seconds=max(one.read_seconds for one in every), body_seconds=max(one.body_seconds for one in every))


def _no_native(environ: Mapping[str, Any]) -> Mapping[str, Any]:
    return environ  # pragma: no cover  nobody asks before the app is called


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


@lru_cache(1024)
def _key(name: bytes) -> str:
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


def _environ(scope: Mapping[str, Any]) -> dict[str, Any]:
    """The environ of a request (PEP 3333)."""
    path: str = scope["path"]
    raw: bytes = scope["raw_path"]
    query = scope["query_string"].decode("latin-1")
    target = raw.decode("latin-1")
    if not path.isascii():  # bytes as characters; what was no UTF-8 stands in *path* as U+FFFD
        path = unquote_to_bytes(raw).decode("latin-1")
    environ: dict[str, Any] = {
        **_EVERY,
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "RAW_URI": f"{target}?{query}" if query else target,
        "SERVER_PROTOCOL": "HTTP/1.0" if scope["http_version"] == "1" else f"HTTP/{scope['http_version']}",
        "wsgi.url_scheme": scope["scheme"],
    }
    environ["SERVER_NAME"], environ["SERVER_PORT"] = scope["server"]
    environ["REMOTE_ADDR"], environ["REMOTE_PORT"] = scope["client"]
    for name, value in scope["headers"]:
        key = _key(name)
        text = value.decode("latin-1")
        if key in environ:
            text = f"{environ[key]}{';' if key == 'HTTP_COOKIE' else ','}{text}"
        environ[key] = text
    return environ


class _Answer:
    """What an app answers to one request."""

    __slots__ = ("_head", "_proto", "_written", "begun")

    def __init__(self, request: Request) -> None:
        self._proto: Final = request.proto
        self._head: dict[str, Any] | None = None
        self._written: list[bytes] = []
        self.begun = False

    def start(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], None]:
        """``start_response``."""
        if exc_info is not None and self.begun:
            raise exc_info[1].with_traceback(exc_info[2])
        pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        self._head = {"type": "http.response.start", "status": int(status[:3]), "headers": pairs}
        return self._written.append

    def send(self, body: Iterable[bytes]) -> None:
        """Send all of *body*, which is closed at the end."""
        try:
            if isinstance(body, list) and not self._written:
                self._begin()
                self._proto.send({"type": "http.response.body", "body": b"".join(body)})
            else:
                self._send_parts(body)
        finally:
            close = getattr(cast("object", body), "close", None)
            if close is not None:
                close()

    def _begin(self) -> None:
        if self._head is None:
            raise RuntimeError("the app gave a body without calling start_response")
        self.begun = True
        self._proto.send(self._head)

    def _send_parts(self, body: Iterable[bytes]) -> None:
        gone = _Gone(self._proto)
        for part in body:
            if self._written:
                part, self._written[:] = b"".join(self._written) + part, []
            if not part:
                continue
            if not self.begun:
                self._begin()
                gone.listen()
            if gone.now:
                return
            _wait_for(self._proto.send({"type": "http.response.body", "body": part, "more_body": True}))
        rest = b"".join(self._written)
        if not self.begun:
            self._begin()
        _wait_for(self._proto.send({"type": "http.response.body", "body": rest}))


class _Gone:
    """Whether the client has gone; nothing is sent for anybody any more."""

    __slots__ = ("_proto", "now")

    def __init__(self, proto: Any) -> None:
        self._proto: Final = proto
        self.now = False

    def listen(self) -> None:
        self._proto.receive().add_done_callback(self._heard)

    def _heard(self, found: Any) -> None:
        if found.result()["type"] == "http.disconnect":
            self.now = True
        else:
            self.listen()


def _wait_for(sent: Any) -> None:
    """Wait until there is room again, where the client takes a response more slowly than it is made."""
    if hasattr(sent, "add_done_callback"):
        done = threading.Event()

        def then(_found: Any) -> None:
            done.set()

        sent.add_done_callback(then)
        done.wait()


def _refuse(proto: Any, refused: Refused) -> None:
    """Answer without the app."""
    reply = failed(refused.code, refused.headers, **refused.data)
    headers = [*JSON_HEADERS.raw, *((name.encode(), value.encode()) for name, value in refused.headers)]
    headers.append((b"content-length", b"%d" % len(reply.body)))
    proto.send({"type": "http.response.start", "status": reply.status, "headers": headers})
    proto.send({"type": "http.response.body", "body": reply.body})
