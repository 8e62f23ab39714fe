"""
OpenAPI: a contract document in the words of OpenAPI 3.1.

It is a function of the `Document` alone, so it works as well on a contract.json that was fetched
from anywhere. Nothing of it depends on the order of a mapping: a document that was written and read
again gives the same bytes.

Types stand once under ``components/schemas``, and so does the body of each error, under a name made
of its code. ``components/responses`` groups errors by status: what any route may answer is shared,
and a route that declares more of a status has a response of its own, which is shared with the
routes that declare the same.

What OpenAPI has no field for stands in these, on an operation:

``x-contract-effect``
    What a call does: ``read``, ``idempotent``, ``write`` or ``destructive``.
``x-contract-deprecation``
    ``since``, ``remove_on`` and ``use``, as far as they are known of a deprecated route.
``x-contract-scope``
    ``private``, on a route that public documents leave out.

Those of schemas are in `contract.document.json_schema`.
"""

from contract.document.openapi.paths import openapi

__all__ = ["openapi"]
