"""The journal is a chain: what was written stays, and a change to it shows."""

from __future__ import annotations

import pytest
from django.db import connection, transaction

from registry import journal
from registry.models import Event, Letter, Namespace, RegistrationRequest, User
from tests.conftest import without_triggers
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db


def without_guard(statement: str, *values: str | int) -> None:
    """Run `statement` as somebody would who got past the database's own guard."""
    with without_triggers(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def test_each_line_names_the_digest_of_the_line_before(in_review: RegistrationRequest) -> None:
    lines = list(Event.objects.order_by("number"))

    assert [line.previous for line in lines] == ["", *(line.digest for line in lines[:-1])]
    assert list(journal.verify()) == []


def test_a_changed_line_shows(in_review: RegistrationRequest) -> None:
    without_guard("UPDATE registry_event SET comment = %s WHERE number = 2", "Forged.")

    assert list(journal.verify()) == ["Line 2 was changed."]


def test_a_missing_line_shows(in_review: RegistrationRequest) -> None:
    Letter.objects.filter(event__number=2).delete()
    without_guard("DELETE FROM registry_event WHERE number = %s", 2)

    assert list(journal.verify()) == [
        "Line 2 is missing.",
        "Line 3 does not follow line 2.",
    ]


def test_a_line_keeps_the_name_a_person_had_then(
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
