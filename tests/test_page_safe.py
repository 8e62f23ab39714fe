"""Theme values that do no harm; `tests.test_meta` has the tables, by way of what declares them."""

from __future__ import annotations

from contract.declare.page_safe import instead_of_colour, instead_of_fonts


def test_theme_values() -> None:
    assert instead_of_colour("RGB(1 2 3)") is instead_of_fonts('"Inter", serif') is None
    assert str(instead_of_colour("url(x)")).startswith("give a colour; ")
    assert str(instead_of_fonts("a;b")).startswith("give a list of font names; ")
    assert instead_of_colour("#" + "a" * 300) is not None
    assert instead_of_fonts(None) is not None
