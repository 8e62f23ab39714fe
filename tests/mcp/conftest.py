"""What the tests of MCP share: those of many parameters are run as those of the wire are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pairwise import keep_a_cover
from tests.wire.conftest import transport

__all__ = ["transport"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    keep_a_cover(items, Path(__file__).parent)
