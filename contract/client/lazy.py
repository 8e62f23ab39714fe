"""
Lazy: modules that are loaded by name, when they are needed.

Importing a generated client must be quick, and must work where httpx2 is not installed: what it
needs to talk to a network, and what it mostly never needs, is loaded by whoever needs it first.
This is the one place where that happens.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["load"]


def load(name: str) -> Any:
    """The module *name*."""
    return import_module(name)
