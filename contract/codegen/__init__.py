"""
Code generation: clients and validators as source text, made from a document alone.
"""
