"""Events of the journal are entries of the log: they stay, and a change to one shows."""

from __future__ import annotations

import json

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from registry import journal, workflow
from registry.journal.openness import is_open_to_everybody, journal_lines
from registry.models import (
    Event,
    Follow,
    Letter,
    LogOrigin,
    Namespace,
    RegistrationRequest,
    User,
)
from registry.transparency import merkle
from registry.transparency.entries import WITHDRAWN_NAME, commit_to
from registry.transparency.merkle import hash_leaf
from tests.conftest import without_triggers
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db


def without_guard(statement: str, *values: str | int) -> None:
    """Run `statement` as somebody would who got past the database's own guard."""
    with without_triggers(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def test_each_line_is_the_entry_of_its_number(in_review: RegistrationRequest) -> None:
    lines = list(Event.objects.order_by("number"))

    assert [json.loads(line.entry)["n"] for line in lines] == [1, 2, 3]
    assert [line.digest for line in lines] == [
        hash_leaf(line.entry.encode()).hex() for line in lines
    ]
    assert list(journal.verify()) == []


def test_entry_0_names_the_log(in_review: RegistrationRequest) -> None:
    log = LogOrigin.objects.get()

    entry = json.loads(log.entry)
    assert (entry["n"], entry["origin"]) == (0, "127.0.0.1:8000/log")
    assert log.origin == entry["origin"]


def test_entry_has_no_names_and_no_texts(approved: RegistrationRequest) -> None:
    lines = list(Event.objects.order_by("number"))
    assert lines[-1].comment

    said = " ".join(line.entry for line in lines)

    for line in lines:
        for text in (line.actor_name, line.subject, line.comment):
            assert not text or text not in said


def test_entry_is_as_short_however_long_the_text_is(
    in_review: RegistrationRequest, expert: User
) -> None:
    brief = journal.append(in_review, actor=expert, verb="approve", comment="No.")

    lengthy = journal.append(in_review, actor=expert, verb="approve", comment="No. " * 50_000)

    assert len(lengthy.entry) == len(brief.entry)


def test_line_that_touches_too_much_for_one_entry_is_not_written(
    in_review: RegistrationRequest, expert: User
) -> None:
    last = journal.find_last_number()
    rows = {f"namespace {number}": "0" * 64 for number in range(10_000, 10_700)}

    with pytest.raises(journal.ActTooLarge, match=r"\b700\b"):
        journal.append(in_review, actor=expert, verb="approve", rows=rows)

    assert Event.objects.latest("number").number == last


def test_line_about_a_draft_is_sealed_and_opened_beside_the_log(
    in_review: RegistrationRequest,
) -> None:
    started, sent = Event.objects.order_by("number")[:2]

    assert (started.verb, sent.verb) == ("start", "submit")
    assert set(json.loads(started.entry)) == {"v", "n", "sealed", "about"}
    statement = json.loads(started.statement)
    assert statement["verb"] == "start"
    assert commit_to(started.seal_salt, statement) == json.loads(started.entry)["sealed"]
    assert (sent.statement, json.loads(sent.entry)["target"]) == ("", "in_review")


def test_openness_of_a_line_is_equal_in_python_and_database(
    approved: RegistrationRequest, registrar: User, informal_draft: RegistrationRequest
) -> None:
    workflow.perform(approved, "register", actor=registrar, references=["A letter"])

    lines = list(journal_lines())
    assert {line.is_open for line in lines} == {True, False}
    assert [is_open_to_everybody(line) for line in lines] == [line.is_open for line in lines]


def test_no_two_salts_are_the_same(approved: RegistrationRequest) -> None:
    salts = [
        salt
        for salts in Event.objects.values_list("actor_salt", "details_salt", "seal_salt")
        for salt in salts
        if salt
    ]

    assert len(set(salts)) == len(salts) > 8
    assert {len(salt) for salt in salts} == {32}


def test_root_is_that_of_entry_0_and_of_all_lines(in_review: RegistrationRequest) -> None:
    entries = [
        LogOrigin.objects.get().entry,
        *Event.objects.order_by("number").values_list("entry", flat=True),
    ]

    head = journal.find_head()

    assert head is not None
    assert (head.number, head.digest) == (
        3,
        merkle.compute_root(hash_leaf(entry.encode()) for entry in entries).hex(),
    )


def test_database_lets_a_name_be_withdrawn_and_nothing_else(
    in_review: RegistrationRequest,
) -> None:
    line = Event.objects.filter(number=2)
    for change in (
        {"actor_name": "Mallory"},
        {"actor_name": "Name withdrawn"},
        {"actor_name": "Mallory", "actor_salt": ""},
        {"actor_salt": "0" * 32},
        {"data": {"forged": True}},
        {"subject": "Forged"},
        {"entry": "{}"},
        {"comment": "Forged.", "details_salt": ""},
    ):
        with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
            line.update(**change)

    line.update(actor_name=WITHDRAWN_NAME, actor_salt="")
    line.update(data={}, subject="", details_salt="")

    assert list(journal.verify()) == []


def test_name_that_was_put_in_the_place_of_a_withdrawn_one_shows(
    in_review: RegistrationRequest,
) -> None:
    without_guard(
        "UPDATE registry_event SET actor_name = %s, actor_salt = '' WHERE number = 2", "Mallory"
    )

    assert list(journal.verify()) == ["Line 2 was changed."]


def test_changed_line_shows(in_review: RegistrationRequest) -> None:
    without_guard("UPDATE registry_event SET comment = %s WHERE number = 2", "Forged.")

    assert list(journal.verify()) == ["Line 2 was changed."]


def test_missing_line_shows(in_review: RegistrationRequest) -> None:
    Letter.objects.filter(event__number=2).delete()
    without_guard("DELETE FROM registry_event WHERE number = %s", 2)

    assert list(journal.verify()) == [
        "Line 2 is missing.",
    ]


def test_line_keeps_the_name_a_person_had_then(
    in_review: RegistrationRequest, registrant: User
) -> None:
    registrant.name = "Runa Renamed"
    registrant.save()

    line = in_review.events.get(verb="submit")
    assert (line.actor_name, str(line.actor)) == ("Runa Registrant", "Runa Renamed")


@pytest.mark.django_db(transaction=True)
def test_no_line_is_written_outside_the_transaction_of_a_change() -> None:
    namespace: Namespace = NamespaceFactory.create()

    with pytest.raises(RuntimeError, match="in the transaction"):
        journal.append(namespace, actor=None, verb="import")

    with transaction.atomic():
        assert journal.append(namespace, actor=None, verb="import").namespace == namespace


def test_line_that_is_tried_is_the_last_one_and_leaves_nothing(
    in_review: RegistrationRequest, expert: User
) -> None:
    last, count = journal.find_last_number(), Follow.objects.count()
    line = journal.compose_line(in_review, actor=expert, verb="comment")

    with journal.try_lines([line]):
        tried = in_review.events.latest("number").pk
        Follow.objects.create(person=expert, since=timezone.now())

        assert tried == line.pk

    left = {name: vars(line)[name] for name in ("id", "number", "digest")}
    assert left == {"id": None, "number": None, "digest": ""}
    assert (journal.find_last_number(), Follow.objects.count()) == (last, count)
    assert journal.write_line(line).number == last + 1
    assert list(journal.verify()) == []


def test_line_that_fails_while_it_is_tried_leaves_nothing(in_review: RegistrationRequest) -> None:
    last = journal.find_last_number()
    line = journal.compose_line(in_review, actor=None, verb="comment")

    with pytest.raises(ZeroDivisionError), journal.try_lines([line]):
        raise ZeroDivisionError

    assert not line.pk
    assert journal.find_last_number() == last
