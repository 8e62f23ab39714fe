"""
Signals: how the processes of a command talk to each other, and which of them handle Ctrl-C.

A terminal sends Ctrl-C to every process of the command at once. But only the first one must decide
what happens, and a child that is still importing would die of it. So children are started with the
signal blocked, and ignore it.

A worker holds one end of a pipe, its lifeline. A message on it means that another worker has taken
over. From then on it accepts nothing, and each reply closes its connection, so that keep-alive
clients move to the other worker. If the other end is closed, the worker is to end soon, or its
server was killed: then open streams end, and the health route answers 503 as well. On another pipe
the worker reports once that it is ready.
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

__all__ = ["LEAVE", "Draining", "Ties", "follow", "hear", "heed", "held_back", "unheard"]

_CTRL_C: Final = {signal.SIGINT}


@contextmanager
def held_back() -> Generator[None]:
    """
    Hold Ctrl-C back while children are started.

    The children inherit that, until they call `unheard`.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _CTRL_C)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def hear(handle: Callable[[], Any]) -> None:
    """
    Block Ctrl-C for good, in this thread and its children, and call *handle* for each one.

    *handle* is called in another thread.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, _CTRL_C)

    def listen() -> None:
        while True:
            signal.sigwait(_CTRL_C)
            handle()

    threading.Thread(target=listen, name="contract-ctrl-c", daemon=True).start()


def heed(stop: Callable[[], None], replace: Callable[[], None]) -> None:
    """
    Handle the signals to a server from now on: *stop* for SIGTERM and Ctrl-C, *replace* for SIGHUP.

    Both are called between two steps of the main thread, *stop* in another thread as well.
    """
    for number in (signal.SIGTERM, signal.SIGINT):  # a thread from before may hear Ctrl-C
        signal.signal(number, lambda _, __: stop())
    signal.signal(signal.SIGHUP, lambda _, __: replace())
    hear(stop)


def unheard() -> None:
    """In a child: leave Ctrl-C to the parent, including one that was held back."""
    os.setpgid(0, 0)  # a terminal sends it to every process of the group, which this one leaves
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # also drops one that was held back
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _CTRL_C)
    # processes that the app starts must behave as usual
    signal.signal(signal.SIGINT, signal.default_int_handler)


# A worker and its server.

LEAVE: Final = b"leave"
"""The message to a worker that another one has replaced."""

_ORPHANED: Final = 10
"""Seconds for calls in flight if the parent, which knows the setting, is gone."""


@final
class Draining:
    """Whether the worker is about to end; then each reply closes its connection."""

    __slots__ = ("on",)

    def __init__(self) -> None:
        self.on: bool = False


@final
@dataclass(frozen=True, slots=True)
class Ties:
    """
    A worker's connections to its server.

    Attributes:
        lifeline: Brings `LEAVE`; the other side closes it when the worker is to end soon.
        news: Where the worker reports that it is ready.
        parent: The process on the other side.
    """

    lifeline: Connection
    news: Connection
    parent: int

    def ready(self) -> None:
        """Report that the worker is ready; repeating it does nothing."""
        with suppress(OSError):  # it was reported already, or the server is gone
            self.news.send_bytes(b"ready")
            self.news.close()


def follow(ties: Ties, leave: Callable[[], None], stop: Callable[[], None]) -> None:
    """
    Wait for messages from the server.

    A server that was killed cannot stop its workers, so they stop themselves.

    Args:
        ties: The connections to the server.
        leave: Called when another worker has taken over.
        stop: Called when the worker is to end soon.
    """
    with suppress(EOFError, OSError):
        ties.lifeline.recv_bytes()
        leave()
        ties.lifeline.recv_bytes()  # there are no more messages, so this is the end
    stop()
    # a server that lives stops its worker itself; if it was killed, another process is the parent
    while os.getppid() == ties.parent:
        time.sleep(0.2)
    for _ in range(_ORPHANED):  # a server that has only just started may miss the first one
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGKILL)
