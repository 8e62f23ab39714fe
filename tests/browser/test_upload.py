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
