"""The README keeps its word: every Python block runs, and every command that it shows an answer of gives that answer."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import falcon.testing
import pytest

from contract.adapters.wsgi import WsgiApp
from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.document.emit import document_of
from examples.shop.app import shop_api
from examples.shop.store import Store

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")

# What differs from run to run in an answer.
VARYING = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # the id of an order
    r"|[0-9a-f]{16}-[0-9a-f]+"  # the id of a request
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+\+00:00"
)

# Commands that serve, install or check: CI runs them as a whole, or they never end; and those that
# write files or need a repository.
NOT_RUN = (
    "make ",
    "python3 -m venv ",
    ".venv/bin/pip ",
    "pip ",
    ". ../shop-env/",
    "contract dev ",
    "contract serve ",
    "contract emit ",
    "contract diff ",
    "contract generate ",
)

ENVIRONMENT = os.environ | {
    "PYTHONPATH": str(ROOT),
    "MYPYPATH": str(ROOT),
    "MYPY_CACHE_DIR": str(ROOT / ".mypy_cache/readme"),
    "NO_COLOR": "1",
}


@dataclass(frozen=True)
class Block:
    """A fenced block of the README."""

    language: str
    line: int
    text: str

    @property
    def module(self) -> str:
        """The name in its first line, or one made from where it stands."""
        named = re.match(r"# (\w+)\.py\n", self.text)
        return named[1] if named else f"readme_line_{self.line}"


@dataclass(frozen=True)
class Command:
    """A command, what the README says that it answers, and who serves when it is given."""

    line: int
    words: list[str]
    answer: str
    server: str


def blocks() -> list[Block]:
    found = re.finditer(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [Block(match[1], README.count("\n", 0, match.start()) + 1, match[2]) for match in found]


def commands() -> list[Command]:
    found: list[Command] = []
    server = ""
    for block in blocks():
        if block.language != "console":
            continue
        for match in re.finditer(
            r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE
        ):
            line = block.line + block.text.count("\n", 0, match.start()) + 1
            command = match[1].replace("\\\n", " ")
            if command.startswith(("make run", "contract dev")):
                server = command
            if not f"{command} ".startswith(NOT_RUN):
                found.append(Command(line, shlex.split(command), match[2], server))
    return found


BLOCKS = [block for block in blocks() if block.language == "python"]
# Those that need a framework of others: make hosts runs them (tests/hosts).
HOSTS = [block for block in BLOCKS if block.module.startswith("in_")]
PYTHON = [block for block in BLOCKS if block not in HOSTS]
CLIENTS = ("shop", "journal")
"""The services of which the README shows a generated client."""

CURL = [command for command in commands() if command.words[0] == "curl"]
LOCAL = [command for command in commands() if command.words[0] != "curl"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A directory with every Python block as a file, from which they import each other."""
    folder = tmp_path_factory.mktemp("readme")
    for block in PYTHON:
        (folder / f"{block.module}.py").write_text(block.text, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        for name in CLIENTS:
            document = document_of(importlib.import_module(name).api)
            client = python_client(package_of(document))
            (folder / f"{name}_client.py").write_text(client, "utf-8")
        yield folder
    for module in [block.module for block in PYTHON] + [f"{name}_client" for name in CLIENTS]:
        sys.modules.pop(module, None)


@pytest.fixture(scope="module")
def clients(files: Path) -> Iterator[dict[str, Any]]:
    """What answers after each of the commands that serve."""
    with ExitStack() as stack:
        store = stack.enter_context(closing(Store(files / "shop.sqlite3")))
        served = {
            "make run": shop_api(store),
            "contract dev shop.py": importlib.import_module("shop").api,
        }
        yield {
            command: falcon.testing.TestClient(cast("Any", WsgiApp(api)))
            for command, api in served.items()
        }


def asked(words: list[str]) -> dict[str, Any]:
    """What curl would send."""
    request: dict[str, Any] = {"method": "GET", "headers": {}}
    rest = iter(words[1:])
    for word in rest:
        if word == "-X":
            request["method"] = next(rest)
        elif word == "-H":
            name, _, value = next(rest).partition(": ")
            request["headers"][name] = value
        elif word == "-d":
            request["method"], request["body"] = "POST", next(rest)
            request["headers"].setdefault("Content-Type", "application/x-www-form-urlencoded")
        else:
            request["path"] = word.removeprefix("localhost:8000")
    return request


@pytest.mark.parametrize("block", PYTHON, ids=lambda block: f"line {block.line}")
def test_every_python_block_runs(block: Block, files: Path) -> None:
    module = importlib.import_module(block.module)

    assert module.__file__ == str(files / f"{block.module}.py")
    for name, value in vars(module).items():
        if name.startswith("test_"):
            value()


@pytest.mark.parametrize("command", CURL, ids=lambda command: f"line {command.line}")
def test_every_answer_to_curl_is_the_real_one(command: Command, clients: dict[str, Any]) -> None:
    result = clients[command.server].simulate_request(**asked(command.words))

    assert VARYING.sub("...", f"{result.text}\n") == VARYING.sub("...", command.answer)


def test_every_python_block_but_the_wrong_one_passes_mypy(files: Path) -> None:
    right = [f"{block.module}.py" for block in PYTHON if block.module != "wrong"]
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *right],
        cwd=files,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.stdout == f"Success: no issues found in {len(right)} source files\n"


def test_a_match_that_forgets_a_failure_does_not_pass_mypy(files: Path) -> None:
    """The sentence above the example says so, and plain ``mypy --strict`` has to be enough."""
    text = (files / "prices.py").read_text("utf-8")
    (files / "forgetful.py").write_text(
        text.replace('        case NotFound():\n            return "never"\n', ""), "utf-8"
    )
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "forgetful.py"],
        cwd=files,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert 'Argument 1 to "assert_never" has incompatible type "NotFound"' in ran.stdout


@pytest.mark.parametrize("command", LOCAL, ids=lambda command: f"line {command.line}")
def test_every_answer_of_a_command_is_the_real_one(command: Command, files: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", *command.words],
        cwd=files,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert VARYING.sub("...", ran.stdout + ran.stderr) == VARYING.sub("...", command.answer)


def test_the_readme_counts_the_routes_of_the_shop(tmp_path: Path) -> None:
    claimed = re.search(r"a small shop over SQLite with ([0-9]+) routes", README)

    assert claimed is not None
    assert int(claimed[1]) == len(shop_api(Store(tmp_path / "shop.sqlite3")).entries)


def test_every_file_that_the_readme_links_to_is_there() -> None:
    text = re.sub(r"^```.*?^```$", "", README, flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(((?!https?:)[^)#]+)\)", text)

    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("module", ["contract", "contract.testing"])
def test_every_public_name_stands_in_the_readme(module: str) -> None:
    names: list[str] = importlib.import_module(module).__all__

    assert [name for name in names if not re.search(rf"\b{name}\b", README)] == []
