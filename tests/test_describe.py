"""Specs on paper."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Annotated, Any

import pytest
from annotated_types import Ge

from contract import (
    UNSET,
    Cache,
    Call,
    Deprecated,
    Failure,
    Footer,
    Forbidden,
    Logo,
    McpTool,
    Meta,
    NavbarLink,
    NotFound,
    Notice,
    NoticeLink,
    SpecError,
    Theme,
    Unset,
    Website,
    define_errors,
    exports,
    group,
    hook,
    route,
    routes,
    spec,
)
from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.codegen.typescript import typescript_client
from contract.declare.failures import CLIENT_CODES, FRAMEWORK
from contract.declare.tool import Tool
from contract.document import Caching, ContractError, Deprecation, Document, Links
from contract.document.describe import LINKS, describe
from contract.document.diff import diff
from contract.document.openapi import openapi
from contract.shape.issues import CODES, issue, to_json
from contract.testing import Client, check_route
from contract.testing.mock_spec import mock_spec
from tests.oracle import is_valid


class SoldOut(Failure, status=409):
    """Every copy is sold."""

    restock_days: Annotated[int, Ge(0)]


class Closed(Failure, status=423):
    """Nobody is there."""


class TooDear(Failure):
    max_price: int | Unset = UNSET
    secret: str = field(default="", repr=False)


class Maybe(Failure):
    """Not sure."""

    why_so: str | Unset = UNSET


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


@route(summary="Order", tags=["orders", "shop"], auth="none", mcp=True)
def order(input: Order, ctx: None) -> Receipt | SoldOut | Closed | NotFound:
    """
    Order a product.

    All or nothing.
    """
    raise NotImplementedError


@route(
    summary="Ping",
    tags=["shop"],
    auth="none",
    effect="read",
    description="Say pong.",
    deprecated=Deprecated(since=date(2026, 1, 2), use="peek"),
)
def ping(input: None, ctx: None) -> None: ...


@route(
    summary="Peek",
    tags=["shop"],
    scope="private",
    effect="destructive",
    mcp=McpTool(name="look", title="Look", open_world=True),
)
def peek(input: Secret, ctx: str) -> Secret | TooDear | Maybe | Forbidden:
    raise NotImplementedError


def who(token: str, request: object) -> str | None: ...


API = spec(authenticate=who, routes=routes(order, ping, peek))


def test_a_cached_read_says_how_long() -> None:
    @route(summary="F", tags=["t"], auth="none", effect="read", cache=Cache(max_age=5, vary=["A"]))
    def find(input: None, ctx: None) -> None: ...

    assert describe(spec(routes=[find])).routes["find"].cache == Caching(5, ("A",))


@pytest.mark.parametrize(
    ("hints", "effect", "told"),
    [
        (McpTool(read_only=True), "read", (True, False, True)),
        (McpTool(idempotent=True), "idempotent", (False, False, True)),
        (McpTool(destructive=True), "destructive", (False, True, False)),
    ],
)
def test_what_a_tool_says_of_a_call_every_document_says(
    hints: McpTool, effect: str, told: tuple[bool, bool, bool]
) -> None:
    """An agent was told ``readOnlyHint: true`` of what contract.json, OpenAPI and the explorer called a write."""

    def look(input: None, ctx: None) -> None: ...

    found = describe(
        spec(routes={"look": route(summary="Look", tags=["shop"], auth="none", mcp=hints)(look)})
    )
    described = found.routes["look"]

    assert described.effect == effect
    assert openapi(found, server="/")["paths"]["/look"]["post"]["x-contract-effect"] == effect
    assert described.mcp is not None
    assert (described.mcp.read_only, described.mcp.destructive, described.mcp.idempotent) == told


def test_a_route_is_described_whole() -> None:
    found = describe(API).routes["order"]

    assert (found.path, found.method, found.summary, found.description) == (
        "order",
        "POST",
        "Order",
        "Order a product.\n\nAll or nothing.",
    )
    assert (found.tags, found.auth, found.scope, found.effect) == (
        ("orders", "shop"),
        "none",
        "public",
        "write",
    )
    assert found.deprecated is None
    assert (found.input, found.output) == (
        {"$ref": "#/$defs/OrderInput"},
        {"$ref": "#/$defs/Receipt"},
    )
    assert found.errors == {
        "SOLD_OUT": ContractError(
            409, "Every copy is sold.", {"$ref": "#/$defs/SoldOut"}, data_required=True
        ),
        "CLOSED": ContractError(423, "Nobody is there."),
        "NOT_FOUND": ContractError(
            404, "The thing that the call names does not exist.", {"$ref": "#/$defs/NotFound"}
        ),
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
    with pytest.raises(SpecError, match=r"^visibility=: 'private' shows nothing"):
        describe(API, visibility="private")  # type: ignore[arg-type]


def test_what_replaces_a_route_is_named_to_whom_it_is_shown() -> None:
    assert describe(API).routes["ping"].deprecated == Deprecation("2026-01-02", None, None)
    assert describe(API, visibility="all").routes["ping"].deprecated == Deprecation(
        "2026-01-02", None, "peek"
    )


def test_a_deprecation_may_say_nothing_more_or_all_of_it() -> None:
    @route(summary="Old", tags=["shop"], auth="none", deprecated=True)
    def old(input: None, ctx: None) -> None: ...

    @route(
        summary="Older",
        tags=["shop"],
        auth="none",
        deprecated=Deprecated(since=date(2026, 1, 2), remove_on=date(2027, 1, 2), use="old"),
    )
    def older(input: None, ctx: None) -> None: ...

    found = describe(spec(routes=routes(old, older))).routes

    assert found["old"].deprecated == Deprecation()
    assert found["older"].deprecated == Deprecation("2026-01-02", "2027-01-02", "old")


def test_data_that_may_be_left_out_is_not_required() -> None:
    found = describe(API, visibility="all").routes["peek"].errors

    assert {code: error.data_required for code, error in found.items()} == {
        "TOO_DEAR": True,
        "MAYBE": False,
        "FORBIDDEN": False,
    }
    assert found["TOO_DEAR"].description == "Too dear."


def test_domain_failures_follow_rename_and_builtins_never() -> None:
    api = spec(authenticate=who, routes=routes(order, peek), rename="camel")
    defs = describe(api, visibility="all").defs

    assert [*defs["SoldOut"]["properties"]] == ["restockDays"]
    assert defs["SoldOut"]["properties"]["restockDays"]["x-contract-name"] == "restock_days"
    assert [*defs["TooManyRequests"]["properties"]] == ["title", "message", "retry_after"]


def test_the_catalogue_has_builtins_and_framework_codes_once() -> None:
    found = describe(API).errors

    assert {*found} == {
        *FRAMEWORK,
        "NOT_FOUND",
        "FORBIDDEN",
        "TOO_MANY_REQUESTS",
        "SERVICE_UNAVAILABLE",
    }
    assert not {*found} & {*CLIENT_CODES}
    assert found["NOT_FOUND"] == describe(API).routes["order"].errors["NOT_FOUND"]
    assert found["UNAUTHORIZED"] == ContractError(401, FRAMEWORK["UNAUTHORIZED"].description)
    assert {code for code, error in found.items() if error.data_required} == {
        "VALIDATION_ERROR",
        "BAD_REQUEST",
        "METHOD_NOT_ALLOWED",
        "ROUTE_NOT_FOUND",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
    }


@pytest.mark.parametrize("code", CODES)
def test_issues_are_as_the_catalogue_says(code: str) -> None:
    params: dict[str, Any] = {
        name: "date-time" if name == "format" else 1
        for name in (
            *(
                "gt",
                "ge",
                "lt",
                "le",
                "multiple_of",
                "min_length",
                "max_length",
                "pattern",
                "format",
                "max_digits",
                "max_exponent",
            ),
            *(
                "timezone",
                "min_items",
                "max_items",
                "min_keys",
                "max_keys",
                "max_objects",
                "expected",
            ),
        )
        if f"{{{name}}}" in CODES[code]
    }
    schema: Any = describe(API).errors["VALIDATION_ERROR"].data
    issues = [to_json(issue(code, ("lines", 0, "x"), **params))]

    assert is_valid(schema, {"issues": issues})
    assert is_valid(schema, {"issues": issues * 20, "truncated": True})
    assert not is_valid(schema, {"issues": []})
    assert not is_valid(schema, {"issues": issues * 21})


def document(**options: Any) -> Document:
    return describe(spec(routes=routes(ping_alone), **options))


@route(summary="Ping", tags=["shop"], auth="none")
def ping_alone(input: None, ctx: None) -> None: ...


def test_the_looks_are_those_of_meta_in_camel_case() -> None:
    meta = Meta(
        title="Shop",
        version="1.2.3",
        intro="# Hello",
        website=Website("https://shop.example/about"),
        logo=Logo("light.png"),
        theme=Theme(accent="#0a7", font_family="Inter", font_urls=["/inter.css"]),
        navbar_links=[NavbarLink("Hours", "/hours")],
        footer=Footer(powered_by=False),
        notice=Notice(message="Hm.", links=[NoticeLink("More", "/more", external=True)]),
        sdk_install="pip install shop",
        auth_hint="Ask us.",
        mcp_instructions="Never say this to people.",
    )
    found = document(meta=meta)

    assert (found.info.title, found.info.version, found.info.description) == (
        "Shop",
        "1.2.3",
        "# Hello",
    )
    assert found.ui == {
        "website": {"url": "https://shop.example/about", "label": "shop.example"},
        "logo": {"light": "light.png"},
        "favicon": "light.png",
        "theme": {"accent": "#0a7", "fontFamily": "Inter", "fontUrls": ["/inter.css"]},
        "navbarLinks": [{"label": "Hours", "href": "/hours", "external": False}],
        "footer": {"poweredBy": False},
        "notice": {
            "message": "Hm.",
            "links": [{"label": "More", "href": "/more", "external": True}],
        },
        "sdkInstall": "pip install shop",
        "authHint": "Ask us.",
    }


def test_the_looks_are_empty_where_nothing_was_said() -> None:
    found = document()

    assert (found.info.title, found.info.version, found.info.description, found.ui) == (
        "Contract API",
        "0.0.0",
        None,
        {},
    )


def test_a_token_is_hinted_at_where_a_shown_route_needs_one() -> None:
    assert describe(API).ui == {}
    assert describe(API, visibility="all").ui == {
        "authHint": "Send a bearer token in the Authorization header."
    }


def test_links_are_as_they_are_given() -> None:
    links = Links(docs="explorer", openapi=None, mcp=None)

    assert describe(API).links == LINKS == Links("docs", "openapi.json", "mcp")
    assert describe(API, links=links).links == links


def test_an_export_stands_under_its_own_name_in_both_forms() -> None:
    found = document(exports=exports(Order=Order, Bill=Receipt, Form=Order, Same=Alike))

    assert found.exports == {
        "Order": {"$ref": "#/$defs/Order"},
        "OrderInput": {"$ref": "#/$defs/OrderInput"},
        "Bill": {"$ref": "#/$defs/Receipt"},
        "BillInput": {"$ref": "#/$defs/ReceiptInput"},
        "Form": {"$ref": "#/$defs/Order"},
        "FormInput": {"$ref": "#/$defs/OrderInput"},
        "Same": {"$ref": "#/$defs/Alike"},  # what is sent and what is received do not differ
    }
    assert found.defs["Order"]["required"] == ["product_id", "quantity"]
    assert found.defs["OrderInput"]["required"] == ["product_id"]


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        (
            {"Receipt": Order},
            "spec(exports=)['Receipt']: this is the name of another type; export it by another name",
        ),
        (
            {"Order": Order, "OrderInput": Receipt},
            "spec(exports=)['Order']: OrderInput, which would be its input form, is the name of another export; export it by another name",
        ),
        (
            {"Receipt": Receipt, "Order": ReceiptInput},
            (
                "spec(exports=)['Receipt']: ReceiptInput, which would be its input form, is the name of another type;"
                " export it by another name"
            ),
        ),
    ],
)
def test_an_export_that_takes_the_name_of_another_type_is_refused(
    named: dict[str, Any], problem: str
) -> None:
    with pytest.raises(SpecError) as raised:
        document(exports=exports(Both=tuple[Order, Receipt], **named))

    assert str(raised.value) == problem


def test_an_exported_type_without_a_name_takes_that_of_its_export() -> None:
    found = document(exports=exports(Ids=list[int], Orders=dict[str, Order]))

    assert found.exports == {
        "Ids": {"$ref": "#/$defs/Ids"},
        "Orders": {"$ref": "#/$defs/Orders"},
        "OrdersInput": {"$ref": "#/$defs/OrdersInput"},
    }
    assert (found.defs["Ids"]["title"], found.defs["Ids"]["type"]) == ("Ids", "array")
    assert found.defs["Orders"]["additionalProperties"] == {"$ref": "#/$defs/Order"}


def test_an_export_that_is_called_like_a_type_does_not_hide_it() -> None:
    found = document(exports=exports(Order=list[int], Real=Order))
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
    secret = route(summary="Hide", tags=["shop"], auth="none", scope="private")(hidden)
    api = spec(routes=routes(order, secret))
    public, every = describe(api), describe(api, visibility="all")

    assert public.routes["order"].input == every.routes["order"].input
    assert {name: every.defs[name] for name in public.defs} == public.defs
    assert len(every.defs) == len(public.defs) + 1


@pytest.mark.parametrize("visibility", ["public", "all"])
def test_every_reference_leads_somewhere_and_every_type_is_needed(visibility: Any) -> None:
    found = describe(API, visibility=visibility)
    ahead: list[Any] = [
        *found.exports.values(),
        *(error.data for error in found.errors.values()),
        *(
            part
            for each in found.routes.values()
            for part in (each.input, each.output, *(error.data for error in each.errors.values()))
        ),
    ]
    reached: set[str] = set()
    while ahead:
        part = ahead.pop()
        if isinstance(part, Mapping):
            name = str(part.get("$ref", "")).removeprefix("#/$defs/")
            if name and name not in reached:
                reached.add(name)
                ahead.append(found.defs[name])
        ahead.extend(
            part.values() if isinstance(part, Mapping) else part if isinstance(part, list) else ()
        )

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


@hook
def by_day(call: Call[object, Order]) -> Closed | NotFound | None:
    return Closed() if call.input.quantity > 1 else None


MAKE = route(summary="Order", tags=["orders"], auth="none", mcp=True)
DECLARING = route(
    summary="Order", tags=["orders"], auth="none", mcp=True, errors=define_errors(SoldOut, Closed)
)


@pytest.mark.parametrize(
    ("made", "hooks", "added"),
    [
        (DECLARING(at_night(order_or_sold_out)), [], {"CLOSED"}),
        (MAKE(order_or_sold_out), [by_day], {"CLOSED", "NOT_FOUND"}),
    ],
    ids=["a wrapper", "a hook"],
)
def test_the_failures_that_others_add_to_a_route_are_in_all_that_is_made_of_it(
    made: Any, hooks: list[Any], added: set[str]
) -> None:
    plain = describe(spec(routes={"order": MAKE(order_or_sold_out)}))
    api = spec(routes={"order": made}, hooks=hooks)
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
    @route(summary="Create", tags=["new"], auth="none", mcp=True)
    def create(input: None, ctx: None) -> str:
        return "made"

    @route(summary="Flat", tags=["flat"], auth="none", name="orders.flat")
    def flat(input: None, ctx: None) -> None: ...

    inner = group("old", routes=[create], tags=["old"])
    api = spec(routes=[group("orders", routes=[inner], tags=["orders"]), flat])
    document = describe(api)
    described = document.routes["orders.old.create"]
    written = openapi(document, server="/v1")["paths"]["/orders.old.create"]["post"]

    assert (described.group, described.tags) == ("orders.old", ("orders", "old", "new"))
    assert document.routes["orders.flat"].group is None
    assert (written["operationId"], written["tags"], written["x-contract-group"]) == (
        "orders.old.create",
        ["orders", "old", "new"],
        "orders.old",
    )
    assert mock_spec(package_of(document)).entries["orders.old.create"].group == "orders.old"
    assert Client(api).call("orders.old.create", None).json == "made"
    flattened = replace(described, group=None)
    before = replace(document, routes={**document.routes, flattened.path: flattened})
    assert [(each.level, each.kind) for each in diff(before, document)] == [
        ("source", "group_changed")
    ]
