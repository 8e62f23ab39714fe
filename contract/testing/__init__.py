"""
Testing: what a contract promises, as Hypothesis strategies.

``strategy(T)`` gives valid values of a type; ``values``, ``documents`` and ``near_misses`` do the same, and more, for a shape.
"""

from __future__ import annotations

try:
    import hypothesis as _hypothesis
except ModuleNotFoundError:
    raise ImportError("contract.testing needs Hypothesis: pip install 'contract-rpc[testing]'") from None

from contract.testing.near_misses import NearMiss, near_misses
from contract.testing.strategies import documents, strategy, values

__all__ = ["NearMiss", "documents", "near_misses", "strategy", "values"]

del _hypothesis
