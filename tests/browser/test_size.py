"""The page is small, and stays quick where a contract is large."""

import gzip
import json
import re
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import expect

from contract import explorer
from tests.browser.conftest import TOOLS, Open, node
from tests.browser.steps import parsed

FOLDER: Final = Path(explorer.__file__).with_name("assets")
SOURCES: Final = {each.name: each.read_bytes() for each in FOLDER.iterdir()}


def test_the_page_is_small() -> None:
    """Each file is packed by itself, as it is sent. What it weighs may only become less."""
    assert sum(map(len, SOURCES.values())) <= 132_920
    assert sum(len(gzip.compress(data, 9)) for data in SOURCES.values()) <= 48_120


def test_lines_are_short_enough_to_be_read() -> None:
    """A tab is two columns."""
    for name, data in SOURCES.items():
        lines = data.decode().expandtabs(2).splitlines()
        assert [line for line in lines if len(line) > 120] == [], name


def test_functions_are_short_enough_to_be_read() -> None:
    """A function is counted with those inside it."""
    modules = [FOLDER / name for name in SOURCES if name.endswith(".js")]
    compiler = (TOOLS / "node_modules" / "typescript").resolve()
    done = node(Path(__file__).with_name("functions.mjs"), compiler, *modules)
    functions: list[tuple[str, int, int]] = json.loads(done.stdout)

    assert len(functions) > 300
    assert [each for each in functions if each[2] > 60] == []


def thousand(shop_contract: bytes) -> dict[str, Any]:
    found = parsed(shop_contract)
    routes, orders = [*found["routes"].items()], found["$defs"]["Order"]
    found["routes"] = {}
    for number in range(1000):
        given, each = routes[number % len(routes)]
        name, type_ = f"{given}_{number}", f"Type{number}"
        own = {"path": name, "tags": [f"tag{number // 25}"], "output": {"$ref": f"#/$defs/{type_}"}}
        found["routes"][name] = {**each, **own}
        found["$defs"][type_] = {**orders, "title": type_}
    return found


def test_a_thousand_routes_are_shown_searched_and_scrolled(
    page_of: Open, shop_contract: bytes
) -> None:
    page = page_of(thousand(shop_contract))
    page.evaluate("""window.tasks = []
        new PerformanceObserver(list => tasks.push(...list.getEntries().map(each => each.duration))).observe({ type: "longtask" })""")
    assert page.evaluate("document.querySelectorAll('*').length") < 11_000

    page.keyboard.press("/")
    for letter in "_777":
        page.keyboard.type(letter)
    expect(page.locator("#found a")).to_have_count(1)
    assert page.evaluate("document.querySelectorAll('#found *').length") <= 40 * 4
    page.keyboard.press("Enter")
    expect(page.locator(".path code")).to_have_text(re.compile("_777$"))
    page.get_by_label("Tag").select_option("tag31")
    expect(page.locator(".sidebar section li:visible")).to_have_count(25)
    page.get_by_label("Tag").select_option("")
    page.mouse.move(100, 500)
    for _ in range(20):
        page.mouse.wheel(0, 2000)
    # a task of more than 50 ms can be felt; of half a second, nobody would wait for
    assert sum(task > 500 for task in page.evaluate("tasks")) == 0
