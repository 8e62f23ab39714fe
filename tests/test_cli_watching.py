"""The worker of ``contract dev``: real ones, which are replaced, die and end."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from contract.cli.watching import Reloader, watched
from contract.cli.worker_process import LOG, Start, Worker
from tests.cli_apps import SHOP
from tests.cli_inside import having
from tests.cli_servers import PATIENCE, running, until
from tests.tables import rows
from tests.test_cli_worker_process import obedient, starting


class Started(list[Worker]):
    """
    The workers that were started, by a server that runs meanwhile.

    As long as there is anything in *lacks*, it is raised instead.
    """

    def __init__(self, start: Start, listening: socket.socket) -> None:
        super().__init__()
        self.lacks: list[Exception] = []
        self._begin = start
        self.reloader = Reloader(self._start, listening, 8)

    def _start(self, idx: int, news: Callable[[], None]) -> Worker:
        if self.lacks:
            raise self.lacks.pop()
        self.append(self._begin(idx, news))
        return self[-1]

    def ready(self, count: int) -> None:
        """Wait until the last of so many is ready."""
        until(lambda: len(self) == count and self[-1].ready_since)


@contextmanager
def reloading() -> Iterator[Started]:
    """One that runs; afterwards, all has ended."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        started = Started(starting(obedient), listening)
        thread = threading.Thread(target=started.reloader.run)
        thread.start()
        try:
            yield started
        finally:
            started.reloader.stop()
            thread.join(PATIENCE)
        assert listening.fileno() == -1
    assert all(worker.ended for worker in started)


def test_one_worker_follows_another() -> None:
    with reloading() as started:
        started.ready(1)
        started.reloader.reload()
        started.ready(2)
        before, after = started

        assert (before.ended, before.how, after.ended) == (True, "SIGTERM", False)
        assert before.name == after.name == "worker-1"


def test_one_that_dies_is_told_about_and_followed_when_a_file_is_saved(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level("ERROR", LOG.name), reloading() as started:
        started.ready(1)
        os.kill(started[0].pid, signal.SIGKILL)
        until(lambda: caplog.messages)
        died = "worker-1 ended (SIGKILL); another one starts when a file is saved"
        assert (caplog.messages, len(started)) == ([died], 1)
        started.reloader.reload()
        started.ready(2)

    assert caplog.messages == [died], "the end of those that were stopped is no news"


@rows("lack", BlockingIOError(11, "no room"), RuntimeError("can't start new thread"))
def test_one_that_cannot_be_started_is_told_about_and_tried_again_when_a_file_is_saved(
    caplog: pytest.LogCaptureFixture, lack: Exception
) -> None:
    with caplog.at_level("ERROR", LOG.name), reloading() as started:
        started.ready(1)
        started.lacks.append(lack)
        started.reloader.reload()
        until(lambda: caplog.messages)
        until(lambda: started[0].ended)
        started.reloader.reload()
        started.ready(2)

    told = f"worker-1 could not be started ({lack}); another one starts when a file is saved"
    assert caplog.messages == [told]


def test_a_file_that_is_saved_is_told_about_until_nobody_looks(tmp_path: Path) -> None:
    saved = threading.Event()

    def save_until_seen() -> bool:
        (tmp_path / "shop.py").write_text("")
        return saved.wait(0.05)

    with watched(tmp_path, saved.set):
        until(save_until_seen)
        threads = {thread.name for thread in threading.enumerate()}

    assert "contract-watch-files" in threads
    assert "contract-watch-files" not in {thread.name for thread in threading.enumerate()}


def test_in_development_a_dead_worker_is_told_about_and_sighup_starts_another(
    tmp_path: Path,
) -> None:
    with running("dev", "shop.py", cwd=having(tmp_path, SHOP), NO_COLOR="1") as server:
        before = server.post("/process").body
        with pytest.raises((http.client.HTTPException, OSError)):
            server.post("/die")
        told = "worker-1 ended (exit code 9); another one starts when a file is saved"
        until(lambda: told in server.text())
        server.process.send_signal(signal.SIGHUP)
        assert server.post("/process").body != before
        assert server.stop(signal.SIGINT) == 0
