"""Webhooks as they are declared, described, refused and called."""

from __future__ import annotations

import json
import pickle
from base64 import b64encode
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from pprint import pformat
from typing import Any

import orjson
import pytest

from contract import (
    Cache,
    DocumentError,
    Route,
    RouteDeclarationError,
    Signed,
    current_call,
    pred_of,
    resource,
    route,
    spec,
)
from contract.call.bound import bind
from contract.call.mount_options import Options
from contract.call.signed_body import without_secrets
from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.codegen.typescript import typescript_client
from contract.document.contract_json import dump_contract, load_contract
from contract.document.describe import describe
from contract.document.diff import diff
from contract.document.openapi import openapi
from contract.explorer.llms import llms
from contract.shape.signatures import Secrets, signed_headers
from contract.testing import AsyncClient, Client, check_spec
from tests.cli_inside import run
from tests.cli_urls import documents
from tests.diffs import kinds
from tests.tables import rows

SECRET = f"whsec_{b64encode(bytes(32)).decode()}"


@dataclass(frozen=True)
class Paid:
    id: str
    cents: int


def resolver(input: Paid, ctx: None) -> str:
    return input.id


def made(**options: Any) -> Route[Paid, str, Any]:
    decorate: Any = route
    given = {"summary": "Paid", "tags": ["pay"], "auth": "none"} | options
    return decorate(**given)(resolver)  # type: ignore[no-any-return]


SENT = {"id": "p1", "cents": 1}
WEBHOOK = spec(routes={"paid": made(signed=Signed([SECRET]))})
PLAIN = spec(routes={"paid": made()})


def asked(name: str) -> list[str]:
    return [name]


NO_SECRETS: Any = [SECRET.encode(), {SECRET}, None]
NO_SECRET: Any = ["", "whsec_", "whsec_Zm9v", SECRET + "!", "whsec_" + "A" * 100]
NO_SECONDS: Any = [0, 86_401, True, 1.5, "60"]
CACHED = {"effect": "read", "cache": Cache(max_age=1)}


def of(secrets: Any, tolerance: Any = 300) -> dict[str, Any]:
    return {"signed": Signed(secrets, tolerance=tolerance)}


@rows(
    "options, message",
    (CACHED, "cache= has the route called without a signature; leave cache= out"),
    *((of([SECRET], each), r"tolerance is .* from 1 to 86400") for each in NO_SECONDS),
    *((of(each), "secrets: give a list of secrets, such as os.environ") for each in NO_SECRETS),
    (of([]), "secrets: it is empty, so no signature could be valid"),
    *((of([SECRET, each]), "secrets: this secret is not base64 of 24 ") for each in NO_SECRET),
    (of(NO_SECRETS[:1]), "secrets: a secret must be a text, whsec_ and"),
    (of(asked), "secrets: the function is asked without arguments; write it like lambda"),
)
def test_what_cannot_be_signed_is_refused(options: dict[str, Any], message: str) -> None:
    place = "" if "cache" in options else r"Signed\."
    with pytest.raises(RouteDeclarationError, match=place + message) as caught:
        made(**{"signed": Signed([SECRET])} | options)

    assert caught.value.where == "resolver"
    assert "test_signed.py" in str(caught.value)
    assert "AAAA" not in str(caught.value)  # no secret in a message


def test_secrets_are_in_no_repr() -> None:
    assert repr(Signed([SECRET])) == "Signed(tolerance=300)"
    assert "AAAA" not in repr(made(signed=Signed([SECRET])))


def test_a_function_written_in_c_is_asked_at_the_call() -> None:
    given = made(signed=Signed(partial(asked, SECRET))).signed

    assert given is not None
    assert given.asked() == [SECRET]
    assert made(signed=Signed(iter([[SECRET]]).__next__)).signed is not None


def test_a_function_that_gives_no_secret_is_told_at_the_call() -> None:
    for secrets, message in (([], "it is empty"), (["whsec_Zm9v"], "this secret is not base64")):
        with pytest.raises(ValueError, match=f"^Signed.secrets: {message}"):
            Signed(partial(list[str], secrets)).asked()


@rows(
    "secrets, message_id, problem",
    ([], "msg_1", "there is no secret to sign with; give one"),
    (["foo"], "msg_1", "this secret is not base64"),
    ([SECRET], "msg.1", "'msg.1' is not an id of a message; take 1 to 256 visible ASCII"),
    ([SECRET], "", "'' is not an id of a message"),
)
def test_what_nobody_could_check_is_not_signed(
    secrets: list[str], message_id: str, problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        signed_headers(secrets, message_id, 1, b"")


def test_a_secret_needs_no_padding_and_no_prefix() -> None:
    bare = SECRET.removeprefix("whsec_").rstrip("=")

    assert signed_headers([bare], "a", 1, b"x") == signed_headers([SECRET], "a", 1, b"x")


def test_the_preds_of_a_signed_route_are_those_of_a_plain_one() -> None:
    plain, signed = ({repr(pred) for pred in bind(api)["paid"].loads()} for api in (PLAIN, WEBHOOK))

    assert repr(pred_of(Paid)) in signed
    assert signed == plain


def test_the_client_in_memory_signs_what_it_sends() -> None:
    paid = partial(Client(WEBHOOK).call, "paid")
    again = {"Webhook-Id": "m1"}  # as the sender sends it again

    assert paid(SENT).json == paid(SENT, headers=again).json == "p1"
    assert paid({"id": 1, "cents": 1}).error == "VALIDATION_ERROR"
    assert paid(SENT, headers={"webhook-signature": "v1,AAAA"}).error == "BAD_REQUEST"


def test_the_laws_hold_for_webhooks() -> None:
    check_spec(WEBHOOK)


def test_the_document_says_that_bodies_are_signed() -> None:
    document = describe(WEBHOOK)

    assert document.routes["paid"].signed == "standard-webhooks"
    assert load_contract(dump_contract(document)) == document
    assert b'"signed"' not in dump_contract(describe(PLAIN))
    assert b"AAAA" not in dump_contract(document)


@rows(
    "key, value, place, problem",
    ("signed", "mine", "signed", "this is not one of standard-webhooks"),
    ("auth", "bearer", "signed", "a route whose bodies are signed has no other auth"),
    ("mcp", {}, "mcp", "a call with a signed body cannot have this"),
)
def test_a_document_says_nothing_else_of_signatures(
    key: str, value: object, place: str, problem: str
) -> None:
    contract = orjson.loads(dump_contract(describe(WEBHOOK)))
    contract["routes"]["paid"][key] = value

    with pytest.raises(DocumentError) as caught:
        load_contract(orjson.dumps(contract))
    assert (caught.value.path, caught.value.problem) == (f"$.routes.paid.{place}", problem)


def test_openapi_names_the_headers() -> None:
    operation = openapi(describe(WEBHOOK), server="/")["paths"]["/paid"]["post"]
    names = [each["name"] for each in operation["parameters"]]

    assert names == ["webhook-id", "webhook-timestamp", "webhook-signature"]
    assert all(each["required"] and each["in"] == "header" for each in operation["parameters"])
    assert operation["security"] == []


def test_a_signature_that_is_asked_for_breaks_callers() -> None:
    plain, webhook = describe(PLAIN), describe(WEBHOOK)

    assert kinds(diff(plain, webhook)) == ["breaking: signature_required"]
    assert kinds(diff(webhook, plain)) == ["compatible: signature_dropped"]


def test_agents_are_told_that_it_is_a_webhook() -> None:
    told = llms(describe(WEBHOOK), contract="contract.json", server="/").decode()
    assert "a webhook: its sender signs the body (Standard Webhooks)" in told


def test_clients_leave_webhooks_out() -> None:
    plain, package = package_of(describe(PLAIN)), package_of(describe(WEBHOOK))

    for written, call in ((python_client, "def paid"), (typescript_client, "paid(")):
        assert call in written(plain)
        assert call.removeprefix("def ") not in written(package)


SHOP = f"""
from contract import Signed, route, spec

@route(summary="Paid", tags=["pay"], auth="none", signed=Signed(["{SECRET}"]))
def paid(input: str, ctx: None) -> str:
    return input

api = spec(routes=[paid])
"""


def test_generate_says_what_it_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "contract.json").write_bytes(dump_contract(describe(WEBHOOK)))

    done = run("generate contract.json -o client.py", cwd=tmp_path)

    told = b"contract: left out of the clients, since their senders sign each body: paid"
    assert told in done.stderr


def test_call_signs_in_its_own_process(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP)

    done = run("call paid", '"p1"', "--app", "shop.py", cwd=tmp_path)

    assert (done.returncode, done.stdout) == (0, b'"p1"\n')


@resource
def kept() -> Iterator[list[str]]:
    yield [SECRET]


async def test_a_test_client_opens_the_resource_that_a_secret_comes_from() -> None:
    api = spec(routes={"paid": made(signed=Signed(kept))}, resources=[kept])
    client, later = Client(api), AsyncClient(api)

    assert client.call("paid", SENT).json == "p1"
    client.__exit__()
    assert (await later.call("paid", SENT)).json == "p1"
    await later.__aexit__()


@pytest.mark.parametrize("secrets", [[], [""], ["whsec_"]])
def test_a_service_is_not_ready_until_its_secrets_are_there(
    secrets: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    def given() -> list[str]:
        return secrets

    def of_the_call() -> list[str]:
        return [current_call().headers["x-secret"]]

    secret_of = {"paid": given, "fixed": [SECRET], "bound": of_the_call}
    api = spec(routes={name: made(**of(secrets)) for name, secrets in secret_of.items()})
    client = Client(api, options=Options(health_path="/healthz"))

    assert [client.get("healthz").status for _ in "12"] == [503, 503]
    assert caplog.text.count("not ready: the check paid.signed did not go well") == 1
    assert caplog.text.count("ValueError: Signed.secrets: ") == 1
    secrets[:] = [SECRET]
    assert client.get("healthz").status == 200
    secrets.clear()  # the others of its routes are still to be called
    assert client.get("healthz").status == 200


KEPT = """
import os
from contract import Signed, current_call, resource, route, spec

@resource
def settings():
    yield os.environ["PAYING"].split()

@route(summary="Paid", tags=["pay"], auth="none", signed=Signed(lambda: settings()))
def paid(input: str, ctx: None) -> str:
    return f"{input} {len(settings())}"

@route(summary="Paid", tags=["pay"], auth="none", signed=Signed(lambda: current_call().route))
def bound(input: str, ctx: None) -> None: ...

@route(summary="Paid", tags=["pay"], auth="none", signed=Signed(lambda: [os.environ["NONE"]]))
def unset(input: str, ctx: None) -> None: ...

api = spec(routes=[paid, bound, unset], resources=[settings])
"""


@rows(
    "secrets, arguments, code, told",
    (SECRET, ["paid"], 0, "200 paid"),
    (SECRET, ["paid", "--header", "webhook-id: a.b"], 2, "contract: 'a.b' is not an id of a "),
    (SECRET, ["bound"], 3, "contract: bound cannot be signed, for want of a secret: no call"),
    (SECRET, ["unset"], 3, "contract: unset cannot be signed, for want of a secret: KeyError"),
    ("", ["paid"], 3, "paid cannot be signed, for want of a secret: Signed.secrets: it is em"),
    (None, ["paid"], 3, "contract: the resource settings could not be opened: KeyError: 'PAY"),
)
def test_call_opens_the_resource_that_a_secret_comes_from(
    secrets: str | None,
    arguments: list[str],
    code: int,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "shop.py").write_text(KEPT)
    monkeypatch.delenv("PAYING", raising=False)
    if secrets is not None:
        monkeypatch.setenv("PAYING", secrets)

    done = run("call", *arguments, '"p1"', "--app", "shop.py", cwd=tmp_path)

    assert (done.returncode, done.stdout) == (code, b"" if code else b'"p1 1"\n')
    [line] = done.err.splitlines()
    assert told in line


def test_call_and_fuzz_cannot_sign_for_a_server(tmp_path: Path) -> None:
    with documents(dump_contract(describe(WEBHOOK))) as server:
        called = run("call", server.url, "paid", '"p1"', cwd=tmp_path)
        fuzzed = run("fuzz --url", server.url, cwd=tmp_path)

    assert called.returncode == fuzzed.returncode == 2
    assert b"paid takes webhooks, whose senders sign each body with a secret" in called.stderr
    why = b"its senders sign each body, with a secret that a document does not tell"
    assert why in fuzzed.stdout + fuzzed.stderr


@rows("given, shown", ([SECRET], "<1 secret>"), ((SECRET, SECRET), "<2 secrets>"))
def test_secrets_are_shown_by_nothing_that_shows_all_fields(given: Any, shown: str) -> None:
    """Logs and debuggers take options apart: ``asdict``, pprint, JSON of a dataclass."""
    signed = Signed(given)
    options = Options(secrets=given)
    parts: list[Any] = [asdict(signed), asdict(replace(signed, tolerance=9)), signed.secrets]
    more: list[Any] = [asdict(options), options.secrets]
    told = [*map(repr, parts + more), pformat(signed), json.dumps(parts[0], default=repr)]

    assert "AAAA" not in "".join(told)
    assert told[0] == f"{{'secrets': {shown}, 'tolerance': 300}}"
    with pytest.raises(TypeError):
        orjson.dumps(signed)
    for taken_apart in (list, tuple, vars, dict):
        with pytest.raises(TypeError):
            json.dumps(asdict(signed), default=taken_apart)
    assert pickle.loads(pickle.dumps(signed)).asked() == signed.asked() == [*given]
    assert replace(options, prefix="/v1").secrets == options.secrets
    assert options.revealed() == (*given,)
    assert len({Secrets(given), Secrets(given), Secrets("a")}) == 2


def test_any_sequence_of_secrets_is_kept_hidden() -> None:
    assert repr(Signed(deque([SECRET])).secrets) == "<1 secret>"


def test_a_route_without_its_secrets_is_named_and_so_is_why_if_that_can_be_told_here() -> None:
    def of_a_call() -> list[str]:
        return [current_call().headers["x-secret"]]

    def of_a_table() -> list[str]:
        return [dict[str, str]()["x-secret"]]

    api = spec(
        routes={
            "elsewhere": made(signed=Signed(of_a_call)),
            "lost": made(signed=Signed(of_a_table)),
            "paid": made(signed=Signed([SECRET])),
            "plain": made(),
        }
    )

    said = "lost has no secret to know its senders by: KeyError"
    assert [*without_secrets(api)] == [("elsewhere", None), ("lost", said)]


def test_secrets_are_hidden_once() -> None:
    hidden = Secrets([SECRET])

    assert Secrets.of([SECRET]) == hidden
    assert Secrets.of(hidden) is hidden
