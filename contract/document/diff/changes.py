"""
Changes: what differs between two documents, whom it breaks, and which version it requires.

A `Finding` is a difference between two schemas, before it is known which route or type they belong
to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Any, Final, Literal, assert_never, final

from contract.document.diff.definitions import Node
from contract.document.model import Side
from contract.shape.quoting import cut
from contract.shape.record import record

__all__ = [
    "LEVELS",
    "REASONS",
    "Bump",
    "Change",
    "Finding",
    "Level",
    "Part",
    "Relation",
    "Step",
    "Subject",
    "bump",
    "combine",
    "fits",
    "in_order",
    "least",
    "level_of",
    "quoted",
    "said",
    "step_of",
]

Level = Literal["breaking", "source", "compatible", "docs"]
"""
Whom a change affects.

``breaking``: a correct client may fail. ``source``: nothing changes on the wire, but generated code
gets another name or type, so code that uses it must be edited once it is generated anew.
``compatible``: every client keeps working. ``docs``: only text for readers changes.
"""

Bump = Literal["major", "minor", "patch", "none"]
"""The part of a version that a change raises (Semantic Versioning 2.0.0)."""

LEVELS: Final[tuple[Level, ...]] = ("breaking", "source", "compatible", "docs")
"""The most serious first."""

_BUMPS: Final[dict[Level, Bump]] = {
    "breaking": "major",
    "source": "minor",
    "compatible": "minor",
    "docs": "patch",
}


@final
@record(kw_only=True)
class Change:
    """One difference."""

    kind: str
    """A stable code, such as ``input_field_required_added``."""
    level: Level
    path: str
    """
    The place: ``routes.order.auth``. In a schema it follows the data:
    ``routes.order.input.lines[*].quantity``, ``$defs.Order.lines``; ``[*]`` is all items, ``.*``
    all values of a map, and ``{key}`` its keys.
    """
    text: str
    """The change in words: the old, the new, and why it breaks clients."""
    route: str | None = None
    """The route, if the change is in one route."""
    type: str | None = None
    """The named type, if the change is in one: its name in the new document."""
    routes: tuple[str, ...] = ()
    """The routes that are affected by a change in a type, sorted."""
    old: Any = None
    """The old value as JSON; None if there was none, or if it is too long."""
    new: Any = None
    """The new value as JSON; None if there is none, or if it is too long."""


@final
@record
class Subject:
    """A part of a document that is not a schema, such as a route or its cache."""

    path: str
    """Its place, as in `Change.path`."""
    route: str | None = None
    """The route that it belongs to, if it belongs to one."""

    def __truediv__(self, name: str) -> Subject:
        """The part *name* of it."""
        return Subject(f"{self.path}{step_of(name)}", self.route)

    def change(
        self, kind: str, level: Level, text: str, old: Any = None, new: Any = None
    ) -> Change:
        """A change of it."""
        return Change(
            kind=kind, level=level, path=self.path, text=text, route=self.route, old=old, new=new
        )

    def rewritten(self, old: object, new: object, *names: str) -> Iterator[Change]:
        """The attributes *names* of two records, texts for readers, as far as they differ."""
        for name in names:
            was, now = getattr(old, name), getattr(new, name)
            if was != now:
                text = f"the {name} is {said(now)}, was {said(was)}"
                yield (self / name).change(f"{name}_changed", "docs", text, was, now)


def bump(changes: Iterable[Change]) -> Bump:
    """
    The part of the version that must be raised for *changes*.

    A change of the version itself requires nothing.
    """
    found = {change.level for change in changes if change.kind != "version_changed"}
    gravest: Level | None = next((level for level in LEVELS if level in found), None)
    return "none" if gravest is None else _BUMPS[gravest]


def in_order(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The *changes*, most serious first, then by path."""
    return tuple(
        sorted(
            changes,
            key=lambda change: (LEVELS.index(change.level), change.path, change.kind, change.text),
        )
    )


Relation = Literal["same", "narrower", "wider", "unclear"]
"""
The new set of values compared to the old; "unclear" if that is unknown, or neither contains the
other.
"""

Part = str
"""A step along the data, as in a path: ``.name``, ``[*]``, ``[0]``, ``.*``, ``{key}``."""

_MAX_QUOTED: Final = 120


@final
@record
class Finding:
    """A difference at one place."""

    code: str
    """The kind of change, without the side."""
    meaning: Relation | Level
    """A relation; or a level, if it is the same for both sides."""
    text: str
    old: Any = None
    new: Any = None
    part: Part = field(default="", kw_only=True)
    """The place, relative to the schemas that are compared."""


@final
@record(eq=False)
class Step:
    """Two schemas at one place, which must be compared."""

    part: Part
    old: Node
    new: Node


def level_of(meaning: Relation | Level, side: Side) -> Level:
    """Whom it affects: an input may become wider, an output narrower."""
    match meaning:
        case "narrower":
            return "breaking" if side == "input" else "compatible"
        case "wider":
            return "compatible" if side == "input" else "breaking"
        case "unclear" | "same":  # findings are never "same"
            return "breaking"
        case _:
            return meaning


def combine(*relations: Relation) -> Relation:
    """The relation of several rules that all apply."""
    found: set[Relation] = {relation for relation in relations if relation != "same"}
    if len(found) > 1:
        return "unclear"
    return found.pop() if found else "same"


def said(value: Any) -> str:
    """*value* in a text; null becomes "none"."""
    return "none" if value is None else quoted(value)


def quoted(value: Any) -> str:
    """*value* in a text, as JSON; a long one is cut."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        text = f"({type(value).__name__})"
    return cut(text, _MAX_QUOTED)


_PLAIN: Final = re.compile(r"[A-Za-z_@$][A-Za-z0-9_@$-]*")


def step_of(name: str) -> str:
    """The step to the member *name* of an object: ``.name``, or ``["a name"]`` if necessary."""
    if _PLAIN.fullmatch(name):
        return f".{name}"
    return f"[{json.dumps(name)}]"


_REFUSED: Final = "what was sent until now may be refused"
_UNEXPECTED: Final = "clients may receive what they do not expect"

REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "input_enum_closed": _REFUSED,
        "input_enum_value_removed": "clients that send it are refused",
        **dict.fromkeys(
            ("input_default_added", "input_default_changed", "input_default_removed"),
            "what is left out means something else",
        ),
        "input_extra_fields_refused": _REFUSED,
        "input_field_removed": "clients that send it are refused, since inputs are closed",
        "input_field_required": "clients that leave it out are refused",
        "input_field_required_added": "clients that do not know it are refused",
        "input_form_narrowed": _REFUSED,
        "input_form_changed": _REFUSED,
        "input_item_removed": "clients that send it are refused",
        "input_item_required_added": "clients that do not know it are refused",
        "input_limit_narrowed": _REFUSED,
        "input_limit_changed": f"the two cannot be compared, so {_REFUSED}",
        "input_member_removed": "clients that send it are refused",
        "input_null_removed": "clients that send null are refused",
        "input_pattern_added": _REFUSED,
        "input_repetition_refused": _REFUSED,
        "input_rule_added": _REFUSED,
        "input_type_changed": _REFUSED,
        "input_type_narrowed": _REFUSED,
        "output_enum_opened": "an exhaustive client has no case for other values",
        "output_enum_value_added": "an exhaustive client has no case for it",
        "output_extra_fields_allowed": _UNEXPECTED,
        "output_field_added": "clients ignore fields that they do not know",
        "output_field_optional": "clients that read it do not expect it to be absent",
        "output_field_removed": "clients that read it find nothing",
        "output_form_widened": _UNEXPECTED,
        "output_form_changed": _UNEXPECTED,
        "output_item_added": "clients expect as many positions as there were",
        "output_item_removed": "clients that read it find nothing",
        "output_item_required_added": "clients expect as many positions as there were",
        "output_limit_widened": _UNEXPECTED,
        "output_limit_changed": f"the two cannot be compared, so {_UNEXPECTED}",
        "output_member_added": "an exhaustive client has no case for it",
        "output_null_added": "clients that read the value do not expect null",
        "output_pattern_removed": _UNEXPECTED,
        "output_repetition_allowed": _UNEXPECTED,
        "output_rule_removed": _UNEXPECTED,
        "output_type_changed": _UNEXPECTED,
        "output_type_widened": _UNEXPECTED,
    }
)
"""Kind -> reason, if the text of a finding does not give it."""


_VERSION: Final = re.compile(
    r"v?([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?"
)


def fits(old: str, new: str, bump: Bump) -> bool | None:
    """
    Whether *new* is high enough after *old*; None if one of them is not three numbers.

    Before 1.0.0 the second number takes the place of the first, as is the custom. A pre-release
    counts as the version that it leads to.
    """
    found, lowest = _numbers(new), least(old, bump)
    if found is None or lowest is None:
        return None
    return found >= lowest


def least(old: str, bump: Bump) -> tuple[int, int, int] | None:
    """The lowest version that *bump* allows, or None if *old* does not have three numbers."""
    numbers = _numbers(old)
    if numbers is None or bump == "none":
        return numbers
    major, minor, patch = numbers
    if "-" in old.partition("+")[0]:
        return numbers  # the version that it leads to is not released, so it may contain any change
    # before 1.0.0, a breaking change raises the second number, and any other one the third
    if major == 0:
        if bump == "major":
            return 0, minor + 1, 0
        return 0, minor, patch + 1
    match bump:
        case "major":
            return major + 1, 0, 0
        case "minor":
            return major, minor + 1, 0
        case "patch":
            return major, minor, patch + 1
        case _:
            assert_never(bump)


def _numbers(version: str) -> tuple[int, int, int] | None:
    found = _VERSION.fullmatch(version)
    if found is None:
        return None
    return int(found[1]), int(found[2]), int(found[3])
