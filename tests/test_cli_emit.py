"""``contract emit``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from contract.document.contract_json import load_contract
from tests.cli_apps import BARE, MOUNTED, SHOP, TWO_MOUNTS
from tests.cli_inside import having, run
from tests.cli_servers import contract, environment


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(SHOP)
    return tmp_path


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
    assert links("--docs-path", "/explorer", "--mcp-path", "/_mcp") == {
        "docs": "explorer",
        "mcp": "_mcp",
        "openapi": "openapi.json",
    }
    assert links("--mcp-path", "") == {"docs": "docs", "openapi": "openapi.json"}


def test_a_mount_brings_its_options(tmp_path: Path) -> None:
    options = 'prefix="/v1", docs_path="/explorer", mcp_path=None, visibility="all"'
    (tmp_path / "shop.py").write_text(
        MOUNTED.replace('prefix="/v1"', options).replace(
            'summary="Say pong"', 'summary="Say pong", scope="private"'
        )
    )
    found = json.loads(run("emit shop:mount", cwd=tmp_path).stdout)
    openapi = json.loads(run("emit --openapi", cwd=tmp_path).stdout)
    public = json.loads(
        run("emit shop:mount --visibility public --mcp-path /_mcp", cwd=tmp_path).stdout
    )

    assert (found["links"], [*found["routes"]]) == (
        {"docs": "explorer", "openapi": "openapi.json"},
        ["ping"],
    )
    assert (openapi["servers"], [*openapi["paths"]]) == ([{"url": "/v1"}], ["/ping"])
    assert (public["links"]["mcp"], public["routes"]) == ("_mcp", {})


def test_of_several_mounts_one_has_to_be_named(tmp_path: Path) -> None:
    done = run("emit shop:app", cwd=having(tmp_path, TWO_MOUNTS))

    assert (done.returncode, done.stdout) == (3, b"")
    assert (
        done.stderr
        == b"contract: app holds several mounts (/v1, /v2); name one: shop:mount, shop:other\n"
    )
    assert json.loads(run("emit --openapi shop:other", cwd=tmp_path).stdout)["servers"] == [
        {"url": "/v2"}
    ]


def test_mounts_without_names_are_to_be_given_one(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(TWO_MOUNTS.replace("mount = ", "").replace("other = ", ""))
    done = run("check shop:app", cwd=tmp_path)

    assert (done.returncode, done.stdout) == (3, b"")
    said = "app holds several mounts (/v1, /v2); give one a name, and name that: v1 = mount_spec(...), and shop:v1"
    assert done.err == f"contract: {said}\n"


def test_an_app_without_a_mount_has_no_document(tmp_path: Path) -> None:
    done = run("emit shop:app", cwd=having(tmp_path, "import falcon\n\napp = falcon.App()\n"))

    assert (done.returncode, done.stdout, done.stderr) == (
        3,
        b"",
        b"contract: there is no spec mounted in app\n",
    )


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("--server /v1", "--server is for openapi.json, and contract.json does not hold it"),
        (
            "--openapi --docs-path /docs",
            "--docs-path is for contract.json, and openapi.json does not hold it",
        ),
        (
            "--openapi --mcp-path ''",
            "--mcp-path is for contract.json, and openapi.json does not hold it",
        ),
        ("--docs-path docs", "emit_contract(docs_path=): 'docs' is not a path"),
        (
            "--openapi --server javascript:x",
            "emit_openapi(server=): 'javascript:x' is not a URL of a mount; write it like ",
        ),
        ("--openapi --server 'a b\n'", "emit_openapi(server=): 'a b\\n' is not a URL of a mount"),
        ("-o absent/contract.json", "cannot write absent/contract.json: No such file or directory"),
    ],
)
def test_wrong_usage_gives_2_and_writes_nothing(folder: Path, arguments: str, problem: str) -> None:
    done = run(f"emit shop.py {arguments}", cwd=folder)

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.err.startswith(f"contract: {problem}")


def test_what_cannot_be_imported_gives_3_and_leaves_the_file_alone(folder: Path) -> None:
    (folder / "contract.json").write_bytes(b"old")
    (folder / "shop.py").write_text("raise ValueError")
    done = run("emit shop.py -o contract.json", cwd=folder)

    assert (done.returncode, done.stdout) == (3, b"")
    assert (folder / "contract.json").read_bytes() == b"old"


def test_a_spec_without_a_document_gives_1(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(
        BARE.replace('auth="none"', 'auth="none", description="\\ud800"')
    )
    done = run("emit shop.py", cwd=tmp_path)

    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(
        b"contract: this spec has no document: $.routes.ping.description: it cannot be written: "
    )


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
    done = subprocess.run(
        [sys.executable, "-c", function],
        cwd=folder,
        capture_output=True,
        check=True,
        env=environment(),
    )

    assert outputs == {done.stdout} == {run("emit shop:api", cwd=folder).stdout}
