"""
Service: one request to one response, without sockets; what an adapter puts into a web framework.

The checks come in this order: route, method, credentials, size, media type, input, resolver, output.
Whatever is refused is refused before the body is asked for.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import suppress
from time import perf_counter
from typing import Any, Final, cast, final

from contract._record import record
from contract._spec import AnySpec
from contract.auth import TOO_LONG, NoToken, bearer_token, challenge
from contract.call import CURRENT, OK, READ, CallEvent, Flow, Outcome, Raised, Reply, request_id
from contract.dispatch import Bound, Refused, authenticate, bind, failed, invoke, output_of
from contract.docs import Shown, docs
from contract.exceptions import MountError
from contract.log import CALLS, log_call, log_exception
from contract.mcp import Answer, Batched, Endpoint, McpOptions, Opened, refusal, unreadable
from contract.mcp.answers import JSON_ANSWER
from contract.mcp.edge import Edge
from contract.message import JSON_HEADERS, FixedHeaders, Incoming, Response, Streamed, announced_length, is_json, preflight, short
from contract.options import Limits, Options, check_is, check_spec, own_names

__all__ = ["Limits", "Options", "Service"]


_BARE_HEADERS: Final = FixedHeaders(("x-content-type-options", "nosniff"), ("cache-control", "no-store"))
_MESSAGE_HEADERS: Final = FixedHeaders(*JSON_HEADERS.pairs, ("vary", "Origin"))
"""Of nearly every answer to a message that comes from no page."""
_MEDIA_TYPE: Final = "Send the body as application/json in UTF-8."
_ALLOW: Final = (("allow", "OPTIONS, POST"),)
_SHOWN: Final = (("allow", "GET, HEAD, OPTIONS"),)
_CALL_IT: Final = "Call a route with POST; its input is the JSON body."
_GET_IT: Final = "Ask for this with GET."
_SENT: Final = ("authorization", "content-type", "x-request-id")


class Service:
    """
    A spec with the options of one mount.

    Attributes:
        spec: What is served.
        options: How.
        routes: Full path -> route, ready to be called.
    """

    def __init__(self, spec: AnySpec, options: Options | None = None) -> None:
        check_spec("Service(spec=)", spec)
        options = Options() if options is None else options
        check_is("Service(options=)", options, Options, "write Options(...), or leave it out")
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
        self._documents: Final = self._published()
        self._below_docs: Final = f"{options.prefix}{options.docs_path}/" if options.docs else None
        self._mcp: Final = None if options.mcp_path is None else self._opened(options.mcp_path, bound)
        self._mcp_paths: Final = frozenset[str]() if self._mcp is None else self._mcp.edge.paths | self._mcp.edge.metadata_paths
        self._health: Final = None if options.health_path is None else options.prefix + options.health_path
        self._origins: Final = frozenset(options.cors_origins)
        self._preflight: Final = _ALLOW + preflight((*_SENT, *options.cors_headers))
        self._limit: Final = options.max_body_bytes
        self._logs: Final = options.logging
        self._on_call: Final = options.on_call
        self._missing: Final = (("www-authenticate", challenge(spec.meta.title, invalid=False)),)
        self._invalid: Final = (("www-authenticate", challenge(spec.meta.title, invalid=True)),)
        self._too_long: Final = (("www-authenticate", challenge(spec.meta.title, invalid=True, why=TOO_LONG)),)
        self.draining: bool = False
        """Set by `drain`: the health route then says 503."""
        self.stuck: Callable[[], bool] = _never
        """Set by an adapter with threads of its own: whether nothing moves in them; the health route then says 503, too."""

    def _refuse_own_names(self, bound: Mapping[str, Bound]) -> None:
        own = own_names(self.options)
        for name in bound:
            if name in own:
                advice = f"the mount needs this path itself, by {own[name]}=; give the route another name, or change that option"
                raise MountError(name, advice)

    def _published(self) -> Mapping[str, Shown]:
        return docs(self.spec, self.options)

    def _opened(self, path: str, bound: Mapping[str, Bound]) -> _Tools:
        options = self.options
        told = McpOptions(
            origins=tuple(options.mcp_origins),
            headers=tuple(options.cors_headers),
            challenge=options.mcp_challenge,
            authorization_servers=tuple(options.authorization_servers),
        )
        return _Tools(
            Edge(options.prefix, path, self.spec.meta.title, told, options.public_url),
            Endpoint(self.spec, bound, told, visibility=options.visibility),
        )

    def warm_up(self) -> None:
        """Do now what would be done at the first call of each route, and at the first request for each document."""
        for document in self._documents.values():
            document.warm_up()
        for pred in {id(pred): pred for bound in self.routes.values() for pred in bound.preds()}.values():
            pred.compile()

    def drain(self) -> None:
        """Say 503 on the health route from now on, so that balancers send their calls elsewhere; every call is answered as before."""
        self.draining = True

    def owns(self, path: str) -> bool:
        """Whether *path* is this mount's: below a prefix everything, at the root its own names, slashes too many or not, and its docs."""
        if path in self._mcp_paths:
            return True
        if self.options.prefix:
            return path.startswith(self._prefix)
        if self._below_docs is not None and path.startswith(self._below_docs):
            return True
        return path == self._health or path in self._documents or "/" + "/".join(filter(None, path.split("/"))) in self.routes

    def shows(self, path: str) -> bool:
        """Whether there is a document, a page or a file of the mount's at *path*."""
        return path in self._documents

    def awaits(self, incoming: Incoming) -> bool:
        """Whether the answer to *incoming* may need its body, as far as its headers tell: whoever reads bodies ahead asks before."""
        bound = self.routes.get(incoming.path)
        if bound is None or incoming.method != "POST":
            return incoming.method == "POST" and incoming.path in self._mcp_paths
        return not (bound.auth and incoming.authorization is None) and self._refuse_framing(incoming) is None

    def respond(self, incoming: Incoming) -> Flow[Response]:
        """The response to *incoming*; total, whatever it holds."""
        found = self.admit(incoming)
        return found if isinstance(found, Response) else (yield from self.proceed(incoming, found))

    def admit(self, incoming: Incoming) -> Bound | Endpoint | Response:
        """
        The route that *incoming* calls, or the response where it calls none; from here on `current_call` knows it.

        For a message to the MCP endpoint it is the endpoint, which has to read the body to know what is called.
        """
        incoming.request_id = request_id(incoming.sent_id)
        incoming.started = perf_counter()
        bound = self.routes.get(incoming.path)
        if bound is None or incoming.method != "POST":
            if self._mcp is not None and incoming.path in self._mcp_paths:
                return self._admit_message(incoming, self._mcp)
            document = self._documents.get(incoming.path)
            if document is not None and incoming.method in ("GET", "HEAD"):
                return self._show(incoming, document)
            return self._finish(incoming, None if bound is None else bound.name, self._not_a_call(incoming, bound))
        incoming.route = bound.name
        CURRENT.set(incoming)
        return bound

    def proceed(self, incoming: Incoming, bound: Bound | Endpoint) -> Flow[Response]:
        """The response to a call, or to a message, that has been admitted."""
        if isinstance(bound, Endpoint):
            answer = yield from bound.respond(incoming, incoming.query)
            return self._answered(incoming, cast("_Tools", self._mcp).edge, answer)
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

    def open(self, incoming: Incoming, endpoint: Endpoint, outcome: Outcome) -> Response | Opened | Batched:
        """
        The response to a message whose body has been read, or what is to be run for it: `go_on` does.

        Plain calls of tools need no flow, as those of routes do not (`straight`): what comes of them is given at once.

        Args:
            incoming: What has been admitted.
            endpoint: What it has been admitted to.
            outcome: The body, or what was raised in its place.
        """
        edge = cast("_Tools", self._mcp).edge
        if isinstance(outcome, Raised):
            return self._answered(incoming, edge, unreadable(outcome.exception, incoming.request_id))
        found = endpoint.open(incoming, outcome.value, incoming.query, at_once=True)
        return self._answered(incoming, edge, found) if isinstance(found, Answer) else found

    def go_on(self, incoming: Incoming, endpoint: Endpoint, opened: Opened | Batched) -> Flow[Response]:
        """The response to a message that has been opened."""
        answer = yield from endpoint.proceed(incoming, opened)
        return self._answered(incoming, cast("_Tools", self._mcp).edge, answer)

    def conclude(self, incoming: Incoming, bound: Bound, body: bytes) -> bytes | Response:
        """
        What comes of a plain call of a `straight` route: for a success its body alone, to be sent with `JSON_HEADERS` and the request id.

        Whoever calls this has done what `admit` does, and seen that `proceed` would not refuse the body.
        """
        CURRENT.set(incoming)
        outcome = output_of(bound, body, None, incoming.request, incoming.request_id)
        if isinstance(outcome, Reply):
            return self._finish(incoming, bound.name, outcome)
        if self._on_call is not None or (self._logs and CALLS.isEnabledFor(logging.INFO)):  # `_note`, without making a reply for nobody
            self._tell(incoming, bound.name, Reply(200, OK, outcome))
        return outcome

    def unreadable(self, incoming: Incoming, bound: Bound, exception: BaseException) -> Response:
        """The response to a body that could not be read, or is of no type; run in the context of the call."""
        CURRENT.set(incoming)
        if isinstance(exception, Refused):
            reply = failed(exception.code, exception.headers, **exception.data)
        else:
            log_exception("reading the body raised", exception, route=bound.name, request_id=incoming.request_id)
            reply = failed("BAD_REQUEST", message="The body could not be read.")
        return self._finish(incoming, bound.name, reply, bound.notices)

    def streamed(self, incoming: Incoming, parts: Iterator[bytes] | AsyncIterator[bytes]) -> Response:
        """The response to a message whose answer comes in *parts*, as events; the flow goes on, and is told of when it ends."""
        return Streamed(incoming.request_id, () if self._mcp is None else self._mcp.edge.cors(incoming), parts)

    def cancelled(self, incoming: Incoming) -> None:
        """Tell of a call whose client has gone; what is still running has no reply to give."""
        if self._mcp is None or incoming.path not in self._mcp_paths:
            self._tell(incoming, incoming.route, Reply(499, "CANCELLED", b""))
            return
        answer = Answer(499, b"", "CANCELLED", 499)
        answer.tool = next((name for name, tool in self._mcp.endpoint.tools.items() if tool.bound.name == incoming.route), None)
        answer.route = None if answer.tool is None else incoming.route
        self._tell_answer(incoming, answer)

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
            asked = {NoToken.MISSING: self._missing, NoToken.TOO_LONG: self._too_long}.get(found, self._invalid)
            return None, failed("UNAUTHORIZED", asked)
        incoming.offload = True
        ctx, reply = yield from authenticate(self.spec, bound, found, incoming.request(), incoming.request_id)
        if reply is not None and reply.code == "UNAUTHORIZED":
            reply.headers = self._invalid
        return ctx, reply

    def _refuse_framing(self, incoming: Incoming) -> Reply | None:
        """What the headers alone forbid; in the order 413, 415. Notes down the length."""
        announced = incoming.content_length
        length = 0 if announced is None else announced_length(announced)
        if length is None or (announced is not None and incoming.chunked):
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

    def _admit_message(self, incoming: Incoming, mcp: _Tools) -> Endpoint | Response:
        """What headers alone decide of a request to one of the paths of MCP."""
        if incoming.path in mcp.edge.metadata_paths:
            return self._answered(incoming, mcp.edge, mcp.edge.show(incoming))
        incoming.route = ""
        answer = mcp.edge.refuse(incoming)
        if answer is None:
            reply = self._refuse_framing(incoming)
            if reply is None:
                return mcp.endpoint
            answer = refusal(reply)
        return self._answered(incoming, mcp.edge, answer)

    def _answered(self, incoming: Incoming, edge: Edge, answer: Answer) -> Response:
        """The response with an *answer* to a request to one of the paths of MCP."""
        for each in answer.parts or (answer,):
            if self._on_call is not None or (self._logs and (each.outcome >= 500 or CALLS.isEnabledFor(logging.INFO))):
                self._tell_answer(incoming, each)
        if answer.headers is JSON_ANSWER and incoming.origin is None:
            return Response(answer.status, answer.body, incoming.request_id, _MESSAGE_HEADERS, ())
        headers = edge.located(incoming, answer.headers) + edge.cors(incoming)
        return Response(answer.status, answer.body, incoming.request_id, _BARE_HEADERS, headers)

    def _not_a_call(self, incoming: Incoming, bound: Bound | None) -> Reply:
        if bound is None:
            if incoming.path == self._health and incoming.method in ("GET", "HEAD"):
                ready = not (self.draining or self.stuck())
                return Reply(200, OK, b'{"ready":true}') if ready else failed("SERVICE_UNAVAILABLE")
            if incoming.path == self._health or incoming.path in self._documents:
                if incoming.method == "OPTIONS":
                    return Reply(204, OK, b"", _SHOWN)
                return failed("METHOD_NOT_ALLOWED", _SHOWN, message=_GET_IT)
            return failed("ROUTE_NOT_FOUND", route=short(incoming.path.removeprefix(self._prefix), 64))
        if incoming.method == "OPTIONS":
            allowed = incoming.origin in self._origins
            return Reply(204, OK, b"", self._preflight if allowed else _ALLOW)
        return failed("METHOD_NOT_ALLOWED", _ALLOW, message=_CALL_IT)

    def _finish(self, incoming: Incoming, route: str | None, reply: Reply, notices: tuple[tuple[str, str], ...] = ()) -> Response:
        status = reply.status
        self._note(incoming, route, reply)
        headers = reply.headers
        if notices or self._origins:
            headers += notices + self._cors(incoming)
        return Response(status, reply.body, incoming.request_id, _BARE_HEADERS if status == 204 else JSON_HEADERS, headers)

    def _show(self, incoming: Incoming, document: Shown) -> Response:
        try:
            response = document.response(incoming, self._cors(incoming, "Accept-Encoding"))
        except BaseException as exception:  # noqa: BLE001  defaults and examples are objects of the user's
            log_exception("a document could not be written", exception, route=None, request_id=incoming.request_id)
            return self._finish(incoming, None, failed("INTERNAL_ERROR", exception=exception))
        self._note(incoming, None, Reply(response.status, OK, response.body))
        return response

    def _cors(self, incoming: Incoming, *varies: str) -> tuple[tuple[str, str], ...]:
        """What a page may see, and what the response depends on."""
        if not self._origins:
            return tuple(("vary", name) for name in varies)
        vary = ("vary", ", ".join((*varies, "Origin")))
        origin = incoming.origin
        if origin is None or origin not in self._origins:
            return (vary,)
        return (vary, ("access-control-allow-origin", origin), ("access-control-expose-headers", "x-request-id, retry-after"))

    def _note(self, incoming: Incoming, route: str | None, reply: Reply) -> None:
        """Tell of a call where somebody listens."""
        if self._on_call is not None or (self._logs and (reply.status >= 500 or CALLS.isEnabledFor(logging.INFO))):
            self._tell(incoming, route, reply)

    def _tell(self, incoming: Incoming, route: str | None, reply: Reply) -> None:
        duration = perf_counter() - incoming.started
        self._spread(CallEvent(route, incoming.surface, reply.code, reply.status, duration, incoming.request_id, reply.exception))

    def _tell_answer(self, incoming: Incoming, answer: Answer) -> None:
        duration = perf_counter() - incoming.started
        outcome = (answer.code, answer.outcome, duration, incoming.request_id, answer.exception)
        self._spread(CallEvent(answer.route, "mcp", *outcome, answer.tool, answer.client, answer.traceparent))

    def _spread(self, event: CallEvent) -> None:
        """Log *event* and give it to ``on_call``; what either raises costs nobody a reply."""
        if self._logs:
            with suppress(BaseException):  # a broken handler of the user's; there is nowhere left to report it
                log_call(event)
        if self._on_call is not None:
            try:
                self._on_call(event)
            except BaseException as exception:  # noqa: BLE001
                log_exception("on_call raised", exception, route=event.route, request_id=event.request_id)


@final
@record
class _Tools:
    """The MCP endpoint of a mount, and what stands before it."""

    edge: Edge
    endpoint: Endpoint


def _never() -> bool:
    return False
