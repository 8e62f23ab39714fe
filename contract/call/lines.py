"""
Lines of a log, written by a separate thread, so that no call waits for the log's reader.

A pipe that nobody reads takes 64 KiB, and then blocks its writer. So calls put their lines into a
bounded queue. Lines that do not fit are counted, and the count is written once there is room again.
"""

from __future__ import annotations

import atexit
import json
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final, TextIO, final
from weakref import WeakSet

from contract.call.process import leave_signals, restarts

__all__ = ["MOST", "Lines", "encodable", "has_descriptor"]

MOST: Final = 10_000
"""The most waiting lines; about as many calls as a worker answers in a second."""

_SPARE: Final = 1_000
"""More room for urgent lines: errors must fit in even if the log is full of calls."""

_BATCH: Final = 0.05
"""
Seconds between two writes if nothing is urgent.

A write for each line would cost more than a small call.
"""

_TOGETHER: Final = 256
"""
The most lines in one write; they are some 45 KB.

Beyond 128 KiB, ``malloc`` gets each block from the system anew, and gives it back: to write a
thousand lines at once takes seven times as long as to write them in four parts.
"""

_BRIEF: Final = 0.05
"""Seconds to wait for an urgent line, unless the writer has been blocked for longer."""

_LAST: Final = 1.0
"""Seconds that the end of the process waits for unwritten lines."""


@final
class Lines:
    """
    A queue of lines, and the thread that writes them.

    Args:
        stream: Where to write.
        lost: Makes the line that says how many were dropped.
    """

    def __init__(self, stream: TextIO, lost: Callable[[int], str]) -> None:
        self._stream: Final = stream
        self._lost: Final = lost
        self.restart()
        restarts(self)
        _EVERY.add(self)

    def restart(self) -> None:
        """Start again: after a fork the thread is gone, and the parent writes the waiting lines."""
        self._queue: list[str] = []
        self._flushes: deque[threading.Event] = deque()
        """Events to set once everything before them in the queue is written."""
        self._bell = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._asleep = True
        self._since: float | None = None
        self.dropped: int = 0
        """How many lines found no room since the last report."""

    def put(self, line: str, most: int = MOST) -> None:
        """Queue a *line* with its line end, unless *most* already wait; never blocks."""
        # without a lock, which every call would wait for: appending to a list is one step
        queue = self._queue
        if len(queue) >= most:
            self.dropped += 1
            return
        queue.append(line)
        if self._asleep:
            self._wake()

    def put_now(self, line: str) -> None:
        """
        Have a *line* written at once, and wait briefly for that.

        If the writer has been blocked for that long, waiting would not help.
        """
        self.put(line, MOST + _SPARE)
        since = self._since
        if since is None or monotonic() - since < _BRIEF:
            self.flush(_BRIEF)

    def flush(self, seconds: float = _LAST) -> None:
        """Wait until all queued lines are written, at most so many *seconds*."""
        if self._queue or self._since is not None:
            written = threading.Event()
            self._flushes.append(written)
            self._wake()
            written.wait(seconds)

    def _wake(self) -> None:
        self._asleep = False
        with self._starting:
            if self._thread is None:
                thread = threading.Thread(target=self._write, name="contract-log", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # the system has no thread left; the next line tries again
                    self._asleep = True
                    return
                self._thread = thread
        self._bell.set()

    def _write(self) -> None:
        leave_signals()
        bell, queue = self._bell, self._queue
        while True:
            self._asleep = True
            if not queue:  # one may have come just now, without ringing
                bell.wait()
            bell.clear()
            self._asleep = False
            if queue and not self._flushes:
                bell.wait(_BATCH)  # for more lines, or an urgent one
            self._write_all(queue)

    def _write_all(self, queue: list[str]) -> None:
        flushes = self._flushes
        # before the lines that they wait for
        waiting = [flushes.popleft() for _ in range(len(flushes))]
        # before the queue is empty: `flush` waits for lines that are not in it any more, too
        self._since = monotonic()
        lines = queue.copy()
        del queue[: len(lines)]  # lines that have come in between stand behind them
        dropped, self.dropped = self.dropped, 0
        if dropped:
            lines.append(self._lost(dropped))
        # nobody reads any more, or the stream is closed: there is nowhere to report it
        with suppress(Exception):
            for start in range(0, len(lines), _TOGETHER):
                self._write_text("".join(lines[start : start + _TOGETHER]))
            self._stream.flush()
        self._since = None
        for event in waiting:
            event.set()

    def _write_text(self, text: str) -> None:
        stream = self._stream
        try:
            stream.write(text)
        except UnicodeEncodeError:  # nothing of it has been written
            stream.write(encodable(text, stream))


_EVERY: Final[WeakSet[Lines]] = WeakSet()


@atexit.register
def _flush_every() -> None:
    """
    Write what is queued when the process ends.

    ``logging`` does that only for the handlers that it knows, and ``dictConfig`` has it forget all.
    """
    for each in [*_EVERY]:
        each.flush()


def encodable(text: str, stream: TextIO) -> str:
    """
    The *text* with an escape for every character that *stream* cannot encode.

    The escapes are those of JSON, so a JSON value keeps its meaning.
    """

    def is_encodable(text: str) -> bool:
        try:
            text.encode(stream.encoding, stream.errors or "strict")
        except UnicodeEncodeError:
            return False
        return True

    if is_encodable(text):
        return text
    chars: list[str] = []
    for char in text:
        if is_encodable(char):
            chars.append(char)
        else:
            chars.append(json.dumps(char)[1:-1])  # without its quotes
    return "".join(chars)


def has_descriptor(stream: TextIO) -> bool:
    """Whether writing to *stream* may block, as it never does in memory."""
    try:
        stream.fileno()
    except (OSError, ValueError, AttributeError):
        return False
    return True
