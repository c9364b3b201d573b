"""Whether a contact is still right: the yearly letter, its page with one button, the queue."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from registry import workflow
from registry.actions import contact_confirmations
from registry.enums import ChangeKind
from registry.models import (
    ContactConfirmation,
    Event,
    Letter,
    Namespace,
    Organization,
    RegistrationRequest,
    User,
)
from registry.scheduler import tick
from tests.api.clients import JSON, Program
from tests.cast import record_cast
from tests.factories import (
    NamespaceFactory,
    let_speak_for,
)
from tests.small_changes import record_consent, send
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
DESK = "Identifier desk, urn@northlight.example."
DAY = datetime.timedelta(1)


@pytest.fixture
def namespace(organization: Organization, registrant: User) -> Namespace:
    let_speak_for(organization, registrant)
    return NamespaceFactory.create(nid="seedbank", registrant=organization, contact=DESK)


def link_of(letter: Letter) -> str:
    """Return the path that a letter links to."""
    found = re.search(r"/namespaces/seedbank/contact/\S+/", letter.text)
    assert found
    return found[0]


def verbs() -> list[str]:
    return list(Event.objects.filter(verb__endswith="_contact").values_list("verb", flat=True))


def test_letter_goes_once_a_year_to_the_contact(namespace: Namespace) -> None:
    now = timezone.now()
    for days in (0, 1, 364):
        tick(now + days * DAY)
    first = set(Letter.objects.filter(key__startswith="contact:").values_list("address", flat=True))

    tick(now + 366 * DAY)

    assert first == {"urn@northlight.example"}
    assert ContactConfirmation.objects.count() == 2
    assert verbs() == ["ask_contact"] * 2


def test_nobody_is_asked_about_a_contact_that_is_not_there_or_confirmed_this_year(
    namespace: Namespace,
) -> None:
    NamespaceFactory.create(nid="bare", contact="")
    NamespaceFactory.create(nid="wordless", contact="By post alone")
    namespace.contact_confirmed_on = timezone.localdate() - 364 * DAY
    namespace.save()

    tick()

    assert ContactConfirmation.objects.count() == 0


def test_link_does_nothing_when_opened_and_its_button_confirms_without_an_account(
    namespace: Namespace, client: Client
) -> None:
    tick()
    page = link_of(Letter.objects.get(address="urn@northlight.example"))

    for read in (client.get, client.head):
        assert read(page).status_code == 200
    opened = client.get(page)
    namespace.refresh_from_db()
    after_opening = (namespace.contact_confirmed_on, verbs())
    with time_machine.travel(timezone.now(), tick=False):
        answers = [client.post(page) for _click in "12"]
        today = timezone.localdate()

    namespace.refresh_from_db()
    assert DESK in text_of(opened)
    assert 'name="seen"' in opened.content.decode()
    assert after_opening == (None, ["ask_contact"])
    for answer in answers:
        assert (answer.status_code, answer.context["refusal"]) == (200, "")
        assert 'name="seen"' not in answer.content.decode()
    assert namespace.contact_confirmed_on == today
    assert verbs() == ["ask_contact", "hear_contact"]
    assert client.get(page).headers["Cache-Control"].count("no-store") == 1
    assert client.post("/namespaces/seedbank/contact/guessed/").status_code == 404


def test_letter_speaks_of_the_contact_it_quoted_alone(namespace: Namespace, client: Client) -> None:
    tick()
    page = link_of(Letter.objects.get(address="urn@northlight.example"))
    Namespace.objects.update(contact="Another desk, a@b.example")

    answer = client.post(page)

    assert answer.status_code == 409
    assert answer.context["refusal"] in text_of(answer)
    assert Namespace.objects.get().contact_confirmed_on is None


def test_older_letter_gives_way_to_the_newer_one(namespace: Namespace, client: Client) -> None:
    now = timezone.now()
    tick(now)
    letters = Letter.objects.filter(address="urn@northlight.example").order_by("pk")
    older = link_of(letters.get())
    tick(now + 366 * DAY)

    assert client.post(older).status_code == 409
    assert verbs() == ["ask_contact", "ask_contact"]
    assert client.post(link_of(letters.latest("pk"))).status_code == 200
    assert verbs() == ["ask_contact", "ask_contact", "hear_contact"]


def test_delegate_confirms_on_the_page_of_the_namespace_and_nobody_else(
    namespace: Namespace, registrant: User, outsider: User, registrar: User, sign_in: SignIn
) -> None:
    browser, page = sign_in(registrant), "/namespaces/seedbank/contact/"
    assert "not confirmed" in text_of(browser.get("/namespaces/seedbank/"))

    refused = [
        sign_in(each).post(page, {"seen": DESK}).status_code for each in (outsider, registrar)
    ]
    stale = browser.post(page, {"seen": "Old words"})
    browser.post(page, {"seen": DESK})

    event = Event.objects.get(verb="confirm_contact")
    assert (refused, stale.status_code, event.actor) == ([403, 403], 409, registrant)
    assert "confirmed on" in text_of(browser.get("/namespaces/seedbank/"))


def test_programs_of_a_delegate_confirm_the_contact_they_read(
    namespace: Namespace, registrant: User, outsider: User
) -> None:
    at = "/api/v1/namespaces/seedbank/contact-confirmation/"
    with time_machine.travel(timezone.now(), tick=False):
        answers = [
            Program.of(outsider).client.post(at, {"contact": DESK}, JSON).status_code,
            Program.of(registrant).client.post(at, {"contact": "Else"}, JSON).status_code,
            Program.of(registrant).client.post(at, {"contact": DESK}, JSON).status_code,
        ]
        today = timezone.localdate()

    assert answers == [403, 409, 200]
    assert Namespace.objects.get().contact_confirmed_on == today


def test_contact_published_today_counts_as_confirmed_and_the_journal_holds(
    approved: RegistrationRequest, registrant: User, registrar: User
) -> None:
    workflow.perform(approved, "register", actor=registrar)
    namespace = Namespace.objects.get(nid="seedbank")
    sent = send(namespace, ChangeKind.CONTACT, registrant)
    record_consent(sent)

    with time_machine.travel(timezone.now(), tick=False):
        workflow.perform(sent, "register", actor=registrar)
        tick()
        today = timezone.localdate()

    namespace.refresh_from_db()
    assert namespace.contact_confirmed_on == today
    assert ContactConfirmation.objects.count() == 0
    record_cast()
    call_command("verify_journal")


def test_journal_holds_after_an_answer(
    approved: RegistrationRequest, registrant: User, registrar: User, client: Client
) -> None:
    workflow.perform(approved, "register", actor=registrar)
    sent = send(Namespace.objects.get(nid="seedbank"), ChangeKind.CONTACT, registrant)
    record_consent(sent)
    workflow.perform(sent, "register", actor=registrar)
    contact_confirmations.ask_for_confirmations(timezone.now() + 366 * DAY)

    client.post(link_of(Letter.objects.filter(key__startswith="contact:").latest("pk")))

    assert verbs()[-1] == "hear_contact"
    record_cast()
    call_command("verify_journal")
