"""The vectors: what the file says of a document is what the server says."""

import json

import pytest

from tests.vectors import TYPES, api, name_of, read, verdict


def test_a_route_is_named_after_its_type() -> None:
    assert name_of("dict by int") == "dict_by_int"
    assert name_of("TypedDict") == "typeddict"


def test_every_type_has_vectors() -> None:
    assert [*read()] == [*TYPES]


def test_a_route_gives_back_what_it_gets() -> None:
    assert api.entries["int"].route.resolver(7, None) == 7


@pytest.mark.parametrize("name", TYPES)
def test_the_server_says_what_the_file_says(name: str) -> None:
    """Where it is to say something else, ``python -m tests.write_vectors`` writes the file again, and all clients have to agree."""
    said = [issues for _, issues in read()[name]]

    assert [json.loads(json.dumps(verdict(name, text))) for text, _ in read()[name]] == said
    assert any(said)
    assert not all(said)
