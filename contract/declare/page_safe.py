"""
Safe theme values: colours and fonts that cannot leave their CSS property.

Each function says what to write instead of an unsafe value, as `contract.shape.urls` does for URLs.
A spec with such a value is refused with that advice; the pages of a document from elsewhere leave
the value out.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["instead_of_colour", "instead_of_fonts"]


def instead_of_colour(value: object) -> str | None:
    """The advice for a *value* that is not a safe colour; None for one that is."""
    return (
        None
        if _is_css(value, _COLOUR)
        else "give a colour; write #0a7, rgb(), hsl() or oklch() with numbers, or its name"
    )


def instead_of_fonts(value: object) -> str | None:
    """The advice for a *value* that is not a list of font names; None for one that is."""
    return (
        None if _is_css(value, _FONTS) else 'give a list of font names; write "Inter", sans-serif'
    )


def _is_css(value: object, grammar: str) -> bool:
    return (
        isinstance(value, str)
        and len(value) <= _MAX_CSS
        and re.fullmatch(grammar, value, re.ASCII | re.IGNORECASE) is not None
    )


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
