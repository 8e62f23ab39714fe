"""
Vectors: JSON documents of every type, and what the server says of each.

``tests/vectors.json`` holds them, so that whoever reads inputs in another way (other languages do)
can be held to the same verdicts: route -> documents, each as JSON text with the issues that it is
refused for, as paths, codes, params and messages; none where it is valid. They are forms chosen by hand, and valid
documents and near misses as `contract.testing` draws them; `tests.write_vectors` writes them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

from contract import Spec, route, spec
from contract.pred.compile import pred_of
from contract.shape.exceptions import InvalidInput
from tests.samples import ANNOTATIONS, ONE_WAY

__all__ = ["FILE", "TYPES", "Told", "Vector", "api", "name_of", "read", "verdict"]

FILE: Final = Path(__file__).with_name("vectors.json")


def name_of(label: str) -> str:
    """The route of a type of `tests.samples`."""
    return re.sub("[^a-z0-9]+", "_", label.lower())


TYPES: Final[dict[str, Any]] = {
    name_of(label): annotation for label, annotation in {**ANNOTATIONS, **ONE_WAY}.items()
}
"""Route -> its input."""

Told = tuple[list[str | int], str, dict[str, Any], str]
"""An issue: its path, its code, its params and its message."""

Vector = tuple[str, list[Told]]
"""A document as JSON text, and the issues that it is refused for."""


def _echo(name: str, annotation: Any) -> Any:
    one_way = annotation in ONE_WAY.values()

    def resolver(input: Any, ctx: Any) -> Any:
        return None if one_way else input

    returned = None if one_way else annotation
    resolver.__annotations__ = {"input": annotation, "ctx": None, "return": returned}
    resolver.__name__ = resolver.__qualname__ = name
    return route(
        summary=f"Give back {name}", tags=["echo"], auth="none", effect="read", inline=True
    )(resolver)


api: Final[Spec[None]] = spec(
    routes=[_echo(name, annotation) for name, annotation in TYPES.items()]
)
"""A route for each type, which gives back what it was given, where that can be sent at all."""


_PREDS: Final = {name: pred_of(annotation) for name, annotation in TYPES.items()}


def verdict(name: str, text: str) -> list[Told]:
    """The issues that the server refuses a document for."""
    try:
        _PREDS[name].load(text.encode())
    except InvalidInput as refused:
        return [
            ([*issue.path], issue.code, dict(issue.params), issue.message)
            for issue in refused.issues
        ]
    return []


def read() -> dict[str, list[Vector]]:
    """What the file holds."""
    found: dict[str, list[Vector]] = json.loads(FILE.read_bytes())
    return found
