"""Enquiries: asked once, answered by officers, read by those they are for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from registry.actions import enquiries
from registry.models import Enquiry, Event, Letter, User
from registry.workflow import ActionRefused, LimitReached
from tests.api.clients import JSON, Program
from tests.factories import UserFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
QUESTION = "Do I need a namespace for the ledgers of one archive?"
ANSWER = "No: a collection within an existing namespace does."


def ask(person: User, *, is_public: bool) -> Enquiry:
    return enquiries.ask_enquiry(QUESTION, actor=person, is_public=is_public)


def verbs() -> list[str]:
    return list(Event.objects.filter(verb__contains="enquiry").values_list("verb", flat=True))


def test_question_is_asked_once_and_the_officers_get_a_letter(
    outsider: User, lead: User, registrar: User, sign_in: SignIn
) -> None:
    browser = sign_in(outsider)
    assert "/enquiries/new/" in browser.get("/requests/new/").content.decode()

    for _click in "12":
        browser.post("/enquiries/new/", {"question": QUESTION, "is_public": "yes"})

    assert (Enquiry.objects.count(), verbs()) == (1, ["ask_enquiry"])
    letters = Letter.objects.all()
    assert {letter.recipient for letter in letters} == {lead, registrar}
    assert all(QUESTION in " ".join(letter.text.split()) for letter in letters)


@pytest.mark.parametrize("who", ["expert", "lead", "registrar"])
def test_answer_asked_for_in_public_is_read_by_everybody_once_it_is_there(
    who: str, outsider: User, sign_in: SignIn, client: Client, request: pytest.FixtureRequest
) -> None:
    asked = ask(outsider, is_public=True)
    before = client.get(asked.get_absolute_url()).status_code
    officer = sign_in(request.getfixturevalue(who))

    officer.post(asked.get_absolute_url(), {"answer": ANSWER})

    assert before == 404
    assert ANSWER in text_of(client.get(asked.get_absolute_url()))
    assert QUESTION in text_of(client.get("/enquiries/"))
    letter = Letter.objects.get(recipient=outsider)
    assert asked.get_absolute_url() in letter.text
    (line,) = client.get("/api/v1/events/", {"verb": "answer_enquiry_in_public"}).json()["results"]
    assert line["comment"] == ANSWER


def test_answer_asked_for_in_private_is_read_by_nobody_else_anywhere(
    outsider: User, registrant: User, expert: User, sign_in: SignIn, client: Client
) -> None:
    asked = ask(outsider, is_public=False)
    sign_in(expert).post(asked.get_absolute_url(), {"answer": ANSWER})

    assert ANSWER in text_of(sign_in(outsider).get(asked.get_absolute_url()))
    assert ANSWER in text_of(sign_in(expert).get(asked.get_absolute_url()))
    for stranger in (client, sign_in(registrant)):
        assert stranger.get(asked.get_absolute_url()).status_code == 404
        assert QUESTION not in text_of(stranger.get("/enquiries/"))
        assert stranger.get("/api/v1/enquiries/").json()["results"] == []
        said = str(stranger.get("/api/v1/events/").json())
        assert QUESTION not in said
        assert ANSWER not in said
    assert verbs() == ["ask_enquiry", "answer_enquiry"]


def test_officers_alone_answer_once_and_never_their_own(
    outsider: User, expert: User, lead: User, sign_in: SignIn
) -> None:
    asked, own = ask(outsider, is_public=True), ask(expert, is_public=True)
    page = asked.get_absolute_url()

    assert sign_in(outsider).post(page, {"answer": ANSWER}).status_code == 403
    with pytest.raises(ActionRefused):
        enquiries.answer_enquiry(own, actor=expert, answer=ANSWER)
    enquiries.answer_enquiry(own, actor=lead, answer=ANSWER)
    sign_in(expert).post(page, {"answer": ANSWER})
    late = sign_in(lead).post(page, {"answer": "Yes, you do."})

    asked.refresh_from_db()
    assert (late.status_code, asked.answer, asked.answered_by) == (409, ANSWER, expert)


def test_officer_who_left_since_the_page_was_opened_answers_nothing(
    outsider: User, expert: User
) -> None:
    asked = ask(outsider, is_public=True)
    assert expert.roles
    User.objects.get(pk=expert.pk).groups.clear()

    with pytest.raises(ActionRefused):
        enquiries.answer_enquiry(asked, actor=expert, answer=ANSWER)

    asked.refresh_from_db()
    assert asked.answered_at is None


def test_enquiries_need_a_confirmed_address_and_are_five_a_day(
    outsider: User,
) -> None:
    nobody = UserFactory.create(confirmed=False)
    with pytest.raises(ActionRefused):
        ask(nobody, is_public=True)
    assert not Enquiry.objects.exists()
    for number in range(5):
        enquiries.ask_enquiry(f"Question {number}?", actor=outsider, is_public=False)

    with pytest.raises(LimitReached, match="today's limit") as refusal:
        ask(outsider, is_public=False)

    assert 0 < (refusal.value.wait or 0) <= 24 * 60 * 60
    assert Enquiry.objects.count() == 5


def test_officers_see_what_waits_before_what_is_answered(
    outsider: User, expert: User, sign_in: SignIn
) -> None:
    first = ask(outsider, is_public=True)
    enquiries.answer_enquiry(first, actor=expert, answer=ANSWER)
    waiting = enquiries.ask_enquiry("And for maps?", actor=outsider, is_public=False)

    page = sign_in(expert).get("/enquiries/").context["page"]

    assert list(page) == [waiting, first]


def test_programs_ask_and_answer(outsider: User, expert: User, client: Client) -> None:
    at = "/api/v1/enquiries/"
    made = Program.of(outsider).client.post(at, {"question": QUESTION, "is_public": True}, JSON)
    one = f"{at}{made.json()['id']}/"
    refused = Program.of(outsider).client.post(f"{one}answer/", {"answer": "Yes."}, JSON)

    Program.of(expert).client.post(f"{one}answer/", {"answer": ANSWER}, JSON)

    assert (made.status_code, refused.status_code) == (201, 403)
    told = client.get(one).json()
    assert (told["answer"], told["answered_by"]) == (ANSWER, str(expert))
