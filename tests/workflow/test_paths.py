"""Paths: who decides on each, how a request changes its path, and what can be appealed."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

import pytest

from registry import workflow
from registry.actions import discussion, recognition, remarks
from registry.enums import (
    ChangeKind,
    MessageMark,
    NamespaceKind,
    RemarkWeight,
    RequestPath,
    State,
)
from registry.models import Namespace, Organization, Recognition, RegistrationRequest, Round, User
from registry.selectors.publication import NOT_RECOGNISED
from registry.workflow import drafts
from tests.factories import (
    NamespaceFactory,
    let_speak_for,
    start,
)
from tests.refusals import expect_refusal, list_obstacle_labels
from tests.small_changes import send
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db

DAY = datetime.date(2026, 3, 3)
WHY = "It belongs there."


def reroute(registration_request: RegistrationRequest, actor: User, **data: Any) -> None:
    workflow.perform(registration_request, "reroute", actor=actor, comment=WHY, **data)


def rewrite(registration_request: RegistrationRequest, **changes: object) -> None:
    draft = registration_request.draft
    assert draft is not None
    drafts.save_draft(draft, changes, seen=draft.edition)
    registration_request.refresh_from_db()


@pytest.fixture
def pending(organization: Organization, registrant: User) -> Recognition:
    """The organization has asked to be recognised."""
    return recognition.request_recognition(organization, registrant, "A scientific society.")


@pytest.fixture
def recognised(organization: Organization) -> Organization:
    organization.recognised_on, organization.recognition_source = DAY, "Minutes, item 3"
    organization.save()
    return organization


@pytest.fixture
def advisory(
    pending: Recognition,
    registrant: User,
    organization: Organization,
    expert: User,
) -> RegistrationRequest:
    """A request on the fast track, with an expert on it, of a body that asked to be recognised."""
    let_speak_for(organization, registrant)
    fast = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(fast, "submit", actor=registrant)
    workflow.perform(fast, "assign", actor=expert)
    return fast


@pytest.fixture
def reported(in_review: RegistrationRequest, registrant: User, expert: User) -> RegistrationRequest:
    """A request on the standards track, with the experts' report."""
    reroute(in_review, registrant, standards_action=True)
    workflow.perform(in_review, "report", actor=expert, comment="Fit for its purpose.")
    return in_review


@pytest.fixture
def declined(in_review: RegistrationRequest, expert: User) -> RegistrationRequest:
    workflow.perform(in_review, "decline", actor=expert, comment="Too wide.")
    return in_review


@pytest.fixture
def refused(reported: RegistrationRequest, standards_body: User) -> RegistrationRequest:
    workflow.perform(reported, "decline", actor=standards_body, comment="No standard.")
    return reported


def grounds(verb: str) -> dict[str, Any]:
    """Return all the input that a verb needs, so that only state and person can prevent it."""
    data: dict[str, dict[str, Any]] = {
        "reroute": {"standards_action": True},
        "appeal": {"ground": "judgement"},
    }
    return {"comment": WHY, **data.get(verb, {})}


# Each step is taken from one state and refused in another


@pytest.mark.parametrize(
    ("verb", "who", "source", "target"),
    [
        ("request_changes", "lead", "in_review", State.CHANGES_REQUESTED),
        ("reroute", "registrant", "draft", State.DRAFT),
        ("reroute", "registrant", "in_review", State.IN_REVIEW),
        ("reroute", "lead", "in_review", State.IN_REVIEW),
        ("direct", "standards_body", "reported", State.APPROVED),
        ("request_changes", "standards_body", "reported", State.CHANGES_REQUESTED),
        ("decline", "standards_body", "reported", State.REFUSED),
        ("appeal", "outsider", "declined", State.APPEALED),
        ("appeal", "registrant", "refused", State.APPEALED),
    ],
)
def test_step_is_taken_from_a_state_that_allows_it(
    verb: str, who: str, source: str, target: State, request: pytest.FixtureRequest
) -> None:
    registration_request, person = map(request.getfixturevalue, (source, who))

    event = workflow.perform(registration_request, verb, actor=person, **grounds(verb))

    assert (registration_request.state, event.target, event.comment) == (target, target, WHY)


@pytest.mark.parametrize(
    ("verb", "who", "source"),
    [
        ("request_changes", "registrar", "draft"),
        ("reroute", "registrant", "approved"),
        ("reroute", "lead", "declined"),
        ("direct", "standards_body", "draft"),
        ("request_changes", "standards_body", "declined"),
        ("decline", "standards_body", "declined"),
        ("complete", "registrant", "in_review"),
        ("appeal", "outsider", "draft"),
        ("decide_appeal", "standards_body", "draft"),
        ("submit", "registrant", "in_review"),
        ("report", "expert", "advisory"),
    ],
)
def test_step_is_refused_in_a_state_that_does_not_allow_it(
    verb: str, who: str, source: str, request: pytest.FixtureRequest
) -> None:
    registration_request, person = map(request.getfixturevalue, (source, who))
    before = registration_request.state, registration_request.events.count()

    with expect_refusal("state"):
        workflow.perform(registration_request, verb, actor=person, **grounds(verb))

    registration_request.refresh_from_db()
    assert (registration_request.state, registration_request.events.count()) == before


@pytest.mark.parametrize("verb", ["direct", "request_changes", "decline", "decide_appeal"])
def test_decisions_of_others_are_not_the_registrants(
    verb: str, registrant: User, request: pytest.FixtureRequest
) -> None:
    source = {"decide_appeal": "refused"}.get(verb, "reported")
    registration_request = request.getfixturevalue(source)

    with expect_refusal("role"):
        workflow.perform(registration_request, verb, actor=registrant, comment=WHY)


@pytest.mark.parametrize("verb", ["direct", "request_changes", "decline"])
def test_standards_body_gives_reasons(
    verb: str, reported: RegistrationRequest, standards_body: User
) -> None:
    with expect_refusal("reasons_given"):
        workflow.perform(reported, verb, actor=standards_body, comment=" ")

    assert reported.events.latest("number").verb == "report"


# The fast track


def advise(registration_request: RegistrationRequest, expert: User) -> None:
    discussion.add_comment(
        registration_request,
        author=expert,
        text="Do not do this.",
        key=uuid.uuid4(),
        mark=MessageMark.ADVICE,
    )
    registration_request.refresh_from_db()


def test_no_expert_ever_blocks_a_fast_track_request(
    advisory: RegistrationRequest, expert: User, lead: User, registrar: User
) -> None:
    for who in (expert, lead, registrar):
        for verb in ("request_changes", "decline", "approve", "report", "extend"):
            with pytest.raises(workflow.ActionRefused):
                workflow.perform(advisory, verb, actor=who, comment=WHY, due_on=DAY)

    advisory.refresh_from_db()
    assert advisory.state == State.ADVISORY
    assert {each.verb for each in workflow.available_transitions(advisory, expert)} == {"recuse"}


def test_body_decides_against_advice_once_it_is_recognised(
    advisory: RegistrationRequest, recognised: Organization, registrant: User, expert: User
) -> None:
    advise(advisory, expert)

    event = workflow.perform(
        advisory, "complete", actor=registrant, comment="We do it all the same."
    )

    last = advisory.last_round
    assert last is not None
    assert (advisory.state, advisory.draft) == (State.APPROVED, None)
    assert event.data["sha256"] == last.sha256


def test_completing_needs_recognition_however_long_it_is_pending(
    advisory: RegistrationRequest, registrant: User
) -> None:
    with expect_refusal("may_be_published_once_asked"):
        workflow.perform(advisory, "complete", actor=registrant, comment=WHY)
    assert list_obstacle_labels(advisory) == [NOT_RECOGNISED]

    assert advisory.state == State.ADVISORY


def test_recognition_lost_after_completing_stops_the_registration(
    advisory: RegistrationRequest, recognised: Organization, registrant: User, registrar: User
) -> None:
    advisory.refresh_from_db()
    workflow.perform(advisory, "complete", actor=registrant, comment=WHY)
    recognised.recognised_on, recognised.recognition_source = None, ""
    recognised.save()
    advisory = RegistrationRequest.objects.get(pk=advisory.pk)

    with expect_refusal("may_be_published"):
        workflow.perform(advisory, "register", actor=registrar)
    assert list_obstacle_labels(advisory) == [NOT_RECOGNISED]

    assert not Namespace.objects.filter(nid=advisory.nid).exists()


def test_remark_that_must_be_fixed_does_not_stop_the_next_round_of_the_body(
    advisory: RegistrationRequest, registrant: User, expert: User
) -> None:
    remarks.add_remark(
        advisory,
        actor=expert,
        round_number=1,
        section="purpose",
        weight=RemarkWeight.MUST_FIX,
        text="Say for whom.",
    )
    advisory.refresh_from_db()
    rewrite(advisory, interoperability="No other system names seeds by vault.")

    workflow.perform(advisory, "submit", actor=registrant)

    assert advisory.rounds.sent().count() == 2


def test_completing_needs_a_specification(
    advisory: RegistrationRequest, recognised: Organization, registrant: User
) -> None:
    nameless = "None, because the rules are known to those who use the names."
    last = advisory.last_round
    assert last is not None
    fast = start(registrant, recognised, FORMAL.replace(nid="loopforum"), RequestPath.FAST_TRACK)
    Round.objects.filter(registration_request=fast).update(
        documentation=nameless,
        submitted_at=last.submitted_at,
        sha256="0" * 64,
    )
    RegistrationRequest.objects.filter(pk=fast.pk).update(state=State.ADVISORY)
    fast.refresh_from_db()

    with pytest.raises(workflow.ActionRefused, match="pecification"):
        workflow.perform(fast, "complete", actor=registrant, comment=WHY)

    assert fast.state == State.ADVISORY


def test_completing_says_which_advice_was_not_taken(
    advisory: RegistrationRequest, recognised: Organization, registrant: User
) -> None:
    advisory.refresh_from_db()

    with expect_refusal("reasons_given"):
        workflow.perform(advisory, "complete", actor=registrant)

    assert workflow.perform(advisory, "complete", actor=registrant, comment=WHY).comment == WHY


def test_body_does_not_complete_what_is_to_become_a_standard(
    advisory: RegistrationRequest, recognised: Organization, registrant: User
) -> None:
    reroute(advisory, registrant, standards_action=True)
    advisory.refresh_from_db()
    with expect_refusal("body_decides"):
        workflow.perform(advisory, "complete", actor=registrant, comment=WHY)

    reroute(advisory, registrant, standards_action=False)
    workflow.perform(advisory, "complete", actor=registrant, comment=WHY)

    assert advisory.state == State.APPROVED


# From one path to another


def test_fast_track_is_open_to_bodies_recognised_or_waiting(
    in_review: RegistrationRequest, registrant: User, organization: Organization
) -> None:
    with expect_refusal("recognition_asked"):
        reroute(in_review, registrant, path=RequestPath.FAST_TRACK)

    recognition.request_recognition(organization, registrant, "A scientific society.")
    reroute(in_review, registrant, path=RequestPath.FAST_TRACK)

    first, second = in_review.rounds.all()
    assert (in_review.path, in_review.state) == (RequestPath.FAST_TRACK, State.ADVISORY)
    assert (first.submitted_at is None, second.submitted_at is None) == (False, True)
    assert second.template == first.template


def test_recognition_that_was_refused_opens_no_fast_track(
    in_review: RegistrationRequest,
    pending: Recognition,
    registrant: User,
    standards_body: User,
) -> None:
    recognition.refuse_recognition(pending, actor=standards_body, reasons="No such body.")

    with expect_refusal("recognition_asked"):
        reroute(in_review, registrant, path=RequestPath.FAST_TRACK)

    assert (in_review.path, in_review.state) == (RequestPath.COMMUNITY, State.IN_REVIEW)


def test_recognition_that_was_refused_completes_nothing(
    advisory: RegistrationRequest,
    pending: Recognition,
    registrant: User,
    standards_body: User,
) -> None:
    recognition.refuse_recognition(pending, actor=standards_body, reasons="No such body.")
    advisory.organization.refresh_from_db()

    with expect_refusal("may_be_published_once_asked"):
        workflow.perform(advisory, "complete", actor=registrant, comment=WHY)
    assert list_obstacle_labels(advisory) == [NOT_RECOGNISED]

    assert advisory.state == State.ADVISORY


def test_granted_recognition_lets_its_sender_not_speak_for_the_body(
    pending: Recognition,
    registrant: User,
    organization: Organization,
    standards_body: User,
) -> None:
    recognition.grant_recognition(
        pending, actor=standards_body, recognised_on=DAY, source="Minutes, item 3"
    )
    organization.refresh_from_db()
    fast = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(fast, "submit", actor=registrant)

    with expect_refusal("may_be_published_once_asked"):
        workflow.perform(fast, "complete", actor=registrant, comment=WHY)

    assert fast.state == State.ADVISORY


def test_request_leaves_the_fast_track_with_its_rounds(
    advisory: RegistrationRequest, registrant: User
) -> None:
    rewrite(advisory, purpose="A purpose in other words, as long as a purpose has to be. " * 4)
    workflow.perform(advisory, "submit", actor=registrant)

    reroute(advisory, registrant, path=RequestPath.COMMUNITY)

    assert (advisory.path, advisory.state) == (RequestPath.COMMUNITY, State.IN_REVIEW)
    assert [each.number for each in advisory.rounds.sent()] == [1, 2]
    event = advisory.events.latest("number")
    assert (event.data["path_before"], event.data["path"]) == ("fast_track", "community")


def test_lead_takes_it_off_only_where_recognition_was_refused(
    advisory: RegistrationRequest,
    pending: Recognition,
    organization: Organization,
    registrant: User,
    lead: User,
    standards_body: User,
) -> None:
    with expect_refusal("may_leave_fast_track"):
        reroute(advisory, lead, path=RequestPath.COMMUNITY)
    recognition.refuse_recognition(pending, actor=standards_body, reasons="No such body.")
    again = recognition.request_recognition(organization, registrant, "We have become one.")
    with expect_refusal("may_leave_fast_track"):
        reroute(advisory, lead, path=RequestPath.COMMUNITY)

    recognition.refuse_recognition(again, actor=standards_body, reasons="You have not.")
    reroute(advisory, lead, path=RequestPath.COMMUNITY)

    assert (advisory.path, advisory.state) == (RequestPath.COMMUNITY, State.IN_REVIEW)


def test_lead_gives_a_reason_and_the_registrant_need_not(
    in_review: RegistrationRequest, lead: User, registrant: User
) -> None:
    with expect_refusal("lead_says_why"):
        workflow.perform(in_review, "reroute", actor=lead, standards_action=True)

    workflow.perform(in_review, "reroute", actor=registrant, standards_action=True)

    assert in_review.standards_action


def test_nothing_asked_for_is_told(in_review: RegistrationRequest, registrant: User) -> None:
    with expect_refusal("path_differs"):
        reroute(in_review, registrant, path=RequestPath.COMMUNITY, standards_action=False)

    assert in_review.events.filter(verb="reroute").count() == 0


def test_formal_draft_becomes_informal_and_back_with_its_identifier_swapped(
    draft: RegistrationRequest, registrant: User
) -> None:
    before = draft.draft
    assert before is not None

    reroute(draft, registrant, path=RequestPath.INFORMAL)
    informal = draft.draft
    reroute(draft, registrant, path=RequestPath.COMMUNITY)
    formal = draft.draft

    assert informal is not None
    assert formal is not None
    assert (informal.template["nid"], formal.template["nid"], draft.nid) == ("urn-N", "", "")
    assert informal.edition == before.edition + 1
    assert draft.state == State.DRAFT


def test_writer_of_the_old_identifier_is_told_of_the_swap(
    draft: RegistrationRequest, registrant: User
) -> None:
    open_page = draft.draft
    assert open_page is not None

    reroute(draft, registrant, path=RequestPath.INFORMAL)

    with pytest.raises(workflow.ConcurrentChange):
        drafts.save_draft(open_page, {"purpose": "Another."}, seen=open_page.edition)


def test_swap_waits_until_the_text_is_with_its_writer(
    in_review: RegistrationRequest, registrant: User, expert: User
) -> None:
    with expect_refusal("text_fits"):
        reroute(in_review, registrant, path=RequestPath.INFORMAL)

    workflow.perform(in_review, "request_changes", actor=expert, comment="Take a number.")
    reroute(in_review, registrant, path=RequestPath.INFORMAL)

    draft = in_review.draft
    assert draft is not None
    assert (in_review.state, in_review.path) == (State.CHANGES_REQUESTED, RequestPath.INFORMAL)
    assert draft.template["nid"] == "urn-N"
    assert in_review.rounds.sent().get().template["nid"] == "seedbank"


def test_registered_namespace_stays_formal(registrant: User, organization: Organization) -> None:
    namespace = NamespaceFactory.create(nid="seedlings", registrant=organization)
    revision = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Accessions",
        namespace=namespace,
    )

    with expect_refusal("text_fits"):
        reroute(revision, registrant, path=RequestPath.INFORMAL)

    assert (namespace.kind, revision.path) == (NamespaceKind.FORMAL, RequestPath.COMMUNITY)


def test_change_of_facts_has_no_path(
    registrant: User, organization: Organization, registrar: User
) -> None:
    namespace = NamespaceFactory.create(nid="seedlings", registrant=organization)
    sent = send(namespace, ChangeKind.CONTACT, registrant)
    workflow.perform(sent, "request_changes", actor=registrar, comment="Who are you?")

    with expect_refusal("has_a_path"):
        reroute(sent, registrant, standards_action=True)

    assert sent.state == State.CHANGES_REQUESTED


# The standards track


def test_flag_stays_once_the_experts_have_reported(
    reported: RegistrationRequest, registrant: User
) -> None:
    with expect_refusal("may_drop_standards_flag"):
        reroute(reported, registrant, standards_action=False)

    reported.refresh_from_db()
    assert (reported.state, reported.standards_action) == (State.REPORTED, True)


def drop_flag_and_be_refused(
    registration_request: RegistrationRequest, registrant: User, state: State
) -> None:
    with expect_refusal("may_drop_standards_flag"):
        reroute(registration_request, registrant, standards_action=False)
    registration_request.refresh_from_db()
    assert (registration_request.state, registration_request.standards_action) == (state, True)


def send_back_on_appeal(
    registration_request: RegistrationRequest, appellant: User, standards_body: User
) -> None:
    workflow.perform(
        registration_request, "appeal", actor=appellant, comment=WHY, ground="judgement"
    )
    workflow.perform(
        registration_request,
        "decide_appeal",
        actor=standards_body,
        comment="To be decided again.",
        outcome="goes_back",
    )


def test_direction_sent_back_on_appeal_does_not_let_the_flag_go(
    reported: RegistrationRequest, registrant: User, outsider: User, standards_body: User
) -> None:
    workflow.perform(reported, "direct", actor=standards_body, comment="Minutes of 3 May.")
    send_back_on_appeal(reported, outsider, standards_body)

    drop_flag_and_be_refused(reported, registrant, State.REPORTED)


def test_refusal_sent_back_on_appeal_does_not_let_the_flag_go(
    refused: RegistrationRequest, registrant: User, standards_body: User
) -> None:
    send_back_on_appeal(refused, registrant, standards_body)

    drop_flag_and_be_refused(refused, registrant, State.REPORTED)


def test_directed_text_that_the_registrar_has_changed_keeps_its_flag(
    reported: RegistrationRequest, registrant: User, standards_body: User, registrar: User
) -> None:
    workflow.perform(reported, "direct", actor=standards_body, comment="Minutes of 3 May.")
    NamespaceFactory.create(nid="seedbank")
    workflow.perform(reported, "request_changes", actor=registrar, comment="The name is taken.")

    drop_flag_and_be_refused(reported, registrant, State.CHANGES_REQUESTED)


def test_flag_goes_once_the_request_was_sent_back(
    reported: RegistrationRequest, registrant: User, standards_body: User
) -> None:
    workflow.perform(
        reported, "request_changes", actor=standards_body, comment="No standard of ours."
    )
    reroute(reported, registrant, standards_action=False)

    assert (reported.state, reported.standards_action) == (State.CHANGES_REQUESTED, False)


def publish(registration_request: RegistrationRequest, registrar: User) -> None:
    workflow.perform(registration_request, "register", actor=registrar, references=["A document"])


def test_report_and_direction_on_this_very_text_publish_it(
    reported: RegistrationRequest, standards_body: User, registrar: User
) -> None:
    workflow.perform(reported, "direct", actor=standards_body, comment="Minutes of 3 May.")

    publish(reported, registrar)

    assert Namespace.objects.filter(nid="seedbank").exists()


def forced_to_the_registrar(registration_request: RegistrationRequest) -> None:
    """Put it where no verb would bring it without a direction on this text."""
    requests = RegistrationRequest.objects.filter(pk=registration_request.pk)
    requests.update(state=State.APPROVED)
    registration_request.refresh_from_db()


def test_report_alone_publishes_nothing(reported: RegistrationRequest, registrar: User) -> None:
    forced_to_the_registrar(reported)

    with expect_refusal("direction_and_report"):
        publish(reported, registrar)

    assert not Namespace.objects.exists()


def test_direction_alone_publishes_nothing(
    in_review: RegistrationRequest, registrant: User, standards_body: User, registrar: User
) -> None:
    reroute(in_review, registrant, standards_action=True)
    RegistrationRequest.objects.filter(pk=in_review.pk).update(state=State.REPORTED)
    in_review.refresh_from_db()
    workflow.perform(in_review, "direct", actor=standards_body, comment="Minutes of 3 May.")

    with expect_refusal("direction_and_report"):
        publish(in_review, registrar)

    assert not Namespace.objects.exists()


@pytest.mark.whole
def test_direction_on_an_older_text_publishes_nothing(
    reported: RegistrationRequest,
    registrant: User,
    expert: User,
    standards_body: User,
    registrar: User,
) -> None:
    workflow.perform(reported, "direct", actor=standards_body, comment="Minutes of 3 May.")
    workflow.perform(reported, "reconsider", actor=standards_body, comment="No such mail.")
    workflow.perform(reported, "request_changes", actor=standards_body, comment="No such mail.")
    rewrite(reported, registrant=FORMAL.registrant.replace("urn@", "desk@"))
    workflow.perform(reported, "submit", actor=registrant)
    workflow.perform(reported, "report", actor=expert, comment="Fit as before.")
    forced_to_the_registrar(reported)

    with expect_refusal("direction_and_report"):
        publish(reported, registrar)

    assert not Namespace.objects.exists()


def test_approval_does_not_stand_for_report_and_direction(
    approved: RegistrationRequest, registrar: User
) -> None:
    RegistrationRequest.objects.filter(pk=approved.pk).update(standards_action=True)
    approved.refresh_from_db()

    with expect_refusal("direction_and_report"):
        publish(approved, registrar)

    assert approved.events.filter(verb="approve").exists()


# Appeals


@pytest.mark.whole
def test_body_directs_after_an_appeal_what_it_had_refused(
    refused: RegistrationRequest, outsider: User, standards_body: User, registrar: User
) -> None:
    send_back_on_appeal(refused, outsider, standards_body)
    workflow.perform(refused, "direct", actor=standards_body, comment="Minutes of 3 June.")

    publish(refused, registrar)

    assert refused.state == State.REGISTERED


# Submitting


@pytest.mark.parametrize(
    ("path", "state"),
    [
        (RequestPath.COMMUNITY, State.IN_REVIEW),
        (RequestPath.FAST_TRACK, State.ADVISORY),
    ],
)
def test_text_is_sent_where_its_path_begins(
    path: RequestPath, state: State, registrant: User, organization: Organization
) -> None:
    sent = start(registrant, organization, FORMAL, path)

    workflow.perform(sent, "submit", actor=registrant)

    assert sent.state == state
    assert (sent.draft is not None) is (path == RequestPath.FAST_TRACK)
