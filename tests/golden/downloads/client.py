"""
Desks 1.0.0: a client.

Generated from the contract with the SHA-256 digest 1a02cfffe14f1f429ae8910b22fcc80186a1c19c9b014c910f817ffb42437c4f. Do
not change this file; generate it again::

    contract generate contract.json -o client.py
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, Never, final

from contract.client import (
    UNSET,
    ApiClientBase,
    ApiGroupBase,
    AsyncApiClientBase,
    AsyncApiGroupBase,
    AsyncFile,
    CallError,
    CallFailed,
    DeclaredFailure,
    DownloadOperation,
    File,
    Ok,
    Operation,
    RouteSchemas,
    Schema,
    Unset,
    unwrap,
)

__all__ = [
    "ApiClient",
    "AsyncApiClient",
    "CallError",
    "CallFailed",
    "NoPicture",
    "Ok",
    "UNSET",
    "Unset",
    "WhichInput",
    "schemas",
    "unwrap",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhichInput:
    """A picture."""

    desk: str
    how: Literal["bytes", "file", "parts", "broken"] = "bytes"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NoPicture(DeclaredFailure, code="NO_PICTURE", status=404):
    """There is no picture of this desk."""


@final
class _Schemas:
    """Validators: of every exported type, and of the input and the output of every route."""

    def __init__(self) -> None:
        self.art_draw: Final[RouteSchemas[str, None]] = RouteSchemas(input=Schema(str), output=Schema(None))
        self.listed: Final[RouteSchemas[None, list[str]]] = RouteSchemas(input=Schema(None), output=Schema(list[str]))
        self.picture: Final[RouteSchemas[WhichInput, None]] = RouteSchemas(
            input=Schema(WhichInput),
            output=Schema(None),
        )
        self.table: Final[RouteSchemas[None, None]] = RouteSchemas(input=Schema(None), output=Schema(None))


schemas: Final = _Schemas()
"""Validators, with ``load``, ``check`` and ``dump``: the same as the server's."""


_ART_DRAW: Final[DownloadOperation[str, Never]] = DownloadOperation(
    "art.draw",
    effect="write",
    media=("image/*",),
    schemas=schemas.art_draw,
)
_LISTED: Final[Operation[None, list[str], Never]] = Operation("listed", effect="read", schemas=schemas.listed)
_PICTURE: Final[DownloadOperation[WhichInput, NoPicture]] = DownloadOperation(
    "picture",
    effect="read",
    media=("image/png", "image/jpeg"),
    schemas=schemas.picture,
    failures=(NoPicture,),
)
_TABLE: Final[DownloadOperation[None, Never]] = DownloadOperation(
    "table",
    effect="read",
    media=("text/csv",),
    schemas=schemas.table,
)


class _ArtGroup(ApiGroupBase):
    """The routes of the group ``art``."""

    def draw(self, input: str, /) -> Ok[File] | CallError:
        """
        Draw a desk.

        Is never tried again by itself. Gives a file (image/*); save or read it, or close it by ``with``, or ``async
        with``.
        """
        return self._call(_ART_DRAW, input)


class ApiClient(ApiClientBase):
    """A client of Desks."""

    _title = "Desks"
    _version = "1.0.0"

    @property
    def art(self) -> _ArtGroup:
        """The routes of the group ``art``."""
        return _ArtGroup(self._call)

    def listed(self) -> Ok[list[str]] | CallError:
        """
        List of the desks.

        Only reads, so it is tried again if no answer comes.
        """
        return self._call(_LISTED, None)

    def picture(
        self,
        *,
        desk: str,
        how: Literal["bytes", "file", "parts", "broken"] = "bytes",
    ) -> Ok[File] | NoPicture | CallError:
        """
        Picture of a desk.

        Only reads, so it is tried again if no answer comes. Gives a file (image/png or image/jpeg); save or read it, or
        close it by ``with``, or ``async with``.

        Failures:
            NoPicture: There is no picture of this desk.
        """
        return self._call(_PICTURE, WhichInput(desk=desk, how=how))

    def table(self) -> Ok[File] | CallError:
        """
        Desks as a table.

        Only reads, so it is tried again if no answer comes. Gives a file (text/csv); save or read it, or close it by
        ``with``, or ``async with``.
        """
        return self._call(_TABLE, None)


class _AsyncArtGroup(AsyncApiGroupBase):
    """The routes of the group ``art``."""

    async def draw(self, input: str, /) -> Ok[AsyncFile] | CallError:
        """
        Draw a desk.

        Is never tried again by itself. Gives a file (image/*); save or read it, or close it by ``with``, or ``async
        with``.
        """
        return await self._call(_ART_DRAW, input)


class AsyncApiClient(AsyncApiClientBase):
    """A client of Desks, for asyncio or Trio."""

    _title = "Desks"
    _version = "1.0.0"

    @property
    def art(self) -> _AsyncArtGroup:
        """The routes of the group ``art``."""
        return _AsyncArtGroup(self._call)

    async def listed(self) -> Ok[list[str]] | CallError:
        """
        List of the desks.

        Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_LISTED, None)

    async def picture(
        self,
        *,
        desk: str,
        how: Literal["bytes", "file", "parts", "broken"] = "bytes",
    ) -> Ok[AsyncFile] | NoPicture | CallError:
        """
        Picture of a desk.

        Only reads, so it is tried again if no answer comes. Gives a file (image/png or image/jpeg); save or read it, or
        close it by ``with``, or ``async with``.

        Failures:
            NoPicture: There is no picture of this desk.
        """
        return await self._call(_PICTURE, WhichInput(desk=desk, how=how))

    async def table(self) -> Ok[AsyncFile] | CallError:
        """
        Desks as a table.

        Only reads, so it is tried again if no answer comes. Gives a file (text/csv); save or read it, or close it by
        ``with``, or ``async with``.
        """
        return await self._call(_TABLE, None)
