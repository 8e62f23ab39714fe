"""``python -m contract`` is the command ``contract``."""

import sys

from contract.cli import main

if __name__ == "__main__":  # worker processes import this module under another name
    sys.exit(main())
