"""
MCP: the routes of a spec as tools of the Model Context Protocol, in both of its eras.

It keeps no state between messages and knows no sockets. ``surface`` is the interface for a service:
requests go in, responses come out, and whatever HTTP forbids is refused before there is a message.
``endpoint`` is the place to begin: a body and its headers go in, an answer comes out. ``envelope``
reads and writes JSON-RPC. ``revisions`` has the differences between revisions of the protocol, and
finds the one of a message. ``tools`` lists the tools, and ``tool_schemas`` writes their schemas in
the form that clients accept. ``results`` and ``answers`` are the way back: a result as JSON, and
the HTTP response around it, after the reports of its progress.
"""
