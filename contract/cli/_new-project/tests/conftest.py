"""The service in memory, over a database that only the tests use."""

from collections.abc import Iterator

import pytest
from contract import calling
from contract.testing import Client, use_profile

from starter.app import api
from starter.database import session

use_profile()

ADA, BOB = "a-token-of-ada-in-tests", "a-token-of-bob-in-tests"


@pytest.fixture(scope="session", autouse=True)
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """The service, with its resources open: the properties of routes need them, too."""
    with pytest.MonkeyPatch.context() as patch:
        file = tmp_path_factory.mktemp("data") / "tests.sqlite3"
        patch.setenv("STARTER_DATABASE", str(file))
        patch.setenv("STARTER_TOKENS", f"ada:{ADA} bob:{BOB}")
        with Client(api) as client:
            yield client


@pytest.fixture
def client(service: Client) -> Client:
    """The service, over tables that are empty."""
    with calling("a test"):
        session().execute("DELETE FROM notes")
    return service
