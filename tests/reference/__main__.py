"""
The reference: what its pages take from docstrings and tables of the code.

``python -m tests.reference`` writes it anew; ``tests/test_reference.py`` compares it with what is
generated now.
"""

from __future__ import annotations

import sys

from tests.reference.files import HERE, generated

if __name__ == "__main__":
    for name, text in generated().items():
        file = HERE / name
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8", newline="\n")
            sys.stdout.write(f"wrote docs/reference/{name}\n")
