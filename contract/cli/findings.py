"""
Findings: what is wrong with the documents, the clients and the settings of a spec.

``contract doctor`` shows them, together with those of the environment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, final

import orjson

from contract.call.mount_options import Options
from contract.call.paging import signs, too_short
from contract.call.signed_body import without_secrets
from contract.cli.emit import emitted
from contract.cli.sources import NAME, read_file
from contract.declare.spec import AnySpec

__all__ = ["COMMANDS", "DEV", "Finding", "Found", "Project", "documents", "production", "texts"]

_SECRET: Final = "python -c 'import secrets; print(secrets.token_urlsafe(32))'"  # noqa: S105

DEV: Final = r"\bcontract[\"', ]+dev\b"
"""Matches a file that runs ``contract dev``."""

COMMANDS: Final = ("Dockerfile", "Makefile", "Procfile", ".service", "compose.yml", "compose.yaml")
"""The ends of the names of files that say how a service is started."""


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """
    Something that is wrong, or could be.

    Attributes:
        kind: A stable code.
        must: Whether it must be fixed.
    """

    kind: str
    what: str
    why: str
    fix: str
    must: bool = True


@final
@dataclass(frozen=True, slots=True)
class Project:
    """A project, as the doctor sees it."""

    target: str | None
    settings: Mapping[str, Any]
    """pyproject.toml; empty if there is none."""
    files: tuple[Path, ...]
    mounts: tuple[tuple[AnySpec, Options], ...]
    """The specs, with the options of their mounts; empty if none was found."""
    is_mounted: bool
    """Whether the options come from the project's mount, instead of from ``contract serve``."""
    secrets: str | None
    """The value of CONTRACT_SECRETS."""


Found = Iterator[Finding | str]
"""Findings, and sentences about what is fine."""


def texts(project: Project, *endings: str) -> Iterator[tuple[Path, str]]:
    """The files of *project* with one of these *endings*, with their contents."""
    for path in project.files:
        if path.name.endswith(endings):
            yield path, read_file(path).decode(errors="replace")


# The documents, and what is generated from them.


def documents(project: Project) -> Found:
    """Check that the file in the repository, and the clients, match the spec."""
    if len(project.mounts) != 1:
        return
    ((spec, options),) = project.mounts
    # nobody knows how the file was emitted, so it may be either
    versions = [
        emitted(spec, options, visibility="public"),
        emitted(spec, options, visibility="all"),
    ]
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
        versions.append(read_file(path))  # perhaps with its own URLs
    yield from _clients(project, versions, spec.meta.title, target)


def _is_of(there: bytes, document: bytes) -> bool:
    """Whether two documents are equal, apart from the paths of the explorer and MCP."""
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


def _clients(project: Project, versions: list[bytes], title: str, target: str) -> Found:
    """Check that generated files belong to this contract, if they name one."""
    digests = {sha256(each).hexdigest() for each in versions}
    for path, text in texts(project, ".py", ".ts", ".mts"):
        head = text[:_HEAD]
        found = _DIGEST.search(head)
        # the first line names the contract; clients of other services are not checked
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


def production(project: Project) -> Found:
    """Check that the way the spec is served, and its settings, suit production."""
    if not project.mounts:
        return
    commands = dict(texts(project, *COMMANDS))
    for path, text in commands.items():
        if path.name != "Makefile" and re.search(DEV, text):
            yield Finding(
                "dev_in_production",
                f"{path} runs contract dev",
                "it shows tracebacks of imports, reloads, and is made for one machine",
                "run contract serve there",
            )
    for spec, options in project.mounts:
        yield from _cookies(project, spec, options, commands.values())
        yield from _secrets(project, spec, options)
        yield from _webhooks(spec)


def _cookies(project: Project, spec: AnySpec, options: Options, commands: Iterable[str]) -> Found:
    # the options of a spec are on the command line that starts it
    said = bool(options.public_url or options.trusted_proxies)
    for text in commands:
        said = said or "--public-url" in text or "--trusted-proxy" in text
    if _takes_cookies(spec) and not said:
        option = "contract serve --public-url"
        if project.is_mounted:
            option = "mount_spec(public_url=)"
        yield Finding(
            "cookies_without_public_url",
            "cookies let callers in, and the mount has no public_url",
            "they are taken from pages of its own origin, and a service behind a proxy that "
            "speaks TLS does not know that by itself, so it would refuse them",
            f"say https://... with {option}",
        )


def _takes_cookies(spec: AnySpec) -> bool:
    """Whether a cookie lets callers of any route in."""
    for entry in spec.entries.values():
        if entry.authenticator is not None and any(
            way.kind == "cookie" for way in entry.authenticator.ways
        ):
            return True
    return False


def _secrets(project: Project, spec: AnySpec, options: Options) -> Found:
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


def _webhooks(spec: AnySpec) -> Found:
    for name, what in without_secrets(spec):
        if what is None:
            yield _unknown_secret(name)
        else:
            yield _no_secret(what)


def _no_secret(what: str) -> Finding:
    return Finding(
        "webhook_without_secret",
        what,
        "every message is answered with 500, and its sender gives up",
        "set what the function of Signed(...) reads",
    )


def _unknown_secret(name: str) -> Finding:
    return Finding(
        "webhook_secret_unknown",
        f"whether {name} has a secret to know its senders by cannot be told here",
        "its secrets come from a resource or from the running call, and nothing is served here",
        "where it is served, ask its health route, which answers 503 until the secrets are there",
        must=False,
    )
