"""
Tokens of TypeScript, as far as it has to be known where texts, comments and code begin and end.

It refuses what a compiler would not read to its end: a text that a line breaks off, a comment, a
template or a bracket that stays open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["Token", "tokens"]

Token = tuple[str, str]
"""Kind and text; the kinds are word, number, text, template, regex, comment and sign."""

_PLAIN: Final = re.compile(
    r"""
    (?P<space>[ \n]+)
    | (?P<comment>//[^\n]*+ | /\*(?s:.*?)\*/)
    | (?P<text>"(?:[^"\\\n]|\\[^\n])*+" | '(?:[^'\\\n]|\\[^\n])*+')
    | (?P<number>[0-9](?:[eE][+-]|[\w.])*+)
    | (?P<word>[$\w]++)
    | (?P<sign>=>|\?\?=?|\?\.|&&|\|\||[<>=!]==?|[-+*%^&|]=|\+\+|--|\.\.\.|/(?!\*)=?|[-+*%^&|~!<>=?:;,.@()\[\]{}`\#])
    """,
    re.VERBOSE | re.ASCII,
)
_REGEX: Final = re.compile(
    r"/(?![*/])(?:[^\\/\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*+\])++/[a-z]*", re.ASCII
)
# not possessive, which 3.11.2 gets wrong
_IN_TEMPLATE: Final = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(`|\$\{)", re.DOTALL)
_BEFORE_REGEX: Final = frozenset(
    {"return", "typeof", "case", "in", "of", "=>", *"(,=:[!&|?{};+-*%<>~^"}
) | {"&&", "||", "??", "==="}
_CLOSES: Final = {")": "(", "]": "[", "}": "{"}


def tokens(source: str) -> Iterator[Token]:
    """
    The tokens of *source*, comments included.

    Raises:
        ValueError: It is none that a compiler would read.
    """
    at = 0
    before = ""
    open_: list[str] = []
    while at < len(source):
        regex = _REGEX.match(source, at) if before in _BEFORE_REGEX or not before else None
        found = regex or _PLAIN.match(source, at)
        if found is None:
            raise ValueError(f"no token begins with {source[at : at + 40]!r}")
        at = found.end()
        kind, text = ("regex" if regex else str(found.lastgroup)), found[0]
        if text == "`" or (text == "}" and open_ and open_[-1] == "`"):
            # a template, from its beginning or from the end of an expression in it, up to the next
            # expression or its own end
            rest = _IN_TEMPLATE.match(source, at)
            if rest is None:
                raise ValueError("a template stays open")
            at = rest.end()
            if text == "}":
                open_.pop()
            if rest[1] == "${":
                open_.append("`")
            kind, text = "template", text + rest[0]
        elif kind == "sign" and text in "([{":
            open_.append(text)
        elif kind == "sign" and text in _CLOSES and (not open_ or open_.pop() != _CLOSES[text]):
            raise ValueError(f"{text} closes nothing")
        if kind == "space":
            continue
        if kind != "comment":
            before = text if kind != "template" or not text.endswith("${") else "("
        yield kind, text
    if open_:
        raise ValueError(f"{open_[-1]} stays open")
