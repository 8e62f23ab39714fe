"""
The command line: ``contract dev``, ``serve`` and all that ``contract --help`` lists.

Data goes to standard output, everything for people to standard error.
Exit codes: 0 all is well, 1 something was found (a failure reply, a server that broke down),
2 wrong usage, or cannot write, 3 cannot import or fetch.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from contract.cli.output import Stop, keep_streams, say
from contract.cli.parser import parse

__all__ = ["main"]

_EXTRAS = {"granian": "serve", "watchfiles": "dev", "hypothesis": "testing"}
"""The package that a command may lack -> the extra that brings it."""


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run a command, and give its exit code.

    Args:
        argv: Without the program's name; by default what the process was started with.
    """
    keep_streams()
    try:
        arguments = parse(argv)
        # each command is a module that nothing imports: ``contract --help`` has to be quick, and
        # what a command needs (granian, Hypothesis) may not be installed
        command = import_module(f"contract.cli.{arguments.command}")
        code: int = command.run(arguments)
        return code
    except Stop as stop:
        say(f"contract: {stop.message}")
        return stop.code
    except ModuleNotFoundError as missing:
        name = (missing.name or "").partition(".")[0]
        extra = _EXTRAS.get(name)
        if extra is None:
            raise
        say(f"contract: this command needs {name}: pip install 'contract-rpc[{extra}]'")
        return 2
    except SystemExit as leaving:
        # argparse, after help or a usage error that it has told; granian, whose log has the reason
        return leaving.code if isinstance(leaving.code, int) else 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # an app's own pipe: `contract.cli.output` ends quietly where a reader of ours has gone
        return 141  # as shells tell of SIGPIPE
