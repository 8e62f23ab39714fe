"""
Bodies: the body of a request to a worker.

On an event loop, an app takes its parts as they come. In a synchronous worker no thread waits for
it, since a client may be slow: the leader (`contract.cli.turns`) keeps its parts, and an app is
called when all of it is there, or as much as may be kept. Only the rest of a larger body is waited
for, by the thread that reads it.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress
from tempfile import SpooledTemporaryFile
from time import monotonic
from typing import Any, Final, final

from contract.adapters.pace import Pace
from contract.call.form import DISK_FULL
from contract.call.incoming import CLOSING, Refused
from contract.call.log import log_exception
from contract.call.mount_options import Limits

__all__ = ["Body"]

_IN_MEMORY: Final = 65_536
"""How many bytes of a form are kept in memory before it goes to disk."""
_PIECE: Final = 262_144
"""How many bytes of a form are read at a time."""

_GONE: Final = "The client went away before the end of the body."


@final
class Body:
    """
    The body of one request.

    Attributes:
        began: When the wait for it began, by `time.monotonic`.
        due: When its next part is too late.
        dropped: Whether its request has been answered, so that nothing of it is kept any more.
        is_on_disk: Whether it is a form, whose large parts are kept in a file.
        received: How many bytes have come.
        refused: Why no more of it is read.
        spool: The part of a form that has come; it may be too large for memory.
        whole: Whether all of it has come.
    """

    # class attributes until they differ from those of a body that has just begun, as most do until
    # the end: setting each of them costs time
    began: float = 0.0
    due: float = 0.0
    dropped: bool = False
    is_on_disk: bool = False
    received: int = 0
    refused: Refused | None = None
    spool: SpooledTemporaryFile[bytes] | None = None
    whole: bool = False
    _kept: bytes | bytearray = b""
    _pace: Pace | None = None
    _read: SpooledTemporaryFile[bytes] | None = None
    """The file that was the `spool`, once an app reads it."""
    _size: int = 0

    def spools(self, size: int) -> None:
        """Keep it as a form of at most *size* bytes, whose large parts go to disk."""
        self._size = size
        self.is_on_disk = True
        # `drop` closes it
        self.spool = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
        self._keep(self.release())

    @property
    def held(self) -> int:
        """How many of its bytes are in memory."""
        if self.spool is None:
            return self.received
        return min(self.received, _IN_MEMORY)

    @property
    def kept(self) -> int:
        """How many of its bytes wait to be released."""
        return len(self._kept)

    def wait(self, limits: Limits) -> None:
        """Begin to wait for it, or go on: a caller is authenticated in between."""
        if self._pace is None:
            self.began = monotonic()
            self._pace = Pace(limits, self._size)
            self._hurry(self._pace)

    def feed(self, part: bytes) -> None:
        """Keep a *part* that has come."""
        if self.dropped or self.refused is not None:
            return
        if self._kept or self.spool is not None:
            self._keep(part)
        else:  # the first part, which is all of most bodies, is kept without a copy
            self._kept = part
        self.received += len(part)
        if self._pace is not None:
            self._hurry(self._pace)

    def _hurry(self, pace: Pace) -> None:
        self.due = monotonic() + pace.left(self.received)

    def _keep(self, part: bytes) -> None:
        if self.spool is not None:
            try:
                self.spool.write(part)
            except OSError as error:  # the disk is full
                log_exception(DISK_FULL, error)
                self.refuse("SERVICE_UNAVAILABLE")
            return
        if isinstance(self._kept, bytes):
            # a list of tiny parts would take forty times their size
            self._kept = bytearray(self._kept)
        self._kept += part

    def refuse(self, code: str = "REQUEST_TIMEOUT") -> None:
        """Wait no longer for it, and refuse it with *code*."""
        self.refused = Refused(code, CLOSING)

    def break_off(self, message: str = _GONE) -> None:
        """Refuse it, since its end can never come any more."""
        self.refused = Refused("BAD_REQUEST", message=message)

    def check(self, limit: int | None = None) -> None:
        """
        Check that nothing speaks against it, and that it has at most *limit* bytes.

        Raises:
            Refused: It is `refused`, or too large.
        """
        found = self.refused
        if found is not None:
            # a new exception: a stored one has a traceback, through which the body would hold
            # itself
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
        """Keep nothing of it, now or later."""
        self.dropped = True
        self._kept = b""
        for spool in (self.spool, self._read):
            if spool is not None:
                with suppress(OSError):  # the disk is full, and a part of it was to be written yet
                    spool.close()

    def release(self) -> bytes:
        """Return the bytes that were kept, and forget them."""
        kept, self._kept = self._kept, b""
        if isinstance(kept, bytes):  # one part, which is not copied
            return kept
        return bytes(kept)

    def stream(self, receive: Callable[[float], None]) -> Any:
        """
        The stream that an app reads as ``wsgi.input``.

        Args:
            receive: Waits for the next part for so many seconds, and feeds it.
        """
        if self.spool is not None:
            self._read, self.spool = self.spool, None  # what comes from now on is not for the disk
            self._read.seek(0)
        elif self.whole:  # the usual one, for which no class in Python is needed
            return io.BytesIO(self.release())
        return io.BufferedReader(_Unread(self, self._read, receive))


class _Unread(io.RawIOBase):
    """A stream of a body that is not in memory as a whole; at its end it waits for the rest."""

    def __init__(
        self,
        body: Body,
        spool: SpooledTemporaryFile[bytes] | None,
        receive: Callable[[float], None],
    ) -> None:
        super().__init__()
        self._body: Final = body
        self._receive: Final = receive
        self._kept = memoryview(b"")
        self._spool = spool

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
            self._kept = memoryview(self._part())
            if not self._kept:  # all that has come is read, even of a body that is refused
                self._body.check()
                if self._body.whole:
                    return 0
                self._wait()
        count = min(len(into), len(self._kept))
        into[:count] = self._kept[:count]
        self._kept = self._kept[count:]
        return count

    def _part(self) -> bytes:
        """The next part that is there; empty if there is none."""
        if self._spool is not None:
            part = self._spool.read(_PIECE)
            if part:
                return part
            self._spool = None
        return self._body.release()

    def _wait(self) -> None:
        body = self._body
        before, left = body.received, body.due - monotonic()
        self._receive(max(left, 0.0))  # what is there is taken: the app may be slow, not the client
        if left <= 0 and body.received == before and not body.whole:
            body.refuse()
