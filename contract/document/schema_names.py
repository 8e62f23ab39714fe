"""
Schema names: the name of each named type in the documents.

A type has its own name unless another type has it too. Then each gets a longer name: with its
module, then with its place in the module, then with what it is. So a name depends only on the set
of types, not on their order nor on the routes that use them. Any two names differ in more than
case, since generators turn them into files, and no name is that of another type's input form.
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256
from itertools import chain
from typing import Any, Final

from contract.document.json_schema import Facts, SchemaWriter, closure, own_name
from contract.shape.graph import definitions
from contract.shape.names import label
from contract.shape.nodes import Definition

__all__ = ["names_of"]

# the input form has the same name with `Input` at its end
_MAX_LENGTH: Final = 100 - len("Input")
_LAST_LEVEL: Final = 5


def names_of(found: Iterable[Definition]) -> Mapping[Definition, str]:
    """
    The component names of *found* and of all types that these lead to.

    Each is a letter followed by letters, digits and underscores, at most 100 including the
    ``Input`` of an input form. Types with one name and one place in a module that look alike in
    every document (a class that a function makes twice) count as one type in documents: they share
    a name.
    """
    reached = [*closure(found)]
    every = _with_arguments(reached)
    alike = _Alike(every)
    names = _Naming(alike, Facts(every)).run()
    named = [(names[alike.first[definition]], definition) for definition in reached]
    return {definition: name for name, definition in sorted(named, key=lambda entry: entry[0])}


def _with_arguments(reached: Iterable[Definition]) -> list[Definition]:
    """
    The types that are *reached*, and those that the names of generic ones among them tell of.

    A class may have a parameter that stands in none of its fields.
    """
    every = dict.fromkeys(reached)
    ahead = [*every]
    while ahead:
        for argument in ahead.pop().key[1:]:
            found = [each for each in closure(definitions(argument)) if each not in every]
            every |= dict.fromkeys(found)
            ahead += found
    return [*every]


class _Naming:
    """The names of types that all differ in documents."""

    def __init__(self, alike: _Alike, facts: Facts) -> None:
        self.alike = alike
        self.differing = facts.differing
        self.levels = dict.fromkeys(alike.first.values(), 0)

    def run(self) -> dict[Definition, str]:
        while True:
            names: dict[Definition, str] = {}
            for definition in self.levels:
                self._name(definition, names)
            clashing = self._clashing(names)
            # the name of Page[Product] is settled when Product's is
            below_last = [each for each in clashing if self.levels[each] < _LAST_LEVEL]
            ripe = [each for each in below_last if clashing.isdisjoint(self._arguments(each))]
            if not ripe:
                return names
            for definition in ripe:
                self.levels[definition] += 1

    def _clashing(self, names: Mapping[Definition, str]) -> set[Definition]:
        folded = {each: names[each].lower() for each in self.levels}
        taken = Counter(folded.values())
        # between Product, whose input form is ProductInput, and a type of that name, only Product
        # gets a longer name
        clashing: set[Definition] = set()
        for each, name in folded.items():
            is_input_taken = each in self.differing and f"{name}input" in taken
            if taken[name] > 1 or is_input_taken:
                clashing.add(each)
        return clashing

    def _arguments(self, definition: Definition) -> set[Definition]:
        arguments = chain.from_iterable(map(definitions, definition.key[1:]))
        return {self.alike.first[argument] for argument in arguments}

    # Each level makes a name longer. 0 is the type's own name; 1 adds its module; 2 adds its place
    # in the module; 3 to 5 add digits: of its exact name, of its own content, and of all that it
    # leads to.

    def _name(self, definition: Definition, names: dict[Definition, str]) -> str:
        definition = self.alike.first[definition]

        def name_of_argument(argument: Definition) -> str:
            return self._name(argument, names)

        if definition not in names:
            level = self.levels[definition]
            own = own_name(definition)
            if level > 1:
                own = _place(definition)
            parts = [own]
            if level > 0:
                parts = [definition.module, own]
            parts += [label(shape, name_of_argument) for shape in definition.key[1:]]
            if level == 3:
                # names that differ only in case, or in characters without an ASCII form
                parts.append(_digest(f"{definition.module}.{own} {definition.name}"))
            elif level == 4:
                parts.append(self.alike.body[definition][:8])
            elif level == 5:
                parts.append(self.alike.whole[definition][:8])
            names[definition] = _short(_clean("_".join(parts)))
        return names[definition]


def _clean(text: str) -> str:
    """
    *text* in letters, digits and underscores.

    Accents are removed; a character without an ASCII form is written as its number.
    """
    name = "".join(map(_plain, unicodedata.normalize("NFKD", text))).lstrip("_")
    return name if name[:1].isalpha() else f"T{name}"


def _plain(char: str) -> str:
    if char.isascii():
        return char if char.isalnum() else "_"
    if unicodedata.combining(char):  # an accent, which NFKD has parted from its letter
        return ""
    return f"_u{ord(char):x}"


def _short(name: str) -> str:
    if len(name) <= _MAX_LENGTH:
        return name
    # eight digits and an underscore take the place of the rest
    return f"{name[: _MAX_LENGTH - 9]}_{_digest(name)}"


class _Alike:
    """
    Types that no document can tell apart.

    A function that makes a class makes another one at each call, with the same name and place. In
    documents such classes are the same if their own schemas are, and if the types that these refer
    to are the same again. To decide that in finite time, all types are first told apart by their
    own content, and then by the types that they refer to, until nothing more is told apart.

    Attributes:
        first: For each type, the first that no document can tell from it; usually itself.
        body: The content of a type as a few digits, for types that share their place with others.
        whole: The content of a type and of all types that it leads to, as a few digits.
    """

    __slots__ = ("body", "first", "whole")

    def __init__(self, every: Iterable[Definition]) -> None:
        every = [*every]
        self.first: dict[Definition, Definition] = {definition: definition for definition in every}
        together: dict[tuple[str, ...], list[Definition]] = {}
        for definition in every:
            key = (definition.module, _place(definition), definition.name)
            together.setdefault(key, []).append(definition)
        doubtful: list[Definition] = []
        for several in together.values():
            if len(several) > 1:
                doubtful += several
        self.body: dict[Definition, str] = _bodies(closure(doubtful))
        self.whole: Mapping[Definition, str] = _wholes(self.body)
        seen: dict[str, Definition] = {}
        for definition in doubtful:
            self.first[definition] = seen.setdefault(self.whole[definition], definition)


def _place(definition: Definition) -> str:
    """The type's place in its module."""
    qualified: str = getattr(definition.key[0], "__qualname__", own_name(definition))
    return qualified.replace(".<locals>", "")


def _digest(text: str) -> str:
    """A few digits that identify *text*."""
    return sha256(text.encode()).hexdigest()[:8]


def _bodies(every: Iterable[Definition]) -> dict[Definition, str]:
    every = [*every]
    writer = SchemaWriter({definition: own_name(definition) for definition in every})
    digests: dict[Definition, str] = {}
    for definition in every:
        digests[definition] = _hashed(
            definition.module,
            _place(definition),
            definition.description,
            definition.deprecated,
            writer.schema(definition.shape, "output"),
            writer.schema(definition.shape, "input"),
        )
    return digests


def _wholes(bodies: Mapping[Definition, str]) -> Mapping[Definition, str]:
    targets = {definition: [*definitions(definition.shape)] for definition in bodies}
    # Each round tells types apart by the digits that their targets had in the round before. A round
    # that tells no more of them apart is the last: no later one could.
    digests, count = bodies, 0
    while len({*digests.values()}) > count:
        count = len({*digests.values()})
        fresh: dict[Definition, str] = {}
        for definition, found in targets.items():
            fresh[definition] = _hashed(digests[definition], *(digests[each] for each in found))
        digests = fresh
    return digests


def _hashed(*parts: Any) -> str:
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
