"""
Service: one request to one response, without sockets; what an adapter puts into a web framework.

The checks come in this order: route, method, credentials, size, media type, input, resolver, output.
Whatever is refused is refused before the body is asked for.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final, Literal

from contract._spec import Spec
from contract.auth import NoToken, bearer_token, challenge
from contract.call import CURRENT, OK, READ, CallEvent, Flow, Raised, Reply, request_id
from contract.dispatch import Bound, ErrorMapper, Refused, authenticate, bind, failed, invoke, output_of
from contract.exceptions import MountError
from contract.log import CALLS, log_call, log_exception
from contract.message import JSON_HEADERS, FixedHeaders, Incoming, Response, announced_length, is_json, short

__all__ = ["Limits", "Options", "Service"]


@dataclass(frozen=True, slots=True)
class Limits:
    """
    What one mount grants its callers.

    Attributes:
        read_seconds: Without progress of a body before 408 (ASGI; a WSGI server has its own).
        deadline_seconds: For a call, before 504; None for no limit. A thread cannot be stopped: what a synchronous resolver still does
            after its deadline goes on, and only its reply is dropped.
        threads: Synchronous resolvers that run at once on ASGI.
        queue: Calls that may wait for a thread before the answer is 503.
    """

    read_seconds: float = 10.0
    deadline_seconds: float | None = None
    threads: int = 40
    queue: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a mount; `contract.mount_spec` takes each as a keyword of the same name."""

    prefix: str = ""
    docs: bool = True
    docs_path: str = "/docs"
    mcp_path: str | None = "/mcp"
    visibility: Literal["public", "all"] = "public"
    max_body_bytes: int = 1_048_576
    logging: bool = True
    on_call: Callable[[CallEvent], None] | None = None
    handle_unhandled_error: ErrorMapper | None = None
    cors_origins: Sequence[str] = ()
    health_path: str | None = None
    limits: Limits = Limits()

    def __post_init__(self) -> None:
        for name in ("prefix", "docs_path", "mcp_path", "health_path"):
            path: str | None = getattr(self, name)
            if path and (not path.startswith("/") or path.endswith("/") or "//" in path or not _plain(path)):
                problem = f"{path!r} is no path; write it like '/v1': a slash in front, none behind, in letters, digits and '-_.~'"
                raise MountError(f"mount_spec({name}=)", problem)
        if isinstance(self.cors_origins, str):
            raise MountError("mount_spec(cors_origins=)", "a string is not a list of origins; write ['https://app.example']")
        for origin in self.cors_origins:
            if not origin.startswith(("http://", "https://")) or origin.endswith("/") or origin.count("/") != 2:
                raise MountError(
                    "mount_spec(cors_origins=)", f"{origin!r} is no origin; write it like 'https://app.example', without a path"
                )
        if self.max_body_bytes < 1:
            raise MountError("mount_spec(max_body_bytes=)", "must be at least 1")


def _plain(path: str) -> bool:
    return path.isascii() and all(c.isalnum() or c in "/-_.~" for c in path)


_NO_BODY_HEADERS: Final = FixedHeaders(("x-content-type-options", "nosniff"), ("cache-control", "no-store"))
_VARY: Final = (("vary", "Origin"),)
_MEDIA_TYPE: Final = "Send the body as application/json in UTF-8."
_ALLOW: Final = (("allow", "OPTIONS, POST"),)
_CORS_PREFLIGHT: Final = (
    ("access-control-allow-methods", "POST"),
    ("access-control-allow-headers", "authorization, content-type, x-request-id"),
    ("access-control-max-age", "600"),
)


class Service:
    """
    A spec with the options of one mount.

    Attributes:
        spec: What is served.
        options: How.
        routes: Full path -> route, ready to be called.
    """

    def __init__(self, spec: Spec[Any], options: Options | None = None) -> None:
        options = Options() if options is None else options
        self.spec: Final = spec
        self.options: Final = options
        bound = bind(spec, map_error=options.handle_unhandled_error)
        self._refuse_own_names(bound)
        self.routes: Final[Mapping[str, Bound]] = {f"{options.prefix}/{name}": found for name, found in bound.items()}
        self.straight: Final[Mapping[str, Bound]] = {
            path: found for path, found in self.routes.items() if found.direct and not found.notices and not options.cors_origins
        }
        """
        Those where nothing waits but the body, and where success has always the same headers. Most calls of most services are of these,
        and with a body in the form that nearly all come in: for them drivers go straight to `conclude`, at half of what the flow costs.
        """
        self.straight_inline: Final[Mapping[str, Bound]] = {path: found for path, found in self.straight.items() if found.inline}
        """Those of them that may run on an event loop."""
        self._prefix: Final = f"{options.prefix}/"
        self._health: Final = None if options.health_path is None else options.prefix + options.health_path
        self._origins: Final = frozenset(options.cors_origins)
        self._limit: Final = options.max_body_bytes
        self._logs: Final = options.logging
        self._on_call: Final = options.on_call
        self._missing: Final = (("www-authenticate", challenge(spec.meta.title, invalid=False)),)
        self._invalid: Final = (("www-authenticate", challenge(spec.meta.title, invalid=True)),)
        self.draining = False
        """Set when the server stops: the health route then says 503."""

    def _refuse_own_names(self, bound: Mapping[str, Bound]) -> None:
        options = self.options
        own = {"contract.json", "openapi.json"} if options.docs else set[str]()
        paths = (options.docs_path if options.docs else None, options.mcp_path, options.health_path)
        own |= {path.split("/")[1] for path in paths if path}
        for name in bound:
            if name in own:
                raise MountError(
                    name,
                    "the mount needs this path itself; give the route another name, or move the mount's own with docs_path= or mcp_path=",
                )

    def warm_up(self) -> None:
        """Compile now what would be compiled at the first call of each route."""
        for pred in {id(pred): pred for bound in self.routes.values() for pred in bound.preds()}.values():
            pred.compile()

    def owns(self, path: str) -> bool:
        """Whether *path* is this mount's: below a prefix everything, at the root its own names, slashes too many or not."""
        if self.options.prefix:
            return path.startswith(self._prefix)
        return path == self._health or "/" + "/".join(filter(None, path.split("/"))) in self.routes

    def respond(self, incoming: Incoming) -> Flow[Response]:
        """The response to *incoming*; total, whatever it holds."""
        found = self.admit(incoming)
        return found if isinstance(found, Response) else (yield from self.proceed(incoming, found))

    def admit(self, incoming: Incoming) -> Bound | Response:
        """The route that *incoming* calls, or the response where it calls none; from here on `current_call` knows it."""
        incoming.request_id = request_id(incoming.sent_id)
        incoming.started = perf_counter()
        bound = self.routes.get(incoming.path)
        if bound is None or incoming.method != "POST":
            return self._finish(incoming, None if bound is None else bound.name, self._not_a_call(incoming, bound))
        incoming.route = bound.name
        CURRENT.set(incoming)
        return bound

    def proceed(self, incoming: Incoming, bound: Bound) -> Flow[Response]:
        """The response to a call that has been admitted."""
        ctx: Any = None
        reply: Reply | None = None
        if bound.auth:
            ctx, reply = yield from self._authenticate(incoming, bound)
            if reply is not None:
                return self._finish(incoming, bound.name, reply, bound.notices)
        reply = self._refuse_framing(incoming)
        if reply is not None:
            return self._finish(incoming, bound.name, reply, bound.notices)
        outcome = yield READ
        if isinstance(outcome, Raised):
            return self.unreadable(incoming, bound, outcome.exception)
        body: bytes = outcome.value
        if incoming.content_type is None and body:
            return self.unreadable(incoming, bound, Refused("UNSUPPORTED_MEDIA_TYPE", message=_MEDIA_TYPE))
        incoming.offload = not bound.inline
        reply = yield from invoke(bound, body, ctx, incoming.request, incoming.request_id)
        return self._finish(incoming, bound.name, reply, bound.notices)

    def conclude(self, incoming: Incoming, bound: Bound, body: bytes) -> bytes | Response:
        """
        What comes of a plain call of a `straight` route: for a success its body alone, to be sent with `JSON_HEADERS` and the request id.

        Whoever calls this has done what `admit` does, and seen that `proceed` would not refuse the body.
        """
        CURRENT.set(incoming)
        outcome = output_of(bound, body, None, incoming.request, incoming.request_id)
        if isinstance(outcome, Reply):
            return self._finish(incoming, bound.name, outcome)
        if self._on_call is not None or (self._logs and CALLS.isEnabledFor(logging.INFO)):
            self._tell(incoming, bound.name, Reply(200, OK, outcome))
        return outcome

    def unreadable(self, incoming: Incoming, bound: Bound, exception: BaseException) -> Response:
        """The response to a body that could not be read, or is of no type."""
        if isinstance(exception, Refused):
            reply = failed(exception.code, exception.headers, **exception.data)
        else:
            log_exception("reading the body raised", exception, route=bound.name, request_id=incoming.request_id)
            reply = failed("BAD_REQUEST", message="The body could not be read.")
        return self._finish(incoming, bound.name, reply, bound.notices)

    def cancelled(self, incoming: Incoming) -> None:
        """Tell of a call whose client has gone; what is still running has no reply to give."""
        self._tell(incoming, incoming.route, Reply(499, "CANCELLED", b""))

    def broken(self, incoming: Incoming, status: int, message: str) -> Response:
        """The response to a request that is no HTTP that we speak: BAD_REQUEST with *status* (400, 414, 431 or 505)."""
        incoming.request_id = request_id(incoming.sent_id)
        incoming.started = perf_counter()
        reply = failed("BAD_REQUEST", message=message)
        reply.status = status
        return self._finish(incoming, None, reply)

    def _authenticate(self, incoming: Incoming, bound: Bound) -> Flow[tuple[Any, Reply | None]]:
        found = bearer_token(incoming.authorization)
        if isinstance(found, NoToken):
            if found is NoToken.REPEATED:
                return None, failed("BAD_REQUEST", message="Send the Authorization header once, with one token.")
            return None, failed("UNAUTHORIZED", self._missing if found is NoToken.MISSING else self._invalid)
        incoming.offload = True
        ctx, reply = yield from authenticate(self.spec, bound, found, incoming.request(), incoming.request_id)
        if reply is not None and reply.code == "UNAUTHORIZED":
            reply.headers = self._invalid
        return ctx, reply

    def _refuse_framing(self, incoming: Incoming) -> Reply | None:
        """What the headers alone forbid; in the order 413, 415. Notes down the length."""
        length = 0 if incoming.content_length is None else announced_length(incoming.content_length)
        if length is None or (incoming.chunked and incoming.content_length is not None):
            return failed("BAD_REQUEST", message="Content-Length is not one number, or stands beside Transfer-Encoding.")
        if length > self._limit:
            return failed("PAYLOAD_TOO_LARGE", limit=self._limit)
        incoming.length = length
        if incoming.content_encoding is not None and incoming.content_encoding.strip().lower() not in ("", "identity"):
            return failed("UNSUPPORTED_MEDIA_TYPE", (("accept-encoding", "identity"),), message="Send the body without a Content-Encoding.")
        kind = incoming.content_type
        if kind == "application/json" or (kind is None and not length):
            return None  # an empty body needs no type; whether a body in chunks is empty is seen when it is read
        return None if kind is not None and is_json(kind) else failed("UNSUPPORTED_MEDIA_TYPE", message=_MEDIA_TYPE)

    def _not_a_call(self, incoming: Incoming, bound: Bound | None) -> Reply:
        if bound is None:
            if incoming.path == self._health and incoming.method in ("GET", "HEAD"):
                return failed("SERVICE_UNAVAILABLE") if self.draining else Reply(200, "OK", b'{"ready":true}')
            return failed("ROUTE_NOT_FOUND", route=short(incoming.path.removeprefix(self._prefix), 64))
        if incoming.method == "OPTIONS":
            allowed = incoming.origin in self._origins
            return Reply(204, "OK", b"", _ALLOW + _CORS_PREFLIGHT if allowed else _ALLOW)
        return failed("METHOD_NOT_ALLOWED", _ALLOW)

    def _finish(self, incoming: Incoming, route: str | None, reply: Reply, notices: tuple[tuple[str, str], ...] = ()) -> Response:
        status = reply.status
        if self._on_call is not None or (self._logs and (status >= 500 or CALLS.isEnabledFor(logging.INFO))):
            self._tell(incoming, route, reply)
        headers = reply.headers
        if notices or self._origins:
            headers += notices + self._cors(incoming)
        return Response(status, reply.body, incoming.request_id, _NO_BODY_HEADERS if status == 204 else JSON_HEADERS, headers)

    def _cors(self, incoming: Incoming) -> tuple[tuple[str, str], ...]:
        if not self._origins:
            return ()
        origin = incoming.origin
        if origin is None or origin not in self._origins:
            return _VARY
        return (*_VARY, ("access-control-allow-origin", origin), ("access-control-expose-headers", "x-request-id, retry-after"))

    def _tell(self, incoming: Incoming, route: str | None, reply: Reply) -> None:
        """Log the call and give it to ``on_call``; what either raises costs nobody a reply."""
        duration = perf_counter() - incoming.started
        event = CallEvent(route, incoming.surface, reply.code, reply.status, duration, incoming.request_id, reply.exception)
        if self._logs:
            with suppress(BaseException):  # a broken handler of the user's; there is nowhere left to report it
                log_call(event)
        if self._on_call is not None:
            try:
                self._on_call(event)
            except BaseException as exception:  # noqa: BLE001
                log_exception("on_call raised", exception, route=route, request_id=incoming.request_id)
