"""
Progress: what a resolver tells of its work while it goes on.

Who hears it, if anybody, is put into the context of the call by its surface; so a resolver tells it in the same way everywhere,
and where nobody has asked it costs no more than a look.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

__all__ = ["REPORT", "Report", "progress"]

Report = Callable[[float, float | None, str | None], None]
"""Takes what `progress` is given; from any thread, and raises nothing."""

REPORT: Final[ContextVar[Report]] = ContextVar("contract_progress")
"""Who hears of the progress of the call that runs in this context."""


def progress(done: float, total: float | None = None, message: str | None = None) -> None:
    """
    Tell the caller how far the call is that this code runs in.

    It is sent to MCP clients that have asked for it, and does nothing elsewhere: over HTTP, in tests, in a plain call of a resolver.
    Whatever does not go beyond what was told before is not sent, nor is what comes quicker than the client takes it.

    ::

        for done, row in enumerate(rows, 1):
            store(row)
            progress(done, len(rows), f"{row.name} is stored")

    Args:
        done: How much is done; it grows from one to the next.
        total: How much there is to do, in the same unit, where that is known.
        message: What is going on, in words.
    """
    report = REPORT.get(None)
    if report is not None:
        report(done, total, message)
