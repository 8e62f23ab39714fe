"""
Names: what a named type is called in the documents.

A type has its own name as long as no other type has it; types that would share one are all called
by more: by their module, then by where they stand in it, then by what they are. So a name depends
on the set of types alone, neither on the order in which they are met nor on the routes that use
them. Two names differ in more than case, since generators make files of them, and no type's name is
that of another one's input form.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from contract.document.json_schema.alike import Alike, digest, own_name, place
from contract.document.json_schema.sides import Facts, closure
from contract.shape.graph import definitions
from contract.shape.names import label
from contract.shape.nodes import Definition

__all__ = ["names_of"]

_MAX_LENGTH: Final = 100 - len("Input")
_LAST_LEVEL: Final = 5


def names_of(found: Iterable[Definition]) -> Mapping[Definition, str]:
    """
    The component names of *found* and of all types that these lead to.

    Each is a letter and then letters, digits and underscores, at most 100 with the ``Input`` of an
    input form. Types of one name, in one place of one module and alike in everything that a
    document could tell (a class that is made twice by one function), are one type on paper: they
    share a name.
    """
    every = closure(found)
    alike = Alike(every)
    names = _Naming(alike, Facts(every)).run()
    named = [(names[alike.first[definition]], definition) for definition in every]
    return {definition: name for name, definition in sorted(named, key=lambda entry: entry[0])}


class _Naming:
    """The names of types of which each is another on paper."""

    def __init__(self, alike: Alike, facts: Facts) -> None:
        self.alike = alike
        self.differing = facts.differing
        self.levels = dict.fromkeys(alike.first.values(), 0)

    def run(self) -> dict[Definition, str]:
        while True:
            names: dict[Definition, str] = {}
            for definition in self.levels:
                self._name(definition, names)
            clashing = self._clashing(names)
            # the name of Page[Product] settles itself when Product's is settled
            ripe = [
                each
                for each in clashing
                if self.levels[each] < _LAST_LEVEL and clashing.isdisjoint(self._arguments(each))
            ]
            if not ripe:
                return names
            for definition in ripe:
                self.levels[definition] += 1

    def _clashing(self, names: Mapping[Definition, str]) -> set[Definition]:
        folded = {each: names[each].lower() for each in self.levels}
        taken = Counter(folded.values())
        # of Product, whose input form is ProductInput, and a type of that name, only Product has to
        # be called otherwise
        return {
            each
            for each, name in folded.items()
            if taken[name] > 1 or (each in self.differing and f"{name}input" in taken)
        }

    def _arguments(self, definition: Definition) -> set[Definition]:
        return {
            self.alike.first[argument]
            for shape in definition.key[1:]
            for argument in definitions(shape)
        }

    def _name(self, definition: Definition, names: dict[Definition, str]) -> str:
        definition = self.alike.first[definition]
        if definition not in names:
            level = self.levels[definition]
            own = place(definition) if level > 1 else own_name(definition)
            parts = [definition.module, own] if level else [own]
            parts += [
                label(shape, lambda argument: self._name(argument, names))
                for shape in definition.key[1:]
            ]
            if level == 3:
                # what differs in case alone, or in what has no ASCII
                parts.append(digest(f"{definition.module}.{own} {definition.name}"))
            elif level == 4:
                parts.append(self.alike.body[definition][:8])
            elif level == 5:
                parts.append(self.alike.whole[definition][:8])
            names[definition] = _short(_clean("_".join(parts)))
        return names[definition]


def _clean(text: str) -> str:
    """
    *text* in letters, digits and underscores.

    Accents are taken off, what has no ASCII form is written as its number.
    """
    kept = [_plain(char) for char in unicodedata.normalize("NFKD", text)]
    name = "".join(kept).lstrip("_")
    return name if name[:1].isalpha() else f"T{name}"


def _plain(char: str) -> str:
    if char.isascii():
        return char if char.isalnum() else "_"
    return "" if unicodedata.combining(char) else f"_u{ord(char):x}"


def _short(name: str) -> str:
    return name if len(name) <= _MAX_LENGTH else f"{name[: _MAX_LENGTH - 9]}_{digest(name)}"
