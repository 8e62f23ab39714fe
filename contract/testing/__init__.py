"""
Testing: what a contract promises, as Hypothesis strategies, as ready tests, and as a client without a server.

``check_route(order)`` is a test of all that a route promises, and ``check_spec(api)`` one of every route. ``inputs``, ``outputs`` and
``strategy`` give valid values, ``bodies`` and ``invalid_bodies`` what is sent, and ``Client(api)`` sends it, in memory.
``values``, ``documents`` and ``near_misses`` do the same for a shape.
"""

from __future__ import annotations

try:
    import hypothesis as _hypothesis
except ModuleNotFoundError:
    raise ModuleNotFoundError("contract.testing needs Hypothesis: pip install 'contract-rpc[testing]'", name="hypothesis") from None

from contract.testing.calls import call
from contract.testing.cases import check_spec
from contract.testing.checks import Context, check_route
from contract.testing.client import AsyncClient, Client, Reply
from contract.testing.findings import Finding
from contract.testing.near_values import NearMiss, near_misses
from contract.testing.overrides import OverrideKey, Overrides
from contract.testing.profiles import Profile, use_profile
from contract.testing.routes import InvalidBody, bodies, inputs, invalid_bodies, outputs
from contract.testing.strategies import documents, strategy, values

__all__ = [
    "AsyncClient",
    "Client",
    "Context",
    "Finding",
    "InvalidBody",
    "NearMiss",
    "OverrideKey",
    "Overrides",
    "Profile",
    "Reply",
    "bodies",
    "call",
    "check_route",
    "check_spec",
    "documents",
    "inputs",
    "invalid_bodies",
    "near_misses",
    "outputs",
    "strategy",
    "use_profile",
    "values",
]

del _hypothesis
