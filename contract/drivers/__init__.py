"""
Drivers: what runs the steps of a flow.

`threads` runs them where it stands, as a WSGI server wants it; `loops` runs them on an event loop, as ASGI wants it.
Each call runs in its own copy of the context: what a resolver sets there is gone with the call.
"""
