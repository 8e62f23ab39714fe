"""
Answers to messages: the HTTP response to each, with the facts that are logged of it.

A refusal is an error of JSON-RPC, with the status that HTTP has for it. A call that failed is a
result (`contract.mcp.results`).

Only revision 2025-03-26 has batches, several messages in one body (basic, "Batching"). Its servers
have to take them, and its clients name no revision in a header: so a client that names none may
send one, and no other. Each message of a batch is on its own: it runs in its own context, one after
the other, is answered by its own id, and is told of by its own event.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, final

import orjson

from contract.call.context import OK, Reply
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

__all__ = ["JSON_ANSWER", "Answer", "joined", "refusal", "refused", "refused_together", "rejected"]

JSON_ANSWER: Final = (("content-type", "application/json"),)
"""The headers of most answers."""
_TRACEPARENT: Final = re.compile(
    r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
)


@final
class Answer:
    """
    The answer to a message, and the facts that are logged of it.

    Attributes:
        status: The HTTP status.
        body: JSON, or empty.
        headers: Names in lower case.
        code: For the log: "OK", or the error code that the call would have had over HTTP.
        outcome: For the log: the status that the call would have had over HTTP.
        route: The name of the route, where a tool was called.
        tool: The name of the tool that was called, be there one or not.
        exception: The exception behind an INTERNAL_ERROR.
        parts: For a batch, the answers that it is made of, each of which is logged instead of it.
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
        """Note down that this is the answer to *message*, which calls *tool*; gives itself."""
        self._message = message
        if tool is not None:
            self.route, self.tool = tool.bound.name, tool.name
        elif message.method == "tools/call":
            name: object = message.params.get("name")
            self.tool = one_line(name, LONGEST) if isinstance(name, str) else None
        return self

    @property
    def client(self) -> str | None:
        """The name that the client gives itself."""
        if self._message is None:
            return None
        meta, params = self._message.meta, self._message.params
        return client_name(meta.get(CLIENT) or params.get("clientInfo"))

    @property
    def traceparent(self) -> str | None:
        """The trace that the call is in, where its client sent one (W3C Trace Context)."""
        found: object = None if self._message is None else self._message.meta.get("traceparent")
        return found if isinstance(found, str) and _TRACEPARENT.fullmatch(found) else None


# as JSON-RPC calls it
def refusal(reply: Reply, otherwise: str = "", id: bytes | None = None) -> Answer:  # noqa: A002
    """
    The answer to a message that is refused as a call over HTTP would be.

    Args:
        reply: The reply that such a call would get; its body becomes the data of a JSON-RPC error.
        otherwise: The reason, for people, where *reply* gives none.
        id: The id of the request, as JSON, where it could be read.
    """
    if reply.status in (401, 403):
        code = UNAUTHORIZED
    else:
        code = INVALID_REQUEST if reply.status < 500 else INTERNAL_ERROR
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
    """The reason why HTTP refuses a message, for people."""
    if code == "PAYLOAD_TOO_LARGE":
        return f"The message is larger than {data['limit']} bytes."
    own: str = data.get("message", "")
    return own or otherwise or FRAMEWORK[code].description


def refused(problem: Problem, id: bytes | None, revision: Revision) -> Answer:  # noqa: A002
    """The answer to a message of *revision* that has a *problem*, with the status of both."""
    return rejected(problem, id, revision.statuses.get(problem.code, STATUSES[problem.code]))


def rejected(problem: Problem, id: bytes | None, status: int) -> Answer:  # noqa: A002
    """The answer to a message that has a *problem*, with *status*."""
    unknown = problem.code == METHOD_NOT_FOUND
    return Answer(
        status,
        write_error(id, problem),
        "ROUTE_NOT_FOUND" if unknown else "BAD_REQUEST",
        404 if unknown else 400,
    )


def joined(messages: Sequence[Message | Problem], answers: Sequence[Answer]) -> Answer:
    """
    The answer to a batch of *messages*: the *answers* to its requests, in their order.

    Those to notifications are left out, and where nothing is left, the answer is 202.
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
    The answer to a batch of *messages* whose token is refused: each request has its error.

    Args:
        messages: Those of the batch, none of which was run.
        answer: The refusal of the first that needs the token.
    """
    error = orjson.loads(answer.body)["error"]
    ids = [message.id for message in messages if message.id is not None]
    if ids:
        answer.body = orjson.dumps(
            [{"jsonrpc": "2.0", "id": orjson.Fragment(each), "error": error} for each in ids]
        )
    return answer


def _is_answered(message: Message | Problem) -> bool:
    return isinstance(message, Problem) or message.id is not None
