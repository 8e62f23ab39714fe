"""The policy: nothing from elsewhere but what the looks name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from contract.document.reader import load_contract
from contract.explorer import cleaned, policy
from contract.explorer.policy import clean_ui
from tests.documents import text, whole

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


EVIL = "javascript:alert(1)"


def test_what_meta_would_take_is_left_as_it_is() -> None:
    document = load_contract(text(whole()))

    assert document.ui
    assert cleaned(document) == (document, ())
    assert cleaned(document)[0] is document


def test_every_place_is_looked_at() -> None:
    ui: dict[str, Any] = {
        "website": {"url": EVIL, "label": "Us"},
        "logo": {"light": EVIL, "dark": "dark.png"},
        "favicon": "data:image/svg+xml,<svg/>",
        "theme": {
            "accent": "url(x)",
            "background": "red;",
            "surface": "var(--x)",
            "fontFamily": "a}",
            "fontUrls": [EVIL, "own.css"],
            "x": 1,
        },
        "navbarLinks": [
            {"label": "A", "href": EVIL},
            {"label": "B", "href": "mailto:b@shop.example"},
        ],
        "notice": {
            "message": "Hi",
            "links": [{"label": "C", "href": "data:text/html,x"}, {"label": "D", "href": "/d"}],
        },
        "footer": {"poweredBy": False},
        "later": {"href": EVIL},
    }
    kept, left_out = clean_ui(ui)

    assert kept == {
        "theme": {"fontUrls": ["own.css"], "x": 1},
        "navbarLinks": [{"label": "B", "href": "mailto:b@shop.example"}],
        "notice": {"message": "Hi", "links": [{"label": "D", "href": "/d"}]},
        "footer": {"poweredBy": False},
        "later": {"href": EVIL},
    }
    assert [place.partition(": ")[0] for place in left_out] == [
        "ui.website.url",
        "ui.logo.light",
        "ui.favicon",
        "ui.theme.accent",
        "ui.theme.background",
        "ui.theme.surface",
        "ui.theme.fontFamily",
        "ui.theme.fontUrls",
        "ui.navbarLinks.href",
        "ui.notice.links.href",
    ]
    assert all(EVIL not in each for each in left_out)


def test_a_dark_logo_may_go_alone() -> None:
    kept, left_out = clean_ui(
        {"logo": {"light": "light.png", "dark": EVIL}, "notice": {"message": "Hi"}}
    )

    assert kept == {"logo": {"light": "light.png"}, "notice": {"message": "Hi"}}
    assert len(left_out) == 1


def test_the_document_given_stays_as_it_is() -> None:
    document = replace(load_contract(text(whole())), ui={"favicon": EVIL})
    clean, left_out = cleaned(document)

    assert (clean.ui, document.ui) == ({}, {"favicon": EVIL})
    assert replace(clean, ui=document.ui) == document
    assert len(left_out) == 1
