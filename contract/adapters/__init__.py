"""
Adapters: a spec as a WSGI callable, as an ASGI callable, and inside a Falcon app.

No adapter imports another.

They also decide where a call runs: `threads` steps it in a thread of a WSGI server, `asgi_calls`
awaits it on an event loop. Context variables that a resolver sets are gone after the call.
"""
