"""Files: what is written is there as a whole, or what was there before still is."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from contract.cli.output import Stop

__all__ = ["write_file"]


def write_file(path: Path, data: bytes) -> None:
    """
    Make *data* the contents of a file.

    Raises:
        Stop: It cannot be written; nothing has changed.
    """
    try:
        if path.exists() and not path.is_file():  # a pipe or a device, which must not be replaced; or a folder, which cannot be opened
            path.write_bytes(data)
        else:
            _replace(path.resolve(), data)
    except OSError as error:
        raise Stop(2, f"cannot write {path}: {error.strerror}") from None


def _replace(path: Path, data: bytes) -> None:
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with new.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
