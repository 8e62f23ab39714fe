"""
Guards: what a group runs before its routes, and routes that only seem to be in a group.

A route that was left out of its group is called without the hooks, the scopes and the
``authenticate`` of the group, and no document shows the difference. Two mistakes of this kind are
visible in a spec: the route's name begins with that of the group, or the route is also in the
group.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import NoneType
from typing import Any, Final

from contract.declare.group import Group
from contract.declare.hook import Hook
from contract.declare.typed_hook import TypedHook
from contract.declare.typed_route import Entry
from contract.shape.exceptions import SpecError

__all__ = ["check_guards"]

Groups = Sequence[Group[Any]]


def check_guards(
    entries: Mapping[str, Entry], around: Mapping[str, Groups], groups: Mapping[str, Group[Any]]
) -> None:
    """
    Check that no route is outside of a group that is meant to guard it.

    All are given by their full names; *around* has the groups that each route is in.

    Raises:
        SpecError: A route is.
    """
    # 1. Names: `orders.cancel` looks like a route of the group `orders`, but may stand outside.
    for_all: set[Hook[Any]] = set()
    for entry in entries.values():
        for_all.update(typed.hook for typed in entry.hooks if _takes_nobody(typed))
    for name, entry in entries.items():
        hooks = for_all if entry.route.auth == "none" else None
        _check_name(name, entry, hooks, _others(name, len(around[name]), groups))
    # 2. Places: one route is listed in a group, and also outside of it.
    names: dict[tuple[int, int], list[str]] = {}
    for name, entry in entries.items():
        # a different ``authenticate`` means other callers, who may need fewer guards
        names.setdefault((id(entry.route), id(entry.authenticator)), []).append(name)
    for same in names.values():
        _check_places({name: (entries[name], around[name]) for name in same})


def _takes_nobody(typed: TypedHook) -> bool:
    """Whether the hook also runs before public routes, whose context is None."""
    return any(each in _NOBODY for each in typed.contexts)


_NOBODY: Final = (None, NoneType, object)
"""Contexts of hooks that also run before public routes."""


def _others(name: str, depth: int, groups: Mapping[str, Group[Any]]) -> Iterator[Group[Any]]:
    """The groups that the *name* of a route names, except the *depth* groups that it is in."""
    parts = name.split(".")
    # each group around a route is one part of its name; the parts behind them may be a group's, too
    for end in range(depth + 1, len(parts)):
        found = groups.get(".".join(parts[:end]))
        if found is not None:
            yield found


def _check_name(
    name: str, entry: Entry, hooks: Collection[Hook[Any]] | None, others: Iterable[Group[Any]]
) -> None:
    """
    Check that *others*, the groups that a route's name names, have no *hooks* for it.

    If *hooks* is None, any hook of theirs counts.
    """
    for group in others:
        missed = group.hooks
        if hooks is not None:
            missed = tuple(hook for hook in missed if hook in hooks)
        lost = _guards([group], entry, missed)
        if group.authenticate is not None and entry.route.auth != "none":
            lost.append("the authenticate")
        if lost:
            raise SpecError(
                name,
                f"it is not in the group {group.name}, whose name is in its own, so "
                f"{' and '.join(lost)} of that group would not guard it; add it to the routes= "
                f"of the group, or give it another name ({entry.where})",
            )


def _check_places(places: Mapping[str, tuple[Entry, Groups]]) -> None:
    """Check that a route at several *places* is guarded at all of them, or at none."""
    # different guards at different places are fine: only a place without any looks like a mistake
    guards = {name: _behind(entry, around) for name, (entry, around) in places.items()}
    guarded = [name for name in places if guards[name]]
    bare = [name for name in places if not guards[name]]
    if guarded and bare:
        raise SpecError(
            bare[0],
            f"the same route is {guarded[0]}, and {' and '.join(guards[guarded[0]])} of the group "
            "there would not guard it here; list it once, or put it into a group here, too "
            f"({places[bare[0]][0].where})",
        )


def _behind(entry: Entry, around: Groups) -> list[str]:
    """The guards that the groups *around* a route put before it."""
    standing = {typed.hook for typed in entry.hooks}
    hooks = chain.from_iterable(group.hooks for group in around)
    return _guards(around, entry, [hook for hook in hooks if hook in standing])


def _guards(groups: Groups, entry: Entry, hooks: Iterable[Hook[Any]]) -> list[str]:
    """The names of the *hooks*, and of the scopes of *groups*, that guard a route."""
    names = {"hook": [hook.__name__ for hook in hooks]}
    if entry.route.auth != "none":
        names["scope"] = [*chain.from_iterable(group.requires for group in groups)]
    found: list[str] = []
    for kind, each in names.items():
        if each:
            plural = "s" if len(each) > 1 else ""
            found.append(f"the {kind}{plural} {', '.join(each)}")
    return found
