"""
Shop 1.0.0: validators of its types.

A small shop for kitchen and desk. Looking around is free; to order, send a bearer token.

Generated from the contract with the SHA-256 digest 74ca03daf631114821a825010c3f38e25f4fbdcea7fcc52f9236a42bce325d80. Do
not change this file; generate it again::

    contract generate contract.json -o validators.py --validators
"""

from __future__ import annotations

from typing import Final, final

__all__ = ["schemas"]


@final
class _Schemas:
    """Validators: of every exported type."""


schemas: Final = _Schemas()
"""Validators, with ``load``, ``check`` and ``dump``: the same as the server's."""
