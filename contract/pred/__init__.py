"""
Preds: a shape, compiled to load, check and dump.

`contract.pred.compile` is where to begin. Nothing is imported here, since ``import contract`` loads
modules of this room.
"""
