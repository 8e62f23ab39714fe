"""
Contract API 0.0.0: a client.

Generated from the contract with the SHA-256 digest f803437f62b714ea96b1cef4e8146dffcda3a0718228fce3c1e9a7864c54d5cf. Do
not change this file; generate it again::

    contract generate contract.json -o client.py
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal, Never, Unpack, final

from annotated_types import Len
from collections.abc import Sequence
from contract.client import (
    UNSET,
    ApiClientBase,
    AsyncApiClientBase,
    AsyncClientOptions,
    AsyncHeaderValue,
    AsyncItems,
    CallError,
    CallFailed,
    ClientOptions,
    DeclaredFailure,
    HeaderValue,
    Items,
    Ok,
    OneFile,
    Operation,
    RouteSchemas,
    Schema,
    StreamOperation,
    Unset,
    unwrap,
)

__all__ = [
    "ApiClient",
    "AsyncApiClient",
    "CallError",
    "CallFailed",
    "NewPhotoInput",
    "NoteInput",
    "Ok",
    "Seen",
    "UNSET",
    "Ugly",
    "Unset",
    "schemas",
    "unwrap",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPhotoInput:
    """A picture, and what there is to say of it."""

    title: Annotated[str, Len(1, 20)]
    asks: Literal["answer", "fail", "raise"] = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteInput:
    """Nothing that has to come."""

    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the resolver found."""

    title: str
    names: list[str]
    types: list[str]
    sizes: list[int]
    begins: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Ugly(DeclaredFailure, code="UGLY", status=409):
    """Nobody wants to see it."""


@final
class _Schemas:
    """Validators: of every exported type, and of the input and the output of every route."""

    def __init__(self) -> None:
        self.add: Final[RouteSchemas[NewPhotoInput, Seen]] = RouteSchemas(
            input=Schema(NewPhotoInput),
            output=Schema(Seen),
        )
        self.avatar: Final[RouteSchemas[None, int]] = RouteSchemas(input=Schema(None), output=Schema(int))
        self.later: Final[RouteSchemas[NewPhotoInput, Seen]] = RouteSchemas(
            input=Schema(NewPhotoInput),
            output=Schema(Seen),
        )
        self.lines: Final[RouteSchemas[None, str]] = RouteSchemas(input=Schema(None), output=Schema(str))
        self.mine: Final[RouteSchemas[NewPhotoInput, Seen]] = RouteSchemas(
            input=Schema(NewPhotoInput),
            output=Schema(Seen),
        )
        self.note: Final[RouteSchemas[NoteInput, int]] = RouteSchemas(input=Schema(NoteInput), output=Schema(int))
        self.short: Final[RouteSchemas[Seen, int]] = RouteSchemas(input=Schema(Seen), output=Schema(int))
        self.size: Final[RouteSchemas[None, int]] = RouteSchemas(input=Schema(None), output=Schema(int))


schemas: Final = _Schemas()
"""Validators, with ``load``, ``check`` and ``dump``: the same as the server's."""


_ADD: Final[Operation[NewPhotoInput, Seen, Ugly]] = Operation(
    "add",
    effect="write",
    schemas=schemas.add,
    failures=(Ugly,),
)
_AVATAR: Final[Operation[None, int, Never]] = Operation("avatar", effect="write", schemas=schemas.avatar)
_LATER: Final[Operation[NewPhotoInput, Seen, Ugly]] = Operation(
    "later",
    effect="write",
    schemas=schemas.later,
    failures=(Ugly,),
)
_LINES: Final[StreamOperation[None, str, Never, Never]] = StreamOperation(
    "lines",
    effect="write",
    schemas=schemas.lines,
)
_MINE: Final[Operation[NewPhotoInput, Seen, Ugly]] = Operation(
    "mine",
    effect="write",
    schemas=schemas.mine,
    failures=(Ugly,),
)
_NOTE: Final[Operation[NoteInput, int, Never]] = Operation("note", effect="write", schemas=schemas.note)
_SHORT: Final[Operation[Seen, int, Never]] = Operation("short", effect="write", schemas=schemas.short)
_SIZE: Final[Operation[None, int, Never]] = Operation("size", effect="read", schemas=schemas.size)


class ApiClient(ApiClientBase):
    """A client of Contract API."""

    _title = "Contract API"
    _version = "0.0.0"

    def __init__(
        self,
        base_url: str,
        *,
        token: HeaderValue | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        """
        Make a client with the credential, or without.

        Args:
            token: A bearer token, or a function that gives it.
            options: As those of every client.
        """
        ApiClientBase.__init__(self, base_url, **options)
        self._send_with(bearer=token)

    def add(
        self,
        *,
        title: str,
        asks: Literal["answer", "fail", "raise"] = "answer",
        image: OneFile,
        more: Sequence[OneFile] = (),
        raw: OneFile | None = None,
        thumb: OneFile | None = None,
    ) -> Ok[Seen] | Ugly | CallError:
        """
        Add.

        Is never tried again by itself.

        Args:
            image: A file of at most 200000 bytes, of the type image/png or image/jpeg. Bytes have no name that
                tells their type: give them as an `Attachment`.
            more: Files of at most 1048576 bytes, from 0 to 2 of them.
            raw: A file of at most 1048576 bytes.
            thumb: A file of at most 10 bytes.

        Failures:
            Ugly: Nobody wants to see it.
        """
        return self._call(
            _ADD,
            NewPhotoInput(title=title, asks=asks),
            {"image": image, "more": more, "raw-data": raw, "thumb": thumb},
        )

    def avatar(self, *, image: OneFile) -> Ok[int] | CallError:
        """
        Add.

        Is never tried again by itself.

        Args:
            image: A file of at most 1048576 bytes.
        """
        return self._call(_AVATAR, None, {"image": image})

    def later(
        self,
        *,
        title: str,
        asks: Literal["answer", "fail", "raise"] = "answer",
        image: OneFile,
        more: Sequence[OneFile] = (),
        raw: OneFile | None = None,
        thumb: OneFile | None = None,
    ) -> Ok[Seen] | Ugly | CallError:
        """
        Add.

        Is never tried again by itself.

        Args:
            image: A file of at most 200000 bytes, of the type image/png or image/jpeg. Bytes have no name that
                tells their type: give them as an `Attachment`.
            more: Files of at most 1048576 bytes, from 0 to 2 of them.
            raw: A file of at most 1048576 bytes.
            thumb: A file of at most 10 bytes.

        Failures:
            Ugly: Nobody wants to see it.
        """
        return self._call(
            _LATER,
            NewPhotoInput(title=title, asks=asks),
            {"image": image, "more": more, "raw-data": raw, "thumb": thumb},
        )

    def lines(self, *, image: OneFile) -> Ok[Items[str, Never]] | CallError:
        """
        Add.

        Is never tried again by itself. Gives its items one by one; close it by ``with``, or ``async with``.

        Args:
            image: A file of at most 1048576 bytes.
        """
        return self._call(_LINES, None, {"image": image})

    def mine(
        self,
        *,
        title: str,
        asks: Literal["answer", "fail", "raise"] = "answer",
        image: OneFile,
        more: Sequence[OneFile] = (),
        raw: OneFile | None = None,
        thumb: OneFile | None = None,
    ) -> Ok[Seen] | Ugly | CallError:
        """
        Add.

        Needs a client with ``token``. Is never tried again by itself.

        Args:
            image: A file of at most 200000 bytes, of the type image/png or image/jpeg. Bytes have no name that
                tells their type: give them as an `Attachment`.
            more: Files of at most 1048576 bytes, from 0 to 2 of them.
            raw: A file of at most 1048576 bytes.
            thumb: A file of at most 10 bytes.

        Failures:
            Ugly: Nobody wants to see it.
        """
        return self._call(
            _MINE,
            NewPhotoInput(title=title, asks=asks),
            {"image": image, "more": more, "raw-data": raw, "thumb": thumb},
        )

    def note(self, *, text: str = "", scan: OneFile | None = None) -> Ok[int] | CallError:
        """
        Add.

        Is never tried again by itself.

        Args:
            scan: A file of at most 1048576 bytes.
        """
        return self._call(_NOTE, NoteInput(text=text), {"scan": scan})

    def short(
        self,
        *,
        title: str,
        names: list[str],
        types: list[str],
        sizes: list[int],
        begins: str,
    ) -> Ok[int] | CallError:
        """
        Add.

        Is never tried again by itself.
        """
        return self._call(_SHORT, Seen(title=title, names=names, types=types, sizes=sizes, begins=begins))

    def size(self, *, image: OneFile) -> Ok[int] | CallError:
        """
        Add.

        Only reads, so it is tried again if no answer comes.

        Args:
            image: A file of at most 1048576 bytes.
        """
        return self._call(_SIZE, None, {"image": image})


class AsyncApiClient(AsyncApiClientBase):
    """A client of Contract API, for asyncio or Trio."""

    _title = "Contract API"
    _version = "0.0.0"

    def __init__(
        self,
        base_url: str,
        *,
        token: AsyncHeaderValue | None = None,
        **options: Unpack[AsyncClientOptions],
    ) -> None:
        """
        Make a client with the credential, or without.

        Args:
            token: A bearer token, or a function that gives it.
            options: As those of every client.
        """
        AsyncApiClientBase.__init__(self, base_url, **options)
        self._send_with(bearer=token)

    async def add(
        self,
        *,
        title: str,
        asks: Literal["answer", "fail", "raise"] = "answer",
        image: OneFile,
        more: Sequence[OneFile] = (),
        raw: OneFile | None = None,
        thumb: OneFile | None = None,
    ) -> Ok[Seen] | Ugly | CallError:
        """
        Add.

        Is never tried again by itself.

        Args:
            image: A file of at most 200000 bytes, of the type image/png or image/jpeg. Bytes have no name that
                tells their type: give them as an `Attachment`.
            more: Files of at most 1048576 bytes, from 0 to 2 of them.
            raw: A file of at most 1048576 bytes.
            thumb: A file of at most 10 bytes.

        Failures:
            Ugly: Nobody wants to see it.
        """
        return await self._call(
            _ADD,
            NewPhotoInput(title=title, asks=asks),
            {"image": image, "more": more, "raw-data": raw, "thumb": thumb},
        )

    async def avatar(self, *, image: OneFile) -> Ok[int] | CallError:
        """
        Add.

        Is never tried again by itself.

        Args:
            image: A file of at most 1048576 bytes.
        """
        return await self._call(_AVATAR, None, {"image": image})

    async def later(
        self,
        *,
        title: str,
        asks: Literal["answer", "fail", "raise"] = "answer",
        image: OneFile,
        more: Sequence[OneFile] = (),
        raw: OneFile | None = None,
        thumb: OneFile | None = None,
    ) -> Ok[Seen] | Ugly | CallError:
        """
        Add.

        Is never tried again by itself.

        Args:
            image: A file of at most 200000 bytes, of the type image/png or image/jpeg. Bytes have no name that
                tells their type: give them as an `Attachment`.
            more: Files of at most 1048576 bytes, from 0 to 2 of them.
            raw: A file of at most 1048576 bytes.
            thumb: A file of at most 10 bytes.

        Failures:
            Ugly: Nobody wants to see it.
        """
        return await self._call(
            _LATER,
            NewPhotoInput(title=title, asks=asks),
            {"image": image, "more": more, "raw-data": raw, "thumb": thumb},
        )

    async def lines(self, *, image: OneFile) -> Ok[AsyncItems[str, Never]] | CallError:
        """
        Add.

        Is never tried again by itself. Gives its items one by one; close it by ``with``, or ``async with``.

        Args:
            image: A file of at most 1048576 bytes.
        """
        return await self._call(_LINES, None, {"image": image})

    async def mine(
        self,
        *,
        title: str,
        asks: Literal["answer", "fail", "raise"] = "answer",
        image: OneFile,
        more: Sequence[OneFile] = (),
        raw: OneFile | None = None,
        thumb: OneFile | None = None,
    ) -> Ok[Seen] | Ugly | CallError:
        """
        Add.

        Needs a client with ``token``. Is never tried again by itself.

        Args:
            image: A file of at most 200000 bytes, of the type image/png or image/jpeg. Bytes have no name that
                tells their type: give them as an `Attachment`.
            more: Files of at most 1048576 bytes, from 0 to 2 of them.
            raw: A file of at most 1048576 bytes.
            thumb: A file of at most 10 bytes.

        Failures:
            Ugly: Nobody wants to see it.
        """
        return await self._call(
            _MINE,
            NewPhotoInput(title=title, asks=asks),
            {"image": image, "more": more, "raw-data": raw, "thumb": thumb},
        )

    async def note(self, *, text: str = "", scan: OneFile | None = None) -> Ok[int] | CallError:
        """
        Add.

        Is never tried again by itself.

        Args:
            scan: A file of at most 1048576 bytes.
        """
        return await self._call(_NOTE, NoteInput(text=text), {"scan": scan})

    async def short(
        self,
        *,
        title: str,
        names: list[str],
        types: list[str],
        sizes: list[int],
        begins: str,
    ) -> Ok[int] | CallError:
        """
        Add.

        Is never tried again by itself.
        """
        return await self._call(_SHORT, Seen(title=title, names=names, types=types, sizes=sizes, begins=begins))

    async def size(self, *, image: OneFile) -> Ok[int] | CallError:
        """
        Add.

        Only reads, so it is tried again if no answer comes.

        Args:
            image: A file of at most 1048576 bytes.
        """
        return await self._call(_SIZE, None, {"image": image})
