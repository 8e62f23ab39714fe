"""What the tests of the wire share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pairwise import keep_a_cover
from tests.wire.exchange import TRANSPORTS, Transport, loop


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> Transport:
    found: Transport = request.param
    return found


@pytest.fixture(scope="session", autouse=True)
def server_loop() -> Iterator[None]:
    """The loop lives as long as the tests."""
    yield
    loop().close()
    loop.cache_clear()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    keep_a_cover(items, Path(__file__).parent)
