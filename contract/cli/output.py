"""
Output: text for people goes to standard error; data goes to standard output or into files.

Colours are used only on a terminal. A file is written as a whole, or not at all.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, TextIO, cast, final

from contract.call.lines import encodable

if TYPE_CHECKING:  # ``contract --help`` writes no files, and must be quick
    from pathlib import Path

__all__ = [
    "Stop",
    "bold",
    "clean",
    "coloured",
    "data",
    "dim",
    "escaped",
    "inert",
    "is_painted",
    "is_terminal",
    "keep_streams",
    "places_of",
    "raw",
    "red",
    "say",
    "table",
    "write_copies",
    "write_files",
]


@final
class Stop(Exception):  # noqa: N818  a signal to `main`
    """
    Ends the command, with a message for people; nearly every function of a command may raise it.

    Attributes:
        code: The exit code.
        message: One line; or several, if it includes a traceback.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[Stop], tuple[int, str]]:
        """Let it cross processes: a child process finds out what an app's import raises."""
        return (Stop, (self.code, self.message))


def keep_streams() -> None:
    """
    Open the null device for standard streams that are closed (``2>&-``).

    Otherwise a file or socket that is opened later would take their place.

    Standard output stays None, since a failure to write data must be reported.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            # this opens the lowest free number: the closed one
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003
    if cast("TextIO | None", sys.stderr) is None:
        # open as long as the process runs
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123


def is_terminal(stream: TextIO | None) -> bool:
    """Whether *stream* is a terminal; None if it is closed."""
    return stream is not None and stream.isatty()


def is_painted(stream: TextIO | None) -> bool:
    """Whether *stream* shows colours."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":  # https://no-color.org
        return False
    return is_terminal(stream)


def say(text: str) -> None:
    """Write a message for people; if that fails, the command does its work all the same."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _let_go(sys.stderr)


def data(text: str, to: TextIO | None = None) -> bool:
    """
    Write *text* as a line of data, and return whether somebody reads it.

    Characters that standard output cannot encode are escaped as in JSON.

    Args:
        text: The line.
        to: Standard output, if it is redirected.
    """
    read: list[str] = []  # stays empty if the reader has gone
    with _written(to) as out:
        out.write(f"{encodable(text, out)}\n")
        out.flush()
        read.append(text)
    return bool(read)


def raw(content: bytes) -> None:
    """Write data as it is, byte by byte."""
    with _written() as out:
        out.buffer.write(content)


@contextmanager
def _written(to: TextIO | None = None) -> Generator[TextIO]:
    """
    Standard output, flushed at the end.

    If a reader has seen enough (``contract diff | head``), the command goes on: its exit code still
    reports the result.
    """
    out = to
    if out is None:
        out = cast("TextIO | None", sys.stdout)
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
    Make *stream* write nowhere from now on.

    Otherwise the interpreter would fail at its end, when it flushes the stream.
    """
    with suppress(OSError):  # it may not have a file
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def escaped(text: str) -> str:
    """
    The *text* with all control characters as escapes, except newlines and tabs.

    The text may come from anywhere, and a terminal obeys control characters.
    """
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def inert(json_text: str) -> str:
    """The *json_text* with all control characters as escapes of JSON, so that it says the same."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", json_text)


_CONTROL: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
"""
Characters that Unicode calls controls (Cc), except tab and newline, and those that break a line or
turn the direction of text.
"""


def clean(text: str) -> str:
    """The *text* in one line for a terminal; characters that cannot be printed are escaped."""
    return "".join(map(_printable, text))


def _printable(character: str) -> str:
    if character.isprintable():
        return character
    return f"\\u{ord(character):04x}"


def bold(text: str) -> str:
    """Emphasised text for standard error."""
    return coloured(text, "1", paint=is_painted(sys.stderr))


def dim(text: str) -> str:
    """Faint text for standard error."""
    return coloured(text, "2", paint=is_painted(sys.stderr))


def red(text: str) -> str:
    """Red text for standard error."""
    return coloured(text, "31", paint=is_painted(sys.stderr))


def coloured(text: str, code: str, *, paint: bool) -> str:
    """The *text* in the terminal colour *code*, if *paint* is true."""
    if not paint:
        return text
    return f"\x1b[{code}m{text}\x1b[0m"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in aligned columns; the last column is not padded."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines: list[str] = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


# Files are written as a whole; after a failure, the old contents are still there.


def places_of(named: Iterable[tuple[str, Path]]) -> list[Path]:
    """
    The full paths of the files to write, which users have named.

    Raises:
        Stop: One of them is named twice.
    """
    places: list[Path] = []
    for name, path in named:
        place = path.parent.resolve() / path.name
        if place in places:
            raise Stop(2, f"{name} is named twice; name each file once")
        places.append(place)
    return places


def write_copies(paths: Iterable[Path], data: bytes) -> None:
    """Write *data* as the contents of each file: of all, or of none."""
    files: dict[Path, bytes] = {}
    called: dict[Path | str, Path] = {}
    others: list[Path] = []
    for path in paths:
        try:
            # a pipe or a device, which must not be replaced; or a folder, which cannot be opened
            if path.exists() and not path.is_file():
                others.append(path)
            else:
                place = path.resolve()
                files[place], called[place] = data, path
        except OSError as error:
            raise Stop(2, f"cannot write {path}: {error.strerror}") from None
    _replace(files, called)
    for path in others:
        try:
            path.write_bytes(data)
        except OSError as error:
            raise Stop(2, f"cannot write {path}: {error.strerror}") from None


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write the contents of all files, or of none."""
    _replace(contents, {})


def _replace(contents: Mapping[Path, bytes], called: Mapping[Path | str, Path]) -> None:
    """Replace old files by new ones; *called* gives their names in messages."""
    # The steps that are likely to fail (a full disk, a folder without permission) come while new
    # files are written beside the old ones. To put one in the place of another is one step for the
    # system.
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
            with suppress(OSError):  # those that were moved into place are gone
                new.unlink()


def _beside(path: Path, data: bytes) -> Path:
    """A new file beside *path* with *data*; if *path* exists, with its permissions."""
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    file = new.open("xb")
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # or a power cut could leave the new name without its contents
        with suppress(FileNotFoundError):
            # without setuid and its like, which were given to other contents
            new.chmod(stat.S_IMODE(path.stat().st_mode) & 0o777)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
    return new
