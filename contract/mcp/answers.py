"""
Answers to messages: the HTTP response to each, and the progress that is reported before it.

A refusal is a JSON-RPC error, with the status that HTTP has for it. A call that failed is a result
(`contract.mcp.results`).

Only revision 2025-03-26 has batches, several messages in one body (basic, "Batching"). Its servers
must accept them, and its clients name no revision in a header: so only a client that names none may
send one. Each message of a batch is independent: it runs in its own context, one after the other,
is answered by its own id, and gets its own log event.

Progress is sent to a client that gave a token for it and accepts an event stream; any other client
gets the answer alone (2025-11-25, basic/utilities/progress). The stream begins with the call, even
if nothing is reported: so a client that hears nothing for long knows that the call goes on.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from time import monotonic
from typing import Any, Final, final

import orjson

from contract.call.accept import accepts
from contract.call.context import CURRENT, OK, REPORT, Reply
from contract.call.incoming import Incoming
from contract.call.log import log_exception
from contract.declare.failures import FRAMEWORK
from contract.mcp.envelope import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    STATUSES,
    UNAUTHORIZED,
    Message,
    Problem,
    write_error,
)
from contract.mcp.revisions import CLIENT, LONGEST, Revision, client_name
from contract.mcp.tools import ListedTool
from contract.shape.quoting import one_line

__all__ = [
    "JSON_ANSWER",
    "Answer",
    "joined",
    "listens",
    "refusal",
    "refused",
    "refused_together",
    "rejected",
    "reporting",
]

JSON_ANSWER: Final = (("content-type", "application/json"),)
"""The headers of most answers."""
# version, trace, parent, flags: version ff is forbidden, and so are ids of zeros only
_TRACEPARENT: Final = re.compile(
    r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
)


@final
class Answer:
    """
    The answer to a message, and the facts for the log.

    Attributes:
        status: The HTTP status.
        body: JSON, or empty.
        headers: Names are in lower case.
        code: For the log: "OK", or the error code that the call would have had over HTTP.
        outcome: For the log: the status that the call would have had over HTTP.
        route: The name of the route, if a tool was called.
        tool: The name of the tool that was called, even if there is no such tool.
        exception: The exception behind an INTERNAL_ERROR.
        parts: For a batch, the answers in it; each of them is logged instead of the batch.
    """

    __slots__ = (
        "_message",
        "body",
        "code",
        "exception",
        "headers",
        "outcome",
        "parts",
        "route",
        "status",
        "tool",
    )

    def __init__(
        self,
        status: int,
        body: bytes,
        code: str,
        outcome: int,
        headers: tuple[tuple[str, str], ...] = JSON_ANSWER,
    ) -> None:
        self.status: int = status
        self.body: bytes = body
        self.headers: tuple[tuple[str, str], ...] = headers
        self.code: str = code
        self.outcome: int = outcome
        self.route: str | None = None
        self.tool: str | None = None
        self.exception: BaseException | None = None
        self.parts: tuple[Answer, ...] = ()
        self._message: Message | None = None

    def to(self, message: Message, tool: ListedTool | None = None) -> Answer:
        """Set *message* and the *tool* that it calls; return this answer."""
        self._message = message
        if tool is not None:
            self.route, self.tool = tool.bound.name, tool.name
        elif message.method == "tools/call":
            # no such tool, or none was looked for yet; the log has the name that was sent
            name: object = message.params.get("name")
            if isinstance(name, str):
                self.tool = one_line(name, LONGEST)
        return self

    @property
    def client(self) -> str | None:
        """The name that the client gives itself."""
        if self._message is None:
            return None
        meta, params = self._message.meta, self._message.params
        # the modern era names the client in every request, and a handshake in `initialize` alone
        return client_name(meta.get(CLIENT) or params.get("clientInfo"))

    @property
    def traceparent(self) -> str | None:
        """The trace that the call belongs to, if its client sent one (W3C Trace Context)."""
        if self._message is None:
            return None
        found: object = self._message.meta.get("traceparent")
        if not isinstance(found, str) or _TRACEPARENT.fullmatch(found) is None:
            return None
        return found


# the name in JSON-RPC
def refusal(reply: Reply, otherwise: str = "", id: bytes | None = None) -> Answer:  # noqa: A002
    """
    The answer to a message that is refused for the same reason as a call over HTTP.

    Args:
        reply: The reply that such a call would get; its body becomes the data of a JSON-RPC error.
        otherwise: The reason in words, if *reply* has none.
        id: The id of the request as JSON, if it could be read.
    """
    if reply.status in (401, 403):
        code = UNAUTHORIZED
    elif reply.status < 500:
        code = INVALID_REQUEST
    else:
        code = INTERNAL_ERROR
    data: dict[str, Any] = orjson.loads(reply.body)
    problem = Problem(code, _said(reply.code, data.get("data", {}), otherwise), data)
    answer = Answer(
        reply.status,
        write_error(id, problem),
        reply.code,
        reply.status,
        JSON_ANSWER + reply.headers,
    )
    answer.exception = reply.exception
    return answer


def _said(code: str, data: Mapping[str, Any], otherwise: str) -> str:
    """The reason why HTTP refuses a message, in words."""
    if code == "PAYLOAD_TOO_LARGE":
        return f"The message is larger than {data['limit']} bytes."
    own: str = data.get("message", "")
    return own or otherwise or FRAMEWORK[code].description


def refused(problem: Problem, id: bytes | None, revision: Revision) -> Answer:  # noqa: A002
    """
    The answer to a message of *revision* that has a *problem*, with the revision's status for it.
    """
    return rejected(problem, id, revision.statuses.get(problem.code, STATUSES[problem.code]))


def rejected(problem: Problem, id: bytes | None, status: int) -> Answer:  # noqa: A002
    """The answer to a message that has a *problem*, with *status*."""
    error = write_error(id, problem)
    # for the log; a method that is not there is like a route that is not there
    if problem.code == METHOD_NOT_FOUND:
        return Answer(status, error, "ROUTE_NOT_FOUND", 404)
    return Answer(status, error, "BAD_REQUEST", 400)


def joined(messages: Sequence[Message | Problem], answers: Sequence[Answer]) -> Answer:
    """
    The answer to a batch of *messages*: the *answers* to its requests, in their order.

    Answers to notifications are left out; if nothing is left, the answer is 202.
    """
    pairs = zip(messages, answers, strict=True)
    bodies = [answer.body for message, answer in pairs if _is_answered(message)]
    if bodies:
        whole = Answer(200, b"[%b]" % b",".join(bodies), OK, 200)
    else:
        whole = Answer(202, b"", OK, 202, ())
    whole.parts = tuple(answers)
    return whole


def refused_together(messages: Sequence[Message | Problem], answer: Answer) -> Answer:
    """
    The answer to a batch of *messages* whose token is refused: each request gets the error.

    Args:
        messages: The messages of the batch, none of which was run.
        answer: The refusal of the first one that needs the token.
    """
    error = orjson.loads(answer.body)["error"]
    ids = [message.id for message in messages if message.id is not None]
    if ids:
        answer.body = orjson.dumps(
            [{"jsonrpc": "2.0", "id": orjson.Fragment(each), "error": error} for each in ids]
        )
    return answer


def _is_answered(message: Message | Problem) -> bool:
    # a message that could not be read gets its error, even if it was meant as a notification
    return isinstance(message, Problem) or message.id is not None


# Progress that a resolver reports, sent as notifications before the answer.

_LONGEST_MESSAGE: Final = 1000
"""How many characters of a message are sent."""
_LONGEST_TOKEN: Final = 256
"""The most characters of a token, which is in every notification."""
_AT_ONCE: Final = 100
"""How many notifications of one call are sent at once, before there are pauses."""
_PAUSE: Final = 0.1
"""
Seconds between two notifications from then on.

A thread that sends more than a client reads can do nothing else, however small the parts are.
"""


def listens(meta: Mapping[str, Any], incoming: Incoming) -> bool:
    """Whether the client asks for progress, given the *meta* and the headers of its request."""
    if not _is_token(meta.get("progressToken")):
        return False
    # HTTP takes a missing Accept for any type, but a client that reads event streams says so
    accept = incoming.header("accept")
    return accept is not None and accepts(accept, "text/event-stream")


def reporting(meta: Mapping[str, Any], incoming: Incoming, send: Callable[[bytes], None]) -> None:
    """
    From now on, send the client the reports of `contract.progress`.

    *send* takes the JSON of a notification.
    """
    call = CURRENT.get(None)
    route = None if call is None else call.route
    REPORT.set(_Notifier(meta["progressToken"], send, incoming.request_id, route).report)


def _is_token(token: object) -> bool:
    """Whether *token* can be sent back: a short string or integer."""
    if type(token) is str:  # not isinstance, which takes True for an int
        return len(token) <= _LONGEST_TOKEN
    return type(token) is int and -(2**63) <= token < 2**63  # 64 bits


@final
class _Notifier:
    """Sends the notifications of one request."""

    __slots__ = ("_last", "_left", "_lock", "_next", "_request_id", "_route", "_send", "_token")

    def __init__(
        self, token: object, send: Callable[[bytes], None], request_id: str, route: str | None
    ) -> None:
        self._token: Final = token
        self._send: Final = send
        self._request_id: Final = request_id
        self._route: Final = route
        self._last = -math.inf
        self._left = _AT_ONCE
        self._next = -math.inf
        self._lock: Final = Lock()  # a resolver may report from several threads

    def report(self, done: float, total: float | None, message: str | None) -> None:
        """
        Send a notification, unless it comes too soon or is not beyond the previous one.

        The protocol requires the latter.
        """
        params: dict[str, object] = {"progressToken": self._token, "progress": done}
        try:
            # JSON has no infinity; a total is only a help, so it is left out
            if total is not None and math.isfinite(total):
                params["total"] = total
            if message is not None:
                params["message"] = message[:_LONGEST_MESSAGE]
            # sent within the lock, or two threads could send their reports in the wrong order
            with self._lock:
                if self._last < done < math.inf and self._may_send():
                    notice = {
                        "jsonrpc": "2.0",
                        "method": "notifications/progress",
                        "params": params,
                    }
                    self._send(orjson.dumps(notice))
                    self._last = done
        except Exception as exception:  # noqa: BLE001  a call goes on, whatever it tells
            log_exception(
                "progress could not be told",
                exception,
                route=self._route,
                request_id=self._request_id,
            )

    def _may_send(self) -> bool:
        # a report that comes during a pause is dropped, and not kept: the next one says more
        if self._left:
            self._left -= 1
            return True
        now = monotonic()
        if now < self._next:
            return False
        self._next = now + _PAUSE
        return True
