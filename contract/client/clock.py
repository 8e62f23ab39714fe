"""
Clocks: time and chance, as clients ask for them; tests give their own.

Clients wait between tries, so what waits stands here too. What waits in an event loop is looked up
when there is something to wait for.
"""

from __future__ import annotations

import os
import time
from importlib import import_module
from typing import Protocol, final

__all__ = ["AsyncClock", "AsyncSystemClock", "Clock", "SystemClock", "Time"]


class Time(Protocol):
    """The time, and chance."""

    def monotonic(self) -> float:
        """Seconds since some moment in the past, which never go back."""
        ...

    def time(self) -> float:
        """Seconds since 1970."""
        ...

    def random(self) -> float:
        """A number from 0 up to 1, which spreads the tries of many clients."""
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
    The clock of the computer, and the event loop's for waiting.

    That is asyncio's, and Trio's where anyio is installed.
    """

    __slots__ = ()

    async def sleep(self, seconds: float) -> None:
        """Wait, while other tasks go on."""
        try:
            library = import_module("anyio")
        except ModuleNotFoundError:
            # it comes with httpx2, which a transport of one's own does not need
            library = import_module("asyncio")
        await library.sleep(seconds)
