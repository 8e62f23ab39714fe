"""
Modules that are loaded by name, or named in a text: what no type checker and no linter sees.

After a module has moved, these are the names that still point at its old place.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from types import ModuleType

import pytest

import contract.cli
import contract.client
import contract.testing
from contract.cli.commands import parser_of_all

ROOT = Path(contract.__file__).parents[1]
SOURCES = sorted((ROOT / "contract").rglob("*.py"))
LAZY = [contract, contract.client, contract.testing]
NOT_MODULES = {"contract.calls", "contract.errors", "contract.serve"}
"""Loggers."""
PATHS = re.compile(r"`(contract/[^`\s]+)`")
NAMES = re.compile(r"contract(?:\.[A-Za-z_]\w*)+")


def strings(path: Path) -> Iterator[str]:
    """Each string of a module that is neither an f-string's nor the name of a logger."""
    tree = ast.parse(path.read_text())
    loggers = {
        id(argument)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "getLogger"
        for argument in node.args
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in loggers
        ):
            yield node.value


def imported_for_type_checkers(package: ModuleType) -> dict[str, str]:
    """Name -> module, of what stands under ``if TYPE_CHECKING``."""
    tree = ast.parse(Path(str(package.__file__)).read_text())
    return {
        alias.name: str(node.module)
        for branch in tree.body
        if isinstance(branch, ast.If)
        for node in branch.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def loaded_by_clients() -> set[str]:
    """The names that the modules of the client give to ``import_module``."""
    calls = chain.from_iterable(
        ast.walk(ast.parse(path.read_text()))
        for path in (ROOT / "contract" / "client").glob("*.py")
    )
    return {
        argument.value
        for node in calls
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "import_module"
        and len(node.args) == 1
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


@pytest.mark.parametrize("package", LAZY, ids=lambda package: package.__name__)
def test_a_lazy_name_is_where_type_checkers_find_it(package: ModuleType) -> None:
    assert imported_for_type_checkers(package) == package._LAZY
    for name, module in package._LAZY.items():
        assert getattr(package, name) is getattr(importlib.import_module(module), name)


@pytest.mark.parametrize("package", LAZY, ids=lambda package: package.__name__)
def test_no_lazy_name_is_that_of_a_module(package: ModuleType) -> None:
    """Importing the module would put it where the name is looked for."""
    assert {found.name for found in pkgutil.iter_modules(package.__path__)}.isdisjoint(
        package._LAZY
    )


def test_every_command_is_a_module() -> None:
    for command in parser_of_all().commands:
        assert callable(importlib.import_module(f"contract.cli.{command}").run)


def test_what_clients_load_by_name_is_there() -> None:
    names = loaded_by_clients()

    assert names
    for name in names:
        importlib.import_module(name)


def test_every_module_that_a_text_names_is_there() -> None:
    """A whole string, or a name in backquotes."""
    named = {
        (path.relative_to(ROOT), name)
        for path in SOURCES
        for text in strings(path)
        for name in [text, *re.findall(r"(?<!`)`([\w.]+)`(?!`)", text)]
        if NAMES.fullmatch(name) and not name.endswith((".json", ".py")) and name not in NOT_MODULES
    }

    assert len(named) > 50
    for where, name in sorted(named):
        if (where.name, name) != ("falcon_inside.py", "contract.receive"):  # a key of ASGI scopes
            assert pkgutil.resolve_name(name) is not None, (where, name)


def spelled(path: str) -> list[str]:
    """``a/{b,c}.py`` -> ``a/b.py``, ``a/c.py``."""
    before, brace, rest = path.partition("{")
    inside, _, after = rest.partition("}")
    return [f"{before}{each}{after}" for each in inside.split(",")] if brace else [path]


def test_every_file_that_the_architecture_names_is_there() -> None:
    named = [
        path
        for page in ("ARCHITECTURE.md", "docs/explanation/measurements.md")
        for each in PATHS.findall((ROOT / page).read_text())
        for path in spelled(each)
    ]

    assert len(named) > 30
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("command", ["mock", "dev", "serve", "call", "generate"])
def test_a_command_needs_no_hypothesis(command: str) -> None:
    """The base install has none."""
    program = f"import sys; sys.modules['hypothesis'] = None; import contract.cli.{command}, contract.cli.probe, contract.testing.mock"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert (run.returncode, run.stderr) == (0, "")


def test_a_worker_holds_nothing_that_commands_alone_need() -> None:
    """Each worker of a server has its own, and these would take two MiB in it."""
    needed = {"argparse", "ctypes", "difflib", "html"}
    program = f"import contract.cli.worker, contract.cli.wsgi_server, sys; print({needed} & sys.modules.keys())"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert run.stdout == "set()\n"


def test_a_pattern_of_the_makefile_that_no_test_is_named_by_stops_it(tmp_path: Path) -> None:
    """It would run nothing, and pass."""
    command = ["make", "-f", str(ROOT / "Makefile"), "-n", "clean"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert run.returncode == 2
    assert "no test is named like tests/" in run.stderr
    assert "; correct the pattern in the Makefile" in run.stderr
    assert (
        subprocess.run(
            ["make", "-n", "clean"], cwd=ROOT, capture_output=True, check=False
        ).returncode
        == 0
    )
