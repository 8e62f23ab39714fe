"""
Renames: what generated code has under another name, or not at all, though the wire is the same.

The name of a type, a method or an option depends on all others: a second use makes ``Slice_str`` a
``Slice[T]``, and a new way in may take the option ``token``. A document does not show these names,
so `contract.document.diff` cannot tell of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeVar

from contract.codegen.generics import Generic
from contract.codegen.package import Package, package_of
from contract.codegen.python import methods
from contract.codegen.python.naming import naming_of, reach_of
from contract.codegen.typescript import routes
from contract.codegen.typescript.scope import scope_of
from contract.document.diff.changes import Change, step_of
from contract.document.model import Document
from contract.shape.exceptions import GenerationError
from contract.shape.record import record
from contract.shape.schema_lens import as_schema, mapping, text_in

__all__ = ["renamed"]

T = TypeVar("T")


@record
class _Part:
    """A part of generated code."""

    path: str
    """The part of the document that it is made of, as in `Change.path`."""
    role: str
    """Its kind: a type, a method."""
    route: str | None = None
    type: str | None = None
    told: str | None = None
    """Its name as the document gives it; `contract.document.diff` tells if that changes."""


_Names = Mapping[_Part, str]


def renamed(old: Document, new: Document, known: Collection[Change]) -> Iterator[Change]:
    """
    The changes of names in generated clients that the documents do not show.

    Args:
        old: The old document.
        new: The new one.
        known: The changes that the documents show.
    """
    try:
        before = package_of(old).for_clients()
    except GenerationError:
        return  # nobody has a client
    try:
        after = package_of(new).for_clients()
    except GenerationError as error:
        path = error.path.removeprefix("$.")
        text = f"no clients can be generated any more: {error.problem}"
        yield Change(kind="not_generated", level="source", path=path, text=text)
        return
    told = {change.old for change in known if change.kind == "type_renamed"}
    kept = {*reach_of(_kept(before, after), clients=True).types} - told
    languages: dict[tuple[_Part, str, str | None], list[str]] = {}
    # A name that changes alike in several languages is one change. A part that is gone with its
    # place in the document is not told here: the document shows that.
    for language, names in _LANGUAGES.items():
        was, now = names(before), names(after)
        for part, name in was.items():
            has_place = part.role == "option" or (part.role == "type" and part.type in kept)
            is_gone = part not in now and has_place and name not in now.values()
            if is_gone or now.get(part, name) != name:
                languages.setdefault((part, name, now.get(part)), []).append(language)
    for (part, name, other), found in languages.items():
        yield _change(part, name, other, " and ".join(found))


def _kept(before: Package, after: Package) -> Package:
    """The package *before* with only the routes, exports and events that are in *after*, too."""
    return replace(
        before,
        operations=_common(before.operations, after.operations),
        exports=_common(before.exports, after.exports),
        events=_common(before.events, after.events),
    )


def _common(old: Mapping[str, T], new: Mapping[str, T]) -> dict[str, T]:
    return {name: each for name, each in old.items() if name in new}


def _change(part: _Part, was: str, now: str | None, languages: str) -> Change:
    if now is None:
        kind = "removed_from_code"
        text = f"the {part.role} {was} is gone from generated {languages}"
    else:
        kind = "renamed_in_code"
        text = f"in generated {languages} the {part.role} is {now}, was {was}"
        text += "; on the wire nothing changes"
    return Change(
        kind=kind,
        level="source",
        path=part.path,
        text=text,
        route=part.route,
        type=part.type,
        old=was,
        new=now,
    )


def _in_python(package: Package) -> _Names:
    reach = reach_of(package, clients=True)
    naming = naming_of(package, reach, clients=True)
    names = _types(package, reach.types, {**naming.types, **naming.aliases}, naming.made, "{}[{}]")
    names |= _exports(naming.aliases)
    for export, attribute in naming.exports.items():
        names[_Part(f"exports{step_of(export)}", "validator")] = f"schemas.{attribute}"
    for code, written in naming.failures.items():
        names[_Part(f"errors{step_of(code)}", "failure")] = written
    for type_ in package.document.defs.keys() & {*reach.types, *reach.data}:
        properties = mapping(package.document.defs[type_].get("properties"))
        for wire in naming.fields[type_].keys() & properties.keys():
            path = f"$defs{step_of(type_)}{step_of(wire)}"
            told = text_in(as_schema(properties[wire]), "x-contract-name")
            names[_Part(path, "field", type=type_, told=told)] = naming.fields[type_][wire]
    for name, operation in package.operations.items():
        path, group = f"routes{step_of(name)}", operation.route.group
        names[_Part(path, "method", name, told=group)] = naming.path(operation.route)
        names[_Part(path, "validator", name)] = f"schemas.{naming.routes[name]}"
        if operation.input is not None:
            form = "one argument"
            if methods.is_record(operation.input):
                form = "an argument for each field"
            names[_Part(f"{path}.input", "input", name)] = form
        for part, parameter in methods.file_parameters(operation, naming).items():
            told = operation.route.files[part].name
            names[_Part(f"{path}.files{step_of(part)}", "argument", name, told=told)] = parameter
    return names | _options(methods.option_names(package.ways))


def _in_typescript(package: Package) -> _Names:
    scope = scope_of(package, "Date")
    reach = reach_of(package, clients=True)
    written = {*reach.types, *reach.data}
    names = _types(package, written, {**scope.types, **scope.aliases}, scope.made, "{}<{}>")
    names |= _exports(scope.aliases)
    for name, operation in package.operations.items():
        path, group = f"routes{step_of(name)}", operation.route.group
        names[_Part(path, "method", name, told=group)] = scope.path(operation.route)
        names[_Part(path, "function", name)] = scope.functions[name]
        names[_Part(path, "validator", name)] = f"schemas.{scope.schemas[name]}"
    return names | _options(routes.option_names(package.ways))


def _types(
    package: Package,
    written: Collection[str],
    names: Mapping[str, str],
    made: Mapping[str, Generic],
    form: str,
) -> dict[_Part, str]:
    """
    The types that are *written*, of those that the document names.

    Args:
        package: The package.
        written: Their names in it.
        names: Their names, and those of generic types, in the language.
        made: Type -> the generic type that it is made from.
        form: How the language writes the name and the parameters of a generic type.
    """
    found: dict[_Part, str] = {}
    for name in package.document.defs.keys() & {*written}:
        generic = made.get(name)
        if name in names or generic is None:
            whole = names[name]
        else:
            parameters = ", ".join(each.name.strip("<>") for each in generic.parameters)
            whole = form.format(names[generic.definition.name], parameters)
        found[_Part(f"$defs{step_of(name)}", "type", type=name)] = whole
    return found


def _exports(aliases: Mapping[str, str]) -> dict[_Part, str]:
    """The second names of types that are exported."""
    return {_Part(f"exports{step_of(name)}", "type"): alias for name, alias in aliases.items()}


def _options(names: Mapping[str, str]) -> dict[_Part, str]:
    """The options of a client for its credentials, by their ways in."""
    return {_Part(f"ways{step_of(way)}", "option"): option for way, option in names.items()}


_LANGUAGES: Final[Mapping[str, Callable[[Package], _Names]]] = {
    "Python": _in_python,
    "TypeScript": _in_typescript,
}
