"""
App: both versions side by side, in one process.

``contract serve examples.helpdesk.app:app`` serves it, and so does any ASGI server.
"""

from __future__ import annotations

from typing import Any

import falcon.asgi

from contract import mount_spec
from examples.helpdesk import v1, v2

__all__ = ["app"]

app: falcon.asgi.App[Any, Any] = falcon.asgi.App()
mount_spec(app, v1.api, prefix="/v1", health_path="/healthz")
mount_spec(app, v2.api, prefix="/v2", health_path="/healthz")
