"""The lead expert assigns work: by hand, by the rota, from one to another, and until when."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core.exceptions import NON_FIELD_ERRORS
from django.urls import reverse
from django.utils import timezone

from registry import permissions, workflow
from registry.actions import conflicts_of_interest
from registry.enums import Role
from registry.models import RegistrationRequest, User
from tests.factories import UserFactory
from tests.web.experts import (
    SignIn,
    address,
    give_stake,
    verbs,
)
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

STEPS = ("assign", "rota")


@pytest.fixture
def second(db: None) -> User:
    return UserFactory.create(
        name="Sefa Second", email="second@people.example", roles=[Role.EXPERT]
    )


def filled(registration_request: RegistrationRequest, **typed: object) -> dict[str, object]:
    return {"seen": registration_request.revision, **typed}


# By hand


def test_lead_chooses_among_experts_with_their_load_days_away_and_hints(
    in_review: RegistrationRequest,
    registrant: User,
    expert: User,
    second: User,
    lead: User,
    sign_in: SignIn,
) -> None:
    today = timezone.localdate()
    second.absences.create(first_day=today, last_day=today + timedelta(3))
    for person in (second, registrant):
        person.email = f"{person.pk}@vault.example"
        person.save()

    page = sign_in(lead).get(address(in_review, "assign"))

    words = text_of(page)
    options = dict(page.context["form"].fields["expert"].choices)
    assert list(options) == [second.pk, lead.pk, expert.pk]
    assert options[expert.pk].barred
    assert not options[second.pk].barred
    assert [str(options[each.pk].hint) for each in (second, expert)] == [
        "0 open requests",
        "1 open request",
    ]
    assert "Away until" in words
    assert re.search(r"Runa Registrant [^.]+ vault\.example", words)


def test_lead_puts_an_expert_on_it_who_has_declared_nothing_yet(
    sent: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    form = filled(sent, expert=expert.pk)

    page = sign_in(lead).post(address(sent, "assign"), form)

    assignment = sent.assignments.get()
    assert (assignment.expert, assignment.declared_at) == (expert, None)
    assert sent.events.latest("number").actor == lead
    assert page["Location"] == "/review/?tab=lead"
    assert permissions.is_assigned_expert(expert, sent)


@pytest.mark.parametrize("typed", ["", "0", "nobody", "-1"])
def test_form_without_an_expert_is_refused_beside_the_choice(
    typed: str, sent: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    response = sign_in(lead).post(address(sent, "assign"), filled(sent, expert=typed))

    assert list(response.context["form"].errors) == ["expert"]
    assert not sent.assignments.exists()


@pytest.mark.parametrize("tie", ["author", "delegate", "co_editor", "organization", "conflict"])
def test_expert_with_a_stake_cannot_be_put_on_it_by_any_door(
    tie: str,
    in_review: RegistrationRequest,
    expert: User,
    second: User,
    lead: User,
    sign_in: SignIn,
) -> None:
    if tie == "conflict":
        conflicts_of_interest.declare_conflict(second, in_review.organization)
    else:
        give_stake(tie, in_review, second)
    client = sign_in(lead)

    page = client.get(address(in_review, "assign"))
    by_hand = client.post(address(in_review, "assign"), filled(in_review, expert=second.pk))
    handed = client.post(
        address(in_review, "assign"),
        filled(in_review, leaver=expert.pk, expert=second.pk, comment="Holidays."),
    )
    client.post(address(in_review, "rota"), filled(in_review))
    sign_in(second).post(address(in_review, "take"), filled(in_review))

    options = dict(page.context["form"].fields["expert"].choices)
    assert options[second.pk].barred
    assert all(each.context["form"].errors for each in (by_hand, handed))
    assert [each.expert for each in in_review.assignments.all()] == [expert]


# By the rota


def test_rota_names_whom_it_puts_on_and_the_button_does_it(
    sent: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    client = sign_in(lead)
    page = client.get(address(sent, "assign"))

    client.post(address(sent, "rota"), filled(sent))

    assert page.context["next"] == expert
    assert "turn of Ede Expert" in text_of(page)
    assert [each.expert for each in sent.assignments.all()] == [expert]


def test_rota_that_finds_nobody_says_in_words_what_to_do(
    sent: RegistrationRequest, lead: User, sign_in: SignIn
) -> None:
    page = sign_in(lead).post(address(sent, "rota"), filled(sent), follow=True)

    assert "Choose by hand, or take it yourself." in text_of(page)
    assert verbs(sent) == ["start", "submit"]


def test_second_click_on_the_rota_puts_nobody_else_on_it(
    sent: RegistrationRequest, expert: User, second: User, lead: User, sign_in: SignIn
) -> None:
    form, client = filled(sent), sign_in(lead)

    answers = [client.post(address(sent, "rota"), form).headers["Location"] for _ in range(2)]

    assert answers == ["/review/?tab=lead"] * 2
    assert sent.assignments.count() == 1


@pytest.mark.parametrize("step", ["assign", "rota"])
def test_stale_page_puts_nobody_on_it(
    step: str, sent: RegistrationRequest, expert: User, second: User, lead: User, sign_in: SignIn
) -> None:
    form = filled(sent, expert=second.pk)
    workflow.perform(sent, "assign", actor=expert)

    response = sign_in(lead).post(address(sent, step), form)

    assert response.status_code == 409
    assert [each.expert for each in sent.assignments.all()] == [expert]


# Handing over


def test_lead_hands_a_request_from_one_expert_to_another_with_a_reason(
    in_review: RegistrationRequest, expert: User, second: User, lead: User, sign_in: SignIn
) -> None:
    form = filled(in_review, leaver=expert.pk, expert=second.pk, comment="Ede is away.")

    sign_in(lead).post(address(in_review, "assign"), form)

    event = in_review.events.latest("number")
    assert (event.verb, event.comment) == ("assign", "Ede is away.")
    assert (event.data["leaver"], event.data["expert"]) == (str(expert), str(second))
    assert [each.expert for each in in_review.assignments.active()] == [second]
    assert not permissions.is_assigned_expert(expert, in_review)


@pytest.mark.parametrize("step", ["assign", "recuse"])
def test_lead_takes_nobody_off_without_a_reason(
    step: str,
    in_review: RegistrationRequest,
    expert: User,
    second: User,
    lead: User,
    sign_in: SignIn,
) -> None:
    form = filled(in_review, leaver=expert.pk, expert=second.pk)

    response = sign_in(lead).post(address(in_review, step), form)

    assert response.context["form"].errors
    assert [each.expert for each in in_review.assignments.active()] == [expert]


def test_lead_takes_an_expert_off_who_is_told(
    in_review: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    client = sign_in(lead)
    page = client.get(address(in_review, "recuse"))

    form = filled(in_review, leaver=expert.pk, comment="He wrote the draft.")
    client.post(address(in_review, "recuse"), form)

    event = in_review.events.latest("number")
    assert "Ede Expert" in text_of(page)
    assert (event.verb, event.actor, event.data["leaver_id"]) == ("recuse", lead, expert.pk)
    assert in_review.assignments.get().reason == "He wrote the draft."
    assert event.letters.filter(recipient=expert).exists()


# Until when


def extension(registration_request: RegistrationRequest) -> str:
    return reverse("requests:act", args=[registration_request.slug, "extend"])


def test_lead_extends_the_date_with_a_public_reason(
    in_review: RegistrationRequest, lead: User, sign_in: SignIn
) -> None:
    assert in_review.promised_by is not None
    later = in_review.promised_by + timedelta(10)
    reason = "The grammar needs a mathematician."
    form = filled(in_review, due_on=later.isoformat(), comment=reason)

    sign_in(lead).post(extension(in_review), form)

    in_review.refresh_from_db()
    assert in_review.promised_by == later
    assert in_review.events.latest("number").comment == reason


@pytest.mark.parametrize(
    ("typed", "field", "code"),
    [
        ({"comment": "Why."}, "due_on", "required"),
        ({"due_on": "soon", "comment": "Why."}, "due_on", "invalid"),
        ({"due_on": "2099-01-01"}, "comment", "required"),
        ({"due_on": "2001-01-01", "comment": "Why."}, NON_FIELD_ERRORS, None),
    ],
)
def test_extension_wants_a_later_date_and_a_reason_and_keeps_what_was_typed(
    typed: dict[str, str],
    field: str,
    code: str | None,
    in_review: RegistrationRequest,
    lead: User,
    sign_in: SignIn,
) -> None:
    response = sign_in(lead).post(extension(in_review), filled(in_review, **typed))

    assert list(response.context["form"].errors) == [field]
    assert error_codes(response, field) == [code]
    assert all(value in response.content.decode() for value in typed.values())
    assert verbs(in_review)[-1] == "assign"


# Who is the lead


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("who", ["expert", "registrant", "registrar", "outsider"])
def test_leading_is_for_the_lead_alone(
    who: str,
    step: str,
    in_review: RegistrationRequest,
    request: pytest.FixtureRequest,
    sign_in: SignIn,
) -> None:
    client = sign_in(request.getfixturevalue(who))

    response = client.post(address(in_review, step), filled(in_review))

    assert response.status_code == 403
    assert verbs(in_review) == ["start", "submit", "assign"]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("tie", ["author", "delegate", "co_editor", "organization", "conflict"])
def test_lead_who_is_party_leads_nothing_there(
    tie: str, step: str, in_review: RegistrationRequest, lead: User, sign_in: SignIn
) -> None:
    if tie == "conflict":
        conflicts_of_interest.declare_conflict(lead, in_review.organization)
    else:
        give_stake(tie, in_review, lead)

    response = sign_in(lead).post(address(in_review, step), filled(in_review))

    assert response.status_code == 403
    assert verbs(in_review) == ["start", "submit", "assign"]


def test_step_that_the_state_does_not_allow_leads_back_to_the_request(
    approved: RegistrationRequest, lead: User, sign_in: SignIn
) -> None:
    page = sign_in(lead).get(address(approved, "assign"), follow=True)

    assert page.redirect_chain == [(address(approved), 302)]
    assert "the state “Approved”" in text_of(page)
