"""
Golden clients: what is generated of eleven contracts, kept beside them.

``python -m tests.golden`` writes them anew; ``tests/test_golden.py`` compares them with what is
generated now.
"""

from __future__ import annotations

import sys

from tests.golden.files import HERE, generated

if __name__ == "__main__":
    for path, text in generated().items():
        file = HERE / path
        file.parent.mkdir(exist_ok=True)
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8", newline="\n")
            sys.stdout.write(f"wrote {path}\n")
