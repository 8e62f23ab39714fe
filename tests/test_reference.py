"""
The reference: what its pages take from the code is what the code says today.

``python -m tests.reference`` writes it anew.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any, Final

import orjson
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from contract import DocumentError, dump_contract, emit_contract, load_contract, pred_of
from examples.helpdesk import v1, v2
from tests.golden.specs import CASES
from tests.reference.files import HERE, SECTIONS, generated, sections
from tests.reference.wire import types

SCHEMA: Final = json.loads((HERE / "contract.schema.json").read_text("utf-8"))
VALIDATOR: Final = Draft202012Validator(SCHEMA)


def test_the_pages_say_what_the_code_says() -> None:
    """Where they are to say it otherwise, ``python -m tests.reference`` writes them again; read them."""
    stale = [name for name, text in generated().items() if (HERE / name).read_text("utf-8") != text]

    assert stale == []
    assert sorted(sections()) == sorted(SECTIONS)


def test_everything_public_says_what_it_is() -> None:
    """A row without a sentence is a docstring that is missing."""
    text = (HERE / "names.md").read_text("utf-8") + (HERE / "options.md").read_text("utf-8")

    assert re.findall(r"^\| .*\|  \|$", text, re.MULTILINE) == []


def test_the_examples_of_scalars_are_values() -> None:
    for annotation, example in types().values():
        pred_of(annotation).load(json.dumps(example).encode())


@pytest.mark.unwatched
@pytest.mark.parametrize("case", [*CASES, "helpdesk 1", "helpdesk 2"])
def test_the_schema_takes_what_is_emitted(case: str) -> None:
    examples = {"helpdesk 1": v1.api, "helpdesk 2": v2.api}
    text = emit_contract(examples[case]) if case in examples else dump_contract(CASES[case]())

    assert [error.message for error in VALIDATOR.iter_errors(json.loads(text))] == []


# The schema and the reader, on documents that are broken in one place.

_MAPS: Final = frozenset(
    {"$defs", "errors", "events", "exports", "files", "mapping", "properties", "routes", "ways"}
)
"""Keys of objects whose own keys are names."""

_VALUES: Final[tuple[Any, ...]] = (None, True, -7, "\u00a7", ["\u00a7"], {"\u00a7": 1})

_LOCAL: Final = re.compile(
    "this has to be |the key .* is missing|this does not match|this is not one of (?!the properties)|this is not from"
    "|this keyword is not known|this is not a valid name|a reference is written|there has to be at least"
)
"""Problems for which nobody has to look at a second place, which a schema cannot do."""


def small(document: dict[str, Any]) -> dict[str, Any]:
    """*document* with one route of each kind, and the types that these need."""
    kinds = {str(sorted(each)): name for name, each in document["routes"].items()}
    routes = {name: document["routes"][name] for name in kinds.values()}
    document = {**document, "routes": routes, "exports": {}}
    kept: dict[str, Any] = {}
    wanted = {*re.findall(r"#/\$defs/(\w+)", json.dumps({**document, "$defs": {}}))}
    while wanted:
        kept |= {name: document["$defs"][name] for name in wanted}
        wanted = {*re.findall(r"#/\$defs/(\w+)", json.dumps(kept))} - kept.keys()
    return {**document, "$defs": kept}


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place in *value* but for its root, as a path."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*path, key)
            yield from places(inner, (*path, key))


def kind_of(path: tuple[str | int, ...]) -> tuple[str, ...]:
    """The end of *path*, without names."""
    shown = [
        "*" if isinstance(key, int) or (n and path[n - 1] in _MAPS) else key
        for n, key in enumerate(path)
    ]
    return tuple(shown[-3:])


def broken(document: Any, path: tuple[str | int, ...]) -> Iterator[Any]:
    """*document* without what stands at *path*, and with other things there."""
    for value in (..., *_VALUES):
        copied = copy.deepcopy(document)
        around = copied
        for key in path[:-1]:
            around = around[key]
        if value is ...:
            del around[path[-1]]
        else:
            around[path[-1]] = value
        yield copied


def alone(document: dict[str, Any], path: tuple[str | int, ...]) -> dict[str, Any]:
    """*document* with nothing of what the schema looks at apart from *path*, for speed."""
    top, *inner = path
    if not inner or top not in _MAPS:
        return document
    empty: dict[str, Any] = {key: {} for key in document if key in _MAPS}
    return (
        document
        | empty
        | {top: {key: each for key, each in document[top].items() if key == inner[0]}}
    )


def problem_of(document: Any) -> str | None:
    """What the reader says against *document*."""
    try:
        load_contract(orjson.dumps(document))
    except DocumentError as refused:
        return str(refused)
    return None


@pytest.mark.unwatched
def test_the_schema_refuses_what_the_reader_refuses() -> None:
    """Both agree on every document that differs from an emitted one in one place."""
    seen: set[tuple[str, ...]] = set()
    disagreements: list[tuple[tuple[str | int, ...], str | None]] = []
    for make in CASES.values():
        document = small(json.loads(dump_contract(make())))
        for path in places(document):
            if kind_of(path) in seen:
                continue
            seen.add(kind_of(path))
            for each in broken(document, path):
                problem = problem_of(each)
                is_valid = VALIDATOR.is_valid(alone(each, path))
                is_local = problem is not None and _LOCAL.search(problem) is not None
                if (problem is None and not is_valid) or (is_local and is_valid):
                    disagreements.append((path, problem))

    assert len(seen) > 100
    assert disagreements == []
