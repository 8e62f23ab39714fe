"""``contract new``: the project passes its own checks, whatever its name is, and runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from contract import __version__
from contract.cli import new
from tests.cli_inside import refused, run
from tests.cli_servers import REPOSITORY, environment, running
from tests.tables import rows

BIN = Path(sys.executable).parent
TOKEN = "a-token-of-ada-in-this-test"
WITHOUT_CONTEXT = '''"""Hello: a route that needs neither its input nor its context."""

from contract import route


@route(summary="Greet", tags=["greeting"], auth="none", effect="read")
def greet(input: None, ctx: None) -> str:
    """Say hello to everybody."""
    return "Hello."
'''


def test_a_new_project_passes_its_own_checks_and_runs(tmp_path: Path) -> None:
    done = run("new helpdesk", cwd=tmp_path)
    folder = tmp_path / "helpdesk"
    made = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}

    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(f"contract: made helpdesk, with {len(made)} files;".encode())
    hidden = {".dockerignore", ".github/workflows/check.yml", ".gitignore"}
    assert made >= hidden | {"contract.json", "helpdesk/app.py", "tests/test_notes.py"}
    assert not [name for name in made if "starter" in (folder / name).read_text().lower()]
    assert json.loads((folder / "contract.json").read_bytes())["info"]["title"] == "Helpdesk"

    # the tools of this environment, and not those that the project would install
    tools = {"MYPYPATH": str(REPOSITORY), "MYPY_CACHE_DIR": str(REPOSITORY / ".mypy_cache/new")}
    tools["PYTEST_ADDOPTS"] = "--hypothesis-seed=0 -p no:cacheprovider -p no:anyio"
    given = environment(MAKEFLAGS="", CI="", **tools)
    command = ["make", "check", f"BIN={BIN}", "READY="]
    checked = subprocess.run(
        command, cwd=folder, env=given, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "7 passed" in checked.stdout
    assert "Success: no issues found in 8 source files" in checked.stdout

    with running("serve", "helpdesk.app:api", cwd=folder, HELPDESK_TOKENS=f"ada:{TOKEN}") as server:
        kept = server.post("/notes.add", b'{"text":"Buy milk."}', authorization=f"Bearer {TOKEN}")
        # the last connection to a database that is closed waits for the disk, and takes this away
        assert (folder / "notes.sqlite3-wal").exists()
    assert (kept.status, json.loads(kept.body)["text"]) == (200, "Buy milk.")


ANOTHER = "write another name"
GIT = '"vcs_info": {"vcs": "git", "commit_id": "c0ffee"}'


def test_a_name_of_any_length_and_every_route_pass_the_lint(tmp_path: Path) -> None:
    names = ["a", "m" * 30]
    for name in names:
        assert run("new", f"in/{name}", cwd=tmp_path).returncode == 0
        (tmp_path / "in" / name / name / "hello.py").write_text(WITHOUT_CONTEXT)
    for command in (["format", "--check"], ["check", "--no-cache"]):
        done = subprocess.run(
            [BIN / "ruff", *command, *names], cwd=tmp_path / "in", capture_output=True, check=False
        )
        assert done.returncode == 0, done.stdout


@rows(
    "name, problem",
    ("my-shop", "'my-shop' is not a valid package name; write lower-case letters, "),
    ("My Shop", "single underscores: contract new my_shop\n"),
    ("7", "'7' is not a valid package name; "),
    ("class", f"'class' is a keyword of Python, so no package can have that name; {ANOTHER}, "),
    ("..", "single underscores: contract new shop\n"),
    ("n" * 31, "is longer than 30 characters; write a shorter name\n"),
    ("json", f"package that the project uses is named json; {ANOTHER}, such as "),
    ("contract", "such as contract new contract_service\n"),
    ("full", f"full is there already, and no empty folder; {ANOTHER}, "),
    ("file", "file is there already, and no empty folder; "),
    ("file/shop", "contract: cannot make file/shop: Not a directory\n"),
    ("n" * 300 + "/shop", ": File name too long"),
)
def test_what_cannot_be_made_is_told_with_what_to_write(
    name: str, problem: str, tmp_path: Path
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/notes.txt").touch()
    (tmp_path / "file").touch()
    before = sorted(tmp_path.rglob("*"))
    said = refused("new", name, cwd=tmp_path)

    assert said.startswith("contract: ")
    assert problem in said
    assert sorted(tmp_path.rglob("*")) == before


def test_the_image_is_given_what_its_dockerfile_copies() -> None:
    """And a wheel, where there is one: what is not on PyPI could not be installed otherwise."""
    files = new.contents("shop")
    commands = files[Path("Dockerfile")].decode().splitlines()
    copied = {each for line in commands if line.startswith("COPY ") for each in line.split()[1:-1]}
    let_in = {line[1:] for line in files[Path(".dockerignore")].decode().splitlines()}

    assert copied == {"pyproject.toml", "README.md", "*.whl", "shop"}
    assert copied <= let_in
    assert any("pip install --no-cache-dir --find-links . ." in line for line in commands)


def test_the_page_names_every_file_that_the_sample_is_in() -> None:
    page = (REPOSITORY / "docs/how-to/new-project.md").read_text("utf-8")
    _, _, rest = page.partition("## Put your own subject in place of the notes\n")
    named = set(re.findall(r"`([^`]+)`", rest.partition("\n## ")[0]))
    files = {str(path) for path, data in new.contents("shop").items() if b"note" in data.lower()}

    assert files <= named


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()

    assert run("new shop", cwd=tmp_path).returncode == 0
    assert (tmp_path / "shop/Makefile").is_file()


@rows(
    "recorded, requirement",
    (None, None),
    ('{"url": "file:///src", "dir_info": {"editable": true}}', "file:///src"),
    (f'{{"url": "https://h/r.git", {GIT}}}', "git+https://h/r.git@c0ffee"),
)
def test_a_project_is_told_where_this_package_came_from(
    recorded: str | None, requirement: str | None
) -> None:
    wanted = None if requirement is None else f"contract-rpc @ {requirement}"

    assert new.source_of(recorded) == wanted


@pytest.mark.parametrize("recorded", [None, '{"url": "file:///src"}'])
def test_that_stands_in_a_file_beside_the_makefile(
    recorded: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(_: str) -> Distribution:
        if recorded is None:
            raise PackageNotFoundError
        return Distribution()

    class Distribution:
        def read_text(self, _: str) -> str | None:
            return recorded

    monkeypatch.setattr(new, "distribution", found)
    files = new.contents("shop")

    expected = None if recorded is None else b"CONTRACT := contract-rpc @ file:///src\n"
    assert files.get(Path("local.mk")) == expected
    workflow = files[Path(".github/workflows/check.yml")].decode()
    assert workflow.endswith("      - run: make check\n")
    assert workflow.count("CONTRACT='contract-rpc @ git+https://...'") == (recorded is not None)
    assert f'"contract-rpc[serve]>={__version__},<' in files[Path("pyproject.toml")].decode()
