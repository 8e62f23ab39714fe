"""
The endpoint: one message to one answer, without sockets.

What HTTP says before there is a message (method, Origin, media type, length) is the business of whoever calls `Endpoint.respond`,
and so is what every response carries (request id, CORS). ``respond`` is a flow as `contract.call` has it: it yields ``READ`` once, then a
``Run`` for each step of a call, and gives an `Answer`::

    endpoint = Endpoint(spec, bind(spec, map_error=...), McpOptions(...), visibility="public")
    answer = yield from endpoint.respond(incoming, "tools=a,b")

It reads of *incoming* its ``headers`` and ``authorization``, its ``request_id`` (which is there before) and ``request()``; it writes
``offload`` before each ``Run``, and ``route`` (with ``CURRENT``, a `ToolCall`) before the first: the tool's, or the name of the method.
An answer has everything that is sent and logged:

- ``status``, ``body`` (JSON, or empty beside 202) and ``headers``, with ``content-type`` beside every body, and ``www-authenticate``
  (RFC 6750) beside 401, and beside 403 where a scope is missing; who knows where tokens come from adds the place to that.
- ``route``, ``tool``, ``code``, ``exception``, ``client``, ``traceparent`` for the event of the call; ``outcome`` is the status that the
  same would have had over HTTP, since a call that failed is 200 here.

`refusal` makes an answer of what is refused before there is a message: ``refusal(failed("PAYLOAD_TOO_LARGE", limit=...), "...")``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, final

import orjson

from contract._spec import Spec
from contract.auth import NoToken, bearer_token, challenge
from contract.call import CURRENT, OK, READ, Flow, Raised, Reply, Surface
from contract.describe import Visibility
from contract.dispatch import Bound, Refused, authenticate, failed, invoke
from contract.log import log_exception
from contract.mcp.envelope import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    STATUSES,
    UNAUTHORIZED,
    Kind,
    Message,
    Problem,
    read,
    write_arguments,
    write_error,
    write_result,
)
from contract.mcp.negotiation import CLIENT, check_request, client_name, revision_of
from contract.mcp.options import McpOptions
from contract.mcp.progress import reporting
from contract.mcp.results import Results
from contract.mcp.revisions import Revision
from contract.mcp.tools import Catalogue, ListedTool, Toolset
from contract.message import Incoming, short
from contract.pred.report import kind_of

__all__ = ["Answer", "Endpoint", "ToolCall", "refusal"]

_JSON: Final = (("content-type", "application/json"),)
_LONGEST: Final = 64
"""Characters of a name that are sent back, or logged."""
_TRACEPARENT: Final = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")


@final
class Answer:
    """
    What a message is answered with, and what is to be known of it.

    Attributes:
        status: The HTTP status.
        body: JSON, or nothing.
        headers: Names in lower case.
        code: For the log: "OK", or the code that the same would have had over HTTP.
        outcome: For the log: the status that the same would have had over HTTP.
        route: The name of the route, where a tool was called.
        tool: The name of the tool that was called, be there one or not.
        exception: The exception behind an INTERNAL_ERROR.
        client: What the client calls itself.
        traceparent: Of the trace that the call is in (W3C Trace Context), where it is one.
    """

    __slots__ = ("body", "client", "code", "exception", "headers", "outcome", "route", "status", "tool", "traceparent")

    def __init__(self, status: int, body: bytes, code: str, outcome: int, headers: tuple[tuple[str, str], ...] = _JSON) -> None:
        self.status: int = status
        self.body: bytes = body
        self.headers: tuple[tuple[str, str], ...] = headers
        self.code: str = code
        self.outcome: int = outcome
        self.route: str | None = None
        self.tool: str | None = None
        self.exception: BaseException | None = None
        self.client: str | None = None
        self.traceparent: str | None = None


@final
class ToolCall:
    """
    What is running, as `contract.call.CURRENT` holds it.

    Attributes:
        request_id: As for every call.
        route: The name of the route; that of the method where it is about no tool.
        tool: Its name as a tool, or None.
    """

    __slots__ = ("_incoming", "request_id", "route", "tool")

    def __init__(self, incoming: Incoming, message: Message, tool: ListedTool | None) -> None:
        self._incoming: Final = incoming
        self.request_id: str = incoming.request_id
        self.route: str = short(message.method, _LONGEST) if tool is None else tool.bound.name
        self.tool: str | None = None if tool is None else tool.name

    @property
    def surface(self) -> Surface:
        """MCP."""
        return "mcp"

    @property
    def headers(self) -> Mapping[str, str]:
        """Of the request."""
        return self._incoming.headers


def refusal(reply: Reply, message: str, id: bytes | None = None) -> Answer:  # noqa: A002  as JSON-RPC calls it
    """
    The answer to what HTTP refuses.

    Args:
        reply: What would be answered to the same on a route; its body becomes the data of a JSON-RPC error.
        message: The same for people.
        id: Of the request, as JSON, where it could be read.
    """
    code = UNAUTHORIZED if reply.status in (401, 403) else INVALID_REQUEST if reply.status < 500 else INTERNAL_ERROR
    problem = Problem(code, message, orjson.loads(reply.body))
    answer = Answer(reply.status, write_error(id, problem), reply.code, reply.status, _JSON + reply.headers)
    answer.exception = reply.exception
    return answer


class Endpoint:
    """
    The MCP endpoint of one mount.

    Args:
        spec: What is served.
        bound: Its routes, ready to be called, by name.
        options: What the mount was told.
        visibility: "all" makes tools of private routes as well.

    Attributes:
        tools: All that anybody may see.

    Raises:
        MountError: A tool has a key that the APIs of models refuse.
    """

    def __init__(self, spec: Spec[Any], bound: Mapping[str, Bound], options: McpOptions, *, visibility: Visibility = "public") -> None:
        self._spec: Final = spec
        self._page_size: Final = options.page_size
        self._catalogue: Final = Catalogue(spec, bound, visibility)
        self.tools: Final[Toolset] = self._catalogue.tools
        gate = next((route for route in bound.values() if route.auth), None) if options.challenge == "connect" else None
        self._gate: Final = gate
        """Any route that needs a token: what is asked of all requests is what it asks."""
        self._results: Final = Results(spec.meta, private=gate is not None)
        missing, invalid = (challenge(spec.meta.title, invalid=invalid) for invalid in (False, True))
        self._missing: Final = (("www-authenticate", missing),)
        self._invalid: Final = (("www-authenticate", invalid),)
        self._forbidden: Final = (("www-authenticate", f'{missing}, error="insufficient_scope"'),)

    def respond(self, incoming: Incoming, query: str = "") -> Flow[Answer]:
        """
        The answer to *incoming*; total, whatever it holds.

        Args:
            incoming: A POST.
            query: Of its URL.
        """
        outcome = yield READ
        if isinstance(outcome, Raised):
            return _unreadable(outcome.exception, incoming.request_id)
        message = read(outcome.value)
        if isinstance(message, Problem):
            return _rejected(message, message.id, 400)
        headers = incoming.headers
        revision = revision_of(message, headers)
        if isinstance(revision, Problem):
            return _rejected(revision, message.id, 400)
        answer = yield from self._answer(incoming, query, message, revision, headers)
        if message.meta or message.method == "initialize":
            answer.client = client_name(message.meta.get(CLIENT) or message.params.get("clientInfo"))
            answer.traceparent = _traceparent(message.meta)
        return answer

    def _answer(self, incoming: Incoming, query: str, message: Message, revision: Revision, headers: Mapping[str, str]) -> Flow[Answer]:
        problem = _misplaced(message, revision) if message.id is None else check_request(message, headers, revision)
        if problem is None and message.id is not None and message.method not in revision.methods:
            problem = Problem(METHOD_NOT_FOUND, f"There is no method {short(message.method, _LONGEST)!r}.")
        if problem is not None:
            return _refused(problem, message.id, revision)
        tools = self._catalogue.select(query)
        name: object = message.params.get("name")
        tool = tools.get(name) if message.method == "tools/call" and isinstance(name, str) and message.id is not None else None
        call = ToolCall(incoming, message, tool)
        CURRENT.set(call)
        incoming.route = call.route
        guard = tool.bound if tool is not None and tool.bound.auth else self._gate
        ctx: Any = None
        answer: Answer | None = None
        if guard is not None:
            ctx, answer = yield from self._authenticate(incoming, guard, message)
        if answer is None:
            if message.id is None:
                answer = Answer(202, b"", OK, 202, ())
            elif tool is not None:
                answer = yield from self._call(incoming, message, message.id, tool, ctx, revision)
            else:
                answer = self._told(message, message.id, tools, revision)
        answer.route = None if tool is None else tool.bound.name
        answer.tool = short(name, _LONGEST) if message.method == "tools/call" and isinstance(name, str) else None
        return answer

    def _told(self, message: Message, id: bytes, tools: Toolset, revision: Revision) -> Answer:  # noqa: A002  as JSON-RPC calls it
        """The answer to a request for which nothing has to be run."""
        problem = ""
        result: bytes | None = None
        match message.method:
            case "tools/list":
                cursor: object = message.params.get("cursor")
                problem = "The cursor is none that this list gave."
                if cursor is None or isinstance(cursor, str):
                    result = self._results.tools(tools, cursor, self._page_size, revision)
            case "tools/call":
                name: object = message.params.get("name")
                problem = f"Unknown tool: {short(name, _LONGEST)}" if isinstance(name, str) else "params.name is not a text."
            case "initialize":
                result = self._results.initialize(message.params)
            case "server/discover":
                result = self._results.discover(revision)
            case _:  # ping
                result = self._results.stamped(b"{}", revision)
        if result is not None:
            return Answer(200, write_result(id, result), OK, 200)
        answer = _refused(Problem(INVALID_PARAMS, problem), id, revision)
        if message.method == "tools/call":
            answer.code, answer.outcome = "ROUTE_NOT_FOUND", 404
        return answer

    def _call(
        self,
        incoming: Incoming,
        message: Message,
        id: bytes,  # noqa: A002  as JSON-RPC calls it
        tool: ListedTool,
        ctx: Any,
        revision: Revision,
    ) -> Flow[Answer]:
        arguments: Any = message.params.get("arguments")
        if arguments is None:
            arguments = {}
        elif kind_of(arguments) is not dict:
            return _refused(Problem(INVALID_PARAMS, "params.arguments is not an object."), id, revision)
        if "progressToken" in message.meta:
            yield from reporting(message.meta, incoming)
        bound = tool.bound
        incoming.offload = not bound.inline
        reply = yield from invoke(bound, write_arguments(arguments), ctx if bound.auth else None, incoming.request, incoming.request_id)
        answer = Answer(200, write_result(id, self._results.call(reply, tool, arguments, revision)), reply.code, reply.status)
        answer.exception = reply.exception
        return answer

    def _authenticate(self, incoming: Incoming, bound: Bound, message: Message) -> Flow[tuple[Any, Answer | None]]:
        """The context of the call, or the answer that refuses it."""
        token = bearer_token(incoming.authorization)
        if isinstance(token, NoToken):
            if token is NoToken.REPEATED:
                said = "Send the Authorization header once, with one token."
                return None, refusal(failed("BAD_REQUEST", message=said), said, message.id)
            asked = self._missing if token is NoToken.MISSING else self._invalid
            return None, refusal(failed("UNAUTHORIZED", asked), "A bearer token is needed.", message.id)
        incoming.offload = True
        ctx, reply = yield from authenticate(self._spec, bound, token, incoming.request(), incoming.request_id)
        if reply is None:
            return ctx, None
        if reply.code == "UNAUTHORIZED":
            reply.headers += self._invalid
        elif reply.code == "FORBIDDEN":
            reply.headers += self._forbidden
        return None, refusal(reply, _SAID.get(reply.code, "The token could not be checked."), message.id)


_SAID: Final = {"UNAUTHORIZED": "The bearer token is not valid.", "FORBIDDEN": "The bearer token is not enough for this."}


def _unreadable(exception: BaseException, request_id: str) -> Answer:
    """The answer to a body that could not be read."""
    if isinstance(exception, Refused):
        reply = failed(exception.code, exception.headers, **exception.data)
    else:
        log_exception("reading the body raised", exception, route=None, request_id=request_id)
        reply = failed("BAD_REQUEST", message="The body could not be read.")
    return refusal(reply, "The body could not be read.")


def _misplaced(message: Message, revision: Revision) -> Problem | None:
    """A response in an era in which servers ask nothing."""
    if message.kind is Kind.RESPONSE and not revision.handshake:
        return Problem(INVALID_REQUEST, "Nothing was asked that this could be the response to.")
    return None


def _refused(problem: Problem, id: bytes | None, revision: Revision) -> Answer:  # noqa: A002
    return _rejected(problem, id, revision.statuses.get(problem.code, STATUSES[problem.code]))


def _rejected(problem: Problem, id: bytes | None, status: int) -> Answer:  # noqa: A002
    unknown = problem.code == METHOD_NOT_FOUND
    return Answer(status, write_error(id, problem), "ROUTE_NOT_FOUND" if unknown else "BAD_REQUEST", 404 if unknown else 400)


def _traceparent(meta: Mapping[str, Any]) -> str | None:
    found: object = meta.get("traceparent")
    return found if isinstance(found, str) and _TRACEPARENT.fullmatch(found) else None
