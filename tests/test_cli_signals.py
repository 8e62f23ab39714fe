"""Who hears Ctrl-C: in processes of their own, since it is the process's state."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

from contract.cli.signals import held_back
from tests.cli_servers import PATIENCE, environment

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


def _run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
        env=environment(),
    )
    return done.stdout


def test_a_child_that_was_started_meanwhile_leaves_it_unheard() -> None:
    with held_back():
        assert _run(CHILD) == "True\n"


def test_for_good_it_is_heard_by_a_function() -> None:
    assert _run(PARENT) == "True\n"


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
