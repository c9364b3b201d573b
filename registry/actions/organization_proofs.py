"""Consent of those who speak for a body to a round of another person's request."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import assurance, permissions
from registry.enums import LIVE_STATES
from registry.journal.row_digests import NEW_ROW, build_row_key
from registry.models import Organization, Proof, RegistrationRequest, User
from registry.selectors import holder_consent
from registry.workflow import holder_words
from registry.workflow.drafts import list_consents
from registry.workflow.events import record_event
from registry.workflow.step import ActionRefused, ConcurrentChange


def give_consent(
    organization: Organization,
    registration_request: RegistrationRequest,
    *,
    actor: User,
    seen: int | None = None,
) -> Proof:
    """Let a speaker of the organization support the last round; doing it twice counts once.

    `seen` is the number of the round they read, by default the last. Raises `ConcurrentChange` if
    another was sent since: nobody supports a text they did not see.
    """
    if (
        not holder_consent.representatives_of(organization, registration_request)
        .filter(pk=actor.pk)
        .exists()
    ):
        raise ActionRefused(
            _("You do not act for %(organization)s.") % {"organization": organization},
            code="not_representative",
        )
    refuse_unneeded_consent(organization, registration_request)
    if registration_request.change in permissions.SECOND_OFFICER_CHANGES:
        assurance.require_confirmation(actor)
    with transaction.atomic():
        # A second click finds what the first did, and no round can be sent meanwhile.
        RegistrationRequest.objects.select_for_update(no_key=True).get(pk=registration_request.pk)
        last = registration_request.last_round
        if last is None:
            raise ActionRefused(_("There is no round to support yet."), code="no_round")
        if seen is not None and seen != last.number:
            raise ConcurrentChange(
                _("Round %(round)d was sent meanwhile. Read it before you support it.")
                % {"round": last.number},
                code="superseded",
            )
        given = Proof.objects.filter(
            organization=organization,
            person=actor,
            registration_request=registration_request,
            proved_at__gte=last.submitted_at,
        )
        if found := given.first():
            return found
        proof = Proof.objects.create(
            organization=organization,
            person=actor,
            registration_request=registration_request,
            proved_at=timezone.now(),
        )
        record_event(
            registration_request,
            actor=actor,
            verb="prove",
            data={
                "organization": str(organization),
                "organization_id": organization.pk,
                "found": _("the word of a representative"),
                "round": last.number,
                "sha256": last.sha256,
            },
            rows={build_row_key(proof): NEW_ROW},
        )
        holder_words.begin_confirmation(registration_request, actor)
    return proof


def refuse_unneeded_consent(
    organization: Organization, registration_request: RegistrationRequest
) -> None:
    """Refuse if the request has ended or does not need this organization's consent."""
    bodies = [each.organization for each in list_consents(registration_request)]
    if organization not in bodies or registration_request.state not in LIVE_STATES:
        raise ActionRefused(
            _("%(reference)s does not need the support of %(organization)s.")
            % {"reference": registration_request.reference, "organization": organization},
            code="consent_not_needed",
        )
