"""
Items: a stream as the result of a tool.

A tool has one result, so the items of a stream are gathered, and come together when it is over. A
client that asks for progress hears of each as it comes, as a notification with its JSON.

An agent pays for what it reads, and its client waits for so long: a result has no more items and
bytes than stand here. A stream that has more is closed, as by a reader who has enough, and the
result says that it is not complete; one that takes longer is ended by DEADLINE_EXCEEDED, unless the
mount has a limit of its own (``Limits(stream_seconds=)``). A failure in the middle is that of the
tool, and the items before it stand beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from contract.call.bound import Bound
from contract.call.context import REPORT, Reply
from contract.call.ending import ended
from contract.call.message import Incoming
from contract.call.stream import Gathered, Opened
from contract.shape.json_text import JsonSchema

__all__ = ["LONGEST_SECONDS", "MOST_BYTES", "MOST_ITEMS", "gather", "schema_of_items"]

MOST_ITEMS: Final = 500
"""The items of one result."""

MOST_BYTES: Final = 100_000
"""
The bytes of their JSON, some 30,000 tokens.

Clients cut a result off not far beyond that, or refuse it.
"""

LONGEST_SECONDS: Final = 50.0
"""Seconds for a stream; after 60 many clients give up, and have nothing of it then."""


def schema_of_items(item: JsonSchema) -> JsonSchema:
    """The schema of the result of a tool that gives a stream, by that of an *item*."""
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
    The items of a stream, once it is over, and the values of its call have ended.

    Args:
        bound: The route.
        outcome: The outcome of its resolver; one that is not a stream is given back.
        incoming: The request.
    """
    gathered = Gathered(MOST_ITEMS, MOST_BYTES, LONGEST_SECONDS, _reporter())
    if isinstance(outcome, Opened):
        outcome.gathered = gathered
    found = cast("Reply", await ended(bound, outcome, incoming))
    if not isinstance(found, Opened):
        return found
    await found.parts.passed()
    return gathered


def _reporter() -> Callable[[int, bytes], None]:
    report = REPORT.get(None)
    if report is None:
        return _unheard
    return lambda number, data: report(number, None, data.decode())


def _unheard(_number: int, _data: bytes) -> None:
    return None
