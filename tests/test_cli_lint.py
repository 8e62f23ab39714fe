"""What tools cost, and what is wrong with them as clients see them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest

from contract import Meta, route, spec
from contract.cli.lint import Hint, priced, tool_hints
from contract.document import Document
from contract.document.describe import describe
from tests.cli_apps import SHOP
from tests.cli_inside import run


@dataclass
class Tree:
    """A tree."""

    name: str
    parts: list[Tree]


def ping(input: None, ctx: None) -> str:
    raise AssertionError("never called")


def grow(input: Tree, ctx: None) -> None:
    raise AssertionError("never called")


def document(resolver: Any = ping, description: str = "D", *names: str) -> Document:
    one = route(summary="S", tags=["t"], auth="none", description=description, mcp=True)(resolver)
    plain = route(summary="Plain", tags=["t"], auth="none")(ping)
    return describe(
        spec(routes={**dict.fromkeys(names or ("one",), one), "plain": plain}, meta=Meta())
    )


def kinds(paper: Document, instructions: str | None = None) -> list[tuple[str, str]]:
    found: list[Hint] = [*tool_hints(priced(paper), instructions)]
    return [(hint.kind, hint.path) for hint in found]


def test_a_tool_costs_what_is_said_of_it() -> None:
    short, long = priced(document()), priced(document(description="x" * 400))

    assert [(each.tool, each.route) for each in short] == [("one", "one")]
    assert 0 < short[0].tokens < 200
    assert abs(long[0].tokens - short[0].tokens - 100) <= 1
    assert long[0].listed["description"].endswith("x" * 400)


def test_what_few_clients_show_a_model_is_counted_apart() -> None:
    """The schema of an output and the annotations were counted as if a model read them: 2,752 tokens for 950."""

    def measure(input: None, ctx: None) -> Tree:
        raise AssertionError("never called")

    [bare], [rich] = priced(document()), priced(document(measure))

    assert bare.tokens == rich.tokens
    assert bare.tokens == -(
        -len(
            orjson.dumps({key: bare.listed[key] for key in ("name", "description", "inputSchema")})
        )
        // 4
    )
    assert (
        bare.tokens
        < bare.listed_tokens
        < rich.listed_tokens
        == -(-len(orjson.dumps(rich.listed)) // 4)
    )


def test_the_dearest_comes_first() -> None:
    names = [each.tool for each in priced(document(ping, "D", "b", "a", "longer"))]

    assert names == ["longer", "a", "b"]


def test_tools_that_do_have_no_hints() -> None:
    assert kinds(document(), "Order by product id.") == []


@pytest.mark.parametrize(
    ("paper", "instructions", "found"),
    [
        (document(description="x" * 2100), None, [("tool_description_long", "routes.one")]),
        (
            document(description="x" * 9000),
            None,
            [("tool_description_long", "routes.one"), ("tool_expensive", "routes.one")],
        ),
        (document(grow), None, [("tool_recursive", "routes.one")]),
        (
            document(ping, "D", *(f"t{number}" for number in range(41))),
            None,
            [("many_tools", "routes")],
        ),
        (document(), "x" * 2049, [("instructions_long", "meta")]),
        (document(), "Be \u200bkind.", [("invisible_characters", "meta.mcp_instructions")]),
    ],
    ids=["long", "dear", "recursive", "many", "instructions", "unseen"],
)
def test_what_clients_stumble_over(
    paper: Document, instructions: str | None, found: list[tuple[str, str]]
) -> None:
    assert kinds(paper, instructions) == found


def test_check_prints_what_tools_cost(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP)
    said = run("check", "shop.py", cwd=tmp_path).stderr.decode()
    found = json.loads(run("check", "shop.py", "--json", cwd=tmp_path).stdout)

    [tool] = found["tools"]
    assert (tool["name"], tool["route"]) == ("order", "order")
    assert tool["tokens"] < tool["listed_tokens"]
    assert (
        f"tools cost a model about {tool['tokens']} tokens, before it calls any\n"
        f"  ({tool['listed_tokens']} with the schemas of outputs and the annotations, which few clients show it)\n"
        f"    {tool['tokens']:>6}    ({tool['listed_tokens']})  order\n"
    ) in said


def test_check_prints_nothing_of_tools_where_there_are_none(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP.replace(", mcp=True", ""))

    assert "tools cost" not in run("check", "shop.py", cwd=tmp_path).stderr.decode()
