"""
The law: of any spec there is an OpenAPI document, valid to a validator of others, and the same after contract.json was read back.

Its schemas, which are written for tools that do not know all of JSON Schema, take what those of contract.json take.
"""

import json
from functools import cache
from typing import Any, Final

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openapi_spec_validator import OpenAPIV31SpecValidator

from contract import emit_contract, emit_openapi, exports, route, spec
from contract.document.contract_json import canonical, load_contract
from contract.document.openapi import openapi
from tests import vectors
from tests.effort import examples
from tests.oracle import is_valid
from tests.property.test_declared_failure_arrives import failure_class
from tests.strategies import LARGE, types

NAMES = st.from_regex(r"\A[A-Za-z][A-Za-z0-9_.-]{0,20}\Z")
SEEN = st.characters(codec="utf-8", exclude_categories=["C", "Z"])
TEXTS = st.text(SEEN, min_size=1, max_size=20)


@settings(max_examples=examples(15), suppress_health_check=LARGE)
@given(st.data())
def test_any_spec_has_a_valid_openapi_document(data: st.DataObject) -> None:
    labels = ("input", "output", "data")
    taken, given_, told = (data.draw(types(one_way=True), label=label) for label in labels)
    fields = {"told": told} if data.draw(st.booleans()) else {}
    failure = failure_class(data.draw(st.integers(400, 599), label="status"), fields)

    def resolver(input: Any, ctx: Any) -> Any: ...

    def failing(input: None, ctx: None) -> Any: ...

    resolver.__annotations__ |= {"input": taken, "return": given_}
    failing.__annotations__["return"] = int | failure
    names = data.draw(st.lists(NAMES, min_size=2, max_size=2, unique=True), label="names")
    api = spec(
        authenticate=lambda token, _request: token,
        routes={
            name: route(
                summary=data.draw(TEXTS, label="summary"),
                tags=data.draw(st.lists(TEXTS, min_size=1, max_size=3, unique=True), label="tags"),
                auth=data.draw(st.sampled_from(["none", "bearer"]), label="auth"),
                description=data.draw(st.none() | TEXTS, label="description"),
            )(function)
            for name, function in zip(names, (resolver, failing), strict=True)
        },
        exports=exports(Exported=told),
    )

    document = emit_openapi(api, server="/v1")
    OpenAPIV31SpecValidator(orjson.loads(document)).validate()
    assert canonical(openapi(load_contract(emit_contract(api)), server="/v1")) == document


ROUTES: Final = {name: rows for name, rows in vectors.read().items() if name != "none"}


@cache
def emitted() -> tuple[dict[str, Any], dict[str, Any]]:
    """contract.json and the OpenAPI document of a route for each kind of type."""
    contract, api = emit_contract(vectors.api), emit_openapi(vectors.api, server="/")
    return orjson.loads(contract), orjson.loads(api)


def is_readable(text: str) -> bool:
    """Whether it is JSON, and not deeper than validators of others bear."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return text.count("[") + text.count("{") < 100


@pytest.mark.parametrize("name", ROUTES)
def test_schemas_of_openapi_take_the_same(name: str) -> None:
    contract, api = emitted()
    call = api["paths"][f"/{name}"]["post"]
    body, answer = call["requestBody"], call["responses"]["200"]
    sides = {"input": body, "output": answer}
    texts = [text for text, _ in ROUTES[name] if is_readable(text)]

    for side, written in sides.items():
        ours = {**contract["routes"][name][side], "$defs": contract["$defs"]}
        schema = written["content"]["application/json"]["schema"]
        theirs = {**schema, "components": api["components"]}
        for text in texts[::8]:
            assert is_valid(theirs, json.loads(text)) == is_valid(ours, json.loads(text)), text
