"""Files in the explorer: pictures are shown, everything else is only saved."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Annotated, Literal

import pytest
from playwright.sync_api import Page, expect

from contract import Download, Failure, Media, Spec, emit_contract, route, spec
from contract.testing.sample_contents import sample_of
from tests.browser.conftest import Open

PNG = sample_of("image/png")[1]
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>window.hit = 1</script></svg>"


class NoPicture(Failure, status=404):
    """There is none."""


@route(summary="Picture", tags=["desk"], auth="none", effect="read")
def picture(
    input: Literal["png", "svg", "none"], ctx: None
) -> Annotated[Download, Media("image/*")] | NoPicture:
    if input == "none":
        return NoPicture()
    kind = "image/png" if input == "png" else "image/svg+xml"
    return Download(PNG if input == "png" else SVG, media_type=kind, name=f"a.{input}")


API: Spec[None] = spec(routes=[picture])


@pytest.fixture
def page(page_of: Open) -> Page:
    return page_of(emit_contract(API), "#/routes/picture", calls=API)


def ask(page: Page, which: str) -> None:
    page.locator(".field select").first.select_option(label=which)
    page.get_by_role("button", name="Send").click()


def test_a_page_says_that_it_is_a_file(page: Page) -> None:
    expect(page.locator("main .marks")).to_contain_text("File")
    expect(page.locator("main")).to_contain_text("A file: image/*.")
    expect(page.locator(".side")).to_contain_text("curl -OJ ")


def test_a_file_of_a_read_is_called_by_its_url_too(page: Page) -> None:
    expect(page.locator("main .marks")).to_contain_text("Also GET ?input=")
    page.get_by_role("tab", name="GET").click()
    expect(page.locator(".side")).to_contain_text(
        re.compile(r"curl -OJ 'http://\S+/picture\?input=%22png%22'")
    )
    page.get_by_role("button", name="Copy as Markdown").click()
    expect(page.get_by_role("status").first).to_contain_text("Copied")
    text = page.evaluate("navigator.clipboard.readText()")
    assert "/picture?input=<JSON, percent-encoded>.\n" in text


def test_a_picture_is_shown_and_saved(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    ask(page, "png")
    shown = page.get_by_role("img", name="a.png")
    expect(shown).to_be_in_viewport()
    data = base64.b64encode(PNG).decode()
    expect(shown).to_have_attribute("src", f"data:image/png;base64,{data}")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save a.png").click()
    assert saving.value.suggested_filename == "a.png"
    assert Path(saving.value.path()).read_bytes() == PNG


def test_what_may_run_code_is_only_saved_and_a_failure_is_json(page: Page) -> None:
    ask(page, "svg")
    save = page.get_by_role("button", name="Save a.svg")
    expect(save).to_be_visible()
    expect(page.locator(".answer img")).to_have_count(0)
    assert page.evaluate("window.hit") is None

    ask(page, "none")
    expect(page.get_by_role("group", name="Response")).to_contain_text("NO_PICTURE")
    expect(save).to_have_count(0)
