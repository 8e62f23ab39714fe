"""Nearest: which declared name was meant."""

import pytest

from contract.shape.nearest import finder

NAMES = ["product_id", "quantity", "colour", "email_address", "id", 7, "größe", "x" * 65, "receive"]


MEANT: dict[str | None, list[str]] = {
    "product_id": ["productId", "PRODUCT-ID", "product id", "prodct_id"],
    "quantity": ["quanttiy", "quantityxx", "quanxxtity", "xxquantity"],
    "colour": ["color", "colours", "kolour"],
    "receive": ["recieve"],
    "email_address": ["email", "my_email_address"],
    "id": ["ID"],
    None: ["quxntixy", "qty", "ie", "i", "", "_", "grösse", "q" * 65, "7"],
}


@pytest.mark.parametrize(
    ("sent", "meant"), [(sent, meant) for meant, texts in MEANT.items() for sent in texts]
)
def test_a_slip_is_understood_and_anything_else_is_left_alone(sent: str, meant: str | None) -> None:
    assert finder(NAMES)(sent, ()) == meant


def test_what_was_sent_too_is_not_meant() -> None:
    find = finder(["name", "names", "surname_of_birth"])

    assert find("Name", ()) == "name"
    assert find("Name", ["name"]) == "names"
    assert find("surname_of", ["surname_of_birth"]) == "name"
    assert find("birth", ["surname_of_birth"]) is None


def test_the_first_of_two_that_are_as_near_is_meant() -> None:
    assert finder(["cold", "bold"])("gold", ()) == "cold"
    assert finder(["name_of_one", "name_of_two"])("name", ()) == "name_of_one"


def test_no_more_than_fifty_names_are_looked_at() -> None:
    names = [f"key_{index:03}_of_many" for index in range(60)]

    assert finder(names)("key_049_of_many_", ()) == "key_049_of_many"
    assert finder(names[10:])("key_049_of_mani", ()) == "key_049_of_many"
    assert finder(["q"] * 50 + ["quantity"])("quantitty", ()) is None
