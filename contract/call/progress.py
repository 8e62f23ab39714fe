"""
Progress: what a resolver tells of its work while it goes on.

Who hears it, if anybody, is put into the context of the call by its surface; so a resolver tells it
in the same way everywhere, and where nobody has asked it costs no more than a look.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

__all__ = ["REPORT", "Report", "progress"]

Report = Callable[[float, float | None, str | None], None]
"""Takes what `progress` is given and has looked at; from any thread, and raises nothing."""

REPORT: Final[ContextVar[Report]] = ContextVar("contract_progress")
"""Who hears of the progress of the call that runs in this context."""


def progress(done: float, total: float | None = None, message: str | None = None) -> None:
    """
    Tell the caller how far the call is that this code runs in.

    It is sent to MCP clients that have asked for it, and does nothing elsewhere: over HTTP, in
    tests, in a plain call of a resolver. Whatever does not go beyond what was told before is not
    sent; of what comes quickly, the first hundred are sent, then ten a second. A thread of your own
    is in no call, and nobody hears it, unless it was given the context of one, by
    ``contextvars.copy_context().run`` or `asyncio.to_thread`.

    ::

        for done, row in enumerate(rows, 1):
            store(row)
            progress(done, len(rows), f"{row.name} is stored")

    Args:
        done: How much is done; it grows from one to the next.
        total: How much there is to do, in the same unit, where that is known.
        message: What is going on, in words.

    Raises:
        TypeError: One of them is of another type, whether anybody listens or not: so a test of the
            resolver finds it.
    """
    if type(done) is not int and type(done) is not float:
        _check_number("done", done)
    if total is not None:
        _check_number("total", total)
    if message is not None and not isinstance(message, str):  # pyright: ignore[reportUnnecessaryIsInstance]  not everybody asks a type checker
        raise TypeError(
            f"progress(message=) is of type {type(message).__name__}; give a text, such as f'{{name}} is stored'"
        )
    report = REPORT.get(None)
    if report is not None:
        report(done, total, message)


def _check_number(name: str, value: object) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(
            f"progress({name}=) is of type {type(value).__name__}; give an int or a float, such as progress(3, 10)"
        )
