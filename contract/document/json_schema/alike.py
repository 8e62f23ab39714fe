"""
Alike: types that no document could tell apart.

A function that makes a class makes another one at each call, of the same name and in the same
place. Such classes are the same on paper if their own schemas are, and if what these refer to is
the same on paper again; to find out without end, all types are first told apart by what stands in
them, and then by those that they refer to, until that finds no more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from contract.document.json_schema.sides import closure
from contract.document.json_schema.writer import SchemaWriter
from contract.shape.graph import definitions
from contract.shape.nodes import Definition

__all__ = ["Alike", "digest", "own_name", "place"]


class Alike:
    """
    Facts about types that stand in one place.

    Attributes:
        first: For each type the first that no document could tell it from, mostly itself.
        body: What stands in a type, as a few digits; of those alone that share their place with
            others.
        whole: The same of a type and all that it leads to.
    """

    __slots__ = ("body", "first", "whole")

    def __init__(self, every: Iterable[Definition]) -> None:
        every = [*every]
        self.first: dict[Definition, Definition] = {definition: definition for definition in every}
        together: dict[tuple[str, ...], list[Definition]] = {}
        for definition in every:
            together.setdefault((definition.module, place(definition), definition.name), []).append(
                definition
            )
        doubtful = [
            definition
            for several in together.values()
            if len(several) > 1
            for definition in several
        ]
        self.body: dict[Definition, str] = _bodies(closure(doubtful))
        self.whole: Mapping[Definition, str] = _wholes(self.body)
        seen: dict[str, Definition] = {}
        for definition in doubtful:
            self.first[definition] = seen.setdefault(self.whole[definition], definition)


def own_name(definition: Definition) -> str:
    """The name of the type without its arguments."""
    named: Any = definition.key[0]
    name: str = named if isinstance(named, str) else named.__name__
    return name


def place(definition: Definition) -> str:
    """Where the type stands in its module."""
    qualified: str = getattr(definition.key[0], "__qualname__", own_name(definition))
    return qualified.replace(".<locals>", "")


def digest(text: str) -> str:
    """A few digits that stand for *text*."""
    return sha256(text.encode()).hexdigest()[:8]


def _bodies(every: Iterable[Definition]) -> dict[Definition, str]:
    every = [*every]
    writer = SchemaWriter({definition: own_name(definition) for definition in every})
    return {
        definition: _hashed(
            definition.module,
            place(definition),
            definition.description,
            definition.deprecated,
            writer.schema(definition.shape, "output"),
            writer.schema(definition.shape, "input"),
        )
        for definition in every
    }


def _wholes(bodies: Mapping[Definition, str]) -> Mapping[Definition, str]:
    targets = {definition: [*definitions(definition.shape)] for definition in bodies}
    told, count = bodies, 0
    while len({*told.values()}) > count:
        count = len({*told.values()})
        told = {
            definition: _hashed(told[definition], *(told[target] for target in of))
            for definition, of in targets.items()
        }
    return told


def _hashed(*parts: Any) -> str:
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
