"""
A built wheel, tried in an environment that holds nothing beside its dependencies (``make release``).

The interpreter of that environment runs this file with ``-I``, so that the checkout is not on its path.
Nothing beyond the standard library and the wheel is imported.
With the argument ``serve``, the extra of this name is there, and the service is served as well.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from socket import create_server
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import Request, urlopen

SHOP = '''
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge

from contract import Failure, route, routes, spec


class SoldOut(Failure, status=409):
    """Not enough copies are left."""

    restock_days: int


@dataclass(frozen=True)
class Order:
    product_id: str
    quantity: Annotated[int, Ge(1)] = 1


@route(summary="Order a product", tags=["orders"], auth="none")
def order(input: Order, ctx: None) -> int | SoldOut:
    return 1250 * input.quantity


api = spec(routes=routes(order))
'''
CONTRACT = Path(sys.executable).with_name("contract")
PATIENCE = 30.0


def call_in_this_process() -> None:
    """The package alone declares, lists and calls a route; no extra is needed."""
    ran = subprocess.run(
        [
            CONTRACT,
            "call",
            "order",
            '{"product_id": "p1", "quantity": 2}',
            "--app",
            "shop.py",
            "--json",
        ],
        stdout=subprocess.PIPE,
        check=True,
    )
    assert json.loads(ran.stdout)["body"] == 2500, ran.stdout


def make_a_project() -> None:
    """``contract new`` finds its files in the wheel, and what it makes is a spec."""
    subprocess.run([CONTRACT, "new", "trial"], stderr=subprocess.DEVNULL, check=True)
    ran = subprocess.run(
        [CONTRACT, "check", "trial.app:api", "--json", "contract.json"],
        cwd="trial",
        stdout=subprocess.PIPE,
        check=True,
    )
    assert json.loads(ran.stdout)["files"][0]["problem"] is None, ran.stdout
    assert Path("trial/.github/workflows/check.yml").is_file()


def call_over_http(interface: str) -> None:
    """``contract serve`` answers a call, and shows the contract and the pages, whose files the wheel has to hold."""
    with create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    log = Path("server.log")
    with (
        log.open("wb") as written,
        subprocess.Popen(
            [CONTRACT, "serve", "shop.py", "--port", str(port), "--interface", interface],
            stderr=written,
        ) as server,
    ):
        try:
            wait_for(f"{url}/healthz", server)
            look_at(url)
        except BaseException:
            print(log.read_text("utf-8"), file=sys.stderr)
            raise
        finally:
            server.terminate()
    assert server.returncode == 0, log.read_text("utf-8")


def look_at(url: str) -> None:
    assert answer(f"{url}/order", {"product_id": "p1", "quantity": 2}) == 2500
    assert answer(f"{url}/contract.json")["routes"].keys() == {"order"}
    assets = re.findall(r'(?:src|href)="(assets/[^"]+)"', text(f"{url}/docs/"))
    assert assets
    for asset in assets:
        assert text(f"{url}/docs/{asset}")


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            urlopen(url).close()
        except OSError:
            assert server.poll() is None, "the server ended"
            assert time.monotonic() < until, f"nobody answers at {url}"
            time.sleep(0.1)
        else:
            return


def text(url: str) -> str:
    with urlopen(url) as reply:
        read: bytes = reply.read()
    return read.decode()


def answer(url: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, {"Content-Type": "application/json"})) as reply:
        return json.load(reply)


if __name__ == "__main__":
    import contract

    assert Path(contract.__file__).is_relative_to(sys.prefix), contract.__file__
    assert contract.__version__ == version("contract-rpc")
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("shop.py").write_text(SHOP, "utf-8")
        call_in_this_process()
        make_a_project()
        if sys.argv[1:] == ["serve"]:
            call_over_http("wsgi")
            call_over_http("asgi")
    print("contract-rpc", contract.__version__, "served" if sys.argv[1:] else "alone", "passed")
