"""Which events of the journal everyone may read: for one event, and as a database query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast

from registry import enums
from registry.enums import VerbKind
from registry.models import (
    Event,
    Namespace,
    Organization,
    Recognition,
    RegistrationRequest,
    Round,
)
from registry.transparency.entries import list_changed_rows

HOLD_VERBS: Final = frozenset(
    {"hold_nid", "renew_hold", "end_hold", "appeal_hold", "answer_hold_appeal"}
)
"""Actions on a held NID."""
PUBLIC_VERBS: Final = HOLD_VERBS | frozenset(
    {
        "answer_enquiry_in_public",
        "announce_officer_change",
        "stop_officer_change",
        "decide_officer_change",
        "note_sighting",
        "correct_sighting",
        "notify_sighting",
        "withdraw_sighting",
        "add_designator",
        "change_designator",
        "add_keyword",
        "change_keyword",
        "import_vocabularies",
    }
)
"""Public actions on neither a request nor a namespace."""
ORGANIZATION_VERBS: Final = frozenset(
    {
        "ask_recognition",
        "recognise",
        "refuse_recognition",
        "withdraw_recognition",
        "declare_conflict",
        "end_conflict",
        "rule_on_speakers",
        "record_organization_evidence",
        "withdraw_organization_evidence",
    }
)
"""Actions on an organization that are public once the organization is."""


def public_organizations() -> QuerySet[Organization]:
    """Return the organizations that everyone may know of.

    They hold or held a namespace, ask in a request that was sent, or were granted or refused
    recognition. An organization named only in drafts is its authors' private business.
    """
    held = Namespace.objects.filter(registrant=OuterRef("pk"))
    asking = RegistrationRequest.objects.public().filter(organization=OuterRef("pk"))
    answered = Recognition.objects.filter(organization=OuterRef("pk"), is_granted__isnull=False)
    return Organization.objects.filter(
        Exists(held)
        | Exists(asking)
        | Exists(answered)
        | Q(recognised_on__isnull=False)
        | Q(name__in=former_registrant_names())
    )


def former_registrant_names() -> QuerySet[Any, Any]:
    """Return the names that the journal has of former holders of a namespace."""
    before = KeyTextTransform("registrant", KeyTransform("before", "data"))
    changed = Event.objects.filter(
        namespace__isnull=False, verb__in=enums.list_verbs_of_kind(VerbKind.PUBLICATION)
    )
    return changed.annotate(was=before).exclude(was__isnull=True).values("was")


def journal_lines() -> QuerySet[Any]:
    """Return the whole journal; `is_open` marks the events that everyone may read.

    Who is writing a draft, and who acts for whom, stays private; that something was done does not,
    so that everybody can follow the chain of digests.
    """
    public = RegistrationRequest.objects.public().filter(pk=OuterRef("registration_request"))
    on_request = Q(registration_request__isnull=False) & Exists(public)
    on_namespace = Q(registration_request=None, namespace__isnull=False)
    key = Cast(KeyTextTransform("organization_id", "data"), BigIntegerField())
    named = public_organizations().filter(pk=OuterRef("organization_key"))
    on_organization = Q(verb__in=ORGANIZATION_VERBS) & Exists(named)
    by_itself = Q(registration_request=None, namespace=None) & (
        Q(verb__in=PUBLIC_VERBS) | on_organization
    )
    known = Event.objects.select_related("registration_request", "namespace")
    return known.alias(organization_key=key).annotate(is_open=on_request | on_namespace | by_itself)


def list_public_organizations_changed(event: Event) -> frozenset[str]:
    """Return the keys of the public organizations whose rows an unsaved event changed."""
    kind = "organization "
    changed = [key for key in list_changed_rows(event.rows) if key.startswith(kind)]
    if not changed:
        return frozenset()
    found = public_organizations().filter(pk__in=[key.removeprefix(kind) for key in changed])
    return frozenset(f"{kind}{key}" for key in found.values_list("pk", flat=True))


def list_openness(events: Sequence[Event]) -> list[bool]:
    """Return `is_open_to_everybody` for each event, querying facts about all requests at once."""
    keys = {each.registration_request_id for each in events} - {None}
    sent = Round.objects.filter(registration_request__in=keys).sent().order_by()
    public = set(sent.values_list("registration_request", flat=True).distinct())
    return [
        each.registration_request_id in public
        if each.registration_request_id
        else is_open_to_everybody(each)
        for each in events
    ]


def is_open_to_everybody(event: Event) -> bool:
    """Whether everyone may read an unsaved event now: `journal_lines` for one event."""
    if event.registration_request_id:
        # Like `RequestQuerySet.public`, which does it for many, but with one table less.
        return (
            Round.objects.filter(registration_request=event.registration_request_id).sent().exists()
        )
    if event.namespace_id or event.verb in PUBLIC_VERBS:
        return True
    key = event.data.get("organization_id")
    if event.verb not in ORGANIZATION_VERBS or not isinstance(key, int | str):
        return False
    return public_organizations().filter(pk=int(key)).exists()
