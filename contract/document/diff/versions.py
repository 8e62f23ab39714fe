"""Versions: whether a new one says as much as the changes ask for."""

from __future__ import annotations

import re
from typing import Final

from contract.document.diff.changes import Bump

__all__ = ["fits", "least"]

_VERSION: Final = re.compile(
    r"v?([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?"
)


def fits(old: str, new: str, bump: Bump) -> bool | None:
    """
    Whether *new* is far enough from *old*; None where one of them is no version of three numbers.

    Before 1.0.0 the second number stands for the first, as is the custom; a pre-release counts as
    what it leads to.
    """
    found = _numbers(new)
    wanted = least(old, bump)
    if found is None or wanted is None:
        return None
    return found >= wanted


def least(old: str, bump: Bump) -> tuple[int, int, int] | None:
    """The lowest version that *bump* leads to, or None where *old* is none of three numbers."""
    numbers = _numbers(old)
    if numbers is None or bump == "none":
        return numbers
    major, minor, patch = numbers
    if _is_pre_release(old):
        return numbers  # what it leads to has not been released, and may still hold anything
    if bump == "patch" or (bump == "minor" and major == 0):
        return major, minor, patch + 1
    return (major + 1, 0, 0) if bump == "major" and major else (major, minor + 1, 0)


def _numbers(version: str) -> tuple[int, int, int] | None:
    found = _VERSION.fullmatch(version)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _is_pre_release(version: str) -> bool:
    found = _VERSION.fullmatch(version)
    return found is not None and found[4] is not None
