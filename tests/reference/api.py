"""The parts of the reference that are made of signatures and docstrings."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Final, Literal, get_args, get_origin

import contract
from tests.reference.markdown import anchor, code, prose, table
from tests.reference.source import Definition, Option, definition, fields, options, read

__all__ = ["MODULES", "members", "names", "options_of"]

MODULES: Final = (
    "contract",
    "contract.testing",
    "contract.client",
    "contract.adapters.asgi",
    "contract.adapters.falcon",
    "contract.adapters.jwt",
    "contract.adapters.mount",
    "contract.adapters.wsgi",
)
"""The modules that users import from; `versions.md` says what that means."""


OPTIONS: Final = {
    "options.md": ("route", "spec", "group", "hook", "mount_spec"),
    "limits.md": ("Limits",),
}
"""The pages that show options, each with the names whose options they are."""


def options_of(name: str) -> str:
    """The options of a name of `contract`, and of the classes that they take."""
    first, *others = _with_those_taken(name)
    parts = [_options(first)]
    for each in others:
        parts += [f"### {code(each.name)}", *_told(each), _options(each)]
    return "\n\n".join(parts)


@cache
def _with_those_taken(name: str) -> list[Definition]:
    shown = [definition("contract", name)]
    for each in shown:  # it grows
        shown += [found for found in _taken(each) if found not in shown]
    return shown


def _taken(of: Definition) -> Iterator[Definition]:
    """The public classes that options of *of* are made with, by their fields."""
    elsewhere = OPTIONS["limits.md"]
    for option in options(of):
        for name in re.findall(r"\b[A-Z]\w+", re.sub(r"Callable\[.*", "", option.kind)):
            if name in contract.__all__ and name not in elsewhere:
                found = definition("contract", name)
                if _is_made_by_fields(found):
                    yield found


def _told(of: Definition) -> list[str]:
    told = read(of.text)
    return [prose(each) for each in (told.summary, *told.more)]


def _is_made_by_fields(of: Definition) -> bool:
    """Whether users write ``Name(field=...)``: its docstring lists what may be given."""
    return isinstance(of.node, ast.ClassDef) and bool(read(of.text).parts) and bool(options(of))


def _options(of: Definition) -> str:
    rows = [
        (code(each.name), code(_kind(of, each)), _default(each), prose(each.told))
        for each in options(of)
    ]
    return table(("option", "type", "default", "what it says"), rows)


def _kind(of: Definition, option: Option) -> str:
    """The type of *option*, with the values of its literals, and without names of ours that are not public."""
    for name in re.findall(r"[A-Z]\w+", option.kind):
        alias = vars(import_module(of.module)).get(name)
        if get_origin(alias) is Literal:
            values = " | ".join(json.dumps(each) for each in get_args(alias))
            return re.sub(rf"\b{name}\b", values, option.kind)
        if name == "Texts":
            return option.kind.replace(name, "Sequence[str]")
    return re.sub(
        r"Literal\[([^]]+)\]", lambda found: " | ".join(found[1].split(", ")), option.kind
    )


def _default(option: Option) -> str:
    return "required" if option.default is None else code(option.default)


def names() -> str:
    """Every public name, by the module that it is imported from."""
    return "\n\n".join(
        part for module in MODULES for part in (f"## {code(module)}", _index(module))
    )


def _index(module: str) -> str:
    rows: list[tuple[str, str]] = []
    for name in import_module(module).__all__:
        found = definition(module, name)
        link = _links().get(found)
        rows.append(
            (
                code(name) if link is None else f"[{code(name)}]({link})",
                prose(read(found.text).summary),
            )
        )
    return table(("name", "what it is"), rows)


@cache
def _links() -> dict[Definition, str]:
    """Where more is said of a name than its line in the index."""
    links: dict[Definition, str] = {}
    for page, shown in OPTIONS.items():
        for name in shown:
            first, *others = _with_those_taken(name)
            links[first] = page + anchor(name)
            links |= {each: page + anchor(each.name) for each in others}
    taken: Counter[str] = Counter()
    for of, heading in _with_members():
        link = anchor(heading)
        links[of] = f"members.md{link}" + (f"-{taken[link]}" if taken[link] else "")
        taken[link] += 1
    return links


@cache
def _with_members() -> list[tuple[Definition, str]]:
    """What has members that no page of options shows, and its heading, in the order of the page."""
    seen = {each for page in OPTIONS.values() for name in page for each in _with_those_taken(name)}
    found: list[tuple[Definition, str]] = []
    for module in MODULES:
        for name in import_module(module).__all__:
            of = definition(module, name)
            if of not in seen and _details(of):
                found.append((of, f"{module}.{name}"))
            seen.add(of)
    return found


def members() -> str:
    """The fields and methods of every public class, and the parameters of every function."""
    return "\n\n".join(
        part
        for of, heading in _with_members()
        for part in (f"## {code(heading)}", *_told(of), _details(of))
    )


def _details(of: Definition) -> str:
    if isinstance(of.node, ast.FunctionDef | ast.AsyncFunctionDef):
        return _options(of) if options(of) else ""
    if not isinstance(of.node, ast.ClassDef):
        return ""
    found = fields(of)
    own = {each.name for each in found}
    given = [
        (code(name), "", "", prose(told))
        for name, told in read(of.text).parts.items()
        if name not in own
    ]
    rows = [
        (code(each.name), code(each.kind), code(each.default or ""), prose(each.told))
        for each in found
    ]
    return table(("name", "type", "default", "what it is"), [*given, *rows]) if given + rows else ""
