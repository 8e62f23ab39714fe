"""
Collector: the garbage collector, paused while a large value is read or written.

Whoever makes half a million lists is asked by the collector, every 700 of them, which are in use:
all of them are, and the asking took three quarters of the time. So it is paused, and afterwards
what is young counts as old, or it would be asked for all at once: a third of the time again.
Nothing that is made in a pause refers to itself; what else was young then is looked at with all
that is old.
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
"""
Seconds: one pause after the other, from many threads, must not keep the collector away for ever.
"""

_MOST: Final = 50
"""
Pauses after which everything old is looked at.

The collector is not made to do so by objects that count as old without having been counted.
"""

_OF_PYTHON: Final = 1_000
"""
Objects that Python itself has put away: 375 in 3.12.

Where there are more, the application has frozen its own, and to unfreeze would give them back.
"""


@final
class Collector:
    """
    The pauses of this process, which may overlap.

    The first one stops the collector and the last one starts it, unless somebody else had stopped
    it before: then it is left alone.
    """

    __slots__ = ("_ended", "_lock", "_pauses", "_since", "_stopped")

    def __init__(self) -> None:
        self._lock = RLock()  # a finalizer may run in the middle of this, and load something
        self._pauses = 0
        self._stopped = False
        """
        Whether this object has stopped the collector.

        It is set before the collector is stopped, and taken back after it runs again, for a process
        that forks in between.
        """
        self._since = 0.0
        self._ended = 0

    def pause(self) -> bool:
        """Pause, and say whether `resume` is to be called."""
        with self._lock:
            if not self._pauses:
                if not gc.isenabled():
                    return False
                self._stopped = True
                gc.disable()
                self._since = monotonic()
            elif monotonic() - self._since > _LONGEST:
                self._start()  # some code of the author's hangs, and may do so for ever
                return False
            self._pauses += 1
            return True

    def resume(self) -> None:
        """End a pause that `pause` said yes to."""
        with self._lock:
            if not self._pauses:  # in the child of a fork that happened in a pause
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
            finally:  # a handler of signals may raise anywhere
                self._start()
        if is_due:
            gc.collect()  # which runs finalizers: they may wait for whoever waits for the lock

    def _start(self) -> None:
        if self._stopped:
            gc.enable()
            self._stopped = False

    def restart(self) -> None:
        """Begin anew in a forked child, which has none of the threads that would end a pause."""
        self._lock = RLock()
        self._pauses = 0
        self._start()


COLLECTOR: Final = Collector()

if sys.platform != "win32":  # pragma: no branch  nothing forks there
    os.register_at_fork(after_in_child=COLLECTOR.restart)
