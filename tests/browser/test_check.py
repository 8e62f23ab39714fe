"""The page says of a value what the server says, in the same codes and texts. What it thinks up is valid."""

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, Final

import pytest
from annotated_types import Ge, Gt, Len, Lt
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from contract import Example, emit_contract, route, spec
from contract.pred.compile import Pred, pred_of
from contract.shape.exceptions import InvalidInput
from contract.shape.issues import to_json
from contract.shape.reader import shape_of
from tests import vectors
from tests.browser.conftest import Open
from tests.effort import examples
from tests.property.test_pred_and_schema_agree import attempts
from tests.strategies import types

PREDS = {name: pred_of(annotation) for name, annotation in vectors.TYPES.items()}

# a route without input takes {}; what the author's code refuses, limits of Any, equal values that
# are written in two ways and the microseconds of 2.7 million years are left to the server
# (`tests.schema_differences.EXCEPTIONS`)
AUTHORS = {"none", "int_predicate", "secret"}
OTHERWISE = AUTHORS | {"dataclass_with_a_condition", "any", "dict", "recursive_alias"}
OTHERWISE |= {"timedelta", "str", "set_of_records", "dict_by_uuid"}

ASK = """async given => {
    const urls = performance.getEntriesByType("resource").map(each => each.name)
    const names = ["contract", "tools"]
    const found = await Promise.all(names.map(name => import(urls.find(url => url.includes(`/assets/${name}.`)))))
    const [contract, tools] = found
    return (FUNCTION)(given)
}"""
SAID = "cases => cases.map(([name, text]) => tools.stringify(contract.check(contract.doc.routes[name].input, tools.parse(text))))"
SAMPLES = "() => Object.entries(contract.doc.routes).map(([name, route]) => [name, tools.stringify(contract.sample(route.input))])"


def ask(page: Page, function: str, given: Any = None) -> Any:
    """What a *function* gives that has the modules of the page, in which a name is a module."""
    return page.evaluate(ASK.replace("FUNCTION", function), given)


@pytest.fixture
def page(page_of: Open) -> Page:
    return page_of(emit_contract(vectors.api))


def told(pred: Pred[Any], text: str) -> list[dict[str, Any]]:
    try:
        pred.load(text.encode())
    except InvalidInput as refused:
        return [to_json(issue) for issue in refused.issues]
    return []


def test_the_page_refuses_what_the_server_refuses_in_its_words(page: Page) -> None:
    cases = [
        (name, text)
        for name, rows in vectors.read().items()
        if name not in OTHERWISE
        for text, issues in rows
        if [issue[1] for issue in issues] != ["json_invalid"]
    ]
    said = map(json.loads, ask(page, SAID, cases))
    right = [told(PREDS[name], text) for name, text in cases]

    assert len(cases) > 1500
    assert [row for row in zip(cases, said, right, strict=True) if row[1] != row[2]] == []


def test_an_example_is_valid(page: Page) -> None:
    samples: dict[str, str] = dict(ask(page, SAMPLES))
    refused = {name: told(PREDS[name], text) for name, text in samples.items()}

    assert len(samples) > 90
    assert {name for name, issues in refused.items() if issues} <= AUTHORS


DRAWN = """([text, texts]) => {
    contract.load(text)
    const { input } = contract.doc.routes.call
    return [texts.map(text => tools.stringify(contract.check(input, tools.parse(text)))), tools.stringify(contract.sample(input))]
}"""
UNSEEN: Final = {"predicate", "invalid_value"}
"""What the author's code refuses, the page cannot know."""


def contract_of(annotation: Any) -> str:
    def call(input: Any, ctx: None) -> None:
        raise NotImplementedError

    call.__annotations__ = {"input": annotation, "ctx": None, "return": None}
    called = route(summary="Call", tags=["tests"], auth="none")(call)
    return emit_contract(spec(routes=[called])).decode()


def seen(issues: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """*issues* in an order of their own: in JavaScript, the keys that are numbers come first."""
    return sorted((issue for issue in issues if issue["code"] not in UNSEEN), key=json.dumps)


def is_inexact(document: Any) -> bool:
    """Whether there is a number in *document* whose remainder is another one as a float."""
    if isinstance(document, dict | list):
        return any(map(is_inexact, document.values() if isinstance(document, dict) else document))
    return isinstance(document, int | float) and abs(document) > 2**53


NARROW: Final[dict[str, Any]] = {
    "nothing": list[None],
    "moments": Annotated[
        datetime, Gt(datetime(2024, 1, 5, 22, tzinfo=UTC)), Lt(datetime(2024, 1, 6, 2, tzinfo=UTC))
    ],
    "below zero": Annotated[
        timedelta, Gt(timedelta(seconds=-8.001)), Lt(timedelta(seconds=-7.999))
    ],
    "above zero": Annotated[timedelta, Gt(timedelta(seconds=0.1)), Lt(timedelta(seconds=0.2))],
    "different numbers": Annotated[set[Annotated[float, Ge(-1)]], Len(3, 4)],
    "other than the example": Annotated[set[Annotated[int, Ge(0), Example(0)]], Len(3, 4)],
    "different keys": Annotated[dict[Decimal, int], Len(2, 3)],
}


def test_an_example_of_what_leaves_little_room_is_valid(page: Page) -> None:
    for annotation in NARROW.values():
        _, sample = ask(page, DRAWN, [contract_of(annotation), []])

        assert told(pred_of(annotation), sample) == [], sample


def test_null_may_stand_among_different_days(page: Page) -> None:
    texts = ["[null]", '["2026-01-01",null]', "[null,null]"]

    said, _ = ask(page, DRAWN, [contract_of(set[date | None]), texts])

    assert [*map(json.loads, said)] == [told(pred_of(set[date | None]), text) for text in texts]


@settings(max_examples=examples(100), suppress_health_check=[*HealthCheck])
@given(data=st.data(), annotation=types())
def test_so_it_is_for_any_type(page: Page, data: st.DataObject, annotation: Any) -> None:
    assume(annotation is not None)  # a route without input
    contract, pred = contract_of(annotation), pred_of(annotation)
    documents = data.draw(st.lists(attempts(shape_of(annotation)), min_size=1, max_size=20))
    exact = [each for each in documents if "multipleOf" not in contract or not is_inexact(each)]
    texts = [*map(json.dumps, exact)]

    said, sample = ask(page, DRAWN, [contract, texts])

    found = [(text, seen(json.loads(issues))) for text, issues in zip(texts, said, strict=True)]
    assert found == [(text, seen(told(pred, text))) for text in texts]
    assert seen(told(pred, sample)) == []


PRETTY = "texts => texts.map(tools.pretty)"
LAID_OUT = {
    "{}": "{}",
    "[ [ ], {\n} ]": "[\n  [],\n  {}\n]",
    '{"a":1.50,"b":[1,2]}': '{\n  "a": 1.50,\n  "b": [1, 2]\n}',
    '{"a":"x, y: [z]  {","b":"\\"}\\n"}': '{\n  "a": "x, y: [z]  {",\n  "b": "\\"}\\n"\n}',
    "12345678901234567890": "12345678901234567890",
    json.dumps(["long" * 20]): json.dumps(["long" * 20], indent=2),
}


def test_json_is_laid_out_and_left_as_it_is(page: Page) -> None:
    assert ask(page, PRETTY, [*LAID_OUT]) == [*LAID_OUT.values()]
