"""German: the table that is shipped as an example says all that the English one says."""

from __future__ import annotations

import re

import falcon
import falcon.testing
import pytest

from contract import GERMAN, mount_spec, route, routes, spec
from contract.client import CallError
from contract.shape.sentences import SENTENCES
from tests.client_example import ApiClient
from tests.client_fakes import Scripted, answer
from tests.tables import rows


def params_of(template: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", template))


@pytest.mark.parametrize("key", SENTENCES)
def test_each_sentence_is_there_and_says_as_much(key: str) -> None:
    assert params_of(GERMAN[key]) == params_of(SENTENCES[key])
    assert GERMAN[key] != SENTENCES[key] or key == "found:null"


def test_there_are_no_others() -> None:
    assert GERMAN.keys() == SENTENCES.keys()


@route(summary="Say nothing", tags=["t"], auth="none")
def nothing(input: None, ctx: None) -> None: ...


@rows("options, told", ({}, "This field is required"), ({"sentences": GERMAN}, "Dieses Feld fehlt"))
def test_the_explorer_of_a_mount_tells_issues_in_it(options: dict[str, object], told: str) -> None:
    app = falcon.App()
    mount_spec(app, spec(routes=routes(nothing)), **options)  # type: ignore[arg-type]

    assert told in falcon.testing.simulate_get(app, "/docs/").text


REFUSED = answer(
    b'{"error":"VALIDATION_ERROR","data":{"issues":['
    b'{"path":["a"],"code":"missing","message":"This field is required.","params":{}},'
    b'{"path":["b"],"code":"invalid_value","message":"The end is before the start.","params":{}},'
    b'{"path":["c"],"code":"newer","message":"Something newer.","params":{}}]}}',
    status=400,
)


def test_a_client_tells_issues_in_it() -> None:
    """The author's own words stay as they are, and so does what a newer server says."""
    api = ApiClient("https://a.example", transport=Scripted(REFUSED, answer(b"null")))
    german = api.with_options(sentences=GERMAN)

    found = german.ping()

    assert isinstance(found, CallError)
    messages = [each.message for each in found.issues]
    assert messages == ["Dieses Feld fehlt.", "The end is before the start.", "Something newer."]
    assert not isinstance(german.ping(), CallError)


def test_what_a_client_does_not_send_is_told_in_it_too() -> None:
    api = ApiClient("https://a.example", transport=Scripted(), sentences=GERMAN)

    found = api.order(product_id="", quantity=0)

    assert isinstance(found, CallError)
    assert found.issues[0].message == "Muss mindestens 1 Zeichen haben; hier sind es 0."
