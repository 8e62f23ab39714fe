"""
``contract completion``: shell completion for commands, options and their choices.

The scripts contain everything, so that the tab key starts no program. For any other argument the
shell offers files, which most arguments are.
"""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, cast, final

from contract.cli.output import data
from contract.cli.parser import Parser
from contract.shape.record import record

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> int:
    """Write the script for a shell, and return the exit code."""
    commands = [_read(name, parser) for name, parser in arguments.commands.items()]
    data(_SCRIPTS[arguments.shell](commands))
    return 0


@final
@record
class _Option:
    """An option of a command."""

    names: tuple[str, ...]
    description: str
    value: str | None
    """The name of its value; None for a flag."""
    choices: tuple[str, ...]


@final
@record
class _Command:
    """A command."""

    name: str
    description: str
    options: tuple[_Option, ...]
    choices: tuple[str, ...]
    """The values of its argument; empty if it may be a file."""


def _read(name: str, parser: Parser) -> _Command:
    # argparse has no public way to read its arguments
    actions: Sequence[argparse.Action] = cast("Any", parser)._actions
    options: list[_Option] = []
    places: list[str] = []
    for action in actions:
        choices = tuple(action.choices or ())
        if action.option_strings:
            names, description = tuple(action.option_strings), action.help or ""
            options.append(_Option(names, description, _value_of(action), choices))
        else:
            places += choices
    return _Command(name, parser.summary, tuple(options), tuple(places))


def _value_of(action: argparse.Action) -> str | None:
    if action.nargs == 0:
        return None
    if isinstance(action.metavar, str):
        return action.metavar
    return action.dest


# bash.


def _bash(commands: Sequence[_Command]) -> str:
    return _lines(
        "# bash completion for contract",
        "_contract() {",
        '    local word="${COMP_WORDS[COMP_CWORD]}" words=""',
        '    case "$COMP_CWORD ${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}" in',
        f'        "1 "*) words="{" ".join([*(each.name for each in commands), *_GLOBAL])}" ;;',
        *(f"        {line}" for each in commands for line in _bash_cases(each)),
        "    esac",
        '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "}",
        "complete -o default -F _contract contract",  # default: files, if there are no words
    )


def _bash_cases(command: _Command) -> Iterator[str]:
    for option in command.options:
        if option.choices:
            places = "|".join(f'*" {command.name} {name}"' for name in option.names)
            yield f'{places}) words="{" ".join(option.choices)}" ;;'
    flags = " ".join(name for option in command.options for name in option.names)
    words = f'-*) words="{flags}" ;; *) words="{" ".join(command.choices)}" ;;'
    yield f'*" {command.name} "*) case "$word" in {words} esac ;;'


# zsh.


def _zsh(commands: Sequence[_Command]) -> str:
    return _lines(
        "#compdef contract",
        "_contract() {",
        "    if (( CURRENT == 2 )); then",
        "        local -a commands=(",
        *(f"            {shlex.quote(f'{each.name}:{each.description}')}" for each in commands),
        "        )",
        "        _describe command commands",
        f"        compadd -- {' '.join(_GLOBAL)}",
        "        return",
        "    fi",
        "    shift words",
        "    (( CURRENT-- ))",
        '    case "$words[1]" in',
        *(
            f"        {each.name}) _arguments {' '.join(_zsh_arguments(each))} ;;"
            for each in commands
        ),
        "    esac",
        "}",
        # as a file in a folder of $fpath, the script is the function; otherwise it only defines it
        'if [ "$funcstack[1]" = _contract ]; '
        'then _contract "$@"; else compdef _contract contract; fi',
    )


def _zsh_arguments(command: _Command) -> Iterator[str]:
    for option in command.options:
        description = re.sub(r"([\\\[\]])", r"\\\1", option.description)
        value = ""
        if option.value is not None:
            label = option.value.replace(":", "\\:")
            value = f":{label}:{_zsh_action(option.choices)}"
        yield from (shlex.quote(f"*{name}[{description}]{value}") for name in option.names)
    yield shlex.quote(f"*:argument:{_zsh_action(command.choices)}")


def _zsh_action(choices: Sequence[str]) -> str:
    if not choices:
        return "_files"
    return f"({' '.join(choices)})"


# fish.


def _fish(commands: Sequence[_Command]) -> str:
    start = "complete -c contract -f -n __fish_use_subcommand"
    return _lines(
        "# fish completion for contract",
        *(f"{start} -a {each.name} -d {_fish_quoted(each.description)}" for each in commands),
        *(line for each in commands for line in _fish_lines(each)),
    )


def _fish_lines(command: _Command) -> Iterator[str]:
    start = f"complete -c contract -n '__fish_seen_subcommand_from {command.name}'"
    if command.choices:
        yield f"{start} -f -a {_fish_quoted(' '.join(command.choices))}"
    for option in command.options:
        names = " ".join(map(_fish_name, option.names))
        value = ""
        if option.choices:
            value = f" -x -a {_fish_quoted(' '.join(option.choices))}"
        elif option.value is not None:
            value = " -r"
        yield f"{start} {names}{value} -d {_fish_quoted(option.description)}"


def _fish_name(name: str) -> str:
    """The *name* of an option, as fish is told of it: long or short."""
    if name.startswith("--"):
        return f"-l {name.removeprefix('--')}"
    return f"-s {name.removeprefix('-')}"


def _fish_quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _lines(*lines: str) -> str:
    return "\n".join(lines)


_GLOBAL: Final = ("--help", "--version")
"""The options in front of a command."""

_SCRIPTS: Final[Mapping[str, Callable[[Sequence[_Command]], str]]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
}
