"""
Mocks: a service whose resolvers make their answers up, from a document alone.

The types of the document become shapes again, and with them a spec like any other: what checks
inputs, what checks outputs and what speaks HTTP is what serves the real one, so a mock can say
nothing that the real service could not.
"""

from contract.testing.mock.service import MockService
from contract.testing.mock.spec import example, mock_spec

__all__ = ["MockService", "example", "mock_spec"]
