"""
App: the routes of every subject, in one spec.

``contract serve starter.app:api`` serves it.
"""

from contract import Meta, Spec, routes, spec

from starter.database import database, ping
from starter.notes import notes
from starter.people import User, user_of
from starter.settings import settings

api: Spec[User] = spec(
    authenticate=user_of,
    routes=routes(notes),
    meta=Meta(
        title="Starter",
        version="0.1.0",
        intro="Notes that people keep.",
    ),
    resources=[settings, database],
    ready=[ping],
)
