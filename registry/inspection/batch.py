"""Many names, one per line, checked and written as CSV, JSON or text in constant memory."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from itertools import chain
from typing import Any, Final, NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from registry import selectors
from registry.exchange.csv_rows import stream_csv_rows
from registry.inspection.finding import NamespaceFinding, RuleStanding, check_against_rule
from registry.inspection.result import (
    NameResult,
    ResultKind,
    conclude_malformed,
    conclude_registered,
    conclude_unregistered,
)
from registry.inspection.single import InspectionVerdict
from registry.lookalikes import find_lookalikes
from registry.models import Registration
from registry.namespace_rules import Outcome
from registry.namespace_rules.suggestions import SuggestedName, suggest_names
from registry.rate_limits import MAX_COMPARED_NIDS
from registry.selectors.imported_records import ImportedTemplate, map_imported_templates
from registry.selectors.name_rules import (
    NameRule,
    NamespaceEquivalence,
    find_equivalence,
    find_name_rule,
    map_versions_in_force,
    strip_explanations,
)
from registry.urn import URN, URNSyntaxError, nid as nids, parse
from registry.urn.characters import escape_surrogates, quote_excerpt

MAX_NEAR_NIDS: Final = 3


class CheckedLine(NamedTuple):
    """A line and its answer; `urn` or `error` says where the answer comes from.

    A line with neither could not be checked: `unread` says why, and there is no verdict. `finding`
    is what the rule of its registered namespace says about a URN, in short. `compared` is the URN
    in its namespace's form for comparison, the same for all spellings of one name.
    """

    number: int
    text: str
    verdict: InspectionVerdict | None
    urn: URN | None = None
    error: URNSyntaxError | None = None
    unread: str = ""
    finding: NamespaceFinding | None = None
    compared: str = ""


class RegisteredNids:
    """The registered NIDs when they were read, and which of them look alike.

    `with_rules` says whether names are also checked against the rules of their namespaces.
    """

    def __init__(self, registered: frozenset[str], *, with_rules: bool = True) -> None:
        self.registered, self.with_rules = registered, with_rules
        self._listed = tuple(registered)
        self._compared: dict[str, tuple[str, ...]] = {}
        self.explaining_rule: Callable[[str], NameRule | None] = cache(self._rule)
        self.rule: Callable[[str], NameRule | None] = cache(
            lambda nid: strip_explanations(self.explaining_rule(nid))
        )
        self.equivalence: Callable[[str], NamespaceEquivalence | None] = cache(self._equivalence)

    def __contains__(self, nid: str) -> bool:
        return nids.canonical(nid) in self.registered

    @cached_property
    def _skeletons(self) -> dict[str, set[str]]:
        """The registered NIDs by what they look like, for the first that is not registered."""
        found: dict[str, set[str]] = {}
        for nid in self.registered:
            found.setdefault(nids.fold_confusables(nid), set()).add(nid)
        return found

    @cached_property
    def _versions(self) -> dict[str, Registration]:
        """The versions in force, looked up once a rule is needed."""
        return map_versions_in_force()

    @cached_property
    def _imported(self) -> dict[str, ImportedTemplate]:
        """What documents of record say, looked up once no other rule is held."""
        return map_imported_templates()

    def _rule(self, nid: str) -> NameRule | None:
        """Return the rule for names of `nid`, which is canonical; None if it is not registered."""
        if nid not in self.registered:
            return None
        current = self._versions.get(nid)
        rule = find_name_rule(nid, current)
        if rule is None and current is None:
            rule = find_name_rule(nid, None, self._imported.get(nid))
        return rule

    def _equivalence(self, nid: str) -> NamespaceEquivalence | None:
        """Return when two names of `nid` are the same, as far as known."""
        return find_equivalence(nid, self._versions.get(nid))

    def near(self, nid: str) -> tuple[str, ...] | None:
        """Return the few most similar to `nid`; None after too many lookups."""
        canonical = nids.canonical(nid)
        if canonical not in self._compared:
            if len(self._compared) >= MAX_COMPARED_NIDS:
                return None
            self._compared[canonical] = self._near(canonical)
        return self._compared[canonical]

    def _near(self, canonical: str) -> tuple[str, ...]:
        """Return the few most similar to a canonical NID."""
        # In a list we look for typing errors: names more than two characters away, such as those
        # that share a word, would only distract.
        close = process.extract(
            canonical, self._listed, scorer=OSA.distance, score_cutoff=2, limit=None
        )
        alike = self._skeletons.get(nids.fold_confusables(canonical), set())
        candidates = alike.union(found[0] for found in close)
        return tuple(each.nid for each in find_lookalikes(canonical, candidates)[:MAX_NEAR_NIDS])


class LineCounts:
    """How many lines got which answer, and how many repeat a name of an earlier line."""

    def __init__(self) -> None:
        self.answers: Counter[InspectionVerdict] = Counter()
        self.findings: Counter[RuleStanding] = Counter()
        self.repeated = 0
        self._names: set[str] = set()

    def add(self, line: CheckedLine) -> None:
        if line.verdict is not None:
            self.answers[line.verdict] += 1
        if line.finding is not None:
            self.findings[line.finding.standing] += 1
        if line.urn is None:
            return
        name = line.compared or line.urn.assigned_name
        self.repeated += name in self._names
        self._names.add(name)


def read_registered_nids(*, with_rules: bool = True) -> RegisteredNids:
    return RegisteredNids(selectors.registered_nids(), with_rules=with_rules)


def check_lines(
    texts: Iterable[tuple[int, str]], registered: RegisteredNids
) -> Iterator[CheckedLine]:
    """Yield the answer for each numbered text."""
    for number, text in texts:
        yield check_line(number, text, registered)


def check_line(number: int, text: str, registered: RegisteredNids) -> CheckedLine:
    """Return the answer for one text."""
    try:
        urn = parse(text)
    except URNSyntaxError as error:
        # Its traceback would keep the frame that keeps the line, until garbage is collected.
        error = error.with_traceback(None)
        return CheckedLine(number, text, InspectionVerdict.MALFORMED, error=error)
    nid = nids.canonical(urn.nid)
    if nid not in registered.registered:
        return CheckedLine(number, text, InspectionVerdict.UNREGISTERED, urn)
    if not registered.with_rules:
        return CheckedLine(number, text, InspectionVerdict.REGISTERED, urn)
    finding = check_against_rule(urn, registered.rule(nid))
    compared = find_compared_urn(urn, finding, registered.equivalence(nid))
    return CheckedLine(
        number, text, InspectionVerdict.REGISTERED, urn, finding=finding, compared=compared
    )


def find_compared_urn(
    urn: URN, finding: NamespaceFinding, equivalence: NamespaceEquivalence | None
) -> str:
    """Return a URN as its namespace compares it; one against its rule as RFC 8141 does."""
    if equivalence is None or not equivalence.merges or finding.standing is RuleStanding.AGAINST:
        return urn.assigned_name
    begins = len("urn::") + len(urn.nid)
    return urn.assigned_name[:begins] + equivalence.find_merged(urn.assigned_name[begins:])


def find_resembling_nids(line: CheckedLine, registered: RegisteredNids) -> tuple[str, ...] | None:
    """Return the registered NIDs similar to the unregistered one of a line.

    None if the limit of lookups per list has been reached.
    """
    if line.urn is None or line.verdict is not InspectionVerdict.UNREGISTERED:
        return ()
    return registered.near(line.urn.nid)


def conclude_line(line: CheckedLine, registered: RegisteredNids) -> NameResult | None:
    """Return the overall result of a line; None for one that could not be checked."""
    if line.verdict is None:
        return None
    suggestions = suggest_line(line, registered)
    if line.error:
        return conclude_malformed(line.error, suggestions)
    assert line.urn is not None
    if line.verdict is InspectionVerdict.UNREGISTERED:
        return conclude_unregistered(line.urn, suggestions)
    return conclude_registered(line.urn, line.finding, suggestions)


def suggest_line(line: CheckedLine, registered: RegisteredNids) -> tuple[SuggestedName, ...]:
    """Return the names that a line may mean."""
    near = find_resembling_nids(line, registered) or ()
    return suggest_names(line.text, registered.explaining_rule, near)


def find_result_kind(line: CheckedLine) -> ResultKind | None:
    """Return the kind of result that `conclude_line` gives, quickly, for thousands of names."""
    if line.error:
        return ResultKind.MALFORMED
    if line.urn is None:
        return None
    if line.verdict is InspectionVerdict.UNREGISTERED:
        return ResultKind.UNREGISTERED
    standing = line.finding.standing if line.finding else RuleStanding.NO_RULE
    return RESULT_BY_STANDING[standing]


RESULT_BY_STANDING: Final = {
    RuleStanding.FOLLOWS: ResultKind.VALID,
    RuleStanding.AGAINST: ResultKind.INVALID,
    RuleStanding.DOUBTFUL: ResultKind.DOUBTFUL,
    RuleStanding.NOT_DECIDED: ResultKind.NOT_DECIDED,
    RuleStanding.NO_RULE: ResultKind.UNCHECKED,
}


CHECK_COLUMNS: Final = (
    "line",
    "text",
    "valid",
    "registered",
    "canonical",
    "position",
    "component",
    "rule",
    "message",
    "near",
    "finding",
    "finding_position",
    "finding_message",
    "result",
    "repaired",
)
_REGISTERED_BY_VERDICT: Final = {
    InspectionVerdict.REGISTERED: True,
    InspectionVerdict.UNREGISTERED: False,
}
_REPORTED_STANDINGS: Final = (RuleStanding.AGAINST, RuleStanding.DOUBTFUL, RuleStanding.NOT_DECIDED)
_PIECES_PER_CHUNK: Final = 256


def collect_line_facts(line: CheckedLine, registered: RegisteredNids) -> dict[str, Any]:
    """Return what is known of one line by the names in `CHECK_COLUMNS`; positions count from 0.

    `valid` is None for a line that was not read, `finding` for all but registered names, and `near`
    if no search was made.
    """
    urn, error, finding = line.urn, line.error, line.finding
    return {
        "line": line.number,
        "text": escape_surrogates(line.text),
        "valid": None if line.verdict is None else urn is not None,
        "registered": _REGISTERED_BY_VERDICT.get(line.verdict) if line.verdict else None,
        "canonical": urn.assigned_name if urn else None,
        "position": error.position if error else None,
        "component": error.component if error else None,
        "rule": error.rule if error else None,
        "message": str(error) if error else line.unread or None,
        "near": None if (alike := find_resembling_nids(line, registered)) is None else list(alike),
        "finding": finding.standing if finding else None,
        "finding_position": finding.position if finding else None,
        "finding_message": (finding.message or None) if finding else None,
        "result": find_result_kind(line),
        "repaired": find_repaired_name(line, registered),
    }


def find_repaired_name(line: CheckedLine, registered: RegisteredNids) -> str | None:
    """Return the likeliest name that follows its rule, for one that does not or is not a URN."""
    is_against = line.finding is not None and line.finding.standing is RuleStanding.AGAINST
    if not (line.error or is_against):
        return None
    suggestions = suggest_line(line, registered)
    return next((each.text for each in suggestions if each.outcome is Outcome.FOLLOWS), None)


def write_lines_csv(lines: Iterable[CheckedLine], registered: RegisteredNids) -> Iterator[str]:
    """Yield a heading and a row for each line; several NIDs are joined by spaces."""
    yield from join_pieces(write_csv_rows(lines, registered))


def write_csv_rows(lines: Iterable[CheckedLine], registered: RegisteredNids) -> Iterator[str]:
    """Yield the rows one by one; what a file cannot hold has been escaped to ASCII before."""
    every = (collect_line_facts(line, registered) for line in lines)
    cells = ((known | {"near": " ".join(known["near"] or ())}).values() for known in every)
    for row in stream_csv_rows(chain([CHECK_COLUMNS], cells)):
        yield row.encode("utf-8", "backslashreplace").decode("utf-8")


def write_lines_json(lines: Iterable[CheckedLine], registered: RegisteredNids) -> Iterator[str]:
    """Yield one JSON array with an object for each line."""
    yield "["
    yield from join_pieces(
        f"{',' if index else ''}\n{json.dumps(collect_line_facts(line, registered))}"
        for index, line in enumerate(lines)
    )
    yield "\n]\n"


def write_json_lines(lines: Iterable[CheckedLine], registered: RegisteredNids) -> Iterator[str]:
    """Yield one JSON object per line."""
    yield from join_pieces(
        f"{json.dumps(collect_line_facts(line, registered))}\n" for line in lines
    )


def write_lines_text(lines: Iterable[CheckedLine], registered: RegisteredNids) -> Iterator[str]:
    """Yield for each line its number, the answer, and details, separated by tabs."""
    yield from join_pieces(
        f"{line.number}\t{line.verdict or 'unread'}\t{describe_checked_line(line, registered)}\n"
        for line in lines
    )


def describe_checked_line(line: CheckedLine, registered: RegisteredNids) -> str:
    """Return the canonical form of a URN with its namespace's objection, else why it is none."""
    if line.error:
        return f"{quote_excerpt(line.text)}: {line.error}"
    if line.urn is None:
        return line.unread
    if line.finding and line.finding.standing in _REPORTED_STANDINGS:
        return f"{line.urn.assigned_name} ({line.finding.standing}: {line.finding.message})"
    alike = ", ".join(find_resembling_nids(line, registered) or ())
    return f"{line.urn.assigned_name} (near: {alike})" if alike else line.urn.assigned_name


def join_pieces(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the same text in fewer pieces, since each is sent separately."""
    held: list[str] = []
    for piece in pieces:
        held.append(piece)
        if len(held) == _PIECES_PER_CHUNK:
            yield "".join(held)
            held.clear()
    if held:
        yield "".join(held)
