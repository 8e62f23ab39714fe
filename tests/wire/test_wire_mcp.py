"""The edge of the MCP endpoint, over every transport."""

from __future__ import annotations

from typing import Any, TypedDict

import falcon
import orjson

import contract
from tests.tables import rows
from tests.wire.exchange import (
    JSON,
    SERVED,
    RawRequest,
    RawResponse,
    Transport,
    serve,
    through_wsgi,
)

NULL = ("Origin", "null")
BOTH = ("Accept", "application/json, text/event-stream")
WELL_KNOWN = "/.well-known/oauth-protected-resource"


class Steps(TypedDict):
    steps: int


def count(input: Steps, ctx: None) -> int:
    for done in range(input["steps"]):
        contract.progress(done + 1, input["steps"], f"step {done + 1}")
    return input["steps"]


async def count_async(input: Steps, ctx: None) -> int:
    return count(input, ctx)


def me(input: None, ctx: str) -> str:
    call = contract.current_call()
    return f"{ctx} {call.surface} {call.route} {call.headers['host']}"


def authenticate(token: str, request: contract.Request) -> str | contract.Forbidden | None:
    if token == "blocked":
        return contract.Forbidden(message="You are blocked.")
    return None if token == "bad" else token


def make_api() -> contract.Spec[str]:
    public = contract.route(summary="Count", tags=["t"], auth="none", mcp=True)
    private = contract.route(summary="Me", tags=["t"], mcp=True)
    tools = contract.routes(public(count), public(count_async), private(me))
    return contract.spec(
        authenticate=authenticate, routes=tools, meta=contract.Meta(title="Shop", version="1.0.0")
    )


API = make_api()


def message(method: str, number: object = 1, **params: Any) -> bytes:
    return orjson.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def post(body: bytes, *headers: tuple[str, str], target: str = "/v1/mcp", **how: Any) -> RawRequest:
    return RawRequest(target=target, headers=(JSON, BOTH, *headers), body=body, **how)


def call(
    tool: str, *headers: tuple[str, str], arguments: Any = None, meta: Any = None, **how: Any
) -> RawRequest:
    body = message("tools/call", name=tool, arguments=arguments or {}, _meta=meta or {})
    return post(body, *headers, **how)


def bearer(token: str) -> tuple[str, str]:
    return ("Authorization", f"Bearer {token}")


PING = post(message("ping"))
PONG = {"jsonrpc": "2.0", "id": 1, "result": {}}


def refused(response: RawResponse) -> tuple[int, str]:
    """The status and the code of what HTTP refuses, which is an error of JSON-RPC without an id."""
    found = response.json()
    assert found.keys() == {"jsonrpc", "error"}
    response.check(
        content_type="application/json", x_content_type_options="nosniff", cache_control="no-store"
    )
    assert response.header("x-request-id")
    code: str = found["error"]["data"]["error"]
    return response.status, code


ORIGINS = [
    *("null", "http://shop.example", "https://evil.example", "http://localhost.evil.example"),
    *("http://localhost:x", "http://127.0.0.1.evil.example", "http://evil@localhost", "file://"),
    *("http://localhost, http://evil.example", ""),
]
KINDS = ["text/plain", "application/json-rpc", "application/json; charset=latin-1"]
ACCEPTS = ["text/event-stream", "text/html", "application/json;q=0, */*", "image/*"]


def to_mcp(*headers: tuple[str, str], method: str = "POST", target: str = "/v1/mcp") -> RawRequest:
    return RawRequest(method, target, headers, message("ping"))


PACKED = post(message("ping"), ("Content-Encoding", "gzip"))
SAID = {
    400: ["Content-Length is not one number, or is sent with Transfer-Encoding."],
    403: ["This origin is not allowed."],
    405: ["Send messages by POST; there is no stream to GET, and no session to DELETE."],
    406: ["Accept application/json, and text/event-stream for progress."],
    415: ["Send the message as application/json in UTF-8.", "Send the body without a Content-Encoding."],
}  # fmt: skip


@rows(
    "request_, status, code, header",
    *(
        (RawRequest(method, target, ()), 405, "METHOD_NOT_ALLOWED", ("allow", "POST"))
        for method in ("GET", "DELETE", "PUT")
        for target in ("/v1/mcp", "/v1/mcp/")
    ),
    *((to_mcp(JSON, ("Origin", origin)), 403, "FORBIDDEN", None) for origin in ORIGINS),
    *((to_mcp(JSON, NULL, method=method), 403, "FORBIDDEN", None) for method in ("GET", "OPTIONS")),
    (to_mcp(BOTH), 415, "UNSUPPORTED_MEDIA_TYPE", None),
    *(
        (to_mcp(BOTH, ("Content-Type", kind)), 415, "UNSUPPORTED_MEDIA_TYPE", None)
        for kind in KINDS
    ),
    (PACKED, 415, "UNSUPPORTED_MEDIA_TYPE", ("accept-encoding", "identity")),
    *((to_mcp(JSON, ("Accept", accept)), 406, "NOT_ACCEPTABLE", None) for accept in ACCEPTS),
)
def test_what_http_refuses_is_an_error_of_json_rpc(
    transport: Transport,
    request_: RawRequest,
    status: int,
    code: str,
    header: tuple[str, str] | None,
) -> None:
    response = serve(transport, API)(request_)

    assert refused(response) == (status, code)
    assert response.json()["error"]["message"] in SAID[status]
    assert header is None or response.header(header[0]) == header[1]
    assert response.header("access-control-allow-origin") is None


def test_a_length_that_is_none_is_refused(transport: Transport) -> None:
    response = serve(transport, API)(post(b"", length="x"))

    if transport in SERVED:  # its parser takes that for no HTTP at all
        assert (response.status, response.json()["error"]) == (400, "BAD_REQUEST")
    else:
        assert refused(response) == (400, "BAD_REQUEST")


def test_messages_are_answered_with_a_slash_and_without(transport: Transport) -> None:
    exchange = serve(transport, API)
    for target in ("/v1/mcp", "/v1/mcp/"):
        response = exchange(post(message("ping"), target=target))
        assert (response.status, response.json()) == (200, PONG)
        response.check(content_type="application/json", cache_control="no-store", vary="Origin")
        assert response.header("x-request-id")


def test_at_the_root_and_elsewhere(transport: Transport) -> None:
    exchange = serve(transport, API, prefix="", mcp_path="/tools/agent")

    assert exchange(post(message("ping"), target="/tools/agent/")).json() == PONG


def test_without_a_path_there_is_none(transport: Transport) -> None:
    response = serve(transport, API, mcp_path=None)(PING)

    assert (response.status, response.json()["error"]) == (404, "ROUTE_NOT_FOUND")


def test_notifications_have_no_answer(transport: Transport) -> None:
    note = post(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    response = serve(transport, API)(note)

    assert (response.status, response.body) == (202, b"")


@rows(
    "origin",
    *("http://localhost", "http://localhost:6274", "https://127.0.0.1:8080"),
    *("http://[::1]:3000", "https://app.example"),
)
def test_pages_that_are_allowed_may_ask(transport: Transport, origin: str) -> None:
    exchange = serve(transport, API, mcp_origins=["https://app.example"])
    before = exchange(RawRequest("OPTIONS", "/v1/mcp", (("Origin", origin),)))
    response = exchange(post(message("ping"), ("Origin", origin)))

    assert (before.status, before.body) == (204, b"")
    assert before.header("access-control-allow-methods") == "POST"
    allowed = before.header("access-control-allow-headers")
    assert allowed is not None
    sent = {"authorization", "content-type", "mcp-method", "mcp-name", "mcp-protocol-version"}
    assert sent <= set(allowed.split(", "))
    assert response.json() == PONG
    for found in (before, response):
        found.check(
            access_control_allow_origin=origin, access_control_allow_credentials=None, vary="Origin"
        )


def test_options_of_a_program(transport: Transport) -> None:
    response = serve(transport, API)(RawRequest("OPTIONS", "/v1/mcp", ()))

    response.check(204, allow="OPTIONS, POST", access_control_allow_methods=None)


def test_origins_of_routes_and_of_tools_are_told_apart(transport: Transport) -> None:
    exchange = serve(transport, API, cors_origins=["https://app.example"])

    assert exchange(post(message("ping"), ("Origin", "https://app.example"))).status == 403


@rows("accept", None, "*/*", "application/*", "text/html, application/json;q=0.5")
def test_an_accept_that_leaves_json_is_enough(transport: Transport, accept: str | None) -> None:
    headers = (JSON,) if accept is None else (JSON, ("Accept", accept))

    assert serve(transport, API)(to_mcp(*headers)).json() == PONG


@rows("chunked", False, True)
def test_large_messages_are_refused(transport: Transport, chunked: bool) -> None:
    exchange = serve(transport, API, max_body_bytes=100)
    if transport == "service" and chunked:
        return  # whoever hands in a body has counted it
    response = exchange(post(message("ping", padding="x" * 100), chunked=chunked))

    assert refused(response) == (413, "PAYLOAD_TOO_LARGE")
    assert response.json()["error"]["message"] == "The message is larger than 100 bytes."
    assert response.json()["error"]["data"]["data"] == {"limit": 100}


def test_public_tools_need_no_token(transport: Transport) -> None:
    exchange = serve(transport, API)
    listed = exchange(post(message("tools/list"))).json()["result"]["tools"]

    assert {tool["name"] for tool in listed} == {"count", "count_async", "me"}
    counted = exchange(call("count", arguments={"steps": 0})).json()["result"]
    assert counted["structuredContent"] == {"result": 0}


INVALID = 'Bearer realm="Shop", error="invalid_token"'
TOO_LONG = f'{INVALID}, error_description="The bearer token is longer than 4096 characters."'


@rows(
    "headers, status, challenge",
    ((), 401, 'Bearer realm="Shop"'),
    ((bearer("bad"),), 401, INVALID),
    ((bearer("a b"),), 401, INVALID),
    ((bearer("a" * 4097),), 401, TOO_LONG),
    ((bearer("blocked"),), 403, 'Bearer realm="Shop", error="insufficient_scope"'),
    ((bearer("a"), bearer("b")), 400, None),
)
def test_a_tool_that_needs_a_token(
    transport: Transport, headers: tuple[tuple[str, str], ...], status: int, challenge: str | None
) -> None:
    response = serve(transport, API)(call("me", *headers))

    assert (response.status, response.header("www-authenticate")) == (status, challenge)
    assert response.json()["id"] == 1
    if status == 401:
        assert response.json()["error"]["code"] == -32001


def test_a_token_is_the_same_as_over_http(transport: Transport) -> None:
    response = serve(transport, API)(call("me", bearer("ada")))

    assert response.json()["result"]["structuredContent"] == {"result": "ada mcp me shop.example"}


def test_a_mount_may_challenge_at_once(transport: Transport) -> None:
    exchange = serve(transport, API, mcp_challenge="connect")
    response = exchange(post(message("initialize", 7, protocolVersion="2025-11-25")))

    found = response.json()
    assert (response.status, found["id"], found["error"]["code"]) == (401, 7, -32001)
    assert response.header("www-authenticate") == 'Bearer realm="Shop"'
    assert exchange(post(message("ping"), bearer("ada"))).json() == PONG
    assert exchange(call("count", bearer("bad"), arguments={"steps": 0})).status == 401


SERVERS_OF_TOKENS = ["https://login.example"]


def test_clients_are_told_where_tokens_come_from(transport: Transport) -> None:
    exchange = serve(transport, API, authorization_servers=SERVERS_OF_TOKENS)
    place = f'resource_metadata="http://shop.example{WELL_KNOWN}/v1/mcp"'
    challenge = exchange(call("me")).header("www-authenticate")
    assert challenge == f'Bearer realm="Shop", {place}'
    metadata = {
        "resource": "http://shop.example/v1/mcp",
        "authorization_servers": SERVERS_OF_TOKENS,
        "bearer_methods_supported": ["header"],
        "resource_name": "Shop",
    }
    known = f"{WELL_KNOWN}/v1/mcp"
    for target in (known, f"{known}/", f"/v1{WELL_KNOWN}/mcp", f"/v1{WELL_KNOWN}/v1/mcp"):
        response = exchange(RawRequest("GET", target, ()))
        assert (response.status, response.json()) == (200, metadata)
        assert response.header("content-type") == "application/json"
    blocked = exchange(call("me", bearer("blocked"))).header("www-authenticate")
    assert blocked is not None
    assert blocked.endswith(f'error="insufficient_scope", {place}')


def test_an_app_may_have_a_route_of_its_own_where_metadata_are() -> None:
    class Own:
        def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
            resp.text = "own"

    app = falcon.App()
    contract.mount_spec(app, API, prefix="/v1", authorization_servers=SERVERS_OF_TOKENS)
    app.add_route(f"{WELL_KNOWN}/v1/mcp", Own())
    exchange = through_wsgi(app)

    assert exchange(RawRequest("GET", f"{WELL_KNOWN}/v1/mcp", ())).body == b"own"
    found = exchange(RawRequest("GET", f"/v1{WELL_KNOWN}/mcp", ())).json()["resource"]
    assert found == "http://shop.example/v1/mcp"
    assert exchange(RawRequest("GET", f"{WELL_KNOWN}/v2/mcp", ())).status == 404


def test_the_public_url_is_what_clients_are_notice(transport: Transport) -> None:
    place: Any = {
        "public_url": "https://api.example/eu/",
        "authorization_servers": SERVERS_OF_TOKENS,
    }
    exchange = serve(transport, API, **place)
    challenge = exchange(call("me")).header("www-authenticate")

    expected = f'Bearer realm="Shop", resource_metadata="https://api.example/eu/v1{WELL_KNOWN}/mcp"'
    assert challenge == expected
    found = exchange(RawRequest("GET", f"/v1{WELL_KNOWN}/mcp", ())).json()["resource"]
    assert found == "https://api.example/eu/v1/mcp"


def test_a_host_that_is_none_is_not_repeated(transport: Transport) -> None:
    exchange = serve(transport, API, authorization_servers=SERVERS_OF_TOKENS)
    metadata = f"{WELL_KNOWN}/v1/mcp"
    host = ("Host", "x:canary")

    assert exchange(call("me", host)).header("www-authenticate") == 'Bearer realm="Shop"'
    assert refused(exchange(RawRequest("GET", metadata, (host,)))) == (400, "BAD_REQUEST")
    # with such a character, `contract serve` refuses it before anybody is asked
    quoted = ("Host", 'x"canary')
    response = exchange(call("me", quoted))
    if response.status != 400:
        assert response.header("www-authenticate") == 'Bearer realm="Shop"'
    assert exchange(RawRequest("GET", metadata, (quoted,))).status == 400


def test_metadata_are_read_only(transport: Transport) -> None:
    exchange = serve(transport, API, authorization_servers=SERVERS_OF_TOKENS)
    target = f"{WELL_KNOWN}/v1/mcp"
    options = exchange(RawRequest("OPTIONS", target, ()))
    head = exchange(RawRequest("HEAD", target, ()))

    assert (options.status, options.header("allow")) == (204, "GET, HEAD, OPTIONS")
    assert (head.status, head.body) == (200, b"")
    for method in ("POST", "PUT"):
        wrong = exchange(RawRequest(method, target, ()))
        assert refused(wrong) == (405, "METHOD_NOT_ALLOWED")
        assert wrong.json()["error"]["message"] == "Send a GET."
        assert wrong.header("allow") == "GET, HEAD, OPTIONS"


def test_without_servers_there_are_no_metadata(transport: Transport) -> None:
    response = serve(transport, API)(RawRequest("GET", f"/v1{WELL_KNOWN}/mcp", ()))

    assert (response.status, response.json()["error"]) == (404, "ROUTE_NOT_FOUND")


def test_a_message_is_told_of(transport: Transport) -> None:
    events: list[contract.CallEvent] = []
    exchange = serve(transport, API, on_call=events.append)
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    client = {"name": "inspector", "version": "1.2"}
    meta = {"io.modelcontextprotocol/clientInfo": client, "traceparent": trace}
    exchange(call("count", arguments={"steps": 0}, meta=meta))
    exchange(call("count", arguments={"steps": "x"}))
    exchange(call("me"))
    exchange(post(message("tools/list")))
    exchange(RawRequest("GET", "/v1/mcp", ()))

    assert [
        (event.surface, event.route, event.tool, event.code, event.status) for event in events
    ] == [
        ("mcp", "count", "count", "OK", 200),
        ("mcp", "count", "count", "VALIDATION_ERROR", 400),
        ("mcp", "me", "me", "UNAUTHORIZED", 401),
        ("mcp", None, None, "OK", 200),
        ("mcp", None, None, "METHOD_NOT_ALLOWED", 405),
    ]
    assert (events[0].client, events[0].traceparent) == ("inspector 1.2", trace)
    assert (events[1].client, events[1].traceparent) == (None, None)


def parts(response: RawResponse) -> list[Any]:
    """The messages of an event stream, after the comment that goes out with its headers."""
    assert response.body.endswith(b"\n\n")
    first, *found = response.body[:-2].split(b"\n\n")
    assert first == b": working"
    assert all(event.startswith(b"event: message\ndata: ") for event in found)
    return [orjson.loads(event.partition(b"data: ")[2]) for event in found]


def notice(done: int, total: int, token: object = "t") -> dict[str, Any]:
    params = {"progressToken": token, "progress": done, "total": total, "message": f"step {done}"}
    return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}


@rows("tool", "count", "count_async")
@rows("token", "t", 7)
def test_progress_is_sent_to_a_client_that_asks_for_it(
    transport: Transport, tool: str, token: object
) -> None:
    events: list[contract.CallEvent] = []
    exchange = serve(transport, API, on_call=events.append)
    page = ("Origin", "http://localhost:1")
    request = call(tool, page, arguments={"steps": 3}, meta={"progressToken": token})
    response = exchange(request)
    *before, last = parts(response)

    assert (response.status, response.header("content-type")) == (200, "text/event-stream")
    assert response.header("content-length") is None
    assert response.header("access-control-allow-origin") == "http://localhost:1"
    assert response.header("x-request-id") == events[0].request_id
    assert before == [notice(done, 3, token) for done in (1, 2, 3)]
    assert last == orjson.loads(exchange(call(tool, arguments={"steps": 3})).body)
    assert [(event.tool, event.code) for event in events] == [(tool, "OK")] * 2


@rows("tool", "count", "count_async")
def test_a_call_that_might_tell_of_its_progress_is_a_stream_before_it_does(
    transport: Transport, tool: str
) -> None:
    request = call(tool, arguments={"steps": 0}, meta={"progressToken": "t"})
    response = serve(transport, API)(request)

    assert response.header("content-type") == "text/event-stream"
    assert [part["result"]["structuredContent"] for part in parts(response)] == [{"result": 0}]


@rows("tool", "count", "count_async")
@rows(
    "accept, token",
    ("application/json", "t"), ("application/json, text/event-stream;q=0", "t"), (None, "t"),
    ("*/*", None), ("*/*", True),
)  # fmt: skip
def test_others_get_the_result_alone(
    transport: Transport, tool: str, accept: str | None, token: object
) -> None:
    headers = (JSON,) if accept is None else (JSON, ("Accept", accept))
    meta = {} if token is None else {"progressToken": token}
    body = message("tools/call", name=tool, arguments={"steps": 2}, _meta=meta)
    response = serve(transport, API)(RawRequest(target="/v1/mcp", headers=headers, body=body))

    assert response.header("content-type") == "application/json"
    assert response.json()["result"]["structuredContent"] == {"result": 2}


@rows("tool", "count", "count_async")
def test_progress_is_nobodys_business_elsewhere(transport: Transport, tool: str) -> None:
    request = RawRequest(target=f"/v1/{tool}", headers=(JSON, BOTH), body=b'{"steps":2}')
    response = serve(transport, API)(request)

    assert (response.status, response.body) == (200, b"2")
