"""Profiles: how many examples Hypothesis draws, on a developer's machine and in CI."""

from __future__ import annotations

import os
from typing import Literal

from hypothesis import HealthCheck, settings

__all__ = ["Profile", "use_profile"]

Profile = Literal["dev", "ci"]
"""The name of a profile."""


def use_profile(name: Profile | None = None) -> Profile:
    """
    Register the profiles ``dev`` and ``ci`` with Hypothesis, and load one; for a ``conftest.py``.

    ``dev`` draws 50 examples, different ones each time, and keeps those that failed. ``ci`` draws
    200, the same ones each time, and keeps nothing.

    Args:
        name: The profile; by default ``ci`` if the environment variable CI is set, else ``dev``.
    """
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    # in CI Hypothesis itself has loaded a profile that keeps nothing, and a new profile inherits
    # from it
    usual = settings.get_profile("default")
    settings.register_profile(
        "dev", usual, max_examples=50, deadline=None, derandomize=False, suppress_health_check=slow
    )
    settings.register_profile(
        "ci",
        max_examples=200,
        deadline=None,
        derandomize=True,
        database=None,
        print_blob=True,
        suppress_health_check=slow,
    )
    chosen = name
    if not chosen:
        chosen = "ci" if os.environ.get("CI") else "dev"
    settings.load_profile(chosen)
    return chosen
