"""contract.json: what is read of it and written, and what is refused, with the place."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from contract.declare.tool import Tool
from contract.document import model
from contract.document.contract_json import canonical, dump_contract, load_contract
from contract.shape.exceptions import ContractException, DocumentError
from contract.shape.json_text import MAX_BYTES
from tests.documents import ABSENT, Path, changed, text, whole
from tests.tables import rows


def load(document: Any) -> model.Document:
    return load_contract(text(document))


def refusal(document: Any) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        load(document)
    return caught.value


def paths(*texts: str) -> list[Path]:
    """The paths in *texts*, such as ``ui.logo.light``, with spaces between them."""
    return [
        tuple(int(key) if key.isdigit() else key for key in each.split("."))
        for each in " ".join(texts).split()
    ]


def test_everything_is_read() -> None:
    found, source = load(whole()), whole()
    sold_out = model.ContractError(409, "Gone.", {"$ref": "#/$defs/SoldOut"}, data_required=True)
    nothing = {"type": "object", "properties": {}}
    not_found = model.ContractError(404, "There is none.", nothing, data_required=False)
    failed = model.ContractError(500, "The service failed.")
    tool = Tool(
        "order", "Order", read_only=False, destructive=False, idempotent=False, open_world=True
    )
    order = model.ContractRoute(
        path="order",
        summary="Order a product",
        description="All or nothing.",
        tags=("orders", "shop"),
        auth="bearer",
        scope="public",
        effect="write",
        deprecated=model.Deprecation("2026-01-31", "2027-02-28", "order.v2"),
        input={"$ref": "#/$defs/Tree"},
        output={"type": "null"},
        errors={"SOLD_OUT": sold_out, "NOT_FOUND": not_found},
        mcp=tool,
    )
    second = model.ContractRoute(
        path="order.v2",
        summary="Order a product",
        tags=(),
        auth="none",
        scope="private",
        effect="read",
        cache=model.Caching(60, ("Accept-Language",)),
        input={},
        output={"type": "object"},
        errors={},
    )

    assert found == model.Document(
        info=model.Info("Shop", "1.0.0", "A *small* shop."),
        ui=source["ui"],
        links=model.Links("docs", "openapi.json", "mcp"),
        defs=source["$defs"],
        errors={"INTERNAL_ERROR": failed, "NOT_FOUND": not_found},
        exports={"Wood": {"$ref": "#/$defs/Tree"}},
        routes={"order": order, "order.v2": second},
    )


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.999"])
def test_every_minor_version_of_the_major_is_read(version: str) -> None:
    load(changed(("contract",), version))


@pytest.mark.parametrize("version", ["2.0", "0.9", "10.0"])
def test_another_version_is_refused_before_anything_else(version: str) -> None:
    error = refusal({"contract": version})

    told = f"this is version {version}, and only 1.x can be read"
    assert (error.path, error.problem) == ("$.contract", told)


@pytest.mark.parametrize("version", ["1", "1.0.0", "01.0", "1.0\n", "\u0661.0", 1.0, ABSENT])
def test_what_is_no_version_is_refused_too(version: Any) -> None:
    error = refusal({} if version is ABSENT else {"contract": version})
    path, problem = "$.contract", "this is not a version, such as 1.0"
    if version is ABSENT:
        path, problem = "$", "the key 'contract' is missing"
    elif version == 1.0:
        problem = "this has to be a string, and is a number"

    assert (error.path, error.problem) == (path, problem)


@pytest.mark.parametrize(
    "holder", ["", "info.", "links.", "ui.", "ui.theme.", "errors.NOT_FOUND.", "routes.order.mcp."]
)
def test_what_a_later_minor_version_adds_is_passed_over(holder: str) -> None:
    [path] = paths(f"{holder}later")

    assert load(changed(path, {"$ref": 3})).routes == load(whole()).routes


REQUIRED = paths(
    "info info.title info.version ui ui.website.url ui.logo.light ui.navbarLinks.0.label",
    "ui.navbarLinks.0.href ui.notice.message links $defs $defs.Payment.discriminator.mapping",
    "$defs.Payment.discriminator.propertyName errors errors.INTERNAL_ERROR.status",
    "errors.INTERNAL_ERROR.description errors.NOT_FOUND.data_required exports exports.Wood.$ref",
    "routes routes.order.path routes.order.method routes.order.summary routes.order.tags",
    "routes.order.auth routes.order.scope routes.order.effect routes.order.input",
    "routes.order.output routes.order.errors routes.order.mcp.name routes.order.mcp.title",
    "routes.order.mcp.annotations routes.order.mcp.annotations.readOnlyHint",
    "routes.order.mcp.annotations.destructiveHint routes.order.mcp.annotations.idempotentHint",
    "routes.order.mcp.annotations.openWorldHint",
)


def shown(path: Path) -> str:
    return "$" + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)


@pytest.mark.parametrize("path", REQUIRED, ids=shown)
def test_what_has_to_be_there_is_missed(path: Path) -> None:
    error = refusal(changed(path, ABSENT))

    assert (error.path, error.problem) == (shown(path[:-1]), f"the key {path[-1]!r} is missing")


OPTIONAL = [
    *paths("info.description links.docs links.openapi links.mcp routes.order.description"),
    *paths("routes.order.deprecated routes.order.mcp routes.order.deprecated.since"),
    *paths("routes.order.deprecated.remove_on routes.order.deprecated.use"),
    *(("ui", key) for key in whole()["ui"]),
]


@pytest.mark.parametrize("path", OPTIONAL, ids=shown)
def test_what_may_be_left_out_is_none(path: Path) -> None:
    found: Any = load(changed(path, ABSENT))
    for key in path:
        found = found.get(key) if isinstance(found, dict) else getattr(found, str(key))

    assert found is None
    assert refusal(changed(path, None)).path == shown(path)  # null is not the same as left out


KINDS = {
    "an object": [
        (),
        *paths("info ui ui.website ui.navbarLinks.0 ui.notice $defs errors errors.NOT_FOUND"),
        *paths("errors.NOT_FOUND.data exports exports.Wood routes routes.order"),
        *paths("routes.order.deprecated routes.order.input routes.order.output"),
        *paths("routes.order.errors routes.order.mcp routes.order.mcp.annotations"),
    ],
    "an array": paths("ui.theme.fontUrls ui.navbarLinks ui.notice.links routes.order.tags"),
    "a string": paths(
        "info.title info.version info.description ui.website.url ui.logo.dark ui.favicon",
        "ui.theme.accent ui.theme.fontUrls.0 ui.sdkInstall ui.authHint links.docs",
        "errors.NOT_FOUND.description routes.order.path routes.order.summary",
        "routes.order.description routes.order.tags.1 routes.order.auth",
        "routes.order.deprecated.since",
    ),
    "true or false": paths(
        "ui.navbarLinks.0.external ui.footer.poweredBy errors.NOT_FOUND.data_required",
        "routes.order.mcp.annotations.openWorldHint",
    ),
    "an integer": paths("errors.NOT_FOUND.status"),
}
VALUES: list[tuple[Any, str]] = [
    ({}, "an object"),
    ([], "an array"),
    ("x", "a string"),
    (True, "true or false"),
    (1, "an integer"),
    (1.5, "a number"),
    (None, "null"),
]


@pytest.mark.parametrize("wanted", KINDS)
def test_another_type_is_refused(wanted: str) -> None:
    for path in KINDS[wanted]:
        for value, kind in VALUES:
            if kind != wanted:
                error = refusal(changed(path, value))
                problem = f"this has to be {wanted}, and is {kind}"
                assert (error.path, error.problem) == (shown(path), problem)


LINK = "this is not a relative path, such as docs"
NO_DAY = "this does not match [0-9]{4}-[0-9]{2}-[0-9]{2}"
NAME = "this does not match [A-Za-z][A-Za-z0-9_.-]*"
NO_ROUTE = "there is no other route of this name"


@rows(
    "where, value, problem",
    ("errors.NOT_FOUND.status", 200, "this is not from 400 to 599"),
    ("errors.NOT_FOUND.status", 600, "this is not from 400 to 599"),
    ("links.docs", "javascript:alert(1)", LINK),
    ("links.docs", "DATA:text/html,x", LINK),
    ("links.docs", "", LINK),
    ("links.docs", "java\tscript:x", LINK),
    ("links.openapi", "https://evil.example/openapi.json", LINK),
    ("links.openapi", "//evil.example", LINK),
    ("links.mcp", "/mcp", LINK),
    ("links.mcp", "\\\\evil.example", LINK),
    ("links.mcp", "mcp\n", LINK),
    ("routes.order.path", "order.v2", "this is not the name of the route"),
    ("routes.order.path", "Order", "this is not the name of the route"),
    ("routes.order.path", "../admin", NAME),
    ("routes.order.path", "order\n", NAME),
    ("routes.order.method", "GET", "this is not one of POST"),
    ("routes.order.tags.1", "orders", "the array has this twice"),
    ("routes.order.auth", "basic", "this is not one of none, optional, bearer"),
    ("routes.order.requires", "a", "this has to be an array, and is a string"),
    ("routes.order.scope", "secret", "this is not one of public, private"),
    ("routes.order.effect", "no", "this is not one of read, idempotent, write, destructive"),
    ("routes.order.cache", {"max_age": 1}, "only a read can have this: it is called at GET"),
    ("routes.order.deprecated.since", "2026-02-30", "there is no such day"),
    ("routes.order.deprecated.since", "20260228", NO_DAY),
    ("routes.order.deprecated.use", "gone", NO_ROUTE),
    ("routes.order.deprecated.use", "order", NO_ROUTE),
    ("routes.order.deprecated.use", "", NAME),
    ("routes.order.mcp.name", "a tool", "this does not match [A-Za-z0-9_.-]{1,128}"),
)
def test_other_values_are_refused(where: str, value: Any, problem: str) -> None:
    [path] = paths(where)
    error = refusal(changed(path, value))

    assert (error.path, error.problem) == (shown(path), problem)


def grouped(group: Any) -> Any:
    """A document with a route in *group*."""
    document: Any = whole()
    routes = document["routes"]
    routes["shop.old.v1"] = {**routes["order.v2"], "path": "shop.old.v1", "group": group}
    return document


@pytest.mark.parametrize("group", ["shop", "shop.old"])
def test_a_route_says_which_group_it_is_in(group: str) -> None:
    read = load(grouped(group))

    assert read.routes["shop.old.v1"].group == group
    assert read.routes["order"].group is None
    assert load_contract(dump_contract(read)) == read


def test_no_route_is_called_like_a_group() -> None:
    document = grouped("shop.old")
    document["routes"]["shop"] = {**document["routes"]["order.v2"], "path": "shop"}

    told = '$.routes["shop.old.v1"].group: the route shop has the name of a group'
    assert str(refusal(document)) == told


@rows(
    "group, problem",
    ("orders", "the path of the route does not begin with it and a dot"),
    ("shop.old.v1", "the path of the route does not begin with it and a dot"),
    ("shop.", "this does not match [A-Za-z][A-Za-z0-9_-]*(\\.[A-Za-z][A-Za-z0-9_-]*)*"),
    (1, "this has to be a string, and is an integer"),
)
def test_a_group_is_the_beginning_of_the_path(group: Any, problem: str) -> None:
    error = refusal(grouped(group))

    assert (error.path, error.problem) == ('$.routes["shop.old.v1"].group', problem)


@rows(
    "cache, place, problem",
    ({"max_age": -1}, "max_age", "this is not from 0 to 2147483647"),
    ({"max_age": 2**31}, "max_age", "this is not from 0 to 2147483647"),
    ({"max_age": 1, "vary": ["a", "*"]}, "vary[1]", r"this does not match (?!\*\Z)[A-Z"),
    ({"max_age": 1, "vary": ["a:b"]}, "vary[0]", "this does not match"),
    ({"max_age": 1, "vary": ["a\n"]}, "vary[0]", "this does not match"),
)
def test_what_no_cache_could_be_told_is_refused(cache: Any, place: str, problem: str) -> None:
    error = refusal(changed(("routes", "order.v2", "cache"), cache))

    assert error.path == f'$.routes["order.v2"].cache.{place}'
    assert error.problem.startswith(problem)


def test_a_cached_read_need_name_no_headers() -> None:
    found = load(changed(("routes", "order.v2", "cache"), {"max_age": 0}))

    assert found.routes["order.v2"].cache == model.Caching(0)
    assert load_contract(dump_contract(found)) == found


@pytest.mark.parametrize("scope", ["", "two words", 'a"b', "a\\b", "caf\xe9", "a\n", 3])
def test_a_scope_is_one_of_oauth(scope: Any) -> None:
    """(RFC 6749, section 3.3)."""
    error = refusal(changed(("routes", "order", "requires"), ["a", scope]))

    assert error.path == "$.routes.order.requires[1]"


@rows(
    "route, scopes, told",
    ("order", ["a", "a"], "$.routes.order.requires[1]: the array has this twice"),
    ("order.v2", ["a"], '$.routes["order.v2"].requires: only a route that needs a token can require scopes of it'),
)  # fmt: skip
def test_only_a_token_that_is_needed_can_be_asked_for_scopes(
    route: str, scopes: list[str], told: str
) -> None:
    assert str(refusal(changed(("routes", route, "requires"), scopes))) == told


def test_scopes_and_optional_tokens_are_read_and_written() -> None:
    document = changed(("routes", "order", "requires"), ["orders:write", "a"])
    document["routes"]["order.v2"]["auth"] = "optional"
    found = load(document)

    assert found.routes["order"].requires == ("orders:write", "a")
    assert found.routes["order.v2"].auth == "optional"
    assert load_contract(dump_contract(found)) == found
    assert b'"requires"' not in dump_contract(load(whole()))


@rows("link", ".", "..", "docs", "./docs", "a/b.html", "a%20b/~me", "@1;v=2,(3)")
def test_links_are_relative_paths(link: str) -> None:
    assert load(changed(("links", "docs"), link)).links.docs == link


def test_two_routes_are_not_one_tool() -> None:
    document: Any = whole()
    routes = document["routes"]
    routes["order.v2"]["mcp"] = routes["order"]["mcp"]

    told = '$.routes["order.v2"].mcp.name: the route order is a tool of this name, too'
    assert str(refusal(document)) == told
    routes["order.v2"]["mcp"] = {**routes["order"]["mcp"], "name": "order_v2"}
    assert load(document).routes["order.v2"].mcp is not None


def test_an_export_is_nothing_but_a_reference() -> None:
    error = refusal(changed(("exports", "Wood", "description"), "More."))

    assert str(error) == "$.exports.Wood: an export must be a reference and nothing else"


@rows("key, other", ("status", 410), ("description", "Another."), ("data", {}), ("data_required", True))  # fmt: skip
def test_an_error_code_says_the_same_everywhere(key: str, other: Any) -> None:
    error = refusal(changed(("routes", "order", "errors", "NOT_FOUND", key), other))

    place = "$.routes.order.errors.NOT_FOUND"
    assert str(error) == f"{place}: another error of this code has other contents"


WRITE = "write one that matches "


@rows(
    "where, names, problem",
    ("routes", ["1st", "a/b", ""], f"a route; {WRITE}[A-Za-z][A-Za-z0-9_.-]*"),
    ("$defs", ["A.B", "__proto__", "A" * 101], f"a type; {WRITE}[A-Za-z][A-Za-z0-9_]{{0,99}}"),
    ("exports", ["\u00c4"], f"an export; {WRITE}[A-Za-z][A-Za-z0-9_]{{0,99}}"),
    ("errors", ["not_found"], f"an error; {WRITE}[A-Z][A-Z0-9_]{{0,63}}"),
    ("routes.order.errors", ["A" * 65], f"an error; {WRITE}[A-Z][A-Z0-9_]{{0,63}}"),
)
def test_names_are_legal(where: str, names: list[str], problem: str) -> None:
    [path] = paths(where)
    for name in names:
        error = refusal(changed((*path, name), {}))
        assert error.path.startswith(shown(path))
        assert error.problem == f"this is not a valid name for {problem}"


def test_the_exception_is_one_of_ours_and_says_where() -> None:
    error = refusal(changed(("routes", "order.v2", "input"), 3))

    assert isinstance(error, ContractException)
    assert isinstance(error, ValueError)
    assert str(error) == '$.routes["order.v2"].input: this has to be an object, and is an integer'


# A document, written.


EMPTY = model.Document(
    info=model.Info("T", "1"), ui={}, links=model.Links(), defs={}, errors={}, exports={}, routes={}
)


def test_what_was_read_is_written_again() -> None:
    data = text(whole())
    document = load_contract(data)

    assert dump_contract(document) == data
    assert load_contract(dump_contract(document)) == document


def test_it_is_sorted_and_readable() -> None:
    assert dump_contract(EMPTY) == (
        b'{\n  "$defs": {},\n  "contract": "1.0",\n  "errors": {},\n  "exports": {},\n  "info": {\n    "title": "T",\n    "version": "1"\n'
        b'  },\n  "links": {},\n  "routes": {},\n  "ui": {}\n}\n'
    )


def test_mappings_of_every_kind_are_written() -> None:
    document = replace(EMPTY, defs=MappingProxyType({"A": MappingProxyType({"type": "null"})}))

    assert load_contract(dump_contract(document)) == document


UNWRITTEN = "it cannot be written: "


@rows(
    "default, where, problem",
    (object(), "", f"{UNWRITTEN}Type is not JSON serializable: object"),
    ([1, "\ud800"], "[1]", UNWRITTEN),
    ([{"a": 1}, {"\ud800": 1}], "[1]", UNWRITTEN),
    ({"a": 2**64}, ".a", UNWRITTEN),
    (float("nan"), "", "JSON has neither infinite numbers nor NaN"),
)
def test_what_json_has_not_is_refused(default: Any, where: str, problem: str) -> None:
    with pytest.raises(DocumentError) as caught:
        dump_contract(replace(EMPTY, defs={"A": {"default": default}}))

    assert caught.value.path == f"$.$defs.A.default{where}"
    assert caught.value.problem.startswith(problem)


def test_what_no_reader_would_take_is_not_written() -> None:
    deep: Any = []
    for _ in range(250):
        deep = [deep]
    with pytest.raises(DocumentError, match="inside more than 200"):
        dump_contract(replace(EMPTY, defs={"A": {"default": deep}}))
    with pytest.raises(DocumentError, match=f"and a reader takes at most {MAX_BYTES}"):
        dump_contract(replace(EMPTY, ui={"authHint": "a" * MAX_BYTES}))


def test_canonical_is_for_any_object() -> None:
    assert canonical({"b": [1, {"d": None, "c": "é"}], "a": {}}) == (
        '{\n  "a": {},\n  "b": [\n    1,\n    {\n      "c": "é",\n      "d": null\n    }\n  ]\n}\n'.encode()
    )
