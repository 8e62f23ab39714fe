"""Running processes, as Linux tells of them: CPU time and memory of a server and its workers."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["Memory", "cpu", "family", "memory", "move"]

_PROC: Final = Path("/proc")

_SCHEDULED: Final = 2
"""
Below the complement of a process id, it makes the clock of that process.

That is what clock_getcpuclockid gives, which Python has for threads only.
"""


def family(pid: int) -> list[int]:
    """A process and all that it has started, and so on."""
    tasks = (_PROC / f"{pid}/task").iterdir()
    children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return [pid, *(each for child in children for each in family(child))]


def cpu(pid: int) -> float:
    """The seconds that a process has run, system calls and threads that have ended included."""
    return time.clock_gettime(~pid << 3 | _SCHEDULED)


def move(pid: int, cores: Sequence[int]) -> None:
    """Have all threads of a process run on these *cores* alone, and those that it will start."""
    for task in (_PROC / f"{pid}/task").iterdir():
        with suppress(ProcessLookupError):  # some threads are brief
            os.sched_setaffinity(int(task.name), cores)


@dataclass(frozen=True, slots=True)
class Memory:
    """
    In MiB.

    Attributes:
        rss: All that is in memory.
        pss: Of that, what is shared counts by the share.
        uss: Of that, what nobody else has.
    """

    rss: float
    pss: float
    uss: float


def memory(pid: int) -> Memory:
    """The memory of one process."""
    rows = [line.split() for line in (_PROC / f"{pid}/smaps_rollup").read_text().splitlines()[1:]]
    found = {name: int(size) / 1024 for name, size, *_ in rows}
    return Memory(found["Rss:"], found["Pss:"], found["Private_Clean:"] + found["Private_Dirty:"])
