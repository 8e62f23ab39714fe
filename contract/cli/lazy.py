"""
Lazy: modules of the command line that are loaded by name, when they are needed.

``contract --help`` has to be quick, serving a plain spec must not pull in Falcon, and granian may
not be installed: so each command, and what knows Falcon, is a module that nothing imports. This is
the one place where that happens.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["load"]


def load(name: str) -> Any:
    """The module ``contract.cli.<name>``."""
    return import_module(f"contract.cli.{name}")
