"""Each letter is sent once, to its recipients at the time of its event."""

from __future__ import annotations

import datetime
import threading
import uuid
from collections.abc import Callable

import pytest
import time_machine
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from registry import notifications, workflow
from registry.actions import discussion
from registry.actions.follows import FollowTarget, start_following
from registry.models import Assignment, Letter, RegistrationRequest, User
from registry.notifications import outbox
from registry.notifications.outbox import LETTER_LEASE, MIN_LETTER_DELAY, send_letter
from registry.notifications.webhooks import deliver_webhook
from tests.factories import UserFactory
from tests.notifications.conftest import work, worker
from tests.notifications.smtp import MailServer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mailing_list")]

EVERYBODY = ["expert@people.example", "registrar@people.example", "urn-list@lists.example"]


@pytest.fixture
def decided(in_review: RegistrationRequest, expert: User, registrar: User) -> RegistrationRequest:
    """A request that was withdrawn, with nothing sent of what was before."""
    Letter.objects.all().delete()
    DBTaskResult.objects.all().delete()
    start_following(registrar, FollowTarget(in_review))
    workflow.perform(in_review, "withdraw", actor=in_review.author, comment="Another way.")
    return in_review


def test_each_letter_is_sent_once_however_often_the_worker_runs(
    decided: RegistrationRequest, mail_server: MailServer
) -> None:
    work()
    for letter in Letter.objects.all():
        send_letter.call(letter.pk)
    notifications.requeue_letters()
    work()

    assert mail_server.addresses == EVERYBODY
    assert not Letter.objects.waiting().exists()


def test_mail_server_that_is_down_loses_nothing_and_doubles_nothing(
    decided: RegistrationRequest,
    no_mail_server: int,
) -> None:
    work()
    tried = Letter.objects.first()
    assert tried is not None
    assert (tried.attempts, tried.sent_at) == (1, None)
    assert "ConnectionRefusedError" in tried.last_error

    server = MailServer(no_mail_server)
    work()
    too_early = server.addresses
    with time_machine.travel(timezone.now() + MIN_LETTER_DELAY, tick=False):
        work()
    server.stop()

    assert too_early == []
    assert server.addresses == EVERYBODY


def test_rest_between_attempts_grows(decided: RegistrationRequest, no_mail_server: int) -> None:
    now, rests = timezone.now(), []
    for _attempt in range(12):
        with time_machine.travel(now, tick=False):
            work()
            letter = Letter.objects.earliest("pk")
            assert letter.not_before is not None
            rests.append((letter.not_before - now) // datetime.timedelta(minutes=1))
            now = letter.not_before

    assert rests == [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360]


def test_address_that_the_server_does_not_know_is_given_up_and_any_other_is_tried_again(
    decided: RegistrationRequest, mail_server: MailServer
) -> None:
    mail_server.refused = {"expert@people.example": 550, "registrar@people.example": 450}

    work()
    mail_server.refused = {}
    with time_machine.travel(timezone.now() + MIN_LETTER_DELAY, tick=False):
        work()

    assert mail_server.addresses == ["registrar@people.example", "urn-list@lists.example"]
    given_up = Letter.objects.get(address="expert@people.example")
    assert given_up.dropped_at is not None
    assert "550" in given_up.last_error


def left_as_expert(expert: User, request: RegistrationRequest) -> None:
    Assignment.objects.filter(expert=expert).update(recused_at=timezone.now())


def lost_the_role(expert: User, request: RegistrationRequest) -> None:
    expert.groups.clear()


def switched_off(expert: User, request: RegistrationRequest) -> None:
    User.objects.filter(pk=expert.pk).update(is_active=False)


def address_in_doubt(expert: User, request: RegistrationRequest) -> None:
    expert.emailaddress_set.update(verified=False)


def joined_the_applicant(expert: User, request: RegistrationRequest) -> None:
    User.objects.filter(pk=expert.pk).update(organization=request.organization)


@pytest.mark.parametrize("happens", [left_as_expert, lost_the_role, joined_the_applicant])
def test_lost_part_before_a_late_worker_came_keeps_the_letter(
    decided: RegistrationRequest,
    expert: User,
    mail_server: MailServer,
    happens: Callable[[User, RegistrationRequest], None],
) -> None:
    happens(expert, decided)

    work()

    assert mail_server.addresses == EVERYBODY
    [letter] = [letter for to, letter in mail_server.taken if expert.email in to]
    assert "Another way." in letter.as_string()


@pytest.mark.parametrize("happens", [switched_off, address_in_doubt])
def test_account_that_is_switched_off_or_in_doubt_gets_no_letter(
    decided: RegistrationRequest,
    expert: User,
    mail_server: MailServer,
    happens: Callable[[User, RegistrationRequest], None],
) -> None:
    happens(expert, decided)

    work()

    assert mail_server.addresses == ["registrar@people.example", "urn-list@lists.example"]
    assert Letter.objects.get(recipient=expert).dropped_at is not None


def test_former_follower_does_not_get_what_was_written_before(
    decided: RegistrationRequest, registrar: User, mail_server: MailServer
) -> None:
    registrar.follows.all().delete()

    work()

    assert mail_server.addresses == ["expert@people.example", "urn-list@lists.example"]


def test_co_editor_who_was_taken_off_hears_what_happened_and_no_text_of_the_draft(
    draft: RegistrationRequest, registrant: User, mail_server: MailServer
) -> None:
    co_editor, why = UserFactory.create(), "We name no seeds."
    draft.co_editors.add(co_editor)
    workflow.perform(draft, "withdraw", actor=registrant, comment=why)
    draft.co_editors.clear()

    work()

    assert mail_server.addresses == [co_editor.email]
    _to, letter = mail_server.taken[0]
    text = letter.as_string()
    assert "Runa Registrant" in text
    assert (why in text, draft.get_absolute_url() in text) == (False, False)


def test_message_that_was_hidden_before_it_was_sent_is_not_sent(
    in_review: RegistrationRequest, outsider: User, lead: User, mail_server: MailServer
) -> None:
    Letter.objects.all().delete()
    message = discussion.add_comment(in_review, author=outsider, text="Buy seeds", key=uuid.uuid4())
    discussion.hide_message(message, moderator=lead, reason="Advertising.")

    work()

    assert mail_server.addresses == ["outsider@people.example"]
    _to, letter = mail_server.taken[0]
    assert "Buy seeds" not in letter.as_string()


def test_letter_goes_to_the_address_its_recipient_has_now(
    decided: RegistrationRequest, registrar: User, mail_server: MailServer
) -> None:
    registrar.emailaddress_set.update(email="moved@people.example")
    User.objects.filter(pk=registrar.pk).update(email="moved@people.example")

    work()

    assert "moved@people.example" in mail_server.addresses
    assert "registrar@people.example" not in mail_server.addresses


def test_clock_finds_letters_whose_tasks_are_gone(
    decided: RegistrationRequest, mail_server: MailServer
) -> None:
    DBTaskResult.objects.all().delete()

    found = [notifications.requeue_letters(), notifications.requeue_letters()]
    work()

    assert found == [3, 0]
    assert mail_server.addresses == EVERYBODY


def test_task_for_something_else_is_none_for_a_letter(decided: RegistrationRequest) -> None:
    DBTaskResult.objects.all().delete()
    for letter in Letter.objects.all():
        deliver_webhook.enqueue(letter.pk)

    assert notifications.requeue_letters() == 3


def test_letter_in_the_hand_of_a_worker_that_died_is_sent_by_another_later(
    decided: RegistrationRequest, mail_server: MailServer
) -> None:
    DBTaskResult.objects.update(status="RUNNING")
    Letter.objects.update(attempts=1, not_before=timezone.now() + LETTER_LEASE)

    at_once = notifications.requeue_letters()
    with time_machine.travel(timezone.now() + LETTER_LEASE, tick=False):
        later = notifications.requeue_letters()
        work()

    assert (at_once, later) == (0, 3)
    assert mail_server.addresses == EVERYBODY


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_each_letter_once(
    in_review: RegistrationRequest, mail_server: MailServer
) -> None:
    for _number in range(8):
        start_following(UserFactory.create(), FollowTarget(in_review))
    workflow.perform(in_review, "withdraw", actor=in_review.author)
    letters = [letter.address for letter in Letter.objects.all()]

    together(worker("one").run, worker("other").run)

    assert mail_server.addresses == sorted(letters)
    workers = {name for task in DBTaskResult.objects.all() for name in task.worker_ids}
    assert workers <= {"one", "other"}


@pytest.mark.parametrize(
    ("is_replayed", "what", "waiting"), [(False, "waits for replicas", 1), (True, "sent", 0)]
)
def test_letter_waits_until_replicas_have_its_event(
    decided: RegistrationRequest,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    is_replayed: bool,
    what: str,
    waiting: int,
) -> None:
    settings.REGISTRY_REPLICAS = ["replica"]
    monkeypatch.setattr(outbox, "is_replayed", lambda event: is_replayed)
    letter = Letter.objects.filter(event__verb="withdraw")[0]
    DBTaskResult.objects.all().delete()

    assert send_letter.call(letter.pk) == what
    assert DBTaskResult.objects.filter(run_after__gt=timezone.now()).count() == waiting


def test_letter_about_no_event_waits_for_no_replica(
    decided: RegistrationRequest, settings: Settings
) -> None:
    settings.REGISTRY_REPLICAS = ["replica"]
    letter = Letter.objects.filter(event__verb="withdraw")[0]
    Letter.objects.filter(pk=letter.pk).update(event=None)

    assert send_letter.call(letter.pk) == "sent"


@pytest.mark.parametrize(("html", "parts"), [("<p>A word.</p>", 1), ("", 0)])
def test_letter_has_a_part_in_html_where_it_was_written_in_html(
    decided: RegistrationRequest, html: str, parts: int
) -> None:
    letter = Letter.objects.filter(event__verb="withdraw")[0]
    letter.html = html

    assert len(outbox.build_mail(letter).alternatives) == parts


@pytest.mark.django_db(transaction=True)
def test_letter_that_one_worker_is_sending_is_left_alone_by_another(
    draft: RegistrationRequest, registrant: User, lead: User, mail_server: MailServer
) -> None:
    workflow.perform(draft, "submit", actor=registrant)
    letter = Letter.objects.get(recipient=lead)
    mail_server.may_answer.clear()
    became: list[str] = []

    def second() -> None:
        assert mail_server.reading.wait(20)
        became.append(send_letter.call(letter.pk))
        mail_server.may_answer.set()

    together(lambda: became.append(send_letter.call(letter.pk)), second)

    assert became == ["left alone", "sent"]
    assert mail_server.addresses == ["lead@people.example"]


def together(*acts: Callable[[], None]) -> None:
    """Do `acts` at once, each on a connection of its own."""

    def alone(act: Callable[[], None]) -> None:
        try:
            act()
        finally:
            connection.close()

    threads = [threading.Thread(target=alone, args=[act]) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
