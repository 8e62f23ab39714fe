"""
MCP: the routes of a spec as tools of the Model Context Protocol, in both of its eras.

It keeps no state between messages and knows no sockets. ``surface`` is what a service is handed:
requests go in, responses come out, and what HTTP forbids is refused before there is a message.
``endpoint`` is where to begin: a body and its headers go in, an answer comes out. ``envelope``
reads and writes JSON-RPC, ``revisions`` tells one revision of the protocol from another and finds
the one that a message is in, ``tools`` lists the tools, and ``tool_schemas`` writes their schemas
as clients take them. ``results`` and ``answers`` are what goes back: a result as JSON, and the HTTP
response around it, with the progress that is told before it.
"""
