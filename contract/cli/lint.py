"""Lint: what a document leaves unsaid, to people and to agents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from contract.document import Document

__all__ = ["Hint", "hints"]


@final
@dataclass(frozen=True, slots=True)
class Hint:
    """
    Something that could be better, and fails nothing.

    Attributes:
        kind: A stable code.
        path: Where in the document.
        text: What, and what to do.
    """

    kind: str
    path: str
    text: str


def hints(document: Document) -> Iterator[Hint]:
    """What could be said better, route by route."""
    owners: dict[str, str] = {}
    for name, route in sorted(document.routes.items()):
        path = f"routes.{name}"
        tool = route.mcp
        if not route.description:
            if tool is None:
                yield Hint("route_without_description", path, "there is no description; the resolver's docstring would be one")
            else:
                text = "there is no description, so agents know the tool by its summary alone; the resolver's docstring would be one"
                yield Hint("tool_without_description", path, text)
        if not route.tags:
            yield Hint("route_without_tags", path, "there are no tags, so the route stands apart from all others in the explorer")
        if tool is not None:
            if tool.name in owners:
                yield Hint("tool_name_taken", f"{path}.mcp.name", f"{tool.name} is the tool of {owners[tool.name]}, too")
            owners.setdefault(tool.name, name)
