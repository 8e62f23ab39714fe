"""
Sources: the places that a document may come from.

These are a file, a folder with a contract.json, a URL, a revision of a git repository, or a spec in
the working tree.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from argparse import Namespace
from contextlib import redirect_stdout
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit, urlunsplit

from contract.cli.emit import Visibility, emitted, mounted
from contract.cli.find import aim, take
from contract.cli.http import ANONYMOUS, Access, access_of, fetch
from contract.cli.output import Stop
from contract.document import Document
from contract.document.contract_json import load_contract
from contract.shape.exceptions import DocumentError
from contract.shape.urls import is_to_fetch

__all__ = [
    "MAX_BYTES",
    "NAME",
    "asked_as",
    "data_at",
    "document_at",
    "document_in",
    "document_url",
    "file_at",
    "kind_at",
    "read_file",
]

MAX_BYTES: Final = 16 * 1024 * 1024
"""The most bytes of a document."""

NAME: Final = "contract.json"

_GIT_SECONDS: Final = 20.0

Kind = Literal["git", "url", "spec", "file"]
"""The kind of place that a text names."""


def document_at(
    text: str, *, visibility: Visibility | None = None, access: Access = ANONYMOUS
) -> Document:
    """The document at *text*; *visibility* is for a spec, and *access* for a URL."""
    return document_in(text, data_at(text, visibility=visibility, access=access))


def document_in(text: str, data: bytes) -> Document:
    """The document in *data*, which was read from *text*."""
    try:
        return load_contract(data)
    except DocumentError as error:
        raise Stop(3, f"{text} is not a contract document: {error}") from None


def data_at(
    text: str, *, visibility: Visibility | None = None, access: Access = ANONYMOUS
) -> bytes:
    """The bytes at *text*, whatever they are."""
    match kind_at(text):
        case "git":
            return _from_git(text)
        case "url":
            return fetch(document_url(text), limit=MAX_BYTES, access=access)
        case "spec":
            return _from_spec(text, visibility)
        case _:
            return read_file(file_at(text))


def asked_as(arguments: Namespace) -> Access:
    """The `Access` for the ``source`` of a command, from its ``header`` and ``timeout``."""
    if kind_at(arguments.source) != "url":
        for flag, value in (("--header", arguments.header), ("--timeout", arguments.timeout)):
            if value:
                raise Stop(2, f"{flag} is for a URL, and {arguments.source} is not one")
    return access_of(arguments)


def kind_at(text: str) -> Kind:
    """The kind of place that *text* seems to name."""
    if text.startswith("git:"):
        return "git"
    if "://" in text:
        return "url"
    if text.endswith(".py"):
        return "spec"
    # a file may have a colon in its name, so a file that exists is meant
    if ":" in text and not Path(text).exists():
        return "spec"
    return "file"


def file_at(text: str) -> Path:
    """The file that *text* names: itself, or the document in a folder."""
    path = Path(text)
    if path.is_dir():
        return path / NAME
    return path


def read_file(path: Path) -> bytes:
    """The contents of a file."""
    try:
        # a pipe may never answer, and a device may have no end
        if path.exists() and not path.is_file():
            raise Stop(3, f"{path} is not a file")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)  # one byte too many tells that it is too large
    except OSError as error:
        raise Stop(3, f"cannot read {path}: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise Stop(3, f"{path} is larger than {MAX_BYTES // 1024 // 1024} MiB")
    return data


def _from_spec(text: str, visibility: Visibility | None) -> bytes:
    with redirect_stdout(sys.stderr):  # what an app prints is not part of the answer
        return emitted(*mounted(take(aim(text))), visibility=visibility)


def document_url(url: str) -> str:
    """The URL of contract.json, given that of a mount."""
    if not is_to_fetch(url):
        return url  # fetching it will fail
    parts = urlsplit(url)
    if parts.path.endswith(".json"):
        return url
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{NAME}"))


# Git gets both parts of a name on standard input, never on its command line, where they could pass
# for options. An object is read by its hash, once its size is known.

_FOUND: Final = re.compile(rb"([0-9a-f]{40,64}) (\w+) ([0-9]+)\n")


def _from_git(text: str) -> bytes:
    revision, _, path = text.removeprefix("git:").partition(":")
    if not revision or not path or not text.isprintable():
        raise Stop(2, f"{text!r} names nothing in git; write it like git:main:{NAME}")
    found = _object(f"{revision}:{path}")
    if found is None or found[2] != b"blob":
        if _object(revision) is None:
            raise Stop(
                3, f"git knows no revision {revision!r} here; fetch it first, or write another"
            )
        raise Stop(
            3,
            f"git has no file {path!r} in {revision!r}; "
            "a path begins at the root of the repository, or with ./ in this folder",
        )
    if int(found[3]) > MAX_BYTES:
        raise Stop(3, f"{text} is larger than {MAX_BYTES // 1024 // 1024} MiB")
    return _git("cat-file", "blob", found[1].decode())


def _object(name: str) -> re.Match[bytes] | None:
    """The hash, the kind and the size of the object that git has under *name*; None without one."""
    return _FOUND.fullmatch(_git("cat-file", "--batch-check", data=f"{name}\n".encode()))


def _git(*arguments: str, data: bytes = b"") -> bytes:
    environ = {
        **os.environ,
        "LC_ALL": "C",  # messages in English
        "GIT_TERMINAL_PROMPT": "0",  # it must not ask for a password
        "GIT_NO_LAZY_FETCH": "1",  # nor fetch what a partial clone lacks
        "GIT_OPTIONAL_LOCKS": "0",  # nor take locks that a git of the user's would wait for
    }
    try:
        # the user's own git
        done = subprocess.run(  # noqa: S603
            ["git", *arguments],  # noqa: S607
            input=data,
            capture_output=True,
            check=False,
            env=environ,
            timeout=_GIT_SECONDS,
        )
    except FileNotFoundError:
        raise Stop(3, "git:REV:PATH needs git, which is not installed") from None
    except subprocess.TimeoutExpired:
        raise Stop(3, f"git has not answered for {_GIT_SECONDS:g} seconds") from None
    if done.returncode:
        why = f"it ended with {done.returncode}"
        said = done.stderr.decode(errors="replace").strip().splitlines()
        if said:
            why = said[0]
        raise Stop(3, f"git cannot tell: {why}")
    return done.stdout
