"""Commands run in this process, which forgets afterwards what they have imported and set up."""

from __future__ import annotations

import io
import logging
import shlex
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from contract.cli import main
from contract.cli.output import Stop


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: bytes
    stderr: bytes

    @property
    def out(self) -> str:
        return self.stdout.decode()

    @property
    def err(self) -> str:
        return self.stderr.decode()


@contextmanager
def inside(folder: Path) -> Generator[pytest.MonkeyPatch]:
    """Stand in *folder*."""
    loggers = [
        logging.getLogger(name) for name in ("contract", "contract.calls", "contract.errors")
    ]
    levels = [logger.level for logger in loggers]
    before = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "path", sys.path.copy())
        # two files of one second and size would be taken for each other
        patch.setattr(sys, "dont_write_bytecode", True)
        for logger in loggers:
            patch.setattr(logger, "handlers", [])
            patch.setattr(logger, "propagate", logger.propagate)
        yield patch
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
    for name in [
        name for name in set(sys.modules) - before if not name.startswith(("contract", "falcon"))
    ]:
        del sys.modules[name]


def having(folder: Path, source: str, name: str = "shop.py") -> Path:
    """The *folder*, with a file of this *name*."""
    (folder / name).write_text(source)
    return folder


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def run(line: str, *more: str, cwd: Path, data: bytes = b"", terminal: bool = False) -> Done:
    """A command that ends by itself, and writes to a terminal or a pipe; *more* is as it is."""
    out, err = io.BytesIO(), io.BytesIO()
    with inside(cwd) as patch:
        # pytest's own, which would take the log for configured
        patch.setattr(logging.getLogger(), "handlers", [])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        written = _Terminal if terminal else io.TextIOWrapper
        patch.setattr(sys, "stdout", written(out, write_through=True))
        patch.setattr(sys, "stderr", io.TextIOWrapper(err, write_through=True))
        code = main([*shlex.split(line), *more])
        return Done(code, out.getvalue(), err.getvalue())


def refused(line: str, *more: str, cwd: Path, code: int = 2) -> str:
    """What a command says that ends with this *code* and writes no data."""
    done = run(line, *more, cwd=cwd)
    assert (done.returncode, done.stdout) == (code, b""), done.out
    return done.err


@contextmanager
def stopping(told: str, code: int = 2) -> Generator[None]:
    """Something that ends its command with this *code*, and is *told* (a pattern)."""
    with pytest.raises(Stop, match=told) as stopped:
        yield
    assert stopped.value.code == code
