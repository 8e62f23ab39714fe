"""Starter: notes that people keep."""
