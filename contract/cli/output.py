"""
Output: what people read goes to standard error, data to standard output or into files.

Colours only where somebody looks at them; a file is written as a whole, or not at all.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, TextIO, cast, final

from contract.call.lines import encodable

if TYPE_CHECKING:  # ``contract --help`` writes no files, and has to be quick
    from pathlib import Path

__all__ = [
    "Stop",
    "bold",
    "clean",
    "coloured",
    "data",
    "dim",
    "escaped",
    "is_painted",
    "is_terminal",
    "keep_streams",
    "raw",
    "red",
    "say",
    "table",
    "write_file",
    "write_files",
]


@final
class Stop(Exception):  # noqa: N818  a signal to `main`
    """
    End the command, with a message for people.

    Attributes:
        code: The exit code.
        message: One line, or several where a traceback is part of it.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[Stop], tuple[int, str]]:
        """It crosses processes: what an app's import raised is found out in a child."""
        return (Stop, (self.code, self.message))


def keep_streams() -> None:
    """
    Put the null device in the place of standard streams that are closed (``2>&-``).

    No file or socket that is opened later takes that place then.

    Standard output stays None: that data cannot be written has to be told.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            # the lowest number that is free: this one
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003
    if cast("TextIO | None", sys.stderr) is None:
        # as long as the process
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody looks at *stream*, which is None where it is closed."""
    return stream is not None and stream.isatty()


def is_painted(stream: TextIO | None) -> bool:
    """Whether *stream* is shown in colours."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":  # https://no-color.org
        return False
    return is_terminal(stream)


def say(text: str) -> None:
    """Tell people; where nobody can be told, the command does its work all the same."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _let_go(sys.stderr)


def data(text: str, to: TextIO | None = None) -> bool:
    """
    Write data, as a line, and tell whether somebody reads it.

    What standard output cannot encode is escaped as JSON has it.

    Args:
        text: The line.
        to: Standard output, where something else stands in its place.

    Raises:
        Stop: It cannot be written.
    """
    read: list[str] = []  # stays empty where the reader has gone
    with _written(to) as out:
        out.write(f"{encodable(text, out)}\n")
        out.flush()
        read.append(text)
    return bool(read)


def raw(content: bytes) -> None:
    """
    Write data, byte by byte as it is.

    Raises:
        Stop: It cannot be written.
    """
    with _written() as out:
        out.buffer.write(content)


@contextmanager
def _written(to: TextIO | None = None) -> Generator[TextIO]:
    """
    Standard output, which has passed on what it was given.

    A reader who has seen enough (``contract diff | head``) is no reason to stop: the exit code
    still says what was found.
    """
    out = cast("TextIO | None", sys.stdout) if to is None else to
    if out is None:
        raise Stop(2, "cannot write to standard output: it is closed")
    try:
        yield out
        out.flush()
    except BrokenPipeError:
        _let_go(out)
    except OSError as error:
        _let_go(out)
        raise Stop(2, f"cannot write to standard output: {error.strerror}") from None


def _let_go(stream: TextIO) -> None:
    """
    Let *stream* write nowhere from now on.

    The interpreter would fail, at its end, to write what the stream still holds.
    """
    with suppress(OSError):  # it may have no file behind it
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def escaped(text: str) -> str:
    """
    *text* for a terminal, with all control characters but newlines and tabs as escapes.

    It is somebody else's, and the terminal would obey them.
    """
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Characters that Unicode calls controls (Cc), but for the tab and the newline."""


def clean(text: str) -> str:
    """*text* for a terminal, in one line: what cannot be printed is escaped."""
    return "".join(
        character if character.isprintable() else f"\\u{ord(character):04x}" for character in text
    )


def bold(text: str) -> str:
    """Text for standard error that stands out."""
    return coloured(text, "1", paint=is_painted(sys.stderr))


def dim(text: str) -> str:
    """Text for standard error that stands back."""
    return coloured(text, "2", paint=is_painted(sys.stderr))


def red(text: str) -> str:
    """Text for standard error that warns."""
    return coloured(text, "31", paint=is_painted(sys.stderr))


def coloured(text: str, code: str, *, paint: bool) -> str:
    """*text* in the colour that terminals know by *code*, where it is to be painted."""
    return f"\x1b[{code}m{text}\x1b[0m" if paint else text


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns, as wide as they have to be; the last one is not padded."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


# Files: what is written is there as a whole, or what was there before still is.


def write_file(path: Path, data: bytes) -> None:
    """
    Make *data* the contents of a file.

    Raises:
        Stop: It cannot be written; nothing has changed.
    """
    try:
        # a pipe or a device, which must not be replaced; or a folder, which cannot be opened
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        place = path.resolve()
    except OSError as error:
        raise Stop(2, f"cannot write {path}: {error.strerror}") from None
    _replace({place: data}, {place: path})


def write_files(contents: Mapping[Path, bytes]) -> None:
    """
    Make *contents* the contents of files: of all of them, or of none.

    Raises:
        Stop: One cannot be written; nothing has changed, unless one became a folder in the very
            last moment.
    """
    _replace(contents, {})


def _replace(contents: Mapping[Path, bytes], called: Mapping[Path | str, Path]) -> None:
    """Put new files in the places of old ones, in messages *called* otherwise."""
    ready: dict[Path, Path] = {}
    path: Path | str = ""
    try:
        for path, data in contents.items():
            ready[path] = _beside(path, data)
        for path, new in ready.items():
            new.replace(path)
    except OSError as error:
        raise Stop(2, f"cannot write {called.get(path, path)}: {error.strerror}") from None
    finally:
        for new in ready.values():
            with suppress(OSError):  # those that took their places are gone
                new.unlink()


def _beside(path: Path, data: bytes) -> Path:
    """
    A new file beside *path*, with *data* and, where *path* is there already, with its permissions.
    """
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    file = new.open("xb")
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            new.chmod(stat.S_IMODE(path.stat().st_mode) & 0o777)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
    return new
