"""
What hostile bodies of up to a megabyte cost to load: ``python -m bench.cost``.

The cases are those of ``tests/test_pred_cost.py``; the budget is half a second of CPU and 96 MiB
for each.
"""

from __future__ import annotations

from tests.test_pred_cost import measure


def main() -> None:
    for name, (code, cpu, times, mebibytes) in measure().items():
        took = f"{cpu * 1000:8.1f} ms  {times:6.1f} x a plain loop"
        print(f"{name:<44}{code:<18}{took}  {mebibytes:6.1f} MiB")


if __name__ == "__main__":
    main()
