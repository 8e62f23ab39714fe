"""Drawn: documents of random types, with random hostile names and texts in every place that takes one."""

from __future__ import annotations

import json
from random import Random
from typing import Any, Final

from contract.codegen.typescript.scope import RESERVED
from contract.document.contract_json import load_contract
from contract.document.model import Document
from tests.typescript.hostile import NAMES, TEXTS

__all__ = ["drawn"]

_LETTERS: Final = "aA_0$-. \"'`\\*/{}<>!@#\n\r\t\0\x85\u2028\u202e\u200b\u0301é日\U0001f514"
_TYPES: Final = (
    "Order", "order", "ORDER", "Order_", "A", "a1", "T", "constructor", *sorted(RESERVED),
)  # fmt: skip
_SIMILAR: Final = ("get", "get.it", "get-it", "get_it", "getIt", "then", "x", "Order")
_ROUTES: Final = (*_SIMILAR, *sorted(RESERVED))
_STRING: Final = {"type": "string"}
_INTEGER: Final = {"type": "integer"}
_BOOLEAN: Final = {"type": "boolean"}


def drawn(seed: int) -> Document:
    """A document, always the same of one *seed*."""
    return load_contract(json.dumps(_Draw(Random(seed)).document()).encode())


class _Draw:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.names = random.sample(_TYPES, 6)

    def text(self) -> str:
        random = self.random
        if random.random() < 0.7:
            return random.choice(NAMES)
        return "".join(random.choices(_LETTERS, k=random.randrange(12))) + random.choice(TEXTS) * (
            random.random() < 0.3
        )

    def texts(self, most: int) -> list[str]:
        return [*dict.fromkeys(self.text() for _ in range(1 + self.random.randrange(most)))]

    def schema(self, depth: int = 3) -> dict[str, Any]:
        random = self.random
        ref = {"$ref": f"#/$defs/{random.choice(self.names)}"}
        low, high = random.randrange(9), 9 + random.randrange(2**40)
        leaves: list[dict[str, Any]] = [
            _STRING,
            _BOOLEAN,
            {**_INTEGER, "minimum": low, "maximum": high},
            {"type": "number", "exclusiveMinimum": random.random(), "multipleOf": 0.1},
            {**_STRING, "enum": self.texts(4)},
            {**_STRING, "minLength": 1, "pattern": "^[a][`][$][/]{1,3}$"},
            {},
            ref,
        ]
        if not depth:
            return random.choice(leaves)
        inner = self.schema(depth - 1)
        nullable = inner if "anyOf" in inner or not inner else {"anyOf": [inner, {"type": "null"}]}
        item = random.choice(leaves[:6])
        pair = {"prefixItems": [inner, ref], "items": False, "minItems": 2, "maxItems": 2}
        by_text = {"type": "object", "additionalProperties": inner}
        deeper: list[dict[str, Any]] = [
            {"type": "array", "items": item, "uniqueItems": True, "x-contract-type": "set"},
            {"type": "array", "items": inner, "minItems": 1},
            {"type": "array", **pair, "x-contract-type": "tuple"},
            by_text,
            {**by_text, "propertyNames": {**_STRING, "enum": self.texts(3)}},
            nullable,
            {"anyOf": [_INTEGER, {**_STRING, "enum": self.texts(2)}, _BOOLEAN]},
        ]
        return random.choice(deeper + leaves)

    def record(self) -> dict[str, Any]:
        wires = self.texts(8)
        properties = {
            wire: {**self.schema(), "description": self.text(), "x-contract-name": self.text()}
            for wire in wires
        }
        for schema in properties.values():
            if schema.get("type") == "string":
                schema["default"] = self.text()
        required = [wire for wire in wires if self.random.random() < 0.5]
        return {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
            "description": self.text(),
        }

    def document(self) -> dict[str, Any]:
        random = self.random
        values = self.texts(6)
        defs: dict[str, Any] = {name: self.record() for name in self.names}
        names = random.sample(NAMES, len(values))
        defs["Enum"] = {**_STRING, "enum": values, "x-contract-enum-names": names}
        data = {"data": {"$ref": f"#/$defs/{self.names[0]}"}, "data_required": True}
        error = {"status": 499, "description": self.text(), **data}
        routes = {name: self.route(name, error) for name in random.sample(_ROUTES, 5)}
        title, version = self.text() or "x", self.text() or "1"
        return {
            "contract": "1.0",
            "info": {"title": title, "version": version, "description": self.text()},
            "ui": {"title": "x"},
            "links": {},
            "$defs": defs,
            "errors": {},
            "exports": {name: {"$ref": f"#/$defs/{name}"} for name in defs},
            "routes": routes,
        }

    def route(self, name: str, error: dict[str, Any]) -> dict[str, Any]:
        return {
            "path": name,
            "method": "POST",
            "summary": self.text(),
            "description": self.text(),
            "tags": self.texts(2),
            "auth": "none",
            "scope": "public",
            "effect": self.random.choice(["read", "write"]),
            **({"deprecated": {"since": "2026-01-01"}} if self.random.random() < 0.3 else {}),
            "input": self.schema(),
            "output": self.schema(),
            "errors": {"E_1": error},
        }
