"""
The explorer: the page that shows a service to people, and the same as text for agents.

The page itself is in ``assets``: modules, a style sheet and a template, written by hand and served
unchanged. It reads contract.json and nothing else. This package adds the rest: the names of the
files, what the page may load, and the removal of unsafe values from the documents of others.
"""

from __future__ import annotations

from contract.explorer.llms import llms
from contract.explorer.page import Asset, assets, cleaned, page, policy

__all__ = ["Asset", "assets", "cleaned", "llms", "page", "policy"]
