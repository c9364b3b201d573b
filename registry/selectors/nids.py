"""What there is to say of a NID: whether it can be had, and what it resembles."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from registry import validators
from registry.models import Namespace, RegistrationRequest, ReservedName, Sighting
from registry.selectors.namespaces import registered_nids
from registry.selectors.requests import requests_holding_nids
from registry.urn import Finding, Severity, nid as nids

LIKENESS_SOURCE = "RFC 8141, section 5.1"


def list_nid_findings(
    nid: str, registration_request: RegistrationRequest | None = None
) -> tuple[Finding, ...]:
    """Return what there is to say of `nid` for a new formal namespace.

    Blocks come from `registry.urn.nid.check`, the one home of the hard rules, which also
    decides at publishing; to consider are names it resembles (docs/process.md, NIDs).
    """
    hard = nids.check(nid, registered_nids())
    return hard if hard else tuple(list_nid_considerations(nid, registration_request))


def list_nid_considerations(
    nid: str, registration_request: RegistrationRequest | None
) -> Iterable[Finding]:
    """Yield what people should weigh about a NID that breaks no hard rule."""
    canonical = nid.lower()
    for reserved in ReservedName.objects.filter(name=canonical):
        yield make_consideration(
            "nid.reserved",
            _("“%(nid)s” is also on a list: %(list)s%(note)s.")
            % {
                "nid": nid,
                "list": reserved.get_list_display(),
                "note": f", {reserved.note}" if reserved.note else "",
            },
            _("Say under Interoperability why the two will not be mistaken for each other."),
        )
    others = requests_holding_nids(registration_request).values_list("nid", "reference")
    held = dict(others)
    if canonical in held:
        yield make_consideration(
            "nid.contended",
            _("Request %(reference)s asks for “%(nid)s” too.")
            % {"reference": held[canonical], "nid": nid},
            _("Both can go on; experts will ask the two of you to agree."),
        )
    registered, sighted = registered_nids(), sighted_nids()
    if canonical in sighted:
        yield make_consideration(
            "nid.sighted",
            _("“%(nid)s” was seen in use without registration.") % {"nid": nid},
            _("Are the names yours, the request claims them; else say how they are told apart."),
        )
    for alike in validators.find_lookalikes(canonical, registered | held.keys() | sighted):
        yield make_consideration(
            "nid.near",
            _("Close to “%(nid)s”, %(where)s. %(reason)s.")
            % {
                "nid": alike.nid,
                "where": describe_nid_origin(alike.nid, registered, held),
                "reason": alike.reason,
            },
            _("Choose a name that is not easily mistaken, or say why it will not be."),
        )


def describe_nid_origin(nid: str, registered: Container[str], held: Mapping[str, str]) -> str:
    """Return where a NID is known from that another resembles."""
    if nid in held:
        return _("in request %s") % held[nid]
    return _("which is registered") if nid in registered else _("which is in use unregistered")


def sighted_nids() -> frozenset[str]:
    """Return every NID that was seen in use without registration."""
    return frozenset(Sighting.objects.values_list("nid", flat=True))


def make_consideration(check_id: str, message: str, mend: str) -> Finding:
    """Return a finding about the NID that people weigh."""
    return Finding(check_id, Severity.WARN, message, LIKENESS_SOURCE, mend, "nid")


@dataclass(frozen=True, slots=True)
class SimilarNid:
    """A NID that resembles another: in what, what it names, and where to read about it."""

    nid: str
    reason: str
    summary: str
    url: str


def find_similar_nids(text: str, most: int = 10) -> list[SimilarNid]:
    """Return the registered, requested and sighted NIDs that resemble `text`, the nearest first."""
    held = requests_holding_nids(None)
    sighted = {each.nid: each for each in Sighting.objects.only("nid", "user_of_it")}
    known = registered_nids().union(held.values_list("nid", flat=True), sighted)
    alike = validators.find_lookalikes(text, known)[:most]
    names = [each.nid for each in alike]
    found: dict[str, Namespace | RegistrationRequest | Sighting] = {
        **sighted,
        **{each.nid: each for each in held.filter(nid__in=names)},
        **Namespace.objects.in_bulk(names, field_name="nid"),
    }
    return [
        SimilarNid(each.nid, each.reason, summarize_nid(subject), subject.get_absolute_url())
        for each in alike
        for subject in (found[each.nid],)
    ]


def summarize_nid(subject: Namespace | RegistrationRequest | Sighting) -> str:
    """Return what a NID names; of one that was only seen in use, that it was."""
    if not isinstance(subject, Sighting):
        return subject.summary
    if subject.user_of_it:
        return _("in use without registration by %(who)s") % {"who": subject.user_of_it}
    return _("in use without registration")
