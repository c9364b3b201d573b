"""The queries of an action while it holds the number that all other actions wait for."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from registry import workflow
from registry.actions import discussion
from registry.models import Event, Follow, Letter, RegistrationRequest, User

pytestmark = pytest.mark.django_db

MAX_FOR_A_COMMENT = 8
MAX_FOR_A_DECISION = 8
MAX_FOR_A_REGISTRATION = 40


def list_statements_with_number(act: Callable[[], object]) -> list[str]:
    """Return the statements from taking the number on."""
    with CaptureQueriesContext(connection) as asked:
        act()
    statements = [each["sql"] for each in asked]
    taken = [n for n, sql in enumerate(statements) if 'UPDATE "registry_counter"' in sql]
    return statements[taken[0] :]


def post_comment(registration_request: RegistrationRequest, author: User) -> None:
    discussion.add_comment(registration_request, author=author, text="Good.", key=uuid.uuid4())


def test_a_comment_writes_and_asks_next_to_nothing_while_others_wait(
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
    assert "It is your turn" in letter.text
    assert len(held) - len(tasks) <= MAX_FOR_A_DECISION
    assert [sql for sql in held if 'FROM "registry_user"' in sql] == []


def test_a_registration_holds_the_number_for_what_is_written_alone(
    approved: RegistrationRequest, registrar: User
) -> None:
    def register() -> None:
        workflow.perform(approved, "register", actor=registrar, references=["RFC 8141"])

    held = list_statements_with_number(register)

    tasks = [sql for sql in held if "dbtaskresult" in sql and sql.startswith("INSERT")]
    assert len(held) - len(tasks) <= MAX_FOR_A_REGISTRATION
    assert [sql for sql in held if 'FROM "registry_user"' in sql] == []


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


def test_a_decision_that_changes_no_text_leaves_the_search_index_alone(
    in_review: RegistrationRequest, expert: User
) -> None:
    def decline() -> None:
        workflow.perform(in_review, "decline", actor=expert, comment="Nobody needs it.")

    held = list_statements_with_number(decline)

    assert [sql for sql in held if "registry_searchword" in sql] == []
