"""
The law of hostile contracts: whatever stands in one, what is generated of it is code that says what was generated, and nothing else.

All names and texts try to end what they stand in, and to call ``pwned()``. Python parses, and is imported without calling it;
TypeScript consists of tokens, and it is never called in them either. A contract may be refused, too, with a place in it.
"""

import ast
import builtins
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any, Final, TypeVar

import orjson
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from contract.client import Schema
from contract.codegen.package import package_of
from contract.codegen.python import python_client, python_validators
from contract.codegen.typescript import typescript_client, typescript_validators
from contract.document.contract_json import load_contract
from contract.shape.exceptions import GenerationError
from tests.documents import text
from tests.effort import examples
from tests.golden.hostile_names import CODES, FIELDS, ROUTES, TEXTS, TYPES
from tests.python_clients import module_of
from tests.strategies import LARGE
from tests.typescript_tokens import tokens
from tests.words import words

Json = dict[str, Any]
T = TypeVar("T")

# What stands in a contract.

_ENDS: Final = (
    *words(r""" " ' \" ` ${ } */ /* // # \ """ + "'''"),
    *('"""', "\n", "\r\n", "\u2028", "\u2029", "\x00", "\x85", "\x0c"),
)
_CALLS: Final = (
    *words(r"""pwned() ";pwned();" ');pwned();(' */pwned();/* ${pwned()} `;pwned();` {pwned()}"""),
    *("\npwned()\n", '"\npwned()\n"', '"""\npwned()\n"""', "\\\npwned()", '\\";pwned()//'),
    *("\u202epwned()\u2066", "@ts-nocheck", "# type: ignore", "%s {0}", "</script>"),
    "-*- coding: utf-7 -*- +ACI-pwned()+ACI-",
)
_HOSTILE: Final = st.one_of(
    st.sampled_from([*_CALLS, *TEXTS, *FIELDS]),
    st.lists(st.sampled_from([*_ENDS, *_CALLS, "a", " "]), min_size=1, max_size=5).map("".join),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=8),
    st.text(st.characters(categories=["Cc", "Cf", "Zl", "Zp", "Mn", "Lo"]), min_size=1, max_size=4),
)
_NAMES: Final = st.lists(_HOSTILE, min_size=1, max_size=5, unique=True)
_PATTERNS: Final = st.sampled_from(
    ["^[\"'`]$", "[*]/", r"\$\{pwned\(\)\}", r"^[\\]+$", '^(a|""")$', "//", "\u2028"]
)
_INTEGERS: Final = st.sampled_from([0, -1, 2**53, 2**63 - 1, -(2**63), 2**64 - 1])


def _json() -> st.SearchStrategy[Any]:
    floats = st.floats(allow_nan=False, allow_infinity=False)
    leaves = st.one_of(st.none(), st.booleans(), _INTEGERS, floats, _HOSTILE)
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_HOSTILE, inner, max_size=2),
        max_leaves=4,
    )


_REFERENCES: Final = st.sampled_from([f"D{index}" for index in range(3)]).map(
    lambda name: {"$ref": f"#/$defs/{name}"}
)


@st.composite
def _records(draw: st.DrawFn, inner: st.SearchStrategy[Json]) -> Json:
    names = draw(_NAMES)
    properties: Json = {}
    for name in names:
        notes: Json = {
            "description": draw(_HOSTILE),
            "default": draw(_json()),
            "examples": [draw(_json())],
            "x-contract-name": draw(_HOSTILE),
        }
        chosen = draw(st.sets(st.sampled_from(sorted(notes))))
        properties[name] = {**draw(inner), **{key: notes[key] for key in sorted(chosen)}}
    required = [name for name in names if draw(st.booleans())]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
        "x-contract-order": names,
    }


def _tagged(tags: list[str], records: list[Json], attribute: str) -> Json:
    members = []
    for tag, record in zip(tags, records, strict=False):
        properties = {**record["properties"], attribute: {"type": "string", "const": tag}}
        rest = {"required": [attribute], "x-contract-order": [*properties]}
        members.append({**record, "properties": properties, **rest})
    return {"oneOf": members}


def _schemas() -> st.SearchStrategy[Json]:
    listed = st.lists(
        st.one_of(_HOSTILE, _INTEGERS, st.booleans()),
        min_size=1,
        max_size=4,
        unique_by=lambda value: (type(value), value),
    )
    leaves: st.SearchStrategy[Json] = st.one_of(
        st.just({"type": "string"}),
        st.just({}),
        st.just({"type": "integer", "maximum": 2**64 - 1}),
        _PATTERNS.map(lambda pattern: {"type": "string", "pattern": pattern}),
        listed.map(lambda values: {"enum": values}),
        _NAMES.flatmap(
            lambda names: st.permutations(names).map(
                lambda values: {"type": "string", "enum": values, "x-contract-enum-names": names}
            )
        ),
        _REFERENCES,
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            _records(inner),
            inner.map(lambda item: {"type": "array", "items": item}),
            inner.map(lambda value: {"type": "object", "additionalProperties": value}),
            inner.map(lambda of: {"anyOf": [of, {"type": "null"}]}),
            st.builds(_tagged, _NAMES, st.lists(_records(inner), min_size=2, max_size=3), _HOSTILE),
            _NAMES.flatmap(lambda names: st.builds(_named_tuple, st.just(names), inner)),
        ),
        max_leaves=6,
    )


def _named_tuple(names: list[str], item: Json) -> Json:
    prefix = [{**item, "x-contract-name": name, "description": name} for name in names]
    return {
        "type": "array",
        "x-contract-type": "namedtuple",
        "prefixItems": prefix,
        "items": False,
        "maxItems": len(prefix),
    }


@st.composite
def contracts(draw: st.DrawFn) -> Json:
    """Contracts of hostile names and texts, as JSON."""
    schemas = _schemas()
    others = draw(st.lists(st.sampled_from(TYPES), max_size=3, unique=True))
    # a reference, or a union of some, could lead back to where it stands
    bodies = st.one_of(_records(schemas), schemas.map(lambda of: {"type": "array", "items": of}))
    defs = {
        name: {**draw(bodies), "title": draw(_HOSTILE), "description": draw(_HOSTILE)}
        for name in ("D0", "D1", "D2", *others)
    }
    data, codes = draw(_records(schemas)), [*CODES, "NETWORK_ERROR", "UNAUTHORIZED"]
    failing = {
        code: {
            "status": draw(st.sampled_from([400, 404, 409, 599])),
            "description": draw(_HOSTILE),
            **({"data": data, "data_required": True} if draw(st.booleans()) else {}),
        }
        for code in draw(st.lists(st.sampled_from(codes), max_size=3, unique=True))
    }
    routes = {
        name: {
            "path": name,
            "method": "POST",
            "summary": draw(_HOSTILE),
            "description": draw(_HOSTILE),
            "tags": [draw(_HOSTILE)],
            "auth": "bearer",
            "scope": "public",
            "effect": draw(st.sampled_from(["read", "write"])),
            "deprecated": {},
            "input": draw(schemas),
            "output": draw(
                schemas
                | st.builds(
                    lambda item, errors: {"stream": item, "errors": errors},
                    schemas,
                    st.sampled_from([{}, failing]),
                )
            ),
            "errors": failing,
        }
        for name in draw(st.lists(st.sampled_from(ROUTES), min_size=1, max_size=3, unique=True))
    }
    return {
        "contract": "1.0",
        "info": {"title": draw(_HOSTILE), "version": draw(_HOSTILE), "description": draw(_HOSTILE)},
        "ui": {},
        "links": {},
        "$defs": defs,
        "errors": failing,
        "exports": {
            name: draw(_REFERENCES)
            for name in draw(st.lists(st.sampled_from(TYPES), max_size=3, unique=True))
        },
        "routes": routes,
    }


# What is generated.

_BUILT_IN: Final = "bool bytes dict float frozenset int list object set str super tuple type"
_IMPORTED: Final = {
    *words("__future__ annotated_types collections.abc contract.client dataclasses datetime"),
    *words("decimal enum functools typing typing_extensions uuid"),
    *(f"builtins.{name}" for name in words(_BUILT_IN)),
}


def imported(tree: ast.Module) -> Iterator[str]:
    """The modules that *tree* imports, and the names of what is built in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "builtins":
            yield from (f"builtins.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)


def called(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


@pytest.fixture(autouse=True, scope="module")
def pwned() -> Iterator[list[str]]:
    """A function that all of them would call."""
    calls: list[str] = []
    space: Any = vars(builtins)
    space["pwned"] = lambda *_: calls.append("pwned")
    yield calls
    del space["pwned"]


def hidden(source: str) -> set[str]:
    """The characters that cannot be seen, or move others."""
    unseen = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    return {char for char in source if unicodedata.category(char) in unseen}


def check_python(source: str, calls: list[str]) -> None:
    tree = ast.parse(source)

    assert {*imported(tree)} <= _IMPORTED
    assert "pwned" not in {*called(tree)}
    assert hidden(source) <= {"\n"}
    with module_of(source) as module:
        assert {*module.__all__} <= {*vars(module)}
        for schema in vars(module.schemas).values():
            for each in [schema] if isinstance(schema, Schema) else [schema.input, schema.output]:
                assert each.pred.dump is not None  # the runtime takes the type
    assert not calls


def check_typescript(source: str) -> None:
    assert hidden(source) <= {"\n"}
    code = [token for kind, token in tokens(source) if kind not in ("comment", "text")]

    assert not [token for token, after in pairwise(code) if token == "pwned" and after == "("]
    assert not [token for token in code if "pwned(" in token]


def unless_refused(make: Callable[[], T]) -> T | None:
    """What is made, or None if the contract is refused, with a place in it."""
    try:
        return make()
    except GenerationError as refused:
        event(f"refused: {refused.problem[:40]}")
        return None


@settings(max_examples=examples(30), suppress_health_check=LARGE)
@given(contracts())
def test_what_is_made_is_code_and_no_text_of_the_contract(pwned: list[str], contract: Json) -> None:
    package = unless_refused(lambda: package_of(load_contract(text(contract))))
    if package is None:
        return
    for generate in (python_client, python_validators):
        python = unless_refused(partial(generate, package))
        if python is not None:
            event(f"{generate.__name__} is made")
            check_python(python, pwned)
    with_texts = partial(typescript_client, dates="string")
    for written in (typescript_client, with_texts, typescript_validators):
        typescript = unless_refused(partial(written, package))
        if typescript is not None:
            event("TypeScript is made")
            check_typescript(typescript)


@settings(max_examples=examples(10), suppress_health_check=LARGE)
@given(contracts(), st.randoms(use_true_random=False))
def test_the_order_in_a_contract_does_not_matter(contract: Json, random: Random) -> None:
    """Of one contract there is one client, however its keys are sorted."""

    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            keys = [*value]
            random.shuffle(keys)
            return {key: shuffled(value[key]) for key in keys}
        return [*map(shuffled, value)] if isinstance(value, list) else value

    def generated(each: Json) -> list[str | None] | None:
        package = unless_refused(lambda: package_of(load_contract(orjson.dumps(each))))
        if package is None:
            return None
        clients = (python_client, typescript_client)
        return [unless_refused(partial(generate, package)) for generate in clients]

    assert generated(contract) == generated(shuffled(contract))


def test_a_call_would_be_found(pwned: list[str]) -> None:
    """The law does not hold of everything."""
    for code, calls in (("pwned()", []), ("import os", []), ('exec("pw" + "ned()")', pwned)):
        with pytest.raises(AssertionError):
            check_python(f"__all__ = ()\nclass Nothing: ...\nschemas = Nothing()\n{code}", calls)
    for code in ('"" + pwned();', "`${pwned()}`;"):
        with pytest.raises(AssertionError):
            check_typescript(code)
    pwned.clear()
