"""Mount: makes a service from a spec and its options, with its pages and its MCP endpoint."""

from __future__ import annotations

from contract.adapters.opening import Checks, Opening
from contract.call.bound import bind
from contract.call.mount_options import Options, check_is, check_spec
from contract.call.service import Service
from contract.call.signed_body import secret_checks
from contract.declare.spec import AnySpec
from contract.explorer.site import docs
from contract.mcp.surface import McpSurface
from contract.shape.exceptions import MountError
from contract.shape.quoting import described

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
        spec: The spec to serve.
        options: The options of the mount.
        kind: The class of the service, which may answer some requests in its own way.
        where: The place that was given the spec, for the message if it is not one.

    Raises:
        MountError: *spec* is not a spec, *options* are not options, a route has a name that the
            mount needs itself, or a tool has a key that model APIs refuse.
    """
    # a mount or an app, whose options would be lost
    if isinstance(getattr(spec, "service", None), Service):
        told = "is not a Spec; write its .service, which has its options"
        raise MountError(where, f"{described(spec)} {told}")
    check_spec(where, spec)
    if options is None:
        options = Options()
    check_is("service_of(options=)", options, Options, "write Options(...), or leave it out")
    bound = bind(spec, map_error=options.handle_unhandled_error, secrets=options.revealed())
    messages: McpSurface | None = None
    if options.mcp_path is not None:
        messages = McpSurface(options.mcp_path, spec, options, bound)
    service = kind(spec, options, bound, docs(spec, options), messages)
    if spec.resources:
        service.opening = Opening(spec.resources)
    checks = (*spec.ready, *secret_checks(spec))
    if checks:
        service.checks = Checks(checks)
    return service
