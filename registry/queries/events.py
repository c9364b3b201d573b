"""Which lines of the journal everybody may read, and which are only counted."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from registry.models import Event, RegistrationRequest
from registry.queries.organizations import public_organizations

OPEN_TO_ALL: Final = frozenset(
    {
        "note_sighting",
        "correct_sighting",
        "notify_sighting",
        "withdraw_sighting",
        "add_designator",
        "change_designator",
        "add_keyword",
        "change_keyword",
    }
)
"""Acts on neither a request nor a namespace that are said in public where they are done."""
OPEN_WITH_ORGANIZATION: Final = frozenset(
    {
        "ask_recognition",
        "recognise",
        "refuse_recognition",
        "declare_conflict",
        "end_conflict",
        "say_website",
    }
)
"""Acts on an organization that everybody may read of as soon as they may know of it."""


def every_line() -> QuerySet[Any]:
    """Return the whole journal; `is_open` says which lines everybody may read.

    Whose draft is written, and who acts for whom, is told to nobody; that something was done is,
    so that the chain of digests can be followed.
    """
    public = RegistrationRequest.objects.public().filter(pk=OuterRef("registration_request"))
    on_request = Q(registration_request__isnull=False) & Exists(public)
    on_namespace = Q(registration_request=None, namespace__isnull=False)
    key = Cast(KeyTextTransform("organization_id", "data"), BigIntegerField())
    named = public_organizations().filter(pk=OuterRef("organization_key"))
    on_organization = Q(verb__in=OPEN_WITH_ORGANIZATION) & Exists(named)
    by_itself = Q(registration_request=None, namespace=None) & (
        Q(verb__in=OPEN_TO_ALL) | on_organization
    )
    known = Event.objects.select_related("registration_request", "namespace")
    return known.alias(organization_key=key).annotate(is_open=on_request | on_namespace | by_itself)


def open_lines() -> QuerySet[Any]:
    """Return the lines that everybody may read."""
    return every_line().filter(is_open=True)


def open_lines_on(nid: str) -> QuerySet[Any]:
    """Return those about a NID: its namespace, and the requests that ask for it or change it."""
    asked = Q(registration_request__nid=nid) | Q(registration_request__namespace__nid=nid)
    return open_lines().filter(Q(namespace__nid=nid) | asked)
