"""
Received streams: their items and their last event, read as the bytes come.

It reads both forms that `contract.call.stream` writes.
"""

from __future__ import annotations

import json
from typing import Any, Final, final

from contract.shape.record import record

__all__ = ["Item", "Receiving", "is_stream"]

_EVENTS: Final = "text/event-stream"
_LINES: Final = "application/jsonl"


def is_stream(content_type: str | None) -> bool:
    """Whether this module can read a body of this type."""
    return content_type in (_EVENTS, _LINES)


@final
@record
class Item:
    """An item of a stream."""

    data: bytes
    """The JSON of the item."""
    id: str | None = None

    @property
    def value(self) -> Any:
        """The JSON, decoded."""
        return json.loads(self.data)


@final
class Receiving:
    """
    A stream that is being read.

    Args:
        content_type: That of the response; `is_stream` must be true for it.

    Attributes:
        last: The JSON of its last event: ``{}`` if it came to its end, else the body of a failure.
            None while the stream goes on, and if it was cut off.
    """

    def __init__(self, content_type: str | None) -> None:
        self._read: Final = self._line if content_type == _LINES else self._event
        self._rest = b""
        self._fields: dict[bytes, bytes] = {}
        self.last: bytes | None = None

    def take(self, part: bytes) -> list[Item]:
        """
        The items that are complete now that *part* has come.

        Raises:
            ValueError: It is not such a stream.
        """
        # a line may come in several parts; its beginning waits for the rest
        *lines, self._rest = (self._rest + part).split(b"\n")
        return [item for item in map(self._read, lines) if item is not None]

    def _event(self, line: bytes) -> Item | None:
        # an event is some lines of fields, and an empty line at its end
        if line:
            name, _, value = line.partition(b": ")
            self._fields[name] = value
            return None
        fields, self._fields = self._fields, {}
        data = fields.get(b"data")
        if data is None:
            return None  # a comment
        if b"event" in fields:
            self.last = data
            return None
        if b"id" in fields:
            return Item(data, fields[b"id"].decode())
        return Item(data)

    def _line(self, line: bytes) -> Item | None:
        message: Any = json.loads(line)
        match message:
            case {"item": item}:
                data = json.dumps(item, ensure_ascii=False, separators=(",", ":")).encode()
                return Item(data, message.get("id"))
            case {"end": True}:
                self.last = b"{}"
            case {"error": _}:
                self.last = line
            case _:
                pass  # a keep-alive line
        return None
