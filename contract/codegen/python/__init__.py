"""
Python: clients and validators in Python, one file each, on top of ``contract.client``.

A file is written from the inside out: `naming` settles what everything is called, `annotations` and
`defaults` write types and values, `declarations` and `clients` the classes, and `module` puts them
together once it is known what they import.
"""

from contract.codegen.python.module import python_client, python_validators

__all__ = ["python_client", "python_validators"]
