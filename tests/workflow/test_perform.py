"""Steps of the workflow: state, event and effect together or not at all."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, transaction

from registry import selectors, workflow
from registry.enums import (
    RequestPath,
    Role,
    State,
    Turn,
)
from registry.journal.row_digests import build_row_key
from registry.models import (
    Assignment,
    Event,
    Namespace,
    Organization,
    RegistrationRequest,
    Round,
    User,
)
from registry.workflow import drafts
from tests.factories import UserFactory
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


def verbs(registration_request: RegistrationRequest) -> list[str]:
    return [event.verb for event in registration_request.events.all()]


def test_sending_freezes_the_round_with_its_hash_and_its_date(
    draft: RegistrationRequest, registrant: User
) -> None:
    event = workflow.perform(draft, "submit", actor=registrant, comment="First round.")

    sent = draft.last_round
    assert sent is not None
    assert draft.state == State.IN_REVIEW
    assert sent.sha256 == sent.canonical_sha256
    assert sent.template.date == event.at.date().isoformat()
    assert sent.template.version == "1"
    assert event.data == {"round": 1, "sha256": sent.sha256}
    assert draft.draft is None


def test_line_of_a_round_proves_its_text_and_who_asks(
    draft: RegistrationRequest, registrant: User
) -> None:
    event = workflow.perform(draft, "submit", actor=registrant)

    sent = draft.last_round
    assert sent is not None
    assert set(event.rows) == {build_row_key(sent), build_row_key(draft.organization)}


def test_round_once_sent_cannot_be_changed_even_behind_our_back(
    in_review: RegistrationRequest,
) -> None:
    sent = in_review.last_round
    assert sent is not None

    with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
        type(sent).objects.filter(pk=sent.pk).update(purpose="Something else.")

    assert sent.template == type(sent).objects.get(pk=sent.pk).template


def test_step_advances_the_revision_and_writes_one_event(
    draft: RegistrationRequest, registrant: User
) -> None:
    before = draft.revision

    workflow.perform(draft, "submit", actor=registrant, comment="Please review.")

    assert draft.revision == before + 1
    event = draft.events.latest("number")
    assert (event.verb, event.source, event.target, event.actor, event.comment) == (
        "submit",
        "draft",
        "in_review",
        registrant,
        "Please review.",
    )


def test_second_of_two_simultaneous_decisions_is_refused(
    in_review: RegistrationRequest, expert: User
) -> None:
    stale = RegistrationRequest.objects.get(pk=in_review.pk)
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")

    with pytest.raises(workflow.ConcurrentChange):
        workflow.perform(stale, "decline", actor=expert, comment="Too late.")

    assert verbs(stale) == ["start", "submit", "assign", "approve"]


def test_page_that_saw_an_older_revision_decides_nothing(
    in_review: RegistrationRequest, expert: User
) -> None:
    seen = in_review.revision
    other = UserFactory.create(roles=["designated expert"])
    workflow.perform(in_review, "assign", actor=other)

    with expect_refusal("superseded"):
        workflow.perform(in_review, "approve", actor=expert, comment="Sound.", seen=seen)

    assert RegistrationRequest.objects.get(pk=in_review.pk).state == State.IN_REVIEW


def test_failing_effect_leaves_neither_state_nor_event(
    approved: RegistrationRequest, registrar: User
) -> None:
    Namespace.objects.create(nid=approved.nid, nid_as_registered=approved.nid, kind="formal")
    before = Event.objects.count()

    with pytest.raises(workflow.ActionRefused, match="registered"):
        workflow.perform(approved, "register", actor=registrar)

    stored = RegistrationRequest.objects.get(pk=approved.pk)
    assert (stored.state, stored.revision) == (State.APPROVED, approved.revision)
    assert Event.objects.count() == before


def test_refusal_says_who_may_do_it_instead(in_review: RegistrationRequest, outsider: User) -> None:
    with pytest.raises(workflow.ActionRefused) as refusal:
        workflow.perform(in_review, "approve", actor=outsider, comment="Mine.")

    assert str(refusal.value) == "“Approve” is for an expert assigned to the request."


def test_refusal_names_the_state_that_stands_in_the_way(
    draft: RegistrationRequest, expert: User
) -> None:
    with pytest.raises(workflow.ActionRefused) as refusal:
        workflow.perform(draft, "approve", actor=expert, comment="Early.")

    assert str(refusal.value) == (
        "“Approve” is not possible: the request is in the state “Draft”, and waits for the "
        "registrant."
    )


@pytest.mark.parametrize(
    ("verb", "code"),
    [
        ("approve", "reasons_given"),
        ("request_changes", "reasons_given"),
        ("decline", "reasons_given"),
    ],
)
def test_no_decision_without_a_public_reason(
    verb: str, code: str, in_review: RegistrationRequest, expert: User
) -> None:
    with expect_refusal(code):
        workflow.perform(in_review, verb, actor=expert, comment="   ")

    assert verb not in verbs(in_review)


def test_draft_with_a_missing_section_is_not_sent(
    draft: RegistrationRequest, registrant: User
) -> None:
    written = draft.draft
    assert written is not None
    drafts.save_draft(written, {"purpose": ""}, seen=written.edition)

    with expect_refusal("nothing_blocks"):
        workflow.perform(draft, "submit", actor=registrant)

    assert RegistrationRequest.objects.get(pk=draft.pk).state == State.DRAFT


def test_draft_changed_since_it_was_read_is_not_sent(
    draft: RegistrationRequest, registrant: User
) -> None:
    read = draft.draft
    assert read is not None
    drafts.save_draft(
        read, {"purpose": "Another purpose, much longer than before."}, seen=read.edition
    )

    with expect_refusal("draft_as_seen"):
        workflow.perform(draft, "submit", actor=registrant, edition=read.edition - 1)


def test_draft_is_not_saved_over_what_somebody_else_saved(draft: RegistrationRequest) -> None:
    opened = draft.draft
    assert opened is not None
    before = opened.edition
    drafts.save_draft(opened, {"purpose": "It names seeds."}, seen=before)

    with pytest.raises(workflow.ConcurrentChange):
        drafts.save_draft(opened, {"purpose": "It names stones."}, seen=before)

    kept = Round.objects.get(pk=opened.pk)
    assert (kept.purpose, kept.edition) == ("It names seeds.", before + 1)


def test_decision_remembers_what_the_expert_answered_to_the_checklist_of_this_round(
    in_review: RegistrationRequest, expert: User, lead: User, registrant: User
) -> None:
    first = in_review.last_round
    assert first is not None
    first.checklist_answers.create(expert=expert, question="scope", answer="yes")
    first.checklist_answers.create(expert=lead, question="scope", answer="no")
    workflow.perform(in_review, "assign", actor=lead)

    asked = workflow.perform(in_review, "request_changes", actor=expert, comment="Say more.")
    draft = in_review.draft
    assert draft is not None
    drafts.save_draft(draft, {"assignment": draft.template.assignment + "\n\nFor ever."}, seen=0)
    workflow.perform(in_review, "submit", actor=registrant)
    approved = workflow.perform(in_review, "approve", actor=expert, comment="Sound.")

    assert (asked.data["checklist"], asked.data["round"]) == ({"scope": "yes"}, 1)
    assert (set(approved.data), approved.data["round"]) == ({"round", "sha256"}, 2)


def test_asking_for_changes_gives_the_registrant_the_text_to_go_on_with(
    in_review: RegistrationRequest, expert: User
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say more.")

    last, draft = in_review.last_round, in_review.draft
    assert last is not None
    assert draft is not None
    assert (draft.number, draft.template) == (last.number + 1, last.template)
    assert selectors.find_current_turn(in_review).turn == Turn.REGISTRANT


def test_same_text_is_not_sent_again(
    in_review: RegistrationRequest, expert: User, registrant: User
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say more.")

    with expect_refusal("something_changed"):
        workflow.perform(in_review, "submit", actor=registrant)


def test_second_round_stands_beside_the_first(
    in_review: RegistrationRequest, expert: User, registrant: User
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say more.")
    draft = in_review.draft
    assert draft is not None
    drafts.save_draft(draft, {"assignment": draft.template.assignment + "\n\nFor ever."}, seen=0)

    workflow.perform(in_review, "submit", actor=registrant)

    first, second = in_review.rounds.sent()
    assert (first.number, second.number) == (1, 2)
    assert first.template.assignment + "\n\nFor ever." == second.template.assignment


def test_promise_that_was_put_off_ends_with_the_state(
    in_review: RegistrationRequest, registrant: User, expert: User, lead: User
) -> None:
    promised = in_review.promised_by
    assert promised is not None
    later = promised + datetime.timedelta(60)
    workflow.perform(in_review, "extend", actor=lead, comment="August.", due_on=later)
    put_off = in_review.promised_by

    workflow.perform(in_review, "request_changes", actor=expert, comment="Say more.")
    with_writer = in_review.promised_by
    draft = in_review.draft
    assert draft is not None
    drafts.save_draft(draft, {"assignment": draft.template.assignment + "\n\nFor ever."}, seen=0)
    workflow.perform(in_review, "submit", actor=registrant)

    in_review.refresh_from_db()
    assert (put_off, with_writer, in_review.promised_by) == (later, None, promised)


def test_promise_that_was_put_off_holds_while_the_review_goes_on(
    in_review: RegistrationRequest, lead: User
) -> None:
    assert in_review.promised_by is not None
    later = in_review.promised_by + datetime.timedelta(60)
    since = in_review.state_since
    workflow.perform(in_review, "extend", actor=lead, comment="August.", due_on=later)

    workflow.perform(in_review, "assign", actor=lead)

    in_review.refresh_from_db()
    assert (in_review.promised_by, in_review.state_since) == (later, since)


def test_extend_moves_the_day_of_those_who_judge_and_not_of_who_stepped_back(
    in_review: RegistrationRequest, expert: User, lead: User
) -> None:
    promised = in_review.promised_by
    assert promised is not None
    workflow.perform(in_review, "assign", actor=lead)
    workflow.perform(in_review, "recuse", actor=expert, comment="I know them.")
    later = promised + datetime.timedelta(60)

    workflow.perform(in_review, "extend", actor=lead, comment="August.", due_on=later)

    days = dict(in_review.assignments.values_list("expert", "due_on"))
    assert days == {expert.pk: promised, lead.pk: later}


def test_assign_replaces_the_expert_named_and_leaves_the_others(
    in_review: RegistrationRequest, expert: User, lead: User
) -> None:
    colleague = UserFactory.create(roles=[Role.EXPERT])
    heir = UserFactory.create(roles=[Role.EXPERT])
    workflow.perform(in_review, "assign", actor=colleague)

    workflow.perform(
        in_review, "assign", actor=lead, leaver=expert, expert=heir, comment="On leave."
    )

    experts = in_review.assignments.active().values_list("expert", flat=True)
    assert set(experts) == {colleague.pk, heir.pk}
    assert in_review.assignments.get(expert=expert).reason == "On leave."


def test_step_on_an_old_page_writes_over_nothing_but_the_state(
    draft: RegistrationRequest, registrant: User
) -> None:
    old_page = RegistrationRequest.objects.get(pk=draft.pk)
    text = draft.draft
    assert text is not None
    drafts.save_draft(text, {"nid": "seedvault"}, seen=text.edition)
    RegistrationRequest.objects.filter(pk=draft.pk).update(summary="Seeds")

    workflow.perform(old_page, "withdraw", actor=registrant)

    draft.refresh_from_db()
    assert (draft.nid, draft.summary, draft.state) == (
        "seedvault",
        "Seeds",
        State.WITHDRAWN,
    )


def test_lead_has_to_act_with_nobody_on_it(
    draft: RegistrationRequest, registrant: User, expert: User
) -> None:
    workflow.perform(draft, "submit", actor=registrant)
    alone = selectors.find_current_turn(draft).turn

    workflow.perform(draft, "assign", actor=expert)

    assert (alone, selectors.find_current_turn(draft).turn) == (Turn.LEAD, Turn.EXPERTS)


def test_expert_who_stepped_back_does_not_decide(
    in_review: RegistrationRequest, expert: User
) -> None:
    workflow.perform(in_review, "recuse", actor=expert, comment="I know them.")

    with expect_refusal("role"):
        workflow.perform(in_review, "approve", actor=expert, comment="Sound.")

    assert Assignment.objects.get(expert=expert).reason == "I know them."


def test_withdrawing_frees_the_nid_and_keeps_the_page(
    in_review: RegistrationRequest, registrant: User
) -> None:
    assert selectors.requests_holding_nids(None).filter(nid=in_review.nid).exists()

    workflow.perform(in_review, "withdraw", actor=registrant, comment="Merged with another.")

    assert not selectors.requests_holding_nids(None).filter(nid=in_review.nid).exists()
    assert selectors.requests_visible_to(AnonymousUser()).filter(pk=in_review.pk).exists()


def test_withdrawn_draft_was_never_public(draft: RegistrationRequest, registrant: User) -> None:
    workflow.perform(draft, "withdraw", actor=registrant)

    assert draft.state == State.WITHDRAWN
    assert not selectors.requests_visible_to(AnonymousUser()).filter(pk=draft.pk).exists()


def test_event_is_written_once_and_never_edited(in_review: RegistrationRequest) -> None:
    event = in_review.events.latest("number")

    with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
        Event.objects.filter(pk=event.pk).update(comment="Otherwise.")

    assert Event.objects.get(pk=event.pk).comment == event.comment


def test_starting_twice_from_one_form_makes_one_request(
    registrant: User, organization: Organization
) -> None:
    key = uuid.uuid4()
    first, second = (
        drafts.start_request(
            author=registrant,
            path=RequestPath.COMMUNITY,
            organization=organization,
            summary="Things",
            nid="seedbank",
            key=key,
        )
        for _click in range(2)
    )

    assert first == second
    assert RegistrationRequest.objects.count() == 1
