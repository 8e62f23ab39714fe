"""
Talks 1.0.0: a client.

Generated from the contract with the SHA-256 digest dcb793bcc29d2a2708c80d6eac06c4c019853cdf04d0568751eeea281498be7e. Do
not change this file; generate it again::

    contract generate contract.json -o client.py
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, Literal, Never, final

from annotated_types import Ge
from contract.client import (
    UNSET,
    ApiClientBase,
    ApiGroupBase,
    AsyncApiClientBase,
    AsyncApiGroupBase,
    AsyncItems,
    CallError,
    CallFailed,
    DeclaredFailure,
    Items,
    Ok,
    Operation,
    RouteSchemas,
    Schema,
    StreamOperation,
    Unset,
    unwrap,
)

__all__ = [
    "ApiClient",
    "AskInput",
    "AsyncApiClient",
    "CallError",
    "CallFailed",
    "Interrupted",
    "NotFound",
    "Ok",
    "Refused",
    "Token",
    "UNSET",
    "Unset",
    "schemas",
    "unwrap",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskInput:
    """A question."""

    text: str
    ending: Literal["end", "interrupted", "wrong", "quiet", "endless"] = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A part of an answer."""

    n: Annotated[int, Ge(0)]
    text: str
    at: datetime


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupted(DeclaredFailure, code="INTERRUPTED", status=409):
    """The talk was stopped."""

    after: Annotated[int, Ge(0)]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NotFound(DeclaredFailure, code="NOT_FOUND", status=404):
    """The thing that the call names does not exist."""

    message: str | Unset = UNSET
    description: str | Unset = UNSET


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Refused(DeclaredFailure, code="REFUSED", status=403):
    """Nobody may ask for that."""


@final
class _Schemas:
    """Validators: of every exported type, and of the input and the output of every route."""

    def __init__(self) -> None:
        self.chat: Final[RouteSchemas[AskInput, Token]] = RouteSchemas(input=Schema(AskInput), output=Schema(Token))
        self.count: Final[RouteSchemas[int, int]] = RouteSchemas(input=Schema(int), output=Schema(int))
        self.ping: Final[RouteSchemas[None, str]] = RouteSchemas(input=Schema(None), output=Schema(str))
        self.rooms_listen: Final[RouteSchemas[None, str | None]] = RouteSchemas(
            input=Schema(None),
            output=Schema(str | None),
        )


schemas: Final = _Schemas()
"""Validators, with ``load``, ``check`` and ``dump``: the same as the server's."""


_CHAT: Final[StreamOperation[AskInput, Token, NotFound | Refused, Interrupted]] = StreamOperation(
    "chat",
    effect="read",
    schemas=schemas.chat,
    failures=(NotFound, Refused),
    between=(Interrupted,),
)
_COUNT: Final[StreamOperation[int, int, Never, Never]] = StreamOperation("count", effect="write", schemas=schemas.count)
_PING: Final[Operation[None, str, Never]] = Operation("ping", effect="write", schemas=schemas.ping)
_ROOMS_LISTEN: Final[StreamOperation[None, str | None, Never, Never]] = StreamOperation(
    "rooms.listen",
    effect="write",
    schemas=schemas.rooms_listen,
)


class _RoomsGroup(ApiGroupBase):
    """The routes of the group ``rooms``."""

    def listen(self) -> Ok[Items[str | None, Never]] | CallError:
        """
        Listen to a room.

        Is never tried again by itself. Gives its items one by one; close it by ``with``, or ``async with``.
        """
        return self._call(_ROOMS_LISTEN, None)


class ApiClient(ApiClientBase):
    """A client of Talks."""

    _title = "Talks"
    _version = "1.0.0"

    @property
    def rooms(self) -> _RoomsGroup:
        """The routes of the group ``rooms``."""
        return _RoomsGroup(self._call)

    def chat(
        self,
        *,
        text: str,
        ending: Literal["end", "interrupted", "wrong", "quiet", "endless"] = "end",
    ) -> Ok[Items[Token, Interrupted]] | NotFound | Refused | CallError:
        """
        Answer a question, word by word.

        Only reads, so it is tried again if no answer comes. Gives its items one by one; close it by ``with``, or
        ``async with``.

        Failures:
            NotFound: The thing that the call names does not exist.
            Refused: Nobody may ask for that.

        Between items:
            Interrupted: The talk was stopped.
        """
        return self._call(_CHAT, AskInput(text=text, ending=ending))

    def count(self, input: int, /) -> Ok[Items[int, Never]] | CallError:
        """
        Count.

        Is never tried again by itself. Gives its items one by one; close it by ``with``, or ``async with``.
        """
        return self._call(_COUNT, input)

    def ping(self) -> Ok[str] | CallError:
        """
        Say that you are there.

        Is never tried again by itself.
        """
        return self._call(_PING, None)


class _AsyncRoomsGroup(AsyncApiGroupBase):
    """The routes of the group ``rooms``."""

    async def listen(self) -> Ok[AsyncItems[str | None, Never]] | CallError:
        """
        Listen to a room.

        Is never tried again by itself. Gives its items one by one; close it by ``with``, or ``async with``.
        """
        return await self._call(_ROOMS_LISTEN, None)


class AsyncApiClient(AsyncApiClientBase):
    """A client of Talks, for asyncio or Trio."""

    _title = "Talks"
    _version = "1.0.0"

    @property
    def rooms(self) -> _AsyncRoomsGroup:
        """The routes of the group ``rooms``."""
        return _AsyncRoomsGroup(self._call)

    async def chat(
        self,
        *,
        text: str,
        ending: Literal["end", "interrupted", "wrong", "quiet", "endless"] = "end",
    ) -> Ok[AsyncItems[Token, Interrupted]] | NotFound | Refused | CallError:
        """
        Answer a question, word by word.

        Only reads, so it is tried again if no answer comes. Gives its items one by one; close it by ``with``, or
        ``async with``.

        Failures:
            NotFound: The thing that the call names does not exist.
            Refused: Nobody may ask for that.

        Between items:
            Interrupted: The talk was stopped.
        """
        return await self._call(_CHAT, AskInput(text=text, ending=ending))

    async def count(self, input: int, /) -> Ok[AsyncItems[int, Never]] | CallError:
        """
        Count.

        Is never tried again by itself. Gives its items one by one; close it by ``with``, or ``async with``.
        """
        return await self._call(_COUNT, input)

    async def ping(self) -> Ok[str] | CallError:
        """
        Say that you are there.

        Is never tried again by itself.
        """
        return await self._call(_PING, None)
