"""
``contract new``: a project in the recommended layout.

The folder ``_new-project`` has its files, as a project of the package ``starter``, and is read and
checked there. A new project differs only in its names. If pip installed this package from a folder,
an archive or a repository instead of a registry, the new project does so, too.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from keyword import iskeyword
from pathlib import Path
from typing import Final

from contract import __version__
from contract.cli.output import Stop, bold, say, write_files
from contract.cli.sources import NAME, data_at

__all__ = ["contents", "run", "source_of"]

_TEMPLATE: Final = Path(__file__).with_name("_new-project")
_STARTER: Final = "starter"
"""The name of the template's package."""
_DOT: Final = "dot-"
"""Replaces the dot at the beginning of a file name: tools would treat such files as ours."""

_NAME: Final = re.compile(r"[a-z](?:_?[a-z0-9]+)*")
_LONGEST: Final = 30
"""The most characters of a name: longer ones would change the line breaks of the template."""

_USED: Final = frozenset(
    {"annotated_types", "contract", "falcon", "hypothesis", "orjson", "pytest", "tests"}
)
"""Packages that the new one uses, or that these need."""


def run(arguments: argparse.Namespace) -> int:
    """Make the project, and return the exit code."""
    folder = Path(arguments.name)
    name = folder.name
    _check_name(name)
    _check_free(folder)
    files = {folder / path: data for path, data in contents(name).items()}
    try:
        for parent in {path.parent for path in files}:
            parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Stop(2, f"cannot make {folder}: {error.strerror}") from None
    write_files(files)
    # by the new app itself, which can be imported only now
    write_files({folder / NAME: data_at(f"{folder / name / 'app.py'}:api")})
    say(f"contract: made {bold(str(folder))}, with {len(files) + 1} files; next:")
    say(f"  cd {folder}")
    say("  make run      # serve it, with its explorer at http://127.0.0.1:8000/docs/")
    say("  make check    # everything that its CI runs")
    return 0


def _check_name(name: str) -> None:
    """Refuse a name that is not valid for a package."""
    if not _NAME.fullmatch(name):
        instead = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
        if not _NAME.fullmatch(instead):
            instead = "shop"
        rule = "lower-case letters, digits and single underscores"
        raise Stop(2, f"{name!r} is not a valid package name; write {rule}: contract new {instead}")
    if len(name) > _LONGEST:
        raise Stop(2, f"{name!r} is longer than {_LONGEST} characters; write a shorter name")
    instead = f"write another name, such as contract new {name}_service"
    if iskeyword(name):
        raise Stop(
            2, f"{name!r} is a keyword of Python, so no package can have that name; {instead}"
        )
    if name in sys.stdlib_module_names | _USED:
        raise Stop(2, f"another package that the project uses is named {name}; {instead}")


def _check_free(folder: Path) -> None:
    """Refuse a place that is taken."""
    try:
        taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    except OSError as error:
        raise Stop(2, f"cannot read {folder}: {error.strerror}") from None
    if taken:
        raise Stop(
            2,
            f"{folder} is there already, and no empty folder; "
            "write another name, or move away what is there",
        )


def contents(name: str) -> Mapping[Path, bytes]:
    """Path -> file of the project of the package *name*, except contract.json."""
    files: dict[Path, str] = {}
    for path in _template(_TEMPLATE):
        place = _named(str(path.relative_to(_TEMPLATE)), name)
        files[Path(place)] = _named(path.read_text(), name)
    source = _source()
    if source is not None:
        files[Path("local.mk")] = f"CONTRACT := {source}\n"
        files[_WORKFLOW] = files[_WORKFLOW].replace(_CHECK, f"{_ELSEWHERE}{_CHECK}")
    return {path: text.encode() for path, text in files.items()}


_WORKFLOW: Final = Path(".github/workflows/check.yml")
_CHECK: Final = "      - run: make check\n"
_ELSEWHERE: Final = """\
      # git ignores local.mk, so this fails where pip finds no contract-rpc; there, write
      # make check CONTRACT='contract-rpc @ git+https://...'
"""


def _template(folder: Path) -> Iterator[Path]:
    made_by_tools = (".", "__pycache__")
    found = [path for path in folder.iterdir() if not path.name.startswith(made_by_tools)]
    for path in sorted(found):
        if path.is_dir():
            yield from _template(path)
        else:
            yield path


def _named(text: str, name: str) -> str:
    """The template's *text* with the name of the new package."""
    major, minor, *_ = __version__.split(".")
    # names of variables, titles, and then every other place
    text = text.replace(_STARTER.upper(), name.upper())
    text = text.replace(_STARTER.capitalize(), name.replace("_", " ").capitalize())
    text = text.replace(_STARTER, name).replace(_DOT, ".")
    # the template takes any version of ours; a project takes this one and its later patches
    return text.replace(">=0.0.0", f">={__version__},<{major}.{int(minor) + 1}")


def _source() -> str | None:
    """The requirement that installs this very package, if it did not come from a registry."""
    try:
        return source_of(distribution("contract-rpc").read_text("direct_url.json"))
    except PackageNotFoundError:  # it was not installed, only found on the path
        return None


def source_of(recorded: str | None) -> str | None:
    """The requirement for what pip has *recorded* in ``direct_url.json`` (PEP 610), if anything."""
    if recorded is None:
        return None
    found = json.loads(recorded)
    url, vcs = found["url"], found.get("vcs_info")
    if vcs is not None:
        url = f"{vcs['vcs']}+{url}@{vcs['commit_id']}"
    return f"contract-rpc @ {url}"
