"""
History: the calls that came before, which may have made the state that something goes wrong in.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Final, final

from contract.shape.record import record

__all__ = ["History", "joined"]


@final
@record
class _Call:
    key: Hashable
    """Equal for calls of one route that have the same input and context."""
    lines: Callable[[], list[str]]
    """As Python."""
    only_reads: bool


@final
class History:
    """
    The calls of one check, or of all checks of a spec, in their order.

    That something depends on the state is known of a call that went well once and does not any
    more. Of a call that never went well while all routes had been called but once, it may be so.
    """

    def __init__(self) -> None:
        self.looking: Final[list[None]] = []
        """Has an item while each route is called once, before anything else."""
        self._calls: Final[list[_Call]] = []
        self._well: Final[set[Hashable]] = set()
        self._wrong: Final[dict[Hashable, int]] = {}

    def __len__(self) -> int:
        """How many there were."""
        return len(self._calls)

    def add(self, key: Hashable, lines: Callable[[], list[str]], *, only_reads: bool) -> None:
        """A call begins."""
        self._calls.append(_Call(key, lines, only_reads))

    def went_well(self, start: int) -> None:
        """Nothing was wrong with the calls from *start* on."""
        self._well.update(call.key for call in self._calls[start:])

    def went_wrong(self, start: int) -> None:
        """Something was wrong with them."""
        if self.looking:
            self._wrong.update((call.key, start) for call in self._calls[start:])

    def needs_state(self, start: int) -> bool:
        """Whether one of the calls from *start* on went well before."""
        return any(call.key in self._well for call in self._calls[start:])

    def looked(self, start: int) -> list[str]:
        """
        The calls before one from *start* on went wrong for the first time, in the first look.

        Calls that only read are left out, since they changed nothing.
        """
        end = min(
            (self._wrong[call.key] for call in self._calls[start:] if call.key in self._wrong),
            default=0,
        )
        return _shown(call for call in self._calls[:end] if not call.only_reads)

    def before(self, start: int) -> list[str]:
        """All calls before *start*."""
        return _shown(self._calls[:start])


def joined(before: Iterable[str], calls: Iterable[str]) -> list[str]:
    """Lines of Python after others, with all imports at first, each once."""
    lines = [*before, *calls]
    return [
        *dict.fromkeys(filter(_imports, lines)),
        *(line for line in lines if not _imports(line)),
    ]


def _shown(calls: Iterable[_Call]) -> list[str]:
    lines: list[str] = []
    for call in calls:
        # imports, the call as Python where it has a name, and the same over the wire
        own = call.lines()
        lines += [*filter(_imports, own), next(line for line in own if not _imports(line))]
    return joined(lines, ())


def _imports(line: str) -> bool:
    return line.startswith(("import ", "from "))
