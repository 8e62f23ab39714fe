"""What differs between two documents around their schemas, and what that asks of the version."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from contract.declare.tool import Tool
from contract.document import Caching, ContractError, ContractStream, Deprecation, Info, Links
from contract.document.diff import Bump, Change, Level, bump, diff, fits
from contract.document.diff.changes import least
from tests.diffs import NULL, ROUTE, SHOP, kinds, shop
from tests.tables import rows

TEXT: dict[str, Any] = {"type": "string"}
NOTHING: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
TOOL = Tool("order", "Order", read_only=False, destructive=False, idempotent=True, open_world=False)
DAYS: dict[str, Any] = {"type": "object", "properties": {"days": TEXT}, "required": ["days"]}
SOLD_OUT = ContractError(409, "Every copy is sold.", DAYS, data_required=True)
REFERENCE: dict[str, Any] = {"$ref": "#/$defs/A"}
GONE = ContractError(410, "It is gone.")

Row = dict[str, Any]
CHANGES: dict[str, tuple[Row, str, str]] = {
    "path": (
        {"path": "buy"},
        'breaking path_changed path: the path is "buy", was "order": clients of the old one get 404 or 405',
        'breaking path_changed path: the path is "order", was "buy": clients of the old one get 404 or 405',
    ),
    "method": (
        {"method": "GET"},
        'breaking method_changed method: the method is "GET", was "POST": clients of the old one get 404 or 405',
        'breaking method_changed method: the method is "POST", was "GET": clients of the old one get 404 or 405',
    ),
    "a token": (
        {"auth": "bearer"},
        'breaking auth_required auth: auth is "bearer", was "none": calls without a token are refused',
        'compatible auth_dropped auth: auth is "none", was "bearer"',
    ),
    "a token or none": (
        {"auth": "optional"},
        'breaking auth_optional auth: auth is "optional", was "none": a token that is sent is checked now, and refused if it is not valid',
        'compatible auth_dropped auth: auth is "none", was "optional"',
    ),
    "private": (
        {"scope": "private"},
        'breaking scope_changed scope: the scope is "private", was "public": the route is no longer in public documents, tools and clients',
        'compatible scope_changed scope: the scope is "public", was "private"',
    ),
    "retries": (
        {"effect": "idempotent"},
        'compatible effect_weakened effect: the effect is "idempotent", was "write"',
        'breaking effect_strengthened effect: the effect is "write", was "idempotent": a route that is "idempotent" is called again by clients after a failure, and would now be done twice',
    ),
    "destruction": (
        {"effect": "destructive"},
        'breaking effect_strengthened effect: the effect is "destructive", was "write": a route that is "write" destroys nothing, so agents call it without asking',
        'compatible effect_weakened effect: the effect is "write", was "destructive"',
    ),
    "summary": (
        {"summary": "Buy"},
        'docs summary_changed summary: the summary is "Buy", was "Order"',
        'docs summary_changed summary: the summary is "Order", was "Buy"',
    ),
    "description": (
        {"description": "d"},
        'docs description_changed description: the description is "d", was none',
        'docs description_changed description: the description is none, was "d"',
    ),
    "tags": (
        {"tags": ("a", "b")},
        'docs tags_changed tags: the tags are ["a", "b"], were ["orders"]',
        'docs tags_changed tags: the tags are ["orders"], were ["a", "b"]',
    ),
    "deprecated": (
        {"deprecated": Deprecation("2026-01-01", "2027-01-01", "buy")},
        "compatible deprecated deprecated: is deprecated, to be removed on 2027-01-01; use buy",
        "compatible undeprecated deprecated: is no longer deprecated",
    ),
    "only deprecated": (
        {"deprecated": Deprecation()},
        "compatible deprecated deprecated: is deprecated",
        "compatible undeprecated deprecated: is no longer deprecated",
    ),
    "a tool": (
        {"mcp": TOOL},
        'compatible tool_added mcp: is the tool "order" now',
        'breaking tool_removed mcp: is not a tool any more, was "order": agents do not find it',
    ),
    "a code": (
        {"errors": {"GONE": GONE}},
        "breaking error_added errors.GONE: the code GONE (410) is new: an exhaustive client has no case for it",
        "source error_removed errors.GONE: the code GONE (410) is gone; a case for it is never entered, and no route has it any more, so generated clients no longer have its class",
    ),
}
"""What a route has that a plain one has not; the gravest change to it, and back."""

OTHER_CHANGES: dict[str, tuple[Row, Row, str, str]] = {
    "a group": (
        {"path": "a.b.c"},
        {"path": "a.b.c", "group": "a.b"},
        "source group_changed group: the route is in the group a.b, was in no group: generated clients have it under another name",
        "source group_changed group: the route is in no group, was in the group a.b: generated clients have it under another name",
    ),
    "a token that becomes optional": (
        {"auth": "bearer"},
        {"auth": "optional"},
        'compatible auth_optional auth: auth is "optional", was "bearer"',
        'breaking auth_required auth: auth is "bearer", was "optional": calls without a token are refused',
    ),
    "a scope": (
        {"auth": "bearer", "requires": ("a",)},
        {"auth": "bearer", "requires": ("a", "b")},
        "breaking scope_required requires: requires the scope b: tokens without it get 403",
        "compatible scope_dropped requires: does not require the scope b any more",
    ),
    "reading": (
        {"effect": "idempotent"},
        {"effect": "read"},
        'compatible effect_weakened effect: the effect is "read", was "idempotent"',
        'breaking effect_strengthened effect: the effect is "idempotent", was "read": a route that is "read" may be called at any time, and again, by clients and agents',
    ),
    "a GET": (
        {"effect": "read"},
        {"effect": "read", "cache": Caching(60)},
        "compatible cache_added cache: is served at GET, too",
        "breaking cache_removed cache: is not served at GET any more: its URLs get 405",
    ),
    "kept for another time": (
        {"effect": "read", "cache": Caching(60)},
        {"effect": "read", "cache": Caching(0)},
        "docs cache_changed cache.max_age: caches are told 0 for max_age, were told 60",
        "docs cache_changed cache.max_age: caches are told 60 for max_age, were told 0",
    ),
    "kept for others": (
        {"effect": "read", "cache": Caching(60, ("A",))},
        {"effect": "read", "cache": Caching(60, ("A", "B"))},
        'docs cache_changed cache.vary: caches are told ["A", "B"] for vary, were told ["A"]',
        'docs cache_changed cache.vary: caches are told ["A"] for vary, were told ["A", "B"]',
    ),
    "deprecated otherwise": (
        {"deprecated": Deprecation("2026-01-01", use="a")},
        {"deprecated": Deprecation("2026-01-01", use="b")},
        'docs deprecation_changed deprecated.use: the deprecation says "b" for use, said "a"',
        'docs deprecation_changed deprecated.use: the deprecation says "a" for use, said "b"',
    ),
    "the name of a tool": (
        {"mcp": TOOL},
        {"mcp": replace(TOOL, name="buy")},
        'breaking tool_renamed mcp.name: the tool is called "buy", was "order": agents do not find the old name',
        'breaking tool_renamed mcp.name: the tool is called "order", was "buy": agents do not find the old name',
    ),
    "the title of a tool": (
        {"mcp": TOOL},
        {"mcp": replace(TOOL, title="Buy")},
        'docs tool_title_changed mcp.title: the title is "Buy", was "Order"',
        'docs tool_title_changed mcp.title: the title is "Order", was "Buy"',
    ),
    "a promise": (
        {"mcp": TOOL},
        {"mcp": replace(TOOL, read_only=True)},
        "compatible tool_promise_added mcp.read_only: the hint read_only is true, was false",
        "breaking tool_promise_withdrawn mcp.read_only: the hint read_only is false, was true: agents that call the tool without asking, because of it, rely on a promise that is gone",
    ),
    "destruction by a tool": (
        {"mcp": TOOL},
        {"mcp": replace(TOOL, destructive=True)},
        "breaking tool_promise_withdrawn mcp.destructive: the hint destructive is true, was false: agents that call the tool without asking, because of it, rely on a promise that is gone",
        "compatible tool_promise_added mcp.destructive: the hint destructive is false, was true",
    ),
    "a status": (
        {"errors": {"GONE": GONE}},
        {"errors": {"GONE": replace(GONE, status=404)}},
        "breaking error_status_changed errors.GONE.status: the status is 404, was 410: clients and proxies that go by the status take it for another failure",
        "breaking error_status_changed errors.GONE.status: the status is 410, was 404: clients and proxies that go by the status take it for another failure",
    ),
    "what a code means": (
        {"errors": {"GONE": GONE}},
        {"errors": {"GONE": replace(GONE, description="d")}},
        'docs description_changed errors.GONE.description: the description is "d", was "It is gone."',
        'docs description_changed errors.GONE.description: the description is "It is gone.", was "d"',
    ),
    "data": (
        {"errors": {"X": GONE}},
        {"errors": {"X": replace(GONE, data=TEXT)}},
        "compatible error_data_added errors.X.data: X carries data now: clients ignore fields that they do not know",
        "breaking error_data_removed errors.X.data: X carries no data any more, which clients read",
    ),
    "data that is always there": (
        {"errors": {"X": replace(SOLD_OUT, data_required=False)}},
        {"errors": {"X": SOLD_OUT}},
        "compatible error_data_required errors.X.data: the data of X is always there now",
        "breaking error_data_optional errors.X.data: the data of X may be absent: clients that read it do not expect that",
    ),
    "other data": (
        {"errors": {"X": replace(SOLD_OUT, data=TEXT)}},
        {"errors": {"X": replace(SOLD_OUT, data=NULL)}},
        "breaking output_type_changed errors.X.data: is null, was string: clients may receive what they do not expect",
        "breaking output_type_changed errors.X.data: is string, was null: clients may receive what they do not expect",
    ),
    "a body": (
        {"input": NOTHING},
        {"input": {"type": "object"}},
        "breaking input_body_required input: an empty body was taken; now one is required: clients that send none are refused",
        "breaking input_extra_fields_refused input: has only the named fields, might have others: what was sent until now may be refused",
    ),
}
"""An old and a new route; the gravest change from one to the other, and back."""


ROUTES: dict[str, tuple[Row, Row, str, str]] = {
    name: ({}, *row) for name, row in CHANGES.items()
} | OTHER_CHANGES


@pytest.mark.parametrize(("old", "new", "there", "back"), ROUTES.values(), ids=ROUTES)
def test_a_change_of_a_route_and_its_reversal(
    old: dict[str, Any], new: dict[str, Any], there: str, back: str
) -> None:
    before, after = shop(order=replace(ROUTE, **old)), shop(order=replace(ROUTE, **new))

    for change, told in ((diff(before, after)[0], there), (diff(after, before)[0], back)):
        path = change.path.removeprefix("routes.order.")
        assert f"{change.level} {change.kind} {path}: {change.text}" == told
        assert change.route == "order"


OPTIONAL: dict[str, Any] = NOTHING | {"properties": {"a": TEXT}}


@rows(
    "old, new, found",
    (NOTHING, REFERENCE, ["compatible: input_field_added"]),
    (REFERENCE, {"anyOf": [REFERENCE, NULL]}, ["breaking: input_body_required"]),
    (NOTHING, {"$ref": "#/$defs/B"}, ["breaking: input_body_required"]),
)
def test_a_body_that_could_be_left_out(old: Any, new: Any, found: list[str]) -> None:
    """An input whose fields may all be left out need not be sent."""
    types = {"A": OPTIONAL, "B": {"$ref": "#/$defs/B"}}
    before, after = (shop(types, order=replace(ROUTE, input=each)) for each in (old, new))

    assert kinds(diff(before, after))[:1] == found


@rows(
    "old, new",
    ({"effect": "read", "cache": Caching(60, ("Origin",))}, {"effect": "read", "cache": Caching(60, ("origin",))}),
    ({"auth": "bearer", "requires": ("a", "b")}, {"auth": "bearer", "requires": ("b", "a")}),
    ids=["the case of headers", "the order of scopes"],
)  # fmt: skip
def test_what_means_the_same_is_no_change(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert diff(shop(order=replace(ROUTE, **old)), shop(order=replace(ROUTE, **new))) == ()


@rows(
    "deprecated, text",
    (None, "clients that call it get 404"),
    (Deprecation(), "it was deprecated, to be removed on no day in particular"),
    (Deprecation(remove_on="2027-01-01"), "it was deprecated, to be removed on 2027-01-01"),
)
def test_routes_come_and_go(deprecated: Deprecation | None, text: str) -> None:
    route = replace(ROUTE, deprecated=deprecated)
    (gone,) = diff(shop(order=route), shop())
    (new,) = diff(shop(), shop(order=route))

    assert (gone.level, gone.kind, gone.path) == ("breaking", "route_removed", "routes.order")
    assert gone.text.endswith(text)
    told = ("compatible", "route_added", "the route order is new")
    assert (new.level, new.kind, new.text) == told


def test_the_gravest_comes_first() -> None:
    found = diff(shop(a=ROUTE, b=ROUTE), shop(a=replace(ROUTE, summary="s"), c=ROUTE))

    removed, added = "breaking: route_removed", "compatible: route_added"
    assert kinds(found) == [removed, added, "docs: summary_changed"]


def test_a_builtin_is_told_of_once() -> None:
    old, new = (
        replace(shop(a=replace(ROUTE, errors=errors)), errors=errors)
        for errors in ({"GONE": GONE}, {"GONE": replace(GONE, status=404)})
    )
    (change,) = diff(old, new)

    assert (change.path, change.route) == ("errors.GONE.status", None)


def test_a_failure_concerns_code_once_it_has_left_its_last_route() -> None:
    """Until then its class is in the clients."""
    old = replace(ROUTE, errors={"GONE": GONE})
    both, one, none = shop(a=old, b=old), shop(a=ROUTE, b=old), shop(a=ROUTE, b=ROUTE)

    assert kinds(diff(both, one)) == ["compatible: error_removed"]
    assert kinds(diff(both, none)) == ["source: error_removed"] * 2


def test_a_failure_of_a_stream_keeps_its_class_in_code() -> None:
    old = replace(ROUTE, errors={"GONE": GONE})
    stream = replace(ROUTE, stream=ContractStream({"GONE": GONE}))

    changes = diff(shop(a=old, b=stream), shop(a=ROUTE, b=stream))

    assert kinds(changes) == ["compatible: error_removed"]


def test_codes_of_every_route() -> None:
    (new,) = diff(SHOP, replace(SHOP, errors={"GONE": GONE}))
    (gone,) = diff(replace(SHOP, errors={"GONE": GONE}), SHOP)

    assert (new.kind, new.level, new.route) == ("error_added", "breaking", None)
    assert (gone.kind, gone.level) == ("error_removed", "compatible")


def test_exports() -> None:
    old = replace(shop({"A": TEXT}), exports={"A": REFERENCE, "B": REFERENCE})
    new = replace(shop({"A": NULL}), exports={"A": REFERENCE, "C": REFERENCE})

    breaking = ["breaking: output_type_changed", "breaking: export_removed"]
    assert kinds(diff(old, new)) == [*breaking, "compatible: export_added"]


def test_the_input_form_of_an_export_is_compared_as_an_input() -> None:
    refs = {"A": "T", "AInput": "TInput", "BInput": "T"}
    exports = {name: {"$ref": f"#/$defs/{type_}"} for name, type_ in refs.items()}
    old, new = (
        replace(shop({"T": each, "TInput": each}), exports=exports) for each in (TEXT, NULL)
    )
    fewer = replace(old, exports={"A": exports["A"]})

    assert sorted((each.kind, each.path) for each in diff(old, new)) == [
        ("input_type_changed", "$defs.TInput"),
        ("output_type_changed", "$defs.T"),
    ]
    assert kinds(diff(fewer, old)) == ["compatible: export_added"] * 2


@rows(
    "old, new, kind",
    (Links(mcp="mcp"), Links(), "breaking: mcp_link_changed"),
    (Links(mcp="mcp"), Links(mcp="agents"), "breaking: mcp_link_changed"),
    (Links(), Links(mcp="mcp"), "compatible: mcp_link_changed"),
    (Links(docs="docs"), Links(), "docs: link_changed"),
    (Links(), Links(openapi="openapi.json"), "docs: link_changed"),
)
def test_links(old: Links, new: Links, kind: str) -> None:
    assert kinds(diff(replace(SHOP, links=old), replace(SHOP, links=new))) == [kind]


def test_what_the_service_calls_itself() -> None:
    old = replace(SHOP, ui={"authHint": "a", "sdkInstall": "s"})
    new = replace(SHOP, info=Info("Store", "2.0.0", "d"), ui={"authHint": "b", "sdkInstall": "s"})

    assert [(change.level, change.kind, change.path) for change in diff(old, new)] == [
        ("docs", "info_changed", "info.description"),
        ("docs", "info_changed", "info.title"),
        ("docs", "version_changed", "info.version"),
        ("docs", "ui_changed", "ui.authHint"),
    ]


def change(level: Level, kind: str = "x") -> Change:
    return Change(kind=kind, level=level, path="p", text="t")


@rows(
    "levels, wanted",
    (["docs", "breaking", "source"], "major"),
    (["docs", "source"], "minor"),
    (["compatible", "docs"], "minor"),
    (["docs"], "patch"),
    ([], "none"),
)
def test_the_gravest_change_decides_on_the_version(levels: list[Level], wanted: Bump) -> None:
    assert bump(map(change, levels)) == wanted


def test_the_version_itself_asks_for_none() -> None:
    assert bump([change("docs", "version_changed")]) == "none"


@rows(
    "old, new, wanted, fit",
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
)
def test_a_version_fits_or_does_not(old: str, new: str, wanted: Bump, fit: bool | None) -> None:
    assert fits(old, new, wanted) is fit


def test_the_lowest_version_that_fits() -> None:
    assert least("1.2.3", "major") == (2, 0, 0)
    assert least("1.2", "major") is None


def test_a_document_does_not_differ_from_itself() -> None:
    route = replace(ROUTE, input=NOTHING, output=REFERENCE, errors={"SOLD_OUT": SOLD_OUT})
    route = replace(route, mcp=TOOL, deprecated=Deprecation(use="b"))
    whole = replace(shop({"A": TEXT}, order=route), errors={"GONE": GONE}, exports={"A": REFERENCE})

    assert diff(whole, whole) == ()
