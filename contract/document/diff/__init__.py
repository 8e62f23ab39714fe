"""
Diff: what changed between two documents, and which clients it breaks.

`diff` names every change, and says what it means for callers: an input may only become wider, an
output only narrower. Schemas are compared by the values that they take, not by how they are
written: the names of types do not matter on the wire. What cannot be compared exactly counts as
breaking, and the change says why.

One thing is assumed of clients: they ignore unknown fields of an answer. So a field that is added
to an output is compatible, although the schema of an output is closed (it lists all that is sent
today).
"""

from __future__ import annotations

from contract.document.diff.changes import Bump, Change, Level, bump, fits
from contract.document.diff.documents import diff

__all__ = ["Bump", "Change", "Level", "bump", "diff", "fits"]
