"""Tools: the list that agents see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import orjson
import pytest
from typing_extensions import Doc

import contract
from contract.document.describe import describe
from contract.mcp.tools import advertised, page
from tests.mcp.talk import Talk, error, parsed
from tests.tables import rows


@dataclass(frozen=True)
class Query:
    """What to look for."""

    text: Annotated[str, Doc("Words.")]
    limit: int = 10


@dataclass(frozen=True)
class Found:
    names: list[str]


@dataclass(frozen=True)
class Cat:
    kind: Literal["cat"] = "cat"


@dataclass(frozen=True)
class Dog:
    kind: Literal["dog"] = "dog"


@contract.route(
    summary="Find products",
    tags=["read", "shop"],
    auth="none",
    effect="read",
    mcp=True,
    name="shop.find",
)
def find(input: Query, ctx: None) -> Found:
    """
    Looks in names alone.

    Slow.
    """
    raise AssertionError("it is only listed")


COUNT_ALL = contract.McpTool(title="Count all", open_world=True)


@contract.route(summary="Count", tags=["read"], auth="none", effect="idempotent", mcp=COUNT_ALL)
def count(input: None, ctx: None) -> int:
    """Count what is there."""
    raise AssertionError("it is only listed")


INSTEAD = contract.Deprecated(use="count")


@contract.route(
    summary="Remove.",
    tags=["shop"],
    auth="none",
    effect="destructive",
    mcp=True,
    deprecated=INSTEAD,
)
def remove(input: Query, ctx: None) -> None:
    """Remove all of it."""


@contract.route(
    summary="Old",
    tags=["old"],
    auth="none",
    mcp=contract.McpTool(name="Older-1"),
    deprecated=contract.Deprecated(use="plain"),
)
def old(input: None, ctx: None) -> Cat | Dog:
    raise AssertionError("it is only listed")


@contract.route(summary="Secret", tags=["shop"], auth="none", scope="private", mcp=True)
def secret(input: None, ctx: None) -> str:
    return "s"


@contract.route(summary="No tool", tags=["shop"], auth="none")
def plain(input: None, ctx: None) -> str:
    raise AssertionError("it is only listed")


def takes_tree(name: str, kind: Any, *, mcp: bool) -> Any:
    @dataclass(frozen=True)
    class Node:
        value: kind
        inner: list[Node]

    def resolver(input: Any, ctx: None) -> None: ...

    resolver.__annotations__ = {"input": Node, "ctx": None, "return": None}
    return contract.route(summary="Take", tags=["x"], auth="none", mcp=mcp, name=name)(resolver)


TREES: contract.Spec[None] = contract.spec(
    routes=contract.routes(takes_tree("tool", int, mcp=True), takes_tree("other", str, mcp=False))
)
API: contract.Spec[None] = contract.spec(
    routes=contract.routes(find, count, remove, old, secret, plain),
    meta=contract.Meta(title="Shop", version="1.2.3"),
)
TALK = Talk(API)


def tool(name: str, *, modern: bool = False) -> Any:
    tools = (TALK.modern_result if modern else TALK.result)("tools/list")["tools"]
    return {tool["name"]: tool for tool in tools}[name]


def closed(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    """A schema of an object that has no other properties."""
    needed = {"required": required} if required else {}
    return {"type": "object", "properties": properties, **needed, "additionalProperties": False}


def test_tools_are_routes_that_say_so_in_the_order_of_the_spec() -> None:
    """Private ones are tools, too, where everything is shown."""
    every = Talk(API, visibility="all")

    assert TALK.tools() == ["shop_find", "count", "remove", "Older-1"]
    assert every.tools() == ["shop_find", "count", "remove", "Older-1", "secret"]
    assert every.output("secret") == {"result": "s"}


def test_types_of_other_routes_are_not_looked_at() -> None:
    """One that is not a tool costs nothing here, nor does its type have a say in what those of tools are called."""
    described = describe(TREES).defs
    [listed] = Talk(TREES).result("tools/list")["tools"]

    assert len([name for name in described if "Node" in name]) == 2
    assert [*listed["inputSchema"]["$defs"]] == ["Node"]
    assert Talk(contract.spec(routes=contract.routes(plain))).result("tools/list") == {"tools": []}


def test_a_tool_says_all_that_is_known_of_its_route() -> None:
    assert tool("shop_find") == {
        "name": "shop_find",
        "title": "Find products",
        "description": "Find products\n\nLooks in names alone.\n\nSlow.",
        "inputSchema": {
            "description": "What to look for.",
            **closed(
                ["text"],
                text={"type": "string", "description": "Words."},
                limit={"type": "integer", "default": 10},
            ),
        },
        "outputSchema": closed(["names"], names={"type": "array", "items": {"type": "string"}}),
        "annotations": {
            "title": "Find products",
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
    }


def test_what_is_said_of_the_tool_goes_first() -> None:
    found = tool("count")

    assert found["title"] == "Count all"
    assert found["annotations"] == {
        "title": "Count all",
        "readOnlyHint": False,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": True,
    }
    assert found["inputSchema"] == closed()


@rows(
    "name, description",
    ("count", "Count what is there."),
    ("remove", "Remove all of it.\n\nDeprecated: call count instead."),
    ("Older-1", "Old\n\nDeprecated."),
)
def test_a_description_does_not_say_things_twice(name: str, description: str) -> None:
    """Nor does it name a replacement that is no tool."""
    assert tool(name)["description"] == description


class SoldOut(contract.Failure, status=409):
    """Every copy
    is sold.

    The next ones come in spring.
    """  # noqa: D205, D213  of two lines


class TooDear(contract.Failure): ...


class Wordy(contract.Failure):
    __doc__ = "word " * 60


def sell(input: None, ctx: None) -> int | SoldOut | TooDear | Wordy | contract.NotFound:
    raise AssertionError("it is only listed")


def described(description: str) -> str:
    sold = contract.route(
        summary="Sell", tags=["x"], auth="none", mcp=True, description=description
    )(sell)
    listed: str = Talk(contract.spec(routes=contract.routes(sold))).result("tools/list")["tools"][
        0
    ]["description"]
    return listed


def test_a_description_says_what_a_call_may_fail_with() -> None:
    own = ["Fails with SOLD_OUT: Every copy is sold.", "Fails with TOO_DEAR.", "Fails with WORDY."]

    builtin = "Fails with NOT_FOUND: The thing that the call names does not exist."
    assert described("It is yours.").split("\n") == ["Sell", "", "It is yours.", "", *own, builtin]


def test_failures_are_told_as_far_as_clients_read() -> None:
    first = "Fails with SOLD_OUT: Every copy is sold."
    longest = 2048 - len("Sell") - 4 - len(first)

    assert described("x" * longest) == f"Sell\n\n{'x' * 2000}\n\n{first}"
    assert "Fails" not in described("x" * 2001)


def test_an_output_that_is_no_object_is_wrapped_in_one_where_it_has_to_be() -> None:
    """A choice of objects is wrapped, too; an object stays the same in both eras."""
    union = tool("Older-1", modern=True)["outputSchema"]
    for name, bare in (("count", {"type": "integer"}), ("Older-1", union)):
        assert tool(name, modern=True)["outputSchema"] == bare
        assert tool(name)["outputSchema"] == closed(["result"], result=bare)
    assert tool("shop_find") == tool("shop_find", modern=True)


@rows(
    "query, shown",
    ("", ["shop_find", "count", "remove", "Older-1"]),
    ("tools=count", ["count"]),
    ("tools=remove,shop_find", ["shop_find", "remove"]),
    ("tools=remove&tools=count", ["count", "remove"]),
    ("tools=remove%2C%20count", ["count", "remove"]),
    ("tags=shop", ["shop_find", "remove"]),
    ("tags=old,shop", ["shop_find", "remove", "Older-1"]),
    ("tags=read&tools=remove,count", ["count"]),
    ("tools=count&tags=read&tools=remove&tags=shop", ["count", "remove"]),
    ("tools=", []),
    ("tags=", []),
    ("tools=secret", []),
    ("tools=plain", []),
    ("tools=shop.find", []),
    ("tools=%ff&&", []),
)
def test_a_query_narrows_the_list(query: str, shown: list[str]) -> None:
    assert TALK.tools(query=query) == shown


@rows(
    "query, key",
    ("tool=count", "'tool'"), ("other=1", "'other'"), ("tools=count&xtools=1", "'xtools'"),
    ("tools=count&;=", "';'"), ("=count", "''"), ("tool", "'tool'"), ("Tools=count", "'Tools'"),
    (f"{'k' * 100}=1", f"'{'k' * 64}'"),
)  # fmt: skip
@rows("method", "tools/list", "initialize", "ping", "tools/call")
def test_a_slip_in_a_query_does_not_open_every_tool(query: str, key: str, method: str) -> None:
    answer = TALK.send(method, {"name": "count"}, query=query)

    assert error(answer) == (400, -32600)
    assert (parsed(answer)["id"], answer.code, answer.outcome) == (1, "BAD_REQUEST", 400)
    problem = f"has the unknown key {key}; write tools=NAME,NAME or tags=TAG,TAG."
    assert parsed(answer)["error"]["message"] == f"The query of the URL {problem}"


@rows(
    "name, query",
    ("secret", ""), ("plain", ""), ("count", "tools=remove"), ("shop.find", ""), ("Count", ""),
)  # fmt: skip
def test_what_is_not_listed_cannot_be_called(name: str, query: str) -> None:
    answer = TALK.call(name, query=query)

    assert error(answer) == (200, -32602)
    assert parsed(answer)["error"]["message"] == f"Unknown tool: {name}"
    assert (answer.code, answer.outcome) == ("ROUTE_NOT_FOUND", 404)
    assert (answer.tool, answer.route) == (name, None)


def test_what_is_advertised_can_be_asked_of_a_document_alone() -> None:
    document = describe(API)
    count = document.routes["count"]
    assert count.mcp is not None

    for modern in (False, True):
        found = advertised(count, count.mcp, document, wraps=not modern)
        assert found == tool("count", modern=modern)


def test_a_document_of_all_routes_names_no_replacement_that_is_no_tool() -> None:
    """As `contract check` has it; a server describes its tools alone."""
    document = describe(API)
    old = document.routes["old"]
    assert old.deprecated is not None
    assert old.mcp is not None

    found = advertised(old, old.mcp, document, wraps=True)

    assert old.deprecated.use == "plain"
    assert found == tool("Older-1")


def test_pages_follow_each_other_and_end() -> None:
    talk = Talk(API, page_size=3)
    first = talk.result("tools/list")
    second = talk.result("tools/list", {"cursor": first["nextCursor"]})

    assert [tool["name"] for tool in first["tools"]] == ["shop_find", "count", "remove"]
    assert [tool["name"] for tool in second["tools"]] == ["Older-1"]
    assert "nextCursor" not in second
    assert "nextCursor" not in Talk(API, page_size=4).result("tools/list")


def test_a_cursor_holds_for_its_list_alone_whatever_the_size_of_a_page() -> None:
    """And for workers that were started later."""
    cursor = Talk(API, page_size=1).result("tools/list")["nextCursor"]
    others = TALK.result("tools/list", {"cursor": cursor})["tools"]

    assert [tool["name"] for tool in others] == ["count", "remove", "Older-1"]
    assert error(TALK.send("tools/list", {"cursor": cursor}, query="tools=count")) == (200, -32602)
    assert TALK.result("tools/list", {"cursor": None}) == TALK.result("tools/list")
    assert page({}, None, 10, wraps=True) == (b"[]", None)


@rows("cursor", "", "x", "é", "!!!!", "c2VjcmV0", "Y291bnQ=", "Y291bn\n", "_w", 3, [], {})
def test_a_cursor_that_was_not_given_is_refused(cursor: object) -> None:
    answer = TALK.send("tools/list", {"cursor": cursor})

    assert error(answer) == (200, -32602)
    assert (answer.code, answer.outcome) == ("BAD_REQUEST", 400)
    assert error(TALK.modern("tools/list", {"cursor": cursor})) == (400, -32602)


@dataclass(frozen=True)
class Deep:
    at: Annotated[str, contract.Name("@id")]


@dataclass(frozen=True)
class Outer:
    inner: list[Deep]


@contract.route(summary="Deep", tags=["x"], auth="none", mcp=True)
def deep(input: Outer, ctx: None) -> None: ...


@contract.route(summary="Deep", tags=["x"], auth="none", mcp=True)
def given_deep(input: None, ctx: None) -> Outer:
    return Outer([Deep("x")])


def test_a_key_that_models_refuse_is_refused_at_once() -> None:
    problem = r"deep: the key '@id' is in the input of an MCP tool, .*; take 1 to 64 letters"
    with pytest.raises(contract.MountError, match=problem):
        Talk(contract.spec(routes=contract.routes(deep)))


def test_a_key_of_an_output_may_be_any() -> None:
    talk = Talk(contract.spec(routes=contract.routes(given_deep)))

    assert talk.output("given_deep") == {"inner": [{"@id": "x"}]}
    assert orjson.loads(talk.send("tools/list").body)
