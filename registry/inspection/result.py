"""The overall result for a name, decided by the worst finding, in pages and in the API."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.utils.translation import gettext as _

from registry import search
from registry.inspection.finding import NamespaceFinding, RuleStanding, check_against_rule
from registry.namespace_descriptions import find_description
from registry.namespace_rules import NamespaceRule, Outcome
from registry.namespace_rules.check_digits import WrongDigits, find_wrong_digits
from registry.selectors.name_rules import NameRule
from registry.urn import URN, Repair, URNSyntaxError, is_valid, nid as nids, parse

MAX_REPAIRED_LENGTH: Final = 300
MAX_REPAIRS: Final = 4


class ResultKind(StrEnum):
    MALFORMED = "malformed"
    INVALID = "invalid"
    UNREGISTERED = "unregistered"
    OTHER_NAMESPACE = "other namespace"
    DOUBTFUL = "doubtful"
    NOT_DECIDED = "not decided"
    UNCHECKED = "unchecked"
    VALID = "valid"

    @property
    def tone(self) -> str:
        """The tone of its note."""
        if self in (ResultKind.MALFORMED, ResultKind.INVALID):
            return "bad"
        if self in (ResultKind.UNREGISTERED, ResultKind.OTHER_NAMESPACE, ResultKind.DOUBTFUL):
            return "warn"
        return "ok" if self is ResultKind.VALID else "info"


@dataclass(frozen=True, slots=True)
class NameResult:
    """The result for one name: its kind, a short and a longer sentence, and the position.

    `position` counts from 0 in the text; `repairs` are whole names to try instead, likeliest first;
    `source` is the document that the result is based on.
    """

    kind: ResultKind
    title: str
    detail: str = ""
    position: int | None = None
    source: str = ""
    repairs: tuple[Repair, ...] = ()

    @property
    def tone(self) -> str:
        """The tone of its note."""
        return self.kind.tone


def conclude_malformed(text: str, error: URNSyntaxError, repairs: Sequence[Repair]) -> NameResult:
    """Return the result for a text that is not a URN; names that only lack `urn:` come first."""
    bare = [
        Repair(each.urn, (_("read as a name in %(nid)s") % {"nid": each.nid},))
        for each in search.recognize_bare_names(text)
        if not each.message
    ]
    return NameResult(
        ResultKind.MALFORMED,
        _("Not a URN"),
        str(error.message),
        error.position,
        error.rule,
        tuple({each.text: each for each in (*bare, *repairs)}.values())[:MAX_REPAIRS],
    )


def conclude_unregistered(urn: URN, near: Iterable[tuple[str, NameRule | None]]) -> NameResult:
    """Return the result for a URN whose NID is not registered.

    `near` are similar registered NIDs, with the rules for their names: each gives a whole name to
    try, those that follow their rule first.
    """
    nid = nids.canonical(urn.nid)
    return NameResult(
        ResultKind.UNREGISTERED,
        _("No namespace “%(nid)s” is registered") % {"nid": nid},
        _("The syntax follows RFC 8141, but no registrant is responsible for the name."),
        len("urn:"),
        "RFC 8141, section 5",
        tuple(offer_other_nids(urn, near))[:MAX_REPAIRS],
    )


def offer_other_nids(urn: URN, near: Iterable[tuple[str, NameRule | None]]) -> Iterator[Repair]:
    """Yield the name under each of the NIDs, except those whose rule rejects it."""
    ranked: list[tuple[int, Repair]] = []
    for nid, rule in near:
        other = parse(f"urn:{nid}:{urn.text[len('urn::') + len(urn.nid) :]}")
        outcome = rule.check(other).outcome if rule else Outcome.NOT_DECIDED
        changes = (_("“%(wrong)s” read as “%(nid)s”") % {"wrong": urn.nid, "nid": nid},)
        if outcome is not Outcome.AGAINST:
            ranked.append((outcome is not Outcome.FOLLOWS, Repair(other.text, changes)))
    yield from (repair for _rank, repair in sorted(ranked, key=lambda each: each[0]))


def conclude_registered(urn: URN, finding: NamespaceFinding | None) -> NameResult:
    """Return the result for a URN in a registered namespace, by the finding of its rule."""
    nid = nids.canonical(urn.nid)
    standing = finding.standing if finding else RuleStanding.NO_RULE
    if finding is None or standing is RuleStanding.NO_RULE:
        return NameResult(
            ResultKind.UNCHECKED,
            _("A well-formed URN in a registered namespace"),
            _("We hold no rule for names in %(nid)s, so only RFC 8141 was checked.") % {"nid": nid},
            source="RFC 8141",
        )
    if standing is RuleStanding.AGAINST:
        return conclude_invalid(urn, finding)
    called = name_of_names(nid)
    if standing is RuleStanding.DOUBTFUL:
        title, kind = _("May not be a valid %(called)s"), ResultKind.DOUBTFUL
    elif standing is RuleStanding.NOT_DECIDED:
        title, kind = _("A URN that could not be checked as %(called)s"), ResultKind.NOT_DECIDED
    else:
        detail = _("This does not tell you whether the name has been assigned.")
        title = _("A valid %(called)s") % {"called": called}
        return NameResult(ResultKind.VALID, title, detail, source=finding.document)
    return NameResult(
        kind, title % {"called": called}, finding.message, finding.position, finding.document
    )


def conclude_invalid(urn: URN, finding: NamespaceFinding) -> NameResult:
    """Return the result for a URN that breaks its rule: what is wrong, and what may be meant.

    By RFC 8141 it is a URN all the same.
    """
    called = name_of_names(nids.canonical(urn.nid))
    wrong = find_wrong_digits_of(urn, finding)
    position = finding.position
    if wrong:
        said = (
            _("Not a valid %(called)s: the check digits should be %(right)s, not %(wrong)s")
            if len(wrong.expected) > 1
            else _("Not a valid %(called)s: the check digit should be %(right)s, not %(wrong)s")
        )
        title = said % {"called": called, "right": wrong.expected, "wrong": wrong.found}
        detail = _("Another character may be wrong instead.")
    elif position is not None and position < len(urn.text):
        said = _("Not a valid %(called)s: character %(number)d cannot be “%(character)s”")
        title = said % {
            "called": called,
            "number": position + 1,
            "character": urn.text[position],
        }
        detail = finding.message
    else:
        title = _("Not a valid %(called)s: it ends too early") % {"called": called}
        detail = finding.message
    return NameResult(
        ResultKind.INVALID,
        title,
        detail,
        position,
        finding.document,
        tuple(repair_name(urn, finding.rule, wrong))[:MAX_REPAIRS],
    )


def conclude_other_namespace(urn: URN, nid: str) -> NameResult:
    """Return the result for a URN that was checked as a name in `nid`, but is in another."""
    return NameResult(
        ResultKind.OTHER_NAMESPACE,
        _("Not a name in %(nid)s") % {"nid": nid},
        _("It is a URN in the namespace “%(other)s”.") % {"other": nids.canonical(urn.nid)},
        len("urn:"),
        "RFC 8141, section 2",
    )


def name_of_names(nid: str) -> str:
    """Return what names of a namespace are called: ISBN, or name in lex."""
    described = find_description(nid)
    if described and described.called:
        return described.called
    return _("name in %(nid)s") % {"nid": nid}


def find_wrong_digits_of(urn: URN, finding: NamespaceFinding) -> WrongDigits | None:
    """Return the wrong check digits of an otherwise valid name; None if something else is wrong."""
    ruling = finding.ruling
    if ruling is None or ruling.check != "rulebook.check-digits":
        return None
    assert isinstance(finding.rule, NamespaceRule)
    return find_wrong_digits(finding.rule.check_digits, urn.nss)


def repair_name(urn: URN, rule: NameRule | None, wrong: WrongDigits | None) -> Iterator[Repair]:
    """Yield valid names that may have been meant, likeliest first."""
    if rule is None or len(urn.nss) > MAX_REPAIRED_LENGTH:
        return
    if wrong:
        yield Repair(replace_check_digits(urn, wrong), (_("check digit corrected"),))
    nss = urn.nss
    prefix = f"urn:{urn.nid}:".lower()
    single = nss[len(prefix) :] if nss.lower().startswith(prefix) else ""
    compact = nss.replace("-", "").replace("%20", "")
    candidates = [
        (single, _("written with “urn:%(nid)s:” only once") % {"nid": urn.nid}),
        (nss.rstrip(".,;"), _("punctuation at the end removed")),
        (compact, _("hyphens and spaces removed")),
        (nss.upper(), _("in upper case")),
        (nss.lower(), _("in lower case")),
        (compact.upper(), _("hyphens removed, in upper case")),
        (nss.replace("/", ":", 1), _("slash read as a colon")),
    ]
    tail = urn.text[len("urn::") + len(urn.nid) + len(nss) :]
    seen = {nss}
    for other, change in candidates:
        name = f"urn:{urn.nid}:{other}{tail}"
        if other in seen or not is_valid(name):
            continue
        seen.add(other)
        if check_against_rule(parse(name), rule).standing is RuleStanding.FOLLOWS:
            yield Repair(name, (change,))


def replace_check_digits(urn: URN, wrong: WrongDigits) -> str:
    """Return the whole name with the right check digits, leaving marks between them in place."""
    begin = len("urn::") + len(urn.nid)
    place, written, right = begin + wrong.position, list(urn.text), list(wrong.expected)
    while right and place < len(written):
        if written[place] not in "-.":
            written[place] = right.pop(0)
        place += 1
    return "".join(written)
