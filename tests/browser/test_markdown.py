"""Descriptions are in Markdown: what is written in it stands on the page as elements, and as nothing else."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.steps import parsed

PIXEL = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

CASES = {
    "a | b\n--- | :-:\n1 | `x` \\| y\n2": "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td>"
    "<td><code>x</code> | y</td></tr></tbody></table><p>2</p>",
    "- a\n  - b\n    1. c\n- d": "<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul>",
    "3. a\n4. b\n\n   more": "<ol start=3><li>a</li><li>b<p>more</p></li></ol>",
    "- [ ] open\n- [x] done": "<ul><li><input>open</li><li><input checked>done</li></ul>",
    "a\n\n---\n\nb": "<p>a</p><hr><p>b</p>",
    "* * *": "<hr>",
    "~~gone~~ and **bold *both*** or _it_": "<p><s>gone</s> and <strong>bold <em>both</em></strong> or <em>it</em></p>",
    r"\*no\* \# \[x\](y) 1\. \\": r"<p>*no* # [x](y) 1. \</p>",
    "2 * 3 * 4, snake_case_name, ~ 5": "<p>2 * 3 * 4, snake_case_name, ~ 5</p>",
    f"![dot]({PIXEL})": "<p><img dot></p>",
    "[![dot](b.png) more](https://a.example)": "<p><a href=https://a.example><img dot> more</a></p>",
    "![far](https://evil.example/x.png)": '<p><a href=https://evil.example/x.png>far</a></p>',
    "![bad](javascript:pwned())": "<p><span>bad</span></p>",
    "[a](https://a.example/b_(c)) <https://b.example/x>": "<p><a href=https://a.example/b_(c)>a</a> "
    "<a href=https://b.example/x>https://b.example/x</a></p>",
    "# One\n### Three ###\nUnder\n===\ntext": "<h2>One</h2><h3>Three</h3><h2>Under</h2><p>text</p>",
    "> a\n> - b": "<blockquote><p>a</p><ul><li>b</li></ul></blockquote>",
    "a  \nb\\\nc": "<p>a<br>b<br>c</p>",
    "``a ` b``": "<p><code>a ` b</code></p>",
    "~~~\n- **a**\n~~~": "<code>- **a**</code>",
    "text\n- item\n1990. was a year": "<p>text</p><ul><li>item</li></ul><ol start=1990><li>was a year</li></ol>",
    "<b>x</b> &amp; <!-- y -->": "<p><b>x</b> &amp; <!-- y --></p>",
    "- a\n\n- b\n\nc": "<ul><li>a</li><li>b</li></ul><p>c</p>",
}  # fmt: skip

SHOWN = """text => {
    const show = node => {
        if (node.nodeType === 3) return node.data
        const name = node.localName, inner = [...node.childNodes].map(show).join("")
        if (name === "div") return node.className === "code" ? show(node.querySelector("code")) : inner
        const plain = { img: ` ${node.alt}`, input: node.checked ? " checked" : "", a: ` href=${node.getAttribute("href")}`,
            ol: node.start === 1 ? "" : ` start=${node.start}` }[name] ?? ""
        return `<${name}${plain}>` + (/^(img|input|hr|br)$/.test(name) ? "" : `${inner}</${name}>`)
    }
    return show(markdown(text))
}"""
ASK = """async given => {
    const url = performance.getEntriesByType("resource").map(each => each.name).find(each => each.includes("/tools."))
    const { markdown } = await import(url)
    return (FUNCTION)(given)
}"""


@pytest.fixture
def page(shop: Open) -> Page:
    return shop()


def test_markdown_becomes_elements(page: Page) -> None:
    ask = ASK.replace("FUNCTION", SHOWN)

    assert {text: page.evaluate(ask, text) for text in CASES} == CASES


TOOK = """text => { const began = performance.now(); markdown(text); return performance.now() - began }"""
PIECES = ("[", "![", "*", "**a ", "_a", "`", "` ``", "~~", "> ", "- ", "|", "\\", "[a](", "*a**", "1. ")  # fmt: skip


def taken(page: Page, text: str, times: int) -> float:
    """The least milliseconds that the text took, of so many times."""
    found: list[float] = [page.evaluate(ASK.replace("FUNCTION", TOOK), text) for _ in range(times)]
    return min(found)


def test_what_is_long_and_odd_takes_no_time(page: Page) -> None:
    """A contract may come from elsewhere. The text is a hundred times what it is below, and takes less than a thousand times as long."""
    for piece in PIECES:
        taken(page, piece * 100, 1)
        assert taken(page, piece * 10_000, 2) < max(taken(page, piece * 200, 3), 1) * 1000, piece


ENDLESS = {"pictures": "[" + "![a](b)" * 13, "spaces": f"a{' ' * 49_000}b", "quotes": '~~~\n"' + r"\"" * 20_000}  # fmt: skip


def test_what_never_ends_takes_no_time(page: Page) -> None:
    for name, text in ENDLESS.items():
        assert taken(page, text, 3) < max(taken(page, "a" * len(text), 3), 1) * 300, name


def described(contract: bytes, text: str) -> Any:
    found = parsed(contract)
    found["info"]["description"] = text
    found["routes"]["place_order"]["description"] = text
    return found


def test_text_from_right_to_left_is_shown_so(page_of: Open, shop_contract: bytes) -> None:
    page = page_of(described(shop_contract, "שלום עולם\n\n- אחת\n\nplain"))
    directions = "all => all.map(each => getComputedStyle(each).direction)"

    assert page.locator(".prose > *").evaluate_all(directions) == ["rtl", "rtl", "ltr"]


def test_a_picture_of_the_host_is_loaded(page_of: Open, shop_contract: bytes) -> None:
    page = page_of(described(shop_contract, "![logo](brand/logo.png)"))

    expect(page.locator(".prose img")).to_have_attribute("src", "brand/logo.png")
