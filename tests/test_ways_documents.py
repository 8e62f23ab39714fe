"""Ways in, on paper: contract.json, OpenAPI, diff, llms.txt, the mock and the commands."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contract import SpecError, cookie, emit_contract, emit_openapi, group, routes, spec
from contract.cli.mock import welcome
from contract.codegen.package import package_of
from contract.declare.spec import _check_ways
from contract.document.contract_json import dump_contract, load_contract
from contract.document.describe import describe
from contract.document.diff import diff
from contract.document.model import Document
from contract.explorer.llms import llms
from contract.shape.exceptions import DocumentError
from contract.testing import Client
from contract.testing.mock import MockService
from tests.cli_inside import run
from tests.cli_urls import documents
from tests.diffs import ROUTE, kinds, shop
from tests.tables import rows
from tests.three_ways import KEY, api, keyed, page, page_of, paged, user_of, who

EMITTED: dict[str, Any] = json.loads(emit_contract(api))


def changed(**members: Any) -> bytes:
    return json.dumps({**EMITTED, **members}).encode()


def test_contract_json_names_the_ways_and_those_of_each_route() -> None:
    assert EMITTED["ways"] == {"X-Key": {"in": "header"}, "sid": {"in": "cookie"}}
    assert EMITTED["routes"]["who"]["auth"] == "bearer"
    assert EMITTED["routes"]["who"]["ways"] == ["bearer", "X-Key", "sid"]
    assert "ways" not in EMITTED["routes"]["ping"]
    assert dump_contract(load_contract(emit_contract(api))) == emit_contract(api)


BY_KEY = "a key in the header X-Key"


@rows(
    "made, hint",
    (api, f"Send a bearer token in the Authorization header or {BY_KEY} or the cookie sid."),
    (keyed, f"Send {BY_KEY}."),
    (paged, "Send the cookie sid."),
)
def test_people_are_told_how_to_be_let_in(made: Any, hint: str) -> None:
    assert json.loads(emit_contract(made))["ui"]["authHint"] == hint


def test_no_hint_is_made_up_where_routes_take_different_ways() -> None:
    """It would stand beside routes that do not take what it names."""
    robots = group("robots", routes=routes(who), authenticate=KEY)
    made = spec(authenticate=user_of, routes=routes(page, robots))

    assert "authHint" not in describe(made).ui
    text = llms(describe(made), contract="../contract.json", server="..").decode()
    assert "- Token, for routes that say so (`Authorization: Bearer TOKEN`)\n" in text
    assert "- In place of a token, for routes that name X-Key: `X-Key: KEY`\n" in text


def test_a_hint_of_the_authors_stays() -> None:
    made = replace(api, meta=replace(api.meta, auth_hint="Ask Ada."))

    assert describe(made).ui["authHint"] == "Ask Ada."


PLACE = r"routes\.who\.ways"


def who_is(**members: Any) -> bytes:
    return changed(routes={"who": EMITTED["routes"]["who"] | members})


@rows(
    "data, problem",
    (changed(ways={"X-Key": {"in": "query"}}), r"\$\.ways\.X-Key\.in: this is not one of"),
    (changed(ways={"X Key": {"in": "header"}}), "this is not a valid name for a way in"),
    (changed(ways={"bearer": {"in": "header"}}), "this is not a valid name for a way in"),
    (changed(ways={"sid": {"in": "cookie"}}), rf"{PLACE}\[1\]: there is no way in of this name"),
    (who_is(auth="none"), f"{PLACE}: a route without auth has no ways in"),
    (who_is(ways=["sid", "sid"]), "the array has this twice"),
)  # fmt: skip
def test_a_document_that_contradicts_itself_is_refused(data: bytes, problem: str) -> None:
    with pytest.raises(DocumentError, match=problem):
        load_contract(data)


def test_openapi_has_a_scheme_for_each_and_alternatives_for_routes() -> None:
    found = json.loads(emit_openapi(api))

    assert found["components"]["securitySchemes"] == {
        "bearer": {"type": "http", "scheme": "bearer"},
        "X-Key": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "sid": {"type": "apiKey", "in": "cookie", "name": "sid"},
    }
    security = found["paths"]["/who"]["post"]["security"]
    assert security == [{"bearer": []}, {"X-Key": []}, {"sid": []}]
    assert found["paths"]["/ping"]["post"]["security"] == []
    assert "bearer" not in json.loads(emit_openapi(keyed))["components"]["securitySchemes"]


PLAIN = replace(ROUTE, auth="bearer")
THREE = replace(PLAIN, ways=("bearer", "X-Key"))


@rows(
    "old, new, found",
    (PLAIN, THREE, ["compatible: way_added"]),
    (THREE, PLAIN, ["breaking: way_removed"]),
    (PLAIN, replace(PLAIN, ways=("sid",)), ["breaking: way_removed", "compatible: way_added"]),
    (THREE, replace(THREE, ways=("X-Key", "bearer")), []),
    (ROUTE, THREE, ["breaking: auth_required"]),
    (THREE, ROUTE, ["compatible: auth_dropped"]),
)
def test_a_way_that_goes_away_breaks_its_callers(old: Any, new: Any, found: list[str]) -> None:
    assert kinds(diff(shop(order=old), shop(order=new))) == found


def test_a_key_that_becomes_a_cookie_breaks_its_callers() -> None:
    route = replace(PLAIN, ways=("sid",))
    header, cookie_ = (
        replace(shop(order=route), ways={"sid": place}) for place in ("header", "cookie")
    )

    assert diff(header, header) == ()
    for old, new in ((header, cookie_), (cookie_, header)):
        [change] = diff(old, new)
        assert (change.level, change.kind, change.path) == ("breaking", "way_moved", "ways.sid")


def test_a_header_in_another_case_is_the_same_header() -> None:
    def keyed(name: str, place: str, other: str = "sid") -> Document:
        route = replace(PLAIN, ways=("bearer", name, other))
        ways: Any = {name: place, other: "cookie"}
        return replace(shop(order=route), ways=ways)

    [change] = diff(keyed("X-Key", "header"), keyed("x-key", "header"))

    assert (change.level, change.kind, change.path) == ("docs", "way_respelled", "ways.x-key")
    assert change.text == 'the header is written "x-key", was "X-Key", which is the same'
    for old, new in (
        (keyed("X-Key", "cookie"), keyed("x-key", "cookie")),
        (keyed("X-Key", "header"), keyed("x-key", "cookie")),
        (keyed("X-Key", "header"), keyed("X-Keys", "header")),
    ):
        assert kinds(diff(old, new)) == ["breaking: way_removed", "compatible: way_added"]


def test_agents_read_of_them() -> None:
    text = llms(describe(api), contract="/contract.json", server="/v1").decode()

    assert "- In place of a token, for routes that name X-Key: `X-Key: KEY`" in text
    assert "- In place of a token, for routes that name sid: `Cookie: sid=VALUE`" in text
    assert "needs a token or X-Key or sid" in text


def mocked(made: Any) -> MockService:
    return MockService(package_of(describe(made)))


def test_a_mock_takes_any_credential_of_a_way_that_there_is() -> None:
    client = Client(mocked(api))
    sent: list[dict[str, str]] = [
        {"authorization": "Bearer any"},
        {"x-key": "any"},
        {"cookie": "sid=any", "sec-fetch-site": "none"},
        {},
        {"x-key": "any", "authorization": "Bearer any"},
    ]

    assert [client.call("who", headers=each).status for each in sent] == [200, 200, 200, 401, 400]
    keys = Client(mocked(keyed))
    assert [keys.call("who", headers=each).status for each in sent[:2]] == [401, 200]


@rows(
    "made, command",
    (api, "--token any"),
    (keyed, "--header 'X-Key: any'"),
    (paged, "--header 'Cookie: sid=any' --header 'Sec-Fetch-Site: none'"),
)
def test_the_welcome_of_a_mock_shows_how_to_call(made: Any, command: str) -> None:
    service = mocked(made)
    name = next(name for name in service.package.operations if name != "ping")
    routes = {name: service.package.document.routes[name]}
    only = MockService(package_of(replace(service.package.document, routes=routes)))

    assert command in welcome("contract.json", only, "http://h:1")


NEEDS = {
    "authorization": "a bearer token: --token T",
    "x-key": "a key: --header 'X-Key: K'",
    "cookie": "a cookie: --header 'Cookie: sid=V'",
}


@rows("route, told", ("who", NEEDS), ("ping", {}))
def test_a_call_from_the_command_line_is_told_what_it_needs(
    route: str, told: dict[str, str], tmp_path: Path
) -> None:
    with documents(emit_contract(api)) as server:
        done = run("call", server.url, route, cwd=tmp_path)
        given = [
            run("call", server.url, route, "--header", f"{header}: x", cwd=tmp_path)
            for header in told
        ]

    said = f"{route} needs {' or '.join(told.values())}\n"
    assert (said in done.err) is bool(told)
    assert [each.err for each in given if " needs " in each.err] == []


def test_ways_are_told_apart_by_their_names() -> None:
    other = cookie(page_of, name="x-key")
    paged_entries = spec(authenticate=other, routes=routes(page)).entries

    with pytest.raises(SpecError, match=r"who and page: the header X-Key and the cookie x-key"):
        _check_ways({**keyed.entries, **paged_entries})
    _check_ways({**keyed.entries, **api.entries, **paged.entries})
