"""Types that were drawn, and documents of each with what the server says of them: clients in TypeScript have to say the same."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final, Literal

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contract import Spec, route, spec
from contract.pred.compile import compile_pred
from contract.shape.exceptions import InvalidInput
from contract.shape.reader import shape_of
from contract.testing import documents, near_misses
from contract.testing.scalars import any_json
from tests.drawing import drawn
from tests.strategies import types
from tests.vectors import Vector

__all__ = ["described", "rows"]

_TYPES: Final = 40
_DOCUMENTS: Final = 12
"""The most of each type."""


@cache
def _drawn() -> dict[str, tuple[Any, list[Any]]]:
    """Route -> its type, and documents; one of them lists an integer that no double is sure of."""
    found = drawn(types().filter(lambda of: of is not None).flatmap(_with_documents), _TYPES)
    return {f"t{number}": pair for number, pair in enumerate(found)} | {
        "beyond": (Literal["a", 1, 2**60], [1, 2, "a", "b", None, True, [1]])
    }


def _with_documents(annotation: Any) -> SearchStrategy[tuple[Any, list[Any]]]:
    shape = shape_of(annotation)
    wrong = near_misses(shape).map(lambda miss: miss.document)
    each = st.one_of(documents(shape), wrong, wrong, any_json()).filter(_is_exact)
    return st.tuples(st.just(annotation), st.lists(each, min_size=4, max_size=_DOCUMENTS))


def _is_exact(document: Any) -> bool:
    """Whether JavaScript reads the numbers of *document* as they are."""
    if isinstance(document, dict | list):
        return all(map(_is_exact, document.values() if isinstance(document, dict) else document))
    return not isinstance(document, int | float) or abs(document) < 2**53


def described() -> Spec[None]:
    """A route for each type."""
    return spec(routes={name: _route(annotation) for name, (annotation, _) in _drawn().items()})


def _route(annotation: Any) -> Any:
    def resolver(input: Any, ctx: None) -> Any:
        raise NotImplementedError

    resolver.__annotations__ = {"input": annotation, "ctx": None, "return": annotation}
    return route(summary="Drawn", tags=["drawn"], auth="none")(resolver)


def rows() -> dict[str, list[Vector]]:
    """Route -> documents, each with the issues that it is refused for."""
    found: dict[str, list[Vector]] = {}
    for name, (annotation, given) in _drawn().items():
        load = compile_pred(shape_of(annotation)).load
        found[name] = []
        for text in map(json.dumps, given):
            try:
                load(text.encode())
            except InvalidInput as refused:
                issues = [
                    ([*each.path], each.code, dict(each.params), each.message)
                    for each in refused.issues
                ]
            else:
                issues = []
            found[name].append((text, issues))
    return found
