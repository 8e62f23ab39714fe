"""How many examples a law draws that says so itself: all of them at a desk, fewer in the profiles of `make check` (tests/conftest.py)."""

from __future__ import annotations

from typing import Final

from hypothesis import settings

# older releases of Hypothesis do not tell the name of the profile that is loaded
_PART: Final = next(
    (
        part
        for name, part in (("ci", 3), ("brief", 6))
        if settings.get_profile(name) is settings.default
    ),
    1,
)


def examples(count: int) -> int:
    """*count*, or the part of it that the profile has time for."""
    return max(count // _PART, 3)
