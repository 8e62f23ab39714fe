"""Adapters: a spec as a WSGI callable, as an ASGI callable, and inside a Falcon app; no adapter knows another."""
