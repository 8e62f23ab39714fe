"""
URLs and theme values that do no harm.

`tests.test_meta` has the tables, by way of what declares them.
"""

from __future__ import annotations

import pytest

from contract.declare.page_safe import instead_of_colour, instead_of_fonts, instead_of_url


@pytest.mark.parametrize(
    "url", ["https://a.example/b?c#d", "logo.svg", "/a", "//cdn.example/a", "a/b:c"]
)
def test_what_does_no_harm_is_left_alone(url: str) -> None:
    assert instead_of_url(url) is None


@pytest.mark.parametrize(
    ("url", "advice"),
    [
        ("javascript:alert(1)", "give http, https, a relative URL; encode other characters with %"),
        ("a b", "give http, https, a relative URL; encode other characters with %"),
        (3, "give a string: http, https, a relative URL; encode other characters with %"),
        ("https:a", "it names no host; write https://host/path"),
        (
            "http://[::1",
            "Invalid IPv6 URL; give http, https, a relative URL; encode other characters with %",
        ),
    ],
)
def test_what_may_do_harm_has_something_to_write_instead(url: object, advice: str) -> None:
    assert instead_of_url(url) == advice


def test_pictures_and_mail_are_for_some_places() -> None:
    picture, mail = "data:image/png;base64,AAAA", "mailto:a@shop.example"

    assert instead_of_url(picture, image=True) is instead_of_url(mail, mail=True) is None
    assert "mailto" in str(instead_of_url("x:y", mail=True))
    assert "data:image" in str(instead_of_url("x:y", image=True))
    assert instead_of_url(picture) is not None
    assert instead_of_url(mail) is not None


def test_theme_values() -> None:
    assert instead_of_colour("RGB(1 2 3)") is instead_of_fonts('"Inter", serif') is None
    assert str(instead_of_colour("url(x)")).startswith("give a colour; ")
    assert str(instead_of_fonts("a;b")).startswith("give a list of font names; ")
    assert instead_of_colour("#" + "a" * 300) is not None
    assert instead_of_fonts(None) is not None
