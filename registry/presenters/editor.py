"""What surrounds the text in the editor: sections, checks, remarks, and the NID."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from registry import selectors
from registry.models import DismissedFinding, RegistrationRequest, Round, Sighting
from registry.presenters.remarks import count_unanswered_by_page
from registry.selectors.case import open_case
from registry.selectors.publication import list_later_findings
from registry.selectors.requests import list_nid_contenders
from registry.template import PAGES, Page, Progress, Stage, Template, page_of, progress, tally
from registry.urn import Finding, Severity, nid as nids


@dataclass(frozen=True, slots=True)
class EditorSection:
    """One page of the editor in the list of sections."""

    title: str
    url: str
    state: str
    words: str
    current: bool


@dataclass(frozen=True, slots=True)
class PageTab:
    """One view of the draft or of the request."""

    title: str
    url: str
    current: bool = False
    count: str = ""


@dataclass(frozen=True, slots=True)
class LocatedFinding:
    """A finding, and the page on which it can be fixed."""

    finding: Finding
    page: Page
    url: str


def build_editor_rail(
    registration_request: RegistrationRequest, template: Template, page: Page | None
) -> dict[str, Any]:
    """Return what the rail shows next to `page` when the draft reads like `template`."""
    found = selectors.list_findings(registration_request, template)
    pages = progress(template, found, selectors.build_check_context(registration_request))
    done, required = tally(pages)
    unanswered = count_unanswered_by_page(registration_request)
    dismissed = map_dismissed_findings(registration_request)
    started = {each.page.slug for each in pages if each.state is not Stage.NOT_STARTED}
    # An untouched section is not wrong: it shows what it lacks once it has some text.
    asked = [each for each in found if page_of(each.section or "nid").slug in started]
    here = [each for each in asked if page and each.section in page.fields]
    elsewhere = [each for each in asked if each not in here]
    shown = [each for each in here if (each.check, each.section) not in dismissed]
    is_started = page is None or page.slug in started
    return {
        "sections": [
            EditorSection(
                each.page.title,
                get_edit_url(registration_request, each.page),
                *describe_page_progress(each, unanswered[each.page.slug]),
                each.page == page,
            )
            for each in pages
        ],
        "done": done,
        "required": required,
        "findings": shown,
        "dismissed": [
            (each, dismissed[each.check, each.section]) for each in here if each not in shown
        ],
        "is_started": is_started,
        "passed": [_("Nothing to fix on this page")] if is_started and not shown else [],
        "elsewhere": sum(each.severity is Severity.BLOCK for each in elsewhere),
    }


def map_dismissed_findings(
    registration_request: RegistrationRequest,
) -> dict[tuple[str, str], DismissedFinding]:
    """Return the findings that the registrant's side dismissed, by check and section."""
    return {each.key: each for each in registration_request.dismissed_findings.all()}


def describe_page_progress(each: Progress, remarks: int) -> tuple[str, str]:
    """Return the progress of a page: remarks to answer outweigh being complete."""
    if not remarks or each.state is Stage.TO_FIX:
        return each.state, each.words
    words = ngettext("%(count)d to answer", "%(count)d to answer", remarks)
    return "question", words % {"count": remarks}


@dataclass(frozen=True, slots=True)
class LocatedFindings:
    """The findings on a whole draft: that prevent sending it, or publication, or nothing."""

    blocking: tuple[LocatedFinding, ...]
    later: tuple[LocatedFinding, ...]
    to_consider: tuple[LocatedFinding, ...]


def locate_findings(draft: Round) -> LocatedFindings:
    """Return the findings on a draft, each with the page on which it can be fixed."""
    registration_request = draft.registration_request
    found = selectors.list_findings(registration_request, draft.template)
    later = list_later_findings(open_case(registration_request), draft)
    blocking = [each for each in found if each.severity is Severity.BLOCK]
    stops = {(each.check, each.section) for each in (*blocking, *later)}
    dismissed = map_dismissed_findings(registration_request)
    to_consider = [
        each
        for each in found
        if (each.check, each.section) not in stops and (each.check, each.section) not in dismissed
    ]
    return LocatedFindings(
        *(
            tuple(locate_finding(registration_request, each) for each in findings)
            for findings in (blocking, later, to_consider)
        )
    )


def locate_finding(registration_request: RegistrationRequest, finding: Finding) -> LocatedFinding:
    page = page_of(finding.section or "nid")
    return LocatedFinding(finding, page, get_edit_url(registration_request, page))


def get_edit_url(registration_request: RegistrationRequest, page: Page) -> str:
    return reverse("requests:edit", args=[registration_request.slug, page.slug])


def list_draft_tabs(
    registration_request: RegistrationRequest, last: Round | None, page: Page, current: str
) -> list[PageTab]:
    """Return the views of the draft: write, preview, and changes once there was a round."""
    slug = registration_request.slug
    preview, changes = (
        f"{reverse(f'requests:{name}', args=[slug])}?section={page.slug}"
        for name in ("preview", "draft_changes")
    )
    tabs = [
        PageTab(_("Write"), get_edit_url(registration_request, page), current == "write"),
        PageTab(_("Preview"), preview, current == "preview"),
    ]
    if last:
        title = _("Changes since round %(number)d") % {"number": last.number}
        tabs.append(PageTab(title, changes, current == "changes"))
    return tabs


def find_neighbouring_pages(page: Page) -> tuple[Page | None, Page | None]:
    """Return the previous and the next page."""
    at = PAGES.index(page)
    before = PAGES[at - 1] if at else None
    after = PAGES[at + 1] if at + 1 < len(PAGES) else None
    return before, after


HARD_NID_CHECKS: tuple[tuple[str | Promise, frozenset[str]], ...] = (
    (
        gettext_lazy("Length, characters and hyphens"),
        frozenset({"nid.length", "nid.characters", "nid.ends"}),
    ),
    (
        gettext_lazy(
            "Not kept for country codes, encoded names, informal or experimental namespaces"
        ),
        frozenset({"nid.two-letters", "nid.country", "nid.informal", "nid.experimental"}),
    ),
    (gettext_lazy("Not registered"), frozenset({"nid.registered", "nid.urn"})),
)
SOFT_NID_CHECKS: tuple[tuple[str | Promise, frozenset[str]], ...] = (
    (
        gettext_lazy("Not a URI scheme, country code, domain or known system"),
        frozenset({"nid.reserved", "nid.suggests"}),
    ),
    (gettext_lazy("Not too general a word"), frozenset({"nid.general"})),
    (gettext_lazy("Not in another request"), frozenset({"nid.contended", "nid.asked-before"})),
    (gettext_lazy("Not seen in use without registration"), frozenset({"nid.sighted"})),
    (gettext_lazy("Not close to another identifier"), frozenset({"nid.near"})),
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
        """How many things there are to consider, as part of a sentence; empty if none."""
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
        """The rules that were checked and are followed; matters of judgement come after them."""
        broken = {finding.check for finding in self.findings}
        asked = (*HARD_NID_CHECKS, *SOFT_NID_CHECKS) if self.is_possible else HARD_NID_CHECKS
        return [str(words) for words, checks in asked if not checks & broken]


def check_nid_availability(
    nid: str, registration_request: RegistrationRequest | None = None
) -> NIDAvailability | None:
    """Return what there is to say about requesting `nid`; None while nothing is typed.

    `registration_request` is the one that asks, which does not compete with itself.
    """
    nid = nid.strip()
    if not nid:
        return None
    findings = selectors.list_nid_findings(nid, registration_request)
    blocked = any(finding.severity is Severity.BLOCK for finding in findings)
    return NIDAvailability(
        nid,
        findings,
        nids.suggestions(nid, selectors.NidLookup()) if blocked else (),
        () if blocked else tuple(list_nid_contenders(nid, registration_request)),
        () if blocked else tuple(selectors.claimable_sightings(nids.canonical(nid))),
    )
