"""Whom an action concerns; letters are committed or rolled back with it."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Callable

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import DjangoAssertNumQueries, Settings

from registry import permissions, workflow
from registry.actions import discussion, recognition
from registry.actions.follows import FollowTarget, start_following
from registry.enums import (
    ChangeKind,
    LetterDelivery,
    LetterReason,
    MessageChannel,
    RequestPath,
    Role,
    State,
)
from registry.models import Event, Follow, Letter, Organization, RegistrationRequest, User
from registry.models.dates import Dates
from registry.notifications.letters import compose_letters, describe_follow
from registry.notifications.recipients import (
    Recipient,
    find_recipients,
    holds_reason,
    list_holders_of_reason,
)
from registry.workflow import drafts
from registry.workflow.events import record_event
from tests import small_changes
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    let_speak_for,
    start,
)
from tests.small_changes import bring_second_officer
from tests.template.samples import FORMAL

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mailing_list")]

FindRecipients = Callable[[str], dict[str, str]]
LIST = {"urn-list@lists.example": LetterReason.LIST}


def test_request_that_arrives_is_told_to_the_lead_and_the_list(
    draft: RegistrationRequest,
    registrant: User,
    lead: User,
    expert: User,
    find_recipients: FindRecipients,
) -> None:
    workflow.perform(draft, "submit", actor=registrant)

    assert find_recipients("submit") == {"lead@people.example": LetterReason.LEAD} | LIST


def test_decision_is_told_to_the_registrants_and_the_other_experts(
    in_review: RegistrationRequest,
    expert: User,
    organization: Organization,
    find_recipients: FindRecipients,
) -> None:
    colleague = UserFactory.create(email="colleague@people.example", roles=[Role.EXPERT])
    workflow.perform(in_review, "assign", actor=colleague)
    in_review.co_editors.add(UserFactory.create(email="co-editor@people.example"))
    let_speak_for(organization, UserFactory.create(email="delegate@people.example"))

    workflow.perform(in_review, "request_changes", actor=expert, comment="Say who assigns.")

    assert (
        find_recipients("request_changes")
        == {
            "registrant@people.example": LetterReason.REGISTRANT,
            "co-editor@people.example": LetterReason.REGISTRANT,
            "delegate@people.example": LetterReason.REGISTRANT,
            "colleague@people.example": LetterReason.EXPERT,
        }
        | LIST
    )


def test_approval_is_told_to_the_registrar_whose_turn_it_is(
    in_review: RegistrationRequest, expert: User, registrar: User, find_recipients: FindRecipients
) -> None:
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")

    assert (
        find_recipients("approve")
        == {
            "registrant@people.example": LetterReason.REGISTRANT,
            registrar.email: LetterReason.REGISTRAR,
        }
        | LIST
    )
    texts = {letter.address: letter.text for letter in Letter.objects.filter(event__verb="approve")}
    readers = (registrar.email, "registrant@people.example")
    assert ["your turn" in texts[each] for each in readers] == [True, False]


def test_letter_says_your_turn_only_to_those_who_can_act(
    in_review: RegistrationRequest, registrant: User, expert: User
) -> None:
    co_editor = UserFactory.create()
    in_review.co_editors.add(co_editor)

    workflow.perform(in_review, "request_changes", actor=expert, comment="Say it in fewer words.")

    letters = Letter.objects.filter(event__verb="request_changes", reason=LetterReason.REGISTRANT)
    assert {letter.address: "your turn" in letter.text for letter in letters} == {
        registrant.email: True,
        co_editor.email: False,
    }


def test_contacts_of_a_body_hear_of_the_first_round_in_its_name_and_of_no_other_act(
    draft: RegistrationRequest,
    registrant: User,
    expert: User,
    organization: Organization,
    find_recipients: FindRecipients,
) -> None:
    NamespaceFactory.create(registrant=organization, contact="desk@body.example")
    let_speak_for(organization, registrant)

    workflow.perform(draft, "submit", actor=registrant)
    workflow.perform(draft, "assign", actor=expert)
    workflow.perform(draft, "approve", actor=expert, comment="Sound.")

    assert find_recipients("submit")["desk@body.example"] == LetterReason.BODY
    assert "desk@body.example" not in find_recipients("approve")


def test_registration_is_told_to_its_registrant_and_no_longer_to_its_experts(
    approved: RegistrationRequest, registrar: User, expert: User, find_recipients: FindRecipients
) -> None:
    Letter.objects.exclude(round=None).update(sent_at=timezone.now())

    workflow.perform(approved, "register", actor=registrar)

    reached = find_recipients("register")
    assert reached[approved.author.email] == LetterReason.REGISTRANT
    assert expert.email not in reached


def test_registrar_with_a_stake_is_not_asked_to_publish(
    in_review: RegistrationRequest, expert: User, registrar: User, find_recipients: FindRecipients
) -> None:
    registrar.organization = in_review.organization
    registrar.save()

    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")

    assert registrar.email not in find_recipients("approve")


def test_report_is_told_to_the_standards_body(
    registrant: User,
    organization: Organization,
    expert: User,
    standards_body: User,
    find_recipients: FindRecipients,
) -> None:
    asked = start(registrant, organization, FORMAL, RequestPath.COMMUNITY)
    workflow.perform(asked, "reroute", actor=registrant, standards_action=True)
    workflow.perform(asked, "submit", actor=registrant)
    workflow.perform(asked, "assign", actor=expert)

    workflow.perform(asked, "report", actor=expert, comment="Sound.")

    assert find_recipients("report")[standards_body.email] == LetterReason.STANDARDS_BODY


def test_expert_put_on_a_request_is_told_and_so_is_the_one_who_was_taken_off(
    in_review: RegistrationRequest, expert: User, lead: User, find_recipients: FindRecipients
) -> None:
    heir = UserFactory.create(email="heir@people.example", roles=[Role.EXPERT])

    workflow.perform(in_review, "assign", actor=lead, comment="Away.", leaver=expert, expert=heir)

    assert find_recipients("assign") == {
        "heir@people.example": LetterReason.EXPERT,
        "expert@people.example": LetterReason.EXPERT,
    }


def test_writers_alone_are_told_of_a_draft(
    draft: RegistrationRequest, registrant: User, lead: User, find_recipients: FindRecipients
) -> None:
    draft.co_editors.add(UserFactory.create(email="co-editor@people.example"))
    start_following(lead, FollowTarget(nid="seedbank"))
    start_following(lead, FollowTarget())

    workflow.perform(draft, "withdraw", actor=registrant)

    assert find_recipients("withdraw") == {"co-editor@people.example": LetterReason.REGISTRANT}


def test_watchers_are_told_of_what_they_follow_each_for_the_nearest_reason(
    draft: RegistrationRequest, registrant: User, find_recipients: FindRecipients
) -> None:
    workflow.perform(draft, "submit", actor=registrant)
    near, by_nid, far, other = (UserFactory.create() for _ in range(4))
    for thing in (FollowTarget(), FollowTarget(nid="seedbank"), FollowTarget(draft)):
        start_following(near, thing)
    start_following(by_nid, FollowTarget(nid="seedbank"))
    start_following(far, FollowTarget())
    start_following(other, FollowTarget(nid="another"))

    workflow.perform(draft, "withdraw", actor=registrant)

    assert (
        find_recipients("withdraw")
        == dict.fromkeys([near.email, by_nid.email, far.email], LetterReason.WATCHER) | LIST
    )
    why = {letter.address: letter.text for letter in Letter.objects.filter(reason="watcher")}
    for person, follow in (
        (near, Follow(registration_request=draft)),
        (by_nid, Follow(nid="seedbank")),
        (far, Follow()),
    ):
        assert describe_follow(follow) in why[person.email]


def test_several_parts_bring_one_letter_for_the_strongest_reason(
    in_review: RegistrationRequest, expert: User, registrant: User
) -> None:
    for person in (expert, registrant):
        start_following(person, FollowTarget(in_review))
        start_following(person, FollowTarget())

    workflow.perform(in_review, "withdraw", actor=registrant)

    letters = Letter.objects.filter(event__verb="withdraw", recipient=expert)
    assert [letter.reason for letter in letters] == [LetterReason.EXPERT]
    assert not Letter.objects.filter(event__verb="withdraw", recipient=registrant).exists()


def test_find_recipients_writes_to_former_parties_for_what_they_were(
    sent: RegistrationRequest, registrant: User, outsider: User
) -> None:
    start_following(outsider, FollowTarget(sent))
    event = sent.events.get(verb="submit")
    former = [Recipient(outsider.email.upper(), LetterReason.EXPERT, outsider)]

    reasons = {each.person: each.reason for each in find_recipients(event, former)}

    assert reasons[outsider] == LetterReason.EXPERT


def test_find_recipients_tells_former_parties_of_a_draft_only_if_they_wrote_it(
    draft: RegistrationRequest, outsider: User, expert: User
) -> None:
    event = draft.events.get(verb="start")
    former = [
        Recipient(outsider.email, LetterReason.REGISTRANT, outsider),
        Recipient(expert.email, LetterReason.HOLDER, expert),
    ]

    recipients = find_recipients(event, former)

    assert [each.person for each in recipients] == [outsider]


def test_find_recipients_leaves_out_who_followed_or_appealed_and_left(
    in_review: RegistrationRequest, expert: User, outsider: User, standards_body: User
) -> None:
    follower = UserFactory.create(email="follower@people.example")
    start_following(follower, FollowTarget())
    workflow.perform(in_review, "decline", actor=expert, comment="Not yet.")
    workflow.perform(in_review, "appeal", actor=outsider, comment="It is.", ground="rule")
    event = workflow.perform(
        in_review, "decide_appeal", actor=standards_body, comment="It is not.", outcome="stands"
    )
    people_before = {each.person for each in find_recipients(event)}

    for person in (follower, outsider):
        person.is_active = False
        person.save()

    people_after = {each.person for each in find_recipients(event)}
    assert people_before - people_after == {follower, outsider}


def test_nobody_is_written_to_at_an_address_that_was_not_confirmed(
    in_review: RegistrationRequest, expert: User, find_recipients: FindRecipients
) -> None:
    new = UserFactory.create(email="new@people.example", confirmed=False)
    moved = UserFactory.create(email="moved@people.example")
    moved.emailaddress_set.update(email="before@people.example")
    gone = UserFactory.create(email="gone@people.example", is_active=False)
    in_review.co_editors.add(new, moved, gone)

    workflow.perform(in_review, "decline", actor=expert, comment="Not yet.")

    assert (
        find_recipients("decline") == {"registrant@people.example": LetterReason.REGISTRANT} | LIST
    )


def test_list_is_left_alone_where_no_address_of_it_is_set(
    in_review: RegistrationRequest,
    expert: User,
    find_recipients: FindRecipients,
    settings: Settings,
) -> None:
    settings.REGISTRY_LIST_ADDRESS = ""

    workflow.perform(in_review, "decline", actor=expert, comment="Not yet.")

    assert find_recipients("decline") == {"registrant@people.example": LetterReason.REGISTRANT}


def test_both_sides_of_a_contended_identifier_are_told_and_their_experts(
    in_review: RegistrationRequest, expert: User, find_recipients: FindRecipients
) -> None:
    rival = UserFactory.create(email="rival@people.example")
    asked = start(rival, OrganizationFactory.create(), FORMAL, RequestPath.COMMUNITY)

    workflow.perform(asked, "submit", actor=rival)

    assert (
        find_recipients("submit")
        == {
            "rival@people.example": LetterReason.REGISTRANT,
            "registrant@people.example": LetterReason.RIVAL,
            "expert@people.example": LetterReason.RIVAL,
        }
        | LIST
    )
    letters = {letter.address: letter for letter in Letter.objects.filter(event__verb="submit")}
    assert f"same identifier: {in_review.reference}" in letters["rival@people.example"].text
    assert f"review {in_review.reference}" in letters["expert@people.example"].text


def test_find_recipients_tells_the_contact_of_a_namespace_what_is_news_about_a_change_of_it(
    in_review: RegistrationRequest, expert: User, lead: User
) -> None:
    in_review.namespace = NamespaceFactory.create(contact="desk@old.example")
    later = timezone.localdate() + datetime.timedelta(90)
    extended = workflow.perform(in_review, "extend", actor=lead, comment="August.", due_on=later)
    approved = workflow.perform(in_review, "approve", actor=expert, comment="Sound.")

    def is_told(event: Event, change: ChangeKind) -> bool:
        RegistrationRequest.objects.update(namespace=in_review.namespace, change=change)
        event.refresh_from_db()
        return "desk@old.example" in {each.address for each in find_recipients(event)}

    assert is_told(approved, ChangeKind.REVISION)
    assert not is_told(extended, ChangeKind.REVISION)
    assert not is_told(approved, ChangeKind.NEW)


def test_old_contact_is_told_of_a_transfer_asked_for_and_done(
    registrant: User, registrar: User, organization: Organization, find_recipients: FindRecipients
) -> None:
    holder = OrganizationFactory.create()
    delegate = UserFactory.create(email="holder@people.example")
    let_speak_for(holder, delegate)
    let_speak_for(organization, registrant)
    Dates(waiting_days=0, long_waiting_days=0).save()
    namespace = NamespaceFactory.create(
        registrant=holder, contact="Desk <desk@old.example>, or: <mailto:other@old.example>, x@"
    )
    asked = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Handed over",
        namespace=namespace,
        change=ChangeKind.TRANSFER,
    )
    written = asked.draft
    assert written is not None
    drafts.save_draft_facts(written, {"contact": "new@new.example"}, seen=written.edition)
    old = {"desk@old.example": LetterReason.CONTACT, "holder@people.example": LetterReason.HOLDER}

    workflow.perform(asked, "submit", actor=registrant)
    workflow.perform(asked, "consent", actor=delegate)
    bring_second_officer(asked)
    Letter.objects.exclude(round=None).update(sent_at=timezone.now())
    workflow.perform(asked, "register", actor=registrar)

    assert find_recipients("submit").items() >= old.items()
    assert find_recipients("register").items() >= {"desk@old.example": LetterReason.CONTACT}.items()
    assert find_recipients("register")["holder@people.example"] == LetterReason.HOLDER
    assert "new@new.example" not in find_recipients("register")
    done = Letter.objects.get(event__verb="register", address="desk@old.example").text
    assert f"Registrant: {organization} (before: {holder})" in done


def test_outcome_of_an_appeal_is_told_to_who_appealed(
    in_review: RegistrationRequest,
    expert: User,
    outsider: User,
    standards_body: User,
    find_recipients: FindRecipients,
) -> None:
    workflow.perform(in_review, "decline", actor=expert, comment="Not yet.")
    workflow.perform(in_review, "appeal", actor=outsider, comment="It is.", ground="rule")

    workflow.perform(
        in_review, "decide_appeal", actor=standards_body, comment="It is not.", outcome="stands"
    )

    assert find_recipients("appeal")[standards_body.email] == LetterReason.STANDARDS_BODY
    assert find_recipients("decide_appeal")[outsider.email] == LetterReason.APPELLANT


@pytest.mark.parametrize(
    ("to", "reached"),
    [
        (["expert"], ["expert@people.example"]),
        (["lead"], ["lead@people.example"]),
        (["registrar", "standards_body"], ["registrar@people.example", "standards@people.example"]),
        (["registrant"], ["registrant@people.example"]),
    ],
)
def test_nudge_goes_to_exactly_those_it_names(
    in_review: RegistrationRequest,
    lead: User,
    registrar: User,
    standards_body: User,
    outsider: User,
    find_recipients: FindRecipients,
    to: list[str],
    reached: list[str],
) -> None:
    start_following(outsider, FollowTarget(in_review))

    with transaction.atomic():
        record_event(
            in_review, actor=permissions.CLOCK, verb="nudge", data={"to": to, "kind": "review"}
        )

    assert sorted(find_recipients("nudge")) == reached


def test_nudge_about_a_draft_reaches_its_writers_alone(
    draft: RegistrationRequest, registrar: User, find_recipients: FindRecipients
) -> None:
    with transaction.atomic():
        record_event(
            draft, actor=permissions.CLOCK, verb="remind", data={"to": ["registrant", "registrar"]}
        )

    assert find_recipients("remind") == {"registrant@people.example": LetterReason.REGISTRANT}


def test_message_is_told_to_those_concerned_and_never_back_to_the_list_it_came_from(
    in_review: RegistrationRequest, outsider: User, find_recipients: FindRecipients
) -> None:
    parties = {
        "registrant@people.example": LetterReason.REGISTRANT,
        "expert@people.example": LetterReason.EXPERT,
    }

    message = discussion.add_comment(in_review, author=outsider, text="Why?", key=uuid.uuid4())
    from_site = find_recipients("comment")
    message.channel, message.is_sender_verified = MessageChannel.LIST, False
    message.save()
    with transaction.atomic():
        record_event(
            in_review, actor=permissions.CLOCK, verb="comment", data={"message": message.number}
        )

    assert from_site == parties | LIST
    assert find_recipients("comment") == parties


def test_notes_among_experts_are_told_to_nobody(
    in_review: RegistrationRequest, expert: User
) -> None:
    before = Letter.objects.count()

    discussion.add_note(in_review, author=expert, text="Between us.", key=uuid.uuid4())

    assert Letter.objects.count() == before


def test_hidden_message_is_told_to_its_author_alone(
    in_review: RegistrationRequest, outsider: User, lead: User, find_recipients: FindRecipients
) -> None:
    message = discussion.add_comment(in_review, author=outsider, text="Buy seeds", key=uuid.uuid4())

    discussion.hide_message(message, moderator=lead, reason="Advertising.")

    assert find_recipients("hide_message") == {"outsider@people.example": LetterReason.NAMED}
    letter = Letter.objects.get(event__verb="hide_message")
    assert ("Advertising." in letter.text, "Buy seeds" in letter.text) == (True, False)
    assert letter.headers["Message-ID"] != message.message_id


def test_step_that_is_rolled_back_leaves_neither_letter_nor_task(
    in_review: RegistrationRequest, expert: User
) -> None:
    letters, tasks = Letter.objects.count(), DBTaskResult.objects.count()

    with transaction.atomic():
        workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
        inside = Letter.objects.count()
        transaction.set_rollback(True)

    assert inside > letters
    assert (Letter.objects.count(), DBTaskResult.objects.count()) == (letters, tasks)


def test_followed_events_wait_for_daily_readers(
    in_review: RegistrationRequest, expert: User
) -> None:
    reader = UserFactory.create(delivery=LetterDelivery.DIGEST)
    start_following(reader, FollowTarget(in_review))
    expert.delivery = LetterDelivery.DIGEST
    expert.save()
    before = DBTaskResult.objects.count()

    workflow.perform(in_review, "withdraw", actor=in_review.author)

    letters = Letter.objects.filter(event__verb="withdraw")
    assert {letter.reason: letter.delivery for letter in letters} == {
        LetterReason.EXPERT: LetterDelivery.AT_ONCE,
        LetterReason.WATCHER: LetterDelivery.DIGEST,
        LetterReason.LIST: LetterDelivery.AT_ONCE,
    }
    assert DBTaskResult.objects.count() == before + 2


def test_many_who_follow_ask_the_database_no_more_than_few(
    in_review: RegistrationRequest, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    event = in_review.events.get(verb="submit")
    with CaptureQueriesContext(connection) as few:
        compose_letters(event, find_recipients(event))
    for _reader in range(30):
        start_following(UserFactory.create(), FollowTarget(in_review))

    with django_assert_max_num_queries(len(few)):
        written = compose_letters(event, find_recipients(event)).letters

    assert len({letter.headers.get("List-Unsubscribe") for letter in written}) == 31
    assert [
        letter for letter in written if letter.follow and letter.follow.key not in letter.text
    ] == []


@pytest.fixture
def parts(
    in_review: RegistrationRequest,
    registrant: User,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
    outsider: User,
) -> dict[str, User]:
    """The parts people have in a request that would change somebody else's namespace."""
    holder = OrganizationFactory.create()
    parts = {
        "author": registrant,
        "co-editor": UserFactory.create(),
        "delegate": UserFactory.create(),
        "holder": UserFactory.create(),
        "expert": expert,
        "lead": lead,
        "registrar": registrar,
        "body": standards_body,
        "outsider": outsider,
    }
    in_review.co_editors.add(parts["co-editor"])
    let_speak_for(in_review.organization, parts["delegate"])
    let_speak_for(holder, parts["holder"])
    in_review.namespace = NamespaceFactory.create(registrant=holder)
    in_review.save()
    return parts


@pytest.mark.parametrize(
    ("reason", "on_request", "without"),
    [
        (LetterReason.REGISTRANT, "author co-editor delegate", "all"),
        (LetterReason.EXPERT, "expert", "all"),
        (LetterReason.LEAD, "lead", "lead"),
        (LetterReason.REGISTRAR, "registrar", "registrar"),
        (LetterReason.STANDARDS_BODY, "body", "body"),
        (LetterReason.HOLDER, "all", "all"),
        (LetterReason.RIVAL, "author co-editor delegate expert", "all"),
        (LetterReason.APPELLANT, "all", "all"),
        (LetterReason.NAMED, "all", "all"),
    ],
    ids=str,
)
def test_reason_is_held_by_those_of_whom_it_is_so(
    reason: LetterReason,
    on_request: str,
    without: str,
    parts: dict[str, User],
    in_review: RegistrationRequest,
) -> None:
    held = [
        [name for name, person in parts.items() if holds_reason(person, reason, asked)]
        for asked in (in_review, None)
    ]

    everybody = list(parts)
    assert held == [
        everybody if expected == "all" else expected.split() for expected in (on_request, without)
    ]


@pytest.mark.parametrize(
    ("reason", "on_request", "without"),
    [
        (LetterReason.REGISTRANT, "author co-editor delegate", ""),
        (LetterReason.EXPERT, "expert", ""),
        (LetterReason.LEAD, "lead", "lead"),
        (LetterReason.REGISTRAR, "registrar", "registrar"),
        (LetterReason.STANDARDS_BODY, "body", "body"),
    ],
    ids=str,
)
def test_event_that_names_a_part_reaches_those_who_have_it(
    reason: LetterReason,
    on_request: str,
    without: str,
    parts: dict[str, User],
    in_review: RegistrationRequest,
) -> None:
    names = {person.pk: name for name, person in parts.items()}

    found = [
        sorted(names[each.pk] for each in list_holders_of_reason(reason, asked))
        for asked in (in_review, None)
    ]

    assert found == [sorted(on_request.split()), sorted(without.split())]


def test_event_for_the_holder_reaches_the_contact_of_the_namespace_if_there_is_one(
    in_review: RegistrationRequest,
    registrant: User,
    organization: Organization,
    find_recipients: FindRecipients,
) -> None:
    namespace = NamespaceFactory.create(registrant=organization, contact="desk@old.example")
    change = small_changes.send(namespace, ChangeKind.CONTACT, registrant)
    reached = []

    for registration_request in (in_review, change):
        with transaction.atomic():
            record_event(
                registration_request, actor=permissions.CLOCK, verb="nudge", data={"to": ["holder"]}
            )
        reached.append(find_recipients("nudge"))

    assert reached == [{}, {"desk@old.example": LetterReason.CONTACT}]


def test_every_public_step_is_told_to_those_who_act_for_the_holder(
    in_review: RegistrationRequest, parts: dict[str, User], find_recipients: FindRecipients
) -> None:
    workflow.perform(in_review, "request_changes", actor=parts["expert"], comment="Say more.")

    assert (
        find_recipients("request_changes")
        == {
            parts["author"].email: LetterReason.REGISTRANT,
            parts["co-editor"].email: LetterReason.REGISTRANT,
            parts["delegate"].email: LetterReason.REGISTRANT,
            parts["holder"].email: LetterReason.HOLDER,
        }
        | LIST
    )


def test_event_reaches_the_people_it_names_beside_those_who_have_a_part(
    in_review: RegistrationRequest, outsider: User, registrar: User, find_recipients: FindRecipients
) -> None:
    gone = UserFactory.create(is_active=False)

    with transaction.atomic():
        record_event(
            in_review,
            actor=permissions.CLOCK,
            verb="nudge",
            data={"to": ["registrar"], "people": [outsider.pk, gone.pk, None]},
        )

    assert find_recipients("nudge") == {
        outsider.email: LetterReason.NAMED,
        registrar.email: LetterReason.REGISTRAR,
    }


def test_recognition_is_asked_of_the_body_and_answered_to_those_who_asked(
    organization: Organization,
    registrant: User,
    standards_body: User,
    lead: User,
    find_recipients: FindRecipients,
) -> None:
    delegate = UserFactory.create()
    let_speak_for(organization, delegate)
    other = UserFactory.create()
    let_speak_for(OrganizationFactory.create(), other)

    asked = recognition.request_recognition(organization, registrant, "A scientific society.")
    recognition.refuse_recognition(asked, actor=standards_body, reasons="Not yet.")
    again = recognition.request_recognition(organization, registrant, "Now we are.")
    recognition.grant_recognition(
        again, actor=standards_body, recognised_on=timezone.localdate(), source="Minutes"
    )

    answered = dict.fromkeys([registrant.email, delegate.email], LetterReason.NAMED)
    assert find_recipients("ask_recognition") == {standards_body.email: LetterReason.STANDARDS_BODY}
    assert find_recipients("refuse_recognition") == find_recipients("recognise") == answered


def test_change_of_a_namespace_alone_is_told_to_its_holder_and_followers(
    outsider: User, registrant: User, registrar: User, find_recipients: FindRecipients
) -> None:
    holder = OrganizationFactory.create()
    delegate, everything = UserFactory.create(), UserFactory.create()
    let_speak_for(holder, delegate)
    namespace = NamespaceFactory.create(nid="seedbank", registrant=holder)
    start_following(outsider, FollowTarget(nid="seedbank"))
    start_following(everything, FollowTarget())
    start_following(registrant, FollowTarget(nid="seedbanks"))

    with transaction.atomic():
        record_event(namespace, actor=registrar, verb="add_service")

    assert find_recipients("add_service") == {
        delegate.email: LetterReason.HOLDER,
        outsider.email: LetterReason.WATCHER,
        everything.email: LetterReason.WATCHER,
    }


def test_nobody_is_told_of_their_own_act_whatever_the_case_of_their_address(
    in_review: RegistrationRequest, registrant: User, find_recipients: FindRecipients
) -> None:
    User.objects.filter(pk=registrant.pk).update(email="Registrant@People.example")
    registrant.refresh_from_db()

    workflow.perform(in_review, "withdraw", actor=registrant)

    assert find_recipients("withdraw") == {"expert@people.example": LetterReason.EXPERT} | LIST


def test_address_that_cannot_be_one_is_left_out_of_a_contact(
    registrant: User, organization: Organization, find_recipients: FindRecipients
) -> None:
    heir = OrganizationFactory.create()
    labels = "b" * 63 + "." + "b" * 63 + "."
    fits = "a" * 64 + "@" + labels + "b" * 53 + ".example"
    too_long = "a" * 64 + "@" + labels + "b" * 54 + ".example"
    namespace = NamespaceFactory.create(
        registrant=organization, contact=f"{fits}; {too_long}, no@where, desk@old.example"
    )
    asked = small_changes.send(namespace, ChangeKind.TRANSFER, registrant, heir)

    contacts = [
        address for address, reason in find_recipients("submit").items() if reason == "contact"
    ]

    assert asked.state == State.APPROVED
    assert len(fits) == 254
    assert sorted(contacts) == [fits, "desk@old.example"]
