"""What pages say about a NID while it is being chosen."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, ngettext

from registry import selectors
from registry.models import RegistrationRequest, Sighting
from registry.selectors.requests import list_nid_contenders
from registry.urn import Finding, Severity, nid as nids

HARD_NID_CHECKS: tuple[tuple[str | Promise, frozenset[str]], ...] = (
    (
        _("Length, characters and hyphens"),
        frozenset({"nid.length", "nid.characters", "nid.ends"}),
    ),
    (
        _("Not kept for country codes, encoded names, informal or experimental namespaces"),
        frozenset({"nid.two-letters", "nid.country", "nid.informal", "nid.experimental"}),
    ),
    (_("Not registered"), frozenset({"nid.registered", "nid.urn"})),
)
SOFT_NID_CHECKS: tuple[tuple[str | Promise, frozenset[str]], ...] = (
    (_("Not a URI scheme, country code, domain or known system"), frozenset({"nid.reserved"})),
    (_("Not asked for in another request"), frozenset({"nid.contended"})),
    (_("Not seen in use without registration"), frozenset({"nid.sighted"})),
    (_("Not close to another identifier"), frozenset({"nid.near"})),
)


@dataclass(frozen=True, slots=True)
class NIDAvailability:
    """Whether a NID can be requested, why not or what to consider, and what to try instead.

    `claims` are the sightings that a request for it will claim.
    """

    nid: str
    findings: tuple[Finding, ...]
    suggestions: tuple[str, ...]
    contenders: tuple[RegistrationRequest, ...]
    claims: tuple[Sighting, ...]

    @property
    def is_possible(self) -> bool:
        """Whether no hard rule is broken."""
        return not any(finding.severity is Severity.BLOCK for finding in self.findings)

    @property
    def considerations(self) -> str:
        """How many things there are to consider, as a half-sentence; nothing where none."""
        count = len(self.findings)
        return (
            ngettext(
                "with %(count)d thing to consider.", "with %(count)d things to consider.", count
            )
            % {"count": count}
            if count
            else ""
        )

    @property
    def passed(self) -> list[str]:
        """The rules that were asked and are kept; what people weigh is asked only after those."""
        broken = {finding.check for finding in self.findings}
        asked = (*HARD_NID_CHECKS, *SOFT_NID_CHECKS) if self.is_possible else HARD_NID_CHECKS
        return [str(words) for words, checks in asked if not checks & broken]


def check_nid_availability(
    nid: str, registration_request: RegistrationRequest | None = None
) -> NIDAvailability | None:
    """Return what there is to say of `nid` as the one asked for; None while nothing is typed.

    `registration_request` is the one that asks, which does not contend with itself.
    """
    nid = nid.strip()
    if not nid:
        return None
    findings = selectors.list_nid_findings(nid, registration_request)
    blocked = any(finding.severity is Severity.BLOCK for finding in findings)
    taken = selectors.registered_nids() if blocked else frozenset()
    return NIDAvailability(
        nid,
        findings,
        nids.suggestions(nid, taken) if blocked else (),
        () if blocked else tuple(list_nid_contenders(nid, registration_request)),
        () if blocked else tuple(selectors.claimable_sightings(nids.canonical(nid))),
    )
