"""
Quoting: how messages show what somebody else wrote, and advise what to write instead.

A message must be readable whatever it shows: a value may be long, may have no ``repr``, or may
contain control characters that a terminal obeys. So values are cut short here, and nowhere else.
Each ``instead_of_...`` says what to write instead of a bad value, or None if the value is good.
"""

from __future__ import annotations

from types import FunctionType

__all__ = [
    "cut",
    "described",
    "instead_of_flag",
    "instead_of_line",
    "instead_of_text",
    "one_line",
    "sent_back",
    "shown",
    "with_article",
]


def cut(text: str, most: int) -> str:
    """The first *most* characters of *text*, with dots behind them if there are more."""
    if len(text) <= most:
        return text
    return f"{text[:most]}..."


def one_line(text: str, most: int) -> str:
    """
    The first *most* characters of a stranger's *text*, for a log.

    They are on one line, with escapes for characters that are not printable.

    Not every log escapes its texts. A line break could forge a line of the log, and a terminal
    obeys other control characters.
    """
    return "".join(map(_printable, text[:most]))


def _printable(char: str) -> str:
    if char.isprintable():
        return char
    return char.encode("unicode_escape").decode()


def sent_back(text: str, most: int) -> str:
    """
    The first *most* characters of a stranger's *text*, for JSON that goes back to them.

    A question mark replaces each character that UTF-8 cannot carry.
    """
    return text[:most].encode("utf-8", "replace").decode("utf-8")


def shown(value: object, most: int = 120) -> str:
    """
    The ``repr`` of *value*, cut short.

    A ``repr`` may raise, and an int of 5,000 digits has none. Classes and functions are shown by
    their names, and a value with the default ``repr`` by its class.
    """
    try:
        if isinstance(value, type | FunctionType):
            text = value.__qualname__
        elif type(value).__repr__ is object.__repr__:
            text = f"{type(value).__qualname__}(...)"  # its address would say nothing
        else:
            text = repr(value)
    except Exception:  # noqa: BLE001  a __repr__ of the author's
        text = f"a value of {type(value).__name__} that cannot be printed"
    return cut(text, most)


def with_article(name: str) -> str:
    """*name* with its article: "an Order"."""
    article = "an" if name[:1] in "AEIOUaeiou" else "a"
    return f"{article} {name}"


def described(value: object) -> str:
    """*value* itself if that says what it is, else its type."""
    if value is None or isinstance(value, str | int | float | bytes):
        return shown(value)
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return with_article(type(value).__name__)


def instead_of_text(value: object, *, optional: bool = False) -> str | None:
    """
    The advice on *value* if it is not a non-empty text, or None if it is.

    An *optional* value may be None.
    """
    if (optional and value is None) or (isinstance(value, str) and value.strip()):
        return None
    if optional:
        return "give a text that says something, or leave it out"
    return "give a text that says something"


def instead_of_line(value: object, *, optional: bool = False) -> str | None:
    """The advice on *value* if it is not one line of text, or None if it is."""
    if (
        isinstance(value, str)
        and value.strip()
        and (len(value.splitlines()) > 1 or value != value.strip())
    ):
        return "give one line, without spaces around it"
    return instead_of_text(value, optional=optional)


def instead_of_flag(value: object, choices: str = "True or False") -> str | None:
    """The advice on *value* if it is not one of two *choices*, or None if it is."""
    if isinstance(value, bool):
        return None
    return f"give {choices}"
