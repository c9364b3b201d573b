"""The life of a request on one page: every verb, everything said about it, and what it does.

A record says from where, to where, by whom, under which conditions and with what consequence;
button, journal phrase, form and page come from it too (docs/process.md, States).
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from registry import enums, permissions
from registry.enums import (
    EXPERT_STATES,
    IDLE_STATES,
    LIVE_STATES,
    RECUSAL_STATES,
    REVIEW_STATES,
    EvidenceAbout,
    ObstacleKind,
    Ruling,
    State,
    VerbKind,
    Words,
)
from registry.models import Event, RegistrationRequest
from registry.selectors import consent
from registry.selectors.appeals import may_be_appealed
from registry.selectors.case import open_case
from registry.selectors.publication import may_be_mended
from registry.workflow import appeals, conditions, effects, paths, publication
from registry.workflow.step import Transition, reasons_given

REASONS_LABEL = _("Reasons, public")
DECIDED_STATES = frozenset(State) - {
    State.DRAFT,
    State.APPEALED,
    State.WITHDRAWN,
    State.EXPIRED,
}
"""The states in which a decision may have been made, or a ruling."""
APPROVAL_CONDITIONS = (
    conditions.no_open_must_fix,
    conditions.may_be_published,
    reasons_given,
    conditions.rivals_named,
    conditions.decision_explained,
)


def describe_assignment(event: Event) -> Words:
    """Say whether an expert volunteered, was assigned, or took over from another."""
    if "leaver" in event.data:
        return _("handed the request from %(leaver)s to %(expert)s")
    if event.data.get("is_temporary"):
        return _("assigned %(expert)s as the expert for this request alone")
    if event.data.get("expert") == event.actor_name:
        return _("took the request for review")
    return _("assigned an expert to the request: %(expert)s")


def describe_overtaking(event: Event) -> Words:
    """Say whether the NID is gone, or the version from which the text was written is old."""
    if event.data.get("base"):
        return _(
            "gave the request back: %(winner)s has registered a newer version of urn:%(nid)s than "
            "the one it was written from"
        )
    return _("gave the request back: %(winner)s was registered as urn:%(nid)s")


def describe_registration(event: Event) -> Words:
    """Say whether a version was published or facts were changed."""
    if "after" in event.data:
        if not event.data["nid"]:
            return _("entered the new name of the organization")
        return _("changed what the registry says of %(nid)s")
    return _("registered %(nid)s, version %(version)s")


def describe_extension(event: Event) -> Words:
    """Say whether the decision was postponed, or the stay of an appeal lasts longer."""
    if event.source == State.APPROVED:
        return _("let nothing be registered until %(due_on)s, because of the appeal")
    return _("postponed the decision to %(due_on)s")


def describe_reopening(event: Event) -> Words:
    """Say whether a new draft was started, or a withdrawal undone."""
    if event.target in LIVE_STATES:
        return _("undid the withdrawal of the request")
    return _("reopened the request as %(as)s")


def describe_recusal(event: Event) -> Words:
    """Say whether an expert stepped back, or was taken off by the lead."""
    if "leaver" in event.data:
        return _("took %(leaver)s off the request")
    return _("stepped back from the request")


def describe_direction(event: Event) -> Words:
    """Say what the standards body directed or ruled."""
    if "ruling" not in event.data:
        return _("directed that round %(round)s be registered")
    return {
        Ruling.OBJECTION: _("ruled that the objection does not stop round %(round)s"),
        Ruling.OBJECTIONS: _(
            "ruled that the objection stops neither round %(round)s nor those to come"
        ),
        Ruling.HOLDER: _(
            "ruled that round %(round)s may be published, although the holder is disputed or "
            "cannot be found"
        ),
    }[Ruling(event.data["ruling"])]


def describe_evidence(event: Event) -> Words:
    """Say what the registrar has seen."""
    return {
        EvidenceAbout.CONSENT: _("recorded the consent of %(body)s to round %(round)s"),
        EvidenceAbout.RFC: _("recorded that %(rfc)s, section %(section)s, itself makes the change"),
        EvidenceAbout.LIST: _("recorded where round %(round)s was posted to the list"),
    }[EvidenceAbout(event.data["about"])]


def describe_objection(event: Event) -> Words:
    """Say whether somebody objected, or took that back."""
    if "takes_back" in event.data:
        return _("took back the objection")
    return _("objected to round %(round)s")


def awaits_direction(registration_request: RegistrationRequest) -> bool:
    """Whether there is something to direct, or to rule on."""
    if registration_request.state == State.REPORTED:
        return True
    missing = consent.find_missing_consent(open_case(registration_request))
    return missing is not None and missing.kind != ObstacleKind.WAITING


TRANSITIONS = (
    Transition(
        verb="submit",
        label=_("Send"),
        consequence=_("The text becomes public as the next round, and can no longer be changed."),
        comment=_("What you want to say about this round"),
        done=_("sent round %(round)s"),
        kinds=frozenset({VerbKind.SENDS_ROUND, VerbKind.ASKS_FOR_ROUND}),
        sources=IDLE_STATES | {State.APPEALED, State.ADVISORY},
        target=paths.find_state_when_sent,
        by=permissions.is_registrant,
        offered_if=appeals.may_be_written_on,
        needs=(
            conditions.takes_requests,
            conditions.few_are_in_review,
            appeals.appeal_of_others_only,
            conditions.draft_as_seen,
            conditions.written_from_version_in_force,
            conditions.nothing_blocks,
            conditions.something_changed,
            conditions.must_fix_answered,
            conditions.remarked_text_changed,
        ),
        effect=effects.send_draft,
        form="registry.forms.draft.SubmissionForm",
        page="requests:send",
    ),
    Transition(
        verb="assign",
        label=_("Assign an expert"),
        consequence=_(
            "Whoever takes it declares that they have no conflict of interest; whoever is put on "
            "it, with their first act."
        ),
        comment=_("Reason"),
        done=describe_assignment,
        kinds=frozenset({VerbKind.BEGINS_REVIEW, VerbKind.BRINGS_EXPERT}),
        sources=EXPERT_STATES,
        target=paths.find_state_when_assigned,
        by=conditions.may_assign,
        needs=(conditions.expert_can_judge, conditions.leaver_is_on_it),
        effect=effects.assign_expert,
        form="registry.forms.review.build_assign_form",
        page="review:assign",
    ),
    Transition(
        verb="recuse",
        label=_("Recuse yourself"),
        consequence=_(
            "You will take no part in this request, and your decision on it counts no more. Say "
            "why, or only that you have a conflict."
        ),
        comment=_("Reason"),
        done=describe_recusal,
        kinds=frozenset({VerbKind.TAKES_EXPERT_OFF}),
        sources=RECUSAL_STATES,
        target=paths.find_state_when_recused,
        by=permissions.may_recuse,
        needs=(conditions.expert_can_leave,),
        effect=effects.recuse_expert,
        form="registry.forms.review.RecuseForm",
        page="review:detail",
    ),
    Transition(
        verb="extend",
        label=_("Extend the date"),
        consequence=_("Everybody sees the new date and the reason."),
        comment=REASONS_LABEL,
        done=describe_extension,
        kinds=frozenset({VerbKind.BEGINS_REVIEW}),
        sources=frozenset({State.IN_REVIEW, State.APPROVED}),
        target=None,
        by=permissions.may_extend,
        offered_if=appeals.may_be_postponed,
        needs=(reasons_given, conditions.later_date),
        effect=effects.extend_review,
        form="registry.forms.review.ExtendForm",
    ),
    Transition(
        verb="request_changes",
        label=_("Ask for changes"),
        consequence=_("List everything at once. The registrant edits the text and sends it again."),
        comment=REASONS_LABEL,
        done=_("asked for changes to round %(round)s"),
        kinds=frozenset({VerbKind.EXPERT_DECISION, VerbKind.ASKS_FOR_CHANGES}),
        sources=frozenset({State.IN_REVIEW, State.REPORTED, State.APPROVED}),
        target=State.CHANGES_REQUESTED,
        by=permissions.may_request_changes,
        offered_if=may_be_mended,
        needs=(conditions.expert_unchallenged, reasons_given, conditions.something_to_mend),
        effect=effects.ask_for_changes,
    ),
    Transition(
        verb="approve",
        label=_("Approve"),
        consequence=_("Goes to the registrar, who publishes it."),
        comment=REASONS_LABEL,
        done=_("approved round %(round)s"),
        kinds=frozenset({VerbKind.EXPERT_DECISION, VerbKind.FAVOURABLE, VerbKind.APPROVAL}),
        sources=frozenset({State.IN_REVIEW}),
        target=State.APPROVED,
        by=permissions.is_assigned_expert,
        needs=(
            conditions.expert_unchallenged,
            conditions.no_standards_action,
            *APPROVAL_CONDITIONS,
        ),
        effect=effects.note_favourable_decision,
        form="registry.forms.review.FavourableDecisionForm",
    ),
    Transition(
        verb="report",
        label=_("Report to the standards body"),
        consequence=_("Registration then waits for the direction of that body."),
        comment=_("The report, public"),
        done=_("reported on round %(round)s to the standards body"),
        kinds=frozenset({VerbKind.EXPERT_DECISION, VerbKind.FAVOURABLE, VerbKind.REPORT}),
        sources=frozenset({State.IN_REVIEW}),
        target=State.REPORTED,
        by=permissions.is_assigned_expert,
        needs=(conditions.expert_unchallenged, conditions.standards_action, *APPROVAL_CONDITIONS),
        effect=effects.note_favourable_decision,
        form="registry.forms.review.FavourableDecisionForm",
    ),
    Transition(
        verb="decline",
        label=_("Decline"),
        consequence=_(
            "The request is not accepted as it is. It can be changed and sent again; after a "
            "report it ends, and can be reopened."
        ),
        comment=_("Reasons, and what would succeed, public"),
        done=_("declined round %(round)s"),
        kinds=frozenset({VerbKind.EXPERT_DECISION, VerbKind.ASKS_FOR_CHANGES}),
        sources=frozenset({State.IN_REVIEW, State.REPORTED}),
        target=paths.find_state_when_declined,
        by=permissions.may_decline,
        needs=(
            conditions.expert_unchallenged,
            reasons_given,
        ),
        effect=effects.decline_request,
    ),
    Transition(
        verb="direct",
        label=_("Direct"),
        consequence=_(
            "A direction to register goes to the registrar, who publishes it. A ruling changes no "
            "state."
        ),
        comment=_("Reasons, and where the direction is recorded, public"),
        done=describe_direction,
        kinds=frozenset({VerbKind.RULING, VerbKind.FAVOURABLE, VerbKind.DIRECTION}),
        sources=LIVE_STATES - {State.DRAFT},
        target=effects.find_state_when_directed,
        by=permissions.may_direct,
        offered_if=awaits_direction,
        needs=(conditions.ruling_fits, conditions.may_be_published, reasons_given),
        effect=effects.note_direction,
        form="registry.forms.consent.DirectForm",
        page="direction:detail",
        is_main=True,
    ),
    Transition(
        verb="complete",
        label=_("Ask for registration"),
        consequence=_("The last round goes to the registrar as it is. No expert can block it."),
        comment=_("Which advice you did not take, and why, public"),
        done=_("asked for registration of round %(round)s"),
        kinds=frozenset({VerbKind.ASKS_FOR_ROUND, VerbKind.FAVOURABLE}),
        sources=frozenset({State.ADVISORY}),
        target=State.APPROVED,
        by=permissions.is_registrant,
        needs=(
            conditions.body_decides,
            conditions.may_be_published_once_asked,
            conditions.speaks_for_the_body,
            conditions.specification_given,
            reasons_given,
        ),
        effect=effects.drop_draft,
        needs_recognition=True,
    ),
    Transition(
        verb="consent",
        label=_("Consent"),
        consequence=_("Your consent counts for this round alone. You can object later."),
        comment=_("What you want to say, public"),
        done=_("consented to round %(round)s for %(body)s"),
        kinds=frozenset({VerbKind.CONSENT}),
        sources=EXPERT_STATES | {State.APPROVED},
        target=None,
        by=consent.may_consent,
        needs=(conditions.not_consented_before,),
        effect=effects.note_consent,
    ),
    Transition(
        verb="record_evidence",
        label=_("Record evidence"),
        consequence=_("What you have seen counts for this round alone, and everybody can read it."),
        comment=_("What you saw, how, and where it is recorded, public"),
        done=describe_evidence,
        kinds=frozenset({VerbKind.EVIDENCE}),
        sources=EXPERT_STATES | {State.APPROVED},
        target=None,
        by=permissions.may_publish,
        needs=(conditions.evidence_fits, conditions.rfc_and_section, reasons_given),
        effect=effects.note_evidence,
        form="registry.forms.consent.EvidenceForm",
    ),
    Transition(
        verb="countersign",
        label=_("Confirm as second officer"),
        consequence=_(
            "You have checked this change and its evidence. Another officer publishes it: the one "
            "who confirms it cannot."
        ),
        comment=_("What you checked, public"),
        done=_("confirmed round %(round)s as second officer"),
        kinds=frozenset({VerbKind.SECOND_OFFICER}),
        sources=EXPERT_STATES | {State.APPROVED},
        target=None,
        by=consent.may_countersign,
        needs=(
            conditions.not_countersigned_before,
            conditions.somebody_else_can_publish,
            reasons_given,
        ),
        effect=effects.note_round,
    ),
    Transition(
        verb="reconsider",
        label=_("Reconsider"),
        consequence=_(
            "Your decision is taken back, and an appeal of it ends. The request is again where it "
            "was decided."
        ),
        comment=REASONS_LABEL,
        done=_("took back a decision on round %(round)s"),
        kinds=frozenset({VerbKind.RECONSIDERS}),
        sources=frozenset(
            {State.APPROVED, State.DECLINED, State.REPORTED, State.REFUSED, State.APPEALED}
        ),
        target=paths.find_state_when_reconsidered,
        by=permissions.may_reconsider,
        needs=(reasons_given, conditions.reconsidered_once, conditions.not_reopened),
        effect=effects.reconsider_decision,
    ),
    Transition(
        verb="object",
        label=_("Object"),
        consequence=_(
            "Nothing is published until you take it back, or the standards body rules on it. If "
            "you have objected already, this takes it back."
        ),
        comment=_("Why, public"),
        done=describe_objection,
        kinds=frozenset({VerbKind.OBJECTION}),
        sources=LIVE_STATES - {State.DRAFT},
        target=None,
        by=consent.may_object,
        needs=(reasons_given,),
        effect=effects.note_objection,
    ),
    Transition(
        verb="register",
        label=_("Register and publish"),
        consequence=_("An identifier is never withdrawn or given to anyone else."),
        done=describe_registration,
        kinds=frozenset({VerbKind.PUBLICATION}),
        sources=frozenset({State.APPROVED}),
        target=State.REGISTERED,
        by=permissions.may_publish,
        needs=(
            conditions.direction_and_report,
            conditions.version_known,
            conditions.may_be_published,
            conditions.not_decided_alone,
            conditions.list_has_text,
            conditions.second_officer_confirmed,
            conditions.confirmed_by_another,
        ),
        effect=publication.publish_round,
        follow_ups=effects.list_overtaken,
        form="registry.forms.steps.build_register_form",
        page="publish:detail",
        is_main=True,
    ),
    Transition(
        verb="reroute",
        label=_("Change the path"),
        consequence=_("The request goes on by the rules of the new path. Its rounds are kept."),
        comment=_("Reason, public"),
        done=_("changed the path of the request"),
        sources=frozenset(
            {
                State.DRAFT,
                State.IN_REVIEW,
                State.CHANGES_REQUESTED,
                State.REPORTED,
                State.ADVISORY,
            }
        ),
        target=paths.find_state_when_rerouted,
        by=permissions.may_reroute,
        needs=(
            paths.has_a_path,
            paths.path_differs,
            paths.text_fits,
            paths.may_leave_fast_track,
            paths.may_drop_standards_flag,
            paths.recognition_asked,
            paths.lead_says_why,
        ),
        effect=paths.reroute_request,
        form="registry.forms.steps.RerouteForm",
        needs_recognition=True,
    ),
    Transition(
        verb="overtake",
        label=_("Give back: overtaken"),
        consequence=_(
            "The registrant brings the text up to date with the new version, chooses another "
            "identifier, or withdraws the request."
        ),
        done=describe_overtaking,
        kinds=frozenset({VerbKind.ASKS_FOR_CHANGES, VerbKind.TAKES_EXPERT_OFF}),
        sources=frozenset(
            {
                State.IN_REVIEW,
                State.CHANGES_REQUESTED,
                State.REPORTED,
                State.APPROVED,
                State.ADVISORY,
                State.APPEALED,
                State.DECLINED,
            }
        ),
        target=paths.find_state_when_overtaken,
        by=permissions.is_the_clock,
        needs=(conditions.overtaken_by_another,),
        effect=effects.overtake_request,
    ),
    Transition(
        verb="withdraw",
        label=_("Withdraw"),
        consequence=_(
            "Closes the request. What was sent stays public, and an identifier it asked for "
            "becomes available. Others who act for the organization can reopen it for some days."
        ),
        comment=_("Reason"),
        done=_("withdrew the request"),
        sources=LIVE_STATES,
        target=State.WITHDRAWN,
        by=permissions.is_registrant,
        effect=effects.withdraw_request,
    ),
    Transition(
        verb="expire",
        label=_("Let expire"),
        consequence=_("Ends the request because nobody answered. It can be reopened."),
        done=_("let the request expire because nobody answered"),
        kinds=frozenset({VerbKind.EXPIRY}),
        sources=IDLE_STATES | REVIEW_STATES,
        target=State.EXPIRED,
        by=permissions.is_the_clock,
        needs=(conditions.idle_long_enough,),
    ),
    Transition(
        verb="appeal",
        label=_("Appeal"),
        consequence=_(
            "The standards body hears the appeal and records the outcome here. What others have "
            "to say about it belongs in the discussion."
        ),
        comment=_("How the decision affects you, and why it should be overturned, public"),
        done=_("appealed against the decision on round %(round)s"),
        kinds=frozenset({VerbKind.APPEAL}),
        sources=DECIDED_STATES,
        target=appeals.find_state_when_appealed,
        by=permissions.may_appeal,
        offered_if=may_be_appealed,
        needs=(appeals.still_appealable, appeals.ground_not_heard, reasons_given),
        effect=appeals.record_appeal,
        form="registry.forms.direction.AppealForm",
    ),
    Transition(
        verb="decide_appeal",
        label=_("Decide on the appeal"),
        consequence=_("It ends the appeal. The same ground is not heard again."),
        comment=REASONS_LABEL,
        done=appeals.describe_outcome,
        kinds=frozenset({VerbKind.RULING, VerbKind.APPEAL_OUTCOME}),
        sources=DECIDED_STATES | {State.APPEALED},
        target=appeals.find_state_when_decided,
        by=permissions.may_direct,
        offered_if=appeals.has_pending_appeal,
        needs=(
            appeals.appeal_is_heard,
            appeals.decided_by_another,
            appeals.outcome_possible,
            reasons_given,
        ),
        effect=appeals.record_outcome,
        form="registry.forms.direction.DecideAppealForm",
    ),
    Transition(
        verb="reopen",
        label=_("Reopen"),
        consequence=_(
            "Starts a new draft from the last text, linked to this request. A withdrawal that can "
            "still be undone is undone instead: the request is where it was."
        ),
        comment=_("Reason"),
        done=describe_reopening,
        sources=frozenset({State.WITHDRAWN, State.EXPIRED, State.REFUSED}),
        target=conditions.find_state_when_reopened,
        by=permissions.is_registrant,
        needs=(conditions.not_reopened,),
        effect=effects.reopen_request,
    ),
)

VERBS = {transition.verb: transition for transition in TRANSITIONS}
enums.register_verbs(TRANSITIONS)
