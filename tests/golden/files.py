"""The files of the golden cases, as they are generated now."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from contract.codegen.package import package_of
from contract.codegen.python import python_client, python_validators
from contract.codegen.typescript import typescript_client, typescript_validators
from contract.document.contract_json import dump_contract, load_contract
from tests.golden.specs import CASES

__all__ = ["HERE", "generated"]

HERE: Final = Path(__file__).parent


def generated() -> dict[str, str]:
    """Path, from here -> what has to stand there."""
    files: dict[str, str] = {}
    for case, make in CASES.items():
        contract = dump_contract(make())
        files[f"{case}/contract.json"] = contract.decode()
        package = package_of(load_contract(contract))
        files[f"{case}/client.py"] = python_client(package)
        files[f"{case}/client.ts"] = typescript_client(package)
    package = package_of(load_contract(dump_contract(CASES["shop"]())))
    files["shop/validators.py"] = python_validators(package)
    files["shop/validators.ts"] = typescript_validators(package)
    files["shop/client_of_texts.ts"] = typescript_client(package, dates="string")
    return files
