"""
Meta: what the documents say about a spec as a whole, and how its explorer looks.

Everything is optional. URLs and theme values end up in a page, so they are checked here, when the
program starts: a URL has a scheme that cannot run code, and a theme value cannot leave its CSS
property.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NoReturn, cast, final
from urllib.parse import urlsplit

from contract.declare.page_safe import instead_of_colour, instead_of_fonts, instead_of_url
from contract.shape.exceptions import DeclarationError
from contract.shape.record import record

__all__ = ["Footer", "Logo", "Meta", "NavbarLink", "Notice", "NoticeLink", "Theme", "Website"]


@final
@record
class Website:
    """
    The site that a service belongs to.

    Attributes:
        url: http, https or relative.
        label: The text of the link; see `link_text`.
    """

    url: str
    label: str | None = None

    def __post_init__(self) -> None:
        _check_url("Website.url", self.url)
        _check_line("Website.label", self.label)

    @property
    def link_text(self) -> str:
        """The label; without one the host's name, or "Learn more"."""
        return self.label or urlsplit(self.url).hostname or "Learn more"


@final
@record
class Logo:
    """
    A picture: a URL (relative to the docs page, or with http or https), or a ``data:image/...`` URL of a png, jpeg, webp or gif.

    Attributes:
        light: For a light background.
        dark: For a dark one; by default the same.
    """

    light: str
    dark: str | None = None

    def __post_init__(self) -> None:
        _check_url("Logo.light", self.light, image=True)
        if self.dark is not None:
            _check_url("Logo.dark", self.dark, image=True)


@final
@record(kw_only=True)
class Theme:
    """
    Colours and fonts of the explorer; what is left out is derived.

    Attributes:
        accent: Of links and buttons: ``#0a7``, ``rgb(0 170 119)``, ``hsl(162 100% 33%)``,
            ``oklch(65% 0.14 163)`` or a named colour.
        background: Of the page; it is then the same in light and dark.
        surface: Of cards and code.
        font_family: A list of font names, such as ``"Inter", sans-serif``.
        font_urls: Style sheets or font files to load, relative or http(s). A page loads fonts from
            the hosts that stand here alone: where a style sheet has its files elsewhere, name one
            of these, too.
    """

    accent: str | None = None
    background: str | None = None
    surface: str | None = None
    font_family: str | None = None
    font_urls: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name in ("accent", "background", "surface"):
            _check_css(f"Theme.{name}", getattr(self, name), instead_of_colour)
        _check_css("Theme.font_family", self.font_family, instead_of_fonts)
        for url in _sequence(self, "Theme", "font_urls", str, "URLs"):
            _check_url("Theme.font_urls", url)


@final
@record
class NavbarLink:
    """
    A link at the top of the explorer.

    Attributes:
        label: Its text.
        href: Where it goes: http, https, mailto or relative.
        external: It opens in a new tab.
    """

    label: str
    href: str
    external: bool = False

    def __post_init__(self) -> None:
        _check_link("NavbarLink", self.label, self.href, self.external)


@final
@record
class NoticeLink:
    """A link in a notice; its fields are those of `NavbarLink`."""

    label: str
    href: str
    external: bool = False

    def __post_init__(self) -> None:
        _check_link("NoticeLink", self.label, self.href, self.external)


@final
@record(kw_only=True)
class Notice:
    """
    A banner above the explorer.

    Attributes:
        message: What it says.
        title: In bold, before it.
        command: Something to type, with a button that copies it.
        links: Below it.
    """

    message: str
    title: str | None = None
    command: str | None = None
    links: Sequence[NoticeLink] = ()

    def __post_init__(self) -> None:
        _check_text("Notice.message", self.message, required=True)
        for name in ("title", "command"):
            _check_line(f"Notice.{name}", getattr(self, name))
        _sequence(self, "Notice", "links", NoticeLink, "NoticeLinks")


@final
@record
class Footer:
    """
    The foot of the explorer.

    Attributes:
        powered_by: Whether it names this package.
    """

    powered_by: bool = True

    def __post_init__(self) -> None:
        _check_flag("Footer.powered_by", self.powered_by)


@final
@record(kw_only=True)
class Meta:
    """
    What the documents of a spec say about it; every field may be left out.

    Attributes:
        title: The name of the service; also the realm of its bearer challenges.
        version: Of the contract, not of the program.
        intro: Markdown above the routes.
        website: The site that the service belongs to.
        logo: At the top of the explorer.
        favicon: A picture as in `Logo`; see `icon`.
        theme: Colours and fonts.
        navbar_links: At the top of the explorer.
        footer: At its foot.
        notice: A banner above it.
        sdk_install: The command that installs the client.
        auth_hint: How to get a token; said by itself where a route needs one.
        mcp_instructions: For agents alone; never shown to people.

    Raises:
        DeclarationError: A URL or a theme value that could do more than it should; the message
            names the field.
    """

    title: str = "Contract API"
    version: str = "0.0.0"
    intro: str | None = None
    website: Website | None = None
    logo: Logo | None = None
    favicon: str | None = None
    theme: Theme | None = None
    navbar_links: Sequence[NavbarLink] = ()
    footer: Footer | None = None
    notice: Notice | None = None
    sdk_install: str | None = None
    auth_hint: str | None = None
    mcp_instructions: str | None = None

    def __post_init__(self) -> None:
        for name in ("title", "version"):
            _check_line(f"Meta.{name}", getattr(self, name), required=True)
        for name in ("intro", "auth_hint", "mcp_instructions"):
            _check_text(f"Meta.{name}", getattr(self, name))
        _check_line("Meta.sdk_install", self.sdk_install)
        for name, cls in (
            ("website", Website),
            ("logo", Logo),
            ("theme", Theme),
            ("footer", Footer),
            ("notice", Notice),
        ):
            value: object = getattr(self, name)
            if value is not None and not isinstance(value, cls):
                _refuse(f"Meta.{name}", value, f"write {cls.__name__}(...)")
        _sequence(self, "Meta", "navbar_links", NavbarLink, "NavbarLinks")
        if self.favicon is not None:
            _check_url("Meta.favicon", self.favicon, image=True)

    @property
    def icon(self) -> str | None:
        """The favicon; without one the light logo, if there is any."""
        return self.logo.light if self.favicon is None and self.logo is not None else self.favicon


_SHOWN: Final = 200
"""Characters of a value in a message."""


def _refuse(where: str, value: object, advice: str) -> NoReturn:
    shown = repr(value)
    raise DeclarationError(
        where, f"{shown if len(shown) <= _SHOWN else f'{shown[:_SHOWN]}...'} will not do; {advice}"
    )


def _check_text(where: str, value: object, *, required: bool = False) -> None:
    if (value is not None or required) and not (isinstance(value, str) and value.strip()):
        _refuse(
            where,
            value,
            "give a text that says something"
            if required
            else "give a text that says something, or leave it out",
        )


def _check_line(where: str, value: object, *, required: bool = False) -> None:
    _check_text(where, value, required=required)
    if isinstance(value, str) and (len(value.splitlines()) > 1 or value != value.strip()):
        _refuse(where, value, "give one line, without spaces around it")


def _check_flag(where: str, value: object) -> None:
    if not isinstance(value, bool):
        _refuse(where, value, "give True or False")


def _check_link(where: str, label: object, href: object, external: object) -> None:
    _check_line(f"{where}.label", label, required=True)
    _check_url(f"{where}.href", href, mail=True)
    _check_flag(f"{where}.external", external)


def _check_url(where: str, value: object, *, image: bool = False, mail: bool = False) -> None:
    advice = instead_of_url(value, image=image, mail=mail)
    if advice is not None:
        _refuse(where, value, advice)


def _check_css(where: str, value: object, instead: Callable[[object], str | None]) -> None:
    advice = None if value is None else instead(value)
    if advice is not None:
        _refuse(where, value, advice)


def _sequence(owner: object, cls: str, name: str, item: type, what: str) -> tuple[object, ...]:
    """The items of a field, which becomes a tuple: what is frozen does not hold a list that can change."""
    value: object = getattr(owner, name)
    if isinstance(value, str) or not isinstance(value, Sequence):
        _refuse(f"{cls}.{name}", value, f"give a list of {what}")
    found = tuple(cast("Sequence[object]", value))
    for each in found:
        if not isinstance(each, item):
            _refuse(f"{cls}.{name}", each, f"give a list of {what}")
    object.__setattr__(owner, name, found)
    return found
