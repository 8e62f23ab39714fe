"""Notes: what each route promises, and what only these do."""

from contract.testing import Client, check_route
from hypothesis import strategies as st

from starter.app import api
from starter.notes import MOST, add, get, latest, remove
from starter.people import User

ADA, BOB = "a-token-of-ada-in-tests", "a-token-of-bob-in-tests"
USER = User("ada")
IDS = {"id": st.integers(1, 9)}

# Every valid input gives a declared answer, and every other one is refused.
test_add = check_route(add, api=api, ctx=USER)
test_get = check_route(get, api=api, ctx=USER, overrides=IDS)
test_latest = check_route(latest, api=api, ctx=USER)
test_remove = check_route(remove, api=api, ctx=USER, overrides=IDS)


def test_a_note_is_kept_until_it_is_removed(client: Client) -> None:
    note = client.call(add, {"text": "Buy milk."}, token=ADA).json

    assert client.call(get, {"id": note["id"]}, token=ADA).json == note
    assert client.call(latest, {}, token=ADA).json == [note]
    assert client.call(remove, {"id": note["id"]}, token=ADA).status == 200
    assert client.call(get, {"id": note["id"]}, token=ADA).error == "NOT_FOUND"


def test_nobody_sees_the_notes_of_others(client: Client) -> None:
    note = client.call(add, {"text": "Buy milk."}, token=ADA).json

    assert client.call(get, {"id": note["id"]}, token=BOB).error == "NOT_FOUND"
    assert client.call(remove, {"id": note["id"]}, token=BOB).error == "NOT_FOUND"
    assert client.call(latest, {}, token=BOB).json == []
    assert client.call(latest, {}, token="a-guess").error == "UNAUTHORIZED"


def test_one_person_keeps_so_many_notes(client: Client) -> None:
    for _ in range(MOST):
        assert client.call(add, {"text": "Again."}, token=ADA).status == 200
    refused = client.call(add, {"text": "Once more."}, token=ADA)

    assert (refused.status, refused.error) == (409, "TOO_MANY_NOTES")
    assert client.call(add, {"text": "Mine."}, token=BOB).status == 200
