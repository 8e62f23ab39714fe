"""
Process: what each process has of its own, its request ids, and what a forked child starts again.
"""

from __future__ import annotations

import itertools
import operator
import os
import re
import signal
import sys
from collections.abc import Callable
from typing import Final, Protocol
from weakref import WeakSet

__all__ = ["IDS", "leave_signals", "request_id", "restarts"]


class _Restarts(Protocol):
    """Something whose threads, locks or numbers must not be used in a forked child."""

    def restart(self) -> None: ...


_RESTARTED: Final[WeakSet[_Restarts]] = WeakSet()


def restarts(each: _Restarts) -> None:
    """Have *each* restarted in every child that this process forks, as long as it is in use."""
    _RESTARTED.add(each)


# in forked children, whose coverage is lost; a test forks and checks the result
def _restart() -> None:  # pragma: no cover
    for each in _RESTARTED:
        each.restart()


if sys.platform != "win32":  # pragma: no branch  nothing forks there
    os.register_at_fork(after_in_child=_restart)


def leave_signals() -> None:
    """Let no signal come to this thread: there are other threads that wait for them."""
    if sys.platform != "win32":  # pragma: no branch  threads have no such mask there
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


# short enough to log, without characters that could break a line of a log or a header
_SANE_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,128}").fullmatch


_ENDS: Final = tuple(f"{number:03}" for number in range(1000))


class _Ids:
    """
    New request ids: a random prefix for each process, then a number.

    This is faster than a UUID, and makes them unique as long as calls are counted.
    """

    new: Callable[[], str]

    def __init__(self) -> None:
        self.restart()
        restarts(self)

    def restart(self) -> None:
        """Start with a new prefix: a forked child must not repeat its parent's ids."""
        # every step is written in C, so no thread can interrupt it; the last three digits are ready
        # as text, since formatting a number costs as much as all the rest
        heads = map(f"{os.urandom(8).hex()}-".__add__, map(str, itertools.count(1)))
        thousands = itertools.chain.from_iterable(
            map(itertools.repeat, heads, itertools.repeat(len(_ENDS)))
        )
        self.new = map(operator.add, thousands, itertools.cycle(_ENDS)).__next__


IDS: Final = _Ids()
"""The ids of this process."""


def request_id(sent: str | None) -> str:
    """The request id of a call: the one that was *sent*, if it is valid, else a new one."""
    if sent is None or not _SANE_ID(sent):
        return IDS.new()
    return sent
