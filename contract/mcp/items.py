"""
Items: a stream as the result of a tool.

A tool has one result, so the items of a stream are gathered and returned together when it is over.
A client that asks for progress gets each item as it comes, as a notification with its JSON.

An agent pays for what it reads, and its client waits all the time: so a result is limited in items
and bytes. A longer stream is closed, as by a reader that has enough, and the result says that it is
not complete. A slower one is ended by DEADLINE_EXCEEDED, unless the mount has its own limit
(``Limits(stream_seconds=)``). A failure in the middle is the failure of the tool, with the items
before it beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from contract.call.bound import Bound
from contract.call.context import REPORT, Reply
from contract.call.ending import ended
from contract.call.incoming import Incoming
from contract.call.stream import Gathered, StreamReply
from contract.shape.json_text import JsonSchema

__all__ = ["LONGEST_SECONDS", "MOST_BYTES", "MOST_ITEMS", "gather", "schema_of_items"]

MOST_ITEMS: Final = 500
"""The most items of one result."""

MOST_BYTES: Final = 100_000
"""
The most bytes of their JSON, some 30,000 tokens.

Clients cut off or refuse results that are much larger.
"""

LONGEST_SECONDS: Final = 50.0
"""The most seconds of a stream; after 60 many clients give up, and get nothing."""


def schema_of_items(item: JsonSchema) -> JsonSchema:
    """The schema of a stream tool's result, made from that of an *item*."""
    return {
        "type": "object",
        "properties": {
            "items": {"type": "array", "items": item, "maxItems": MOST_ITEMS},
            "complete": {
                "type": "boolean",
                "description": "Whether these are all items; else more may have followed.",
            },
        },
        "required": ["items", "complete"],
        "additionalProperties": False,
    }


async def gather(bound: Bound, outcome: bytes | Reply, incoming: Incoming) -> Gathered | Reply:
    """
    The items of a stream, once it is over and the values of its call have ended.

    Args:
        bound: The route.
        outcome: The outcome of its resolver; one that is not a stream is returned unchanged.
        incoming: The request.
    """
    gathered = Gathered(MOST_ITEMS, MOST_BYTES, LONGEST_SECONDS, _reporter())
    if isinstance(outcome, StreamReply):
        outcome.gathered = gathered
    found = cast("Reply", await ended(bound, outcome, incoming))
    if not isinstance(found, StreamReply):
        return found
    await found.parts.passed()
    return gathered


def _reporter() -> Callable[[int, bytes], None]:
    # set if the client of the call wants its progress
    report = REPORT.get(None)
    if report is None:
        return _unheard
    # how many items there will be is not known, so there is no total
    return lambda number, data: report(number, None, data.decode())


def _unheard(_number: int, _data: bytes) -> None:
    return None
