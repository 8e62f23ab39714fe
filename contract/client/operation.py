"""Operations: what generated code says of a route."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Generic, Literal, TypeVar, final

from contract.client.results import DeclaredFailure
from contract.client.schemas import RouteSchemas, Schema

__all__ = ["Effect", "Operation"]

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741  input
F = TypeVar("F", bound=DeclaredFailure)

Effect = Literal["read", "idempotent", "write", "destructive"]
"""What a call does; only the first two are retried."""

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")


@final
class Operation(Generic[I, T, F]):
    """
    A route, as clients call it.

    Generated code has one for each, and nothing in it is compiled before the first call.

    Args:
        name: Of the route, which is its path below the base URL.
        effect: What a call does.
        schemas: Of its input and its output.
        failures: The classes of the failures that it declares.

    Raises:
        ValueError: The name could not be one.
    """

    __slots__ = ("effect", "failures", "name", "schemas")

    def __init__(
        self,
        name: str,
        *,
        effect: Effect,
        schemas: RouteSchemas[I, T],
        failures: tuple[type[F], ...] = (),
    ) -> None:
        if _NAME.fullmatch(name) is None:  # it becomes part of a URL
            raise ValueError(f"{name!r} is no name of a route")
        self.name: Final = name
        self.effect: Final[Effect] = effect
        self.schemas: Final = schemas
        self.failures: Final[Mapping[str, Schema[F]]] = MappingProxyType(
            {cls.error_code: Schema(cls) for cls in failures}
        )

    def __repr__(self) -> str:
        return f"Operation({self.name!r})"
