"""
What type checkers and a formatter say of generated Python: nothing, be it for the shop or for a contract with hostile names.

Of programs that use the client of the shop, type checkers say exactly what they have to.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from contract.codegen.package import package_of
from contract.codegen.python import python_client, python_validators
from contract.document.describe import describe
from examples.shop.app import shop_api
from examples.shop.store import Store
from tests.hostile_package import HOSTILE
from tests.python_clients import document_of
from tests.samples import ANNOTATIONS
from tests.test_codegen_generics import described

ROOT = Path(__file__).parent.parent
MARK = re.compile(r"  # refused$")

USE: Final = """
from typing import assert_never, assert_type

from shop_client import (
    ApiClient, AsyncApiClient, CallError, CardDeclined, CardInput, CashInput, NotFound, Ok, Order, OrderFilterInput, OrderLineInput,
    OutOfStock, Slice, schemas, unwrap,
)


def ordered(api: ApiClient) -> str:
    result = api.place_order(lines=[OrderLineInput(product_id="p1")], payment=CashInput())
    match result:
        case Ok(order):
            assert_type(order, Order)
            return str(order.id)
        case OutOfStock(product_id=product, available=left):
            return f"{product} {left + 1}"
        case CardDeclined() | NotFound():
            return "no"
        case CallError(code="UNAUTHORIZED"):
            return "who?"
        case CallError():
            return "later"
        case _:
            assert_never(result)


def incomplete(api: ApiClient) -> str:
    result = api.place_order(lines=[OrderLineInput(product_id="p1")], payment=CashInput())
    match result:
        case Ok(order):
            return str(order.id)
        case CardDeclined() | NotFound() | CallError():
            return "no"
        case _:
            assert_never(result)  # refused


async def listed(api: AsyncApiClient) -> int:
    async with api:
        result = await api.with_options(timeout=2).list_orders(filter=OrderFilterInput(), limit=2)
        assert_type(result, Ok[Slice[Order]] | CallError)
        page = unwrap(result)
        assert_type(page, Slice[Order])
        return len(page.items)


def wrong(api: ApiClient) -> None:
    api.get_product("blue-mug")  # refused
    api.get_product(id=1)  # refused
    api.get_product()  # refused
    api.get_product(id="p", more=1)  # refused
    api.get_products(id="p")  # refused
    CardInput("4242424242424242", "12/30")  # refused
    print(unwrap(api.get_order(id="1")))  # refused
    print(api.get_product(id="p").value)  # refused
    assert_type(unwrap(schemas.place_order.output.load(b"")), Order)  # refused


def right() -> None:
    assert_type(schemas.place_order.output.load(b""), Order)
"""


GENERATED: Final = ("shop", "every", "hostile")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checked")
    shop = describe(shop_api(Store(str(folder / "shop.sqlite3"))), visibility="all")
    every = document_of(*ANNOTATIONS.values())
    for name, package in zip(
        GENERATED, (package_of(shop), package_of(every), HOSTILE), strict=True
    ):
        (folder / f"{name}_client.py").write_text(python_client(package))
        (folder / f"{name}_validators.py").write_text(python_validators(package))
    (folder / "generic_client.py").write_text(python_client(package_of(described())))
    (folder / "use.py").write_text("\n".join(MARK.sub("", line) for line in USE.splitlines()))
    return folder


REFUSED: Final = {number for number, line in enumerate(USE.splitlines(), 1) if MARK.search(line)}


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "MYPYPATH": f"{folder}{os.pathsep}{ROOT}"}
    program = [sys.executable, "-m", *command]
    return subprocess.run(program, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_mypy_accepts_what_is_generated(folder: Path) -> None:
    # tests/test_readme.py checks programs with the options and the cache of this, where contract is
    # then found checked: so what more is asked is asked of these files alone
    asked = ",".join(path.stem for path in sorted(folder.glob("*.py")))
    (folder / "mypy.ini").write_text(
        f"[mypy]\nstrict = True\n[mypy-{asked}]\nenable_error_code = exhaustive-match\n"
    )
    cache = str(ROOT / ".mypy_cache" / "strict")
    output = run("mypy", "--cache-dir", cache, "--output=json", ".", folder=folder).stdout
    said = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    errors = [each for each in said if each["severity"] == "error"]

    assert [each for each in errors if Path(each["file"]).name != "use.py"] == []
    assert {each["line"] for each in errors} == REFUSED


def test_pyright_accepts_what_is_generated(folder: Path) -> None:
    options = {"include": ["."], "extraPaths": [str(ROOT)]}
    checks = {"typeCheckingMode": "strict", "pythonVersion": "3.11"}
    (folder / "pyrightconfig.json").write_text(json.dumps(options | checks))
    command = ("pyright", "--outputjson", "--pythonpath", sys.executable)
    output: Any = json.loads(run(*command, folder=folder).stdout)
    said = [
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1, each["message"])
        for each in output["generalDiagnostics"]
    ]

    assert output["summary"]["filesAnalyzed"] == 8
    assert [each for each in said if each[0] != "use.py"] == []
    assert {line for _, line, _ in said} == REFUSED


def test_a_formatter_has_nothing_to_do(folder: Path) -> None:
    generated = [str(path) for path in sorted(folder.glob("*_*.py"))]
    options = ("--isolated", "--line-length=120", "--target-version=py311", "--diff")
    done = run("ruff", "format", *options, *generated, folder=folder)

    assert (done.stdout, done.returncode) == ("", 0), done.stderr


def test_no_line_is_too_long_or_ends_in_blanks(folder: Path) -> None:
    for path in folder.glob("*_*.py"):
        for line in path.read_text().splitlines():
            assert line == line.rstrip()
            # an escape is counted as what it stands for, and some words cannot be broken
            assert len(line) - line.count("\\") <= 120 or "x" * 100 in line or "a" * 90 in line
