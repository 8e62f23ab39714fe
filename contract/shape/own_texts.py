"""
Own texts: types of this package whose values are texts, and which a type checker tells from others.

They stand on the wire by `wire_str`, like every class of an author's, and take ``Len`` and
``Pattern`` like every text. ``Email("ada@example.org")`` checks nothing: what comes in is checked
when it is loaded, and what goes out before it is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Self

from contract.shape.wire import FORM, WireForm, WireStr, wire_str

__all__ = ["OWN_TEXTS", "Email", "PageKey", "SecretStr", "SemVer", "Url"]

_ATOM: Final = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL: Final = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"


@wire_str(
    pattern=rf"^{_ATOM}(\.{_ATOM})*@({_LABEL}\.)+{_LABEL}$",
    max_length=254,
    examples=["ada@example.org"],
)
class Email(str):
    """
    An address of e-mail with a domain name, in ASCII and without comments or quotes.

    Whether anybody reads what is sent there, only a letter to it can tell.
    """

    __slots__ = ()

    @classmethod
    def __from_wire__(cls, text: str, /) -> Self:
        return cls(text)

    def __to_wire__(self) -> str:
        return str(self)


_HOST: Final = rf"({_LABEL}(\.{_LABEL})*\.?|\[[0-9A-Fa-f:.]+\])"
_PORT: Final = "([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
"""To 65535: there are no others (RFC 9293, section 3.1), and a program that is given one raises."""
_PCHAR: Final = r"([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"


# RFC 3986, sections 3.2 to 3.5, and RFC 9110, section 4.2.4: without a name and a password
@wire_str(
    pattern=(
        rf"^https?://{_HOST}(:{_PORT})?(/{_PCHAR}*)*"
        rf"(\?({_PCHAR}|[/?])*)?(#({_PCHAR}|[/?])*)?$"
    ),
    examples=["https://example.org/a?b=c"],
)
class Url(str):
    """An absolute URL of http or https, without a user's name in it, in ASCII."""

    __slots__ = ()

    @classmethod
    def __from_wire__(cls, text: str, /) -> Self:
        return cls(text)

    def __to_wire__(self) -> str:
        return str(self)


_NUMBER: Final = "(0|[1-9][0-9]*)"
# from the right: a number without leading zeros, or whatever has a character that is not a digit
_BEFORE: Final = "(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"


# the expression of semver.org, in what the three dialects of regular expressions share
@wire_str(
    pattern=(
        rf"^{_NUMBER}\.{_NUMBER}\.{_NUMBER}(-{_BEFORE}(\.{_BEFORE})*)?"
        r"(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$"
    ),
    max_length=256,
    examples=["1.4.0", "2.0.0-rc.1+build.5"],
)
class SemVer(str):
    """
    A semantic version, ``1.4.0`` or ``2.0.0-rc.1+build.5`` (Semantic Versioning 2.0.0).

    Versions are less and greater by their precedence, in which what follows a ``+`` has no part.
    """

    __slots__ = ()

    @property
    def precedence(self) -> tuple[Any, ...]:
        """
        What orders versions, as section 11 has it.

        Raises:
            ValueError: The text is not a semantic version.
        """
        core, _, before = self.partition("+")[0].partition("-")
        numbers = tuple(map(int, core.split(".")))
        return (*numbers, not before, tuple(map(_rank, before.split("."))))

    def __lt__(self, other: str) -> bool:
        return self.precedence < SemVer(other).precedence

    def __le__(self, other: str) -> bool:
        return self.precedence <= SemVer(other).precedence

    def __gt__(self, other: str) -> bool:
        return self.precedence > SemVer(other).precedence

    def __ge__(self, other: str) -> bool:
        return self.precedence >= SemVer(other).precedence

    @classmethod
    def __from_wire__(cls, text: str, /) -> Self:
        return cls(text)

    def __to_wire__(self) -> str:
        return str(self)


def _rank(identifier: str) -> tuple[bool, int, str]:
    """The order of the identifiers before a release: numbers come first."""
    is_number = identifier.isdecimal()
    return (not is_number, int(identifier) if is_number else 0, identifier)


@wire_str()
class SecretStr:
    """
    A text that nobody reads by accident, such as a password.

    Its text is in no ``repr``, so in no log and no traceback, and no document tells it as a
    default. It is sent where an output declares it.
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


# 32 bytes of a signature and 1,024 of a key, in base64
@wire_str(pattern="^[A-Za-z0-9_-]+$", max_length=1_408)
class PageKey(str):
    """
    The place where a page of a list begins, as a server has given it.

    It says nothing to a client, and one that no server gave is refused.
    """

    __slots__ = ()

    @classmethod
    def __from_wire__(cls, text: str, /) -> Self:
        return cls(text)

    def __to_wire__(self) -> str:
        return str(self)


OWN_TEXTS: Final[Mapping[str, type[WireStr]]] = {
    "email": Email,
    "page-key": PageKey,
    "secret": SecretStr,
    "semver": SemVer,
    "url": Url,
}
"""``x-contract-type`` -> the class."""

for _kind, _cls in OWN_TEXTS.items():
    _form: WireForm = getattr(_cls, FORM)
    setattr(_cls, FORM, replace(_form, kind=_kind))
