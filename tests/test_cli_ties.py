"""What a worker hears from its server, and says to it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

import pytest

from contract.cli.ties import LEAVE, Ties, follow


@contextmanager
def _tied() -> Iterator[tuple[Ties, Connection, Connection]]:
    """To a parent that is gone: the server's end of the lifeline, and of the other pipe."""
    theirs, lifeline = multiprocessing.Pipe(duplex=False)
    news, told = multiprocessing.Pipe(duplex=False)
    with theirs, lifeline, news, told:
        yield Ties(theirs, told, -1, -1), lifeline, news


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

    assert heard == ["stop"]
    assert killed == [signal.SIGTERM] * 10 + [signal.SIGKILL]


def test_who_leaves_still_hears_of_the_end(killed: list[int]) -> None:
    heard: list[str] = []
    with _tied() as (ties, lifeline, _):
        lifeline.send_bytes(LEAVE)
        lifeline.close()
        follow(ties, lambda: heard.append("leave"), lambda: heard.append("stop"))

    assert heard == ["leave", "stop"]
    assert killed[-1] == signal.SIGKILL


def test_a_worker_is_ready_once() -> None:
    with _tied() as (ties, _, news):
        ties.ready()
        ties.ready()

        assert news.recv_bytes() == b"ready"
        with pytest.raises(EOFError):
            news.recv_bytes()
