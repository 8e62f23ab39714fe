"""Ways in together with optional credentials and permissions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from contract import Forbidden, Request, emit_openapi, group, requires, route, routes, spec
from contract.call.mount_options import Options
from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.codegen.typescript import typescript_client
from contract.declare.ways import api_key, bearer, cookie, ways
from contract.document.describe import describe
from contract.explorer.llms import llms
from contract.testing import Client
from contract.testing.mock import MockService
from tests.tables import rows
from tests.test_mock_service import ask


@dataclass(frozen=True, slots=True)
class User:
    name: str
    scopes: frozenset[str] = frozenset()


def user_of(token: str, request: Request) -> User | Forbidden | None:
    if token == "b":
        return Forbidden()
    return {"w": User("writer", frozenset({"write"})), "r": User("reader")}.get(token)


@route(summary="Greet", tags=["t"], auth="optional")
def greet(input: None, ctx: User | None) -> str:
    return ctx.name if ctx else "nobody"


@route(summary="Write", tags=["t"], auth=requires("write"), mcp=True)
def write(input: None, ctx: User) -> str:
    return ctx.name


KEY = api_key(user_of, header="X-Key")
THREE = ways(bearer(user_of), KEY, cookie(user_of, name="sid"))
api = spec(authenticate=THREE, routes=routes(greet, write))
keyed = spec(authenticate=KEY, routes=routes(greet, write))


@rows(
    "headers, status, body",
    ({}, 200, "nobody"),
    ({"x-key": "r"}, 200, "reader"),
    ({"cookie": "sid=r", "sec-fetch-site": "none"}, 200, "reader"),
    ({"cookie": "theme=dark"}, 200, "nobody"),
    ({"x-key": "?"}, 401, None),
    ({"cookie": "sid=r", "origin": "https://evil.example"}, 403, None),
    ({"x-key": "r", "authorization": "Bearer r"}, 400, None),
)
def test_a_credential_may_be_left_out(headers: dict[str, str], status: int, body: Any) -> None:
    reply = Client(api).call("greet", headers=headers)

    assert (reply.status, reply.json if status == 200 else None) == (status, body)


def test_scopes_are_asked_of_whoever_is_let_in() -> None:
    for made in (api, keyed):
        client = Client(made)
        assert client.call("write", headers={"x-key": "w"}).json == "writer"
        refused = client.call("write", headers={"x-key": "r"})

        assert (refused.status, refused.error) == (403, "FORBIDDEN")
        assert ("www-authenticate" in refused.headers) is (made is api)


def refused_by(made: Any) -> Any:
    return Client(made).call("write", headers={"x-key": "r"})


def test_where_a_key_is_all_that_there_is_the_body_names_the_scopes() -> None:
    asked = 'Bearer realm="Contract API", error="insufficient_scope", scope="write"'
    message = {"message": "This needs the scope write."}

    assert refused_by(api).headers["www-authenticate"] == asked
    assert "www-authenticate" not in refused_by(keyed).headers
    assert refused_by(api).json["data"] == refused_by(keyed).json["data"] == message


@rows("made, has_challenge", (api, True), (keyed, False))
def test_every_projection_agrees_on_the_challenge_of_a_403(made: Any, has_challenge: bool) -> None:
    called: dict[str, Any] = {"name": "write", "arguments": {}}
    tool = Client(made).mcp("tools/call", called, headers={"x-key": "r"})
    blocked = Client(made).mcp("tools/call", called, headers={"x-key": "b"})
    service = MockService(package_of(describe(made)))
    mock = ask(service, "/write", x_key="k", prefer="code=FORBIDDEN")
    described = json.loads(emit_openapi(made))
    response = described["paths"]["/write"]["post"]["responses"]["403"]
    found = described["components"]["responses"][response["$ref"].rpartition("/")[2]]

    for reply in (refused_by(made), tool, blocked, mock):
        assert reply.status == 403
        assert ("www-authenticate" in reply.headers) is has_challenge
    assert ("WWW-Authenticate" in found["headers"]) is has_challenge
    told = described["components"]["headers"]["WWW-Authenticate"]["description"]
    assert ("FORBIDDEN" in told) is has_challenge


def test_mcp_clients_with_a_key_see_what_they_may_use() -> None:
    client = Client(api)

    for headers, tools in (({"x-key": "w"}, ["write"]), ({"x-key": "r"}, []), ({}, ["write"])):
        assert listed(client, headers=headers) == tools
    called: dict[str, Any] = {"name": "write", "arguments": {}}
    missing = Client(keyed).mcp("tools/call", called)
    assert missing.headers["www-authenticate"] == 'ApiKey realm="Contract API", name="X-Key"'


def test_the_documents_tell_of_both() -> None:
    paths = json.loads(emit_openapi(api))["paths"]
    package = package_of(describe(api))
    python, typescript = python_client(package), typescript_client(package)
    text = llms(describe(api), contract="/contract.json", server="/v1").decode()

    assert paths["/greet"]["post"]["security"] == [{}, {"bearer": []}, {"X-Key": []}, {"sid": []}]
    assert {"X-Key": ["write"]} in paths["/write"]["post"]["security"]
    assert "a client with ``token`` or ``x_key`` or ``sid`` sends it" in " ".join(python.split())
    assert "and the scopes ``write``" in " ".join(python.split())
    assert "May be called without a credential; a client with token or xKey or sid" in typescript
    assert "Needs a client with token or xKey or sid, and the scopes write." in typescript
    assert "takes a token or X-Key or sid" in text
    assert "needs a token or X-Key or sid with the scopes write" in text


# Groups that take other credentials over MCP.


@route(summary="Secret", tags=["t"], mcp=True)
def secret(input: None, ctx: User) -> str:
    return ctx.name


@route(summary="Admin", tags=["t"], auth=requires("adm"), mcp=True)
def admin(input: None, ctx: User) -> str:
    return ctx.name


@route(summary="Optional", tags=["t"], auth="optional", mcp=True)
def opt(input: None, ctx: User | None) -> str:
    return ctx.name if ctx else "nobody"


@route(summary="Tool", tags=["t"], mcp=True)
def tool(input: None, ctx: User) -> str:
    return ctx.name


def partner_of(token: str, request: Request) -> User | None:
    return User("partner") if token == "tb" else None


def listed(client: Client, **sent: Any) -> Any:
    """The names of the tools, or the status where there are none."""
    reply = client.mcp("tools/list", {}, **sent)
    if reply.status != 200:
        return reply.status
    return [tool["name"] for tool in reply.json["result"]["tools"]]


PARTNERS = group("b", routes=routes(tool), authenticate=partner_of)


OWN = {"secret": secret, "admin": admin, "opt": opt}


@rows("names", "secret admin opt", "opt secret admin", "opt admin", "opt")
def test_an_optional_tool_lists_no_others_to_the_callers_of_a_group(names: str) -> None:
    everything = names.split()
    own: Any = [OWN[name] for name in everything]
    client = Client(spec(authenticate=KEY, routes=routes(*own, PARTNERS)))
    usable = [name for name in everything if name != "admin"]

    assert listed(client) == [*everything, "b_tool"]
    assert listed(client, token="tb") == ["opt", "b_tool"]
    assert listed(client, headers={"x-key": "r"}) == usable
    both = listed(client, token="tb", headers={"x-key": "r"})
    assert both == [*usable, "b_tool"]
    # a credential that is bad is not one that is missing
    assert listed(client, token="bad") == 401
    assert listed(client, headers={"x-key": "bad"}) == 401
    assert listed(client, token="tb", headers={"x-key": "bad"}) == ["b_tool"]


def test_an_optional_tool_is_listed_to_no_other_group_where_every_request_needs_a_token() -> None:
    api = spec(authenticate=KEY, routes=routes(opt, secret, PARTNERS))
    client = Client(api, options=Options(mcp_challenge="connect"))

    assert listed(client, token="tb") == ["b_tool"]
    assert listed(client, headers={"x-key": "r"}) == ["opt", "secret"]
    assert listed(client) == 401


@route(summary="Page", tags=["t"])
def page(input: None, ctx: User) -> str:
    return ctx.name


@route(summary="Open", tags=["t"], auth="none", mcp=True)
def public(input: None, ctx: None) -> str:
    return "open"


def test_a_cookie_opens_no_endpoint_where_every_request_needs_a_token() -> None:
    pages = group("p", routes=routes(page), authenticate=cookie(user_of, name="sid"))
    api = spec(authenticate=user_of, routes=routes(public, tool, pages))
    client = Client(api, options=Options(mcp_challenge="connect"))
    sent = {"cookie": "sid=r", "sec-fetch-site": "none"}

    for method in ("ping", "tools/list", "initialize"):
        refused = client.mcp(method, {}, headers=sent)
        assert (refused.status, "www-authenticate" in refused.headers) == (401, True)
    assert client.mcp("tools/call", {"name": "public"}, headers=sent).status == 401
    assert listed(client, token="r", headers=sent) == ["public", "tool"]
    # where there is nothing but pages, no token is to be had
    alone = spec(routes=routes(public, pages))
    assert listed(Client(alone, options=Options(mcp_challenge="connect"))) == ["public"]
