"""
Names: identifiers for texts that anybody may have written.

A document names types, fields, routes, codes and members, and a language takes some of these names and not others: there are keywords,
names that its own classes have, characters that no identifier holds. Whatever a language takes stays as it is; every other text
becomes an identifier of ASCII that looks like it. Which one depends on the set of texts, not on their order.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Final, final

from contract._record import record

__all__ = ["MAX_LENGTH", "Names", "Style", "identifier", "is_identifier", "is_plain", "pascal"]

MAX_LENGTH: Final = 100
"""Of a name that is made, but for the number that tells it from others; a longer text is cut, and ends in digits of its hash."""

_PLAIN: Final = re.compile(rf"[A-Za-z_][A-Za-z0-9_]{{0,{MAX_LENGTH - 1}}}")
_CASED_APART: Final = re.compile("[A-Z0-9_]+")


_OLD: Final = unicodedata.ucd_3_2_0
"""Of Unicode 3.2, in each version of Python: so what is generated is the same on all of them."""


def is_plain(text: str) -> bool:
    """Whether *text* is an identifier of ASCII, of at most `MAX_LENGTH` characters."""
    return _PLAIN.fullmatch(text) is not None


def is_identifier(text: str) -> bool:
    """
    Whether each version of Python takes *text* as an identifier, of at most `MAX_LENGTH` characters, and reads it as it stands.

    Python reads names as NFKC (PEP 3131); which characters it knows depends on its version, but for those of old.
    """
    return (
        len(text) <= MAX_LENGTH
        and text.isidentifier()
        and unicodedata.is_normalized("NFKC", text)
        and (text.isascii() or all(_OLD.category(char)[0] in "LMN" or char == "_" for char in text))
    )


def identifier(text: str, stem: str = "name") -> str:
    """
    An identifier of ASCII that looks like *text*.

    Accents are taken off, what has no ASCII form is written as its number, underscores at the ends are dropped.

    Args:
        text: Any text at all.
        stem: What stands where that begins with no letter.
    """
    # four characters of ASCII for each, in the worst case, and what comes after the cut is in the hash
    kept = "".join(map(_plain, _OLD.normalize("NFKD", text[: MAX_LENGTH + 1])))
    name = re.sub("_+", "_", kept).strip("_")
    if not name[:1].isalpha():
        name = f"{stem}_{name}" if name else stem
    if len(name) > MAX_LENGTH or len(text) > MAX_LENGTH:
        name = f"{name[: MAX_LENGTH - 9]}_{sha256(text.encode(errors='surrogatepass')).hexdigest()[:8]}"
    return name


def pascal(text: str, stem: str = "Type") -> str:
    """
    The name of a type after *text*: ``SOLD_OUT`` and ``sold.out`` are ``SoldOut``, ``getUser`` is ``GetUser``.

    Args:
        text: Any text at all.
        stem: What stands where that begins with no letter.
    """
    words = identifier(text, stem).split("_")
    if _CASED_APART.fullmatch(text):
        words = [word.lower() for word in words]
    return "".join(word[:1].upper() + word[1:] for word in words)


def _plain(char: str) -> str:
    if char.isascii():
        return char if char.isalnum() else "_"
    return "" if _OLD.combining(char) else f"_u{ord(char):x}_"


@final
@record(kw_only=True)
class Style:
    """What a language takes, for one kind of names."""

    reserved: frozenset[str] = frozenset()
    """Names that nothing is given."""
    legal: Callable[[str], bool] = is_plain
    """Whether a text that is not reserved may stand as it is; it takes what `identifier` makes, at least behind *stem*."""
    stem: str = "name"
    """What a name begins with whose text does not begin with a letter; itself a name that *legal* takes."""
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
        """A name for *text* that nobody else has: *text* itself, or with ``_``, ``_2``, ``_3`` ... behind it, if it has to be."""
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

        Those that the language takes as they are come first, then words that are reserved, each part in the order of the alphabet:
        so a text whose name is made never takes that of another one, and the order of *texts* does not matter.
        """
        return {text: self.take(text) for text in sorted({*texts}, key=lambda text: (self._rank(text), text))}

    def _rank(self, text: str) -> int:
        if not self._style.legal(text):
            return 2
        return 1 if text in self._style.reserved else 0

    def _fold(self, name: str) -> str:
        return name.lower() if self._style.ignores_case else name
