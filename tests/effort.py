"""How many examples a law draws that says so itself: fewer where the suite runs once more, on another interpreter or an older core."""

from __future__ import annotations

from typing import Final

from hypothesis import settings

_BRIEF: Final = settings.get_current_profile_name() == "brief"


def examples(count: int) -> int:
    """*count*, or a sixth of that in the profile ``brief``."""
    return max(count // 6, 3) if _BRIEF else count
