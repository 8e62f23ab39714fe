"""
Drivers: where a call runs.

`threads` steps it where a thread of a WSGI server stands, `asgi` awaits it on an event loop. What a resolver sets in its context is gone
with the call.
"""
