"""Pages: which routes give a list page by page, and the declarations that are refused."""

from __future__ import annotations

from typing import Final
from weakref import WeakSet

from contract.shape.exceptions import RouteDeclarationError, UnsupportedAnnotation
from contract.shape.graph import fingerprint, reachable
from contract.shape.names import label
from contract.shape.nodes import Definition, RefShape, Shape
from contract.shape.pages import Cursor, Slice, paged_by

__all__ = ["check_no_pages", "read_pages"]


def read_pages(input: Shape | None, output: Shape, name: str) -> Shape | None:
    """
    The shape of the keys of a route that gives pages; None for any other route.

    Raises:
        DeclarationError: It takes a `Cursor` without returning a `Slice`, or the other way round;
            or one of the two is inside another type.
    """
    taken, gives = paged_by(input, Cursor), paged_by(output, Slice)
    # 1. Neither is a part of another type.
    for shape, place, paged in ((input, "input", taken), (output, "return", gives)):
        if shape is not None:
            check_no_pages(shape, f"{name}.{place}", within=paged is not None)
    # 2. They come together.
    if taken is None and gives is None:
        return None
    if taken is None:
        raise RouteDeclarationError(
            f"{name}.return",
            "it gives a page, and nobody could ask for the next; "
            f"take a cursor: input: Cursor[Filter, {_key(gives)}]",
        )
    if gives is None:
        raise RouteDeclarationError(
            f"{name}.input",
            "it takes a cursor, but returns no page to hold the next one; "
            f"return Slice[Item, {_key(taken)}]",
        )
    # 3. The key that one page ends with is the key that the next one begins at. Fingerprints are
    #    compared, since `==` would take Literal[1] and Literal[True] for one type.
    if fingerprint(taken) != fingerprint(gives):
        raise RouteDeclarationError(
            f"{name}.return",
            f"the next page begins at a key of the type {label(gives)}, and the cursor takes "
            f"{label(taken)}; write one type in both",
        )
    return taken


def _key(shape: Shape | None) -> str:
    return "..." if shape is None else label(shape)


def check_no_pages(shape: Shape, where: str, *, within: bool = False) -> None:
    """
    Check that *shape* is not a cursor or a page, or, if *within*, contains none.

    Raises:
        UnsupportedAnnotation: It is or does: no route would sign its key.
    """
    if within:
        assert isinstance(shape, RefShape)  # noqa: S101  cursors and pages are records
        shape = shape.definition.shape
    fresh = reachable(shape, _WITHOUT_PAGES)  # all but those that were looked at before
    for definition in fresh:
        if definition.key[0] in (Cursor, Slice):
            raise UnsupportedAnnotation(
                where,
                f"a {definition.key[0].__name__} is inside another type; "
                "a Cursor is the whole input of a route, and a Slice its whole output",
            )
    _WITHOUT_PAGES.update(fresh)


_WITHOUT_PAGES: Final[WeakSet[Definition]] = WeakSet()
"""Types in which neither was found: many routes may refer to them. It keeps none alive."""
