"""
JSON Schema: shapes on paper, in the dialect 2020-12.

The schema of an input says of a document what the pred says of it, but for what `EXCEPTIONS` lists;
the schema of an output holds for all that is dumped. Named types are written once, in ``$defs``:
``T`` is the output form, ``TInput`` the input form where it differs.

What JSON Schema has no keyword for, and a generator of clients has to know, stands in these:

``x-contract-type``
    What a string or an array stands for where neither ``type`` nor ``format`` tells: ``bytes``,
    ``decimal``, ``time``, ``timedelta``, ``int`` (the key of a map), ``set``, ``frozenset``,
    ``tuple``, ``namedtuple``.
``x-contract-name``
    The name of a field in Python, where it is not that on the wire; always there on the positions
    of a named tuple.
``x-contract-order``
    The properties of an object in the order of their declaration, where that is not the
    alphabetical one.
``x-contract-enum-names``
    The names of an enum's members, in the order of ``enum``.
``x-contract-bounds``
    ``ge``, ``gt``, ``le``, ``lt`` and ``multiple_of`` of a value that stands as a text, as it would
    stand there.

``discriminator`` is OpenAPI's (specification 3.1, section 4.8.25), on unions whose tags are texts.
"""

from contract.document.json_schema.differences import EXCEPTIONS, Difference
from contract.document.json_schema.names import names_of
from contract.document.json_schema.sides import Side
from contract.document.json_schema.writer import SchemaWriter

__all__ = ["EXCEPTIONS", "Difference", "SchemaWriter", "Side", "names_of"]
