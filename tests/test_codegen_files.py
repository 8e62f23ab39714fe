"""Generated clients that send and get files: what is generated is what is kept."""

from __future__ import annotations

import pytest

from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.codegen.typescript import typescript_client
from contract.document.contract_json import dump_contract, load_contract
from tests.golden.files import HERE
from tests.golden.specs import CASES


@pytest.mark.parametrize("case", ["downloads", "uploads"])
def test_clients_of_files_are_those_that_are_kept(case: str) -> None:
    """As tests/test_golden.py has it of every case, which runs where coverage does not look."""
    package = package_of(load_contract(dump_contract(CASES[case]())))

    assert python_client(package) == (HERE / case / "client.py").read_text("utf-8")
    assert typescript_client(package) == (HERE / case / "client.ts").read_text("utf-8")
