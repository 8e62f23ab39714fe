r"""
Texts: text that anybody may have written, as names, comments and docstrings of generated code.

A document names types, fields, routes, codes and members. A language accepts only some of these
names: it has keywords, names of its own classes, and characters that identifiers cannot have. A
name that the language accepts is kept; any other becomes an ASCII identifier that looks like it
(`Names`). The result depends on the set of texts, not on their order.

No text can end the comment that it is in, tell a tool what to do, or look like something else: a
character that is invisible, or moves others, is written as an escape (``\u202e``).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable
from typing import Final, final

from contract.shape.names import identifier, is_plain
from contract.shape.record import record

__all__ = ["Names", "Style", "block_comment", "docstring", "visible", "wrapped"]

_LINE_ENDS: Final = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")

# Ranges, not categories of `unicodedata`: the output is then the same with every version of Python,
# although each has another version of Unicode.

_SPACE: Final = re.compile("[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_CONTROLS: Final = "0-1f 7f-9f 2028 2029"
_FORMATS: Final = (
    "ad 600-605 61c 6dd 70f 890-891 8e2 180e 200b-200f 202a-202e 2060-206f feff fff0-fffb "
    "110bd 110cd 13430-1345f 1bca0-1bcaf 1d173-1d17a e0000-e0fff"
)
_WITHOUT_LOOKS: Final = "34f 115f-1160 17b4-17b5 180b-180f 2800 3164 ffa0"
_OTHERS: Final = " ".join(
    [
        "d800-dfff",
        "e000-f8ff",
        "f0000-10ffff",
        "fdd0-fdef",
        *(f"{plane:x}fffe-{plane:x}ffff" for plane in range(16)),
    ]
)
"""Halves of characters, those of private use, and code points that are never characters."""


def _characters(ranges: str) -> str:
    """The inside of a class of characters in a regular expression: ``0-1f`` in full."""
    written: list[str] = []
    for each in ranges.split():
        ends = [f"\\U{int(end, 16):08x}" for end in each.split("-")]
        written.append("-".join(ends))
    return "".join(written)


_HIDDEN: Final = re.compile(
    f"[{_characters(_CONTROLS)}{_characters(_FORMATS)}"
    f"{_characters(_WITHOUT_LOOKS)}{_characters(_OTHERS)}]"
)
"""Characters that are invisible, that move others, or that look different to everybody."""

_QUOTES: Final = re.compile('"{3,}')
_LAST_QUOTES: Final = re.compile('"{3,}|"+$')

_DIRECTIVE: Final = re.compile(r"(?<![0-9A-Za-z_.+-])@(?=[A-Za-z])")
"""The beginning of a tag, such as ``@ts-ignore`` or ``@deprecated``, but not of an address."""


def visible(text: str) -> str:
    """
    *text* with invisible characters, and those that change how others look, as escapes.

    All other white space becomes blanks.
    """
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(_escape, _SPACE.sub(" ", text))


def wrapped(text: str, width: int) -> list[str]:
    """
    The lines of *text*, made visible, and broken between words if longer than *width*.

    There are no empty lines at either end, and no space at the end of a line. A word that is longer
    than a line stays whole.
    """
    lines: list[str] = []
    for line in _LINE_ENDS.split(text):
        shown = visible(line).rstrip()
        if len(shown) <= width:
            lines.append(shown)
            continue
        # the lines that follow are indented alike, unless that would leave no room for words
        indent = shown[: len(shown) - len(shown.lstrip())]
        if len(indent) >= width // 2:
            indent = ""
        lines += textwrap.wrap(
            shown.lstrip(),
            width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
    while lines and not lines[-1]:
        lines.pop()
    first = next((index for index, line in enumerate(lines) if line), 0)
    return lines[first:]


def docstring(text: str, width: int) -> list[str]:
    r"""
    The lines of *text* for a docstring, without the quotes.

    They are safe between ``\"\"\"`` in Python, and also alone.
    """
    lines = [line.replace("\\", "\\\\") for line in wrapped(text, width)]
    # one quotation mark at the end of the last line would join the three that close the docstring
    last = [_LAST_QUOTES.sub(_escaped, line) for line in lines[-1:]]
    return [_QUOTES.sub(_escaped, line) for line in lines[:-1]] + last


def block_comment(text: str, width: int) -> list[str]:
    """
    The lines of *text* for a comment between ``/**`` and ``*/``.

    They cannot end the comment, and contain no tags.
    """
    return [
        _DIRECTIVE.sub(r"\\@", line.replace("*/", r"*\/").replace("/*", r"/\*"))
        for line in wrapped(text, width)
    ]


def _escaped(found: re.Match[str]) -> str:
    return r"\"" * len(found[0])


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\U{code:08x}"


@final
@record(kw_only=True)
class Style:
    """The rules of a language for one kind of names."""

    reserved: frozenset[str] = frozenset()
    """Names that are never given."""
    legal: Callable[[str], bool] = is_plain
    """
    Whether a text that is not reserved may be used unchanged.

    It accepts the results of `identifier`, at least with *stem* in front.
    """
    stem: str = "name"
    """
    The prefix of a name whose text does not begin with a letter.

    It is itself a name that *legal* accepts.
    """
    ignores_case: bool = False
    """Whether two names must differ in more than case."""


@final
class Names:
    """
    Gives unique names, in one scope.

    Args:
        style: The rules for names in that scope.
    """

    __slots__ = ("_next", "_style", "_taken")

    def __init__(self, style: Style) -> None:
        self._style = style
        self._taken: set[str] = set(map(self._fold, style.reserved))
        self._next: dict[str, int] = {}

    def take(self, text: str) -> str:
        """
        Take a unique name for *text*.

        It is *text* itself if that is free and valid; otherwise ``_``, ``_2``, ``_3`` ... are
        appended.
        """
        style = self._style
        # 1. A text that the language accepts, or one that looks like it.
        base = text if style.legal(text) else identifier(text, style.stem)
        if not style.legal(base):
            base = f"{style.stem}_{base}"
        # 2. With an underscore after a reserved word.
        name = base
        if base in style.reserved:
            name = f"{base}_"
        # 3. With a number if it is taken. The next number is kept: a thousand equal names would
        #    otherwise be tried a million times.
        number = self._next.get(base, 2)
        while self._fold(name) in self._taken:
            name = f"{base}_{number}"
            number += 1
        if number > 2:
            self._next[base] = number
        self._taken.add(self._fold(name))
        return name

    def take_all(self, texts: Iterable[str]) -> dict[str, str]:
        """
        A name for each of *texts*.

        Texts that the language accepts come first, then reserved words, each in alphabetical order.
        So a name that is made never takes that of another text, and the order of *texts* does not
        matter.
        """
        in_order = sorted({*texts}, key=lambda text: (self._rank(text), text))
        return {text: self.take(text) for text in in_order}

    def _rank(self, text: str) -> int:
        if not self._style.legal(text):
            return 2
        if text in self._style.reserved:
            return 1
        return 0

    def _fold(self, name: str) -> str:
        """A *name* as it is compared with others."""
        if self._style.ignores_case:
            return name.lower()
        return name
