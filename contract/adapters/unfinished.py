"""
Unfinished bodies: how much memory they may take together.

A body is limited, but many clients may each send most of one and then wait. So the largest of them
are refused once there is too much; the others, and small calls, are answered as before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Final, TypeVar, final
from weakref import WeakKeyDictionary

__all__ = ["MOST_HELD", "Unfinished", "largest_of"]

T = TypeVar("T")

MOST_HELD: Final = 268_435_456
"""The most bytes of unfinished bodies in memory; beyond it, the largest are refused."""


def largest_of(bodies: Iterable[T], size: Callable[[T], int]) -> list[T]:
    """
    The bodies to refuse: the largest quarter, so that this is not done for each part.

    None if only one body has any bytes: its own limit is for that.
    """
    found = sorted(filter(size, bodies), key=size, reverse=True)
    if len(found) < 2:
        return []
    return found[: len(found) // 4 + 1]


@final
class Unfinished:
    """
    A body on an event loop, of which a part has come.

    `drop` must follow.

    Attributes:
        is_refused: Whether it was one of the largest when there was too much.
        wait: The wait for its next part, which ends if it is refused.
    """

    __slots__ = ("_all", "_elsewhere", "_parts", "is_refused", "wait")

    def __init__(self) -> None:
        # one sum for each loop: a lock would be needed to share it between threads
        self._all: Final = _ALL.setdefault(asyncio.get_running_loop(), _All())
        self._elsewhere = 0
        self._parts = bytearray()  # a list of tiny parts would take forty times their size
        self.is_refused: bool = False
        self.wait: asyncio.Timeout | None = None
        self._all.bodies.add(self)

    def __len__(self) -> int:
        """How many bytes have come that were not taken."""
        return len(self._parts)

    @property
    def held(self) -> int:
        """How many of its bytes are in memory."""
        return len(self._parts) + self._elsewhere

    def add(self, part: bytes) -> None:
        """Keep *part*; this may refuse the body."""
        self._parts += part
        self._count(len(part))

    def take(self) -> bytes:
        """Return what has been kept, and forget it."""
        taken = bytes(self._parts)
        self._all.size -= len(taken)
        self._parts = bytearray()
        return taken

    def hold(self, elsewhere: int) -> None:
        """Count so many bytes that were taken and are still in memory; this may refuse the body."""
        more = elsewhere - self._elsewhere
        self._elsewhere = elsewhere
        self._count(more)

    def drop(self) -> None:
        """Forget the body."""
        self._all.size -= self.held
        self._elsewhere = 0
        self._parts = bytearray()
        self._all.bodies.discard(self)

    def refuse(self) -> None:
        """Forget the body, and end the wait for more of it."""
        self.is_refused = True
        self.drop()
        # by a timeout that is due now: a cancellation would end the whole call
        if self.wait is not None:
            self.wait.reschedule(asyncio.get_running_loop().time())

    def _count(self, more: int) -> None:
        self._all.size += more
        if self._all.size > MOST_HELD:
            for each in largest_of(self._all.bodies, lambda body: body.held):
                each.refuse()


@final
class _All:
    """All unfinished bodies of an event loop, and how many of their bytes are in memory."""

    def __init__(self) -> None:
        self.bodies: Final[set[Unfinished]] = set()
        self.size = 0


_ALL: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, _All]] = WeakKeyDictionary()
