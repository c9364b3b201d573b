"""Many reminders are written together, as they would be one by one, at little cost each."""

from __future__ import annotations

import datetime
import itertools
import re
import uuid
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from registry import notifications, scheduler, workflow
from registry.actions.conflicts_of_interest import declare_conflict
from registry.enums import ChangeKind, LetterReason, RequestPath, Role, State, WebhookTopic
from registry.models import (
    Assignment,
    Event,
    Follow,
    Letter,
    Organization,
    RegistrationRequest,
    User,
    WebhookDelivery,
)
from registry.notifications import webhooks
from registry.selectors import list_rival_requests
from registry.template import Template
from tests.days import record_days
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    create_sent_requests,
    formal_text,
    let_ask_often,
    let_speak_for,
    start,
)
from tests.scheduler.conftest import MONDAY
from tests.small_changes import send
from tests.template.samples import FORMAL, INFORMAL

pytestmark = pytest.mark.django_db

DAYS = (4.5, 9.5, 16.5, 31.5, 47.5, 63.5, 95.5)
"""When the scheduler runs, after Monday: each series is followed to its end."""
MAX_STATEMENTS_PER_REMINDER = 0.5
"""Reminders are written in groups: a few statements for each group, and a few letters for each."""
REMINDING_VERBS = ("remind",)
KINDS = {
    "reminder-1",
    "reminder-2",
    "reminder-3",
    "reminder-3-again-1",
    "reminder-3-again-2",
}
"""The kinds of reminders in `DAYS` for these requests."""
REASONS = {
    LetterReason.REGISTRANT,
    LetterReason.EXPERT,
    LetterReason.LEAD,
    LetterReason.REGISTRAR,
    LetterReason.STANDARDS_BODY,
    LetterReason.HOLDER,
    LetterReason.CONTACT,
    LetterReason.NAMED,
}
"""Why people get letters about these reminders."""


def take_steps(
    begun: RegistrationRequest, expert: User, *verbs: str, standards_action: bool = False
) -> RegistrationRequest:
    """Send a request, and have an expert take these steps."""
    begun.standards_action = standards_action
    begun.save()
    workflow.perform(begun, "submit", actor=begun.author)
    for verb in verbs:
        rivals = ", ".join(each.reference for each in list_rival_requests(begun))
        comment = f"Sound, unlike {rivals}." if workflow.VERBS[verb].explains else ""
        workflow.perform(begun, verb, actor=expert, comment=comment)
    return begun


@pytest.fixture
def waiting(
    registrant: User,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
    administrator: User,
    outsider: User,
    organization: Organization,
) -> list[RegistrationRequest]:
    """Requests that wait for everyone possible, with everything that ties people to them."""
    nids = (f"seed-{number}x" for number in itertools.count(1))
    let_ask_often(registrant)
    other: Organization = OrganizationFactory.create(name="Southlight Archive")
    holder = UserFactory.create(name="Hedda Holder", email="hedda@people.example")
    let_speak_for(other, UserFactory.create(name="Dag Delegate"), registrar)
    declare_conflict(lead, other)
    second = UserFactory.create(name="Elis Expert", roles=[Role.EXPERT], organization=other)
    gone = UserFactory.create(name="Gone", email="gone@people.example")

    def begin(
        body: Organization = organization,
        path: RequestPath = RequestPath.COMMUNITY,
        author: User = registrant,
        text: Template | None = None,
    ) -> RegistrationRequest:
        return start(author, body, text or formal_text(next(nids)), path)

    written, orphaned = begin(), begin(author=gone)
    written.co_editors.add(outsider)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    bodies = (organization, other)
    in_review = [take_steps(begin(body), expert, "assign") for body in bodies]
    workflow.perform(in_review[0], "assign", actor=second)
    untaken = [take_steps(begin(body), expert) for body in bodies]
    agency: Organization = OrganizationFactory.create(name="Book Number Agency")
    let_speak_for(agency, holder)
    held = NamespaceFactory.create(
        nid="isbn", registrant=agency, contact="Desk, desk@books.example", last_known_version="1"
    )
    NamespaceFactory.create(registrant=organization, contact="Desk <desk@vault.example>")
    let_speak_for(organization, registrant)
    found = [
        written,
        orphaned,
        *in_review,
        *untaken,
        *(take_steps(begin(body), expert, "assign", "decline") for body in bodies),
        *(take_steps(begin(body), expert, "assign", "approve") for body in bodies),
        *(
            take_steps(begin(body), expert, "assign", "report", standards_action=True)
            for body in bodies
        ),
        take_steps(begin(path=RequestPath.INFORMAL, text=INFORMAL), expert),
        take_steps(
            begin(
                path=RequestPath.FAST_TRACK,
                text=FORMAL.replace(registrant="Seed Vault\nE-mail: secretary@vault.example"),
            ),
            expert,
        ),
        send(held, ChangeKind.CONTACT, registrant, organization),
    ]
    Follow.objects.create(person=outsider, registration_request=in_review[0], since=timezone.now())
    hook: dict[str, Any] = {"name": "Mirror", "url": "https://mirror.example/in"}
    subjects = ((WebhookTopic.REQUESTS, ""), (WebhookTopic.REQUEST, untaken[0].reference))
    for topic, subject in subjects:
        webhooks.add_webhook(outsider, topic=topic, subject=subject, form_key=uuid.uuid4(), **hook)
    return found


def tick_and_undo() -> dict[str, list[str]]:
    """Return what the scheduler wrote on `DAYS`, in a fixed order, and roll it back."""
    with transaction.atomic():
        before = Letter.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        for day in DAYS:
            until = MONDAY + datetime.timedelta(day)
            record_days(MONDAY, until)
            # Time is frozen: what begins with a run begins at the same moment either way.
            with time_machine.travel(until, tick=False):
                assert scheduler.tick().failures == []
        # The yearly letter about a contact has a random link, and is not a reminder.
        letters = Letter.objects.filter(pk__gt=before).exclude(key__startswith="contact:")
        found = {
            "letters": sorted(map(describe_letter, letters)),
            "lines": sorted(map(describe_line, Event.objects.filter(verb__in=REMINDING_VERBS))),
            "deliveries": sorted(
                f"{each.hook.subject}: {describe_line(each.event)}"
                for each in WebhookDelivery.objects.filter(event__verb__in=REMINDING_VERBS)
                if each.event
            ),
        }
        transaction.set_rollback(True)
    return found


def describe_letter(letter: Letter) -> str:
    """Return the content and recipient of a letter, without the number of its event."""
    tasks = DBTaskResult.objects.filter(args_kwargs__args=[letter.pk]).count()
    said = (
        letter.key,
        letter.address,
        letter.recipient_id,
        letter.reason,
        letter.registration_request_id,
        letter.delivery,
        letter.subject,
        letter.text,
        letter.html,
        sorted(letter.headers.items()),
        letter.event and describe_line(letter.event),
        tasks,
    )
    return re.sub(r"(\b|event-)\d+(?=[:.][\w@.-]+)", r"\1N", repr(said))


def describe_line(event: Event) -> str:
    """Return the content of an event, without its number, and whether it is sealed."""
    said = (event.subject, event.verb, event.data, event.actor_name, bool(event.seal_salt))
    return repr(said)


@pytest.mark.whole
def test_letters_that_are_written_together_are_those_that_are_written_one_by_one(
    waiting: list[RegistrationRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    together = tick_and_undo()
    monkeypatch.setattr(scheduler, "REMINDER_BATCH_SIZE", 1)
    for name in ("preload_letter_facts", "preload_recipients"):
        monkeypatch.setattr(notifications, name, lambda _many: None)

    one_by_one = tick_and_undo()

    assert together == one_by_one
    letters, lines = ("\n".join(together[name]) for name in ("letters", "lines"))
    assert [each for each in KINDS if f"'{each}'" not in lines] == []
    assert [each for each in REASONS if f", '{each}', " not in letters] == []
    assert len(together["deliveries"]) > 50


def test_reminder_more_takes_hardly_a_statement_more(lead: User, standards_body: User) -> None:
    create_sent_requests(56)
    RegistrationRequest.objects.update(state_since=timezone.now())
    states = (State.IN_REVIEW, State.APPROVED, State.REPORTED)
    keys = RegistrationRequest.objects.filter(state__in=states).values_list("pk", flat=True)
    long_ago = timezone.now() - datetime.timedelta(60)
    record_days(long_ago, timezone.now())

    def count_statements(overdue: int) -> int:
        with transaction.atomic():
            late = RegistrationRequest.objects.filter(pk__in=list(keys.order_by("pk")[:overdue]))
            late.update(state_since=long_ago)
            Assignment.objects.filter(registration_request__in=late).update(assigned_at=long_ago)
            with CaptureQueriesContext(connection) as asked:
                done = scheduler.tick().done
            transaction.set_rollback(True)
        assert sum(done[verb] for verb in REMINDING_VERBS) == overdue
        return len(asked)

    count_statements(1)  # This does a process's one-time queries.

    assert count_statements(40) - count_statements(20) <= 20 * MAX_STATEMENTS_PER_REMINDER
