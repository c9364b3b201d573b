"""Enquiries before a draft: which of them a person may read."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from registry import permissions
from registry.models import Enquiry
from registry.permissions import Person


def enquiries_visible_to(person: Person) -> QuerySet[Enquiry]:
    """Return the enquiries that `person` may read, the newest first.

    Those answered in public everybody; one's own; and all of them who may answer. A question that
    was to be answered in private is never shown to anybody else.
    """
    every = Enquiry.objects.select_related("asked_by", "answered_by")
    if permissions.may_answer_enquiries(person):
        return every
    public = Q(is_public=True, answered_at__isnull=False)
    return every.filter(public | Q(asked_by=person.pk) if person.pk else public)
