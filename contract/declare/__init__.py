"""Declaring: from a function and its options to the frozen registry of a spec."""
