"""Specs on paper."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Annotated, Any

import pytest
from annotated_types import Ge

import contract
from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.codegen.typescript import typescript_client
from contract.declare.failures import CLIENT_CODES, FRAMEWORK
from contract.declare.tool import Tool
from contract.document import Caching, ContractError, Deprecation, Document, Info, Links
from contract.document.describe import LINKS, describe
from contract.document.diff import diff
from contract.document.openapi import openapi
from contract.shape.issues import CODES, issue, to_json
from contract.testing import Client, check_route
from contract.testing.mock_spec import mock_spec
from tests.oracle import is_valid
from tests.tables import rows


class SoldOut(contract.Failure, status=409):
    """Every copy is sold."""

    restock_days: Annotated[int, Ge(0)]


class Closed(contract.Failure, status=423):
    """Nobody is there."""


class TooDear(contract.Failure):
    max_price: int | contract.Unset = contract.UNSET
    secret: str = field(default="", repr=False)


class Maybe(contract.Failure):
    """Not sure."""

    why_so: str | contract.Unset = contract.UNSET


@dataclass(frozen=True)
class Order:
    """What to buy."""

    product_id: str
    quantity: int = 1


@dataclass(frozen=True)
class Receipt:
    order_id: str
    order: Order


@dataclass(frozen=True)
class ReceiptInput:
    order_id: str


@dataclass(frozen=True)
class Alike:
    order_id: str


@dataclass(frozen=True)
class Secret:
    key: str
    order: Order


@contract.route(summary="Order", tags=["orders", "shop"], auth="none", mcp=True)
def order(input: Order, ctx: None) -> Receipt | SoldOut | Closed | contract.NotFound:
    """
    Order a product.

    All or nothing.
    """
    raise NotImplementedError


OLD = contract.Deprecated(since=date(2026, 1, 2), use="peek")
LOOK = contract.McpTool(name="look", title="Look", open_world=True)
SHOP = ["shop"]


@contract.route(
    summary="Ping", description="Say pong.", tags=SHOP, auth="none", effect="read", deprecated=OLD
)
def ping(input: None, ctx: None) -> None: ...


@contract.route(summary="Peek", tags=["shop"], scope="private", effect="destructive", mcp=LOOK)
def peek(input: Secret, ctx: str) -> Secret | TooDear | Maybe | contract.Forbidden:
    raise NotImplementedError


def who(token: str, request: object) -> str | None: ...


API = contract.spec(authenticate=who, routes=contract.routes(order, ping, peek))


def test_a_cached_read_says_how_long() -> None:
    kept = contract.Cache(max_age=5, vary=["A"])

    @contract.route(summary="F", tags=SHOP, auth="none", effect="read", cache=kept)
    def find(input: None, ctx: None) -> None: ...

    assert describe(contract.spec(routes=[find])).routes["find"].cache == Caching(5, ("A",))


@rows(
    "hints, effect, told",
    (contract.McpTool(read_only=True), "read", (True, False, True)),
    (contract.McpTool(idempotent=True), "idempotent", (False, False, True)),
    (contract.McpTool(destructive=True), "destructive", (False, True, False)),
)
def test_what_a_tool_says_of_a_call_every_document_says(
    hints: contract.McpTool, effect: str, told: tuple[bool, bool, bool]
) -> None:
    """An agent was told ``readOnlyHint: true`` of what contract.json, OpenAPI and the explorer called a write."""

    @contract.route(summary="Look", tags=["shop"], auth="none", mcp=hints)
    def look(input: None, ctx: None) -> None: ...

    found = describe(contract.spec(routes=[look]))
    described = found.routes["look"]

    assert described.effect == effect
    assert openapi(found, server="/")["paths"]["/look"]["post"]["x-contract-effect"] == effect
    assert described.mcp is not None
    assert (described.mcp.read_only, described.mcp.destructive, described.mcp.idempotent) == told


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def test_a_route_is_described_whole() -> None:
    found = describe(API).routes["order"]

    assert (found.path, found.method, found.summary) == ("order", "POST", "Order")
    assert found.description == "Order a product.\n\nAll or nothing."
    assert (found.tags, found.auth) == (("orders", "shop"), "none")
    assert (found.scope, found.effect, found.deprecated) == ("public", "write", None)
    assert (found.input, found.output) == (ref("OrderInput"), ref("Receipt"))
    none = "The thing that the call names does not exist."
    assert found.errors == {
        "SOLD_OUT": ContractError(409, "Every copy is sold.", ref("SoldOut"), data_required=True),
        "CLOSED": ContractError(423, "Nobody is there."),
        "NOT_FOUND": ContractError(404, none, ref("NotFound")),
    }
    assert found.mcp == Tool(
        "order", "Order", read_only=False, destructive=False, idempotent=False, open_world=False
    )


def test_a_route_without_input_takes_the_empty_closed_object() -> None:
    found = describe(API).routes["ping"]

    assert found.input == {"type": "object", "properties": {}, "additionalProperties": False}
    assert isinstance(found.input, dict)
    assert found.output == {"type": "null"}
    assert (found.description, found.mcp) == ("Say pong.", None)


def test_a_tool_may_look_otherwise() -> None:
    assert describe(API, visibility="all").routes["peek"].mcp == Tool(
        "look", "Look", read_only=False, destructive=True, idempotent=False, open_world=True
    )


def test_private_routes_and_what_only_they_use_are_in_no_public_document() -> None:
    public, every = describe(API), describe(API, visibility="all")

    assert [*public.routes] == ["order", "ping"]
    assert [*every.routes] == ["order", "ping", "peek"]
    assert {*every.defs} - {*public.defs} == {"Secret", "SecretInput", "TooDear", "Maybe"}
    assert "Secret" not in repr(public)
    assert "peek" not in repr(public)
    assert {name: every.defs[name] for name in public.defs} == public.defs


def test_another_visibility_is_refused() -> None:
    with pytest.raises(contract.SpecError, match=r"^visibility=: 'private' shows nothing"):
        describe(API, visibility="private")  # type: ignore[arg-type]


def test_what_replaces_a_route_is_named_to_whom_it_is_shown() -> None:
    for visibility, use in (("public", None), ("all", "peek")):
        shown = describe(API, visibility=visibility).routes["ping"]  # type: ignore[arg-type]
        assert shown.deprecated == Deprecation("2026-01-02", None, use)


def test_a_deprecation_may_say_nothing_more_or_all_of_it() -> None:
    @contract.route(summary="Old", tags=["shop"], auth="none", deprecated=True)
    def old(input: None, ctx: None) -> None: ...

    told = contract.Deprecated(since=date(2026, 1, 2), remove_on=date(2027, 1, 2), use="old")

    @contract.route(summary="Older", tags=["shop"], auth="none", deprecated=told)
    def older(input: None, ctx: None) -> None: ...

    found = describe(contract.spec(routes=contract.routes(old, older))).routes

    assert found["old"].deprecated == Deprecation()
    assert found["older"].deprecated == Deprecation("2026-01-02", "2027-01-02", "old")


def test_data_that_may_be_left_out_is_not_required() -> None:
    found = describe(API, visibility="all").routes["peek"].errors

    required = {code: error.data_required for code, error in found.items()}
    assert required == {"TOO_DEAR": True, "MAYBE": False, "FORBIDDEN": False}
    assert found["TOO_DEAR"].description == "Too dear."


def test_domain_failures_follow_rename_and_builtins_never() -> None:
    api = contract.spec(authenticate=who, routes=contract.routes(order, peek), rename="camel")
    defs = describe(api, visibility="all").defs

    assert [*defs["SoldOut"]["properties"]] == ["restockDays"]
    assert defs["SoldOut"]["properties"]["restockDays"]["x-contract-name"] == "restock_days"
    assert [*defs["TooManyRequests"]["properties"]] == ["title", "message", "retry_after"]


def test_the_catalogue_has_builtins_and_framework_codes_once() -> None:
    found = describe(API).errors
    builtins = {"NOT_FOUND", "FORBIDDEN", "TOO_MANY_REQUESTS", "SERVICE_UNAVAILABLE"}

    assert {*found} == {*FRAMEWORK} | builtins
    assert not {*found} & {*CLIENT_CODES}
    assert found["NOT_FOUND"] == describe(API).routes["order"].errors["NOT_FOUND"]
    assert found["UNAUTHORIZED"] == ContractError(401, FRAMEWORK["UNAUTHORIZED"].description)
    assert {code for code, error in found.items() if error.data_required} == {
        *("VALIDATION_ERROR", "BAD_REQUEST", "METHOD_NOT_ALLOWED", "ROUTE_NOT_FOUND"),
        *("PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
    }


NOT_NEEDED = {"allowed", "closest", "column", "found", "length", "line", "meant"}
"""What a sentence is without, where nobody knows it."""


@pytest.mark.parametrize("code", CODES)
def test_issues_are_as_the_catalogue_says(code: str) -> None:
    names = {*re.findall(r"\{(\w+)\}", CODES[code])} - NOT_NEEDED
    params: dict[str, Any] = {name: "date-time" if name == "format" else 1 for name in names}
    schema: Any = describe(API).errors["VALIDATION_ERROR"].data
    issues = [to_json(issue(code, ("lines", 0, "x"), **params))]

    assert is_valid(schema, {"issues": issues})
    assert is_valid(schema, {"issues": issues * 20, "truncated": True})
    assert not is_valid(schema, {"issues": []})
    assert not is_valid(schema, {"issues": issues * 21})


def document(**options: Any) -> Document:
    return describe(contract.spec(routes=contract.routes(ping_alone), **options))


@contract.route(summary="Ping", tags=["shop"], auth="none")
def ping_alone(input: None, ctx: None) -> None: ...


def test_the_looks_are_those_of_meta_in_camel_case() -> None:
    meta = contract.Meta(
        title="Shop",
        version="1.2.3",
        intro="# Hello",
        website=contract.Website("https://shop.example/about"),
        logo=contract.Logo("light.png"),
        theme=contract.Theme(accent="#0a7", font_family="Inter", font_urls=["/inter.css"]),
        navbar_links=[contract.NavbarLink("Hours", "/hours")],
        footer=contract.Footer(powered_by=False),
        notice=contract.Notice(
            message="Hm.", links=[contract.NoticeLink("More", "/more", external=True)]
        ),
        sdk_install="pip install shop",
        auth_hint="Ask us.",
        mcp_instructions="Never say this to people.",
    )
    found = document(meta=meta)
    more = {"label": "More", "href": "/more", "external": True}

    assert found.info == Info("Shop", "1.2.3", "# Hello")
    assert found.ui == {
        "website": {"url": "https://shop.example/about", "label": "shop.example"},
        "logo": {"light": "light.png"},
        "favicon": "light.png",
        "theme": {"accent": "#0a7", "fontFamily": "Inter", "fontUrls": ["/inter.css"]},
        "navbarLinks": [{"label": "Hours", "href": "/hours", "external": False}],
        "footer": {"poweredBy": False},
        "notice": {"message": "Hm.", "links": [more]},
        "sdkInstall": "pip install shop",
        "authHint": "Ask us.",
    }


def test_the_looks_are_empty_where_nothing_was_said() -> None:
    found = document()

    assert (found.info, found.ui) == (Info("Contract API", "0.0.0", None), {})


def test_a_token_is_hinted_at_where_a_shown_route_needs_one() -> None:
    hint = "Send a bearer token in the Authorization header."

    assert describe(API).ui == {}
    assert describe(API, visibility="all").ui == {"authHint": hint}


def test_links_are_as_they_are_given() -> None:
    links = Links(docs="explorer", openapi=None, mcp=None)

    assert describe(API).links == LINKS == Links("docs", "openapi.json", "mcp")
    assert describe(API, links=links).links == links


def test_an_export_stands_under_its_own_name_in_both_forms() -> None:
    found = document(exports=contract.exports(Order=Order, Bill=Receipt, Form=Order, Same=Alike))

    assert found.exports == {
        "Order": ref("Order"),
        "OrderInput": ref("OrderInput"),
        "Bill": ref("Receipt"),
        "BillInput": ref("ReceiptInput"),
        "Form": ref("Order"),
        "FormInput": ref("OrderInput"),
        "Same": ref("Alike"),  # what is sent and what is received do not differ
    }
    assert found.defs["Order"]["required"] == ["product_id", "quantity"]
    assert found.defs["OrderInput"]["required"] == ["product_id"]


@rows(
    "named, refused, why",
    ({"Receipt": Order}, "Receipt", "this is the name of another type"),
    ({"Order": Order, "OrderInput": Receipt}, "Order", "OrderInput, which would be its input form, is the name of another export"),
    ({"Receipt": Receipt, "Order": ReceiptInput}, "Receipt", "ReceiptInput, which would be its input form, is the name of another type"),
)  # fmt: skip
def test_an_export_that_takes_the_name_of_another_type_is_refused(
    named: dict[str, Any], refused: str, why: str
) -> None:
    with pytest.raises(contract.SpecError) as raised:
        document(exports=contract.exports(Both=tuple[Order, Receipt], **named))

    told = f"spec(exports=)['{refused}']: {why}; export it by another name"
    assert str(raised.value) == told


def test_an_exported_type_without_a_name_takes_that_of_its_export() -> None:
    found = document(exports=contract.exports(Ids=list[int], Orders=dict[str, Order]))

    assert found.exports == {name: ref(name) for name in ("Ids", "Orders", "OrdersInput")}
    assert (found.defs["Ids"]["title"], found.defs["Ids"]["type"]) == ("Ids", "array")
    assert found.defs["Orders"]["additionalProperties"] == ref("Order")


def test_an_export_that_is_called_like_a_type_does_not_hide_it() -> None:
    found = document(exports=contract.exports(Order=list[int], Real=Order))
    names = {name: schema["$ref"].rpartition("/")[2] for name, schema in found.exports.items()}

    assert found.defs[names["Order"]]["type"] == "array"
    assert found.defs[names["Real"]]["type"] == "object"
    assert names["Order"] != names["Real"]


def other_order() -> Any:
    @dataclass(frozen=True)
    class Order:
        number: int

    return Order


def test_names_do_not_depend_on_what_is_shown() -> None:
    """A private type of the same name has its part in what a public one is called."""
    other = other_order()

    def hidden(input: Any, ctx: None) -> None: ...

    hidden.__annotations__["input"] = other
    secret = contract.route(summary="Hide", tags=["shop"], auth="none", scope="private")(hidden)
    api = contract.spec(routes=contract.routes(order, secret))
    public, every = describe(api), describe(api, visibility="all")

    assert public.routes["order"].input == every.routes["order"].input
    assert {name: every.defs[name] for name in public.defs} == public.defs
    assert len(every.defs) == len(public.defs) + 1


@pytest.mark.parametrize("visibility", ["public", "all"])
def test_every_reference_leads_somewhere_and_every_type_is_needed(visibility: Any) -> None:
    found = describe(API, visibility=visibility)
    calls = [(each.input, each.output, each.errors) for each in found.routes.values()]
    text = repr([found.exports, found.errors, calls])
    reached: set[str] = set()
    while named := {*re.findall(r"#/\$defs/(\w+)", text)} - reached:
        reached |= named
        text = repr([found.defs[name] for name in named])

    assert reached == {*found.defs}


def at_night(
    resolver: Callable[[Order, None], Receipt | SoldOut],
) -> Callable[[Order, None], Receipt | SoldOut | Closed]:
    @functools.wraps(resolver)
    def closed_at_night(input: Order, ctx: None) -> Receipt | SoldOut | Closed:
        return Closed() if input.quantity > 1 else resolver(input, ctx)

    return closed_at_night


def order_or_sold_out(input: Order, ctx: None) -> Receipt | SoldOut:
    return SoldOut(3) if input.product_id else Receipt("1", input)


@contract.hook
def by_day(call: contract.Call[object, Order]) -> Closed | contract.NotFound | None:
    return Closed() if call.input.quantity > 1 else None


ORDERS: Any = {"summary": "Order", "tags": ["orders"], "auth": "none", "mcp": True}
MAKE = contract.route(**ORDERS)
DECLARING = contract.route(**ORDERS, errors=contract.define_errors(SoldOut, Closed))


@rows(
    "made, hooks, added",
    (DECLARING(at_night(order_or_sold_out)), [], {"CLOSED"}),
    (MAKE(order_or_sold_out), [by_day], {"CLOSED", "NOT_FOUND"}),
    ids=["a wrapper", "a hook"],
)
def test_the_failures_that_others_add_to_a_route_are_in_all_that_is_made_of_it(
    made: Any, hooks: list[Any], added: set[str]
) -> None:
    plain = describe(contract.spec(routes={"order": MAKE(order_or_sold_out)}))
    api = contract.spec(routes={"order": made}, hooks=hooks)
    document = describe(api)
    package = package_of(document)
    client, mock = Client(api), Client(mock_spec(package))
    body = {"product_id": "a", "quantity": 2}

    assert (reply := client.call("order", body)).status == 423
    assert reply.json == {"error": "CLOSED"}
    assert client.call_tool("order", body).json["result"]["isError"]
    assert {*document.routes["order"].errors} == {"SOLD_OUT"} | added
    assert document.routes["order"].errors["CLOSED"] == ContractError(423, "Nobody is there.")
    assert "423" in openapi(document, server="/")["paths"]["/order"]["post"]["responses"]
    tool = client.tools()[0]["description"]
    assert [code for code in document.routes["order"].errors if code not in tool] == []
    assert "class Closed(" in python_client(package)
    assert '"CLOSED"' in typescript_client(package)
    forced = mock.call("order", {"product_id": "a"}, headers={"Prefer": "code=CLOSED"})
    assert forced.json == {"error": "CLOSED"}
    assert [change.kind for change in diff(plain, document)] == ["error_added"] * len(added)
    check_route(made.behind(*hooks))()


def test_a_route_in_a_group_is_marked_and_tagged_everywhere() -> None:
    @contract.route(summary="Create", tags=["new"], auth="none", mcp=True)
    def create(input: None, ctx: None) -> str:
        return "made"

    @contract.route(summary="Flat", tags=["flat"], auth="none", name="orders.flat")
    def flat(input: None, ctx: None) -> None: ...

    inner = contract.group("old", routes=[create], tags=["old"])
    api = contract.spec(routes=[contract.group("orders", routes=[inner], tags=["orders"]), flat])
    document = describe(api)
    described = document.routes["orders.old.create"]
    written = openapi(document, server="/v1")["paths"]["/orders.old.create"]["post"]

    assert (described.group, described.tags) == ("orders.old", ("orders", "old", "new"))
    assert document.routes["orders.flat"].group is None
    assert (written["operationId"], written["x-contract-group"]) == (described.path, "orders.old")
    assert written["tags"] == ["orders", "old", "new"]
    assert mock_spec(package_of(document)).entries["orders.old.create"].group == "orders.old"
    assert Client(api).call("orders.old.create", None).json == "made"
    flattened = replace(described, group=None)
    before = replace(document, routes={**document.routes, flattened.path: flattened})
    found = [(each.level, each.kind) for each in diff(before, document)]
    assert found == [("source", "group_changed")]
