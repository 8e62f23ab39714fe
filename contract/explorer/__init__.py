"""
The explorer: the page on which people meet a service, and the same as a text for agents.

The page itself is in ``assets``: modules, a style sheet and a template, written by hand and served
as they are. It reads contract.json and nothing else. What is written here is what stands around it:
under which names the files are served, what the page may load, and what of a document that came
from elsewhere it had better not see.
"""

from __future__ import annotations

from contract.explorer.llms import llms
from contract.explorer.page import Asset, assets, cleaned, page, policy

__all__ = ["Asset", "assets", "cleaned", "llms", "page", "policy"]
