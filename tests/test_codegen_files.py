"""Generated clients that send and get files: what is generated is what is kept."""

from __future__ import annotations

import json

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


def test_a_type_of_a_document_does_not_hide_what_files_are() -> None:
    document = json.loads(dump_contract(CASES["uploads"]()))
    names = ["Upload", "Blob", "ReadableStream"]
    document["$defs"] |= {name: document["$defs"]["Seen"] | {"title": name} for name in names}
    document["exports"] = {name: {"$ref": f"#/$defs/{name}"} for name in names}
    client = typescript_client(package_of(load_contract(json.dumps(document).encode())))

    assert "export type Upload = Blob | ReadableStream<Uint8Array> | $Streamed;" in client
    assert "export interface Upload " not in client
    assert "export interface Blob " not in client


def test_the_description_of_a_file_stands_before_its_limits() -> None:
    document = json.loads(dump_contract(CASES["uploads"]()))
    document["routes"]["add"]["files"]["thumb"]["description"] = "As small as it is shown"
    client = python_client(package_of(load_contract(json.dumps(document).encode())))

    assert "thumb: As small as it is shown. A file of at most 10 bytes." in client
