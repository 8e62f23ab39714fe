"""Bodies that do not come, and what becomes of a worker that waits for nothing else."""

from __future__ import annotations

import os
import threading
from io import BytesIO

import pytest

from contract.cli.bodies import Bodies, watch


class Slow:
    """A stream that gives its bytes when it is let go."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.let_go = threading.Event()

    def read(self, size: int) -> bytes:
        self.asked.set()
        assert self.let_go.wait(10)
        return b"x" * size


def test_a_stream_is_read_as_before() -> None:
    bodies = Bodies()

    assert bodies.told(BytesIO(b"body")).read() == b"body"
    assert bodies.told(BytesIO(b"body")).read(2) == b"bo"
    assert bodies.told(BytesIO(b"a\nb")).readline() == b"a\n"
    assert list(bodies.told(BytesIO(b"a\nb"))) == [b"a\n", b"b"]
    assert bodies.overdue(-1) == 0


def test_what_a_stream_raises_ends_the_reading() -> None:
    bodies = Bodies()
    closed = BytesIO()
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        bodies.told(closed).read()

    assert bodies.overdue(-1) == 0


def test_threads_that_have_been_reading_for_long_are_counted() -> None:
    bodies, stream = Bodies(), Slow()
    reader = threading.Thread(target=bodies.told(stream).read, args=(1,))
    reader.start()
    assert stream.asked.wait(10)

    assert (bodies.overdue(-1), bodies.overdue(60)) == (1, 0)
    stream.let_go.set()
    reader.join()
    assert bodies.overdue(-1) == 0


def test_a_process_ends_when_every_thread_reads_and_not_before(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    bodies, streams = Bodies(), [Slow(), Slow()]
    readers = [threading.Thread(target=bodies.told(stream).read, args=(1,)) for stream in streams]
    ended: list[int] = []
    ticks: list[float] = []

    def sleep(seconds: float) -> None:
        ticks.append(seconds)
        readers[1].start()
        assert streams[1].asked.wait(10)

    monkeypatch.setattr("time.sleep", sleep)
    monkeypatch.setattr(os, "_exit", ended.append)
    readers[0].start()
    assert streams[0].asked.wait(10)
    watch(bodies, 2, -1)
    for stream, reader in zip(streams, readers, strict=True):
        stream.let_go.set()
        reader.join()

    assert (ended, len(ticks)) == ([1], 1)
    assert "every thread has waited" in caplog.text
