"""
Names: identifiers for texts that anybody may have written.

A document names types, fields, routes, codes and members, and a language takes some of these names
and not others: there are keywords, names that its own classes have, characters that no identifier
holds. Whatever a language takes stays as it is; every other text becomes an identifier of ASCII
that looks like it. Which one depends on the set of texts, not on their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import final

from contract.shape.identifiers import identifier, is_plain
from contract.shape.record import record

__all__ = ["Names", "Style"]


@final
@record(kw_only=True)
class Style:
    """The rules of a language for one kind of names."""

    reserved: frozenset[str] = frozenset()
    """Names that nothing is given."""
    legal: Callable[[str], bool] = is_plain
    """
    Tells whether a text that is not reserved may be used unchanged.

    It accepts what `identifier` makes, at least with *stem* in front.
    """
    stem: str = "name"
    """
    The prefix of a name whose text does not begin with a letter.

    It is itself a name that *legal* accepts.
    """
    ignores_case: bool = False
    """Whether two names have to differ in more than case."""


@final
class Names:
    """
    Gives names that differ from each other, in one scope.

    Args:
        style: What names look like there.
    """

    __slots__ = ("_next", "_style", "_taken")

    def __init__(self, style: Style) -> None:
        self._style = style
        self._taken: set[str] = set(map(self._fold, style.reserved))
        self._next: dict[str, int] = {}

    def take(self, text: str) -> str:
        """
        Take a name for *text* that nobody else has.

        It is *text* itself where that is free and legal; otherwise ``_``, ``_2``, ``_3`` ... are
        appended.
        """
        style = self._style
        base = text
        if not style.legal(base):
            base = identifier(text, style.stem)
            base = base if style.legal(base) else f"{style.stem}_{base}"
        name = base
        if base in style.reserved:
            name = f"{base}_"
        number = self._next.get(base, 2)
        while self._fold(name) in self._taken:
            name = f"{base}_{number}"
            number += 1
        if number > 2:
            self._next[base] = number
        self._taken.add(self._fold(name))
        return name

    def take_all(self, texts: Iterable[str]) -> dict[str, str]:
        """
        A name for each of *texts*.

        Those that the language takes as they are come first, then words that are reserved, each
        part in the order of the alphabet: so a text whose name is made never takes that of another
        one, and the order of *texts* does not matter.
        """
        return {
            text: self.take(text)
            for text in sorted({*texts}, key=lambda text: (self._rank(text), text))
        }

    def _rank(self, text: str) -> int:
        if not self._style.legal(text):
            return 2
        return 1 if text in self._style.reserved else 0

    def _fold(self, name: str) -> str:
        return name.lower() if self._style.ignores_case else name
