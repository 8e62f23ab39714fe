"""
``contract doctor``: what is missing or old in a project, and what is not safe in production.

It looks at this environment, at the files of this folder and at the spec. Each finding says what it
is, why it matters, and what mends it; those that must be mended give the exit code 1.
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
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, final

import orjson

from contract.call.mount_options import Options
from contract.call.paging import signs, too_short
from contract.cli.emit import emitted
from contract.cli.find import Taken, aim, falcon_apps, take
from contract.cli.output import Stop, bold, clean, data, dim, red, say
from contract.cli.requirements import Requirement, allows, asked_by, installed, requirement
from contract.cli.sources import NAME, read_file
from contract.declare.spec import AnySpec

__all__ = ["Finding", "run"]

_OURS: Final = "contract-rpc"
_NEWEST: Final = (3, 13)
"""The newest Python that is tested."""
_SECRET: Final = "python -c 'import secrets; print(secrets.token_urlsafe(32))'"  # noqa: S105
_MOST: Final = 5_000
"""Files that are looked at: a folder with more is no project."""


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """
    Something that is not as it should be.

    Attributes:
        kind: A stable code.
        what: What is wrong.
        why: Why that matters.
        mend: What to do.
        must: Whether it has to be done.
    """

    kind: str
    what: str
    why: str
    mend: str
    must: bool = True


@final
@dataclass(frozen=True, slots=True)
class _Project:
    """The things that are looked at."""

    target: str | None
    settings: Mapping[str, Any]
    """pyproject.toml; empty where there is none."""
    files: tuple[Path, ...]
    mounts: tuple[tuple[AnySpec, Options], ...]
    """The specs, with the options of their mounts; none where none was found."""
    is_mounted: bool
    """Whether these are options of its own, and not those that ``contract serve`` is given."""
    secrets: str | None
    """CONTRACT_SECRETS."""


_Found = Iterator[Finding | str]
"""Findings, and sentences on what is as it should be."""


def run(arguments: argparse.Namespace) -> int:
    """Look at everything, report, and give the exit code."""
    settings = _settings()
    files = tuple(_files(Path()))
    taken = _taken(arguments.target)
    project = _Project(
        arguments.target,
        settings if isinstance(settings, dict) else {},
        files,
        () if isinstance(taken, Finding) else _mounts(taken),
        isinstance(taken, Taken) and taken.kind != "spec",
        arguments.secrets,
    )
    found: list[Finding | str] = [each for each in (settings, taken) if isinstance(each, Finding)]
    for look in _LOOKS:
        found += look(project)
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
        say(f"{red('must') if each.must else bold('may ')} {clean(each.what)}")
        say(f"     why: {clean(each.why)}")
        say(f"     mend it: {clean(each.mend)}")
    counts = Counter(each.must for each in findings)
    say(f"contract: {counts[True]} to mend, {counts[False]} to think about")


# What is looked at.


def _settings() -> dict[str, Any] | Finding:
    path = Path("pyproject.toml")
    if not path.is_file():
        return Finding(
            "no_pyproject",
            "there is no pyproject.toml here",
            "nothing says which releases of packages the service needs",
            "stand in the folder of the project, or write one, as contract new does",
            must=False,
        )
    try:
        return tomllib.loads(read_file(path).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return Finding(
            "wrong_pyproject", f"pyproject.toml is no TOML: {error}", "pip reads it, too", "mend it"
        )


_NOT_OURS: Final = frozenset({"build", "dist", "node_modules", "site-packages"})


def _files(folder: Path) -> Iterator[Path]:
    """The files of a project, but for hidden ones and what was installed or made."""
    left = _MOST
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith((".", "__")) and name not in _NOT_OURS
            if not Path(parent, name, "pyvenv.cfg").exists()
        )
        yield from filter(Path.is_file, (Path(parent, name) for name in sorted(names)[:left]))
        left = max(left - len(names), 0)


def _taken(target: str | None) -> Taken | Finding:
    try:
        with redirect_stdout(sys.stderr):  # what an app prints is no part of the answer
            return take(aim(target))
    except Stop as stop:
        if target is None:
            return Finding("no_spec", "no spec was looked at", stop.message, _NAME_ONE, must=False)
        return Finding(
            "spec_does_not_load", f"{target} does not load", stop.message, "mend it, and come back"
        )


_NAME_ONE: Final = "name one: contract doctor shop.app:api"


def _mounts(taken: Taken) -> tuple[tuple[AnySpec, Options], ...]:
    if taken.kind == "spec":
        return ((taken.value, Options()),)
    return tuple((each.spec, each.options) for each in falcon_apps().services(taken.value))


def _texts(project: _Project, *endings: str) -> Iterator[tuple[Path, str]]:
    for path in project.files:
        if path.name.endswith(endings):
            yield path, read_file(path).decode(errors="replace")


# Python and packages.


def _python(project: _Project) -> _Found:
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


def _packages(project: _Project) -> _Found:
    """Whether what pyproject.toml asks for is installed, and what that asks for of ours."""
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


def _asked(project: _Project) -> Iterator[Requirement]:
    return _read(project.settings.get("project", {}).get("dependencies", ()))


def _read(texts: Iterable[object]) -> Iterator[Requirement]:
    """The requirements among *texts* that are for every environment; a group may name others."""
    for text in texts:
        found = requirement(text) if isinstance(text, str) else None
        if found is not None and found.marker is None:
            yield found


# Extras: what the files of the project use.

_USES: Final[Mapping[str, tuple[str, str, bool]]] = {
    "serve": (r"\bcontract[\"', ]+serve\b", "runs contract serve", True),
    "dev": (r"\bcontract[\"', ]+dev\b", "runs contract dev", False),
    "jwt": (r"^\s*from contract\.adapters(\.jwt import| import .*\bjwt\b)", "takes JWTs", True),
    "client": (r"^\s*from contract\.client import", "calls other services", True),
    "testing": (r"^\s*from contract\.testing import", "holds tests", False),
}
"""Extra -> what shows that it is used, what that file does, and whether production needs it."""

_COMMANDS: Final = ("Dockerfile", "Makefile", "Procfile", ".service", "compose.yml", "compose.yaml")
"""The ends of the names of files that say how a service is started."""


def _extras(project: _Project) -> _Found:
    used = {
        extra: path
        for path, text in _texts(project, ".py", *_COMMANDS)
        for extra, (pattern, _, _) in _USES.items()
        if re.search(pattern, text, re.MULTILINE)
    }
    for extra, path in used.items():
        missing = [each.name for each in asked_by(_OURS, extra) if installed(each.name) is None]
        if missing:
            yield Finding(
                "extra_missing",
                f"the extra {extra} is not installed: {', '.join(missing)}",
                f"{path} {_USES[extra][1]}",
                f"pip install '{_OURS}[{extra}]'",
                must=_USES[extra][2],
            )
        else:
            yield f"the extra {extra} is installed"


# The documents, and what is made of them.


def _wanted(visibility: str) -> argparse.Namespace:
    return argparse.Namespace(
        openapi=False, visibility=visibility, server=None, docs_path=None, mcp_path=None
    )


def _documents(project: _Project) -> _Found:
    """Whether the file in the repository, and the clients, are those of the spec."""
    if len(project.mounts) != 1:
        return
    ((spec, options),) = project.mounts
    versions = [emitted(spec, options, _wanted(each)) for each in ("public", "all")]
    target = project.target or "shop.app:api"
    command = f"contract emit {target} -o {NAME}"
    path = Path(NAME)
    if not path.is_file():
        yield Finding(
            "no_document",
            f"there is no {NAME} here",
            "a review does not see what changes for clients, and contract diff has nothing to read",
            command,
            must=False,
        )
    elif not any(_is_of(read_file(path), each) for each in versions):
        why = "whoever reads it is told what is no longer so"
        yield Finding("document_stale", f"{NAME} is stale", why, command)
    else:
        yield f"{NAME} is up to date"
        versions.append(read_file(path))  # with links of its own, perhaps
    yield from _clients(project, versions, spec.meta.title, target)


def _is_of(there: bytes, document: bytes) -> bool:
    """Whether two documents say the same, but for where the explorer and MCP are."""
    try:
        found = orjson.loads(there)
    except orjson.JSONDecodeError:
        return False
    return isinstance(found, dict) and {**found, "links": None} == {
        **orjson.loads(document),
        "links": None,
    }


_HEAD: Final = 2_048
_DIGEST: Final = re.compile(
    r"enerated (?:by|from).*?SHA-256(?:\s+digest)?\s+([0-9a-f]{64})", re.DOTALL
)


def _clients(project: _Project, versions: list[bytes], title: str, target: str) -> _Found:
    """Whether generated files are of this contract, as far as they name it."""
    digests = {sha256(each).hexdigest() for each in versions}
    for path, text in _texts(project, ".py", ".ts", ".mts"):
        head = text[:_HEAD]
        found = _DIGEST.search(head)
        # the first line says whose it is; a client of another service is no business of this one
        if found is None or not re.search(rf"^\W*{re.escape(title)}\W", head, re.MULTILINE):
            continue
        if found[1] in digests:
            yield f"{path} is of this contract"
        else:
            yield Finding(
                "client_stale",
                f"{path} was generated from another version of this contract",
                "it does not know what has changed since, and may refuse answers",
                f"contract generate {target} -o {path}",
            )


# Production.


def _production(project: _Project) -> _Found:
    if not project.mounts:
        return
    commands = dict(_texts(project, *_COMMANDS))
    for path, text in commands.items():
        if path.name != "Makefile" and re.search(_USES["dev"][0], text):
            yield Finding(
                "dev_in_production",
                f"{path} runs contract dev",
                "it shows tracebacks of imports, reloads, and is made for one machine",
                "run contract serve there",
            )
    for spec, options in project.mounts:
        yield from _cookies(project, spec, options, commands.values())
        yield from _secrets(project, spec, options)


def _cookies(project: _Project, spec: AnySpec, options: Options, commands: Iterable[str]) -> _Found:
    takes_cookies = any(
        way.kind == "cookie"
        for entry in spec.entries.values()
        if entry.authenticator is not None
        for way in entry.authenticator.ways
    )
    said = options.public_url is not None or any("--public-url" in text for text in commands)
    if takes_cookies and not said:
        option = "mount_spec(public_url=)" if project.is_mounted else "contract serve --public-url"
        yield Finding(
            "cookies_without_public_url",
            "cookies let callers in, and the mount has no public_url",
            "the origin of its own pages is then what the Host header says, and behind a proxy "
            "that speaks TLS it is another one, so that every cookie is refused",
            f"say https://... with {option}",
        )


def _secrets(project: _Project, spec: AnySpec, options: Options) -> _Found:
    route = signs(spec)
    if route is None or options.secrets:
        return
    why = f"{route} gives lists page by page, and signs where each page begins"
    if project.secrets is None:
        what = "CONTRACT_SECRETS is not set here"
        yield Finding("secrets_unset", what, why, f"set it to what this prints: {_SECRET}")
        return
    problem = too_short([each.strip() for each in project.secrets.split(",")])
    if problem is not None:
        what = f"CONTRACT_SECRETS: {problem}"
        yield Finding("secrets_short", what, why, f"set it to what this prints: {_SECRET}")
    else:
        yield "CONTRACT_SECRETS will do"


_LOOKS: Final[tuple[Callable[[_Project], _Found], ...]] = (
    _python,
    _packages,
    _extras,
    _documents,
    _production,
)
