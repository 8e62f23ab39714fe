"""
Watching: the worker of ``contract dev``, and how a saved file replaces it.

No calls need to be saved there, so the old worker is told to stop before the new one starts. One
that ends by itself is not replaced before a file is saved: it would only end again. One that could
not be started is not tried again before that, either.
"""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, final

from watchfiles import PythonFilter, watch

from contract.cli.worker_process import LOG, NOT_STARTED, Start, Worker, name_of, stop

__all__ = ["Reloader", "watched"]


@final
class Reloader:
    """
    Keeps one worker, of the files as they are.

    Args:
        start: Starts a worker.
        listening: The socket that the worker accepts connections from.
        timeout: Seconds in which a worker finishes its calls.
    """

    def __init__(self, start: Start, listening: socket.socket, timeout: int) -> None:
        self._start: Final = start
        self._listening: Final = listening
        self._timeout: Final = timeout
        self._news: Final[queue.SimpleQueue[None]] = queue.SimpleQueue()
        self._worker: Worker | None = None
        self._is_old = True
        self._is_over = False

    # called from elsewhere, by signal handlers too

    def stop(self) -> None:
        """Stop."""
        self._is_over = True
        self._wake()

    def reload(self) -> None:
        """Replace the worker."""
        self._is_old = True
        self._wake()

    def _wake(self) -> None:
        self._news.put(None)

    def run(self) -> None:
        """Serve until told to stop."""
        while not self._is_over:
            self._tend()
            self._news.get()
        self._listening.close()
        self._stop_worker()

    def _tend(self) -> None:
        worker = self._worker
        if worker is not None and worker.ended:
            ended = "%s ended (%s); another one starts when a file is saved"
            LOG.error(ended, worker.name, worker.how)
            self._worker = None
        if self._is_old:
            self._is_old = False  # before the start, since a file may be saved during it
            self._stop_worker()
            self._worker = None
            try:
                self._worker = self._start(0, self._wake)
            except NOT_STARTED as error:
                lacking = "%s could not be started (%s); another one starts when a file is saved"
                LOG.error(lacking, name_of(0), str(error))

    def _stop_worker(self) -> None:
        if self._worker is not None:
            stop([self._worker], self._timeout, self._timeout)


@contextmanager
def watched(root: Path, saved: Callable[[], None]) -> Generator[None]:
    """Call *saved* in another thread whenever a Python file below *root* has changed."""
    over = threading.Event()

    def look() -> None:
        for _ in watch(root, watch_filter=PythonFilter(), stop_event=over):
            saved()

    thread = threading.Thread(target=look, name="contract-watch-files")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
