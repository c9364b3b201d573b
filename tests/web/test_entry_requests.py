"""Requests for entries: a reference, time for comments, an expert's advice, a decision."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from registry.actions import entry_requests
from registry.enums import EntryRequestState, VocabularyName
from registry.models import EntryRequest, Event, Letter, QueryKeyword, ServiceDesignator, User
from registry.workflow import ActionRefused
from tests.api.clients import JSON, Program
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
PAGE = "/registries/query-keywords/requests/"
ASKED = {
    "keyword": "edition",
    "purpose": "Which edition is wanted",
    "scope": "global",
    "reference": "draft-sample-urn-edition",
    "supported_by": "",
    "reasons": "Two libraries ask resolvers for editions.",
}


def ask(person: User) -> EntryRequest:
    said = {name: ASKED[name] for name in ("purpose", "scope", "reference", "reasons")}
    return entry_requests.request_entry(
        VocabularyName.KEYWORDS, "edition", actor=person, supported_by=[], **said
    )


def let_time_pass(asked: EntryRequest) -> None:
    EntryRequest.objects.filter(pk=asked.pk).update(
        comments_until=timezone.localdate() - datetime.timedelta(1)
    )


def decide(asked: EntryRequest, registrar: User, *, enters: bool = True) -> None:
    entry_requests.decide_entry_request(
        asked, actor=registrar, enters=enters, reasons="As advised."
    )


def verbs() -> list[str]:
    return list(Event.objects.filter(verb__contains="entry").values_list("verb", flat=True))


def test_word_is_asked_for_once_in_public_with_its_reference(
    outsider: User, registrar: User, lead: User, sign_in: SignIn, client: Client
) -> None:
    for _click in "12":
        answer = sign_in(outsider).post(f"{PAGE}new/", ASKED, follow=True)

    assert verbs() == ["request_entry"]
    asked = EntryRequest.objects.get()
    assert answer.redirect_chain == [(asked.get_absolute_url(), 302)]
    assert asked.state == EntryRequestState.OPEN
    assert asked.comments_until > timezone.localdate()
    page = text_of(client.get(asked.get_absolute_url()))
    assert "draft-sample-urn-edition" in page
    assert entry_requests.explain_early_decision(asked) in page
    assert "edition" in text_of(client.get("/registries/query-keywords/"))
    assert {each.recipient for each in Letter.objects.all()} == {registrar, lead}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"reference": ""}, "Name the document that the entry is based on."),
        ({"keyword": "1x"}, "“1x” is not a keyword"),
        ({"keyword": "s"}, "“s” is already entered."),
        ({"reasons": ""}, "Describe it; this is public."),
    ],
)
def test_invalid_word_is_refused_and_stays_in_the_form(
    outsider: User, sign_in: SignIn, changes: dict[str, str], words: str
) -> None:
    QueryKeyword.objects.get_or_create(
        keyword="s", defaults={"purpose": "One", "reference": "RFC 2483"}
    )

    answer = sign_in(outsider).post(f"{PAGE}new/", ASKED | changes)

    assert words in text_of(answer)
    assert answer.context["form"]["purpose"].value() == ASKED["purpose"]
    assert EntryRequest.objects.count() == 0


def test_word_is_entered_after_the_time_for_comment_and_an_experts_advice(
    outsider: User, expert: User, registrar: User
) -> None:
    asked = ask(outsider)
    entry_requests.comment_on_entry(asked, actor=expert, text="Sound: no other word says it.")
    with pytest.raises(ActionRefused):
        decide(asked, registrar)
    assert not QueryKeyword.objects.filter(keyword="edition").exists()
    let_time_pass(asked)

    decide(asked, registrar)

    entered = QueryKeyword.objects.get(keyword="edition")
    asked.refresh_from_db()
    assert (entered.reference, entered.scope) == ("draft-sample-urn-edition", "global")
    assert (asked.state, asked.decided_by) == (EntryRequestState.ENTERED, registrar)
    assert verbs() == ["request_entry", "advise_entry", "enter_entry"]
    assert Event.objects.filter(verb="add_keyword").exists()
    assert Letter.objects.filter(recipient=outsider, text__contains="As advised.").exists()


def test_comments_of_others_and_of_who_asked_are_no_advice(
    lead: User, registrant: User, expert: User, registrar: User, sign_in: SignIn
) -> None:
    own = ask(expert)
    for person in (registrant, expert):
        sign_in(person).post(own.get_absolute_url(), {"text": "I would like it."})
    let_time_pass(own)

    with pytest.raises(ActionRefused):
        decide(own, registrar)

    own.refresh_from_db()
    assert own.state == EntryRequestState.OPEN
    assert list(own.comments.values_list("is_advice", flat=True)) == [False, False]
    entry_requests.comment_on_entry(own, actor=lead, text="Sound.")
    decide(own, registrar)


def test_word_is_declined_with_reasons_and_can_be_asked_for_again(
    outsider: User, registrar: User, sign_in: SignIn
) -> None:
    asked = ask(outsider)

    answer = sign_in(registrar).post(
        f"{PAGE}{asked.pk}/decide/", {"enters": "no", "reasons": "Not needed."}, follow=True
    )
    late = sign_in(registrar).post(
        f"{PAGE}{asked.pk}/decide/", {"enters": "no", "reasons": "Again."}
    )

    asked.refresh_from_db()
    assert (asked.state, asked.decision) == (EntryRequestState.DECLINED, "Not needed.")
    assert "Not needed." in text_of(answer)
    assert late.status_code == 409
    assert not QueryKeyword.objects.filter(keyword="edition").exists()
    assert ask(outsider).pk != asked.pk


def test_nobody_but_a_registrar_decides_and_never_on_their_own(
    outsider: User, expert: User, registrar: User, sign_in: SignIn
) -> None:
    asked, own = ask(outsider), None
    decision = {"enters": "no", "reasons": "No."}
    refused = [
        sign_in(each).post(f"{PAGE}{asked.pk}/decide/", decision).status_code
        for each in (outsider, expert)
    ]
    entry_requests.withdraw_entry_request(asked, actor=outsider, reasons="I mistook it.")
    own = ask(registrar)

    with pytest.raises(ActionRefused, match="Another registrar decides"):
        decide(own, registrar, enters=False)

    assert refused == [403, 403]
    assert (
        sign_in(registrar).post(f"{PAGE}{asked.pk}/withdraw/", {"reasons": "-"}).status_code == 403
    )


def test_another_person_who_wants_the_same_word_comments_instead(
    outsider: User, registrant: User
) -> None:
    ask(outsider)

    with pytest.raises(ActionRefused, match="Olaf Outsider"):
        ask(registrant)

    assert EntryRequest.objects.get().asked_by == outsider


def test_programs_ask_comment_advise_and_decide_on_a_service_designator(
    outsider: User, expert: User, registrar: User, client: Client
) -> None:
    at = "/api/v1/entry-requests/"
    said = {
        "vocabulary": "resolution-services",
        "word": "I2X",
        "purpose": "URN to an example",
        "status": "provisional",
        "reference": "draft-sample-urn-example",
        "reasons": "Teachers ask for examples.",
    }
    made = Program.of(outsider).client.post(at, said, JSON)
    one = f"{at}{made.json()['id']}/"
    let_time_pass(EntryRequest.objects.get())
    answers = [
        Program.of(outsider).client.post(f"{one}comment/", {"text": "Please."}, JSON).status_code,
        Program.of(expert).client.post(f"{one}comment/", {"text": "Sound."}, JSON).status_code,
        Program.of(expert).client.post(
            f"{one}decide/", {"enters": True, "reasons": "Mine."}, JSON
        ).status_code,
        Program.of(registrar).client.post(
            f"{one}decide/", {"enters": True, "reasons": "As advised."}, JSON
        ).status_code,
    ]  # fmt: skip

    assert (made.status_code, answers) == (201, [200, 200, 403, 200])
    told = client.get(one).json()
    assert [each["is_advice"] for each in told["comments"]] == [False, True]
    assert (told["state"], told["decision"]) == ("entered", "As advised.")
    assert ServiceDesignator.objects.get(name="I2X").status == "provisional"
