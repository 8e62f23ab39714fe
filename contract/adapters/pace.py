"""
The pace of a body: how long it may take.

There are three rules, since each alone leaves a way to hold a connection for long: by a client that
sends nothing, by one that sends a byte now and then, and by one that sends just quickly enough for
as long as the largest body allows.
"""

from __future__ import annotations

from time import monotonic
from typing import Final, final

from contract.call.mount_options import Limits

__all__ = ["LEAST_RATE", "Pace"]

LEAST_RATE: Final = 512
"""
Bytes a second on average, once `Limits.read_seconds` have passed.

The slowest links in use have ten times as much.
"""


_FORM: Final = 1_048_576
"""A MiB, the default limit of a body: for each of them, a form has the time of one body."""


@final
class Pace:
    """
    The time left for one body, counted from the first wait for it.

    Args:
        size: The most bytes of a form, which may take `Limits.body_seconds` for each MiB of them.
    """

    __slots__ = ("_began", "_limits", "_seconds")

    def __init__(self, limits: Limits, size: int = 0) -> None:
        self._began: Final = monotonic()
        self._limits: Final = limits
        self._seconds: Final = limits.body_seconds * (1 + size // _FORM)

    def left(self, received: int) -> float:
        """
        The seconds in which more must come, now that *received* bytes are there.

        If this is not positive, the time is over.
        """
        limits = self._limits
        gone = monotonic() - self._began
        return min(
            limits.read_seconds,
            limits.read_seconds + received / LEAST_RATE - gone,
            self._seconds - gone,
        )
