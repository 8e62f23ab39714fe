"""
Diff: what changed between two documents, and whom it breaks.

`diff` names every change and says of each what it asks of those who call the service: an input may
only become wider, an output only narrower. Schemas are compared by what they take, not by how they
are written: names of types do not matter on the wire. What cannot be compared exactly counts as
breaking, and says why.

One thing is taken for granted of clients: they ignore fields of an answer that they do not know. So
a field that is added to an output is compatible, although the schema of an output is closed (it
says all that is sent, today).
"""

from __future__ import annotations

from contract.document.diff.changes import Bump, Change, Level, bump, fits
from contract.document.diff.documents import diff

__all__ = ["Bump", "Change", "Level", "bump", "diff", "fits"]
