"""Walk: which parts of a package are written, and what has to stand before what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from contract.codegen.package import Package
from contract.shape.graph import parts, reachable
from contract.shape.nodes import Definition, Shape
from contract.shape.record import record

__all__ = ["Reach", "every_shape", "in_order", "reach_of"]


@record(kw_only=True)
class Reach:
    """The parts of a package that are written."""

    roots: tuple[Shape, ...]
    """The shapes of routes and exports."""
    types: tuple[str, ...]
    """Names of types, sorted."""
    codes: tuple[str, ...]
    """Codes that routes declare, sorted."""
    failures: Mapping[str, str]
    """
    Code -> the name of its data, where no other code and no type has that data.

    The class of the failure takes this name.
    """
    data: tuple[str, ...]
    """Names of the data of failures, sorted."""


def reach_of(package: Package, *, clients: bool) -> Reach:
    """
    All parts of *package* that its routes and its exports lead to.

    Without *clients* the exports alone.
    """
    operations = [*package.operations.values()] if clients else []
    roots: list[Shape] = [*package.exports.values()]
    for each in operations:
        roots += [each.output] if each.input is None else [each.input, each.output]
    codes = sorted({code for each in operations for code in each.failures})
    data = {
        code: of.definition for code in codes if (of := package.failures[code].data) is not None
    }
    found: set[Definition] = set()
    for shape in (*roots, *(part for each in data.values() for part in parts(each))):
        found |= reachable(shape, found)
    held = [*data.values()]
    return Reach(
        roots=tuple(roots),
        types=tuple(sorted(each.name for each in found)),
        codes=tuple(codes),
        failures={
            code: each.name
            for code, each in data.items()
            if each not in found and held.count(each) == 1
        },
        data=tuple(sorted({each.name for each in held})),
    )


def every_shape(package: Package, reach: Reach) -> Iterator[Shape]:
    """All shapes that are written, but for those within others."""
    yield from reach.roots
    for name in (*reach.types, *reach.data):
        yield from parts(package.definitions[name])


def in_order(names: Iterable[str], needs: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    """*names*, each behind what it *needs*; in a circle, whatever was met first comes last."""
    wanted = [*names]
    known = frozenset(wanted)
    placed: dict[str, None] = {}
    opened: set[str] = set()
    for start in wanted:
        path = [start]
        while path:
            name = path[-1]
            opened.add(name)
            missing = next(
                (
                    each
                    for each in needs(name)
                    if each in known and each not in placed and each not in opened
                ),
                None,
            )
            if missing is None:
                path.pop()
                placed[name] = None
            else:
                path.append(missing)
    return tuple(placed)
