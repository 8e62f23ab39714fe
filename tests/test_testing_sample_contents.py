"""Texts that match patterns, without Hypothesis."""

from __future__ import annotations

from random import Random

import pytest

from contract.shape.patterns import matcher
from contract.testing.sample_contents import matching, plain
from tests.tables import rows


@rows(
    "low, high",
    (None, None), (0, 0), (1, 1), (3, 3), (None, 2), (40, None), (200, 200), (6, 7), (None, 10**9),
)  # fmt: skip
def test_words_have_the_length_that_is_asked_for(low: int | None, high: int | None) -> None:
    for seed in range(50):
        text = plain(Random(seed), low, high)

        assert len(text) >= (low or 0)
        assert high is None or len(text) <= high
        assert text == text.strip()


def test_nobody_waits_for_a_text_that_is_as_long_as_a_book() -> None:
    assert 10_000 <= len(plain(Random(1), 10**9, None)) < 10_100


@pytest.mark.unwatched
@rows(
    "patterns, low, high",
    (["^[a-z]+(-[a-z]+)*$"], None, 20), (["^[0-9a-f]+$"], 32, 32), (["^(?:[a-f]+)$"], 60, 64),
    (["[0-9]"], 3, None), (["^abc"], 20, None), (["abc$"], 20, None),
    (["^(yes|no)$|^maybe"], None, None), ([r"^\d{3}-\w{2,4}\s\S.$"], None, None),
    ([r"^[^a-z0-9A-Z]{2}$"], 2, 2), ([r"^[\u0400-\u04ff]{5}$"], 5, 5),
    ([r"^\u20ac?\/\.[0-9]*$"], 3, None), ([r"\bword\b"], None, None),
    ([r"a{2}b{1,}c{0,2}d??"], None, None), (["^[A-Z]+$", "^.{3}$"], None, None),
    (["[a-z]", "[0-9]"], 10, 12), (["[0-9]", "[a-z]"], None, None), (["[0-9]", "[a-z]"], 2, 2),
    (["^((a|b){2,3}c)*$"], 30, None), ([""], None, None), (["^[\\x01-\\x03]$"], 1, 1),
)  # fmt: skip
def test_texts_match_their_patterns_and_lengths(
    patterns: list[str], low: int | None, high: int | None
) -> None:
    for seed in range(10):
        text = matching(Random(seed), patterns, low, high)

        assert text is not None
        assert all(matcher(pattern)(text) for pattern in patterns)
        assert (low or 0) <= len(text) <= (len(text) if high is None else high)
        assert text == matching(Random(seed), patterns, low, high)


def test_what_has_no_text_is_told_soon() -> None:
    assert matching(Random(1), ["^a$", "^b$"], None, None) is None
    assert matching(Random(1), ["^a{3}$"], 4, None) is None
    assert matching(Random(1), [r"[^\s\S]"], None, None) is None


def test_a_character_that_is_not_printable_ascii_is_found() -> None:
    assert matching(Random(1), ["^é{2}$"], None, None) == "éé"


class Counting(Random):
    """Counts what is drawn, which is what a search costs."""

    count = 0

    def random(self) -> float:
        self.count += 1
        return super().random()

    def getrandbits(self, k: int) -> int:
        self.count += 1
        return super().getrandbits(k)


def test_an_anchor_alone_gets_a_character_to_stand_at() -> None:
    found = [
        matching(Random(seed), (pattern,), None, None)
        for seed in range(20)
        for pattern in (r"\b", r"\b" * 400)
    ]

    assert all(found)
    assert {len(text or "") for text in found} == {1}


def test_a_long_pattern_that_no_text_matches_is_given_up_as_soon_as_a_short_one() -> None:
    spent = {}
    for count in (1, 10, 100, 200):
        random = Counting(1)
        assert matching(random, (r"x\bx" * count,), None, None) is None
        spent[count] = random.count

    assert spent[200] < 5 * spent[10]
