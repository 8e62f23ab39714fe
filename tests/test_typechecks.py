"""
What a type checker says about programs that use this package, right ones and wrong ones.

In `tests/typechecks` a line that has to be refused carries ``# type: ignore[code]``, with the code
that mypy gives it. Here these comments are taken away, and mypy and pyright, both strict, have to
refuse exactly the lines that carried one.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAMS = ROOT / "tests" / "typechecks"
MARK = re.compile(r"  # type: ignore\[(?P<code>[a-z-]+)\]")

Place = tuple[str, int]


def marked() -> dict[Place, str]:
    """File and line -> the code that mypy has to give."""
    return {
        (path.name, number): found["code"]
        for path in PROGRAMS.glob("*.py")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if (found := MARK.search(line))
    }


@pytest.fixture(scope="module")
def unmarked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs without their comments, in a package of the same name."""
    root = tmp_path_factory.mktemp("typechecks")
    folder = root / "tests" / "typechecks"
    folder.mkdir(parents=True)
    for path in PROGRAMS.glob("*.py"):
        (folder / path.name).write_text(MARK.sub("", path.read_text()))
    return root


def output_of(*command: str, root: Path) -> str:
    environment: Mapping[str, str] = {**os.environ, "MYPYPATH": f"{root}{os.pathsep}{ROOT}"}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    ).stdout


def test_there_are_enough_wrong_programs() -> None:
    assert len(marked()) >= 45


def test_mypy_refuses_exactly_the_marked_lines(unmarked: Path) -> None:
    cache = str(ROOT / ".mypy_cache" / "typechecks")
    output = output_of(
        "mypy",
        "--config-file",
        str(ROOT / "mypy.ini"),
        "--cache-dir",
        cache,
        "--output=json",
        "tests/typechecks",
        root=unmarked,
    )
    found: dict[Place, set[str]] = {}
    said = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    errors = [
        each
        for each in said
        if each["severity"] == "error" and Path(each["file"]).parts[:2] == ("tests", "typechecks")
    ]
    for error in errors:
        found.setdefault((Path(error["file"]).name, error["line"]), set()).add(error["code"])

    assert found == {place: {code} for place, code in marked().items()}


def test_pyright_refuses_exactly_the_marked_lines(unmarked: Path) -> None:
    options = {
        "include": ["tests"],
        "extraPaths": [str(ROOT)],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
    }
    (unmarked / "pyrightconfig.json").write_text(json.dumps(options))
    output = output_of("pyright", "--outputjson", "--pythonpath", sys.executable, root=unmarked)
    found = {
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1)
        for each in json.loads(output)["generalDiagnostics"]
    }

    assert found == set(marked())
