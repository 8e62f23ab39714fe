"""
The dumper of a shape, which checks a value and writes it as JSON.

Nothing is imported here: those who only need the limits of `contract.pred.dump.walk` load no more.

Nothing is imported here: `contract.pred.dump.walk` alone serves those who only need its limits.
"""
