"""Keys that nobody knows: refused by default, ignored where a pred is told so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypedDict

import pytest

from contract.pred.compile import compile_pred, pred_of
from contract.pred.core import REFUSALS, compile_core
from contract.pred.walk import Walker
from contract.shape.exceptions import InvalidInput
from contract.shape.reader import shape_of
from tests.tables import rows


@dataclass(frozen=True)
class Leaf:
    kind: Literal["leaf"]
    a: int = 1


@dataclass(frozen=True)
class Branch:
    kind: Literal["branch"]
    of: list[Leaf | Branch] = field(default_factory=list)


class Keys(TypedDict):
    a: int


class Pair(NamedTuple):
    a: Keys
    b: int = 2


@dataclass
class Derived:
    a: int
    b: int = field(init=False, default=3)


LEAF = Leaf("leaf")

CASES: list[tuple[Any, bytes, Any]] = [
    (Leaf, b'{"kind":"leaf","x":1}', LEAF),
    (Leaf, b'{"x":{"kind":[{}]},"kind":"leaf","a":2,"":null}', Leaf("leaf", 2)),
    (
        Leaf | Branch,
        b'{"kind":"branch","x":1,"of":[{"kind":"leaf","x":1}]}',
        Branch("branch", [LEAF]),
    ),
    (list[Leaf], b'[{"kind":"leaf"},{"kind":"leaf","x":[]}]', [LEAF, LEAF]),
    (dict[str, Leaf], b'{"x":{"kind":"leaf","x":1}}', {"x": LEAF}),
    (Keys, b'{"a":1,"b":2}', {"a": 1}),
    (Pair, b'[{"a":1,"b":2},3]', Pair({"a": 1}, 3)),
    (Keys | None, b'{"a":1,"b":2}', {"a": 1}),
    (Derived, b'{"a":1,"b":2}', Derived(1)),
]


@pytest.mark.parametrize(("annotation", "document", "value"), CASES)
def test_they_are_ignored_where_it_is_wanted(annotation: Any, document: bytes, value: Any) -> None:
    assert pred_of(annotation, unknown="ignore").load(document) == value
    assert compile_pred(shape_of(annotation), unknown="ignore").load(document) == value
    assert compile_core(shape_of(annotation), Walker(tolerant=True)).validate(document) == value


@pytest.mark.parametrize(("annotation", "document", "value"), CASES)
def test_they_are_refused_everywhere_else(annotation: Any, document: bytes, value: Any) -> None:
    with pytest.raises(InvalidInput, match="This key is not known here"):
        pred_of(annotation).load(document)
    with pytest.raises(InvalidInput, match="This key is not known here"):
        compile_pred(shape_of(annotation), unknown="refuse").load(document)
    with pytest.raises(REFUSALS):
        compile_core(shape_of(annotation), Walker()).validate(document)


@rows(
    "annotation, document, told",
    (Leaf, b'{"x":1}', "kind: This field is required"),
    (Leaf, b'{"kind":"leaf","a":"1","x":1}', "a: Must be an integer"),
    (Leaf, b'{"kind":"leaf","x":NaN}', "NaN and Infinity are not JSON"),
    (Pair, b'[{"a":1},2,3]', "at most 2 items"),
    (Leaf, b"[]", "Must be an object"),
)
def test_everything_else_is_refused_as_ever(annotation: Any, document: bytes, told: str) -> None:
    with pytest.raises(InvalidInput, match=told) as refused:
        pred_of(annotation, unknown="ignore").load(document)

    assert len(refused.value.issues) == 1


def test_what_is_dumped_has_nothing_to_do_with_it() -> None:
    pred = pred_of(Leaf, unknown="ignore")

    pred.compile()
    assert pred.dump(Leaf("leaf")) == b'{"kind":"leaf","a":1}'
    assert pred.load(b'{"kind":"leaf","x":1}') == Leaf("leaf")


@pytest.mark.parametrize("annotation", [set[int], dict[int, int]])
def test_what_a_server_may_send_is_taken_however_much_it_is(annotation: Any) -> None:
    """An input of a type whose hashes can be forged is bounded; an output is not."""
    value = set(range(5000)) if annotation == set[int] else dict.fromkeys(range(5000), 1)
    strict, tolerant = pred_of(annotation), pred_of(annotation, unknown="ignore")
    document = strict.dump(value)

    assert tolerant.load(document) == value
    with pytest.raises(InvalidInput):
        strict.load(document)
