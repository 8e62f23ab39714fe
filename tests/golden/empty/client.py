"""
Contract API 0.0.0: a client.

Generated from the contract with the SHA-256 digest ce9b35557499b676723ce6108ad919c5dcd02bb4acb1af951aedd4bf30ed1109. Do
not change this file; generate it again::

    contract generate contract.json -o client.py
"""

from __future__ import annotations

from typing import Final, final

from contract.client import UNSET, ApiClientBase, AsyncApiClientBase, CallError, CallFailed, Ok, Unset, unwrap

__all__ = ["ApiClient", "AsyncApiClient", "CallError", "CallFailed", "Ok", "UNSET", "Unset", "schemas", "unwrap"]


@final
class _Schemas:
    """Validators: of every exported type."""


schemas: Final = _Schemas()
"""Validators, with ``load``, ``check`` and ``dump``: the same as the server's."""


class ApiClient(ApiClientBase):
    """A client of Contract API."""

    _title = "Contract API"
    _version = "0.0.0"


class AsyncApiClient(AsyncApiClientBase):
    """A client of Contract API, for asyncio or Trio."""

    _title = "Contract API"
    _version = "0.0.0"
