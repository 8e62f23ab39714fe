"""
What every run of oracles is made of: a bench that their commands run on, and the asking.

A question is a name and what answers it; an answer is a line of text, and `RefusedError` is what an
oracle has to say against us.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["REPOSITORY", "Bench", "Question", "RefusedError", "ask_all"]

REPOSITORY: Final = Path(__file__).parents[2]

_LONGEST: Final = 600
"""Seconds until a command that hangs is given up."""
_QUIET: Final = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "NO_COLOR": "1"}  # fmt: skip
"""Seconds until a command that hangs is given up."""

Question = tuple[str, Callable[[], str]]


class RefusedError(Exception):
    """What an oracle says against us."""


@dataclass(frozen=True)
class Bench:
    """Where the tools are, and where they may write."""

    tools: Path
    work: Path

    def run(self, *command: str | Path, cwd: Path | None = None, **env: str) -> str:
        """What a command prints, if it ends well."""
        path = f"{self.tools / 'bin'}:{self.tools / 'node_modules' / '.bin'}:{os.environ['PATH']}"
        done = subprocess.run(
            [*map(str, command)],
            cwd=cwd or self.work,
            env={**os.environ, **_QUIET, **env, "PATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_LONGEST,
            check=False,
        )
        if done.returncode:
            raise RefusedError(f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}")
        return done.stdout


def ask_all(questions: Iterable[Question], only: str | None) -> int:
    """Ask all whose names have *only* in them, two at a time. 1 where one has something to say, or none was asked."""
    asked = [(name, ask) for name, ask in questions if only is None or only in name]
    with ThreadPoolExecutor(2) as pool:  # each is a process
        answers = [(name, pool.submit(_timed, ask)) for name, ask in asked]
        failed = [name for name, answer in answers if not _told(name, *answer.result())]
    print(f"oracles: {len(asked) - len(failed)} passed, {len(failed)} failed", file=sys.stderr)
    return 1 if failed or not asked else 0


def _timed(ask: Callable[[], str]) -> tuple[bool, float, str]:
    started = time.monotonic()
    try:
        fine, said = True, ask()
    except RefusedError as refused:
        fine, said = False, str(refused)
    return fine, time.monotonic() - started, said


def _told(name: str, fine: bool, seconds: float, said: str) -> bool:
    print(f"{'passed' if fine else 'FAILED'} {name} ({seconds:.1f} s): {said}", flush=True)
    return fine
