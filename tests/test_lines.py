"""The queue of a log's lines, and the thread that writes them."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any, Final

import pytest

from contract.call import lines
from contract.call.lines import Lines, encodable, has_descriptor
from tests.tables import rows


def told(dropped: int) -> str:
    return f"{dropped} dropped\n"


class Stream(StringIO):
    """Hands on what is written to it; one that is *stuck* stands still until it may go on."""

    def __init__(self, *, stuck: bool = False) -> None:
        super().__init__()
        self.begun: Final = threading.Event()
        self.go_on: Final = threading.Event()
        self.texts: Final = SimpleQueue[str]()
        if not stuck:
            self.go_on.set()

    def write(self, text: str) -> int:
        self.begun.set()
        assert self.go_on.wait(60)
        if text:
            self.texts.put(text)
        return super().write(text)


class Waits:
    """How long a queue has this thread and its own wait, when its own sleeps, and how often this one wakes it."""

    def __init__(self) -> None:
        self.rings = 0
        self.here: Final[list[float | None]] = []
        self.writer: Final[list[float | None]] = []
        self.sleeps: Final = threading.Event()
        self.may_wake: Final = threading.Event()
        self.may_wake.set()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> Waits:
    found = Waits()
    here = threading.current_thread()

    class Event(threading.Event):
        def set(self) -> None:
            found.rings += threading.current_thread() is here
            super().set()

        def wait(self, timeout: float | None = None) -> bool:
            if threading.current_thread() is here:
                found.here.append(timeout)
            else:
                found.writer.append(timeout)
                if timeout is None and not self.is_set():
                    found.sleeps.set()
                    super().wait()
                    return found.may_wake.wait(60)
            return super().wait(timeout)

    monkeypatch.setattr(lines, "threading", SimpleNamespace(**{**vars(threading), "Event": Event}))
    return found


@pytest.fixture
def threadless(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A system that has no thread left, until it is undone."""

    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as limited:
        limited.setattr(threading.Thread, "start", start)
        yield limited


@rows("put, room", (Lines.put, 10_000), (Lines.put_now, 11_000))
def test_as_many_lines_wait_as_there_is_room_for(
    threadless: pytest.MonkeyPatch, put: Any, room: int
) -> None:
    threadless.setattr(lines, "_BRIEF", 0.0)
    stream = StringIO()
    queue = Lines(stream, told)
    for _ in range(10_000):
        queue.put("call\n")
    for _ in range(1_002):
        put(queue, "more\n")
    threadless.undo()
    queue.flush(60)

    written = stream.getvalue().splitlines()
    assert (len(written), written[-1]) == (room + 1, f"{11_002 - room} dropped")


def test_dropped_lines_are_told_of_once(threadless: pytest.MonkeyPatch) -> None:
    stream = StringIO()
    queue = Lines(stream, told)
    for most in (1, 1, 0):
        queue.put("call\n", most)
    threadless.undo()
    for _ in range(2):
        queue.put("late\n")
        queue.flush(60)

    assert stream.getvalue() == "call\nlate\n2 dropped\nlate\n"


def test_many_lines_are_written_in_whole_lines_of_less_than_a_pipe_takes(
    threadless: pytest.MonkeyPatch,
) -> None:
    stream = Stream()
    queue = Lines(stream, told)
    sent = [f"{number:0150}\n" for number in range(1000)]
    for line in sent:
        queue.put(line)
    threadless.undo()
    queue.flush()

    written = [stream.texts.get() for _ in range(stream.texts.qsize())]
    assert "".join(written) == "".join(sent)
    assert all(text.endswith("\n") and len(text) < 65_536 for text in written)


def test_a_line_waits_briefly_for_others(waits: Waits) -> None:
    stream = Stream()
    Lines(stream, told).put("call\n")

    assert stream.texts.get(timeout=60) == "call\n"
    assert waits.writer[0] == 0.05


def test_nothing_urgent_waits_for_more_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_BATCH", "_BRIEF"):
        monkeypatch.setattr(lines, name, 60.0)
    stream = StringIO()
    queue = Lines(stream, told)
    for number in range(20):
        queue.put_now(f"{number}\n")

        assert stream.getvalue().endswith(f"{number}\n")


def test_lines_that_come_while_others_are_written_follow_though_they_wake_nobody(
    waits: Waits,
) -> None:
    stream = Stream(stuck=True)
    queue = Lines(stream, told)
    queue.put("1\n")
    assert stream.begun.wait(60)
    rings = waits.rings
    queue.put("2\n")
    queue.put("3\n")
    assert waits.rings == rings
    stream.go_on.set()

    assert [stream.texts.get(timeout=60) for _ in range(2)] == ["1\n", "2\n3\n"]
    queue.put("4\n")
    assert stream.texts.get(timeout=60) == "4\n"


def test_the_thread_sleeps_and_ends_with_its_process(waits: Waits) -> None:
    before = {*threading.enumerate()}
    queue = Lines(StringIO(), told)
    queue.put("call\n")

    assert waits.sleeps.wait(60)
    [thread] = {*threading.enumerate()} - before
    assert (thread.name, thread.daemon) == ("contract-log", True)


def test_a_sleeping_thread_is_woken_once(waits: Waits) -> None:
    stream = StringIO()
    queue = Lines(stream, told)
    queue.put("1\n")
    assert waits.sleeps.wait(60)
    waits.may_wake.clear()
    rings = waits.rings
    for number in (2, 3, 4):
        queue.put(f"{number}\n")

    assert waits.rings == rings + 1
    waits.may_wake.set()
    queue.flush(60)
    assert stream.getvalue() == "1\n2\n3\n4\n"


def test_where_nothing_waits_there_is_nothing_to_wait_for(waits: Waits) -> None:
    before = {*threading.enumerate()}
    queue = Lines(StringIO(), told)
    queue.flush(60)

    assert {*threading.enumerate()} <= before
    queue.put("call\n")
    assert waits.sleeps.wait(60)
    queue.flush(60)
    assert waits.here == []


def test_the_end_of_a_process_does_not_wait_for_ever(waits: Waits) -> None:
    """A pipe that nobody reads would keep the process."""
    stream = Stream(stuck=True)
    queue = Lines(stream, told)
    queue.put("call\n")
    assert stream.begun.wait(60)
    queue.flush()

    assert (waits.here, stream.getvalue()) == ([1.0], "")
    stream.go_on.set()


def test_an_urgent_line_is_waited_for_unless_the_writer_stands_still(
    monkeypatch: pytest.MonkeyPatch, waits: Waits
) -> None:
    now = 0.0
    monkeypatch.setattr(lines, "monotonic", lambda: now)
    stream = Stream(stuck=True)
    queue = Lines(stream, told)
    queue.put("first\n")
    assert stream.begun.wait(60)
    now = 0.04
    queue.put_now("urgent\n")
    assert waits.here == [0.05]
    now = 0.05
    queue.put_now("late\n")

    assert (waits.here, stream.getvalue()) == ([0.05], "")
    stream.go_on.set()
    assert waits.sleeps.wait(60)
    now = 100.0
    queue.put_now("last\n")
    assert waits.here == [0.05, 0.05]
    queue.flush(60)
    assert stream.getvalue() == "first\nurgent\nlate\nlast\n"


def test_a_line_that_is_just_being_written_is_waited_for(waits: Waits) -> None:
    """The process could end in between, and its last line would be lost."""
    stream = Stream(stuck=True)
    queue = Lines(stream, told)
    queue.put("stopped")
    assert stream.begun.wait(60)
    queue.flush(0)

    assert waits.here == [0]
    stream.go_on.set()
    queue.flush(60)
    assert stream.getvalue() == "stopped"


def test_lines_wait_until_a_thread_can_be_started(threadless: pytest.MonkeyPatch) -> None:
    """A service under load may have used up what the system allows it."""
    stream = Stream()
    queue = Lines(stream, told)
    queue.put("1\n")
    threadless.undo()
    queue.put("2\n")

    assert stream.texts.get(timeout=60) == "1\n2\n"


@pytest.mark.skipif(sys.platform == "win32", reason="threads have no such mask there")
def test_a_signal_is_for_those_that_wait_for_it() -> None:
    """The writer takes none: one that is held back everywhere else would go to it, and whoever waits for it would never hear."""
    held: set[int] = set()

    class Asking(StringIO):
        def write(self, text: str) -> int:
            held.update(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
            return super().write(text)

    queue = Lines(Asking(), told)
    queue.put("call\n")
    queue.flush(60)

    assert held == signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks there")
def test_a_forked_child_writes_its_own_lines_alone(
    monkeypatch: pytest.MonkeyPatch, waits: Waits, tmp_path: Path
) -> None:
    monkeypatch.setattr(lines, "_BATCH", 60.0)
    path = tmp_path / "calls.log"
    with path.open("a") as stream:
        queue = Lines(stream, told)
        queue.put_now("before\n")
        assert waits.sleeps.wait(60)
        queue.put("of the parent\n")
        child = os.fork()
        if not child:  # pragma: no cover  a child tells nothing of what it covered
            try:
                queue.put("of the child\n")
                queue.flush(60)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        assert path.read_text() == "before\nof the child\n"
        queue.flush(60)

    assert path.read_text() == "before\nof the child\nof the parent\n"


def test_a_stream_that_raises_whatever_it_likes_is_written_to_again() -> None:
    class Odd(StringIO):
        raised = False

        def write(self, text: str) -> int:
            if not self.raised:
                self.raised = True
                raise AttributeError("write")
            return super().write(text)

    stream = Odd()
    queue = Lines(stream, told)
    for number in (1, 2):
        queue.put(f"{number}\n")
        queue.flush(60)

    assert stream.getvalue() == "2\n"


def test_a_line_that_the_stream_cannot_hold_costs_no_other(tmp_path: Path) -> None:
    path = tmp_path / "calls.log"
    with path.open("w", encoding="ascii") as stream:
        queue = Lines(stream, told)
        queue.put("first\n")
        queue.put("café\n")
        queue.flush(60)

    assert path.read_text() == "first\ncaf\\u00e9\n"


@rows(
    "errors, text",
    (None, "caf\\u00e9"),
    ("strict", "caf\\u00e9"),
    ("backslashreplace", "café"),
)
def test_only_what_the_stream_refuses_is_escaped(errors: str | None, text: str) -> None:
    stream: Any = type("Stream", (StringIO,), {"encoding": "ascii", "errors": errors})()

    assert encodable("café", stream) == text


def test_what_may_block_has_a_descriptor(tmp_path: Path) -> None:
    with (tmp_path / "calls.log").open("w") as file:
        assert has_descriptor(file) is True
    streams: tuple[Any, ...] = file, StringIO(), None
    assert [has_descriptor(each) for each in streams] == [False] * 3
