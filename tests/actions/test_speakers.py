"""Who speaks for a body: how it begins, waits, is stopped, is ruled on and ends."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from registry import permissions
from registry.actions import speakers
from registry.enums import Role, SpeakerBasis, SpeakerEnd, SpeakerState, State
from registry.models import (
    Assignment,
    Event,
    Letter,
    Namespace,
    Organization,
    SchedulerDay,
    Speaker,
    User,
)
from registry.selectors.waiting_periods import find_waiting_days
from tests.actions.conftest import link_in
from tests.days import days_later
from tests.factories import (
    NamespaceFactory,
    RequestFactory,
    UserFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal
from tests.waiting import let_letters_leave, let_wait

pytestmark = pytest.mark.django_db

LONG_AGO = datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC)


@pytest.fixture
def delegate(held: Namespace, body: Organization) -> User:
    """The delegate of a holder whose namespace has a published contact."""
    held.contact = "Desk, desk@northlight.example"
    held.save()
    person = UserFactory.create(name="Dag Delegate", email="dag@people.example")
    let_speak_for(body, person)
    return person


@pytest.fixture
def second_officer(db: None) -> User:
    return UserFactory.create(name="Sanna Second", roles=[Role.REGISTRAR])


def speaks(person: User, body: Organization) -> bool:
    return User.objects.speaking_for(body).filter(pk=person.pk).exists()


def forget(body: Organization) -> None:
    """Let it be long ago that anybody on record was heard of."""
    Speaker.objects.about(body).update(confirmed_at=LONG_AGO)


def claim(body: Organization, person: User) -> Speaker:
    """Record a proof by domain."""
    row = speakers.create_row(body, person, SpeakerBasis.DNS, domain="northlight.example")
    row.evidence = "a TXT record"
    speakers.begin_speaking(row, actor=person)
    return row


def find_letters(speaker: Speaker) -> dict[str, Letter]:
    """Return the letters to the addresses on record, each of which has a button."""
    letters = Letter.objects.filter(key__startswith=f"speaker:{speaker.pk}:")
    return {letter.address: letter for letter in letters}


# Naming


def test_name_speaker_waits_until_the_letters_left_and_seven_days_passed(
    body: Organization, delegate: User, outsider: User
) -> None:
    named = speakers.name_speaker(body, outsider.email, actor=delegate)

    with days_later(30):
        speakers.tick_speakers(timezone.now())
        named.refresh_from_db()
    assert set(find_letters(named)) == {
        "desk@northlight.example",
        "dag@people.example",
        outsider.email,
    }
    assert (named.state, named.waiting_days) == (SpeakerState.WAITING, 7)

    named.waiting_since = None
    named.save()
    let_wait(6)
    assert not speaks(outsider, body)
    let_wait(7)
    assert speaks(outsider, body)


def test_name_speaker_is_for_delegates_alone(
    body: Organization, delegate: User, outsider: User, administrator: User
) -> None:
    for stranger in (outsider, administrator):
        with expect_refusal("not_delegate"):
            speakers.name_speaker(body, outsider.email, actor=stranger)
    with expect_refusal("unknown_account"):
        speakers.name_speaker(body, "nobody@people.example", actor=delegate)


def test_name_speaker_takes_no_expert_off_a_review(
    body: Organization, delegate: User, expert: User
) -> None:
    review = RequestFactory.create(organization=body, state=State.IN_REVIEW)
    Assignment.objects.create(
        registration_request=review, expert=expert, assigned_at=timezone.now()
    )

    with expect_refusal("reviewer"):
        speakers.name_speaker(body, expert.email, actor=delegate)


def test_named_person_does_not_speak_if_who_named_them_no_longer_does(
    body: Organization, delegate: User, outsider: User
) -> None:
    let_speak_for(body, UserFactory.create())
    named = speakers.name_speaker(body, outsider.email, actor=delegate)
    speakers.end_speaking(body.speakers.get(person=delegate), actor=delegate)

    let_wait(8)

    named.refresh_from_db()
    assert (named.state, named.end) == (SpeakerState.ENDED, SpeakerEnd.LAPSED)
    assert Letter.objects.filter(recipient=outsider, event__verb="end_speaker").exists()


# The waiting period


def test_find_waiting_days_is_none_for_a_body_that_holds_nothing_and_has_nobody(
    organization: Organization, outsider: User
) -> None:
    assert find_waiting_days(organization) == 0

    organization.recognised_on = timezone.localdate()
    organization.recognition_source = "Minutes"
    organization.save()

    assert find_waiting_days(organization) == 28


def test_find_waiting_days_is_short_where_somebody_on_record_was_heard_of_within_a_year(
    body: Organization, delegate: User, held: Namespace
) -> None:
    heard_of = find_waiting_days(body)
    forget(body)
    silent = find_waiting_days(body)
    held.contact_confirmed_on = timezone.localdate()
    held.save()
    confirmed = find_waiting_days(body)
    held.contact_confirmed_on = None
    held.save()
    delegate.last_login = timezone.now()
    delegate.save()

    assert (heard_of, silent, confirmed, find_waiting_days(body)) == (7, 28, 7, 7)


def test_long_waiting_period_has_a_public_notice_that_names_nobody(
    body: Organization, delegate: User, outsider: User, client: Client
) -> None:
    forget(body)

    claim(body, outsider)

    page = client.get("/namespaces/accession/")
    notice = Event.objects.get(verb="announce_speaker")
    assert (notice.namespace.nid if notice.namespace else "", notice.data["days"]) == (
        "accession",
        28,
    )
    assert outsider.name not in page.content.decode() + str(notice.data)
    assert "Somebody is to speak for the holder" in page.content.decode()


def test_day_on_which_the_scheduler_did_not_run_counts_for_no_waiting_period(
    body: Organization, delegate: User, outsider: User
) -> None:
    SchedulerDay.objects.record(timezone.localdate())
    speakers.name_speaker(body, outsider.email, actor=delegate)
    let_letters_leave()

    with time_machine.travel(timezone.now() + datetime.timedelta(40), tick=False):
        speakers.tick_speakers(timezone.now())

    assert not speaks(outsider, body)


# Objecting


def test_link_of_a_letter_acts_only_by_its_button(
    body: Organization, delegate: User, outsider: User, client: Client
) -> None:
    named = speakers.name_speaker(body, outsider.email, actor=delegate)
    address = link_in(find_letters(named)["desk@northlight.example"])

    opened = client.get(address)
    named.refresh_from_db()
    assert (opened.status_code, named.state) == (200, SpeakerState.WAITING)

    client.post(address, {"comment": "Nobody here knows this person."})
    named.refresh_from_db()
    assert (named.state, named.objected_by) == (SpeakerState.STOPPED, "desk@northlight.example")
    let_wait(40)
    assert not speaks(outsider, body)

    client.post(address, {"withdraw": ""})
    let_wait(8)
    assert speaks(outsider, body)


def test_person_named_says_no_by_the_button_of_their_own_letter(
    body: Organization, delegate: User, outsider: User, client: Client
) -> None:
    named = speakers.name_speaker(body, outsider.email, actor=delegate)

    client.post(link_in(find_letters(named)[outsider.email]), {"leave": ""})

    named.refresh_from_db()
    assert (named.state, named.end) == (SpeakerState.ENDED, SpeakerEnd.LEFT)


def test_objection_to_a_removal_suspends_both_until_the_ruling(
    body: Organization, delegate: User, outsider: User, standards_body: User
) -> None:
    let_speak_for(body, outsider)
    row = body.speakers.get(person=outsider)
    speakers.end_speaking(row, actor=delegate)

    speakers.object_to_speaker(
        row, actor=outsider, by=outsider.email, reason="They stole my office."
    )

    assert not User.objects.speaking_for(body)
    assert Letter.objects.filter(recipient=standards_body, event__verb="stop_speaker").exists()

    speakers.rule_on_speakers(body, [row.pk], "Minutes of 4 May.", actor=standards_body)
    assert list(User.objects.speaking_for(body)) == [outsider]
    assert Letter.objects.filter(recipient=delegate, event__verb="end_speaker").exists()


def test_object_stops_whom_the_person_has_named_too(
    body: Organization, delegate: User, outsider: User
) -> None:
    other = UserFactory.create()
    let_speak_for(body, other)
    named = UserFactory.create()
    row = speakers.create_row(body, named, SpeakerBasis.NAMED, recorded_by=delegate)
    row.enter(SpeakerState.IN_EFFECT)

    speakers.object_to_speaker(
        body.speakers.get(person=delegate), actor=other, by=other.email, reason="Dismissed."
    )

    assert list(User.objects.speaking_for(body)) == [other]


def test_object_is_for_anybody_only_where_nobody_on_record_can(
    body: Organization, delegate: User, held: Namespace, outsider: User
) -> None:
    row = body.speakers.get(person=delegate)
    with expect_refusal("not_representative"):
        speakers.object_to_speaker(row, actor=outsider, by=outsider.email, reason="No.")
    held.contact = ""
    held.save()

    speakers.object_to_speaker(row, actor=outsider, by=outsider.email, reason="They died.")

    row.refresh_from_db()
    assert row.state == SpeakerState.STOPPED


# Claims


def test_second_claim_on_a_holder_stops_both_within_a_year_after_the_first_too(
    body: Organization, held: Namespace, outsider: User, registrant: User
) -> None:
    first = claim(body, outsider)
    let_wait(29)
    assert speaks(outsider, body)

    second = claim(body, registrant)

    first.refresh_from_db()
    assert (first.state, second.state) == (SpeakerState.STOPPED, SpeakerState.STOPPED)
    assert not User.objects.speaking_for(body)
    assert Letter.objects.filter(recipient=outsider, event__verb="stop_speaker").exists()


def test_claim_beside_a_delegate_of_long_standing_waits(
    body: Organization, delegate: User, outsider: User
) -> None:
    row = claim(body, outsider)

    assert (row.state, speaks(delegate, body)) == (SpeakerState.WAITING, True)


def test_two_people_named_in_evidence_do_not_rival_each_other(
    body: Organization,
    held: Namespace,
    outsider: User,
    registrant: User,
    registrar: User,
    second_officer: User,
) -> None:
    for person in (outsider, registrant):
        row = speakers.record_speaker(body, person.email, "Their letter of May.", actor=registrar)
        speakers.countersign_speaker(row, actor=second_officer)

    let_wait(29)

    assert set(User.objects.speaking_for(body)) == {outsider, registrant}


# Evidence


def test_evidence_about_a_holder_is_countersigned_by_another_officer(
    body: Organization, held: Namespace, outsider: User, registrar: User, second_officer: User
) -> None:
    row = speakers.record_speaker(body, outsider.email, "Their letter of May.", actor=registrar)
    with expect_refusal("not_second_officer"):
        speakers.countersign_speaker(row, actor=registrar)
    let_wait(60)
    row.refresh_from_db()
    assert row.state == SpeakerState.ASKED
    assert Letter.objects.filter(recipient=second_officer, event__verb="record_speaker").exists()

    speakers.countersign_speaker(row, actor=second_officer)
    let_wait(27)
    assert not speaks(outsider, body)
    let_wait(28)
    assert speaks(outsider, body)


def test_evidence_about_a_body_that_holds_nothing_takes_effect_at_once(
    organization: Organization, outsider: User, registrar: User
) -> None:
    speakers.record_speaker(organization, outsider.email, "Seen at their office.", actor=registrar)

    assert speaks(outsider, organization)


def test_record_speaker_is_refused_to_who_would_gain_by_it(
    body: Organization, held: Namespace, outsider: User, registrar: User
) -> None:
    with expect_refusal("has_stake"):
        speakers.record_speaker(body, registrar.email, "I know.", actor=registrar)
    with expect_refusal("not_registrar"):
        speakers.record_speaker(body, outsider.email, "I know.", actor=outsider)
    with expect_refusal("no_evidence"):
        speakers.record_speaker(body, outsider.email, " ", actor=registrar)


def test_end_speaking_is_at_once_for_who_recorded_the_evidence(
    organization: Organization, outsider: User, registrar: User
) -> None:
    row = speakers.record_speaker(
        organization, outsider.email, "Seen at their office.", actor=registrar
    )

    speakers.end_speaking(row, actor=registrar)

    row.refresh_from_db()
    assert row.end == SpeakerEnd.TAKEN_BACK
    assert Letter.objects.filter(recipient=outsider, event__verb="end_speaker").exists()


def test_officers_are_reminded_of_evidence_to_countersign(
    body: Organization, held: Namespace, outsider: User, registrar: User, second_officer: User
) -> None:
    speakers.record_speaker(body, outsider.email, "Their letter of May.", actor=registrar)

    reminded = []
    for day in (6, 7, 8, 14, 30, 60):
        with days_later(day):
            reminded.append(speakers.tick_speakers(timezone.now())["remind_speaker"])

    assert reminded == [0, 1, 0, 1, 1, 1]


# Ending


def test_delegate_leaves_at_once(body: Organization, delegate: User, outsider: User) -> None:
    let_speak_for(body, outsider)

    speakers.end_speaking(body.speakers.get(person=delegate), actor=delegate)

    assert list(User.objects.speaking_for(body)) == [outsider]
    assert Letter.objects.filter(recipient=outsider, event__verb="end_speaker").exists()


def test_delegate_removed_by_another_acts_until_seven_days_have_passed(
    body: Organization, delegate: User, outsider: User
) -> None:
    let_speak_for(body, outsider)
    row = body.speakers.get(person=outsider)

    speakers.end_speaking(row, actor=delegate)

    assert outsider.email in find_letters(row)
    let_wait(6)
    assert speaks(outsider, body)
    let_wait(7)
    row.refresh_from_db()
    assert row.end == SpeakerEnd.REMOVED
    assert Letter.objects.filter(recipient=outsider, event__verb="end_speaker").exists()


def test_yearly_letter_and_its_reminder_unanswered_end_it(
    body: Organization, delegate: User
) -> None:
    row = body.speakers.get(person=delegate)

    letters = []
    for day in (364, 365, 394, 395, 424, 425):
        with days_later(day):
            speakers.tick_speakers(timezone.now())
        letters.append(Letter.objects.filter(key__startswith=f"yearly:{row.pk}:").count())

    row.refresh_from_db()
    assert letters == [0, 1, 1, 2, 2, 2]
    assert row.end == SpeakerEnd.UNANSWERED
    assert Letter.objects.filter(recipient=delegate, event__verb="end_speaker").exists()


def test_yearly_letter_answered_by_its_button_begins_the_year_again(
    body: Organization, delegate: User, client: Client
) -> None:
    row = body.speakers.get(person=delegate)
    with days_later(365):
        speakers.tick_speakers(timezone.now())
        address = link_in(Letter.objects.get(key__startswith=f"yearly:{row.pk}:"))
        client.get(address)
        row.refresh_from_db()
        assert row.yearly_letters == 1

        client.post(address, {"confirm": ""})

    with days_later(500):
        speakers.tick_speakers(timezone.now())
    row.refresh_from_db()
    assert (row.yearly_letters, row.state) == (0, SpeakerState.IN_EFFECT)


# Rulings and the offer


def test_rule_on_speakers_is_for_the_standards_body_without_a_stake(
    body: Organization, delegate: User, registrar: User, standards_body: User
) -> None:
    with expect_refusal("not_standards_body"):
        speakers.rule_on_speakers(body, [], "Because.", actor=registrar)
    with expect_refusal("no_reasons"):
        speakers.rule_on_speakers(body, [], "", actor=standards_body)
    let_speak_for(body, standards_body)
    with expect_refusal("not_standards_body"):
        speakers.rule_on_speakers(body, [], "Because.", actor=standards_body)


def test_rule_on_speakers_is_public_and_names_nobody(
    body: Organization, delegate: User, standards_body: User
) -> None:
    speakers.rule_on_speakers(body, [], "Minutes of 4 May.", actor=standards_body)

    rulings = Event.objects.filter(verb="rule_on_speakers")
    assert {event.comment for event in rulings} == {"Minutes of 4 May."}
    assert not any(delegate.name in str(event.data) for event in rulings)
    assert not User.objects.speaking_for(body)


def test_speaker_of_a_namespace_speaks_for_no_other(
    body: Organization, held: Namespace, outsider: User
) -> None:
    other = NamespaceFactory.create(registrant=body)
    let_speak_for(held, outsider)

    assert permissions.speaks_for_namespace(outsider, held)
    assert not permissions.speaks_for_namespace(outsider, other)
    assert not speaks(outsider, body)


def test_speaker_page_is_hidden_from_strangers(
    body: Organization, delegate: User, outsider: User, sign_in: Callable[[User], Client]
) -> None:
    row = body.speakers.get(person=delegate)

    shown = sign_in(delegate).get(row.get_absolute_url())
    hidden = sign_in(outsider).get(row.get_absolute_url())

    assert (shown.status_code, hidden.status_code) == (200, 404)
