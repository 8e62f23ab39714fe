"""
Bodies: what is read of a request before its app is called, and what the app reads of it.

No thread waits for a body, since a client may take as long over it as it likes: the server's own event loop does, and its parts are handed
over as they come. An app is called when its body is there, or as much of it as may be kept; only the rest of a larger one is waited for by
the thread that reads it.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any, Final, final

from contract.dispatch import Refused
from contract.drivers.pace import Pace
from contract.options import Limits

__all__ = ["Body", "Unread"]

_CLOSING: Final = (("connection", "close"),)


@final
class Body:
    """
    The body of one request.

    Attributes:
        due: When its next part is too late, by the clock of `time.monotonic`.
        refused: Why there is no more of it.
        whole: Whether all of it has come.
        received: Bytes.
    """

    __slots__ = ("_announced", "_limits", "_pace", "_parts", "_receive", "due", "pending", "received", "refused", "whole")

    def __init__(self, receive: Callable[[], Any], announced: int | None, limits: Limits) -> None:
        self._receive: Final = receive
        self._announced: Final = announced
        self._limits: Final = limits
        self._pace: Pace | None = None
        self._parts: list[bytes] = []
        self.received = 0
        self.due = monotonic() + limits.read_seconds
        self.refused: Refused | None = None
        self.whole = announced == 0
        self.pending: Any = None
        """What has been asked for."""

    def ask(self, then: Callable[[Any], None]) -> None:
        """Ask for the next part; *then* is called in a thread of the server's, in this one too, and hands what it is given to `take`."""
        self.pending = self._receive()
        self.pending.add_done_callback(then)

    def take(self, found: Any) -> bytes:
        """The part that was asked for."""
        self.pending = None  # what the server gives cannot be collected with a circle, and it holds who is called then
        event: dict[str, Any] = found.result()
        if event["type"] != "http.request":
            self.refused = Refused("BAD_REQUEST", message="The client went away before the end of the body.")
            return b""
        part: bytes = event["body"]
        self.received += len(part)
        # the server holds a body against its Content-Length, so the event that says that there is no more need not be waited for
        if self.received == self._announced or not event["more_body"]:
            self.whole = True
        else:
            self._pace = self._pace or Pace(self._limits)
            self.due = monotonic() + self._pace.left(self.received)
        return part

    def keep(self, part: bytes) -> None:
        """Keep *part* until the app reads it."""
        self._parts.append(part)

    def late(self, code: str = "REQUEST_TIMEOUT") -> None:
        """Wait for no more of it."""
        self.refused = Refused(code, _CLOSING)
        pending, self.pending = self.pending, None
        if pending is not None:  # pragma: no branch  it comes at this very moment
            pending.cancel()

    def stream(self) -> Any:
        """What an app reads."""
        kept = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        self._parts = []
        return io.BytesIO(kept) if self.whole else io.BufferedReader(Unread(self, kept))


class Unread(io.RawIOBase):
    """A body that has not come to its end: what has come, and then what whoever reads waits for, for as long as it may take."""

    def __init__(self, body: Body, kept: bytes) -> None:
        super().__init__()
        self._body: Final = body
        self._kept = memoryview(kept)

    def readable(self) -> bool:
        """That is what it is for."""
        return True

    def readinto(self, into: Any) -> int:
        """
        Read what there is, or wait for it.

        Raises:
            Refused: There will be no more, and this is not the end.
        """
        while not self._kept:
            if self._body.refused is not None:
                found = self._body.refused
                # one of its own: with a traceback in it, the body would hold itself, and its connection would stay open as long
                raise Refused(found.code, found.headers, **found.data)
            if self._body.whole:
                return 0
            self._wait()
        count = min(len(into), len(self._kept))
        into[:count] = self._kept[:count]
        self._kept = self._kept[count:]
        return count

    def _wait(self) -> None:
        body = self._body
        came = threading.Event()
        body.ask(lambda _: came.set())
        if came.wait(max(0.0, body.due - monotonic())):
            self._kept = memoryview(body.take(body.pending))
        else:
            body.late()
