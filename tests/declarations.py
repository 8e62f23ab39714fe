"""
Declaration errors: the page of wrong programs, and what each of them is told.

``docs/declaration-errors.md`` is the only place where the programs stand. ``python -m
tests.declarations`` runs each of them and writes its message below it; a program is added by hand,
with any text in place of its message. ``ruff format`` comes first, since messages have line numbers.
"""

from __future__ import annotations

import ast
import linecache
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final
from unittest.mock import patch

import contract
from contract import DeclarationError

__all__ = ["PAGE", "Program", "Site", "page", "programs", "sites", "told"]

PAGE: Final = Path(__file__).parent.parent / "docs" / "declaration-errors.md"
_ENTRY: Final = re.compile(r"(?ms)^### (.+?)\n\n```python\n(.*?)```\n\n```text\n(.*?)```\n")
_OPENING: Final = re.compile(r"(?ms)^```python\n(.*?)```\n")

_FILE: Final = "shop.py"
_PACKAGE: Final = Path(contract.__file__).parent

ERRORS: Final = frozenset(
    {
        "DeclarationError",
        "FailureDeclarationError",
        "MountError",
        "RouteDeclarationError",
        "SpecError",
        "UnsupportedAnnotation",
    }
)


@dataclass(frozen=True, slots=True)
class Program:
    """A wrong program of the page, with the message that stands below it."""

    title: str
    source: str
    message: str


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the package that makes a message."""

    file: str
    first: int
    last: int
    source: str


def programs() -> list[Program]:
    """The programs of the page, in its order."""
    return [Program(*found.groups()) for found in _ENTRY.finditer(_text())]


def page() -> str:
    """The page with the messages of today."""
    return _ENTRY.sub(_written, _text())


def _written(found: re.Match[str]) -> str:
    title, source, _ = found.groups()
    message, _ = told(source)
    return f"### {title}\n\n```python\n{source}```\n\n```text\n{message}\n```\n"


@cache
def _text() -> str:
    return PAGE.read_text("utf-8")


def _opening() -> str:
    """The program that stands above all others."""
    found = _OPENING.search(_text())
    assert found is not None, "the page begins with a program"
    return found[1]


@cache
def told(source: str) -> tuple[str, frozenset[tuple[str, int]]]:
    """
    The message of the exception that *source* raises, and where the parts of it were made.

    Those places are the file, within the package, and the line.
    """
    made: set[tuple[str, int]] = set()
    plain: Any = DeclarationError.__init__

    def recording(self: DeclarationError, *given: object, **named: object) -> None:
        frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        file = Path(frame.f_code.co_filename)
        made.add((file.relative_to(_PACKAGE).as_posix(), frame.f_lineno))
        plain(self, *given, **named)

    with patch.object(DeclarationError, "__init__", recording):
        error = _raised(source)
    return f"{type(error).__name__}: {error}", frozenset(made)


def _raised(source: str) -> DeclarationError:
    try:
        linecache.cache[_FILE] = (len(source), None, source.splitlines(keepends=True), _FILE)
        # the lines of a program are counted from its own first
        _run(source, _FILE, _opened())
    except DeclarationError as error:
        return error
    finally:
        linecache.cache.pop(_FILE, None)
    raise AssertionError(f"nothing is wrong with this:\n\n{source}")


@cache
def _opened() -> Mapping[str, Any]:
    """The names of the opening. It runs once, as no program changes what they stand for."""
    return _run(_opening(), "opening.py", {})


def _run(source: str, file: str, names: Mapping[str, Any]) -> Mapping[str, Any]:
    """The names of a module that begins with *names*, after it has run *source*."""
    module = ModuleType("shop")
    vars(module).update(names)
    sys.modules["shop"] = module
    try:
        exec(compile(source, file, "exec"), vars(module))
    finally:
        del sys.modules["shop"]
    return vars(module)


@cache
def sites() -> list[Site]:
    """Each place in the package that makes a declaration error, but for commands."""
    return [
        site
        for file in sorted(_PACKAGE.rglob("*.py"))
        if "cli" not in file.relative_to(_PACKAGE).parts
        for site in _sites_of(file)
    ]


def _sites_of(file: Path) -> Iterator[Site]:
    text = file.read_text("utf-8")
    # few files have any, and to parse all of them takes a second
    if not any(f"{name}(" in text for name in ERRORS):
        return
    lines = text.splitlines()
    tree = ast.parse(text)
    left_out = _left_out(tree, lines)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ERRORS
            and node.lineno not in left_out
        ):
            yield Site(
                file.relative_to(_PACKAGE).as_posix(),
                node.lineno,
                node.end_lineno or node.lineno,
                ast.unparse(node),
            )


def _left_out(tree: ast.Module, lines: list[str]) -> set[int]:
    """The lines of blocks that only another version of Python can come to."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt | ast.excepthandler)
        and "pragma: no cover" in lines[node.lineno - 1]
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def unreached(reached: Mapping[str, frozenset[tuple[str, int]]]) -> list[Site]:
    """The sites that no program comes to; *reached* is where the messages of each were made."""
    every = {place for places in reached.values() for place in places}
    return [
        site
        for site in sites()
        if not any((site.file, line) in every for line in range(site.first, site.last + 1))
    ]


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
