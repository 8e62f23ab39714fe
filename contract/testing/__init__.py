"""
Testing: the promises of a contract as Hypothesis strategies, ready-made tests and a client.

``check_route(order)`` is a test of everything that a route promises, and ``check_spec(api)`` tests
every route. ``inputs``, ``outputs`` and ``strategy`` give valid values; ``bodies`` and
``invalid_bodies`` give what clients send, and ``Client(api)`` sends it, in memory. ``values``,
``documents`` and ``near_misses`` do this for a shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from contract.testing.calls import call
    from contract.testing.checks import Context, check_route, check_spec
    from contract.testing.client import AsyncClient, Client
    from contract.testing.findings import Finding
    from contract.testing.near_values import NearMiss, near_misses
    from contract.testing.overrides import OverrideKey, Overrides
    from contract.testing.profiles import Profile, use_profile
    from contract.testing.replies import Reply
    from contract.testing.strategies import (
        InvalidBody,
        bodies,
        documents,
        inputs,
        invalid_bodies,
        outputs,
        strategy,
        values,
    )
else:
    # a visible __getattr__ would hide typos from type checkers
    import importlib

    _LAZY = {
        "AsyncClient": "contract.testing.client",
        "Client": "contract.testing.client",
        "Context": "contract.testing.checks",
        "Finding": "contract.testing.findings",
        "InvalidBody": "contract.testing.strategies",
        "NearMiss": "contract.testing.near_values",
        "OverrideKey": "contract.testing.overrides",
        "Overrides": "contract.testing.overrides",
        "Profile": "contract.testing.profiles",
        "Reply": "contract.testing.replies",
        "bodies": "contract.testing.strategies",
        "call": "contract.testing.calls",
        "check_route": "contract.testing.checks",
        "check_spec": "contract.testing.checks",
        "documents": "contract.testing.strategies",
        "inputs": "contract.testing.strategies",
        "invalid_bodies": "contract.testing.strategies",
        "near_misses": "contract.testing.near_values",
        "outputs": "contract.testing.strategies",
        "strategy": "contract.testing.strategies",
        "use_profile": "contract.testing.profiles",
        "values": "contract.testing.strategies",
    }

    def __getattr__(name):
        """
        Import a name on first use, since most need Hypothesis, which the base install lacks.

        Whatever does not need it must load without it.
        """
        module = _LAZY.get(name)
        if module is None:
            raise AttributeError(f"module 'contract.testing' has no attribute {name!r}")
        try:
            value = globals()[name] = getattr(importlib.import_module(module), name)
        except ModuleNotFoundError as missing:
            if (missing.name or "").partition(".")[0] != "hypothesis":
                raise
            raise ModuleNotFoundError(
                "contract.testing needs Hypothesis: pip install 'contract-rpc[testing]'",
                name="hypothesis",
            ) from None
        return value

    def __dir__():
        return sorted({*globals(), *__all__})
