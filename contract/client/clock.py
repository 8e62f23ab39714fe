"""
Clocks: the source of time and randomness for clients; tests replace it.

Clients wait between tries, so the ways to wait are here, too. The code for event loops is loaded
when a client first waits in one.
"""

from __future__ import annotations

import os
import time
from importlib import import_module
from typing import Protocol, final

__all__ = ["AsyncClock", "AsyncSystemClock", "Clock", "SystemClock", "Time"]


class Time(Protocol):
    """The time, and random numbers."""

    def monotonic(self) -> float:
        """Seconds since some fixed moment; the number never decreases."""
        ...

    def time(self) -> float:
        """Seconds since 1970."""
        ...

    def random(self) -> float:
        """A number from 0 up to 1, which spreads the retries of many clients."""
        ...


class Clock(Time, Protocol):
    """The clock of a synchronous client."""

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class AsyncClock(Time, Protocol):
    """The clock of an asynchronous client."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class _System:
    __slots__ = ()

    def monotonic(self) -> float:
        return time.monotonic()

    def time(self) -> float:
        return time.time()

    def random(self) -> float:
        # the random module takes longer to load than most clients run
        return int.from_bytes(os.urandom(6)) / 2**48


@final
class SystemClock(_System):
    """The clock of the computer."""

    __slots__ = ()

    def sleep(self, seconds: float) -> None:
        """Wait, and block the thread."""
        time.sleep(seconds)


@final
class AsyncSystemClock(_System):
    """
    The clock of the computer; an event loop does the waiting.

    The loop is asyncio's, or Trio's if anyio is installed.
    """

    __slots__ = ()

    async def sleep(self, seconds: float) -> None:
        """Wait while other tasks run."""
        try:
            library = import_module("anyio")
        except ModuleNotFoundError:
            # it comes with httpx2, which other transports may not need
            library = import_module("asyncio")
        await library.sleep(seconds)
