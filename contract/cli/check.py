"""
``contract check``: whether a spec loads, and whether the emitted documents are up to date.

It gives hints, too: about gaps in a document, and about what its tools cost an agent.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from typing import Any, Final, cast, final

import orjson

from contract.cli.diff import compared, lines
from contract.cli.emit import emitted, mounted
from contract.cli.find import aim, take
from contract.cli.output import Stop, bold, clean, data, dim, red, say
from contract.cli.serving import tool_of
from contract.cli.sources import NAME, read_file
from contract.document import Document
from contract.document.contract_json import dump_contract, load_contract
from contract.mcp.tool_schemas import Types
from contract.mcp.tools import LONGEST_DESCRIPTION, advertised, check_keys
from contract.shape.exceptions import DocumentError, MountError
from contract.shape.record import record

__all__ = ["Hint", "Priced", "hints", "priced", "run", "tool_hints"]

_OPENAPI: Final = "openapi.json"
_LINES: Final = 12
"""The most lines of a difference."""


@final
@record
class _Checked:
    """A file in the repository."""

    file: str
    problem: str | None
    """The fault of the file; None if it is up to date."""
    details: tuple[str, ...]
    """The first lines of the difference."""
    fix: str | None
    """The command that fixes it."""


def run(arguments: argparse.Namespace) -> int:
    """Check, report, and return the exit code."""
    # 1. Make both documents as they would be emitted now. The keys say whether it is OpenAPI.
    current: dict[bool, bytes] = {}
    with redirect_stdout(sys.stderr):  # what an app prints is not part of the answer
        spec, options = mounted(take(aim(arguments.target)))
        for openapi in (False, True):
            wanted = _wanted(arguments, openapi=openapi)
            current[openapi] = emitted(spec, options, openapi=openapi, **wanted)
    # 2. Compare the files with them, and look for gaps.
    document = load_contract(current[False])
    private = sum(entry.route.scope == "private" for entry in spec.entries.values())
    checked = [_check(file, arguments, current) for file in arguments.files or _usual_files()]
    tools: list[Priced] = []
    if options.mcp_path is not None:
        tools = priced(document)
    found = [*hints(document), *tool_hints(tools, spec.meta.mcp_instructions)]
    stale = [each for each in checked if each.problem is not None]
    # 3. Tell of it. A tool that no server would start with comes last: it ends the command.
    if arguments.json:
        data(_as_json(checked, tools, found))
    else:
        say(f"{bold('spec')} loads, with {_counted(len(spec.entries) - private, private)}")
        _report(arguments, checked, tools, found)
    for tool in tools:
        if tool_of(spec.entries[tool.route], options) is not None:
            _check_served(tool)
    return 1 if stale or (arguments.strict and found) else 0


def _check_served(tool: Priced) -> None:
    """
    Check that a server starts with *tool*.

    Raises:
        Stop: It does not.
    """
    try:
        check_keys(tool.route, tool.listed["inputSchema"])
    except MountError as error:
        raise Stop(1, f"this spec cannot be served: {error}") from None


def _as_json(checked: Sequence[_Checked], tools: Sequence[Priced], found: Sequence[Hint]) -> str:
    facts = {
        "files": [asdict(each) for each in checked],
        "tools": [_facts_of(tool) for tool in tools],
        "hints": [asdict(hint) for hint in found],
    }
    return json.dumps(facts, indent=2)


def _facts_of(tool: Priced) -> dict[str, object]:
    """The facts about a *tool*, without what clients see of it, which may be long."""
    return {
        "name": tool.name,
        "route": tool.route,
        "tokens": tool.tokens,
        "listed_tokens": tool.listed_tokens,
    }


def _wanted(arguments: argparse.Namespace, *, openapi: bool) -> dict[str, Any]:
    """The options of the ``contract emit`` that writes such a file."""
    names: tuple[str, ...] = ("visibility", "docs_path", "mcp_path")
    if openapi:
        names = ("visibility", "server")
    return {name: getattr(arguments, name) for name in names}


def _usual_files() -> list[str]:
    return [name for name in (NAME, _OPENAPI) if Path(name).is_file()]


def _check(file: str, arguments: argparse.Namespace, current: dict[bool, bytes]) -> _Checked:
    path = Path(file)
    if not path.exists():
        is_openapi = "openapi" in path.name
        return _Checked(file, "is absent", (), _command(file, arguments, openapi=is_openapi))
    found = read_file(path)
    is_openapi = _is_openapi(path, found)
    if found == current[is_openapi]:
        return _Checked(file, None, (), None)
    if is_openapi:
        details = _first_difference(found, current[is_openapi])
    else:
        details = _differences(found, current[is_openapi])
    return _Checked(file, "is stale", tuple(details), _command(file, arguments, openapi=is_openapi))


def _is_openapi(path: Path, data: bytes) -> bool:
    # by what it holds, and only if that does not tell, by its name
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError:
        document = None  # perhaps an unfinished merge
    if isinstance(document, dict) and ("openapi" in document) != ("contract" in document):
        return "openapi" in document
    return "openapi" in path.name


def _differences(old: bytes, new: bytes) -> Sequence[str]:
    try:
        changes = compared(load_contract(old), load_contract(new))
    except DocumentError as error:
        return [clean(f"it is not a contract document: {error}")]
    found = lines(changes, paint=False)
    if not found:
        # the same content in another format, which would upset tools that compare bytes
        return _first_difference(old, new)
    if len(found) > _LINES:
        return [*found[:_LINES], f"... and {len(found) - _LINES} lines more"]
    return found


def _first_difference(old: bytes, new: bytes) -> Sequence[str]:
    was, now = (text.decode(errors="backslashreplace").splitlines() for text in (old, new))
    first = 0
    while first < min(len(was), len(now)) and was[first] == now[first]:
        first += 1
    removed = [f"- {clean(line)[:120]}" for line in was[first : first + 3]]
    added = [f"+ {clean(line)[:120]}" for line in now[first : first + 3]]
    return [f"line {first + 1}:", *removed, *added]


def _command(file: str, arguments: argparse.Namespace, *, openapi: bool) -> str:
    words = ["contract", "emit"]
    if arguments.target is not None:
        words.append(arguments.target)
    if openapi:
        words.append("--openapi")
    for name, value in _wanted(arguments, openapi=openapi).items():
        if value is not None:
            words.append(f"--{name.replace('_', '-')}={value}")
    return shlex.join([*words, "-o", file])


def _counted(public: int, private: int) -> str:
    """The number of public routes, as `contract serve` counts them, and of private ones."""
    noun = "route" if public == 1 else "routes"
    if not private:
        return f"{public} {noun}"
    return f"{public} public {noun} and {private} private"


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
        say(f"  fix it: {each.fix}")
    if not checked:
        command = _command(NAME, arguments, openapi=False)
        say(dim(f"no {NAME} or {_OPENAPI} here to be compared with; write one: {command}"))
    if tools:
        shown = sum(tool.tokens for tool in tools)
        listed = sum(tool.listed_tokens for tool in tools)
        say(f"{bold('tools')} cost a model about {shown:,} tokens, before it calls any")
        say(
            f"  ({listed:,} with the schemas of outputs and the annotations, "
            "which few clients show it)"
        )
    for tool in tools:
        say(f"    {tool.tokens:>6,} {f'({tool.listed_tokens:,})':>8}  {tool.name}")
    for hint in found:
        say(f"{dim('hint')} {clean(hint.path)}: {hint.text}")


# Hints about gaps in a document, and about what its tools cost an agent.


@final
@dataclass(frozen=True, slots=True)
class Hint:
    """
    Something that could be better, but is not an error.

    Attributes:
        kind: A stable code.
    """

    kind: str
    path: str
    text: str


def hints(document: Document) -> Iterator[Hint]:
    """Hints about gaps in each route, and about invisible characters."""
    yield from _gaps(document)
    yield from _invisible("", orjson.loads(dump_contract(document)))


def _gaps(document: Document) -> Iterator[Hint]:
    owners: dict[str, str] = {}
    for name, route in sorted(document.routes.items()):
        path = f"routes.{name}"
        tool = route.mcp
        if not route.description:
            kind, so = "route_without_description", ""
            if tool is not None:
                kind, so = (
                    "tool_without_description",
                    ", so agents know the tool by its summary alone",
                )
            text = f"there is no description{so}; the resolver's docstring would be one"
            yield Hint(kind, path, text)
        if not route.tags:
            text = "there are no tags, so the explorer shows the route apart from all others"
            yield Hint("route_without_tags", path, text)
        if tool is not None:
            if tool.name in owners:
                text = f"{tool.name} is the tool of {owners[tool.name]}, too"
                yield Hint("tool_name_taken", f"{path}.mcp.name", text)
            owners.setdefault(tool.name, name)


# Models read characters that people do not see in a review: tag characters can spell out
# instructions, and bidi controls change the order in which text is shown. They are reported, not
# refused, since some languages need one now and then.

_UNSEEN: Final = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls, except tabs and line ends
    # characters that Unicode ignores by default: joiners, bidi controls, fillers, variation
    # selectors, tags
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    r"\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_INVISIBLE: Final = re.compile(f"[{_UNSEEN}]")
_NEEDED: Final = re.compile(
    rf"(?<=[^{_UNSEEN}])\ufe0f(?![{_UNSEEN}])"  # makes an emoji
    # a single joiner, in an emoji or in a word
    rf"|(?<=[^\x00-\x7f{_UNSEEN}])\ufe0f?[\u200c\u200d](?=[^\x00-\x7f{_UNSEEN}])"
)
_NAMED: Final = 3
"""How many characters one hint names."""


def _invisible(path: str, value: Any) -> Iterator[Hint]:
    """Hints about invisible characters in the strings, and keys, of the JSON *value* at *path*."""
    if isinstance(value, str):
        # without duplicates, in order
        found = dict.fromkeys(_INVISIBLE.findall(_NEEDED.sub("", value)))
        if found:
            named = ", ".join(map(_named, [*found][:_NAMED]))
            if len(found) > _NAMED:
                named = f"{named} and {len(found) - _NAMED} more"
            text = f"there are characters that nobody sees, and models read: {named}; take them out"
            yield Hint("invisible_characters", path, text)
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[object]", value)):
            yield from _invisible(f"{path}[{index}]", item)
    elif isinstance(value, dict):
        for key, item in cast("dict[str, Any]", value).items():
            inner = key
            if path:
                inner = f"{path}.{key}"
            yield from _invisible(inner, key)
            yield from _invisible(inner, item)


def _named(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".strip()


# Tools: what they cost an agent, and where its clients will fail.

_BYTES_PER_TOKEN: Final = 4
"""Bytes of English JSON for one token: 3.5 to 4.5 in the tokenizers of common models."""
_LONG_TEXT: Final = LONGEST_DESCRIPTION
"""Length after which clients cut off a description, or instructions, in characters."""
_MANY_TOKENS: Final = 2_000
"""Tokens above which a tool counts as expensive: a hundred such tools fill most contexts."""
_MANY_TOOLS: Final = 40
"""From here on, clients show a model only some tools, or models choose badly."""


@final
@record
class Priced:
    """A tool as a client sees it."""

    name: str
    route: str
    tokens: int
    """Roughly, of its name, description and input schema, which every client shows a model."""
    listed_tokens: int
    """Those of all of *listed*: few clients show a model output schemas and annotations."""
    listed: dict[str, Any]
    """The entry of the tool in ``tools/list``."""


def priced(document: Document) -> list[Priced]:
    """Every tool of *document*, the most expensive first."""
    found: list[Priced] = []
    types = Types(document.defs)
    for name, route in document.routes.items():
        if route.mcp is not None:
            listed = advertised(route, route.mcp, document, wraps=True, types=types)
            shown = {key: listed[key] for key in _SEEN_BY_MODELS}
            found.append(Priced(route.mcp.name, name, _tokens(shown), _tokens(listed), listed))
    return sorted(found, key=lambda tool: (-tool.tokens, tool.name))


_SEEN_BY_MODELS: Final = ("name", "description", "inputSchema")
"""The keys of a tool that model APIs accept."""


def _tokens(value: dict[str, Any]) -> int:
    return ceil(len(orjson.dumps(value)) / _BYTES_PER_TOKEN)


def tool_hints(tools: Sequence[Priced], instructions: str | None) -> Iterator[Hint]:
    """Hints about what clients cut off or refuse, and about what strains models."""
    for tool in tools:
        path = f"routes.{tool.route}"
        length = len(tool.listed["description"])
        if length > _LONG_TEXT:
            text = (
                f"the description has {length} characters, and clients cut it off "
                f"after {_LONG_TEXT}; put what matters first, or say less"
            )
            yield Hint("tool_description_long", path, text)
        if tool.tokens > _MANY_TOKENS:
            text = (
                f"the tool costs every conversation about {tool.tokens} tokens; "
                "take smaller types, or fewer descriptions in them"
            )
            yield Hint("tool_expensive", path, text)
        if "$defs" in tool.listed["inputSchema"]:
            text = (
                "the input holds itself, or has thousands of parts, which needs a $ref, "
                "and some clients refuse that; "
                "take a list of parts that name their parents, or smaller types"
            )
            yield Hint("tool_recursive", path, text)
    if len(tools) > _MANY_TOOLS:
        text = (
            f"there are {len(tools)} tools, and models choose well among {_MANY_TOOLS} at most; "
            "let clients ask for some: /mcp?tags=..."
        )
        yield Hint("many_tools", "routes", text)
    yield from _invisible("meta.mcp_instructions", instructions)
    if instructions is not None and len(instructions) > _LONG_TEXT:
        text = (
            f"mcp_instructions has {len(instructions)} characters, "
            f"and clients cut it off after {_LONG_TEXT}; put what matters first"
        )
        yield Hint("instructions_long", "meta", text)
