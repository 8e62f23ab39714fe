"""Files: what is written is there as a whole, or what was there before still is."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from contract.cli.output import Stop

__all__ = ["write_file", "write_files"]


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


def _replace(contents: Mapping[Path, bytes], called: Mapping[Path, Path]) -> None:
    """Put new files in the places of old ones, in messages *called* otherwise."""
    ready: dict[Path, Path] = {}
    path = Path()
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
