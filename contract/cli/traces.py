"""Traces: what went wrong in an app, in the frames of its author alone."""

from __future__ import annotations

import importlib
import sysconfig
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from contract.shape.exceptions import DeclarationError

__all__ = ["explain"]

_MACHINERY: Final = (Path(__file__).parents[1], Path(importlib.__file__).parent)
"""What has imported the app, and is in every traceback."""

_INSTALLED: Final = tuple(
    {
        Path(sysconfig.get_path(name)).resolve()
        for name in ("stdlib", "platstdlib", "purelib", "platlib")
    }
)


def explain(exception: BaseException) -> str:
    """
    The traceback of *exception* without the frames of this package, of the standard library and of what is installed.

    A `DeclarationError` says by itself what is wrong and where, so of its name only the text is left.
    """
    summary = traceback.TracebackException.from_exception(exception, compact=True)
    _strip(summary)
    text = "".join(summary.format()).rstrip()
    text = (
        text.replace("Traceback (most recent call last):\n", "", 1)
        if text.startswith("Traceback")
        else text
    )
    if isinstance(exception, DeclarationError):
        kind = type(exception)
        text = text.replace(f"{kind.__module__}.{kind.__qualname__}: ", "", 1)
    return text


def _strip(summary: traceback.TracebackException) -> None:
    frames = [
        frame
        for frame in summary.stack
        if not frame.filename.startswith("<frozen ") and not _inside(frame.filename, _MACHINERY)
    ]
    own = [frame for frame in frames if not _inside(frame.filename, _INSTALLED)]
    summary.stack[:] = own or frames  # an app may be installed itself
    for other in (summary.__cause__, summary.__context__, *(summary.exceptions or ())):
        if other is not None:
            _strip(other)


def _inside(filename: str, folders: Sequence[Path]) -> bool:
    parents = Path(filename).resolve().parents
    return any(folder in parents for folder in folders)
