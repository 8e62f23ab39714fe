"""Meta: its defaults, and the URLs and theme values that are refused."""

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from contract import Footer, Logo, Meta, NavbarLink, Notice, NoticeLink, Theme, Website
from contract.declare.meta import instead_of_colour, instead_of_fonts
from contract.shape.exceptions import DeclarationError
from tests.tables import rows
from tests.words import words

PIXEL = "data:image/png;base64,iVBORw0KGgo="


def test_everything_is_optional() -> None:
    given = dataclasses.asdict(Meta())

    assert (given.pop("title"), given.pop("version")) == ("Contract API", "0.0.0")
    assert given.pop("navbar_links") == ()
    assert set(given.values()) == {None}
    # whoever describes a spec has to know what its author said
    assert Website("https://shop.example").label is None
    assert Meta(logo=Logo("logo.svg")).favicon is None


def test_everything_can_be_given() -> None:
    colours = {"accent": "#0a7", "background": "white", "surface": "rgb(1 2 3 / 50%)"}
    fonts: Any = {"font_family": '"Inter", sans-serif', "font_urls": ["/fonts/inter.css"]}
    theme = Theme(**colours, **fonts)
    terms = NavbarLink("Terms", "/terms", external=True)
    more = NoticeLink("More", "https://a.example/2")
    notice = Notice(title="New", message="Version 2", command="pip install shop", links=[more])
    meta = Meta(
        title="Shop",
        version="1.0.0",
        intro="# Hello",
        website=Website("https://shop.example/about", "The shop"),
        logo=Logo("logo.svg", dark="/brand/dark.png"),
        favicon=PIXEL,
        theme=theme,
        navbar_links=[NavbarLink("Help", "mailto:help@shop.example"), terms],
        footer=Footer(powered_by=False),
        notice=notice,
        sdk_install="pip install shop-client",
        auth_hint="Ask us",
        mcp_instructions="Be kind",
    )

    assert theme.font_urls == ("/fonts/inter.css",)
    assert meta.navbar_links[1] == terms
    assert notice.links == (more,)
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


URLS = "https://a.example HTTP://a.example/b?c=d#e /a/b a/b.png ./a ../a ?a=b #a //cdn.example/a a/b:c %20"


@pytest.mark.parametrize("url", words(URLS))
def test_web_and_relative_urls_are_taken(url: str) -> None:
    assert Logo(url).light == url


EVIL: list[Any] = [
    *("javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "vbscript:x"),
    *("java\nscript:alert(1)", "java\tscript:alert(1)", "\x01javascript:alert(1)"),
    *("javascript&colon;alert(1) ", "data:text/html,<script>alert(1)</script>"),
    *("data:image/svg+xml;base64,PHN2Zy8+", "DATA:image/png;base64,AAAA", "data:image/png,<svg>"),
    *("data:image/png;base64,AA AA", "file:///etc/passwd", "ftp://a.example"),
    *("blob:https://a.example/x", "a b", "a\\b", "\\\\evil.example", "https://ä.example"),
    *("https:///path", "https:", "http://[::1", "a\u2028b", "a\x00", "", 3, None),
]


@pytest.mark.parametrize("url", EVIL)
def test_other_urls_are_refused_everywhere(url: Any) -> None:
    makers: dict[str, Callable[[], object]] = {
        "Website.url": lambda: Website(url),
        "Logo.light": lambda: Logo(url),
        "Theme.font_urls": lambda: Theme(font_urls=[url]),
        "NavbarLink.href": lambda: NavbarLink("a", url),
        "NoticeLink.href": lambda: NoticeLink("a", url),
    }
    if url is not None:
        makers["Logo.dark"] = lambda: Logo("a", url)
        makers["Meta.favicon"] = lambda: Meta(favicon=url)
    for place, make in makers.items():
        with pytest.raises(DeclarationError, match=rf"^{place}: "):
            make()


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


@rows(
    "colour",
    *("#abc", "#ABCD", "#aabbcc", "#aabbccdd", "red", "RebeccaPurple"),
    *("rgb(1, 2, 3)", "rgb(1 2 3)", "rgba(1, 2, 3, 0.5)", "rgb( 10% 20% 30% / 40% )"),
    *("hsl(120deg 50% 50%)", "hsla(-120.5, 50%, 50%, .5)"),
    *("oklch(65% 0.14 163)", "oklch(0.65 .14 163 / 0.5)"),
)
def test_colours_are_hex_functions_with_numbers_and_names(colour: str) -> None:
    assert Theme(accent=colour, background=colour, surface=colour).surface == colour


@rows(
    "value",
    *("url(https://evil.example)", "red; background: url(x)", "red}", "red} body {"),
    *("@import 'x'", "r\\65 d", "red/**/", "var(--x)", "expression(alert(1))"),
    *("rgb(var(--x))", "rgb(1,2)", "rgb(1,2,3,4,5)", "rgb(1e9 2 3)", "#ab", "#abcde", "#ggg"),
    *("blurple", "inherit", "red\n", " red", "", "a" * 201, "</style>", "\uff52ed", 3),
)
def test_other_theme_values_are_refused(value: Any) -> None:
    for name in ("accent", "background", "surface"):
        with pytest.raises(DeclarationError, match=f"^Theme.{name}: .* will not do; give a colour"):
            Theme(**{name: value})


FONTS = ["Inter", "Open Sans, serif", "-apple-system", '"3270"', "\"A\", 'Fira Code', ui-monospace"]


@pytest.mark.parametrize("fonts", FONTS)
def test_fonts_are_lists_of_names(fonts: str) -> None:
    assert Theme(font_family=fonts).font_family == fonts


@rows(
    "fonts",
    *("", "a,", ",a", "a;b", 'a"', "\"a'", "a}", "a\\b", "url(a)", "var(--a)", "a/*b*/", "@a"),
    *("a\nb", '"a\nb"', "ä", '"<"', "1a", ["a"]),
)
def test_other_font_lists_are_refused(fonts: Any) -> None:
    problem = "^Theme.font_family: .* will not do; give a list of font names"
    with pytest.raises(DeclarationError, match=problem):
        Theme(font_family=fonts)


@rows("value", "oklch(" + "1" * 190, "rgb(" + " " * 190, '"' + "a " * 98, "a " * 99, "a," * 99)
def test_matching_takes_no_longer_than_the_value_is(value: str) -> None:
    for name in ("accent", "font_family"):
        with pytest.raises(DeclarationError):
            Theme(**{name: value})


LINK, NOTICE = NavbarLink("a", "b"), NoticeLink("a", "b")
WRONG: dict[Any, list[dict[str, Any]]] = {
    Meta: [
        *({"title": wrong} for wrong in ("", "a\nb", "a ", None)),
        *({"version": wrong} for wrong in ("1\r", 1)),
        *({"sdk_install": wrong} for wrong in ("pip install a\nrm -r b", "")),
        *({name: ""} for name in ("intro", "auth_hint", "mcp_instructions")),
        *({name: 3} for name in ("intro", "auth_hint", "mcp_instructions")),
        *({name: "hi"} for name in ("website", "logo", "theme", "footer", "notice")),
        *({"navbar_links": wrong} for wrong in ("hi", 3, ["hi"], [NOTICE])),
    ],
    Theme: [{"font_urls": "a"}],
    Notice: [
        {"message": ""},
        {"title": "", "message": "a"},
        *({"command": wrong, "message": "a"} for wrong in (3, "b\nc")),
        {"links": [LINK], "message": "a"},
    ],
    NavbarLink: [*({"label": wrong, "href": "a"} for wrong in ("a\u2029b", "")), {"external": 1, "label": "a", "href": "a"}],
    NoticeLink: [{"label": "", "href": "a"}],
    Website: [{"label": "", "url": "/a"}],
    Footer: [{"powered_by": "yes"}],
}  # fmt: skip


CASES = [(cls, values) for cls, each in WRONG.items() for values in each]


@pytest.mark.parametrize(("cls", "values"), CASES)
def test_a_wrong_value_is_refused_by_the_name_of_a_field(cls: Any, values: dict[str, Any]) -> None:
    """The first of the values is the wrong one."""
    wrong = next(iter(values))
    with pytest.raises(DeclarationError, match=rf"^{cls.__name__}.{wrong}: .* will not do; "):
        cls(**values)


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
