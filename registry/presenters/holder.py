"""Who speaks for a namespace, and upcoming changes to that, as its page shows them."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils import timezone

from registry.enums import DelegateChangeKind
from registry.forms.holder import (
    CHANGE_ACT_FORMS,
    HOLDER_ACT_FORMS,
    ChangeActForm,
    HolderActForm,
)
from registry.models import DelegateChange, HolderSearch, Namespace, User
from registry.permissions import Person
from registry.selectors.holder_clock import (
    OfficeWait,
    find_claim_wait,
    find_opening_time,
    find_search_wait,
)
from registry.selectors.holder_consent import find_offer
from registry.workflow.holder_signs import describe_finding, find_search


@dataclass(frozen=True, slots=True)
class ClaimNotice:
    """A notice that somebody is to act for the holder of a namespace; it names nobody.

    They proved it by `domain`; without one, an administrator named them as the first.
    """

    domain: str
    takes_effect_at: datetime.datetime | None
    needs_source: bool
    waiting: OfficeWait | None

    @classmethod
    def of(cls, change: DelegateChange) -> ClaimNotice:
        """Return the public facts of a claim."""
        return cls(
            change.proof.domain if change.proof else "",
            change.takes_effect_at,
            change.needs_source,
            find_claim_wait(change),
        )


@dataclass(frozen=True, slots=True)
class SearchNotice:
    """The public state of a search for a holder."""

    search: HolderSearch
    opening: datetime.datetime | None
    finding: str
    waiting: OfficeWait | None

    @classmethod
    def of(cls, search: HolderSearch) -> SearchNotice:
        """Return the state of a search."""
        finding = describe_finding(search) if search.decided_at else ""
        waiting = find_search_wait(search, timezone.now())
        return cls(search, find_opening_time(search), finding, waiting)

    @property
    def stage(self) -> str:
        """The stage in one word: letters, notice, finding or appeal."""
        if self.search.is_stayed:
            return "appeal"
        if self.search.decided_at:
            return "finding"
        return "notice" if self.search.opened_at else "letters"


def list_claim_notices(namespace: Namespace) -> list[ClaimNotice]:
    """Return the pending claims to act for a namespace's holder."""
    if namespace.registrant_id is None:
        return []
    claims = Q(kind=DelegateChangeKind.CLAIM)
    first = Q(kind=DelegateChangeKind.NAME, is_first=True, confirmed_at__isnull=False)
    found = DelegateChange.objects.pending().filter(
        claims | first, organization=namespace.registrant_id
    )
    return [
        ClaimNotice.of(each)
        for each in found.select_related("proof", "organization").order_by("asked_at")
    ]


def find_search_notice(namespace: Namespace) -> SearchNotice | None:
    """Return the state of the current search for the holder, or None."""
    search = find_search(namespace)
    return SearchNotice.of(search) if search else None


def list_open_holder_acts(person: Person, namespace: Namespace) -> list[str]:
    """Return the actions of `person` on the page of a namespace's holder."""
    return [act for act, form in HOLDER_ACT_FORMS.items() if form.is_open(person, namespace)]


def build_holder_forms(
    person: Person, namespace: Namespace, posted: Any = None
) -> list[HolderActForm]:
    """Return the forms open to `person`, the posted one filled in."""
    act = posted.get("act") if posted else None
    return [
        HOLDER_ACT_FORMS[each](
            posted if each == act else None,
            namespace=namespace,
            initial={"references": "\n".join(namespace.references)},
        )
        for each in list_open_holder_acts(person, namespace)
    ]


def build_change_forms(
    person: Person, change: DelegateChange, posted: Any = None
) -> list[ChangeActForm]:
    """Return the forms open to `person` for a change, the posted one filled in."""
    act = posted.get("act") if posted else None
    return [
        form(posted if name == act else None, change=change)
        for name, form in CHANGE_ACT_FORMS.items()
        if form.is_open(person, change)
    ]


def build_holder_context(namespace: Namespace, person: Person) -> dict[str, Any]:
    """Return what the page of a namespace's holder shows, except its forms."""
    registrant = namespace.registrant
    return {
        "namespace": namespace,
        "registrant": registrant,
        "count": registrant.speakers.in_effect().filter(person__is_active=True).count()
        if registrant
        else 0,
        "claims": list_claim_notices(namespace),
        "search": find_search_notice(namespace),
        "is_offered": isinstance(person, User) and find_offer(namespace) == person,
    }
