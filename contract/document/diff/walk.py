"""
Walk: all schemas of two documents, side by side.

A pair of named types is compared once for each side, however many routes refer to it, and its
changes belong to the type. So recursion ends, and nothing here calls itself. Members of unions are
paired first: by name, by tag, by the values that they take. Any pairing is sound: each old member
is paired with a new one that takes no less, or a change reports that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, final

from contract.document.diff.bodies import compare_bodies, notes
from contract.document.diff.changes import (
    REASONS,
    Change,
    Finding,
    Part,
    Step,
    Subject,
    level_of,
    step_of,
)
from contract.document.diff.defaults import means_the_same
from contract.document.diff.definitions import Budget, Definitions, Node
from contract.document.diff.matching import absorbed, is_alike, paired
from contract.document.diff.values import kind_of
from contract.document.model import Side
from contract.shape.json_text import JsonSchema
from contract.shape.record import record
from contract.shape.schema_lens import as_schema, sequence

__all__ = ["Walk"]

_STEPS: Final = 400_000  # a service of a thousand routes takes about a tenth of them
_WITHOUT_SIDE: Final = (
    "deprecated",
    "undeprecated",
    "item_moved",
    "field_moved_in_code",
    "enum_member_moved",
)


@final
@record(eq=False)
class _Owner:
    """The route or the type that a change belongs to."""

    path: str
    route: str | None = None
    type: str | None = None


@final
@record
class _Spot:
    """A place in an owner's schema; kept as a list of steps, since paths are seldom needed."""

    part: Part
    outside: _Spot | None = None


@final
@record(eq=False)
class _Task:
    owner: _Owner
    spot: _Spot | None
    side: Side
    old: Node
    new: Node
    with_notes: bool
    inside: frozenset[str] = frozenset()
    """Types that were entered without a step along the data."""


@final
class Walk:
    """
    The comparison of two documents.

    Args:
        old: The named types of the old document.
        new: Those of the new one.
    """

    def __init__(self, old: Mapping[str, JsonSchema], new: Mapping[str, JsonSchema]) -> None:
        self._budget = Budget(_STEPS)
        self._old = Definitions(old, self._budget)
        self._new = Definitions(new, self._budget)
        self._tasks: list[_Task] = []
        self._types: dict[tuple[object, ...], _Owner] = {}
        self._met: dict[tuple[object, ...], Node] = {}
        """
        Schemas that a type was compared with in place, under the type and their id.

        They are kept, so that no other schema gets the same id.
        """
        self._users: dict[_Owner, set[_Owner]] = {}
        self._found: dict[tuple[str, str, str], tuple[_Owner, Change, set[_Owner]]] = {}

    def compare(self, subject: Subject, side: Side, old: JsonSchema, new: JsonSchema) -> None:
        """Compare two schemas of *subject*."""
        owner = _Owner(subject.path, subject.route)
        before, after = Node(as_schema(old)), Node(as_schema(new))
        self._tasks.append(_Task(owner, None, side, before, after, with_notes=True))
        self._run()

    def changes(self) -> Iterator[Change]:
        """All changes that were found."""
        if self._budget.left < 0:
            text = (
                "the documents are too large, or too entangled, to be compared to the end; "
                "what was not seen counts as breaking"
            )
            yield Change(kind="not_compared", level="breaking", path="$defs", text=text)
        for owner, change, owners in self._found.values():
            if owner.type is None:
                yield change
            else:
                yield replace(change, routes=self._routes_of(owners))

    def _run(self) -> None:
        # tasks instead of recursion: a chain of types may be longer than Python's stack is deep
        while self._tasks and self._budget.spend():
            task = self._tasks.pop()
            if task.with_notes:
                for finding in notes(task.old.schema, task.new.schema):
                    self._tell(task, finding)
            self._step(task)
        self._tasks.clear()

    def _step(self, task: _Task) -> None:
        # a schema that is not a union is its own only alternative
        old, new = self._old.alternatives(task.old), self._new.alternatives(task.new)
        if len(old) == len(new) == 1:
            self._single(task, old[0], new[0])
            return
        if self._is_opaque(self._old, old) or self._is_opaque(self._new, new):
            text = (
                "nothing tells the members of its oneOf apart, so they cannot be compared, "
                "and this counts as breaking"
            )
            self._tell(task, Finding("rule_changed", "unclear", text))
            return
        pairs, removed, added = paired(old, new, self._old, self._new)
        # a member without values can be neither missed nor new
        removed = [each for each in removed if self._old.once(each, kind_of) != "nothing"]
        added = [each for each in added if self._new.once(each, kind_of) != "nothing"]
        # what another member takes as well is not lost to those who send it, and not new to those
        # who receive it
        kept, removed = absorbed(removed, new, self._old, self._new)
        known, added = absorbed(added, old, self._new, self._old)
        if task.side == "input":
            pairs += kept
        else:
            pairs += [(other, each) for each, other in known]
        for before, after in pairs:
            self._tasks.append(replace(task, old=before, new=after, with_notes=False))
        for member in removed:
            self._tell(task, self._member(member, self._old, is_new=False))
        for member in added:
            self._tell(task, self._member(member, self._new, is_new=True))

    def _single(self, task: _Task, old: Node, new: Node) -> None:
        was, now = self._old.name(old), self._new.name(new)
        # 1. Two named types are compared once, under the name of the new one.
        if was is not None and now is not None:
            self._refer(task, was, now, old, new)
            return
        # 2. Two schemas without names are compared here.
        if was is None and now is None:
            self._budget.spend(
                len(sequence(old.schema.get("enum"))) + len(sequence(new.schema.get("enum")))
            )
            for found in self._bodies(old, new, task.side):
                if not self._budget.spend():
                    return
                if isinstance(found, Finding):
                    self._tell(task, found)
                else:
                    spot = _Spot(found.part, task.spot)
                    self._tasks.append(
                        _Task(task.owner, spot, task.side, found.old, found.new, with_notes=True)
                    )
            return
        # 3. A type got a name, or lost it. It is compared here, once with each schema.
        name = was or now
        assert name is not None  # noqa: S101  at least one of them is a name
        if name in task.inside:
            text = f"{name} is defined only by itself, so it cannot be compared"
            self._tell(task, Finding("rule_changed", "unclear", text))
            return
        # a type that contains itself would meet the same schema at every depth, each time with a
        # longer path
        other = new if was is not None else old
        key = (name, was is not None, id(other.schema), task.side, old.tags, new.tags)
        if key in self._met:
            return
        self._met[key] = other
        old, new = self._old.resolve(old), self._new.resolve(new)
        inside = task.inside | {name}
        self._tasks.append(replace(task, old=old, new=new, with_notes=False, inside=inside))

    def _refer(self, task: _Task, was: str, now: str, old: Node, new: Node) -> None:
        key = (was, now, task.side, old.tags, new.tags)
        if key not in self._types:
            self._types[key] = owner = _Owner(f"$defs{step_of(now)}", None, now)
            before = Node(as_schema(self._old.types[was]), old.tags)
            after = Node(as_schema(self._new.types[now]), new.tags)
            whole = _Task(owner, None, task.side, before, after, with_notes=True)
            self._tasks.append(whole)
            if was != now:
                text = (
                    f"is called {now}, was {was}; nothing changes on the wire, "
                    "but generated code has the new name"
                )
                self._tell(whole, Finding("type_renamed", "source", text, was, now))
        self._users.setdefault(self._types[key], set()).add(task.owner)

    def _is_opaque(self, types: Definitions, members: list[Node]) -> bool:
        return (
            len(members) == 1
            and "oneOf" in types.resolve(members[0]).schema
            and types.members(types.resolve(members[0])) is None
        )

    def _bodies(self, old: Node, new: Node, side: Side) -> Iterator[Finding | Step]:
        return compare_bodies(old, new, side, self._is_alike, self._is_same_default)

    def _is_same_default(self, old: Any, new: Any, node: Node) -> bool:
        return means_the_same(old, new, node, self._new, self._budget)

    def _is_alike(self, old: Any, new: Any) -> bool:
        return is_alike(old, new, self._old, self._new, self._budget.spend)

    def _member(self, node: Node, types: Definitions, *, is_new: bool) -> Finding:
        label = types.name(node) or kind_of(node.schema)
        if label == "null" and is_new:
            return Finding("null_added", "wider", "may now be null")
        if label == "null":
            return Finding("null_removed", "narrower", "may no longer be null")
        if is_new:
            text = f"{label} is now allowed here"
            return Finding("member_added", "wider", text, None, label)
        text = f"{label} is no longer allowed here"
        return Finding("member_removed", "narrower", text, label, None)

    def _tell(self, task: _Task, finding: Finding) -> None:
        level = level_of(finding.meaning, task.side)
        has_side = level in ("breaking", "compatible") and finding.code not in _WITHOUT_SIDE
        kind = finding.code
        if has_side:
            kind = f"{task.side}_{kind}"
        path = f"{task.owner.path}{_written(task.spot)}{finding.part}"
        text = finding.text
        if kind in REASONS:
            text = f"{text}: {REASONS[kind]}"
        owner = task.owner
        # a type that is both received and sent is compared twice, and may give one change twice
        if (kind, path, text) not in self._found:
            change = Subject(path, owner.route).change(kind, level, text, finding.old, finding.new)
            self._found[kind, path, text] = owner, replace(change, type=owner.type), set()
        self._found[kind, path, text][2].add(owner)

    def _routes_of(self, owners: set[_Owner]) -> tuple[str, ...]:
        """The routes that lead to a type."""
        seen = {*owners}
        ahead = [*owners]
        while ahead:
            for user in self._users.get(ahead.pop(), ()):
                if user not in seen and self._budget.spend():
                    seen.add(user)
                    ahead.append(user)
        return tuple(sorted({owner.route for owner in seen if owner.route is not None}))


def _written(spot: _Spot | None) -> str:
    parts: list[str] = []
    while spot is not None:
        parts.append(spot.part)
        spot = spot.outside
    return "".join(reversed(parts))
