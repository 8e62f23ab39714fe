"""
Batches: several messages in one body, as revision 2025-03-26 alone has them (basic, "Batching").

Its servers have to take them, and its clients name no revision in a header: so whoever names none
may send one, and nobody else. Each message is its own: it runs in a context of its own, one after
the other, is answered by its own id, and is told of by its own event.
"""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from contract.call.context import OK
from contract.mcp.answers import Answer
from contract.mcp.envelope import Message, Problem

__all__ = ["joined", "refused_together"]


def joined(messages: Sequence[Message | Problem], answers: Sequence[Answer]) -> Answer:
    """
    The answer to *messages* of which each has an answer: those of requests, in their order.

    Notifications have none.
    """
    bodies = [
        answer.body
        for message, answer in zip(messages, answers, strict=True)
        if _is_answered(message)
    ]
    whole = (
        Answer(200, b"[%b]" % b",".join(bodies), OK, 200)
        if bodies
        else Answer(202, b"", OK, 202, ())
    )
    whole.parts = tuple(answers)
    return whole


def refused_together(messages: Sequence[Message | Problem], answer: Answer) -> Answer:
    """The answer to *messages* none of which was run, since their token is refused by *answer*: each request has its error."""
    error = orjson.loads(answer.body)["error"]
    ids = [message.id for message in messages if message.id is not None]
    if ids:
        answer.body = orjson.dumps(
            [{"jsonrpc": "2.0", "id": orjson.Fragment(each), "error": error} for each in ids]
        )
    return answer


def _is_answered(message: Message | Problem) -> bool:
    return isinstance(message, Problem) or message.id is not None
