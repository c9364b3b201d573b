"""Delegates: people who write and submit requests on behalf of an organization."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from registry import assurance, permissions
from registry.actions.delegate_changes import begin_delegate_change, holds_namespace
from registry.enums import EXPERT_STATES, DelegateChangeKind, SpeakerBasis, SpeakerEnd
from registry.journal.row_digests import NEW_ROW, build_row_key, digest_stored_rows
from registry.models import (
    Assignment,
    DelegateChange,
    Event,
    Organization,
    RegistrationRequest,
    Speaker,
    User,
)
from registry.selectors.accounts import find_account
from registry.workflow.events import record_event
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused


def name_delegate(
    organization: Organization, address: str, *, actor: User
) -> User | DelegateChange:
    """Make the account with that mail address a delegate of `organization`; return the person.

    If the organization holds a namespace, return the change instead, which must be confirmed and
    then waits. Raises `ActionRefused` if there is no such account, or if it would take an expert
    off a request.
    """
    assurance.require_confirmation(actor)
    with transaction.atomic():
        body = lock_own_organization(organization, actor)
        person = find_account(address)
        if person is None:
            raise ActionRefused(
                _(
                    "There is no account with the confirmed address %(address)s. Ask them to "
                    "create one, then name them again."
                )
                % {"address": address},
                code="unknown_account",
            )
        if permissions.speaks_for(person, body):
            return person
        refuse_reviewing_expert(body, person)
        if holds_namespace(body):
            return begin_delegate_change(body, person, DelegateChangeKind.NAME, actor=actor)
        told = list_other_delegates(body, actor)
        speaker = Speaker.objects.put_in_effect(
            person, SpeakerBasis.NAMED, organization=body, recorded_by=actor
        )
        rows: dict[str, str | None] = {build_row_key(speaker): NEW_ROW}
        data = build_delegate_data(body, person) | {"people": [*told, person.pk]}
        record_event(body, actor=actor, verb="name_delegate", data=data, rows=rows)
    return person


def remove_delegate(
    organization: Organization, person: User, *, actor: User, knows_last: bool
) -> DelegateChange | None:
    """Remove `person` from the delegates of `organization`; does nothing if they are none.

    People who leave do so at once. If the organization holds a namespace and somebody else is
    removed, return the change, which must be confirmed and then waits. `knows_last` says whether
    the actor was warned that nobody would be left.
    """
    assurance.require_confirmation(actor)
    with transaction.atomic():
        if not permissions.speaks_for(person, organization):
            return None
        body = lock_own_organization(organization, actor)
        if not knows_last and body.speakers.in_effect().count() == 1:
            raise ActionRefused(
                _("%(who)s is now the last delegate. Read what follows from that.")
                % {"who": person},
                code="last_delegate",
            )
        if person != actor and holds_namespace(body):
            return begin_delegate_change(body, person, DelegateChangeKind.REMOVE, actor=actor)
        speakers = list(body.speakers.in_effect().filter(person=person))
        rows = digest_stored_rows(speakers)
        for speaker in speakers:
            speaker.finish(SpeakerEnd.LEFT if person == actor else SpeakerEnd.REMOVED)
        data = build_delegate_data(body, person) | {
            "people": [*list_other_delegates(body, actor), person.pk]
        }
        record_event(body, actor=actor, verb="remove_delegate", data=data, rows=rows)
    return None


def current_and_former_delegates(organization: Organization) -> QuerySet[User]:
    """Return who acts for the organization, or did until somebody removed them.

    Only these are named to a person asking to remove somebody, for example by a second click; any
    other number finds nobody.
    """
    removals = Event.objects.filter(
        verb="remove_delegate", data__organization_id=organization.pk
    ).values_list("data", flat=True)
    former = {key for data in removals for key in data["people"]}
    return User.objects.filter(permissions.q_person_speaks_for(organization) | Q(pk__in=former))


def lock_own_organization(organization: Organization, actor: User) -> Organization:
    """Return the organization, locked until the transaction ends, if `actor` manages its delegates.

    If two people remove each other at once, the second is refused.
    """
    body = Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)
    if not permissions.may_name_delegates(reload_person(actor), body):
        raise ActionRefused(
            _("Only the delegates of %(organization)s can say who acts for it.")
            % {"organization": body},
            code="not_delegate",
        )
    return body


def refuse_reviewing_expert(organization: Organization, person: User) -> None:
    """Raise `ActionRefused` if `person` reviews a request of the organization.

    A delegate is party to its requests: naming an expert would take them off one that they judge.
    """
    reviewed = current_reviews(organization, person).first()
    if reviewed:
        raise ActionRefused(
            _(
                "%(who)s reviews the request %(reference)s of this organization, and cannot act "
                "for it meanwhile."
            )
            % {"who": person, "reference": reviewed.registration_request.reference},
            code="reviewer",
        )


def current_reviews(organization: Organization, person: User) -> QuerySet[Assignment]:
    """Return the requests of this organization, or for what it holds, that `person` reviews."""
    judged = RegistrationRequest.objects.filter(state__in=EXPERT_STATES)
    return (
        Assignment.objects.active()
        .filter(expert=person, registration_request__in=judged.concerning(organization))
        .select_related("registration_request")
    )


def list_other_delegates(organization: Organization, actor: User) -> list[int]:
    """Return the keys of the delegates other than `actor`, who are notified."""
    others = User.objects.speaking_for(organization).exclude(pk=actor.pk)
    return list(others.values_list("pk", flat=True))


def build_delegate_data(organization: Organization, person: User) -> dict[str, Any]:
    """Return whom it is about, for the journal."""
    return {
        "organization": str(organization),
        "organization_id": organization.pk,
        "delegate": str(person),
    }
