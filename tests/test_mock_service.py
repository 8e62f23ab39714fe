"""A mock over HTTP: the real wire, and the failures that a client asks for."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from functools import partial
from time import time
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

import contract
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.service import Service
from contract.declare.failures import FRAMEWORK
from contract.document.contract_json import dump_contract
from contract.shape.exceptions import MountError
from contract.testing import Client
from contract.testing.mock import MockService
from tests.mocks import package
from tests.tables import rows
from tests.test_mock_spec import API

ORDER = b'{"product_id":"p1"}'


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: Any


def ask(
    api: Any, path: str, body: bytes = b"", method: str = "POST", query: str = "", **headers: str
) -> Reply:
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "http",
        "HTTP_HOST": "shop.example",
        "wsgi.input": io.BytesIO(body),
        "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": "application/json" if body else "",
        **{f"HTTP_{name.upper()}": value for name, value in headers.items()},
    }
    sent: list[Any] = []
    parts = WsgiApp(api)(environ, lambda status, pairs, *_: sent.extend((status, dict(pairs))))
    data = b"".join(parts)
    return Reply(int(sent[0][:3]), sent[1], json.loads(data) if data else None)


def order(service: Service, **headers: str) -> Reply:
    """The answer to a call that nothing is wrong with."""
    return ask(service, "/v1/order", ORDER, authorization="Bearer t", **headers)


@pytest.fixture(scope="module")
def service() -> MockService:
    return MockService(package(API), prefix="/v1", cors_origins=("http://localhost:5173",))


def test_a_call_gets_an_answer(service: MockService) -> None:
    first = order(service)

    assert first.status == 200
    assert first.body.keys() == {"order_id", "price_cents"}
    assert first.body == ask(service, "/v1/order", ORDER, authorization="Bearer other").body
    assert "preference-applied" not in first.headers
    assert first.headers["deprecation"] == "@1769817600"


TOKEN = {"authorization": "Bearer t"}


@rows(
    "path, method, body, headers, status",
    ("/order", "POST", ORDER, {}, 401),
    ("/order", "POST", b"{", TOKEN, 400),
    ("/order", "POST", b'{"product_id":"","x":1}', TOKEN, 400),
    ("/order", "POST", b'"' + b"x" * 1_048_576 + b'"', TOKEN, 413),
    ("/order", "POST", ORDER, TOKEN | {"content_encoding": "gzip"}, 415),
    ("/order", "GET", b"", {}, 405),
    ("/order", "OPTIONS", b"", {}, 204),
    ("/nothing", "POST", b"", {}, 404),
    ("/docs", "GET", b"", {}, 404),
    ("/mcp", "POST", b"", {}, 404),
    ("/contract.json", "POST", b"", {}, 405),
)
def test_what_is_refused_is_refused_as_it_really_is(
    service: MockService, path: str, method: str, body: bytes, headers: dict[str, str], status: int
) -> None:
    real = service_of(API, service.options)
    mocked, original = (
        ask(each, f"/v1{path}", body, method, **headers) for each in (service, real)
    )

    assert (mocked.status, original.status) == (status, status)
    assert mocked.body == original.body
    assert {**mocked.headers, "x-request-id": ""} == {**original.headers, "x-request-id": ""}


@contract.route(summary="Note", tags=["notes"], auth="none", max_body_bytes=20)
def note(input: str, ctx: None) -> None: ...


SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@contract.route(
    summary="Paid", tags=["notes"], auth="none", signed=contract.Signed([SECRET]), max_body_bytes=20
)
def paid(input: str, ctx: None) -> None: ...


def page_of(sid: str, request: contract.Request) -> str:
    return "ada"


@contract.route(summary="Who", tags=["notes"])
def who(input: None, ctx: str) -> str:
    return ctx


PAGE = "https://app.example"
BY_COOKIE = contract.cookie(page_of, name="sid", origins=[PAGE])
NOTES = contract.spec(authenticate=BY_COOKIE, routes=contract.routes(note, paid, who))


@rows(
    "path, body, headers, status",
    ("/note", b'"short"', {}, 200),
    ("/note", b'"longer than it may be"', {}, 413),
    ("/paid", b'"short"', {}, 400),
    ("/paid", b"", {}, 400),
    ("/paid", b'"longer than it may be"', {}, 413),
    ("/paid", b'"s"', {"webhook_id": "m", "webhook_timestamp": "1"}, 400),
    ("/who", b"", {"cookie": "sid=s", "origin": PAGE}, 200),
    ("/who", b"", {"cookie": "sid=s", "origin": "https://other.example"}, 403),
)
def test_limits_signatures_and_cookies_are_those_of_the_real_service(
    path: str, body: bytes, headers: dict[str, str], status: int
) -> None:
    mock = MockService(package(NOTES), cors_origins=(PAGE,))
    real = service_of(NOTES, mock.options)
    mocked, original = (ask(each, path, body, **headers) for each in (mock, real))

    assert (mocked.status, original.status) == (status, status)
    if status != 200:
        assert mocked.body == original.body
    assert mocked.headers.keys() == original.headers.keys()


def test_a_mock_has_no_secret_and_takes_any_signature() -> None:
    client = Client(MockService(package(NOTES)))
    sent = {"webhook-id": "m", "webhook-timestamp": str(int(time())), "webhook-signature": "v1,a"}

    assert client.call("paid", "short", headers=sent).status == 200
    assert client.call("paid", 7, headers=sent).error == "VALIDATION_ERROR"


def test_a_body_that_is_too_large_is_told_the_limit_of_its_route(service: MockService) -> None:
    prefer = "code=PAYLOAD_TOO_LARGE"

    assert ask(MockService(package(NOTES)), "/note", prefer=prefer).body["data"] == {"limit": 20}
    assert ask(service, "/v1/order", prefer=prefer).body["data"] == {"limit": 1_048_576}


def test_the_client_of_tests_calls_it_as_others_do(service: MockService) -> None:
    calls: list[contract.CallEvent] = []
    mock = MockService(service.package, seed=7, prefix="/v1", on_call=calls.append)
    client = Client(mock, token="t")
    given, wanted = json.loads(ORDER), {"prefer": "code=SOLD_OUT"}

    assert client.call("order", given, headers=wanted).error == "SOLD_OUT"
    assert client.call("order", given).json == order(mock).body
    assert client.get("docs").status == 404
    assert [call.route for call in calls] == ["order", "order", "order", None]


def test_the_documents_are_those_that_were_given(service: MockService) -> None:
    given = json.loads(dump_contract(service.package.document))
    at_the_root = ask(MockService(package(API)), "/openapi.json", method="GET")

    assert ask(service, "/v1/contract.json", method="GET").body == given
    assert ask(service, "/v1/openapi.json", method="GET").body["servers"] == [{"url": "/v1"}]
    assert at_the_root.body["servers"] == [{"url": "/"}]


FAILURES = ("SOLD_OUT", "CLOSED", "NOT_FOUND", "FORBIDDEN", "TOO_MANY_REQUESTS")


BUSY = ("SERVICE_UNAVAILABLE", "status=503")


@rows("code, prefer", *((code, f"code={code}") for code in (*FAILURES, *FRAMEWORK)), BUSY)
def test_each_failure_can_be_had(service: MockService, code: str, prefer: str) -> None:
    """One of the framework's is given at once, as nothing of the call is needed for it."""
    document = service.package.document
    error = document.routes["order"].errors.get(code) or document.errors[code]
    call = partial(ask, service, "/v1/order") if code in FRAMEWORK else partial(order, service)
    reply = call(prefer=prefer)

    assert (reply.status, reply.body["error"]) == (error.status, code)
    assert reply.headers["preference-applied"] == prefer
    assert "data" in reply.body or not error.data_required
    if error.data is not None:
        jsonschema.validate(reply.body.get("data", {}), {**error.data, "$defs": {**document.defs}})
    assert ("www-authenticate" in reply.headers) == (code == "UNAUTHORIZED")
    assert ("allow" in reply.headers) == (code == "METHOD_NOT_ALLOWED")


@contract.route(summary="Home", tags=["t"], auth="optional")
def home(input: None, ctx: object) -> int:
    return 1


@contract.route(summary="Refund", tags=["t"], auth=contract.requires("a", "b"))
def refund(input: None, ctx: contract.HasScopes) -> int:
    return 1


def test_any_token_or_none_will_do_and_has_every_scope() -> None:
    scoped = contract.spec(
        routes=contract.routes(home, refund), authenticate=lambda token, request: None
    )
    service = MockService(package(scoped))

    assert ask(service, "/home").status == 200
    assert ask(service, "/home", authorization="Bearer t").status == 200
    assert ask(service, "/home", authorization="Bearer").status == 401
    assert ask(service, "/refund").status == 401
    assert ask(service, "/refund", authorization="Bearer t").status == 200
    reply = ask(service, "/refund", authorization="Bearer t", prefer="code=FORBIDDEN")
    challenge = 'Bearer realm="Contract API", error="insufficient_scope", scope="a b"'
    assert (reply.status, reply.headers["www-authenticate"]) == (403, challenge)
    reply = ask(service, "/home", prefer="code=FORBIDDEN")
    assert (reply.status, "www-authenticate" in reply.headers) == (403, False)


def test_checks_go_before_a_failure_that_a_resolver_would_give(service: MockService) -> None:
    for body, headers, status in ((b"{}", {"authorization": "Bearer t"}, 400), (ORDER, {}, 401)):
        reply = ask(service, "/v1/order", body, prefer="code=SOLD_OUT", **headers)

        assert (reply.status, "preference-applied" in reply.headers) == (status, False)


@rows("prefer", "status=200", "code=200", "return=minimal", "respond-async", "")
def test_other_preferences_are_ignored(service: MockService, prefer: str) -> None:
    """As RFC 7240 has it, and the usual answer may be preferred, too."""
    reply = order(service, prefer=prefer)

    assert (reply.status, "preference-applied" in reply.headers) == (200, False)


@rows(
    "prefer, told, names",
    ("code=NOTHING", "code=NOTHING; Prefer one of: CLOSED, NOT_FOUND, SOLD_OUT, ", "DEADLINE_"),
    ("code=sold_out", "code=sold_out;", "SOLD_OUT"),
    ("status=499", "status=499;", "409"),
    ('code="\x1b<\xe9', "code=;", "SOLD_OUT"),
    (f"code={'X' * 990}", "code=XXX", "SOLD_OUT"),
)
def test_what_cannot_be_preferred_is_told_with_what_can(
    service: MockService, prefer: str, told: str, names: str
) -> None:
    """A success instead would be the answer that nobody counted on."""
    reply = order(service, prefer=prefer)

    assert (reply.status, reply.body["error"]) == (400, "BAD_REQUEST")
    assert "preference-applied" not in reply.headers
    message = reply.body["data"]["message"]
    assert message.startswith(f"This route cannot answer with {told}")
    assert names in message


def test_a_route_without_failures_has_those_of_everyone(service: MockService) -> None:
    message = ask(service, "/v1/ping", prefer="code=NOTHING").body["data"]["message"]

    assert "Prefer one of: NOT_FOUND, FORBIDDEN, " in message
    assert ask(service, "/v1/ping", prefer="code=NOT_FOUND").status == 404


@pytest.mark.parametrize("prefer", ["code=UNAUTHORIZED", "status=401"])
def test_a_public_route_refuses_no_credential(service: MockService, prefer: str) -> None:
    reply = ask(service, "/v1/ping", prefer=prefer)
    others = reply.body["data"]["message"].partition(";")[2]

    assert (reply.status, reply.body["error"]) == (400, "BAD_REQUEST")
    assert "UNAUTHORIZED" not in others
    assert "401" not in others


def test_a_read_that_may_be_kept_is_mocked_at_get() -> None:
    kept = contract.Cache(max_age=5, vary=["A"])

    @contract.route(summary="F", tags=["t"], auth="none", effect="read", cache=kept)
    def find(input: str, ctx: None) -> int | contract.NotFound:
        raise NotImplementedError

    mock = MockService(package(contract.spec(routes=[find])))

    def get(**headers: str) -> Reply:
        return ask(mock, "/find", b"", "GET", "input=%22a%22", **headers)

    found = get()
    assert (found.status, found.body) == (200, ask(mock, "/find", b'"a"').body)
    assert (found.headers["cache-control"], found.headers["vary"]) == ("public, max-age=5", "A")
    assert get(if_none_match=found.headers["etag"]).status == 304
    gone = get(prefer="code=NOT_FOUND")
    assert (gone.status, gone.headers["cache-control"]) == (404, "no-store")
    assert gone.headers["preference-applied"] == "code=NOT_FOUND"
    wrong = get(prefer="code=METHOD_NOT_ALLOWED")
    assert (wrong.status, wrong.headers["allow"]) == (405, "GET, HEAD, OPTIONS, POST")


def test_pages_may_ask_for_failures(service: MockService) -> None:
    allowed = "access-control-allow-headers"
    reply = ask(service, "/v1/order", method="OPTIONS", origin="http://localhost:5173")
    other = ask(service, "/v1/order", method="OPTIONS", origin="http://other")

    assert reply.headers[allowed] == "authorization, content-type, x-request-id, prefer"
    assert allowed not in other.headers


def test_a_route_may_have_the_name_of_what_a_mock_does_not_serve() -> None:
    @contract.route(summary="Docs", tags=["tests"], auth="none")
    def docs(input: None, ctx: None) -> int:
        raise NotImplementedError

    paper = package(contract.spec(routes=contract.routes(docs)))

    assert ask(MockService(paper), "/docs").status == 200
    with pytest.raises(MountError, match="'v1' is not a path"):
        MockService(paper, prefix="v1")
