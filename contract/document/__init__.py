"""
Documents: a spec on paper, with no route behind it.

Everything that describes a service (OpenAPI, the explorer, generated clients) is a function of a
`Document`, so it works as well on a contract.json that was fetched from anywhere.

The model stands here; `contract.document.contract_json` is for those who have bytes, which routes
have not.
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
