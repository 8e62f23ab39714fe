"""``contract serve``: worker processes behind one port, for production."""

from __future__ import annotations

import argparse
import sys

from contract.call.log import LogFormat, configure_logging
from contract.cli.find import aim
from contract.cli.probe import look
from contract.cli.processes import LOG, Knobs, serve
from contract.cli.serving import Settings
from contract.cli.sockets import bind, shown
from contract.cli.worker import Plan

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> int:
    """Serve until SIGTERM or SIGINT, and give the exit code."""
    target = aim(arguments.target)
    log_format: LogFormat = arguments.log_format or ("text" if sys.stderr.isatty() else "json")
    configure_logging(format=log_format)
    listening = bind(arguments.host, arguments.port)
    settings = Settings(
        interface=None if arguments.interface == "auto" else arguments.interface,
        threads=arguments.threads,
        prefix=arguments.prefix,
        max_body=arguments.max_body,
        health_path=arguments.health_path,
        deadline=arguments.deadline,
    )
    seen = look(target, settings)
    knobs = Knobs(
        workers=arguments.workers,
        backlog=arguments.backlog,
        concurrency=arguments.concurrency,
        header_timeout=arguments.header_timeout,
        keep_alive=arguments.keep_alive,
        worker_lifetime=arguments.worker_lifetime,
        worker_memory=arguments.worker_memory,
        respawn=arguments.respawn,
        linger=arguments.linger,
        stop_timeout=arguments.stop_timeout,
    )
    where = f"{shown(listening)}{' and '.join(sorted(seen.prefixes))}"
    found = _counted(len(seen.routes), "route")
    workers = _counted(knobs.workers, f"{seen.interface.upper()} worker")
    LOG.info("serving %s, %s, on %s with %s", target.text, found, where, workers)
    for path in sorted(seen.docs):
        LOG.info("docs on %s", shown(listening) + path)
    for path in sorted(seen.mcp):
        LOG.info("MCP on %s", shown(listening) + path)
    serve(Plan(target, settings, seen.interface, log_format), listening, knobs)
    LOG.info("stopped")
    return 0


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
