"""Which lines of the journal everybody may read, and which are only counted."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from registry.models import Event, RegistrationRequest

OPEN_TO_ALL: Final = frozenset(
    {
        "ask_recognition",
        "recognise",
        "refuse_recognition",
        "declare_conflict",
        "end_conflict",
        "note_sighting",
        "correct_sighting",
        "notify_sighting",
        "withdraw_sighting",
        "say_website",
        "add_designator",
        "change_designator",
        "add_keyword",
        "change_keyword",
    }
)
"""Acts on neither a request nor a namespace that are said in public where they are done."""


def every_line() -> QuerySet[Any]:
    """Return the whole journal; `is_open` says which lines everybody may read.

    Whose draft is written, and who acts for whom, is told to nobody; that something was done is,
    so that the chain of digests can be followed.
    """
    public = RegistrationRequest.objects.public().filter(pk=OuterRef("registration_request"))
    on_request = Q(registration_request__isnull=False) & Exists(public)
    on_namespace = Q(registration_request=None, namespace__isnull=False)
    by_itself = Q(registration_request=None, namespace=None, verb__in=OPEN_TO_ALL)
    known = Event.objects.select_related("registration_request", "namespace")
    return known.annotate(is_open=on_request | on_namespace | by_itself)


def open_lines() -> QuerySet[Any]:
    """Return the lines that everybody may read."""
    return every_line().filter(is_open=True)


def open_lines_on(nid: str) -> QuerySet[Any]:
    """Return those about a NID: its namespace, and the requests that ask for it or change it."""
    asked = Q(registration_request__nid=nid) | Q(registration_request__namespace__nid=nid)
    return open_lines().filter(Q(namespace__nid=nid) | asked)
