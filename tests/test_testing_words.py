"""Words: the texts in the code of a resolver, and texts that begin or end with them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from json import dumps
from typing import Annotated, Any

import pytest
from annotated_types import Len
from hypothesis import core, settings

from contract import Failure, NotFound, Pattern, route
from contract.shape.nodes import StrShape
from contract.shape.reader import shape_of
from contract.testing import Finding, check_route
from contract.testing.words import NO_AFFIXES, Affixes, any_of, each_of, with_affixes, words_of
from tests.drawing import drawn
from tests.tables import rows

PREFIX = "VIP"
KINDS = ("gold", "silver")
SUFFIXES = {".exe": 1, 2: 3}


class SoldOut(Failure, status=409):
    """Gone."""

    days: int = 0


@dataclass(frozen=True)
class Order:
    product: Annotated[str, Len(1, 40)]
    note: str = ""


def rate(code: str) -> int:
    """A helper, whose own description is none of its words."""
    return 2 if code.endswith(("-X", "-Y")) else rate(code[1:])


def direct(input: Order, ctx: None) -> object:
    """Not this."""
    if input.product.startswith("ABC"):
        return SoldOut(days=3)
    return NotFound(message="This is a message to somebody")


def named(input: Order, ctx: None) -> object:
    return (
        input.product.startswith(PREFIX)
        or input.product in KINDS
        or [each for each in SUFFIXES if input.product == each]
    )


def helped(input: Order, ctx: None) -> object:
    return dumps(rate(input.product)) if input.product != "own" else None


class Shop:
    def sell(self, input: Order, ctx: None) -> object:
        return self.price(input.product)

    def price(self, product: str) -> int:
        return len(product) if product != "bound" else 0

    def __call__(self, input: Order, ctx: None) -> object:
        return self.price(input.product) or "called"


def closed() -> Callable[[Order, None], object]:
    word = "closed"

    def inner(input: Order, ctx: None) -> object:
        return input.product == word

    return inner


def many(input: Order, ctx: None) -> object:
    return input.product in tuple(f"word {number}" for number in range(3)) or input.product in MANY


MANY = [f"{number:02}" for number in range(50)]


@rows(
    "resolver, words",
    (direct, ("ABC",)), (named, ("VIP", "gold", "silver", ".exe")), (helped, ("own", "-X", "-Y")),
    (Shop().sell, ("bound",)), (Shop(), ("called", "bound")), (closed(), ("closed",)),
    (random.randint, ()), (print, ()),
)  # fmt: skip
def test_the_words_of_a_resolver_are_those_of_its_code(
    resolver: Any, words: tuple[str, ...]
) -> None:
    assert words_of(resolver) == words


def test_of_many_words_the_first_are_taken() -> None:
    assert words_of(many) == ("word ", *MANY[:19])


def texts(annotation: Any, affixes: Affixes) -> set[str]:
    shape = shape_of(annotation)
    assert isinstance(shape, StrShape)
    return set(drawn(with_affixes(shape, affixes)))


def test_texts_begin_and_end_with_words() -> None:
    ends = ("VIP", "-X")
    found = texts(str, any_of(ends))

    assert {*ends} <= found
    assert [text for text in found if text.startswith("VIP") and not text.endswith(ends)]
    assert [text for text in found if text.endswith("-X") and not text.startswith(ends)]
    assert [text for text in found if not (text.startswith(ends) or text.endswith(ends))]


def test_texts_with_words_keep_to_their_lengths_and_patterns() -> None:
    words = any_of(["VIP", "no", "X", "TOO-LONG"])
    found = texts(Annotated[str, Pattern("^[A-Z0-9]+$"), Len(4, 5)], words)

    assert {len(text) for text in found} == {4, 5}
    assert all(text.isascii() and text.isalnum() and text.upper() == text for text in found)
    assert {"VIP", "X"} <= {text[:3] for text in found} | {text[-1] for text in found}


@pytest.mark.unwatched
def test_each_word_has_each_place() -> None:
    first, last = [Affixes((word,)) for word in "ab"], [Affixes(last=(word,)) for word in "ab"]
    short = Annotated[str, Len(2, 9)]

    assert [*each_of(["a", "b"])] == [first[0], last[0], first[1], last[1]]
    assert all(text.startswith("VIP") for text in texts(short, Affixes(("VIP",))))
    assert all(text.endswith("-X") for text in texts(short, Affixes(last=("-X",))))


def test_without_words_texts_are_drawn_as_ever() -> None:
    assert any_of([]) == NO_AFFIXES


# Whatever chance says: with the fewest examples that are usual.


@route(summary="Several words", tags=["t"], auth="none")
def several(input: Order, ctx: None) -> int | SoldOut | NotFound:
    if input.product in KINDS or input.note.endswith("-none"):
        return NotFound(message="gone")
    if input.product.startswith(PREFIX):
        raise RuntimeError
    return 1


@pytest.mark.unwatched
@rows("number", *range(8))
def test_a_prefix_is_found_whatever_the_seed(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "global_force_seed", number)
    with pytest.raises(Finding) as caught:
        check_route(several, settings=settings(max_examples=10, database=None))()

    assert caught.value.calls[-2] == "several(Order(product='VIP'))"
