"""Programs that are run with several seeds of hashes, which nothing that they print may depend on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["printed_by"]

_ROOT = Path(__file__).parent.parent


def printed_by(program: str) -> list[bytes]:
    """What *program* prints, of each of four processes that have seeds of their own."""
    command = [sys.executable, "-c", program]
    own = {**os.environ, "PYTHONPATH": str(_ROOT)}
    return [
        subprocess.check_output(command, env=own | {"PYTHONHASHSEED": seed}, cwd=_ROOT)
        for seed in "0123"
    ]
