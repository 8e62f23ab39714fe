"""What importing the runtime of generated clients costs, and what it needs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import contract.client
from contract.client import AsyncHttpxTransport, HttpxTransport

ROOT = Path(__file__).parents[1]
WITHOUT_HTTPX2 = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == 'httpx2':
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
from tests.client_example import ApiClient, AsyncApiClient, Order, schemas
from tests.client_fakes import Scripted, answer
print(schemas.Order.dump(Order(product_id="p1")))
print(ApiClient("https://shop.example", transport=Scripted(answer(b"null"))).ping())
for client in (ApiClient, AsyncApiClient):
    try:
        client("https://shop.example")
    except ImportError as error:
        print(error)
"""


def python(code: str) -> str:
    """What *code* prints, in a process of its own."""
    command = [sys.executable, "-P", "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=True
    ).stdout


def test_importing_it_pulls_in_nothing_that_it_may_not_need() -> None:
    heavy = "{'falcon', 'hypothesis', 'httpx2', 'asyncio', 'ssl', 'socket', 'email', 'logging', 'random', 'threading'}"
    # what is there before is the doing of whoever measures the tests, or of pydantic-core, whose
    # older releases import asyncio
    before = "import sys, pydantic_core; before = {*sys.modules}"
    code = f"{before}; import contract.client; print({{*sys.modules}} - before & {heavy})"

    assert python(code) == "set()\n"


def test_a_generated_client_is_as_light() -> None:
    # gc is a part of the interpreter, and costs nothing
    more = "import gc, sys, contract; before = {*sys.modules}; import tests.client_example; print({*sys.modules} - before)"
    loaded = {name.strip("' ") for name in python(more).strip("{}\n").split(",")}

    assert "contract.client" in loaded
    assert {name for name in loaded if name.partition(".")[0] not in ("contract", "tests")} == set()


def test_a_transport_is_imported_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(contract.client, "HttpxTransport")

    assert contract.client.HttpxTransport is HttpxTransport


@pytest.mark.measured
def test_without_httpx2_only_the_transports_are_missing() -> None:
    missing = "clients need httpx2 to talk to a network: pip install 'contract-rpc[client]'"

    assert python(WITHOUT_HTTPX2).splitlines() == [
        """b'{"product_id":"p1","quantity":1,"paid_by":{"kind":"cash"}}'""",
        "Ok(value=None)",
        missing,
        missing,
    ]


def test_the_transports_are_found_where_the_rest_is() -> None:
    assert HttpxTransport.__module__ == "contract.client.httpx"
    assert AsyncHttpxTransport.__module__ == "contract.client.httpx"
    with pytest.raises(AttributeError, match=r"'contract.client' has no attribute 'Nothing'"):
        contract.client.Nothing  # type: ignore[attr-defined]  # noqa: B018


def test_what_is_public_is_sorted_and_there() -> None:
    names = contract.client.__all__

    assert names == sorted(names)
    assert all(hasattr(contract.client, name) for name in names)
    assert {*names} <= {*dir(contract.client)}
