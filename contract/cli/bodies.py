"""
Bodies: what is read of a request before its app is called, and what the app reads of it.

No thread waits for a body, since a client may take as long over it as it likes: the server's own
event loop does, and its parts are handed over as they come. An app is called when its body is
there, or as much of it as may be kept; only the rest of a larger one is waited for by the thread
that reads it.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any, Final, cast, final

from contract.adapters.pace import Pace
from contract.call.dispatch import Refused
from contract.call.mount_options import Limits

__all__ = ["Body", "Unread"]

_CLOSING: Final = (("connection", "close"),)


@final
class Body:
    """
    The body of one request.

    Attributes:
        began: When it was first waited for, by the clock of `time.monotonic`.
        came: Whether what was asked for has come; set by whoever brings it.
        pending: What has been asked for.
        received: Bytes.
        refused: Why there is no more of it.
        whole: Whether all of it has come.
    """

    # of the class as long as they are those of a body that has just begun, which most are until
    # they are whole: each costs when it is set
    came: bool = False
    pending: Any = None
    received: int = 0
    refused: Refused | None = None
    whole: bool = False
    _due: float | None = None
    _kept: bytes | bytearray = b""
    _pace: Pace | None = None

    def __init__(self, receive: Callable[[], Any], announced: int | None, limits: Limits) -> None:
        self._receive: Final = receive
        self._announced: Final = announced
        self._limits: Final = limits
        self.began: Final = monotonic()
        if announced == 0:
            self.whole = True

    @property
    def due(self) -> float:
        """When its next part is too late."""
        return self.began + self._limits.read_seconds if self._due is None else self._due

    def ask(self, then: Callable[[Any], None]) -> None:
        """
        Ask for the next part.

        *then* is called in a thread of the server's, in this one too, and hands what it is given to
        `take`.
        """
        self.came = False
        self.pending = self._receive()
        self.pending.add_done_callback(then)

    def take(self) -> bytes:
        """The part that was asked for, once it has come."""
        # what the server gives cannot be collected with a circle, and it holds who is called then
        found, self.pending = self.pending, None
        event: dict[str, Any] = found.result()
        if event["type"] != "http.request":
            self.refused = Refused(
                "BAD_REQUEST", message="The client went away before the end of the body."
            )
            return b""
        part: bytes = event["body"]
        self.received += len(part)
        # the server holds a body against its Content-Length, so the event that says that there is
        # no more need not be waited for
        if self.received == self._announced or not event["more_body"]:
            self.whole = True
        else:
            self._pace = self._pace or Pace(self._limits)
            self._due = monotonic() + self._pace.left(self.received)
        return part

    def keep(self, part: bytes) -> None:
        """Keep *part* until somebody reads it."""
        if not self._kept:
            self._kept = part
            return
        if isinstance(self._kept, bytes):
            # a list of tiny parts would take forty times their size
            self._kept = bytearray(self._kept)
        self._kept += part

    def refuse(self, code: str = "REQUEST_TIMEOUT") -> None:
        """Wait for no more of it, which is refused with *code*."""
        self.refused = Refused(code, _CLOSING)
        self.cancel()

    def cancel(self) -> None:
        """Wait for no more of it."""
        pending, self.pending = self.pending, None
        if pending is not None:  # pragma: no branch  it comes at this very moment
            pending.cancel()

    def refusal(self) -> Refused:
        """
        A new exception that says what `refused` says.

        It is one of its own: with a traceback in it, the body would hold itself, and its connection
        would stay open as long.
        """
        found = cast("Refused", self.refused)
        return Refused(found.code, found.headers, **found.data)

    def release(self) -> bytes:
        """The bytes that have been kept; from then on they are not."""
        kept, self._kept = self._kept, b""
        return kept if isinstance(kept, bytes) else bytes(kept)

    def stream(self) -> Any:
        """The stream that an app reads, as ``wsgi.input``."""
        kept = self.release()
        return io.BytesIO(kept) if self.whole else io.BufferedReader(Unread(self, kept))


class Unread(io.RawIOBase):
    """A stream of a body that has not come to its end; whoever reads it waits for the rest."""

    def __init__(self, body: Body, kept: bytes) -> None:
        super().__init__()
        self._body: Final = body
        self._kept = memoryview(kept)

    def readable(self) -> bool:
        """Whether it can be read, which is always so."""
        return True

    def readinto(self, into: Any) -> int:
        """
        Read what there is, or wait for it.

        Raises:
            Refused: There will be no more, and this is not the end.
        """
        while not self._kept:
            if self._body.refused is not None:
                raise self._body.refusal()
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
            self._kept = memoryview(body.take())
        else:
            body.refuse()
