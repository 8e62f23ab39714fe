"""The part of the reference that is made of the parsers of commands."""

from __future__ import annotations

import argparse

from contract.cli.commands import parser_of_all
from contract.cli.parser import Parser
from tests.reference.markdown import anchor, code, table

__all__ = ["commands", "overview"]


def overview() -> str:
    """A line for each command."""
    return table(
        ("command", "what it does"),
        (
            (f"[{code(f'contract {name}')}]({anchor(f'contract {name}')})", parser.summary)
            for name, parser in parser_of_all().commands.items()
        ),
    )


def commands() -> str:
    """Each command: how it is written, and its options."""
    return "\n\n".join(
        part
        for name, parser in parser_of_all().commands.items()
        for part in (f"### `contract {name}`", *_command(parser))
    )


def _command(parser: Parser) -> list[str]:
    usage = f"```text\n{parser.usage}\n```"
    told = f"{parser.summary[:1].upper()}{parser.summary[1:]}."
    rows = [(_written(action), _told(action)) for action in _actions(parser)]
    described = [parser.description] if parser.description else []
    return [told, usage, *described, table(("argument", "what it is"), rows)]


def _actions(parser: Parser) -> list[argparse.Action]:
    every: list[argparse.Action] = parser._actions
    return [each for each in every if each.help not in (None, argparse.SUPPRESS)]


def _written(action: argparse.Action) -> str:
    names = ", ".join(map(code, action.option_strings))
    if action.nargs == 0:
        return names
    choices = [] if action.choices is None else [str(each) for each in action.choices]
    value = action.metavar or (f"{{{','.join(choices)}}}" if choices else action.dest.upper())
    return f"{names} {code(str(value))}".strip()


def _told(action: argparse.Action) -> str:
    return (action.help or "") % {**vars(action), "prog": "contract"}
