"""``contract skill``: how services are written with this package, for agents that write code."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from contract.cli.output import raw

__all__ = ["GUIDE", "run"]

GUIDE: Final = Path(__file__).with_name("guide")
"""The folder with SKILL.md and with llms.txt, the list of all pages."""


def run(arguments: argparse.Namespace) -> int:
    """Write one of the two, and return the exit code."""
    name = "llms.txt" if arguments.pages else "SKILL.md"
    raw((GUIDE / name).read_bytes())
    return 0
