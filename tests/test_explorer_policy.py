"""The policy: nothing from elsewhere but what the looks name."""

from __future__ import annotations

from typing import Any

import pytest

from contract.explorer import policy

PLAIN = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


def sources(directive: str, ui: dict[str, Any], **more: Any) -> list[str]:
    found = {
        name: rest for name, *rest in (part.split(" ") for part in policy(ui, **more).split("; "))
    }
    return found[directive]


def test_without_looks_nothing_comes_from_elsewhere() -> None:
    assert policy({}) == PLAIN
    assert (
        policy(
            {
                "theme": {"accent": "red"},
                "logo": {"light": "logo.svg", "dark": "/dark.svg"},
                "website": {"url": "https://a.example"},
            }
        )
        == PLAIN
    )


def test_pictures() -> None:
    ui = {
        "logo": {"light": "https://b.example/a/b.png?c", "dark": "HTTP://a.example:8080/x"},
        "favicon": "//c.example/i.ico",
    }

    assert sources("img-src", ui) == [
        "'self'",
        "data:",
        "c.example",
        "http://a.example:8080",
        "https://b.example",
    ]
    assert sources("img-src", {"favicon": "data:image/png;base64,AAAA"}) == ["'self'", "data:"]


def test_fonts_are_style_sheets_or_files() -> None:
    ui = {
        "theme": {
            "fontUrls": [
                "https://css.example/inter",
                "https://file.example/inter.woff2?v=1",
                "fonts/own.css",
                "https://file.example/b.otf",
            ]
        }
    }

    assert sources("style-src", ui) == ["'self'", "https://css.example"]
    assert sources("font-src", ui) == ["'self'", "https://css.example", "https://file.example"]
    assert "'unsafe-inline'" not in policy(ui)


@pytest.mark.parametrize(
    ("server", "found"),
    [
        ("", []),
        ("..", []),
        ("/v1", []),
        ("https://shop.example/v1", ["https://shop.example"]),
        ("http://127.0.0.1:8000", ["http://127.0.0.1:8000"]),
        ("http://[::1]:8000", []),
    ],
)
def test_calls_go_to_the_service(server: str, found: list[str]) -> None:
    assert sources("connect-src", {}, server=server) == ["'self'", *found]


def test_a_policy_in_a_page_says_nothing_of_frames() -> None:
    assert policy({}, embedded=True) == PLAIN.replace("frame-ancestors 'none'; ", "")


@pytest.mark.parametrize(
    "url",
    [
        "https://*.example/a.png",
        "https://*/a.png",
        "https://a;script-src%20*/a.png",
        "https://a,b/a.png",
        "https://a'b/a.png",
        "https://[::1]/a.png",
        "https://%61.example/a.png",
        "https://a.example:x/a.png",
        "https://.example/a.png",
        "https://u:p@/a.png",
        "///evil.example/a.png",
        "javascript:alert(1)",
        "https://a.example/ script-src *",
        "https://a.example\n;script-src *",
        "blob:https://a.example/x",
        "data:text/html,x",
    ],
)
def test_what_no_policy_can_name_is_not_let_in(url: str) -> None:
    ui = {"logo": {"light": url}, "favicon": url, "theme": {"fontUrls": [url]}}

    assert policy(ui) == PLAIN


def test_credentials_do_not_stand_in_a_policy() -> None:
    assert sources("img-src", {"favicon": "https://user:secret@cdn.example/a"}) == [
        "'self'",
        "data:",
        "https://cdn.example",
    ]
