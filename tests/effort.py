"""How many examples a law draws that says so itself: all of them at a desk, fewer in the profiles of `make check` (tests/conftest.py)."""

from __future__ import annotations

from typing import Final

from hypothesis import settings

_PART: Final = {"ci": 2, "brief": 6}.get(settings.get_current_profile_name(), 1)


def examples(count: int) -> int:
    """*count*, or the part of it that the profile has time for."""
    return max(count // _PART, 3)
