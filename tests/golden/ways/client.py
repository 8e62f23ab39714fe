"""
Contract API 0.0.0: a client.

Generated from the contract with the SHA-256 digest bc9be5993beac48c56a8c8f01bd73596fac5a5159ba5b597a29d3189f9d0b31f. Do
not change this file; generate it again::

    contract generate contract.json -o client.py
"""

from __future__ import annotations

from typing import Final, Never, Unpack, final

from contract.client import (
    UNSET,
    ApiClientBase,
    AsyncApiClientBase,
    AsyncClientOptions,
    AsyncHeaderValue,
    CallError,
    CallFailed,
    ClientOptions,
    HeaderValue,
    Ok,
    Operation,
    RouteSchemas,
    Schema,
    Unset,
    unwrap,
)

__all__ = ["ApiClient", "AsyncApiClient", "CallError", "CallFailed", "Ok", "UNSET", "Unset", "schemas", "unwrap"]


@final
class _Schemas:
    """Validators: of every exported type, and of the input and the output of every route."""

    def __init__(self) -> None:
        self.ping: Final[RouteSchemas[None, None]] = RouteSchemas(input=Schema(None), output=Schema(None))
        self.who: Final[RouteSchemas[None, str]] = RouteSchemas(input=Schema(None), output=Schema(str))


schemas: Final = _Schemas()
"""Validators, with ``load``, ``check`` and ``dump``: the same as the server's."""


_PING: Final[Operation[None, None, Never]] = Operation("ping", effect="write", schemas=schemas.ping)
_WHO: Final[Operation[None, str, Never]] = Operation("who", effect="read", schemas=schemas.who)


class ApiClient(ApiClientBase):
    """A client of Contract API."""

    _title = "Contract API"
    _version = "0.0.0"

    def __init__(
        self,
        base_url: str,
        *,
        token: HeaderValue | None = None,
        x_key: HeaderValue | None = None,
        sid: HeaderValue | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        """
        Make a client with one of the credentials, or with none.

        Args:
            token: A bearer token, or a function that gives it.
            x_key: The key in the header ``X-Key``, or a function that gives it.
            sid: The value of the cookie ``sid``, or a function that gives it.
            options: As those of every client.
        """
        ApiClientBase.__init__(self, base_url, **options)
        self._send_with(bearer=token, headers={"X-Key": x_key}, cookies={"sid": sid})

    def ping(self) -> Ok[None] | CallError:
        """
        Ping.

        Is never tried again by itself.
        """
        return self._call(_PING, None)

    def who(self) -> Ok[str] | CallError:
        """
        Say who calls.

        Needs a client with ``token`` or ``x_key`` or ``sid``. Only reads, so it is tried again if no answer comes.
        """
        return self._call(_WHO, None)


class AsyncApiClient(AsyncApiClientBase):
    """A client of Contract API, for asyncio or Trio."""

    _title = "Contract API"
    _version = "0.0.0"

    def __init__(
        self,
        base_url: str,
        *,
        token: AsyncHeaderValue | None = None,
        x_key: AsyncHeaderValue | None = None,
        sid: AsyncHeaderValue | None = None,
        **options: Unpack[AsyncClientOptions],
    ) -> None:
        """
        Make a client with one of the credentials, or with none.

        Args:
            token: A bearer token, or a function that gives it.
            x_key: The key in the header ``X-Key``, or a function that gives it.
            sid: The value of the cookie ``sid``, or a function that gives it.
            options: As those of every client.
        """
        AsyncApiClientBase.__init__(self, base_url, **options)
        self._send_with(bearer=token, headers={"X-Key": x_key}, cookies={"sid": sid})

    async def ping(self) -> Ok[None] | CallError:
        """
        Ping.

        Is never tried again by itself.
        """
        return await self._call(_PING, None)

    async def who(self) -> Ok[str] | CallError:
        """
        Say who calls.

        Needs a client with ``token`` or ``x_key`` or ``sid``. Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_WHO, None)
