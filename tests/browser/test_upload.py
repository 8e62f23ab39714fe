"""Files in the explorer: they are picked, and sent as a form."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from contract import emit_contract
from tests.browser.conftest import Open
from tests.uploaded import api


@pytest.fixture
def page(page_of: Open) -> Page:
    return page_of(emit_contract(api), "#/routes/add", calls=api)


def test_files_stand_among_the_fields_of_the_input(page: Page) -> None:
    fields = page.locator("section", has=page.get_by_role("heading", name="Input")).locator("li")
    image = "imagefilerequiredimage/png or image/jpegat most 200000 bytes"
    more = "morefileat most 1048576 bytesat most 2 of them"

    expect(fields.filter(has_text="image")).to_have_text(image)
    expect(fields.filter(has_text="more")).to_have_text(more)


def test_a_route_with_files_is_copied_as_markdown(page: Page) -> None:
    page.get_by_role("button", name="Copy as Markdown").click()

    expect(page.get_by_role("status").first).to_contain_text("Copied")
    text = page.evaluate("navigator.clipboard.readText()")
    assert "/add (as multipart/form-data, with the JSON in its part `input`, effect: write)" in text
    assert "\n- `image` (file): image/png or image/jpeg, at most 200000 bytes\n" in text
    assert "\n- `thumb` (file, optional): at most 10 bytes\n" in text


def test_files_are_picked_and_sent(page: Page, tmp_path: Path) -> None:
    image, text = tmp_path / "cat.png", tmp_path / "cat.txt"
    image.write_bytes(b"\x89PNG")
    text.write_bytes(b"miaow")
    send = page.locator(".send .primary")
    answer = page.get_by_role("group", name="Response")
    page.get_by_label("title", exact=False).first.fill("A cat")

    send.click()
    expect(page.locator(".told")).to_contain_text("Not sent: 1 problem")
    picked = page.get_by_label("image*")
    expect(picked).to_have_attribute("aria-invalid", "true")
    expect(picked).to_be_focused()

    picked.set_input_files(text)
    send.click()
    expect(answer).to_contain_text("VALIDATION_ERROR")
    expect(page.locator(".field", has=picked)).to_contain_text("media_type")

    picked.set_input_files(image)
    page.get_by_label("more").set_input_files([text, image])
    expect(picked).not_to_have_attribute("aria-invalid", "true")
    send.click()
    expect(answer).to_contain_text('"names": ["cat.png", "cat.txt", "cat.png"]')


def test_a_call_of_files_alone_brings_no_input(page: Page, tmp_path: Path) -> None:
    image = tmp_path / "me.png"
    image.write_bytes(b"\x89PNG")
    page.goto(page.url.replace("routes/add", "routes/avatar"))
    page.get_by_label("image*").set_input_files(image)
    with page.expect_request("**/avatar") as asked:
        page.locator(".send .primary").click()
    expect(page.get_by_role("group", name="Response")).to_contain_text("4")
    assert b'name="input"' not in (asked.value.post_data_buffer or b"")
