"""Check notes that a draft's author finds wrong: dismissed once, with a reason."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.models import DismissedFinding, RegistrationRequest, User
from registry.urn import Finding, Severity
from registry.workflow import ActionRefused


def dismiss_finding(
    registration_request: RegistrationRequest, finding: Finding, *, actor: User, word: str
) -> DismissedFinding:
    """Dismiss `finding` for good in this request, for the reason that `word` gives.

    Experts read both once the next round is sent. Raises `ActionRefused` if the finding blocks, or
    the person does not write the draft now.
    """
    if finding.severity is Severity.BLOCK:
        raise ActionRefused(_("This must be fixed: RFC 8141 or a required section asks for it."))
    with transaction.atomic():
        held = RegistrationRequest.objects.select_for_update(no_key=True).get(
            pk=registration_request.pk
        )
        if not permissions.may_edit(actor, held):
            raise ActionRefused(
                _("Only those who write the draft can dismiss notes, while it is a draft.")
            )
        draft = held.draft
        dismissed, _made = DismissedFinding.objects.get_or_create(
            registration_request=held,
            check_name=finding.check,
            section=finding.section,
            defaults={
                "word": word,
                "person": actor,
                "at": timezone.now(),
                "round_number": draft.number if draft else 1,
            },
        )
    return dismissed


def show_finding_again(registration_request: RegistrationRequest, actor: User, pk: int) -> bool:
    """Have a dismissed finding be shown again; return whether there was one."""
    if not permissions.may_edit(actor, registration_request):
        raise ActionRefused(
            _("Only those who write the draft can dismiss notes, while it is a draft.")
        )
    found = registration_request.dismissed_findings.filter(pk=pk)
    deleted, _rows = found.delete()
    return bool(deleted)
