"""Changes the code in one place at a time, and checks whether a test notices.

    python -m tools.mutants [--all] [--sample NUMBER] [--seed WORD] [--only TEXT] [--again]

No file of the checkout is changed (`tools/mutant_runner.py`). The changes are those of cosmic-ray
and of `tools/mutation_operators.py`: a comparison reversed, a `not` dropped, a number off by one, a
condition or a statement left out, another recipient. For each, the tests that mention the module
are run until the first that fails. By default it tries a sample, which stays the same as long as
the changed lines do; `--all` tries every change, which takes a night. `--only` tries those whose
module or changed line contains the text, `--again` those that were not noticed last time.

Exits with an error if fewer than `MIN_KILLED_PERCENT` per cent are noticed, or one is not noticed
without a reason in `tests/mutants/survivors.toml`.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import os
import resource
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator
from parso.python.tree import Function
from parso.tree import BaseNode, NodeOrLeaf

from tools.mutant_runner import (
    MutantRunner,
    fails_when_loaded,
    find_changed_code,
    run_session,
)
from tools.mutation_operators import (
    DropPart,
    DropStatement,
    SwapMember,
)

ROOT: Final = Path(__file__).resolve().parent.parent
DATABASE: Final = ROOT / ".cache" / "mutants" / "test.sqlite3"
MISSED: Final = DATABASE.with_name("missed.json")
"""The changes that were not noticed last time."""
SURVIVORS: Final = ROOT / "tests" / "mutants" / "survivors.toml"

MIN_KILLED_PERCENT: Final = 85
SAMPLE_SIZE: Final = 120
SEED: Final = "urn"

WORKFLOW: Final = (
    "tests/workflow/test_quorum.py",
    "tests/workflow/test_conditions.py",
    "tests/workflow/test_perform.py",
    "tests/workflow/test_facts.py",
    "tests/workflow/test_publication.py",
    "tests/workflow/test_paths.py",
    "tests/workflow/test_holder.py",
    "tests/workflow/test_verbs.py",
)
CLOCK: Final = (
    "tests/selectors/test_deadlines.py",
    "tests/selectors/test_turns.py",
    "tests/scheduler/test_tick.py",
)
LETTERS: Final = (
    "tests/notifications/test_recipients.py",
    "tests/notifications/test_letters.py",
    "tests/notifications/test_outbox.py",
    "tests/notifications/test_digests.py",
)
HOLDER: Final = (
    "tests/workflow/test_holder.py",
    "tests/workflow/test_holder_words.py",
    "tests/workflow/test_objections.py",
    "tests/workflow/test_facts.py",
    "tests/actions/test_delegate_changes.py",
    "tests/actions/test_holder_searches.py",
)
WHO_CAN_ACT: Final = (
    "tests/selectors/test_turns.py",
    "tests/selectors/test_pauses.py",
    "tests/scheduler/test_who_can_act.py",
)
AS_OF_NOW: Final = (
    "tests/web/test_as_of_now.py",
    "tests/web/test_held_nids.py",
    "tests/workflow/test_next_version.py",
)
HOOKS: Final = (
    "tests/notifications/webhooks/test_delivery.py",
    "tests/notifications/webhooks/test_events.py",
)
CACHE: Final = (
    "tests/http/test_response_cache.py",
    "tests/http/test_cache.py",
    "tests/http/test_wsgi.py",
    "tests/http/test_outage.py",
    "tests/http/test_cache_policy.py",
)

PERMISSIONS: Final = (
    "tests/test_permissions.py",
    *WORKFLOW[:3],
    "tests/actions/test_delegates.py",
    "tests/actions/test_expert_assignment.py",
    "tests/workflow/test_objections.py",
)

TESTS_BY_MODULE: Final[Mapping[str, tuple[str, ...]]] = {
    "registry/permissions/experts.py": PERMISSIONS,
    "registry/permissions/facts.py": PERMISSIONS,
    "registry/permissions/namespaces.py": PERMISSIONS,
    "registry/permissions/organizations.py": PERMISSIONS,
    "registry/permissions/people.py": PERMISSIONS,
    "registry/permissions/requests.py": PERMISSIONS,
    "registry/permissions/stakes.py": PERMISSIONS,
    "registry/workflow/appeals.py": ("tests/workflow/test_appeals.py",),
    "registry/workflow/conditions.py": (
        *WORKFLOW,
        "tests/scheduler/test_tick.py",
        "tests/actions/test_rfc_references.py",
    ),
    "registry/workflow/drafts.py": WORKFLOW,
    "registry/workflow/effects.py": (*WORKFLOW, "tests/actions/test_expert_assignment.py"),
    "registry/workflow/events.py": (*WORKFLOW[:2], *LETTERS[:1], *HOOKS[1:]),
    "registry/workflow/holder_signs.py": (HOLDER[-1], HOLDER[-2], *HOLDER[:3]),
    "registry/workflow/holder_words.py": HOLDER,
    "registry/workflow/paths.py": WORKFLOW,
    "registry/workflow/pauses.py": (WHO_CAN_ACT[1], CLOCK[-1]),
    "registry/workflow/perform.py": (*WORKFLOW, "tests/workflow/test_at_once.py"),
    "registry/workflow/publication.py": WORKFLOW,
    "registry/workflow/step.py": (*WORKFLOW, "tests/api/test_verbs.py"),
    "registry/workflow/transitions.py": (
        *WORKFLOW,
        "tests/api/test_verbs.py",
        "tests/web/test_mirror.py",
    ),
    "registry/selectors/actors.py": (
        *WHO_CAN_ACT,
        "tests/workflow/test_second_officer.py",
        "tests/workflow/test_temporary_experts.py",
        "tests/test_permissions.py",
    ),
    "registry/selectors/deadlines.py": CLOCK,
    "registry/selectors/holder_consent.py": (*HOLDER, *AS_OF_NOW[:1]),
    "registry/selectors/publication.py": (
        *AS_OF_NOW,
        WHO_CAN_ACT[1],
        "tests/workflow/test_conditions.py",
        "tests/workflow/test_publication.py",
    ),
    "registry/selectors/publication_facts.py": AS_OF_NOW[:1],
    "registry/selectors/request_clock.py": (*WHO_CAN_ACT, *CLOCK),
    "registry/selectors/second_officer.py": ("tests/workflow/test_second_officer.py",),
    "registry/selectors/turns.py": (*WHO_CAN_ACT, "tests/scheduler/test_holder_ladders.py"),
    "registry/scheduler.py": (
        CLOCK[-1],
        "tests/scheduler/test_at_once.py",
        WHO_CAN_ACT[-1],
        "tests/scheduler/test_holder_ladders.py",
        "tests/scheduler/test_entry_links.py",
        "tests/api/test_idempotency.py",
    ),
    "registry/notifications/digests.py": ("tests/notifications/test_digests.py",),
    "registry/notifications/holder_links.py": HOLDER[2:],
    "registry/notifications/letters.py": LETTERS[::-1],
    "registry/notifications/list_letters.py": ("tests/notifications/test_list_letters.py",),
    "registry/notifications/outbox.py": (
        *LETTERS[::-1],
        "tests/notifications/test_account_letters.py",
        *HOOKS[:1],
    ),
    "registry/notifications/recipients.py": (
        *LETTERS,
        "tests/actions/test_resolution_services.py",
        "tests/workflow/test_second_officer.py",
    ),
    "registry/notifications/reminders.py": (CLOCK[-1], WHO_CAN_ACT[-1]),
    "registry/notifications/webhooks.py": (*HOOKS, "tests/notifications/webhooks/test_page.py"),
    "registry/http/cache.py": CACHE,
    "registry/http/cache_policy.py": CACHE,
}
"""What is changed, and the tests that should notice."""
TESTS_OF_TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "registry/workflow/transitions.py": ("tests/workflow/test_matrix.py",),
}
"""Slow tests, run last and only for changes outside of functions."""

TURNED_COMPARISONS: Final = (
    *("Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is"),
    *("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Lt_GtE", "LtE_Gt", "Gt_LtE", "GtE_Lt"),
)
CORE_OPERATORS: Final = (
    *(f"ReplaceComparisonOperator_{turned}" for turned in TURNED_COMPARISONS),
    "ReplaceUnaryOperator_Delete_Not",
    "AddNot",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "NumberReplacer",
    "RemoveDecorator",
    "ZeroIterationForLoop",
)
"""The operators of cosmic-ray that make likely mistakes."""
OPERATORS: Final[tuple[type[Operator], ...]] = (
    *(get_operator(f"core/{name}") for name in CORE_OPERATORS),
    DropPart,
    DropStatement,
    SwapMember,
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a module can be changed, by which operator, and which of its occurrences."""

    module: str
    operator: type[Operator]
    occurrence: int
    line: int
    code: str
    same: int
    """How many places before it are indistinguishable by their line."""

    def rank(self, seed: str) -> str:
        """Return its rank in the sample: by what is changed, not by where it is."""
        words = (seed, self.module, self.operator.__name__, self.code, str(self.same))
        return hashlib.sha256("\n".join(words).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed module: its text, and the old and the new code."""

    place: Place
    text: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.place.module}:{self.place.line}\n  - {self.before}\n  + {self.after}"

    @property
    def name(self) -> tuple[str, str, str]:
        """Its name in the list of survivors."""
        return self.place.module, self.before, self.after


def read_missed() -> set[tuple[str, ...]]:
    """Return the names of the changes that were not noticed last time."""
    return {tuple(each) for each in json.loads(MISSED.read_text(encoding="utf-8"))}


def find_places(module: str) -> Iterator[Place]:
    """Yield every place where a module can be changed, except annotations, which do nothing."""
    source = (ROOT / module).read_text(encoding="utf-8")
    lines, tree = source.splitlines(), get_ast(source)
    nodes = list(ast_nodes(tree))
    silent = [each for node in nodes for each in list_annotations(node)]
    seen: Counter[tuple[str, str]] = Counter()
    for operator in OPERATORS:
        positions = (each for node in nodes for each in operator().mutation_positions(node))
        for occurrence, (start, _end) in enumerate(positions):
            if any(each.start_pos <= start < each.end_pos for each in silent):
                continue
            code = lines[start[0] - 1].strip()
            same = seen[operator.__name__, code]
            seen[operator.__name__, code] += 1
            yield Place(module, operator, occurrence, start[0], code, same)


def list_annotations(node: NodeOrLeaf) -> list[NodeOrLeaf]:
    if isinstance(node, Function):
        return [node.annotation] if node.annotation else []
    place = {"annassign": 1, "tfpdef": 2}.get(node.type)
    return [node.children[place]] if isinstance(node, BaseNode) and place else []


def make_mutant(place: Place) -> Mutant | None:
    """Return the changed module, or nothing if the change has no effect or is invalid."""
    source = (ROOT / place.module).read_text(encoding="utf-8")
    changed = mutate_code(source, place.operator(), place.occurrence)
    if changed is None or changed == source:
        return None
    try:
        compile(changed, place.module, "exec")
    except SyntaxError:
        return None
    found = list(difflib.ndiff(source.splitlines(), changed.splitlines()))
    before, after = (
        " ".join(" ".join(line[2:] for line in found if line.startswith(mark)).split())
        for mark in ("- ", "+ ")
    )
    return Mutant(place, changed, before, after)


def choose_mutants(wanted: argparse.Namespace) -> list[Mutant]:
    """Return the changes to try, module by module."""
    places = [place for module in TESTS_BY_MODULE for place in find_places(module)]
    print(f"{len(places)} places in {len(TESTS_BY_MODULE)} modules.")
    if wanted.only:
        places = [each for each in places if wanted.only in f"{each.module} {each.code}"]
    places.sort(key=lambda place: place.rank(wanted.seed))
    chosen: dict[tuple[str, int, str], Mutant] = {}
    for place in places:
        if not wanted.all and len(chosen) == wanted.sample:
            break
        if mutant := make_mutant(place):
            # Two operators may make the same change.
            chosen.setdefault((place.module, place.line, mutant.after), mutant)
    found = list(chosen.values())
    if wanted.again:
        missed = read_missed()
        found = [each for each in found if each.name in missed]
    order = list(TESTS_BY_MODULE)
    return sorted(found, key=lambda each: (order.index(each.place.module), each.place.line))


def read_survivors() -> dict[tuple[str, str, str], str]:
    """Return the reasons for changes that no test needs to notice."""
    listed = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))
    return {
        (each["module"], each["before"], each["after"]): each["reason"]
        for each in listed.get("survivor", [])
    }


def report(tried: Mapping[str, int], survived: Sequence[Mutant]) -> int:
    """Print the results by module; return the exit status."""
    reasons = read_survivors()
    missed = Counter(each.place.module for each in survived)
    for module, number in tried.items():
        print(f"{number - missed[module]:5} of {number:4}  {module}")
    total = sum(tried.values())
    percent = 100 * (total - len(survived)) / total
    print(f"{total - len(survived)} of {total} changes were noticed: {percent:.1f} in 100.")
    unexplained = [each for each in survived if each.name not in reasons]
    if unexplained:
        print(f"{len(unexplained)} that were not have no reason in {SURVIVORS.relative_to(ROOT)}:")
        print(*unexplained, sep="\n")
    return int(percent < MIN_KILLED_PERCENT or bool(unexplained))


def read_arguments() -> argparse.Namespace:
    """Return the command line's arguments."""
    parser = argparse.ArgumentParser(description="Change the code, and see whether tests notice.")
    parser.add_argument("--all", action="store_true", help="try every change")
    parser.add_argument("--sample", type=int, default=SAMPLE_SIZE, help="how many to try")
    parser.add_argument("--seed", default=SEED, help="another word gives another sample")
    parser.add_argument("--only", default="", help="what module or changed line contain")
    parser.add_argument("--again", action="store_true", help="try what was missed last time")
    return parser.parse_args()


def main() -> int:
    os.nice(19)
    mutants = choose_mutants(read_arguments())
    if not mutants:
        sys.exit("There is nothing to change.")
    survived: list[Mutant] = []
    # The output that pytest captures must be that of the tests.
    own = os.dup(sys.stdout.fileno())

    def try_changes(runner: MutantRunner) -> None:
        for number, mutant in enumerate(mutants, start=1):
            if not is_noticed(mutant, runner):
                survived.append(mutant)
                os.write(own, f"[{number}/{len(mutants)}] not noticed: {mutant}\n".encode())

    DATABASE.parent.mkdir(parents=True, exist_ok=True)
    for each in DATABASE.parent.glob("test.*"):
        each.unlink()
    modules = list(dict.fromkeys(each.place.module for each in mutants))
    tests = list(dict.fromkeys(test for each in modules for test in TESTS_BY_MODULE[each]))
    runner = MutantRunner(DATABASE, try_changes)
    if run_session(tests, modules, runner):
        sys.exit(runner.failure or "The tests fail without any change: mend that first.")
    used = sum(
        resource.getrusage(who).ru_utime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(f"It took {used / 60:.0f} minutes of the processor.")
    MISSED.write_text(json.dumps([each.name for each in survived]), encoding="utf-8")
    return report(Counter(each.place.module for each in mutants), survived)


def is_noticed(mutant: Mutant, runner: MutantRunner) -> bool:
    module = mutant.place.module
    path = str(ROOT / module)
    changed = find_changed_code(path, Path(path).read_text(encoding="utf-8"), mutant.text)
    if changed is not None and runner.can_change(path, changed):
        return runner.is_noticed(path, changed, TESTS_BY_MODULE[module])
    if runner.is_noticed_when_loaded(module, mutant.text, TESTS_BY_MODULE[module]):
        return True
    slow = TESTS_OF_TABLES.get(module)
    return slow is not None and fails_when_loaded(module, mutant.text, slow, DATABASE)


if __name__ == "__main__":
    sys.exit(main())
