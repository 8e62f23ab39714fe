"""Benchmarks: always ratios against a contender in the same run, by CPU time."""
