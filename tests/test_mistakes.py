"""Mistakes: the page that shows 60 of them says of each what we say today."""

from __future__ import annotations

from bench import mistakes


def test_the_page_has_our_words_of_today() -> None:
    """Where they are to be others, ``python -m bench.mistakes`` writes it again; judge them anew."""
    assert mistakes.PAGE.read_text("utf-8") == f"{mistakes.page()}\n"


def test_there_are_sixty_that_we_refuse_and_points_for_each() -> None:
    rows = mistakes.recorded()

    assert len(mistakes.MISTAKES) == 60
    assert [*rows] == [each.title for each in mistakes.MISTAKES]
    assert all(mistakes.ours())
    assert {len(points) for row in rows.values() for points in row["points"].values()} == {4}
    assert {len(row["points"]) for row in rows.values()} == {4}
