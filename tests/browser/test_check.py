"""The page says of a value what the server says, in the same codes and texts; what it thinks up is valid."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page

from contract import emit_contract
from contract.exceptions import InvalidInput
from contract.issues import to_json
from contract.pred import pred_of
from tests import vectors
from tests.browser.conftest import Open

PREDS = {name: pred_of(annotation) for name, annotation in vectors.TYPES.items()}

# a route without input takes {}; what the author's code refuses, limits of Any, equal values that are written in two ways
# and the microseconds of 2.7 million years are left to the server (`contract.json_schema.EXCEPTIONS`)
AUTHORS = {"none", "int_predicate", "secret"}
OTHERWISE = {*AUTHORS, "dataclass_with_a_condition", "any", "dict", "recursive_alias", "timedelta", "str", "set_of_records", "dict_by_uuid"}

SAID = """async cases => {
    const urls = performance.getEntriesByType("resource").map(each => each.name)
    const [model, tools] = await Promise.all(["/model.", "/tools."].map(name => import(urls.find(url => url.includes(name)))))
    return cases.map(([name, text]) => tools.stringify(model.check(model.doc.routes[name].input, tools.parse(text))))
}"""
SAMPLES = """async () => {
    const urls = performance.getEntriesByType("resource").map(each => each.name)
    const [model, tools] = await Promise.all(["/model.", "/tools."].map(name => import(urls.find(url => url.includes(name)))))
    return Object.entries(model.doc.routes).map(([name, route]) => [name, tools.stringify(model.sample(route.input))])
}"""


@pytest.fixture
def page(page_of: Open) -> Page:
    return page_of(emit_contract(vectors.api))


def told(name: str, text: str) -> list[dict[str, Any]]:
    try:
        PREDS[name].load(text.encode())
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

    said = page.evaluate(SAID, cases)

    assert len(cases) > 1500
    wrong = [f"{case}: {text}" for case, text in zip(cases, said, strict=True) if json.loads(text) != told(*case)]
    assert wrong == []


def test_an_example_is_valid(page: Page) -> None:
    samples: list[tuple[str, str]] = page.evaluate(SAMPLES)

    assert len(samples) > 90
    assert {name: told(name, text) for name, text in samples if name not in AUTHORS and told(name, text)} == {}


PRETTY = """async texts => {
    const urls = performance.getEntriesByType("resource").map(each => each.name)
    const tools = await import(urls.find(url => url.includes("/tools.")))
    return texts.map(tools.pretty)
}"""
LAID_OUT = {
    "{}": "{}",
    "[ [ ], {\n} ]": "[\n  [],\n  {}\n]",
    '{"a":1.50,"b":[1,2]}': '{\n  "a": 1.50,\n  "b": [1, 2]\n}',
    '{"a":"x, y: [z]  {","b":"\\"}\\n"}': '{\n  "a": "x, y: [z]  {",\n  "b": "\\"}\\n"\n}',
    "12345678901234567890": "12345678901234567890",
    json.dumps(["long" * 20]): json.dumps(["long" * 20], indent=2),
}


def test_json_is_laid_out_and_left_as_it_is(page: Page) -> None:
    assert page.evaluate(PRETTY, [*LAID_OUT]) == [*LAID_OUT.values()]
