"""
Contenders that are not ours, each doing the work of `bench.work` as its own documentation has it.

Each module has factories that take nothing and give an app: `bench.call` asks them in memory, and
servers find them by name. All but raw Falcon validate what they read; none checks what it writes.
"""
