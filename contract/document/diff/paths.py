"""Paths: where a change is, as it is written for people and programs."""

from __future__ import annotations

import json
import re
from typing import Final

__all__ = ["step_of"]

_PLAIN: Final = re.compile(r"[A-Za-z_@$][A-Za-z0-9_@$-]*")


def step_of(name: str) -> str:
    """The step to the member *name* of an object: ``.name``, or ``["a name"]`` for other names."""
    return f".{name}" if _PLAIN.fullmatch(name) else f"[{json.dumps(name)}]"
