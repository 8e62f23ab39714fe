"""
Contents: texts that match a pattern, and small files of a media type; for mocks and tests.

Texts are drawn with a seed and without Hypothesis, from their pattern, which is parsed again here.
The number of repetitions is drawn close to what the lengths require, and the validator's engine
judges the result. Some hundred tries find a text for the patterns that people write.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from random import Random
from typing import Final, final

from contract.shape.patterns import matcher
from contract.shape.record import record

__all__ = ["Atom", "branches_of", "matching", "plain", "sample_of"]

_WORDS: Final = (
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "harbor",
    "island",
    "juniper",
    "kestrel",
    "lagoon",
    "meadow",
)
_TRIES: Final = 400
_FEWEST: Final = 40
"""The fewest tries; a long pattern has them too."""
_MOST: Final = 40_000
"""The characters of patterns and texts, after which there are only the fewest tries."""
_NICE: Final = string.ascii_lowercase + string.digits
_LONGEST: Final = 10_000
"""In characters; nobody needs an example that is longer."""


def plain(random: Random, low: int | None, high: int | None) -> str:
    """One or more words, with *low* to *high* characters."""
    # 1. Words, until they are long enough.
    least = low or 0
    words = [random.choice(_WORDS)]
    length = len(words[0])
    while length < min(least, _LONGEST):
        words.append(random.choice(_WORDS))
        length += 1 + len(words[-1])
    text = " ".join(words)

    # 2. Cut off what is too much. A blank at the end looks like a mistake. Where there is room, it
    #    goes away; where each character counts, blanks become hyphens.
    most = len(text)
    if high is not None:
        most = min(most, high)
    if least < most:
        return text[:most].rstrip()
    return text[:most].replace(" ", "-")


def matching(
    random: Random, patterns: Sequence[str], low: int | None, high: int | None
) -> str | None:
    """
    A text that matches every one of *patterns*, with *low* to *high* characters.

    None if no text was found.
    """
    judges = [matcher(pattern) for pattern in patterns]
    least = low or 0
    spent = 0
    for attempt in range(_TRIES):
        if attempt >= _FEWEST and spent > _MOST:
            break
        # one pattern may imply the others, or each may match a different part
        if attempt % 2:
            chosen = [random.choice(patterns)]
        else:
            chosen = random.sample(patterns, len(patterns))
        text = ""
        for pattern in chosen:
            text += _drawn(branches_of(pattern), random, _spread(random, least, high))
        spent += len(text) + sum(map(len, chosen))
        if least > len(text) or attempt % 4 == 3:
            # an anchor may want a character before or after it, which the pattern does not have
            more = max(int(attempt % 4 == 3), least - len(text))
            filler = "".join(random.choices(_NICE, k=min(more, _LONGEST)))
            if attempt % 2:
                text = filler + text
            else:
                text = text + filler
        if (
            len(text) >= least
            and (high is None or len(text) <= high)
            and all(judge(text) for judge in judges)
        ):
            return text
    return None


def _spread(random: Random, least: int, most: int | None) -> int:
    """How many repetitions above the least number one attempt allows."""
    many = 8
    if most is not None and most < _LONGEST:
        many = most
    return random.choice((3, least, many, 0, 1, max(1, least // 2)))


def _drawn(branches: Sequence[Sequence[Atom]], random: Random, spread: int) -> str:
    parts: list[str] = []
    for atom in random.choice(branches):
        most = atom.low + spread
        if atom.high is not None:
            most = max(atom.low, min(atom.high, most))
        count = random.randint(atom.low, most)
        # nested long repetitions would never end
        inside = spread if count == 1 else min(spread, 3)
        for _ in range(count):
            if atom.branches:
                parts.append(_drawn(atom.branches, random, inside))
            else:
                parts.append(random.choice(_characters(atom.text)))
    return "".join(parts)


@lru_cache(256)
def _characters(atom: str) -> str:
    """Some characters that *atom* matches; letters and digits are preferred."""
    compiled = re.compile(atom, re.ASCII)
    for pool in (_NICE, string.ascii_uppercase, string.printable):
        found = "".join(filter(compiled.fullmatch, pool))
        if found:
            return found
    # all of Unicode but the surrogates, which are no characters
    found_at = compiled.search("".join(map(chr, chain(range(0xD800), range(0xE000, 0x110000)))))
    if found_at is None:  # an empty set: the validator's engine will refuse whatever this gives
        return "\0"
    return found_at[0]


# The parser of patterns, for texts that Hypothesis draws as well (`contract.testing.texts`). It
# needs only what `contract.shape.patterns` allows.


@final
@record
class Atom:
    """A part of a pattern, with its quantifier."""

    text: str
    """A character, a set or an anchor as it is written; "()" for a group."""
    branches: tuple[tuple[Atom, ...], ...] = ()
    """The alternatives of a group; an anchor has one, which is empty."""
    low: int = 1
    high: int | None = 1


_TOKEN: Final = re.compile(
    r"""
    (?P<anchor> [\^$] | \\[bB] )
    | (?P<escape> \\ (?: x.. | u.... | . ) )
    | (?P<set> \[ (?: \\. | [^\]\\] )+ \] )
    | (?P<open> \( (?: \?: )? )
    | (?P<close> \) )
    | (?P<bar> \| )
    | (?P<quantifier> (?: [*+?] | \{ (?P<low>\d+) (?P<comma>,?) (?P<high>\d*) \} ) \?? )
    | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_QUANTIFIERS: Final[dict[str, tuple[int, int | None]]] = {
    "*": (0, None),
    "+": (1, None),
    "?": (0, 1),
}


@lru_cache(256)
def branches_of(regex: str) -> tuple[tuple[Atom, ...], ...]:
    """The alternatives of a pattern."""
    branches: list[list[Atom]] = [[]]
    outer: list[list[list[Atom]]] = []  # the branches around each open group
    for token in _TOKEN.finditer(regex):
        match token.lastgroup:
            case "anchor":
                branches[-1].append(Atom(token[0], ((),)))
            case "open":
                outer.append(branches)
                branches = [[]]
            case "close":
                group = Atom("()", tuple(map(tuple, branches)))
                branches = outer.pop()
                branches[-1].append(group)
            case "bar":
                branches.append([])
            case "quantifier":
                low, high = _QUANTIFIERS.get(token[0][0]) or _counts(token)
                branches[-1][-1] = replace(branches[-1][-1], low=low, high=high)
            case _:
                branches[-1].append(Atom(token[0]))
    return tuple(map(tuple, branches))


def _counts(token: re.Match[str]) -> tuple[int, int | None]:
    low = int(token["low"])
    if token["high"]:
        return low, int(token["high"])
    if token["comma"]:
        return low, None
    return low, low


# Files.


_PNG: Final = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a494441"
    "54789c636800000082008177cd72b60000000049454e44ae426082"
)
"""An image of one pixel."""
_TEXT_FILE: Final = b"Made up.\n"
_OF_RANGES: Final = {
    "*/*": "application/octet-stream",
    "image/*": "image/png",
    "text/*": "text/plain",
    "audio/*": "audio/wav",
    "video/*": "video/mp4",
    "application/*": "application/octet-stream",
}


def sample_of(media_range: str) -> tuple[str, bytes]:
    """A media type within *media_range*, and the bytes of a small file."""
    kind = _OF_RANGES.get(media_range, media_range.replace("/*", "/x-made-up"))
    return kind, _PNG if kind == "image/png" else _TEXT_FILE
