"""Signs of a namespace's holder, each of which ends a search for them at once."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import SearchOutcome
from registry.models import HolderSearch, Namespace
from registry.permissions import Person, PublishedContact
from registry.workflow.events import record_event


def find_search(namespace: Namespace) -> HolderSearch | None:
    """Return the current search, or None."""
    return namespace.holder_searches.under_way().select_related("namespace").first()


def answer_search(search: HolderSearch, *, actor: Person, by: str) -> None:
    """End the search at once, since the holder has given a sign; doing it twice is no error.

    `by` tells the registrar and the standards body who it was.
    """
    with transaction.atomic():
        locked = HolderSearch.objects.select_for_update(no_key=True).get(pk=search.pk)
        if locked.ended_at:
            return
        end_search(locked, SearchOutcome.ANSWERED)
        record_search_event(locked, "answer_search", actor=actor, comment=by)


def note_sign_of_holder(namespace: Namespace, *, actor: Person) -> None:
    """End a current search, since somebody who speaks for the holder has acted."""
    search = find_search(namespace)
    if search and (
        isinstance(actor, PublishedContact) or permissions.speaks_for_namespace(actor, namespace)
    ):
        answer_search(search, actor=actor, by=_("They acted for the holder in the registry."))


def end_search(search: HolderSearch, outcome: SearchOutcome) -> None:
    """Record the outcome of the search."""
    search.ended_at, search.outcome = timezone.now(), outcome
    search.save()


def record_search_event(
    search: HolderSearch,
    verb: str,
    *,
    actor: Person,
    comment: str = "",
    day: datetime.datetime | None = None,
    rows: Mapping[str, str | None] | None = None,
) -> None:
    """Write a public journal event about a search; for `rows` see `registry.journal`."""
    data: dict[str, Any] = {"nid": search.namespace.nid}
    if day:
        data["day"] = day.date().isoformat()
    if search.decided_at:
        data["found"] = describe_finding(search)
    record_event(search.namespace, actor=actor, verb=verb, comment=comment, data=data, rows=rows)


def describe_finding(search: HolderSearch) -> str:
    """Describe the standards body's finding."""
    if search.round:
        return _("round %(round)d of %(reference)s may be published") % {
            "round": search.round.number,
            "reference": search.round.registration_request.reference,
        }
    return _("%(who)s speaks for the namespace") % {"who": search.speaker}
