"""The endpoint: one message, one answer."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

import orjson
from annotated_types import Ge
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from contract import Builtin, Failure, Meta, Request, Spec, Stream, route, routes, spec
from contract.call.context import current_call, progress
from contract.call.incoming import Refused
from contract.call.replies import failed
from contract.declare.failures import Forbidden, NotFound, ServiceUnavailable, TooManyRequests
from contract.mcp.answers import refusal
from tests.mcp.talk import META, MODERN, Talk, called, error, parsed, written
from tests.tables import rows

SECRET = "canary-of-the-inside"


class SoldOut(Failure, status=409):
    """Every copy is sold."""

    restock_days: Annotated[int, Ge(0)]


@dataclass(frozen=True)
class Order:
    product: str
    quantity: Annotated[int, Ge(1)] = 1


@dataclass(frozen=True)
class Receipt:
    text: str
    cents: int


@dataclass(frozen=True)
class Who:
    user: str | None
    route: str
    surface: str
    request_id: str
    agent: str | None


@dataclass(frozen=True)
class User:
    name: str


@dataclass(frozen=True)
class Real:
    real: float


@route(summary="Order", tags=["x"], auth="none", mcp=True)
def order(input: Order, ctx: None) -> Receipt | SoldOut | NotFound:
    match input.product:
        case "sold-out":
            return SoldOut(3)
        case "missing":
            return NotFound(message="There is none.")
        case "raises":
            raise RuntimeError(SECRET)
        case "mapped":
            raise KeyError(SECRET)
        case "wrong":
            return Receipt(SECRET, "12")  # type: ignore[arg-type]
        case "full":
            raise Refused("SERVICE_UNAVAILABLE", (("retry-after", "1"),))
        case product:
            return Receipt(f'{product} "quoted" é\u2028', input.quantity)


def who_is(user: str | None) -> Who:
    call = current_call()
    return Who(user, call.route, call.surface, call.request_id, call.headers.get("user-agent"))


@route(summary="Who", tags=["x"], auth="none", mcp=True, inline=True)
def anybody(input: None, ctx: None) -> Who:
    return who_is(None)


@route(summary="Who", tags=["x"], mcp=True, name="who.am.i")
async def me(input: None, ctx: User) -> Who:
    return who_is(ctx.name)


@route(summary="Nothing", tags=["x"], auth="none", mcp=True)
def nothing(input: None, ctx: None) -> None: ...


@route(summary="Numbers", tags=["x"], auth="none", mcp=True)
async def numbers(input: None, ctx: None) -> list[int]:
    return [1, 2]


@route(summary="Steps", tags=["x"], auth="none", mcp=True)
def steps(input: None, ctx: None) -> int:
    progress(1)
    return 2


@route(summary="Half", tags=["x"], auth="none", mcp=True)
def half(input: Real, ctx: None) -> float:
    return input.real / 2


hooked: list[str] = []
"""The routes, or methods, that a token was looked at for."""


ANSWERS: dict[str, User | Builtin] = {
    "forbidden": Forbidden(),
    "slow": TooManyRequests(retry_after=7),
    "away": ServiceUnavailable(),
    "moved": ServiceUnavailable(message="The accounts are being moved."),
    "guest": Forbidden(message="Ask an administrator.", description="Of the group."),
    "good": User("ann"),
}
"""What is said of a token."""


def authenticate(token: str, request: Request) -> User | Builtin | None:
    hooked.append(current_call().route)
    if token == "raises":
        raise RuntimeError(SECRET)
    return ANSWERS.get(token)


def mapped(exception: Exception, request: Request) -> Failure | None:
    assert request.path == "/mcp"
    return NotFound() if isinstance(exception, KeyError) else None


ROUTES = routes(order, anybody, me, nothing, numbers, half, steps)
META_OF_SPEC = Meta(title="The Shop", version="1.2.3", mcp_instructions="Be kind.")
API: Spec[User] = spec(authenticate=authenticate, routes=ROUTES, meta=META_OF_SPEC)
OPEN: Spec[None] = spec(routes=routes(nothing))
TALK = Talk(API, map_error=mapped)
CONNECT = Talk(API, mcp_challenge="connect")
SERVER = {"name": "The Shop", "version": "1.2.3"}
STAMP = {"resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": SERVER}}
HANDSHAKE = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
SUPPORTED = [MODERN, *reversed(HANDSHAKE)]
CACHED = {"ttlMs": 300_000, "cacheScope": "public"}
GOOD = {"authorization": "Bearer good"}


def of_version(version: str | None) -> dict[str, str]:
    return {} if version is None else {"mcp-protocol-version": version}


# What cannot be read.


@rows(
    "body, code",
    (b"{", -32700), (b"\xff", -32700), (b"[" * 999, -32700), (b"[]", -32600), (b"{}", -32600),
    (b'{"jsonrpc":"2.0","id":null}', -32600),
)  # fmt: skip
@rows("version", "2025-11-25", MODERN, None)
def test_what_is_no_message_is_400_without_an_id(
    body: bytes, code: int, version: str | None
) -> None:
    answer = TALK.post(body, of_version(version))

    assert error(answer) == (400, code)
    assert "id" not in parsed(answer)
    assert (answer.code, answer.outcome) == ("BAD_REQUEST", 400)


def test_an_id_that_was_read_is_sent_back() -> None:
    assert parsed(TALK.post(b'{"id":"x","method":"ping"}'))["id"] == "x"


def test_a_refusal_of_http_is_an_error_of_json_rpc() -> None:
    answer = refusal(failed("METHOD_NOT_ALLOWED", (("allow", "POST"),)), "Use POST.", b"4")

    message = {"code": -32600, "message": "Use POST.", "data": {"error": "METHOD_NOT_ALLOWED"}}
    assert parsed(answer) == {"jsonrpc": "2.0", "id": 4, "error": message}
    assert answer.headers == (("content-type", "application/json"), ("allow", "POST"))


# What needs no answer.


@rows("version", *HANDSHAKE, MODERN, None)
@rows("method", "notifications/cancelled", "whatever", "tools/call")
def test_a_notification_is_202_and_nothing_is_said(method: str, version: str | None) -> None:
    body = orjson.dumps({"jsonrpc": "2.0", "method": method, "params": {"name": "order"}})
    answer = TALK.post(body, of_version(version))

    assert (answer.status, answer.body, answer.headers, answer.route) == (202, b"", (), None)


def test_a_notification_of_an_unknown_revision_is_refused() -> None:
    body = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
    answer = TALK.post(body, of_version("1999-01-01"))

    assert error(answer) == (400, -32022)
    assert "id" not in parsed(answer)


def test_a_response_is_taken_where_servers_may_ask_and_refused_where_not() -> None:
    body = b'{"jsonrpc":"2.0","id":1,"result":{}}'

    assert TALK.post(body).status == 202
    assert TALK.post(body, of_version("2025-11-25")).status == 202
    assert error(TALK.post(body, of_version(MODERN))) == (400, -32600)


# The handshake era.


@rows(
    "asked, agreed",
    *((version, version) for version in HANDSHAKE),
    *((version, "2025-11-25") for version in (MODERN, "1999-01-01", 3, None)),
)
def test_initialize_agrees_on_a_revision(asked: object, agreed: str) -> None:
    client = {"name": "probe", "version": "3"}
    params = {"protocolVersion": asked, "capabilities": {}, "clientInfo": client}
    answer = TALK.send("initialize", params)

    assert parsed(answer)["result"] == {
        "protocolVersion": agreed,
        "capabilities": {"tools": {}},
        "serverInfo": SERVER,
        "instructions": "Be kind.",
    }
    assert (answer.client, answer.code, answer.outcome, answer.tool) == ("probe 3", "OK", 200, None)
    assert not any(name == "mcp-session-id" for name, _ in answer.headers)


def test_initialize_needs_no_params_and_has_instructions_only_where_there_are_any() -> None:
    result = Talk(OPEN).result("initialize")

    assert result["protocolVersion"] == "2025-11-25"
    assert "instructions" not in result


@rows("version", *HANDSHAKE)
def test_ping_is_answered_with_nothing(version: str) -> None:
    assert TALK.result("ping", mcp_protocol_version=version) == {}


@rows(
    "method, handshake, modern",
    ("server/discover", (200, -32601), None),
    ("initialize", None, (404, -32601)),
    ("ping", None, (404, -32601)),
    *(
        (method, (200, -32601), (404, -32601))
        for method in ("resources/list", "subscriptions/listen", "", "Ping", "x" * 999)
    ),
)
def test_an_unknown_method_is_an_error(
    method: str, handshake: tuple[int, int] | None, modern: tuple[int, int] | None
) -> None:
    for answer, expected in ((TALK.send(method), handshake), (TALK.modern(method), modern)):
        if expected is not None:
            assert error(answer) == expected
            assert len(answer.body) < 300
            assert (answer.code, answer.outcome) == ("ROUTE_NOT_FOUND", 404)


@rows("version", "", "2026-01-01", "draft")
def test_an_unknown_revision_is_an_error(version: str) -> None:
    answer = TALK.send("ping", mcp_protocol_version=version)

    assert error(answer) == (400, -32022)
    assert parsed(answer)["error"]["data"] == {"supported": SUPPORTED, "requested": version}


def test_what_a_client_adds_in_vain_changes_nothing() -> None:
    """A session that nobody has given, and a token for progress of which it cannot be told."""
    result = TALK.result("tools/call", called("nothing"))

    assert TALK.result("tools/call", called("nothing"), mcp_session_id="abc") == result
    assert TALK.result("tools/call", called("nothing", progressToken=1)) == result


# The modern era.


def test_discover_says_who_this_is() -> None:
    assert TALK.modern_result("server/discover") == {
        **STAMP,
        **CACHED,
        "supportedVersions": SUPPORTED,
        "capabilities": {"tools": {}},
        "instructions": "Be kind.",
    }


def test_a_list_says_how_long_it_may_be_kept_and_where_the_next_page_begins() -> None:
    result = TALK.modern_result("tools/list")
    page = Talk(API, page_size=5).modern_result("tools/list")

    rest = {key: each for key, each in result.items() if key != "tools"}
    assert rest == {**STAMP, **CACHED}
    assert len(result["tools"]) == 7
    assert page.keys() - result.keys() == {"nextCursor"}
    assert set(TALK.result("tools/list")) == {"tools"}


OLDEST = {"_meta": {**META, "io.modelcontextprotocol/protocolVersion": "1900-01-01"}}


@rows(
    "params, headers, expected",
    ({"_meta": {}}, {}, (400, -32602)),
    ({}, {"mcp_method": "tools/call"}, (400, -32020)),
    ({"name": "order"}, {"mcp_name": "other"}, (400, -32020)),
    ({}, {"mcp_protocol_version": "2025-11-25"}, (400, -32020)),
    (OLDEST, {"mcp_protocol_version": "1900-01-01"}, (400, -32022)),
)
def test_a_request_agrees_with_itself(
    params: dict[str, Any], headers: dict[str, str], expected: tuple[int, int]
) -> None:
    method = "tools/call" if "name" in params else "tools/list"

    assert error(TALK.modern(method, params, **headers)) == expected


def test_a_modern_body_without_headers_is_refused() -> None:
    assert error(TALK.post(written("tools/list", {"_meta": META}))) == (400, -32020)


# Calls.


def test_an_output_is_given_twice() -> None:
    arguments = {"product": "p", "quantity": 2}
    result = TALK.result("tools/call", called("order", arguments))
    text = '{"text":"p \\"quoted\\" é\u2028","cents":2}'

    assert result == {
        "content": [{"type": "text", "text": text}],
        "structuredContent": {"text": 'p "quoted" é\u2028', "cents": 2},
    }
    assert TALK.modern_result("tools/call", called("order", arguments)) == {**STAMP, **result}


FALSY: dict[str, tuple[object, Any]] = {
    "an_int": (0, int), "a_float": (0.0, float), "a_str": ("", str), "a_bool": (False, bool),
    "a_none": (None, None), "a_list": ([], list[int]), "a_map": ({}, dict[str, int]),
}  # fmt: skip


def giving(value: object, kind: Any) -> Any:
    def resolver(input: None, ctx: None) -> Any:
        return value

    resolver.__annotations__["return"] = kind
    return route(summary="Give", tags=["x"], auth="none", mcp=True)(resolver)


FALSY_TALK = Talk(spec(routes={name: giving(*given) for name, given in FALSY.items()}))


@rows("name", *FALSY)
def test_what_is_falsy_is_structured_content_too(name: str) -> None:
    """It is wrapped where only objects will do. Each era's clients look for it, and hold it against the output schema of that era."""
    value, _ = FALSY[name]
    for send, wrapped in ((FALSY_TALK.result, name != "a_map"), (FALSY_TALK.modern_result, False)):
        expected = {"result": value} if wrapped else value
        result = send("tools/call", called(name))
        tools = {tool["name"]: tool for tool in send("tools/list")["tools"]}

        assert result["structuredContent"] == expected
        assert type(result["structuredContent"]) is type(expected)
        assert orjson.loads(result["content"][0]["text"]) == expected
        assert "isError" not in result
        Draft202012Validator(tools[name]["outputSchema"]).validate(result["structuredContent"])


ALL_CAPABILITIES: dict[str, object] = {
    "sampling": {}, "elicitation": {}, "roots": {}, "extensions": {"com.example/x": {}},
}  # fmt: skip


@rows("capabilities", {}, ALL_CAPABILITIES)
@rows("method", "server/discover", "tools/list", "tools/call")
def test_no_capability_of_a_client_is_ever_needed(method: str, capabilities: object) -> None:
    meta = {**META, "io.modelcontextprotocol/clientCapabilities": capabilities}

    assert TALK.modern_result(method, called("nothing", **meta))["resultType"] == "complete"


@rows("params", {}, {"arguments": None}, {"arguments": {}})
def test_missing_arguments_are_none_at_all(params: dict[str, Any]) -> None:

    result = TALK.result("tools/call", {"name": "anybody", **params})

    assert result["structuredContent"]["surface"] == "mcp"


@rows("arguments", [], "x", 3, True, [{}])
def test_arguments_are_an_object(arguments: object) -> None:
    answer = TALK.call("order", arguments)

    assert error(answer) == (200, -32602)
    assert (answer.tool, answer.route, answer.code) == ("order", "order", "BAD_REQUEST")
    assert error(TALK.modern("tools/call", called("order", arguments))) == (400, -32602)


@rows("name", None, 3, ["order"], {})
def test_the_name_of_a_tool_is_a_text(name: object) -> None:
    answer = TALK.call(name)

    assert error(answer) == (200, -32602)
    assert answer.tool is None
    assert error(TALK.modern("tools/call", {"name": name})) == (400, -32602)
    assert error(TALK.send("tools/call")) == (200, -32602)


def test_a_long_name_is_cut() -> None:
    answer = TALK.call("x" * 9000)

    assert len(answer.body) < 200
    assert answer.tool == "x" * 64


@rows(
    "product, body, outcome",
    ("sold-out", {"error": "SOLD_OUT", "data": {"restock_days": 3}}, 409),
    ("missing", {"error": "NOT_FOUND", "data": {"message": "There is none."}}, 404),
    ("raises", {"error": "INTERNAL_ERROR"}, 500),
    ("mapped", {"error": "NOT_FOUND"}, 404),
    ("wrong", {"error": "INTERNAL_ERROR"}, 500),
    ("full", {"error": "SERVICE_UNAVAILABLE"}, 503),
)
def test_a_failure_is_a_result_that_says_so(
    product: str, body: dict[str, Any], outcome: int
) -> None:
    answer = TALK.call("order", {"product": product})
    result = {"content": [{"type": "text", "text": orjson.dumps(body).decode()}], "isError": True}

    assert (answer.status, parsed(answer)["result"]) == (200, result)
    assert (answer.code, answer.outcome) == (body["error"], outcome)
    assert (answer.exception is not None) == (outcome == 500)
    assert SECRET.encode() not in answer.body
    modern = TALK.modern_result("tools/call", called("order", {"product": product}))
    assert modern == {**STAMP, **result}


def test_arguments_that_will_not_do_are_a_result_too() -> None:
    answer = TALK.call("order", {"product": 3})
    result = parsed(answer)["result"]

    assert result["isError"] is True
    assert "structuredContent" not in result
    assert orjson.loads(result["content"][0]["text"])["data"]["issues"][0]["code"] == "string_type"
    sentence = "product: Must be a string in double quotes, not an integer."
    assert sentence in result["content"][1]["text"]
    assert (answer.code, answer.outcome) == ("VALIDATION_ERROR", 400)


@dataclass(frozen=True)
class Note:
    text: str


def shorten(input: Note, ctx: None) -> int:
    return len(input.text)


def spell(input: Note, ctx: None) -> Stream[str]:
    return Stream(iter(input.text))


@rows("resolver", shorten, spell)
def test_arguments_may_have_as_many_bytes_as_a_body_of_the_route(resolver: Any) -> None:
    limited = route(summary="Note", tags=["t"], auth="none", mcp=True, max_body_bytes=20)
    talk = Talk(spec(routes=[limited(resolver)]))
    text = '{"error":"PAYLOAD_TOO_LARGE","data":{"limit":20}}'

    fits = talk.call(resolver.__name__, {"text": 12345678901})
    assert (fits.code, fits.outcome) == ("VALIDATION_ERROR", 400)
    answer = talk.call(resolver.__name__, {"text": "x" * 10})
    assert parsed(answer)["result"]["content"] == [{"type": "text", "text": text}]
    assert (answer.code, answer.outcome) == ("PAYLOAD_TOO_LARGE", 413)


def test_a_number_too_great_for_a_float_is_refused_as_one() -> None:
    assert TALK.output("half", {"real": 3}) == {"result": 1.5}
    answer = TALK.post(written("tools/call", called("half", {"real": 3})).replace(b"3}", b"1e400}"))

    sentence = "- real: Must be a finite number; this one is too large."
    assert sentence in parsed(answer)["result"]["content"][1]["text"]


def test_a_call_knows_where_it_runs() -> None:
    answer = TALK.call("anybody", user_agent="probe")
    who = Who(None, "anybody", "mcp", "request-1", "probe")

    assert parsed(answer)["result"]["structuredContent"] == asdict(who)
    assert (answer.route, answer.tool, TALK.incoming.route) == ("anybody", "anybody", "anybody")


@rows(
    "name, blocks, offloaded",
    ("nothing", True, []),
    ("nothing", False, ["routes"]),
    ("anybody", False, []),  # it says that it waits for nothing
    ("numbers", False, []),  # async
    ("who_am_i", True, []),
    ("who_am_i", False, ["hooks"]),
    ("zzz", False, []),
)
def test_what_is_synchronous_runs_elsewhere_where_it_must_not_wait(
    name: str, blocks: bool, offloaded: list[str]
) -> None:
    TALK.post(written("tools/call", called(name)), GOOD, blocks=blocks)

    assert TALK.incoming.offloaded == offloaded


def test_a_client_that_leaves_cancels_its_call_in_the_modern_era_alone() -> None:
    TALK.modern("tools/call", {"name": "nothing"})
    assert TALK.incoming.watched
    assert TALK.call_info is not None
    before = TALK.call_info.cancelled
    TALK.incoming.cancelled = True

    assert (before, TALK.call_info.cancelled) == (False, True)
    for version in HANDSHAKE:
        TALK.call("nothing", mcp_protocol_version=version)
        assert not TALK.incoming.watched


@rows("name, arguments", ("steps", 3), ("zzz", None), ("who_am_i", None))
def test_what_is_refused_is_no_progress(name: str, arguments: object) -> None:
    body = written("tools/call", called(name, arguments, progressToken=7))

    assert "error" in parsed(TALK.post(body, {"accept": "text/event-stream"}))


# Credentials.

UNKNOWN = ', error="invalid_token"'
TOO_LONG = "The bearer token is longer than 4096 characters."
NOT_ENOUGH = ', error="insufficient_scope"'
UNCHECKED = "The token could not be checked."
TWICE = "Send the Authorization header once, with one token."
LONG = f"Bearer {'a' * 4097}"


def test_a_good_token_lets_in() -> None:
    answer = TALK.call("who_am_i", **GOOD)

    assert parsed(answer)["result"]["structuredContent"]["user"] == "ann"
    assert (answer.route, answer.tool) == ("who.am.i", "who_am_i")


@rows("talk", TALK, CONNECT)
@rows(
    "credential, status, challenge, message",
    ("", 401, "", "A bearer token is needed."),
    ("Basic eDp5", 401, "", "A bearer token is needed."),
    ("Bearer bad", 401, UNKNOWN, "The bearer token is not valid."),
    ("Bearer ???", 401, UNKNOWN, "The bearer token is not valid."),
    (LONG, 401, f'{UNKNOWN}, error_description="{TOO_LONG}"', TOO_LONG),
    ("Bearer forbidden", 403, NOT_ENOUGH, "The bearer token is not enough for this."),
    ("Bearer guest", 403, NOT_ENOUGH, "Ask an administrator."),
    ("Bearer good, Bearer good", 400, None, TWICE),
    ("Bearer slow", 429, None, UNCHECKED),
    ("Bearer away", 503, None, UNCHECKED),
    ("Bearer moved", 503, None, "The accounts are being moved."),
    ("Bearer raises", 500, None, UNCHECKED),
)
def test_a_client_that_is_not_let_in_is_told_why(
    talk: Talk, credential: str, status: int, challenge: str | None, message: str
) -> None:
    """As a challenge of HTTP, and in JSON-RPC too."""
    answer = talk.call("who_am_i", **({"authorization": credential} if credential else {}))
    found, headers = parsed(answer), dict(answer.headers)
    codes = {400: -32600, 401: -32001, 403: -32001, 429: -32600, 500: -32603, 503: -32603}

    assert (answer.status, answer.outcome) == (status, status)
    assert (found["id"], found["error"]["code"]) == (1, codes[status])
    assert found["error"]["message"] == message
    realm = f'Bearer realm="The Shop"{challenge}'
    assert headers.get("www-authenticate") == (None if challenge is None else realm)
    assert headers.get("retry-after") == ("7" if status == 429 else None)
    data = found["error"]["data"]
    assert data["error"] == answer.code
    assert data.get("data", {}).get("message", message) == message
    assert (answer.exception is not None) == (status == 500)
    assert (answer.route, answer.tool) == ("who.am.i", "who_am_i")
    assert SECRET.encode() not in answer.body
    assert b"aaa" not in answer.body


def test_the_token_is_looked_at_before_the_arguments() -> None:
    assert error(TALK.call("who_am_i", 3)) == (401, -32001)
    assert error(TALK.call("who_am_i", 3, **GOOD)) == (200, -32602)


def test_a_token_is_looked_at_once_and_only_where_it_is_needed() -> None:
    hooked.clear()
    assert len(TALK.tools(authorization="Bearer bad")) == 7
    assert TALK.output("nothing", authorization="Bearer bad") == {"result": None}
    for talk in (TALK, CONNECT):
        assert talk.call("who_am_i", authorization=LONG).status == 401
    assert hooked == []
    assert CONNECT.output("who_am_i", **GOOD)["user"] == "ann"
    assert CONNECT.output("anybody", **GOOD)["user"] is None
    assert hooked == ["who.am.i", "anybody"]


@rows("method", "initialize", "ping", "tools/list")
def test_everything_needs_a_token_where_the_mount_says_so(method: str) -> None:
    hooked.clear()

    assert error(CONNECT.send(method)) == (401, -32001)
    assert error(CONNECT.send(method, authorization="Bearer bad")) == (401, -32001)
    assert CONNECT.send(method, **GOOD).status == 200
    assert hooked == [method, method]


def test_a_notification_is_challenged_as_well() -> None:
    body = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'

    assert CONNECT.post(body).status == 401
    assert CONNECT.post(body, GOOD).status == 202


def test_an_unknown_tool_is_not_told_to_strangers_where_everything_needs_a_token() -> None:
    assert error(CONNECT.call("zzz")) == (401, -32001)
    assert error(CONNECT.call("zzz", **GOOD)) == (200, -32602)


def test_a_public_tool_is_given_no_context_where_everything_needs_a_token() -> None:
    """The token lets its client in; who that is, is no business of a resolver that says ``ctx: None``."""
    given: list[object] = []

    @route(summary="Look", tags=["x"], auth="none", mcp=True)
    def look(input: None, ctx: None) -> None:
        given.append(ctx)

    @route(summary="Look", tags=["x"], auth="none", mcp=True)
    async def look_async(input: None, ctx: None) -> None:
        given.append(ctx)

    shop = spec(authenticate=authenticate, routes=routes(look, look_async, me))
    talk = Talk(shop, mcp_challenge="connect")
    for name in ("look", "look_async"):
        assert talk.call(name, **GOOD).status == 200
        assert talk.modern("tools/call", called(name), **GOOD).status == 200

    assert given == [None] * 4


@rows("method", "tools/list", "server/discover")
def test_lists_are_private_where_they_depend_on_the_token(method: str) -> None:
    assert CONNECT.modern_result(method, **GOOD)["cacheScope"] == "private"


def test_without_anybody_to_ask_nothing_is_asked() -> None:
    assert Talk(OPEN, mcp_challenge="connect").result("ping") == {}
