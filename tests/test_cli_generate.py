"""``contract generate``: files from documents, whole or not at all."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from watchfiles import watch

from contract.cli.generate import file_versions, url_versions
from contract.cli.output import Stop
from contract.cli.sources import MAX_BYTES
from tests.cli_apps import SHOP
from tests.cli_inside import having, refused, run
from tests.cli_servers import PATIENCE, environment, until
from tests.cli_urls import documents
from tests.tables import rows


@pytest.fixture(scope="module")
def emitted(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return run("emit shop.py", cwd=having(tmp_path_factory.mktemp("made"), SHOP)).stdout


@pytest.fixture
def folder(tmp_path: Path, emitted: bytes) -> Path:
    (tmp_path / "contract.json").write_bytes(emitted)
    return tmp_path


# What is written.


def test_each_file_is_in_the_language_of_its_name(folder: Path) -> None:
    done = run("generate contract.json -o api.py -o api.ts --output other.mts", cwd=folder)

    assert (done.returncode, done.stdout) == (0, b"")
    assert done.err.splitlines() == [
        f"contract: wrote {name} ({(folder / name).stat().st_size} bytes)"
        for name in ("api.py", "api.ts", "other.mts")
    ]
    compile((folder / "api.py").read_text(), "api.py", "exec")
    assert "class ApiClient" in (folder / "api.py").read_text()
    assert "export class ApiClient" in (folder / "api.ts").read_text()
    assert (folder / "api.ts").read_bytes() == (folder / "other.mts").read_bytes()


def written(path: Path) -> tuple[int, int]:
    """Which file it is, and when somebody wrote to it."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns


def test_a_second_time_changes_nothing(folder: Path) -> None:
    run("generate . -o api.py", cwd=folder)
    before = written(folder / "api.py")
    done = run("generate . -o api.py", cwd=folder)

    assert (done.returncode, done.stderr) == (0, b"contract: api.py is up to date\n")
    assert written(folder / "api.py") == before


@pytest.mark.parametrize("option", [["--validators"], ["--dates", "string"]])
def test_options_reach_the_generators(folder: Path, option: list[str]) -> None:
    run("generate . -o api.ts", cwd=folder)
    run("generate . -o other.ts -o other.py", *option, cwd=folder)

    for name in ("other.py", "other.ts"):
        assert ("class ApiClient" in (folder / name).read_text()) is ("--dates" in option)
    assert (folder / "api.ts").exists()


def test_validators_of_nothing_are_written_and_told(folder: Path) -> None:
    told = b". exports no types, so there are no validators; name some: spec(exports=exports(...))"
    document = json.loads((folder / "contract.json").read_bytes())
    name = min(document["$defs"])
    found: list[bool] = []
    for exports in ({}, {name: {"$ref": f"#/$defs/{name}"}}):
        (folder / "contract.json").write_text(json.dumps(document | {"exports": exports}))
        done = run("generate . -o api.py --validators", cwd=folder)
        assert done.returncode == 0
        found.append(told in done.stderr)

    assert found == [True, False]


def test_a_spec_is_a_source_too(tmp_path: Path, folder: Path) -> None:
    run("generate contract.json -o one.py", cwd=having(folder, f"print('hello')\n{SHOP}"))
    done = run("generate shop:api -o two.py", cwd=folder)
    run("generate shop.py -o three.py --visibility all", cwd=folder)

    assert (done.returncode, done.stdout) == (0, b"")
    assert (folder / "one.py").read_bytes() == (folder / "two.py").read_bytes()
    assert "def me(" in (folder / "three.py").read_text()


def test_programs_are_told_in_json(folder: Path) -> None:
    told = json.loads(run("generate . -o api.py --json", cwd=folder).stdout)
    again = run("generate . -o api.py --json", cwd=folder)

    size = (folder / "api.py").stat().st_size
    assert told["source"] == "."
    assert told["digest"] in (folder / "api.py").read_text()
    found = told["files"]
    assert found == [{"path": "api.py", "language": "python", "state": "written", "bytes": size}]
    assert (again.stdout.count(b"\n"), again.stderr) == (1, b"")
    assert json.loads(again.stdout)["files"][0]["state"] == "unchanged"


# Where nothing is written.


def test_all_files_or_none(folder: Path) -> None:
    (folder / "api.ts").write_text("// written by hand\n")
    told = (
        "contract: api.ts was not generated, and would be lost; choose another name, or remove it\n"
    )

    assert refused("generate . -o api.py -o api.ts", cwd=folder) == told
    assert sorted(path.name for path in folder.iterdir()) == ["api.ts", "contract.json"]


NO_LANGUAGE = "names no language; write a file that ends in .py or .ts, such as -o api.py"


@rows(
    "arguments, problem",
    ("-o api.js", f"'api.js' {NO_LANGUAGE}"),
    ("-o api.d.ts", f"'api.d.ts' {NO_LANGUAGE}"),
    ("-o -", f"'-' {NO_LANGUAGE}"),
    ("-o sub/api.py", "there is no folder sub for api.py; make it first: mkdir -p sub"),
    ("-o folder.py", "folder.py is there already, and no file; choose another name"),
    ("-o pipe.py", "pipe.py is there already, and no file; choose another name"),
    ("-o link.py", "link.py is a link to contract.json; name that file, or remove the link"),
    ("-o nowhere.py", "nowhere.py is a link to /nowhere; name that file, or remove the link"),
    (
        "-o contract.py",
        "contract.py would shadow the package `contract`, which it imports; choose another name, such as api.py",
    ),
    ("-o api.py -o ./api.py", "./api.py is named twice; name each file once"),
    (
        "-o api.py --dates string",
        "--dates is for TypeScript, and no file that ends in .ts is asked for",
    ),
    ("-o api.py --header 'A: b'", "--header is for a URL, and contract.json is not one"),
    ("-o api.py --timeout 3", "--timeout is for a URL, and contract.json is not one"),
    (f"-o {'a' * 300}.py", f"cannot write {'a' * 300}.py: File name too long"),
)
def test_what_cannot_be_meant_is_said_before_anything_is_read(
    folder: Path, arguments: str, problem: str
) -> None:
    (folder / "folder.py").mkdir()
    os.mkfifo(folder / "pipe.py")
    (folder / "link.py").symlink_to("contract.json")
    (folder / "nowhere.py").symlink_to("/nowhere")
    before = sorted(folder.iterdir())
    assert refused(f"generate contract.json {arguments}", cwd=folder) == f"contract: {problem}\n"
    assert sorted(folder.iterdir()) == before


def test_the_source_is_never_overwritten(folder: Path) -> None:
    said = refused(f"generate shop.py:api -o ../{folder.name}/shop.py", cwd=having(folder, SHOP))

    assert "shop.py is the source itself" in said
    assert (folder / "shop.py").read_text() == SHOP


def test_a_client_may_be_called_contract_within_a_package(folder: Path) -> None:
    (folder / "__init__.py").touch()

    assert run("generate contract.json -o contract.py", cwd=folder).returncode == 0


def test_a_folder_that_cannot_be_written_to(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / f".api.py.{os.getpid()}.new").mkdir()  # even for root
    said = refused("generate . -o api.py", cwd=folder)

    assert said == "contract: cannot write api.py: File exists\n"


def test_a_file_that_cannot_be_read(folder: Path) -> None:
    (folder / "api.py").symlink_to("api.py")

    assert refused("generate . -o api.py", cwd=folder)


@rows("data, place", (b"{", "$: "), (b"<html>", "$: "), (b'{"contract": "2.0"}', "$.contract: "))
def test_what_is_no_document(folder: Path, data: bytes, place: str) -> None:
    (folder / "contract.json").write_bytes(data)
    said = refused("generate . -o api.py", cwd=folder, code=3)

    assert said.startswith(f"contract: . is not a contract document: {place}")
    assert said.count("\n") == 1
    assert not (folder / "api.py").exists()


def test_a_document_that_means_no_type_is_told_with_its_place(folder: Path, emitted: bytes) -> None:
    document = json.loads(emitted)
    inner = {"type": "object", "properties": {"a": {"type": "string"}}}
    document["$defs"]["Receipt"]["properties"]["price_cents"] = inner
    (folder / "contract.json").write_text(json.dumps(document))
    said = refused("generate . -o api.py", cwd=folder, code=3)

    place = "$.$defs.Receipt.properties.price_cents"
    assert said.startswith(f"contract: no client can be generated from .: {place}")
    assert said.count("\n") == 1


# --check.


def test_check_tells_what_differs(folder: Path) -> None:
    run("generate . -o api.py", cwd=folder)
    text = (folder / "api.py").read_text()
    (folder / "api.py").write_text(text.replace("class ApiClient(", "class OldClient("))
    done = run("generate . -o api.py -o api.ts --check", cwd=folder)
    lines = done.out.splitlines()

    assert (done.returncode, lines[:2]) == (1, ["--- api.py", "+++ api.py (generated)"])
    assert any(line.startswith("-class OldClient(") for line in lines)
    assert any(line.startswith("+class ApiClient(") for line in lines)
    assert "--- /dev/null" in lines
    states = ["contract: api.py is stale", "contract: api.ts is absent"]
    fix = "contract: leave out --check to write what is missing"
    assert done.err.splitlines() == [*states, fix]
    assert not (folder / "api.ts").exists()
    assert "OldClient" in (folder / "api.py").read_text()


def test_check_is_content_with_what_is_up_to_date(folder: Path) -> None:
    run("generate . -o api.py", cwd=folder)
    done = run("generate . -o api.py --check", cwd=folder)

    assert (done.returncode, done.stdout, done.err) == (0, b"", "contract: api.py is up to date\n")


def test_check_for_programs(folder: Path) -> None:
    done = run("generate . -o api.py --check --json", cwd=folder)
    (told,) = json.loads(done.stdout)["files"]

    assert (done.returncode, done.stderr, told["state"]) == (1, b"", "absent")
    assert told["diff"].startswith("--- /dev/null\n+++ api.py (generated)\n")


def test_a_difference_shows_every_byte(folder: Path) -> None:
    run("generate . -o api.py", cwd=folder)
    with (folder / "api.py").open("ab") as file:
        file.write(b"\x1b[2J\xff")
    told, shown = (
        run("generate . -o api.py --check", cwd=folder, terminal=terminal).stdout
        for terminal in (False, True)
    )

    assert told.endswith(b"\n-\x1b[2J\\xff\n-\\ No newline at end of file\n")
    assert b"\n-\\u001b[2J\\xff\n" in shown


def test_an_unreadable_file_is_no_difference(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", fail)  # root may read everything
    said = refused("generate . -o api.py --check", cwd=folder)

    assert said == "contract: cannot read api.py: Permission denied\n"


# URLs.


def test_a_mounted_base_url(folder: Path, emitted: bytes) -> None:
    run("generate . -o one.py", cwd=folder)
    with documents(emitted) as server:
        given = "--header 'X-Tenant: north' --timeout 5"
        done = run(f"generate {server.url}/v1/ -o two.py {given}", cwd=folder)
        path, sent = server.asked[-1]

    assert (done.returncode, path, sent["x-tenant"]) == (0, "/v1/contract.json", "north")
    assert (folder / "one.py").read_bytes() == (folder / "two.py").read_bytes()


@rows(
    "wrong",
    *("Authorization", "A:", ": b", "A b: c", "A: b\r\nC: d", "A: \u00e9", "Host: h"),
    "content-length: 3",
)
def test_what_is_no_header(folder: Path, wrong: str) -> None:
    said = refused("generate http://127.0.0.1:1 -o api.py --header", wrong, cwd=folder)

    assert "argument --header: " in said


# --watch.


@contextmanager
def watching(*arguments: str, cwd: Path) -> Generator[Callable[[], str]]:
    """``contract generate --watch``, until Ctrl-C, which it takes well; what it has told up to now."""
    log = cwd / "log.txt"
    with log.open("wb") as stream:
        command = [sys.executable, "-P", "-m", "contract", "generate", *arguments, "--watch"]
        streams: Any = {"stdout": stream, "stderr": stream, "start_new_session": True}
        process = subprocess.Popen(command, cwd=cwd, env=environment(NO_COLOR="1"), **streams)
    try:
        until(lambda: "Ctrl-C stops" in log.read_text() or process.poll() is not None)
        yield log.read_text
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0, log.read_text()
    finally:
        process.kill()
        process.wait()


@pytest.mark.measured
def test_a_file_is_followed(folder: Path, emitted: bytes) -> None:
    path, api = folder / "contract.json", folder / "api.py"
    with watching(".", "-o", "api.py", cwd=folder) as told:
        until(api.exists)
        path.write_bytes(emitted[:100])
        until(lambda: "is not a contract document" in told())
        fresh = folder / "fresh.json"
        fresh.write_bytes(emitted.replace(b'"Order a product"', b'"Order many products"'))
        fresh.replace(path)
        until(lambda: "Order many products" in api.read_text())

    assert "waiting for a change" in told()
    assert "Traceback" not in told()


@pytest.mark.measured
def test_a_url_is_followed(folder: Path, emitted: bytes) -> None:
    api = folder / "api.ts"
    with documents(None) as server:
        with watching(server.url, "-o", "api.ts", cwd=folder) as told:
            until(lambda: "the server answers 404" in told())
            server.document = emitted
            until(api.exists)
            until(lambda: "if-none-match" in server.asked[-1][1])
            server.document = emitted.replace(b'"Order a product"', b'"Order many products"')
            until(lambda: "Order many products" in api.read_text())
        assert told().count("answers 404") == 1  # a port may have these digits, too

    assert "Traceback" not in told()


@rows(
    "source, fix",
    ("shop:api", "write its contract.json on each save (contract emit shop:api -o contract.json)"),
    ("git:HEAD:contract.json", "leave out --watch"),
)
def test_what_does_not_change_under_its_name_is_not_followed(
    folder: Path, source: str, fix: str
) -> None:
    said = refused("generate", source, "-o", "api.py", "--watch", cwd=folder)

    assert said == f"contract: --watch follows a file or a URL, and {source} is neither; {fix}\n"


@pytest.mark.parametrize("options", [[], ["--watch"], ["--json"]])
@pytest.mark.parametrize("source", ["http://me:canary@127.0.0.1:9/v1", "ftp://canary@shop.example"])
def test_credentials_in_a_url_are_never_repeated(
    folder: Path, source: str, options: list[str]
) -> None:
    done = run("generate", source, "-o", "api.py", *options, cwd=folder)

    assert (done.returncode, b"canary" in done.stdout + done.stderr) == (2, False)
    assert b"the URL contains credentials" in done.stdout + done.stderr


def test_wrong_usage_is_not_waited_for(folder: Path) -> None:
    said = refused("generate . -o api.py --watch", cwd=having(folder, "# by hand\n", "api.py"))

    assert "api.py was not generated" in said


def test_watch_and_check_exclude_each_other(folder: Path) -> None:
    assert refused("generate . -o api.py --watch --check", cwd=folder)


# A file, or what is at a URL, from one version to the next.


def stop(version: bytes | Stop) -> str:
    assert isinstance(version, Stop)
    return version.message


def test_a_file_is_told_whenever_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "contract.json"
    path.write_bytes(b"1")
    found = file_versions(path, watch)

    assert next(found) == b"1"
    path.write_bytes(b"2")  # before anybody watches
    assert next(found) == b"2"
    path.unlink()
    assert stop(next(found)) == f"cannot read {path}: No such file or directory"
    (tmp_path / "new").write_bytes(b"3")
    (tmp_path / "new").replace(path)
    assert next(found) == b"3"


def test_what_lies_beside_it_is_not_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "contract.json"
    path.write_bytes(b"0")
    found = file_versions(path, watch)
    assert next(found) == b"0"
    over = threading.Event()

    def write() -> None:
        number = 0
        while not over.wait(0.02):
            number += 1
            (tmp_path / "other.json").write_bytes(b"%d" % number)
            if number % 10 == 0:
                path.write_bytes(b"0" if number < 50 else b"1")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert next(found) == b"1"
    finally:
        over.set()
        writer.join(PATIENCE)


def test_a_folder_that_is_not_there_cannot_be_watched(tmp_path: Path) -> None:
    found = file_versions(tmp_path / "absent" / "contract.json", watch)

    assert stop(next(found)).startswith("cannot read ")
    with pytest.raises(Stop, match=r"there is no folder .*absent to watch"):
        next(found)


@pytest.mark.parametrize("tagged", [True, False])
def test_each_version_is_told_once(tagged: bool) -> None:
    with documents(b"1") as server:
        server.tagged = tagged
        found = url_versions(f"{server.url}/contract.json", limit=MAX_BYTES, every=0.01)
        assert next(found) == b"1"
        server.due = (5, b"2")
        assert next(found) == b"2"
        server.due = server.document = None
        assert stop(next(found)).endswith("the server answers 404")
        server.due = (12, b"2")
        assert next(found) == b"2"

    assert len(server.asked) == 13
