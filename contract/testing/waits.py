"""Waits: how long a check waits for the streams of a route, and how often in vain."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import replace
from typing import Any, Final, TypeVar, final

from contract.adapters.background import Result
from contract.call.mount_options import Options
from contract.testing.findings import Finding
from contract.testing.replies import Reply

__all__ = ["STREAM_SECONDS", "Late", "Waits", "in_time", "is_late", "within"]

T = TypeVar("T")

STREAM_SECONDS: Final = 2.0
"""Seconds for a stream, after which a check leaves it."""

_MOST_LATE: Final = 5
"""
As many streams of a route are waited for in vain.

A hundred calls are made of each route, and a synchronous iterator that waits holds a thread of the
streams as long as the process lasts.
"""


class Late(Exception):  # noqa: N818  it is no error; the check goes on without the stream
    """A function did not return in time."""


@final
class Waits:
    """
    The streams of one route that were left before their end, since they took too long.

    After a few of them, the route is called no more; only calls that failed are still repeated, for
    Hypothesis to show the smallest of them.
    """

    def __init__(self) -> None:
        self._failed: Final[set[str]] = set()
        self.late: int = 0
        """How many were left."""

    def failed(self, call: object) -> None:
        """Record that there is a finding about *call*."""
        self._failed.add(repr(call))

    def is_worth(self, call: object) -> bool:
        """Whether *call* is to be made."""
        return self.late < _MOST_LATE or repr(call) in self._failed

    def guarded(self, law: Callable[[Any], None]) -> Callable[[Any], None]:
        """The *law*, which passes over calls that are not worth making."""

        def guarded(call: Any) -> None:
            if not self.is_worth(call):
                return
            try:
                law(call)
            except Finding:
                self.failed(call)
                raise

        return guarded

    def told(self, route: str, option: str) -> str:
        """Say how many streams of *route* were left, and which *option* says when."""
        streams = f"{self.late} of its streams were"
        if self.late == 1:
            streams = "1 of its streams was"
        rest = ", and it was called no more" if self.late >= _MOST_LATE else ""
        left = f"{streams} left unfinished ({option}); what came until then was checked{rest}"
        return f"{route}: {left}"


def within(options: Options, seconds: float) -> Options:
    """The *options* of a mount, with streams that take no longer than so many *seconds*."""
    limits = options.limits
    least = min(seconds, limits.stream_seconds or seconds)
    return replace(options, limits=replace(limits, stream_seconds=least))


def is_late(reply: Reply) -> bool:
    """Whether *reply* is a stream that was cut off by a limit of time."""
    return reply.items is not None and reply.error == "DEADLINE_EXCEEDED"


def in_time(function: Callable[[], T], seconds: float) -> T:
    """
    Call *function* in a thread of its own, which is left behind if it takes too long.

    Raises:
        Late: It took longer than so many *seconds*.
    """
    result = Result()

    def run() -> None:
        try:
            value: Any = function()
        except BaseException as exception:  # noqa: BLE001  the other thread raises it
            result.give(None, exception)
        else:
            result.give(value)

    # It has the context variables of this thread. It is a daemon, since a function that never
    # returns must not keep the process alive.
    threading.Thread(target=copy_context().run, args=(run,), daemon=True).start()
    if not result.wait(seconds):
        raise Late
    taken: T = result.taken()
    return taken
