"""``contract skill``, and the list of pages; what the skill shows is run by tests/test_readme.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from contract.cli.commands import parser_of_all
from contract.cli.skill import GUIDE
from tests.cli_inside import run
from tests.llms import DOCS, HOME, ROOT, listed

SKILL = (GUIDE / "SKILL.md").read_text("utf-8")


@pytest.mark.parametrize(("flags", "name"), [([], "SKILL.md"), (["--pages"], "llms.txt")])
def test_it_is_written_as_it_stands_in_the_documentation(
    flags: list[str], name: str, tmp_path: Path
) -> None:
    """``python -m tests.llms`` copies both."""
    done = run("skill", *flags, cwd=tmp_path)

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == (GUIDE / name).read_bytes() == (DOCS / name).read_bytes()


def test_the_list_of_pages_is_that_of_today() -> None:
    """``python -m tests.llms`` writes it anew; each page has its title and its first sentence."""
    assert (GUIDE / "llms.txt").read_text("utf-8") == listed()


def test_every_page_that_is_listed_is_there() -> None:
    links = re.findall(r"^- \[[^]]+\]\(([^)]+)\)", listed(), re.MULTILINE)
    pages = [link.removeprefix(f"{HOME}/") for link in links]

    assert "docs/SKILL.md" in pages
    assert [page for page in pages if not (ROOT / page).is_file()] == []


def test_the_skill_is_short_and_names_commands_that_there_are() -> None:
    named = set(re.findall(r"^contract (\w+)", SKILL, re.MULTILINE))

    assert SKILL.startswith("---\nname: contract\ndescription: ")
    assert SKILL.count("\n") <= 280
    assert named
    assert named <= parser_of_all().commands.keys()
