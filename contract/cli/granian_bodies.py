"""
Granian bodies: the body of a request, whose parts the server's event loop hands over as they come.

No thread waits for it, since a client may be slow: an app is called when its body has come, or as
much of it as may be kept. Only the rest of a larger body is waited for, by the thread that reads
it.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from tempfile import SpooledTemporaryFile
from time import monotonic
from typing import Any, Final, final

from contract.adapters.pace import Pace
from contract.call.form import DISK_FULL
from contract.call.incoming import CLOSING, Refused
from contract.call.log import log_exception
from contract.call.mount_options import Limits

__all__ = ["Body", "Leftovers", "Unread"]

_IN_MEMORY: Final = 65_536
"""How many bytes of a form are kept in memory before it goes to disk."""
_PIECE: Final = 262_144
"""How many bytes of a form are read at a time."""


@final
class Body:
    """
    The body of one request.

    Attributes:
        began: When the wait for it began, by `time.monotonic`.
        came: Whether the requested part has come; set by the thread that brings it.
        pending: The pending request for a part.
        received: How many bytes have come.
        refused: Why no more of it is read.
        whole: Whether all of it has come.
    """

    came: bool
    # class attributes until they differ from those of a body that has just begun, as most do until
    # the end: setting each of them costs time
    pending: Any = None
    received: int = 0
    refused: Refused | None = None
    whole: bool = False
    _due: float | None = None
    _kept: bytes | bytearray = b""
    _pace: Pace | None = None
    _size: int = 0
    spool: SpooledTemporaryFile[bytes] | None = None
    """The part of a form that has come; it may be too large for memory."""

    def __init__(self, receive: Callable[[], Any], announced: int | None, limits: Limits) -> None:
        self._receive: Final = receive
        self._announced: Final = announced
        self._limits: Final = limits
        self.began: Final = monotonic()
        if announced == 0:
            self.whole = True

    def spools(self, size: int) -> None:
        """Keep it as a form of at most *size* bytes, whose large parts go to disk."""
        self._size = size
        # `drop` closes it
        self.spool = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115

    @property
    def held(self) -> int:
        """How many of its bytes are in memory."""
        return self.received if self.spool is None else min(self.received, _IN_MEMORY)

    @property
    def due(self) -> float:
        """The time at which its next part is too late."""
        return self.began + self._limits.read_seconds if self._due is None else self._due

    def ask(self, then: Callable[[Any], None]) -> None:
        """
        Request the next part.

        *then* is called in a thread of the server, perhaps this one, with an argument for `take`.
        """
        self.came = False
        self.pending = pending = self._receive()
        pending.add_done_callback(then)

    def take(self) -> bytes:
        """The requested part, once it has come."""
        # the server's object cannot be collected in a reference cycle, and it holds the callback
        found, self.pending = self.pending, None
        event: dict[str, Any] = found.result()
        if event["type"] != "http.request":
            self.refused = Refused(
                "BAD_REQUEST", message="The client went away before the end of the body."
            )
            return b""
        part: bytes = event["body"]
        self.received += len(part)
        # the server checks a body against its Content-Length, so there is no need to wait for the
        # event that says that it has ended
        if self.received == self._announced or not event["more_body"]:
            self.whole = True
        else:
            self._pace = self._pace or Pace(self._limits, self._size)
            self._due = monotonic() + self._pace.left(self.received)
        return part

    def keep(self, part: bytes) -> None:
        """Keep *part* until it is read."""
        if self.spool is not None:
            try:
                self.spool.write(part)
            except OSError as error:  # the disk is full
                log_exception(DISK_FULL, error)
                self.refuse("SERVICE_UNAVAILABLE")
            return
        if not self._kept:
            self._kept = part
            return
        if isinstance(self._kept, bytes):
            # a list of tiny parts would take forty times their size
            self._kept = bytearray(self._kept)
        self._kept += part

    def refuse(self, code: str = "REQUEST_TIMEOUT") -> None:
        """Stop waiting for it, and refuse it with *code*."""
        self.refused = Refused(code, CLOSING)
        self.cancel()

    def cancel(self) -> None:
        """Stop waiting for it."""
        pending, self.pending = self.pending, None
        if pending is not None:  # pragma: no branch  it comes at this very moment
            pending.cancel()

    def check(self, limit: int | None = None) -> None:
        """
        Check that nothing speaks against it, and that it has at most *limit* bytes.

        Raises:
            Refused: It is `refused`, or too large.
        """
        found = self.refused
        if found is not None:
            # a new exception: a stored one has a traceback, through which the body would hold
            # itself, and its connection would stay open
            raise Refused(found.code, found.headers, **found.data)
        if limit is not None and self.received > limit:
            raise Refused("PAYLOAD_TOO_LARGE", limit=limit)

    def pour(self, feed: Callable[[bytes], None]) -> None:
        """Pass the form to *feed* in pieces, if there is any."""
        if self.spool is None:
            return
        with self.spool as spool:
            spool.seek(0)
            while part := spool.read(_PIECE):
                feed(part)

    def drop(self) -> None:
        """Close the temporary file of a form, if there is one."""
        if self.spool is not None:
            self.spool.close()

    def release(self) -> bytes:
        """Return the bytes that were kept, and forget them."""
        kept, self._kept = self._kept, b""
        return kept if isinstance(kept, bytes) else bytes(kept)

    def stream(self) -> Any:
        """The stream that an app reads as ``wsgi.input``."""
        kept = self.release()
        if self.whole and self.spool is None:
            return io.BytesIO(kept)
        if self.spool is not None:
            self.spool.seek(0)
        return io.BufferedReader(Unread(self, kept))


class Unread(io.RawIOBase):
    """A stream of a body that is not in memory as a whole; at its end it waits for the rest."""

    def __init__(self, body: Body, kept: bytes) -> None:
        super().__init__()
        self._body: Final = body
        self._kept = memoryview(kept)
        self._spool = body.spool

    def readable(self) -> bool:
        """Whether it can be read: always."""
        return True

    def readinto(self, into: Any) -> int:
        """
        Read what has come, or wait for it.

        Raises:
            Refused: No more will come, and this is not the end.
        """
        while not self._kept:
            if self._spool is not None:
                self._kept = memoryview(self._spool.read(_PIECE))
                if not self._kept:
                    self._spool = None
                continue
            self._body.check()
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


@final
class Leftovers:
    """
    The rests of bodies whose requests have been answered without them: they are read and dropped.

    If a connection is closed while its client sends, the client may never see the answer (RFC 9112,
    section 9.6), and nginx says 502 in its place.

    Args:
        seconds: How long a client may go on sending.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds: Final = seconds
        self._rests: Final[dict[_Rest, None]] = {}

    @property
    def any(self) -> bool:
        """Whether the rest of any body is being read."""
        return bool(self._rests)

    def read(self, receive: Callable[[], Any]) -> None:
        """Read the rest that *receive* gives, as it comes; no thread waits for it."""
        rest = _Rest(receive, monotonic() + self._seconds, self._rests)
        self._rests[rest] = None
        rest.read()

    def hurry(self, now: float) -> None:
        """Read no more of those that have taken too long."""
        for rest in list(self._rests):
            if rest.due <= now:
                rest.stop()


@final
class _Rest:
    """
    The rest of one body.

    Attributes:
        due: When it has taken too long, by `time.monotonic`.
    """

    __slots__ = ("_all", "_over", "_pending", "_receive", "due")

    def __init__(self, receive: Callable[[], Any], due: float, every: dict[_Rest, None]) -> None:
        self._all: Final = every
        self._pending: Final[list[Any]] = []
        """The pending request for a part; whoever pops it has to deal with it."""
        self._receive: Final = receive
        self._over: bool = False
        self.due: Final = due

    def read(self) -> None:
        """Request parts until one has to be waited for."""
        while True:
            meeting = [None]
            pending = self._receive()
            self._pending.append(pending)
            if self._over:  # `stop` has found nothing to cancel
                self._cancel()
                return
            pending.add_done_callback(partial(self._came, meeting))
            # a part may have come already: then it is dealt with here, since callbacks within
            # callbacks would overflow the stack
            if _is_first(meeting) or not self._goes_on():
                return

    def _came(self, meeting: list[None], _found: object) -> None:
        if not _is_first(meeting) and self._goes_on():
            self.read()

    def _goes_on(self) -> bool:
        """Drop the part that came; whether there are more."""
        try:
            pending = self._pending.pop()
        except IndexError:  # it has been cancelled
            return False
        event: dict[str, Any] = pending.result()
        if event["type"] == "http.request" and event["more_body"] and not self._over:
            return True
        self._all.pop(self, None)
        return False

    def stop(self) -> None:
        """Read no more of it."""
        self._over = True
        self._all.pop(self, None)
        self._cancel()

    def _cancel(self) -> None:
        with suppress(IndexError):  # a part comes at this very moment
            self._pending.pop().cancel()


def _is_first(meeting: list[None]) -> bool:
    """Whether the caller is the first of two threads to get there."""
    try:
        meeting.pop()
    except IndexError:
        return False
    return True
