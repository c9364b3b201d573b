"""Who speaks for a body or a namespace, and how long a change of that waits, and for whom."""

from __future__ import annotations

import datetime

from django.db.models import Q
from django.utils import timezone

from registry import permissions
from registry.enums import ChangeKind, Role, SpeakerState, Turn
from registry.models import (
    Namespace,
    Organization,
    RegistrationRequest,
    Speaker,
    User,
)
from registry.models.dates import Calendar, load_calendar
from registry.models.speaker import AWAITS_COUNTERSIGN, SpeakerQuerySet
from registry.permissions import Person
from registry.selectors.actors import NEXT_OFFICES
from registry.selectors.case import open_cases
from registry.selectors.consent import list_objections, list_people_who_can_consent
from registry.selectors.holder_addresses import list_body_addresses, list_holder_addresses
from registry.selectors.waiting_periods import ONE_YEAR

Subject = Organization | Namespace


def find_body(subject: Subject) -> Organization | None:
    """Return the organization, or the one that holds the namespace."""
    return subject if isinstance(subject, Organization) else subject.registrant


def list_speakers(subject: Subject) -> SpeakerQuerySet:
    """Return all rows about the body that `subject` is, or that holds it."""
    if body := find_body(subject):
        return Speaker.objects.about(body)
    assert isinstance(subject, Namespace)
    return subject.speakers.all()


def list_addresses_on_record(subject: Subject) -> list[str]:
    """Return every address on record for the body that `subject` is, or that holds it."""
    if body := find_body(subject):
        return list_body_addresses(body)
    assert isinstance(subject, Namespace)
    return list_holder_addresses(subject)


def find_effect_time(speaker: Speaker) -> datetime.datetime | None:
    """Return when the waiting period of a row is over; None while its letters have not left."""
    if speaker.waiting_since is None or speaker.waiting_days is None:
        return None
    return load_calendar().add_days(speaker.waiting_since, speaker.waiting_days)


def list_rival_claims(claim: Speaker) -> list[Speaker]:
    """Return the claims of others on the same holder that wait, or took effect within a year.

    Two people named in evidence do not rival each other: the registrar has recorded both.
    """
    body = claim.body
    if not claim.is_claim or body is None or not body.namespaces.exists():
        return []
    year_ago = timezone.now() - ONE_YEAR
    others = list_speakers(body).exclude(person=claim.person).exclude(pk=claim.pk)
    recent = others.filter(
        Q(state__in=[SpeakerState.WAITING, SpeakerState.STOPPED])
        | Q(state=SpeakerState.IN_EFFECT, effective_at__gt=year_ago)
    )
    return [each for each in recent if each.is_claim and (each.is_by_domain or claim.is_by_domain)]


def speakers_visible_to(person: User) -> SpeakerQuerySet:
    """Return the rows that `person` may see: who speaks for whom is private."""
    rows = Speaker.objects.select_related(
        "person", "organization", "namespace__registrant", "recorded_by", "removal_asked_by"
    )
    if permissions.may_record_speakers(person) or permissions.may_rule_on_speakers(person):
        return rows
    bodies = Organization.objects.spoken_for_by(person)
    own = Speaker.objects.in_effect().filter(person=person)
    return rows.filter(
        Q(person=person)
        | Q(recorded_by=person)
        | Q(organization__in=bodies)
        | Q(namespace__registrant__in=bodies)
        | Q(namespace__in=own.values("namespace"))
    )


# The offer


def find_offer(namespace: Namespace) -> User | None:
    """Return the author who is offered to speak for a new namespace only, or None.

    Only if the organization was new with the request that registered it, holds nothing else, and
    has neither delegates nor members besides the author.
    """
    organization = namespace.registrant
    if organization is None or namespace.speakers.open().exists():
        return None
    first = organization.requests.filter(
        namespace=namespace, change=ChangeKind.NEW, registration__isnull=False
    ).first()
    if first is None:
        return None
    author = first.author
    others = (
        organization.speakers.in_effect(),
        organization.people.exclude(pk=author.pk),
        organization.requests.filter(pk__lt=first.pk).exclude(author=author),
        organization.namespaces.exclude(pk=namespace.pk),
    )
    return None if any(each.exists() for each in others) else author


def list_offers(person: Person) -> list[Namespace]:
    """Return the namespaces that `person` is offered to speak for."""
    if not isinstance(person, User):
        return []
    written = Namespace.objects.filter(
        requests__author=person,
        requests__change=ChangeKind.NEW,
        requests__registration__isnull=False,
    )
    unspoken = written.exclude(registrant__speakers__state=SpeakerState.IN_EFFECT).exclude(
        speakers__state=SpeakerState.IN_EFFECT
    )
    found = unspoken.select_related("registrant").distinct().order_by("nid")
    return [namespace for namespace in found if find_offer(namespace) == person]


def list_requests_to_support(person: Person) -> list[RegistrationRequest]:
    """Return the public requests that wait for the consent of `person`, who speaks for a body."""
    if not isinstance(person, User):
        return []
    bodies = Organization.objects.spoken_for_by(person).values("pk")
    alone = Speaker.objects.in_effect().filter(person=person, namespace__isnull=False)
    asked = RegistrationRequest.objects.live().public().exclude(author=person)
    asked = asked.filter(
        Q(organization__in=bodies)
        | Q(namespace__registrant__in=bodies)
        | Q(namespace__in=alone.values("namespace"))
    )
    cases = open_cases(asked.select_related("organization", "namespace").order_by("pk"))
    return [
        case.request
        for case in cases
        if not list_objections(case) and person in list_people_who_can_consent(case)
    ]


# Whom a row waits for


def waiting_for_officers() -> SpeakerQuerySet:
    """Return the rows that wait for an officer: evidence to countersign, and stopped ones."""
    rows = Speaker.objects.filter(AWAITS_COUNTERSIGN | Q(state=SpeakerState.STOPPED))
    return rows.select_related("person", "organization", "namespace__registrant")


def find_officers(speaker: Speaker) -> tuple[Turn, list[User]]:
    """Return the office for which a row waits, and who in it can act today.

    After the offices come the administrators, who give the role to somebody else. There is nobody
    only if the registry has nobody at all to name.
    """
    turn = Turn.STANDARDS_BODY if speaker.state == SpeakerState.STOPPED else Turn.REGISTRAR
    for office, role in NEXT_OFFICES[turn]:
        holders = User.objects.filter(permissions.q_person_holds_role(role))
        able = [
            person
            for person in holders.order_by("name", "pk")
            if not permissions.has_part_in_speaker(person, speaker)
        ]
        if able:
            return office, able
    held = permissions.q_person_holds_role(Role.ADMINISTRATOR)
    administrators = list(User.objects.filter(held, is_staff=True).order_by("name", "pk"))
    return (Turn.ADMINISTRATOR if administrators else turn), administrators


def is_reminder_due(speaker: Speaker, calendar: Calendar, now: datetime.datetime) -> bool:
    """Whether those for whom a row waits are to be reminded: on the days of `Dates`, repeatedly."""
    dates = calendar.dates
    waited = calendar.count_days(speaker.state_since, now)
    rungs = [dates.first_reminder_days, dates.second_reminder_days, dates.third_reminder_days]
    rungs += range(rungs[-1] + dates.repeat_days, waited + 1, dates.repeat_days)
    last_rung = max((day for day in rungs if day <= waited), default=0)
    if not last_rung or speaker.reminded_at is None:
        return bool(last_rung)
    return calendar.count_days(speaker.state_since, speaker.reminded_at) < last_rung
