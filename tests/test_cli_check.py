"""``contract check``."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from contract import Meta, route, spec
from contract.cli.check import Hint, hints, priced, tool_hints
from contract.declare.tool import Tool
from contract.document import Document
from contract.document.describe import describe
from tests.cli_apps import BARE, MOUNTED, SHOP
from tests.cli_inside import having, run
from tests.diffs import ROUTE, shop
from tests.tables import rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run("emit shop.py -o contract.json", cwd=having(tmp_path, SHOP))
    run("emit shop.py --openapi -o openapi.json", cwd=tmp_path)
    return tmp_path


def change(folder: Path) -> None:
    (folder / "shop.py").write_text(SHOP.replace('summary="Sleep"', 'summary="Nap"'))


def test_files_that_are_up_to_date(folder: Path) -> None:
    done = run("check shop:api", cwd=folder)
    said = done.err.splitlines()

    assert (done.returncode, done.stdout) == (0, b"")
    fresh = [f"{name} is up to date" for name in ("contract.json", "openapi.json")]
    assert said[:3] == ["spec loads, with 5 public routes and 1 private", *fresh]


def test_a_tool_that_no_server_would_start_with_is_refused(tmp_path: Path) -> None:
    app = """
from typing import TypedDict
from contract import McpTool, Meta, route, routes, spec

@route(summary="Doubles", tags=["numbers"], auth="none", mcp=McpTool())
def double(input: TypedDict("Number", {"$ref": int}), ctx: None) -> int:
    return 2 * input["$ref"]

api = spec(meta=Meta(title="Numbers", version="1"), routes=routes(double))
"""
    done = run("check shop.py", cwd=having(tmp_path, app))

    told = "contract: this spec cannot be served: double: the key '$ref' is in the input of an MCP"
    assert done.returncode == 1
    assert "spec loads, with 1 route" in done.err
    assert told in done.err
    (tmp_path / "shop.py").write_text(app.replace('auth="none"', 'auth="none", scope="private"'))
    assert run("check shop.py", cwd=tmp_path).returncode == 0
    # its server shows no private tool, whatever a document of it does
    assert run("check shop.py --visibility all", cwd=tmp_path).returncode == 0


def test_stale_files_are_shown_with_what_mends_them(folder: Path) -> None:
    change(folder)
    done = run("check shop.py", cwd=folder)

    assert done.returncode == 1
    assert "contract.json is stale\n    route nap\n" in done.err
    assert '      docs        summary: the summary is "Nap", was "Sleep"' in done.err
    assert "openapi.json is stale\n    line " in done.err
    fixes = [
        line.removeprefix("  fix it: ")
        for line in done.err.splitlines()
        if line.startswith("  fix it: ")
    ]
    emit = "contract emit shop.py"
    assert fixes == [f"{emit} -o contract.json", f"{emit} --openapi -o openapi.json"]
    for fix in fixes:
        assert run(*shlex.split(fix)[1:], cwd=folder).returncode == 0
    assert run("check shop.py", cwd=folder).returncode == 0


def test_files_may_be_named_and_emitted_otherwise(folder: Path) -> None:
    given = ["--visibility=all", "--docs-path=/help", "--mcp-path="]
    run("emit shop.py", *given, "-o", "paper.json", cwd=folder)
    run("emit shop.py --openapi --visibility=all --server=/v1 -o oas.json", cwd=folder)

    assert run("check shop.py paper.json oas.json --server /v1", *given, cwd=folder).returncode == 0
    done = run("check shop.py oas.json --visibility all --server /v2", cwd=folder)
    assert done.returncode == 1
    mends = "contract emit shop.py --openapi --visibility=all --server=/v2 -o oas.json"
    assert f"fix it: {mends}" in done.err


@rows(
    "arguments",
    "shop:api contract.json openapi.json --json",
    "--json shop:api contract.json openapi.json",
    "shop:api --json contract.json openapi.json",
    "shop:api contract.json --json openapi.json",
    "shop:api --visibility public contract.json --json openapi.json",
)
def test_options_stand_anywhere(folder: Path, arguments: str) -> None:
    done = run(f"check {arguments}", cwd=folder)

    assert done.returncode == 0
    found = [each["file"] for each in json.loads(done.stdout)["files"]]
    assert found == ["contract.json", "openapi.json"]
    alone = run("check shop:api --strict contract.json", cwd=folder)
    assert alone.stderr.count(b"is up to date") == 1


@rows("name, option", ("absent.json", ""), ("absent-openapi.json", "--openapi "))
def test_an_absent_file_is_stale(folder: Path, name: str, option: str) -> None:
    done = run("check shop.py", name, cwd=folder)

    assert done.returncode == 1
    assert f"{name} is absent\n  fix it: contract emit shop.py {option}-o {name}\n" in done.err


@rows(
    "name, data, told",
    ("contract.json", b"<<<<<<< HEAD\n", "it is not a contract document: $"),
    ("openapi.json", b"<<<<<<< \xff\x1b\n", "- <<<<<<< \\xff\\u001b"),
    ("contract.json", b"[]", "it is not a contract document: $"),
    ("openapi.json", b"{}", "- {}"),
)
def test_a_file_that_is_broken_is_stale(folder: Path, name: str, data: bytes, told: str) -> None:
    (folder / name).write_bytes(data)
    done = run("check shop.py", name, cwd=folder)

    assert (done.returncode, told in done.err) == (1, True)


def test_a_file_that_says_the_same_in_other_bytes_is_stale(folder: Path) -> None:
    path = folder / "contract.json"
    path.write_text(json.dumps(json.loads(path.read_text())))
    done = run("check shop.py contract.json", cwd=folder)

    assert done.returncode == 1
    assert "contract.json is stale\n    line 1:\n    - {" in done.err


def test_a_long_difference_is_cut(folder: Path) -> None:
    done = run("check shop.py contract.json", cwd=having(folder, BARE))
    shown = [line for line in done.err.splitlines() if line.startswith("    ")]

    assert len(shown) == 13
    assert shown[-1].startswith("    ... and ")


def test_nothing_to_compare_with_is_said(tmp_path: Path) -> None:
    done = run("check", cwd=having(tmp_path, BARE, "app.py"))

    assert done.returncode == 0
    assert done.err.splitlines()[:3] == [
        "contract: no target was named; this is app.py",
        "spec loads, with 1 route",
        "no contract.json or openapi.json here to be compared with; write one: contract emit -o contract.json",
    ]
    found = run("check app.py", cwd=tmp_path).stderr
    assert b"write one: contract emit app.py -o contract.json\n" in found
    assert b"to be compared with" not in run("check app.py absent.json", cwd=tmp_path).stderr


def test_private_routes_are_counted_apart(tmp_path: Path) -> None:
    hidden = BARE.replace('auth="none"', 'auth="none", scope="private"')
    done = run("check app.py", cwd=having(tmp_path, hidden, "app.py"))

    assert done.err.startswith("spec loads, with 0 public routes and 1 private\n")


def test_the_command_that_mends_knows_no_target_where_none_was_given(folder: Path) -> None:
    change(folder)

    assert "fix it: contract emit -o contract.json" in run("check", cwd=folder).err


def test_json_has_all_of_it(folder: Path) -> None:
    change(folder)
    done = run("check shop.py --json", cwd=folder)
    found = json.loads(done.stdout)

    assert done.returncode == 1
    assert [each["problem"] for each in found["files"]] == ["is stale", "is stale"]
    assert found["files"][0]["fix"] == "contract emit shop.py -o contract.json"
    expected = {"route_without_description", "tool_without_description"}
    assert {hint["kind"] for hint in found["hints"]} == expected


def test_hints_fail_nothing_unless_that_is_wanted(folder: Path) -> None:
    assert run("check shop.py", cwd=folder).returncode == 0
    assert run("check shop.py --strict", cwd=folder).returncode == 1


def test_a_spec_that_does_not_load_has_its_exit_code(tmp_path: Path) -> None:
    needy = BARE.replace('auth="none"', 'auth="bearer"')
    done = run("check app.py", cwd=having(tmp_path, needy, "app.py"))

    assert (done.returncode, b"authenticate" in done.stderr) == (3, True)


def test_hints() -> None:
    flags = dict.fromkeys(("read_only", "destructive", "idempotent", "open_world"), False)
    tool = Tool("pay", "Pay", **flags)
    routes = {"a": replace(ROUTE, tags=(), description="d"), "b": ROUTE}
    routes |= {"c": replace(ROUTE, mcp=tool), "d": replace(ROUTE, mcp=tool, description="d")}
    found = [(hint.kind, hint.path) for hint in hints(shop(**routes))]

    assert found == [
        ("route_without_tags", "routes.a"),
        ("route_without_description", "routes.b"),
        ("tool_without_description", "routes.c"),
        ("tool_name_taken", "routes.d.mcp.name"),
    ]


@rows(
    "character, named",
    ("\U000e0041", "U+E0041 TAG LATIN CAPITAL LETTER A"),
    ("\u202e", "U+202E RIGHT-TO-LEFT OVERRIDE"),
    ("\u2066", "U+2066 LEFT-TO-RIGHT ISOLATE"),
    ("\u200b", "U+200B ZERO WIDTH SPACE"),
    ("\ufeff", "U+FEFF ZERO WIDTH NO-BREAK SPACE"),
    ("\u200d", "U+200D ZERO WIDTH JOINER"),
    ("\ufe0f\ufe0f", "U+FE0F VARIATION SELECTOR-16"),
    ("\x1b", "U+001B"),
    ("\x00", "U+0000"),
    ids=ascii,
)
def test_characters_that_nobody_sees_are_shown(character: str, named: str) -> None:
    """Models read them in the descriptions of tools; a review of the docstring does not show them."""
    defs = {"T": {"type": "object", "description": f"a{character}b"}}
    document = replace(shop(a=replace(ROUTE, description=f"Pay{character} now.")), defs=defs)
    invisible = [hint for hint in hints(document) if hint.kind == "invisible_characters"]

    said = f"there are characters that nobody sees, and models read: {named}; take them out"
    places = ["$defs.T.description", "routes.a.description"]
    assert [(hint.path, hint.text) for hint in invisible] == [(place, said) for place in places]


def test_of_many_such_characters_some_are_named() -> None:
    [hint] = hints(shop(a=replace(ROUTE, description="D", tags=("t", "\x01\x02\x03\x04\x05\x01"))))

    assert hint.path == "routes.a.tags[1]"
    assert "U+0001, U+0002, U+0003 and 2 more; take them out" in hint.text


@rows(
    "text",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
    # a heart on fire, the sun, a key
    "\u2764\ufe0f\u200d\U0001f525 and \u2600\ufe0f, 1\ufe0f\u20e3",
    # Persian needs a non-joiner within a word
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Tabs\tand\r\nlines, \u00a0 spaces and caf\u00e9s.",
)
def test_characters_that_a_text_needs_are_no_such(text: str) -> None:
    assert [*hints(shop(a=replace(ROUTE, description=text)))] == []


def test_check_shows_what_nobody_sees(tmp_path: Path) -> None:
    hidden = BARE.replace('summary="', 'description="Say\\u202e pong.", summary="')
    done = run("check app.py", cwd=having(tmp_path, hidden, "app.py"))

    assert done.returncode == 0
    told = "there are characters that nobody sees, and models read: U+202E RIGHT-TO-LEFT"
    assert f"routes.ping.description: {told}" in done.err
    assert "\u202e" not in done.err


# Hints: what tools cost, and what is wrong with them as clients see them.


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
    every = {**dict.fromkeys(names or ("one",), one), "plain": plain}
    return describe(spec(routes=every, meta=Meta()))


def kinds(paper: Document, instructions: str | None = None) -> list[str]:
    found: list[Hint] = [*tool_hints(priced(paper), instructions)]
    return [f"{hint.kind} {hint.path}" for hint in found]


SHOWN = ("name", "description", "inputSchema")


def tokens(listed: object) -> int:
    """What so many bytes cost, four for each."""
    return -(-len(orjson.dumps(listed)) // 4)


def test_a_tool_costs_what_is_said_of_it() -> None:
    short, long = priced(document()), priced(document(description="x" * 400))

    assert [(each.name, each.route) for each in short] == [("one", "one")]
    assert 0 < short[0].tokens < 200
    assert abs(long[0].tokens - short[0].tokens - 100) <= 1
    assert long[0].listed["description"].endswith("x" * 400)


def test_what_few_clients_show_a_model_is_counted_apart() -> None:
    """The schema of an output and the annotations were counted as if a model read them: 2,752 tokens for 950."""

    def measure(input: None, ctx: None) -> Tree:
        raise AssertionError("never called")

    [bare], [rich] = priced(document()), priced(document(measure))

    assert bare.tokens == rich.tokens
    assert bare.tokens == tokens({key: bare.listed[key] for key in SHOWN})
    assert bare.tokens < bare.listed_tokens < rich.listed_tokens == tokens(rich.listed)


def test_the_dearest_comes_first() -> None:
    names = [each.name for each in priced(document(ping, "D", "b", "a", "longer"))]

    assert names == ["longer", "a", "b"]


def test_tools_that_do_have_no_hints() -> None:
    assert kinds(document(), "Order by product id.") == []


LONG, DEAR = "x" * 2100, "x" * 9000
COSTS = "tool_expensive routes.one"
MANY = [f"t{number}" for number in range(41)]


@rows(
    "paper, instructions, found",
    (document(description=LONG), None, ["tool_description_long routes.one"]),
    (document(description=DEAR), None, ["tool_description_long routes.one", COSTS]),
    (document(grow), None, ["tool_recursive routes.one"]),
    (document(ping, "D", *MANY), None, ["many_tools routes"]),
    (document(), "x" * 2049, ["instructions_long meta"]),
    (document(), "Be \u200bkind.", ["invisible_characters meta.mcp_instructions"]),
    ids=["long", "dear", "recursive", "many", "instructions", "unseen"],
)
def test_what_clients_stumble_over(
    paper: Document, instructions: str | None, found: list[str]
) -> None:
    assert kinds(paper, instructions) == found


def test_check_prints_what_tools_cost(tmp_path: Path) -> None:
    said = run("check shop.py", cwd=having(tmp_path, SHOP)).err
    [tool] = json.loads(run("check shop.py --json", cwd=tmp_path).stdout)["tools"]
    assert (tool["name"], tool["route"]) == ("order", "order")
    assert tool["tokens"] < tool["listed_tokens"]
    both = f"{tool['listed_tokens']} with the schemas of outputs and the annotations"
    assert (
        f"tools cost a model about {tool['tokens']} tokens, before it calls any\n"
        f"  ({both}, which few clients show it)\n"
        f"    {tool['tokens']:>6}    ({tool['listed_tokens']})  order\n"
    ) in said


def test_check_prints_nothing_of_tools_where_there_are_none(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP.replace(", mcp=True", ""))

    assert "tools cost" not in run("check shop.py", cwd=tmp_path).err


def test_tools_of_a_mount_without_mcp_cost_nothing(tmp_path: Path) -> None:
    tool = MOUNTED.replace('auth="none"', 'auth="none", mcp=True')
    served = json.loads(run("check shop.py --json", cwd=having(tmp_path, tool)).stdout)
    (tmp_path / "shop.py").write_text(tool.replace("health_path", "mcp_path=None, health_path"))
    hidden = json.loads(run("check shop.py --json", cwd=tmp_path).stdout)

    assert [each["name"] for each in served["tools"]] == ["ping"]
    assert hidden["tools"] == []
