"""Examples: services that are small enough to read and real enough to run."""
