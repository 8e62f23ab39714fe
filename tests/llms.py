"""
The list of all pages for agents (llms.txt), and the skill, in the wheel and in docs.

``python -m tests.llms`` writes the list of the pages that are there, and copies both into docs.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from contract.cli.skill import GUIDE

ROOT: Final = Path(__file__).parent.parent
DOCS: Final = ROOT / "docs"
HOME: Final = "https://github.com/contract-rpc/contract/blob/main"
ABOUT: Final = (
    "> One annotated Python function is a typed JSON RPC endpoint, its documents (contract.json, "
    "OpenAPI, an MCP tool), its clients and its tests. On pip it is contract-rpc."
)
PARTS: Final = ("tutorial", "how-to", "reference", "explanation")


def listed() -> str:
    """The text of llms.txt (https://llmstxt.org), of the pages that are there now."""
    lines = [
        "# contract",
        "",
        ABOUT,
        "",
        "To write code with it, read the skill first: it holds the rules, the forms and the mistakes.",
        "",
        "## Start",
        "",
        *map(_line, (DOCS / "SKILL.md", ROOT / "README.md")),
        *map(_line, sorted({*DOCS.glob("*.md")} - {DOCS / "SKILL.md", DOCS / "index.md"})),
    ]
    for part in PARTS:
        pages = [page for page in sorted((DOCS / part).glob("*.md")) if page.name != "index.md"]
        if pages:
            title = part.replace("-", " ").capitalize()
            lines += ["", f"## {title}", "", *map(_line, pages)]
    return "\n".join([*lines, ""])


def _line(page: Path) -> str:
    """A link to *page*, with its title and the first sentence below it."""
    text = re.sub(r"\A---\n.*?\n---\n", "", page.read_text("utf-8"), flags=re.DOTALL)
    title, _, rest = text.strip().partition("\n")
    plain = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", rest.strip())
    first = re.match(r"[^\n#`|<\-].*?[.:](?=\s|$)", plain)
    told = f": {first[0].rstrip('.:')}" if first else ""
    return f"- [{title.lstrip('# ')}]({HOME}/{page.relative_to(ROOT)}){told}"


if __name__ == "__main__":
    (DOCS / "SKILL.md").write_bytes((GUIDE / "SKILL.md").read_bytes())
    for folder in (DOCS, GUIDE):
        (folder / "llms.txt").write_text(listed(), "utf-8")
