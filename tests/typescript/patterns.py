"""Patterns, and texts in which they are found or not, as the server says: clients in TypeScript have to say the same of them."""

from __future__ import annotations

import random
from typing import Annotated, Any, Final

from contract import Meta, Pattern, exports, spec
from contract.document.describe import describe
from contract.document.model import Document
from contract.shape.patterns import matcher

__all__ = ["described", "rows"]

WRITTEN: Final = (
    "", "^$", "^(a+)+$", "^(a|aa)+$", "(a*)*b", "^(a|a)*$", "^(?:(?:a?){3}b)+$",
    "^[a-z0-9]+(-[a-z0-9]+)*$", "^(\\w+\\s?)*$", "^(?:[^@]+@)+[^@]+$", "(\\b\\w+\\b ?)+$",
    "(\\Bb)+", "^(?:^a|b$)+?$", "^(.|\\n)*$", "^(?:\\x41|\\u0042|[\\]\\-\\\\]){2,}$",
    "(?:^|a)+(?:$|-)", "([^a]{1,2}){2}", "^([\\d.]{1,3}){2,4}$", "(é|💥)+$", "^([💥-💫]{2})+$",
    "a*a*a*a*b", "(a?){0}b", "(|a)+b",
)  # fmt: skip
"""Written by hand; most of them can be read in many ways."""

_SIMPLE: Final = r"a b [ab] [^a] . \w \W \d - \b \B ^ $ 💥"
_ATOMS: Final = (*_SIMPLE.split(),)
_COUNTS: Final = ("", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?")
_TEXTS: Final = "aab- 1💥\n"


def rows() -> list[tuple[str, str, bool]]:
    """Name of a validator, text, and whether it is taken."""
    chance = random.Random(5)
    found: list[tuple[str, str, bool]] = []
    for index, pattern in enumerate(_patterns()):
        finds = matcher(pattern)
        texts = {
            "",
            *("".join(chance.choices(_TEXTS, k=chance.randint(1, 9))) for _ in range(12)),
            "a" * 80,
            "a" * 80 + "b",
            "a-b" * 30,
        }
        found += [(f"P{index}", text, finds(text)) for text in sorted(texts)]
    return found


def described() -> Document:
    """A contract that exports a type for each pattern."""
    types: dict[str, Any] = {
        f"P{index}": Annotated[str, Pattern(pattern)] for index, pattern in enumerate(_patterns())
    }
    return describe(spec(routes=[], meta=Meta(title="Patterns"), exports=exports(**types)))


def _patterns() -> list[str]:
    chance = random.Random(7)
    return [*WRITTEN, *(_choice(chance, 3) for _ in range(300))]


def _choice(chance: random.Random, depth: int) -> str:
    return "|".join(_row(chance, depth) for _ in range(chance.choice((1, 1, 1, 2))))


def _row(chance: random.Random, depth: int) -> str:
    return "".join(_item(chance, depth) for _ in range(chance.randint(1, 3)))


def _item(chance: random.Random, depth: int) -> str:
    if depth and chance.random() < 0.5:
        return f"({_choice(chance, depth - 1)}){chance.choice(_COUNTS)}"
    atom = chance.choice(_ATOMS)
    return atom if atom in ("\\b", "\\B", "^", "$") else atom + chance.choice(_COUNTS)
