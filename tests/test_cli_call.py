"""``contract call``: in this process, and over HTTP."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contract.cli.http import send
from contract.cli.output import Stop
from tests import three_ways
from tests.cli_apps import ASYNC_SHOP, MOUNTED, TWO_VERSIONS
from tests.cli_inside import having, refused, run
from tests.cli_urls import documents
from tests.client_servers import always, once, response, serving
from tests.tables import rows

ORDER = '{"product_id": "p1", "quantity": 3}'
RECEIPT = '{"order_id":"o1","price_cents":300}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return having(tmp_path, ASYNC_SHOP)


@rows(
    "arguments, reply",
    ("order -", RECEIPT),
    ("order @order.json", RECEIPT),
    ("nap 0", '"awake"'),
    ("me --token secret", '"ada"'),
    (f"order --app shop.py '{ORDER}'", RECEIPT),
    ("order --app shop.py -", RECEIPT),
    (f"--app shop.py order --token t '{ORDER}'", RECEIPT),
    ("nap --app shop.py 0.0", '"awake"'),
    ("nap --app shop.py -1", '"awake"'),
)
def test_an_input_comes_from_anywhere_and_options_stand_anywhere(
    folder: Path, arguments: str, reply: str
) -> None:
    (folder / "order.json").write_text(ORDER)
    done = run(f"call {arguments}", cwd=folder, data=ORDER.encode())

    assert (done.returncode, done.out) == (0, f"{reply}\n")


@rows(
    "arguments, command",
    (["shop.py", "order", ORDER], f"order '{ORDER}' --app shop.py"),
    (["my shop.py:api", "order"], "order --app 'my shop.py:api'"),
    (["shop:api"], "NAME --app shop:api"),
)
def test_an_app_in_the_place_of_a_route_is_told_where_it_goes(
    folder: Path, arguments: list[str], command: str
) -> None:
    told = f"error: {arguments[0]} names an app, where the name of a route belongs; "
    said = refused("call", *arguments, cwd=folder)
    assert said.endswith(f"{told}write: contract call {command}\n")


@rows(
    "arguments, unknown",
    (["call", "order", ORDER, "--json", "{}"], "{}"),
    (["call", "order", "--bogus", ORDER], "--bogus"),
    (["routes", "a", "--json", "b"], "b"),
)
def test_what_is_too_much_is_wrong_usage(folder: Path, arguments: list[str], unknown: str) -> None:
    assert refused(*arguments, cwd=folder).endswith(f"error: unrecognized arguments: {unknown}\n")


@rows(
    "arguments, status",
    ("me", b"401"),
    ("me --token wrong", b"401"),
    ("'ordér'", b"404"),
    ("order '{'", b"400"),
)
def test_a_refusal_is_a_failure_like_others(folder: Path, arguments: str, status: bytes) -> None:
    done = run(f"call {arguments} --app shop.py", cwd=folder)

    assert (done.returncode, done.stderr[:3]) == (1, status)
    assert "error" in json.loads(done.stdout)


@rows("name, fix", ("ordr", "did you mean order?"), ("x\x1b[2J", "there are order, nap, "))
def test_a_name_that_no_route_of_an_app_has_gets_the_nearest(
    folder: Path, name: str, fix: str
) -> None:
    done = run("call", name, "--app", "shop.py", cwd=folder)

    assert (done.returncode, json.loads(done.stdout)["error"]) == (1, "ROUTE_NOT_FOUND")
    assert f"no route has this name; {fix}" in done.err
    assert "\x1b" not in done.err


def test_what_a_resolver_raised_is_told_to_people(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(ASYNC_SHOP.replace('return "awake"', "return 1 / 0"))
    done = run("call nap 0", cwd=tmp_path)

    assert (done.returncode, done.stdout) == (1, b'{"error":"INTERNAL_ERROR"}\n')
    assert b"ZeroDivisionError" in done.stderr


def test_an_absent_file_is_wrong_usage(folder: Path) -> None:
    said = refused("call order @absent.json", cwd=folder)

    assert said == "contract: cannot read absent.json: No such file or directory\n"


@pytest.mark.parametrize("name", ["ping", "v1/ping"])
def test_a_route_of_a_mount_is_called_by_its_name(tmp_path: Path, name: str) -> None:
    """Also as ``contract routes`` lists it, with the prefix."""
    assert run(f"call {name}", cwd=having(tmp_path, MOUNTED)).stdout == b'"pong"\n'


def test_a_name_that_several_mounts_have_needs_the_prefix(tmp_path: Path) -> None:
    folder = having(tmp_path, TWO_VERSIONS)

    assert run("call v1/divide 1 --app shop:app", cwd=folder).stdout == b"1\n"
    assert run("call v2/divide 1 --app shop:app", cwd=folder).stdout == b"2\n"
    assert run("call divide 1 --app shop:v1", cwd=folder).stdout == b"1\n"
    said = refused("call divide 1 --app shop:app", cwd=folder)
    assert said == "contract: several mounts have a route divide; name one: v1/divide, v2/divide\n"


def test_an_app_without_a_spec_has_nothing_to_call(tmp_path: Path) -> None:
    folder = having(tmp_path, "import falcon\napp = falcon.App()\n")
    said = refused("call ping --app shop:app", cwd=folder, code=3)

    assert said == "contract: there is no spec mounted in that app\n"


@rows(
    "reply, terminal, shown",
    (b'{"a":[1]}', True, '{\n  "a": [\n    1\n  ]\n}'),
    (b"<html>", True, "<html>"),
    (b"\x1b]0;title\x07", False, "\x1b]0;title\x07"),  # a program gets it as it is
    (b"\x1b]0;title\x07", True, "\\x1b]0;title\\x07"),
    ('"\\u001b[2J\x9b2J\x7f"'.encode(), True, '"\\u001b[2J\\x9b2J\\x7f"'),
)
def test_a_terminal_gets_indented_json_and_obeys_none(
    tmp_path: Path, reply: bytes, terminal: bool, shown: str
) -> None:
    with serving(always(response(reply))) as server:
        done = run("call order --url", server.url, cwd=tmp_path, terminal=terminal)

    assert done.out == f"{shown}\n"


def test_lines_of_json_hold_nothing_that_a_terminal_obeys(tmp_path: Path) -> None:
    sent = "caf\u00e9 \x7f\x9b31m\u202e\u2028"
    written = json.dumps(sent, ensure_ascii=False).encode()
    lines = b'{"item":%b}\n{"end":true}\n' % written
    streamed = response(lines, content_type="application/jsonl")
    for reply in (response(written), streamed):
        with serving(always(reply)) as server:
            done = run("call order --url", server.url, "--json", cwd=tmp_path)
        line = done.out.splitlines()[0]
        assert "caf\u00e9 \\u007f\\u009b31m\\u202e\\u2028" in line
        told = json.loads(line)
        assert told.get("item", told.get("body")) == sent


@rows(
    "arguments, code, status",
    (["\udcff", "1"], "ROUTE_NOT_FOUND", 404),
    (["order", "\udcff"], "VALIDATION_ERROR", 400),
)
def test_what_is_no_text_is_sent_as_it_was_typed(
    folder: Path, arguments: list[str], code: str, status: int
) -> None:
    done = run("call", *arguments, "--json", "--app", "shop:api", cwd=folder)
    told = json.loads(done.stdout)

    assert (done.returncode, told["status"], told["body"]["error"]) == (1, status, code)
    assert told["route"] == arguments[0].replace("\udcff", "\\xff")


@rows(
    "given, code, status, body",
    (ORDER, 0, 200, json.loads(RECEIPT)),
    ('{"product_id": "none"}', 1, 409, {"error": "SOLD_OUT", "data": {"restock_days": 3}}),
)
def test_people_get_the_body_and_programs_a_whole_reply_in_one_line(
    folder: Path, given: str, code: int, status: int, body: object
) -> None:
    done = run("call order", given, "--app", "shop.py", cwd=folder)
    assert (done.returncode, json.loads(done.stdout)) == (code, body)
    assert done.err.startswith(f"{status} order  request ")

    done = run("call order", given, "--json", "--app", "shop.py", cwd=folder)
    facts = json.loads(done.stdout)
    assert (done.returncode, done.stdout.count(b"\n"), done.stderr) == (code, 1, b"")
    assert (facts.pop("route"), bool(facts.pop("request_id"))) == ("order", True)
    assert facts == {"status": status, "body": body}


@rows(
    "reply, told",
    (response(b"<p>\xff", "502 Bad"), {"status": 502, "request_id": None, "text": "<p>\\xff"}),
    (response(b"", "204 Empty", x_request_id="r1"), {"status": 204, "request_id": "r1"}),
)
def test_programs_get_what_is_no_json_as_a_text(
    tmp_path: Path, reply: bytes, told: dict[str, object]
) -> None:
    with serving(always(reply)) as server:
        done = run("call a --url", server.url, "--json", cwd=tmp_path)

    assert json.loads(done.stdout) == {"route": "a", "body": None, **told}


def test_what_the_app_prints_is_no_data(tmp_path: Path) -> None:
    yawning = ASYNC_SHOP.replace('return "awake"', 'print("yawn")\n    return "awake"')
    done = run("call nap 0 --app shop.py", cwd=having(tmp_path, f"print('hello')\n{yawning}"))

    assert done.stdout == b'"awake"\n'
    assert done.stderr.startswith(b"hello\nyawn\n200 nap")


EMPTY = {"content-length": "0"}


def test_a_server_is_called_as_it_is_in_process(tmp_path: Path) -> None:
    with documents(None) as server:
        url = f"{server.url}/v1/"
        done = run("call order", ORDER, "--url", url, "--token", "secret", cwd=tmp_path)
        [(path, sent)] = server.asked

    assert (done.returncode, done.out) == (0, f"{ORDER}\n")
    assert (path, sent["authorization"]) == ("/v1/order", "Bearer secret")
    assert sent["content-type"] == "application/json"


@pytest.mark.parametrize(("name", "path"), [("a/b c", "/a%2Fb%20c"), ("\udcff", "/%FF")])
def test_a_name_is_one_segment_of_the_path_as_it_was_typed(name: str, path: str) -> None:
    with documents(None) as server:
        assert send(server.url, name, EMPTY, b"")[::2] == (200, b"null")
        assert [asked for asked, _ in server.asked] == [path]


def test_a_request_id_cannot_steer_a_terminal(tmp_path: Path) -> None:
    with serving(always(response(b"", x_request_id="\x1b[2J\x07"))) as server:
        done = run("call hostile --url", server.url, cwd=tmp_path)

    assert done.stderr == b"200 hostile  request \\x1b[2J\\x07\n"


def test_nothing_is_followed_and_no_body_is_none(tmp_path: Path) -> None:
    with serving(always(response(b"", "302 Found", location="/"))) as server:
        done = run("call moved --url", server.url, cwd=tmp_path)

    assert (done.returncode, done.stdout, done.stderr[:4]) == (1, b"", b"302 ")
    assert len(server.requests) == 1


def test_a_reply_that_is_too_large_is_told_about() -> None:
    large = once(response(b" " * (16 * 1024 * 1024 + 1)))
    with serving(large) as server, pytest.raises(Stop, match="is larger than 16 MiB") as stopped:
        send(server.url, "order", EMPTY, b"")

    assert stopped.value.code == 3


@rows(
    "url, problem",
    ("http://h/?q=1", "is not where a spec is served"),
    ("http://user:word@h", "the URL contains credentials"),
)
def test_what_is_no_url_of_a_spec_is_wrong_usage(url: str, problem: str) -> None:
    with pytest.raises(Stop, match=problem) as stopped:
        send(url, "order", {}, b"")

    assert (stopped.value.code, "word" in stopped.value.message) == (2, False)


@pytest.mark.parametrize("command", ["call me", "fuzz"])
@rows("token", "", "canary two", "canary,", "canaryé", "canary\n", "=canary", "canary" * 1000)
def test_a_token_that_no_server_takes_is_wrong_usage(
    folder: Path, command: str, token: str
) -> None:
    said = refused(f"{command} --token", token, cwd=folder)

    assert "not a bearer token; one has letters, digits and any of -._~+/" in said
    assert "canary" not in said


# By the contract at a URL.


@pytest.fixture
def emitted(folder: Path) -> bytes:
    return run("emit shop.py --visibility all", cwd=folder).stdout


@pytest.mark.unwatched
@rows(
    "arguments",
    *([url, "order", ORDER] for url in ("URL", "URL/", "URL/contract.json")),
    ["URL", "--token", "t", "order", ORDER],
    ["URL", "order", "--json", ORDER],
    ["URL", "order", ORDER, "--timeout", "5"],
)
def test_a_route_is_called_by_the_contract_of_its_server(
    tmp_path: Path, emitted: bytes, arguments: list[str]
) -> None:
    with documents(emitted) as server:
        given = [each.replace("URL", f"{server.url}/v1") for each in arguments]
        done = run("call", *given, cwd=tmp_path)
        paths = [path for path, _ in server.asked]

    assert done.returncode == 0, done.stderr
    assert paths == ["/v1/contract.json", "/v1/order"]
    reply = json.loads(done.stdout)
    assert (reply["body"] if "--json" in arguments else reply) == json.loads(ORDER)


def test_a_call_without_an_input_sends_none(tmp_path: Path, emitted: bytes) -> None:
    with documents(emitted) as server:
        done = run("call", server.url, "process", cwd=tmp_path)

    assert (done.returncode, done.stdout) == (0, b"null\n")


def test_headers_are_sent_to_both_and_a_token_to_the_route_alone(
    tmp_path: Path, emitted: bytes
) -> None:
    with documents(emitted) as server:
        done = run(f"call {server.url} me --token secret --header 'X-Tenant: north'", cwd=tmp_path)
        (_, first), (_, second) = server.asked

    assert done.returncode == 0
    sent = [(each.get("x-tenant"), each.get("authorization")) for each in (first, second)]
    assert sent == [("north", None), ("north", "Bearer secret")]


@rows(
    "arguments, told",
    ([], True),
    (["--token", "t"], False),
    (["--header", "Authorization: Basic eA=="], False),
)
def test_a_route_that_needs_a_token_says_so(
    tmp_path: Path, emitted: bytes, arguments: list[str], told: bool
) -> None:
    with documents(emitted) as server:
        done = run("call", server.url, "me", *arguments, cwd=tmp_path)

    assert (b"me needs a bearer token: --token T" in done.stderr) is told


@rows(
    "name, fix",
    ("ordr", "did you mean order?"),
    ("x\x1b[2J", "there are die, header, me, nap, order, process"),
    ("", "there are "),
)
def test_a_route_that_the_contract_does_not_have_is_not_called(
    tmp_path: Path, emitted: bytes, name: str, fix: str
) -> None:
    with documents(emitted) as server:
        said = refused("call", server.url, name, cwd=tmp_path)
        asked = len(server.asked)

    assert asked == 1
    assert fix in said
    assert "--url calls without a contract" in said
    assert "\x1b" not in said


def test_a_server_without_a_contract_cannot_be_called_by_it(tmp_path: Path) -> None:
    with documents(None) as server:
        done = run("call", server.url, "order", cwd=tmp_path)

    assert (done.returncode, b"the server answers 404" in done.stderr) == (3, True)


TWICE = "the header a is given twice; a request has it once"
ONE_HEADER = "--token and --header 'Authorization: ...' are one header; give one"
UNDERSCORE = "in this process x_key would be x-key; write that"


@rows(
    "arguments, problem",
    ("http://h", "the name of the route is missing: contract call http://h NAME [JSON]"),
    ("http://h order --url http://h", "a call goes to one place"),
    ("http://h order --app shop:api", "a call goes to one place"),
    ("http://h order '{}' '{}'", "unrecognized arguments: {}"),
    ("order '{}' '{}'", "unrecognized arguments: {}"),
    ("order '{}' --timeout 3", "--timeout is for a call over HTTP"),
    ("order --header 'A: b' --header 'a: c' --app shop.py", TWICE),
    ("order --header 'Authorization: Basic eA==' --token t", ONE_HEADER),
    ("order --header 'X_Key: k' --app shop.py", UNDERSCORE),
)
def test_what_stands_where_it_may_not_is_wrong_usage(
    folder: Path, arguments: str, problem: str
) -> None:
    assert problem in refused(f"call {arguments}", cwd=folder)


WAYS = Path(three_ways.__file__).read_text()


@rows(
    "given, code, body",
    ("--token user", 0, "who ada"),
    ("--header 'X-Key: robot'", 0, "who r2"),
    ("--header 'Cookie: sid=page'", 0, "who page"),
    ("--header 'Cookie: sid=page' --header 'Origin: https://app.example'", 0, "who page"),
    ("--header 'Cookie: sid=page' --header 'Origin: http://a'", 1, "FORBIDDEN"),
    ("--header 'Cookie: sid=page' --header 'Sec-Fetch-Site: cross-site'", 1, "FORBIDDEN"),
    ("--header 'X-Key: robot' --token user", 1, "BAD_REQUEST"),
    ("--header 'X-Key: robot, robot'", 1, "BAD_REQUEST"),
    ("--header 'Cookie: sid=page; sid=page'", 1, "BAD_REQUEST"),
    ("--header 'X-Key: wrong'", 1, "UNAUTHORIZED"),
)
def test_every_way_in_is_open_in_process(tmp_path: Path, given: str, code: int, body: str) -> None:
    done = run(f"call who --app three.py:api {given}", cwd=having(tmp_path, WAYS, "three.py"))
    found = json.loads(done.stdout)

    assert (done.returncode, found if code == 0 else found["error"]) == (code, body)


@rows(
    "name, target, told",
    ("who", "three.py:keyed", "who needs a key: --header 'X-Key: K'\n"),
    ("page", "three.py:paged", "page needs a cookie: --header 'Cookie: sid=V'\n"),
    ("ping", "three.py:api", ""),
    ("absent", "three.py:api", ""),
    ("me", "bearing.py", "me needs a bearer token: --token T\n"),
    ("perhaps", "bearing.py", ""),
)
def test_a_call_without_a_credential_is_told_which_it_needs(
    tmp_path: Path, name: str, target: str, told: str
) -> None:
    (tmp_path / "three.py").write_text(WAYS)
    done = run("call", name, "--app", target, cwd=having(tmp_path, BEARING, "bearing.py"))

    assert "".join([line for line in done.err.splitlines(keepends=True) if "needs" in line]) == told


BEARING = """
from contract import Request, route, routes, spec


def user_of(token: str, request: Request) -> str | None:
    return None


@route(summary="Me", tags=["who"])
def me(input: None, ctx: str) -> str:
    return ctx


@route(summary="Perhaps", tags=["who"], auth="optional")
def perhaps(input: None, ctx: str | None) -> str:
    return ctx or ""


api = spec(authenticate=user_of, routes=routes(me, perhaps))
"""


def test_a_route_with_an_optional_credential_needs_none(tmp_path: Path) -> None:
    document = run("emit bearing.py", cwd=having(tmp_path, BEARING, "bearing.py")).stdout
    with documents(document) as server:
        done = run("call", server.url, "perhaps", cwd=tmp_path)

    assert b"needs" not in done.stderr


def test_a_cookie_is_sent_to_a_server_as_no_page_sends_it(tmp_path: Path, emitted: bytes) -> None:
    with documents(emitted) as server:
        run("call", server.url, "me", "--header", "Cookie: sid=V", cwd=tmp_path)
        _, (_, sent) = server.asked

    assert (sent.get("cookie"), sent.get("sec-fetch-site")) == ("sid=V", "none")


def test_a_route_of_a_group_is_called_by_its_whole_name(tmp_path: Path) -> None:
    folder = having(tmp_path, GROUPED, "grouped.py")

    done = run("call add --app grouped.py", cwd=folder)
    assert "no route has this name; did you mean customers.add or partners.add?" in done.err
    done = run("call customers.add --app grouped.py", cwd=folder)
    assert (done.returncode, done.stdout) == (0, b"1\n")


GROUPED = """
from contract import group, route, routes, spec


@route(summary="Add", tags=["all"], auth="none")
def add(input: None, ctx: None) -> int:
    return 1


api = spec(routes=[group(name, routes=routes(add)) for name in ("customers", "partners")])
"""
