"""
Page: the HTML around the explorer.

It holds no script and no style of its own, and every text in it is escaped.
"""

from __future__ import annotations

import json
import re
from html import escape
from typing import Final

from contract.document.model import Info
from contract.explorer.files import template
from contract.shape.issues import CODES, FORMATS

__all__ = ["page"]

_PLACE: Final = re.compile(r"\{\{([a-z]+)\}\}")
_HEAD: Final = '<meta charset="utf-8">\n'


def page(info: Info, *, contract: str, server: str, policy: str | None = None) -> bytes:
    """
    The page.

    It is the same for all documents but for what is given here: it reads contract.json by itself.
    These places of the template are filled in: ``contract``, ``server``, ``title``, and ``issues``,
    by which the page says what the server would say of an input.

    Args:
        info: What the service calls itself.
        contract: Where contract.json is, relative to the page.
        server: Where the service is, relative to the page; empty where there is none to send calls
            to.
        policy: What `contract.explorer.policy` gave, to stand in the page itself, where no header
            can carry it.
    """
    given = {
        "contract": contract,
        "server": server,
        "title": f"{info.title} {info.version}",
        "issues": json.dumps({"codes": {**CODES}, "formats": {**FORMATS}}, separators=(",", ":")),
    }
    # in one go: what is put in is not looked into again
    filled = _PLACE.sub(lambda place: escape(given[place[1]]), template())
    # in ASCII, since a host of files may not say what else it is, and browsers look for that in the
    # first 1024 bytes alone
    return filled.replace(_HEAD, _HEAD + _metas(policy), 1).encode("ascii", "xmlcharrefreplace")


def _metas(policy: str | None) -> str:
    """
    The headers of a served page as ``<meta>`` elements; a policy counts only for what follows it.
    """
    if policy is None:
        return ""
    return (
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="generator" content="contract docs">\n'
    )
