"""
Signals: who hears Ctrl-C.

A terminal sends it to every process of the command at once; but only the first one is to decide
what happens, and a child that is still importing would die of it. So children are started with the
signal blocked, and leave it unheard.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Final

__all__ = ["held_back", "hear", "unheard"]

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
