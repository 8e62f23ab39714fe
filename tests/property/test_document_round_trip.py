"""
The laws of contract.json.

What is emitted of a spec is read as the document that it was, and written again to the byte.
Whatever else is read is refused, with its place, or is a document of which the same holds.
"""

from __future__ import annotations

import copy
import json
from typing import Any, Final

import orjson
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from contract import Failure, emit_contract, emit_openapi, exports, route, spec
from contract.document.contract_json import dump_contract, load_contract
from contract.document.describe import describe
from contract.shape.exceptions import DocumentError
from examples.shop.app import shop_api
from examples.shop.store import Store
from tests.documents import text, whole
from tests.strategies import LARGE, types
from tests.words import words

_TEXTS: Final = st.text(st.characters(codec="utf-8"), max_size=8)
_LINES: Final = _TEXTS.map(lambda drawn: f"a{'_'.join(drawn.split())}z")


class Small(Failure, status=410):
    code: int


class Bare(Failure):
    """Nothing more."""


@st.composite
def specs(draw: st.DrawFn) -> Any:
    """Specs of any types, routes and options."""
    named: dict[str, Any] = {}
    for index in range(draw(st.integers(1, 3))):

        def resolver(input: Any, ctx: Any) -> None: ...

        given_type = draw(st.one_of(st.none(), types(one_way=True)))
        output = draw(st.one_of(st.none(), types()))
        failures = draw(st.sampled_from([(), (Small,), (Bare, Small)]))
        for failure in failures:
            output = output | failure if output is not None else failure | None
        resolver.__annotations__ = {"input": given_type, "ctx": None, "return": output}
        decorate = route(
            summary=draw(_LINES),
            tags=[draw(_LINES)],
            description=draw(st.none() | _LINES),
            auth="none",
            scope=draw(st.sampled_from(["public", "private"])),
            effect=draw(st.sampled_from(["read", "idempotent", "write", "destructive"])),
            deprecated=draw(st.booleans()),
        )
        named[f"route{index}" + draw(st.sampled_from(["", ".v2", "-x", "_"]))] = decorate(resolver)
    shared = {"Shared": draw(types())} if draw(st.booleans()) else {}
    rename: Any = draw(st.sampled_from([None, "camel"]))
    return spec(routes=named, exports=exports(**shared), rename=rename)


@settings(suppress_health_check=LARGE)
@given(specs(), st.sampled_from(["public", "all"]))
def test_what_is_emitted_of_any_spec_is_read_and_written_again(api: Any, visibility: Any) -> None:
    data = emit_contract(api, visibility=visibility)
    document = load_contract(data)

    assert document == describe(api, visibility=visibility)
    assert dump_contract(document) == data
    assert json.loads(emit_openapi(api, visibility=visibility))["openapi"].startswith("3.1.")


# Documents that are spoilt.

_EMITTED: Final[tuple[Any, ...]] = (
    whole(),
    orjson.loads(emit_contract(shop_api(Store("unused.sqlite3")), visibility="all")),
)
_KNOWN: Final = words("a order NOT_FOUND #/$defs/Tree #/$defs/Card #/$defs/None 1.0")
_KEYWORDS: Final = words("$ref anyOf properties items type enum required data status errors Tree")
_SAMPLES: Final = [None, True, False, 0, -1, 1.5, 404, 2**53 + 1, "", *_KNOWN]
_SCALARS: Final = st.sampled_from(_SAMPLES) | _TEXTS
_KEYS: Final = st.sampled_from(_KEYWORDS) | _TEXTS
_JUNK: Final = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def spoilt(draw: st.DrawFn) -> Any:
    """A document with something else in one to three places."""
    document = copy.deepcopy(draw(st.sampled_from(_EMITTED)))
    for _ in range(draw(st.integers(1, 3))):
        holder: Any = document
        while True:
            keys = [*holder] if isinstance(holder, dict) else [*range(len(holder))]
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(holder[key], dict | list) and draw(st.integers(0, 5)):
                holder = holder[key]
                continue
            match draw(st.integers(0, 4)):
                case 0:
                    del holder[key]
                case 1 if isinstance(holder, dict):
                    holder[draw(st.sampled_from([*keys, "later", "$ref", "x-y"]) | _TEXTS)] = (
                        copy.deepcopy(holder[key])
                    )
                case 2:
                    holder[key] = copy.deepcopy(draw(st.sampled_from([holder, document])))
                case _:
                    holder[key] = draw(_JUNK)
            break
    return document


def refusal(data: bytes) -> DocumentError | None:
    try:
        load_contract(data)
    except DocumentError as error:
        return error
    return None


def hold(data: bytes) -> None:
    error = refusal(data)
    if error is not None:
        event("refused")
        assert error.path.startswith("$")
        assert len(str(error)) < 2_500
    else:
        event("read")
        document = load_contract(data)
        written = dump_contract(document)
        assert load_contract(written) == document
        assert dump_contract(load_contract(written)) == written


@given(spoilt())
def test_a_spoilt_document_is_refused_or_is_one(document: Any) -> None:
    hold(text(document))


@given(_JUNK)
def test_any_json_is_refused_or_is_a_document(value: Any) -> None:
    hold(text(value))


_BYTES: Final = st.binary(max_size=3) | st.sampled_from([b'"', b"{", b"}", b"[", b"]", b",", b":"])


@given(st.sampled_from(_EMITTED).map(text), st.data())
def test_spoilt_bytes_are_refused_or_are_a_document(data: bytes, draws: st.DataObject) -> None:
    for _ in range(draws.draw(st.integers(1, 4))):
        at = draws.draw(st.integers(0, len(data)))
        cut = draws.draw(st.integers(0, 3))
        data = data[:at] + draws.draw(_BYTES) + data[at + cut :]
    hold(data)


@pytest.mark.parametrize("document", _EMITTED, ids=["whole", "shop"])
def test_the_law_holds_for_what_is_not_spoilt(document: Any) -> None:
    assert dump_contract(load_contract(text(document))) == text(document)
