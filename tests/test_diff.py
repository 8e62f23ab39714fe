"""What differs between two documents around their schemas, and what that asks of the version."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from contract.declare.tool import Tool
from contract.document import Caching, ContractError, Deprecation, Info, Links
from contract.document.diff import Bump, Change, Level, bump, diff, fits
from contract.document.diff.changes import least
from tests.diffs import NULL, ROUTE, SHOP, kinds, shop

TEXT: dict[str, Any] = {"type": "string"}
NOTHING: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
TOOL = Tool("order", "Order", read_only=False, destructive=False, idempotent=True, open_world=False)
SOLD_OUT = ContractError(
    409,
    "Every copy is sold.",
    {"type": "object", "properties": {"days": TEXT}, "required": ["days"]},
    data_required=True,
)
REFERENCE: dict[str, Any] = {"$ref": "#/$defs/A"}
GONE = ContractError(410, "It is gone.")

ROUTES: dict[str, tuple[dict[str, Any], dict[str, Any], str, str, str]] = {
    "path": (
        {},
        {"path": "buy"},
        "breaking: path_changed",
        "path",
        'the path is "buy", was "order"',
    ),
    "into a group": (
        {"path": "a.b"},
        {"path": "a.b", "group": "a"},
        "source: group_changed",
        "group",
        "in the group a, was in no group: generated clients have it under another name",
    ),
    "out of a group": (
        {"path": "a.b.c", "group": "a.b"},
        {"path": "a.b.c"},
        "source: group_changed",
        "group",
        "in no group, was in the group a.b: ",
    ),
    "a token": (
        {},
        {"auth": "bearer"},
        "breaking: auth_required",
        "auth",
        "calls without a token are refused",
    ),
    "no token": (
        {"auth": "bearer"},
        {},
        "compatible: auth_dropped",
        "auth",
        'auth is "none", was "bearer"',
    ),
    "a token or none": (
        {},
        {"auth": "optional"},
        "compatible: auth_optional",
        "auth",
        'auth is "optional", was "none": a token that is sent is checked now',
    ),
    "a token no more needed": (
        {"auth": "bearer"},
        {"auth": "optional"},
        "compatible: auth_optional",
        "auth",
        'auth is "optional", was "bearer"',
    ),
    "a token no more optional": (
        {"auth": "optional"},
        {"auth": "bearer"},
        "breaking: auth_required",
        "auth",
        'was "optional": calls without a token are refused',
    ),
    "no more token": (
        {"auth": "optional"},
        {"auth": "none"},
        "compatible: auth_dropped",
        "auth",
        'auth is "none", was "optional"',
    ),
    "a scope": (
        {"auth": "bearer", "requires": ("a",)},
        {"auth": "bearer", "requires": ("a", "b")},
        "breaking: scope_required",
        "requires",
        "requires the scope b: tokens without it get 403",
    ),
    "no more scope": (
        {"auth": "bearer", "requires": ("a", "b")},
        {"auth": "bearer", "requires": ("b",)},
        "compatible: scope_dropped",
        "requires",
        "does not require the scope a any more",
    ),
    "private": (
        {},
        {"scope": "private"},
        "breaking: scope_changed",
        "scope",
        "is no longer in public documents",
    ),
    "public": (
        {"scope": "private"},
        {},
        "compatible: scope_changed",
        "scope",
        '"public", was "private"',
    ),
    "no more retries": (
        {"effect": "idempotent"},
        {},
        "breaking: effect_strengthened",
        "effect",
        "would now be done twice",
    ),
    "no more reading": (
        {"effect": "read"},
        {"effect": "idempotent"},
        "breaking: effect_strengthened",
        "effect",
        "may be called at any time",
    ),
    "destruction": (
        {},
        {"effect": "destructive"},
        "breaking: effect_strengthened",
        "effect",
        "destroys nothing",
    ),
    "retries": (
        {},
        {"effect": "idempotent"},
        "compatible: effect_weakened",
        "effect",
        '"idempotent", was "write"',
    ),
    "a GET": (
        {"effect": "read"},
        {"effect": "read", "cache": Caching(60)},
        "compatible: cache_added",
        "cache",
        "is served at GET, too",
    ),
    "no GET any more": (
        {"effect": "read", "cache": Caching(60)},
        {"effect": "read"},
        "breaking: cache_removed",
        "cache",
        "is not served at GET any more: its URLs get 405",
    ),
    "kept for another time": (
        {"effect": "read", "cache": Caching(60)},
        {"effect": "read", "cache": Caching(0)},
        "docs: cache_changed",
        "cache.max_age",
        "caches are told 0 for max_age, were told 60",
    ),
    "kept for others": (
        {"effect": "read", "cache": Caching(60, ("A",))},
        {"effect": "read", "cache": Caching(60, ("A", "B"))},
        "docs: cache_changed",
        "cache.vary",
        'caches are told ["A", "B"] for vary, were told ["A"]',
    ),
    "summary": (
        {},
        {"summary": "Buy"},
        "docs: summary_changed",
        "summary",
        'the summary is "Buy", was "Order"',
    ),
    "description": (
        {},
        {"description": "d"},
        "docs: description_changed",
        "description",
        'the description is "d", was none',
    ),
    "tags": (
        {},
        {"tags": ("a", "b")},
        "docs: tags_changed",
        "tags",
        'the tags are ["a", "b"], were ["orders"]',
    ),
    "deprecated": (
        {},
        {"deprecated": Deprecation("2026-01-01", "2027-01-01", "buy")},
        "compatible: deprecated",
        "deprecated",
        "is deprecated, to be removed on 2027-01-01; use buy",
    ),
    "only deprecated": (
        {},
        {"deprecated": Deprecation()},
        "compatible: deprecated",
        "deprecated",
        "is deprecated",
    ),
    "undeprecated": (
        {"deprecated": Deprecation()},
        {},
        "compatible: undeprecated",
        "deprecated",
        "is no longer deprecated",
    ),
    "deprecated otherwise": (
        {"deprecated": Deprecation(use="a", since="2026-01-01")},
        {"deprecated": Deprecation(use="b", since="2026-01-01")},
        "docs: deprecation_changed",
        "deprecated.use",
        'the deprecation says "b" for use, said "a"',
    ),
    "a tool": ({}, {"mcp": TOOL}, "compatible: tool_added", "mcp", 'is the tool "order" now'),
    "no tool": ({"mcp": TOOL}, {}, "breaking: tool_removed", "mcp", "agents do not find it"),
    "the name of a tool": (
        {"mcp": TOOL},
        {"mcp": replace(TOOL, name="buy")},
        "breaking: tool_renamed",
        "mcp.name",
        '"buy", was "order"',
    ),
    "the title of a tool": (
        {"mcp": TOOL},
        {"mcp": replace(TOOL, title="Buy")},
        "docs: tool_title_changed",
        "mcp.title",
        '"Buy", was "Order"',
    ),
    "a promise": (
        {"mcp": TOOL},
        {"mcp": replace(TOOL, read_only=True)},
        "compatible: tool_promise_added",
        "mcp.read_only",
        "the hint read_only is true, was false",
    ),
    "a promise less": (
        {"mcp": TOOL},
        {"mcp": replace(TOOL, destructive=True)},
        "breaking: tool_promise_withdrawn",
        "mcp.destructive",
        "rely on a promise that is gone",
    ),
    "a code": (
        {},
        {"errors": {"GONE": GONE}},
        "breaking: error_added",
        "errors.GONE",
        "an exhaustive client has no case for it",
    ),
    "a code less": (
        {"errors": {"GONE": GONE}},
        {},
        "source: error_removed",
        "errors.GONE",
        "generated clients no longer have its class",
    ),
    "a status": (
        {"errors": {"GONE": GONE}},
        {"errors": {"GONE": replace(GONE, status=404)}},
        "breaking: error_status_changed",
        "errors.GONE.status",
        "the status is 404, was 410",
    ),
    "what a code means": (
        {"errors": {"GONE": GONE}},
        {"errors": {"GONE": replace(GONE, description="d")}},
        "docs: description_changed",
        "errors.GONE.description",
        'the description is "d", was "It is gone."',
    ),
    "data": (
        {"errors": {"X": GONE}},
        {"errors": {"X": replace(GONE, data=TEXT)}},
        "compatible: error_data_added",
        "errors.X.data",
        "X carries data now",
    ),
    "no data": (
        {"errors": {"X": replace(GONE, data=TEXT)}},
        {"errors": {"X": GONE}},
        "breaking: error_data_removed",
        "errors.X.data",
        "no data any more",
    ),
    "data that may be absent": (
        {"errors": {"X": SOLD_OUT}},
        {"errors": {"X": replace(SOLD_OUT, data_required=False)}},
        "breaking: error_data_optional",
        "errors.X.data",
        "may be absent",
    ),
    "data that is always there": (
        {"errors": {"X": replace(SOLD_OUT, data_required=False)}},
        {"errors": {"X": SOLD_OUT}},
        "compatible: error_data_required",
        "errors.X.data",
        "always there now",
    ),
    "other data": (
        {"errors": {"X": replace(SOLD_OUT, data=TEXT)}},
        {"errors": {"X": replace(SOLD_OUT, data=NULL)}},
        "breaking: output_type_changed",
        "errors.X.data",
        "is null, was string",
    ),
    "a body": (
        {"input": NOTHING},
        {"input": {"type": "object"}},
        "breaking: input_body_required",
        "input",
        "clients that send none are refused",
    ),
}


@pytest.mark.parametrize(("old", "new", "kind", "path", "text"), ROUTES.values(), ids=ROUTES.keys())
def test_a_change_of_a_route(
    old: dict[str, Any], new: dict[str, Any], kind: str, path: str, text: str
) -> None:
    found = diff(shop(order=replace(ROUTE, **old)), shop(order=replace(ROUTE, **new)))
    change = found[0]

    assert kinds(found)[0] == kind
    assert (change.route, change.path) == ("order", f"routes.order.{path}")
    assert text in change.text


def test_the_order_of_scopes_is_no_change() -> None:
    route = replace(ROUTE, auth="bearer", requires=("a", "b"))

    assert diff(shop(order=route), shop(order=replace(route, requires=("b", "a")))) == ()


def test_the_method_is_a_change_too() -> None:
    other = replace(ROUTE, method=cast("Any", "GET"))

    assert kinds(diff(shop(order=ROUTE), shop(order=other))) == ["breaking: method_changed"]


@pytest.mark.parametrize(
    ("deprecated", "text"),
    [
        (None, "clients that call it get 404"),
        (Deprecation(), "it was deprecated, to be removed on no day in particular"),
        (Deprecation(remove_on="2027-01-01"), "it was deprecated, to be removed on 2027-01-01"),
    ],
)
def test_routes_come_and_go(deprecated: Deprecation | None, text: str) -> None:
    route = replace(ROUTE, deprecated=deprecated)
    (gone,) = diff(shop(order=route), shop())
    (new,) = diff(shop(), shop(order=route))

    assert (gone.level, gone.kind, gone.path) == ("breaking", "route_removed", "routes.order")
    assert gone.text.endswith(text)
    assert (new.level, new.kind, new.text) == (
        "compatible",
        "route_added",
        "the route order is new",
    )


def test_the_gravest_comes_first() -> None:
    found = diff(shop(a=ROUTE, b=ROUTE), shop(a=replace(ROUTE, summary="s"), c=ROUTE))

    assert kinds(found) == [
        "breaking: route_removed",
        "compatible: route_added",
        "docs: summary_changed",
    ]


def test_a_builtin_is_told_of_once() -> None:
    old = replace(shop(a=replace(ROUTE, errors={"GONE": GONE})), errors={"GONE": GONE})
    later = replace(GONE, status=404)
    new = replace(shop(a=replace(ROUTE, errors={"GONE": later})), errors={"GONE": later})

    assert [(change.path, change.route) for change in diff(old, new)] == [
        ("errors.GONE.status", None)
    ]


def test_a_failure_concerns_code_once_it_has_left_its_last_route() -> None:
    """Until then its class is in the clients."""
    old = replace(ROUTE, errors={"GONE": GONE})

    assert kinds(diff(shop(a=old, b=old), shop(a=ROUTE, b=old))) == ["compatible: error_removed"]
    assert kinds(diff(shop(a=old, b=old), shop(a=ROUTE, b=ROUTE))) == [
        "source: error_removed",
        "source: error_removed",
    ]


def test_codes_of_every_route() -> None:
    (new,) = diff(SHOP, replace(SHOP, errors={"GONE": GONE}))
    (gone,) = diff(replace(SHOP, errors={"GONE": GONE}), SHOP)

    assert (new.kind, new.level, new.route) == ("error_added", "breaking", None)
    assert (gone.kind, gone.level) == ("error_removed", "compatible")


def test_exports() -> None:
    old = replace(shop({"A": TEXT}), exports={"A": REFERENCE, "B": REFERENCE})
    new = replace(shop({"A": NULL}), exports={"A": REFERENCE, "C": REFERENCE})

    assert kinds(diff(old, new)) == [
        "breaking: output_type_changed",
        "breaking: export_removed",
        "compatible: export_added",
    ]


def test_the_input_form_of_an_export_is_compared_as_an_input() -> None:
    exports = {
        "A": {"$ref": "#/$defs/T"},
        "AInput": {"$ref": "#/$defs/TInput"},
        "BInput": {"$ref": "#/$defs/T"},
    }
    old = replace(shop({"T": TEXT, "TInput": TEXT}), exports=exports)
    new = replace(shop({"T": NULL, "TInput": NULL}), exports=exports)

    assert sorted((each.kind, each.path) for each in diff(old, new)) == [
        ("input_type_changed", "$defs.TInput"),
        ("output_type_changed", "$defs.T"),
    ]
    assert (
        kinds(diff(replace(old, exports={"A": exports["A"]}), old))
        == ["compatible: export_added"] * 2
    )


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (Links(mcp="mcp"), Links(), "breaking: mcp_link_changed"),
        (Links(mcp="mcp"), Links(mcp="agents"), "breaking: mcp_link_changed"),
        (Links(), Links(mcp="mcp"), "compatible: mcp_link_changed"),
        (Links(docs="docs"), Links(), "docs: link_changed"),
        (Links(), Links(openapi="openapi.json"), "docs: link_changed"),
    ],
)
def test_links(old: Links, new: Links, kind: str) -> None:
    assert kinds(diff(replace(SHOP, links=old), replace(SHOP, links=new))) == [kind]


def test_what_the_service_calls_itself() -> None:
    old = replace(SHOP, ui={"authHint": "a", "sdkInstall": "s"})
    new = replace(SHOP, info=Info("Store", "2.0.0", "d"), ui={"authHint": "b", "sdkInstall": "s"})
    found = diff(old, new)

    assert kinds(found) == [
        "docs: info_changed",
        "docs: info_changed",
        "docs: version_changed",
        "docs: ui_changed",
    ]
    assert [change.path for change in found] == [
        "info.description",
        "info.title",
        "info.version",
        "ui.authHint",
    ]


def change(level: Level, kind: str = "x") -> Change:
    return Change(kind=kind, level=level, path="p", text="t")


@pytest.mark.parametrize(
    ("levels", "wanted"),
    [
        (["docs", "breaking", "source"], "major"),
        (["docs", "source"], "minor"),
        (["compatible", "docs"], "minor"),
        (["docs"], "patch"),
        ([], "none"),
    ],
)
def test_the_gravest_change_decides_on_the_version(levels: list[Level], wanted: Bump) -> None:
    assert bump(map(change, levels)) == wanted


def test_the_version_itself_asks_for_none() -> None:
    assert bump([change("docs", "version_changed")]) == "none"


@pytest.mark.parametrize(
    ("old", "new", "wanted", "fit"),
    [
        ("1.2.3", "2.0.0", "major", True),
        ("1.2.3", "1.3.0", "major", False),
        ("1.2.3", "1.3.0", "minor", True),
        ("1.2.3", "1.2.4", "minor", False),
        ("1.2.3", "1.2.4", "patch", True),
        ("1.2.3", "1.2.3", "patch", False),
        ("1.2.3", "1.2.3", "none", True),
        ("1.2.3", "1.2.2", "none", False),
        ("0.2.3", "0.3.0", "major", True),
        ("0.2.3", "0.2.4", "major", False),
        ("0.2.3", "0.2.4", "minor", True),
        ("2.0.0-rc.1", "2.0.0-rc.2", "major", True),
        ("1.9.0", "v2.0.0-rc.1+build", "major", True),
        ("1.0.0", "2026-01", "major", None),
        ("one", "2.0.0", "major", None),
    ],
)
def test_a_version_fits_or_does_not(old: str, new: str, wanted: Bump, fit: bool | None) -> None:
    assert fits(old, new, wanted) is fit


def test_the_lowest_version_that_fits() -> None:
    assert least("1.2.3", "major") == (2, 0, 0)
    assert least("1.2", "major") is None


def test_a_document_does_not_differ_from_itself() -> None:
    route = replace(
        ROUTE,
        input=NOTHING,
        output=REFERENCE,
        errors={"SOLD_OUT": SOLD_OUT},
        mcp=TOOL,
        deprecated=Deprecation(use="b"),
    )
    whole = replace(shop({"A": TEXT}, order=route), errors={"GONE": GONE}, exports={"A": REFERENCE})

    assert diff(whole, whole) == ()
