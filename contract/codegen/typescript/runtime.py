"""
Runtime: the part of the generated file that is the same for all documents.

It is the TypeScript beside this module. ``results.ts`` and ``client.ts`` call routes, and
``pages.ts`` turns pages. ``checks.ts``, ``containers.ts``, ``texts.ts`` and ``patterns.ts`` check
values; ``sentences.ts`` says what is wrong with one, in the sentences of `contract.shape.sentences`
that the file needs. ``webhooks.ts`` receives events, if the service sends any; ``streams.ts`` reads
streams and ``downloads.ts`` files, if a route gives them, and ``uploads.ts`` sends files, if a
route takes any. A file gets only the declarations that it needs; to a strict compiler the others
would be unused code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args

from contract.codegen.typescript.layout import WIDTH, quoted
from contract.shape.sentences import SENTENCES
from contract.shape.text_forms import READY_FORMS

__all__ = [
    "Part",
    "needed",
    "private_names",
    "public_names",
]

Part = Literal[
    "results",
    "client",
    "pages",
    "checks",
    "containers",
    "texts",
    "patterns",
    "sentences",
    "webhooks",
    "streams",
    "uploads",
    "downloads",
]
"""A file beside this module."""

_PARTS: Final[tuple[Part, ...]] = get_args(Part)
_WHERE_USED: Final[tuple[Part, ...]] = ("webhooks", "streams", "uploads", "downloads")
"""Parts whose exported names only few files have."""
_BY_NEED: Final[tuple[Part, ...]] = ("sentences", *_WHERE_USED)
"""Parts that are never in a file only because of their exported names."""
_HERE: Final = Path(__file__).parent
_DECLARES: Final = re.compile(
    r"^(?:export )?(?:async )?(?:const|function\*?|class|interface|type) ([$\w]+)", re.MULTILINE
)
_NO_CODE: Final = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|/\*.*?\*/|//[^\n]*", re.DOTALL
)
"""Texts and comments, which may contain one of our names by chance."""

_WORD: Final = re.compile(r"[$\w]+")


def needed(code: str, *, client: bool) -> dict[Part, str]:
    """
    The declarations that *code* needs, in the order of their files.

    Args:
        code: The generated code.
        client: Whether *code* calls routes.
    """
    # 1. All names that the code uses, and that users of the file may import from it, with all that
    #    these name in turn. Few files need the names of types.
    every: dict[str, str] = {}
    for part in _PARTS:
        every |= _pieces(part)
    reached = _PARTS if client else _PARTS[_PARTS.index("checks") :]
    wanted = [*_words(code)]
    for part in reached:
        if part not in _BY_NEED:
            wanted += _exported(part)
    used = _used(every, wanted)
    # a file that never reports an issue needs no sentences
    if client or "$report" in used:
        used |= _used(every, _exported("sentences"))
    # 2. Their declarations, in the order of the runtime.
    found: dict[Part, str] = {}
    for part in _PARTS:
        pieces = [piece for name, piece in _pieces(part).items() if name in used]
        found[part] = "\n\n".join(pieces)
    # 3. The table of sentences, last: the codes of the issues stand in all the rest.
    if found["sentences"]:
        table = _table(" ".join([code, *found.values()]))
        found["sentences"] = f"{table}\n\n{found['sentences']}"
    return found


def _exported(part: Part) -> Iterable[str]:
    pieces = _pieces(part).items()
    return (name for name, piece in pieces if _is_exported(piece) and name not in _AS_NEEDED)


_AS_NEEDED: Final = ("Branded", "JsonValue")
"""Names of types that are exported if a declaration needs them."""


def _used(every: Mapping[str, str], names: Iterable[str]) -> set[str]:
    """The names in *every* that *names* need."""
    used: set[str] = set()
    ahead = [*names]
    while ahead:
        name = ahead.pop()
        if name in every and name not in used:
            used.add(name)
            ahead.extend(_words(every[name]))
    return used


def _table(code: str) -> str:
    """The sentences for the issues in *code*, which names their codes and their variants."""
    named = frozenset(_NAMES.findall(code))
    # without a text of such a form, "email" and "path" may be names of fields
    absent = {f"format:{name}" for name in READY_FORMS.keys() - {*_FORMED.findall(code)}}
    lines = ["/** The sentences in English. */", "const $SENTENCES: Sentences = {"]
    for key, sentence in SENTENCES.items():
        if key in absent:
            continue
        # the key of a sentence is a code, perhaps with its variants: all of these must be named
        if key.startswith(_WORDS) or named.issuperset(re.split("[.:]", key)):
            lines.append(_row(quoted(key), quoted(sentence)))
    return "\n".join([*lines, "};"])


def _row(key: str, sentence: str) -> str:
    line = f"  {key}: {sentence},"
    if len(line) <= WIDTH:
        return line
    return f"  {key}:\n    {sentence},"


_WORDS: Final = ("found:", "expected:", "allowed:", "closest:")
"""Keys that the sentences of several codes share."""

_NAMES: Final = re.compile(r'"([a-z0-9_-]+)"')


_FORMED: Final = re.compile(r'\$formed\(\s*"([a-z0-9-]+)"')


def public_names() -> frozenset[str]:
    """
    Names that generated files export because of the runtime.

    Those of parts that few files have are among them: a type must not get another name when the
    first event, stream or file is added.
    """
    exported: set[str] = set()
    for part in _PARTS:
        exported |= {name for name, piece in _pieces(part).items() if _is_exported(piece)}
    # these are made for a document, and stand in no part
    return frozenset(exported | {"PageItem", "events", "pages"})


def private_names() -> frozenset[str]:
    """
    All other names in the runtime and in the code generated for it, without their ``$``.
    """
    names = {"CODES", "Credential", "SENTENCES", "WAYS"}
    for part in _PARTS:
        names |= {name.removeprefix("$") for name in _pieces(part)}
    return frozenset(names)


@cache
def _pieces(part: Part) -> Mapping[str, str]:
    """
    Name -> declaration, with the comment above it.

    An empty line before unindented text occurs only between two declarations.
    """
    pieces: dict[str, str] = {}
    for piece in re.split(r"\n\n(?=\S)", (_HERE / f"{part}.ts").read_text("utf-8").strip()):
        # exactly one: with two, an empty line is missing in the file
        [name] = _DECLARES.findall(piece)
        pieces[name] = piece
    return pieces


def _is_exported(piece: str) -> bool:
    return "\nexport " in f"\n{piece}"


def _words(code: str) -> Iterable[str]:
    return _WORD.findall(_NO_CODE.sub(" ", code))
