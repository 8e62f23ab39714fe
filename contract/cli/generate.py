"""``contract generate``: clients and validators, from a document alone."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import unified_diff
from importlib import import_module
from pathlib import Path
from typing import Final, Literal, final

import contract
from contract.cli.http import ANONYMOUS, Access, fetch_newer, refuse_credentials
from contract.cli.output import (
    Stop,
    bold,
    clean,
    data,
    dim,
    is_terminal,
    places_of,
    red,
    say,
    write_files,
)
from contract.cli.sources import (
    MAX_BYTES,
    asked_as,
    data_at,
    document_in,
    document_url,
    file_at,
    kind_at,
    read_file,
)
from contract.codegen.package import Package, package_of
from contract.codegen.python import python_client, python_validators
from contract.codegen.typescript import typescript_client, typescript_validators
from contract.shape.exceptions import GenerationError
from contract.shape.record import record

__all__ = ["file_versions", "run", "url_versions"]

Language = Literal["python", "typescript"]
"""The language of a file."""

_LANGUAGES: Final[dict[str, Language]] = {
    ".py": "python",
    ".ts": "typescript",
    ".mts": "typescript",
}

_State = Literal["written", "unchanged", "stale", "absent"]


@final
@record
class _Made:
    """A file, as it was generated."""

    path: Path
    language: Language
    data: bytes
    there: bytes | None
    """The present content of the file; None if there is no file."""


def run(arguments: argparse.Namespace) -> int:
    """Generate, write or compare, and return the exit code."""
    outputs = _outputs(arguments)
    access = asked_as(arguments)
    refuse_credentials(arguments.source)  # before any message repeats it
    if arguments.watch:
        return _watch(_versions(arguments.source, access), outputs, arguments)
    document = data_at(arguments.source, visibility=arguments.visibility, access=access)
    return _generate(document, outputs, arguments)


def _generate(
    document: bytes, outputs: Mapping[Path, Language], arguments: argparse.Namespace
) -> int:
    """Write or compare the files for one version of a document, and return the exit code."""
    # 1. Generate everything before anything is written or compared.
    try:
        package = package_of(document_in(arguments.source, document))
        made = [
            _Made(path, language, _generated(package, language, arguments), _there(path))
            for path, language in outputs.items()
        ]
    except GenerationError as error:
        why = f"no client can be generated from {arguments.source}: {clean(str(error))}"
        raise Stop(3, why) from None
    # 2. Compare, or write: but never over a file that a person has written.
    if arguments.check:
        return _compare(package, made, arguments)
    for each in made:
        if each.there and not _is_generated(each.there):
            raise Stop(
                2,
                f"{each.path} was not generated, and would be lost; "
                "choose another name, or remove it",
            )
    changed = {each.path: each.data for each in made if each.data != each.there}
    write_files(changed)
    # 3. Tell of it, and of what somebody may miss in the files.
    if arguments.validators and not package.exports:
        problem = f"{clean(arguments.source)} exports no types, so there are no validators"
        say(f"contract: {problem}; name some: spec(exports=exports(...))")
    webhooks = [name for name, each in package.operations.items() if each.route.signed]
    if webhooks and not arguments.validators:
        left = clean(", ".join(webhooks))
        say(f"contract: left out of the clients, since their senders sign each body: {left}")
    if arguments.json:
        _tell(package, made, arguments)
    else:
        for each in made:
            path = each.path
            if path in changed:
                say(f"contract: wrote {path} ({len(each.data)} bytes)")
            else:
                say(f"contract: {path} is up to date")
    return 0


def _generated(package: Package, language: Language, arguments: argparse.Namespace) -> bytes:
    dates: Literal["Date", "string"] = arguments.dates or "Date"
    if language == "python" and arguments.validators:
        text = python_validators(package)
    elif language == "python":
        text = python_client(package)
    elif arguments.validators:
        text = typescript_validators(package, dates=dates)
    else:
        text = typescript_client(package, dates=dates)
    return text.encode()


# The requested files.


def _outputs(arguments: argparse.Namespace) -> Mapping[Path, Language]:
    """
    The files to write, and their languages.

    Every mistake that can be detected is reported now, before anything is fetched. A missing folder
    is not created: that would hide a mistake.
    """
    # 1. Each file by itself: its ending tells the language, but .d.ts cannot hold a client, which
    #    is more than types.
    outputs: dict[Path, Language] = {}
    for text in arguments.output:
        path = Path(text)
        language = _LANGUAGES.get(path.suffix)
        if language is None or path.name.endswith(".d.ts"):
            raise Stop(
                2,
                f"{text!r} names no language; "
                "write a file that ends in .py or .ts, such as -o api.py",
            )
        _check_place(path, language)
        outputs[path] = language
    # 2. The files together, and beside the other options.
    places = places_of((name, Path(name)) for name in arguments.output)
    if arguments.dates is not None and "typescript" not in outputs.values():
        raise Stop(2, "--dates is for TypeScript, and no file that ends in .ts is asked for")
    module, _, _ = arguments.source.partition(":")
    if module.endswith(".py") and Path(module).resolve() in places:
        raise Stop(
            2, f"{module} is the source itself; write into another file, such as -o client.py"
        )
    return outputs


def _check_place(path: Path, language: Language) -> None:
    try:
        if path.is_symlink():
            raise Stop(
                2, f"{path} is a link to {path.readlink()}; name that file, or remove the link"
            )
        if path.exists() and not path.is_file():
            raise Stop(2, f"{path} is there already, and no file; choose another name")
        if not path.parent.is_dir():
            raise Stop(
                2,
                f"there is no folder {path.parent} for {path.name}; "
                f"make it first: mkdir -p {path.parent}",
            )
    except OSError as error:  # a name that is too long, or a folder without permission
        raise Stop(2, f"cannot write {path}: {error.strerror}") from None
    ours = contract.__name__
    if language == "python" and path.stem == ours and not (path.parent / "__init__.py").exists():
        raise Stop(
            2,
            f"{path} would shadow the package `{ours}`, which it imports; "
            "choose another name, such as api.py",
        )


def _is_generated(text: bytes) -> bool:
    """Whether a file says at its beginning that it was generated."""
    head = text[:_HEAD]
    return b"enerated" in head and contract.__name__.encode() in head


_HEAD: Final = 2048
"""How many bytes of a file are searched for that."""


def _there(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Stop(2, f"cannot read {path}: {error.strerror}") from None


# --check.


def _compare(package: Package, made: Sequence[_Made], arguments: argparse.Namespace) -> int:
    if arguments.json:
        _tell(package, made, arguments)
    else:
        for each in made:
            for line in _differences(each):
                data(line)
            state = _state(each, arguments)
            words = red(state)
            if state == "unchanged":
                words = "up to date"
            say(f"contract: {each.path} is {words}")
    stale = any(each.data != each.there for each in made)
    if stale and not arguments.json:
        say("contract: leave out --check to write what is missing")
    return 1 if stale else 0


def _differences(made: _Made) -> Iterator[str]:
    """
    A unified diff from the current file to the generated one.

    Control characters are escaped for a terminal.
    """
    if made.there == made.data:
        return
    name = str(made.path)
    before, before_name = made.there, name
    if before is None:  # as git and patch name a file that is not there
        before, before_name = b"", "/dev/null"
    diff = unified_diff(
        _lines(before), _lines(made.data), before_name, f"{name} (generated)", lineterm=""
    )
    painted = is_terminal(sys.stdout)
    for line in diff:
        if painted:
            yield clean(line)
        else:
            yield line


def _lines(content: bytes) -> list[str]:
    """The lines of a file; as in the output of diff, the last one says if it has no end."""
    lines = content.decode(errors="backslashreplace").split("\n")
    if lines[-1]:
        return [*lines, "\\ No newline at end of file"]
    return lines[:-1]


# Output for programs.


def _state(made: _Made, arguments: argparse.Namespace) -> _State:
    if made.data == made.there:
        return "unchanged"
    if not arguments.check:
        return "written"
    return "absent" if made.there is None else "stale"


def _tell(package: Package, made: Sequence[_Made], arguments: argparse.Namespace) -> None:
    files: list[dict[str, object]] = []
    for each in made:
        told: dict[str, object] = {
            "path": str(each.path),
            "language": each.language,
            "state": _state(each, arguments),
            "bytes": len(each.data),
        }
        if arguments.check:
            told["diff"] = "\n".join(_differences(each))
        files.append(told)
    data(json.dumps({"source": arguments.source, "digest": package.digest, "files": files}))


# --watch.


def _versions(source: str, access: Access) -> Iterator[bytes | Stop]:
    """The contents of *source*, now and after each change."""
    kind = kind_at(source)
    if kind == "url":
        return url_versions(document_url(source), limit=MAX_BYTES, access=access)
    if kind == "file":
        return file_versions(file_at(source), import_module("watchfiles").watch)
    fix = "leave out --watch"
    if kind == "spec":
        fix = f"write its contract.json on each save (contract emit {source} -o contract.json)"
    raise Stop(2, f"--watch follows a file or a URL, and {source} is neither; {fix}")


def url_versions(
    url: str, *, limit: int, access: Access = ANONYMOUS, every: float = 1.0
) -> Iterator[bytes | Stop]:
    """
    The bytes at *url*, now and after each change.

    A `Stop` in between says what is wrong, once.
    """
    tag: str | None = None
    last: bytes | str | None = None
    while True:
        try:
            fetched = fetch_newer(url, tag, limit=limit, access=access)
        except Stop as stop:
            tag = None  # give the next contents even if they are the same as before
            if stop.message != last:
                last = stop.message
                yield stop
        else:
            tag = fetched.tag
            if fetched.body is not None and fetched.body != last:
                last = fetched.body
                yield fetched.body
        time.sleep(every)


def file_versions(path: Path, watch: Callable[..., Iterator[object]]) -> Iterator[bytes | Stop]:
    """
    The contents of *path*, now and after each change.

    A `Stop` in between says what is wrong, once.

    The folder is watched, since replacing a file makes a new one each time.

    *watch* is ``watchfiles.watch``, which only the extra ``dev`` installs.
    """

    def is_it(_: object, changed: str) -> bool:
        return Path(changed).name == path.name

    last = _version(path)
    yield last
    if not path.parent.is_dir():
        raise Stop(3, f"there is no folder {path.parent} to watch")
    # it may change before the watch begins, so it is also read every now and then
    looks = watch(
        path.parent,
        watch_filter=is_it,
        recursive=False,
        debounce=100,
        rust_timeout=_LOOK_MILLISECONDS,
        yield_on_timeout=True,
    )
    while True:
        next(looks)
        now = _version(path)
        if str(now) != str(last):  # by their texts: two equal `Stop` are not equal objects
            last = now
            yield now


_LOOK_MILLISECONDS: Final = 500
"""Milliseconds after which it is read even without a report of a change."""


def _version(path: Path) -> bytes | Stop:
    try:
        return read_file(path)
    except Stop as stop:
        return stop


def _watch(
    versions: Iterator[bytes | Stop],
    outputs: Mapping[Path, Language],
    arguments: argparse.Namespace,
) -> int:
    """Generate from each version until Ctrl-C; an invalid version does not end it."""
    how = dim("follows changes; Ctrl-C stops")
    say(f"{bold('contract generate')}  {clean(arguments.source)}  {how}")
    try:
        while True:
            version = next(versions)
            try:
                if isinstance(version, Stop):
                    raise version
                _generate(version, outputs, arguments)
            except Stop as stop:
                if stop.code == 2:  # wrong usage, which no change of the source mends
                    raise
                say(f"contract: {red(stop.message)}; waiting for a change")
    except KeyboardInterrupt:
        return 0
