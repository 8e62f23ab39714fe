"""
``contract doctor``: what is missing or old in a project, and what is unsafe in production.

It checks this environment, the files of this folder and the spec. Each finding says what is wrong,
why it matters, and how to fix it. Findings that must be fixed give the exit code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shlex
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any, Final

from contract.call.mount_options import Options
from contract.cli.find import Taken, aim, falcon_apps, take
from contract.cli.findings import (
    COMMANDS,
    DEV,
    Finding,
    Found,
    Project,
    documents,
    production,
    texts,
)
from contract.cli.output import Stop, bold, clean, data, dim, red, say
from contract.cli.requirements import Requirement, allows, asked_by, installed, requirement
from contract.cli.sources import read_file
from contract.declare.spec import AnySpec

__all__ = ["run"]

_OURS: Final = "contract-rpc"
_NEWEST: Final = (3, 13)
"""The newest Python version that the package is tested on."""
_MOST: Final = 5_000
"""The most files that are checked: a folder with more is not a project."""


def run(arguments: argparse.Namespace) -> int:
    """Check everything, report, and return the exit code."""
    # 1. Gather the objects of the checks. What cannot be had is a finding itself, and the checks go
    #    on with the rest.
    found: list[Finding | str] = []
    settings = _settings()
    if isinstance(settings, Finding):
        found.append(settings)
        settings = {}
    mounts: tuple[tuple[AnySpec, Options], ...] = ()
    files = tuple(_files(Path()))
    taken = _taken(arguments.target)
    if isinstance(taken, Finding):
        found.append(taken)
    else:
        mounts = _mounts(taken)
    is_mounted = isinstance(taken, Taken) and taken.kind != "spec"
    project = Project(arguments.target, settings, files, mounts, is_mounted, arguments.secrets)

    for look in _LOOKS:
        found += look(project)
    # 2. Tell of it.
    findings = [each for each in found if isinstance(each, Finding)]
    fine = [each for each in found if isinstance(each, str)]
    if arguments.json:
        data(json.dumps({"ok": fine, "findings": [asdict(each) for each in findings]}, indent=2))
    else:
        _report(fine, findings)
    return 1 if any(each.must for each in findings) else 0


def _report(fine: Iterable[str], findings: Iterable[Finding]) -> None:
    for sentence in fine:
        say(f"{dim('ok  ')} {clean(sentence)}")
    for each in findings:
        mark = bold("may ")
        if each.must:
            mark = red("must")
        say(f"{mark} {clean(each.what)}")
        why = map(clean, each.why.splitlines())  # several lines if an import failed
        say(f"     why: {_NEXT_LINE.join(why)}")
        say(f"     fix it: {clean(each.fix)}")
    counts = Counter(each.must for each in findings)
    say(f"contract: {counts[True]} to fix, {counts[False]} to think about")


_NEXT_LINE: Final = "\n          "  # aligned with the text after "why:"

# The objects of the checks.


def _settings() -> dict[str, Any] | Finding:
    path = Path("pyproject.toml")
    if not path.is_file():
        return Finding(
            "no_pyproject",
            "there is no pyproject.toml here",
            "nothing says which releases of packages the service needs",
            "run it in the folder of the project, or write one, as contract new does",
            must=False,
        )
    try:
        return tomllib.loads(read_file(path).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return Finding(
            "wrong_pyproject", f"pyproject.toml is not TOML: {error}", "pip reads it, too", "fix it"
        )


_NOT_OURS: Final = frozenset({"build", "dist", "node_modules", "site-packages"})


def _files(folder: Path) -> Iterator[Path]:
    """The files of a project, except hidden, installed and generated ones."""
    left = _MOST
    for parent, folders, names in os.walk(folder):
        # os.walk goes on into the folders that this list has afterwards
        folders[:] = sorted(name for name in folders if _is_to_enter(Path(parent, name)))
        yield from filter(Path.is_file, (Path(parent, name) for name in sorted(names)[:left]))
        left = max(left - len(names), 0)


def _is_to_enter(folder: Path) -> bool:
    """Whether *folder* holds files of the project; an environment has a ``pyvenv.cfg``."""
    if folder.name.startswith((".", "__")) or folder.name in _NOT_OURS:
        return False
    return not Path(folder, "pyvenv.cfg").exists()


def _taken(target: str | None) -> Taken | Finding:
    try:
        with redirect_stdout(sys.stderr):  # what an app prints is not part of the answer
            return take(aim(target))
    except Stop as stop:
        if target is None:
            return Finding("no_spec", "no spec was looked at", stop.message, _NAME_ONE, must=False)
        return Finding(
            "spec_does_not_load", f"{target} does not load", stop.message, "fix it, and come back"
        )


_NAME_ONE: Final = "name one: contract doctor shop.app:api"


def _mounts(taken: Taken) -> tuple[tuple[AnySpec, Options], ...]:
    if taken.kind == "spec":
        return ((taken.value, Options()),)
    return tuple((each.spec, each.options) for each in falcon_apps().services(taken.value))


# Python and packages.


def _python(project: Project) -> Found:
    here = platform.python_version()
    wanted = project.settings.get("project", {}).get("requires-python", "")
    if not allows(wanted, here):
        yield Finding(
            "wrong_python",
            f"Python {here} runs here, and pyproject.toml asks for {wanted}",
            "the service may use what this Python does not have",
            f"make the environment anew with a Python {wanted}",
        )
    elif tuple(map(int, here.split(".")[:2])) > _NEWEST:
        newest = ".".join(map(str, _NEWEST))
        yield Finding(
            "untested_python",
            f"Python {here} is newer than {newest}, the newest that contract is tested on",
            "nobody knows what differs",
            f"use Python {newest}, or run your tests on this one",
            must=False,
        )
    else:
        yield f"Python {here} will do"


def _packages(project: Project) -> Found:
    """Check that the packages of pyproject.toml, and those that these need, are installed."""
    groups = project.settings.get("dependency-groups", {})
    askers = [
        ("pyproject.toml", _asked(project), True),
        (_OURS, asked_by(_OURS), True),
        *((f"the group {name} of pyproject.toml", _read(groups[name]), False) for name in groups),
    ]
    count = 0
    for who, asked, must in askers:
        wanted = [*_with_extras(asked)]
        count += len(wanted)
        missing = [each.text for each in wanted if installed(each.name) is None]
        if missing:
            yield Finding(
                "packages_missing",
                f"packages are not installed: {', '.join(missing)}",
                f"{who} asks for them",
                f"pip install {shlex.join(missing)}",
                must=must,
            )
        yield from filter(None, (_wrong(each, who) for each in wanted))
    yield f"{count} packages were looked for"


def _with_extras(asked: Iterable[Requirement]) -> Iterator[Requirement]:
    for each in asked:
        yield each
        for extra in each.extras:
            yield from asked_by(each.name, extra)


def _wrong(asked: Requirement, who: str) -> Finding | None:
    found = installed(asked.name)
    if found is None or allows(asked.releases, found):
        return None
    return Finding(
        "package_wrong",
        f"{asked.name} is installed in the release {found}",
        f"{who} asks for {asked.releases}",
        f"pip install {shlex.quote(asked.text)}",
    )


def _asked(project: Project) -> Iterator[Requirement]:
    return _read(project.settings.get("project", {}).get("dependencies", ()))


def _read(texts: Iterable[object]) -> Iterator[Requirement]:
    """The requirements in *texts* that apply to every environment; a group may refer to others."""
    for text in texts:
        if not isinstance(text, str):  # it refers to another group (PEP 735)
            continue
        found = requirement(text)
        if found is not None and found.marker is None:
            yield found


# Extras that the project uses.

_USES: Final[Mapping[str, tuple[str, str, bool]]] = {
    "serve": (r"\bcontract[\"', ]+serve\b", "runs contract serve", True),
    "dev": (DEV, "runs contract dev", False),
    "jwt": (r"^\s*from contract\.adapters(\.jwt import| import .*\bjwt\b)", "takes JWTs", True),
    "client": (
        # the rest of that package works without httpx2
        r"^\s*from contract\.client import (\([^)]*|.*)\b(Async)?(ApiClientBase|HttpxTransport)\b",
        "calls other services",
        True,
    ),
    "testing": (r"^\s*from contract\.testing import", "holds tests", False),
}
"""Extra -> the pattern of its use, what such a file does, and whether production needs it."""


def _extras(project: Project) -> Found:
    # one use for each extra; one that production needs, if there is any
    used: dict[str, tuple[str, bool]] = {}
    for extra, why, must in _used(project):
        if must or extra not in used:
            used[extra] = why, must
    for extra, (why, must) in used.items():
        missing = [each.name for each in asked_by(_OURS, extra) if installed(each.name) is None]
        if missing:
            yield Finding(
                "extra_missing",
                f"the extra {extra} is not installed: {', '.join(missing)}",
                why,
                f"pip install '{_OURS}[{extra}]'",
                must=must,
            )
        else:
            yield f"the extra {extra} is installed"
    # a client that is generated may be there for others, who call this service
    needed = {extra: why for extra, (why, must) in used.items() if must and extra != "client"}
    yield from _unasked(project, needed)


def _unasked(project: Project, used: Mapping[str, str]) -> Found:
    """
    Check that pyproject.toml asks for the extras that production uses.

    An environment that is made anew, such as an image, has only what it asks for.
    """
    optional = project.settings.get("project", {}).get("optional-dependencies", {})
    asked = [*_asked(project), *chain.from_iterable(map(_read, optional.values()))]
    ours = [each for each in asked if _plain(each.name) == _OURS]
    # twice, since our extra "all" asks for our other extras
    names = {_plain(each.name) for each in _with_extras(_with_extras(asked))}
    lacking = [extra for extra in used if not names.issuperset(_brought_by(extra))]
    if ours and lacking:
        extras = sorted({*lacking, *chain.from_iterable(each.extras for each in ours)})
        yield Finding(
            "extra_unasked",
            f"pyproject.toml does not ask for what these extras bring: {', '.join(lacking)}",
            "; ".join(used[extra] for extra in lacking),
            f"write {_OURS}[{','.join(extras)}] among its dependencies",
        )


def _brought_by(extra: str) -> Iterator[str]:
    """The names of the packages of an *extra* of ours."""
    return (_plain(each.name) for each in asked_by(_OURS, extra))


def _plain(name: str) -> str:
    """The *name* of a package as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _used(project: Project) -> Iterator[tuple[str, str, bool]]:
    """Extras, why they are needed, and whether production needs them."""
    for path, text in texts(project, ".py", *COMMANDS):
        for extra, (pattern, does, must) in _USES.items():
            if re.search(pattern, text, re.MULTILINE):
                yield extra, f"{path} {does}", must and not _is_test(path)
    for spec, _ in project.mounts:
        for name, entry in spec.entries.items():
            if entry.files is not None:
                yield "files", f"{name} takes files, and cannot be served without it", True


def _is_test(path: Path) -> bool:
    return "tests" in path.parts or path.name.startswith(("test_", "conftest."))


_LOOKS: Final[tuple[Callable[[Project], Found], ...]] = (
    _python,
    _packages,
    _extras,
    documents,
    production,
)
