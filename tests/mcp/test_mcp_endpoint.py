"""The endpoint: one message, one answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import orjson
import pytest
from annotated_types import Ge
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from contract import (
    Builtin,
    Failure,
    Forbidden,
    Meta,
    NotFound,
    Request,
    ServiceUnavailable,
    Spec,
    TooManyRequests,
    current_call,
    progress,
    route,
    routes,
    spec,
)
from contract.call.replies import Refused, failed
from contract.mcp.answers import Answer, refusal
from tests.mcp.talk import META, MODERN, Talk, error, parsed
from tests.wire.exchange import loop

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


def authenticate(token: str, request: Request) -> User | Builtin | None:
    hooked.append(current_call().route)
    match token:
        case "forbidden":
            return Forbidden()
        case "slow":
            return TooManyRequests(retry_after=7)
        case "away":
            return ServiceUnavailable()
        case "moved":
            return ServiceUnavailable(message="The accounts are being moved.")
        case "guest":
            return Forbidden(message="Ask an administrator.", description="Of the group.")
        case "raises":
            raise RuntimeError(SECRET)
        case "good":
            return User("ann")
        case _:
            return None


def mapped(exception: Exception, request: Request) -> Failure | None:
    assert request.path == "/mcp"
    return NotFound() if isinstance(exception, KeyError) else None


META_OF_SPEC = Meta(title="The Shop", version="1.2.3", mcp_instructions="Be kind.")
API: Spec[User] = spec(
    authenticate=authenticate,
    routes=routes(order, anybody, me, nothing, numbers, half, steps),
    meta=META_OF_SPEC,
)
OPEN: Spec[None] = spec(routes=routes(nothing))
TALK = Talk(API, map_error=mapped)
CONNECT = Talk(API, mcp_challenge="connect")
SERVER = {"name": "The Shop", "version": "1.2.3"}
STAMP = {"resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": SERVER}}
HANDSHAKE = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


# What cannot be read.


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"\xff", -32700),
        (b"[" * 999, -32700),
        (b"[]", -32600),
        (b"{}", -32600),
        (b'{"jsonrpc":"2.0","id":null}', -32600),
    ],
)
@pytest.mark.parametrize("version", ["2025-11-25", MODERN, None])
def test_what_is_no_message_is_400_without_an_id(
    body: bytes, code: int, version: str | None
) -> None:
    answer = TALK.post(body, {} if version is None else {"mcp-protocol-version": version})

    assert error(answer) == (400, code)
    assert "id" not in parsed(answer)
    assert (answer.code, answer.outcome) == ("BAD_REQUEST", 400)


def test_an_id_that_was_read_is_sent_back() -> None:
    assert parsed(TALK.post(b'{"id":"x","method":"ping"}'))["id"] == "x"


def test_a_refusal_of_http_is_an_error_of_json_rpc() -> None:
    answer = refusal(failed("METHOD_NOT_ALLOWED", (("allow", "POST"),)), "Use POST.", b"4")

    assert parsed(answer) == {
        "jsonrpc": "2.0",
        "id": 4,
        "error": {"code": -32600, "message": "Use POST.", "data": {"error": "METHOD_NOT_ALLOWED"}},
    }
    assert answer.headers == (("content-type", "application/json"), ("allow", "POST"))


# What needs no answer.


@pytest.mark.parametrize("version", [*HANDSHAKE, MODERN, None])
@pytest.mark.parametrize(
    "method", ["notifications/initialized", "notifications/cancelled", "whatever", "tools/call"]
)
def test_a_notification_is_202_and_nothing_is_said(method: str, version: str | None) -> None:
    body = orjson.dumps({"jsonrpc": "2.0", "method": method, "params": {"name": "order"}})

    answer = TALK.post(body, {} if version is None else {"mcp-protocol-version": version})

    assert (answer.status, answer.body, answer.headers, answer.route) == (202, b"", (), None)


def test_a_notification_of_an_unknown_revision_is_refused() -> None:
    answer = TALK.post(
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        {"mcp-protocol-version": "1999-01-01"},
    )

    assert error(answer) == (400, -32022)
    assert "id" not in parsed(answer)


def test_a_response_is_taken_where_servers_may_ask_and_refused_where_not() -> None:
    body = b'{"jsonrpc":"2.0","id":1,"result":{}}'

    assert TALK.post(body).status == 202
    assert TALK.post(body, {"mcp-protocol-version": "2025-11-25"}).status == 202
    assert error(TALK.post(body, {"mcp-protocol-version": MODERN})) == (400, -32600)


# The handshake era.


@pytest.mark.parametrize(
    ("asked", "agreed"),
    [
        *zip(HANDSHAKE, HANDSHAKE, strict=True),
        (MODERN, "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
        (3, "2025-11-25"),
        (None, "2025-11-25"),
    ],
)
def test_initialize_agrees_on_a_revision(asked: object, agreed: str) -> None:
    answer = TALK.send(
        "initialize",
        {
            "protocolVersion": asked,
            "capabilities": {},
            "clientInfo": {"name": "probe", "version": "3"},
        },
    )

    assert parsed(answer)["result"] == {
        "protocolVersion": agreed,
        "capabilities": {"tools": {}},
        "serverInfo": SERVER,
        "instructions": "Be kind.",
    }
    assert (answer.client, answer.code, answer.outcome, answer.tool) == ("probe 3", "OK", 200, None)
    assert not any(name == "mcp-session-id" for name, _ in answer.headers)


def test_initialize_without_params_is_answered_all_the_same() -> None:
    assert TALK.result("initialize")["protocolVersion"] == "2025-11-25"


def test_instructions_are_left_out_where_there_are_none() -> None:
    assert "instructions" not in Talk(OPEN).result("initialize")


@pytest.mark.parametrize("version", HANDSHAKE)
def test_ping_is_answered_with_nothing(version: str) -> None:
    assert TALK.result("ping", mcp_protocol_version=version) == {}


@pytest.mark.parametrize(
    "method",
    [
        "server/discover",
        "resources/list",
        "prompts/list",
        "logging/setLevel",
        "",
        "Ping",
        "x" * 999,
    ],
)
def test_an_unknown_method_is_an_error(method: str) -> None:
    answer = TALK.send(method)

    assert error(answer) == (200, -32601)
    assert len(answer.body) < 300
    assert (answer.code, answer.outcome) == ("ROUTE_NOT_FOUND", 404)


@pytest.mark.parametrize("version", ["", "2026-01-01", "draft"])
def test_an_unknown_revision_is_an_error(version: str) -> None:
    answer = TALK.send("ping", mcp_protocol_version=version)

    assert error(answer) == (400, -32022)
    assert parsed(answer)["error"]["data"] == {
        "supported": [MODERN, *reversed(HANDSHAKE)],
        "requested": version,
    }


def test_a_session_that_nobody_has_given_is_ignored() -> None:
    assert TALK.result("tools/call", {"name": "nothing"}, mcp_session_id="abc") == TALK.result(
        "tools/call", {"name": "nothing"}
    )


# The modern era.


def test_discover_says_who_this_is() -> None:
    assert TALK.modern_result("server/discover") == {
        **STAMP,
        "supportedVersions": [MODERN, *reversed(HANDSHAKE)],
        "capabilities": {"tools": {}},
        "instructions": "Be kind.",
        "ttlMs": 300_000,
        "cacheScope": "public",
    }


@pytest.mark.parametrize("method", ["initialize", "ping", "subscriptions/listen", "resources/list"])
def test_an_unknown_method_is_404_in_the_modern_era(method: str) -> None:
    assert error(TALK.modern(method)) == (404, -32601)


def test_a_list_says_how_long_it_may_be_kept() -> None:
    result = TALK.modern_result("tools/list")

    assert (result["resultType"], result["ttlMs"], result["cacheScope"]) == (
        "complete",
        300_000,
        "public",
    )
    assert len(result["tools"]) == 7
    assert set(TALK.result("tools/list")) == {"tools"}


def test_a_page_has_a_cursor_beside_that() -> None:
    result = Talk(API, page_size=5).modern_result("tools/list")

    assert set(result) == {"resultType", "_meta", "tools", "ttlMs", "cacheScope", "nextCursor"}


@pytest.mark.parametrize("cursor", ["none", 3])
def test_a_cursor_that_was_not_given_is_refused(cursor: object) -> None:
    answer = TALK.send("tools/list", {"cursor": cursor})

    assert error(answer) == (200, -32602)
    assert (answer.code, answer.outcome) == ("BAD_REQUEST", 400)


@pytest.mark.parametrize(
    ("params", "headers", "expected"),
    [
        ({"_meta": {}}, {}, (400, -32602)),
        ({"_meta": {"io.modelcontextprotocol/protocolVersion": MODERN}}, {}, (400, -32602)),
        ({}, {"mcp_method": "tools/call"}, (400, -32020)),
        ({"name": "order"}, {"mcp_name": "other"}, (400, -32020)),
        ({}, {"mcp_protocol_version": "2025-11-25"}, (400, -32020)),
        (
            {"_meta": {**META, "io.modelcontextprotocol/protocolVersion": "1900-01-01"}},
            {"mcp_protocol_version": "1900-01-01"},
            (400, -32022),
        ),
    ],
)
def test_a_request_agrees_with_itself(
    params: dict[str, Any], headers: dict[str, str], expected: tuple[int, int]
) -> None:
    method = "tools/call" if "name" in params else "tools/list"

    assert error(TALK.modern(method, params, **headers)) == expected


def test_a_modern_body_without_headers_is_refused() -> None:
    body = orjson.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}
    )

    assert error(TALK.post(body)) == (400, -32020)


# Calls.


def test_an_output_is_given_twice() -> None:
    result = TALK.result(
        "tools/call", {"name": "order", "arguments": {"product": "p", "quantity": 2}}
    )

    assert result.keys() == {"content", "structuredContent"}
    assert result["structuredContent"] == {"text": 'p "quoted" é\u2028', "cents": 2}
    [text] = result["content"]
    assert text == {"type": "text", "text": '{"text":"p \\"quoted\\" é\u2028","cents":2}'}


def test_an_output_is_stamped_in_the_modern_era() -> None:
    result = TALK.modern_result("tools/call", {"name": "order", "arguments": {"product": "p"}})

    assert {key: result[key] for key in STAMP} == STAMP
    assert result["structuredContent"]["cents"] == 1


@pytest.mark.parametrize(("name", "output"), [("numbers", [1, 2]), ("nothing", None)])
def test_what_is_no_object_is_wrapped_where_only_objects_will_do(name: str, output: object) -> None:
    wrapped = TALK.result("tools/call", {"name": name})
    bare = TALK.modern_result("tools/call", {"name": name})

    assert wrapped["structuredContent"] == {"result": output}
    assert orjson.loads(wrapped["content"][0]["text"]) == {"result": output}
    assert bare["structuredContent"] == output
    assert orjson.loads(bare["content"][0]["text"]) == output


FALSY = {
    "an_int": 0,
    "a_float": 0.0,
    "a_str": "",
    "a_bool": False,
    "a_none": None,
    "a_list": [],
    "a_map": {},
}


def falsy_tools() -> dict[str, Any]:
    def give(name: str, kind: Any) -> Any:
        def resolver(input: None, ctx: None) -> Any:
            return FALSY[name]

        resolver.__annotations__["return"] = kind
        return route(summary="Give", tags=["x"], auth="none", mcp=True)(resolver)

    kinds = (int, float, str, bool, None, list[int], dict[str, int])
    return {name: give(name, kind) for name, kind in zip(FALSY, kinds, strict=True)}


FALSY_TALK = Talk(spec(routes=falsy_tools()))


@pytest.mark.parametrize("name", FALSY)
def test_what_is_falsy_is_structured_content_too(name: str) -> None:
    """Each era's clients look for it, and hold it against the output schema of that era."""
    for send, wrapped in ((FALSY_TALK.result, name != "a_map"), (FALSY_TALK.modern_result, False)):
        expected = {"result": FALSY[name]} if wrapped else FALSY[name]
        result = send("tools/call", {"name": name})
        [schema] = [
            tool["outputSchema"] for tool in send("tools/list")["tools"] if tool["name"] == name
        ]

        assert "structuredContent" in result
        assert result["structuredContent"] == expected
        assert type(result["structuredContent"]) is type(expected)
        assert orjson.loads(result["content"][0]["text"]) == expected
        assert "isError" not in result
        Draft202012Validator(schema).validate(result["structuredContent"])


@pytest.mark.parametrize(
    "capabilities",
    [{}, {"sampling": {}, "elicitation": {}, "roots": {}, "extensions": {"com.example/x": {}}}],
)
def test_no_capability_of_a_client_is_ever_needed(capabilities: dict[str, Any]) -> None:
    meta = {**META, "io.modelcontextprotocol/clientCapabilities": capabilities}
    for method, params in (
        ("server/discover", {}),
        ("tools/list", {}),
        ("tools/call", {"name": "nothing"}),
    ):
        assert TALK.modern_result(method, {"_meta": meta, **params})["resultType"] == "complete"


@pytest.mark.parametrize("params", [{}, {"arguments": None}, {"arguments": {}}])
def test_missing_arguments_are_none_at_all(params: dict[str, Any]) -> None:
    assert (
        TALK.result("tools/call", {"name": "anybody", **params})["structuredContent"]["surface"]
        == "mcp"
    )


@pytest.mark.parametrize("arguments", [[], "x", 3, True, [{}]])
def test_arguments_are_an_object(arguments: object) -> None:
    answer = TALK.send("tools/call", {"name": "order", "arguments": arguments})

    assert error(answer) == (200, -32602)
    assert (answer.tool, answer.route, answer.code) == ("order", "order", "BAD_REQUEST")
    assert error(TALK.modern("tools/call", {"name": "order", "arguments": arguments})) == (
        400,
        -32602,
    )


@pytest.mark.parametrize("name", [None, 3, ["order"], {}])
def test_the_name_of_a_tool_is_a_text(name: object) -> None:
    answer = TALK.send("tools/call", {"name": name})

    assert error(answer) == (200, -32602)
    assert answer.tool is None
    assert error(TALK.modern("tools/call", {"name": name})) == (400, -32602)
    assert error(TALK.send("tools/call")) == (200, -32602)


def test_a_long_name_is_cut() -> None:
    answer = TALK.send("tools/call", {"name": "x" * 9000})

    assert len(answer.body) < 200
    assert answer.tool == "x" * 64


@pytest.mark.parametrize(
    ("product", "body", "outcome"),
    [
        ("sold-out", {"error": "SOLD_OUT", "data": {"restock_days": 3}}, 409),
        ("missing", {"error": "NOT_FOUND", "data": {"message": "There is none."}}, 404),
        ("raises", {"error": "INTERNAL_ERROR"}, 500),
        ("mapped", {"error": "NOT_FOUND"}, 404),
        ("wrong", {"error": "INTERNAL_ERROR"}, 500),
        ("full", {"error": "SERVICE_UNAVAILABLE"}, 503),
    ],
)
def test_a_failure_is_a_result_that_says_so(
    product: str, body: dict[str, Any], outcome: int
) -> None:
    answer = TALK.send("tools/call", {"name": "order", "arguments": {"product": product}})

    assert answer.status == 200
    assert parsed(answer)["result"] == {
        "content": [{"type": "text", "text": orjson.dumps(body).decode()}],
        "isError": True,
    }
    assert (answer.code, answer.outcome) == (body["error"], outcome)
    assert (answer.exception is not None) == (outcome == 500)
    assert SECRET.encode() not in answer.body


def test_a_failure_is_stamped_in_the_modern_era() -> None:
    result = TALK.modern_result(
        "tools/call", {"name": "order", "arguments": {"product": "sold-out"}}
    )

    assert result.keys() == {"resultType", "_meta", "content", "isError"}


def test_arguments_that_will_not_do_are_a_result_too() -> None:
    answer = TALK.send("tools/call", {"name": "order", "arguments": {"product": 3}})

    result = parsed(answer)["result"]
    assert result["isError"] is True
    assert "structuredContent" not in result
    assert orjson.loads(result["content"][0]["text"])["data"]["issues"][0]["code"] == "string_type"
    assert (
        "product: Must be a string in double quotes, not an integer."
        in result["content"][1]["text"]
    )
    assert (answer.code, answer.outcome) == ("VALIDATION_ERROR", 400)


def test_a_number_too_great_for_a_float_is_refused_as_one() -> None:
    assert TALK.result("tools/call", {"name": "half", "arguments": {"real": 3}})[
        "structuredContent"
    ] == {"result": 1.5}
    answer = TALK.post(
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"half","arguments":{"real":1e400}}}'
    )

    assert (
        "- real: Must be a finite number; this one is too large."
        in parsed(answer)["result"]["content"][1]["text"]
    )


def test_a_call_knows_where_it_runs() -> None:
    answer = TALK.send("tools/call", {"name": "anybody"}, user_agent="probe")

    assert parsed(answer)["result"]["structuredContent"] == {
        "user": None,
        "route": "anybody",
        "surface": "mcp",
        "request_id": "request-1",
        "agent": "probe",
    }
    assert (answer.route, answer.tool, TALK.incoming.route) == ("anybody", "anybody", "anybody")


@pytest.mark.parametrize(
    ("name", "blocks", "offloaded"),
    [
        ("nothing", True, []),
        ("nothing", False, ["routes"]),
        ("anybody", False, []),  # it says that it waits for nothing
        ("numbers", False, []),  # async
        ("who_am_i", True, []),
        ("who_am_i", False, ["hooks"]),
        ("zzz", False, []),
    ],
)
def test_what_is_synchronous_runs_elsewhere_where_it_must_not_wait(
    name: str, blocks: bool, offloaded: list[str]
) -> None:
    body = orjson.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name}}
    )
    TALK.post(body, {"authorization": "Bearer good"}, blocks=blocks)

    assert TALK.incoming.offloaded == offloaded


def test_a_client_that_leaves_cancels_its_call_in_the_modern_era_alone() -> None:
    TALK.modern("tools/call", {"name": "nothing"})
    assert TALK.incoming.watched
    assert TALK.call is not None
    before = TALK.call.cancelled
    TALK.incoming.cancelled = True

    assert (before, TALK.call.cancelled) == (False, True)
    for version in HANDSHAKE:
        TALK.send("tools/call", {"name": "nothing"}, mcp_protocol_version=version)
        assert not TALK.incoming.watched


@pytest.mark.parametrize(
    "headers", [{}, {"accept": "application/json"}, {"accept": "text/event-stream"}]
)
@pytest.mark.parametrize("meta", [{}, {"progressToken": 7}, {"progressToken": True}])
def test_progress_is_told_to_who_gave_a_token_and_takes_a_stream(
    headers: dict[str, str], meta: dict[str, Any]
) -> None:
    params = {"name": "steps", "_meta": meta}
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    sent: list[bytes] = []
    outcome = TALK.outcome(body, headers)
    listens = "event-stream" in headers.get("accept", "") and meta == {"progressToken": 7}
    assert isinstance(outcome, Answer) is not listens
    answer = (
        outcome if isinstance(outcome, Answer) else loop().run_until_complete(outcome(sent.append))
    )

    assert (answer.tool, parsed(answer)["result"]["structuredContent"]) == ("steps", {"result": 2})
    assert [orjson.loads(data)["params"] for data in sent] == [
        {"progressToken": 7, "progress": 1}
    ] * listens


def test_what_is_refused_is_no_progress() -> None:
    for params in ({"name": "steps", "arguments": 3}, {"name": "zzz"}, {"name": "who_am_i"}):
        body = orjson.dumps(
            {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {**params, "_meta": {"progressToken": 7}},
            }
        )
        assert "error" in parsed(TALK.post(body, {"accept": "text/event-stream"}))


def test_the_log_learns_who_called() -> None:
    client = {"io.modelcontextprotocol/clientInfo": {"name": "probe", "version": "3"}}
    parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"

    answer = TALK.modern(
        "tools/call", {"name": "nothing", "_meta": {**META, **client, "traceparent": parent}}
    )

    assert (answer.client, answer.traceparent, answer.tool) == ("probe 3", parent, "nothing")


@pytest.mark.parametrize(
    "parent", ["", "x", 3, None, "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01\n"]
)
def test_a_trace_that_is_none_is_not_told(parent: object) -> None:
    assert TALK.send("ping", {"_meta": {"traceparent": parent}}).traceparent is None


def test_a_progress_token_changes_nothing_where_nobody_can_be_told() -> None:
    assert TALK.result(
        "tools/call", {"name": "nothing", "_meta": {"progressToken": 1}}
    ) == TALK.result("tools/call", {"name": "nothing"})


# Credentials.


def challenge_of(talk: Talk, **headers: str) -> tuple[int, str | None]:
    answer = talk.send("tools/call", {"name": "who_am_i"}, **headers)
    return answer.status, dict(answer.headers).get("www-authenticate")


def test_a_good_token_lets_in() -> None:
    answer = TALK.send("tools/call", {"name": "who_am_i"}, authorization="Bearer good")

    assert parsed(answer)["result"]["structuredContent"]["user"] == "ann"
    assert (answer.route, answer.tool) == ("who.am.i", "who_am_i")


@pytest.mark.parametrize("talk", [TALK, CONNECT])
def test_a_token_is_asked_for(talk: Talk) -> None:
    assert challenge_of(talk) == (401, 'Bearer realm="The Shop"')
    assert challenge_of(talk, authorization="Basic eDp5") == (401, 'Bearer realm="The Shop"')
    assert challenge_of(talk, authorization="Bearer bad") == (
        401,
        'Bearer realm="The Shop", error="invalid_token"',
    )
    assert challenge_of(talk, authorization="Bearer ???") == (
        401,
        'Bearer realm="The Shop", error="invalid_token"',
    )
    assert challenge_of(talk, authorization="Bearer forbidden") == (
        403,
        'Bearer realm="The Shop", error="insufficient_scope"',
    )
    assert challenge_of(talk, authorization="Bearer good, Bearer good") == (400, None)


def test_who_is_not_let_in_is_told_in_json_rpc_too() -> None:
    answer = TALK.send("tools/call", {"name": "who_am_i"})

    assert parsed(answer) == {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {
            "code": -32001,
            "message": "A bearer token is needed.",
            "data": {"error": "UNAUTHORIZED"},
        },
    }
    assert (answer.code, answer.outcome, answer.route, answer.tool) == (
        "UNAUTHORIZED",
        401,
        "who.am.i",
        "who_am_i",
    )


@pytest.mark.parametrize("talk", [TALK, CONNECT])
def test_a_token_that_is_too_long_is_told_so_and_does_not_come_back(talk: Talk) -> None:
    hooked.clear()
    answer = talk.send("tools/call", {"name": "who_am_i"}, authorization=f"Bearer {'a' * 4097}")
    said = "The bearer token is longer than 4096 characters."

    assert error(answer) == (401, -32001)
    assert parsed(answer)["error"]["message"] == said
    assert (
        dict(answer.headers)["www-authenticate"]
        == f'Bearer realm="The Shop", error="invalid_token", error_description="{said}"'
    )
    assert b"aaa" not in answer.body
    assert hooked == []


def test_a_token_that_is_none_is_not_valid() -> None:
    assert parsed(TALK.send("tools/call", {"name": "who_am_i"}, authorization="Bearer ???"))[
        "error"
    ]["message"] == ("The bearer token is not valid.")


@pytest.mark.parametrize(
    ("token", "status", "code"),
    [
        ("slow", 429, -32600),
        ("away", 503, -32603),
        ("raises", 500, -32603),
        ("forbidden", 403, -32001),
    ],
)
def test_a_hook_may_refuse_in_other_ways(token: str, status: int, code: int) -> None:
    answer = TALK.send("tools/call", {"name": "who_am_i"}, authorization=f"Bearer {token}")

    assert error(answer) == (status, code)
    assert answer.outcome == status
    assert dict(answer.headers).get("retry-after") == ("7" if token == "slow" else None)
    assert (answer.exception is not None) == (token == "raises")
    assert SECRET.encode() not in answer.body


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("guest", "Ask an administrator."),
        ("moved", "The accounts are being moved."),
        ("forbidden", "The bearer token is not enough for this."),
        ("bad", "The bearer token is not valid."),
        ("slow", "The token could not be checked."),
        ("raises", "The token could not be checked."),
    ],
)
def test_a_hook_that_says_why_is_heard(token: str, said: str) -> None:
    answer = parsed(TALK.send("tools/call", {"name": "who_am_i"}, authorization=f"Bearer {token}"))[
        "error"
    ]

    assert answer["message"] == said
    assert answer["data"].get("data", {}).get("message", said) == said


def test_the_token_is_looked_at_before_the_arguments() -> None:
    assert error(TALK.send("tools/call", {"name": "who_am_i", "arguments": 3})) == (401, -32001)
    assert error(
        TALK.send("tools/call", {"name": "who_am_i", "arguments": 3}, authorization="Bearer good")
    ) == (200, -32602)


def test_public_tools_and_the_list_need_no_token() -> None:
    hooked.clear()

    assert len(TALK.result("tools/list", authorization="Bearer bad")["tools"]) == 7
    assert TALK.result("tools/call", {"name": "nothing"}, authorization="Bearer bad")[
        "structuredContent"
    ] == {"result": None}
    assert hooked == []


@pytest.mark.parametrize("method", ["initialize", "ping", "tools/list"])
def test_everything_needs_a_token_where_the_mount_says_so(method: str) -> None:
    hooked.clear()

    assert error(CONNECT.send(method)) == (401, -32001)
    assert error(CONNECT.send(method, authorization="Bearer bad")) == (401, -32001)
    assert CONNECT.send(method, authorization="Bearer good").status == 200
    assert hooked == [method, method]


def test_a_notification_is_challenged_as_well() -> None:
    body = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'

    assert CONNECT.post(body).status == 401
    assert CONNECT.post(body, {"authorization": "Bearer good"}).status == 202


def test_an_unknown_tool_is_not_told_to_strangers_where_everything_needs_a_token() -> None:
    assert error(CONNECT.send("tools/call", {"name": "zzz"})) == (401, -32001)
    assert error(CONNECT.send("tools/call", {"name": "zzz"}, authorization="Bearer good")) == (
        200,
        -32602,
    )


def test_the_hook_is_asked_once() -> None:
    hooked.clear()

    assert (
        CONNECT.result("tools/call", {"name": "who_am_i"}, authorization="Bearer good")[
            "structuredContent"
        ]["user"]
        == "ann"
    )
    assert (
        CONNECT.result("tools/call", {"name": "anybody"}, authorization="Bearer good")[
            "structuredContent"
        ]["user"]
        is None
    )
    assert hooked == ["who.am.i", "anybody"]


def test_a_public_tool_is_given_no_context_where_everything_needs_a_token() -> None:
    """
    The token lets its client in; who that is, is no business of a resolver that says ``ctx: None``.
    """
    given: list[object] = []

    @route(summary="Look", tags=["x"], auth="none", mcp=True)
    def look(input: None, ctx: None) -> None:
        given.append(ctx)

    @route(summary="Look", tags=["x"], auth="none", mcp=True)
    async def look_async(input: None, ctx: None) -> None:
        given.append(ctx)

    talk = Talk(
        spec(authenticate=authenticate, routes=routes(look, look_async, me)),
        mcp_challenge="connect",
    )
    for name in ("look", "look_async"):
        assert talk.send("tools/call", {"name": name}, authorization="Bearer good").status == 200
        assert talk.modern("tools/call", {"name": name}, authorization="Bearer good").status == 200

    assert given == [None] * 4


def test_lists_are_private_where_they_depend_on_the_token() -> None:
    assert (
        CONNECT.modern_result("tools/list", authorization="Bearer good")["cacheScope"] == "private"
    )
    assert (
        CONNECT.modern_result("server/discover", authorization="Bearer good")["cacheScope"]
        == "private"
    )


def test_without_anybody_to_ask_nothing_is_asked() -> None:
    assert Talk(OPEN, mcp_challenge="connect").result("ping") == {}
