"""
The endpoint: one message to one answer, without sockets.

The caller of `Endpoint.answer` has checked the HTTP rules (method, Origin, media type, length), and
adds the headers of every response (request id, CORS)::

    endpoint = Endpoint(spec, bind(spec, map_error=...), Options(...))
    answer = await endpoint.answer(incoming, body, "tools=a,b")

It reads the ``headers``, the ``authorization``, the ``request_id`` and the ``request()`` of
*incoming*. Before anything runs, it sets ``values``, ``watched``, ``CURRENT`` (a `ToolCall`) and
``route``: that of the tool, or empty. An answer has everything to send and to log:

- ``status``, ``body`` (JSON, or empty with 202) and ``headers``: ``content-type`` with every body,
  and ``www-authenticate`` (RFC 6750) with a 401, and with a 403 for a missing scope;
  `HttpRules.located` adds the URL of the tokens' issuer.
- ``route``, ``tool``, ``code``, ``exception``, ``client``, ``traceparent`` for the log event of the
  call. ``outcome`` is the status that it would have had over HTTP, since a failed call is 200 here.

If a client wants the progress of its call, the result is a `Reporting` instead: a function that
runs the call, and takes a function that sends a part.

`refusal` makes an answer for a refusal before there is a message:
``refusal(failed("PAYLOAD_TOO_LARGE", limit=...), "...")``.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from contextvars import Context, copy_context
from copy import copy
from functools import partial
from types import coroutine
from typing import Any, Final, cast, final

from contract.call.bound import Bound
from contract.call.context import CURRENT, OK, REPORT, Reply, Surface
from contract.call.dispatch import invoke, pass_hooks
from contract.call.ending import ended, guarded
from contract.call.headers_out import HeadersOut
from contract.call.incoming import Incoming
from contract.call.log import log_exception
from contract.call.mount_options import Options
from contract.call.replies import failed
from contract.call.stream import apart
from contract.call.values import NO_VALUES, OVER, Values
from contract.declare.spec import AnySpec
from contract.mcp.answers import (
    Answer,
    joined,
    listens,
    refusal,
    refused,
    refused_together,
    rejected,
    reporting,
)
from contract.mcp.envelope import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    Kind,
    Message,
    Problem,
    read,
    write_arguments,
    write_result,
)
from contract.mcp.items import gather
from contract.mcp.results import Results
from contract.mcp.revisions import LONGEST, Revision, check_request, revision_of, takes_batches
from contract.mcp.tokens import FAILED, Contexts, Tokens, lacks_scopes
from contract.mcp.tools import Catalogue, ListedTool, Toolset
from contract.shape.json_text import kind_of
from contract.shape.quoting import one_line, sent_back

__all__ = ["Endpoint", "Reporting", "ToolCall"]

_UNHEARD: Final = (
    "progress is told to nobody: authenticate or a hook has made a value of the call (@provide) in "
    "a thread of the server, and the call stays there; serve it on ASGI, or make the value later"
)

Reporting = Callable[[Callable[[bytes], None]], Coroutine[Any, Any, Answer]]
"""
Runs a call whose client wants its progress.

It takes a function that sends the JSON of a part, in any thread.
"""


@final
class ToolCall:
    """
    The running message, as `contract.call.context.CURRENT` holds it.

    Attributes:
        request_id: The id of the HTTP request.
        route: The name of the route; the method's name if no tool is called.
        tool: The name of the tool, or None.
        outgoing: The headers that were set; they are dropped, since several answers may share a
            response.
    """

    __slots__ = ("_incoming", "outgoing", "request_id", "route", "tool")

    def __init__(self, incoming: Incoming, message: Message, tool: ListedTool | None) -> None:
        self._incoming: Final = incoming
        self.request_id: str = incoming.request_id
        self.route: str
        self.tool: str | None
        if tool is None:
            # the client chooses the text, and it goes into the log
            self.route, self.tool = one_line(message.method, LONGEST), None
        else:
            self.route, self.tool = tool.bound.name, tool.name
        self.outgoing: HeadersOut | None = None

    @property
    def over(self) -> bool:
        """Whether the request of the message has been answered."""
        return self._incoming.over

    @property
    def surface(self) -> Surface:
        """MCP."""
        return "mcp"

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of the request."""
        return self._incoming.headers

    @property
    def cancelled(self) -> bool:
        """Whether the client has gone, in a revision in which that cancels its call."""
        return self._incoming.cancelled

    @property
    def values(self) -> Values | None:
        """The provided values of the call, which its request keeps."""
        return self._incoming.values

    @values.setter
    def values(self, values: Values | None) -> None:
        self._incoming.values = values


@final
class _Checked:
    """
    A message that needs an authenticator, the resolver of a tool, or both.

    Attributes:
        incoming: The request; a separate one for each message of a batch.
        message: The message.
        revision: The revision of the message.
        tools: The tools that the client sees.
        tool: The tool that it calls, if any.
        guards: The routes whose authenticator may accept the token; one of them must.
        call: The value of `current_call` while it runs.
    """

    __slots__ = ("call", "guards", "incoming", "message", "revision", "tool", "tools")

    def __init__(
        self,
        incoming: Incoming,
        message: Message,
        revision: Revision,
        tools: Toolset,
        tool: ListedTool | None,
        guards: tuple[Bound, ...],
        call: ToolCall,
    ) -> None:
        self.call: Final = call
        self.incoming: Final = incoming
        self.message: Final = message
        self.revision: Final = revision
        self.tools: Final = tools
        self.tool: Final = tool
        self.guards: Final = guards


def _first_guarded(found: Sequence[Answer | _Checked]) -> _Checked | None:
    """The message of a batch whose token is checked first: if possible, one that needs a token."""
    checked = [each for each in found if isinstance(each, _Checked)]
    guarded_ones = [each for each in checked if each.guards]
    # False sorts before True, so the first one that needs a token comes before all others
    return min(guarded_ones, key=_is_optional, default=None)


def _is_optional(checked: _Checked) -> bool:
    return all(guard.optional for guard in checked.guards)


class Endpoint:
    """
    The MCP endpoint of one mount.

    Args:
        spec: The spec to serve.
        bound: Name -> route, ready to be called.
        options: The options of the mount.
        page_size: How many tools one answer to ``tools/list`` has; many clients ask for no second
            page.

    Attributes:
        tools: All tools that a client may see.

    Raises:
        MountError: A tool has a key that model APIs refuse.
    """

    def __init__(
        self, spec: AnySpec, bound: Mapping[str, Bound], options: Options, *, page_size: int = 1000
    ) -> None:
        self._page_size: Final = page_size
        self._unheard: Final[set[str]] = set()
        self._catalogue: Final = Catalogue(spec, bound, options.visibility)
        self.tools: Final[Toolset] = self._catalogue.tools
        self._tokens: Final = Tokens(spec, bound, options, self.tools)
        self._results: Final = Results(spec.meta, private=self._tokens.private)

    async def answer(self, incoming: Incoming, body: bytes, query: str = "") -> Answer | Reporting:
        """
        The answer to *incoming*; there is one for any content.

        Args:
            incoming: A POST.
            body: The whole of its body.
            query: The query of its URL.
        """
        incoming.values = NO_VALUES
        found = read(body)
        if isinstance(found, list):
            if takes_batches(incoming.header):
                return await self._answer_batch(incoming, found, query)
            why = "Batches are of revision 2025-03-26 alone; send one message."
            return rejected(Problem(INVALID_REQUEST, why), None, 400)
        checked = self._check(incoming, found, query)
        if isinstance(checked, Answer):
            return checked
        return await self._run(checked)

    def _check(
        self, incoming: Incoming, message: Message | Problem, query: str, *, batched: bool = False
    ) -> Answer | _Checked:
        """
        The message, if something must run for its answer; else the answer.

        From here on `current_call` knows the message.
        """
        # 1. The revision. It says which problem has which status; without one, all have 400.
        if isinstance(message, Problem):
            return rejected(message, message.id, 400)
        revision = revision_of(message, incoming.header)
        if isinstance(revision, Problem):
            return rejected(revision, message.id, 400)

        # 2. The rules of the revision. The handshake is never part of a batch (2025-03-26,
        #    basic/lifecycle, "Initialization").
        if batched and (message.method == "initialize" or not revision.batches):
            problem: Problem | None = Problem(
                INVALID_REQUEST, "This is not part of a batch; send it alone."
            )
        elif message.id is None:
            problem = _misplaced(message, revision)
        else:
            problem = check_request(message, incoming.header, revision)
            if problem is None and message.method not in revision.methods:
                unknown = sent_back(message.method, LONGEST)
                problem = Problem(METHOD_NOT_FOUND, f"There is no method {unknown!r}.")
        if problem is not None:
            return refused(problem, message.id, revision).to(message)

        # 3. The tools that the client wants to see, and the one that it calls.
        tools = self._catalogue.tools
        if query:
            selected = self._catalogue.select(query)
            if isinstance(selected, Problem):
                return rejected(selected, message.id, 400).to(message)
            tools = selected
        tool: ListedTool | None = None
        if message.method == "tools/call" and message.id is not None:
            name: object = message.params.get("name")
            if isinstance(name, str):
                tool = tools.get(name)

        # 4. Who must be asked. A call that nothing guards still needs its resolver to run.
        call = ToolCall(incoming, message, tool)
        _make_current(incoming, call)
        guards = self._tokens.guards(incoming, message, tool)
        # the other messages of a batch go on, whatever becomes of this one
        incoming.watched = revision.disconnect_cancels and not batched
        checked = _Checked(incoming, message, revision, tools, tool, guards, call)
        if guards or tool is not None:
            return checked
        return self._answer_at_once(checked)

    async def _answer_batch(
        self, incoming: Incoming, messages: Sequence[Message | Problem], query: str
    ) -> Answer:
        """
        The answer to a batch, whose messages run one after the other, each in its own context.

        They share a token. If one of them needs it, it is checked before any of them runs, since a
        client that must get a new token sends all of them again.
        """
        # each message runs in a copy of this, so none sees what another one has set
        before = copy_context()
        # each has its own provided values, and one may go on in a thread while the next one runs
        found = [self._check(copy(incoming), message, query, batched=True) for message in messages]
        first = _first_guarded(found)
        if first is not None:
            _make_current(first.incoming, first.call)
            incoming.route = first.incoming.route
            _, denied = await guarded(first.incoming, self._let_in(first))
            # the check may have provided values; they end here, since each message makes its own
            denied = denied or await self._conclude(first)
            if denied is not None:
                return refused_together(messages, denied.to(first.message, first.tool))
            first.incoming.values = NO_VALUES
        answers: list[Answer] = []
        for each in found:
            if isinstance(each, _Checked):
                incoming.route = each.incoming.route  # for the log, if it is cancelled
                part = guarded(each.incoming, self._answer_part(each))
                answers.append(await _apart(before.copy(), part))
                _adopt(incoming, each.incoming)
            else:
                answers.append(each)
        return joined(messages, answers)

    async def _answer_part(self, checked: _Checked) -> Answer:
        """The answer to a message of a batch, without reports of its progress."""
        _make_current(checked.incoming, checked.call)
        return cast("Answer", await self._run(checked, streams=False))

    async def _run(self, checked: _Checked, *, streams: bool = True) -> Answer | Reporting:
        """The answer to one message; with *streams*, its progress may be reported."""
        incoming, message, tool = checked.incoming, checked.message, checked.tool
        # before anything makes a value, since the values of a stream live as long as the stream
        if tool is not None and tool.bound.streams:
            apart(incoming)

        # 1. The token, for whatever needs one.
        contexts, denied = await self._let_in(checked)
        if denied is not None:
            return denied.to(message, tool)
        if tool is None:
            return await self._conclude(checked) or self._answer_as(checked, contexts)
        ctx: Any = None
        if tool.bound.auth:
            ctx = contexts[id(tool.bound.authenticator)]

        # 2. The hooks that run before the input is read, as they do over HTTP.
        if tool.bound.early:
            refused_ = await pass_hooks(tool.bound, tool.bound.early, ctx, None, incoming)
            if refused_ is not None:
                if incoming.values is not None:
                    refused_ = cast("Reply", await ended(tool.bound, refused_, incoming))
                # HTTP refuses it, so that the client gets a token with more scopes
                if lacks_scopes(refused_, tool):
                    return refusal(refused_, "", message.id).to(message, tool)
                return self._failed(checked, tool, refused_, {})
        # 3. The arguments.
        arguments: Any = message.params.get("arguments")
        if arguments is None:
            arguments = {}
        elif kind_of(arguments) is not dict:
            problem = Problem(INVALID_PARAMS, "params.arguments is not an object.")
            answer = await self._conclude(checked, failed("BAD_REQUEST"))
            return answer or refused(problem, message.id, checked.revision).to(message, tool)

        # 4. The call: now, or as soon as there is a stream for its progress.
        if streams and "progressToken" in message.meta and listens(message.meta, incoming):
            # the rest would run in another thread than the one that the hook's values belong to
            if incoming.blocks and incoming.values is not None:
                REPORT.set(partial(self._say_unheard, tool))
                return await self._call(checked, tool, arguments, ctx)
            return partial(self._call, checked, tool, arguments, ctx)
        return await self._call(checked, tool, arguments, ctx)

    async def _call(
        self,
        checked: _Checked,
        tool: ListedTool,
        arguments: Mapping[str, Any],
        ctx: Any,
        send: Callable[[bytes], None] | None = None,
    ) -> Answer:
        """The answer to the call of a *tool*, whose progress goes to *send*."""
        incoming, message, revision = checked.incoming, checked.message, checked.revision
        if send is not None:
            reporting(message.meta, incoming, send)
        # the mount's limit was held against the whole message, and that of the route is for its
        # input alone
        body, limit = write_arguments(arguments), tool.bound.own_limit
        if limit is not None and len(body) > limit:
            outcome: bytes | Reply = failed("PAYLOAD_TOO_LARGE", limit=limit)
        else:
            outcome = await invoke(tool.bound, body, ctx, incoming)
        if tool.bound.streams:
            return await self._gathered(checked, tool, arguments, outcome)
        if incoming.values is not None:
            outcome = await ended(tool.bound, outcome, incoming)
        else:
            # a thread that the resolver left behind can provide no more values
            incoming.values = OVER
        if isinstance(outcome, Reply):
            return self._failed(checked, tool, outcome, arguments)
        result = self._results.output(outcome, tool, revision)
        # a call is a request, and so has an id
        return Answer(200, write_result(message.id or b"", result), OK, 200).to(message, tool)

    async def _gathered(
        self,
        checked: _Checked,
        tool: ListedTool,
        arguments: Mapping[str, Any],
        outcome: bytes | Reply,
    ) -> Answer:
        """The answer to the call of a *tool* that gives a stream, once the stream is over."""
        found = await gather(tool.bound, outcome, checked.incoming)
        if isinstance(found, Reply):
            return self._failed(checked, tool, found, arguments)
        result = self._results.items(found, checked.revision)
        written = write_result(checked.message.id or b"", result)
        # to JSON-RPC even a failed stream is a result; the log has the outcome of the failure
        failure = found.outcome
        answer = Answer(200, written, OK, 200)
        if failure is not None:
            answer.code, answer.outcome = failure.code, failure.status
            answer.exception = failure.exception
        return answer.to(checked.message, tool)

    def _say_unheard(self, tool: ListedTool, *_: object) -> None:
        """Log once for each tool why the progress of its calls cannot be reported."""
        if tool.name not in self._unheard:
            self._unheard.add(tool.name)
            log_exception(_UNHEARD, None, route=tool.bound.name)

    def _failed(
        self, checked: _Checked, tool: ListedTool, reply: Reply, arguments: Mapping[str, Any]
    ) -> Answer:
        """The answer to the call of a *tool* without an output."""
        result = self._results.failure(reply, tool, arguments, checked.revision)
        written = write_result(checked.message.id or b"", result)
        answer = Answer(200, written, reply.code, reply.status)
        answer.exception = reply.exception
        return answer.to(checked.message, tool)

    async def _conclude(self, checked: _Checked, found: bytes | Reply = b"") -> Answer | None:
        """
        End the provided values of an authenticator or hook, if no resolver runs after it.

        Return the answer if one of them fails.
        """
        incoming, message = checked.incoming, checked.message
        if incoming.values is None:
            return None
        if checked.tool is not None:
            bound = checked.tool.bound
        else:
            bound = checked.guards[0]  # the values come from an authenticator, and so from a guard
        found = await ended(bound, found, incoming)
        # only a value that failed at its end takes the place of the answer
        if isinstance(found, bytes) or found.code != "INTERNAL_ERROR":
            return None
        return refusal(found, FAILED, message.id).to(message, checked.tool)

    async def _let_in(self, checked: _Checked) -> tuple[Contexts, Answer | None]:
        """
        The contexts of the guards that accept the token, or the answer if none does.

        If there are several guards, the values made by one end before the next one runs.
        """
        contexts: dict[int, Any] = {}
        refused_: Answer | None = None
        incoming = checked.incoming
        for guard in checked.guards:
            if refused_ is not None or contexts:
                incoming.values = NO_VALUES
            ctx, denied = await self._tokens.authenticate(
                incoming, guard, checked.message, checked.tool
            )
            # the values of a single guard stay, since a resolver may read them
            if denied is None and len(checked.guards) > 1:
                denied = await self._conclude(checked)
            if denied is None:
                contexts[id(guard.authenticator)] = ctx
            refused_ = refused_ or denied
        if contexts:
            return contexts, None
        return contexts, refused_

    def _answer_as(self, checked: _Checked, contexts: Contexts) -> Answer:
        """The answer to a caller with *contexts* who does not call a tool."""
        if checked.message.method != "tools/list":
            return self._answer_at_once(checked)
        usable = self._tokens.usable(checked.tools, contexts, checked.incoming)
        if isinstance(usable, Reply):
            return refusal(usable, FAILED, checked.message.id).to(checked.message)
        return self._answer_at_once(checked, usable)

    def _answer_at_once(self, checked: _Checked, tools: Toolset | None = None) -> Answer:
        """The answer, for which nothing needs to run, to a client that sees *tools*, or all."""
        message, revision = checked.message, checked.revision
        # notifications and responses are only taken note of: 202 without a body (2025-11-25,
        # basic/transports, "Sending Messages to the Server", 4)
        if message.id is None:
            return Answer(202, b"", OK, 202, ()).to(message)
        problem = ""
        result: bytes | None = None
        match message.method:
            case "tools/list":
                cursor: object = message.params.get("cursor")
                seen = checked.tools if tools is None else tools
                result = self._results.tools(seen, cursor, self._page_size, revision)
                problem = "The cursor does not come from this list."
            case "tools/call":
                name: object = message.params.get("name")
                problem = "params.name is not a text."
                if isinstance(name, str):
                    problem = f"Unknown tool: {sent_back(name, LONGEST)}"
            case "initialize":
                result = self._results.initialize(message.params)
            case "server/discover":
                result = self._results.discover(revision)
            case _:  # ping
                result = self._results.stamped(b"{}", revision)
        if result is not None:
            return Answer(200, write_result(message.id, result), OK, 200).to(message)
        answer = refused(Problem(INVALID_PARAMS, problem), message.id, revision)
        # a tool that is not there is a protocol error with code -32602 (2025-11-25, server/tools,
        # "Error Handling"); the log has it under the code of a route that is not there
        if message.method == "tools/call":
            answer.code, answer.outcome = "ROUTE_NOT_FOUND", 404
        return answer.to(message)


@coroutine
def _apart(context: Context, call: Coroutine[Any, Any, Answer]) -> Generator[Any, Any, Answer]:
    """
    Await *call*, with each of its steps run in *context*.

    A separate task would do that, too, at twenty times the cost.
    """
    # Each round gives *call* what it waited for, or the exception that came instead, and hands
    # what it waits for next to the event loop.
    step: Callable[[Any], Any] = call.send
    given: Any = None
    try:
        while True:
            waiting = context.run(step, given)
            try:
                step, given = call.send, (yield waiting)
            except GeneratorExit:
                context.run(call.close)
                raise
            except BaseException as exception:  # noqa: BLE001
                # a cancellation, on its way to the resolver
                step, given = call.throw, exception
    except StopIteration as done:
        answer: Answer = done.value
        return answer


def _make_current(incoming: Incoming, call: ToolCall) -> None:
    """Make *call* the one that `current_call` returns and the log names."""
    CURRENT.set(call)
    incoming.route = "" if call.tool is None else call.route


def _adopt(incoming: Incoming, part: Incoming) -> None:
    """Keep what one message of the request wants done at the end of the whole request."""
    if part.values is not None and part.values.after:
        if incoming.values is None:
            incoming.values = Values()
        incoming.values.after += part.values.after


def _misplaced(message: Message, revision: Revision) -> Problem | None:
    """The problem of a response in an era in which servers never send requests."""
    if message.kind is Kind.RESPONSE and not revision.handshake:
        return Problem(INVALID_REQUEST, "Nothing was asked that this could be the response to.")
    return None
