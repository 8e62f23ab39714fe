"""
The dumper of a shape, which checks a value and writes it as JSON.

Nothing is imported here: users of `contract.pred.dump.walk` load no more than that.
"""
