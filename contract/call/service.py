"""
The service of a mount: one request to one response, without sockets.

An adapter connects it to a web framework. The checks come in this order: route, method,
credentials, hooks that do not ask for the input, size, media type, input, hooks that do, resolver,
output. Each of the first six refuses a request before its body is read.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from time import perf_counter
from typing import Any, Final, Protocol

from contract.call.bearer import KNOWN, NoToken, token_to_know
from contract.call.bodies import body_of, check_headers
from contract.call.bound import Bound
from contract.call.cached import ALLOW_CACHED, CALL_OR_READ, Cached, cached_of, input_in, weighed
from contract.call.context import CURRENT, OK, Outcome, Reply
from contract.call.credentials import Credentials
from contract.call.dispatch import (
    AUTHENTICATE,
    NOT_YET,
    call_here,
    context_here,
    context_of,
    in_thread,
    invoke,
    judged,
    outputless,
)
from contract.call.ending import ended
from contract.call.files import Files
from contract.call.headers_out import HeadersOut
from contract.call.incoming import Incoming, Refused
from contract.call.message import ALLOW_CALLS, ALLOW_READS, Response
from contract.call.mount_options import Options
from contract.call.published import Shown
from contract.call.replies import Challenges, failed, raised, written
from contract.call.responses import Responses
from contract.call.stream import Items, OpenStreams, apart
from contract.call.values import NO_VALUES, OVER
from contract.declare.failures import Failure
from contract.declare.own_paths import check_names
from contract.declare.resource import Opens
from contract.declare.spec import AnySpec
from contract.shape.quoting import sent_back
from contract.shape.urls import host_in

__all__ = ["Messages", "Service"]


_CALL_IT: Final = "Call a route with POST; its input is the JSON body."
_GET_IT: Final = "Ask for this with GET."
_EARLY: Final = 65_536
"""The most bytes of a body that are read before the caller is known, if that saves a hop."""
_NONE_SET: Final[HeadersOut | None] = None
"""The headers of a call before any are set; typed so that there may be some later."""


class Messages(Protocol):
    """
    Answers MCP clients, on its own paths; the service knows no more than this about MCP.

    ``answer`` gives the response to a request to one of the ``paths``. It gets a function that
    gives the body, or the reply that refuses it. ``cancelled`` reports a request whose client has
    gone.
    """

    @property
    def paths(self) -> frozenset[str]: ...  # noqa: D102
    def answer(  # noqa: D102
        self, incoming: Incoming, read: Callable[[Incoming], Awaitable[bytes | Reply]]
    ) -> Awaitable[Response]: ...
    def cancelled(self, incoming: Incoming) -> None: ...  # noqa: D102


class Service:
    """
    A spec with the options of one mount; `contract.adapters.mount.service_of` makes one.

    Args:
        spec: The spec to serve.
        options: The options of the mount.
        bound: Its routes by name, ready to be called.
        pages: Full path -> document, page or file.
        messages: The endpoint for MCP clients, if there is one.

    Attributes:
        spec: The spec to serve.
        options: The options of the mount.
        routes: Full path -> route, ready to be called.
        paths: The paths that are called by POST: the routes, and the MCP endpoint.
        responses: Makes the responses, and reports the calls.
        challenges: The credentials of a route -> the replies to calls without one of them.

    Raises:
        MountError: A route has a name that the mount needs itself.
    """

    def __init__(
        self,
        spec: AnySpec,
        options: Options,
        bound: Mapping[str, Bound],
        pages: Mapping[str, Shown],
        messages: Messages | None,
    ) -> None:
        self.spec: Final = spec
        self.options: Final = options
        # 1. The paths: of the routes, and of what the mount answers beside them.
        check_names(bound, options.own_paths())
        routes: dict[str, Bound] = {}
        read_by_url: dict[str, Cached] = {}
        for name, found in bound.items():
            path = f"{options.prefix}/{name}"
            routes[path] = found
            cached = cached_of(spec.entries[name])
            if cached is not None:
                read_by_url[path] = cached
        self.routes: Final[Mapping[str, Bound]] = routes
        self._cached: Final[Mapping[str, Cached]] = read_by_url
        self._prefix: Final = f"{options.prefix}/"
        self._documents: Final = pages
        self._below_docs: Final = f"{options.prefix}{options.docs_path}/" if options.docs else None
        self._messages: Final = messages
        self._message_paths: Final = frozenset[str]() if messages is None else messages.paths
        self.paths: Final = self._message_paths.union(self.routes)
        health = options.health_path
        self._health: Final = None if health is None else options.prefix + health
        # 2. The makers of responses, and those who are told of them.
        self.responses: Final = Responses(options, self._cached, bound.values())
        self._tell: Final = self.responses.listeners.tell
        self._is_told: Final = self.responses.listeners.are_there
        self.streams: Final = OpenStreams(self.responses.report)
        # `drain` tells streams to end. Downloads end by themselves, so they are kept apart.
        downloads = OpenStreams(self.responses.report)
        # 3. The options of this mount, for each route.
        for each in bound.values():
            each.bare = not (each.notices or options.cors_origins)
            each.limit_to(options.max_body_bytes, min(_EARLY, options.max_body_bytes))
            if options.limits.deadline_seconds is not None:
                # Each step of a call has a deadline of its own, and one thread that runs all of
                # them could not keep these apart.
                each.in_one_hop = False
            if isinstance(each.output, Items):
                each.output.streams = self.streams
            elif isinstance(each.output, Files):
                each.output.parts.streams = downloads
        self._limit: Final = options.max_body_bytes
        # 4. The replies to calls without a valid credential: one set for all routes that take a
        #    bearer token and nothing else, and one for each other route.
        taken = {None, *(each.credentials for each in bound.values())}
        self.challenges: Final[dict[Credentials | None, Challenges]] = {
            each: Challenges(spec.meta.title, each) for each in taken
        }
        public = None
        if options.public_url is not None:
            scheme, host = host_in(options.public_url)
            public = f"{scheme}://{host}"
        self._public: Final = public
        self.opening: Opens | None = None
        """Opens the resources of the spec, if it has any; set by the maker of the service."""
        self.checks: Callable[[], Awaitable[bool]] | None = None
        """The health route's check, if the spec has checks: whether all of them pass."""
        self.draining: bool = False
        """Set by `drain`; the health route then answers 503."""
        self.stuck: Callable[[], bool] = lambda: False
        """
        Whether the adapter's threads are stuck; set by an adapter that has threads.

        The health route then answers 503, too.
        """

    def anew(self, options: Options) -> Service | None:  # noqa: ARG002
        """Make a copy with other *options*; None if `service_of` can make one from the spec."""
        return None

    def warm_up(self) -> None:
        """Compile what calls need, and render every document, now and not at the first use."""
        for document in self._documents.values():
            document.warm_up()
        routes = self.routes.values()
        # sets, since routes share the preds of failures
        for pred in {pred for bound in routes for pred in bound.loads()}:
            pred.compile(dump=False)
        for pred in {pred for bound in routes for pred in bound.dumps()}:
            pred.compile(load=False)

    def drain(self) -> None:
        """
        Answer 503 on the health route from now on, so that load balancers send calls elsewhere.

        Every other call is answered as before. Open streams are told to end.
        """
        self.draining = True
        self.streams.end()

    def owns(self, path: str) -> bool:
        """
        Whether *path* belongs to this mount.

        With a prefix, every path below it does. At the root, only the mount's own names (with extra
        slashes, too) and its docs do.
        """
        if path in self._message_paths:
            return True
        if self.options.prefix:
            return path.startswith(self._prefix)
        if self._below_docs is not None and path.startswith(self._below_docs):
            return True
        return (
            path == self._health
            or path in self._documents
            or "/" + "/".join(filter(None, path.split("/"))) in self.routes
        )

    def reads(self, method: str, path: str) -> bool:
        """Whether *path* can also be called by this *method*, since caches may keep its output."""
        return method in ("GET", "HEAD") and path in self._cached

    def calls(self, method: str, path: str) -> bool:
        """Whether *method* calls what is at *path*, a route or the MCP endpoint."""
        return method == "POST" or self.reads(method, path)

    def allows(self, path: str) -> tuple[tuple[str, str], ...]:
        """The header with the methods of the route at *path*."""
        return ALLOW_CACHED if path in self._cached else ALLOW_CALLS

    def shows(self, path: str) -> bool:
        """Whether the mount has a document, a page or a file at *path*."""
        return path in self._documents

    def awaits(self, incoming: Incoming) -> bool:
        """
        Whether the answer to *incoming* may need its body, as far as its headers tell.

        An adapter that reads bodies ahead asks this first.
        """
        if incoming.method != "POST":
            return False
        bound = self.routes.get(incoming.path)
        if bound is None:
            if incoming.path not in self._message_paths:
                return False
            limit, form = self._limit, None
        else:
            if bound.auth and not bound.optional and not _shows_one(bound, incoming):
                return False
            limit, form = bound.limit, bound.form
        # Most bodies are plain, and their length says enough; `check_headers` says what is wrong
        # with any other.
        length = incoming.plain_length()
        if length is not None and length <= limit:
            incoming.length = length
            return True
        try:
            check_headers(incoming, limit, form)
        except Refused:
            return False
        return True

    async def answer(self, incoming: Incoming) -> None:
        """
        Answer *incoming*, whatever it contains; the answer is then in its ``answered``.

        This is every call, from its headers to its response. On an event loop the server's own task
        awaits it. Elsewhere a thread steps it to its end, since nothing in it waits there, except
        for what `Incoming.awaited` hands to another thread. It returns nothing: a stepped coroutine
        passes its result in an exception, which costs more than checking a small output. It calls
        hooks and resolvers itself where they may run: a function of ours in between would cost a
        thirtieth of a small call. The numbers of the steps are those in ARCHITECTURE.md; an adapter
        takes the first three.
        """
        # 4. The route is looked up. *given* is the input in the URL of a cached read, or the reply
        #    that refuses it; None for a POST, whose body is read in step 6.
        incoming.values = NO_VALUES
        bound = self.routes.get(incoming.path)
        given: bytes | Reply | None = None
        if bound is None or incoming.method != "POST":
            if bound is None or not self.reads(incoming.method, incoming.path):
                incoming.answered = await self._answer_other(incoming, bound)
                return
            given = input_in(incoming, required=bound.needs_input)
        incoming.route = bound.name
        incoming.outgoing = _NONE_SET
        CURRENT.set(incoming)
        # 5. The credential, `authenticate`, the scopes, and the hooks that need no input. They give
        #    the context, or the reply that refuses the call. *found* is the outcome of the call:
        #    steps 6 to 8 are left out once there is one.
        ctx: Any = None
        found: bytes | Reply | None = None
        if bound.guarded:
            if bound.streams:
                apart(incoming)
            token = ""
            if bound.auth:
                if bound.credentials is None:
                    token = KNOWN(incoming.authorization(), "")
                if not token:
                    sent = self._token(incoming, bound)
                    if isinstance(sent, str):
                        token = sent
                    else:
                        found = sent
            if bound.waits:
                may_ask_here = incoming.awaits_here
            else:
                may_ask_here = incoming.blocks or bound.asks_inline
            if found is not None:
                pass  # it is refused
            elif token and bound.asks is not None and may_ask_here:
                try:  # as `authenticate` does
                    ctx = bound.asks(token, incoming.request())
                    if bound.waits:
                        ctx = await ctx
                except BaseException as exception:
                    if incoming.ends(exception):
                        raise
                    ctx = raised(bound, exception, incoming, AUTHENTICATE)
                else:
                    if type(ctx) is not bound.context:
                        ctx = judged(bound, ctx, incoming)
            elif incoming.blocks and not bound.waits:
                ctx = context_here(bound, token, incoming)
            else:
                # A hop costs more than a small call, so a thread that authenticates goes on with
                # all of it, up to step 8, if the body is small and has come.
                early: bytes | None = None
                if bound.in_one_hop and given is None:
                    early = incoming.read_early(bound.early_limit)
                if early is None:
                    ctx = await context_of(bound, token, incoming)
                else:
                    incoming.watched = True
                    found = await in_thread(
                        incoming, "calls", call_here, bound, token, early, incoming
                    )
                    # It may be the 401 of the authenticator, which lacks its challenge.
                    ctx = found
            if type(ctx) is Reply:
                found = self.challenges[bound.credentials].challenged(ctx, incoming)
        if found is None:
            # 6. The headers are held against the limits, and then the body is read. Most bodies are
            #    plain and have come, which takes one look.
            body = given
            if body is None:
                body = incoming.plain_body(bound.limit)
            if body is None:
                body = await body_of(incoming, bound.limit, bound.form)
            if type(body) is not bytes and isinstance(body, Reply):
                found = body
            else:
                incoming.watched = True
                if bound.is_async:
                    may_run_here = incoming.awaits_here
                else:
                    may_run_here = incoming.blocks or bound.inline
                if may_run_here and not bound.late:
                    value = result = NOT_YET
                    try:  # as `invoke` does
                        # 7. The input is loaded, and the resolver runs. A name is set once its step
                        #    is through: `outputless` tells by them which step has raised.
                        value = bound.input.load(body)
                        made = bound.resolver(value, ctx)
                        if bound.is_async:
                            made = await made
                        result = made
                        # 8. The output is checked and written.
                        if isinstance(result, Failure):
                            found = written(bound, result)
                        else:
                            output: bytes | Reply = bound.output.dump(result)
                            if given is not None:
                                output = weighed(incoming, output)
                            found = output
                    except BaseException as exception:
                        if incoming.ends(exception):
                            raise
                        found = outputless(bound, value, result, exception, incoming)
                else:  # steps 7 and 8, with hooks or elsewhere
                    found = await invoke(bound, body, ctx, incoming)
        # 9. The values of the call end with its outcome, before anything of it is sent; those of a
        #    stream end with the stream.
        if incoming.values is not None:
            found = await ended(bound, found, incoming)
        else:
            incoming.values = OVER
        # 10. The response is made, and the call is logged. An output without more headers is
        #     answered as bare bytes, which spares most calls a `Response`.
        if bound.bare and incoming.outgoing is None and given is None and type(found) is bytes:
            if self._is_told:
                self._tell(bound.told, incoming.started, perf_counter(), incoming.request_id)
            incoming.answered = found
        else:
            incoming.answered = self.responses.of_call(
                incoming, bound, found, by_url=given is not None
            )
            # A reply has its exception, whose traceback has this frame, which has the reply: each
            # would keep the other. *ctx* may be the same reply, of an authenticator.
            found = ctx = None

    def _token(self, incoming: Incoming, bound: Bound) -> str | Reply:
        """
        The credential of a call, empty if it is optional and missing; or the reply that refuses it.
        """
        if bound.credentials is None:
            sent = token_to_know(incoming.authorization())
        else:
            sent = bound.credentials.sent(incoming, self._public)
        if not isinstance(sent, NoToken):
            return sent
        if sent is NoToken.MISSING and bound.optional:
            return ""
        return self.challenges[bound.credentials].refuse(sent, incoming)

    async def _answer_other(self, incoming: Incoming, bound: Bound | None) -> Response:
        """The response to an MCP message, a request for a document, or neither."""
        if self._messages is not None and incoming.path in self._message_paths:
            return await self._messages.answer(incoming, self._body_of)
        document = self._documents.get(incoming.path)
        reads = incoming.method in ("GET", "HEAD")
        if document is not None and reads:
            return self.responses.of_document(incoming, document)
        if incoming.path == self._health and reads:
            reply = await self._ready(incoming)
        else:
            reply = self._not_a_call(incoming, bound)
        route = None if bound is None else bound.name
        return self.responses.of_reply(incoming, route, reply)

    async def _ready(self, incoming: Incoming) -> Reply:
        """The reply of the health route."""
        try:
            passed = self.checks is None or await incoming.awaited(self.checks)
        except Refused:  # they took longer than any call may, or there is no loop for them
            passed = False
        if not passed or self.draining or self.stuck():
            return failed("SERVICE_UNAVAILABLE")
        return Reply(200, OK, b'{"ready":true}')

    def closed(self, incoming: Incoming) -> Response:
        """The SERVICE_UNAVAILABLE for a request that comes before the resources are open."""
        incoming.values = OVER
        return self.responses.of_reply(incoming, None, failed("SERVICE_UNAVAILABLE"))

    async def _body_of(self, incoming: Incoming) -> bytes | Reply:
        """The body of a message, or the reply that refuses it."""
        plain = incoming.plain_body(self._limit)
        if plain is not None:
            return plain
        body: bytes | Reply = await body_of(incoming, self._limit, None)
        return body

    def cancelled(self, incoming: Incoming) -> None:
        """Report a call whose client has gone; it ends without a reply."""
        if self._messages is not None and incoming.path in self._message_paths:
            self._messages.cancelled(incoming)
        else:
            self.responses.report(incoming, Outcome(incoming.route, "http", "CANCELLED", 499))

    def broken(self, incoming: Incoming, status: int, message: str) -> Response:
        """
        The BAD_REQUEST, with *status* 400, 414, 431 or 505, for a request that is not valid HTTP.
        """
        incoming.values = OVER
        reply = failed("BAD_REQUEST", message=message)
        reply.status = status
        return self.responses.of_reply(incoming, None, reply)

    def _not_a_call(self, incoming: Incoming, bound: Bound | None) -> Reply:
        path = incoming.path
        if bound is None:
            if path != self._health and path not in self._documents:
                asked = sent_back(path.removeprefix(self._prefix), 64)
                return failed("ROUTE_NOT_FOUND", route=asked)
            if incoming.method == "OPTIONS":
                return Reply(204, OK, b"", ALLOW_READS)
            return failed("METHOD_NOT_ALLOWED", ALLOW_READS, message=_GET_IT)
        allow = self.allows(path)
        if incoming.method == "OPTIONS":
            return Reply(204, OK, b"", self.responses.preflight(incoming) or allow)
        message = CALL_OR_READ if path in self._cached else _CALL_IT
        return failed("METHOD_NOT_ALLOWED", allow, message=message)


def _shows_one(bound: Bound, incoming: Incoming) -> bool:
    """Whether *incoming* has a header that may hold a credential of the route."""
    if bound.credentials is None:
        return incoming.authorization() is not None
    return bound.credentials.are_in(incoming)
