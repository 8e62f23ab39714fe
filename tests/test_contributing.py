"""CONTRIBUTING.md and its companions keep their word: what they name is there, and CI runs what ``make check`` does."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import contract
from tests.tables import rows

ROOT = Path(__file__).parent.parent
PAGES = ["AGENTS.md", "CONTRIBUTING.md", "SECURITY.md", "STYLE.md"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOW = (ROOT / ".github/workflows/check.yml").read_text("utf-8")
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")


def text(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def paths_in(page: str) -> list[str]:
    """
    The paths that *page* names, in backquotes, in commands and as links.

    Not those with a gap to fill (``<name>``), nor what is made.
    """
    shown = re.findall(r"`([^`\n]+)`|^\$ (.+)$", page, re.MULTILINE)
    words = [word for span in shown for word in " ".join(span).split()]
    named = [
        word
        for word in words
        if re.fullmatch(r"[\w.-]+(/[\w.-]+)+|[\w.-]+\.(md|py|toml|yaml|json)|Makefile", word)
    ]
    links: list[str] = re.findall(r"\]\(((?!https?:)[^)#]+)", page)
    return [path for path in [*named, *links] if not path.startswith(".venv/")]


def targets() -> set[str]:
    """What the Makefile can make by name."""
    phony = re.search(r"^\.PHONY: (.*)$", text("Makefile"), re.MULTILINE)
    assert phony is not None
    return set(expanded(phony[1]))


def expanded(words: str) -> list[str]:
    """*words* with the variables of the Makefile."""
    show = f"show: ; @echo {words}"
    command = ["make", "--no-print-directory", "--eval", show, "show"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return ran.stdout.split()


def jobs() -> list[str]:
    """The targets that the workflow makes."""
    rows: list[str] = re.findall(
        r"^ {10}(?:- |  targets: )([a-z][\w. -]+)$", WORKFLOW, re.MULTILINE
    )
    return [target for row in rows for target in row.split()]


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_a_page_names_is_there(page: str) -> None:
    assert [path for path in paths_in(text(page)) if not (ROOT / path).exists()] == []


def test_paths_are_found_however_they_are_written() -> None:
    page = "`contract/a.py`, `Makefile`; [b](B.md#c), [d](https://e.example/f.py)\n$ pytest tests/g.py\n`.venv/bin/h`, `Shape`, `x/<name>.py`"

    assert paths_in(page) == ["contract/a.py", "Makefile", "tests/g.py", "B.md"]


def test_contributing_says_where_each_kind_of_thing_goes() -> None:
    sections = re.split(r"^## ", text("CONTRIBUTING.md"), flags=re.MULTILINE)
    lists = {section.partition("\n")[0]: len(paths_in(section)) for section in sections}

    assert all(lists[f"Add a {what}"] >= 5 for what in ("type", "failure", "document", "command"))


@rows("page", "AGENTS.md", "CONTRIBUTING.md", "STYLE.md", ".pre-commit-config.yaml", "README.md")
def test_every_target_that_a_page_names_can_be_made(page: str) -> None:
    named = set(re.findall(r"(?:^\$ |`|entry: )make ([a-z][a-z-]*)", text(page), re.MULTILINE))

    assert named
    assert named <= targets()


def test_the_workflow_makes_what_make_check_does_and_the_release() -> None:
    assert sorted(jobs()) == sorted([*expanded("$(QUICK) $(LONG)"), "release"])


def test_the_hooks_are_targets_and_need_nothing_from_outside() -> None:
    found = {
        key: re.findall(rf"^ *(?:- )?{key}: (.+)$", HOOKS, re.MULTILINE)
        for key in ("repo", "language", "entry", "id")
    }

    assert found["repo"] == ["local"]
    assert set(found["language"]) == {"system"}
    assert found["entry"] == [f"make {target}" for target in found["id"]]


def test_the_project_has_one_home() -> None:
    home = PROJECT["urls"]["Homepage"]
    hosted = [
        url for page in PAGES for url in re.findall(r"https://github\.com/[^\s>)]+", text(page))
    ]

    assert hosted
    assert [url for url in [*hosted, *PROJECT["urls"].values()] if not url.startswith(home)] == []


def test_the_changelog_tells_of_this_version() -> None:
    entries = re.findall(r"^## (\S+)", text("CHANGELOG.md"), re.MULTILINE)

    assert contract.__version__ in entries[:2]


def test_the_entry_of_a_version_that_was_never_released_lists_no_changes() -> None:
    """There is nothing yet that could have changed; a merge may bring such lines in unseen."""
    entries: list[str] = re.findall(
        r"^## .*not released yet.*\n((?:(?!## ).*\n)*)", text("CHANGELOG.md"), re.MULTILINE
    )

    assert [
        line
        for entry in entries
        for line in entry.splitlines()
        if line.startswith("- ") and not line.startswith("- **")
    ] == []
