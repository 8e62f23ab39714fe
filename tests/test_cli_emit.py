"""``contract emit``."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from contract.document.contract_json import load_contract
from tests.cli_apps import BARE, MOUNTED, SHOP, TWO_MOUNTS
from tests.cli_inside import having, refused, run
from tests.cli_servers import contract, ran
from tests.tables import rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return having(tmp_path, SHOP)


def test_the_contract_goes_to_standard_output_and_nothing_else(folder: Path) -> None:
    done = run("emit shop:api", cwd=folder)

    assert (done.returncode, done.stderr) == (0, b"")
    assert [*load_contract(done.stdout).routes] == ["die", "header", "nap", "order", "process"]


def test_the_only_spec_of_the_folder_is_meant(folder: Path) -> None:
    assert run("emit", cwd=folder).stdout == run("emit shop.py:api -o -", cwd=folder).stdout


def test_a_file_gets_the_same_bytes(folder: Path) -> None:
    done = run("emit shop.py -o contract.json", cwd=folder)
    data = (folder / "contract.json").read_bytes()

    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == f"contract: wrote contract.json ({len(data)} bytes)\n".encode()
    assert data == run("emit shop.py", cwd=folder).stdout


def test_each_of_several_files_is_written(folder: Path) -> None:
    done = run("emit shop.py -o one.json -o - -o two.json", cwd=folder)
    data = run("emit shop.py", cwd=folder).stdout

    assert (done.returncode, done.stdout) == (0, data)
    lines = [f"contract: wrote {name} ({len(data)} bytes)" for name in ("one.json", "two.json")]
    assert done.err.splitlines() == lines
    assert [(folder / name).read_bytes() for name in ("one.json", "two.json")] == [data, data]


def test_either_all_files_are_written_or_none(folder: Path) -> None:
    told = refused("emit shop.py -o - -o one.json -o nowhere/two.json", cwd=folder)

    assert told.startswith("contract: cannot write nowhere/two.json: ")
    assert not (folder / "one.json").exists()


@rows("twice, named", ("-o one.json -o ./one.json", "./one.json"), ("-o - -o -", "-"))
def test_a_file_that_is_named_twice_is_refused(folder: Path, twice: str, named: str) -> None:
    told = refused(f"emit shop.py {twice}", cwd=folder)

    assert told == f"contract: {named} is named twice; name each file once\n"
    assert not (folder / "one.json").exists()


def test_a_pipe_is_written_beside_a_file(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    reading = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    done = run("emit shop.py -o pipe -o one.json", cwd=folder)
    data = (folder / "one.json").read_bytes()

    assert (done.returncode, data) == (0, run("emit shop.py", cwd=folder).stdout)
    assert os.read(reading, len(data) + 1) == data
    assert not (folder / "pipe").is_file()


def test_private_routes_are_shown_on_demand(folder: Path) -> None:
    assert b'"me"' not in run("emit", cwd=folder).stdout
    assert b'"me"' in run("emit --visibility all", cwd=folder).stdout


def test_openapi_has_the_server_that_it_is_told(folder: Path) -> None:
    def servers(*arguments: str) -> object:
        return json.loads(run("emit --openapi", *arguments, cwd=folder).stdout)["servers"]

    assert servers() == [{"url": "/"}]
    assert servers("--server", "https://shop.example/v1") == [{"url": "https://shop.example/v1"}]


def test_paths_are_said_for_a_spec(folder: Path) -> None:
    def links(*arguments: str) -> object:
        return json.loads(run("emit", *arguments, cwd=folder).stdout)["links"]

    assert links() == {"docs": "docs", "mcp": "mcp", "openapi": "openapi.json"}
    found = links("--docs-path", "/explorer", "--mcp-path", "/_mcp")
    assert found == {"docs": "explorer", "mcp": "_mcp", "openapi": "openapi.json"}
    assert links("--mcp-path", "") == {"docs": "docs", "openapi": "openapi.json"}


def test_a_mount_brings_its_options(tmp_path: Path) -> None:
    options = 'prefix="/v1", docs_path="/explorer", mcp_path=None, visibility="all"'
    mounted = MOUNTED.replace('prefix="/v1"', options).replace('pong"', 'pong", scope="private"', 1)
    found = json.loads(run("emit shop:mount", cwd=having(tmp_path, mounted)).stdout)
    openapi = json.loads(run("emit --openapi", cwd=tmp_path).stdout)
    shown = run("emit shop:mount --visibility public --mcp-path /_mcp", cwd=tmp_path)
    public = json.loads(shown.stdout)

    assert found["links"] == {"docs": "explorer", "openapi": "openapi.json"}
    assert [*found["routes"]] == ["ping"]
    assert (openapi["servers"], [*openapi["paths"]]) == ([{"url": "/v1"}], ["/ping"])
    assert (public["links"]["mcp"], public["routes"]) == ("_mcp", {})


def test_of_several_mounts_one_has_to_be_named(tmp_path: Path) -> None:
    said = refused("emit shop:app", cwd=having(tmp_path, TWO_MOUNTS), code=3)

    told = "app holds several mounts (/v1, /v2); name one: shop:mount, shop:other"
    assert said == f"contract: {told}\n"
    found = json.loads(run("emit --openapi shop:other", cwd=tmp_path).stdout)["servers"]
    assert found == [{"url": "/v2"}]


def test_mounts_without_names_are_to_be_given_one(tmp_path: Path) -> None:
    unnamed = TWO_MOUNTS.replace("mount = ", "").replace("other = ", "")
    said = refused("check shop:app", cwd=having(tmp_path, unnamed), code=3)

    told = "app holds several mounts (/v1, /v2); give one a name, and name that"
    assert said == f"contract: {told}: v1 = mount_spec(...), and shop:v1\n"


def test_an_app_without_a_mount_has_no_document(tmp_path: Path) -> None:
    folder = having(tmp_path, "import falcon\n\napp = falcon.App()\n")
    said = refused("emit shop:app", cwd=folder, code=3)

    assert said == "contract: there is no spec mounted in app\n"


OF_CONTRACT = "is for contract.json, and openapi.json does not hold it"
NO_URL = "is not a URL of a mount; write it like "


@rows(
    "arguments, problem",
    ("--server /v1", "--server is for openapi.json, and contract.json does not hold it"),
    ("--openapi --docs-path /docs", f"--docs-path {OF_CONTRACT}"),
    ("--openapi --mcp-path ''", f"--mcp-path {OF_CONTRACT}"),
    ("--docs-path docs", "emit_contract(docs_path=): 'docs' is not a path"),
    ("--openapi --server javascript:x", f"emit_openapi(server=): 'javascript:x' {NO_URL}"),
    ("--openapi --server 'a b\n'", f"emit_openapi(server=): 'a b\\n' {NO_URL}"),
    ("-o openapi.json", "openapi.json would hold contract.json; add --openapi, or name the file"),
    ("--openapi -o a.json -o contract.json", "contract.json would hold openapi.json; leave out --"),
    ("-o absent/contract.json", "cannot write absent/contract.json: No such file or directory"),
)
def test_wrong_usage_gives_2_and_writes_nothing(folder: Path, arguments: str, problem: str) -> None:
    assert refused(f"emit shop.py {arguments}", cwd=folder).startswith(f"contract: {problem}")


def test_what_cannot_be_imported_gives_3_and_leaves_the_file_alone(folder: Path) -> None:
    (folder / "contract.json").write_bytes(b"old")
    refused("emit shop.py -o contract.json", cwd=having(folder, "raise ValueError"), code=3)
    assert (folder / "contract.json").read_bytes() == b"old"


def test_a_spec_without_a_document_gives_1(tmp_path: Path) -> None:
    unwritable = BARE.replace('auth="none"', 'auth="none", description="\\ud800"')
    said = refused("emit shop.py", cwd=having(tmp_path, unwritable), code=1)

    place = "$.routes.ping.description: it cannot be written: "
    assert said.startswith(f"contract: this spec has no document: {place}")


def test_what_an_app_prints_is_no_part_of_the_document(tmp_path: Path) -> None:
    done = run("emit shop.py", cwd=having(tmp_path, 'print("hello")\n' + BARE))

    assert done.stderr == b"hello\n"
    assert [*load_contract(done.stdout).routes] == ["ping"]


def test_the_command_and_the_function_give_the_same_bytes_in_every_process(folder: Path) -> None:
    outputs = {
        contract("emit", "shop:api", cwd=folder, PYTHONHASHSEED=seed).stdout for seed in ("1", "2")
    }
    function = (
        "import sys, shop, contract; sys.stdout.buffer.write(contract.emit_contract(shop.api))"
    )
    done = ran(sys.executable, "-c", function, cwd=folder)

    assert outputs == {done.stdout} == {run("emit shop:api", cwd=folder).stdout}
