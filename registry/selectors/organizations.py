"""Which organizations people may know of: all, once they sent a request or hold a namespace."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, Manager, OuterRef, Q, QuerySet

from registry import permissions
from registry.enums import ChangeKind, EvidenceKind, SpeakerBasis, State, VerbKind
from registry.journal.openness import public_organizations
from registry.lookalikes import compare_organization_names
from registry.models import (
    Event,
    Namespace,
    Organization,
    Recognition,
    RegistrationRequest,
    Speaker,
    User,
)
from registry.models.request import RequestQuerySet
from registry.selectors.requests import requests_written_by


def q_is_known() -> Q:
    """Return the condition for known bodies: they hold or held a namespace, are recognised, or
    have somebody shown by evidence.

    A domain of one's own choosing makes nobody known.
    """
    registered = RegistrationRequest.objects.filter(
        organization=OuterRef("pk"),
        state=State.REGISTERED,
        change__in=(ChangeKind.NEW, ChangeKind.TRANSFER),
    )
    held = Namespace.objects.filter(registrant=OuterRef("pk"))
    shown = Speaker.objects.filter(organization=OuterRef("pk"), basis=SpeakerBasis.EVIDENCE)
    is_recognised = Q(recognised_on__isnull=False)
    return Q(Exists(held)) | Q(Exists(registered)) | Q(Exists(shown.in_effect())) | is_recognised


def is_known_body(organization: Organization) -> bool:
    """Whether the registry knows the body."""
    return Organization.objects.filter(q_is_known(), pk=organization.pk).exists()


def must_say_who_acts(registration_request: RegistrationRequest) -> bool:
    """Whether a favourable decision says how its author is known to act for the organization.

    A person who asks for herself is the registrant (RFC 8141, Appendix A).
    """
    author, organization = registration_request.author, registration_request.organization
    if author.name == organization.name or permissions.speaks_for(author, organization):
        return False
    return not is_known_body(organization)


def find_authority_statement(namespace: Namespace) -> Event | None:
    """Return the decision that says how the author is known to act for the registrant.

    None once somebody is shown to act for it.
    """
    registrant = namespace.registrant
    if registrant is None or registrant.speakers.in_effect().exists():
        return None
    decided = Event.objects.of_kind(VerbKind.FAVOURABLE).filter(
        registration_request__namespace=namespace,
        registration_request__organization=registrant,
        registration_request__state=State.REGISTERED,
        data__has_key="acts_for",
    )
    found = decided.select_related("registration_request__author")
    return found.order_by("-number").first()


def organizations_visible_to(person: User | AnonymousUser) -> QuerySet[Organization]:
    """Return the organizations that `person` may know of: the public ones, and their own.

    The standards body knows those that asked it, and administrators see all of them.
    """
    public = public_organizations()
    if not isinstance(person, User):
        return public
    if permissions.is_administrator(person):
        return Organization.objects.all()
    known = (
        Q(pk__in=public.values("pk"))
        | Q(pk__in=requests_written_by(person).values("organization"))
        | Q(pk__in=person.speaking.values("organization"))
        | permissions.q_is_tied_to(person)
    )
    if permissions.may_recognise(person):
        known |= Q(pk__in=Recognition.objects.values("organization"))
    return Organization.objects.filter(known)


def filter_organizations_by_words(
    organizations: QuerySet[Organization], words: str
) -> QuerySet[Organization]:
    """Return those that have every one of `words` in their name or another name."""
    renamed = Organization.objects.exclude(evidence=[]).only("name", "evidence")
    for word in words.split():
        others = [each.pk for each in renamed if word.lower() in " ".join(each.names).lower()]
        organizations = organizations.filter(Q(name__icontains=word) | Q(pk__in=others))
    return organizations


def public_recognitions() -> QuerySet[Recognition]:
    """Return what public organizations asked of the standards body, and what was answered."""
    return Recognition.objects.filter(organization__in=public_organizations())


def recognitions_visible_to(person: User | AnonymousUser) -> QuerySet[Recognition]:
    """Return the recognitions that `person` may know of."""
    return Recognition.objects.filter(organization__in=organizations_visible_to(person))


def list_organization_requests(organization: Organization) -> RequestQuerySet:
    """Return its public requests, those that moved last first."""
    public = RegistrationRequest.objects.public().filter(organization=organization)
    return public.select_related("organization", "namespace").order_by("-state_since", "-pk")


def list_namesake_requests(organization: Organization) -> RequestQuerySet:
    """Return the live public requests of bodies that are on record as others than it.

    Who speaks for it can object to them.
    """
    live = RegistrationRequest.objects.public().live().filter(change=ChangeKind.NEW)
    asking = live.filter(organization__in=list_recorded_others(organization))
    return asking.select_related("organization").order_by("pk")


def list_organization_namespaces(organization: Organization) -> QuerySet[Namespace]:
    """Return the namespaces that it holds."""
    return Namespace.objects.filter(registrant=organization).order_by("nid")


def find_like_organizations(name: str) -> list[Organization]:
    """Return the organizations that `name` can be taken for, the nearest first.

    Their former names and aliases count too. The one that is called exactly that comes first;
    others are left out once it is on record that the two are not the same body.
    """
    distances = measure_name_distances(name, Organization.objects)
    own = next((each for each in distances if each.name.casefold() == name.casefold()), None)
    like = [
        organization
        for organization in distances
        if own is None or not are_recorded_as_two(own, organization)
    ]
    return sorted(like, key=lambda organization: (organization != own, distances[organization]))


def find_same_organization(name: str) -> Organization | None:
    """Return the public organization that is called `name`, or is written like it, if any.

    See `compare_organization_names` for what makes no difference.
    """
    distances = measure_name_distances(name, public_organizations())
    same = [organization for organization, distance in distances.items() if distance == 0]
    return min(same, key=lambda each: each.name.casefold() != name.casefold(), default=None)


def find_namesake(name: str, organization: Organization) -> Organization | None:
    """Return another body that `name` can be taken for, or None.

    One that is called exactly that always counts, any other if it is public and it is not on record
    that the two are not the same body.
    """
    public = set(public_organizations())
    distances = measure_name_distances(name, Organization.objects.exclude(pk=organization.pk))
    for other in distances:
        is_like = other in public and not are_recorded_as_two(organization, other)
        if is_like or other.name.casefold() == name.casefold():
            return other
    return None


def measure_name_distances(
    name: str, organizations: Manager[Organization] | QuerySet[Organization]
) -> dict[Organization, int]:
    """Return which of `organizations` the name can be taken for, and in how many characters.

    See `compare_organization_names`.
    """
    distances: dict[Organization, int] = {}
    for organization in organizations.order_by("name"):
        compared = [compare_organization_names(name, other) for other in organization.names]
        if near := [distance for distance in compared if distance is not None]:
            distances[organization] = min(near)
    return distances


def can_be_taken_for(organization: Organization, other: Organization) -> bool:
    """Whether a name of one can be taken for a name of the other, and both may be the same body."""
    return not are_recorded_as_two(organization, other) and any(
        compare_organization_names(mine, theirs) is not None
        for mine in organization.names
        for theirs in other.names
    )


def are_recorded_as_two(organization: Organization, other: Organization) -> bool:
    """Whether it is on record that the two are not the same body."""
    kind = EvidenceKind.OTHER_BODY
    return str(other.pk) in organization.list_evidence(kind) or str(
        organization.pk
    ) in other.list_evidence(kind)


def list_evidence(organization: Organization) -> list[dict[str, Any]]:
    """Return what officers recorded of it, each with its `label` and `text` for readers."""
    kind = EvidenceKind.OTHER_BODY
    keys = [int(entry["value"]) for entry in organization.evidence if entry["kind"] == kind]
    others = {str(pk): str(other) for pk, other in Organization.objects.in_bulk(keys).items()}
    return [
        {
            **entry,
            "label": str(EvidenceKind(entry["kind"]).label),
            "since": entry.get("since", ""),
            "text": others[entry["value"]] if entry["kind"] == kind else entry["value"],
        }
        for entry in organization.evidence
    ]


def list_recorded_others(organization: Organization) -> list[Organization]:
    """Return the bodies with a like name of which it is on record that they are others."""
    return [
        other
        for other in Organization.objects.exclude(pk=organization.pk).order_by("name")
        if are_recorded_as_two(organization, other)
    ]
