"""The life of a request on one page: every verb, from where, to where, by whom.

Buttons, form choices and API verbs are drawn from this table (process guide, States).
"""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from registry import rules
from registry.choices import LIVE, Path, State
from registry.workflow import conditions, effects, registering
from registry.workflow.step import Step, Transition


def where_sent(step: Step) -> State:
    """The fast track is advice only; every other path is reviewed."""
    fast = step.registration_request.path == Path.FAST_TRACK
    return State.ADVISORY if fast else State.IN_REVIEW


def where_approved(step: Step) -> State | None:
    """Below the quorum the approval is recorded for this round and the review goes on."""
    last = effects.last_round(step.registration_request)
    others = step.registration_request.events.filter(
        verb="approve", data__sha256=last.sha256
    ).exclude(actor=step.actor)
    voices = 1 + others.values("actor").distinct().count()
    return State.APPROVED if voices >= settings.REGISTRY_QUORUM else None


TRANSITIONS = (
    Transition(
        verb="submit",
        label=_("Send"),
        sources=frozenset({State.DRAFT, State.CHANGES_REQUESTED, State.DECLINED}),
        target=where_sent,
        by=rules.is_registrant,
        role=_("the registrant"),
        consequence=_("The text becomes public as the next round, and can no longer be changed."),
        needs=(
            conditions.draft_as_seen,
            conditions.nothing_blocks,
            conditions.something_changed,
        ),
        effect=effects.send,
        comment=_("What you want to say about this round"),
    ),
    Transition(
        verb="revise",
        label=_("Send the next round"),
        sources=frozenset({State.ADVISORY}),
        target=None,
        by=rules.is_registrant,
        role=_("the registrant"),
        consequence=_("The text becomes public as the next round; advice stays open."),
        needs=(
            conditions.draft_as_seen,
            conditions.nothing_blocks,
            conditions.something_changed,
        ),
        effect=effects.freeze_and_reopen,
        comment=_("What you want to say about this round"),
    ),
    Transition(
        verb="assign",
        label=_("Take"),
        sources=frozenset({State.IN_REVIEW, State.REPORTED, State.ADVISORY}),
        target=None,
        by=rules.may_join,
        role=_("a designated expert who is not party to the request, nor on it already"),
        consequence=_("You declare that you have no conflict of interest, and review it."),
        effect=effects.assign,
    ),
    Transition(
        verb="recuse",
        label=_("Recuse yourself"),
        sources=frozenset({State.IN_REVIEW, State.REPORTED, State.ADVISORY}),
        target=None,
        by=rules.may_step_back,
        role=_("a designated expert"),
        consequence=_("You take no part in this request. Say why, or only that you do."),
        effect=effects.recuse,
        comment=_("Reason"),
    ),
    Transition(
        verb="advise",
        label=_("Send advice"),
        sources=frozenset({State.ADVISORY}),
        target=None,
        by=rules.is_assigned_expert,
        role=_("an expert assigned to the request"),
        consequence=_("Your advice is public. It blocks nothing: the organization decides."),
        needs=(conditions.explained,),
        effect=effects.note_round,
        comment=_("Your advice, public"),
        explains=True,
    ),
    Transition(
        verb="request_changes",
        label=_("Ask for changes"),
        sources=frozenset({State.IN_REVIEW}),
        target=State.CHANGES_REQUESTED,
        by=rules.is_assigned_expert,
        role=_("an expert assigned to the request"),
        consequence=_("The registrant edits the text and sends the next round."),
        needs=(conditions.explained,),
        effect=effects.open_next_draft,
        comment=_("Reasons, public"),
        explains=True,
    ),
    Transition(
        verb="approve",
        label=_("Approve"),
        sources=frozenset({State.IN_REVIEW}),
        target=where_approved,
        by=rules.is_assigned_expert,
        role=_("an expert assigned to the request"),
        consequence=_("Goes to the registrar, who publishes it."),
        needs=(conditions.no_standards_action, conditions.explained),
        effect=effects.note_round,
        comment=_("Reasons, public"),
        explains=True,
    ),
    Transition(
        verb="report",
        label=_("Report to the standards body"),
        sources=frozenset({State.IN_REVIEW}),
        target=State.REPORTED,
        by=rules.is_assigned_expert,
        role=_("an expert assigned to the request"),
        consequence=_("Registration then waits for the direction of that body."),
        needs=(conditions.standards_action, conditions.explained),
        effect=effects.note_round,
        comment=_("The report, public"),
        explains=True,
    ),
    Transition(
        verb="decline",
        label=_("Decline"),
        sources=frozenset({State.IN_REVIEW}),
        target=State.DECLINED,
        by=rules.is_assigned_expert,
        role=_("an expert assigned to the request"),
        consequence=_("The request is not accepted as it is. It can be changed and sent again."),
        needs=(conditions.explained,),
        effect=effects.open_next_draft,
        comment=_("Reasons, and what would succeed, public"),
        explains=True,
    ),
    Transition(
        verb="direct",
        label=_("Direct to register"),
        sources=frozenset({State.REPORTED}),
        target=State.APPROVED,
        by=rules.may_direct,
        role=_("the standards body"),
        consequence=_("Goes to the registrar, who publishes it."),
        needs=(conditions.direction_is_recorded,),
        effect=effects.note_round,
        comment=_("Where the direction is recorded, public"),
        explains=True,
    ),
    Transition(
        verb="send_back",
        label=_("Send back to the registrant"),
        sources=frozenset({State.REPORTED}),
        target=State.CHANGES_REQUESTED,
        by=rules.may_direct,
        role=_("the standards body"),
        consequence=_("The registrant edits the text and sends the next round."),
        needs=(conditions.explained,),
        effect=effects.open_next_draft,
        comment=_("Reasons, public"),
        explains=True,
    ),
    Transition(
        verb="refuse",
        label=_("Refuse"),
        sources=frozenset({State.REPORTED}),
        target=State.REFUSED,
        by=rules.may_direct,
        role=_("the standards body"),
        consequence=_("Ends the request. Its page stays, and the NID is free again."),
        needs=(conditions.explained,),
        effect=effects.note_round,
        comment=_("Reasons, public"),
        explains=True,
    ),
    Transition(
        verb="complete",
        label=_("Ask for registration"),
        sources=frozenset({State.ADVISORY}),
        target=State.APPROVED,
        by=rules.is_registrant,
        role=_("a representative of the organization"),
        consequence=_("The last round goes to the registrar as it is. No expert can block it."),
        needs=(conditions.organization_recognised, conditions.explained),
        effect=effects.drop_draft,
        comment=_("Which advice you did not take, and why, public"),
        explains=True,
    ),
    Transition(
        verb="register",
        label=_("Register and publish"),
        sources=frozenset({State.APPROVED}),
        target=State.REGISTERED,
        by=rules.may_publish,
        role=_("a registrar who is not party to the request"),
        consequence=_("An identifier is never withdrawn or given to anyone else."),
        needs=(
            conditions.direction_and_report,
            conditions.version_known,
        ),
        effect=registering.register,
    ),
    Transition(
        verb="bounce",
        label=_("Send back to the registrant"),
        sources=frozenset({State.APPROVED}),
        target=State.CHANGES_REQUESTED,
        by=rules.may_publish,
        role=_("a registrar who is not party to the request"),
        consequence=_(
            "Only where a hard rule is broken, the NID is gone, or the data have a defect."
        ),
        needs=(conditions.explained,),
        effect=effects.open_next_draft,
        comment=_("What is wrong, public"),
        explains=True,
    ),
    Transition(
        verb="withdraw",
        label=_("Withdraw"),
        sources=LIVE,
        target=State.WITHDRAWN,
        by=rules.is_registrant,
        role=_("the registrant"),
        consequence=_("Ends the request and frees the NID. A public page stays."),
        effect=effects.drop_draft,
        comment=_("Reason"),
    ),
)

VERBS = {transition.verb: transition for transition in TRANSITIONS}
