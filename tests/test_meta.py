"""Meta: its defaults, and the URLs and theme values that are refused."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from contract.declare.meta import (
    Footer,
    Logo,
    Meta,
    NavbarLink,
    Notice,
    NoticeLink,
    Theme,
    Website,
    instead_of_colour,
    instead_of_fonts,
)
from contract.shape.exceptions import DeclarationError

PIXEL = "data:image/png;base64,iVBORw0KGgo="


def test_everything_is_optional() -> None:
    assert dataclasses.asdict(Meta()) == {
        "title": "Contract API",
        "version": "0.0.0",
        "intro": None,
        "website": None,
        "logo": None,
        "favicon": None,
        "theme": None,
        "navbar_links": (),
        "footer": None,
        "notice": None,
        "sdk_install": None,
        "auth_hint": None,
        "mcp_instructions": None,
    }


def test_everything_can_be_given() -> None:
    meta = Meta(
        title="Shop",
        version="1.0.0",
        intro="# Hello",
        website=Website("https://shop.example/about", "The shop"),
        logo=Logo("logo.svg", dark="/brand/dark.png"),
        favicon=PIXEL,
        theme=Theme(
            accent="#0a7",
            background="white",
            surface="rgb(1 2 3 / 50%)",
            font_family='"Inter", sans-serif',
            font_urls=["/fonts/inter.css"],
        ),
        navbar_links=[
            NavbarLink("Help", "mailto:help@shop.example"),
            NavbarLink("Terms", "/terms", external=True),
        ],
        footer=Footer(powered_by=False),
        notice=Notice(
            title="New",
            message="Version 2",
            command="pip install shop",
            links=[NoticeLink("More", "https://shop.example/2")],
        ),
        sdk_install="pip install shop-client",
        auth_hint="Ask us",
        mcp_instructions="Be kind",
    )

    assert meta.theme is not None
    assert meta.notice is not None
    assert meta.theme.font_urls == ("/fonts/inter.css",)
    assert meta.navbar_links[1] == NavbarLink("Terms", "/terms", external=True)
    assert meta.notice.links == (NoticeLink("More", "https://shop.example/2"),)
    assert meta.favicon == PIXEL
    assert hash(meta) == hash(dataclasses.replace(meta))


def test_the_text_of_a_website_is_its_label_or_its_host() -> None:
    assert Website("https://www.shop.example:8080/about").link_text == "www.shop.example"
    assert Website("/about").link_text == "Learn more"
    assert Website("/about", "The shop").link_text == "The shop"


def test_the_icon_is_the_favicon_or_the_logo() -> None:
    assert Meta(logo=Logo("logo.svg")).icon == "logo.svg"
    assert Meta(logo=Logo("logo.svg"), favicon="/favicon.ico").icon == "/favicon.ico"
    assert Meta(favicon="/favicon.ico").icon == "/favicon.ico"
    assert Meta().icon is None


def test_what_was_left_out_stays_out() -> None:
    """Who describes a spec has to know what its author said."""
    assert Website("https://shop.example").label is None
    assert Meta(logo=Logo("logo.svg")).favicon is None
    assert Meta(logo=Logo("old.svg")) == Meta(logo=Logo("old.svg"), favicon=None)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example",
        "HTTP://a.example/b?c=d#e",
        "/a/b",
        "a/b.png",
        "./a",
        "../a",
        "?a=b",
        "#a",
        "//cdn.example/a",
        "a/b:c",
        "",
        "%20",
    ],
)
def test_web_and_relative_urls_are_taken(url: str) -> None:
    if url:
        assert Logo(url).light == url
    else:
        with pytest.raises(DeclarationError, match=r"^Logo.light"):
            Logo(url)


EVIL = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "java\tscript:alert(1)",
    "\x01javascript:alert(1)",
    "javascript&colon;alert(1) ",
    "vbscript:x",
    "data:text/html,<script>alert(1)</script>",
    "data:image/svg+xml;base64,PHN2Zy8+",
    "DATA:image/png;base64,AAAA",
    "data:image/png,<svg>",
    "data:image/png;base64,AA AA",
    "file:///etc/passwd",
    "ftp://a.example",
    "blob:https://a.example/x",
    "a b",
    "a\\b",
    "\\\\evil.example",
    "https://ä.example",
    "https:///path",
    "https:",
    "http://[::1",
    "a\u2028b",
    "a\x00",
    3,
    None,
]


@pytest.mark.parametrize("url", EVIL)
def test_other_urls_are_refused_everywhere(url: Any) -> None:
    for place, make in (
        ("Website.url", lambda: Website(url)),
        ("Logo.light", lambda: Logo(url)),
        ("Theme.font_urls", lambda: Theme(font_urls=[url])),
        ("NavbarLink.href", lambda: NavbarLink("a", url)),
        ("NoticeLink.href", lambda: NoticeLink("a", url)),
    ):
        with pytest.raises(DeclarationError, match=rf"^{place}: "):
            make()
    if url is not None:
        for place, make_optional in (
            ("Logo.dark", lambda: Logo("a", url)),
            ("Meta.favicon", lambda: Meta(favicon=url)),
        ):
            with pytest.raises(DeclarationError, match=rf"^{place}: "):
                make_optional()


def test_mail_is_for_links_and_pictures_in_a_url_for_logos() -> None:
    mail = "mailto:a@shop.example"

    assert NavbarLink("a", mail).href == mail
    assert NoticeLink("a", mail).href == mail
    assert Logo(PIXEL, PIXEL).dark == PIXEL
    for make in (
        lambda: Website(mail),
        lambda: Logo(mail),
        lambda: Theme(font_urls=[mail]),
        lambda: NavbarLink("a", PIXEL),
    ):
        with pytest.raises(DeclarationError, match="will not do"):
            make()


@pytest.mark.parametrize(
    "colour",
    [
        "#abc",
        "#ABCD",
        "#aabbcc",
        "#aabbccdd",
        "red",
        "RebeccaPurple",
        "rgb(1, 2, 3)",
        "rgb(1 2 3)",
        "rgba(1, 2, 3, 0.5)",
        "rgb( 10% 20% 30% / 40% )",
        "hsl(120deg 50% 50%)",
        "hsla(-120.5, 50%, 50%, .5)",
        "oklch(65% 0.14 163)",
        "oklch(0.65 .14 163 / 0.5)",
    ],
)
def test_colours_are_hex_functions_with_numbers_and_names(colour: str) -> None:
    assert Theme(accent=colour, background=colour, surface=colour).surface == colour


@pytest.mark.parametrize(
    "value",
    [
        "url(https://evil.example)",
        "red; background: url(x)",
        "red}",
        "red} body {",
        "@import 'x'",
        "r\\65 d",
        "red/**/",
        "var(--x)",
        "expression(alert(1))",
        "rgb(var(--x))",
        "rgb(1,2)",
        "rgb(1,2,3,4,5)",
        "rgb(1e9 2 3)",
        "#ab",
        "#abcde",
        "#ggg",
        "blurple",
        "inherit",
        "red\n",
        " red",
        "",
        "a" * 201,
        "</style>",
        "\uff52ed",
        3,
    ],
)
def test_other_theme_values_are_refused(value: Any) -> None:
    for place in ("accent", "background", "surface"):
        with pytest.raises(
            DeclarationError, match=rf"^Theme.{place}: .* will not do; give a colour"
        ):
            Theme(**{place: value})


@pytest.mark.parametrize(
    "fonts",
    [
        "Inter",
        "Open Sans, serif",
        "\"Inter\", 'Fira Code', ui-monospace",
        "-apple-system",
        '"3270"',
    ],
)
def test_fonts_are_lists_of_names(fonts: str) -> None:
    assert Theme(font_family=fonts).font_family == fonts


@pytest.mark.parametrize(
    "fonts",
    [
        "",
        "a,",
        ",a",
        "a;b",
        'a"',
        "\"a'",
        "a}",
        "a\\b",
        "url(a)",
        "var(--a)",
        "a/*b*/",
        "@a",
        "a\nb",
        '"a\nb"',
        "ä",
        '"<"',
        "1a",
        ["a"],
    ],
)
def test_other_font_lists_are_refused(fonts: Any) -> None:
    with pytest.raises(
        DeclarationError, match=r"^Theme.font_family: .* will not do; give a list of font names"
    ):
        Theme(font_family=fonts)


@pytest.mark.parametrize(
    "value", ["oklch(" + "1" * 190, "rgb(" + " " * 190, '"' + "a " * 98, "a " * 99, "a," * 99]
)
def test_matching_takes_no_longer_than_the_value_is(value: str) -> None:
    with pytest.raises(DeclarationError):
        Theme(accent=value)
    with pytest.raises(DeclarationError):
        Theme(font_family=value)


@pytest.mark.parametrize(
    ("make", "place"),
    [
        (lambda: Meta(title=""), "Meta.title"),
        (lambda: Meta(title="a\nb"), "Meta.title"),
        (lambda: Meta(title="a "), "Meta.title"),
        (lambda: Meta(version="1\r"), "Meta.version"),
        (lambda: Meta(sdk_install="pip install a\nrm -r b"), "Meta.sdk_install"),
        (lambda: Meta(title=None), "Meta.title"),  # type: ignore[arg-type]
        (lambda: Meta(version=1), "Meta.version"),  # type: ignore[arg-type]
        (lambda: Meta(intro=""), "Meta.intro"),
        (lambda: Meta(auth_hint=3), "Meta.auth_hint"),  # type: ignore[arg-type]
        (lambda: Meta(mcp_instructions=" "), "Meta.mcp_instructions"),
        (lambda: Meta(sdk_install=""), "Meta.sdk_install"),
        (lambda: Meta(website="https://a.example"), "Meta.website"),  # type: ignore[arg-type]
        (lambda: Meta(logo="logo.svg"), "Meta.logo"),  # type: ignore[arg-type]
        (lambda: Meta(theme="dark"), "Meta.theme"),  # type: ignore[arg-type]
        (lambda: Meta(footer=False), "Meta.footer"),  # type: ignore[arg-type]
        (lambda: Meta(notice="hi"), "Meta.notice"),  # type: ignore[arg-type]
        (lambda: Meta(navbar_links="hi"), "Meta.navbar_links"),  # type: ignore[arg-type]
        (lambda: Meta(navbar_links=3), "Meta.navbar_links"),  # type: ignore[arg-type]
        (lambda: Meta(navbar_links=["hi"]), "Meta.navbar_links"),  # type: ignore[list-item]
        (lambda: Meta(navbar_links=[NoticeLink("a", "b")]), "Meta.navbar_links"),  # type: ignore[list-item]
        (lambda: Theme(font_urls="a"), "Theme.font_urls"),
        (lambda: Notice(message=""), "Notice.message"),
        (lambda: Notice(message="a", title=""), "Notice.title"),
        (lambda: Notice(message="a", command=3), "Notice.command"),  # type: ignore[arg-type]
        (lambda: Notice(message="a", links=[NavbarLink("a", "b")]), "Notice.links"),  # type: ignore[list-item]
        (lambda: Notice(message="a", command="b\nc"), "Notice.command"),
        (lambda: NavbarLink("a\u2029b", "a"), "NavbarLink.label"),
        (lambda: NavbarLink("", "a"), "NavbarLink.label"),
        (lambda: NavbarLink("a", "a", external=1), "NavbarLink.external"),  # type: ignore[arg-type]
        (lambda: NoticeLink("", "a"), "NoticeLink.label"),
        (lambda: Website("/a", ""), "Website.label"),
        (lambda: Footer(powered_by="yes"), "Footer.powered_by"),  # type: ignore[arg-type]
    ],
)
def test_wrong_values_are_refused_and_the_message_names_the_field(make: Any, place: str) -> None:
    with pytest.raises(DeclarationError, match=rf"^{place}: .* will not do; "):
        make()


def test_a_message_does_not_repeat_a_long_value() -> None:
    with pytest.raises(DeclarationError) as caught:
        Logo("x:" + "a" * 100_000)

    assert len(str(caught.value)) < 500


def test_a_theme_value_of_a_document_from_elsewhere_is_judged_by_itself() -> None:
    assert instead_of_colour("RGB(1 2 3)") is instead_of_fonts('"Inter", serif') is None
    assert str(instead_of_colour("url(x)")).startswith("give a colour; ")
    assert str(instead_of_fonts("a;b")).startswith("give a list of font names; ")
    assert instead_of_colour("#" + "a" * 300) is not None
    assert instead_of_fonts(None) is not None
