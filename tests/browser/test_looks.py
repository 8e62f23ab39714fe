"""Colours have contrast enough, whatever the theme. Nothing is in the way of those who do not see or use no mouse."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AXE, Open
from tests.browser.steps import go, parsed, unfold

PAGES: Final = (
    "#/", "#/routes", "#/routes/place_order", "#/routes/list_products", "#/routes/opening_hours",
    "#/types", "#/types/NewOrderInput", "#/types/Category", "#/types/Day",
    "#/errors", "#/errors/OUT_OF_STOCK", "#/errors/VALIDATION_ERROR", "#/mcp", "#/tags/orders", "#/nope",
)  # fmt: skip
LIGHT, NIGHT = "oklch(65% 0.14 163)", "#1b2a41"
_THEMES: Final[dict[str, dict[str, str]]] = {
    "none": {},
    "yellow": {"accent": "#ffe600"},
    "navy": {"accent": "navy"},
    "paper": {"background": "#f4efe6"},
    "night": {"background": "#0b1020", "accent": "#102040"},
    "middle": {"background": "#808080", "surface": "#777"},
    "dark cards on white": {"background": "white", "surface": NIGHT, "accent": LIGHT},
    "light cards on dark": {"background": NIGHT, "surface": "#fffbe8", "accent": "#f5d000"},
    "surface": {"surface": "#203040"},
}


COLOURS: Final = ["color-contrast", "link-in-text-block"]
"""The only rules that look at colours: what the others say in the light holds in the dark."""


RUN_AXE: Final = (
    "only => axe.run(document, { resultTypes: ['violations'], ...(only && { runOnly: only }) })"
)


def violations(page: Page, rules: list[str] | None = None) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found = page.evaluate(RUN_AXE, rules)
    assert found["passes"] != []
    return [
        f"{page.url}: {each['id']}: {each['nodes'][0]['html']} {each['nodes'][0]['failureSummary']}"
        for each in found["violations"]
    ]


@pytest.mark.parametrize("width", [1440, 320])
@pytest.mark.parametrize("dark", [False, True])
def test_axe_has_nothing_to_say(shop: Open, dark: bool, width: int) -> None:
    page = shop(dark=dark, width=width, bypass_csp=True)
    for at in PAGES:
        go(page, at)
        unfold(page)
        assert violations(page, COLOURS if dark else None) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_axe_has_nothing_to_say_of_what_opens(shop: Open) -> None:
    page = shop("#/routes/place_order", bypass_csp=True)
    page.get_by_label("quantity integer").fill("0")
    page.get_by_role("button", name="Send").click()
    page.get_by_role("button", name="Send anyway").click()
    expect(page.locator(".facts")).to_be_visible()
    assert violations(page) == []

    page.keyboard.press("Control+k")
    page.keyboard.type("order")
    assert violations(page) == []


Themed = Callable[..., Page]


@pytest.fixture
def themed(page_of: Open, shop_contract: bytes) -> Themed:
    """Opens the page of a theme."""

    def opened(theme: dict[str, Any], at: str = "#/", **options: Any) -> Page:
        found = parsed(shop_contract)
        found["ui"]["theme"] = theme
        return page_of(found, at, **options)

    return opened


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("theme", _THEMES.values(), ids=_THEMES.keys())
def test_any_theme_can_be_read(themed: Themed, theme: dict[str, str], dark: bool) -> None:
    page = themed(theme, "#/routes/place_order", dark=dark, bypass_csp=True)

    assert violations(page, COLOURS) == []


def ground(page: Page) -> str:
    found: str = page.evaluate(
        "getComputedStyle(document.documentElement).backgroundColor + document.documentElement.dataset.mode"
    )
    return found


def test_an_accent_leaves_light_and_dark_and_a_background_pins_both(themed: Themed) -> None:
    grounds = [ground(themed({"accent": "#ffe600"}, dark=dark)) for dark in (False, True)]
    assert grounds == ["rgb(255, 255, 255)light", "rgb(17, 19, 23)dark"]

    light, dark = (themed({"background": NIGHT}, dark=dark) for dark in (False, True))
    assert ground(light) == ground(dark) == "rgb(27, 42, 65)dark"
    expect(light.get_by_role("button", name="Light or dark")).to_have_count(0)


def test_the_logo_is_of_the_mode_and_relative_to_the_page(
    page_of: Open, shop_contract: bytes
) -> None:
    found = parsed(shop_contract)
    logo = {"light": "brand/light.png", "dark": "/brand/dark.png"}
    found["ui"] |= {"logo": logo, "favicon": "brand/icon.png"}
    page = page_of(found, dark=True)
    shown = "each => [new URL(each.src).pathname, getComputedStyle(each).display !== 'none']"
    icon = "new URL(document.querySelector('link[rel=icon]').href).pathname"

    logos = page.locator(".brand img").evaluate_all(f"all => all.map({shown})")
    assert logos == [["/v1/docs/brand/light.png", False], ["/brand/dark.png", True]]
    assert page.evaluate(icon) == "/v1/docs/brand/icon.png"


def test_a_font_may_be_given(themed: Themed) -> None:
    urls = ["fonts/brand.woff2", "fonts/brand.css"]
    page = themed({"fontFamily": '"Brand Sans", serif', "fontUrls": urls})
    families = page.evaluate("[...document.fonts].map(each => each.family)")

    assert page.evaluate("getComputedStyle(document.body).fontFamily") == '"Brand Sans", serif'
    assert families == ["Brand Sans"] or families[0] == '"Brand Sans"'
    expect(page.locator("link[href='fonts/brand.css']")).to_have_count(1)


FOCUSED: Final = """() => {
    const each = document.activeElement
    const name = each.innerText || each.getAttribute("aria-label") || each.tagName
    const isOut = each === document.body
    return [name, isOut, isOut || getComputedStyle(each).outlineStyle !== "none"]
}"""


def test_the_keyboard_goes_through_the_page_and_out_again(shop: Open) -> None:
    page = shop("#/routes/get_product")
    page.locator("body").press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    seen: list[str] = []
    for _ in range(200):
        page.keyboard.press("Tab")
        name, is_out, has_ring = page.evaluate(FOCUSED)
        seen.append(name)
        assert has_ring, name
        if is_out:
            break

    assert seen[-1] != seen[-2]
    assert {"Copy as Markdown", "Fields", "Form", "INPUT", "curl"} <= {*seen}


def test_the_lock_of_a_tool_stands_beside_its_effect(shop: Open) -> None:
    page = shop("#/mcp", width=320)

    locked = page.locator(".rows > li", has=page.locator(".icon"))
    expect(locked.first).to_be_visible()
    for line in locked.all():
        effect = line.get_by_text(re.compile("^(Only reads|Safe to repeat|Writes|Destructive)"))
        lock, words = line.locator(".icon").bounding_box(), effect.bounding_box()
        assert lock is not None
        assert words is not None
        top, height = words["y"], words["height"]
        assert top <= lock["y"] < top + height < top + 2 * lock["height"]


def test_tabs_are_chosen_by_arrows(shop: Open) -> None:
    page = shop("#/routes/get_product")
    page.get_by_role("tab", name="curl").focus()
    page.keyboard.press("ArrowLeft")

    expect(page.get_by_role("tab", name="MCP")).to_be_focused()
    expect(page.get_by_role("tab", name="MCP")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="curl")).to_be_focused()


def test_motion_is_left_out_where_it_is_not_wanted(shop: Open) -> None:
    page = shop("#/routes/get_product")
    page.emulate_media(reduced_motion="reduce")
    duration = "getComputedStyle(document.querySelector('summary .icon')).transitionDuration"

    assert page.evaluate(duration) == "0s"


def test_with_forced_colours_the_chosen_tab_looks_different(shop: Open) -> None:
    page = shop("#/routes/get_product")
    page.emulate_media(forced_colors="active")
    looks = """each => { const style = getComputedStyle(each); return style.backgroundColor + style.color + style.borderBottomColor }"""
    tabs = page.locator("main [role=tablist]").first.get_by_role("tab")

    chosen, *others = tabs.evaluate_all(f"all => all.map({looks})")
    assert chosen not in others
    assert len(set(others)) == 1
    page.emulate_media(forced_colors="none")
