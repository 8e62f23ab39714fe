"""
MCP: the routes of a spec as tools of the Model Context Protocol, in both of its eras, without state and without sockets.

``surface`` is what a service is handed: requests go in, responses come out. ``endpoint`` is where to begin: a body and its headers go
in, an answer comes out. ``envelope`` reads and writes JSON-RPC, ``revisions`` is the table of what tells one revision of the protocol
from another, ``negotiation`` finds the one that a message is in, ``tools`` is the list of tools, ``portable`` their schemas as clients
take them, ``results`` and ``texts`` what is answered. ``edge`` is what HTTP decides before there is a message, ``progress`` what is
sent before there is an answer, and ``batches`` are several messages in one body.
"""
