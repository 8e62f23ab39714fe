"""
How Sphinx makes the site of these pages: ``make docs``.

The pages are plain Markdown, as GitHub shows it. What Sphinx wants besides is made of that when a page is read: its tree of pages is
made of the lists of links in the ``index.md`` files, and a link that leads out of ``docs`` becomes one to the repository.
"""

import posixpath
import re

from sphinx.application import Sphinx

project = "contract"
author = "the authors of contract"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
html_theme = "furo"
html_title = "contract"
html_copy_source = False
html_extra_path = ["llms.txt"]
html_show_copyright = False
html_show_sphinx = False
myst_heading_anchors = 4
nitpicky = True

REPOSITORY = "https://github.com/contract-rpc/contract/blob/main"
LINK = re.compile(r"\]\((?!https?:|#)([^)\s#]+)(#[^)\s]*)?\)")
LISTED = re.compile(r"^ *- \[[^]]+\]\(((?!https?:)[^)#]+)\.md\)", re.MULTILINE)
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def prepared(name: str, text: str) -> str:
    """The page *name*, with *text* as it is written, as Sphinx wants it."""
    parts = FENCED.split(text)
    for n in range(0, len(parts), 2):
        parts[n] = LINK.sub(lambda found: _link(name, found), parts[n])
    pages = LISTED.findall(text) if posixpath.basename(name) == "index" else []
    tree = ["```{toctree}", ":hidden:", *pages, "```"] if pages else []
    return "".join(parts) + "\n" + "\n".join(tree) + "\n"


def _link(name: str, found: re.Match[str]) -> str:
    path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(name), found[1]))
    inside = path.startswith("docs/")
    return found[0] if inside else f"]({REPOSITORY}/{path}{found[2] or ''})"


def _read(_: Sphinx, name: str, source: list[str]) -> None:
    source[0] = prepared(name, source[0])


def setup(app: Sphinx) -> None:
    """Have Sphinx call what is above."""
    app.connect("source-read", _read)
