"""
Ledger 1.0.0: a client.

Generated from the contract with the SHA-256 digest 4e1bc620bfebe6eea078eecadd279b5604e853e8406fbe8fdf3fd65d1caf5436. Do
not change this file; generate it again::

    contract generate contract.json -o client.py
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Generic, Never, TypeVar, final

from annotated_types import Ge, Le
from contract.client import (
    UNSET,
    ApiClientBase,
    ApiGroupBase,
    AsyncApiClientBase,
    AsyncApiGroupBase,
    CallError,
    CallFailed,
    DeclaredFailure,
    Ok,
    Operation,
    PageKey,
    Paged,
    RouteSchemas,
    Schema,
    Unset,
    async_paged,
    paged,
    pages,
    unwrap,
)

__all__ = [
    "ApiClient",
    "AsyncApiClient",
    "CallError",
    "CallFailed",
    "Cursor_FilterInput",
    "Cursor_NoneInput",
    "Cursor_intInput",
    "Entry",
    "FilterInput",
    "NotFound",
    "Ok",
    "Refused",
    "Slice",
    "UNSET",
    "Unset",
    "pages",
    "schemas",
    "unwrap",
]


_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterInput:
    word: str = ""
    fails_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor_FilterInput:
    """Which page of a list is asked for."""

    filter: FilterInput = FilterInput()
    """Which items there are; the same for all pages of one list."""
    after: PageKey | None = None
    """`next` of the page before this; null for the first page."""
    limit: Annotated[int, Ge(1), Le(100)] = 50
    """The most items that the page may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor_NoneInput:
    """Which page of a list is asked for."""

    filter: None = None
    """Which items there are; the same for all pages of one list."""
    after: PageKey | None = None
    """`next` of the page before this; null for the first page."""
    limit: Annotated[int, Ge(1), Le(3)] = 3
    """The most items that the page may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor_intInput:
    """Which page of a list is asked for."""

    filter: int
    """Which items there are; the same for all pages of one list."""
    after: PageKey | None = None
    """`next` of the page before this; null for the first page."""
    limit: Annotated[int, Ge(1), Le(100)] = 50
    """The most items that the page may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    id: int
    word: str


@dataclass(frozen=True, kw_only=True)
class Slice(Generic[_T]):
    """A page of a list."""

    items: list[_T]
    next: PageKey | None
    """`after` of the page that follows, asked for with the same filter; null: no more."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NotFound(DeclaredFailure, code="NOT_FOUND", status=404):
    """The thing that the call names does not exist."""

    message: str | Unset = UNSET
    description: str | Unset = UNSET


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Refused(DeclaredFailure, code="REFUSED", status=409):
    """The list ends before its end."""

    at: int


@final
class _Schemas:
    """Validators: of every exported type, and of the input and the output of every route."""

    def __init__(self) -> None:
        self.everything: Final[RouteSchemas[Cursor_NoneInput, Slice[str | int]]] = RouteSchemas(
            input=Schema(Cursor_NoneInput),
            output=Schema(Slice[str | int]),
        )
        self.find: Final[RouteSchemas[Cursor_FilterInput, Slice[Entry]]] = RouteSchemas(
            input=Schema(Cursor_FilterInput),
            output=Schema(Slice[Entry]),
        )
        self.of_items: Final[RouteSchemas[Cursor_intInput, Slice[Entry]]] = RouteSchemas(
            input=Schema(Cursor_intInput),
            output=Schema(Slice[Entry]),
        )
        self.pages: Final[RouteSchemas[None, int]] = RouteSchemas(input=Schema(None), output=Schema(int))


schemas: Final = _Schemas()
"""Validators, with ``load``, ``check`` and ``dump``: the same as the server's."""


_EVERYTHING: Final[Operation[Cursor_NoneInput, Slice[str | int], Never]] = Operation(
    "everything",
    effect="read",
    schemas=schemas.everything,
)
_FIND: Final[Operation[Cursor_FilterInput, Slice[Entry], NotFound | Refused]] = Operation(
    "find",
    effect="read",
    schemas=schemas.find,
    failures=(NotFound, Refused),
)
_OF_ITEMS: Final[Operation[Cursor_intInput, Slice[Entry], NotFound | Refused]] = Operation(
    "of.items",
    effect="read",
    schemas=schemas.of_items,
    failures=(NotFound, Refused),
)
_PAGES: Final[Operation[None, int, Never]] = Operation("pages", effect="read", schemas=schemas.pages)


class _OfGroup(ApiGroupBase):
    """The routes of the group ``of``."""

    @paged
    def items(
        self,
        *,
        filter: int,
        after: PageKey | None = None,
        limit: int = 50,
    ) -> Paged[Ok[Slice[Entry]] | NotFound | Refused | CallError, Ok[Entry] | NotFound | Refused | CallError]:
        """
        List the items of an entry.

        Only reads, so it is tried again if no answer comes.

        Args:
            filter: Which items there are; the same for all pages of one list.
            after: `next` of the page before this; null for the first page.
            limit: The most items that the page may have.

        Failures:
            NotFound: The thing that the call names does not exist.
            Refused: The list ends before its end.
        """
        return Paged(self._call(_OF_ITEMS, Cursor_intInput(filter=filter, after=after, limit=limit)))


class ApiClient(ApiClientBase):
    """A client of Ledger."""

    _title = "Ledger"
    _version = "1.0.0"

    @property
    def of(self) -> _OfGroup:
        """The routes of the group ``of``."""
        return _OfGroup(self._call)

    @paged
    def everything(
        self,
        *,
        filter: None = None,
        after: PageKey | None = None,
        limit: int = 3,
    ) -> Paged[Ok[Slice[str | int]] | CallError, Ok[str | int] | CallError]:
        """
        List everything.

        Only reads, so it is tried again if no answer comes.

        Args:
            filter: Which items there are; the same for all pages of one list.
            after: `next` of the page before this; null for the first page.
            limit: The most items that the page may have.
        """
        return Paged(self._call(_EVERYTHING, Cursor_NoneInput(filter=filter, after=after, limit=limit)))

    @paged
    def find(
        self,
        *,
        filter: FilterInput = FilterInput(),
        after: PageKey | None = None,
        limit: int = 50,
    ) -> Paged[Ok[Slice[Entry]] | NotFound | Refused | CallError, Ok[Entry] | NotFound | Refused | CallError]:
        """
        Find entries.

        Only reads, so it is tried again if no answer comes.

        Args:
            filter: Which items there are; the same for all pages of one list.
            after: `next` of the page before this; null for the first page.
            limit: The most items that the page may have.

        Failures:
            NotFound: The thing that the call names does not exist.
            Refused: The list ends before its end.
        """
        return Paged(self._call(_FIND, Cursor_FilterInput(filter=filter, after=after, limit=limit)))

    def pages(self) -> Ok[int] | CallError:
        """
        Count the pages.

        Only reads, so it is tried again if no answer comes.
        """
        return self._call(_PAGES, None)


class _AsyncOfGroup(AsyncApiGroupBase):
    """The routes of the group ``of``."""

    @async_paged
    async def items(
        self,
        *,
        filter: int,
        after: PageKey | None = None,
        limit: int = 50,
    ) -> Paged[Ok[Slice[Entry]] | NotFound | Refused | CallError, Ok[Entry] | NotFound | Refused | CallError]:
        """
        List the items of an entry.

        Only reads, so it is tried again if no answer comes.

        Args:
            filter: Which items there are; the same for all pages of one list.
            after: `next` of the page before this; null for the first page.
            limit: The most items that the page may have.

        Failures:
            NotFound: The thing that the call names does not exist.
            Refused: The list ends before its end.
        """
        return Paged(await self._call(_OF_ITEMS, Cursor_intInput(filter=filter, after=after, limit=limit)))


class AsyncApiClient(AsyncApiClientBase):
    """A client of Ledger, for asyncio or Trio."""

    _title = "Ledger"
    _version = "1.0.0"

    @property
    def of(self) -> _AsyncOfGroup:
        """The routes of the group ``of``."""
        return _AsyncOfGroup(self._call)

    @async_paged
    async def everything(
        self,
        *,
        filter: None = None,
        after: PageKey | None = None,
        limit: int = 3,
    ) -> Paged[Ok[Slice[str | int]] | CallError, Ok[str | int] | CallError]:
        """
        List everything.

        Only reads, so it is tried again if no answer comes.

        Args:
            filter: Which items there are; the same for all pages of one list.
            after: `next` of the page before this; null for the first page.
            limit: The most items that the page may have.
        """
        return Paged(await self._call(_EVERYTHING, Cursor_NoneInput(filter=filter, after=after, limit=limit)))

    @async_paged
    async def find(
        self,
        *,
        filter: FilterInput = FilterInput(),
        after: PageKey | None = None,
        limit: int = 50,
    ) -> Paged[Ok[Slice[Entry]] | NotFound | Refused | CallError, Ok[Entry] | NotFound | Refused | CallError]:
        """
        Find entries.

        Only reads, so it is tried again if no answer comes.

        Args:
            filter: Which items there are; the same for all pages of one list.
            after: `next` of the page before this; null for the first page.
            limit: The most items that the page may have.

        Failures:
            NotFound: The thing that the call names does not exist.
            Refused: The list ends before its end.
        """
        return Paged(await self._call(_FIND, Cursor_FilterInput(filter=filter, after=after, limit=limit)))

    async def pages(self) -> Ok[int] | CallError:
        """
        Count the pages.

        Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_PAGES, None)
