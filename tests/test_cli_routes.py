"""``contract routes``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.cli_apps import ASYNC_SHOP, BARE, MOUNTED, TWO_MOUNTS
from tests.cli_inside import having, refused, run
from tests.tables import rows


def test_the_table_says_what_each_route_is(tmp_path: Path) -> None:
    done = run("routes shop.py", cwd=having(tmp_path, ASYNC_SHOP))
    rows = done.out.splitlines()

    assert (done.returncode, done.stderr) == (0, b"")
    assert [" ".join(row.split()) for row in (*rows[:3], rows[-1])] == [
        "ROUTE AUTH SCOPE EFFECT MCP KIND INPUT -> OUTPUT | ERRORS",
        "order none public write order sync Order -> Receipt | SOLD_OUT | NOT_FOUND",
        "nap none public read no async float -> str",
        "me bearer private write no sync nothing -> str",
    ]


def test_a_tool_that_no_client_may_see_is_told_as_none(tmp_path: Path) -> None:
    hidden = BARE.replace(
        'auth="none"', 'auth="none", scope="private", mcp=McpTool(name="say_pong")'
    ).replace("import route,", "import McpTool, route,")
    mounts = {"": None, ', visibility="all"': "say_pong", ', visibility="all", mcp_path=None': None}
    for index, (options, told) in enumerate(mounts.items()):
        mounted = MOUNTED.replace(BARE, hidden).replace('prefix="/v1"', f'prefix="/v1"{options}')
        (tmp_path / f"app{index}.py").write_text(mounted)

        [found] = json.loads(run("routes", f"app{index}.py", "--json", cwd=tmp_path).stdout)
        assert found["mcp"] == told
        row = run("routes", f"app{index}.py", cwd=tmp_path).out.splitlines()[1].split()
        assert row[4] == (told or "no")


def test_the_scopes_of_a_route_stand_beside_its_auth(tmp_path: Path) -> None:
    rows = run("routes shop:api", cwd=having(tmp_path, SCOPED)).out.splitlines()

    found = [" ".join(row.split()[:4]) for row in rows[1:]]
    assert found == ["home optional public write", "refund bearer a b"]


SCOPED = """
from contract import Request, requires, route, routes, spec

@route(summary="Home", tags=["t"], auth="optional")
def home(input: None, ctx: object) -> int: ...

@route(summary="Refund", tags=["t"], auth=requires("a", "b"))
def refund(input: None, ctx: object) -> int: ...

def authenticate(token: str, request: Request) -> object: ...

api = spec(routes=routes(home, refund), authenticate=authenticate)
"""


def test_what_the_app_prints_is_no_data(tmp_path: Path) -> None:
    done = run("routes --json", cwd=having(tmp_path, "print('hello')\n" + ASYNC_SHOP))

    assert json.loads(done.stdout)[0]["name"] == "order"
    assert done.stderr == b"contract: no target was named; this is shop.py\nhello\n"


def listed(folder: Path, source: str) -> tuple[list[str], list[Any]]:
    """The rows of the table, and what JSON has for each of them."""
    table = run("routes shop.py", cwd=having(folder, source)).out.splitlines()
    return table[1:], json.loads(run("routes shop.py --json", cwd=folder).stdout)


def test_a_read_that_may_be_kept_is_called_by_get_too(tmp_path: Path) -> None:
    source = (
        "from contract import Cache, route, spec\n"
        "def find(input: None, ctx: None) -> None: ...\n"
        "options = {'summary': 'F', 'tags': ['t'], 'auth': 'none', 'effect': 'read'}\n"
        "api = spec(routes=[route(**options, cache=Cache(max_age=1))(find)])\n"
    )
    [row], [found] = listed(tmp_path, source)

    assert row.split() == ["find", "none", "public", "read,", "GET", *row.split()[5:]]
    assert (found["effect"], found["cached"]) == ("read", True)


def test_a_stream_is_shown_as_one(tmp_path: Path) -> None:
    source = (
        "from contract import Failure, Stream, route, spec\n"
        "class Ended(Failure): ...\n"
        "def chat(input: None, ctx: None) -> Stream[int | Ended]: ...\n"
        "api = spec(routes=[route(summary='C', tags=['t'], auth='none')(chat)])\n"
    )
    [row], [found] = listed(tmp_path, source)

    assert "nothing -> Stream[int] | ENDED" in row
    assert (found["output"], found["stream"], found["errors"]) == ("int", True, ["ENDED"])


def test_files_and_signed_bodies_are_shown(tmp_path: Path) -> None:
    rows, found = listed(tmp_path, BROUGHT)

    inputs = ("Photo + Upload[image, more]", "Upload[image]")
    expected: list[Any] = [
        ["signed", "int -> null"],
        *(["none", f"{each} -> null"] for each in inputs),
    ]
    assert [[row.split()[1], row.partition("sync  ")[2]] for row in rows] == expected
    expected = [[True, []], [False, ["image", "more"]], [False, ["image"]]]
    assert [[each["signed"], each["files"]] for each in found] == expected


BROUGHT = """
from dataclasses import dataclass
from contract import Signed, Upload, route, routes, spec

@dataclass(frozen=True)
class Photo:
    title: str
    image: Upload
    more: Upload | None = None

@dataclass(frozen=True)
class Avatar:
    image: Upload

@route(summary="Paid", tags=["t"], auth="none", signed=Signed(lambda: []))
def paid(input: int, ctx: None) -> None: ...

@route(summary="Add", tags=["t"], auth="none")
def add(input: Photo, ctx: None) -> None: ...

@route(summary="Avatar", tags=["t"], auth="none")
def avatar(input: Avatar, ctx: None) -> None: ...

api = spec(routes=routes(paid, add, avatar))
"""


def test_a_type_made_from_a_generic_one_is_shown_as_it_is_written(tmp_path: Path) -> None:
    [row], _ = listed(tmp_path, PAGED)

    assert row.endswith(" Cursor[Filter, int] -> Slice[Pair[str, list[int]], int]")


PAGED = """
from dataclasses import dataclass
from typing import Generic, TypeVar
from contract import Cursor, Slice, route, spec

T = TypeVar("T")
U = TypeVar("U")

@dataclass
class Pair(Generic[T, U]):
    first: T
    second: U

@dataclass
class Filter: ...

def pairs(input: Cursor[Filter, int], ctx: None) -> Slice[Pair[str, list[int]], int]: ...

options = {"summary": "P", "tags": ["t"], "auth": "none", "effect": "read"}
api = spec(routes=[route(**options)(pairs)])
"""


def test_json_has_all_of_it(tmp_path: Path) -> None:
    _, found = listed(tmp_path, ASYNC_SHOP)

    assert found[0] == json.loads(
        '{"name": "order", "path": "/order", "summary": "Order a product", "tags": ["orders"], '
        '"auth": "none", "requires": [], "ways": [], "signed": false, "scope": "public", '
        '"effect": "write", "cached": false, "mcp": "order", "async": false, "deprecated": false, '
        '"input": "Order", "files": [], "output": "Receipt", "stream": false, '
        '"errors": ["SOLD_OUT", "NOT_FOUND"]}'
    )
    assert [route["input"] for route in found[-3:]] == [None, "str", None]


WAYS = """
from contract import Request, api_key, bearer, cookie, group, requires, route, routes, spec, ways


class User:
    scopes = frozenset({"orders:write"})


def user_of(token: str, request: Request) -> User:
    return User()


options = {"summary": "Home", "tags": ["t"]}


def home(input: None, ctx: User | None) -> None: ...


KEY, SID = api_key(user_of, header="X-Key"), cookie(user_of, name="sid")
inner = group("inner", routes=[route(**options, auth=requires("orders:write"))(home)], authenticate=KEY)
page = group("page", routes=[route(**options, auth="optional")(home)], authenticate=SID)
every = [route(**options)(home), route(**options, name="all", auth="none")(home), inner, page]
api = spec(authenticate=ways(bearer(user_of), KEY), routes=every)
"""


def test_a_credential_has_the_name_of_its_way(tmp_path: Path) -> None:
    """Whoever reads "bearer" sends a token, which a route with a key alone refuses."""
    rows, found = listed(tmp_path, WAYS)

    expected = ["bearer or X-Key", "none", "X-Key orders:write", "optional sid"]
    assert [re.split("  +", row)[1] for row in rows] == expected
    assert [each["ways"] for each in found] == [["bearer", "X-Key"], [], ["X-Key"], ["sid"]]


@rows("source, paths", (MOUNTED, ["/v1/ping"]), (TWO_MOUNTS, ["/v2/ping", "/v1/ping"]))
def test_the_routes_of_mounts_have_their_prefix(
    tmp_path: Path, source: str, paths: list[str]
) -> None:
    found = json.loads(run("routes --json", cwd=having(tmp_path, source)).stdout)

    assert [route["path"] for route in found] == paths


def test_what_cannot_be_imported_has_its_exit_code(tmp_path: Path) -> None:
    said = refused("routes absent.py", cwd=tmp_path, code=3)

    assert said == "contract: there is no file absent.py\n"
