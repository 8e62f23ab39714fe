"""
Payloads in every text of a contract, in every form that has broken pages before: nothing runs, nothing is markup, and the text is there.

The documents are written by hand, since no `contract.Meta` takes most of them: the page must not rely on who made its contract.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import ConsoleMessage, Dialog, Page

from tests.browser.conftest import Open
from tests.browser.steps import found_on, go
from tests.tables import rows

PAYLOADS: Final = {
    "script": "<script>pwned()</script>",
    "image": "<img src=x onerror=pwned()>",
    "svg": "<svg onload=pwned()></svg>",
    "svg script": "<svg><script href=data:,pwned()></script></svg>",
    "foreign": "<math><mtext><table><mglyph><style><img src=x onerror=pwned()>",
    "template": "<template><script>pwned()</script></template>",
    "frame": '<iframe srcdoc="<script>parent.pwned()</script>"></iframe>',
    "object": "<object data='javascript:pwned()'></object>",
    "embed": "<embed src='javascript:pwned()'>",
    "base": "<base href='https://evil.example/'>",
    "meta": "<meta http-equiv=refresh content='0;url=javascript:pwned()'>",
    "link": "<link rel=stylesheet href='https://evil.example/x.css'>",
    "style": "<style>*{display:none}</style>",
    "form": "<form action='https://evil.example/'><button autofocus onfocus=pwned()>x</button></form>",
    "details": "<details open ontoggle=pwned()>x</details>",
    "end of script": "</script><script>pwned()</script>",
    "end of title": "</title></textarea></style></noscript><script>pwned()</script>",
    "end of a comment": "--><script>pwned()</script><!--",
    "attribute": '" autofocus onfocus=pwned() x="',
    "attribute in single quotes": "' onmouseover=pwned() '",
    "separators": "\u2028</script>\u2029<script>pwned()</script>",
    "direction": "\u202e\u2066<b onclick=pwned()>x</b>\u2069",
    "templates": "{{constructor.constructor('pwned()')()}} ${pwned()} <%= pwned() %> #{pwned()}",
    "markdown link": "[x](javascript:pwned()) <javascript:pwned()> ![x](https://evil.example/x.png) [y]: javascript:pwned()",
    "entities": "&lt;script&gt;pwned()&lt;/script&gt; &#60;img src=x onerror=pwned()&#62;",
    "prototype": "__proto__",
}
assert len(PAYLOADS) == 26

SCRIPT: Final = "script:pwned()"
SCHEMES: Final = (
    *(f"java{SCRIPT}", f"JaVaScRiPt:{SCRIPT[7:]}", f" java{SCRIPT}", f"java\n{SCRIPT}"),
    *(f"java\t{SCRIPT}", f"\x01java{SCRIPT}", f"vb{SCRIPT}", f"view-source:java{SCRIPT}"),
    *("data:text/html,<script>pwned()</script>", "data:image/svg+xml,<svg onload=pwned()>"),
    *("blob:https://evil.example/x", "file:///etc/passwd", "\\\\evil.example/x"),
)

_SENT: Final = {"type": "object", "additionalProperties": False}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def record(text: str, properties: dict[str, Any]) -> dict[str, Any]:
    return {**_SENT, "title": text, "properties": properties, "required": [text]}


def document(text: str) -> dict[str, Any]:
    """A contract with *text* in every place of a text."""
    string = {"type": "string"}
    told = {"title": text, "description": text, "default": text, "examples": [text]}
    field = {**string, **told, "deprecated": True}
    fields = {
        "plain": field,
        text: field,
        "choice": {
            **string,
            "enum": [text, "b"],
            "x-contract-enum-names": [text, "B"],
            "description": text,
        },
        "constant": {**string, "const": text},
        "matching": {**string, "pattern": text, "format": text},
        "each": {"type": "array", "items": {**string, "enum": [text]}},
        "map": {"type": "object", "additionalProperties": {**string, "description": text}},
        "card": ref("Union"),
    }
    kinds = {name: record(text, {text: {"const": text + name}}) for name in ("A", "B")}
    mapping = {text + name: f"#/$defs/{name}" for name in kinds}
    union = {
        "description": text,
        "oneOf": [ref(name) for name in kinds],
        "discriminator": {"propertyName": text, "mapping": mapping},
    }
    error = {"status": 409, "description": text, "data": ref("Record"), "data_required": True}
    route: dict[str, Any] = {
        "path": "go",
        "method": "POST",
        "summary": text,
        "description": f"{text}\n\n# {text}\n\n- {text}\n\n```\n{text}\n```",
        "tags": [text],
        "auth": "bearer",
        "scope": "public",
        "effect": "write",
        "deprecated": {"since": text, "remove_on": text, "use": text},
        "input": ref("Record"),
        "output": ref("Record"),
        "errors": {"GONE": error},
        "mcp": {"name": text, "title": text, "annotations": {}},
    }
    second = {"path": "again", "tags": [text, "b"], "mcp": {**route["mcp"], "name": f"{text}2"}}
    link = {"label": text, "href": "https://shop.example/", "external": True}
    return {
        "contract": "1.0",
        "info": {"title": text, "version": text, "description": f"{text}\n\n> {text}"},
        "ui": {
            "website": {"url": "https://shop.example/", "label": text},
            "navbarLinks": [link],
            "notice": {"title": text, "message": text, "command": text, "links": [link]},
            "sdkInstall": text,
            "authHint": text,
        },
        "links": {"docs": "docs", "openapi": "openapi.json", "mcp": "mcp"},
        "$defs": {"Record": {**record(text, fields), "description": text}, "Union": union, **kinds},
        "errors": {
            "GONE": error,
            "INTERNAL_ERROR": {"status": 500, "description": text},
            text: {"status": 400, "description": text},
        },
        "exports": {},
        "routes": {"go": route, "again": route | second},
    }


ADDRESSES: Final = "routes routes/go types types/Record types/Union types/A errors errors/GONE mcp"
PAGES: Final = ("#/", *(f"#/{address}" for address in ADDRESSES.split()))
MARKUP: Final = r"""() => [...document.querySelectorAll("*")].filter(each =>
    /^(iframe|object|embed|base|template|math|style|marquee)$/i.test(each.localName) || /[^a-z0-9]/.test(each.localName)
    || (each.localName === "script" && !each.src.includes("/assets/")) || (each.localName === "meta" && each.httpEquiv)
    || (each.localName === "form" && each.hasAttribute("action"))
    || [...each.attributes].some(({ name, value }) => /^on|^srcdoc$/.test(name)
        || (name === "style" && each !== document.documentElement)  // which has the font, as the value of a variable
        || (/^(href|src|action|data|xlink:href)$/.test(name)
            && !/^(#|https?:|mailto:|\.{0,2}\/|assets\/|\.\.\/contract|data:image\/svg\+xml,%3Csvg xmlns)/.test(value)))
).map(each => each.outerHTML.slice(0, 300))"""
"""What is on the page and no part of it."""

LOOK: Final = f"""() => {{
    const markup = {MARKUP}, found = markup()
    for (const each of document.querySelectorAll("main [role=tab]")) {{
        each.click()
        found.push(...markup())
    }}
    for (const each of document.querySelectorAll("*")) each.dispatchEvent(new MouseEvent("mouseover", {{ bubbles: true }}))
    return [...found, ...markup()]
}}"""
"""Open every tab of a page, and point at everything."""


@pytest.fixture
def guarded(page_of: Open) -> Iterator[Callable[[Any], Page]]:
    """Opens the pages of a document on which `pwned` ends the test."""
    ran: list[str] = []
    pages: list[Page] = []

    def told(message: ConsoleMessage) -> None:
        if message.text == "pwned":
            ran.append(message.text)

    def asked(dialog: Dialog) -> None:
        ran.append(dialog.message)
        dialog.dismiss()

    def open_page(contract: Any) -> Page:
        # who calls `pwned` before it is there makes an error, which is told as well
        page = page_of(contract)
        page.evaluate("window.pwned = () => console.error('pwned')")
        page.on("console", told)
        page.on("dialog", asked)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.evaluate("0")  # what was said before has come by now
        page.remove_listener("console", told)
        page.remove_listener("dialog", asked)
    assert ran == []


def look(page: Page, *places: str) -> None:
    """Open these pages, and see that nothing is markup that is not the page's own."""
    assert found_on(page, places, LOOK) == {at: [] for at in places}
    page.keyboard.press("Control+k")
    page.keyboard.type("o")
    assert page.evaluate(MARKUP) == []
    page.keyboard.press("Escape")
    go(page, "#/")


@rows("form", *PAYLOADS)
def test_a_text_is_a_text(guarded: Callable[[Any], Page], form: str) -> None:
    text = PAYLOADS[form]
    page = guarded(document(text))
    look(page, *PAGES)

    page.goto(page.url.split("#")[0] + "#/routes/go")
    page.locator("main form").wait_for()
    brand, heading = page.locator("header.top strong"), page.locator("h1")
    for found in (brand.text_content(), heading.text_content(), page.title()):
        assert " ".join(text.split()) in " ".join((found or "").split())
    assert page.evaluate("document.body.textContent").count(text) > 10


def test_a_form_of_hostile_fields_can_be_sent(guarded: Callable[[Any], Page]) -> None:
    text = PAYLOADS["attribute"] + PAYLOADS["image"]
    page = guarded(document(text))
    page.goto(page.url.split("#")[0] + "#/routes/go")
    issue = {"path": [text], "code": text, "message": text}
    answer = {text: text, "error": text, "data": {"issues": [issue]}}
    headers = {"x-request-id": "<b>x</b>", "x-a": "<img src=x>"}
    page.route("**/v1/go", lambda call: call.fulfill(status=400, headers=headers, json=answer))
    page.get_by_role("button", name="Send").click()
    if page.get_by_role("button", name="Send anyway").count():
        page.get_by_role("button", name="Send anyway").click()
    page.locator(".facts").wait_for()

    assert page.evaluate(MARKUP) == []


@rows("scheme", *SCHEMES)
def test_a_url_that_could_run_is_no_url(guarded: Callable[[Any], Page], scheme: str) -> None:
    contract = document("x")
    link = {"label": "Evil", "href": scheme, "external": True}
    contract["ui"] |= {
        "website": {"url": scheme, "label": "Evil"},
        "logo": {"light": scheme, "dark": scheme},
        "favicon": scheme,
        "theme": {"fontUrls": [scheme]},
        "navbarLinks": [link],
        "notice": {"message": "x", "links": [link]},
    }
    contract["info"]["description"] = f"[Evil]({scheme}) <{scheme}>"
    contract["routes"]["go"]["description"] = f"[Evil]({scheme})"
    page = guarded(contract)
    look(page, "#/", "#/routes/go")

    assert page.get_by_text("Evil").count() > 2
    assert page.get_by_role("link", name="Evil", exact=True).count() == 0


DISPLAYS = (
    "[...document.querySelectorAll('body, main, h1')].map(each => getComputedStyle(each).display)"
)


@rows(
    "value",
    "red;} *{display:none", "url(https://evil.example/x)", "}</style><script>pwned()</script>",
    "expression(pwned())", "var(--x)", "\\72 ed",
)  # fmt: skip
def test_a_theme_stays_in_its_property(guarded: Callable[[Any], Page], value: str) -> None:
    contract = document("x")
    contract["ui"]["theme"] = {
        **dict.fromkeys(("accent", "background", "surface", "fontFamily"), value),
        "fontUrls": [f'/x.woff2") , url("https://evil.example/{value}'],
    }
    page = guarded(contract)
    look(page, "#/", "#/routes/go")

    assert "none" not in page.evaluate(DISPLAYS)
