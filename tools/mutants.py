"""Changes the code in places drawn at random, and names the lines whose change no test notices.

    python -m tools.mutants [--places NUMBER] [--seed WORD] [PATH ...]

cosmic-ray finds the places and makes the changes, in a copy of the checkout; mutmut is quicker, but
changes nothing outside functions, such as the table of verbs. Before that, coverage.py records
there which tests run which line. `PATH` are modules or packages instead of `PACKAGES`. Fails if
fewer than `MIN_NOTICED_PERCENT` are noticed.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.modules import find_modules
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.plugins import get_operator, operator_names
from cosmic_ray.work_item import MutationSpec, WorkResult
from coverage import CoverageData

COPY: Final = Path(__file__).resolve().parent.parent / ".cache" / "mutants" / "copy"
MIN_NOTICED_PERCENT: Final = 85
MAX_TESTS: Final = 100
"""How many tests are run for one change, so that the figure is rather too low than too high."""
PROCESSOR_SECONDS, TIMEOUT_SECONDS = 120, 1_800
"""After which a change counts as endless, and so as noticed; other load slows the clock alone."""
PYTEST: Final = (sys.executable, "-m", "pytest", "-q", "--tb=no", "--whole=sample")
LIMITED: Final = ("sh", "-c", f'ulimit -t {PROCESSOR_SECONDS} && exec "$@"', "sh", *PYTEST)
PACKAGES: Final = (
    "workflow permissions selectors actions notifications journal http/cache.py transparency "
    "template/checks exchange"
).split()
TESTS: Final = (
    "workflow test_permissions.py selectors scheduler actions acts notifications journal http "
    "transparency template exchange web api"
).split()
"""Pages and programs, too: what they alone show is tested there and nowhere else."""
OPERATORS: Final = re.compile(
    "core/(AddNot|NumberReplacer|RemoveDecorator|ZeroIterationForLoop"
    "|Replace(And|Or|True|False|Break|Continue)With.*|ReplaceUnaryOperator_Delete_Not"
    "|ReplaceBinaryOperator_(Add_Sub|Sub_Add|BitAnd_BitOr)"
    "|ReplaceComparisonOperator_(Eq_NotEq|NotEq_Eq|Is_IsNot|IsNot_Is|Lt_LtE|LtE_Lt|Gt_GtE|GtE_Gt))"
)
"""Those of cosmic-ray that make likely mistakes, and change no annotation."""


def find_places(paths: Iterable[Path]) -> Iterator[MutationSpec]:
    """Yield every change that can be made in these modules and packages."""
    names = sorted(filter(OPERATORS.fullmatch, operator_names()))
    for module in sorted(find_modules(paths)):
        nodes = list(ast_nodes(get_ast_from_path(module)))
        for name in names:
            operator = get_operator(name)()
            positions = (each for node in nodes for each in operator.mutation_positions(node))
            for occurrence, (start, end) in enumerate(positions):
                yield MutationSpec(module, name, occurrence, start, end)


def map_tests(record: CoverageData, module: Path) -> dict[int, set[str]]:
    """Return the tests that run each line of a module; none for lines run by importing it."""
    lines = record.contexts_by_lineno(str(COPY / module)).items()
    return {line: {name.rpartition("|")[0] for name in names} - {""} for line, names in lines}


def choose_tests(module: Path, concerned: Iterable[str], lines_run: Counter[str]) -> list[str]:
    """Return the tests to run for a change in a module.

    Those in a file of its name come first: for a constant, which every test reads, no others may
    be meant. Then those that run little of the code: they are quick, and say most about it.
    """
    return sorted(
        concerned,
        key=lambda test: (f"test_{module.stem}" not in test, lines_run[test], test),
    )[:MAX_TESTS]


def enter_own_copy() -> None:
    """Work from now on in a copy of this process alone: a change is made in its files."""
    own = COPY.parent / str(os.getpid())
    shutil.copytree(COPY, own)
    os.chdir(own)


def try_change(place: MutationSpec, command: str) -> WorkResult:
    """Make one change, run the tests, take it back, and return what they noticed."""
    return mutate_and_test([place], command, TIMEOUT_SECONDS)


def main() -> int:
    parser = argparse.ArgumentParser(description="Change the code, and see whether tests notice.")
    parser.add_argument("paths", nargs="*", type=Path, help="modules or packages to draw from")
    parser.add_argument("--places", type=int, default=300, help="how many to draw")
    parser.add_argument("--seed", help="a word that draws the same places again")
    wanted = parser.parse_args()
    shutil.rmtree(COPY.parent, ignore_errors=True)
    shutil.copytree(".", COPY, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    os.chdir(COPY)
    recording = ("--cov=registry", "--cov-context=test", "--cov-report=", "--numprocesses=auto")
    ended = subprocess.run([*PYTEST, *recording, *(f"tests/{each}" for each in TESTS)])
    if ended.returncode:
        sys.exit("The tests fail without any change: mend that first.")
    record = CoverageData(".coverage")
    record.read()
    places = list(find_places(wanted.paths or [Path("registry", each) for each in PACKAGES]))
    tests = {module: map_tests(record, module) for module in {each.module_path for each in places}}
    lines_run = Counter(
        name for lines in tests.values() for names in lines.values() for name in names
    )
    drawn = random.Random(wanted.seed).sample(places, min(wanted.places, len(places)))
    commands = []
    for place in drawn:
        lines = tests[place.module_path]
        concerned = lines.get(place.start_pos[0]) or set().union(*lines.values())
        chosen = choose_tests(place.module_path, concerned, lines_run)
        commands.append(shlex.join([*LIMITED, "--exitfirst", *chosen]) if chosen else "true")
    survivors = 0
    with ProcessPoolExecutor(os.cpu_count(), initializer=enter_own_copy) as pool:
        results = pool.map(try_change, drawn, commands)
        for number, (place, result) in enumerate(zip(drawn, results, strict=True), start=1):
            if not result.is_killed:
                survivors += 1
                line = place.start_pos[0]
                print(f"{number}. {place.module_path}:{line}\n{result.diff}", flush=True)
    percent = 100 * (1 - survivors / len(drawn))
    print(f"Of {len(places)} places {len(drawn)} were changed, {percent:.1f} in 100 noticed.")
    return int(percent < MIN_NOTICED_PERCENT)


if __name__ == "__main__":
    sys.exit(main())
