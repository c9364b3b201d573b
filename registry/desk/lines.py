"""Many names, one on each line, in memory that does not grow with their number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from typing import Final, NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from registry import likeness, queries
from registry.check_limits import MAX_COMPARED_NIDS
from registry.desk.findings import NamespaceFinding, Standing, find_out
from registry.desk.inspection import Verdict
from registry.models import Registration
from registry.queries.name_rules import Held, held, sparing, versions_in_force
from registry.urn import URN, URNSyntaxError, nid as nids, parse

NEAR: Final = 3


class Line(NamedTuple):
    """A line and the answer about it; `urn` or `error` says where the answer comes from.

    A line with neither could not be asked about: `unread` says why, and there is no verdict.
    `finding` is what the rule of its registered namespace says of a URN, in few words.
    """

    number: int
    text: str
    verdict: Verdict | None
    urn: URN | None = None
    error: URNSyntaxError | None = None
    unread: str = ""
    finding: NamespaceFinding | None = None


class Known:
    """The registered NIDs as they were when they were asked for, and which of them look alike.

    `with_rules` says whether names are held against the rules of their namespaces too.
    """

    def __init__(self, registered: frozenset[str], *, with_rules: bool = True) -> None:
        self.registered, self.with_rules = registered, with_rules
        self._listed = tuple(registered)
        self._skeletons: dict[str, set[str]] = {}
        for nid in registered:
            self._skeletons.setdefault(nid.translate(likeness.LOOK_ALIKES), set()).add(nid)
        self._compared: dict[str, tuple[str, ...]] = {}
        self.rule: Callable[[str], Held | None] = cache(self._rule)

    def __contains__(self, nid: str) -> bool:
        return nids.canonical(nid) in self.registered

    @cached_property
    def _versions(self) -> dict[str, Registration]:
        """The versions in force, looked up once, when a rule is needed."""
        return versions_in_force()

    def _rule(self, nid: str) -> Held | None:
        """Return the rule for names of `nid`, which is canonical."""
        return sparing(held(nid, self._versions.get(nid)))

    def near(self, nid: str) -> tuple[str, ...] | None:
        """Return the few that resemble `nid` most; none at all where it was asked too often."""
        canonical = nids.canonical(nid)
        if canonical not in self._compared:
            if len(self._compared) >= MAX_COMPARED_NIDS:
                return None
            self._compared[canonical] = self._near(canonical)
        return self._compared[canonical]

    def _near(self, canonical: str) -> tuple[str, ...]:
        """Return the few that resemble a canonical NID most."""
        # Narrows down quickly what `likeness` then decides: nothing it finds is further off.
        close = process.extract(
            canonical, self._listed, scorer=OSA.distance, score_cutoff=2, limit=None
        )
        alike = self._skeletons.get(canonical.translate(likeness.LOOK_ALIKES), set())
        candidates = alike.union(found[0] for found in close)
        return tuple(each.nid for each in likeness.near(canonical, candidates)[:NEAR])


class Tally:
    """How many lines got which answer, and how many repeat a name of an earlier line."""

    def __init__(self) -> None:
        self.answers: Counter[Verdict] = Counter()
        self.findings: Counter[Standing] = Counter()
        self.repeated = 0
        self._names: set[str] = set()

    def add(self, line: Line) -> None:
        """Count one line."""
        if line.verdict is not None:
            self.answers[line.verdict] += 1
        if line.finding is not None:
            self.findings[line.finding.standing] += 1
        if line.urn is None:
            return
        name = line.urn.assigned_name
        self.repeated += name in self._names
        self._names.add(name)


def known(*, with_rules: bool = True) -> Known:
    """Read the registered NIDs."""
    return Known(queries.registered_nids(), with_rules=with_rules)


def check(texts: Iterable[tuple[int, str]], registered: Known) -> Iterator[Line]:
    """Yield the answer about each numbered text."""
    for number, text in texts:
        yield judge(number, text, registered)


def judge(number: int, text: str, registered: Known) -> Line:
    """Return the answer about one text."""
    try:
        urn = parse(text)
    except URNSyntaxError as error:
        return Line(number, text, Verdict.MALFORMED, error=error)
    nid = nids.canonical(urn.nid)
    if nid not in registered.registered:
        return Line(number, text, Verdict.UNREGISTERED, urn)
    finding = find_out(urn, registered.rule(nid)) if registered.with_rules else None
    return Line(number, text, Verdict.REGISTERED, urn, finding=finding)


def resembling(line: Line, registered: Known) -> tuple[str, ...] | None:
    """Return the registered NIDs that resemble that of a line which nobody has registered.

    There is no answer where as many were looked for as are in one list.
    """
    if line.urn is None or line.verdict is not Verdict.UNREGISTERED:
        return ()
    return registered.near(line.urn.nid)
