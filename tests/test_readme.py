"""
The README and the pages of ``docs`` keep their word.

Every Python block runs, and every command that a page shows an answer of gives that answer. The blocks of a page are files of one
folder, named by their first line (``# shop.py``). With them stand those of the README and, for a chapter of the tutorial, of the chapters
before it; a page's own come first. ``name_client.py`` is the client that is generated from ``name.py``.
The tests of a chapter of the tutorial run together with those of the chapters before it, as its reader runs them.
"""

from __future__ import annotations

import importlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import falcon.testing
import pytest

from contract.adapters.wsgi import WsgiApp
from contract.cli.commands import parser_of_all
from contract.cli.parser import parse
from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.document.emit import document_of
from contract.testing import Finding, check_route
from examples.shop.app import shop_api
from examples.shop.store import Store

ROOT = Path(__file__).parent.parent
WRITTEN = {"docs/declaration-errors.md", "docs/mistakes.md"}
"""Pages that programs write, with tests of their own."""
PAGES = [
    "README.md",
    *(
        page
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if (page := path.relative_to(ROOT).as_posix()) not in WRITTEN
    ),
]
TUTORIAL = [page for page in PAGES if page.startswith("docs/tutorial/")]
WHO_CALLS = "docs/tutorial/5-who-calls.md"
"""The chapter whose ticket the database of its reader holds from then on."""

# What differs from run to run in an answer.
VARYING = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # the id of an order
    r"|[0-9a-f]{16}-[0-9a-f]+"  # the id of a request
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+\+00:00"
)

# Commands that serve, install or check: CI runs them as a whole, or they never end; and those that
# write files or need a repository or a network.
NOT_RUN = (
    *("make ", "python3 -m venv ", ".venv/bin/pip ", "pip ", "npx ", "claude ", ". ../shop-env/"),
    *("contract dev ", "contract serve ", "contract emit ", "contract diff git:"),
    *("contract docs ", "contract generate ", "contract mock "),
)

ENVIRONMENT = os.environ | {
    "PYTHONPATH": str(ROOT),
    "MYPYPATH": str(ROOT),
    "MYPY_CACHE_DIR": str(ROOT / ".mypy_cache/strict"),
    "NO_COLOR": "1",
}


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    language: str
    line: int
    text: str

    @property
    def module(self) -> str:
        """The name in its first line, or one made from where it stands."""
        named = re.match(r"# (\w+)\.py\n", self.text)
        return named[1] if named else re.sub(r"\W", "_", f"{self.page}_line_{self.line}")

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


@dataclass(frozen=True)
class Command:
    """A command, what the page says that it answers, and who serves when it is given."""

    page: str
    line: int
    words: list[str]
    answer: str
    server: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


@cache
def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


@cache
def blocks(page: str) -> list[Block]:
    text = text_of(page)
    found = re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [
        Block(page, match[1], text.count("\n", 0, match.start()) + 1, match[2]) for match in found
    ]


COMMAND = r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)"
"""A command after its prompt, with the lines that it goes on in, and its answer."""


def commands(page: str) -> list[Command]:
    found: list[Command] = []
    server = ""
    for block in blocks(page):
        if block.language != "console":
            continue
        for match in re.finditer(COMMAND, block.text, re.MULTILINE):
            line = block.line + block.text.count("\n", 0, match.start()) + 1
            command = match[1].replace("\\\n", " ")
            if command.startswith(("make run", "contract dev")):
                server = command
            if not f"{command} ".startswith(NOT_RUN):
                found.append(Command(page, line, shlex.split(command), match[2], server))
    return found


PYTHON = [block for page in PAGES for block in blocks(page) if block.language == "python"]
# Those that need a framework of others: make hosts runs them (tests/hosts).
HOSTS = [block for block in PYTHON if block.module.startswith("in_")]
BLOCKS = [block for block in PYTHON if block not in HOSTS]

COMMANDS = [command for page in PAGES for command in commands(page)]
CURL = [command for command in COMMANDS if command.words[0] == "curl"]
LOCAL = [command for command in COMMANDS if command.words[0] != "curl"]


def programs(page: str, *, readme: bool = True) -> dict[str, str]:
    """The blocks that are there for those of *page*, by the names of their modules."""
    earlier = TUTORIAL[: TUTORIAL.index(page)] if page in TUTORIAL else []
    return {
        block.module: block.text
        for each in [*(["README.md"] if readme else []), *earlier, page]
        for block in blocks(each)
        if block in BLOCKS
    }


def generated(files: dict[str, str]) -> set[str]:
    """The modules of *files* that others of them import a client of."""
    wanted = re.findall(r"^from (\w+)_client import", "\n".join(files.values()), re.MULTILINE)
    return {name for name in wanted if name in files}


@contextmanager
def imported_from(folder: Path, modules: set[str]) -> Iterator[None]:
    """While it is entered, *modules* are imported from *folder*."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        try:
            yield
        finally:
            for module in modules:
                sys.modules.pop(module, None)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """For each page with programs, a folder that holds them."""
    found: dict[str, Path] = {}
    for page in PAGES:
        files = programs(page)
        found[page] = folder = tmp_path_factory.mktemp(re.sub(r"\W", "_", page))
        for module, text in files.items():
            (folder / f"{module}.py").write_text(text, "utf-8")
        with imported_from(folder, set(files)):
            for name in generated(files):
                document = document_of(importlib.import_module(name).api)
                client = python_client(package_of(document))
                (folder / f"{name}_client.py").write_text(client, "utf-8")
    return found


@contextmanager
def within(page: str, folders: dict[str, Path]) -> Iterator[Path]:
    """The folder of *page*, in which we are then, and from which its modules are imported."""
    files = programs(page)
    modules = {*files, *(f"{name}_client" for name in generated(files))}
    with chdir(folders[page]), imported_from(folders[page], modules):
        yield folders[page]


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
            target = word.removeprefix("localhost:8000")
            request["path"], _, request["query_string"] = target.partition("?")
    return request


@contextmanager
def served(command: str, folder: Path) -> Iterator[Any]:
    """The app that *command* serves."""
    if command.startswith("contract dev "):
        module = importlib.import_module(command.split()[2].removesuffix(".py"))
        yield WsgiApp(module.api) if hasattr(module, "api") else module.app
    else:
        store = Store(folder / "shop.sqlite3")
        yield WsgiApp(shop_api(store))
        store.close()


def answered(app: Any, command: Command) -> str:
    """What curl shows of the answer of *app*."""
    text = falcon.testing.TestClient(app).simulate_request(**asked(command.words)).text
    return text.removesuffix("\n") + "\n"  # a stream ends its last line, and JSON has none


def remember(page: str, folder: Path) -> None:
    """Put the ticket of chapter 5 into the database of a chapter after it."""
    if page in TUTORIAL and page > WHO_CALLS and not (folder / "helpdesk2.sqlite3").exists():
        opening = next(each for each in CURL if each.page == WHO_CALLS and '"id"' in each.answer)
        answered(WsgiApp(importlib.import_module("v1").api), opening)


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_every_python_block_runs(block: Block, folders: dict[str, Path]) -> None:
    with within(block.page, folders) as folder:
        module = importlib.import_module(block.module)

        assert module.__file__ == str(folder / f"{block.module}.py")
        if block.page not in TUTORIAL:
            run_tests_of(module)


Beside = frozenset[tuple[str, str]]
"""A module and those that it imports, each a name and a text."""


def beside(module: str, files: dict[str, str]) -> Beside:
    """The *module* of *files*, and those of them that it imports, or that those import."""
    found: dict[str, str] = {}
    left = [module]
    while left:
        name = left.pop().removesuffix("_client")  # which is generated from the module
        if name in files and name not in found:
            found[name] = files[name]
            left += re.findall(r"^\s*(?:from|import) (\w+)", files[name], re.MULTILINE)
    return frozenset(found.items())


def run_tests_of(module: ModuleType) -> int:
    """Run the tests of *module*, and return how many there are."""
    tests = [value for name, value in vars(module).items() if name.startswith("test_")]
    for test in tests:
        test()
    return len(tests)


PASSED: dict[Beside, int] = {}
"""How many tests of a module have passed, beside all that it imports of the tutorial."""


@pytest.mark.parametrize("page", TUTORIAL[:-1])
def test_all_tests_of_a_chapter_and_those_before_it_pass(
    page: str, folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    The reader runs pytest in the folder of the helpdesk, and sees as many as the page says.

    Where a chapter changes nothing that a module of tests imports, that is not run again.
    """
    files = programs(page, readme=False)
    tests = {name: beside(name, files) for name in sorted(files) if name.startswith("test_")}
    if Path("/dev/shm").is_dir():
        monkeypatch.setattr(tempfile, "tempdir", "/dev/shm")  # commits wait for no disk there
    with within(page, folders):
        for name, modules in tests.items():
            if modules not in PASSED:
                PASSED[modules] = run_tests_of(importlib.import_module(name))
    ran = sum(PASSED[modules] for modules in tests.values())
    claimed = re.findall(r"Run `pytest`: (\d+) passed", text_of(page))

    assert [int(number) for number in claimed] == ([ran] if ran else [])


def test_the_report_of_a_bug_that_the_tutorial_shows_is_the_real_one(
    folders: dict[str, Path],
) -> None:
    page = "docs/tutorial/3-tests.md"
    (shown,) = [block.text for block in blocks(page) if block.language == "text"]
    with within(page, folders), pytest.raises(Finding) as found:
        check_route(importlib.import_module("average").average)()

    assert f"{found.value}".strip() == shown.strip()


@pytest.mark.parametrize("command", CURL, ids=str)
def test_every_answer_to_curl_is_the_real_one(command: Command, folders: dict[str, Path]) -> None:
    with within(command.page, folders) as folder:
        remember(command.page, folder)
        with served(command.server, folder) as app:
            answer = answered(app, command)

    assert VARYING.sub("...", answer) == VARYING.sub("...", command.answer)


def batches() -> list[dict[str, str]]:
    """The programs of all pages, packed so that mypy runs as seldom as names allow."""
    packed: list[dict[str, str]] = []
    for page in PAGES:
        files = {name: text for name, text in programs(page).items() if name != "wrong"}
        for batch in packed:
            if all(batch.get(name, text) == text for name, text in files.items()):
                batch.update(files)
                break
        else:
            packed.append(files)
    return packed


def test_every_python_block_but_the_wrong_ones_passes_mypy(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    for n, files in enumerate(batches()):
        folder = tmp_path / str(n)
        folder.mkdir()
        for name, text in files.items():
            (folder / f"{name}.py").write_text(text, "utf-8")
        for name in generated(files):
            client = next(
                path for made in folders.values() if (path := made / f"{name}_client.py").exists()
            )
            (folder / client.name).write_text(client.read_text("utf-8"), "utf-8")
        said = mypy(folder, *(f"{name}.py" for name in files))

        assert said == f"Success: no issues found in {len(files)} source files\n"


def run_module(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A module of Python that was run in *folder*."""
    command = [sys.executable, "-m", *words]
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )


def mypy(folder: Path, *files: str) -> str:
    """What ``mypy --strict`` says of *files*."""
    return run_module(folder, "mypy", "--strict", *files).stdout


def test_a_match_that_forgets_a_failure_does_not_pass_mypy(folders: dict[str, Path]) -> None:
    """The sentence above the example says so, and plain ``mypy --strict`` has to be enough."""
    (block,) = [block for block in BLOCKS if block.module == "prices"]
    forgetful = block.text.replace('        case NotFound():\n            return "never"\n', "")
    (folders[block.page] / "forgetful.py").write_text(forgetful, "utf-8")

    found = mypy(folders[block.page], "forgetful.py")
    assert 'Argument 1 to "assert_never" has incompatible type "NotFound"' in found


@pytest.mark.parametrize("command", LOCAL, ids=str)
def test_every_answer_of_a_command_is_the_real_one(
    command: Command, folders: dict[str, Path]
) -> None:
    done = run_module(folders[command.page], *command.words)

    assert VARYING.sub("...", done.stdout + done.stderr) == VARYING.sub("...", command.answer)


@pytest.mark.parametrize("page", PAGES)
def test_the_parser_takes_every_command_of_a_page(page: str) -> None:
    shells = [block.text for block in blocks(page) if block.language in {"sh", "console"}]
    joined = "\n".join(shells).replace("\\\n", " ")
    found = re.findall(r"^(?:\$ )?(contract \S.*)", joined, re.MULTILINE)
    found += re.findall(r"`(contract [a-z]+ [^`\n]+)`", text_of(page))

    for command in found:
        if not re.search(r" (\.\.\.|--help)( |$)", command):
            parse(parser_of_all(), shlex.split(command, comments=True)[1:])


def test_the_readme_counts_the_routes_of_the_shop(tmp_path: Path) -> None:
    claimed = re.search(r"a small shop over SQLite with ([0-9]+) routes", text_of("README.md"))

    assert claimed is not None
    assert int(claimed[1]) == len(shop_api(Store(tmp_path / "shop.sqlite3")).entries)


def test_the_readme_is_short() -> None:
    assert len(text_of("README.md").splitlines()) <= 120


def test_every_file_that_a_page_links_to_is_there() -> None:
    missing: list[str] = []
    for page in PAGES:
        text = re.sub(r"^```.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
        links = re.findall(r"\]\(((?!https?:)[^)#]+)[^)]*\)", text)
        missing += [
            f"{page}: {link}" for link in links if not ((ROOT / page).parent / link).exists()
        ]

    assert missing == []


def test_every_page_is_in_the_index_of_its_folder() -> None:
    listed = {
        (ROOT / page).parent.joinpath(link).resolve()
        for page in PAGES
        if page.endswith("index.md")
        for link in re.findall(r"\]\(([^)#]+\.md)", text_of(page))
    }

    known = {*listed, ROOT / "docs/index.md"}
    assert [page for page in PAGES[1:] if (ROOT / page).resolve() not in known] == []


@pytest.mark.parametrize("module", ["contract", "contract.testing"])
def test_every_public_name_stands_in_a_page(module: str) -> None:
    names: list[str] = importlib.import_module(module).__all__
    text = "\n".join(map(text_of, PAGES))

    assert [name for name in names if not re.search(rf"\b{name}\b", text)] == []
