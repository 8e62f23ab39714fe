"""``contract docs``: a folder for a static host, whole or not at all."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import orjson
import pytest

from contract.document.contract_json import load_contract
from contract.explorer import assets
from tests.cli_apps import SHOP
from tests.cli_inside import having, refused, run
from tests.cli_urls import documents
from tests.documents import text, whole
from tests.tables import rows

FILES = {"index.html", "contract.json", "openapi.json", "llms.txt"}
FILES |= {f"assets/{name}" for name in assets()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "contract.json").write_bytes(text(whole()))
    return tmp_path


def written(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_folder_is_written(folder: Path) -> None:
    done = run("docs contract.json -o site --server https://shop.example/v1", cwd=folder)
    files = written(folder / "site")
    page = files["index.html"].decode()
    openapi = orjson.loads(files["openapi.json"])

    assert (done.returncode, done.stdout) == (0, b"")
    size = sum(map(len, files.values()))
    assert done.err == f"contract: wrote site ({len(FILES)} files, {size} bytes)\n"
    assert set(files) == FILES
    assert 'data-contract="contract.json" data-server="https://shop.example/v1"' in page
    assert "connect-src &#x27;self&#x27; https://shop.example;" in page
    assert "frame-ancestors" not in page
    assert openapi["servers"] == [{"url": "https://shop.example/v1"}]
    assert b"POST https://shop.example/v1/ROUTE" in files["llms.txt"]
    assert b"- OpenAPI: openapi.json\n- MCP: https://shop.example/v1/mcp" in files["llms.txt"]


def test_the_document_says_where_its_neighbours_are(folder: Path) -> None:
    run("docs . -o site --server https://shop.example/v1", cwd=folder)
    found = orjson.loads((folder / "site" / "contract.json").read_bytes())

    assert found["links"] == {"docs": ".", "openapi": "openapi.json", "mcp": "mcp"}
    assert {**found, "links": whole()["links"]} == whole()
    assert load_contract((folder / "site" / "contract.json").read_bytes()).links.docs == "."


def test_a_copy_without_a_server_has_no_place_for_mcp_clients(folder: Path) -> None:
    run("docs . -o site", cwd=folder)
    found = orjson.loads((folder / "site" / "contract.json").read_bytes())

    assert found["links"] == {"docs": ".", "openapi": "openapi.json"}
    assert "mcp" in whole()["links"]


def test_every_name_in_the_page_is_a_file_beside_it(folder: Path) -> None:
    run("docs . -o site", cwd=folder)
    page = (folder / "site" / "index.html").read_text()

    names = re.findall(r'(?:href|src|data-contract)="((?!data:)[^"]*)"', page)
    assert len(names) > 6
    for name in names:
        assert (folder / "site" / name).is_file(), name


def test_a_spec_and_a_url_are_sources_too(folder: Path) -> None:
    public = run("docs shop:api -o public", cwd=having(folder, SHOP))
    every = run("docs shop:api -o every --visibility all", cwd=folder)
    with documents(text(whole())) as server:
        fetched = run(f"docs {server.url} -o fetched --header 'X-Tenant: north'", cwd=folder)

    assert public.returncode == every.returncode == fetched.returncode == 0
    routes = {
        name: {*orjson.loads((folder / name / "contract.json").read_bytes())["routes"]}
        for name in ("public", "every")
    }
    assert routes["every"] - routes["public"] == {"me"}
    assert (folder / "fetched" / "contract.json").is_file()


def test_what_could_do_harm_is_left_out_and_told(folder: Path) -> None:
    document = whole()
    document["ui"]["favicon"] = "javascript:alert(1)//\x1b[2J"
    document["ui"]["website"]["url"] = "data:text/html,<script>"
    (folder / "contract.json").write_bytes(text(document))
    done = run("docs . -o site", cwd=folder)
    told = run("docs . -o other --json", cwd=folder)
    ui = orjson.loads((folder / "site" / "contract.json").read_bytes())["ui"]

    assert done.returncode == 0
    expected = [b"contract: left out ui.website.url", b"contract: left out ui.favicon"]
    assert [line.partition(b": give")[0] for line in done.stderr.splitlines()[:2]] == expected
    assert b"\x1b" not in done.stderr
    assert not {"favicon", "website"} & set(ui)
    found = json.loads(told.stdout)
    assert (found["source"], found["output"], set(found["files"])) == (".", "other", FILES)
    assert (len(found["left_out"]), told.stderr) == (2, b"")


def test_a_second_time_gives_the_same_and_takes_away_what_is_old(folder: Path) -> None:
    site = folder / "site"
    run("docs contract.json -o site", cwd=folder)
    first = written(site)
    (site / "assets" / "main.0123456789abcdef.js").write_text("old")
    (site / "assets" / "own.js").write_text("mine")
    (site / "light.png").write_text("mine")
    (site / "CNAME").write_text("docs.example")
    assert run("docs site -o site", cwd=folder).returncode == 0
    expected = first | {"assets/own.js": b"mine", "light.png": b"mine", "CNAME": b"docs.example"}
    assert written(site) == expected


def test_an_empty_folder_is_taken(folder: Path) -> None:
    (folder / "site").mkdir()

    assert run("docs . -o site", cwd=folder).returncode == 0
    assert set(written(folder / "site")) == FILES


@pytest.mark.parametrize("name", ["index.html", "notes.txt"])
def test_what_somebody_else_has_written_stays(folder: Path, name: str) -> None:
    (folder / "site").mkdir()
    (folder / "site" / name).write_text("<!doctype html><title>Mine</title>")
    told = "contains files that this command did not write; choose a folder that is empty"

    assert refused("docs . -o site", cwd=folder) == f"contract: site {told}, or not there yet\n"
    assert {*written(folder / "site")} == {name}


def test_where_no_folder_can_be_there_is_none(folder: Path) -> None:
    into_file = refused("docs . -o contract.json", cwd=folder)
    nowhere = refused("docs . -o a/b", cwd=folder)

    fix = "choose another name, or remove it"
    assert into_file == f"contract: contract.json is not a folder; {fix}\n"
    assert nowhere == "contract: there is no folder a; make it, or choose another\n"
    assert "File name too long" in refused("docs . -o", "a" * 300, cwd=folder)
    assert {path.name for path in folder.iterdir()} == {"contract.json"}


def test_what_cannot_be_written_leaves_nothing_behind(folder: Path) -> None:
    """A file stands where the folder of the files belongs; a folder, where one of the files does."""
    first = run("docs . -o site", cwd=folder)
    before = written(folder / "site")
    (folder / "site" / "llms.txt").unlink()
    (folder / "site" / "llms.txt").mkdir()
    second = refused("docs . -o site --server /v1", cwd=folder)

    assert first.returncode == 0
    assert second == "contract: cannot write site/llms.txt: Is a directory\n"
    assert written(folder / "site").keys() | {"llms.txt"} == before.keys()


def test_a_folder_that_was_made_for_nothing_is_taken_away(folder: Path) -> None:
    (folder / "there").mkdir()
    (folder / "there" / "assets").write_text("")
    (folder / "there" / "index.html").write_text('<meta name="generator" content="contract docs">')
    assert refused("docs . -o there", cwd=folder) == "contract: cannot write there: File exists\n"
    assert {*written(folder / "there")} == {"assets", "index.html"}


def test_a_disk_that_is_full_leaves_no_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    assert "No space left on device" in refused("docs . -o site", cwd=folder)
    assert {path.name for path in folder.iterdir()} == {"contract.json"}


@rows(
    "server",
    *("shop.example", "//shop.example", "javascript:x", "https://shop.example/v1?a"),
    *("https://a b", "http://\x1b[2J"),
)
def test_a_server_is_a_url(folder: Path, server: str) -> None:
    said = refused("docs . -o site --server", server, cwd=folder)

    assert said.startswith("contract: --server: ")
    assert "\x1b" not in said
    assert not (folder / "site").exists()


def test_a_server_may_be_a_path_of_the_same_host(folder: Path) -> None:
    run("docs . -o site --server /v1", cwd=folder)

    assert 'data-server="/v1"' in (folder / "site" / "index.html").read_text()


def test_what_is_no_document_makes_no_folder(folder: Path) -> None:
    (folder / "contract.json").write_text("{}")
    assert "is not a contract document" in refused("docs . -o site", cwd=folder, code=3)
    assert "--header is for a URL" in refused("docs . -o site --header", "X-A: b", cwd=folder)
    assert not (folder / "site").exists()


def test_help_says_what_a_page_cannot(folder: Path) -> None:
    done = run("docs --help", cwd=folder)

    assert (done.returncode, b"frame-ancestors 'none'" in done.stdout) == (0, True)
