"""Pairs: which member of an old union is which of the new one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import final

from contract.document.diff.values import kind_of
from contract.document.schema_lens import Definitions, Node, constraints, key_of

__all__ = ["paired"]

_Keys = Callable[[Node, Definitions], Iterable[str]]


def paired(
    old: list[Node], new: list[Node], old_types: Definitions, new_types: Definitions
) -> tuple[list[tuple[Node, Node]], list[Node], list[Node]]:
    """
    Members that belong together, and those of *old* and of *new* that are left.

    A name goes before everything else; then a tag, the very same schema, and what it is a schema
    of. A named union among the members is laid open where it has no partner of its name.
    """
    pairing = _Pairing(old, new, old_types, new_types)
    pairing.by(_name)
    while pairing.lay_open():
        pairing.by(_name)
    for keys in (_tags, _wording, _kind, _number):
        pairing.by(keys)
    if len(pairing.old) == len(pairing.new) == 1:
        pairing.by(_anything)
    return pairing.pairs, pairing.old, pairing.new


@final
class _Pairing:
    def __init__(
        self, old: list[Node], new: list[Node], old_types: Definitions, new_types: Definitions
    ) -> None:
        self.pairs: list[tuple[Node, Node]] = []
        self.old = old
        self.new = new
        self._types = old_types, new_types
        self._opened: tuple[set[object], set[object]] = set(), set()

    def by(self, keys: _Keys) -> None:
        """Pair those that share a key."""
        if not self.old or not self.new:
            return
        waiting: dict[str, list[int]] = {}
        for index, node in reversed([*enumerate(self.new)]):
            for key in keys(node, self._types[1]):
                waiting.setdefault(key, []).append(index)
        taken: set[int] = set()
        left: list[Node] = []
        for node in self.old:
            partner = None
            for key in keys(node, self._types[0]):
                partner = _next(waiting.get(key, []), taken)
                if partner is not None:
                    break
            if partner is None:
                left.append(node)
            else:
                taken.add(partner)
                self.pairs.append((node, self.new[partner]))
        self.old = left
        self.new = [node for index, node in enumerate(self.new) if index not in taken]

    def lay_open(self) -> bool:
        """
        Put the members of named unions in their place, those that have not been.

        And whether there were any.
        """
        sizes = [len(opened) for opened in self._opened]
        self.old = self._laid_open(self.old, 0)
        self.new = self._laid_open(self.new, 1)
        return [len(opened) for opened in self._opened] != sizes

    def _laid_open(self, nodes: list[Node], side: int) -> list[Node]:
        types, opened = self._types[side], self._opened[side]
        found: list[Node] = []
        for node in nodes:
            name = types.name(node)
            if (name, node.tags) in opened:
                continue  # its members are here by now
            whole = types.resolve(node)
            if name is None or types.members(whole) is None:
                found.append(node)
            else:
                opened.add((name, node.tags))
                found.extend(types.alternatives(whole))
        return found


def _next(indexes: list[int], taken: set[int]) -> int | None:
    while indexes:
        index = indexes.pop()
        if index not in taken:
            return index
    return None


def _name(node: Node, types: Definitions) -> Iterable[str]:
    name = types.name(node)
    return [] if name is None else [name]


def _tags(node: Node, types: Definitions) -> Iterable[str]:
    return types.tag_values(node)


def _wording(node: Node, types: Definitions) -> Iterable[str]:
    schema = node.schema
    return (
        []
        if types.name(node) is not None
        else [key_of({key: schema[key] for key in constraints(schema)})]
    )


def _kind(node: Node, types: Definitions) -> Iterable[str]:
    return [types.once(node, kind_of)]


def _number(node: Node, types: Definitions) -> Iterable[str]:
    kind = types.once(node, kind_of)
    return ["number"] if kind in ("integer", "number") else []


def _anything(node: Node, types: Definitions) -> Iterable[str]:
    return [] if types.once(node, kind_of) == "null" else ["anything"]
