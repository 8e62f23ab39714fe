"""``contract serve``: worker processes behind one port, for production."""

from __future__ import annotations

import argparse
import sys

from contract.cli.find import aim
from contract.cli.probe import look
from contract.cli.processes import LOG, Knobs, serve
from contract.cli.serving import Settings
from contract.cli.sockets import bind, url_of
from contract.cli.worker import Plan
from contract.log import LogFormat, configure

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> int:
    """Serve until SIGTERM or SIGINT, and give the exit code."""
    target = aim(arguments.target)
    log_format: LogFormat = arguments.log_format or ("text" if sys.stderr.isatty() else "json")
    configure(format=log_format)
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
    workers = f"{knobs.workers} {seen.interface.upper()} worker{'s' if knobs.workers > 1 else ''}"
    LOG.info("serving %s, %d routes, on %s with %s", target.text, len(seen.routes), url_of(listening), workers)
    serve(Plan(target, settings, seen.interface, log_format), listening, knobs)
    LOG.info("stopped")
    return 0
