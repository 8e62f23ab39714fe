"""
Shop 1.0.0: validators of its types.

A small shop for kitchen and desk. Looking around is free; to order, send a bearer token.

Generated from the contract with the SHA-256 digest 05ca71ef395f2cc162f3167c5e026b2c5b48c3ccd7a655f43e5d759f6d4e45b6. Do
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
