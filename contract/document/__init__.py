"""
Documents: a description of a spec as data, without its resolvers.

Everything that describes a service (OpenAPI, the explorer, generated clients) is a function of a
`Document`, so it also works on a contract.json from anywhere.

The model is here. Reading and writing bytes is in `contract.document.contract_json`, which routes
do not need.
"""

from __future__ import annotations

from contract.document.model import (
    VERSION,
    Caching,
    ContractError,
    ContractEvent,
    ContractFile,
    ContractRoute,
    ContractStream,
    Deprecation,
    Document,
    Info,
    Links,
)

__all__ = [
    "VERSION",
    "Caching",
    "ContractError",
    "ContractEvent",
    "ContractFile",
    "ContractRoute",
    "ContractStream",
    "Deprecation",
    "Document",
    "Info",
    "Links",
]
