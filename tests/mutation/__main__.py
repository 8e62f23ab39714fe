"""
Mutants of the call core: small changes of its source, each of which some test has to notice.

The tests are first run with nothing changed, to see which of them reach each line, and how long
they take. Then one process imports and collects them all, and forks for each mutant; the child puts
the code of the changed functions in place of the old, and runs those tests that reach the change,
those that have found others first, up to the first that fails. A change of what has run before that
(the body of a module or of a class, or what tests call when they are imported) is made before
anything is imported, in a process that imports only what it needs.

A mutant is killed where a test fails or takes far too long, and does so again, else it has
survived: a test is missing, or the change makes no difference. The latter are listed in
``tests/equivalent.toml``, each with its reason; an entry that stands for no mutant any more is an
error.

A process that a test starts as a program of its own runs what is in the files, so tests see nothing
there. None of `TESTS` is about such a process alone.

Everything is kept in ``build/mutants``. A mutant is run again where its file has changed or the
file of the test that killed it; where none did, where any test has changed.

    python -m tests.mutation [--only FILE] [--sample N] [--seed S] [--jobs N] [--list]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutation.making import EQUIVALENT, FILES, ROOT, Mutant, equivalents, mutants_of, sampled
from tests.mutation.reach import KEPT, tests_of_now
from tests.mutation.running import Results, Run, told


def report(mutants: list[Mutant], results: Results, entries: Mapping[str, str]) -> list[Mutant]:
    """Print what came of each file; gives the survivors."""
    counts: dict[str, Counter[str]] = {}
    survivors: list[Mutant] = []
    for mutant in mutants:
        result = "equivalent" if mutant.key in entries else str(results.of(mutant))
        counts.setdefault(mutant.file, Counter())[result] += 1
        if result == "survived":
            survivors.append(mutant)
    total: Counter[str] = Counter()
    kinds = ("killed", "survived", "timed out", "equivalent")
    print(f"\n{'':36}{''.join(f'{kind:>12}' for kind in kinds)}")
    for file, found in counts.items():
        total.update(found)
        print(f"{file:36}{''.join(f'{found[kind]:12}' for kind in kinds)}")
    print(f"{'all':36}{''.join(f'{total[kind]:12}' for kind in kinds)}")
    noticed, judged = total["killed"] + total["timed out"], sum(total[kind] for kind in kinds[:3])
    if judged:
        print(f"{noticed} of {judged} noticed: {noticed / judged:.1%}\n")
    for mutant in survivors:
        print(told(mutant))
    return survivors


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation",
        description="Change the call core, and see whether a test notices.",
    )
    only = "the mutants of one file, such as contract/call/bearer.py"
    parser.add_argument("--only", choices=FILES, metavar="FILE", help=only)
    parser.add_argument("--sample", type=int, metavar="N", help="so many, from each file in turn")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument("--list", action="store_true", help="name the mutants, and run none")
    given = parser.parse_args(arguments)

    files = [given.only] if given.only else list(FILES)
    mutants = [mutant for file in files for mutant in mutants_of(file, (ROOT / file).read_bytes())]
    entries, stale = equivalents((ROOT / EQUIVALENT).read_bytes(), mutants, files)
    for key in stale:
        print(f"{EQUIVALENT}: {key}: no such mutant, or no reason")
    if stale:
        return 1
    if given.sample is not None:
        mutants = sampled(mutants, given.sample, given.seed)
    if given.list:
        for mutant in mutants:
            print(told(mutant))
        return 0
    os.environ["CONTRACT_HYPOTHESIS_PROFILE"] = "brief"
    KEPT.mkdir(parents=True, exist_ok=True)
    tests = tests_of_now()
    results = Results()
    with TemporaryDirectory() as home:
        differ = [mutant for mutant in mutants if mutant.key not in entries]
        Run(tests, results, given.jobs, Path(home)).all(differ)
    return 1 if report(mutants, results, entries) or tests.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
