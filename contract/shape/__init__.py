"""
Shapes: what an annotation means.

`contract.shape.reader` reads a Python annotation once and gives a small tree of frozen dataclasses
(`contract.shape.nodes`). Everything else that needs to know a type (validator, dumper, JSON Schema,
test strategies) is a function of that tree, never of the annotation. A schema of contract.json is
read into the same tree (`contract.shape.schema_reader`).
"""
