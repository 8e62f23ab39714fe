"""Declaration errors: the page shows every one of them, with a program that causes it."""

from __future__ import annotations

import re

import pytest

from tests.declarations import PAGE, Program, page, programs, sites, told, unreached

PROGRAMS = programs()


def test_the_page_has_the_messages_of_today() -> None:
    """Where they are to be others, ``python -m tests.declarations`` writes it again; read them."""
    assert PAGE.read_text("utf-8") == page()


@pytest.mark.unwatched
def test_each_place_that_makes_a_message_is_reached() -> None:
    """A new message needs a program on the page."""
    assert unreached({each.title: told(each.source)[1] for each in PROGRAMS}) == []


@pytest.mark.unwatched
def test_a_place_that_no_program_reaches_is_found() -> None:
    assert len(sites()) > 200
    assert unreached({}) == sites()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.title)
def test_a_message_has_a_place_a_cause_and_a_mend(program: Program) -> None:
    message, _ = told(program.source)
    kind, place, problem = message.split(": ", 2)

    assert kind.isidentifier()
    assert place
    assert re.search("; |: write|write |takes|cannot", problem)


def test_no_two_programs_have_one_title() -> None:
    titles = [each.title for each in PROGRAMS]

    assert len(set(titles)) == len(titles)


def test_a_program_with_nothing_wrong_is_told_of() -> None:
    with pytest.raises(AssertionError, match="nothing is wrong with this"):
        told("spec(routes=[])")
