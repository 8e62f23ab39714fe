"""
Code generation: clients and validators, as source text that is a function of a document alone.
"""
