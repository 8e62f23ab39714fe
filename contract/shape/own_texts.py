"""
Own texts: types of this package whose values are text, and which type checkers keep apart.

Like an author's classes, they are declared with `wire_str`, and they take ``Len`` and ``Pattern``
like any text. ``Email("ada@example.org")`` checks nothing: an input is checked when it is loaded,
and an output before it is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Self

from contract.shape.wire import FORM, WireForm, WireStr, wire_str

__all__ = ["OWN_TEXTS", "Email", "PageKey", "SecretStr", "SemVer", "Url"]

# RFC 5322, section 3.2.3: atom
_ATOM: Final = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
# RFC 1123, section 2.1: a label of a host name, of at most 63 characters (RFC 1035, section 2.3.4)
_LABEL: Final = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"


class _Text(str):
    """A text that stands on the wire as it is."""

    __slots__ = ()

    @classmethod
    def __from_wire__(cls, text: str, /) -> Self:
        return cls(text)

    def __to_wire__(self) -> str:
        return str(self)


# 254 characters: a path in SMTP has at most 256, and < and > are around the address (RFC 5321,
# section 4.5.3.1.3)
@wire_str(
    pattern=rf"^{_ATOM}(\.{_ATOM})*@({_LABEL}\.)+{_LABEL}$",
    max_length=254,
    examples=["ada@example.org"],
)
class Email(_Text):
    """
    An e-mail address with a domain name, in ASCII and without comments or quotes.

    Only a letter to it can tell whether anybody reads it.
    """

    __slots__ = ()


_HOST: Final = rf"({_LABEL}(\.{_LABEL})*\.?|\[[0-9A-Fa-f:.]+\])"
_PORT: Final = "([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
"""Up to 65535: there are no greater ports (RFC 9293, section 3.1), and programs raise on them."""
_PCHAR: Final = r"([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"


# RFC 3986, sections 3.2 to 3.5, and RFC 9110, section 4.2.4: without a user name and a password
@wire_str(
    pattern=(
        rf"^https?://{_HOST}(:{_PORT})?(/{_PCHAR}*)*"
        rf"(\?({_PCHAR}|[/?])*)?(#({_PCHAR}|[/?])*)?$"
    ),
    examples=["https://example.org/a?b=c"],
)
class Url(_Text):
    """An absolute URL of http or https, in ASCII and without a user name."""

    __slots__ = ()


_NUMBER: Final = "(0|[1-9][0-9]*)"
# an identifier: a number without leading zeros, or a text with a character that is not a digit
_BEFORE: Final = "(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"


# the expression of semver.org, written in what the three dialects of regular expressions share
@wire_str(
    pattern=(
        rf"^{_NUMBER}\.{_NUMBER}\.{_NUMBER}(-{_BEFORE}(\.{_BEFORE})*)?"
        r"(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$"
    ),
    max_length=256,
    examples=["1.4.0", "2.0.0-rc.1+build.5"],
)
class SemVer(_Text):
    """
    A semantic version, ``1.4.0`` or ``2.0.0-rc.1+build.5`` (Semantic Versioning 2.0.0).

    Versions are ordered by precedence, which ignores what follows a ``+``.
    """

    __slots__ = ()

    @property
    def precedence(self) -> tuple[Any, ...]:
        """
        The key that orders versions, as in section 11 of the specification.

        Raises:
            ValueError: The text is not a semantic version.
        """
        core, _, before = self.partition("+")[0].partition("-")
        numbers = tuple(map(int, core.split(".")))
        # a version without a pre-release is greater than those with one, so True stands for it
        return (*numbers, not before, tuple(map(_rank, before.split("."))))

    def __lt__(self, other: str) -> bool:
        return self.precedence < SemVer(other).precedence

    def __le__(self, other: str) -> bool:
        return self.precedence <= SemVer(other).precedence

    def __gt__(self, other: str) -> bool:
        return self.precedence > SemVer(other).precedence

    def __ge__(self, other: str) -> bool:
        return self.precedence >= SemVer(other).precedence


def _rank(identifier: str) -> tuple[bool, int, str]:
    """The sort key of a pre-release identifier: numbers come first."""
    # section 11.4: numbers by their value, all others as texts, and a number before a text
    if identifier.isdecimal():
        return (False, int(identifier), identifier)
    return (True, 0, identifier)


@wire_str()
class SecretStr:
    """
    A text that cannot be read by accident, such as a password.

    Its ``repr`` hides the text, so no log and no traceback shows it, and no document shows it as a
    default. It is sent if an output declares it.
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The text."""
        return self._text

    @classmethod
    def __from_wire__(cls, text: str, /) -> Self:
        return cls(text)

    def __to_wire__(self) -> str:
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SecretStr) and other._text == self._text

    def __hash__(self) -> int:
        return hash((SecretStr, self._text))

    def __len__(self) -> int:
        return len(self._text)

    def __repr__(self) -> str:
        return "SecretStr('***')"

    __str__ = __repr__


# in base64, 32 bytes of a signature and 1,024 of a key
@wire_str(pattern="^[A-Za-z0-9_-]+$", max_length=1_408)
class PageKey(_Text):
    """
    The place where a page of a list begins, as the server gave it.

    It is opaque to clients, and one that the server did not give is refused.
    """

    __slots__ = ()


OWN_TEXTS: Final[Mapping[str, type[WireStr]]] = {
    "email": Email,
    "page-key": PageKey,
    "secret": SecretStr,
    "semver": SemVer,
    "url": Url,
}
"""``x-contract-type`` -> the class."""

# the name of a kind stands in one place: the table gives it to the class
for _kind, _cls in OWN_TEXTS.items():
    _form: WireForm = getattr(_cls, FORM)
    setattr(_cls, FORM, replace(_form, kind=_kind))
