"""Calling: one call of a route, from its request to its response, without sockets."""
