"""The calls that the page shows as code run as they stand, for every kind of type, and send what stands in the form."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from datetime import datetime, time
from pathlib import Path
from typing import Annotated, Any, Final, TypedDict
from urllib.parse import quote

import pytest
from annotated_types import Ge
from playwright.sync_api import Page

from contract import Group, Name, emit_contract, group, route, routes, spec
from contract.client import Ok
from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.codegen.typescript import typescript_client
from contract.document.contract_json import load_contract
from contract.pred.compile import compile_pred
from tests import vectors
from tests.browser.conftest import Open, node, tsc
from tests.browser.steps import found_on
from tests.browser.test_check import AUTHORS
from tests.python_clients import module_of
from tests.samples import ONE_WAY

Keys = TypedDict("Keys", {"": int, "2nd": int, "@handle": int, "class": int})


@dataclass
class Odd:
    empty: Annotated[int, Name("")]
    number: Annotated[int, Name("2nd")]
    handle: Annotated[int, Name("@handle")]


@route(summary="Odd", tags=["odd"], auth="none")
def large_float(input: Annotated[float, Ge(2.0**62)], ctx: None) -> Annotated[float, Ge(2.0**62)]:
    return input


Long = tuple[tuple[bytes, float, time], ...]
Nulls = tuple[datetime | None, bytes | None, time | None]


@route(summary="Odd", tags=["odd"], auth="none")
def long_tuple(input: Long, ctx: None) -> Long:
    return input


@route(summary="Odd", tags=["odd"], auth="none")
def odd_names(input: tuple[Odd, Keys], ctx: None) -> tuple[Odd, Keys]:
    return input


@route(summary="Odd", tags=["odd"], auth="none")
def perhaps_a_record(input: Odd | None, ctx: None) -> Odd | None:
    return input


@route(summary="Odd", tags=["odd"], auth="none")
def nulls(input: Nulls, ctx: None) -> Nulls:
    return input


ODD = (large_float, long_tuple, odd_names, perhaps_a_record, nulls)
GIVEN: Final = {
    "nulls": "[null,null,null]",
    "tagged_union_and_a_number": '{"kind":"coins","amount":2}',
}
"""Route -> an input in place of the one that the page makes up."""
IN: Group[object] = group("in-2", routes={"class": large_float, "a.b": perhaps_a_record})
GROUPED = group("import", routes=routes(IN, odd_names))
API = spec(routes=[*(entry.route for entry in vectors.api.entries.values()), *ODD, GROUPED])
CONTRACT = emit_contract(API)
PACKAGE = package_of(load_contract(CONTRACT))
NAMES = [name for name in API.entries if name not in AUTHORS]
TWO_WAY = {
    name: compile_pred(entry.output)
    for name, entry in API.entries.items()
    if vectors.TYPES.get(name) not in ONE_WAY.values()
}

MAIN = """
const wrong = []
for (const name of %s) {
    const { result } = await import(`./${name}.ts`)
    if (!result.ok) wrong.push([name, result])
}
console.log(JSON.stringify(wrong))
"""
LOOK = """() => {
    const tab = name => [...document.querySelectorAll("[role=tab]")].find(each => each.textContent === name).click()
    const code = language => (tab(language), document.querySelector(".side > .card:last-child pre").innerText)
    return { python: code("Python"), typescript: code("TypeScript"), input: (tab("JSON"), document.querySelector("textarea").value) }
}"""


def shown(page: Page) -> dict[str, dict[str, str]]:
    """The name of each route, with the call of it in either language, and with what it sends."""
    given = {name: f"?input={quote(text)}" for name, text in GIVEN.items()}
    places = [f"#/routes/{name}{given.get(name, '')}" for name in NAMES]
    found = found_on(page, places, LOOK, unfolded=False)
    return dict(zip(NAMES, found.values(), strict=True))


def problem(client: Any, name: str, code: str, sent: str) -> str | None:
    """What is wrong with Python that calls a route, which gives back what it gets."""
    found: dict[str, Any] = {}
    try:
        exec(compile(code, name, "exec", dont_inherit=True), found)
    except Exception as error:
        return f"raises {error!r}"
    if not isinstance(found["result"], Ok):
        return f"gives {found['result']}"
    if name not in TWO_WAY:
        return None
    schemas = getattr(client.schemas, re.sub(r"\W", "_", name))
    got = schemas.output.dump(found["result"].value)
    right = TWO_WAY[name].dump(TWO_WAY[name].load(sent.encode()))
    return None if right == got else f"sends {got!r} for {sent}"


def test_what_the_page_shows_is_typed_and_runs(
    page_of: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One page for both languages: to walk through all routes takes longer than the rest."""
    calls = shown(page_of(CONTRACT, calls=API))
    with module_of(python_client(PACKAGE)) as client:
        monkeypatch.setitem(sys.modules, "contract_api_client", client)
        problems = {
            each["python"]: problem(client, name, each["python"], each["input"])
            for name, each in calls.items()
        }

    assert len(problems) > 90
    assert {code: told for code, told in problems.items() if told is not None} == {}
    check_typescript({name: each["typescript"] for name, each in calls.items()}, tmp_path)


OPTIONS = {
    "strict": True, "noEmit": True, "allowImportingTsExtensions": True, "target": "esnext",
    "module": "nodenext", "types": [],
}  # fmt: skip


def check_typescript(calls: dict[str, str], folder: Path) -> None:
    """The compiler takes the code of each route, and each of them gets an answer."""
    (folder / "api.ts").write_text(typescript_client(PACKAGE))
    for name, code in calls.items():
        program = code.replace('"./api"', '"./api.ts"') + "\nexport { result }\n"
        (folder / f"{name}.ts").write_text(program)
    (folder / "main.mjs").write_text(MAIN % json.dumps(NAMES))
    (folder / "package.json").write_text('{"type": "module"}')
    config = {"compilerOptions": OPTIONS, "include": ["*.ts"]}
    (folder / "tsconfig.json").write_text(json.dumps(config))

    typed = tsc(folder)
    assert (typed.returncode, typed.stdout) == (0, "")
    run = node(folder / "main.mjs")
    assert (run.returncode, run.stdout) == (0, "[]\n"), run.stderr
