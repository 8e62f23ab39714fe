"""Who hears Ctrl-C (in processes of their own, since it is the process's state), and a worker's end."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

import pytest

from contract.cli.signals import LEAVE, Ties, follow, held_back
from tests.cli_servers import ran

CHILD = """
import os, signal
os.kill(os.getpid(), signal.SIGINT)
from contract.cli.signals import unheard

unheard()
print(os.getpgrp() == os.getpid())
"""

PARENT = """
import os, signal, threading
from contract.cli.signals import hear

heard = threading.Event()
hear(heard.set)
os.kill(os.getpid(), signal.SIGINT)
print(heard.wait(20))
"""


SERVER = """
import os, queue, signal
from contract.cli.signals import heed

heard = queue.SimpleQueue()
heed(lambda: heard.put("stop"), lambda: heard.put("replace"))
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    os.kill(os.getpid(), number)
    print(heard.get(timeout=20))
"""


def test_a_child_that_was_started_meanwhile_leaves_it_unheard() -> None:
    with held_back():
        assert ran(sys.executable, "-c", CHILD).stdout == b"True\n"


def test_for_good_it_is_heard_by_a_function() -> None:
    assert ran(sys.executable, "-c", PARENT).stdout == b"True\n"


@pytest.mark.measured
def test_a_server_is_told_to_stop_and_to_replace_its_workers() -> None:
    assert ran(sys.executable, "-c", SERVER).stdout == b"stop\nreplace\nstop\n"


def test_what_was_held_back_comes_afterwards() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        with held_back():
            signal.raise_signal(signal.SIGINT)
            within = list(heard)
        time.sleep(0)  # handlers run between two instructions
    finally:
        signal.signal(signal.SIGINT, before)

    assert (within, heard) == ([], [signal.SIGINT])


# What a worker hears from its server, and says to it.


@contextmanager
def _tied() -> Iterator[tuple[Ties, Connection, Connection]]:
    """To a parent that is gone: the server's end of the lifeline, and of the other pipe."""
    theirs, lifeline = multiprocessing.Pipe(duplex=False)
    news, told = multiprocessing.Pipe(duplex=False)
    with theirs, lifeline, news, told:
        yield Ties(theirs, told, -1), lifeline, news


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The signals that the process sends to itself."""
    sent: list[int] = []
    monkeypatch.setattr(os, "kill", lambda _, number: sent.append(number))
    monkeypatch.setattr("time.sleep", lambda _: None)
    return sent


def test_an_orphan_ends_itself(monkeypatch: pytest.MonkeyPatch, killed: list[int]) -> None:
    """It asks several times, since the first may come before anybody listens."""
    parents = [-1, -1, 1]
    monkeypatch.setattr(os, "getppid", lambda: parents.pop(0))
    heard: list[str] = []
    with _tied() as (ties, lifeline, _):
        lifeline.close()
        follow(ties, lambda: heard.append("leave"), lambda: heard.append("stop"))

    assert (heard, killed) == (["stop"], [signal.SIGTERM] * 10 + [signal.SIGKILL])


def test_who_leaves_still_hears_of_the_end(killed: list[int]) -> None:
    heard: list[str] = []
    with _tied() as (ties, lifeline, _):
        lifeline.send_bytes(LEAVE)
        lifeline.close()
        follow(ties, lambda: heard.append("leave"), lambda: heard.append("stop"))

    assert (heard, killed[-1]) == (["leave", "stop"], signal.SIGKILL)


def test_a_worker_is_ready_once() -> None:
    with _tied() as (ties, _, news):
        ties.ready()
        ties.ready()

        assert news.recv_bytes() == b"ready"
        with pytest.raises(EOFError):
            news.recv_bytes()
