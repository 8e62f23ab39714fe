"""Follow: a file, from one version to the next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from watchfiles import Change, watch

from contract.cli.output import Stop
from contract.cli.sources import read_file

__all__ = ["versions"]

_LOOK_MILLISECONDS: Final = 500
"""Until it is looked at without having been told of a change."""


def versions(path: Path) -> Iterator[bytes | Stop]:
    """
    The contents of *path*, now and each time that they have changed.

    A `Stop` in between says what is wrong, once.

    The folder is watched, since a file that is replaced as a whole is another one each time.
    """

    def is_it(_: Change, changed: str) -> bool:
        return Path(changed).name == path.name

    last = _version(path)
    yield last
    if not path.parent.is_dir():
        raise Stop(3, f"there is no folder {path.parent} to watch")
    # it may have changed before anybody watched, so it is looked at every now and then, too
    looks = watch(
        path.parent,
        watch_filter=is_it,
        recursive=False,
        debounce=100,
        rust_timeout=_LOOK_MILLISECONDS,
        yield_on_timeout=True,
    )
    while True:
        next(looks)
        now = _version(path)
        if str(now) != str(last):
            last = now
            yield now


def _version(path: Path) -> bytes | Stop:
    try:
        return read_file(path)
    except Stop as stop:
        return stop
