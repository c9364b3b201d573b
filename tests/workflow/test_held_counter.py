"""The queries of an action while it holds the number that all other actions wait for."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from registry import workflow
from registry.actions import discussion
from registry.actions.bans import ban_account, find_comments, lift_ban, withhold_comments
from registry.actions.officer_changes import grant_role
from registry.enums import RequestPath, Role
from registry.models import Event, Follow, Letter, RegistrationRequest, User
from tests.factories import OrganizationFactory, start
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db

MAX_FOR_A_COMMENT = 8
MAX_FOR_A_DECISION = 8
MAX_FOR_A_REGISTRATION = 18
MAX_FOR_AN_ACCOUNT = 8


def list_statements_with_number(act: Callable[[], object]) -> list[str]:
    """Return the statements from taking the number on."""
    with CaptureQueriesContext(connection) as asked:
        act()
    statements = [each["sql"] for each in asked]
    taken = [n for n, sql in enumerate(statements) if 'UPDATE "registry_counter"' in sql]
    return statements[taken[0] :]


def without_tasks(statements: list[str]) -> list[str]:
    """Return the statements but for the tasks, of which each letter has one."""
    return [sql for sql in statements if not ("dbtaskresult" in sql and sql.startswith("INSERT"))]


def post_comment(registration_request: RegistrationRequest, author: User) -> None:
    discussion.add_comment(registration_request, author=author, text="Good.", key=uuid.uuid4())


def test_comment_writes_and_asks_next_to_nothing_while_others_wait(
    in_review: RegistrationRequest, outsider: User, settings: Settings
) -> None:
    settings.REGISTRY_LIST_ADDRESS = ""
    Letter.objects.all().delete()

    held = list_statements_with_number(lambda: post_comment(in_review, outsider))

    tasks = [sql for sql in held if "dbtaskresult" in sql and sql.startswith("INSERT")]
    assert Letter.objects.count() > len(tasks) == 1
    assert len(held) - len(tasks) <= MAX_FOR_A_COMMENT
    assert [sql for sql in held if 'FROM "registry_user"' in sql] == []


def test_letters_of_a_decision_are_composed_before_others_wait(
    in_review: RegistrationRequest, expert: User, settings: Settings
) -> None:
    settings.REGISTRY_LIST_ADDRESS = ""

    def ask_for_changes() -> None:
        workflow.perform(in_review, "request_changes", actor=expert, comment="Say who.")

    held = list_statements_with_number(ask_for_changes)

    tasks = [sql for sql in held if "dbtaskresult" in sql and sql.startswith("INSERT")]
    letter = Letter.objects.filter(recipient=in_review.author).latest("pk")
    assert letter.event == in_review.events.get(verb="request_changes")
    assert len(held) - len(tasks) <= MAX_FOR_A_DECISION
    assert [sql for sql in held if 'FROM "registry_user"' in sql] == []


def test_registration_holds_the_number_for_what_is_written_alone(
    approved: RegistrationRequest, registrar: User
) -> None:
    def register() -> None:
        workflow.perform(approved, "register", actor=registrar, references=["RFC 8141"])

    held = list_statements_with_number(register)

    assert len(without_tasks(held)) <= MAX_FOR_A_REGISTRATION
    assert [sql for sql in held if 'FROM "registry_user"' in sql] == []


@pytest.mark.whole
def test_requests_that_a_registration_overtakes_are_given_back_before_others_wait(
    approved: RegistrationRequest, registrar: User, outsider: User
) -> None:
    """Each rival costs what its line says of its rows, and nothing else."""
    for _n in range(3):
        body = OrganizationFactory.create()
        rival = start(outsider, body, FORMAL, RequestPath.COMMUNITY)
        workflow.perform(rival, "submit", actor=outsider)

    def register() -> None:
        workflow.perform(approved, "register", actor=registrar, references=["RFC 8141"])

    held = list_statements_with_number(register)

    overtaken = Event.objects.order_by("-number").values_list("verb", flat=True)[:3]
    assert list(overtaken) == ["overtake"] * 3
    assert len(without_tasks(held)) <= MAX_FOR_A_REGISTRATION
    assert [sql for sql in held if 'FROM "registry_user"' in sql] == []


def test_account_is_banned_and_gets_a_role_before_others_wait(
    in_review: RegistrationRequest, outsider: User, administrator: User
) -> None:
    acts: list[Callable[[], object]] = [
        partial(ban_account, outsider, reason="Spam.", actor=administrator),
        partial(lift_ban, outsider, reason="Not they.", actor=administrator),
        partial(grant_role, outsider, Role.REGISTRAR),
    ]

    held = [without_tasks(list_statements_with_number(act)) for act in acts]

    assert [max(len(each), MAX_FOR_AN_ACCOUNT) for each in held] == [MAX_FOR_AN_ACCOUNT] * 3


@pytest.mark.pages
def test_account_is_edited_in_the_administration_before_others_wait(
    outsider: User, administrator: User, sign_in: Callable[[User], Client]
) -> None:
    client = sign_in(administrator)
    group = Group.objects.get(name=Role.EXPERT)
    sent = {"email": outsider.email, "name": "Olga", "groups": [group.pk], "organization": ""}

    def edit() -> None:
        client.post(reverse("admin:registry_user_change", args=[outsider.pk]), sent)

    held = list_statements_with_number(edit)

    assert Event.objects.latest("number").verb == "announce_officer_change"
    own = [sql for sql in without_tasks(held) if "registry_letter" in sql or "search" in sql]
    assert own == []


def test_ten_comments_are_hidden_with_as_many_statements_as_five(
    in_review: RegistrationRequest, outsider: User, registrar: User
) -> None:
    held = []
    for number in (5, 10):
        for _n in range(number):
            post_comment(in_review, outsider)

        def hide() -> None:
            comments = find_comments(outsider)
            list(withhold_comments(comments, moderator=registrar, reason="Spam."))

        held.append(without_tasks(list_statements_with_number(hide)))

    assert Event.objects.filter(verb="hide_message").count() == 15
    assert len(held[0]) == len(held[1]) <= MAX_FOR_A_DECISION


def test_letters_that_were_composed_before_are_those_of_the_line(
    in_review: RegistrationRequest, outsider: User, registrant: User
) -> None:
    Follow.objects.create(person=outsider, since=timezone.now())

    post_comment(in_review, registrant)

    event = Event.objects.latest("number")
    written = Letter.objects.filter(event=event)
    assert event.verb == "comment"
    assert {each.key for each in written} == {
        f"{event.number}:{each.address.lower()}" for each in written
    }
    assert {each.written_at for each in written} == {event.at}
    assert outsider.email in {each.address for each in written}


def test_decision_that_changes_no_text_leaves_the_search_index_alone(
    in_review: RegistrationRequest, expert: User
) -> None:
    def decline() -> None:
        workflow.perform(in_review, "decline", actor=expert, comment="Nobody needs it.")

    held = list_statements_with_number(decline)

    assert [sql for sql in held if "registry_searchword" in sql] == []
