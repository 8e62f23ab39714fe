"""
Adapters: a spec as a WSGI callable, as an ASGI callable, and inside a Falcon app.

No adapter knows another.

Where a call runs is decided here, too: `threads` steps it where a thread of a WSGI server stands,
`asgi_calls` awaits it on an event loop. What a resolver sets in its context is gone with the call.
"""
