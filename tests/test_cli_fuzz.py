"""``contract fuzz``: in this process, and over HTTP."""

from __future__ import annotations

import argparse
import io
import json
import re
import shlex
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest

from contract import Cache, Failure, current_call, emit_contract, route, routes, spec
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.mount_options import Options
from contract.call.service import Service
from contract.cli.fuzz_report import Progress, Replays, as_json
from contract.testing import Finding
from contract.testing.fuzzing import Result
from tests import three_ways
from tests.cli_apps import TWO_VERSIONS
from tests.cli_inside import having, refused, run
from tests.cli_servers import ran
from tests.cli_urls import documents
from tests.tables import rows

SHOP = '''
import os
import sys
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Len

from contract import Failure, NotFound, route, routes, spec

print("hello from the app")


class SoldOut(Failure, status=409):
    """Every copy is sold."""


@dataclass(frozen=True, slots=True)
class Order:
    product: Annotated[str, Len(1, 40)]
    quantity: Annotated[int, Ge(1)] = 1


@route(summary="Order", tags=["t"], auth="none")
def order(input: Order, ctx: None) -> Annotated[int, Ge(0)] | SoldOut | NotFound:
    print("called")
    return SoldOut() if len(input.product) > 3 else 500 - input.quantity


@route(summary="Break", tags=["t"], auth="none")
def broken(input: None, ctx: None) -> None:
    raise RuntimeError("of no use")


@route(summary="Fine", tags=["t"], auth="none")
def fine(input: int, ctx: None) -> int:
    return input


@route(summary="Me", tags=["t"])
def me(input: None, ctx: str) -> str:
    return ctx


api = spec(authenticate=lambda token, request: "ada" if token == "secret" else None, routes=routes(order, broken, fine, me))
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return having(tmp_path, SHOP)


@pytest.mark.unwatched
def test_findings_are_told_with_a_command_and_give_1(folder: Path) -> None:
    done = run("fuzz shop.py --max-examples 80", cwd=folder)
    rows = [line.split() for line in done.out.splitlines()]
    told = done.err

    assert done.returncode == 1
    every = "every route of shop.py is called, those that change something too"
    assert f"\n{every}; --route and --skip-route leave some out\n" in told
    assert rows[0] == ["ROUTE", "VALID", "INVALID", "ANSWERS", "NEVER", "SEEN", "FINDINGS"]
    assert [row[0] for row in rows[1:]] == ["order", "broken", "fine", "me"]
    assert rows[1][-1] in {"1", "2"}
    assert rows[3][3] == "OK"
    assert "not fuzzed: the credential is refused, or there is none (--token, --header)" in done.out
    wrong = "the resolver declares int | SoldOut | NotFound, and returned an int"
    assert f"order: it answers 500: {wrong}; (value): expected an int" in told
    assert '\n    contract call order \'{"product":"0","quantity":501}\' --app shop.py\n' in told
    raised = "broken: it answers 500: the resolver raised RuntimeError: of no use\n"
    assert f"{raised}    contract call broken '{{}}' --app shop.py\n" in told
    assert told.rstrip().endswith("--seed 0")
    assert "3 of 5 declared answers seen" in told


TWO = """
from contract import route, routes, spec

@route(summary="Me", tags=["t"])
def me(input: int, ctx: str) -> str:
    return 1 if ctx == "sam" else ctx

api = spec(authenticate=lambda token, request: {"a": "ada", "s": "sam"}.get(token), routes=routes(me))
"""


def test_several_tokens_are_several_callers(tmp_path: Path) -> None:
    done = run("fuzz shop.py --token a --token s --max-examples 20", cwd=having(tmp_path, TWO))
    alone = run("fuzz shop.py --token a --max-examples 20", cwd=tmp_path)

    assert (done.returncode, alone.returncode) == (1, 0)
    assert '\n    contract call me 0 --app shop.py --token "$TOKEN_2"\n' in done.err


GROUPED = """\
from contract import Request, group, route, routes, spec

def named(name):
    def hook(token: str, request: Request) -> str | None:
        return name if token == name else None
    return hook

@route(summary="Me", tags=["me"])
def me(input: int, ctx: str) -> int:
    return input

inner = group("g", routes=routes(me), authenticate=named("g"))
api = spec(authenticate=named("s"), routes=routes(me, inner))
"""


def test_a_token_for_some_groups_is_not_refused(tmp_path: Path) -> None:
    line = "fuzz two.py --max-examples 5 --token s --token g"
    both = run(line, cwd=having(tmp_path, GROUPED, "two.py"))
    wrong = run(line, "--token", "x", cwd=tmp_path)

    assert (both.returncode, b"is refused" in both.stderr) == (0, False)
    assert (wrong.returncode, wrong.err.splitlines()[-1]) == (2, "contract: token 3 is refused")


def test_a_token_that_is_refused_is_told_and_the_others_are_tried(tmp_path: Path) -> None:
    done = run("fuzz shop.py --token a --token x --max-examples 5", cwd=having(tmp_path, TWO))

    assert (done.returncode, done.err.splitlines()[-1]) == (2, "contract: token 2 is refused")
    assert done.out.splitlines()[1].split()[3] == "OK"


def test_what_is_right_gives_0(folder: Path) -> None:
    line = "fuzz shop.py --route fine --route me --token secret --max-examples 10 --seed 3"
    done = run(line, cwd=folder)

    assert done.returncode == 0
    assert [line.split()[0] for line in done.out.splitlines()] == ["ROUTE", "fine", "me"]
    assert done.err.endswith("\nnothing found  2 of 2 declared answers seen  --seed 3\n")
    assert b"hello from the app" in done.stderr
    assert [path.name for path in folder.iterdir()] == ["shop.py"]


def test_a_route_is_left_out(folder: Path) -> None:
    """Such as one that is slow, or that nobody should call."""
    line = "fuzz shop.py --skip-route order --skip-route broken --token secret --max-examples 10"
    done = run(line, cwd=folder)

    assert done.returncode == 0
    assert [line.split()[0] for line in done.out.splitlines()] == ["ROUTE", "fine", "me"]


@pytest.mark.unwatched
def test_programs_get_one_line(folder: Path) -> None:
    done = run("fuzz shop.py --json --max-examples 80", cwd=folder)
    told = json.loads(done.stdout)

    assert done.returncode == 1
    assert (told["seed"], told["declared"], told["seen"]) == (0, 5, 3)
    found = [(each["route"], each["skipped"] is None) for each in told["routes"]]
    assert found == [("order", True), ("broken", True), ("fine", True), ("me", False)]
    assert told["routes"][0]["unseen"] == ["NOT_FOUND"]
    [finding, *_] = told["routes"][0]["findings"]
    assert finding["body"] == '{"product":"0","quantity":501}'
    again = run(*shlex.split(finding["replay"])[1:], cwd=folder)
    assert (again.returncode, again.stderr.splitlines()[-1][:9]) == (1, b"500 order")


OVER_HTTP = "--timeout is for calls over HTTP; name the URL: --url https://shop.example/v1"
UNREACHED = "cannot fetch http://127.0.0.1:1/contract.json: [Errno 111] Connection refused"


@rows(
    "arguments, code, message",
    ("--url http://x shop.py", 2, "fuzz one place: leave out the target, or --url"),
    ("shop.py --timeout 3", 2, OVER_HTTP),
    ("shop.py --route x", 2, "there is no route 'x'; there are order, broken, fine, me"),
    ("shop.py --route ordr", 2, "there is no route 'ordr'; did you mean order?"),
    ("shop.py --skip-route brokn", 2, "there is no route 'brokn'; did you mean broken?"),
    ("shop.py --route me --skip-route me", 2, "--skip-route leaves out every route"),
    ("absent.py", 3, "there is no file absent.py"),
    ("--url http://127.0.0.1:1", 3, UNREACHED),
)
def test_what_cannot_be_fuzzed_is_told(
    folder: Path, arguments: str, code: int, message: str
) -> None:
    said = refused(f"fuzz {arguments}", cwd=folder, code=code)

    assert said.splitlines()[-1] == f"contract: {message}"


HANGING = """
from contract import route, routes, spec

@route(summary="First", tags=["t"], auth="none")
def first(input: None, ctx: None) -> None:
    raise RuntimeError("of no use")

@route(summary="Wait", tags=["t"], auth="none")
def waits(input: int, ctx: None) -> None:
    if input > 3:
        raise KeyboardInterrupt  # as Ctrl-C does

@route(summary="Me", tags=["t"])
def me(input: None, ctx: str) -> str:
    return ctx

api = spec(authenticate=lambda token, request: None, routes=routes(first, waits, me))
"""


def test_what_waits_can_be_left_and_the_call_is_told(tmp_path: Path) -> None:
    line = "fuzz shop.py --route first --route waits --max-examples 20"
    done = run(line, cwd=having(tmp_path, HANGING))

    assert done.returncode == 130
    assert [line.split()[0] for line in done.out.splitlines()] == ["ROUTE", "first"]
    assert "first: it answers 500: the resolver raised RuntimeError: of no use" in done.err
    last = "waits: not all of it was called; it ended with"
    assert re.search(rf"{last}\n    contract call waits [0-9]+ --app shop.py\n\Z", done.err)


@rows(
    "options, told",
    ("--route me", "nothing was fuzzed  no answer was asked for  --seed 0"),
    ("--route me --token t", "contract: the token is refused"),
)
def test_nothing_that_was_called_is_not_well(tmp_path: Path, options: str, told: str) -> None:
    done = run(f"fuzz shop.py {options}", cwd=having(tmp_path, HANGING))

    assert (done.returncode, done.err.splitlines()[-1]) == (2, told)


def test_an_app_without_a_spec_has_no_routes(tmp_path: Path) -> None:
    done = run("fuzz shop.py", cwd=having(tmp_path, "import falcon\napi = falcon.App()\n"))

    assert done.err == "contract: there is no spec mounted in that app\n"


def test_routes_of_one_name_in_several_mounts_are_told_apart(tmp_path: Path) -> None:
    folder = having(tmp_path, TWO_VERSIONS)
    done = run("fuzz shop:app --max-examples 5", cwd=folder)

    listed = [line.split()[0] for line in done.out.splitlines()[1:]]
    assert sorted(listed) == ["v1/divide", "v2/divide"]
    assert "v1/divide: it answers 500: the resolver raised ZeroDivisionError" in done.err
    assert "    contract call v1/divide 0 --app shop:app\n" in done.err
    assert run("call v1/divide 0 --app shop:app", cwd=folder).returncode == 1
    only = run("fuzz shop:app --max-examples 5 --route v2/divide", cwd=folder)
    assert (only.returncode, only.out.splitlines()[1].split()[0]) == (0, "v2/divide")


KEPT = """
from contract import Cache, current_call, route, routes, spec

def kept(input: int, ctx: None) -> str:
    return str("content-type" in current_call().headers)

options = {"summary": "K", "tags": ["t"], "auth": "none", "effect": "read"}
api = spec(routes=routes(route(**options, cache=Cache(max_age=1))(kept)))
"""
"""A read that answers otherwise at GET."""


def test_a_read_that_gives_another_answer_at_get_is_found(tmp_path: Path) -> None:
    done = run("fuzz app.py --max-examples 5", cwd=having(tmp_path, KEPT, "app.py"))

    assert done.returncode == 1
    assert 'kept: it answers 200 "False" by GET, and 200 "True" by POST' in done.err
    assert "    contract call kept 0 --get --app app.py\n" in done.err
    again = run("call kept 0 --get --app app.py", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, b'"False"\n')
    assert run("call kept 0 --app app.py", cwd=tmp_path).stdout == b'"True"\n'


# Over HTTP.


class Empty(Failure, status=410):
    """Nothing is left."""


def test_a_server_is_fuzzed_by_its_contract(tmp_path: Path) -> None:
    @route(summary="Take", tags=["t"], auth="none")
    def take(input: int, ctx: None) -> int | Empty:
        return Empty() if input % 2 else 100 // input

    @route(summary="Me", tags=["t"])
    def me(input: None, ctx: str) -> str:
        return ctx

    @route(summary="Kept", tags=["t"], effect="read", cache=Cache(max_age=1))
    def kept(input: int, ctx: str) -> str:
        assert current_call().headers["x-tenant"] == "north"
        return str(current_call().headers.get("content-type") == "application/json")

    api = spec(routes=routes(take, kept, me), authenticate=lambda token, request: token)
    with serving(service_of(api, Options(prefix="/v1"))) as url:
        more = ("--token", "t", "--header", "X-Tenant: north")
        done = run(f"fuzz --url {url}/v1/contract.json --max-examples 20", *more, cwd=tmp_path)
        again = run(f"call {url}/v1 kept 0 --get", *more, cwd=tmp_path)

    assert done.returncode == 1
    assert [line.split()[0] for line in done.out.splitlines()] == ["ROUTE", "kept", "me", "take"]

    assert (again.returncode, again.stdout) == (0, b'"False"\n')
    assert f'    contract call {url}/v1 kept 0 --get --token "$TOKEN" --header' in done.err
    every = f"every route of {url}/v1 is called, those that change something too"
    assert done.err.startswith(f"{every}; --route and --skip-route leave some out\n")
    assert "take: it answers 500: request " in done.err
    assert 'kept: it answers 200 "False" by GET, and 200 "True" by POST' in done.err
    expected = f"    contract call {url}/v1 take 0 --token \"$TOKEN\" --header 'x-tenant: ...'\n"
    assert expected in done.err


@route(summary="Take", tags=["t"], auth="none")
def take(input: int, ctx: None) -> str:
    return "x"


def test_a_server_that_goes_away_ends_it(tmp_path: Path) -> None:
    with serving(service_of(spec(routes=[take])), dies_after=3) as url:
        done = run("fuzz --url", url, "--timeout", "2", cwd=tmp_path)

    assert (done.returncode, done.stdout) == (3, b"")
    expected = f"take: not all of it was called; it ended with\n    contract call {url} take "
    assert expected in done.err
    assert f"contract: cannot fetch {url}" in done.err


def test_a_server_that_goes_away_after_a_finding_ends_it(tmp_path: Path) -> None:
    @route(summary="Take", tags=["t"], auth="none")
    def take(input: int, ctx: None) -> int:
        if input % 2:
            raise RuntimeError("odd")
        return input

    with serving(service_of(spec(routes=routes(take))), dies_after=40) as url:
        done = run("fuzz --url", url, "--timeout", "2", cwd=tmp_path)

    assert done.returncode == 3
    assert "take: not all of it was called; it ended with" in done.err
    assert f"contract: cannot fetch {url}" in done.err


def test_a_server_that_answers_something_else_is_told(tmp_path: Path) -> None:
    with documents(emit_contract(spec(routes=[take]))) as server:
        done = run("fuzz --url", server.url, "--max-examples", "5", "--json", cwd=tmp_path)

    findings = json.loads(done.stdout)["routes"][0]["findings"]
    assert done.returncode == 1
    problem = (
        "it answers 200 with what is not an output: (value): Must be a string in double quotes"
    )
    assert findings[0]["problem"] == f"{problem}, not an integer."
    assert "is not refused with" in findings[-1]["problem"]


def test_a_document_of_no_types_cannot_be_fuzzed(tmp_path: Path) -> None:
    told = json.loads(emit_contract(spec(routes=[take])))
    told["routes"]["take"]["input"] = {"type": "string", "pattern": "(?=a)"}
    with documents(json.dumps(told).encode()) as server:
        said = refused("fuzz --url", server.url, cwd=tmp_path, code=3)

    place = "$.routes.take.input.pattern: the pattern"
    assert said.startswith(f"contract: {server.url} cannot be fuzzed: {place}")


@contextmanager
def serving(service: Service, dies_after: int | None = None) -> Generator[str]:
    app = WsgiApp(service)
    calls: list[None] = []

    class Quiet(WSGIRequestHandler):
        def handle(self) -> None:
            calls.append(None)
            if dies_after is not None and len(calls) > dies_after:
                self.connection.close()
                return
            super().handle()

        def log_message(self, *_: Any) -> None:
            pass

    with make_server("127.0.0.1", 0, app, handler_class=Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


# What is told.


NO_REPLAYS = argparse.Namespace(url=None, target=None, header=[], token=[], stream_seconds=2.0)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_where_we_are(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("NO_COLOR", "1")
    progress = Progress(2)
    progress.begin("order")
    told = progress.begin("pay\n")
    for calls in range(1, 21):
        told(calls)
    progress.end()

    found = shown.getvalue()
    assert found == "\r\x1b[K2/2 pay\\u000a  10 calls\r\x1b[K2/2 pay\\u000a  20 calls\r\x1b[K"


def replay(body: bytes | None, target: str | None = None) -> str:
    arguments = argparse.Namespace(**{**vars(NO_REPLAYS), "target": target})
    return Replays(arguments).of(Finding("order", "...", body=body))


@rows("body", b'{"a": "it\'s"}', b"\xff[", b"-1", b"@x", b"[\x00]", '"é"'.encode(), b"'%\\")
def test_a_shell_gives_the_body_as_it_was(body: bytes) -> None:
    asked = 'contract() { shift; shift; if [ "$1" = - ]; then cat; else printf "%s" "$1"; fi; }; '
    bare = asked + replay(body)

    assert ran("bash", "-c", bare).stdout == body


def test_without_a_body_there_is_no_argument() -> None:
    assert replay(b"", "shop.py") == "contract call order --app shop.py"
    assert replay(None) == "contract call order"


def test_a_body_that_is_too_long_for_an_argument_is_piped() -> None:
    long = "0" * 100_000

    assert replay(long[1:].encode()) == f"contract call order {long[1:]}"
    assert replay(long.encode()) == f"printf '{long}' | contract call order -"


def test_a_file_that_is_too_large_is_made_by_the_shell() -> None:
    form = b"--made-up" + bytes(2000) + b"--"
    result = Result("order", 1, 1, {}, (), (Finding("order", "...", body=form),))
    [finding] = json.loads(as_json([result], 0, Replays(NO_REPLAYS)))["routes"][0]["findings"]

    assert finding["body"] == "--made-up...--"
    assert finding["replay"] == (
        r"{ printf '\055\055made\055up'; head -c 2000 /dev/zero; printf '\055\055'; } "
        "| contract call order - --form"
    )


def test_a_finding_of_no_one_call_has_no_body() -> None:
    result = Result("order", 1, 1, {}, (), (Finding("order", "..."),))
    [finding] = json.loads(as_json([result], 0, Replays(NO_REPLAYS)))["routes"][0]["findings"]

    assert (finding["body"], finding["replay"]) == (None, "contract call order")


def test_a_long_problem_is_cut(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP.replace("of no use", "x" * 500))
    told = run("fuzz shop.py --route broken --max-examples 3", cwd=tmp_path).stderr.decode()

    assert "xxx...\n    contract call broken" in told
    assert "x" * 400 not in told
    assert "1 finding  0 of 1 declared answers seen" in told


def test_without_hypothesis_it_says_what_is_missing(tmp_path: Path, folder: Path) -> None:
    program = "import sys; sys.modules['hypothesis'] = None; from contract.cli import main; sys.exit(main(['fuzz', 'shop.py']))"
    done = ran(sys.executable, "-c", program, cwd=folder)

    told = b"contract: this command needs hypothesis: pip install 'contract-rpc[testing]'\n"
    assert (done.returncode, done.stderr) == (2, told)


SEVERAL = "not fuzzed: a call has one credential, and more are sent"


@rows(
    "given, code, told",
    ("--header 'X-Key: robot'", 0, " OK "),
    ("--header 'Cookie: sid=page'", 0, " OK "),
    ("--header 'X-Key: robot' --token user", 2, SEVERAL),
    ("--header 'X-Key: wrong'", 2, "the credential is refused, or there is none"),
)
def test_every_way_in_is_open_to_fuzzing(tmp_path: Path, given: str, code: int, told: str) -> None:
    (tmp_path / "three.py").write_text(Path(three_ways.__file__).read_text())
    done = run(f"fuzz three.py:api --route who {given}", cwd=tmp_path)

    assert (done.returncode, told in done.out) == (code, True), done.stdout
    if code == 0:
        assert "nothing found" in done.err
