"""Wire: what an author may write of a class."""

from typing import Any

from contract import Wire, wire_str
from contract.shape.wire import FORM, WireForm, is_wire
from tests.samples import Isbn, Price, price


def test_a_wire_knows_its_class() -> None:
    assert price.of is Price
    assert Wire(as_=str, load=Price.parse, dump=str).of is None


def test_a_wire_keeps_what_was_written() -> None:
    form = Wire[Price](as_=str, load=Price.parse, dump=str, min_length=3, examples=["a"]).form

    assert form == WireForm(as_=str, min_length=3, examples=("a",))


def test_a_class_keeps_its_form() -> None:
    form = vars(Isbn)[FORM]

    assert form == WireForm(as_=str, pattern="^97[89]-[0-9]{10}$", examples=("978-0000000002",))
    assert wire_str(max_length=3)(Isbn) is Isbn
    setattr(Isbn, FORM, form)


def test_a_wire_is_known_among_metadata() -> None:
    found: list[Any] = [price, Wire, Wire[Price], Price, "Wire"]

    assert [*map(is_wire, found)] == [True, True, True, False, False]
