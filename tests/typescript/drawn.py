"""
Drawn: documents of random types, with random hostile names and texts in every place that takes one.
"""

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
    "Order",
    "order",
    "ORDER",
    "Order_",
    "A",
    "a1",
    "T",
    "constructor",
    *sorted(RESERVED),
)
_ROUTES: Final = (
    "get",
    "get.it",
    "get-it",
    "get_it",
    "getIt",
    "then",
    "x",
    "Order",
    *sorted(RESERVED),
)


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
        leaves: list[dict[str, Any]] = [
            {"type": "string"},
            {"type": "boolean"},
            {
                "type": "integer",
                "minimum": random.randrange(9),
                "maximum": 9 + random.randrange(2**40),
            },
            {"type": "number", "exclusiveMinimum": random.random(), "multipleOf": 0.1},
            {"type": "string", "enum": self.texts(4)},
            {
                "type": "string",
                "minLength": 1,
                "pattern": f"^{''.join(f'[{each}]' for each in 'a`$/')}{{1,3}}$",
            },
            {},
            ref,
        ]
        if not depth:
            return random.choice(leaves)
        inner = self.schema(depth - 1)
        nullable = inner if "anyOf" in inner or not inner else {"anyOf": [inner, {"type": "null"}]}
        deeper: list[dict[str, Any]] = [
            {
                "type": "array",
                "items": random.choice(leaves[:6]),
                "uniqueItems": True,
                "x-contract-type": "set",
            },
            {"type": "array", "items": inner, "minItems": 1},
            {
                "type": "array",
                "prefixItems": [inner, ref],
                "items": False,
                "minItems": 2,
                "maxItems": 2,
                "x-contract-type": "tuple",
            },
            {"type": "object", "additionalProperties": inner},
            {
                "type": "object",
                "additionalProperties": inner,
                "propertyNames": {"type": "string", "enum": self.texts(3)},
            },
            nullable,
            {
                "anyOf": [
                    {"type": "integer"},
                    {"type": "string", "enum": self.texts(2)},
                    {"type": "boolean"},
                ]
            },
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
        defs["Enum"] = {
            "type": "string",
            "enum": values,
            "x-contract-enum-names": random.sample(NAMES, len(values)),
        }
        error = {
            "status": 499,
            "description": self.text(),
            "data": {"$ref": f"#/$defs/{self.names[0]}"},
            "data_required": True,
        }
        routes = {name: self.route(name, error) for name in random.sample(_ROUTES, 5)}
        info = {
            "title": self.text() or "x",
            "version": self.text() or "1",
            "description": self.text(),
        }
        exports = {name: {"$ref": f"#/$defs/{name}"} for name in defs}
        ui = {"title": "x"}
        return {
            "contract": "1.0",
            "info": info,
            "ui": ui,
            "links": {},
            "$defs": defs,
            "errors": {},
            "exports": exports,
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
