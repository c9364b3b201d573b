"""What must be so before a step is taken. Each says what stands in the way, or nothing."""

from __future__ import annotations

from django.utils.translation import gettext as _, ngettext

from registry import queries
from registry.models import User
from registry.urn import Severity
from registry.workflow.step import Step, Words


def explained(step: Step) -> Words:
    """Reasons are given: every decision has a public reason."""
    return "" if step.comment.strip() else _("Give your reasons; they are public.")


def nothing_blocks(step: Step) -> Words:
    """The draft breaks no hard rule."""
    draft = step.registration_request.draft
    if draft is None:
        return _("There is no draft to send.")
    found = queries.findings(step.registration_request, draft.template)
    blocks = sum(finding.severity is Severity.BLOCK for finding in found)
    return (
        ngettext(
            "%(count)d thing must be fixed before the request can be sent.",
            "%(count)d things must be fixed before the request can be sent.",
            blocks,
        )
        % {"count": blocks}
        if blocks
        else ""
    )


def draft_as_seen(step: Step) -> Words:
    """The text that is sent is the text the person read."""
    seen = step.data.get("edition")
    drafts = step.registration_request.rounds.select_for_update()
    draft = drafts.filter(submitted_at__isnull=True).first()
    if draft is None or seen is None or draft.edition == seen:
        return ""
    return _("The draft was changed after you opened this page. Read it again before you send it.")


def something_changed(step: Step) -> Words:
    """A new round differs from the one before it."""
    draft, last = step.registration_request.draft, step.registration_request.last_round
    if draft is None or last is None:
        return ""
    before = last.template
    same = draft.template.replace(version=before.version, date=before.date) == before
    return _("Nothing has changed since the last round.") if same else ""


def no_standards_action(step: Step) -> Words:
    """Where a standard is to come of it, experts report and a standards body decides (6.2)."""
    if not step.registration_request.standards_action:
        return ""
    return _(
        "The namespace is to become part of a standard, so experts report and the standards "
        "body decides. RFC 8141, section 6.2."
    )


def standards_action(step: Step) -> Words:
    """A report is for requests where standards action is anticipated (6.2)."""
    if step.registration_request.standards_action:
        return ""
    return _("No standards action is anticipated for this request: approve it, or ask for changes.")


def direction_is_recorded(step: Step) -> Words:
    """It is said where the direction of the standards body can be read."""
    return "" if step.comment.strip() else _("Say where the direction is recorded.")


def organization_recognised(step: Step) -> Words:
    """The fast track is for recognised bodies (6.3)."""
    organization = step.registration_request.organization
    if organization.is_recognised:
        return ""
    return _(
        "%(organization)s has not been recognised for the fast track yet. The standards body "
        "decides on that. RFC 8141, section 6.3."
    ) % {"organization": organization}


def direction_and_report(step: Step) -> Words:
    """A standards-track request is published with direction and report, never without (6.2)."""
    registration_request = step.registration_request
    if not registration_request.standards_action:
        return ""
    done = set(registration_request.events.values_list("verb", flat=True))
    if {"report", "direct"} <= done:
        return ""
    return _("Publishing needs the experts' report and the direction of the standards body.")


def version_known(step: Step) -> Words:
    """The last version is known, or the registrar says it and from where."""
    namespace = step.registration_request.namespace
    if namespace is None or namespace.next_version or step.data.get("last_version"):
        if step.data.get("last_version") and not step.data.get("last_version_source"):
            return _("Say where the last version is known from.")
        return ""
    return _("The last version of this namespace is not known: enter it with its source.")


def expert_of(step: Step) -> User:
    """Return the expert a step of assigning speaks of: the actor unless another is named."""
    expert: User = step.data.get("expert") or step.actor
    return expert
