"""
Preds: a shape, compiled to load, check and dump.

Begin with `contract.pred.compile`. Nothing is imported here, since ``import contract`` loads
modules of this package.
"""
