"""
A spec and its mount, for servers to find by name.

``BENCH_AUTH`` says which: "none" (public, sync), "sync" (bearer, sync), or "async" (bearer, async,
so for ASGI). Where ``BENCH_LOG`` is set, the mount writes its log to standard error, as
`contract serve` would have it do.
"""

from __future__ import annotations

import os
from typing import Any

import falcon
import falcon.asgi

from bench import work
from contract import configure_logging, mount_spec

_asked: Any = os.environ.get("BENCH_AUTH", "none")
_is_async = _asked == "async"

api = work.api(auth=_asked, is_async=_is_async)
mount = mount_spec(
    falcon.asgi.App() if _is_async else falcon.App(),
    api,
    prefix="/v1",
    logging="BENCH_LOG" in os.environ,
)
front: Any = mount.asgi if _is_async else mount.wsgi

if "BENCH_LOG" in os.environ:
    configure_logging()
