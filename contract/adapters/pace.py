"""
Pace: how long a body may take.

Three rules, since each alone leaves a way to hold a connection for a long time: a client that goes
silent, one that sends a byte now and then, and one that sends just quickly enough for as long as
the largest body allows.
"""

from __future__ import annotations

from time import monotonic
from typing import Final, final

from contract.call.mount_options import Limits

__all__ = ["LEAST_RATE", "Pace"]

LEAST_RATE: Final = 512
"""
Bytes a second on average, once `Limits.read_seconds` have passed; the slowest links that people
still use bring ten times as much.
"""


@final
class Pace:
    """The time that is left for one body; it runs from the moment when somebody begins to wait."""

    __slots__ = ("_began", "_limits")

    def __init__(self, limits: Limits) -> None:
        self._began: Final = monotonic()
        self._limits: Final = limits

    def left(self, received: int) -> float:
        """
        The seconds in which more has to come, after *received* bytes that came just now.

        None are left where this is not positive.
        """
        limits = self._limits
        gone = monotonic() - self._began
        return min(
            limits.read_seconds,
            limits.read_seconds + received / LEAST_RATE - gone,
            limits.body_seconds - gone,
        )
