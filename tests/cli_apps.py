"""Apps that the tests of the command line serve: source text, since each test has a folder of its own."""

from __future__ import annotations

from typing import Final

SHOP: Final = '''
import os
import pathlib
import time
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Len

from contract import Failure, Meta, NotFound, current_call, route, routes, spec


class SoldOut(Failure, status=409):
    """Every copy is sold."""

    restock_days: Annotated[int, Ge(0)]


@dataclass(frozen=True, slots=True)
class Order:
    product_id: Annotated[str, Len(1, 40)]
    quantity: Annotated[int, Ge(1)] = 1


@dataclass(frozen=True, slots=True)
class Receipt:
    order_id: str
    price_cents: Annotated[int, Ge(0)]


@route(summary="Order a product", tags=["orders"], auth="none", mcp=True)
def order(input: Order, ctx: None) -> Receipt | SoldOut | NotFound:
    if input.product_id == "none":
        return SoldOut(restock_days=3)
    return Receipt("o1", input.quantity * 100)


@route(summary="Sleep", tags=["tests"], auth="none", effect="read")
def nap(input: float, ctx: None) -> str:
    pathlib.Path("napping").touch()
    time.sleep(input)
    return "awake"


@route(summary="Die", tags=["tests"], auth="none", effect="destructive")
def die(input: None, ctx: None) -> None:
    os._exit(9)


@route(summary="Tell the process", tags=["tests"], auth="none", effect="read")
def process(input: None, ctx: None) -> int:
    return os.getpid()


@route(summary="Tell a header", tags=["tests"], auth="none", effect="read")
def header(input: str, ctx: None) -> str | None:
    return current_call().headers.get(input)


def who(token: str, request: object) -> str | None:
    return "ada" if token == "secret" else None


@route(summary="Tell the caller", tags=["tests"], scope="private")
def me(input: None, ctx: str) -> str:
    return ctx


api = spec(authenticate=who, routes=routes(order, nap, die, process, header, me), meta=Meta(title="Shop", version="1.0.0"))
'''
"""A spec whose resolvers are all sync."""

ASYNC_SHOP: Final = (
    SHOP.replace("import os\n", "import asyncio\nimport os\n")
    .replace("def nap", "async def nap")
    .replace("time.sleep", "await asyncio.sleep")
)
"""The same with a resolver that awaits."""

BARE: Final = """
from contract import route, routes, spec


@route(summary="Say pong", tags=["tests"], auth="none")
def ping(input: None, ctx: None) -> str:
    return "pong"


api = spec(routes=routes(ping))
"""

MOUNTED: Final = (
    BARE
    + """
import falcon

from contract import mount_spec

app = falcon.App()
mount = mount_spec(app, api, prefix="/v1", health_path="/up")
"""
)
"""A spec in a Falcon app."""

ASYNC_MOUNTED: Final = MOUNTED.replace("import falcon\n", "import falcon.asgi\n").replace(
    "falcon.App()", "falcon.asgi.App()"
)

TWO_VERSIONS: Final = """
import falcon

from contract import mount_spec, route, routes, spec


def made(version):
    @route(summary="Divide", tags=["tests"], auth="none")
    def divide(input: int, ctx: None) -> int:
        return version // (input or version - 1)

    return spec(routes=routes(divide))


app = falcon.App()
v1 = mount_spec(app, made(1), prefix="/v1")
v2 = mount_spec(app, made(2), prefix="/v2")
"""
"""Two specs in an app, with a route of one name, which only raises for 0 in the first."""

TWO_MOUNTS: Final = ASYNC_MOUNTED + 'other = mount_spec(app, api, prefix="/v2")\n'

PAYMENTS: Final = """
import os
from contract import Signed, route, routes, spec

@route(summary="Paid", tags=["pay"], auth="none", signed=Signed(lambda: os.environ["PAYING"].split()))
def paid(input: str, ctx: None) -> None: ...

api = spec(routes=routes(paid))
"""
"""A route that takes webhooks, whose secret is in the environment."""

FEED: Final = """
import time
from collections.abc import Iterator

from contract import Stream, route, routes, spec


def numbers() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1
        time.sleep(0.05)


@route(summary="Count", tags=["tests"], auth="none", effect="read")
def count(input: None, ctx: None) -> Stream[int]:
    return Stream(numbers())


api = spec(routes=routes(count))
"""
"""A spec with a stream that does not end by itself."""

ASYNC_FEED: Final = (
    FEED.replace("import time\n", "import asyncio\n")
    .replace("Iterator", "AsyncIterator")
    .replace("def ", "async def ")
    .replace("time.sleep", "await asyncio.sleep")
)
"""The same on an event loop."""
