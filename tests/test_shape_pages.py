"""Pages: what a cursor and a slice are on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

import pytest

from contract import Cursor, InvalidInput, MaxLimit, Slice, UnsupportedAnnotation, pred_of
from contract.shape.nodes import Shape
from contract.shape.own_texts import PageKey
from contract.shape.pages import is_page_key, maker_of, paged_by
from contract.shape.reader import shape_of
from tests.tables import rows


@dataclass(frozen=True, slots=True)
class Filter:
    word: str = ""


class Asked(TypedDict, total=False):
    word: str


@dataclass(frozen=True, slots=True)
class Order:
    id: int


def test_a_cursor_takes_a_text_where_the_author_has_a_key() -> None:
    pred: Any = pred_of(Cursor[Filter, int])

    assert pred.load(b'{"filter":{}}') == Cursor(Filter())
    given = pred.load(b'{"filter":{"word":"a"},"after":"abc","limit":7}')
    assert (given.filter, given.limit) == (Filter("a"), 7)
    assert type(given.after) is PageKey


def test_a_slice_writes_a_text_there() -> None:
    pred: Any = pred_of(Slice[Order, int])

    assert pred.dump(Slice([Order(1)], PageKey("abc"))) == b'{"items":[{"id":1}],"next":"abc"}'
    assert pred.dump(Slice(())) == b'{"items":[],"next":null}'


def test_a_filter_that_is_none_may_be_left_out() -> None:
    pred = pred_of(Cursor[None])

    assert pred.load(b"{}") == pred.load(b'{"filter":null}') == Cursor(None)
    assert pred.load(b'{"limit":7.0}') == Cursor(None, limit=7)  # which takes another way


@dataclass
class Many:
    """All of its fields have defaults, of which one cannot be shared."""

    words: list[str] = field(default_factory=list[str])


def test_a_filter_of_defaults_alone_may_be_left_out() -> None:
    pred: Any = pred_of(Annotated[Cursor[Many], MaxLimit(20)])
    first, second = pred.load(b"{}"), pred.load(b'{"limit":20.0}')

    assert first == second == pred.load(b'{"filter":{}}') == Cursor(Many(), limit=20)
    assert first.filter is not pred.load(b"{}").filter
    shape: Any = shape_of(Cursor[Many])
    make = maker_of(shape.definition.shape)
    assert make(limit=3) == make(filter=Many(), limit=3) == Cursor(Many(), limit=3)


@dataclass(frozen=True)
class Narrow:
    """A filter that may refuse to say nothing."""

    word: str = ""

    def __post_init__(self) -> None:
        if not self.word:
            raise ValueError("name a word")


@rows(
    "cursor",
    *(Cursor[Narrow], Cursor[Order], Cursor[int]),
    *(Cursor[Filter | None], Cursor[dict[str, int]], Cursor[Asked]),
)
def test_any_other_filter_has_to_be_sent(cursor: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        pred_of(cursor).load(b"{}")

    assert [(each.path, each.code) for each in caught.value.issues] == [(("filter",), "missing")]


@pytest.mark.parametrize("limit", [1, 100, 0, 101, True])
def test_a_limit_is_bounded(limit: object) -> None:
    fits = limit is not True and limit in range(1, 101)
    shape = pred_of(Cursor[Filter])
    body = f'{{"filter":{{}},"limit":{str(limit).lower()}}}'.encode()

    assert (refused(lambda: shape.load(body)) is None) is fits


@pytest.mark.parametrize(("most", "usual"), [(20, 20), (500, 50)])
def test_another_limit_can_be_stated(most: int, usual: int) -> None:
    pred = pred_of(Annotated[Cursor[Filter, int], MaxLimit(most)])

    assert pred.load(b'{"filter":{}}').limit == usual
    assert pred.load(b'{"filter":{},"limit":%d}' % most).limit == most
    assert refused(lambda: pred.load(b'{"filter":{},"limit":%d}' % (most + 1)))


def test_its_default_is_that_of_every_way_to_load() -> None:
    pred = pred_of(Annotated[Cursor[int], MaxLimit(20)])

    assert pred.load(b'{"filter":1.0}') == pred.load(b'{"filter":1}') == Cursor(1, None, 20)


@rows(
    "annotation, told",
    *((Annotated[cls, MaxLimit(5)], "is for pages") for cls in (Filter, str, Slice[Order])),
    *(
        (Annotated[Cursor[Filter], MaxLimit(limit)], "an int from 1 to 10_000")
        for limit in (0, 10_001, True)
    ),
)
def test_no_other_limit_can_be(annotation: Any, told: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=told):
        shape_of(annotation)


def test_a_key_is_a_text_by_default() -> None:
    assert paged_by(shape_of(Cursor[Filter]), Cursor) == shape_of(str)
    assert paged_by(shape_of(Slice[Order, int]), Slice) == shape_of(int)


@pytest.mark.parametrize("shape", [None, shape_of(int), shape_of(Filter), shape_of(Slice[Order])])
def test_nothing_else_is_a_cursor(shape: Shape | None) -> None:
    assert paged_by(shape, Cursor) is None


def test_a_key_of_a_page_is_told_from_other_texts() -> None:
    assert is_page_key(shape_of(PageKey))
    assert is_page_key(shape_of(PageKey | None))
    assert not is_page_key(shape_of(str | None))


def test_no_name_tells_the_type_of_a_key() -> None:
    shape: Any = shape_of(Slice[Order, int])

    assert shape.definition.name == "Slice_Order"


def refused(load: Any) -> Exception | None:
    try:
        load()
    except ValueError as error:
        return error
    return None
