"""
Signals: what the processes of a command tell each other, and who hears Ctrl-C.

A terminal sends Ctrl-C to every process of the command at once; but only the first one is to decide
what happens, and a child that is still importing would die of it. So children are started with the
signal blocked, and leave it unheard.

A worker holds one end of a pipe, its lifeline. A word that comes through it says that another
worker has taken its seat: from then on it accepts nothing, and each reply closes its connection, so
that clients that keep theirs open go over to the other one. When the other end is closed, the
server is about to stop, or has been killed: then the health route says 503 as well. Through another
pipe the worker says once that it is ready.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Final, final

__all__ = ["LEAVE", "Draining", "Ties", "follow", "hear", "held_back", "unheard"]

_CTRL_C: Final = {signal.SIGINT}


@contextmanager
def held_back() -> Generator[None]:
    """
    Hold Ctrl-C back for a moment, in which children are started.

    They inherit that, until they are `unheard`.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _CTRL_C)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def hear(handle: Callable[[], Any]) -> None:
    """
    Hold Ctrl-C back for good, in this thread and its children, and call *handle* for each.

    *handle* is called in a thread of its own.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, _CTRL_C)

    def listen() -> None:
        while True:
            signal.sigwait(_CTRL_C)
            handle()

    threading.Thread(target=listen, name="contract-ctrl-c", daemon=True).start()


def unheard() -> None:
    """In a child: leave Ctrl-C to the parent, the one that may have been held back included."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which forgets what was held back
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _CTRL_C)
    # processes that the app starts are to be as always
    signal.signal(signal.SIGINT, signal.default_int_handler)


# A worker and its server.

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
