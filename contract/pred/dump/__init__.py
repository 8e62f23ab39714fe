"""
The dumper of a shape, which checks a value and writes it as JSON.

Nothing is imported here: those who only need `contract.pred.dump.walk` load no more than that.
"""
