"""Enquiries: which of them a person may read."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from registry import permissions
from registry.models import Enquiry
from registry.permissions import Person


def enquiries_visible_to(person: Person) -> QuerySet[Enquiry]:
    """Return the enquiries that `person` may read, the newest first.

    Everybody may read those answered in public, people their own, and those who may answer them
    all. A question asked for a private answer is never shown to anybody else.
    """
    every = Enquiry.objects.select_related("asked_by", "answered_by")
    if permissions.may_answer_enquiries(person):
        return every
    public = Q(is_public=True, answered_at__isnull=False)
    return every.filter(public | Q(asked_by=person.pk) if person.pk else public)
