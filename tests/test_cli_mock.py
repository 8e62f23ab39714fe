"""``contract mock``: real servers that make their answers up."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from contract.cli.mock import mocked, served, welcome
from contract.cli.output import Stop
from tests.cli_apps import BARE, SHOP
from tests.cli_inside import having, refused, run
from tests.cli_servers import running
from tests.cli_urls import documents
from tests.tables import rows
from tests.wire.case import call
from tests.wire.exchange import through_wsgi

ORDER = b'{"product_id":"p1"}'


@pytest.fixture(scope="module")
def emitted(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("made")
    return run("emit shop.py --visibility all", cwd=having(folder, SHOP)).stdout


@pytest.mark.measured
def test_a_file_is_served_until_ctrl_c(tmp_path: Path, emitted: bytes) -> None:
    (tmp_path / "contract.json").write_bytes(emitted)
    line, document_path = "mock . --prefix /v1 --seed 7", "/v1/contract.json"
    with running(line, cwd=tmp_path, health=document_path, NO_COLOR="1") as server:
        success = server.post("/v1/order", ORDER)
        failure = server.post("/v1/order", ORDER, prefer="code=SOLD_OUT")
        token = server.post("/v1/me", authorization="Bearer anything")
        docs = server.get("/v1/docs")
        document = server.get("/v1/contract.json")
        base = f"http://127.0.0.1:{server.port}/v1"
        called = run(
            "call", base, "order", ORDER.decode(), "--header", "Prefer: status=404", cwd=tmp_path
        )
        generated = run("generate", base, "-o", "api.py", cwd=tmp_path)
        code = server.stop(signal.SIGINT)
        text = server.text()

    assert (success.status, json.loads(success.body).keys()) == (200, {"order_id", "price_cents"})
    assert (failure.status, failure.headers["preference-applied"]) == (409, "code=SOLD_OUT")
    assert (token.status, docs.status, document.body) == (200, 404, emitted)
    assert (called.returncode, json.loads(called.stdout)["error"]) == (1, "NOT_FOUND")
    assert (generated.returncode, code) == (0, 0)
    assert "contract mock  .  answers are made up; Ctrl-C stops" in text
    assert "order SOLD_OUT 409" in text
    assert json.loads(success.body) == json.loads(_answer(emitted, 7))


def _answer(document: bytes, seed: int) -> bytes:
    """What another process makes up for the same call."""
    (service,) = served("x", document, seed, "/v1", ()).services
    assert service.options.prefix == "/v1"
    app: Any = served("x", document, seed, "/v1", ()).app
    return through_wsgi(app)(call("order", ORDER)).body


def test_a_url_is_a_source_too(tmp_path: Path, emitted: bytes) -> None:
    how: Any = {"cwd": tmp_path, "health": "/contract.json", "NO_COLOR": "1"}
    with documents(emitted) as source, running(f"mock {source.url} --header 'A: b'", **how) as mock:
        assert (mock.post("/order", ORDER).status, source.asked[0][1]["a"]) == (200, "b")


def written(document: object) -> bytes:
    return json.dumps(document).encode()


@rows(
    "arguments, code, problem",
    ("absent.json", 3, "cannot read absent.json: No such file or directory"),
    ("half.json", 3, "half.json is not a contract document: $: "),
    ("bad.json", 3, "bad.json cannot be mocked: $.$defs.Receipt.properties.order_id"),
    ("contract.json --prefix v1", 2, "--prefix: 'v1' is not a path; write '/v1'"),
    ("contract.json --cors-origin '*'", 2, "--cors-origin: '*' would let every page in"),
    ("own.json", 2, "contract.json: the mount needs this path itself"),
    ("contract.json --header 'A: b'", 2, "--header is for a URL, and contract.json is not one"),
    ("contract.json --seed -1", 2, "argument --seed"),
    ("contract.json --host 'not an address'", 2, "cannot listen on"),
)
def test_what_cannot_be_mocked_is_told(
    tmp_path: Path, emitted: bytes, arguments: str, code: int, problem: str
) -> None:
    bad, own = json.loads(emitted), json.loads(emitted)
    inner = {"type": "object", "properties": {"a": {"type": "string"}}}
    bad["$defs"]["Receipt"]["properties"]["order_id"] = inner
    own["routes"]["contract.json"] = own["routes"].pop("die") | {"path": "contract.json"}
    files = {"contract": emitted, "half": emitted[:99], "bad": written(bad), "own": written(own)}
    for name, data in files.items():
        (tmp_path / f"{name}.json").write_bytes(data)
    said = refused(f"mock {arguments} --port 0", cwd=tmp_path, code=code)

    assert problem in said
    assert "Traceback" not in said


def test_the_welcome_shows_how_to_get_a_failure(emitted: bytes) -> None:
    lines = welcome("contract.json", mocked("x", emitted, 0, "/v1", ()), "http://h:1").splitlines()

    assert lines[0] == "contract mock  contract.json  answers are made up; Ctrl-C stops"
    assert "  POST http://h:1/v1/order  Order a product  NOT_FOUND  SOLD_OUT" in lines
    assert lines[-1].startswith('  contract call http://h:1/v1 order \'{"product_id":"')
    assert lines[-1].endswith("--header 'Prefer: code=NOT_FOUND'")


def test_the_welcome_names_the_failures_between_items_too(emitted: bytes) -> None:
    gone = {"status": 410, "description": "It was removed."}
    output = {"stream": {"type": "integer"}, "errors": {"GONE": gone}}
    order = json.loads(emitted)["routes"]["order"] | {"output": output, "errors": {}}
    document = _with(emitted, {"order": order})
    lines = welcome("x", mocked("x", document, 0, "", ()), "http://h:1").splitlines()

    assert "  POST http://h:1/order  Order a product  GONE" in lines
    assert lines[-1].endswith("--header 'Prefer: code=GONE'")


def _with(emitted: bytes, routes: object) -> bytes:
    document = json.loads(emitted)
    document["routes"] = routes
    return json.dumps(document).encode()


def test_the_welcome_keeps_to_a_few_lines(emitted: bytes, tmp_path: Path) -> None:
    bare = run("emit app.py", cwd=having(tmp_path, BARE, "app.py")).stdout
    ping = json.loads(bare)["routes"]["ping"] | {"auth": "bearer", "summary": "two \x1b[2J"}
    many = _with(
        bare, {f"ping{index:02}": ping | {"path": f"ping{index:02}"} for index in range(12)}
    )

    lines = welcome("x", mocked("x", many, 0, "", ()), "http://h:1").splitlines()
    assert "  ... and 2 more: http://h:1/contract.json" in lines
    assert lines[-1] == "  contract call http://h:1 ping00 --token any"
    assert "\x1b" not in "".join(lines)
    found = welcome("x", mocked("x", _with(bare, {}), 0, "", ()), "http://h:1").splitlines()[1:]
    assert found == [""]


def test_an_input_that_nobody_can_make_up_is_left_open(emitted: bytes) -> None:
    document = json.loads(emitted)
    hard = {"pattern": "^a{3}$", "minLength": 4}
    document["$defs"]["OrderInput"]["properties"]["product_id"] |= hard
    (service,) = served("x", json.dumps(document).encode(), 0, "", ()).services

    with pytest.raises(Stop):
        mocked("x", b"{}", 0, "", ())
    found = welcome("x", mocked("x", json.dumps(document).encode(), 0, "", ()), "http://h:1")
    assert "order '{}' --header" in found
    assert service.routes
