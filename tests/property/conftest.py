"""What the laws of the wire share."""

from collections.abc import Iterator

import pytest

from tests.wire.exchange import loop


@pytest.fixture(scope="session", autouse=True)
def server_loop() -> Iterator[None]:
    """The loop lives as long as the tests."""
    yield
    loop().close()
    loop.cache_clear()
