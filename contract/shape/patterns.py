r"""
Patterns: regular expressions that the server, JSON Schema and every client read alike.

A pattern is ECMAScript with the ``u`` flag, as in JSON Schema, without what Rust's linear-time
engine cannot run (look-around, back-references) and what ECMAScript, Python and Rust spell or read
differently. The rest is translated for Rust token by token: Rust's ``\d``, ``\w``, ``\s`` and
``\b`` are those of Unicode, and its ``.`` matches more line terminators than ECMAScript's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from pydantic_core import SchemaError, SchemaValidator, core_schema

__all__ = ["check_pattern", "matcher", "rust_pattern"]

_CLASSES: Final = {
    "d": "0-9",
    "w": "0-9A-Z_a-z",
    # ECMA-262, section 22.2.2.9: WhiteSpace and LineTerminator
    "s": r"\t-\r\x20\xA0\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}",
}
_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v"}
_SYNTAX: Final = frozenset("^$\\.*+?()[]{}|/")
_HEX: Final = {"x": re.compile("[0-9a-fA-F]{2}"), "u": re.compile("[0-9a-fA-F]{4}")}
_COUNT: Final = re.compile(r"\{([0-9]{1,6})(?:(,)([0-9]{1,6})?)?\}")
_SURROGATES: Final = range(0xD800, 0xE000)

_NOT_SHARED: Final = {
    "p": "\\p, which Python does not know; write the characters",
    "P": "\\P, which Python does not know; write the characters",
    "k": "\\k, a back-reference, which no linear-time engine can follow; write the text twice",
    "A": "\\A; write ^",
    "Z": "\\Z; write $",
    "z": "\\z; write $",
    "c": "\\c; write \\xHH",
}


def check_pattern(regex: str) -> None:
    """
    Check that *regex* is read alike everywhere.

    Raises:
        ValueError: It is not; the message says what to write instead.
    """
    matcher(regex)


def matcher(regex: str) -> Callable[[str], bool]:
    """
    A function that tells whether *regex* is found in a text, in time linear in its length.

    Raises:
        ValueError: *regex* is not a pattern that is read alike everywhere.
    """
    schema = core_schema.str_schema(pattern=rust_pattern(regex), strict=True)
    try:
        return SchemaValidator(schema).isinstance_python
    except SchemaError as error:
        raise ValueError(
            "it is too large to be compiled; write fewer or smaller repetitions"
        ) from error


def rust_pattern(regex: str) -> str:
    """
    *regex* in the dialect of Rust's ``regex``.

    Raises:
        ValueError: *regex* is not a pattern that is read alike everywhere.
    """
    return _Translation(regex).run()


class _Translation:
    """
    One pass over a pattern; groups are only counted, so nesting cannot overflow the stack.
    """

    def __init__(self, regex: str) -> None:
        self.regex = regex
        self.at = 0
        self.out: list[str] = []

    def run(self) -> str:
        depth = 0
        repeatable = False  # whether a quantifier may follow
        while self.at < len(self.regex):
            char = self._next()
            if char in "*+?{":
                self._quantifier(char, repeatable=repeatable)
                repeatable = False
                continue
            repeatable = char not in "^$|("
            match char:
                case "(":
                    depth += 1
                    self.out.append(self._group())
                case ")":
                    depth -= 1
                    if depth < 0:
                        raise ValueError("there is a ) without its (; write \\)")
                    self.out.append(")")
                case "^" | "$" | "|":
                    self.out.append(char)
                # the line terminators of ECMA-262; Rust would leave out \n alone
                case ".":
                    self.out.append(r"[^\n\r\x{2028}\x{2029}]")
                case "[":
                    self.out.append(self._class())
                # words of ASCII, as in ECMA-262
                case "\\" if self._peek() in ("b", "B"):
                    self.out.append(rf"(?-u:\{self._next()})")
                    repeatable = False
                case "\\":
                    self.out.append(_set(self._escape(in_class=False)))
                # alone they mean themselves to some dialects, and are errors to others
                case "]" | "}":
                    raise ValueError(f"{char} must be escaped to mean itself; write \\{char}")
                case _:
                    self.out.append(_literal(char))
        if depth:
            raise ValueError("there is a ( without its ); write \\(")
        return "".join(self.out)

    def _next(
        self, without: str = "there is a [ without its ]; write \\[ for the character"
    ) -> str:
        if self.at == len(self.regex):
            raise ValueError(without)
        char = self.regex[self.at]
        self.at += 1
        return char

    def _peek(self) -> str:
        return self.regex[self.at : self.at + 1]

    def _quantifier(self, char: str, *, repeatable: bool) -> None:
        if char == "{":
            count = _COUNT.match(self.regex, self.at - 1)
            if count is None:
                raise ValueError("{ begins no {n}, {n,} or {n,m}; write \\{ for the character")
            low, _, high = count.groups()
            if high is not None and int(high) < int(low):
                raise ValueError(
                    f"{count[0]} asks for more than it allows; write the smaller number first"
                )
            self.at = count.end()
            char = count[0]
        if not repeatable:
            raise ValueError(
                f"there is nothing that {char} could repeat; write \\{char[0]} for the character"
            )
        self.out.append(char)
        if self._peek() == "?":
            self.at += 1  # lazy: what is found differs, not whether
        elif self._peek() == "+":
            raise ValueError(f"{char}+ is possessive, which only some dialects know; write {char}")

    def _group(self) -> str:
        if self._peek() != "?":
            return "(?:"
        if self.regex.startswith("?:", self.at):
            self.at += 2
            return "(?:"
        if self.regex.startswith(("?=", "?!", "?<=", "?<!"), self.at):
            raise ValueError(
                "it looks around, which no linear-time engine can do; write several Patterns, "
                "all of which must be found"
            )
        raise ValueError(
            "only groups of the forms (...) and (?:...) are read alike everywhere; "
            "write one of these"
        )

    def _escape(self, *, in_class: bool) -> str:
        """The meaning of an escape: one character, or (longer) the content of a class."""
        char = self._next("it ends with a backslash; write \\\\ for the character")
        if char.lower() in _CLASSES:
            content = _CLASSES[char.lower()]
            if char.isupper():
                return f"[^{content}]"
            return content
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char in _SYNTAX or (in_class and char == "-"):
            return char
        if in_class and char == "b":
            return "\b"
        if char in _HEX:
            digits = _HEX[char].match(self.regex, self.at)
            if digits is None:
                count = 2 if char == "x" else 4
                raise ValueError(
                    f"\\{char} lacks its {count} hexadecimal digits; write \\xHH or \\uHHHH"
                )
            self.at = digits.end()
            return _scalar(chr(int(digits[0], 16)))
        if char in "0123456789":
            raise ValueError(
                f"\\{char} is a back-reference or an octal number; write the text twice, "
                f"or \\x{int(char):02}"
            )
        if char in _NOT_SHARED:
            raise ValueError(f"it has {_NOT_SHARED[char]}")
        if char.isascii() and char.isalpha():
            raise ValueError(
                f"it has \\{char}, which is not read alike everywhere; write the character"
            )
        raise ValueError(f"{char} needs no backslash; write it alone")

    def _class(self) -> str:
        begin = "["
        if self._peek() == "^":
            self.at += 1
            begin = "[^"
        # [] matches nothing in ECMA-262; to Python and Rust the ] is the first character of the
        # class
        if self._peek() == "]":
            raise ValueError(
                "a class of no characters is not read alike everywhere; write \\] for the character"
            )
        parts: list[str] = []
        first = True
        while (char := self._next()) != "]":
            if char == "-" and not first and self._peek() != "]":
                raise ValueError(
                    "a - within a class is not read alike everywhere; write \\- for the character"
                )
            low = self._member(char)
            if self._peek() == "-" and not self.regex.startswith("-]", self.at):
                self.at += 1
                high = self._member(self._next())
                if len(low) > 1 or len(high) > 1 or low > high:
                    raise ValueError(
                        "a range goes from a character to a later one; write \\- for the character"
                    )
                parts.append(f"{_literal(low)}-{_literal(high)}")
            elif len(low) == 1:
                parts.append(_literal(low))
            else:
                parts.append(low)
            first = False
        return f"{begin}{''.join(parts)}]"

    def _member(self, char: str) -> str:
        if char == "[":
            raise ValueError(
                "a [ within a class begins a nested one in some dialects; "
                "write \\[ for the character"
            )
        if char in "&~|-" and self._peek() == char:
            raise ValueError(
                f"{char}{char} within a class is an operator in some dialects; write {char} once"
            )
        if char == "\\":
            return self._escape(in_class=True)
        return _scalar(char)


def _scalar(char: str) -> str:
    if ord(char) in _SURROGATES:
        raise ValueError("it has half of a surrogate pair; write the character itself")
    return char


def _literal(char: str) -> str:
    """*char* as itself, within a class or outside, even if it means something else to Rust."""
    if char.isascii() and char.isalnum():
        return char
    return f"\\x{{{ord(_scalar(char)):X}}}"


def _set(escaped: str) -> str:
    """The result of `_Translation._escape` outside of a class."""
    if len(escaped) == 1:
        return _literal(escaped)
    return f"[{escaped}]"
