"""Which types coverage looks at where a test is run for each of many: tracing trebles what a test takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

__all__ = ["watched"]


def watched(types: Mapping[str, Any], *names: str) -> list[Any]:
    """
    The *types* as parameters of a test; coverage looks at those of *names* alone.

    Every line that a type runs is run by one of these, or by another test.
    """
    assert {*names} <= types.keys()
    return [
        pytest.param(each, id=name, marks=() if name in names else pytest.mark.unwatched)
        for name, each in types.items()
    ]
