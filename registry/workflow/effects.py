"""What steps do beside changing the state; each returns what the journal remembers of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.utils import timezone

from registry import queries
from registry.choices import Path
from registry.models import Assignment, RegistrationRequest, Round
from registry.workflow.conditions import expert_of
from registry.workflow.step import Step


def freeze_round(step: Step) -> dict[str, Any]:
    """Freeze the draft as the next round, with its date, its hash and its findings."""
    registration_request = step.registration_request
    draft = registration_request.rounds.get(submitted_at__isnull=True)
    now = timezone.now()
    version = queries.context(registration_request).version
    draft.template = draft.template.replace(
        date=now.date().isoformat(), version="" if version is None else str(version)
    )
    draft.findings = [
        asdict(finding) for finding in queries.findings(registration_request, draft.template)
    ]
    draft.submitted_at = draft.saved_at = now
    draft.sha256 = draft.canonical_sha256
    draft.save()
    return round_seen(draft)


def freeze_and_reopen(step: Step) -> dict[str, Any]:
    """Freeze the draft and open the next one: on the fast track the body writes on."""
    data = freeze_round(step)
    open_next_draft(step)
    return data


def send(step: Step) -> dict[str, Any]:
    """Freeze the draft; the fast track leaves the text open to its writers."""
    if step.registration_request.path == Path.FAST_TRACK:
        return freeze_and_reopen(step)
    return freeze_round(step)


def open_next_draft(step: Step) -> dict[str, Any]:
    """Give the registrant a copy of the last round to go on writing."""
    last = last_round(step.registration_request)
    if step.registration_request.draft is None:
        draft = Round(registration_request=step.registration_request, number=last.number + 1)
        draft.template = last.template
        draft.save()
    return round_seen(last)


def drop_draft(step: Step) -> dict[str, Any]:
    """Take away what was begun after the last round, since nobody will send it."""
    last = step.registration_request.last_round
    if last is None:
        return {}
    step.registration_request.rounds.filter(submitted_at__isnull=True).delete()
    return round_seen(last)


def note_round(step: Step) -> dict[str, Any]:
    """Remember of which text the decision speaks."""
    return round_seen(last_round(step.registration_request))


def assign(step: Step) -> dict[str, Any]:
    """Put an expert on the request."""
    expert = expert_of(step)
    Assignment.objects.create(
        registration_request=step.registration_request, expert=expert, assigned_at=timezone.now()
    )
    return {"expert": str(expert)}


def recuse(step: Step) -> dict[str, Any]:
    """Let the acting expert step back, whether they had taken the request or not."""
    assignment, _made = Assignment.objects.get_or_create(
        registration_request=step.registration_request,
        expert=step.actor,
        defaults={"assigned_at": timezone.now()},
    )
    assignment.recused_at, assignment.reason = timezone.now(), step.comment
    assignment.save()
    return {}


def last_round(registration_request: RegistrationRequest) -> Round:
    """Return the last round sent, which there must be."""
    return registration_request.rounds.sent().latest("number")


def round_seen(last: Round) -> dict[str, Any]:
    """Return number and hash of a round, as decisions cite it."""
    return {"round": last.number, "sha256": last.sha256}
