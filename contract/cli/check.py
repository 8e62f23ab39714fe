"""``contract check``: whether a spec loads, and the documents in the repository are its own."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import Final, final

import orjson

from contract.cli.diff import clean, lines
from contract.cli.emit import emitted, mounted
from contract.cli.find import aim, take
from contract.cli.lint import Hint, Priced, hints, priced, tool_hints
from contract.cli.output import bold, data, dim, red, say
from contract.cli.sources import NAME, read_file
from contract.document.diff import diff
from contract.document.reader import load_contract
from contract.shape.exceptions import DocumentError
from contract.shape.record import record

__all__ = ["run"]

_OPENAPI: Final = "openapi.json"
_SHOWN: Final = 12
"""Lines of a difference."""


@final
@record
class _Checked:
    """A file in the repository."""

    file: str
    problem: str | None
    """None where it is up to date."""
    details: tuple[str, ...]
    """The first lines of the difference."""
    mend: str | None
    """The command that makes it right."""


def run(arguments: argparse.Namespace) -> int:
    """Check, report, and give the exit code."""
    with redirect_stdout(sys.stderr):  # what an app prints is no part of the answer
        spec, options = mounted(take(aim(arguments.target)))
        current = {
            openapi: emitted(spec, options, _wanted(arguments, openapi=openapi))
            for openapi in (False, True)
        }
    document = load_contract(current[False])
    private = sum(entry.route.scope == "private" for entry in spec.entries.values())
    checked = [_check(file, arguments, current) for file in arguments.files or _usual_files()]
    tools = priced(document) if options.mcp_path is not None else []
    found = [*hints(document), *tool_hints(tools, spec.meta.mcp_instructions)]
    stale = [each for each in checked if each.problem is not None]
    if arguments.json:
        data(_as_json(checked, tools, found))
    else:
        say(f"{bold('spec')} loads, with {_counted(len(spec.entries) - private, private)}")
        _report(arguments, checked, tools, found)
    return 1 if stale or (arguments.strict and found) else 0


def _as_json(checked: Sequence[_Checked], tools: Sequence[Priced], found: Sequence[Hint]) -> str:
    facts = {
        "files": [asdict(each) for each in checked],
        "tools": [
            {
                "name": each.tool,
                "route": each.route,
                "tokens": each.tokens,
                "listed_tokens": each.listed_tokens,
            }
            for each in tools
        ],
        "hints": [asdict(hint) for hint in found],
    }
    return json.dumps(facts, indent=2)


def _wanted(arguments: argparse.Namespace, *, openapi: bool) -> Namespace:
    """The arguments of the ``contract emit`` that writes such a file."""
    server = arguments.server if openapi else None
    docs_path, mcp_path = (None, None) if openapi else (arguments.docs_path, arguments.mcp_path)
    return Namespace(
        openapi=openapi,
        visibility=arguments.visibility,
        server=server,
        docs_path=docs_path,
        mcp_path=mcp_path,
    )


def _usual_files() -> list[str]:
    return [name for name in (NAME, _OPENAPI) if Path(name).is_file()]


def _check(file: str, arguments: argparse.Namespace, current: dict[bool, bytes]) -> _Checked:
    path = Path(file)
    if not path.exists():
        is_openapi = "openapi" in path.name
        return _Checked(file, "is absent", (), _command(file, arguments, openapi=is_openapi))
    there = read_file(path)
    is_openapi = _is_openapi(path, there)
    if there == current[is_openapi]:
        return _Checked(file, None, (), None)
    compare = _first_difference if is_openapi else _differences
    details = compare(there, current[is_openapi])
    return _Checked(file, "is stale", tuple(details), _command(file, arguments, openapi=is_openapi))


def _is_openapi(path: Path, there: bytes) -> bool:
    try:
        found = orjson.loads(there)
    except orjson.JSONDecodeError:
        found = None  # half of a merge, perhaps
    if isinstance(found, dict) and ("openapi" in found) != ("contract" in found):
        return "openapi" in found
    return "openapi" in path.name


def _differences(there: bytes, current: bytes) -> Sequence[str]:
    try:
        changes = diff(load_contract(there), load_contract(current))
    except DocumentError as error:
        return [clean(f"it is no contract document: {error}")]
    found = lines(changes, paint=False)
    if not found:
        # written in another way, which tools that compare bytes would stumble over
        return _first_difference(there, current)
    if len(found) > _SHOWN:
        return [*found[:_SHOWN], f"... and {len(found) - _SHOWN} lines more"]
    return found


def _first_difference(there: bytes, current: bytes) -> Sequence[str]:
    was, now = (text.decode(errors="backslashreplace").splitlines() for text in (there, current))
    same = next(
        (index for index, pair in enumerate(zip(was, now, strict=False)) if pair[0] != pair[1]),
        min(len(was), len(now)),
    )
    told = [f"line {same + 1}:"]
    for sign, text in (("-", was), ("+", now)):
        told += [f"{sign} {clean(line)[:120]}" for line in text[same : same + 3]]
    return told


def _command(file: str, arguments: argparse.Namespace, *, openapi: bool) -> str:
    wanted = vars(_wanted(arguments, openapi=openapi))
    said = [
        f"--{name.replace('_', '-')}={value}"
        for name, value in wanted.items()
        if name != "openapi" and value is not None
    ]
    target = [] if arguments.target is None else [arguments.target]
    flags = ["--openapi", *said] if openapi else said
    return shlex.join(["contract", "emit", *target, *flags, "-o", file])


def _counted(public: int, private: int) -> str:
    """
    The number of routes, as `contract serve` counts them, and of those that no document shows.
    """
    noun = "route" if public == 1 else "routes"
    return f"{public} public {noun} and {private} private" if private else f"{public} {noun}"


def _report(
    arguments: argparse.Namespace,
    checked: Sequence[_Checked],
    tools: Sequence[Priced],
    found: Sequence[Hint],
) -> None:
    for each in checked:
        if each.problem is None:
            say(f"{bold(clean(each.file))} is up to date")
            continue
        say(f"{bold(clean(each.file))} {red(each.problem)}")
        for line in each.details:
            say(f"    {line}")
        say(f"  mend it: {each.mend}")
    if not checked:
        command = _command(NAME, arguments, openapi=False)
        say(dim(f"no {NAME} or {_OPENAPI} here to be compared with; write one: {command}"))
    if tools:
        shown = sum(each.tokens for each in tools)
        listed = sum(each.listed_tokens for each in tools)
        say(f"{bold('tools')} cost a model about {shown:,} tokens, before it calls any")
        say(
            f"  ({listed:,} with the schemas of outputs and the annotations, "
            "which few clients show it)"
        )
    for tool in tools:
        say(f"    {tool.tokens:>6,} {f'({tool.listed_tokens:,})':>8}  {tool.tool}")
    for hint in found:
        say(f"{dim('hint')} {clean(hint.path)}: {hint.text}")
