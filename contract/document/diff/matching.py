"""
Matching: which members of an old and a new union belong together, and which schemas are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, final

from contract.document.diff.definitions import Definitions, Node
from contract.document.diff.values import kind_of, named
from contract.shape.json_text import JsonSchema
from contract.shape.schema_lens import (
    BY_NAME,
    NOTES,
    as_schema,
    constraints,
    enumerated,
    key_of,
    mapping,
    sequence,
    type_of,
    types_of,
)

__all__ = ["absorbed", "is_alike", "paired"]

_Keys = Callable[[Node, Definitions], Iterable[str]]


def paired(
    old: list[Node], new: list[Node], old_types: Definitions, new_types: Definitions
) -> tuple[list[tuple[Node, Node]], list[Node], list[Node]]:
    """
    Members that belong together; and those of *old* and of *new* that are left.

    They are paired by name first; then by tag, by being the same schema, and by the kind of values.
    A named union among the members is expanded if it has no partner of its name. Members that list
    values are taken together if one of them has no partner.
    """
    # Each way to pair looks only at what the ways before it have left, so the surest comes first.
    pairing = _Pairing(old, new, old_types, new_types)
    pairing.by(_name)
    while pairing.lay_open():
        pairing.by(_name)
    pairing.gather()
    for keys in (_tags, _wording, _kind, _number):
        pairing.by(keys)
    # one member became another: that is one change of a type, not one removed and one added
    if len(pairing.old) == len(pairing.new) == 1:
        pairing.by(_anything)
    return pairing.pairs, pairing.old, pairing.new


def absorbed(
    nodes: list[Node], others: list[Node], types: Definitions, other_types: Definitions
) -> tuple[list[tuple[Node, Node]], list[Node]]:
    """
    Pair each of *nodes* with one of *others* that takes all of its kind; give pairs and rest.

    A number takes each integer, a string each date, and any value takes everything. Whether the
    limits of the two fit is for the comparison of the pair to say.
    """
    wide: dict[str, Node] = {}
    for other in others:
        wide.setdefault(other_types.once(other, kind_of), other)
    pairs: list[tuple[Node, Node]] = []
    left: list[Node] = []
    for node in nodes:
        wider = wide.get("any value")
        if wider is None and types.once(node, kind_of) == "integer":
            wider = wide.get("number")
        if wider is None and types_of(types.resolve(node).schema) == frozenset({"string"}):
            wider = wide.get("string")
        if wider is None:
            left.append(node)
        else:
            pairs.append((node, wider))
    return pairs, left


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
        """Pair members that share a key."""
        if not self.old or not self.new:
            return
        # key -> the new members that have it, the first of them last, for `pop`
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
        Replace named unions by their members, if that has not been done.

        Returns whether there were any.
        """
        sizes = [len(opened) for opened in self._opened]
        self.old = self._laid_open(self.old, 0)
        self.new = self._laid_open(self.new, 1)
        return [len(opened) for opened in self._opened] != sizes

    def gather(self) -> None:
        """
        Take together the values that members list, one member for each type of values.

        It is done if a member that lists values has no partner of its name: which member takes a
        value is nobody's business, and another one may take it now.
        """
        if not (self._lists(self.old, 0) or self._lists(self.new, 1)):
            return
        pairs, self.pairs = self.pairs, []
        for old, new in pairs:
            if self._lists([old], 0) and self._lists([new], 1):
                self.old.append(old)
                self.new.append(new)
            else:
                self.pairs.append((old, new))
        self.old = self._gathered(self.old, 0)
        self.new = self._gathered(self.new, 1)

    def _lists(self, nodes: list[Node], side: int) -> bool:
        return any(self._types[side].listed(node) is not None for node in nodes)

    def _gathered(self, nodes: list[Node], side: int) -> list[Node]:
        found: list[Node] = []
        listed: dict[str, list[tuple[Node, JsonSchema]]] = {}
        for node in nodes:
            schema = self._types[side].listed(node)
            if schema is None:
                found.append(node)
            else:
                for kind in {*map(type_of, (enumerated(schema) or {}).values())}:
                    listed.setdefault(kind, []).append((node, schema))
        for kind, members in listed.items():
            node, schema = members[0]
            kinds = {*map(type_of, (enumerated(schema) or {}).values())}
            # if one member alone lists values of this type, and no others, it stays, with its name
            if len(members) == 1 and kinds == {kind}:
                found.append(node)
            else:
                found.append(Node(_joined(kind, [schema for _, schema in members])))
        return found

    def _laid_open(self, nodes: list[Node], side: int) -> list[Node]:
        types, opened = self._types[side], self._opened[side]
        found: list[Node] = []
        for node in nodes:
            name = types.name(node)
            if (name, node.tags) in opened:
                continue  # its members have already been added
            whole = types.resolve(node)
            if name is None or types.members(whole) is None:
                found.append(node)
            else:
                opened.add((name, node.tags))
                found.extend(types.alternatives(whole))
        return found


def _joined(kind: str, schemas: list[JsonSchema]) -> JsonSchema:
    """A schema that lists the values of *kind* that any of *schemas* does."""
    values: dict[str, Any] = {}
    names: dict[str, str] = {}
    for schema in schemas:
        names.update(named(schema))
        values.update(enumerated(schema) or {})
    of_kind = {key: value for key, value in values.items() if type_of(value) == kind}
    order = sorted(of_kind, key=lambda key: key not in names)  # names are those of the first values
    return {
        "type": kind,
        "enum": [of_kind[key] for key in order],
        "x-contract-enum-names": [names[key] for key in order if key in names],
    }


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
    if types.name(node) is not None:
        return []
    return [key_of({key: node.schema[key] for key in constraints(node.schema)})]


def _kind(node: Node, types: Definitions) -> Iterable[str]:
    return [types.once(node, kind_of)]


def _number(node: Node, types: Definitions) -> Iterable[str]:
    kind = types.once(node, kind_of)
    return ["number"] if kind in ("integer", "number") else []


def _anything(node: Node, types: Definitions) -> Iterable[str]:
    # null is told of by itself: null_added or null_removed
    if types.once(node, kind_of) == "null":
        return []
    return ["anything"]


def is_alike(
    old: Any, new: Any, old_types: Definitions, new_types: Definitions, spend: Callable[[], bool]
) -> bool:
    """
    Whether *old* and *new* mean the same once references are followed; notes do not count.

    Args:
        old: A schema, or a value in one.
        new: The other one.
        old_types: The types that *old* refers to.
        new_types: The types that *new* refers to.
        spend: Whether another step is allowed; if not, they count as different.
    """
    met: set[tuple[str, str]] = set()
    ahead: list[tuple[Any, Any, bool]] = [(old, new, True)]
    while ahead:
        one, other, is_schema = ahead.pop()
        if not spend():
            return False
        kinds = type_of(one), type_of(other)
        if kinds == ("object", "object"):
            if is_schema:
                old_name = old_types.name(Node(mapping(one)))
                new_name = new_types.name(Node(mapping(other)))
                if old_name is not None and new_name is not None:
                    # types that have already been visited are alike if nothing else differs
                    if (old_name, new_name) not in met:
                        met.add((old_name, new_name))
                        old_type = as_schema(old_types.types[old_name])
                        ahead.append((old_type, as_schema(new_types.types[new_name]), True))
                    continue
            ignored = NOTES if is_schema else frozenset[str]()
            was = {key: value for key, value in mapping(one).items() if key not in ignored}
            now = {key: value for key, value in mapping(other).items() if key not in ignored}
            if was.keys() != now.keys():
                return False
            ahead.extend((was[key], now[key], not is_schema or key not in BY_NAME) for key in was)
        elif kinds == ("array", "array"):
            before, after = sequence(one), sequence(other)
            if len(before) != len(after):
                return False
            ahead.extend((one, other, True) for one, other in zip(before, after, strict=True))
        elif kinds[0] != kinds[1] or one != other:
            return False
    return True
