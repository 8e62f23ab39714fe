"""Item lines: a stream on standard output, with one line for each item as it comes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Final, TextIO, final

import orjson

from contract.cli.output import Stop, bold, data, escaped, is_terminal, red, say
from contract.testing.received import Item, Receiving, is_stream

__all__ = ["ItemLines", "facts"]


@final
class ItemLines:
    """
    Shows the reply to one call if it is a stream.

    Args:
        name: The name of the route.
        as_json: Whether each line is an object; the last one describes the reply.
        out: Standard output, which is redirected while the app runs.

    Attributes:
        code: The exit code; None if there was no stream.
    """

    def __init__(self, name: str, *, as_json: bool, out: TextIO | None) -> None:
        self._name: Final = name
        self._as_json: Final = as_json
        self._out: Final = out
        self.code: int | None = None

    def takes(self, status: int, headers: Mapping[str, str]) -> bool:
        """Whether a reply with these is a stream."""
        return status == 200 and is_stream(headers.get("content-type"))

    def show(self, headers: Mapping[str, str], parts: Iterable[bytes]) -> None:
        """
        Write the items in the *parts* of a body, and how the stream ended.

        If the reader has seen enough and closed the pipe, the call ends with success.

        Raises:
            Stop: The stream was cut off.
            ValueError: It is not a stream of this package.
        """
        self.code = 0
        if not self._as_json:
            request_id = escaped(headers.get("x-request-id", "-"))
            say(f"{bold('200')} {self._name}  request {request_id}")
        reading = Receiving(headers.get("content-type"))
        for part in parts:
            for item in reading.take(part):
                if not data(self._line(item), self._out):
                    return
        if reading.last is None:
            raise Stop(3, f"the stream of {self._name} was broken off")
        self._end(headers, b"" if reading.last == b"{}" else reading.last)

    def _line(self, item: Item) -> str:
        if self._as_json:
            named: dict[str, Any] = {} if item.id is None else {"id": item.id}
            return orjson.dumps({"item": item.value, **named}).decode()
        text = item.data.decode(errors="backslashreplace")
        return escaped(text) if is_terminal(self._out) else text

    def _end(self, headers: Mapping[str, str], failure: bytes) -> None:
        self.code = 1 if failure else 0
        if self._as_json:
            data(facts(self._name, 200, headers, failure), self._out)
        elif failure:
            told = escaped(failure.decode(errors="backslashreplace"))
            say(f"{red('ended by a failure')}  {told}")


def facts(name: str, status: int, headers: Mapping[str, str], reply: bytes) -> str:
    """The facts about a reply for a program, as one line of JSON."""
    route = os.fsencode(name).decode(errors="backslashreplace")
    told: dict[str, Any] = {
        "route": route,
        "status": status,
        "request_id": headers.get("x-request-id"),
        "body": None,
    }
    try:
        told["body"] = orjson.loads(reply) if reply else None
    except orjson.JSONDecodeError:  # sent by something in front of the server
        told["text"] = reply.decode(errors="backslashreplace")
    return orjson.dumps(told).decode()
