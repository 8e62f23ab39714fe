"""
Shop 1.0.0: validators of its types.

A small shop for kitchen and desk. Looking around is free; to order, send a bearer token.

Generated from the contract with the SHA-256 digest 271618da3419b11b3c7d174c73093e7fa421ad1a5029287da4dd47c8c370c747. Do
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
