"""
Sets: whether what one holds has a hash.

Python finds a value in a set by its hash, and lists, maps and sets have none.
`contract.document.json_schema` writes no such set; where others wrote one it is refused here, since
a client of it could be imported and never be used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import final

from contract.codegen.model import (
    AliasDeclaration,
    AnyType,
    ArrayType,
    Declaration,
    MapType,
    NamedTupleDeclaration,
    NamedType,
    NullableType,
    TupleType,
    Type,
    UnionType,
)
from contract.codegen.spots import Spot

__all__ = ["check_sets"]


def check_sets(
    sets: Iterable[tuple[Spot, ArrayType]], declarations: Mapping[str, Declaration]
) -> None:
    """
    Refuse sets of what has no hash.

    Raises:
        GenerationError: One of *sets* is such a one.
    """
    hashes = _Hashes(declarations)
    for spot, each in sets:
        if hashes.has_none(each.item):
            raise spot.refuse(
                "no set holds lists, maps, sets or any values; leave out uniqueItems, "
                'or let the items be "x-contract-type": "tuple" or "frozenset"'
            )


@final
class _Hashes:
    """
    Knows which types of one document have values without a hash.

    Records always have one, if only that of their identity.
    """

    def __init__(self, declarations: Mapping[str, Declaration]) -> None:
        self._declarations = declarations
        self._fine: set[str] = set()

    def has_none(self, type_: Type) -> bool:
        seen = self._fine  # the first name that is not ends the search for good
        ahead = [type_]
        while ahead:
            match ahead.pop():
                case AnyType() | MapType() | ArrayType(container="list" | "set"):
                    return True
                case ArrayType(inner) | NullableType(inner):
                    ahead.append(inner)
                case TupleType(inside) | UnionType(inside):
                    ahead += inside
                case NamedType(name) if name not in seen:
                    seen.add(name)
                    ahead += self._parts(self._declarations[name])
                case _:
                    pass
        return False

    def _parts(self, declaration: Declaration) -> Iterable[Type]:
        match declaration:
            case AliasDeclaration(type=type_):
                return [type_]
            case NamedTupleDeclaration(fields=fields):
                return [field.type for field in fields]
            case _:
                return []
