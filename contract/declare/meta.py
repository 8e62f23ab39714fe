"""
Meta: what the documents say about a spec as a whole, and how its explorer looks.

Everything is optional. URLs and theme values end up in a page, so they are checked here, when the
program starts: a URL has a scheme that cannot run code, and a theme value cannot leave its CSS
property.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, cast, final
from urllib.parse import urlsplit

from contract.shape.exceptions import DeclarationError
from contract.shape.quoting import instead_of_flag, instead_of_line, instead_of_text, shown
from contract.shape.record import record
from contract.shape.urls import instead_of_url

__all__ = [
    "Footer",
    "Logo",
    "Meta",
    "NavbarLink",
    "Notice",
    "NoticeLink",
    "Theme",
    "Website",
    "instead_of_colour",
    "instead_of_fonts",
]


@final
@record
class Website:
    """
    The site that a service belongs to.

    Attributes:
        url: http, https or relative.
        label: The text of the link; by default the name of the host.
    """

    url: str
    label: str | None = None

    def __post_init__(self) -> None:
        _check("Website.url", self.url, instead_of_url(self.url))
        _check("Website.label", self.label, instead_of_line(self.label, optional=True))

    @property
    def link_text(self) -> str:
        """The label; without one the host's name, or "Learn more"."""
        return self.label or urlsplit(self.url).hostname or "Learn more"


@final
@record
class Logo:
    """
    A picture, as a URL.

    The URL is relative to the docs page, or http or https, or a ``data:image/...`` URL of a png,
    jpeg, webp or gif.

    Attributes:
        light: The picture for a light background.
        dark: The picture for a dark background; by default the light one.
    """

    light: str
    dark: str | None = None

    def __post_init__(self) -> None:
        _check("Logo.light", self.light, instead_of_url(self.light, image=True))
        if self.dark is not None:
            _check("Logo.dark", self.dark, instead_of_url(self.dark, image=True))


@final
@record(kw_only=True)
class Theme:
    """
    Colours and fonts of the explorer; what is left out is derived from the rest.

    Attributes:
        accent: The colour of links and buttons: ``#0a7``, ``rgb(0 170 119)``,
            ``hsl(162 100% 33%)``, ``oklch(65% 0.14 163)`` or a named colour.
        background: The colour of the page, used in light and dark mode alike.
        surface: The colour of cards and code.
        font_family: A list of font names, such as ``"Inter", sans-serif``.
        font_urls: Style sheets or font files to load, relative or http(s). The page loads fonts
            only from the hosts listed here: if a style sheet has its files on another host, add a
            URL there, too.
    """

    accent: str | None = None
    background: str | None = None
    surface: str | None = None
    font_family: str | None = None
    font_urls: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name in ("accent", "background", "surface"):
            colour: object = getattr(self, name)
            if colour is not None:
                _check(f"Theme.{name}", colour, instead_of_colour(colour))
        if self.font_family is not None:
            _check("Theme.font_family", self.font_family, instead_of_fonts(self.font_family))
        # the hosts of these URLs become sources of the page's policy, so each is checked, too
        for url in _sequence(self, "font_urls", str, "URLs"):
            _check("Theme.font_urls", url, instead_of_url(url))


@final
@record
class NavbarLink:
    """
    A link at the top of the explorer.

    Attributes:
        label: Its text.
        href: Where it goes: http, https, mailto or relative.
        external: Whether it opens in a new tab.
    """

    label: str
    href: str
    external: bool = False

    def __post_init__(self) -> None:
        _check_link(self)


@final
@record
class NoticeLink:
    """
    A link in a notice.

    Attributes:
        label: Its text.
        href: Where it goes: http, https, mailto or relative.
        external: Whether it opens in a new tab.
    """

    label: str
    href: str
    external: bool = False

    def __post_init__(self) -> None:
        _check_link(self)


@final
@record(kw_only=True)
class Notice:
    """
    A banner above the explorer.

    Attributes:
        message: The text.
        title: A title in bold, before the text.
        command: Something to type, with a button that copies it.
        links: Links below the text.
    """

    message: str
    title: str | None = None
    command: str | None = None
    links: Sequence[NoticeLink] = ()

    def __post_init__(self) -> None:
        _check("Notice.message", self.message, instead_of_text(self.message))
        for name in ("title", "command"):
            line: object = getattr(self, name)
            _check(f"Notice.{name}", line, instead_of_line(line, optional=True))
        _sequence(self, "links", NoticeLink, "NoticeLinks")


@final
@record
class Footer:
    """
    The footer of the explorer.

    Attributes:
        powered_by: Whether the footer names this package.
    """

    powered_by: bool = True

    def __post_init__(self) -> None:
        _check("Footer.powered_by", self.powered_by, instead_of_flag(self.powered_by))


@final
@record(kw_only=True)
class Meta:
    """
    The texts and looks of a spec's documents; every field is optional.

    Attributes:
        title: The name of the service; also the realm of its bearer challenges.
        version: The version of the contract, not of the program.
        intro: A text above the routes, in Markdown.
        website: The site that the service belongs to.
        logo: A picture at the top of the explorer.
        favicon: The URL of a picture, as in `Logo`; by default the light logo.
        theme: Colours and fonts.
        navbar_links: Links at the top of the explorer.
        footer: The footer of the explorer.
        notice: A banner above the explorer.
        sdk_install: The command that installs the client.
        auth_hint: How to get a token, in Markdown; by default a line that says where to send it.
        mcp_instructions: A text for agents alone; no page shows it.

    Raises:
        DeclarationError: A URL or a theme value is not safe; the message names the field.
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
            line: object = getattr(self, name)
            _check(f"Meta.{name}", line, instead_of_line(line))
        for name in ("intro", "auth_hint", "mcp_instructions"):
            text: object = getattr(self, name)
            _check(f"Meta.{name}", text, instead_of_text(text, optional=True))
        line = self.sdk_install
        _check("Meta.sdk_install", line, instead_of_line(line, optional=True))
        for cls in (Website, Logo, Theme, Footer, Notice):
            name = cls.__name__.lower()  # the field that holds one is called like the class
            value: object = getattr(self, name)
            if value is not None and not isinstance(value, cls):
                _check(f"Meta.{name}", value, f"write {cls.__name__}(...)")
        _sequence(self, "navbar_links", NavbarLink, "NavbarLinks")
        if self.favicon is not None:
            _check("Meta.favicon", self.favicon, instead_of_url(self.favicon, image=True))

    @property
    def icon(self) -> str | None:
        """The favicon; by default the light logo, if there is one."""
        if self.favicon is None and self.logo is not None:
            return self.logo.light
        return self.favicon


def _check(where: str, value: object, advice: str | None) -> None:
    if advice is not None:
        raise DeclarationError(where, f"{shown(value)} will not do; {advice}")


def _check_link(link: NavbarLink | NoticeLink) -> None:
    cls = type(link).__name__
    _check(f"{cls}.label", link.label, instead_of_line(link.label))
    _check(f"{cls}.href", link.href, instead_of_url(link.href, mail=True))
    _check(f"{cls}.external", link.external, instead_of_flag(link.external))


def _sequence(owner: object, name: str, item: type, items: str) -> tuple[object, ...]:
    """
    The items of a field as a tuple, since a frozen object must not hold a list that can change.
    """
    value: object = getattr(owner, name)
    where, advice = f"{type(owner).__name__}.{name}", f"give a list of {items}"
    # a string is a sequence of strings, but its author means one item
    if isinstance(value, str) or not isinstance(value, Sequence):
        _check(where, value, advice)
    found = tuple(cast("Sequence[object]", value))
    for each in found:
        if not isinstance(each, item):
            _check(where, each, advice)
    object.__setattr__(owner, name, found)  # past the refusal of a frozen class
    return found


# Theme values that cannot leave their CSS property. Each function says what to write instead of an
# unsafe value, as `contract.shape.urls` does for URLs. A spec with such a value is refused with
# that advice; the pages of a document from elsewhere leave the value out.
#
# The grammars below name what is let through, not what is refused. Nothing in them can end the
# property (; and }), begin an escape or a comment, or load something (url and other functions).


def instead_of_colour(value: object) -> str | None:
    """The advice for a *value* that is not a safe colour; None for one that is."""
    if _is_css(value, _COLOUR):
        return None
    return "give a colour; write #0a7, rgb(), hsl() or oklch() with numbers, or its name"


def instead_of_fonts(value: object) -> str | None:
    """The advice for a *value* that is not a list of font names; None for one that is."""
    if _is_css(value, _FONTS):
        return None
    return 'give a list of font names; write "Inter", sans-serif'


def _is_css(value: object, grammar: str) -> bool:
    if not isinstance(value, str) or len(value) > _MAX_CSS:
        return False
    # without ASCII, IGNORECASE also takes the long s (U+017F) for an s, and the Kelvin sign for a k
    return re.fullmatch(grammar, value, re.ASCII | re.IGNORECASE) is not None


_NUMBER: Final = r"[+-]?(?:[0-9]{1,6}(?:\.[0-9]{1,6})?|\.[0-9]{1,6})(?:%|deg|rad|turn|grad)?"
_FUNCTION: Final = rf"(?:rgba?|hsla?|oklch)\( *{_NUMBER}(?:(?: *, *| +| */ *){_NUMBER}){{2,3}} *\)"
# CSS Color 4, section 6.1
_NAMES: Final = (
    "aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue "
    "blueviolet brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk "
    "crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki "
    "darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen "
    "darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue "
    "dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite "
    "gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki "
    "lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan "
    "lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen "
    "lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen "
    "magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen "
    "mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream "
    "mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid "
    "palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum "
    "powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown "
    "seagreen seashell sienna silver skyblue slateblue slategray slategrey snow springgreen "
    "steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen"
)
_COLOUR: Final = (
    rf"#(?:[0-9a-f]{{3,4}}|[0-9a-f]{{6}}|[0-9a-f]{{8}})|{_FUNCTION}|{_NAMES.replace(' ', '|')}"
)
_WORD: Final = "[A-Za-z_-][A-Za-z0-9_-]*"
_FONT: Final = rf"""(?:"[A-Za-z0-9 _-]+"|'[A-Za-z0-9 _-]+'|{_WORD}(?: {_WORD})*)"""
_FONTS: Final = rf"{_FONT}(?: *, *{_FONT})*"
_MAX_CSS: Final = 200
