"""
Texts: strings that match a pattern and keep within their lengths.

Hypothesis draws from a regular expression, but ignores lengths: for ``^[0-9a-f]+$`` it practically
never draws 32 characters. It also checks each draw with Python's engine, which tries every way to
divide a text among nested repetitions. So here Hypothesis draws only single characters. The pattern
is parsed again (`contract.testing.sample_contents`), and its quantifiers are narrowed until most
draws have a length that fits. The validator's own engine filters the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contract.shape.nodes import StrShape
from contract.shape.patterns import matcher
from contract.testing.sample_contents import Atom, branches_of

__all__ = ["CHARACTERS", "LONG", "Item", "judge", "narrowed", "repeated", "texts"]

CHARACTERS: Final = st.characters(codec="utf-8")
"""Every character except surrogates, which UTF-8 cannot encode."""

LONG: Final = 200
"""
Texts that must be longer than this repeat something short.

Hypothesis would draw each part separately, and only a limited number.
"""

_SPREAD: Final = 10
"""Repetitions above the least number, if nothing else limits them."""

_Sequence = TypeVar("_Sequence", str, bytes, list[Any])


def repeated(
    short: SearchStrategy[_Sequence], low: int, high: int | None
) -> SearchStrategy[_Sequence]:
    """
    Sequences that repeat a *short* one, which is never empty.

    They have *low* to *high* parts, but not many more than *low*.
    """
    most = low + _SPREAD
    if high is not None:
        most = min(most, high)

    def long(drawn: tuple[_Sequence, int]) -> _Sequence:
        part, size = drawn
        times = size // len(part) + 1
        return (part * times)[:size]

    return st.tuples(short, st.integers(low, most)).map(long)


def judge(shape: StrShape, form: str | None = None) -> Callable[[str], list[str]]:
    """
    A function that gives the codes of the rules of *shape* that a text breaks.

    With *form*, the first pattern is that of a form.
    """
    low, high = shape.min_length or 0, shape.max_length
    matchers = [("pattern", matcher(pattern)) for pattern in shape.patterns]
    if form is not None:
        matchers[0] = ("format", matchers[0][1])

    def broken(text: str) -> list[str]:
        codes: list[str] = []
        if len(text) < low:
            codes.append("string_too_short")
        if high is not None and len(text) > high:
            codes.append("string_too_long")
        return codes + [code for code, matches in matchers if not matches(text)]

    return broken


def texts(shape: StrShape) -> SearchStrategy[str]:
    """Valid texts of *shape*."""
    low, high = shape.min_length or 0, shape.max_length
    if not shape.patterns:
        if low > LONG:
            return repeated(st.text(CHARACTERS, min_size=1, max_size=_SPREAD), low, high)
        return st.text(CHARACTERS, min_size=low, max_size=high)
    broken = judge(shape)
    sequences = [
        _sequence(items) for pattern in shape.patterns for items in narrowed(pattern, low, high)
    ]
    return st.one_of(sequences).filter(lambda text: not broken(text))


@dataclass(frozen=True, slots=True)
class Item:
    """An atom of a pattern (a character, a set, a group, an anchor) with its quantifier."""

    atom: str
    once: SearchStrategy[str] = field(repr=False, compare=False)
    """The texts that one repetition matches."""
    width: int
    """The fewest characters that one repetition has."""
    low: int = 1
    high: int | None = 1
    shortest: SearchStrategy[str] | None = field(default=None, repr=False, compare=False)
    """The texts of one repetition of a group with exactly *width* characters."""


def narrowed(regex: str, low: int, high: int | None) -> list[list[Item]]:
    """
    Sequences within *regex* that mostly match texts of *low* to *high* characters.

    In each branch one quantifier is raised until the least length is reached. Each quantifier that
    can be raised gives one sequence. A group gives a second one, with repetitions as short as
    possible, since many long ones would be too long.
    """
    found: list[list[Item]] = []
    for branch in _branches(regex):
        items = [*_padding(branch[:1], "^"), *branch, *_padding(branch[-1:], "$")]
        lacking = low - _least(items)
        options: list[list[Item]] = [items]
        if lacking > 0:
            options = []
            for index in range(len(items)):
                options += _raised(items, index, lacking)
        found += [_lower(option, high) for option in options]
    # where nothing can be raised far enough, the lengths are left to the filter
    return found or _branches(regex)


def _sequence(items: Iterable[Item]) -> SearchStrategy[str]:
    return st.tuples(*map(_repeated, items)).map("".join)


def _repeated(item: Item) -> SearchStrategy[str]:
    if (item.low, item.high) == (1, 1):
        return item.once
    high = item.high
    if high is None:
        high = item.low + _SPREAD
    return st.lists(item.once, min_size=item.low, max_size=high).map("".join)


def _padding(edge: list[Item], anchor: str) -> list[Item]:
    # a pattern without an anchor allows anything around it
    if edge and edge[0].atom == anchor:
        return []
    return [Item("...", CHARACTERS, 1, 0, None)]


def _least(items: Iterable[Item]) -> int:
    return sum(item.width * item.low for item in items)


def _raised(items: list[Item], index: int, lacking: int) -> Iterator[list[Item]]:
    item = items[index]
    if not item.width:
        return
    more = -(-lacking // item.width)  # rounded up
    low = item.low + more
    if item.high is not None and low > item.high:
        return
    yield [*items[:index], replace(item, low=low), *items[index + 1 :]]
    if item.shortest is not None:
        yield [*items[:index], replace(item, low=low, once=item.shortest), *items[index + 1 :]]


def _lower(items: list[Item], high: int | None) -> list[Item]:
    room = _SPREAD
    if high is not None:
        room = max(0, min(room, high - _least(items)))

    # each item may take all the room; the filter drops what is too long together
    def most(item: Item) -> int:
        possible = item.low + room // max(item.width, 1)
        if item.high is not None:
            possible = min(possible, item.high)
        return possible

    return [replace(item, high=most(item)) for item in items]


def _branches(regex: str) -> list[list[Item]]:
    return [list(map(_item, branch)) for branch in branches_of(regex)]


def _item(atom: Atom) -> Item:
    if not atom.branches:
        return Item(atom.text, _character(atom.text), 1, atom.low, atom.high)
    branches = [list(map(_item, branch)) for branch in atom.branches]
    width = min(map(_least, branches))
    shortest = [list(map(_shortest, items)) for items in branches if _least(items) == width]
    return Item(
        atom.text,
        st.one_of(list(map(_sequence, branches))),
        width,
        atom.low,
        atom.high,
        st.one_of(list(map(_sequence, shortest))),
    )


def _shortest(item: Item) -> Item:
    """The *item* with as few repetitions as it may have, and each of them as short as possible."""
    once = item.once
    if item.shortest is not None:  # not "or": a strategy has no truth value
        once = item.shortest
    return replace(item, high=item.low, once=once)


_BEYOND_ASCII: Final = re.compile(r"^\.$|^\[\^|\\[DSWxu]|[^\x00-\x7f]")
"""Atoms that may match characters outside of ASCII."""

_ASCII: Final = sorted(
    map(chr, range(128)), key=lambda char: (not char.isalnum(), not char.isprintable(), char)
)
"""Simple ones first, since values shrink to these."""


def _character(atom: str) -> SearchStrategy[str]:
    """One character that *atom* matches."""
    regex = re.compile(atom, re.ASCII)
    if _BEYOND_ASCII.search(atom):
        return st.from_regex(regex, fullmatch=True, alphabet=CHARACTERS)
    # eight times as fast as drawing from the regex
    return st.sampled_from([char for char in _ASCII if regex.fullmatch(char)])
