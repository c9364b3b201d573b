"""The overall result for a name, decided by the worst finding, in pages and in the API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from registry.inspection.finding import NamespaceFinding, RuleStanding
from registry.namespace_descriptions import find_description
from registry.namespace_rules import NamespaceRule
from registry.namespace_rules.check_digits import WrongDigits, find_wrong_digits
from registry.namespace_rules.suggestions import SuggestedName
from registry.urn import URN, URNSyntaxError, nid as nids


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
    repairs: tuple[SuggestedName, ...] = ()

    @property
    def tone(self) -> str:
        """The tone of its note."""
        return self.kind.tone


def conclude_malformed(error: URNSyntaxError, repairs: Sequence[SuggestedName]) -> NameResult:
    """Return the result for a text that is not a URN."""
    return NameResult(
        ResultKind.MALFORMED,
        _("Not a URN"),
        str(error.message),
        error.position,
        error.rule,
        tuple(repairs),
    )


def conclude_unregistered(
    urn: URN, repairs: Sequence[SuggestedName], *, is_seen: bool = False
) -> NameResult:
    """Return the result for a URN whose NID is not registered; it may have been seen in use."""
    detail = _("The syntax follows RFC 8141, but no registrant is responsible for the name.")
    if is_seen:
        detail = " ".join([detail, _("The identifier was seen in use.")])
    return NameResult(
        ResultKind.UNREGISTERED,
        _("No namespace “%(nid)s” is registered") % {"nid": nids.canonical(urn.nid)},
        detail,
        len("urn:"),
        "RFC 8141, section 5",
        tuple(repairs),
    )


def conclude_registered(
    urn: URN, finding: NamespaceFinding | None, repairs: Sequence[SuggestedName]
) -> NameResult:
    """Return the result for a URN in a registered namespace, by the finding of its rule."""
    nid = nids.canonical(urn.nid)
    standing = finding.standing if finding else RuleStanding.NO_RULE
    if finding is None or standing is RuleStanding.NO_RULE:
        return NameResult(
            ResultKind.UNCHECKED,
            _("A well-formed URN in a registered namespace"),
            _("We hold no rule for names in %(nid)s, so only RFC 8141 was checked.") % {"nid": nid},
            source="RFC 8141",
            repairs=tuple(repairs),
        )
    if standing is RuleStanding.AGAINST:
        return conclude_invalid(urn, finding, repairs)
    called = name_of_names(nid)
    if standing is RuleStanding.DOUBTFUL:
        title, kind = _("May not be a valid %(called)s"), ResultKind.DOUBTFUL
    elif standing is RuleStanding.NOT_DECIDED:
        title, kind = _("A URN that could not be checked as %(called)s"), ResultKind.NOT_DECIDED
    else:
        detail = _("This does not tell you whether the name has been assigned.")
        title = _("A valid %(called)s") % {"called": called}
        return NameResult(
            ResultKind.VALID, title, detail, source=finding.document, repairs=tuple(repairs)
        )
    return NameResult(
        kind,
        title % {"called": called},
        finding.message,
        finding.position,
        finding.document,
        tuple(repairs),
    )


def conclude_invalid(
    urn: URN, finding: NamespaceFinding, repairs: Sequence[SuggestedName]
) -> NameResult:
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
        if finding.ruling and finding.ruling.remark:
            detail = f"{detail} {finding.ruling.remark}"
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
        tuple(repairs),
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
    wrong = find_wrong_digits(finding.rule.check_digits, urn.nss)
    is_reason = wrong and ruling.position == len("urn::") + len(urn.nid) + wrong.position
    return wrong if is_reason else None
