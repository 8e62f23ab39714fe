"""The second version: tickets with a priority and comments, and a desk that works on them."""

from __future__ import annotations

from contract import Meta, Spec, routes, spec
from examples.helpdesk.database import DEMO_TOKENS, engine, ping
from examples.helpdesk.desk import desk
from examples.helpdesk.people import User, greeting, user_of
from examples.helpdesk.tickets import tickets

__all__ = ["api"]

api: Spec[User] = spec(
    authenticate=user_of,
    routes=routes(greeting, tickets, desk),
    meta=Meta(
        title="Helpdesk",
        version="2.0.0",
        intro="Customers open tickets, and the desk closes them.",
        auth_hint=f"Send {DEMO_TOKENS['ada']} as a customer, {DEMO_TOKENS['sam']} as an agent.",
    ),
    resources=[engine],
    ready=[ping],
)
