"""Whose word a change of a registered namespace needs, and who has given it.

RFC 8141 leaves it to the registry (sections 5.1 and 6.2): nothing about a registered namespace is
published unless somebody who speaks for the organization that holds it asks for it, or stands
behind it; where the registry knows nobody who does, the registrar verifies the holder's word and
records it. A word is given for one round, and ends with the next. This is the one place that
knows; conditions, pages, API and letters ask here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import LIVE_STATES, ChangeKind, ProofMethod, State, VerbKind
from registry.models import Event, Namespace, Organization, Proof, RegistrationRequest, Round, User
from registry.models.event import EventQuerySet

UNKNOWN_HOLDER: Final = 0
"""Stands in the journal for the holder whom the registry does not know."""


@dataclass(frozen=True, slots=True)
class Consent:
    """Who of an organization stands behind a request, and by which proof.

    The organization is None for the holder whom the registry does not know.
    """

    organization: Organization | None
    delegates: list[User] = field(default_factory=list)
    proofs: list[Proof] = field(default_factory=list)
    verifications: list[Event] = field(default_factory=list)

    @property
    def is_given(self) -> bool:
        """Whether anybody does."""
        return bool(self.delegates or self.proofs or self.verifications)


def representatives_of(
    organization: Organization | None, registration_request: RegistrationRequest
) -> QuerySet[User]:
    """Return who speaks for `organization` in this request.

    Its delegates and members; whoever proved for this very request to act for it; and of a
    namespace, the founder. To have typed its name makes nobody one of them.
    """
    if organization is None:
        return User.objects.none()
    proved = registration_request.proofs.filter(
        organization=organization, proved_at__isnull=False
    ).exclude(method=ProofMethod.WORD)
    namespace = registration_request.namespace
    founder = (
        find_founder(namespace) if namespace and namespace.registrant == organization else None
    )
    return User.objects.filter(
        permissions.q_person_speaks_for(organization)
        | Q(pk__in=proved.values("person"))
        | Q(pk__in=[founder.pk] if founder else []),
        is_active=True,
    )


def find_founder(namespace: Namespace) -> User | None:
    """Return who asked for `namespace` and speaks for it alone, as long as nobody else does.

    That is the author of the request that registered it, where the organization was new with
    that request, held nothing before it, and has neither delegates nor members beside them.
    """
    organization = namespace.registrant
    if organization is None:
        return None
    first = organization.requests.filter(
        namespace=namespace, change=ChangeKind.NEW, state=State.REGISTERED
    ).first()
    if first is None:
        return None
    author = first.author
    others = (
        organization.delegates.exclude(pk=author.pk),
        organization.people.exclude(pk=author.pk),
        organization.requests.filter(pk__lt=first.pk).exclude(author=author),
        organization.namespaces.filter(pk__lt=namespace.pk),
    )
    return None if any(each.exists() for each in others) else author


def find_consent(
    registration_request: RegistrationRequest, organization: Organization | None
) -> Consent:
    """Return who of `organization` stands behind the last round; before the first, who would."""
    last, speaking = (
        registration_request.last_round,
        representatives_of(organization, registration_request),
    )
    if last is None:
        asked = registration_request.events.filter(verb="start")
        stood = asked.none()
    else:
        said = round_events(last)
        asked = said.of_kind(VerbKind.ASKS_FOR_ROUND)
        stood = said.filter(
            verb="prove", data__organization_id=organization.pk if organization else UNKNOWN_HOLDER
        )
    actors = list(asked.filter(actor__in=speaking).values_list("actor", flat=True))
    stood_by = list(stood.filter(actor__in=speaking).values_list("actor", flat=True))
    proofs = registration_request.proofs.filter(
        organization=organization, proved_at__isnull=False, person__in=stood_by
    ) | registration_request.proofs.filter(
        organization=organization, proved_at__isnull=False, person__in=actors
    ).exclude(method=ProofMethod.WORD)
    proofs = proofs.select_related("person").order_by("proved_at")
    by_proof = {each.person_id for each in proofs}
    return Consent(
        organization,
        list(speaking.filter(pk__in=actors).exclude(pk__in=by_proof).order_by("name", "pk")),
        list(proofs),
        list(holder_verifications(last, organization)) if last and not speaking.exists() else [],
    )


def round_events(last: Round) -> EventQuerySet:
    """Return the events that speak of this very round."""
    return last.registration_request.events.filter(
        data__round=last.number, data__sha256=last.sha256
    )


def holder_verifications(last: Round, organization: Organization | None) -> EventQuerySet:
    """Return where the registrar recorded the word of this very holder for the round.

    It counts only as long as nobody is known who could give it themselves.
    """
    holder = organization.pk if organization else UNKNOWN_HOLDER
    verified = round_events(last).of_kind(VerbKind.HOLDER_WORD)
    return verified.filter(data__holder_id=holder)


def find_holder_consent(registration_request: RegistrationRequest) -> Consent | None:
    """Return who of the holder stands behind the request; None where no namespace has a holder."""
    namespace = registration_request.namespace
    if namespace is None or registration_request.change == ChangeKind.NEW:
        return None
    return find_consent(registration_request, namespace.registrant)


def is_known_representative(person: User, registration_request: RegistrationRequest) -> bool:
    """Whether `person` speaks for the holder of the namespace that is to change."""
    namespace = registration_request.namespace
    holder = namespace.registrant if namespace else None
    return representatives_of(holder, registration_request).filter(pk=person.pk).exists()


def explain_missing_consent(registration_request: RegistrationRequest) -> str:
    """Return whose word is missing for the last round and who can give it; nothing if none is.

    Nothing of a draft that was never sent either, and nothing once the request has ended.
    """
    if (
        not registration_request.needs_holder_consent
        or registration_request.state not in LIVE_STATES
    ):
        return ""
    last = registration_request.last_round
    if last is None:
        return ""
    stands = find_holder_consent(registration_request)
    if stands is None or stands.is_given:
        return ""
    if stands.organization is None:
        return _(
            "The registry does not know who holds this namespace. The "
            "registrar has to verify the holder’s word for round %(round)d, and record it."
        ) % {"round": last.number}
    said = {"holder": stands.organization, "round": last.number}
    if representatives_of(stands.organization, registration_request).exists():
        return (
            _(
                "%(holder)s holds this namespace, and nobody who speaks for it "
                "stands behind round %(round)d. One of those who do has to."
            )
            % said
        )
    return (
        _(
            "%(holder)s holds this namespace, and the registry knows nobody "
            "who speaks for it. Somebody has to prove that they do and stand behind round "
            "%(round)d, or the registrar verifies the holder’s word and records it."
        )
        % said
    )
