"""
A shape, compiled to what checks a value and writes it as JSON.

Nothing is imported here: `contract.pred.dump.walk` alone serves those who only need its limits.
"""
