"""Errata of an entry: from anybody, shown once the registrar has looked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from registry import notifications
from registry.models import Erratum, Event, Letter, Namespace, User
from tests.days import days_later
from tests.factories import NamespaceFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
PAGE = "/namespaces/seedbank/errata/"
TEXT = "RFC 9999 is not its document of record."


@pytest.fixture
def seedbank(db: None) -> Namespace:
    return NamespaceFactory.create(nid="seedbank")


def test_erratum_is_shown_with_its_answer_once_the_registrar_has_looked(
    seedbank: Namespace, client: Client, sign_in: SignIn, registrar: User, outsider: User
) -> None:
    for _click in "12":
        client.post(PAGE, {"text": TEXT})
    erratum = Erratum.objects.get()
    answer = {"erratum": erratum.pk, "answer": "It is RFC 9998.", "show": "on"}
    assert TEXT not in text_of(client.get(PAGE))
    with days_later(9):
        notifications.send_weekly_letters(timezone.now())
    assert PAGE in Letter.objects.get(recipient=registrar).text
    sign_in(outsider).post(PAGE, answer)
    assert not Event.objects.exists()
    assert 'href="/publish/"' in sign_in(registrar).get(PAGE).content.decode()

    sign_in(registrar).post(PAGE, answer)

    page = text_of(client.get(PAGE))
    assert TEXT in page
    assert "It is RFC 9998." in page
    assert Event.objects.get().verb == "answer_erratum"
    assert PAGE in client.get("/namespaces/seedbank/").content.decode()


def test_erratum_that_the_registrar_leaves_out_is_shown_nowhere(
    seedbank: Namespace, client: Client, sign_in: SignIn, registrar: User
) -> None:
    client.post(PAGE, {"text": TEXT})

    sign_in(registrar).post(PAGE, {"erratum": Erratum.objects.get().pk, "answer": "Spam."})

    assert TEXT not in text_of(sign_in(registrar).get(PAGE))
    assert not Event.objects.exists()


def test_five_errata_a_day_are_taken_from_one_address(seedbank: Namespace, client: Client) -> None:
    answers = [client.post(PAGE, {"text": f"Error {number}"}).status_code for number in range(6)]

    assert answers == [302] * 5 + [409]
    assert Erratum.objects.count() == 5
