"""Only people who can act today are named and written to, and nobody loses a part unnoticed."""

from __future__ import annotations

import datetime
import re
import uuid
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from registry import held_nids, scheduler, workflow
from registry.actions import discussion, enquiries, recognition
from registry.enums import (
    ChangeKind,
    HoldGround,
    LetterReason,
    RequestPath,
    Role,
    State,
    Turn,
)
from registry.models import Letter, Organization, RegistrationRequest, User
from registry.selectors import find_current_turn
from registry.selectors.office_clock import CHALLENGE_WORDS
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    end_speaking_for,
    formal_text,
    let_speak_for,
    start,
)
from tests.scheduler.conftest import Travel
from tests.small_changes import send
from tests.template.samples import FORMAL
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def taken(sent: RegistrationRequest, expert: User, lead: User) -> RegistrationRequest:
    """A request sent on Monday, with an expert on it."""
    workflow.perform(sent, "assign", actor=expert)
    return sent


def leave_the_team(expert: User, registration_request: RegistrationRequest) -> None:
    expert.groups.clear()


def go_away_for_long(expert: User, registration_request: RegistrationRequest) -> None:
    today = timezone.localdate()
    expert.absences.create(first_day=today, last_day=today + datetime.timedelta(60))


def become_party(expert: User, registration_request: RegistrationRequest) -> None:
    let_speak_for(registration_request.organization, expert)


def be_switched_off(expert: User, registration_request: RegistrationRequest) -> None:
    User.objects.filter(pk=expert.pk).update(is_active=False)


def readers(registration_request: RegistrationRequest, kind: str) -> set[str]:
    letters = Letter.objects.filter(
        registration_request=registration_request, event__data__kind=kind
    )
    return set(letters.values_list("recipient__name", flat=True))


@pytest.mark.pages
@pytest.mark.parametrize(
    "happens", [leave_the_team, go_away_for_long, become_party, be_switched_off]
)
def test_expert_who_cannot_judge_counts_as_not_assigned_from_that_moment(
    happens: Callable[[User, RegistrationRequest], None],
    taken: RegistrationRequest,
    expert: User,
    client: Client,
    travel: Travel,
) -> None:
    page, address = taken.get_absolute_url(), f"/api/v1/requests/{taken.slug}/"
    before = find_current_turn(taken)
    named = "expert Ede Expert" in text_of(client.get(page))
    travel(5)

    happens(expert, taken)

    waiting = find_current_turn(taken)
    told = client.get(address).json()["waiting"]
    assert (before.turn, before.people, named) == (Turn.EXPERTS, ("Ede Expert",), True)
    assert (waiting.turn, waiting.people) == (Turn.LEAD, ("Lova Lead",))
    assert (told["turn"], told["people"]) == ("lead", ["Lova Lead"])
    assert "today: Lova Lead." in text_of(client.get(page))


@pytest.mark.parametrize("happens", [leave_the_team, go_away_for_long, become_party])
def test_lead_is_told_the_same_day_and_so_is_the_expert_and_no_nudge_follows(
    happens: Callable[[User, RegistrationRequest], None],
    taken: RegistrationRequest,
    expert: User,
    travel: Travel,
) -> None:
    travel(5)
    happens(expert, taken)

    tally = [scheduler.tick().done["alarm"] for _twice in range(2)]
    travel(12.5)
    scheduler.tick()

    assert tally == [1, 0]
    assert readers(taken, "expert-lost") == {"Lova Lead", "Ede Expert"}
    nudges = Letter.objects.filter(registration_request=taken, event__data__kind="reminder-1")
    assert nudges.exists()
    assert not nudges.filter(recipient=expert, reason=LetterReason.EXPERT).exists()


def test_clock_notes_nothing_of_an_expert_who_stepped_back(
    taken: RegistrationRequest, expert: User, lead: User, travel: Travel
) -> None:
    workflow.perform(taken, "assign", actor=lead)
    workflow.perform(taken, "recuse", actor=expert, comment="I know the author.")
    travel(1)

    scheduler.tick()

    assert [each.unable_since for each in taken.assignments.all()] == [None, None]
    assert readers(taken, "expert-lost") == set()


def test_losing_another_expert_notes_nothing_of_the_one_who_stepped_back(
    taken: RegistrationRequest, expert: User, lead: User, travel: Travel
) -> None:
    second = UserFactory.create(name="Elin Expert", roles=[Role.EXPERT])
    workflow.perform(taken, "assign", actor=second)
    workflow.perform(taken, "recuse", actor=expert, comment="I know the author.")
    travel(1)
    leave_the_team(second, taken)

    scheduler.tick()

    noted = taken.assignments.filter(unable_since__isnull=False)
    assert [each.expert.name for each in noted] == ["Elin Expert"]
    assert readers(taken, "expert-lost") == {"Lova Lead", "Elin Expert"}


def test_expert_who_comes_back_is_counted_on_again(
    taken: RegistrationRequest, expert: User, travel: Travel
) -> None:
    travel(5)
    go_away_for_long(expert, taken)
    scheduler.tick()
    expert.absences.all().delete()

    scheduler.tick()

    waiting = find_current_turn(taken)
    assert (waiting.turn, waiting.people) == (Turn.EXPERTS, ("Ede Expert",))
    assert taken.assignments.get().unable_since is None
    assert waiting.since == taken.assignments.get().assigned_at


def test_few_days_away_before_the_promised_day_change_nothing(
    taken: RegistrationRequest, expert: User, travel: Travel
) -> None:
    today = timezone.localdate()
    expert.absences.create(first_day=today, last_day=today + datetime.timedelta(10))

    tally = scheduler.tick()

    assert find_current_turn(taken).turn == Turn.EXPERTS
    assert tally.done["alarm"] == 0


def test_rota_puts_another_expert_in_the_place_of_one_who_left(
    taken: RegistrationRequest, expert: User, travel: Travel
) -> None:
    heir = UserFactory.create(name="Hild Heir", roles=[Role.EXPERT])
    travel(5)
    leave_the_team(expert, taken)
    scheduler.tick()

    travel(13)
    scheduler.tick()

    assert find_current_turn(taken).people == ("Hild Heir",)
    assert set(taken.assignments.values_list("expert", flat=True)) == {expert.pk, heir.pk}


@pytest.mark.pages
def test_standards_body_has_the_button_where_every_registrar_has_a_stake(
    taken: RegistrationRequest,
    expert: User,
    registrar: User,
    standards_body: User,
    sign_in: Callable[[User], Client],
) -> None:
    workflow.perform(taken, "approve", actor=expert, comment="Sound.")
    page = reverse("publish:detail", args=[taken.slug])
    ordinary = find_current_turn(taken).people, sign_in(standards_body).get(page).status_code

    registrar.organization = taken.organization
    registrar.save()

    assert ordinary == (("Rafe Registrar",), 403)
    assert find_current_turn(taken).people == ("Stine Standards",)
    assert sign_in(standards_body).get(page).status_code == 200
    workflow.perform(taken, "register", actor=standards_body)
    assert taken.state == State.REGISTERED


def test_administrator_is_told_where_nobody_is_left_of_the_registrant(
    taken: RegistrationRequest,
    expert: User,
    registrant: User,
    administrator: User,
    registrar: User,
    travel: Travel,
) -> None:
    workflow.perform(taken, "request_changes", actor=expert, comment="Say who may join.")
    be_switched_off(registrant, taken)

    travel(8)
    scheduler.tick()

    waiting = find_current_turn(taken)
    assert (waiting.turn, waiting.people) == (Turn.ADMINISTRATOR, ("Ada Administrator",))
    assert readers(taken, "reminder-1") == {"Ada Administrator"}


def test_objector_who_speaks_for_nobody_any_more_is_still_reminded(
    outsider: User, travel: Travel
) -> None:
    holder = OrganizationFactory.create()
    let_speak_for(holder, outsider, author := UserFactory.create())
    namespace = NamespaceFactory.create(registrant=holder)
    registration_request = send(namespace, ChangeKind.CONTACT, author)
    workflow.perform(registration_request, "object", actor=outsider, comment="It is wrong.")
    end_speaking_for(holder, outsider)

    travel(8)
    scheduler.tick()

    assert outsider.name in readers(registration_request, "reminder-1")


@pytest.mark.pages
def test_waiting_requests_are_found_by_who_can_act_today(
    taken: RegistrationRequest, expert: User, client: Client
) -> None:
    def listed(turn: str) -> list[str]:
        found = client.get("/api/v1/requests/", {"turn": turn}).json()["results"]
        return [each["reference"] for each in found]

    before = listed("experts"), listed("lead")
    leave_the_team(expert, taken)

    assert before == ([taken.reference], [])
    assert (listed("experts"), listed("lead")) == ([], [taken.reference])


@pytest.mark.whole
def test_recognition_that_waits_has_a_ladder_without_an_end(
    registrant: User,
    organization: Organization,
    standards_body: User,
    registrar: User,
    lead: User,
    travel: Travel,
) -> None:
    asked = recognition.request_recognition(organization, registrant, "A society.")

    for day in range(120):
        travel(day + 0.5)
        assert scheduler.tick().failures == []

    kinds = asked.reminders.order_by("at").values_list("kind", flat=True)
    assert list(kinds) == [
        *(f"recognition-{number}" for number in range(1, 4)),
        *(f"recognition-3-again-{number}" for number in range(1, 3)),
    ]
    last = Letter.objects.filter(event__data__kind="recognition-3-again-2")
    assert set(last.values_list("recipient__name", flat=True)) == {
        *("Stine Standards", "Rafe Registrar", "Lova Lead"),
    }
    assert f"{organization} " in last[0].subject
    assert "90 days" in last[0].subject
    page = reverse("direction:recognition", args=[asked.pk])
    led = {each.recipient.name for each in last if each.recipient and page in each.text}
    assert led == {"Stine Standards"}


def test_recognition_that_all_of_the_body_have_a_stake_in_is_told_to_the_administrator(
    organization: Organization, standards_body: User, administrator: User, travel: Travel
) -> None:
    let_speak_for(organization, standards_body)
    recognition.request_recognition(organization, standards_body, "A society.")

    travel(8)
    scheduler.tick()

    letters = Letter.objects.filter(event__data__kind="recognition-1")
    assert letters.get(recipient=administrator).reason == LetterReason.ADMINISTRATOR


@pytest.fixture
def fast(registrant: User) -> RegistrationRequest:
    """A request on the fast track, of a body whose contact is not an account."""
    body = OrganizationFactory.create(name="Southlight Archive")
    NamespaceFactory.create(registrant=body, contact="Desk <desk@vault.example>")
    text = FORMAL.replace(registrant="Seed Vault\nE-mail: secretary@vault.example")
    begun = start(registrant, body, text, RequestPath.FAST_TRACK)
    workflow.perform(begun, "submit", actor=registrant)
    return begun


def find_keep_link(address: str) -> str:
    letter = Letter.objects.filter(address=address, key__startswith="keep:").latest("pk")
    [link] = re.findall(r"http://127\.0\.0\.1:8000(/requests/keep/\S+)", letter.text)
    return str(link)


@pytest.mark.whole
def test_contact_of_a_silent_body_keeps_its_request_by_one_click_and_not_by_opening(
    fast: RegistrationRequest, client: Client, travel: Travel
) -> None:
    for day in range(29, 100):
        travel(day + 0.5)
        scheduler.tick()
    letters = Letter.objects.filter(key__startswith="keep:")
    written = sorted(letters.values_list("address", flat=True))
    link, before = find_keep_link("secretary@vault.example"), fast.events.count()

    opened = [client.get(link).status_code, client.head(link).status_code]
    after_opening = fast.events.count()
    pressed = client.post(link)
    again = client.post(link)

    assert written == ["desk@vault.example"] * 4 + ["secretary@vault.example"] * 4
    assert (opened, after_opening) == ([200, 200], before)
    assert (pressed.status_code, again.status_code) == (302, 404)
    assert [each.verb for each in fast.events.order_by("number")[before:]] == ["keep"]
    for day in range(100, 270, 3):
        travel(day)
        scheduler.tick()
    fast.refresh_from_db()
    assert fast.state == State.ADVISORY


@pytest.mark.pages
def test_link_that_nobody_made_keeps_nothing(fast: RegistrationRequest, client: Client) -> None:
    forged = reverse("requests:keep", args=[f"{fast.pk}:2026-06-01T10:00:00+00:00:x"])

    assert client.post(forged).status_code == 404
    assert not fast.events.filter(verb="keep").exists()


@pytest.mark.whole
def test_no_link_of_a_letter_acts_by_being_opened(
    taken: RegistrationRequest,
    fast: RegistrationRequest,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
    sign_in: Callable[[User], Client],
    travel: Travel,
) -> None:
    for day in (8, 15, 31, 62):
        travel(day)
        scheduler.tick()
    before = list(RegistrationRequest.objects.order_by("pk").values())

    opened = set()
    for letter in Letter.objects.exclude(recipient=None).select_related("recipient"):
        assert letter.recipient
        browser = sign_in(letter.recipient)
        for path in re.findall(r"http://127\.0\.0\.1:8000(/\S*)", letter.text):
            if (letter.recipient_id, path) not in opened:
                assert browser.get(path).status_code in {200, 302}, path
                opened.add((letter.recipient_id, path))

    assert reverse("review:detail", args=[taken.slug]) in {path for _who, path in opened}
    assert list(RegistrationRequest.objects.order_by("pk").values()) == before


@pytest.mark.whole
def test_weekly_letter_tells_lead_registrar_and_standards_body_what_is_late(
    taken: RegistrationRequest,
    draft: RegistrationRequest,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
    outsider: User,
    travel: Travel,
) -> None:
    quiet = UserFactory.create()
    other = start(quiet, OrganizationFactory.create(), FORMAL, RequestPath.COMMUNITY)
    weekly = Letter.objects.filter(key__startswith="weekly:")

    for day in range(13):
        travel(day + 0.5)
        scheduler.tick()
    in_time = weekly.count()
    for day in range(13, 29):
        travel(day + 0.5)
        scheduler.tick()

    assert in_time == 0
    assert sorted(weekly.values_list("recipient__name", "written_at__day")) == [
        *(("Lova Lead", 15), ("Lova Lead", 22), ("Lova Lead", 29)),
        *(("Rafe Registrar", 15), ("Rafe Registrar", 22), ("Rafe Registrar", 29)),
        *(("Stine Standards", 15), ("Stine Standards", 22), ("Stine Standards", 29)),
    ]
    letter = weekly.filter(recipient=lead).latest("pk")
    assert re.findall(r"\d+", letter.subject) == ["1"]
    assert taken.reference in letter.text
    assert other.reference not in letter.text
    assert "today: Ede Expert" in letter.text


@pytest.mark.whole
def test_weekly_letter_lists_those_of_many_late_requests_that_wait_longest(
    taken: RegistrationRequest,
    registrant: User,
    lead: User,
    travel: Travel,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    travel(1)
    others = [
        start(registrant, taken.organization, formal_text(f"seed-{number}x"), RequestPath.COMMUNITY)
        for number in range(2)
    ]
    for other in others:
        workflow.perform(other, "submit", actor=registrant)
    monkeypatch.setattr("registry.notifications.reminders.MAX_LATE_REQUESTS_LISTED", 1)

    travel(9)
    scheduler.tick()
    travel(40)
    scheduler.tick()

    letter = Letter.objects.get(key__startswith="weekly:", recipient=lead)
    assert re.findall(r"\d+", letter.subject) == ["3"]
    assert "2 more requests" in letter.text
    assert [each.reference in letter.text for each in (taken, *others)] == [True, False, False]


def test_weekly_letter_tells_what_waits_beside_requests_without_a_word_of_it(
    expert: User, registrar: User, standards_body: User, outsider: User, travel: Travel
) -> None:
    enquiries.ask_enquiry("Does my secret project need one?", actor=outsider, is_public=False)
    hold = held_nids.hold_nid(
        nid="tidal",
        actor=standards_body,
        ground=HoldGround.DIRECTION,
        reasons="A court hears it.",
        source="Minutes of 1 June",
        until=timezone.localdate() + datetime.timedelta(200),
    )
    held_nids.appeal_hold(hold, actor=outsider, reasons="It is ours.")
    weekly = Letter.objects.filter(key__startswith="weekly:", recipient=registrar)

    counts = []
    for day in (7.5, 8.5, 15.5, 60.5, 67.5):
        travel(day)
        scheduler.tick()
        counts.append(weekly.count())

    assert counts == [0, 1, 2, 3, 4]
    first, last = weekly.earliest("pk").text, weekly.latest("pk").text
    assert "1 day late" in first
    assert (hold.get_absolute_url() in first, hold.get_absolute_url() in last) == (False, True)
    assert "secret" not in first + last


def test_weekly_letter_tells_of_a_challenge_that_nobody_answers(
    taken: RegistrationRequest, registrant: User, expert: User, lead: User, travel: Travel
) -> None:
    travel(1)
    # Another expert goes on, so that it is nobody's turn to answer but the lead's.
    workflow.perform(taken, "assign", actor=UserFactory.create(roles=[Role.EXPERT]))
    discussion.add_comment(
        taken,
        author=registrant,
        text="He works for them.",
        key=uuid.uuid4(),
        mark=f"challenge:{expert.pk}",
    )
    weekly = Letter.objects.filter(key__startswith="weekly:", recipient=lead)

    counts = []
    for day in (8.1, 9.5):
        travel(day)
        scheduler.tick()
        counts.append(weekly.count())

    assert counts == [0, 1]
    assert str(CHALLENGE_WORDS) in " ".join(weekly.get().text.split())


def test_weekly_letter_tells_no_more_of_what_was_answered(
    expert: User, registrar: User, outsider: User, travel: Travel
) -> None:
    enquiry = enquiries.ask_enquiry("Do I need one?", actor=outsider, is_public=True)
    travel(9)
    scheduler.tick()
    before = Letter.objects.filter(key__startswith="weekly:").count()

    enquiries.answer_enquiry(enquiry, actor=expert, answer="No: a URL does.")
    travel(16)
    scheduler.tick()

    assert (before, Letter.objects.filter(key__startswith="weekly:").count()) == (1, 1)


def test_administrator_hears_of_a_draft_without_writers_and_without_its_text(
    draft: RegistrationRequest, registrant: User, administrator: User, travel: Travel
) -> None:
    be_switched_off(registrant, draft)

    for day in (31, 61, 91, 121, 151, 181):
        travel(day)
        scheduler.tick()

    draft.refresh_from_db()
    letters = Letter.objects.filter(key__startswith="orphan:")
    page = reverse("organizations:detail", args=[draft.organization_id])
    assert draft.state == State.EXPIRED
    assert set(letters.values_list("recipient", flat=True)) == {administrator.pk}
    assert [each.written_at.day for each in letters.order_by("pk")] == [2, 1, 31, 30, 30]
    assert all(page in each.text and draft.reference in each.text for each in letters)
    assert not [each for each in letters if draft.nid in each.subject + each.text]
