"""
Own paths: what a mount serves beside its routes, and the names that routes cannot have.

The rules are shared by a mount and by `emit_contract`, which needs no mount.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from contract.shape.exceptions import MountError
from contract.shape.urls import instead_of_path

__all__ = ["check_names", "own_paths"]


def own_paths(
    maker: str, *, docs_path: str | None, mcp_path: str | None, health_path: str | None = None
) -> Mapping[str, str]:
    """
    Each path below the prefix that is not a route, with the option of the *maker* that sets it.

    Raises:
        MountError: One of them is not a path, or they contain each other.
    """
    own: dict[str, str] = {}
    if docs_path is not None:
        # a mount that shows its pages serves the documents, too
        own = {"/contract.json": "docs", "/openapi.json": "docs"}
    given = {"docs_path": docs_path, "mcp_path": mcp_path, "health_path": health_path}
    for option, path in given.items():
        if path is None:
            continue
        where = f"{maker}({option}=)"
        nothing = "docs=False" if where == "mount_spec(docs_path=)" else "None"
        problem = instead_of_path(path, none=nothing)
        if problem is not None:
            raise MountError(where, problem)
        for taken, other in own.items():
            # with a slash at the end, so that /docs and /docs2 do not collide
            if f"{path}/".startswith(f"{taken}/") or taken.startswith(f"{path}/"):
                whose = "the document" if other == "docs" else f"{other}="
                advice = "choose paths that do not contain each other"
                raise MountError(where, f"{path!r} collides with {whose} {taken!r}; {advice}")
        own[path] = option
    return own


def check_names(names: Iterable[str], own: Mapping[str, str]) -> None:
    """
    Refuse a route whose name is one of the `own_paths`.

    Raises:
        MountError: A route has such a name.
    """
    # The name of a route has no slash, so only the first part of a path can be one.
    taken = {path.split("/")[1]: option for path, option in own.items()}
    for name in names:
        if name in taken:
            advice = "give the route another name, or change that option"
            raise MountError(name, f"the mount needs this path itself, by {taken[name]}=; {advice}")
