"""Mount: a spec and its options put together as a service, with its pages and its endpoint for MCP clients."""

from __future__ import annotations

from contract.call.dispatch import bind
from contract.call.mount_options import Options, check_is, check_spec
from contract.call.service import Service
from contract.declare.spec import AnySpec
from contract.explorer.site import docs
from contract.mcp.surface import McpSurface

__all__ = ["service_of"]


def service_of(
    spec: AnySpec,
    options: Options | None = None,
    *,
    kind: type[Service] = Service,
    where: str = "service_of(spec=)",
) -> Service:
    """
    The service of *spec*, ready for any adapter.

    Args:
        spec: What is served.
        options: How.
        kind: A class that answers some things in its own way.
        where: What was given the spec, for the message where it is none.

    Raises:
        MountError: *spec* or *options* are none, a route has a name that the mount needs itself, or
            what the APIs of models refuse.
    """
    check_spec(where, spec)
    options = Options() if options is None else options
    check_is("service_of(options=)", options, Options, "write Options(...), or leave it out")
    bound = bind(spec, map_error=options.handle_unhandled_error)
    messages = (
        None if options.mcp_path is None else McpSurface(options.mcp_path, spec, options, bound)
    )
    return kind(spec, options, bound, docs(spec, options), messages)
