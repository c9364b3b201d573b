"""Where a step leads if the path decides, and how a request changes its path."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Q
from django.utils.translation import gettext as _

from registry import enums, permissions, selectors
from registry.enums import NamespaceKind, RequestPath, State, VerbKind, Words
from registry.models import RegistrationRequest
from registry.permissions import Person
from registry.selectors.actors import find_carrying_decision
from registry.urn import nid as nids
from registry.workflow import effects
from registry.workflow.step import Step, reasons_given

WRITING_STATES: Final = frozenset({State.DRAFT, State.CHANGES_REQUESTED})
"""The states in which the text is being written, so that it can follow the path."""


def find_state_when_sent(step: Step) -> State:
    """Facts go to the registrar, the fast track asks for advice, everything else is reviewed."""
    registration_request = step.registration_request
    if registration_request.changes_facts:
        return State.APPROVED
    return (
        State.ADVISORY if registration_request.path == RequestPath.FAST_TRACK else State.IN_REVIEW
    )


def find_state_when_declined(step: Step) -> State:
    """The standards body's decline, after a report, ends the request."""
    is_reported = step.registration_request.state == State.REPORTED
    return State.REFUSED if is_reported else State.DECLINED


def find_state_when_reconsidered(step: Step) -> State:
    """The request is where the decision was taken."""
    return State(effects.require_decision(step).source)


def find_state_when_overtaken(step: Step) -> State | None:
    """The text is with its authors; on the fast track it always was."""
    if step.registration_request.state == State.ADVISORY:
        return None
    return State.CHANGES_REQUESTED


def find_state_when_assigned(step: Step) -> State | None:
    """Back to review, if the decision of the expert who hands over brought the request here."""
    return find_state_without(step.registration_request, step.data.get("leaver"))


def find_state_when_recused(step: Step) -> State | None:
    """Back to review, if the decision of the expert who leaves brought the request here."""
    return find_state_without(step.registration_request, step.data.get("leaver") or step.actor)


def find_state_without(
    registration_request: RegistrationRequest, expert: Person | None
) -> State | None:
    """Return the state in which a request is without the decision of `expert`, None for its own."""
    decision = find_carrying_decision(registration_request)
    return State.IN_REVIEW if decision and decision.actor == expert else None


def read_wanted_path(step: Step) -> tuple[RequestPath, bool]:
    """Return the requested path and standards flag; the default is to keep them."""
    registration_request = step.registration_request
    path = RequestPath(step.data.get("path") or registration_request.path)
    flag = step.data.get("standards_action")
    return path, registration_request.standards_action if flag is None else bool(flag)


def find_state_when_rerouted(step: Step) -> State | None:
    """A text being written stays with its author; any other goes where its path begins."""
    registration_request = step.registration_request
    path, standards_action = read_wanted_path(step)
    if registration_request.state in WRITING_STATES:
        return None
    if path == RequestPath.FAST_TRACK:
        return State.ADVISORY
    if registration_request.state == State.REPORTED and standards_action:
        return None
    return State.IN_REVIEW


def has_a_path(step: Step) -> Words:
    """Changes of facts have no path: the registrar checks proof."""
    if not step.registration_request.changes_facts:
        return ""
    return _("A change of facts has no path: the registrar checks the proof.")


def path_differs(step: Step) -> Words:
    """The requested path or standards flag differs from the current one."""
    registration_request = step.registration_request
    if read_wanted_path(step) != (
        RequestPath(registration_request.path),
        registration_request.standards_action,
    ):
        return ""
    return _("Choose another path, or change whether it is to become part of a standard.")


def text_fits(step: Step) -> Words:
    """A formal text names its identifier, an informal one says `urn-N`: an author swaps them."""
    registration_request, (path, _flag) = step.registration_request, read_wanted_path(step)
    becomes_informal = path == RequestPath.INFORMAL
    if becomes_informal == registration_request.is_informal:
        return ""
    namespace = registration_request.namespace
    if namespace and becomes_informal != (namespace.kind == NamespaceKind.INFORMAL):
        return _("A registered namespace stays formal or informal, as it was registered.")
    if registration_request.state in WRITING_STATES:
        return ""
    return _(
        "The text must be rewritten for this path. Ask for changes first; then the registrant "
        "changes the path and the identifier in the draft."
    )


def may_leave_fast_track(step: Step) -> Words:
    """Only the body itself, or the lead after a refusal, takes a request off the fast track."""
    registration_request, (path, _flag) = step.registration_request, read_wanted_path(step)
    leaves = registration_request.path == RequestPath.FAST_TRACK != path
    if not leaves or permissions.is_registrant(step.actor, registration_request):
        return ""
    if selectors.was_recognition_refused(registration_request.organization):
        return ""
    return _("Only the organization itself can take its request off the fast track.")


def may_drop_standards_flag(step: Step) -> Words:
    """Once the experts have reported, only the standards body says that no standard will result.

    It does so by asking for changes, and the registrant drops the flag then. No other ruling allows
    it: a direction wants the standard, a ruling on an objection or a decision remanded says nothing
    about it, and a refusal overturned on appeal must be decided again.
    """
    registration_request, (_path, flag) = step.registration_request, read_wanted_path(step)
    if flag or not registration_request.standards_action:
        return ""
    was_reported = Q(verb__in=enums.list_verbs_of_kind(VerbKind.REPORT))
    was_opened = Q(source=State.REPORTED, target__in=(State.CHANGES_REQUESTED, State.IN_REVIEW))
    last = registration_request.events.filter(was_reported | was_opened).order_by("number").last()
    if last is None or last.source == State.REPORTED:
        return ""
    return _(
        "The experts have reported to the standards body. Once it has asked for changes, "
        "the registrant can say that it is not to become part of a standard."
    )


def recognition_asked(step: Step) -> Words:
    """The fast track is for bodies that are recognised, or have asked to be (6.3)."""
    path, _flag = read_wanted_path(step)
    organization = step.registration_request.organization
    if (
        path != RequestPath.FAST_TRACK
        or organization.is_recognised
        or organization.recognitions.filter(is_granted__isnull=True).exists()
    ):
        return ""
    return _(
        "%(organization)s is not recognised for the fast track, and has not asked to be. Ask for "
        "recognition first. RFC 8141, section 6.3."
    ) % {"organization": organization}


def lead_says_why(step: Step) -> Words:
    """Changing the path of somebody else's request needs a reason."""
    if permissions.is_registrant(step.actor, step.registration_request):
        return ""
    return reasons_given(step)


def reroute_request(step: Step) -> dict[str, Any]:
    """Change path and flag; the draft follows, and the fast track has one open."""
    registration_request, (path, standards_action) = (
        step.registration_request,
        read_wanted_path(step),
    )
    before = registration_request.path, registration_request.standards_action
    swaps_identifier = (path == RequestPath.INFORMAL) != registration_request.is_informal
    registration_request.path, registration_request.standards_action = path, standards_action
    if swaps_identifier and registration_request.namespace is None:
        swap_identifier(registration_request, path)
    registration_request.save(update_fields=["path", "standards_action", "nid"])
    if find_state_when_rerouted(step) == State.ADVISORY:
        effects.open_next_draft(step)
    return {
        "path": str(path),
        "standards_action": standards_action,
        "path_before": before[0],
        "standards_action_before": before[1],
    }


def swap_identifier(registration_request: RegistrationRequest, path: RequestPath) -> None:
    """Set the draft's identifier to `urn-N` on the informal path, and reset it otherwise."""
    draft = registration_request.rounds.get(submitted_at__isnull=True)
    nid = nids.PLACEHOLDER if path == RequestPath.INFORMAL else ""
    draft.template = draft.template.replace(nid=nid)
    draft.edition += 1
    draft.save()
    registration_request.nid = ""
