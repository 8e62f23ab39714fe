"""
Bounds: the limits of the values of an ordered type.

They are kept as the author wrote them; each has the type that it limits.
"""

from __future__ import annotations

from typing import Any, Final

from contract.shape.record import record

__all__ = ["I64_MAX", "I64_MIN", "UNBOUNDED", "Bounds"]

I64_MIN: Final = -(2**63)
I64_MAX: Final = 2**63 - 1
"""
The range of ``int`` on the wire, unless the annotation declares a wider one.

A wider one goes up to 2**64 - 1 at most, the greatest integer that orjson writes.
"""


@record
class Bounds:
    """Limits of an ordered type; each has the type that it limits, or is None."""

    ge: Any = None
    gt: Any = None
    le: Any = None
    lt: Any = None
    multiple_of: Any = None

    @property
    def any(self) -> bool:
        """Whether there is any limit at all."""
        return self != UNBOUNDED


UNBOUNDED: Final = Bounds()
"""No limits."""
