"""
Contract API 0.0.0: a client.

Generated from the contract with the SHA-256 digest ea1bef33392f5f03c447b6ee3cc9b5737146904076aa1e51cff6a73abb2f64bf. Do
not change this file; generate it again::

    contract generate contract.json -o client.py
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, NamedTuple, Never, final

from annotated_types import MaxLen
from contract.client import (
    UNSET,
    ApiClientBase,
    AsyncApiClientBase,
    CallError,
    CallFailed,
    Ok,
    Operation,
    RouteSchemas,
    Schema,
    Unset,
    unwrap,
)
from typing_extensions import TypeAliasType

__all__ = [
    "ApiClient",
    "AsyncApiClient",
    "BothInput",
    "Branch",
    "CallError",
    "CallFailed",
    "Chain",
    "Forest",
    "Json",
    "LeafInput",
    "Loose",
    "Ok",
    "Stem",
    "Tree",
    "TreeInput",
    "UNSET",
    "Unset",
    "schemas",
    "unwrap",
]


Json = TypeAliasType("Json", "bool | int | str | list[Json] | dict[str, Json] | None")


@dataclass(frozen=True, slots=True, kw_only=True)
class BothInput:
    """An expression: a tagged union that contains itself."""

    left: BothInput | LeafInput
    right: BothInput | LeafInput
    op: Literal["and", "or"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    leaves: Annotated[list[Forest], MaxLen(2)]
    parent: Branch | Unset = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    value: str
    next: Chain | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """Through two types and a map."""

    trees: dict[str, Branch]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafInput:
    op: Literal["leaf"]
    value: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Loose:
    a: int | Unset = UNSET
    inner: Loose | Unset = UNSET


class Stem(NamedTuple):
    name: str
    over: Stem | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A tree."""

    value: int
    children: list[Tree]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeInput:
    """A tree."""

    value: int
    children: list[TreeInput] = field(default_factory=list["TreeInput"])


@final
class _Schemas:
    """Validators: of every exported type, and of the input and the output of every route."""

    def __init__(self) -> None:
        self.Json: Final[Schema[Json]] = Schema(Json)
        self.Tree: Final[Schema[Tree]] = Schema(Tree)
        self.TreeInput: Final[Schema[TreeInput]] = Schema(TreeInput)
        self.evaluate: Final[RouteSchemas[BothInput | LeafInput, bool]] = RouteSchemas(
            input=Schema(BothInput | LeafInput),
            output=Schema(bool),
        )
        self.follow: Final[RouteSchemas[Chain, Json]] = RouteSchemas(input=Schema(Chain), output=Schema(Json))
        self.grow: Final[RouteSchemas[TreeInput, Forest]] = RouteSchemas(input=Schema(TreeInput), output=Schema(Forest))
        self.loosen: Final[RouteSchemas[Loose, Stem]] = RouteSchemas(input=Schema(Loose), output=Schema(Stem))


schemas: Final = _Schemas()
"""Validators, with ``load``, ``check`` and ``dump``: the same as the server's."""


_EVALUATE: Final[Operation[BothInput | LeafInput, bool, Never]] = Operation(
    "evaluate",
    effect="read",
    schemas=schemas.evaluate,
)
_FOLLOW: Final[Operation[Chain, Json, Never]] = Operation("follow", effect="read", schemas=schemas.follow)
_GROW: Final[Operation[TreeInput, Forest, Never]] = Operation("grow", effect="write", schemas=schemas.grow)
_LOOSEN: Final[Operation[Loose, Stem, Never]] = Operation("loosen", effect="read", schemas=schemas.loosen)


class ApiClient(ApiClientBase):
    """A client of Contract API."""

    _title = "Contract API"
    _version = "0.0.0"

    def evaluate(self, input: BothInput | LeafInput, /) -> Ok[bool] | CallError:
        """
        Evaluate.

        Only reads, so it is tried again if no answer comes.
        """
        return self._call(_EVALUATE, input)

    def follow(self, *, value: str, next: Chain | None) -> Ok[Json] | CallError:
        """
        Follow.

        Only reads, so it is tried again if no answer comes.
        """
        return self._call(_FOLLOW, Chain(value=value, next=next))

    def grow(self, *, value: int, children: list[TreeInput] | Unset = UNSET) -> Ok[Forest] | CallError:
        """
        Grow.

        Is never tried again by itself.
        """
        return self._call(_GROW, TreeInput(value=value, children=[] if children is UNSET else children))

    def loosen(self, *, a: int | Unset = UNSET, inner: Loose | Unset = UNSET) -> Ok[Stem] | CallError:
        """
        Loosen.

        Only reads, so it is tried again if no answer comes.
        """
        return self._call(_LOOSEN, Loose(a=a, inner=inner))


class AsyncApiClient(AsyncApiClientBase):
    """A client of Contract API, for asyncio or Trio."""

    _title = "Contract API"
    _version = "0.0.0"

    async def evaluate(self, input: BothInput | LeafInput, /) -> Ok[bool] | CallError:
        """
        Evaluate.

        Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_EVALUATE, input)

    async def follow(self, *, value: str, next: Chain | None) -> Ok[Json] | CallError:
        """
        Follow.

        Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_FOLLOW, Chain(value=value, next=next))

    async def grow(self, *, value: int, children: list[TreeInput] | Unset = UNSET) -> Ok[Forest] | CallError:
        """
        Grow.

        Is never tried again by itself.
        """
        return await self._call(_GROW, TreeInput(value=value, children=[] if children is UNSET else children))

    async def loosen(self, *, a: int | Unset = UNSET, inner: Loose | Unset = UNSET) -> Ok[Stem] | CallError:
        """
        Loosen.

        Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_LOOSEN, Loose(a=a, inner=inner))
