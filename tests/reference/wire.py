"""The parts of the reference that are made of tables: types, issues and failures."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any, Final

from annotated_types import Ge, Len, MultipleOf, Timezone

from contract import GERMAN, Pattern, UnsupportedAnnotation, pred_of, spec
from contract.codegen.package import package_of
from contract.codegen.typescript.declarations import type_of
from contract.codegen.typescript.scope import Scope, scope_of
from contract.declare.failures import BUILTINS, CLIENT_CODES, FRAMEWORK
from contract.document import json_schema, model
from contract.document.emit import document_of
from contract.shape.issues import CODES, Issue, issue, to_json
from contract.shape.nodes import OwnShape
from contract.shape.own_texts import OWN_TEXTS
from contract.shape.python_types import _NAMES
from contract.shape.reader import shape_of
from contract.shape.scalars import ROWS, Row
from contract.shape.sentences import SENTENCES
from tests.reference.markdown import code, prose, table
from tests.reference.source import definition, options, read
from tests.vectors import read as read_vectors

__all__ = ["builtins", "codes", "issues", "patterns", "scalars", "types", "words"]


# Types.


def types() -> dict[str, tuple[Any, Any]]:
    """How a scalar is written in Python -> the annotation, and an example as JSON."""
    own = {f"contract.{cls.__name__}": cls for cls in OWN_TEXTS.values()}
    ready = {
        name: getattr(import_module(name.rpartition(".")[0]), name.rpartition(".")[2])
        for name in _NAMES.values()
    }
    return {
        **{row.label: (_annotation(row), _sample(row)) for row in ROWS.values()},
        **{name: (cls, _example(cls)) for name, cls in {**own, **ready}.items()},
    }


def _annotation(row: Row) -> Any:
    return row.python if row.marker is None else Annotated[row.python, row.marker]


def _sample(row: Row) -> Any:
    return row.forms[0].sample if row.forms else row.samples[0]


def _example(cls: type[Any]) -> Any:
    shape = shape_of(cls)
    assert isinstance(shape, OwnShape)
    return shape.examples[0] if shape.examples else "text"


_CONSTRAINTS: Final[Mapping[str, Callable[[Any], object]]] = {
    "`Ge`, `Gt`, `Le`, `Lt`": Ge,
    "`MultipleOf`": lambda _: MultipleOf(1),
    "`Len`": lambda _: Len(1, 9),
    "`Pattern`": lambda _: Pattern("^.+$"),
    "`Timezone`": lambda _: Timezone(...),
}
"""Each group of constraints -> one of it, for a type with such a value."""


def scalars() -> str:
    """The scalars: in Python, on the wire, in TypeScript."""
    scope = scope_of(package_of(document_of(spec(routes=[]))), "Date")
    return table(
        (
            "Python",
            "JSON",
            "`format`, or `x-contract-type`",
            "constraints",
            "key",
            "TypeScript",
            "example",
        ),
        [[*_row(name, *each, scope)] for name, each in types().items()],
    )


def _row(name: str, annotation: Any, example: Any, scope: Scope) -> Iterator[str]:
    shape = shape_of(annotation)
    schema = json_schema.SchemaWriter({}).schema(shape, "input")
    yield code(name)
    yield schema["type"] + _within(schema)
    yield ", ".join(code(schema[key]) for key in ("format", "x-contract-type") if key in schema)
    yield ", ".join(
        name
        for name, make in _CONSTRAINTS.items()
        if _is_taken(annotation, make(_value(annotation, example)))
    )
    yield "yes" if _is_taken(dict[annotation, None]) else ""
    yield code(type_of(shape, scope))
    yield code(json.dumps(example, ensure_ascii=False))


def _within(schema: Mapping[str, Any]) -> str:
    """The limits that the type has by itself."""
    if "maxLength" in schema:
        return f", at most {schema['maxLength']:,} characters"
    if "maximum" in schema:
        return f" from {schema['minimum']} to {schema['maximum']}"
    return ""


def _value(annotation: Any, example: Any) -> Any:
    return pred_of(annotation).load(json.dumps(example).encode())


def _is_taken(annotation: Any, *constraints: object) -> bool:
    try:
        shape_of(Annotated[annotation, *constraints] if constraints else annotation)
    except UnsupportedAnnotation:
        return False
    return True


def patterns() -> str:
    """The patterns of the scalars that are texts of a form."""
    parts: list[str] = []
    for name, (annotation, _) in types().items():
        schema = json_schema.SchemaWriter({}).schema(shape_of(annotation), "input")
        if "pattern" in schema:
            parts += [name, f"    {schema['pattern']}"]
    return "\n".join(["```text", *parts, "```"])


# Issues.


def issues() -> str:
    """Every code of an issue: its sentences, its params and an example."""
    examples = _examples()
    return "\n\n".join(
        part for name in CODES for part in (f"## {code(name)}", *_issue(name, examples))
    )


def _issue(name: str, examples: Mapping[str, tuple[str, Issue]]) -> Iterator[str]:
    variants = [key for key in SENTENCES if key.partition(".")[0] == name]
    yield table(
        ("where", "English", "German"),
        ((_where(key), SENTENCES[key], GERMAN[key]) for key in variants),
    )
    params = _params(SENTENCES[key] for key in variants)
    if len(variants) > 1:
        params = [*dict.fromkeys([_told_by(name), *params])]
    if params:
        yield f"Params: {', '.join(map(code, params))}"
    body, found = examples.get(name) or ("", _made_up(name, params))
    if body:
        yield f"The body {code(body)} is refused with:"
    yield f"```json\n{json.dumps(to_json(found), ensure_ascii=False)}\n```"


_PARAMS: Final[Mapping[str, Any]] = {"allowed": ["a", "b"], "expected": "string", "found": "string", "meant": "a"}  # fmt: skip
"""Values of params that are not numbers."""


def _made_up(name: str, params: Iterable[str]) -> Issue:
    """An issue that no document of `tests/vectors.json` is refused with."""
    given = {
        param: _PARAMS.get(param, 10) for param in params if param not in ("closest", "reason")
    }
    return issue(name, **given)


def _where(key: str) -> str:
    name, _, variant = key.partition(".")
    return f"{code(_told_by(name))} is {code(json.dumps(variant))}" if variant else ""


def _told_by(name: str) -> str:
    """The param that names the variant of a code."""
    return "found" if name.endswith("_type") else "reason"


def _params(sentences: Iterable[str]) -> list[str]:
    found = [name for text in sentences for name in re.findall(r"\{(\w+)", text)]
    return [*dict.fromkeys(found)]


def _examples() -> dict[str, tuple[str, Issue]]:
    """Code -> the shortest document that is refused with it and nothing else, as `tests/vectors.json` has them."""
    found: dict[str, tuple[str, Issue]] = {}
    for vectors in read_vectors().values():
        for body, told in vectors:
            if len(told) == 1:
                path, name, params, message = told[0]
                kept = found.get(name)
                if kept is None or len(body) < len(kept[0]):
                    found[name] = body, Issue(tuple(path), name, message, tuple(params.items()))
    return found


def words() -> str:
    """What else stands in the tables of sentences: the words for params."""
    return table(
        ("key", "English", "German"),
        ((code(key), told, GERMAN[key]) for key, told in SENTENCES.items() if ":" in key),
    )


# Failures.


def builtins() -> str:
    """The failures that every resolver may return."""
    rows: list[tuple[str, ...]] = []
    for cls in BUILTINS:
        found = definition("contract", cls.__name__)
        given = ", ".join(f"`{each.name}`" for each in options(found))
        rows.append(
            (
                code(cls.__name__),
                code(cls.error_code),
                str(cls.http_status),
                given,
                prose(read(found.text).summary),
            )
        )
    return table(("failure", "code", "status", "fields, all optional", "when"), rows)


def codes() -> str:
    """The codes that no resolver returns: the framework's, and those of clients."""
    errors = document_of(spec(routes=[])).errors
    rows = [
        (code(name), str(errors[name].status), errors[name].description, _data(errors[name]))
        for name in FRAMEWORK
    ]
    of_clients = [(code(name), "", told, "") for name, told in CLIENT_CODES.items()]
    return table(("code", "status", "when", "`data`"), [*rows, *of_clients])


def _data(error: model.ContractError) -> str:
    if error.data is None:
        return ""
    required = error.data["required"]
    return ", ".join(
        code(name) + ("" if name in required else " (not always)")
        for name in error.data["properties"]
    )
