"""Declaring: a function and what its author says of it, up to the frozen registry of a spec."""
