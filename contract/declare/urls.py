"""URLs: which paths a mount may have."""

from __future__ import annotations

import re
from typing import Final

from contract.declare.arguments import described, quoted
from contract.shape.exceptions import MountError

__all__ = ["check_path"]


_SEGMENTS: Final = re.compile(r"(?:/(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._~-]+)+")
"""
A path that is written in one way only: no percent-encoding, no empty segment, and none that a
client takes out.
"""


def check_path(where: str, path: object, *, none: str | None = None) -> None:
    """
    See whether *path* is one that a mount may have.

    Args:
        where: The option, for the message.
        path: Below the app, or below the mount.
        none: How to write that there is none.

    Raises:
        MountError: It is not.
    """
    instead = "" if none is None else f", or {none} for none"
    if not isinstance(path, str):
        raise MountError(where, f"{described(path)} is no path; write it like '/v1'{instead}")
    if _SEGMENTS.fullmatch(path) or (path == "" and none == '""'):
        return
    mended = "/" + "/".join(filter(None, path.split("/")))
    if mended == "/":
        raise MountError(where, f"{path!r} is no path of its own; write it like '/v1'{instead}")
    advice = f"write {mended!r}" if _SEGMENTS.fullmatch(mended) else f"write it like '/v1'{instead}"
    rule = "a path has a slash in front, none behind, and no segments but of letters, digits and '-_.~'"
    raise MountError(where, f"{quoted(path)} is no path; {advice}: {rule}")
