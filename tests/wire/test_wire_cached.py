"""Cached reads: calls by GET, over every transport and lane."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Annotated, Any
from urllib.parse import quote

import orjson
from annotated_types import Ge

import contract
from tests.tables import rows
from tests.wire.exchange import JSON, SERVED, Exchange, RawRequest, RawResponse, Transport, serve
from tests.wire.lanes import DOORS, RUNS, Door, Runs, let_in


class Gone(contract.Failure, status=410):
    """It was sold."""


@dataclass(frozen=True)
class Find:
    text: str = "all"
    limit: Annotated[int, Ge(1)] = 3


@dataclass(frozen=True)
class Page:
    found: list[str]


RAN: list[str] = []
ENDS: list[str] = []


@contract.provide
def session() -> Iterator[None]:
    try:
        yield
        ENDS.append("committed")
    except contract.CallFailed as failed:
        ENDS.append(failed.code)


@contract.provide
async def session_later() -> AsyncIterator[None]:
    try:
        yield
        ENDS.append("committed")
    except contract.CallFailed as failed:
        ENDS.append(failed.code)


def found(input: Find) -> Page | Gone:
    RAN.append(input.text)
    out = contract.current_call().headers_out
    if input.text == "gone":
        return Gone()
    if input.text == "raise":
        raise RuntimeError("canary")
    if input.text == "cookie":
        out.set_cookie("seen", "1")
    if input.text == "told":
        out.set("X-Total", "7")
    return Page([input.text] * input.limit)


def here(input: Find, ctx: object) -> Page | Gone:
    if input.text == "late":
        time.sleep(0.3)
        return Page([])  # to nobody; another test may be running
    if input.text == "values":
        session()
    return found(input)


async def on_loop(input: Find, ctx: object) -> Page | Gone:
    await asyncio.sleep(0.3 if input.text == "late" else 0)
    if input.text == "values":
        await session_later()
    return found(input)


def authenticate(token: str, request: contract.Request) -> str | None:
    return token if token == "good" else None


def make(door: Door = "public", runs: Runs = "sync", **more: Any) -> contract.Spec[Any]:
    auth: Any = "none" if door == "public" else "bearer"
    options: dict[str, Any] = {"summary": "Find", "tags": ["t"], "effect": "read", "name": "find"}
    options |= {"cache": contract.Cache(max_age=60), "inline": runs == "inline", **more}
    decorate: Any = contract.route
    made: Any = decorate(auth=auth, **options)(on_loop if runs == "async" else here)
    return let_in(door, authenticate, made)


TOKEN = ("Authorization", "Bearer good")
ID = ("X-Request-Id", "id-1")


def url(input: object, path: str = "/v1/find") -> str:
    return f"{path}?input={quote(orjson.dumps(input))}"


def get(target: str, *headers: tuple[str, str], method: str = "GET") -> RawRequest:
    return RawRequest(method=method, target=target, headers=(ID, *headers))


def post(input: object, *headers: tuple[str, str]) -> RawRequest:
    return RawRequest(target="/v1/find", headers=(JSON, ID, *headers), body=orjson.dumps(input))


def tag_of(body: bytes) -> str:
    return f'"{sha256(body).hexdigest()[:32]}"'


def said(response: RawResponse) -> dict[str, str]:
    return {name: value for name, value in response.headers if name != "content-length"}


@rows("runs", *RUNS)
@rows("door", *DOORS)
def test_a_read_is_served_at_get_as_at_post(transport: Transport, door: Door, runs: Runs) -> None:
    exchange = serve(transport, make(door, runs))
    token = () if door == "public" else (TOKEN,)
    body = b'{"found":["a&b=c +","a&b=c +"]}'
    asked = get(url({"text": "a&b=c +", "limit": 2}), *token)
    first = exchange(asked)
    again = exchange(get(asked.target, *token, ("If-None-Match", tag_of(body))))
    head = exchange(get(asked.target, *token, method="HEAD"))
    posted = exchange(post({"text": "a&b=c +", "limit": 2}, *token))

    caching = {
        "x-content-type-options": "nosniff",
        "cache-control": "public, max-age=60" if door == "public" else "private, max-age=60",
        "etag": tag_of(body),
        "x-request-id": "id-1",
        **({} if door == "public" else {"vary": "Authorization"}),
    }
    shown = {**caching, "content-type": "application/json"}
    assert (first.status, first.body, said(first)) == (200, body, shown)
    assert (again.status, again.body, said(again)) == (304, b"", caching)
    assert again.header("content-length") is None
    assert (head.status, head.body, said(head)) == (200, b"", shown)
    assert (posted.status, posted.body, posted.header("cache-control")) == (200, body, "no-store")
    assert posted.header("etag") is posted.header("vary") is None


@rows("runs", "sync", "async")
@rows("door", "public", "sync")
def test_a_deadline_is_one_of_a_get_too(transport: Transport, door: Door, runs: Runs) -> None:
    patient = serve(transport, make(door, runs), limits=contract.Limits(deadline_seconds=30))
    hasty = serve(transport, make(door, runs), limits=contract.Limits(deadline_seconds=0.05))
    good = patient(get(url({"limit": 1}), TOKEN))
    late = hasty(get(url({"text": "late"}), TOKEN, ("If-None-Match", "*")))

    assert (good.status, good.json()) == (200, {"found": ["all"]})
    assert (late.status, late.header("cache-control")) == (504, "no-store")


@rows("door", *DOORS)
def test_who_is_let_in_is_asked_first_and_what_is_refused_is_kept_by_nobody(
    transport: Transport, door: Door
) -> None:
    exchange = serve(transport, make(door))
    RAN.clear()
    wrong = [url({"text": 1}), url({"limit": 0}), "/v1/find?input={", "/v1/find?page=1"]
    for target in wrong if door != "public" else []:
        for headers in ((), (("Authorization", "Bearer bad"),)):
            response = exchange(get(target, *headers, ("If-None-Match", "*")))
            assert (response.status, response.json()) == (401, {"error": "UNAUTHORIZED"})
            response.check(cache_control="no-store", etag=None)
    token = () if door == "public" else (TOKEN,)
    for target in wrong:
        response = exchange(get(target, *token, ("If-None-Match", "*")))
        response.check(400, cache_control="no-store")

    assert RAN == []


def test_failures_and_faults_are_kept_by_nobody(transport: Transport) -> None:
    exchange = serve(transport, make())
    gone = exchange(get(url({"text": "gone"}), ("If-None-Match", "*")))
    fault = exchange(get(url({"text": "raise"}), ("If-None-Match", "*")))

    for response, status, code in ((gone, 410, "GONE"), (fault, 500, "INTERNAL_ERROR")):
        assert (response.status, response.json()) == (status, {"error": code})
        assert (response.header("cache-control"), response.header("etag")) == ("no-store", None)


def test_an_input_is_refused_as_in_a_body(transport: Transport) -> None:
    exchange = serve(transport, make())
    wrong: list[object] = [{"text": 1}, {"more": 1}, {"limit": 0}, [], "x", {"limit": "1"}]
    for input in wrong:
        by_get, by_post = exchange(get(url(input))), exchange(post(input))
        assert by_get.status == by_post.status == 400
        assert by_get.json() == by_post.json()

    for target in ("/v1/find?input=%FF", "/v1/find?input={", "/v1/find?input=%00"):
        response = exchange(get(target))
        assert (response.status, response.json()["error"]) == (400, "VALIDATION_ERROR")


@rows("target", "/v1/find", "/v1/find?input=", "/v1/find?input=%7B%7D")
def test_an_input_that_may_be_left_out_is(transport: Transport, target: str) -> None:
    response = serve(transport, make())(get(target))

    assert (response.status, response.json()) == (200, {"found": ["all"] * 3})


def test_a_url_is_read_in_one_way(transport: Transport) -> None:
    exchange = serve(transport, make())

    def told(query: str) -> tuple[int, str, str]:
        response = exchange(get(f"/v1/find?{query}"))
        error = response.json()
        return response.status, error["error"], error["data"]["message"]

    one = "A GET of a route takes one parameter, input, which holds the input as percent-encoded"
    for query in ("page=1", "input=1&page=1", "input=1&input=2", "Input=1", "%69nput=1", "&", "="):
        status, code, message = told(query)
        assert (status, code) == (400, "BAD_REQUEST"), query
        assert message.startswith(one)
    undecoded = (
        "The parameter input is not percent-encoded: a % needs two hexadecimal digits "
        "behind it, and a URL has only printable ASCII."
    )
    for query in ("input=%", "input=%4", "input=%GG", "input=%u0041"):
        assert told(query)[1:] == ("BAD_REQUEST", undecoded)
    plus = exchange(get("/v1/find?input=%7B%22text%22:+%22a+b%2Bc%22%7D"))
    assert plus.json()["found"][0] == "a b+c"
    typed = exchange(get('/v1/find?input={"text":"typed"}'))
    assert typed.json()["found"][0] == "typed"


def test_a_long_url_is_refused_with_the_mend(transport: Transport) -> None:
    exchange = serve(transport, make())
    fits = len("/v1/find?") + 8192
    target = url({"text": "x" * 9000})
    longest, over = url({"text": "%" + "x" * 100}), target[: fits + 1]
    assert exchange(get(longest)).status == 200

    refused = exchange(get(over))
    message = "At most 8192 characters may follow the ? of a URL; use POST instead."
    assert refused.status == 414
    assert refused.json() == {"error": "BAD_REQUEST", "data": {"message": message}}
    padded = f"/v1/find?input={'%20' * 2000}" + quote('{"text":"y"}')
    padded += "+" * (fits - len(padded))
    assert exchange(get(padded)).json()["found"][0] == "y"


@rows(
    "more, body, chunked", ((), b"{}", False), ((JSON,), b'{"text":"b"}', False), ((), b"x", True)
)
def test_a_body_of_a_get_is_refused(
    transport: Transport, more: tuple[Any, ...], body: bytes, chunked: bool
) -> None:
    exchange = serve(transport, make("sync"))
    asked = RawRequest("GET", "/v1/find", (TOKEN,), length="0")
    response = exchange(
        replace(asked, headers=(TOKEN, *more), body=body, chunked=chunked, length="true")
    )

    assert (response.status, response.json()["error"]) == (400, "BAD_REQUEST")
    assert "A GET has no body" in response.json()["data"]["message"]
    assert exchange(asked).status == 200


@rows(
    "sent, status",
    ("*", 304), ("{tag}", 304), ("W/{tag}", 304), ('"a", W/"b",{tag}', 304), ('"a"', 200),
    ("", 200), ('W/"a", "b"', 200),
)  # fmt: skip
def test_if_none_match_is_compared_weakly(transport: Transport, sent: str, status: int) -> None:
    exchange = serve(transport, make())
    tag = tag_of(b'{"found":["all","all","all"]}')
    response = exchange(get("/v1/find", ("If-None-Match", sent.format(tag=tag))))

    assert (response.status, response.header("etag")) == (status, tag)


@rows(
    "sent, status",
    ("*", 200), ("{tag}", 200), ('W/"a", "b",{tag}', 200), ('"a"', 412), ("W/{tag}", 412),
    ("", 412),
)  # fmt: skip
def test_if_match_is_compared_strongly(transport: Transport, sent: str, status: int) -> None:
    exchange = serve(transport, make())
    tag = tag_of(b'{"found":["all","all","all"]}')
    wanted = ("If-Match", sent.format(tag=tag))
    response = exchange(get("/v1/find", wanted))
    head = exchange(get("/v1/find", wanted, method="HEAD"))
    known = exchange(get("/v1/find", wanted, ("If-None-Match", "*")))
    posted = exchange(post({}, wanted))
    gone = exchange(get(url({"text": "gone"}), wanted))

    assert (response.status, head.status, posted.status, gone.status) == (status, status, 200, 410)
    assert known.status == (304 if status == 200 else 412)
    if status == 412:
        response.check(cache_control="no-store", etag=None)
        assert (response.json()["error"], head.body) == ("BAD_REQUEST", b"")


@rows("runs", *RUNS)
@rows("door", *DOORS)
def test_what_is_refused_commits_nothing(transport: Transport, door: Door, runs: Runs) -> None:
    exchange = serve(transport, make(door, runs))
    token = () if door == "public" else (TOKEN,)
    ENDS.clear()
    found = [
        exchange(get(url({"text": "values"}), *token, (header, "*" if is_good else '"a"'))).status
        for header in ("If-Match", "If-None-Match")
        for is_good in (True, False)
    ]

    posted = exchange(post({"text": "values"}, *token, ("If-Match", '"a"')))

    assert [*found, posted.status] == [200, 412, 304, 200, 200]
    assert ENDS == ["committed", "BAD_REQUEST", "committed", "committed", "committed"]


def test_an_answer_that_sets_a_cookie_is_kept_by_nobody(transport: Transport) -> None:
    response = serve(transport, make())(get(url({"text": "cookie"}), ("If-None-Match", "*")))

    response.check(200, cache_control="no-store", etag=None)
    assert (response.header("set-cookie") or "").startswith("seen=1")


def test_headers_of_the_answer_are_sent_with_both(transport: Transport) -> None:
    exchange = serve(transport, make(), cors_origins=["https://app.example"])
    page = ("Origin", "https://app.example")
    first = exchange(get(url({"text": "told"}), page))
    again = exchange(get(url({"text": "told"}), page, ("If-None-Match", "*")))

    assert (first.status, again.status) == (200, 304)
    for response in (first, again):
        response.check(
            x_total="7", vary="Origin", access_control_allow_origin="https://app.example"
        )
        exposed = "x-request-id, retry-after, etag, x-total"
        assert response.header("access-control-expose-headers") == exposed


def test_pages_are_told_that_they_may_get_it(transport: Transport) -> None:
    exchange = serve(transport, make("sync"), cors_origins=["https://app.example"])
    mine = exchange(get("/v1/find", ("Origin", "https://app.example"), method="OPTIONS"))
    other = exchange(get("/v1/find", method="OPTIONS"))
    guarded = exchange(get("/v1/find", TOKEN, ("Origin", "https://app.example")))

    assert mine.header("allow") == other.header("allow") == "GET, HEAD, OPTIONS, POST"
    assert mine.header("access-control-allow-methods") == "GET, HEAD, POST"
    sent = "authorization, content-type, x-request-id, if-none-match, if-match"
    assert mine.header("access-control-allow-headers") == sent
    assert other.header("access-control-allow-methods") is None
    assert guarded.header("vary") == "Authorization, Origin"


@rows("method", "PUT", "DELETE", "PATCH", "QUERY", "get")
def test_other_methods_are_told_what_to_send(transport: Transport, method: str) -> None:
    if method == "get" and transport in SERVED:
        method = "SEARCH"  # its parser takes the methods that have been registered
    response = serve(transport, make())(get("/v1/find", method=method))

    assert (response.status, response.header("allow")) == (405, "GET, HEAD, OPTIONS, POST")
    by_get = "Call this route with GET, its input as JSON in ?input=..., or with POST"
    assert response.json()["data"]["message"] == f"{by_get}, its input as the JSON body."


@rows("method", "GET", "HEAD", "PUT")
def test_a_route_without_cache_is_called_by_post_alone(transport: Transport, method: str) -> None:
    response = serve(transport, make(cache=None))(get("/v1/find", method=method))

    assert (response.status, response.header("allow")) == (405, "OPTIONS, POST")


@rows(
    "door, names, vary, whose",
    ("public", ["Accept-Language"], "Accept-Language", "public"),
    ("public", ("X-Tenant", "accept-language"), "X-Tenant, accept-language", "public"),
    ("public", ["COOKIE"], "COOKIE", "private"),
    ("public", ["authorization"], "authorization", "private"),
    ("sync", ["X-Tenant", "authorization"], "Authorization, X-Tenant", "private"),
)
def test_headers_that_the_author_names_are_in_vary(
    transport: Transport, door: Door, names: Any, vary: str, whose: str
) -> None:
    exchange = serve(transport, make(door, cache=contract.Cache(max_age=0, vary=names)))
    response = exchange(get("/v1/find", TOKEN))

    response.check(vary=vary, cache_control=f"{whose}, max-age=0")


def test_hooks_stand_before_a_get_too(transport: Transport) -> None:
    seen: list[tuple[str, str]] = []

    @contract.hook
    def early(call: contract.Call[None]) -> contract.TooManyRequests | None:
        seen.append(("early", call.route))
        return contract.TooManyRequests(retry_after=1) if call.headers.get("x-fast") else None

    @contract.hook
    def late(call: contract.Call[None, Find]) -> Gone | None:
        seen.append(("late", call.input.text))
        return Gone() if call.input.text == "late" else None

    exchange = serve(transport, make(hooks=contract.hooks(early, late)))
    fine = exchange(get(url({"text": "fine"})))
    fast = exchange(get(url({"text": "fine"}), ("X-Fast", "1")))
    gone = exchange(get(url({"text": "late"})))
    wrong = exchange(get(url({"text": 1})))

    assert [fine.status, fast.status, gone.status, wrong.status] == [200, 429, 410, 400]
    assert fine.header("cache-control") == "public, max-age=60"
    assert {each.header("cache-control") for each in (fast, gone, wrong)} == {"no-store"}
    assert seen == [
        *(("early", "find"), ("late", "fine"), ("early", "find")),
        *(("early", "find"), ("late", "late"), ("early", "find")),
    ]


def test_each_call_is_told_of(transport: Transport) -> None:
    told: list[contract.CallEvent] = []
    exchange = serve(transport, make(), on_call=told.append)
    for headers in ((), (("If-None-Match", "*"),)):
        exchange(get(url({"text": "a"}), *headers))
    exchange(get(url({"text": 1})))
    exchange(get(f"/v1/find?input={'x' * 9000}"))

    assert {(event.route, event.surface) for event in told} == {("find", "http")}
    codes = [("OK", 200), ("OK", 304), ("VALIDATION_ERROR", 400), ("BAD_REQUEST", 414)]
    assert [(event.code, event.status) for event in told] == codes


def test_hooks_and_resolvers_see_the_request_as_it_is(transport: Transport) -> None:
    seen: list[tuple[str, str]] = []

    def user_of(token: str, request: contract.Request) -> str:
        seen.append((request.method, request.path))
        return token

    @contract.route(summary="W", tags=["t"], effect="read", cache=contract.Cache(max_age=1))
    def who(input: None, ctx: str) -> str:
        call = contract.current_call()
        seen.append((call.route, call.surface))
        return ctx

    exchange = serve(transport, contract.spec(authenticate=user_of, routes=contract.routes(who)))
    assert exchange(get("/v1/who", TOKEN)).json() == "good"
    assert exchange(get("/v1/who?input=null", TOKEN)).json() == "good"
    assert exchange(get("/v1/who?input=1", TOKEN)).status == 400
    assert seen[:4] == [("GET", "/v1/who"), ("who", "http")] * 2


def test_mcp_clients_call_it_as_before(transport: Transport) -> None:
    exchange: Exchange = serve(transport, make(mcp=True))
    call = {"name": "find", "arguments": {"limit": 1}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = (JSON, ("Accept", "application/json"))
    response = exchange(RawRequest(target="/v1/mcp", headers=headers, body=orjson.dumps(message)))

    assert response.json()["result"]["structuredContent"] == {"found": ["all"]}
    assert response.header("cache-control") == "no-store"
