"""
Collector: the garbage collector, paused while a large value is read or written.

Every 700 new lists, the collector checks which are in use. While half a million lists are made, all
of them are, and the checks took three quarters of the time. So the collector is paused, and
afterwards young objects are counted as old, or they would all be checked at once: a third of the
time again. Nothing made in a pause refers to itself; other young objects are checked later, with
the old ones.
"""

from __future__ import annotations

import gc
import os
import sys
from _thread import RLock  # threading would be imported by every client
from time import monotonic
from typing import Final, final

__all__ = ["COLLECTOR", "Collector"]

_LONGEST: Final = 1.0
"""Seconds: threads that pause one after the other must not stop the collector for ever."""

_MOST: Final = 50
"""
Pauses after which all old objects are checked.

Objects that count as old without having been counted do not make the collector do so itself.
"""

_OF_PYTHON: Final = 1_000
"""
The most objects that Python itself has frozen: 375 in 3.12.

If there are more, the application has frozen its own, and unfreezing would undo that.
"""


@final
class Collector:
    """
    The pauses of this process, which may overlap.

    The first one stops the collector and the last one starts it, unless somebody else had already
    stopped it: then it is left alone.
    """

    __slots__ = ("_ended", "_lock", "_pauses", "_since", "_stopped")

    def __init__(self) -> None:
        self._lock = RLock()  # a finalizer may run while it is held, and load something
        self._pauses = 0
        self._stopped = False
        """
        Whether this object has stopped the collector.

        It is set before the collector is stopped, and reset after it runs again, in case the
        process forks in between.
        """
        self._since = 0.0
        self._ended = 0

    def pause(self) -> bool:
        """Pause, and say whether `resume` must be called."""
        with self._lock:
            if not self._pauses:
                if not gc.isenabled():
                    return False
                self._stopped = True
                gc.disable()
                self._since = monotonic()
            elif monotonic() - self._since > _LONGEST:
                self._start()  # the author's code hangs, perhaps for ever
                return False
            self._pauses += 1
            return True

    def resume(self) -> None:
        """End a pause for which `pause` returned true."""
        with self._lock:
            if not self._pauses:  # in the child of a fork that happened during a pause
                return
            self._pauses -= 1
            if self._pauses:
                return
            self._ended += 1
            is_due = self._ended == _MOST
            try:
                if is_due:
                    self._ended = 0
                elif gc.get_freeze_count() < _OF_PYTHON:
                    gc.freeze()
                    gc.unfreeze()
            finally:  # a signal handler may raise anywhere
                self._start()
        if is_due:
            gc.collect()  # runs finalizers, which may wait for a thread that waits for the lock

    def _start(self) -> None:
        if self._stopped:
            gc.enable()
            self._stopped = False

    def restart(self) -> None:
        """Start anew in a forked child, where no thread is left to end a pause."""
        self._lock = RLock()
        self._pauses = 0
        self._start()


COLLECTOR: Final = Collector()

if sys.platform != "win32":  # pragma: no branch  Windows has no fork
    os.register_at_fork(after_in_child=COLLECTOR.restart)
