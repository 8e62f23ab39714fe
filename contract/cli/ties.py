"""
Ties: how a worker and its server know of each other.

A worker holds one end of a pipe, its lifeline. A word that comes through it says that another
worker has taken its seat: from then on it accepts nothing, and each reply closes its connection, so
that clients that keep theirs open go over to the other one. When the other end is closed, the
server is about to stop, or has been killed: then the health route says 503 as well. Through another
pipe the worker says once that it is ready.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final, final

__all__ = ["LEAVE", "Draining", "Ties", "follow"]

LEAVE: Final = b"leave"
"""The word to a worker whose seat is taken."""

_ORPHANED: Final = 10
"""Seconds for calls in flight, without a parent who knows what was asked for."""


@final
class Draining:
    """Whether the worker is about to end: then each reply closes its connection."""

    __slots__ = ("on",)

    def __init__(self) -> None:
        self.on: bool = False


@final
@dataclass(frozen=True, slots=True)
class Ties:
    """
    A worker's ends of what ties it to its server.

    Attributes:
        lifeline: `LEAVE` comes through it; closed by the other side when the server is about to
            stop.
        news: Where the worker says that it is ready.
        parent: The process on the other side.
        listening: The descriptor of the socket that is listened on, in both processes.
    """

    lifeline: Connection
    news: Connection
    parent: int
    listening: int

    def ready(self) -> None:
        """Say so; more than once does nothing."""
        with suppress(OSError):  # it is said, or nobody is there to hear it
            self.news.send_bytes(b"ready")
            self.news.close()


def follow(ties: Ties, leave: Callable[[], None], stop: Callable[[], None]) -> None:
    """
    Wait for what the server has to say.

    A server that was killed cannot stop its workers, so they stop themselves.

    Args:
        ties: To the server.
        leave: Called when another worker has taken the seat.
        stop: Called when the server is about to stop.
    """
    with suppress(EOFError, OSError):
        ties.lifeline.recv_bytes()
        leave()
        ties.lifeline.recv_bytes()  # it has no more to say, so this is the end
    stop()
    while os.getppid() == ties.parent:
        time.sleep(0.2)
    for _ in range(_ORPHANED):  # a server that has only just been started may miss the first
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGKILL)
