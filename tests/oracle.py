"""
The oracle: what an independent validator says of the schemas that `contract.document.json_schema` writes.

It is ``jsonschema`` with its formats asserted, but for two keywords that it takes from Python where JSON Schema has them otherwise,
both listed in `tests.schema_differences.EXCEPTIONS`: ``pattern`` (Python's ``$`` also stands before a final line feed, its classes are
those of Unicode) and ``multipleOf`` (0.3 is not a multiple of 0.1 where binary floats are divided).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Context, Decimal
from functools import cache
from typing import Any, Final

from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]
from jsonschema.validators import extend  # type: ignore[import-untyped]

from contract.document.json_schema import SchemaWriter
from contract.document.model import Side
from contract.document.schema_names import names_of
from contract.shape.graph import definitions
from contract.shape.nodes import Shape

__all__ = ["check_schema", "is_stock_valid", "is_valid", "schema_of"]


def schema_of(shape: Shape, side: Side) -> dict[str, Any]:
    """The schema of *shape* in a document: with the named types of both sides, and after it went through JSON."""
    writer = SchemaWriter(names_of(definitions(shape)))
    whole = {
        **writer.schema(shape, side),
        "$defs": writer.defs((shape, "output"), (shape, "input")),
    }
    parsed: dict[str, Any] = json.loads(json.dumps(whole, sort_keys=True))
    return parsed


def check_schema(schema: dict[str, Any]) -> None:
    """Raise where *schema* is not JSON Schema of the dialect 2020-12, or has an array that does not say what is in it."""
    Draft202012Validator.check_schema(schema, format_checker=_FORMATS)
    for part in _parts(schema):
        assert "items" in part or part.get("type") != "array"


def is_valid(schema: dict[str, Any], document: Any) -> bool:
    """Whether *document* is valid under *schema*."""
    valid: bool = _Validator(schema, format_checker=_FORMATS).is_valid(document)
    return valid


def is_stock_valid(schema: dict[str, Any], document: Any) -> bool:
    """The same by jsonschema as it comes."""
    valid: bool = Draft202012Validator(schema, format_checker=_FORMATS).is_valid(document)
    return valid


_FORMATS: Final = Draft202012Validator.FORMAT_CHECKER
_EXACT: Final = Context(prec=1400)


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from _parts(inner)


# ECMA-262 in Python's terms.

_TOKENS: Final = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\$|\.", re.DOTALL)
_SPACES: Final = "\\t-\\r \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
_READ_AS: Final = {
    "$": r"\Z", ".": "[^\n\r\u2028\u2029]", r"\s": f"[{_SPACES}]", r"\S": f"[^{_SPACES}]",
}  # fmt: skip


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(
        _TOKENS.sub(lambda token: _READ_AS.get(token[0], token[0]), pattern), re.ASCII
    )


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "string") and not _compiled(pattern).search(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _multiple_of(
    validator: Any, divisor: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if validator.is_type(instance, "number") and _EXACT.remainder(
        Decimal(repr(instance)), Decimal(repr(divisor))
    ):
        yield ValidationError(f"{instance!r} is not a multiple of {divisor}")


_Validator: Final = extend(Draft202012Validator, {"pattern": _pattern, "multipleOf": _multiple_of})
