"""Cleaning: what another program wrote into a document does no harm in a page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from contract.document.reader import load_contract
from contract.explorer import cleaned
from contract.explorer.cleaning import clean_ui
from tests.documents import text, whole

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
