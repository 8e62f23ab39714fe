"""Source: where a public name is defined, and what its docstring says of it and of its parts."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["Definition", "Docstring", "Option", "definition", "fields", "options", "read"]


@dataclass(frozen=True, slots=True)
class Docstring:
    """A docstring, cut into its parts."""

    summary: str
    """The first paragraph."""
    more: tuple[str, ...]
    """The paragraphs behind it, without code."""
    parts: Mapping[str, str]
    """The parameters or attributes that it lists."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A name, where it is defined."""

    module: str
    name: str
    node: ast.stmt
    text: str
    """Its docstring, or the one below its assignment."""


@dataclass(frozen=True, slots=True)
class Option:
    """A parameter or a field."""

    name: str
    kind: str
    """Its annotation, as it is written."""
    default: str | None
    """As it is written, or None where it must be given."""
    told: str = ""


_SECTION: Final = re.compile(r"^(?:Args|Attributes|Raises|Returns|Yields):$", re.MULTILINE)
_LISTED: Final = re.compile(r"^(?:Args|Attributes):\n((?:    .*\n|\n)*)", re.MULTILINE)
_PART: Final = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)
_CODE: Final = re.compile(r"::\Z|^    |^>>>")


def read(text: str) -> Docstring:
    """The parts of a docstring."""
    clean = inspect.cleandoc(text)
    above = _SECTION.split(clean)[0].strip()
    paragraphs = [" ".join(each.split()) for each in above.split("\n\n") if not _CODE.search(each)]
    listed = _LISTED.search(clean + "\n")
    parts = {} if listed is None else dict(_PART.findall(listed[1]))
    joined = {name: " ".join(told.split()) for name, told in parts.items()}
    return Docstring(paragraphs[0] if paragraphs else "", tuple(paragraphs[1:]), joined)


@cache
def _source(module: str) -> tuple[str, ast.Module]:
    found = importlib.util.find_spec(module)
    assert found is not None, module
    assert found.origin is not None, module
    text = Path(found.origin).read_text("utf-8")
    return text, ast.parse(text)


@cache
def definition(module: str, name: str) -> Definition:
    """The definition that *name* leads to, by whatever imports."""
    _, tree = _source(module)
    imported: str | None = None
    for node, behind in _statements(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    imported = node.module
        elif name in _defined(node) and not _is_overload(node):
            return Definition(module, name, node, _text(node, behind))
    assert imported is not None, f"{module} has no {name}"
    return definition(imported, name)


def _statements(tree: ast.AST) -> Iterator[tuple[ast.stmt, ast.stmt | None]]:
    """The statements of a module or a class, those below an ``if`` too, each with the next one."""
    body: list[ast.stmt] = getattr(tree, "body", [])
    for node, behind in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.If):
            yield from _statements(node)
        else:
            yield node, behind


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [each.id for each in targets if isinstance(each, ast.Name)]


def _text(node: ast.stmt, behind: ast.stmt | None) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return ast.get_docstring(node) or ""
    value = behind.value if isinstance(behind, ast.Expr) else None
    is_text = isinstance(value, ast.Constant) and isinstance(value.value, str)
    return str(value.value) if is_text and isinstance(value, ast.Constant) else ""


def _is_overload(node: ast.stmt) -> bool:
    return "overload" in _decorators(node)


def _decorators(node: ast.stmt) -> list[str]:
    found: list[ast.expr] = getattr(node, "decorator_list", [])
    return [ast.unparse(each) for each in found]


@cache
def fields(of: Definition) -> list[Option]:
    """The fields, properties and methods of a class that users read, each with what is said of it."""
    listed = read(of.text).parts
    found: list[Option] = []
    for node, behind in _statements(of.node):
        for name in _defined(node):
            if name.startswith("_") or _is_overload(node):
                continue
            told = listed.get(name) or read(_text(node, behind)).summary
            if isinstance(node, ast.AnnAssign):
                found.append(_field(of.module, name, node, told))
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                is_method = "property" not in _decorators(node)
                found.append(Option(f"{name}()" if is_method else name, "", "", told))
    return found


def _field(module: str, name: str, node: ast.AnnAssign, told: str) -> Option:
    parts = _annotated(node.annotation)
    docs = [
        each for each in parts if isinstance(each, ast.Call) and ast.unparse(each.func) == "Doc"
    ]
    kinds = [_written(module, each) for each in parts if each not in docs]
    kind = kinds[0] if len(kinds) == 1 else f"Annotated[{', '.join(kinds)}]"
    said = [str(ast.literal_eval(each.args[0])) for each in docs]
    return Option(name, kind, _value(module, node.value), " ".join([told, *said]).strip())


def _annotated(kind: ast.expr) -> list[ast.expr]:
    """The type and the metadata of an annotation."""
    if isinstance(kind, ast.Subscript) and ast.unparse(kind.value) == "Annotated":
        assert isinstance(kind.slice, ast.Tuple)
        return kind.slice.elts
    return [kind]


def _value(module: str, node: ast.expr | None) -> str | None:
    """The default that *node* stands for: that of a ``field(...)``, the value of a constant."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "field":
        given = {each.arg: each.value for each in node.keywords}
        factory = given.get("default_factory")
        if isinstance(factory, ast.Lambda):
            return _value(module, factory.body)
        if factory is not None:
            made = ast.unparse(factory)
            return "{}" if made.startswith("dict") else f"{made}()"
        return _value(module, given.get("default"))
    if isinstance(node, ast.Name) and node.id.isupper():
        constant = definition(module, node.id)
        assert isinstance(constant.node, ast.Assign | ast.AnnAssign)
        return _value(constant.module, constant.node.value)
    return None if node is None else _written(module, node)


@cache
def options(of: Definition) -> list[Option]:
    """The parameters of a function; those of a class are its fields. What the overloads of a function agree on is said as they say it."""
    if isinstance(of.node, ast.ClassDef):
        return [each for each in fields(of) if each.kind]
    _, tree = _source(of.module)
    every = [node for node, _ in _statements(tree) if of.name in _defined(node)]
    # an overload that takes ``**options`` takes those of the first, which has their defaults
    overloads: list[dict[str, tuple[str, str | None]]] = []
    for node in filter(_is_overload, every):
        parameters = _parameters(of.module, node)
        if overloads and isinstance(node, ast.FunctionDef) and node.args.kwarg is not None:
            parameters = overloads[0] | parameters
        overloads.append(parameters)
    listed = read(of.text).parts
    return [
        _agreed(name, kind, default, overloads, listed.get(name, ""))
        for name, (kind, default) in _parameters(of.module, of.node).items()
    ]


def _agreed(
    name: str,
    kind: str,
    default: str | None,
    overloads: list[dict[str, tuple[str, str | None]]],
    told: str,
) -> Option:
    given = [each[name] for each in overloads if name in each]
    kinds = {each for each, _ in given}
    defaults = {each for _, each in given if each not in (None, "...")}
    if given and len(given) == len(overloads) and not any(each for _, each in given):
        default, kind = None, kind.removesuffix(" | None")
    elif len(defaults) == 1:
        (default,) = defaults
    is_agreed = len(kinds) == 1 and len(given) == len(overloads)
    return Option(name, kinds.pop() if is_agreed else kind, default, told)


def _parameters(module: str, node: ast.stmt) -> dict[str, tuple[str, str | None]]:
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    given = node.args
    positional = [*given.posonlyargs, *given.args]
    absent: list[ast.expr | None] = [None] * (len(positional) - len(given.defaults))
    defaults = [*absent, *given.defaults, *given.kw_defaults]
    return {
        each.arg: (
            "" if each.annotation is None else _written(module, each.annotation),
            _value(module, default),
        )
        for each, default in zip([*positional, *given.kwonlyargs], defaults, strict=True)
    }


def _written(module: str, node: ast.expr) -> str:
    """*node* as the module has it, on one line."""
    lines = _lines(module)[node.lineno - 1 : node.end_lineno]
    lines[-1] = lines[-1][: node.end_col_offset]  # first, since there may be one line
    lines[0] = lines[0][node.col_offset :]
    segment = " ".join(b" ".join(lines).decode().split())
    return re.sub(r"MappingProxyType\((\{[^{}]*\})\)", r"\1", segment)


@cache
def _lines(module: str) -> list[bytes]:
    """The lines of a module as bytes, in which offsets are counted."""
    text, _ = _source(module)
    return text.encode().splitlines()
