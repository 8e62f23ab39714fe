"""
Golden clients: what is generated is what is kept, to the letter.

``python -m tests.golden`` writes it anew.
"""

from __future__ import annotations

import ast
from difflib import unified_diff
from functools import cache
from typing import Final

import pytest

from contract.client import Schema
from contract.document.contract_json import dump_contract, load_contract
from tests.golden.files import HERE, generated
from tests.golden.specs import CASES
from tests.python_clients import module_of

generated_now: Final = cache(generated)
_MOST_LINES: Final = 60
"""Of a difference that are shown."""


def kept(path: str) -> str:
    file = HERE / path
    return file.read_bytes().decode() if file.exists() else ""


def difference(path: str, now: str) -> str:
    """What has changed in *path*, for people."""
    names = (f"{path} (kept)", f"{path} (generated)")
    lines = [*unified_diff(kept(path).splitlines(), now.splitlines(), *names, lineterm="")]
    more = [f"... and {len(lines) - _MOST_LINES} lines more"] if len(lines) > _MOST_LINES else []
    return "\n".join([*lines[:_MOST_LINES], *more])


@pytest.mark.parametrize("case", CASES)
def test_what_is_generated_is_what_is_kept(case: str) -> None:
    files = {path: text for path, text in generated_now().items() if path.startswith(f"{case}/")}
    changed = [difference(path, text) for path, text in files.items() if text != kept(path)]

    assert {f"{case}/contract.json", f"{case}/client.py", f"{case}/client.ts"} <= files.keys()
    assert not changed, "\n\n".join(
        ["what is generated has changed; look at it, and run: python -m tests.golden", *changed]
    )


def test_nothing_else_is_kept() -> None:
    """What nothing generates any more is deleted by hand."""
    assert {
        str(file.relative_to(HERE))
        for folder in HERE.iterdir()
        if folder.name in CASES
        for file in folder.iterdir()
        if file.name != "__pycache__"  # of tests that import a client
    } == {*generated_now()}


@pytest.mark.parametrize("case", CASES)
def test_a_kept_contract_is_read_as_the_one_it_was_written_of(case: str) -> None:
    assert dump_contract(
        load_contract((HERE / case / "contract.json").read_bytes())
    ) == dump_contract(CASES[case]())


@pytest.mark.parametrize("case", CASES)
def test_a_client_depends_on_its_contract_alone(case: str) -> None:
    """No times, no paths, no order of a set."""
    assert {path: text for path, text in generated().items() if path.startswith(case)} == {
        path: text for path, text in generated_now().items() if path.startswith(case)
    }


@pytest.mark.parametrize("case", CASES)
def test_a_client_holds_nothing_that_is_hidden(case: str) -> None:
    for path in (f"{case}/client.py", f"{case}/client.ts"):
        assert {char for char in generated_now()[path] if not char.isprintable()} <= {"\n"}
    ast.parse(generated_now()[f"{case}/client.py"])


@pytest.mark.parametrize("case", CASES)
def test_a_kept_client_has_validators_that_work(case: str) -> None:
    """The runtime takes all its types; so it would the server's."""
    with module_of(kept(f"{case}/client.py")) as module:
        for schema in vars(module.schemas).values():
            for each in [schema] if isinstance(schema, Schema) else [schema.input, schema.output]:
                assert each.pred.check is not None


def test_a_difference_is_shown_as_one() -> None:
    assert difference("empty/contract.json", kept("empty/contract.json")) == ""
    assert (
        difference("empty/nothing", "a\nb")
        == "--- empty/nothing (kept)\n+++ empty/nothing (generated)\n@@ -0,0 +1,2 @@\n+a\n+b"
    )
    assert difference("empty/nothing", "a\n" * 100).endswith("... and 43 lines more")
